//! Whether players are the same: tables of the decisions at which their move probabilities differ.

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::field::written;
use crate::exact::{Difference, ExactError, Fraction, Known, Sameness, percent, sameness};
use crate::game::{Player, divided};
use crate::players::Explored;
use crate::report::{Block, Table, column, columns, object, optional, with_thousands};

/// Two players, and how they compare in each seat of the game.
pub(super) struct Compared {
    players: [String; 2],
    seats: Vec<Sameness>,
}

/// Compares each two, in a game with this number of seats.
pub(super) fn compare<'g>(
    all: &Explored<'_>,
    pairs: &[(&Known<'g>, &Known<'g>)],
    seats: u8,
) -> Result<Vec<Compared>, ExactError> {
    let both = |&(a, b): &(&Known<'g>, &Known<'g>)| {
        let seats = (0..seats).map(|seat| sameness(all, [a, b], Player::new(seat)));
        let players = [a, b].map(|player| player.name().to_owned());
        Ok(Compared { players, seats: seats.collect::<Result<_, ExactError>>()? })
    };
    divided(|| pairs.par_iter().map(both).collect())
}

impl Compared {
    fn sum(&self, of: impl Fn(&Sameness) -> usize) -> usize {
        self.seats.iter().map(of).sum()
    }

    fn is_same(&self) -> bool {
        self.sum(|seat| seat.different) == 0
    }

    /// The share of the decisions of all seats at which the two differ.
    fn share(&self) -> Fraction {
        let [different, decisions] =
            [self.sum(|seat| seat.different), self.sum(|seat| seat.decisions).max(1)];
        Fraction::new(different.into(), decisions.into())
    }

    pub(super) fn json(&self, all: &Explored<'_>) -> impl Serialize {
        let difference = |Difference { line, number, chances }: &Difference| {
            let moves = all.moves(*number).into_iter().enumerate().map(|(edge, mv)| {
                let [one, other] = chances.each_ref().map(|of| of[edge].to_string());
                object! { mv, chances: [one, other] }
            });
            let moves: Vec<_> = moves.collect();
            object! { line: written(all, all.graph().start(), line), position: all.text(*number), moves }
        };
        let seat = |(seat, found): (usize, &Sameness)| {
            let &Sameness { decisions, different, .. } = found;
            let first = optional("first_difference", found.first.as_ref().map(difference));
            object! { seat: seat + 1, decisions, different, #[serde(flatten)] first }
        };
        let seats: Vec<_> = self.seats.iter().enumerate().map(seat).collect();
        object! { players: self.players.clone(), same: self.is_same(), share: self.share().to_string(), seats }
    }
}

/// A row for each two, and for two alone the first difference.
pub(super) fn blocks(all: &Explored<'_>, compared: &[Compared]) -> Vec<Block> {
    let cells = |seat: Option<&Sameness>| {
        seat.map(|found| {
            [found.decisions, found.different].map(|number| with_thousands(number as u64).into())
        })
    };
    let table = Table::of(
        compared,
        [
            column("<players", &|of: &Compared| of.players.join(", ")),
            columns([">first: decisions", ">differ"], &|of| cells(of.seats.first())),
            columns([">second: decisions", ">differ"], &|of| cells(of.seats.get(1))),
            column(">differ %", &|of| percent(&of.share(), super::PLACES)),
        ],
    );
    let mut blocks: Vec<Block> = vec![table.into()];
    if let [only] = compared {
        let nearest = |(_, first): &(usize, &Difference)| first.line.len();
        let firsts = only.seats.iter().enumerate();
        let firsts = firsts.filter_map(|(seat, found)| Some((seat, found.first.as_ref()?)));
        match firsts.min_by_key(nearest) {
            Some((seat, first)) => blocks.extend(difference(all, &only.players, seat, first)),
            None => blocks.push(format!("{} are the same player.", only.players.join(" and ")).into()),
        }
    }
    let note = "Decisions: the positions to decide that come up when either of the two plays that seat against any \
                opponent; mirror images count as different positions.";
    blocks.push(note.into());
    blocks
}

/// A position with the move probabilities of two players.
fn difference(all: &Explored<'_>, players: &[String; 2], seat: usize, first: &Difference) -> [Block; 2] {
    let line = written(all, all.graph().start(), &first.line);
    let opening = if line.is_empty() { "at the start".into() } else { format!("after {}", line.join(" ")) };
    let text = format!("The first difference (seat {}), {opening}:\n{}", seat + 1, all.drawing(first.number));
    let mut table = Table::new(&["<move".into(), format!(">{}", players[0]), format!(">{}", players[1])]);
    for (edge, mv) in all.moves(first.number).into_iter().enumerate() {
        let [one, other] = first.chances.each_ref().map(|of| of[edge].to_string());
        table.row([mv, one, other]);
    }
    [text.into(), table.into()]
}
