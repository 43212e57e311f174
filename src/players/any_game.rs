//! A game whose type is forgotten: what the rooms above need of any game.

use super::solution::{SolutionView, SolveError, solution};
use super::table::{Prepared, Seats, Table, Tables};
use super::workload::{NoWorkload, Work, Workload};
use super::{GameSpec, Misfit, SearcherSpec, build};
use crate::game::conformance::{self, Effort, Report};
use crate::game::options::Options;
use crate::game::{
    Facts, FinishedGames, Followed, GameExt, NamedGame, Outcome, Player, RecordFormat, TranscriptError, Turn,
    divide, perft,
};

/// A name and a line about what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Named {
    /// The name in manifests.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
}

/// One move of a divided perft.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PerftLine {
    /// The move.
    pub mv: String,
    /// The leaves behind it.
    pub leaves: u64,
}

/// A transcript that was followed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How many plies it has.
    pub followed: Followed,
    /// How the game ended for the first player, and the first player's score. `None`: it is not over.
    pub result: Option<(Outcome, i32)>,
}

/// A game with its options. The type of its positions is known only inside.
pub trait AnyGame: Send + Sync {
    /// The game's name and options.
    fn spec(&self) -> &GameSpec;

    /// What is true of the game.
    fn facts(&self) -> Facts;

    /// What the game calls who moves first and who moves second; none where it has no names for them.
    fn seats(&self) -> Option<[&'static str; 2]>;

    /// About how many lines there are from the start to the end of the game, had every position as many moves as the
    /// start and every game as many plies as the longest; ∞ where no longest is known.
    fn about_lines(&self) -> f64;

    /// The playout policies that it has.
    fn policies(&self) -> Vec<Named>;

    /// The evaluations that it has.
    fn evaluations(&self) -> Vec<Named>;

    /// The features that it has, to be weighed into an evaluation.
    fn features(&self) -> Vec<Named>;

    /// Whether a searcher fits.
    ///
    /// # Errors
    /// Where it does not, with the reason.
    fn fits(&self, searcher: &SearcherSpec) -> Result<(), Misfit>;

    /// A new game with these players, one a seat; `None` is a person, who is told to move by text.
    ///
    /// # Errors
    /// Where a searcher does not fit.
    ///
    /// # Panics
    /// Where there are not as many seats as the game has players.
    fn table(&self, seats: &[Option<SearcherSpec>]) -> Result<Box<dyn Table + '_>, Misfit>;

    /// The same for many games between the same machines: what they are is looked up once.
    ///
    /// # Errors
    /// Where a searcher does not fit.
    ///
    /// # Panics
    /// Where there are not as many seats as the game has players.
    fn prepare(&self, seats: &[SearcherSpec]) -> Result<Box<dyn Tables + '_>, Misfit>;

    /// The leaves of the game tree from the start; see [`perft`].
    fn perft(&self, depth: u32, finished: FinishedGames) -> u64;

    /// The same for each move; see [`divide`].
    fn divide(&self, depth: u32, finished: FinishedGames) -> Vec<PerftLine>;

    /// Checks the laws of the game; see [`conformance`].
    fn check(&self, effort: Effort) -> Report;

    /// Solves the position that a text stands for: its value is the payoff of the player whose turn it is.
    ///
    /// # Errors
    /// Where the text stands for no position of a player's turn, or the game cannot be solved.
    fn solve(&self, position: &str, table_bytes: u64, threads: usize) -> Result<SolutionView, SolveError>;

    /// Playouts of a policy from the position that a text stands for; an empty one is the start. The policy is written as
    /// a searcher's option: `uniform`, `softmax(temperature=2)`.
    ///
    /// # Errors
    /// Where the text stands for no position, the game is over there, or the policy is not one of this game's.
    fn workload(&self, policy: &str, position: &str) -> Result<Box<dyn Workload + '_>, NoWorkload>;

    /// Follows a transcript from the start.
    ///
    /// # Errors
    /// Where a move cannot be read or is not legal.
    fn replay(&self, transcript: &str) -> Result<Replayed, TranscriptError>;

    /// The moves of a transcript as they are written, those among them that it leaves out.
    ///
    /// # Errors
    /// Where a move cannot be read or is not legal.
    fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError>;

    /// The formats of game records that it can read.
    fn record_formats(&self) -> Vec<RecordFormat>;
}

/// A game of a known type behind [`AnyGame`].
pub(super) struct Configured<G> {
    game: G,
    spec: GameSpec,
}

impl<G: NamedGame> Configured<G> {
    pub(super) fn new(game: G, options: Options) -> Self {
        Self { game, spec: GameSpec { name: G::NAME, options } }
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

    fn about_lines(&self) -> f64 {
        let moves = self.game.legal(&self.game.start()).count();
        self.game.facts().max_plies.map_or(f64::INFINITY, |plies| libm::pow(moves as f64, f64::from(plies)))
    }

    fn policies(&self) -> Vec<Named> {
        self.game.policies().iter().map(|policy| Named { name: policy.name, about: policy.about }).collect()
    }

    fn evaluations(&self) -> Vec<Named> {
        let evaluations = self.game.evaluations();
        evaluations
            .iter()
            .map(|evaluation| Named { name: evaluation.name, about: evaluation.about })
            .collect()
    }

    fn features(&self) -> Vec<Named> {
        let features = self.game.features();
        features.iter().map(|features| Named { name: features.name, about: features.about }).collect()
    }

    fn fits(&self, searcher: &SearcherSpec) -> Result<(), Misfit> {
        build(&self.game, searcher).map(|_| ())
    }

    fn table(&self, seats: &[Option<SearcherSpec>]) -> Result<Box<dyn Table + '_>, Misfit> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        let machine = |seat: &Option<SearcherSpec>| {
            seat.as_ref().map(|spec| build(&self.game, spec).map(|recipe| (&recipe).into())).transpose()
        };
        let machines = seats.iter().map(machine).collect::<Result<Vec<_>, Misfit>>()?;
        Ok(Box::new(Seats::new(&self.game, self.game.start(), machines)))
    }

    fn prepare(&self, seats: &[SearcherSpec]) -> Result<Box<dyn Tables + '_>, Misfit> {
        assert_eq!(seats.len(), usize::from(self.game.facts().players), "one player a seat");
        let recipes = seats.iter().map(|spec| build(&self.game, spec)).collect::<Result<_, Misfit>>()?;
        Ok(Box::new(Prepared::new(&self.game, recipes)))
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

    fn solve(&self, position: &str, table_bytes: u64, threads: usize) -> Result<SolutionView, SolveError> {
        solution(&self.game, position, table_bytes, threads)
    }

    fn workload(&self, policy: &str, position: &str) -> Result<Box<dyn Workload + '_>, NoWorkload> {
        Ok(Box::new(Work::new(&self.game, policy, position)?))
    }

    fn replay(&self, transcript: &str) -> Result<Replayed, TranscriptError> {
        let mut position = self.game.start();
        let followed = self.game.follow_from(&mut position, transcript, |_| ())?;
        let over = self.game.turn(&position) == Turn::Over;
        let result = || {
            let first = Player::FIRST;
            (self.game.outcome(&position, first), self.game.score(&position, first))
        };
        Ok(Replayed { followed, result: over.then(result) })
    }

    fn written_moves(&self, transcript: &str) -> Result<Vec<String>, TranscriptError> {
        let mut moves = Vec::new();
        self.game.follow_from(&mut self.game.start(), transcript, |mv| moves.push(mv))?;
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
}
