//! A game of one's own: plays one random game of Connect Four and draws how it ends.
//!
//! `cargo run --example connect-four`

mod game;

use game::ConnectFour;
use shikou::game::{Game, Player, Uniform, play_out};
use shikou::rng::PlayoutKey;

fn main() {
    let game = ConnectFour;
    let mut board = game.start();
    let plies = play_out(&game, &Uniform, &mut board, &mut PlayoutKey::new(4).playout(0));
    println!("{}", game.drawing(&board));
    println!("a {} for the first player after {plies} plies", game.outcome(&board, Player::FIRST));
}
