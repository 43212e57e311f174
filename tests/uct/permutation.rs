//! Permutation statistics (MCPS), compared with a slow implementation that looks through all playouts.

use std::collections::BTreeMap;

use shikou::game::{Game, NamedGame, Player, Policy, Turn, Uniform};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::hex::Hex;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;
use shikou::search::MoveStream;

use super::decide;

const REFERENCE: u64 = 10;
const WINDOW: usize = 150;

/// A playout: the places of its moves in the tree, all its moves, and its value for the player at the root.
struct Played {
    path: Vec<usize>,
    moves: Vec<(Player, u16)>,
    value: f64,
}

/// The sum and the number of the values of playouts, as this player sees them.
fn sum<'p>(played: impl Iterator<Item = &'p Played>, is_own: bool) -> (f64, f64) {
    played.fold((0.0, 0.0), |(sum, n), played| {
        (sum + if is_own { played.value } else { 1.0 - played.value }, n + 1.0)
    })
}

/// The visits of each move at the start.
fn slow_visits<G: Game>(game: &G, seed: u64, iterations: u64) -> Vec<u64> {
    let start = game.start();
    let key = MoveStream::new(PlayoutKey::new(seed)).playouts().child(0);
    let mut all: Vec<Played> = Vec::new();
    // The playouts in the window, of which a node's table was made.
    let mut windows: BTreeMap<Vec<usize>, (usize, usize)> = BTreeMap::new();
    let through = |all: &[Played], path: &[usize]| -> Vec<usize> {
        (0..all.len()).filter(|&at| all[at].path.starts_with(path)).collect()
    };
    for iteration in 0..iterations {
        let (mut at, mut path, mut moves, mut reference) = (start, Vec::new(), Vec::new(), Vec::new());
        while let Turn::Player(mover) = game.turn(&at) {
            let visits = through(&all, &path).len() as u64;
            if !path.is_empty() && visits == 0 {
                break;
            }
            if visits > REFERENCE {
                reference.clone_from(&path);
            }
            let window = (all.len().saturating_sub(WINDOW), all.len());
            let (from, to) = if reference.is_empty() {
                window
            } else {
                *windows.entry(reference.clone()).or_insert(window)
            };
            // A node has no table of its own at its first visit, except the root.
            let below =
                through(&all, &reference).split_off(usize::from(!reference.is_empty() && !all.is_empty()));
            let led = &moves[..reference.len()];
            let is_own = mover == Player::FIRST;
            let bound = |(place, mv): (usize, G::Move)| {
                let name = (mover, game.move_number(mv).unwrap());
                let child = [&path[..], &[place]].concat();
                let own = sum(through(&all, &child).into_iter().map(|at| &all[at]), true);
                let after = |played: &&Played| played.moves[reference.len()..].contains(&name);
                let amaf = sum(below.iter().map(|&at| &all[at]).filter(after), is_own);
                let with_all =
                    |played: &&Played| led.iter().chain([&name]).all(|mv| played.moves.contains(mv));
                let permuted = sum(all[from..to].iter().filter(with_all), is_own);
                // Equal bounds must be equal to the bit: the mean is that of payoffs, on the scale from 0 to 1.
                let mean = ((2.0 * own.0 - own.1) / own.1.max(1.0) + 1.0) * 0.5;
                let mean = if is_own { mean } else { 1.0 - mean };
                let n = own.1 + amaf.1 + permuted.1;
                if n == 0.0 { f64::INFINITY } else { (own.1 * mean + amaf.0 + permuted.0) / n }
            };
            let legal: Vec<G::Move> = game.moves(&at).collect();
            let bounds: Vec<f64> = legal.iter().copied().enumerate().map(bound).collect();
            let most = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let best = bounds.iter().position(|&bound| bound == most).unwrap();
            path.push(best);
            moves.push((mover, game.move_number(legal[best]).unwrap()));
            game.apply(&mut at, legal[best]);
        }
        let mut draws = key.playout(iteration);
        while let Turn::Player(mover) = game.turn(&at) {
            let mv = Uniform.choose(game, &at, &mut draws);
            moves.push((mover, game.move_number(mv).unwrap()));
            game.apply(&mut at, mv);
        }
        let value = f64::midpoint(f64::from(game.payoff(&at, Player::FIRST)), 1.0);
        all.push(Played { path, moves, value });
    }
    (0..game.moves(&start).count()).map(|place| through(&all, &[place]).len() as u64).collect()
}

#[test]
fn permutations_are_counted_as_defined() {
    fn compare<G: NamedGame>(game: &G) {
        for seed in 0..3 {
            let spec =
                format!("uct(selection=mcps(reference={REFERENCE},window={WINDOW}),ties=first)@playouts=400");
            let (decision, _) = decide(&spec, game, &game.start(), seed);
            let found: Vec<u64> = decision.moves.iter().map(|estimate| estimate.visits).collect();
            assert_eq!(found, slow_visits(game, seed, 400), "seed {seed}");
        }
    }
    compare(&TicTacToe);
    compare(&Hex::new(4));
    compare(&Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap());
}
