//! An experiment of a plan: its cells, its players resolved for its game, its names and streams.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Cell, Roots};
use crate::manifest::{Balance, Experiment, Manifest, Openings, Read, waits_for};
use crate::players::{AnyGame, FitError, Tables};

pub(crate) struct Planned {
    pub(crate) experiment: Arc<Experiment>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) roots: Roots,
    /// The players, resolved for each of its games.
    tables: Vec<Box<dyn Tables>>,
    /// The judge of its openings at every seat, if they are balanced.
    pub(crate) judge: Option<Box<dyn Tables>>,
    /// For each played instance, the first draw of its opening that the judge finds balanced. It is a function of the
    /// plan, cached because every cell of an instance needs it.
    balanced: Mutex<BTreeMap<u64, u64>>,
}

impl Planned {
    pub(super) fn new(manifest: &Manifest, index: usize, experiment: &Arc<Experiment>) -> Read<Self> {
        for (player, spec) in experiment.players.iter().enumerate() {
            if let Some(name) = waits_for(&spec.searcher) {
                let is_training = manifest.trainings().any(|training| training.name == name);
                let kind = if is_training { "training" } else { "optimisation" };
                let reason = format!("it waits for the {kind} `{name}`; `shikou run` plays that first");
                let of = (&*experiment.game, &spec.searcher);
                return Err(manifest.misfit(index, Some(player), of, &FitError::searcher(reason)));
            }
        }
        let players: Vec<_> = experiment.players.iter().map(|player| player.searcher.clone()).collect();
        let prepare = |game: &Arc<dyn AnyGame>| {
            game.prepare(&players).map_err(|unfit| {
                let of = (&**game, &players[unfit.player]);
                manifest.misfit(index, Some(unfit.player), of, &unfit.error)
            })
        };
        let tables = experiment.games().iter().map(prepare).collect::<Result<_, _>>()?;
        let judge = match &experiment.openings {
            Openings::Random { balance: Some(Balance { judge, .. }), .. } => {
                let judged = experiment.game.prepare(std::slice::from_ref(judge));
                let of = (&*experiment.game, judge);
                Some(judged.map_err(|unfit| manifest.misfit(index, None, of, &unfit.error))?)
            }
            _ => None,
        };
        let cells = Cell::of(experiment);
        let roots = Roots::new(experiment, &cells);
        Ok(Self {
            experiment: Arc::clone(experiment),
            cells,
            roots,
            tables,
            judge,
            balanced: Mutex::default(),
        })
    }

    /// The players, resolved for the game of an instance.
    pub(crate) fn tables(&self, instance: u64) -> &dyn Tables {
        &*self.tables[self.experiment.game_number(instance)]
    }

    /// Whether something holds for the players in any of its games.
    pub(crate) fn any_tables(&self, holds: impl Fn(&dyn Tables) -> bool) -> bool {
        self.tables.iter().any(|tables| holds(&**tables))
    }

    /// The draw of the balanced opening of an instance. `find` is called if it is not known yet.
    pub(crate) fn balanced_draw<E>(
        &self,
        instance: u64,
        find: impl FnOnce() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let known = || self.balanced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&draw) = known().get(&instance) {
            return Ok(draw);
        }
        let draw = find()?;
        known().insert(instance, draw);
        Ok(draw)
    }
}
