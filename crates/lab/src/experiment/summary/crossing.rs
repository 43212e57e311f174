//! Where the curves of what counts against budget of two players cross.
//!
//! A curve is the players that differ only in one limit of their budget. All curves of an experiment are measured on the same
//! deals, or from the same openings against the same opponents, so that a resample of instances keeps the pairing. The fold
//! keeps how often each row of results occurred, and not the trials.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::experiment::plan::Cell;
use crate::game::Counts;
use crate::game::options::{Wording, read_time};
use crate::manifest::{Design, Experiment};
use crate::players::SearcherSpec;
use crate::rng::Stream;
use crate::search::Limit;
use crate::stats::{Confidence, Crossing, Crossings, Curve, MOST_INSTANCES, RESAMPLES, crossings};

/// Two curves of what counts against budget, and where they cross.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CurveCrossings {
    /// The limit of the budget for a move: `playouts`, `nodes`, `plies`, or `time` in nanoseconds.
    pub budget: String,
    /// The players, without this limit in their names.
    pub curves: [String; 2],
    /// The least and the greatest budget between which both were measured.
    pub range: [f64; 2],
    /// The deals or openings that were resampled.
    pub instances: u64,
    /// The curve that is ahead at the least of these budgets, 0 or 1; if they are equal there, at the first at which they differ.
    /// `None` if they are equal everywhere.
    pub ahead: Option<usize>,
    /// The crossings by rising budget. After each the other curve is ahead.
    pub crossings: Vec<Crossing>,
    /// The fraction of resamples in which the curves are ahead in the same order. `None` if nothing can be resampled.
    pub same_order: Option<f64>,
}

/// The players that differ only in one limit.
struct Group {
    limit: &'static str,
    name: String,
    content: String,
    members: Vec<(f64, usize)>,
}

pub(super) struct CrossingFold {
    groups: Vec<Group>,
    /// The column of each player; none of one that is on no curve.
    columns: Vec<Option<usize>>,
    /// Whether the results against this player count: all of a curve must have met the same opponents.
    is_opponent: Vec<bool>,
    /// How many results a player of a curve has on an instance.
    expected: u32,
    /// Of the instance in hand, for each column the number of results and the sum of their half points or scores.
    results: Vec<(u32, i64)>,
    /// By how much a sum is divided.
    whole: u32,
    scored: bool,
    /// How often each row of sums occurred; none if too many are different for a bootstrap.
    rows: Option<BTreeMap<Vec<i64>, u64>>,
}

impl CrossingFold {
    /// `None` if no two curves can cross.
    pub(super) fn new(experiment: &Experiment) -> Option<Self> {
        let counts = experiment.facts().counts;
        let is_paired = counts == Counts::Points;
        let is_baseline = |player: usize| match &experiment.design {
            Design::Gauntlet { baselines } => baselines.contains(&player),
            _ => false,
        };
        let groups = groups(experiment, |player| !is_baseline(player));
        let members: Vec<usize> =
            groups.iter().flat_map(|group| group.members.iter().map(|&(_, player)| player)).collect();
        let mut numbers = 0..;
        let column = |player: usize| members.contains(&player).then(|| numbers.next()).flatten();
        let columns: Vec<Option<usize>> = (0..experiment.players.len()).map(column).collect();
        let count = columns.iter().flatten().count();
        let is_opponent: Vec<bool> = match &experiment.design {
            Design::Solo => vec![false; columns.len()],
            Design::Gauntlet { .. } => (0..columns.len()).map(is_baseline).collect(),
            Design::Match | Design::RoundRobin => columns.iter().map(Option::is_none).collect(),
        };
        let opponents = is_opponent.iter().filter(|is_opponent| **is_opponent).count() as u32;
        let expected = if is_paired { opponents } else { 1 };
        let can_cross = expected > 0 && experiment.stopping.is_none() && !pairs(&groups, &columns).is_empty();
        can_cross.then(|| Self {
            columns,
            is_opponent,
            expected,
            results: vec![(0, 0); count],
            whole: match counts {
                Counts::Points => 4 * expected,
                Counts::Success => 2,
                Counts::Score => 1,
            },
            scored: counts == Counts::Score,
            rows: Some(BTreeMap::new()),
            groups,
        })
    }

    /// The result of a trial: the half points of the cell's first player, of `all`, and its score.
    pub(super) fn push(&mut self, cell: &Cell, half_points: u32, all: u32, score: i32) {
        let mut add = |player: usize, result: i64| {
            if let Some(column) = self.columns[player] {
                let (results, sum) = &mut self.results[column];
                (*results, *sum) = (*results + 1, *sum + result);
            }
        };
        let (half_points, all) = (i64::from(half_points), i64::from(all));
        match cell.players[..] {
            [player] => add(player, if self.scored { score.into() } else { half_points }),
            [first, second] if self.is_opponent[second] => add(first, half_points),
            [first, second] if self.is_opponent[first] => add(second, all - half_points),
            _ => {}
        }
    }

    /// Ends an instance. One on which a trial failed does not count.
    pub(super) fn close_instance(&mut self) {
        let is_whole = self.results.iter().all(|&(results, _)| results == self.expected);
        if let (Some(rows), true) = (&mut self.rows, is_whole) {
            *rows.entry(self.results.iter().map(|&(_, sum)| sum).collect()).or_default() += 1;
            if rows.len() > MOST_INSTANCES {
                self.rows = None;
            }
        }
        self.results.fill((0, 0));
    }

    /// The crossings of every two curves over the same limit.
    pub(super) fn finish(self, experiment: &Experiment, confidence: Confidence) -> Vec<CurveCrossings> {
        let Some(rows) = self.rows.filter(|rows| !rows.is_empty()) else { return Vec::new() };
        let instances = rows.values().sum();
        let share = |sum: i64| sum as f64 / f64::from(self.whole);
        let rows: Vec<(Vec<f64>, u64)> =
            rows.into_iter().map(|(row, count)| (row.into_iter().map(share).collect(), count)).collect();
        let (groups, curves): (Vec<_>, Vec<_>) = pairs(&self.groups, &self.columns).into_iter().unzip();
        let stream = Stream::new(experiment.seed) / "crossings" / &*experiment.game.spec().to_string();
        let found = crossings(&rows, &curves, RESAMPLES, stream, confidence);
        let summary = |([first, second], found): ([usize; 2], Option<Crossings>)| {
            let Crossings { range, ahead, at: crossings, same_order } = found?;
            let curves = [first, second].map(|group| self.groups[group].name.clone());
            let budget = self.groups[first].limit.into();
            Some(CurveCrossings { budget, curves, range, instances, ahead, crossings, same_order })
        };
        groups.into_iter().zip(found).filter_map(summary).collect()
    }
}

/// The groups of at least two players, in the order of the manifest.
fn groups(experiment: &Experiment, is_free: impl Fn(usize) -> bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for limit in Limit::ALL {
        for (index, player) in experiment.players.iter().enumerate().filter(|(index, _)| is_free(*index)) {
            let Some(amount) = player.searcher.budget.amount(limit) else { continue };
            let (amount, limit) = (amount as f64, limit.name());
            let searcher =
                SearcherSpec { budget: player.searcher.budget.without(limit), ..player.searcher.clone() };
            let content = format!("{} {:?}", searcher.text(Wording::Identity), player.stream);
            let name = match curve_of(&player.name, &player.swept) {
                name if name == player.name => {
                    let text = searcher.text(Wording::Name);
                    player.name.starts_with(&text).then_some(text)
                }
                name => Some(name),
            };
            if let Some(group) =
                groups.iter_mut().find(|group| group.limit == limit && group.content == content)
            {
                group.members.push((amount, index));
            } else {
                let name = name.unwrap_or_default();
                groups.push(Group { limit, name, content, members: vec![(amount, index)] });
            }
        }
    }
    groups.retain(|group| group.members.len() > 1);
    for group in &mut groups {
        group.members.sort_by(|a, b| a.0.total_cmp(&b.0));
        if group.name.is_empty() {
            // Players with names of their own: the curve is named by its ends.
            let end = |member: Option<&(f64, usize)>| {
                member.map_or("", |&(_, player)| &experiment.players[player].name)
            };
            group.name = format!("{} … {}", end(group.members.first()), end(group.members.last()));
        }
    }
    groups
}

/// Every two groups over the same limit, and their curves.
fn pairs(groups: &[Group], columns: &[Option<usize>]) -> Vec<([usize; 2], [Curve; 2])> {
    let curve = |group: &Group| -> Curve {
        group.members.iter().filter_map(|&(amount, player)| Some((amount, columns[player]?))).collect()
    };
    let all = (0..groups.len()).flat_map(|a| (a + 1..groups.len()).map(move |b| [a, b]));
    let same = all.filter(|&[a, b]| groups[a].limit == groups[b].limit);
    same.map(|pair| (pair, pair.map(|group| curve(&groups[group])))).collect()
}

/// The name of the curve that a player is on: without the one option that a sweep chose, or of several without those that are
/// a budget.
pub fn curve_of(name: &str, swept: &[(String, String)]) -> String {
    const BUDGETS: [&str; 6] = ["playouts", "nodes", "plies", "time", "cpu-time", "depth"];
    let is_along =
        |axis: &str| swept.len() == 1 || BUDGETS.contains(&axis.rsplit('.').next().unwrap_or(axis));
    let along: Vec<_> = swept.iter().filter(|(axis, _)| is_along(axis)).cloned().collect();
    without_swept(name, &along)
}

/// The name of a player without the values that a sweep chose.
pub fn without_swept(name: &str, swept: &[(String, String)]) -> String {
    let is_kept = |word: &&str| {
        let option = word.split_once('=').map_or("", |(option, _)| option);
        !swept.iter().any(|(axis, _)| axis == option || axis.ends_with(&format!(".{option}")))
    };
    let kept: Vec<&str> = name.split(' ').filter(is_kept).collect();
    if kept.is_empty() { name.into() } else { kept.join(" ") }
}

/// A value of a sweep as a number; a time in nanoseconds.
pub fn amount_of(level: &str) -> Option<f64> {
    level.parse().ok().or_else(|| Some(read_time(level)?.as_nanos() as f64))
}
