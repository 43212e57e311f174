//! A game with its type erased: what the rooms above need from any game.

use std::collections::BTreeMap;
use std::slice;
use std::sync::{Arc, OnceLock};

use super::catalogue::{Additions, Catalogue};
use super::decl::SearcherDecl;
use super::explored::{Exploration, ExploreError, Explored};
use super::fingerprint::of_all;
use super::learners::{Known, Learning};
use super::recipe::FitError;
use super::solution::{SolutionView, SolveError, SolveMethod, Solver, solver, written};
use super::spec::SearcherSpec;
use super::table::{Seats, Table};
use super::tables::{Prepared, Tables, UnfitPlayer};
use super::text::GameSpec;
use super::workload::{Work, Workload, WorkloadError};
use crate::game::conformance::{self, Effort, Report};
use crate::game::options::Options;
use crate::game::{
    Facts, FinishedGames, Followed, GameExt, NamedGame, Outcome, Player, RecordFormat, TranscriptError, Turn,
    divide, perft,
};
use crate::rng::Stream;

/// A name with a one-line description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Named<T = &'static str> {
    /// The name in manifests.
    pub name: T,
    /// The description.
    pub about: T,
}

/// One move of a divided perft.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PerftLine {
    /// The move.
    pub mv: String,
    /// The number of leaves below it.
    pub leaves: u64,
}

/// A transcript that was followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The plies that were followed.
    pub followed: Followed,
    /// The outcome and the score of the first player; `None` if the game is not over.
    pub result: Option<(Outcome, i32)>,
}

/// What a game declares by name.
pub struct Lists {
    /// The names of the first and the second player; `None` if they have none.
    pub seats: Option<[&'static str; 2]>,
    /// The playout policies.
    pub policies: Vec<Named>,
    /// The evaluations.
    pub evaluations: Vec<Named>,
    /// The features, from which evaluations are weighted sums.
    pub features: Vec<Named>,
    /// The patterns that rules can count.
    pub patterns: Vec<Named<String>>,
    /// The lists of rules.
    pub rule_lists: Vec<Named>,
    /// The formats of game records that the game can read.
    pub record_formats: Vec<RecordFormat>,
}

/// A game with its options, with the type of its positions erased.
pub trait AnyGame: Send + Sync {
    /// The game's name and options.
    fn spec(&self) -> &GameSpec;

    /// The facts of the game.
    fn facts(&self) -> Facts;

    /// What it declares by name.
    fn lists(&self) -> &Lists;

    /// The searchers of its registry, in the order of the listing.
    fn searchers(&self) -> &[&'static SearcherDecl];

    /// The names and fingerprints of the game, of these searchers, and of the policies, evaluations, features and rules that
    /// they use: checksums of behaviour over fixed small cases.
    fn fingerprints(&self, searchers: &[&SearcherSpec]) -> BTreeMap<String, String>;

    /// The rules alone.
    fn rules(&self) -> &dyn Rules;

    /// The learners of its evaluations, and the samples of its games.
    fn learning(&self) -> Box<dyn Learning>;

    /// A new game with one player per seat; `None` is a person, whose moves are read as text.
    ///
    /// # Errors
    /// If a searcher does not fit.
    ///
    /// # Panics
    /// If there are not as many seats as the game has players.
    fn table(&self, seats: &[Option<SearcherSpec>]) -> Result<Box<dyn Table + '_>, FitError>;

    /// Resolves players for this game, once for all tables between them.
    ///
    /// # Errors
    /// If a searcher does not fit; the error names the first.
    fn prepare(&self, players: &[SearcherSpec]) -> Result<Box<dyn Tables>, UnfitPlayer>;

    /// Enumerates all positions that are reachable from a position; the empty text is the start.
    ///
    /// # Errors
    /// If the text is not a position, more than `most` positions are found, or the game is not finite.
    fn explore(&self, position: &str, most: usize) -> Result<Box<dyn Explored + '_>, ExploreError>;

    /// Prepares to solve positions given as text. A value is the payoff of the player to move. Files of the method are read once.
    ///
    /// # Errors
    /// If the game cannot be solved, or the method is not valid for it.
    fn solver(&self, method: &SolveMethod) -> Result<Solver<'_>, SolveError>;

    /// Playouts of a policy from a position given as text; the empty text is the start. The policy is written as a
    /// searcher's option: `uniform`, `softmax(temperature=2)`.
    ///
    /// # Errors
    /// If the text is not a position, the game is over there, or this game has no such policy.
    fn workload(&self, policy: &str, position: &str) -> Result<Box<dyn Workload + '_>, WorkloadError>;
}

/// The rules of a game, with the type of its positions erased.
pub trait Rules: Send + Sync {
    /// A rough estimate of the number of lines to a depth in plies, and at most to the end of the game: as if every
    /// position had as many moves as the start, and every game as many plies as the longest.
    fn about_lines(&self, depth: u32) -> f64;

    /// The leaves of the game tree from the start; see [`perft`].
    fn perft(&self, depth: u32, finished: FinishedGames) -> u64;

    /// The leaves below each move; see [`divide`].
    fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine>;

    /// Checks the laws of the game; see [`conformance`].
    fn check(&self, effort: Effort) -> Report;

    /// Follows a transcript from the start.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal.
    fn replay(&self, transcript: &str) -> Result<Replayed, TranscriptError>;

    /// The moves of a transcript in notation, including moves that it omits.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal.
    fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError>;

    /// Searches a deal with the hidden order known; see [`Entries::deal_solver`](crate::game::Entries::deal_solver). Returns whether
    /// the deal can be won, if that was decided, and the positions examined; `None` if the game has no such search.
    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<(Option<bool>, u64)>;
}

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec().fmt(f)
    }
}

impl dyn AnyGame + '_ {
    /// Checks whether a searcher fits this game.
    ///
    /// # Errors
    /// If it does not, with the reason.
    pub fn fits(&self, searcher: &SearcherSpec) -> Result<(), FitError> {
        self.prepare(slice::from_ref(searcher))?;
        Ok(())
    }

    /// Solves a position given as text; see [`AnyGame::solver`].
    ///
    /// # Errors
    /// If the text is not a position at a player's turn, or the game cannot be solved.
    pub fn solve(&self, position: &str, method: &SolveMethod) -> Result<SolutionView, SolveError> {
        self.solver(method)?(position)
    }
}

/// A game of a known type behind [`AnyGame`].
pub(super) struct Configured<G: NamedGame> {
    game: G,
    spec: GameSpec,
    additions: Arc<Additions<G>>,
    searchers: Vec<&'static SearcherDecl>,
    lists: OnceLock<Lists>,
}

impl<G: NamedGame> Configured<G> {
    pub(super) fn new(
        game: G,
        options: Options,
        additions: Arc<Additions<G>>,
        searchers: Vec<&'static SearcherDecl>,
    ) -> Self {
        Self { game, spec: GameSpec { name: G::NAME, options }, additions, searchers, lists: OnceLock::new() }
    }

    fn catalogue(&self) -> Catalogue<'_, G> {
        Catalogue::new(&self.game, &self.additions)
    }
}

impl<G: NamedGame> AnyGame for Configured<G> {
    fn spec(&self) -> &GameSpec {
        &self.spec
    }

    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn lists(&self) -> &Lists {
        macro_rules! named {
            ($all:expr) => {
                $all.into_iter().map(|known| Named { name: known.name, about: known.about }).collect()
            };
        }
        self.lists.get_or_init(|| {
            let entries = self.catalogue().entries();
            Lists {
                seats: G::SEATS,
                policies: named!(entries.policies),
                evaluations: named!(entries.evaluations),
                features: named!(entries.features),
                patterns: named!(entries.patterns),
                rule_lists: named!(entries.rule_lists),
                record_formats: entries.record_formats,
            }
        })
    }

    fn searchers(&self) -> &[&'static SearcherDecl] {
        &self.searchers
    }

    fn fingerprints(&self, searchers: &[&SearcherSpec]) -> BTreeMap<String, String> {
        of_all(&self.catalogue(), &self.spec.to_string(), searchers)
    }

    fn rules(&self) -> &dyn Rules {
        &self.game
    }

    fn learning(&self) -> Box<dyn Learning> {
        Box::new(Known::new(self.game.clone(), Arc::clone(&self.additions)))
    }

    fn table(&self, seats: &[Option<SearcherSpec>]) -> Result<Box<dyn Table + '_>, FitError> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        let machine = |seat: &Option<SearcherSpec>| {
            seat.as_ref().map(|spec| self.catalogue().build(spec).map(|recipe| (&recipe).into())).transpose()
        };
        let machines = seats.iter().map(machine).collect::<Result<Vec<_>, FitError>>()?;
        Ok(Box::new(Seats::new(&self.game, self.game.start(), machines)))
    }

    fn prepare(&self, players: &[SearcherSpec]) -> Result<Box<dyn Tables>, UnfitPlayer> {
        Ok(Box::new(Prepared::new(&self.catalogue(), players)?))
    }

    fn explore(&self, position: &str, most: usize) -> Result<Box<dyn Explored + '_>, ExploreError> {
        Ok(Box::new(Exploration::new(self.catalogue(), position, most)?))
    }

    fn solver(&self, method: &SolveMethod) -> Result<Solver<'_>, SolveError> {
        solver(&self.game, &self.catalogue(), method)
    }

    fn workload(&self, policy: &str, position: &str) -> Result<Box<dyn Workload + '_>, WorkloadError> {
        Ok(Box::new(Work::new(self.catalogue(), policy, position)?))
    }
}

impl<G: NamedGame> Rules for G {
    fn about_lines(&self, depth: u32) -> f64 {
        let moves = self.legal(&self.start()).count();
        let plies = self.facts().max_plies.unwrap_or(u32::MAX).min(depth);
        libm::pow(moves as f64, f64::from(plies))
    }

    fn perft(&self, depth: u32, finished: FinishedGames) -> u64 {
        perft(self, &self.start(), depth, finished)
    }

    fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine> {
        let start = self.start();
        let line = |(mv, leaves)| PerftLine { mv: self.notation(&start, mv), leaves };
        divide(self, &start, depth, finished).into_iter().map(line).collect()
    }

    fn check(&self, effort: Effort) -> Report {
        conformance::check_with(self, effort)
    }

    fn replay(&self, transcript: &str) -> Result<Replayed, TranscriptError> {
        let mut position = self.start();
        let followed = self.follow_from(&mut position, transcript, &mut |_| ())?;
        let over = self.turn(&position) == Turn::Over;
        let result = || (self.outcome(&position, Player::FIRST), self.score(&position, Player::FIRST));
        Ok(Replayed { followed, result: over.then(result) })
    }

    fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError> {
        let mut moves = Vec::new();
        self.follow_from(&mut self.start(), transcript, &mut |mv| moves.push(mv))?;
        Ok(written(self, self.start(), &moves))
    }

    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<(Option<bool>, u64)> {
        self.entries().deal_solver.map(|solve| solve(self, deal, nodes))
    }
}
