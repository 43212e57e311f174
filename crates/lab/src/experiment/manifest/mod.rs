//! The manifest: the questions of a file, as data.

mod error;
mod experiment;
mod filled;
mod genes;
mod method;
mod openings;
mod optimisation;
pub(crate) mod read;
mod schema;
mod stopping;
mod training;
mod visible;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sha2::Sha256;

pub use self::error::ManifestError;
use self::error::{Places, misfit, not_toml};
pub use self::experiment::{Design, Experiment, PlayerSpec, Published};
use self::experiment::{PublishedKeys, read_published, reduce};
use self::filled::{check_results, read_evolved, with_extremes};
pub(crate) use self::filled::{fill_evaluations, filled, gene_of, has_genes, vector_content, waits_for};
pub use self::genes::{Gene, Genes};
use self::genes::{GeneKeys, NormaliseKeys, StartKeys, read_genes};
pub(crate) use self::method::{MethodPart, MethodSettings};
use self::openings::read_openings;
pub use self::openings::{Balance, Openings};
use self::optimisation::id_of;
pub use self::optimisation::{
    Against, Fitness, Judge, Length, Luck, Measure, Optimisation, OptimisationRun, Racing, Seat,
};
use self::read::{Files, ManifestFile, PlacedError, read_document, read_file, read_manifest};
pub use self::stopping::{Precision, StoppingRule};
use self::stopping::{Surroundings, WrittenRule};
pub use self::training::{Recorded, Training};
pub use self::visible::{escaped_in_json, hidden_in, visible};
use crate::players::{FitError, Registry, Renamed, SearcherSpec};

/// A manifest: questions, as data. Games and options are known and in range; whether each player fits its game is
/// seen when a [plan](crate::experiment::Plan) is made of it.
///
/// # Example
/// ```
/// use shikou::experiment::Manifest;
/// use shikou::players::Registry;
/// let text = r#"
///     schema = 1
///     seed = 7
///
///     [[experiment]]
///     game = "tic-tac-toe"
///     trials = 10
///     player = [{ search = "random" }, { search.flat = { playouts-per-move = 20 } }]
/// "#;
/// let manifest = Manifest::parse("example.toml".as_ref(), text, &Registry::standard()).unwrap();
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
    pub(crate) places: Vec<Places>,
    /// The experiments that were left out, because an optimisation whose result plays in them has not ended: their names,
    /// and the names of the optimisations.
    pub waiting: Vec<(String, String)>,
    /// The hash of the canonical logs of the optimisations, to which that of the experiments is added.
    pub(crate) preceding: Sha256,
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
    /// Its name.
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

    pub(crate) fn comparisons(&self) -> impl Iterator<Item = &Arc<Experiment>> {
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
        let files = Files::new(path.parent().unwrap_or(Path::new("")));
        Self::parse_with(path, text, registry, files).map(|(manifest, _)| manifest)
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
        let files = Files::new(path.parent().unwrap_or(Path::new(""))).that_skip(starts_engines);
        Self::parse_with(path, &text, registry, files)
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

    /// Advice on players that use an older name of an option, each with the place of the first.
    pub fn advice(&self) -> Vec<String> {
        let mut found: Vec<(String, String)> = Vec::new();
        for Renamed { at, advice, .. } in self.places.iter().flat_map(Places::renamed) {
            if found.iter().all(|(_, known)| known != advice) {
                let error = self.error(PlacedError::new(at.clone(), advice.clone()));
                found.push((error.to_string(), advice.clone()));
            }
        }
        found.into_iter().map(|(placed, _)| placed).collect()
    }

    /// The same manifest with the places of its players.
    pub(crate) fn with_places(self, places: Vec<Places>) -> Self {
        Self { places, ..self }
    }

    /// An error at a place of the file.
    pub(crate) fn error(&self, error: PlacedError) -> ManifestError {
        ManifestError::at(&self.path, &self.text, error)
    }

    /// The error of a player, or of the judge if `player` is `None`, that does not fit the game of its experiment.
    pub(crate) fn misfit(
        &self,
        experiment: usize,
        player: Option<usize>,
        searcher: &SearcherSpec,
        error: &FitError,
    ) -> PlacedError {
        let span = self.places.get(experiment).map_or(0..0, |places| places.of(player, error));
        misfit(&*self.experiments()[experiment].game, searcher, span, error)
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
