//! A manifest with the results of its trainings and optimisations: players that are a result are filled in, experiments
//! whose training or optimisation has not ended wait.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{EvaluationLog, Known, OptimisationError, Run, Search, canonical_header, replay};
use crate::experiment::store::LogError;
use crate::experiment::training::{Trained, TrainingError};
use crate::game::options::{OptionValue, Settings as _};
use crate::manifest::{
    Against, Balance, Length, Manifest, MethodSettings, Openings, Optimisation, OptimisationRun, PlayerSpec,
    Question, Training, fill_evaluations, filled, gene_of, vector_content, waits_for,
};
use crate::optimise::genetic::Knockout;
use crate::players::SearcherSpec;

/// The results of the optimisations of a manifest, in its order.
#[derive(Default)]
pub struct Optimised {
    /// The value of each gene of each run that has ended.
    values: BTreeMap<String, OptionValue>,
    /// The weights that evaluations name, as the content of a file: vectors of runs and results of trainings that have ended.
    weights: BTreeMap<String, Arc<[u8]>>,
    trainings: Vec<(Training, Trained)>,
    /// Over the canonical logs so far.
    hash: Sha256,
    results: Vec<(Arc<Optimisation>, Vec<Run>)>,
}

/// Why the results of optimisations cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OptimisedError {
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A log does not belong to its run.
    #[error(transparent)]
    Optimisation(#[from] OptimisationError),
    /// The checkpoint of a training cannot be read.
    #[error(transparent)]
    Training(#[from] TrainingError),
}

/// The folder of an optimisation in the results of its manifest.
pub fn folder_of(results: &Path, optimisation: &Optimisation) -> PathBuf {
    results.join(&optimisation.name)
}

impl Optimised {
    /// An optimisation with the results of others filled in: opponents, and weights of evaluations.
    pub fn fill(&self, optimisation: &Optimisation) -> Optimisation {
        let run = |run: &Arc<_>| {
            let mut run = OptimisationRun::clone(run);
            self.fill_evaluations(&mut run.player);
            if let Against::Players(players) = &mut run.fitness.against {
                self.fill_all(players);
            }
            run.judge.iter_mut().for_each(|judge| self.fill_all(&mut judge.against));
            Arc::new(run)
        };
        Optimisation { name: optimisation.name.clone(), runs: optimisation.runs.iter().map(run).collect() }
    }

    fn fill_all(&self, players: &mut [PlayerSpec]) {
        for player in players {
            let filled = filled(&player.searcher, |name| self.values.get(name).cloned());
            player.searcher = filled.expect("the values were played already");
            self.fill_evaluations(&mut player.searcher);
        }
    }

    fn fill_evaluations(&self, searcher: &mut SearcherSpec) {
        let mut weights = |name: &str| Ok::<_, Infallible>(self.weights.get(name).cloned());
        let Ok(()) = fill_evaluations(searcher, &mut weights);
    }

    /// A training whose opponents that are the result of another question are filled in.
    pub fn fill_training(&self, training: &Training) -> Training {
        let mut training = training.clone();
        self.fill_all(&mut training.players);
        training.judge.iter_mut().for_each(|judge| self.fill_all(&mut judge.against));
        training
    }

    /// Takes in the next training, as far as it went.
    pub fn take_training(&mut self, training: &Training, trained: Trained) {
        self.hash.update(trained.canonical());
        if trained.is_whole(training) {
            self.weights.insert(training.name.clone(), trained.weights().into());
        }
        self.trainings.push((training.clone(), trained));
    }

    /// The trainings that were taken in, with what they learned.
    pub fn trainings(&self) -> &[(Training, Trained)] {
        &self.trainings
    }

    /// Takes in the runs of the next optimisation.
    pub fn take(&mut self, optimisation: &Optimisation, runs: Vec<Run>) {
        self.hash.update(canonical_header());
        for (run, found) in optimisation.runs.iter().zip(&runs) {
            self.hash.update(&found.canonical);
            if found.outcome.ended.is_some() {
                let values = run.genes.values(&found.outcome.best);
                self.values.extend(values.map(|(gene, value)| (gene_of(&run.name, gene), value)));
                for (name, gene) in run.genes.vectors(&run.name) {
                    let vector = &self.values[&gene_of(&run.name, &gene.name)];
                    self.weights.insert(name, vector_content(vector));
                }
            }
        }
        self.results.push((Arc::new(optimisation.clone()), runs));
    }

    /// The optimisations that were taken in, with their runs.
    pub fn results(&self) -> &[(Arc<Optimisation>, Vec<Run>)] {
        &self.results
    }

    /// Reads the results of all trainings of a manifest from its folder.
    ///
    /// # Errors
    /// If a checkpoint cannot be read, or belongs to another training.
    pub fn of_trainings(manifest: &Manifest, results: &Path) -> Result<Self, TrainingError> {
        let mut optimised = Self::default();
        for training in manifest.trainings() {
            let training = optimised.fill_training(training);
            let trained = Trained::read(&training, &results.join(&training.name))?;
            optimised.take_training(&training, trained);
        }
        Ok(optimised)
    }

    /// Reads the results of all trainings and optimisations of a manifest from its folder.
    ///
    /// # Errors
    /// If a checkpoint or a log cannot be read, or does not belong to its run.
    pub fn read(manifest: &Manifest, results: &Path) -> Result<Self, OptimisedError> {
        let mut optimised = Self::of_trainings(manifest, results)?;
        for optimisation in manifest.optimisations() {
            let optimisation = optimised.fill(optimisation);
            let known = EvaluationLog::read(&folder_of(results, &optimisation))?;
            let runs = replay(&optimisation, known)?;
            optimised.take(&optimisation, runs);
        }
        Ok(optimised)
    }

    /// The manifest with the results filled in. Experiments that wait are left out, and named with what they wait for.
    pub fn finish(&self, mut manifest: Manifest) -> Manifest {
        let (mut questions, mut waiting) = (Vec::new(), Vec::new());
        let mut places = Vec::new();
        let mut all_places = std::mem::take(&mut manifest.places).into_iter();
        for question in std::mem::take(&mut manifest.questions) {
            let Question::Comparison(experiment) = question else {
                questions.push(question);
                continue;
            };
            let of_experiment = all_places.next();
            let mut experiment = (*experiment).clone();
            self.fill_all(&mut experiment.players);
            let mut waits = None;
            if let Openings::Random { balance: Some(Balance { judge, .. }), .. } = &mut experiment.openings {
                self.fill_evaluations(judge);
                waits = waits_for(judge);
            }
            let mut players = experiment.players.iter();
            let waits = waits.or_else(|| players.find_map(|player| waits_for(&player.searcher)));
            if let Some(optimisation) = waits {
                waiting.push((experiment.name, optimisation));
                continue;
            }
            places.extend(of_experiment);
            questions.push(Question::Comparison(Arc::new(experiment)));
        }
        (manifest.questions, manifest.places, manifest.waiting) = (questions, places, waiting);
        manifest.preceding = self.hash.clone();
        manifest
    }
}

/// An optimisation in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct OptimisationOutline {
    /// The name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// The method with its options, of the first run.
    pub method: String,
    /// The number of genes of a candidate.
    pub genes: usize,
    /// How many runs a sweep makes.
    pub runs: usize,
    /// The candidates of a generation, in the first run.
    pub candidates: usize,
    /// The generations of a run; `None` if games end it.
    pub generations: Option<u64>,
    /// About how many games the candidates of all runs play, without the judge.
    pub games: u64,
    /// The games that were played, and the runs that have ended.
    pub played: Option<(u64, usize)>,
}

impl OptimisationOutline {
    /// An optimisation as it is planned, and what was played of it.
    pub fn new(optimisation: &Optimisation, played: Option<&[Run]>) -> Self {
        let first = &optimisation.runs[0];
        let mut search = Search::new(first, Known::new());
        let candidates = search.first_generation();
        let generations = match first.length {
            Length::Generations(generations) => Some(generations),
            Length::Games(_) => None,
        };
        let games = optimisation.runs.iter().map(|run| about_games(run, candidates));
        let ended = |runs: &[Run]| runs.iter().filter(|run| run.outcome.ended.is_some()).count();
        Self {
            name: optimisation.name.clone(),
            game: first.game.spec().to_string(),
            method: first.method.changed().trim_start_matches("method=").into(),
            genes: first.genes.coordinates(),
            runs: optimisation.runs.len(),
            candidates,
            generations,
            games: games.sum(),
            played: played.map(|runs| (runs.iter().map(|run| run.outcome.games).sum(), ended(runs))),
        }
    }
}

/// About how many games a run plays with generations of this size.
fn about_games(run: &OptimisationRun, candidates: usize) -> u64 {
    let generations = match run.length {
        Length::Games(games) => return games,
        Length::Generations(generations) => generations,
    };
    if run.fitness.against == Against::Knockout {
        // Each meeting sends one candidate away.
        let knockout = MethodSettings::read(&run.method).method.knockout();
        let meetings =
            |(rule, to): (Knockout, usize)| candidates.saturating_sub(to) as u64 * u64::from(rule.games);
        return generations * knockout.map_or(0, meetings);
    }
    let others = run.opponents(candidates);
    generations * candidates as u64 * others * run.fitness.units * run.games_a_unit()
}
