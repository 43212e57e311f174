//! Decisions of searchers: playouts and nodes per second, and the fraction of time outside playouts.
//!
//! The overhead is an estimate. The same number of playouts is played alone, by the same policy and in batches of the
//! same mean size; their time per ply, times the plies that the search simulated, is subtracted. The playouts alone start
//! from one position, those of the search from many.

use serde::{Deserialize, Serialize};

use super::timing::key_of_round;
use super::{Lap, Settings, Spread};
use crate::game::options::OptionError;
use crate::game::{Batch, Tally};
use crate::players::{PlayError, Searched, SearcherDecl, SearcherSpec, Searches, Workload};
use crate::rng::PlayoutKey;
use crate::search::{Clock, Spent, ThreadClock};

/// The minimum number of rounds of each searcher, however long they take.
const FEWEST: u32 = 3;

/// The most later decisions of a round: each takes a machine that has decided before.
const MOST_LATER: u64 = 64;

/// The number of machines whose later decisions share a reading of the clock.
const TOGETHER: usize = 8;

/// A searcher, over all rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearcherRow {
    /// The searcher with its options and its budget.
    pub searcher: String,
    /// Playouts of the first decision.
    pub playouts: u64,
    /// Plies of these playouts.
    pub plies: u64,
    /// Nodes of the first decision.
    pub nodes: u64,
    /// The number of batches of these playouts: a batch may have playouts from several positions.
    pub batches: u64,
    /// The most bytes that a search reserved for a decision of a round: its tree or its lists. 0 if it needs none.
    #[serde(default)]
    pub bytes: u64,
    /// CPU nanoseconds per decision of a new machine, the mean of a round.
    pub ns_per_decision: Spread,
    /// CPU nanoseconds per decision, one value per round.
    pub rounds_ns: Vec<f64>,
    /// CPU nanoseconds of the next decision of the same machine, a few plies later; `None` if the game never went on.
    #[serde(default)]
    pub later_ns: Option<Spread>,
    /// Playouts per second of CPU time; `None` for a searcher without playouts.
    pub playouts_per_s: Option<Spread>,
    /// Nodes per second of CPU time; `None` for a searcher without nodes.
    pub nodes_per_s: Option<Spread>,
    /// The estimated fraction of the time outside playouts; `None` without playouts. It may be negative: playouts alone start
    /// earlier in the game than those of the search, so they may take longer.
    pub own_share: Option<Spread>,
}

/// A searcher that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfit {
    /// The searcher.
    pub searcher: String,
    /// The reason.
    pub reason: String,
}

/// All searchers that fit a game, with their default options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchersProfile {
    /// The budget of searchers that have one: in playouts, or in nodes for searchers without playouts.
    pub budget: u64,
    /// The searchers, by playouts per second, then by nodes per second, in descending order.
    pub rows: Vec<SearcherRow>,
    /// The searchers that do not fit.
    pub unfit: Vec<Unfit>,
}

impl SearchersProfile {
    /// Times every searcher, one after the other.
    ///
    /// # Errors
    /// Returns an error if the policy is not valid as a searcher's option.
    ///
    /// # Cost
    /// About three times the settings' time per searcher, and at least six decisions of each.
    pub fn measure(
        workload: &dyn Workload,
        searchers: &[&'static SearcherDecl],
        policy: &str,
        budget: u64,
        settings: &Settings,
    ) -> Result<Self, OptionError> {
        let mut profile = Self { budget, rows: Vec::new(), unfit: Vec::new() };
        for &searcher in searchers {
            let spec = spec(searcher, policy, budget)?;
            let unfit = |reason: String| Unfit { searcher: searcher.name.into(), reason };
            match workload.searches(&spec) {
                Ok(searches) => match row(workload, &searches, &spec, settings) {
                    Ok(row) => profile.rows.push(row),
                    Err(failure) => profile.unfit.push(unfit(failure.to_string())),
                },
                Err(misfit) => profile.unfit.push(unfit(misfit.reason)),
            }
        }
        let speed = |spread: Option<Spread>| spread.map_or(0.0, |spread| spread.median);
        profile.rows.sort_by(|a, b| {
            let of = |row: &SearcherRow| (speed(row.playouts_per_s), speed(row.nodes_per_s));
            of(b).partial_cmp(&of(a)).expect("speeds are numbers")
        });
        Ok(profile)
    }
}

/// The searcher with its default options, and with the policy and the budget if it takes them.
fn spec(searcher: &'static SearcherDecl, policy: &str, budget: u64) -> Result<SearcherSpec, OptionError> {
    let options = searcher.options();
    let decl = options.iter().find(|decl| decl.name == "policy");
    let given = decl.map(|decl| Ok(("policy", decl.parse(policy)?))).transpose()?;
    Ok(SearcherSpec::new(searcher, given)?.with_budget(searcher.budget_of(budget)))
}

fn row(
    workload: &dyn Workload,
    searches: &Searches<'_>,
    spec: &SearcherSpec,
    settings: &Settings,
) -> Result<SearcherRow, PlayError> {
    let first = searches.decide(key_of_round(0))?;
    // An error here occurs again below, where it is reported.
    let pace = settings.pace(|count| decide(searches, key_of_round(0), count).is_ok());
    let clock = Clock::start();
    let (mut laps, mut works, mut own, mut later) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..settings.repeats {
        if round >= FEWEST && clock.elapsed().as_secs_f64() > 2.0 * settings.seconds {
            break;
        }
        let (work, lap) = Lap::time(|| decide(searches, key_of_round(round), pace));
        let work = work?;
        if work.batches > 0 {
            let (tally, alone) = Lap::time(|| playouts_alone(workload, key_of_round(round), work));
            let playouts_ns = alone.cpu_ns / tally.plies.max(1) as f64 * work.spent.plies as f64;
            own.push(1.0 - playouts_ns / lap.cpu_ns);
        }
        later.extend(later_ns(searches, key_of_round(round), pace.min(MOST_LATER))?);
        laps.push(lap.cpu_ns);
        works.push(work);
    }
    let rate = |count: fn(&Searched) -> u64| {
        let rates = works.iter().zip(&laps).map(|(work, ns)| count(work) as f64 * 1e9 / ns);
        works.iter().any(|work| count(work) > 0).then(|| Spread::of(rates.collect()))
    };
    let rounds_ns: Vec<f64> = laps.iter().map(|ns| ns / pace as f64).collect();
    Ok(SearcherRow {
        searcher: spec.to_string(),
        playouts: first.spent.playouts,
        plies: first.spent.plies,
        nodes: first.spent.nodes,
        batches: first.batches,
        bytes: works.iter().map(|work| work.bytes).max().unwrap_or(0),
        ns_per_decision: Spread::of(rounds_ns.clone()),
        rounds_ns,
        later_ns: (!later.is_empty()).then(|| Spread::of(later)),
        playouts_per_s: rate(|work| work.spent.playouts),
        nodes_per_s: rate(|work| work.spent.nodes),
        own_share: (!own.is_empty()).then(|| Spread::of(own)),
    })
}

/// The mean CPU nanoseconds of several later decisions, if there are any.
fn later_ns(searches: &Searches<'_>, key: PlayoutKey, count: u64) -> Result<Option<f64>, PlayError> {
    let (mut ns, mut made) = (0.0, 0);
    for first in (0..count).step_by(TOGETHER) {
        let mut waiting = Vec::new();
        for number in first..count.min(first + TOGETHER as u64) {
            waiting.extend(searches.later(key.child(number))?);
        }
        let mut clock = ThreadClock::start();
        for decide in &mut waiting {
            decide()?;
        }
        ns += clock.lap().as_nanos() as f64;
        made += waiting.len();
    }
    Ok((made > 0).then(|| ns / made as f64))
}

fn decide(searches: &Searches<'_>, key: PlayoutKey, count: u64) -> Result<Searched, PlayError> {
    let mut sum = Searched { spent: Spent::default(), batches: 0, bytes: 0 };
    for number in 0..count {
        let searched = searches.decide(key.child(number))?;
        sum.spent += searched.spent;
        sum.batches += searched.batches;
        sum.bytes = sum.bytes.max(searched.bytes);
    }
    Ok(sum)
}

/// As many playouts alone, in batches of the same mean size.
fn playouts_alone(workload: &dyn Workload, key: PlayoutKey, work: Searched) -> Tally {
    let size = (work.spent.playouts as f64 / work.batches as f64).round().max(1.0) as u64;
    let mut tally = Tally::default();
    for first in (0..work.spent.playouts).step_by(size as usize) {
        tally += workload.playouts(Batch { key, first, count: size });
    }
    tally
}
