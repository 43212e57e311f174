//! Two games side by side, as text.

use super::{OUTCOMES, Scene};
use crate::game::{Outcome, Player};
use crate::players::Twins;
use crate::report::{Block, Table, column, columns};

pub(super) fn ending(outcome: Outcome) -> &'static str {
    OUTCOMES.into_iter().find(|&(known, _)| known == outcome).expect("all are listed").1
}

impl Scene {
    pub(super) fn names(&self) -> [&str; 2] {
        self.two.each_ref().map(|player| player.name.as_str())
    }

    /// The name of the opponent; none in a solitaire.
    pub(super) fn against(&self) -> Option<&str> {
        self.against.as_ref().map(|player| player.name.as_str())
    }

    /// These words and the opponent, if there is one.
    pub(super) fn opposed(&self, words: &str) -> String {
        self.against().map_or_else(String::new, |against| format!("{words}{against}"))
    }

    /// The results, the moves with a note beside each, and the final positions.
    pub(super) fn games(&self, twins: &Twins, note: &str, notes: &[Vec<String>; 2]) -> [Block; 3] {
        let ([a, b], [first, second]) = (&twins.games, self.names());
        let seat =
            if self.against.is_some() { format!(", seat {}", twins.seat.index() + 1) } else { String::new() };
        let head = format!(
            "Seed {}{seat}{}: {first} {}, {second} {}.",
            twins.seed,
            self.opposed(", against "),
            ending(a.outcome),
            ending(b.outcome),
        );
        let ends = beside(&format!("{first}\n{}", a.drawing), &format!("{second}\n{}", b.drawing));
        [head.into(), self.side_by_side(twins, note, notes).into(), Block::Picture(vec![ends])]
    }

    /// Both games, ply by ply.
    fn side_by_side(&self, twins: &Twins, note: &str, notes: &[Vec<String>; 2]) -> Table {
        let move_of = |game: usize| {
            move |number: &usize| {
                let ply = twins.games[game].plies.get(*number);
                Some(ply.map_or_else(Default::default, |ply| {
                    [ply.mv.clone().into(), (&notes[game][*number]).into()]
                }))
            }
        };
        let [first, second] = self.names().map(|name| format!("<{name}"));
        let note = format!(">{note}");
        let longest = twins.games.iter().map(|game| game.plies.len()).max().unwrap_or(0);
        Table::of(
            &(0..longest).collect::<Vec<_>>(),
            [
                column(">ply", &|number| number + 1),
                column("<to move", &|number| self.who(twins, *number)),
                columns([&first, &note], &move_of(0)),
                columns([&second, &note], &move_of(1)),
                column("<", &|number| {
                    if twins.parting() == Some(*number) { "← they diverge here" } else { "" }
                }),
            ],
        )
    }

    /// The player to move at a ply; of both games if they differ, as they may with chance turns.
    fn who(&self, twins: &Twins, number: usize) -> String {
        let who = |by: Option<Player>| match by {
            Some(player) if player == twins.seat => "the two",
            Some(_) => self.against().expect("a game with another player has an opponent"),
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
