//! The simple tree, compared to the bit with a plain recursion that plays each leaf immediately.

use std::sync::Arc;

use shikou::game::{Batch, Game, GameExt, Player, Policy, PolicyExt, Turn, Uniform};
use shikou::games::calculation::{Calculation, FoundationFirst, Layout, Reward, WasteFirst};
use shikou::games::left_moves::{LeftMoves, Score};
use shikou::games::othello::Othello;
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;
use shikou::search::{FullWidth, Limits, Meter, MoveStream, SearchError, Searcher, Spent, Ties};

/// The reference: the data that all nodes of a search share.
struct Plain<'a, G: Game> {
    game: &'a G,
    policy: &'a dyn Policy<G>,
    playouts: u64,
    even: bool,
    player: Player,
    key: PlayoutKey,
    leaf: u64,
    batches: u64,
    spent: Spent,
}

impl<G: Game> Plain<'_, G> {
    fn value(&mut self, position: &G::Position, level: u32) -> f64 {
        self.spent.nodes += 1;
        let turn = self.game.turn(position);
        if turn == Turn::Over {
            return self.game.payoff(position, self.player).into();
        }
        if level == 0 {
            let batch = Batch::new(self.key.child(self.leaf), self.playouts);
            let tally = self.policy.playouts(self.game, position, self.player, batch);
            self.leaf += 1;
            self.batches += 1;
            self.spent.playouts += tally.playouts;
            self.spent.plies += tally.plies;
            return tally.mean();
        }
        let game = self.game;
        let below = |mv| game.after(position, mv);
        let Turn::Player(player) = turn else {
            let (mut sum, mut weights) = (0.0, 0);
            for (outcome, weight) in game.outcomes(position) {
                let weight = if self.even { 1 } else { weight };
                sum += f64::from(weight) * self.value(&below(outcome), level - 1);
                weights += u64::from(weight);
            }
            return sum / weights as f64;
        };
        let values: Vec<_> = game.moves(position).map(|mv| self.value(&below(mv), level - 1)).collect();
        let better = if player == self.player { f64::max } else { f64::min };
        values.into_iter().reduce(better).unwrap()
    }
}

/// Searches with given levels and playouts.
#[derive(Clone, Copy)]
struct Tree {
    level: u32,
    playouts: u64,
    common: bool,
    even: bool,
}

/// Compares all values and costs of a decision with the reference, if there is more than one move. Uses different
/// memory limits, so that leaves are played one at a time, several at a time, and in full buffers.
fn assert_as_plain<G: Game>(
    game: &G,
    policy: &(impl Policy<G> + Clone + 'static),
    at: &G::Position,
    tree: Tree,
) {
    let Turn::Player(player) = game.turn(at) else { return };
    let stream = MoveStream::new(PlayoutKey::new(11));
    let Tree { level, playouts, common, even } = tree;
    let (key, spent) = (stream.playouts(), Spent::default());
    let mut plain = Plain { game, policy, playouts, even, player, key, leaf: 0, batches: 0, spent };
    let mut expected = Vec::new();
    for (mv, child) in game.children(at) {
        if common {
            plain.leaf = 0;
        }
        let before = plain.spent.playouts;
        let value = plain.value(&child, level - 1);
        expected.push((mv, plain.spent.playouts - before, value.to_bits()));
    }
    if expected.len() == 1 {
        return;
    }
    // Kept from one decision to the next, as in a game.
    let mut searcher = FullWidth::simple_tree(level, playouts, Arc::new(policy.clone()), Ties::First)
        .with_common_random_numbers(common)
        .with_even_chance(even);
    for memory_bytes in [1 << 10, 1 << 14, 1 << 30, 1 << 12] {
        let mut meter = Meter::new(Limits { memory_bytes, ..Limits::default() });
        let decision = searcher.choose(game, at, stream, &mut meter).unwrap();
        let found: Vec<_> =
            decision.moves.iter().map(|found| (found.mv, found.visits, found.value.to_bits())).collect();
        assert_eq!(found, expected, "level {level}, {playouts} playouts, {memory_bytes} bytes");
        assert_eq!(meter.spent(), plain.spent);
        let fewest = u64::from(plain.batches > 0);
        assert!((fewest..=plain.batches).contains(&meter.batches()), "{} batches", meter.batches());
    }
}

/// Every other position of a random game, at all levels up to `highest`.
fn assert_as_plain_in_a_game<G: Game>(game: &G, policy: &(impl Policy<G> + Clone + 'static), highest: u32) {
    let (mut position, mut draws) = (game.start(), PlayoutKey::new(5).playout(u64::from(highest)));
    for ply in 0_u32.. {
        let tree = Tree {
            level: 1 + ply % highest,
            playouts: [1, 2, 5][ply as usize % 3],
            common: ply % 4 < 2,
            even: ply % 7 < 3,
        };
        let mv = match game.turn(&position) {
            Turn::Over => return,
            Turn::Chance => game.random_outcome(&position, &mut draws),
            Turn::Player(_) => {
                if ply % 5 < 3 {
                    assert_as_plain(game, policy, &position, tree);
                }
                game.random_move(&position, &mut draws)
            }
        };
        game.apply(&mut position, mv);
    }
}

#[test]
fn a_simple_tree_is_a_plain_recursion_for_two_players() {
    assert_as_plain_in_a_game(&TicTacToe, &Uniform, 4);
    assert_as_plain_in_a_game(&Othello::new(6), &Uniform, 3);
    assert_as_plain_in_a_game(&Othello::new(4), &Uniform, 5);
}

#[test]
fn a_simple_tree_is_a_plain_recursion_with_chance() {
    let rewards = [Reward::Success, Reward::Score, Reward::Mixture(0.3)];
    for reward in rewards {
        let game = Calculation::default().with_reward(reward);
        assert_as_plain_in_a_game(&game, &FoundationFirst, 3);
        assert_as_plain_in_a_game(&game.clone().with_piles(2), &WasteFirst, 4);
        assert_as_plain_in_a_game(&game.with_piles(5).with_layout(Layout::Empty), &Uniform, 2);
    }
}

/// More leaves than a buffer holds at its largest.
#[test]
fn a_large_simple_tree_is_a_plain_recursion() {
    let game = Calculation::default();
    let at = game.follow("9").unwrap();
    assert_as_plain(&game, &FoundationFirst, &at, Tree { level: 5, playouts: 1, common: false, even: false });
    let at = Othello::default().follow("f5d6c3d3c4").unwrap();
    assert_as_plain(
        &Othello::default(),
        &Uniform,
        &at,
        Tree { level: 4, playouts: 1, common: true, even: false },
    );
}

/// Games that end within the tree, with chance and two players in turns: with no leaves, one kind of leaf, and both.
#[test]
fn a_simple_tree_over_early_ends_is_a_plain_recursion() {
    for tree in 0..60 {
        let settings = Settings {
            branching: 2 + tree % 3,
            depth: 4 + tree % 2,
            tree: u64::from(tree),
            chance_every: tree % 4,
            players: 1 + (tree / 4 % 2) as u8,
            ..Settings::default()
        };
        assert_as_plain_in_a_game(&RandomTree::new(settings).unwrap(), &Uniform, 6);
    }
    assert_as_plain_in_a_game(&LeftMoves::new(8, Score::LeftMoves), &Uniform, 8);
}

#[test]
fn a_simple_tree_without_memory_for_a_leaf_says_so() {
    let game = Othello::default();
    let mut meter = Meter::new(Limits { memory_bytes: 200, ..Limits::default() });
    let mut tree = FullWidth::simple_tree(2, 1, Arc::new(Uniform), Ties::First);
    let fault =
        tree.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap_err();
    assert!(matches!(fault, SearchError::Memory { cap: 200, .. }), "{fault}");
}
