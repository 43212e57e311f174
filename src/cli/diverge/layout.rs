//! Two games side by side, as text.

use super::OUTCOMES;
use crate::game::{Outcome, Player};
use crate::players::{Played, Twins};
use crate::report::{Block, Table};

/// The names of the players.
pub(super) struct Scene<'a> {
    pub(super) names: [&'a str; 2],
    /// None in a solitaire.
    pub(super) against: Option<&'a str>,
}

pub(super) fn ending(outcome: Outcome) -> &'static str {
    OUTCOMES.into_iter().find(|&(known, _)| known == outcome).expect("all are listed").1
}

impl Scene<'_> {
    /// These words and the opponent, if there is one.
    pub(super) fn opposed(&self, words: &str) -> String {
        self.against.map_or_else(String::new, |against| format!("{words}{against}"))
    }

    /// The results, the moves with a note beside each, and the final positions.
    pub(super) fn games(&self, twins: &Twins, note: &str, notes: &[Vec<String>; 2]) -> [Block; 3] {
        let [a, b] = &twins.games;
        let seat =
            if self.against.is_some() { format!(", seat {}", twins.seat.index() + 1) } else { String::new() };
        let head = format!(
            "Seed {}{seat}{}: {} {}, {} {}.",
            twins.seed,
            self.opposed(", against "),
            self.names[0],
            ending(a.outcome),
            self.names[1],
            ending(b.outcome),
        );
        let ends = beside(
            &format!("{}\n{}", self.names[0], a.drawing),
            &format!("{}\n{}", self.names[1], b.drawing),
        );
        [head.into(), self.side_by_side(twins, note, notes).into(), Block::Picture(vec![ends])]
    }

    /// Both games, ply by ply.
    fn side_by_side(&self, twins: &Twins, note: &str, notes: &[Vec<String>; 2]) -> Table {
        let [a, b] = self.names;
        let mut table = Table::new(&[
            ">ply".into(),
            "<to move".into(),
            format!("<{a}"),
            format!(">{note}"),
            format!("<{b}"),
            format!(">{note}"),
            "<".into(),
        ]);
        let [left, right] = &twins.games;
        for number in 0..left.plies.len().max(right.plies.len()) {
            let cells = |game: &Played, notes: &[String]| match game.plies.get(number) {
                Some(ply) => [ply.mv.clone(), notes[number].clone()],
                None => [String::new(), String::new()],
            };
            let who = self.who(twins, number);
            let parting = if twins.parting() == Some(number) { "← they diverge here" } else { "" };
            let row = [(number + 1).to_string(), who].into_iter().chain(cells(left, &notes[0]));
            table.row(row.chain(cells(right, &notes[1])).chain([parting.into()]));
        }
        table
    }

    /// The player to move at a ply; of both games if they differ, as they may with chance turns.
    fn who(&self, twins: &Twins, number: usize) -> String {
        let who = |by: Option<Player>| match by {
            Some(player) if player == twins.seat => "the two",
            Some(_) => self.against.expect("a game with another player has an opponent"),
            None => "chance",
        };
        let [left, right] = twins.games.each_ref().map(|game| game.plies.get(number).map(|ply| who(ply.by)));
        match (left, right) {
            (Some(left), Some(right)) if left != right => format!("{left} / {right}"),
            (left, right) => left.or(right).expect("one is as long").into(),
        }
    }
}

/// Two texts, the second to the right of the first.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let rows = left.lines().count().max(right.lines().count());
    let (mut left, mut right) = (left.lines(), right.lines());
    let row = |_| {
        let (left, right) = (left.next().unwrap_or(""), right.next().unwrap_or(""));
        format!("{left:<width$}    {right}").trim_end().to_owned()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}
