//! How the games for two begin.
//!
//! An opening is part of what a trial is, by its moves: a file of openings may be moved or renamed, and lines may
//! be added to it, without renaming a trial; another move in a line renames the trials that begin with it.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Mutex;

use super::identity::Roots;
use super::{Experiment, Plan};
use crate::game::Turn;
use crate::players::{Failure, SearcherSpec, Table, Tables};
use crate::rng::Rng;
use crate::search::MoveStream;

/// How the games of an experiment begin. Both games of a pair begin in the same way.
#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    /// With this many uniformly random plies, others for each instance; 0 is the start of the game.
    Random {
        /// The number of plies; chance's turns between them do not count.
        plies: u32,
        /// Whether others are drawn until both sides have about the same chances.
        balance: Option<Balance>,
    },
    /// Instance *i* begins with opening *i*.
    Listed {
        /// Where they come from, for people to read.
        source: String,
        /// Each opening as its moves from the start as they are written. There are at least as many as instances.
        lines: Vec<Vec<String>>,
    },
}

/// What makes an opening balanced.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The searcher that judges the position after it.
    pub judge: SearcherSpec,
    /// How far from 0 the value of its best move may be, in the unit of its values.
    pub within: f64,
}

/// So many openings are drawn for an instance before it is given up.
const MOST_DRAWS: u64 = 1000;

impl Openings {
    /// From the start of the game.
    pub const START: Self = Self::Random { plies: 0, balance: None };

    /// How many uniformly random plies begin each game.
    pub const fn random_plies(&self) -> u32 {
        match self {
            Self::Random { plies, .. } => *plies,
            Self::Listed { .. } => 0,
        }
    }

    /// What an opening is, as an addition to "one opening": `of 4 random plies`. `None` for the start of the game.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Random { plies: 0, .. } => None,
            Self::Random { plies, balance } => {
                let plies =
                    if *plies == 1 { "of 1 random ply".into() } else { format!("of {plies} random plies") };
                Some(match balance {
                    None => plies,
                    Some(Balance { judge, within }) => {
                        format!("{plies}, by {judge} within {within} of balance")
                    }
                })
            }
            Self::Listed { source, .. } => Some(format!("of {source}")),
        }
    }

    /// The opening of an instance as its part in a trial's identity.
    pub(super) fn content(&self, instance: u64) -> String {
        match self {
            Self::Random { plies, balance: None } => format!("random-plies={plies}"),
            Self::Random { plies, balance: Some(Balance { judge, within }) } => {
                format!("random-plies={plies} balanced={judge} within={within:?}")
            }
            Self::Listed { lines, .. } => format!("moves {}", lines[instance as usize].join(" ")),
        }
    }
}

/// Finds the openings that are balanced, once for each instance.
pub(super) struct Judge<'m> {
    tables: Box<dyn Tables + 'm>,
    within: f64,
    /// Which draw it is, for the instances that were asked about.
    known: Mutex<BTreeMap<u64, u64>>,
}

impl<'m> Judge<'m> {
    /// The judge of an experiment's openings, if they have one.
    pub(super) fn new(experiment: &'m Experiment) -> Option<Self> {
        let Openings::Random { balance: Some(Balance { judge, within }), .. } = &experiment.openings else {
            return None;
        };
        let seats = vec![judge.clone(); usize::from(experiment.game.facts().players)];
        let tables = experiment.game.prepare(&seats).expect("the manifest was checked");
        Some(Self { tables, within: *within, known: Mutex::default() })
    }

    /// The first draw of an instance that is balanced.
    fn draw(&self, experiment: &Experiment, roots: &Roots, instance: u64) -> Result<u64, Failure> {
        let known = || self.known.lock().expect("nobody panics while holding it");
        if let Some(&draw) = known().get(&instance) {
            return Ok(draw);
        }
        for draw in 0..MOST_DRAWS {
            let mut table = self.tables.table();
            let mut deal = LazyCell::new(|| roots.deal(instance));
            let mut rng = roots.opening(experiment, instance, Some(draw));
            play_random(experiment.openings.random_plies(), &mut rng, &mut *table, &mut deal);
            if !matches!(table.turn(), Turn::Player(_)) {
                continue;
            }
            let stream = MoveStream::new(roots.judge(experiment, instance, draw));
            table.decide(stream, experiment.limits)?;
            let (_, view) = table.last_decision().expect("a machine moved last");
            // A forced move is judged by nobody.
            let best = view.moves.iter().map(|estimate| estimate.value).max_by(f64::total_cmp);
            if best.is_some_and(|value| value.abs() <= self.within) {
                known().insert(instance, draw);
                return Ok(draw);
            }
        }
        Err(Failure::NoOpening(MOST_DRAWS))
    }
}

/// Plays the opening of an instance. Chance's turns between random plies are answered by the deal.
pub(super) fn play(
    plan: &Plan<'_>,
    experiment: usize,
    instance: u64,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) -> Result<(), Failure> {
    let (roots, judge) = (&plan.roots[experiment], &plan.judges[experiment]);
    let experiment = &plan.manifest.experiments[experiment];
    match &experiment.openings {
        Openings::Random { plies: 0, .. } => {}
        Openings::Random { plies, .. } => {
            let draw = judge.as_ref().map(|judge| judge.draw(experiment, roots, instance)).transpose()?;
            play_random(*plies, &mut roots.opening(experiment, instance, draw), table, deal);
        }
        Openings::Listed { lines, .. } => {
            for mv in &lines[instance as usize] {
                assert!(table.make_written_move(mv), "{mv} was legal when the manifest was read");
            }
        }
    }
    Ok(())
}

fn play_random(
    plies: u32,
    rng: &mut Rng,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) {
    let mut left = plies;
    while left > 0 {
        match table.turn() {
            Turn::Over => return,
            Turn::Chance => table.let_chance_choose(deal),
            Turn::Player(_) => {
                table.make_random_move(rng);
                left -= 1;
            }
        }
    }
}
