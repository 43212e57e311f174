//! A game with its type erased: what the rooms above need from any game.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalogue::{Additions, Catalogue};
use super::choices::InputChoice;
use super::evaluations::ToLearn;
use super::explored::{Exploration, ExploreError, Explored};
use super::fingerprint::of_all;
use super::lessons::{BagLessons, NetworkLessons, PolicyLessons, TupleLessons};
use super::named_searcher::SearcherDecl;
use super::recipe::FitError;
use super::sampler::{SEEN, Sampler, SamplerOf, TupleSampler, TupleSamplerOf, input_names};
use super::solution::{SolutionView, SolveError, SolveMethod, Solver, solver};
use super::spec::SearcherSpec;
use super::table::{Seats, Table};
use super::tables::{Prepared, Tables, UnfitPlayer};
use super::text::GameSpec;
use super::weights_file::WeightsForm;
use super::workload::{Work, Workload, WorkloadError};
use crate::game::conformance::{self, Effort, Report};
use crate::game::options::{OptionError, Options, Part};
use crate::game::tuples::SquareEffects;
use crate::game::{
    DealSolution, Facts, FinishedGames, Followed, GameExt, NamedGame, NamedPattern, Outcome, Player,
    RecordFormat, TranscriptError, Turn, divide, perft,
};
use crate::learn::{Squares, TupleSum};
use crate::rng::Stream;

/// The most weights of all stages of a game.
const MOST_WEIGHTS: usize = 10_000_000;

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

/// A game with its options, with the type of its positions erased.
pub trait AnyGame: Send + Sync {
    /// The game's name and options.
    fn spec(&self) -> &GameSpec;

    /// The facts of the game.
    fn facts(&self) -> Facts;

    /// The game's names for the first and the second player; `None` if it has none.
    fn seats(&self) -> Option<[&'static str; 2]>;

    /// A rough estimate of the number of lines to a depth in plies, and at most to the end of the game: as if every
    /// position had as many moves as the start, and every game as many plies as the longest.
    fn about_lines(&self, depth: u32) -> f64;

    /// Its playout policies.
    fn policies(&self) -> Vec<Named>;

    /// Its evaluations.
    fn evaluations(&self) -> Vec<Named>;

    /// Its features, from which evaluations are weighted sums.
    fn features(&self) -> Vec<Named>;

    /// The patterns that its rules can count.
    fn patterns(&self) -> Vec<Named<String>>;

    /// Its lists of rules.
    fn rule_lists(&self) -> Vec<Named>;

    /// Enumerates all positions that are reachable from a position; the empty text is the start.
    ///
    /// # Errors
    /// If the text is not a position, more than `most` positions are found, or the game is not finite.
    fn explore(&self, position: &str, most: usize) -> Result<Box<dyn Explored + '_>, ExploreError>;

    /// The searchers of its registry, in the order of the listing.
    fn searchers(&self) -> &[&'static SearcherDecl];

    /// The names and fingerprints of the game, of these searchers, and of the policies, evaluations, features and rules that
    /// they use: checksums of behaviour over fixed small cases.
    fn fingerprints(&self, searchers: &[&SearcherSpec]) -> BTreeMap<String, String>;

    /// What the weights of an evaluation with parts are for: their game, features or shapes, unit and names; `None` for
    /// a part without weights.
    ///
    /// # Errors
    /// If the game has no such features or shapes.
    fn weights_form(&self, evaluation: &Part) -> Result<Option<WeightsForm>, FitError>;

    /// What a disc on each square counts for, by some weights of a part `tuples`, which may be the first of longer ones;
    /// `None` of any other part.
    fn square_effects(&self, evaluation: &Part, weights: &[f64]) -> Option<SquareEffects>;

    /// The games that teach the weights of a part `tuples`, against these opponents or, without any, against itself.
    ///
    /// # Errors
    /// If the part or an opponent does not fit this game.
    fn tuple_lessons(&self, evaluation: &Part, opponents: &[SearcherSpec]) -> Result<TupleLessons, FitError>;

    /// The games that teach the network of a part `network`, in the same way.
    ///
    /// # Errors
    /// If the part or an opponent does not fit this game.
    fn network_lessons(
        &self,
        evaluation: &Part,
        opponents: &[SearcherSpec],
    ) -> Result<NetworkLessons, FitError>;

    /// The games that teach the network of a part `bags`: by its own moves, or by those of these searchers in turn, whose
    /// default evaluation is the network.
    ///
    /// # Errors
    /// If the part or a searcher does not fit this game.
    fn bag_lessons(&self, evaluation: &Part, players: &[SearcherSpec]) -> Result<BagLessons, FitError>;

    /// The games that teach the policy of a part `linear`, against itself.
    ///
    /// # Errors
    /// If the part does not fit this game.
    fn policy_lessons(&self, evaluation: &Part) -> Result<Box<dyn PolicyLessons>, FitError>;

    /// What makes samples for a part `network` whose parameters are learned.
    ///
    /// # Errors
    /// If the part does not fit this game, or names a network already.
    fn network_sampler(&self, evaluation: &Part) -> Result<Box<dyn Sampler>, FitError>;

    /// What makes samples for a part `tuples` whose weights are learned.
    ///
    /// # Errors
    /// If the part does not fit this game, or has weights already.
    fn tuple_sampler(&self, evaluation: &Part) -> Result<Box<dyn TupleSampler>, FitError>;

    /// What makes samples of finished games, with this input (`one-hot`, `bits`, or the name of features) seen by
    /// `inversion` or `negation`.
    ///
    /// # Errors
    /// If the game has no such input.
    fn sampler(&self, input: &str, seen: &str) -> Result<Box<dyn Sampler>, FitError>;

    /// Checks whether a searcher fits this game.
    ///
    /// # Errors
    /// If it does not, with the reason.
    fn fits(&self, searcher: &SearcherSpec) -> Result<(), FitError>;

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

    /// The leaves of the game tree from the start; see [`perft`].
    fn perft(&self, depth: u32, finished: FinishedGames) -> u64;

    /// The leaves below each move; see [`divide`].
    fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine>;

    /// Checks the laws of the game; see [`conformance`].
    fn check(&self, effort: Effort) -> Report;

    /// Solves a position given as text. Its value is the payoff of the player to move.
    ///
    /// # Errors
    /// If the text is not a position at a player's turn, or the game cannot be solved.
    fn solve(&self, position: &str, method: &SolveMethod) -> Result<SolutionView, SolveError> {
        self.solver(method)?(position)
    }

    /// Prepares to solve many positions as [`AnyGame::solve`] does: files of the method are read once.
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

    /// The formats of game records that this game can read.
    fn record_formats(&self) -> Vec<RecordFormat>;

    /// Searches a deal with the hidden order known; see [`NamedGame::solve_deal`].
    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<DealSolution>;
}

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec().fmt(f)
    }
}

impl dyn AnyGame + '_ {
    /// The searcher with this name.
    ///
    /// # Errors
    /// If its registry has none, with the nearest name.
    pub fn searcher(&self, name: &str) -> Result<&'static SearcherDecl, OptionError> {
        SearcherSpec::named(name, self.searchers())
    }

    /// Reads a searcher from text; see [`Registry::read_searcher`](super::Registry::read_searcher).
    ///
    /// # Errors
    /// If the searcher or an option is unknown, or a value is out of range.
    pub fn read_searcher(&self, text: &str) -> Result<SearcherSpec, OptionError> {
        SearcherSpec::parse(text, self.searchers())
    }
}

/// A game of a known type behind [`AnyGame`].
pub(super) struct Configured<G: NamedGame> {
    game: G,
    spec: GameSpec,
    additions: Arc<Additions<G>>,
    searchers: Vec<&'static SearcherDecl>,
}

impl<G: NamedGame> Configured<G> {
    pub(super) fn new(
        game: G,
        options: Options,
        additions: Arc<Additions<G>>,
        searchers: Vec<&'static SearcherDecl>,
    ) -> Self {
        Self { game, spec: GameSpec { name: G::NAME, options }, additions, searchers }
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

    fn seats(&self) -> Option<[&'static str; 2]> {
        G::SEATS
    }

    fn about_lines(&self, depth: u32) -> f64 {
        let moves = self.game.legal(&self.game.start()).count();
        let plies = self.game.facts().max_plies.unwrap_or(u32::MAX).min(depth);
        libm::pow(moves as f64, f64::from(plies))
    }

    fn policies(&self) -> Vec<Named> {
        self.catalogue()
            .policies()
            .iter()
            .map(|policy| Named { name: policy.name, about: policy.about })
            .collect()
    }

    fn evaluations(&self) -> Vec<Named> {
        let evaluations = self.catalogue().evaluations();
        evaluations
            .iter()
            .map(|evaluation| Named { name: evaluation.name, about: evaluation.about })
            .collect()
    }

    fn features(&self) -> Vec<Named> {
        let features = self.game.features();
        features.iter().map(|features| Named { name: features.name, about: features.about }).collect()
    }

    fn patterns(&self) -> Vec<Named<String>> {
        let named = |pattern: NamedPattern<G>| Named { name: pattern.name, about: pattern.about };
        self.game.patterns().into_iter().map(named).collect()
    }

    fn rule_lists(&self) -> Vec<Named> {
        self.game.rule_lists().iter().map(|list| Named { name: list.name, about: list.about }).collect()
    }

    fn explore(&self, position: &str, most: usize) -> Result<Box<dyn Explored + '_>, ExploreError> {
        Ok(Box::new(Exploration::new(self.catalogue(), position, most)?))
    }

    fn searchers(&self) -> &[&'static SearcherDecl] {
        &self.searchers
    }

    fn fingerprints(&self, searchers: &[&SearcherSpec]) -> BTreeMap<String, String> {
        of_all(&self.catalogue(), &self.spec.to_string(), searchers)
    }

    fn weights_form(&self, evaluation: &Part) -> Result<Option<WeightsForm>, FitError> {
        self.catalogue().weights_form(evaluation)
    }

    fn square_effects(&self, evaluation: &Part, weights: &[f64]) -> Option<SquareEffects> {
        self.catalogue().square_effects(evaluation, weights)
    }

    fn tuple_lessons(&self, evaluation: &Part, opponents: &[SearcherSpec]) -> Result<TupleLessons, FitError> {
        self.catalogue().tuple_lessons(evaluation, opponents)
    }

    fn network_lessons(
        &self,
        evaluation: &Part,
        opponents: &[SearcherSpec],
    ) -> Result<NetworkLessons, FitError> {
        self.catalogue().network_lessons(evaluation, opponents)
    }

    fn bag_lessons(&self, evaluation: &Part, players: &[SearcherSpec]) -> Result<BagLessons, FitError> {
        self.catalogue().bag_lessons(evaluation, players)
    }

    fn policy_lessons(&self, evaluation: &Part) -> Result<Box<dyn PolicyLessons>, FitError> {
        self.catalogue().policy_lessons(evaluation)
    }

    fn network_sampler(&self, evaluation: &Part) -> Result<Box<dyn Sampler>, FitError> {
        Ok(Box::new(self.catalogue().network_to_learn(evaluation)?))
    }

    fn tuple_sampler(&self, evaluation: &Part) -> Result<Box<dyn TupleSampler>, FitError> {
        let ToLearn { board, tables, seen, stages } = self.catalogue().tuples_to_learn(evaluation)?;
        let (rows, columns) = board.size(&self.game);
        let sum = TupleSum::new(rows * columns, &tables);
        let weights = stages * sum.weights();
        if weights > MOST_WEIGHTS {
            let reason = format!(
                "{stages} stages have {weights} weights, and {MOST_WEIGHTS} are the most; write fewer"
            );
            return Err(FitError::option("stages", reason));
        }
        Ok(Box::new(TupleSamplerOf { game: self.game.clone(), board, sum, seen, stages }))
    }

    fn sampler(&self, input: &str, seen: &str) -> Result<Box<dyn Sampler>, FitError> {
        let names = input_names(self);
        if !names.contains(&input) {
            return Err(FitError::unknown("input", &OptionError::unknown("input", input, names)));
        }
        let found = SEEN.iter().find(|(name, _)| *name == seen);
        let (_, seen) = *found.ok_or_else(|| {
            let known = SEEN.map(|(name, _)| name);
            FitError::unknown("seen", &OptionError::unknown("seen", seen, known))
        })?;
        let squares = Squares::ALL.iter().find(|(name, _)| *name == input);
        let choice = squares.map_or(InputChoice::Features, |(_, squares)| InputChoice::Squares(*squares));
        let (input, form) = self.catalogue().input("input", choice, input, seen)?;
        Ok(Box::new(SamplerOf { game: self.game.clone(), input, seen, form }))
    }

    fn fits(&self, searcher: &SearcherSpec) -> Result<(), FitError> {
        self.catalogue().build(searcher).map(|_| ())
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
        Ok(Box::new(Prepared::new(&self.game, players, |spec| self.catalogue().build(spec))?))
    }

    fn perft(&self, depth: u32, finished: FinishedGames) -> u64 {
        perft(&self.game, &self.game.start(), depth, finished)
    }

    fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine> {
        let start = self.game.start();
        let lines = divide(&self.game, &start, depth, finished);
        let line = |(mv, leaves)| PerftLine { mv: self.game.notation(&start, mv), leaves };
        lines.into_iter().map(line).collect()
    }

    fn check(&self, effort: Effort) -> Report {
        conformance::check_with(&self.game, effort)
    }

    fn solver(&self, method: &SolveMethod) -> Result<Solver<'_>, SolveError> {
        solver(&self.game, &self.catalogue(), method)
    }

    fn workload(&self, policy: &str, position: &str) -> Result<Box<dyn Workload + '_>, WorkloadError> {
        Ok(Box::new(Work::new(self.catalogue(), policy, position)?))
    }

    fn replay(&self, transcript: &str) -> Result<Replayed, TranscriptError> {
        let mut position = self.game.start();
        let followed = self.game.follow_from(&mut position, transcript, &mut |_| ())?;
        let over = self.game.turn(&position) == Turn::Over;
        let result = || {
            let first = Player::FIRST;
            (self.game.outcome(&position, first), self.game.score(&position, first))
        };
        Ok(Replayed { followed, result: over.then(result) })
    }

    fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError> {
        let mut moves = Vec::new();
        self.game.follow_from(&mut self.game.start(), transcript, &mut |mv| moves.push(mv))?;
        let mut position = self.game.start();
        let write = |mv| {
            let text = self.game.notation(&position, mv);
            self.game.apply(&mut position, mv);
            text
        };
        Ok(moves.into_iter().map(write).collect())
    }

    fn record_formats(&self) -> Vec<RecordFormat> {
        self.game.record_formats()
    }

    fn solve_deal(&self, deal: Stream, nodes: u64) -> Option<DealSolution> {
        self.game.solve_deal(deal, nodes)
    }
}
