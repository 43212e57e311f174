//! An optimisation in numbers, before it is played and while it is.

use serde::Serialize;

use super::run::Run;
use super::search::{Known, Search};
use crate::experiment::manifest::method::MethodSettings;
use crate::experiment::manifest::optimisation::{Against, Length, Optimisation, OptimisationRun};
use crate::game::options::Settings as _;
use crate::optimise::genetic::Knockout;

/// An optimisation in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct OptimisationOutline {
    /// Its name.
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
