//! A training: which weights does an evaluation learn from games?

use std::sync::Arc;

use super::experiment::PlayerSpec;
use super::optimisation::{Judge, id_of};
use crate::game::options::{
    OptionDecl, OptionValue, Options, Setting as _, Settings as _, choice, flag, integer, part, parts, real,
    settings,
};
use crate::learn::{Target, TdSettings};
use crate::players::choices::evaluation;
use crate::players::{AnyGame, FitError, Lessons, SearcherSpec, WeightsForm};
use crate::search::Limits;

settings! {
    /// The option `method`.
    #[derive(Clone, Debug)]
    pub(crate) struct TrainingSettings {
        /// how weights are learned
        method: TrainingMethod = part(),
    }
}

parts! {
    /// The methods.
    #[derive(Clone, Debug)]
    pub(crate) enum TrainingMethod {
        /// temporal differences, at one ply (Sutton 1988; Lucas 2007)
        Td {
            /// how far a target looks ahead: 0 to the next move, 1 to the result
            lambda: f64 = real(0.0..=1.0, 0.0),
            /// the share of an error that the first steps remove
            step: f64 = real(1e-9..=1e3, 1.0),
            /// the share that the last steps remove; linear between
            last_step: f64 = real(0.0..=1e3, 0.01),
            /// whether each weight has a step size of its own, by temporal coherence (Beal, Smith 1999)
            coherence: bool = flag(false),
            /// the chance of a random move
            random: f64 = real(0.0..=1.0, 0.1),
            /// what is learned where a random move was made
            target: Target = choice([
                ("played", "what that move promises", Target::Played),
                ("best", "what the best move promises", Target::Best),
            ]),
            /// games that are played with the same weights, and then learned in their order
            batch: u64 = integer(1..=1_000_000, 16),
        },
    }
}

/// The options `evaluation` and `method`.
pub(crate) fn training_options() -> Vec<OptionDecl> {
    let about = "the evaluation whose weights are learned, with tuples";
    std::iter::once(evaluation().decl("evaluation", about)).chain(TrainingSettings::options()).collect()
}

/// `[[training]]`.
#[derive(Clone, Debug)]
pub struct Training {
    /// Its name, unique in the manifest; the name of its folder.
    pub name: String,
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The options `evaluation` and `method`.
    pub settings: Options,
    /// Whom the learner meets, in turn; nobody means itself.
    pub against: Vec<PlayerSpec>,
    /// How many games are learned.
    pub games: u64,
    /// The opponents that the training does not meet, if there are any.
    pub judge: Option<Judge>,
    /// The chance of a random move of the learner before the judge.
    pub judged_random: f64,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search of an opponent.
    pub limits: Limits,
}

impl Training {
    /// How weights are learned, and the games of a batch.
    pub(crate) fn method(&self) -> (TdSettings, u64) {
        let TrainingMethod::Td { lambda, step, last_step, coherence, random, target, batch } =
            TrainingSettings::read(&self.settings).method;
        (TdSettings { lambda, step: [step, last_step], coherence, random, target }, batch)
    }

    /// The games that teach the weights.
    ///
    /// # Errors
    /// If the evaluation or an opponent does not fit the game.
    pub(crate) fn lessons(&self) -> Result<Box<dyn Lessons>, FitError> {
        let opponents: Vec<SearcherSpec> =
            self.against.iter().map(|player| player.searcher.clone()).collect();
        self.game.lessons(self.settings.part("evaluation"), &opponents)
    }

    /// What the weights are for.
    ///
    /// # Errors
    /// If the evaluation does not fit the game.
    pub(crate) fn form(&self) -> Result<WeightsForm, FitError> {
        let form = self.game.weights_form(self.settings.part("evaluation"))?;
        Ok(form.expect("a manifest is read only if there are weights to learn"))
    }

    /// A number for what determines its weights, by which its checkpoint names it: all but its name and its judge.
    pub fn id(&self) -> u32 {
        let against = self.against.iter().map(PlayerSpec::content).collect::<Vec<_>>().join("\n");
        let (game, settings) = (self.game.spec(), self.settings.changed());
        let Self { games, seed, limits, .. } = self;
        id_of(&format!(
            "shikou training 1\n{game}\n{settings}\n{against}\n{games}\n{seed}\n{}",
            limits.memory_bytes
        ))
    }

    /// A small version for a quick test: two batches of at most 4 games, and two units of the judge.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut training = self.clone();
        let has_evaluation = !self.game.evaluations().is_empty();
        let smaller = |decl: &OptionDecl, value: &OptionValue| match (decl.name, value) {
            ("batch", OptionValue::Integer(batch)) => (*batch).min(4).into(),
            _ => value.clone(),
        };
        training.settings = self.settings.map(&smaller).expect("a smaller batch is in range too");
        training.games = self.games.min(8);
        let reduce = |players: &mut [PlayerSpec]| {
            for player in players {
                player.searcher = player.searcher.reduced(has_evaluation);
            }
        };
        reduce(&mut training.against);
        if let Some(judge) = &mut training.judge {
            reduce(&mut judge.against);
            judge.units = judge.units.min(2);
            judge.every = None;
        }
        training
    }
}
