//! The manifest: the questions of a file, as data, and reading them.
//!
//! `shikou-lab` names what a program needs of it again. The rest is for that crate: places of errors, content of identities,
//! and players with values in place of genes.

mod error;
mod experiment;
mod genes;
mod method;
mod openings;
mod optimisation;
mod player;
mod read;
mod schema;
mod stopping;
mod training;
mod visible;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sha2::Sha256;
use toml::de::DeValue;

pub use self::error::ManifestError;
use self::error::{Mistakes, fits, misfit, refused};
pub use self::error::{PlacedError, Places, Read};
pub use self::experiment::{Design, Experiment, Published};
pub use self::genes::{Gene, Genes};
pub use self::method::{MethodPart, MethodSettings};
pub use self::openings::{Balance, Openings};
use self::optimisation::id_of;
pub use self::optimisation::{
    Against, Fitness, Judge, Length, Luck, Measure, Optimisation, OptimisationRun, Racing, Seat,
};
pub use self::player::PlayerSpec;
use self::player::has_genes;
use self::player::reduce;
pub use self::player::{fill_evaluations, filled, gene_of, vector_content, waits_for};
use self::read::{
    Files, Section, Value, array, few_pairs, few_players, integer, read_document, read_experiments,
    read_optimisation, read_trainings,
};
pub use self::read::{
    ManifestFile, document, player_named, read_file, read_game, read_to_the_end, read_whole,
};
pub use self::stopping::{Precision, StoppingRule};
pub use self::training::{Recorded, Training};
use self::visible::misread;
pub use self::visible::{escaped_in_json, hidden_in, visible};
use shikou_base::{rng, words};
use shikou_core::{game, search};
use shikou_learn::{learn, optimise};
use shikou_players::players;
use shikou_stats as stats;

use crate::game::options::{self, time};
use crate::players::{AnyGame, FitError, Registry, Renamed, SearcherSpec};

/// A manifest: questions, as data. Games and options are known and in range; whether each player fits its game is
/// seen when a plan is made of it.
///
/// # Example
/// ```
/// use shikou::experiment::Manifest;
/// let text = r#"
///     schema = 1
///     seed = 7
///
///     [[experiment]]
///     game = "tic-tac-toe"
///     trials = 10
///     player = [{ search = "random" }, { search.flat = { playouts-per-move = 20 } }]
/// "#;
/// let manifest = Manifest::parse("example.toml".as_ref(), text, &shikou::registry()).unwrap();
/// assert_eq!(manifest.experiments()[0].players[1].name, "flat(playouts-per-move=20)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The file, for errors; empty if the manifest was made by a program.
    path: PathBuf,
    /// The file that it was run from, of a manifest that is kept with its results; else the file.
    pub origin: PathBuf,
    /// The question that the manifest asks.
    pub question: Option<String>,
    /// The source of the question.
    pub source: Option<String>,
    /// How long a run may take. No trial is started after it.
    pub time_limit: Option<Duration>,
    /// The questions, in the order of the file.
    pub questions: Vec<Question>,
    /// For each comparison the places of its players; empty if the manifest was made by a program.
    pub places: Vec<Places>,
    /// The experiments that were left out, because an optimisation whose result plays in them has not ended: their names,
    /// and the names of the optimisations.
    pub waiting: Vec<(String, String)>,
    /// The hash of the canonical logs of the optimisations, to which that of the experiments is added.
    pub preceding: Sha256,
    /// The text of the file.
    pub text: String,
    /// The files that it names.
    pub files: Vec<ManifestFile>,
}

/// A question of a manifest.
#[derive(Clone, Debug)]
pub enum Question {
    /// `[[experiment]]`: which player is better, and by how much?
    Comparison(Arc<Experiment>),
    /// `[[optimisation]]`: which numbers make this player better?
    Optimisation(Arc<Optimisation>),
    /// `[[training]]`: which weights does an evaluation learn from games?
    Training(Arc<Training>),
}

impl Question {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            Self::Comparison(experiment) => &experiment.name,
            Self::Optimisation(optimisation) => &optimisation.name,
            Self::Training(training) => &training.name,
        }
    }

    /// The readers' word for questions of its kind.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Comparison(_) => "experiments",
            Self::Optimisation(_) => "optimisations",
            Self::Training(_) => "trainings",
        }
    }
}

/// Advice on a manifest that does not exist.
fn instead(path: &Path) -> String {
    if path.file_name().is_some_and(|name| name == "manifest.toml") {
        return "a run writes it beside its results; run the manifest again".into();
    }
    let named = path.with_extension("toml");
    let committed = named.file_name().map(|name| Path::new("experiments").join(name));
    match [Some(named), committed].into_iter().flatten().find(|other| other != path && other.is_file()) {
        Some(other) => format!("did you mean {}?", other.display()),
        None => "`shikou init` writes one to begin with".into(),
    }
}

impl Manifest {
    /// The manifest of one comparison, made by a program.
    pub fn of_one(experiment: Experiment) -> Self {
        Self { questions: vec![Question::Comparison(Arc::new(experiment))], ..Self::default() }
    }

    /// The comparisons, in the order of the file.
    pub fn experiments(&self) -> Vec<&Experiment> {
        self.comparisons().map(|experiment| &**experiment).collect()
    }

    /// The comparisons, to be changed.
    pub fn experiments_mut(&mut self) -> impl Iterator<Item = &mut Experiment> {
        self.questions.iter_mut().filter_map(|question| match question {
            Question::Comparison(experiment) => Some(Arc::make_mut(experiment)),
            Question::Optimisation(_) | Question::Training(_) => None,
        })
    }

    /// The comparisons among the questions.
    pub fn comparisons(&self) -> impl Iterator<Item = &Arc<Experiment>> {
        self.questions.iter().filter_map(|question| match question {
            Question::Comparison(experiment) => Some(experiment),
            Question::Optimisation(_) | Question::Training(_) => None,
        })
    }

    /// The optimisations, in the order of the file.
    pub fn optimisations(&self) -> impl Iterator<Item = &Arc<Optimisation>> {
        self.questions.iter().filter_map(|question| match question {
            Question::Optimisation(optimisation) => Some(optimisation),
            Question::Comparison(_) | Question::Training(_) => None,
        })
    }

    /// The trainings, in the order of the file.
    pub fn trainings(&self) -> impl Iterator<Item = &Arc<Training>> {
        self.questions.iter().filter_map(|question| match question {
            Question::Training(training) => Some(training),
            Question::Comparison(_) | Question::Optimisation(_) => None,
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or states something unknown or out of range.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, ManifestError> {
        let text = read_file(path, "the manifest", &instead(path))?;
        Self::parse(path, &text, registry)
    }

    /// Reads a text. `path` is named in errors, and files that the manifest names are looked for in its folder.
    ///
    /// # Errors
    /// If it is not TOML, or states something unknown or out of range.
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, ManifestError> {
        Self::parse_with(path, text, registry, Files::beside(path)).map(|(manifest, _)| manifest)
    }

    /// Reads a file for a quick test. Players whose large data or program is not on this machine are left out, and engines
    /// unless they may be started; returns also why.
    ///
    /// # Errors
    /// As [`Manifest::read`].
    pub fn read_what_is_here(
        path: &Path,
        registry: &Registry,
        starts_engines: bool,
    ) -> Result<(Self, Vec<String>), ManifestError> {
        let text = read_file(path, "the manifest", &instead(path))?;
        Self::parse_with(path, &text, registry, Files::beside(path).that_skip(starts_engines))
    }

    fn parse_with(
        path: &Path,
        text: &str,
        registry: &Registry,
        mut files: Files,
    ) -> Result<(Self, Vec<String>), ManifestError> {
        let manifest = read_document(path, text, "the manifest", |root| {
            read_manifest(root, text, registry, &mut files)
        })?;
        let mut skipped: Vec<String> = files.skipped.into_iter().map(|skipped| skipped.message).collect();
        skipped.dedup();
        Ok((Self { path: path.into(), origin: path.into(), ..manifest }, skipped))
    }

    /// Advice on players that use an older name of an option, each with the place of the first; and on an experiment with one
    /// board and several trials.
    pub fn advice(&self) -> Vec<String> {
        let mut found: Vec<(String, String)> = Vec::new();
        for Renamed { at, advice, .. } in self.places.iter().flat_map(Places::renamed) {
            if found.iter().all(|(_, known)| known != advice) {
                let error = self.error(PlacedError::new(at.clone(), advice.clone()));
                found.push((error.to_string(), advice.clone()));
            }
        }
        let begins_alike = |of: &&Arc<Experiment>| {
            let facts = of.game.facts();
            facts.players == 1 && !facts.chance && of.openings == Openings::START && of.trials > 1
        };
        let mut alike = self.comparisons().filter(begins_alike);
        let one_board = alike.next().map(|of| {
            format!(
                "{}: {} has no chance, so all {} trials begin alike, and only the luck of the players differs; for more boards \
                 write openings = {{ positions = \"boards.txt\" }} or {{ options = {{ … }} }}, else trials = 1",
                of.name,
                of.game.spec(),
                of.trials
            )
        });
        found.into_iter().map(|(placed, _)| placed).chain(one_board).collect()
    }

    /// A warning of names of experiments and players that pandas, R or a spreadsheet would not read as written, with advice.
    pub fn misread_names(&self) -> Option<String> {
        let experiments = self.comparisons();
        misread(experiments.flat_map(|of| of.players.iter().map(|player| &player.name).chain([&of.name])))
    }

    /// An error at a place of the file.
    pub fn error(&self, error: PlacedError) -> ManifestError {
        ManifestError::at(&self.path, &self.text, error)
    }

    /// The error of a player, or of the judge if `player` is `None`, that does not fit a game of its experiment.
    pub fn misfit(
        &self,
        experiment: usize,
        player: Option<usize>,
        (game, searcher): (&dyn AnyGame, &SearcherSpec),
        error: &FitError,
    ) -> PlacedError {
        let span = self.places.get(experiment).map_or(0..0, |places| places.of(player, error));
        misfit(game, searcher, span, error)
    }

    /// Makes every cell small enough for a quick test: two trials, and searchers that are
    /// [reduced](SearcherSpec::reduced). Players that become alike keep streams of their own.
    pub fn reduce_to_smoke(&mut self) {
        for question in &mut self.questions {
            match question {
                Question::Optimisation(optimisation) => *optimisation = Arc::new(optimisation.reduced()),
                Question::Training(training) => *training = Arc::new(training.reduced()),
                Question::Comparison(_) => {}
            }
        }
        for experiment in self.experiments_mut() {
            experiment.trials = experiment.trials.min(2);
            experiment.stopping = None;
            if let Openings::Random { balance, .. } = &mut experiment.openings {
                *balance = None;
            }
            for player in &mut experiment.players {
                player.searcher = player.searcher.reduced(!experiment.game.lists().evaluations.is_empty());
                player.stream = Some(player.name.clone());
            }
        }
    }
}

fn read_manifest(
    root: &mut Section<'_>,
    text: &str,
    registry: &Registry,
    files: &mut Files,
) -> Read<Manifest> {
    if text.trim().is_empty() {
        return refused(0..0, "the manifest is empty; see experiments/tour.toml for one that is not");
    }
    let mut mistakes = Mistakes::default();
    match root.take("schema") {
        Some(schema) => read_schema(schema, &mut mistakes)?,
        None => mistakes.add(root.missing("schema", "schema = 1")),
    }
    let [question, source] = ["question", "source"]
        .map(|key| mistakes.note(root.get(key, &options::text("a text", "").optional())).flatten());
    let seed = mistakes.note(root.get("seed", &options::integer(0..=i64::MAX, 0))).unwrap_or(0);
    let time_limit = mistakes.note(root.get("time-limit", &time().optional())).flatten();
    let list = |value: Option<_>, key| value.map(|list| array(key, list)).transpose();
    let mut list_of = |key| mistakes.note(list(root.take(key), key)).flatten().unwrap_or_default();
    let (optimisations, trainings) = (list_of("optimisation"), list_of("training"));
    let experiments = root.take("experiment");
    match experiments.map(Value::get_ref) {
        None if optimisations.is_empty() && trainings.is_empty() => {
            mistakes.add(root.missing("experiment", "[[experiment]]"));
        }
        Some(DeValue::Array(none)) if none.is_empty() => {
            let message = "there is no experiment; begin one with `[[experiment]]`";
            mistakes.add(PlacedError::new(experiments.map_or(0..0, Value::span), message));
        }
        _ => {}
    }
    let experiments = mistakes.note(list(experiments, "experiment")).flatten().unwrap_or_default();
    mistakes.note(root.finish_with(|(key, ..)| {
        (*key == "player").then(|| "`player` belongs to an experiment; write `[[experiment.player]]`".into())
    }));
    let (mut questions, mut all_places) = (Vec::<Question>::new(), Vec::new());
    let mut add = |question: Question, at: &Value<'_>, mistakes: &mut Mistakes| {
        if questions.iter().any(|other| other.name() == question.name()) {
            let message =
                format!("two {} are called `{}`; give each a `name`", question.kind(), question.name());
            mistakes.add(PlacedError::new(at.span(), message));
        }
        questions.push(question);
    };
    for value in trainings {
        let read = |files: &mut Files| read_trainings(value, seed, registry, files);
        let Some(read) = files.unless_left_out("training", read) else { continue };
        for training in mistakes.note(read).into_iter().flatten() {
            let training = Arc::new(training);
            files.trainings.push(Arc::clone(&training));
            add(Question::Training(training), value, &mut mistakes);
        }
    }
    for value in optimisations {
        let read = |files: &mut Files| read_optimisation(value, seed, registry, files);
        let Some(read) = files.unless_left_out("optimisation", read) else { continue };
        if let Some(optimisation) = mistakes.note(read) {
            let optimisation = Arc::new(optimisation);
            files.optimisations.push(Arc::clone(&optimisation));
            add(Question::Optimisation(optimisation), value, &mut mistakes);
        }
    }
    // A player may be the result of a question that could not be read.
    if !(optimisations.is_empty() && trainings.is_empty())
        && let Some(error) = mistakes.take()
    {
        return Err(error);
    }
    let mut counted = (0, 0, 0);
    for value in experiments {
        let read = mistakes.note(read_experiments(value, seed, registry, files));
        for (experiment, places) in read.into_iter().flatten() {
            count(&mut counted, &experiment, value.span())?;
            add(Question::Comparison(Arc::new(experiment)), value, &mut mistakes);
            all_places.push(places);
        }
    }
    if let (true, Some(PlacedError { span, message, .. })) = (questions.is_empty(), files.skipped.first()) {
        mistakes.add(PlacedError::new(span.clone(), format!("nothing is left to play: {message}")));
    }
    mistakes.check()?;
    let files = std::mem::take(&mut files.read);
    Ok(Manifest {
        question,
        source,
        time_limit,
        questions,
        places: all_places,
        text: text.into(),
        files,
        ..Manifest::default()
    })
}

const MOST_EXPERIMENTS: usize = 1000;

fn count(
    (experiments, pairs, players): &mut (usize, u64, usize),
    of: &Experiment,
    span: Range<usize>,
) -> Read<()> {
    *experiments += 1;
    *pairs += of.design.pairs(of.players.len());
    *players += of.players.len();
    if *experiments > MOST_EXPERIMENTS {
        let message =
            format!("a manifest may have {MOST_EXPERIMENTS} experiments; divide them among several");
        return refused(span, message);
    }
    few_players(*players, span.clone())?;
    few_pairs(*pairs, span)
}

/// Another version has other keys, so nothing else of it is read.
fn read_schema(schema: &Value<'_>, mistakes: &mut Mistakes) -> Read<()> {
    match integer("schema", schema, i64::MIN..=i64::MAX) {
        Ok(1) => {}
        Ok(_) => {
            let message = "this version of Shikou reads manifests of `schema = 1`";
            return refused(schema.span(), message);
        }
        Err(error) => mistakes.add(PlacedError::new(error.span, error.message + "; write schema = 1")),
    }
    Ok(())
}

/// The manifest of the one experiment of a table in another document; or why it cannot be played on this machine. Files
/// are relative to the folder of `path`.
///
/// # Errors
/// All mistakes that are found, each with its place.
pub fn read_single_experiment(
    value: &Value<'_>,
    path: &Path,
    registry: &Registry,
) -> Result<Result<Manifest, String>, PlacedError> {
    let mut files = Files::beside(path).that_skip(false);
    let mut experiments = read_experiments(value, 0, registry, &mut files)?;
    if let Some(first) = files.skipped.first() {
        return Ok(Err(format!("{}; `SHIKOU_DATA` must name the folder with it", first.message)));
    }
    match (experiments.pop(), experiments.is_empty()) {
        (Some((experiment, places)), true) => {
            Ok(Ok(Manifest { places: vec![places], ..Manifest::of_one(experiment) }))
        }
        _ => refused(value.span(), "expected one experiment, but the sweep expands to several"),
    }
}
