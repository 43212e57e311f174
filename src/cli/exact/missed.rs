//! The loss of players against the best response, position by position.

use rayon::prelude::*;
use serde::Serialize;

use super::PLACES;
use crate::exact::{ExactError, Fraction, Keep, Known, Shortfall, Values, percent, shortfalls};
use crate::game::{Player, divided};
use crate::players::Explored;
use crate::report::{Block, Table, counted};

/// The loss of a player in a seat.
#[derive(Serialize)]
pub(super) struct Missed {
    player: String,
    /// From 1.
    seat: u8,
    /// The share of all games that the best response wins more.
    all: String,
    /// The number of positions.
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
    /// The share of all games lost because of it.
    costs: String,
    plays: Vec<String>,
    /// The probability to win after that, with the best response from there on.
    wins: String,
    best: Vec<String>,
    best_wins: String,
    /// Comes up, costs, wins and the best wins in percent.
    #[serde(skip)]
    percents: [String; 4],
}

/// The loss of each player from each seat, with at most this many positions.
pub(super) fn all_missed<'g>(
    all: &dyn Explored,
    players: &[Known<'g>],
    against: &Known<'g>,
    values: &Values,
    most: usize,
) -> Result<Vec<Missed>, ExactError> {
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
            dearest: dearest.collect::<Result<_, ExactError>>()?,
            percent: signed(&sum),
        })
    };
    divided(|| cases.par_iter().map(missed).collect())
}

fn position(all: &dyn Explored, player: &Known<'_>, shortfall: &Shortfall) -> Result<Place, ExactError> {
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

impl Missed {
    /// A sentence, and a table of the positions.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let Self { player, percent, positions, dearest, .. } = self;
        let seat = if self.seat == 1 { "first" } else { "second" };
        if *positions == 0 {
            let sentence =
                format!("{player}, {seat}: no player that keeps the value of every position wins more.");
            return vec![sentence.into()];
        }
        let positions = counted(*positions as u64, "position");
        let sentence =
            format!("{player}, {seat}: wins {percent} % of all games fewer, because of {positions}");
        let head = ["<position", ">comes up %", ">costs %", "<plays", ">wins %", "<best", ">wins %"];
        let mut table = Table::new(&head);
        for Place { position, plays, best, percents, .. } in dearest {
            let [comes_up, costs, wins, best_wins] = percents.clone();
            table.row([position.clone(), comes_up, costs, plays.join(" "), wins, best.join(" "), best_wins]);
        }
        let mut blocks = vec![sentence.into()];
        blocks.extend((!table.is_empty()).then_some(Block::Table(table)));
        blocks
    }
}
