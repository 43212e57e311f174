//! The loss of players against the best response, position by position.

use rayon::prelude::*;
use serde::Serialize;

use super::PLACES;
use crate::exact::{ExactError, Fraction, Keep, Known, Shortfall, Values, percent, shortfalls};
use crate::game::{Player, divided};
use crate::players::Explored;
use crate::report::{Block, Table, counted, object};

/// The loss of a player in a seat.
pub(super) struct Missed {
    player: String,
    /// From 1.
    seat: usize,
    /// The share of all games that the best response wins more.
    all: Fraction,
    /// The number of positions.
    positions: usize,
    /// The dearest of them.
    dearest: Vec<Place>,
}

struct Place {
    /// As the game writes it, else the moves that can be made there.
    position: String,
    plays: Vec<String>,
    best: Vec<String>,
    /// The share of all games that come there and that are lost because of it; the probability to win after the move of the
    /// player, and after the best move, with the best response from there on.
    shares: [Fraction; 4],
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
        let dearest = found.iter().take(most).map(|shortfall| position(all, player, shortfall));
        Ok(Missed {
            player: player.name().into(),
            seat: seat.index() + 1,
            all: found.iter().map(Shortfall::cost).sum(),
            positions: found.len(),
            dearest: dearest.collect::<Result<_, ExactError>>()?,
        })
    };
    divided(|| cases.par_iter().map(missed).collect())
}

fn position(all: &dyn Explored, player: &Known<'_>, shortfall: &Shortfall) -> Result<Place, ExactError> {
    let Shortfall { number, chance, best, played, moves } = shortfall;
    let written = all.moves(*number);
    let those = |edges: Vec<usize>| edges.into_iter().map(|edge| written[edge].clone()).collect();
    Ok(Place {
        position: all.text(*number).unwrap_or_else(|| written.join(" ")),
        plays: those(player.choices(*number)?.collect()),
        best: those((0..moves.len()).filter(|&edge| moves[edge] == *best).collect()),
        shares: [chance.clone(), shortfall.cost(), played.clone(), best.clone()],
    })
}

/// A share in percent, which may be below 0.
fn signed(share: &Fraction) -> String {
    let minus = if *share < Fraction::default() { "−" } else { "" };
    let size = if minus.is_empty() { share.clone() } else { -share };
    format!("{minus}{}", percent(&size, PLACES))
}

impl Missed {
    /// The loss as data, with shares as fractions.
    pub(super) fn json(&self) -> impl Serialize {
        let place = |Place { position, plays, best, shares }: &Place| {
            let [comes_up, costs, wins, best_wins] = shares.each_ref().map(ToString::to_string);
            let (position, plays, best) = (position.clone(), plays.clone(), best.clone());
            object! { position, comes_up, costs, plays, wins, best, best_wins }
        };
        let dearest: Vec<_> = self.dearest.iter().map(place).collect();
        let Self { player, seat, all, positions, .. } = self;
        object! { player, seat, all: all.to_string(), positions, dearest }
    }

    /// A sentence, and a table of the positions.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let Self { player, all, positions, dearest, .. } = self;
        let seat = if self.seat == 1 { "first" } else { "second" };
        if *positions == 0 {
            let sentence =
                format!("{player}, {seat}: no player that keeps the value of every position wins more.");
            return vec![sentence.into()];
        }
        let positions = counted(*positions as u64, "position");
        let sentence =
            format!("{player}, {seat}: wins {} % of all games fewer, because of {positions}", signed(all));
        let head = ["<position", ">comes up %", ">costs %", "<plays", ">wins %", "<best", ">wins %"];
        let mut table = Table::new(&head);
        for Place { position, plays, best, shares } in dearest {
            let [comes_up, costs, wins, best_wins] = shares.each_ref().map(signed);
            table.row([position.clone(), comes_up, costs, plays.join(" "), wins, best.join(" "), best_wins]);
        }
        let mut blocks = vec![sentence.into()];
        blocks.extend((!table.is_empty()).then_some(Block::Table(table)));
        blocks
    }
}
