//! Playout policy adaptation, compared with a slow implementation of the published algorithms.

use std::collections::BTreeMap;

use shikou::game::{Game, GameExt, NamedGame, Player, Turn};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::capture_go::{CaptureGo, Goal};
use shikou::games::domineering::Domineering;
use shikou::players::build;
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::MoveStream;

use crate::support::{ask_within, searcher};

type Code<G> = fn(&G, &<G as Game>::Position, <G as Game>::Move) -> u16;

/// UCT with the policy of algorithms 1 and 2 of Cazenave 2015, of which nothing is kept but the policy itself.
struct Slow<'g, G: Game> {
    game: &'g G,
    alpha: f64,
    code: Code<G>,
    policy: BTreeMap<(Player, u16), f64>,
}

impl<G: Game> Slow<'_, G> {
    fn weight(&self, at: &G::Position, mv: G::Move) -> f64 {
        let Turn::Player(player) = self.game.turn(at) else { panic!("a player moves") };
        let code = (self.code)(self.game, at, mv);
        self.policy.get(&(player, code)).copied().unwrap_or(0.0).exp()
    }

    /// A move in proportion to exp of its weight.
    fn sample(&self, at: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        let sum: f64 = self.game.moves(at).map(|mv| self.weight(at, mv)).sum();
        let mut pick = f64::from(draws.next_u32()) / 4_294_967_296.0 * sum;
        let mut moves = self.game.moves(at);
        moves
            .find(|&mv| {
                pick -= self.weight(at, mv);
                pick < 0.0
            })
            .expect("a pick below the sum falls on a move")
    }

    /// Learns from the moves of the winner.
    fn adapt(&mut self, start: &G::Position, line: &[G::Move], winner: Player) {
        let (mut at, mut adapted) = (*start, self.policy.clone());
        for &mv in line {
            if self.game.turn(&at) == Turn::Player(winner) {
                let key = |mv| (winner, (self.code)(self.game, &at, mv));
                *adapted.entry(key(mv)).or_default() += self.alpha;
                let sum: f64 = self.game.moves(&at).map(|mv| self.weight(&at, mv)).sum();
                for mv in self.game.moves(&at) {
                    *adapted.entry(key(mv)).or_default() -= self.alpha * self.weight(&at, mv) / sum;
                }
            }
            self.game.apply(&mut at, mv);
        }
        self.policy = adapted;
    }

    /// The visits of each move after some iterations, by a tree of lines. Ties go to the first move.
    fn visits(&mut self, start: &G::Position, seed: u64, iterations: u64) -> Vec<u64> {
        let Turn::Player(own) = self.game.turn(start) else { panic!("a player moves") };
        let key = MoveStream::new(PlayoutKey::new(seed)).playouts().child(0);
        // The visits of each line, and the games that its player at the root won.
        let mut tree: BTreeMap<Vec<usize>, (u64, f64)> = BTreeMap::new();
        let of = |tree: &BTreeMap<_, _>, line: &[usize]| tree.get(line).copied().unwrap_or((0, 0.0));
        for iteration in 0..iterations {
            let (mut at, mut path, mut line) = (*start, Vec::new(), Vec::new());
            while self.game.turn(&at) != Turn::Over && (path.is_empty() || of(&tree, &path).0 > 0) {
                let mine = self.game.turn(&at) == Turn::Player(own);
                let all = f64::max(of(&tree, &path).0 as f64, 1.0);
                let bound = |index| {
                    let (visits, won) = of(&tree, &[&path[..], &[index]].concat());
                    let (n, mean) = (visits as f64, won / visits as f64);
                    let value = if mine { mean } else { 1.0 - mean };
                    if visits == 0 { f64::INFINITY } else { value + (2.0 * all.ln() / n).sqrt() }
                };
                let moves: Vec<G::Move> = self.game.moves(&at).collect();
                let bounds: Vec<f64> = (0..moves.len()).map(bound).collect();
                let most = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let best = bounds.iter().position(|&bound| bound == most).unwrap();
                path.push(best);
                line.push(moves[best]);
                self.game.apply(&mut at, moves[best]);
            }
            let mut draws = key.playout(iteration);
            while self.game.turn(&at) != Turn::Over {
                let mv = self.sample(&at, &mut draws);
                line.push(mv);
                self.game.apply(&mut at, mv);
            }
            let is_won = self.game.payoff(&at, own) > 0;
            for length in 0..=path.len() {
                let (visits, won) = tree.entry(path[..length].to_vec()).or_default();
                *visits += 1;
                *won += f64::from(u8::from(is_won));
            }
            self.adapt(start, &line, if is_won { own } else { own.other() });
        }
        (0..self.game.moves(start).count()).map(|index| of(&tree, &[index]).0).collect()
    }
}

/// Two decisions of a game, by the searcher and by the slow one, from a position after some random moves.
fn compare<G: NamedGame>(game: &G, alpha: f64, (features, memory): (bool, bool)) {
    let playouts = 300;
    let spec = format!(
        "uct(playouts=ppa(alpha={alpha},features={features},memory={memory}),ties=first)@playouts={playouts}"
    );
    let recipe = build(game, &searcher(&spec)).unwrap();
    let mut machine = recipe.machine();
    let code: Code<G> = if features {
        |game, at, mv| game.move_code(at, mv).unwrap()
    } else {
        |game, _, mv| game.move_number(mv).unwrap()
    };
    let mut slow = Slow { game, alpha, code, policy: BTreeMap::new() };
    let mut at = game.start();
    // The second decision is the other player's.
    for seed in [1, 2] {
        let (decision, _) = ask_within(&mut *machine, game, &at, recipe.budget(), seed);
        let found: Vec<u64> = decision.moves.iter().map(|estimate| estimate.visits).collect();
        if !memory {
            slow.policy.clear();
        }
        assert_eq!(found, slow.visits(&at, seed, playouts), "{spec}, decision {seed}");
        at = game.after(&at, decision.chosen);
    }
}

#[test]
fn the_policy_adapts_as_published() {
    for options in [(false, false), (true, false), (true, true)] {
        compare(&Breakthrough::new(5, 4, Pieces::Pawns, true).unwrap(), 1.0, options);
        compare(&Breakthrough::new(5, 5, Pieces::Knights, false).unwrap(), 0.32, options);
        compare(&CaptureGo::new(4, 4, Goal::Capture, false).unwrap(), 1.0, options);
        compare(&CaptureGo::new(4, 5, Goal::None, true).unwrap(), 0.32, options);
        compare(&Domineering::new(5, 4, false), 1.0, options);
    }
}
