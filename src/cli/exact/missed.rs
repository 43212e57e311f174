//! What players miss against the best response, position by position.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;

use super::meetings::PLACES;
use crate::exact::{Fraction, Keep, Known, NoExact, Shortfall, Values, percent, shortfalls};
use crate::game::Player;
use crate::players::Explored;
use crate::report::{Table, with_thousands};

/// What a player in a seat misses.
#[derive(Serialize)]
pub(super) struct Missed {
    player: String,
    /// From 1.
    seat: u8,
    /// The share of all games that the best response wins more.
    all: String,
    /// In how many positions.
    positions: usize,
    /// The dearest of them.
    dearest: Vec<Place>,
    #[serde(skip)]
    percent: String,
}

#[derive(Serialize)]
struct Place {
    /// As the game writes it, else the moves that can be made there.
    position: String,
    /// The share of all games that come there.
    comes_up: String,
    /// The share of all games that is won less because of it.
    costs: String,
    plays: Vec<String>,
    /// The chance to win behind that, with the best response from there on.
    wins: String,
    best: Vec<String>,
    best_wins: String,
    /// Comes up, costs, wins and the best wins in percent.
    #[serde(skip)]
    percents: [String; 4],
}

/// What each player misses from each seat, with so many positions.
pub(super) fn all_missed<'g>(
    all: &dyn Explored,
    players: &[Known<'g>],
    against: &Known<'g>,
    values: &Values,
    most: usize,
) -> Result<Vec<Missed>, NoExact> {
    let seats = [Player::FIRST, Player::SECOND];
    let cases: Vec<_> =
        players.iter().flat_map(|player| seats.into_iter().map(move |seat| (player, seat))).collect();
    let missed = |&(player, seat): &(&Known<'g>, Player)| {
        let players = if seat == Player::FIRST { [player, against] } else { [against, player] };
        let found = shortfalls(all, players, seat, Keep::EveryPosition, values)?;
        let sum: Fraction = found.iter().map(Shortfall::cost).sum();
        let dearest = found.iter().take(most).map(|shortfall| position(all, player, shortfall));
        Ok(Missed {
            player: player.name().into(),
            seat: seat.index() as u8 + 1,
            all: sum.to_string(),
            positions: found.len(),
            dearest: dearest.collect::<Result<_, NoExact>>()?,
            percent: signed(&sum),
        })
    };
    cases.par_iter().map(missed).collect()
}

fn position(all: &dyn Explored, player: &Known<'_>, shortfall: &Shortfall) -> Result<Place, NoExact> {
    let Shortfall { number, chance, best, played, moves } = shortfall;
    let written = all.moves(*number);
    let those = |edges: Vec<usize>| edges.into_iter().map(|edge| written[edge].clone()).collect();
    let cost = shortfall.cost();
    Ok(Place {
        position: all.text(*number).unwrap_or_else(|| written.join(" ")),
        comes_up: chance.to_string(),
        costs: cost.to_string(),
        plays: those(player.choices(*number)?.collect()),
        wins: played.to_string(),
        best: those((0..moves.len()).filter(|&edge| moves[edge] == *best).collect()),
        best_wins: best.to_string(),
        percents: [signed(chance), signed(&cost), signed(played), signed(best)],
    })
}

/// A share in percent, which may be below 0.
fn signed(share: &Fraction) -> String {
    let minus = if *share < Fraction::default() { "−" } else { "" };
    let size = if minus.is_empty() { share.clone() } else { -share };
    format!("{minus}{}", percent(&size, PLACES))
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, percent, positions, dearest, .. } = self;
        let seat = if self.seat == 1 { "first" } else { "second" };
        if *positions == 0 {
            return write!(f, "{player}, {seat}: nobody who gives no position away wins more.");
        }
        let plural = if *positions == 1 { "" } else { "s" };
        let positions = with_thousands(*positions as u64);
        write!(f, "{player}, {seat}: wins {percent} % of all games less, in {positions} position{plural}")?;
        if dearest.is_empty() {
            return Ok(());
        }
        let head = ["<position", ">comes up %", ">costs %", "<plays", ">wins %", "<best", ">wins %"];
        let mut table = Table::new(&head);
        for Place { position, plays, best, percents, .. } in dearest {
            let [comes_up, costs, wins, best_wins] = percents.clone();
            table.row([position.clone(), comes_up, costs, plays.join(" "), wins, best.join(" "), best_wins]);
        }
        write!(f, "\n{table}")
    }
}
