//! Estimates and intervals: a pure function of plan and records.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Experiment, Plan, Record};
use crate::search::Spent;
use crate::stats::{Confidence, Estimate, Moments, mean_interval, pair_score_interval, wilson};

/// The version of the summary's JSON.
const SCHEMA: u32 = 1;

/// What a run found.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version of this shape.
    pub schema: u32,
    /// The question of the manifest.
    pub question: Option<String>,
    /// Where the question comes from.
    pub source: Option<String>,
    /// The level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// One summary for each experiment.
    pub experiments: Vec<ExperimentSummary>,
}

/// What an experiment found.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentSummary {
    /// Its name.
    pub name: String,
    /// The game with its options.
    pub game: String,
    /// Whether it is a game for two: then a trial is a pair of games.
    pub paired: bool,
    /// Whether every trial of the plan was played. Only then are there intervals: they hold for the number of trials
    /// that was fixed, not for a look on the way.
    pub complete: bool,
    /// What the score counts.
    pub score_unit: &'static str,
    /// How many uniformly random plies begin each game.
    pub opening_plies: u32,
    /// What the openings are, in words; none where games begin at the start.
    pub openings: Option<String>,
    /// The players in the order of the manifest.
    pub players: Vec<PlayerSummary>,
    /// How many games were played to their end, and how many of them went different ways. Games that went the same
    /// way are no new evidence.
    pub games: u64,
    /// See [`ExperimentSummary::games`].
    pub distinct_games: u64,
    /// The reasons of failed games, each with how many failed so.
    pub failures: Vec<(String, u64)>,
}

/// What a player achieved.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Its name.
    pub name: String,
    /// Its searcher with the options that differ from the defaults.
    pub search: String,
    /// Trials without a failure: deals, or pairs of games.
    pub trials: u64,
    /// The independent values that the intervals come from: deals, or openings.
    pub instances: u64,
    /// Games won, drawn and lost. A solitaire is won or lost.
    pub wins_draws_losses: [u64; 3],
    /// Success rate of a solitaire; mean pair score of a game for two, in `[0, 1]`.
    pub success: Estimate,
    /// Mean score of a solitaire; mean margin of a game for two, in the score's unit.
    pub score: Estimate,
    /// The work of all moves together.
    pub playouts: u64,
    /// Plies simulated in playouts.
    pub plies: u64,
    /// Positions visited by tree search.
    pub nodes: u64,
    /// Moves made.
    pub moves: u64,
}

impl Summary {
    /// Folds the records, which must be in canonical order.
    pub fn new(plan: &Plan<'_>, records: &[Record]) -> Self {
        let confidence = Confidence::default_level();
        let experiments = plan.manifest.experiments.iter().enumerate();
        Self {
            schema: SCHEMA,
            question: plan.manifest.question.clone(),
            source: plan.manifest.source.clone(),
            confidence: confidence.level(),
            experiments: experiments
                .map(|(index, experiment)| {
                    let of_this: Vec<&Record> =
                        records.iter().filter(|record| record.trial.experiment == index).collect();
                    let planned = experiment.trials * plan.cells[index].len() as u64;
                    summarise(experiment, &of_this, planned, confidence)
                })
                .collect(),
        }
    }

    /// How many games failed.
    pub fn failed_games(&self) -> u64 {
        self.experiments.iter().flat_map(|experiment| &experiment.failures).map(|(_, count)| count).sum()
    }
}

fn summarise(
    experiment: &Experiment,
    records: &[&Record],
    planned: u64,
    confidence: Confidence,
) -> ExperimentSummary {
    let mut failures: Vec<(String, u64)> = Vec::new();
    for failure in
        records.iter().flat_map(|record| &record.games).filter_map(|game| game.result.as_ref().err())
    {
        match failures.iter_mut().find(|(known, _)| known == failure) {
            Some((_, count)) => *count += 1,
            None => failures.push((failure.clone(), 1)),
        }
    }
    let finished = records.iter().flat_map(|record| &record.games).filter(|game| game.result.is_ok());
    let courses: Vec<(usize, usize, u64)> = finished
        .map(|game| {
            let seat = |index: usize| game.seats.get(index).map_or(0, |seat| seat.player);
            (seat(0), seat(1), game.course)
        })
        .collect();
    let facts = experiment.game.facts();
    let complete = records.len() as u64 == planned;
    let player = |player| {
        let mut summary = summarise_player(experiment, player, records, confidence);
        if !complete || summary.trials == 0 {
            summary.success = summary.success.without_interval();
            summary.score = summary.score.without_interval();
        }
        summary
    };
    ExperimentSummary {
        name: experiment.name.clone(),
        game: experiment.game.spec().to_string(),
        paired: facts.players == 2,
        complete,
        score_unit: facts.score_unit,
        opening_plies: experiment.openings.random_plies(),
        openings: experiment.openings.words(),
        players: (0..experiment.players.len()).map(player).collect(),
        games: courses.len() as u64,
        distinct_games: courses.into_iter().collect::<BTreeSet<_>>().len() as u64,
        failures,
    }
}

fn summarise_player(
    experiment: &Experiment,
    player: usize,
    records: &[&Record],
    confidence: Confidence,
) -> PlayerSummary {
    let (mut shares, mut scores) = (Moments::default(), Moments::default());
    let mut trials = 0;
    let mut wins_draws_losses = [0; 3];
    let mut spent = Spent::default();
    let mut moves = 0;
    // The unit is the instance: pairs against several opponents share its opening, and the player its luck.
    for instance in records.chunk_by(|a, b| a.trial.instance == b.trial.instance) {
        let results: Vec<(f64, f64)> =
            instance.iter().filter_map(|record| record.result_of(player)).collect();
        if !results.is_empty() {
            let n = results.len() as f64;
            trials += results.len() as u64;
            shares.push(results.iter().map(|(share, _)| share).sum::<f64>() / n);
            scores.push(results.iter().map(|(_, score)| score).sum::<f64>() / n);
        }
        for record in instance {
            let counts = record.result_of(player).is_some();
            for game in &record.games {
                let Some(seat) = game.seats.iter().position(|seat| seat.player == player) else { continue };
                spent += game.seats[seat].spent;
                moves += u64::from(game.seats[seat].moves);
                // Where one game of a pair failed, the other one says nothing: the pair was to balance the seats.
                if let (Ok((outcome, _)), true) = (&game.result, counts) {
                    let outcome = if seat == 0 { *outcome } else { outcome.reversed() };
                    wins_draws_losses[2 - outcome.half_points() as usize] += 1;
                }
            }
        }
    }
    let success = if experiment.game.facts().players == 2 {
        pair_score_interval(&shares, confidence)
    } else {
        wilson(wins_draws_losses[0], trials, confidence)
    };
    let score = mean_interval(&scores, confidence);
    PlayerSummary {
        name: experiment.players[player].name.clone(),
        search: experiment.players[player].searcher.to_string(),
        trials,
        instances: shares.count(),
        wins_draws_losses,
        success,
        score,
        playouts: spent.playouts,
        plies: spent.plies,
        nodes: spent.nodes,
        moves,
    }
}
