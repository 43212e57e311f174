//! An optimisation: which numbers make this player better?
//!
//! A `[[optimisation]]` of a manifest is one question. A sweep makes several runs of it, which share a folder of results.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::{Genes, MethodSettings, Openings, PlayerSpec, reduce};
use crate::game::options::{
    OptionDecl, OptionValue, Options, Settings as _, Wording, integer, open, real, settings,
};
use crate::players::{AnyGame, SearcherSpec};
use crate::search::Limits;
use shikou_learn::words;

/// `[[optimisation]]`: its runs, one for each combination of a sweep.
#[derive(Clone, Debug)]
pub struct Optimisation {
    /// The name, unique in the manifest; the name of its folder.
    pub name: String,
    /// The runs, at least one.
    pub runs: Vec<Arc<OptimisationRun>>,
}

/// A run of an optimiser.
#[derive(Clone, Debug)]
pub struct OptimisationRun {
    /// The name of the optimisation, and the values that a sweep chose.
    pub name: String,
    /// The values that a sweep chose: the key and its value as text.
    pub swept: Vec<(String, String)>,
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The genes.
    pub genes: Genes,
    /// The player, with genes in place of values.
    pub player: SearcherSpec,
    /// How candidates are compared.
    pub fitness: Fitness,
    /// The method with its options: the option `method`.
    pub method: Options,
    /// How long it runs.
    pub length: Length,
    /// The independent opponents of the result, if there are any.
    pub judge: Option<Judge>,
    /// How games begin.
    pub openings: Openings,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search.
    pub limits: Limits,
}

/// How long an optimisation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number of generations.
    Generations(u64),
    /// Until a generation ends at which this many games of candidates were played.
    Games(u64),
}

/// How the fitness of a candidate is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitness {
    /// The opponents of a candidate.
    pub against: Against,
    /// How many units a candidate plays against each opponent: pairs of games with `seat = "both"`, else games or deals.
    pub units: u64,
    /// Where the candidate sits.
    pub seat: Seat,
    /// The measure of fitness.
    pub of: Measure,
    /// Which randomness the games have.
    pub luck: Luck,
    /// When a candidate that is shown to be worse than another leaves its generation, if any does.
    pub racing: Option<Racing>,
}

settings! {
    /// How a candidate leaves its generation early.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Racing {
        /// the largest probability with which a candidate leaves that is no worse than any other
        level: f64 = real(open(0.0, 1.0), 0.05),
        /// units between two comparisons
        every: u64 = integer(1..=1_000_000_000, 5),
    }
}

impl Fitness {
    pub(crate) const KNOCKOUT: Self = Self {
        against: Against::Knockout,
        units: 1,
        seat: Seat::First,
        of: Measure::Margin,
        luck: Luck::Fresh,
        racing: None,
    };
}

/// The opponents of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// Named players.
    Players(Vec<PlayerSpec>),
    /// Every other candidate of its generation.
    Population,
    /// Candidates with random genes.
    RandomGenes {
        /// How many.
        count: u64,
        /// The seed of the draw.
        seed: u64,
        /// Whether they are drawn for each generation, and not once.
        anew: bool,
    },
    /// The other candidates, in a knockout that the selection of the method defines.
    Knockout,
    /// Nobody: a solitaire.
    Nobody,
}

words! {
    /// The seat of a candidate in a game for two. Both games of a pair have the same randomness.
    pub enum Seat {
        Both = "in both seats of a pair of games",
        First = "in the first",
        Second = "in the second",
    }
}

words! {
    /// The measure of fitness: a mean over games. A win is 1 point, a draw ½.
    pub enum Measure {
        Points = "points, or successes",
        Margin = "the margin",
        /// A fault: all candidates are alike.
        Zero = "nothing",
        /// A fault.
        OpponentMargin = "the margin of the opponent",
    }
}

words! {
    /// The randomness of the games of a candidate.
    pub enum Luck {
        Fresh = "each game has its own",
        Common = "all candidates of a generation have the same",
        /// A fault, over the whole run.
        OneStream = "all games have the same",
    }
}

/// Opponents that no fitness meets, and how the result is measured against them.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    /// The opponents; empty for a solitaire.
    pub against: Vec<PlayerSpec>,
    /// How many units are played against each: pairs of games, or deals.
    pub units: u64,
    /// How its games begin, if otherwise than those of the fitness.
    pub openings: Option<Openings>,
    /// The number of generations between two judgements. The end is always judged; `None`: only the end.
    pub every: Option<u64>,
}

impl Optimisation {
    /// A small version for a quick test: two generations of at most four candidates, if the method allows so few, with two
    /// units, and players that are [reduced](SearcherSpec::reduced).
    #[must_use]
    pub fn reduced(&self) -> Self {
        Self { name: self.name.clone(), runs: self.runs.iter().map(|run| Arc::new(run.reduced())).collect() }
    }
}

impl Against {
    /// The opponents that have names.
    pub fn players(&self) -> &[PlayerSpec] {
        if let Self::Players(players) = self { players } else { &[] }
    }
}

impl Measure {
    /// The word in manifests.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Margin => "margin",
            Self::Zero => "zero",
            Self::OpponentMargin => "opponent-margin",
        }
    }
}

impl OptimisationRun {
    fn reduced(&self) -> Self {
        let mut run = self.clone();
        let has_evaluation = !run.game.lists().evaluations.is_empty();
        run.length = Length::Generations(2);
        run.player = run.player.reduced(has_evaluation);
        run.fitness.units = run.fitness.units.min(2);
        if let Against::Players(players) = &mut run.fitness.against {
            reduce(players, has_evaluation);
        }
        run.judge.iter_mut().for_each(|judge| judge.reduce(has_evaluation));
        let smaller = |decl: &OptionDecl, value: &OptionValue| decl.cost.in_smoke(value, true);
        let smaller = run.method.map(&smaller).expect("smaller values are in range too");
        // Some settings go together only in one size.
        if MethodSettings::read(&smaller).method.check(&run.genes.space()).is_ok() {
            run.method = smaller;
        }
        run
    }

    /// Whether the game is for two players.
    pub fn is_for_two(&self) -> bool {
        self.game.facts().players == 2
    }

    /// Whether its fitness is a number that compares candidates: in a knockout who stays is all that counts.
    pub fn has_fitness(&self) -> bool {
        self.fitness.of != Measure::Zero && self.fitness.against != Against::Knockout
    }

    /// How many opponents a candidate meets in each unit: 1 at a solitaire.
    pub fn opponents(&self, candidates: usize) -> u64 {
        match &self.fitness.against {
            Against::Players(players) => players.len() as u64,
            Against::RandomGenes { count, .. } => *count,
            Against::Population => (candidates as u64).saturating_sub(1),
            Against::Knockout | Against::Nobody => 1,
        }
    }

    /// The number of games in a unit of the fitness.
    pub fn games_a_unit(&self) -> u64 {
        if self.is_for_two() && self.fitness.seat == Seat::Both { 2 } else { 1 }
    }

    /// The text that determines its games: all but its name, its length and its judge.
    fn content(&self) -> String {
        let Fitness { against, units, seat, of, luck, racing } = &self.fitness;
        let against = match against {
            Against::Players(players) => {
                players.iter().map(PlayerSpec::content).collect::<Vec<_>>().join("\n")
            }
            // As before there were new ones in each generation.
            Against::RandomGenes { count, seed, anew } => {
                let anew = if *anew { " anew" } else { "" };
                format!("RandomGenes {{ count: {count}, seed: {seed} }}{anew}")
            }
            other => format!("{other:?}"),
        };
        // A new part of the text changes no name of a run without it.
        let racing =
            racing.map_or(String::new(), |Racing { level, every }| format!(" racing {level:?} {every}"));
        format!(
            "shikou optimisation 1\n{}\n{}\n{}\n{against}\n{units} {seat:?} {of:?} {luck:?}{racing}\n{}\n{}\n{}\n{}",
            self.game.spec(),
            self.player.text(Wording::Identity),
            self.genes.content(),
            self.method.changed(),
            self.openings.all_content(),
            self.limits.memory_bytes,
            self.seed,
        )
    }

    /// The first 32 bits of the hash of its content, by which rows of the log name it. Its name, its length and its judge
    /// are not part of it: they change no game.
    pub fn id(&self) -> u32 {
        id_of(&self.content())
    }

    /// The id as it is written: with a letter before it, so that no program takes `437804e9` for a number.
    pub fn label(&self) -> String {
        format!("r{:08x}", self.id())
    }
}

impl Judge {
    pub(super) fn reduce(&mut self, has_evaluation: bool) {
        reduce(&mut self.against, has_evaluation);
        self.units = self.units.min(2);
        self.every = None;
    }

    /// A number for an opponent and its number of units, by which rows of the log name it.
    pub fn id(&self, opponent: usize) -> u32 {
        let content = self.against.get(opponent).map(PlayerSpec::content).unwrap_or_default();
        let openings = self.openings.as_ref().map(Openings::all_content).unwrap_or_default();
        id_of(&format!("{content}\n{}\n{openings}", self.units))
    }
}

pub(super) fn id_of(content: &str) -> u32 {
    let digest: [u8; 32] = Sha256::digest(content.as_bytes()).into();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    u32::from_be_bytes(*first)
}
