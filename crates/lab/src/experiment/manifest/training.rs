//! A training: which weights does an evaluation learn from games?

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use super::dense::{
    DenseOptions, DenseTarget, Keep, activation, activations, keep, layers, share, split, target,
};
use super::experiment::PlayerSpec;
use super::form::Form;
use super::optimisation::{Judge, id_of};
use crate::game::options::{
    OptionDecl, OptionValue, Options, Part, PartDecl, Parts, Settings, Wording, choice, flag, integer,
    integers, part, real, settings,
};
use crate::learn::{
    Activation, Layer, Moments, Optimiser, PolicySettings, Problem, Split, Target, TdSettings, Unit,
};
use crate::players::choices::evaluation;
use crate::players::{AnyGame, FitError, SearcherSpec, WeightsForm, recorded_games};
use crate::search::Limits;

settings! {
    /// The option `method`.
    #[derive(Clone, Debug)]
    pub(crate) struct TrainingSettings {
        /// how weights are learned
        method: TrainingMethod = part(),
    }
}

settings! {
    /// The options of the method `td`.
    #[derive(Clone, Debug)]
    pub(crate) struct TdOptions {
        /// how far a target looks ahead: 0 to the next move, 1 to the result
        lambda: f64 = real(0.0..=1.0, 0.0),
        /// the share of an error that the first steps remove; of a network a factor of the optimiser's rate
        step: f64 = real(1e-9..=1e3, 1.0),
        /// the same of the last steps; linear between
        last_step: f64 = real(0.0..=1e3, 0.01),
        /// whether each weight has a step size of its own, by temporal coherence (Beal, Smith 1999)
        coherence: bool = flag(false),
        /// the chance of a random move
        random: f64 = real(0.0..=1.0, 0.1),
        /// what is learned where a random move was made
        target: Target = choice([
            ("played", "the prediction of that move", Target::Played),
            ("best", "the prediction of the best move", Target::Best),
        ]),
        /// games that are played with the same weights, and then learned in their order, by a network in one step
        batch: u64 = integer(1..=1_000_000, 16),
        /// with a network: the widths of the layers, the last of which is 1
        layers: Vec<i64> = integers(1..=1_000_000),
        /// with a network: what all layers but the last do with their sums
        activation: Activation = activation(),
        /// in place of `activation`: one for each layer, such as "relu,tanh,linear"
        activations: String = activations(),
        /// with a network: how gradients change it
        optimiser: Optimiser = part(),
    }
}

settings! {
    /// The options of the method `policy-gradient`.
    #[derive(Clone, Debug)]
    pub(crate) struct PolicyGradientOptions {
        /// games of each deal; their mean reward is what each is compared with
        group: u64 = integer(2..=1_000_000, 8),
        /// deals that are played with the same weights, and then learned in one step
        batch: u64 = integer(1..=1_000_000, 16),
        /// the rate of the first steps of Adam
        rate: f64 = real(1e-9..=1e3, 0.02),
        /// the rate of the last steps as a share of the first; linear between
        last: f64 = real(0.0..=1.0, 0.1),
        /// what a point of the score adds to the reward of the first games, in payoffs from 0 to 1
        shaping: f64 = real(0.0..=1e6, 0.0),
        /// the share of the training after which it adds nothing; linear before
        shaped: f64 = real(1e-9..=1.0, 0.5),
    }
}

impl PolicyGradientOptions {
    /// The settings of the learner.
    pub(crate) fn settings(&self) -> PolicySettings {
        let &Self { rate, last, shaping, shaped, .. } = self;
        let optimiser = Optimiser::Adam(Moments { rate: rate as f32, ..Moments::default() });
        PolicySettings { optimiser, last, shaping, shaped }
    }
}

settings! {
    /// The options of the method `least-squares`.
    #[derive(Clone, Debug)]
    pub(crate) struct LeastSquaresOptions {
        /// what a position is worth to the player who sees it
        target: DenseTarget = target(),
        /// with n > 0, one sample a game: a position with two thirds of n to n plies left, whose target is its exact value
        solved: u64 = integer(0..=24, 0),
        /// with `solved`, the most random plies that lead to the sample; the number is drawn
        detour: u64 = integer(0..=24, 5),
        /// factor of the sum of the squared weights, added to the mean squared error
        l2: f64 = real(0.0..=1e3, 1e-4),
        /// steps of conjugate gradients, each over all samples
        epochs: u64 = integer(1..=1_000_000, 30),
        /// what is put into one set as a whole
        split: Unit = split(),
        /// the share that validates: it chooses an epoch and is no test
        validate: f64 = share(),
        /// the share that tests, with the weights that are kept
        test: f64 = share(),
        /// the weights that are kept
        keep: Keep = keep(),
    }
}

impl LeastSquaresOptions {
    /// The split of the samples.
    ///
    /// # Errors
    /// If nothing validates and the best iteration is to be kept.
    pub(crate) fn split(&self) -> Result<Split, Problem> {
        self.keep.check(self.validate)?;
        Ok(Split { unit: self.split, validate: self.validate, test: self.test })
    }
}

/// The methods.
#[derive(Clone, Debug)]
pub(crate) enum TrainingMethod {
    Td(TdOptions),
    PolicyGradient(PolicyGradientOptions),
    Dense(DenseOptions),
    LeastSquares(LeastSquaresOptions),
}

impl Parts for TrainingMethod {
    fn parts() -> Vec<PartDecl> {
        let td = "temporal differences, at one ply (Sutton 1988; Lucas 2007)";
        let gradient = "a softmax policy by weights of features, from its own games (Williams 1992)";
        let dense = "a network of dense layers, from samples of games";
        let squares = "weights of tuples by stage of the game, from samples of games (Buro 1999)";
        vec![
            PartDecl::new("td", td, TdOptions::options()),
            PartDecl::new("policy-gradient", gradient, PolicyGradientOptions::options()),
            PartDecl::new("dense", dense, DenseOptions::options()),
            PartDecl::new("least-squares", squares, LeastSquaresOptions::options()),
        ]
    }

    fn read(part: &Part) -> Option<Self> {
        match part.name.as_str() {
            "td" => Some(Self::Td(TdOptions::read(&part.options))),
            "policy-gradient" => Some(Self::PolicyGradient(PolicyGradientOptions::read(&part.options))),
            "dense" => Some(Self::Dense(DenseOptions::read(&part.options))),
            "least-squares" => Some(Self::LeastSquares(LeastSquaresOptions::read(&part.options))),
            _ => None,
        }
    }
}

impl TrainingMethod {
    /// What is counted: `game`, `deal` or `epoch`.
    pub(crate) const fn unit(&self) -> &'static str {
        match self {
            Self::Td(_) => "game",
            Self::PolicyGradient(_) => "deal",
            Self::Dense(_) | Self::LeastSquares(_) => "epoch",
        }
    }

    /// The epochs over samples, and what their split puts into one set; `None` without samples.
    pub(crate) const fn of_samples(&self) -> Option<(u64, Unit)> {
        match self {
            Self::Td(_) | Self::PolicyGradient(_) => None,
            Self::Dense(options) => Some((options.epochs, options.split)),
            Self::LeastSquares(options) => Some((options.epochs, options.split)),
        }
    }
}

impl TdOptions {
    /// The layers of a network.
    ///
    /// # Errors
    /// If they are no network for this number of inputs, or a setting is of tuples alone.
    pub(crate) fn layers(&self, inputs: usize) -> Result<Arc<[Layer]>, Problem> {
        if self.coherence {
            let reason = "steps by temporal coherence are of tuples, and a network has those of its optimiser; omit \
                          `coherence`";
            return Err(Problem::new("coherence", reason));
        }
        if self.layers.is_empty() {
            return Err(Problem::new("layers", "a network needs layers; write for example layers = [32, 1]"));
        }
        let layers = layers(inputs, &self.layers, self.activation, &self.activations)?;
        if layers.last().is_some_and(|last| last.activation != Activation::Linear) {
            let reason =
                "the last layer gives the logit of the points, which has no bounds; write `linear` for it";
            return Err(Problem::new("activations", reason));
        }
        Ok(layers)
    }

    /// Checks the settings for a network of bags, whose layers and steps are its own.
    ///
    /// # Errors
    /// If one is given that it does not have.
    pub(crate) fn check_bags(&self) -> Result<(), Problem> {
        if self.coherence {
            let reason = "a network of bags has steps of its own; omit `coherence`";
            return Err(Problem::new("coherence", reason));
        }
        self.check_tuples()
    }

    /// Checks that no setting of networks is given for tuples.
    ///
    /// # Errors
    /// If one is.
    pub(crate) fn check_tuples(&self) -> Result<(), Problem> {
        let of_networks = [
            ("layers", !self.layers.is_empty()),
            ("activation", self.activation != Activation::Tanh),
            ("activations", !self.activations.is_empty()),
            ("optimiser", self.optimiser != Optimiser::Adam(Moments::default())),
        ];
        match of_networks.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((setting, _)) => {
                let reason = "this is a setting of a network, and here the weights of tuples are learned; omit it, or \
                              write evaluation.network.input = \"one-hot\" in place of tuples";
                Err(Problem::new(setting, reason))
            }
        }
    }

    /// The settings of the learner.
    pub(crate) fn settings(&self) -> TdSettings {
        let &Self { lambda, step, last_step, coherence, random, target, .. } = self;
        TdSettings { lambda, step: [step, last_step], coherence, random, target }
    }
}

/// The options `evaluation` and `method`.
pub(crate) fn training_options() -> Vec<OptionDecl> {
    let about = "the evaluation whose weights are learned: tuples by `td` or `least-squares`, a network by `td` or `dense`, bags by `td`, features by `policy-gradient`";
    std::iter::once(evaluation().decl("evaluation", about)).chain(TrainingSettings::options()).collect()
}

/// `[[training]]`.
#[derive(Clone, Debug)]
pub struct Training {
    /// Its name, unique in the manifest; the name of its folder.
    pub name: String,
    /// The name in the manifest, and the key and value of each axis of a sweep.
    pub swept: (String, Vec<(String, String)>),
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The options `evaluation` and `method`.
    pub settings: Options,
    /// Whom the learner meets, in turn; nobody means itself. With samples, the players that play their games; of a network of
    /// bags, the one that plays in place of the learner.
    pub players: Vec<PlayerSpec>,
    /// How many games are learned, or played for samples; for a policy gradient how many deals.
    pub games: u64,
    /// The random plies at the beginning of a game that is played for samples.
    pub random_plies: u32,
    /// Files of games for samples.
    pub recorded: Vec<Recorded>,
    /// The opponents that the training does not meet, if there are any.
    pub judge: Option<Judge>,
    /// The chance of a random move of the learner before the judge.
    pub judged_random: f64,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search of an opponent.
    pub limits: Limits,
}

/// A file of recorded games.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its name in the manifest.
    pub name: String,
    /// Its content.
    pub content: Arc<[u8]>,
}

impl Recorded {
    /// The games as transcripts.
    ///
    /// # Errors
    /// If the content has not the format of its name.
    pub fn games(&self, game: &dyn AnyGame) -> Result<Vec<String>, String> {
        recorded_games(game, Path::new(&self.name), &self.content)
    }
}

impl Training {
    /// How weights are learned.
    pub(crate) fn method(&self) -> TrainingMethod {
        TrainingSettings::read(&self.settings).method
    }

    /// Its length: the games that are learned, or the epochs.
    pub fn length(&self) -> u64 {
        self.method().of_samples().map_or(self.games, |(length, _)| length)
    }

    /// What is learned.
    pub(crate) fn evaluation(&self) -> &Part {
        self.settings.part("evaluation")
    }

    /// Whether a network is learned; otherwise weights of tuples.
    pub(crate) fn is_of_network(&self) -> bool {
        self.evaluation().name == "network"
    }

    /// Whether a network of bags is learned.
    pub(crate) fn is_of_bags(&self) -> bool {
        self.evaluation().name == "bags"
    }

    /// The searchers of its players.
    pub(crate) fn searchers(&self) -> Vec<SearcherSpec> {
        self.players.iter().map(|player| player.searcher.clone()).collect()
    }

    /// What the weights are for.
    ///
    /// # Errors
    /// If the evaluation does not fit the game.
    pub(crate) fn form(&self) -> Result<Form, FitError> {
        match self.method() {
            TrainingMethod::Td(_) if self.is_of_bags() => {
                Ok(Form::Bags(self.game.learning().bag_lessons(self.evaluation(), &self.searchers())?.form))
            }
            TrainingMethod::Td(options) if self.is_of_network() => {
                self.network_form(|inputs| options.layers(inputs))
            }
            TrainingMethod::Dense(options) => self.network_form(|inputs| options.layers(inputs)),
            TrainingMethod::Td(_) | TrainingMethod::PolicyGradient(_) | TrainingMethod::LeastSquares(_) => {
                let form = self.game.learning().weights_form(self.evaluation())?;
                let form = form.expect("a manifest is read only if there are weights to learn");
                // Many patterns occur in no sample.
                let sparse = matches!(self.method(), TrainingMethod::LeastSquares(_));
                Ok(Form::Weights(WeightsForm { sparse, ..form }))
            }
        }
    }

    fn network_form(
        &self,
        layers: impl Fn(usize) -> Result<Arc<[Layer]>, Problem>,
    ) -> Result<Form, FitError> {
        let form = self.game.learning().network_sampler(self.evaluation())?.form().clone();
        let layers = layers(form.inputs).map_err(misfit)?;
        Ok(Form::Network(form, layers))
    }

    /// A number for what determines its weights, by which its checkpoint names it: all but its name and its judge.
    pub fn id(&self) -> u32 {
        let players = self.players.iter().map(PlayerSpec::content).collect::<Vec<_>>().join("\n");
        let (game, settings) = (self.game.spec(), self.settings.changed_as(Wording::Identity));
        let Self { games, seed, limits, .. } = self;
        let mut content = format!(
            "shikou training 1\n{game}\n{settings}\n{players}\n{games}\n{seed}\n{}",
            limits.memory_bytes
        );
        if self.method().of_samples().is_some() {
            let files = self.recorded.iter().map(|file| u64::from(crc32fast::hash(&file.content)));
            for number in std::iter::once(u64::from(self.random_plies)).chain(files) {
                write!(content, "\n{number:08x}").expect("a string takes every text");
            }
        }
        id_of(&content)
    }

    /// A number for what determines its judgements and when they are made, by which its checkpoint names its judge. `None`
    /// without one.
    pub fn judge_id(&self) -> Option<u32> {
        let judge = self.judge.as_ref()?;
        let ids = (0..judge.against.len()).map(|opponent| format!("{:08x}\n", judge.id(opponent)));
        Some(id_of(&format!("{}{:?} {:?}", ids.collect::<String>(), judge.every, self.judged_random)))
    }

    /// A small version for a quick test: two batches of at most 4 games, or two epochs of the samples of 8 games, and two
    /// units of the judge.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut training = self.clone();
        let has_evaluation = !self.game.lists().evaluations.is_empty();
        let is_dense = matches!(self.method(), TrainingMethod::Dense(_));
        let smaller = |decl: &OptionDecl, value: &OptionValue| match (decl.name, value) {
            ("batch", OptionValue::Integer(batch)) if !is_dense => (*batch).min(4).into(),
            ("epochs", OptionValue::Integer(epochs)) => (*epochs).min(2).into(),
            // A quarter of 8 games is not empty.
            ("validate" | "test", OptionValue::Real(share)) if *share > 0.0 => 0.25.into(),
            _ => value.clone(),
        };
        training.settings = self.settings.map(&smaller).expect("smaller settings are in range too");
        training.games = self.games.min(SMOKE_GAMES as u64);
        let reduce = |players: &mut [PlayerSpec]| {
            for player in players {
                player.searcher = player.searcher.reduced(has_evaluation);
            }
        };
        reduce(&mut training.players);
        for file in &mut training.recorded {
            *file = file.first_games(&*self.game);
        }
        if let Some(judge) = &mut training.judge {
            reduce(&mut judge.against);
            judge.units = judge.units.min(2);
            judge.every = None;
        }
        training
    }
}

/// The games of a quick test.
const SMOKE_GAMES: usize = 8;

impl Recorded {
    /// The first games, as text.
    fn first_games(&self, game: &dyn AnyGame) -> Self {
        let games = self.games(game).unwrap_or_default();
        let text = games[..games.len().min(SMOKE_GAMES)].join("\n");
        Self { name: format!("{}.txt", self.name), content: text.into_bytes().into() }
    }
}

/// The problem of a setting as that of an evaluation's option.
pub(crate) fn misfit(problem: Problem) -> FitError {
    FitError::option(problem.setting, problem.reason)
}
