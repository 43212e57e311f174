//! Decisions of searchers: how many playouts and nodes a second, and what of the time is the search's own.
//!
//! The share of a search's own is an estimate: as many playouts are made alone, by the same policy and in batches of
//! the same mean size, and their time a ply, times the plies that the search simulated, is taken off. They begin at one
//! position, and the search's at many.

use serde::{Deserialize, Serialize};

use super::settings::key_of_round;
use super::{Lap, Settings, Spread};
use crate::game::options::Invalid;
use crate::game::{Batch, Tally};
use crate::players::{Failure, Searched, SearcherKind, SearcherSpec, Searches, Workload};
use crate::rng::PlayoutKey;
use crate::search::{Budget, Clock, Limit, Spent};

/// Rounds that every searcher gets, however long they take.
const FEWEST: u32 = 3;

/// A searcher, over all rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearcherRow {
    /// The searcher with its options and its budget.
    pub searcher: String,
    /// Playouts of the first decision.
    pub playouts: u64,
    /// Plies that they took.
    pub plies: u64,
    /// Nodes of the first decision.
    pub nodes: u64,
    /// In how many batches the playouts were made.
    pub batches: u64,
    /// Nanoseconds of processor time for a decision by a new machine, the mean of a round.
    pub ns_per_decision: Spread,
    /// The same, one for each round.
    pub rounds_ns: Vec<f64>,
    /// Playouts a second of processor time; none for a searcher that makes none.
    pub playouts_per_s: Option<Spread>,
    /// Nodes a second of processor time; none for a searcher that visits none.
    pub nodes_per_s: Option<Spread>,
    /// The share of the time that is the search's own, estimated; none without playouts. It may be negative: playouts
    /// alone may take longer than those of the search, which begin later in the game.
    pub own_share: Option<Spread>,
}

/// A searcher that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfit {
    /// The searcher.
    pub searcher: String,
    /// Why.
    pub reason: String,
}

/// All searchers that fit a game, with their default options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchersProfile {
    /// What those that keep a budget were given: so many playouts, or nodes where they make none.
    pub budget: u64,
    /// The searchers, most playouts a second first, then most nodes a second.
    pub rows: Vec<SearcherRow>,
    /// Those that do not fit.
    pub unfit: Vec<Unfit>,
}

impl SearchersProfile {
    /// Times every kind of searcher, one after the other.
    ///
    /// # Errors
    /// Where the policy is not written as a searcher takes it.
    ///
    /// # Cost
    /// About twice the settings' time for each searcher; at least three decisions of each.
    pub fn measure(
        workload: &dyn Workload,
        kinds: &[SearcherKind],
        policy: &str,
        budget: u64,
        settings: &Settings,
    ) -> Result<Self, Invalid> {
        let mut profile = Self { budget, rows: Vec::new(), unfit: Vec::new() };
        for &kind in kinds {
            let spec = spec(kind, policy, budget)?;
            let unfit = |reason: String| Unfit { searcher: kind.name().into(), reason };
            match workload.searches(&spec) {
                Ok(searches) => match row(workload, &*searches, &spec, settings) {
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

/// The searcher with its default options, the policy and a budget, as far as it takes them.
fn spec(kind: SearcherKind, policy: &str, budget: u64) -> Result<SearcherSpec, Invalid> {
    let options = kind.options();
    let decl = options.iter().find(|decl| decl.name == "policy");
    let given = decl.map(|decl| Ok(("policy", decl.parse(policy)?))).transpose()?;
    let keeps = kind.keeps();
    let budget = if keeps.contains(&Limit::Playouts) {
        Budget::playouts(budget)
    } else if keeps.contains(&Limit::Nodes) {
        Budget { nodes: Some(budget), ..Budget::UNLIMITED }
    } else {
        Budget::UNLIMITED
    };
    Ok(SearcherSpec::new(kind, given)?.with_budget(budget))
}

fn row(
    workload: &dyn Workload,
    searches: &dyn Searches,
    spec: &SearcherSpec,
    settings: &Settings,
) -> Result<SearcherRow, Failure> {
    let first = searches.decide(key_of_round(0))?;
    // What fails here fails again below.
    let pace = settings.pace(|count| decide(searches, key_of_round(0), count).is_ok());
    let clock = Clock::start();
    let (mut laps, mut works, mut own) = (Vec::new(), Vec::new(), Vec::new());
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
        ns_per_decision: Spread::of(rounds_ns.clone()),
        rounds_ns,
        playouts_per_s: rate(|work| work.spent.playouts),
        nodes_per_s: rate(|work| work.spent.nodes),
        own_share: (!own.is_empty()).then(|| Spread::of(own)),
    })
}

/// So many decisions, and their work together.
fn decide(searches: &dyn Searches, key: PlayoutKey, count: u64) -> Result<Searched, Failure> {
    let mut sum = Searched { spent: Spent::default(), batches: 0 };
    for number in 0..count {
        let searched = searches.decide(key.child(number))?;
        sum.spent += searched.spent;
        sum.batches += searched.batches;
    }
    Ok(sum)
}

/// As many playouts as these, in batches of the same mean size.
fn playouts_alone(workload: &dyn Workload, key: PlayoutKey, work: Searched) -> Tally {
    let size = (work.spent.playouts as f64 / work.batches as f64).round().max(1.0) as u64;
    let mut tally = Tally::default();
    for first in (0..work.spent.playouts).step_by(size as usize) {
        tally += workload.playouts(Batch { key, first, count: size });
    }
    tally
}
