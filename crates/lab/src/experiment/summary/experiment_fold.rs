//! An experiment's summary in the making.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    Beginnings, CrossingFold, DifferenceFold, DistinctGames, ExperimentSummary, Meeting, MeetingFold,
    PlayerFold, PlayerSummary, RatingsSummary, Warning, correct, cross_table, distinct_openings,
};
use crate::experiment::plan::{Cell, Plan, Planned};
use crate::experiment::stopping::StoppingSummary;
use crate::experiment::trial::{Record, SeatRecord};
use crate::game::options::Cost;
use crate::game::{Counts, Outcome};
use crate::manifest::{Experiment, Openings, PlayerSpec, StoppingRule};
use crate::players::SearcherSpec;
use crate::rng::PlayoutKey;
use crate::stats::Confidence;

/// The largest number of failure reasons that are counted apart.
const MOST_REASONS: usize = 100;

pub(super) struct ExperimentFold {
    plan: Plan,
    index: usize,
    experiment: Arc<Experiment>,
    beginnings: Beginnings,
    cells: Vec<Cell>,
    records: u64,
    instance: Option<u64>,
    players: Vec<PlayerFold>,
    threads: Vec<u64>,
    failures: Vec<(String, u64)>,
    forfeits: BTreeMap<(usize, String), u64>,
    engine_trials: u64,
    stopping: Option<StoppingSummary>,
    crossings: Option<CrossingFold>,
    kind: Kind,
}

/// The folds that depend on how many play a game.
enum Kind {
    Solitaire {
        /// Success and margin of each player on the deal in hand.
        results: Vec<Option<(bool, i32)>>,
        differences: Vec<DifferenceFold>,
        distinct: Vec<DistinctGames>,
    },
    ForTwo(Vec<MeetingFold>),
}

impl ExperimentFold {
    pub(super) fn new(plan: &Plan, index: usize) -> Self {
        let planned = plan.planned(index);
        let Planned { experiment, cells, .. } = planned;
        let players = experiment.players.len();
        let kind = if experiment.facts().players == 2 {
            Kind::ForTwo(cells.iter().map(|cell| MeetingFold::new(experiment, cell)).collect())
        } else {
            Kind::Solitaire {
                results: vec![None; players],
                differences: DifferenceFold::of_all(experiment),
                distinct: vec![DistinctGames::default(); players],
            }
        };
        Self {
            plan: plan.clone(),
            index,
            experiment: Arc::clone(experiment),
            beginnings: Beginnings::new(planned),
            cells: cells.clone(),
            records: 0,
            instance: None,
            players: (0..players).map(|_| PlayerFold::new(experiment)).collect(),
            threads: experiment.players.iter().map(|player| player.searcher.threads()).collect(),
            failures: Vec::new(),
            forfeits: BTreeMap::new(),
            engine_trials: 0,
            stopping: None,
            crossings: CrossingFold::new(experiment),
            kind,
        }
    }

    pub(super) fn stop(&mut self, stopping: StoppingSummary) {
        self.stopping = Some(stopping);
    }

    pub(super) fn push(&mut self, record: &Record) {
        if self.instance != Some(record.trial.instance) {
            assert!(
                self.instance < Some(record.trial.instance),
                "records come in the order of their instances"
            );
            self.close_instance();
            self.instance = Some(record.trial.instance);
        }
        self.records += 1;
        let mut players = self.cells[record.trial.cell].players.iter();
        self.engine_trials +=
            u64::from(players.any(|&player| self.experiment.players[player].searcher.is_engine()));
        self.count_work(record);
        for &player in &self.cells[record.trial.cell].players {
            self.players[player].close_trial();
        }
        let mut finished = true;
        for game in &record.games {
            if let Err(failure) = &game.result {
                finished = false;
                self.count_failure(failure);
            } else if let (Some(reason), Ok((outcome, _))) = (&game.forfeit, &game.result) {
                let loser = usize::from(*outcome == Outcome::Win);
                *self.forfeits.entry((game.seats[loser].player, reason.clone())).or_default() += 1;
            } else {
                game.seats.iter().for_each(|seat| self.players[seat.player].lengths.push(game.plies));
            }
        }
        self.count_distinct(record);
        if finished {
            self.count_result(record);
        }
    }

    /// Counts the work of a trial; its processor time is shared out by the wall time of the moves, times the threads of the
    /// search.
    fn count_work(&mut self, record: &Record) {
        let seats = || record.games.iter().flat_map(|game| &game.seats);
        let threads = &self.threads;
        let busy = |seat: &SeatRecord| seat.wall_ns * threads[seat.player];
        let all: u64 = seats().map(busy).sum();
        let whole = if all == 0 { seats().count() as f64 } else { all as f64 };
        let scale = record.cpu_ns as f64 / whole.max(1.0);
        for seat in seats() {
            let part = if all == 0 { 1.0 } else { busy(seat) as f64 };
            self.players[seat.player].play(seat, scale * part);
        }
    }

    fn count_failure(&mut self, failure: &str) {
        let full = self.failures.len() >= MOST_REASONS;
        let reason = if full && self.failures.iter().all(|(known, _)| known != failure) {
            "other reasons"
        } else {
            failure
        };
        match self.failures.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.failures.push((reason.to_owned(), 1)),
        }
    }

    fn count_distinct(&mut self, record: &Record) {
        let distinct = match &mut self.kind {
            Kind::Solitaire { distinct, .. } => &mut distinct[record.trial.cell..=record.trial.cell],
            Kind::ForTwo(meetings) => &mut meetings[record.trial.cell].distinct[..],
        };
        // Games from different boards may have the same moves.
        let (board, _) = self.experiment.openings.place(record.trial.instance);
        let hash = |of: u64| if board == 0 { of } else { PlayoutKey::new(of).child(board as u64).to_u64() };
        for (distinct, game) in distinct.iter_mut().zip(&record.games).filter(|(_, game)| game.result.is_ok())
        {
            distinct.push(hash(game.game_hash));
        }
    }

    /// The result of a trial of which no game failed. Where one game of a pair failed, the other one says nothing:
    /// the pair was to balance the seats.
    fn count_result(&mut self, record: &Record) {
        let cell = &self.cells[record.trial.cell];
        let first = cell.players[0];
        let (mut half_points, mut margin, mut wins_draws_losses) = (0, 0, [0; 3]);
        for game in &record.games {
            let Ok((outcome, first_margin)) = game.result else { continue };
            let is_first = game.seats.first().is_some_and(|seat| seat.player == first);
            let outcome = if is_first { outcome } else { outcome.reversed() };
            margin += if is_first { first_margin } else { -first_margin };
            half_points += outcome.half_points();
            wins_draws_losses[2 - outcome.half_points() as usize] += 1;
        }
        let all = 2 * record.games.len() as u32;
        if let Some(crossings) = &mut self.crossings {
            crossings.push(cell, half_points, all, margin);
        }
        let games = record.games.len() as f64;
        let share = |half_points: u32| f64::from(half_points) / (2.0 * games);
        let mut result = |player: usize, half_points: u32, margin: i32, wins_draws_losses: [u64; 3]| {
            let fold = &mut self.players[player];
            fold.push(share(half_points), f64::from(margin) / games);
            let all = fold.wins_draws_losses.iter_mut().zip(wins_draws_losses);
            all.for_each(|(all, of_trial)| *all += of_trial);
        };
        result(first, half_points, margin, wins_draws_losses);
        match &mut self.kind {
            Kind::Solitaire { results, .. } => {
                results[first] = Some((half_points == 2, margin));
                let (board, _) = self.experiment.openings.place(record.trial.instance);
                self.players[first].score_on(board, margin.into());
            }
            Kind::ForTwo(meetings) => {
                let [wins, draws, losses] = wins_draws_losses;
                result(cell.players[1], all - half_points, -margin, [losses, draws, wins]);
                let margin = f64::from(margin) / games;
                let beginning = self.beginnings.of(record.trial.instance);
                meetings[record.trial.cell].push(
                    beginning,
                    &record.games,
                    half_points,
                    wins_draws_losses,
                    margin,
                );
            }
        }
    }

    fn close_instance(&mut self) {
        let is_first =
            self.instance.is_some_and(|instance| self.beginnings.of(instance).position == instance);
        self.players.iter_mut().for_each(|player| player.close_instance(is_first));
        if let (Some(crossings), Some(_)) = (&mut self.crossings, self.instance) {
            crossings.close_instance();
        }
        if let Kind::Solitaire { results, differences, .. } = &mut self.kind {
            for difference in differences {
                let [first, second] = difference.players.map(|player| results[player]);
                if let (Some(first), Some(second)) = (first, second) {
                    difference.push(first, second);
                }
            }
            results.fill(None);
        }
    }

    pub(super) fn finish(mut self, confidence: Confidence) -> ExperimentSummary {
        self.close_instance();
        let experiment = &*Arc::clone(&self.experiment);
        let facts = experiment.facts();
        let stopping = self.stopping.as_ref().filter(|stopping| stopping.decision.is_some());
        let instances = stopping.map_or(experiment.trials, |stopping| stopping.instances);
        let complete = self.records == instances * self.cells.len() as u64;
        let has_intervals = complete && experiment.stopping.is_none();
        let planned = self.plan.planned(self.index);
        let repeat = self.kind.players_of_one_game(experiment);
        // The estimate after a sequential test is the only one that its two players have.
        let rule = experiment.stopping.as_ref().filter(|_| stopping.is_some());
        let tested = rule.map_or(&[][..], StoppingRule::tested);
        let is_evidence = |player| complete && !tested.contains(&player);
        let mut players = players(&self.kind, self.players, experiment, is_evidence, confidence, &repeat);
        // The processor time of a trial is shared out by threads, and helpers may wait.
        if self.engine_trials == 0 && self.threads.iter().all(|&threads| threads == 1) {
            find_running(&mut players, experiment);
        }
        let (mut differences, mut meetings) = (Vec::new(), Vec::new());
        let mut distinct = Vec::new();
        match self.kind {
            Kind::Solitaire { differences: folds, distinct: of_players, .. } => {
                let finish = |fold: DifferenceFold| {
                    let is_evidence = fold.players.iter().any(|player| !repeat.contains(player));
                    fold.finish(experiment, has_intervals && is_evidence, confidence)
                };
                differences = folds.into_iter().map(finish).collect();
                distinct = of_players;
            }
            Kind::ForTwo(folds) => {
                for fold in folds {
                    let (meeting, of_meeting) = fold.finish(experiment, has_intervals, confidence);
                    meetings.push(meeting);
                    distinct.extend(of_meeting);
                }
            }
        }
        let tests = differences.iter_mut().filter_map(|difference| difference.tested.as_mut());
        let family = correct(tests.chain(meetings.iter_mut().filter_map(|meeting| meeting.tested.as_mut())));
        let counts: Vec<(u64, u64)> = distinct.into_iter().map(DistinctGames::finish).collect();
        let (games, distinct_games) =
            counts.iter().fold((0, 0), |(g, d), (games, distinct)| (g + games, d + distinct));
        let many = facts.players == 2 && players.len() > 2;
        let can_be_rated = players.iter().all(|player| player.trials > 0)
            && meetings.iter().all(|meeting| !meeting.repeated);
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        let crossings = self.crossings.filter(|_| has_intervals);
        let curve_crossings = crossings.map_or_else(Vec::new, |fold| fold.finish(experiment, confidence));
        let mut summary = ExperimentSummary {
            name: experiment.name.clone(),
            swept: experiment.swept.clone(),
            game: experiment.game.spec().to_string(),
            paired: facts.players == 2,
            design: experiment.design.name().into(),
            complete,
            stopping: self.stopping,
            course: Vec::new(),
            margin_unit: facts.score_unit.into(),
            scored: facts.counts == Counts::Score,
            has_margin: facts.has_margin && facts.counts != Counts::Score,
            opening_plies: experiment.openings.random_plies(),
            openings: experiment.openings.words(),
            family,
            differences,
            cross_table: if many { cross_table(players.len(), &meetings) } else { Vec::new() },
            ratings: (many && has_intervals && can_be_rated)
                .then(|| RatingsSummary::new(&names, &meetings, confidence)),
            players,
            meetings,
            published: experiment
                .published
                .iter()
                .map(|of| (experiment.players[of.player].name.clone(), of.claim))
                .collect(),
            curve_crossings,
            games,
            distinct_games,
            failures: self.failures,
            forfeits: self
                .forfeits
                .into_iter()
                .map(|((player, reason), games)| (experiment.players[player].name.clone(), reason, games))
                .collect(),
            engine_trials: self.engine_trials,
            warnings: Vec::new(),
        };
        summary.find_fronts();
        let repeated = repeated_openings(planned, &summary, &counts, instances).into_iter();
        let players: Vec<_> = repeat.iter().map(|&player| experiment.players[player].name.clone()).collect();
        let one_game = (!players.is_empty()).then(|| {
            let boards = experiment.openings.count().unwrap_or(1);
            Warning::OneGame { players, deals: instances, boards }
        });
        let own = summary.find_warnings();
        let of_players = of_players(&summary, experiment);
        summary.warnings = repeated.chain(one_game).chain(own).chain(of_players).collect();
        summary
    }
}

impl Kind {
    /// The players of a solitaire without chance that played one game again and again, on each of its boards.
    fn players_of_one_game(&self, experiment: &Experiment) -> Vec<usize> {
        match self {
            Self::Solitaire { distinct, .. } if !experiment.facts().chance => {
                let boards = experiment.openings.count().unwrap_or(1);
                (0..distinct.len()).filter(|&player| distinct[player].repeats(boards)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The share of different openings below which repetitions are worth a warning: up to one in twenty, intervals would be at
/// most 3 % wider without them.
const MOSTLY_DIFFERENT: f64 = 0.95;

/// The warning of deterministic players that begin at positions at which they began before. `counts` has the games and the
/// distinct games of each seating of each meeting.
fn repeated_openings(
    planned: &Planned,
    summary: &ExperimentSummary,
    counts: &[(u64, u64)],
    instances: u64,
) -> Option<Warning> {
    let few = |distinct: u64, all: u64| (distinct as f64) < MOSTLY_DIFFERENT * all as f64;
    let warning = |found: Vec<(&Meeting, u64)>, counted_once| {
        let &(Meeting { first, second, .. }, openings) = found.first()?;
        let players = [first.clone(), second.clone()];
        Some(Warning::RepeatedOpenings {
            players,
            more: found.len() as u64 - 1,
            openings,
            pairs: instances,
            counted_once,
        })
    };
    let listed = summary.meetings.iter().filter(|meeting| !meeting.repeated);
    let listed: Vec<_> = listed.filter_map(|meeting| Some((meeting, meeting.distinct_openings?))).collect();
    let experiment = &planned.experiment;
    let drawn = summary.opening_plies > 0 || matches!(experiment.openings, Openings::RandomPositions);
    let by_chance = drawn && !experiment.facts().chance;
    if !listed.is_empty() || !by_chance || !counts.iter().any(|&(games, distinct)| few(distinct, games)) {
        return warning(listed, true);
    }
    let openings = distinct_openings(planned, instances);
    // From each opening one game: deterministic players.
    let is_deterministic =
        |of: &&[(u64, u64)]| of.iter().all(|&(games, distinct)| distinct <= openings && few(openings, games));
    let meetings = summary.meetings.iter().zip(counts.chunks(2));
    let found = meetings.filter(|(_, of)| is_deterministic(of)).map(|(meeting, _)| (meeting, openings));
    warning(found.collect(), false)
}

/// The summaries of the players. What only repeats a game is no evidence; `repeat` are those of one game without chance.
fn players(
    kind: &Kind,
    folds: Vec<PlayerFold>,
    experiment: &Experiment,
    is_evidence: impl Fn(usize) -> bool,
    confidence: Confidence,
    repeat: &[usize],
) -> Vec<PlayerSummary> {
    let meetings = match kind {
        Kind::ForTwo(meetings) => &meetings[..],
        Kind::Solitaire { .. } => &[],
    };
    let finish = |(player, fold): (usize, PlayerFold)| {
        let own: Vec<&MeetingFold> = meetings.iter().filter(|meeting| meeting.has(player)).collect();
        let all =
            |holds: fn(&MeetingFold) -> bool| !own.is_empty() && own.iter().all(|meeting| holds(meeting));
        let is_one_game = repeat.contains(&player) || all(MeetingFold::is_repeated);
        let repeats = !is_one_game && all(MeetingFold::repeats_itself);
        fold.finish(experiment, player, is_evidence(player) && !is_one_game, repeats, confidence)
    };
    folds.into_iter().enumerate().map(finish).collect()
}

/// The warnings of single players: limited by time, with a budget that they do not spend, and not repeatable for another reason.
fn of_players(summary: &ExperimentSummary, experiment: &Experiment) -> Vec<Warning> {
    let timed = experiment.players.iter().filter(|player| player.searcher.is_time_limited());
    let timed = timed.map(|player| Warning::TimeLimited { player: player.name.clone() });
    let unspent = summary.players.iter().zip(&experiment.players).filter_map(unspent);
    let varies = |PlayerSpec { searcher, .. }: &&PlayerSpec| {
        !(searcher.is_repeatable() || searcher.is_time_limited() || searcher.is_engine())
    };
    let varying = experiment.players.iter().filter(varies);
    let varying = varying.map(|player| Warning::Unrepeatable { player: player.name.clone() });
    timed.chain(unspent).chain(varying).collect()
}

/// Finds in which part of their time the players that the clock limits had a processor.
fn find_running(players: &mut [PlayerSummary], experiment: &Experiment) {
    for (player, spec) in players.iter_mut().zip(&experiment.players) {
        let is_timed = spec.searcher.budget.time.is_some() && player.wall_ns > 0.0;
        player.running = is_timed.then_some(player.cpu_ns / player.wall_ns);
    }
}

/// The warning of a player that spends much less than its budget: a mean below a quarter means that most moves spend less
/// than half. One that follows a line that it found is meant to.
fn unspent((summary, player): (&PlayerSummary, &PlayerSpec)) -> Option<Warning> {
    let SearcherSpec { searcher, options, budget, .. } = &player.searcher;
    if searcher.follows_lines {
        return None;
    }
    let share = |total: f64, most: f64| total / (summary.moves as f64 * most);
    let counts =
        [(summary.playouts, budget.playouts), (summary.plies, budget.plies), (summary.nodes, budget.nodes)];
    let counts = counts.into_iter().filter_map(|(total, most)| Some(share(total as f64, most? as f64)));
    let time = budget.time.map(|time| share(summary.wall_ns, time.as_nanos() as f64));
    let time =
        time.into_iter().chain(budget.cpu_time.map(|time| share(summary.cpu_ns, time.as_nanos() as f64)));
    // The limit that is nearest ends the search.
    let spent = counts.chain(time).reduce(f64::max).filter(|spent| *spent < 0.25)?;
    let has_depth = options.iter().any(|(decl, _)| matches!(decl.cost, Cost::Depth { .. }));
    Some(Warning::UnspentBudget { player: player.name.clone(), percent: (100.0 * spent) as u64, has_depth })
}
