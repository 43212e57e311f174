//! A game with its type erased: what the rooms above need from any game.

use std::collections::BTreeMap;
use std::slice;
use std::sync::{Arc, OnceLock};

use super::catalogue::{Additions, Catalogue};
use super::choices::PolicyChoice;
use super::decl::SearcherDecl;
use super::fingerprint::of_all;
use super::learners::{Known, Learning};
use super::machine::{AnyMachine, seated};
use super::recipe::FitError;
use super::solution::{SolutionView, SolveError, SolveMethod, Solver, lines, solver};
use super::spec::{GameSpec, SearcherSpec};
use super::table::{Seats, Table};
use super::tables::{Prepared, Tables, UnfitPlayer};
use crate::game::conformance::{self, Effort, Report};
use crate::game::options::Options;
use crate::game::{
    Facts, FinishedGames, Followed, GameObject, NamedGame, Outcome, Player, PolicyObject, RecordFormat,
    TranscriptError, Turn, Value, erased, object, policy_object,
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

/// A move of a divided perft.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PerftLine {
    /// The move.
    pub mv: String,
    /// The number of leaves below it.
    pub leaves: u64,
}

/// The declarations of a game by name.
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

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec().fmt(f)
    }
}

/// Games are equal if they have the same name and options.
impl PartialEq for dyn AnyGame {
    fn eq(&self, other: &Self) -> bool {
        self.spec() == other.spec()
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

    /// The names and fingerprints of the game, of these searchers, and of the policies, evaluations, features and rules that
    /// they use: checksums of behaviour over fixed small cases.
    pub fn fingerprints(&self, searchers: &[&SearcherSpec]) -> BTreeMap<String, String> {
        of_all(self.object(), &self.spec().to_string(), searchers)
    }

    /// A rough estimate of the number of lines to a depth in plies, and at most to the end of the game: as if every
    /// position had as many moves as the start, and every game as many plies as the longest.
    pub fn about_lines(&self, depth: u32) -> f64 {
        let game = self.object();
        let plies = self.facts().max_plies.unwrap_or(u32::MAX).min(depth);
        libm::pow(game.legal(&game.start()).len() as f64, f64::from(plies))
    }

    /// The leaves of the game tree from the start; see [`perft`](crate::game::perft).
    pub fn perft(&self, depth: u32, finished: FinishedGames) -> u64 {
        let game = self.object();
        game.perft(&game.start(), depth, finished)
    }

    /// The leaves below each move.
    pub fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine> {
        let (game, start) = (self.object(), self.object().start());
        let line = |(mv, _): (Value, u32)| PerftLine {
            mv: game.notation(&start, &mv),
            leaves: game.perft(&game.after(&start, &mv), depth - 1, finished),
        };
        game.legal(&start).into_iter().filter(|_| depth > 0).map(line).collect()
    }

    /// Checks the laws of the game; see [`conformance`].
    pub fn check(&self, effort: Effort) -> Report {
        // A copy has the game's own catalogue, without additions.
        conformance::check_object(&*self.object().copy(), true, effort)
    }

    /// Follows a transcript from the start. Returns the outcome and the score of the first player, too; `None` if the game is not
    /// over.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal.
    pub fn replay(&self, transcript: &str) -> Result<(Followed, Option<(Outcome, i32)>), TranscriptError> {
        let game = self.object();
        let (followed, _, end) = game.follow(transcript)?;
        let result = || (game.outcome(&end, Player::FIRST), game.score(&end, Player::FIRST));
        Ok((followed, (game.turn(&end) == Turn::Over).then(result)))
    }

    /// The moves of a transcript in notation, including moves that it omits.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal.
    pub fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError> {
        let game = self.object();
        Ok(lines(game, game.start(), &game.follow(transcript)?.1))
    }

    /// Searches a deal with the hidden order known; see [`Entries::deal_solver`](crate::game::Entries::deal_solver). Returns whether
    /// the deal can be won, if that was decided, and the positions examined; `None` if the game has no such search.
    pub fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<(Option<bool>, u64)> {
        self.object().solve_deal(deal, nodes)
    }
}

pub(super) struct Configured<G: NamedGame> {
    game: G,
    spec: GameSpec,
    additions: Arc<Additions<G>>,
    searchers: Vec<&'static SearcherDecl>,
    lists: OnceLock<Lists>,
    object: OnceLock<Box<dyn GameObject>>,
}

impl<G: NamedGame> Configured<G> {
    pub(super) fn new(
        name: &'static str,
        game: G,
        options: Options,
        additions: Arc<Additions<G>>,
        searchers: Vec<&'static SearcherDecl>,
    ) -> Self {
        let (spec, lists) = (GameSpec { name, options }, OnceLock::new());
        Self { game, spec, additions, searchers, lists, object: OnceLock::new() }
    }

    fn catalogue(&self) -> Catalogue<'_, G> {
        Catalogue::new(&self.game, &self.additions)
    }
}

erased! {
    /// A game with its options, with the type of its positions erased.
    pub trait AnyGame: [Send + Sync] for Configured<G>, G: NamedGame;

    /// The game's name and options.
    fn spec(&self) -> &GameSpec { &self.spec }

    /// The facts of the game.
    fn facts(&self) -> Facts { self.game.facts() }

    /// The declared names.
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

    /// The searchers of its registry, in the order of the listing.
    fn searchers(&self) -> &[&'static SearcherDecl] { &self.searchers }

    /// The rules and the catalogue alone.
    fn object(&self) -> &dyn GameObject {
        let entries = || self.catalogue().entries();
        &**self.object.get_or_init(|| object(&self.game, G::entries, Some(entries())))
    }

    /// The learners of its evaluations, and the samples of its games.
    fn learning(&self) -> Box<dyn Learning> {
        Box::new(Known::new(self.game.clone(), Arc::clone(&self.additions)))
    }

    /// A new game with one player per seat; `None` is a person, whose moves are read as text.
    ///
    /// # Errors
    /// If a searcher does not fit.
    ///
    /// # Panics
    /// If there are not as many seats as the game has players.
    fn table(&self, seats: &[Option<SearcherSpec>]) -> Result<Box<dyn Table + '_>, FitError> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        let mut machines = [None, None];
        for (machine, spec) in machines.iter_mut().zip(seats) {
            if let Some(spec) = spec {
                *machine = Some((&self.catalogue().build(spec)?).into());
            }
        }
        Ok(Box::new(Seats::new(&self.game, self.game.start(), machines)))
    }

    /// Resolves players for this game, once for all tables between them.
    ///
    /// # Errors
    /// If a searcher does not fit; the error names the first.
    fn prepare(&self, players: &[SearcherSpec]) -> Result<Box<dyn Tables>, UnfitPlayer> {
        Ok(Box::new(Prepared::new(&self.catalogue(), players)?))
    }

    /// A machine for positions of the object.
    ///
    /// # Errors
    /// If the searcher does not fit.
    fn machine(&self, searcher: &SearcherSpec) -> Result<Box<dyn AnyMachine + '_>, FitError> {
        Ok(seated(&self.game, Arc::new(self.catalogue().build(searcher)?)))
    }

    /// The policy that an option chooses.
    ///
    /// # Errors
    /// If the game does not have it.
    fn policy(&self, choice: &PolicyChoice) -> Result<Box<dyn PolicyObject + '_>, FitError> {
        Ok(policy_object(&self.game, self.catalogue().policy(choice)?))
    }

    /// Prepares to solve positions given as text. A value is the payoff of the player to move. Files of the method are read once.
    ///
    /// # Errors
    /// If the game cannot be solved, or the method is not valid for it.
    fn solver(&self, method: &SolveMethod) -> Result<Solver<'_>, SolveError> {
        solver(self.object(), &self.catalogue(), method)
    }
}
