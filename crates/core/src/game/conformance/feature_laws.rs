//! The law of the differences between moves.

use std::ops::ControlFlow;

use super::catalogue::{ExaminedFeatures, ExaminedSum};
use super::object::{Examined, Value};
use super::subject::{Verdict, require};
use crate::game::{ChildSum, Ends, Player};

/// Checks that the numbers and sums after moves differ as those of the positions after them.
pub(super) fn differences(
    game: &dyn Examined,
    features: &dyn ExaminedFeatures,
    prepared: Option<&dyn ExaminedSum>,
    position: &Value,
    player: Player,
) -> Verdict {
    let count = features.names().len();
    let mut shown: Vec<Vec<i32>> = Vec::new();
    features.after_moves(position, player, &mut |number, index, value| {
        shown.resize(shown.len().max(number + 1), vec![0; count]);
        shown[number][index] += value;
    });
    shown.resize(game.move_count(position) as usize, vec![0; count]);
    let mut first: Option<Vec<i32>> = None;
    for (mv, shown) in game.moves(position, usize::MAX).iter().zip(&shown) {
        let mut values = vec![0; count];
        features.values(&game.after(position, mv), player, &mut values);
        let common: Vec<i32> = values.iter().zip(shown).map(|(value, shown)| value - shown).collect();
        let expected = first.get_or_insert_with(|| common.clone());
        require!(
            *expected == common,
            "after {} they differ from those after the first move otherwise than shown",
            game.notation(position, mv)
        )?;
    }
    let Some(prepared) = prepared else { return Ok(()) };
    for ends in [Ends::Known, Ends::Unknown] {
        let (mut each, mut compared) = (Vec::new(), Vec::new());
        prepared.each_child(position, player, ends, &mut |sum| {
            each.push(sum);
            ControlFlow::Continue(())
        });
        prepared.compare_children(position, player, ends, &mut |sum| {
            compared.push(sum);
            ControlFlow::Continue(())
        });
        let sum = |child: ChildSum| if let ChildSum::Sum(sum) = child { Some(sum) } else { None };
        let common =
            |(&each, &compared)| sum(each).zip(sum(compared)).map(|(each, compared)| each - compared);
        let alike =
            each == compared
                || each.len() == compared.len()
                    && each.iter().zip(&compared).map(common).all(|difference| {
                        difference.is_some() && difference == common((&each[0], &compared[0]))
                    });
        require!(alike, "prepared, the sums after moves are {each:?}, and compared {compared:?}")?;
    }
    Ok(())
}
