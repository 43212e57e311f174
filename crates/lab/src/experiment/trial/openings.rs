//! The opening of an instance, played on a table.

use std::cell::LazyCell;

use crate::experiment::manifest::openings::{Balance, Openings};
use crate::experiment::plan::planned::Planned;
use crate::game::Turn;
use crate::players::{PlayError, Table, Tables};
use crate::rng::Rng;
use crate::search::{MoveStream, SearchError};

/// The most openings that are drawn for an instance.
const MOST_DRAWS: u64 = 1000;

/// Plays the opening of an instance. The deal decides chance turns between random plies.
///
/// # Errors
/// If no opening is balanced, or the judge fails.
pub(crate) fn play_opening(
    planned: &Planned,
    instance: u64,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) -> Result<(), PlayError> {
    match &planned.experiment.openings {
        Openings::Random { plies: 0, .. } => {}
        Openings::Random { plies, balance } => {
            let judge = planned.judge.as_deref().zip(balance.as_ref());
            let find = |(judge, balance)| {
                planned.balanced_draw(instance, || find_balanced(planned, judge, balance, instance))
            };
            let draw = judge.map(find).transpose()?;
            play_random(*plies, &mut planned.roots.opening(&planned.experiment, instance, draw), table, deal);
        }
        Openings::Listed { lines, .. } => {
            for mv in &lines[instance as usize] {
                assert!(table.make_written_move(mv), "{mv} was legal when the manifest was read");
            }
        }
    }
    Ok(())
}

/// The first draw of an instance that the judge finds balanced.
fn find_balanced(
    Planned { experiment, roots, .. }: &Planned,
    judge: &dyn Tables,
    balance: &Balance,
    instance: u64,
) -> Result<u64, PlayError> {
    let seats = vec![0; usize::from(experiment.game.facts().players)];
    for draw in 0..MOST_DRAWS {
        let mut table = judge.table(&seats);
        let mut deal = LazyCell::new(|| roots.deal(instance));
        let mut rng = roots.opening(experiment, instance, Some(draw));
        play_random(experiment.openings.random_plies(), &mut rng, &mut *table, &mut deal);
        if !matches!(table.turn(), Turn::Player(_)) {
            continue;
        }
        let stream = MoveStream::new(roots.judge(experiment, instance, draw));
        table.decide(stream, experiment.limits)?;
        let (_, view) = table.last_decision().expect("a machine moved last");
        if let Some(limit) = view.found_nothing_within() {
            return Err(SearchError::Budget { limit }.into());
        }
        // A forced move has no value.
        let best = view.moves.iter().map(|estimate| estimate.value).max_by(f64::total_cmp);
        if best.is_some_and(|value| value.abs() <= balance.within) {
            return Ok(draw);
        }
    }
    Err(PlayError::NoOpening(MOST_DRAWS))
}

pub(crate) fn play_random(
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
