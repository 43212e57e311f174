//! A game of one's own, and a search that plays it, with nothing but the core: `cargo run --release -p just-search`.
//!
//! Kayles: a throw knocks down one standing pin of a row, or two that stand side by side; whoever takes the last pin wins. The
//! first player can win with any number of pins (Dudeney 1908, "The Canterbury Puzzles", no. 73).

use std::sync::Arc;

use shikou_core::game::{Facts, Game, Player, Turn, Uniform};
use shikou_core::rng::PlayoutKey;
use shikou_core::search::{Budget, Limits, Meter, MoveStream, Searcher as _, Solver, Uct, UctSettings};

/// The rules, with the number of pins.
#[derive(Clone)]
struct Kayles(u32);

impl Game for Kayles {
    type Position = (u32, Player); // a bit for each standing pin, and the player to throw
    type Move = u32; // the pins that fall

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(self.0)
    }
    fn start(&self) -> Self::Position {
        ((1 << self.0) - 1, Player::FIRST)
    }
    fn turn(&self, &(pins, player): &Self::Position) -> Turn {
        if pins == 0 { Turn::Over } else { Turn::Player(player) }
    }
    fn moves(&self, &(pins, _): &Self::Position) -> impl Iterator<Item = u32> {
        let throws = (0..self.0).flat_map(|pin| [1 << pin, 3 << pin]);
        throws.filter(move |fallen| pins & fallen == *fallen)
    }
    fn apply(&self, (pins, player): &mut Self::Position, fallen: u32) {
        *pins ^= fallen;
        *player = player.other();
    }
    fn payoff(&self, &(_, to_throw): &Self::Position, player: Player) -> i32 {
        if player == to_throw { -1 } else { 1 } // the opponent took the last pin
    }
    fn notation(&self, _: &Self::Position, fallen: u32) -> String {
        format!("{}{}", fallen.trailing_zeros() + 1, if fallen.count_ones() == 2 { "+" } else { "" })
    }
    fn drawing(&self, &(pins, player): &Self::Position) -> String {
        let row: String = (0..self.0).map(|pin| if pins >> pin & 1 == 1 { '!' } else { '.' }).collect();
        format!("{row}  {player} throws")
    }
}

fn main() {
    let game = Kayles(9);
    let plain = UctSettings::new(Arc::new(Uniform));
    let mut uct = Uct::new(UctSettings { solver: Solver::Bounds { probe: 0, backup: 0 }, ..plain });
    let mut position = game.start();
    for ply in 0.. {
        println!("{}", game.drawing(&position));
        if game.turn(&position) == Turn::Over {
            break;
        }
        let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(20_000));
        let stream = MoveStream::new(PlayoutKey::new(ply));
        let decision = uct.choose(&game, &position, stream, &mut meter).expect("no limit is set");
        game.apply(&mut position, decision.chosen);
    }
    assert_eq!(game.payoff(&position, Player::FIRST), 1);
}
