//! The soonest win and the latest loss among equally good moves, compared with a slow recursion.

use shikou::game::{Facts, Game, GameExt, Player, Turn};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{BestMoves, FullWidth, Limits, Meter, Searcher, SolveSettings, solve};

use crate::support::{ask, reachable};

/// The payoff for a player and the plies to the end, if both play for the payoff, then the winner for a short game and the loser for
/// a long one. A draw has no length.
fn slow<G: Game>(game: &G, at: &G::Position, player: Player) -> (i32, i32) {
    let Turn::Player(mover) = game.turn(at) else { return (game.payoff(at, player), 0) };
    let sign = if mover == player { 1 } else { -1 };
    let better = |&(payoff, plies): &(i32, i32)| (sign * payoff, -sign * payoff.signum() * plies);
    let (payoff, plies) =
        game.children(at).map(|(_, child)| slow(game, &child, player)).max_by_key(better).unwrap();
    (payoff, payoff.abs().signum() * (plies + 1))
}

/// Asks minimax and the solver for the best moves of a position.
fn check<G: Game>(game: &G, at: &G::Position) {
    let Turn::Player(mover) = game.turn(at) else { return };
    let found: Vec<(G::Move, (i32, i32))> =
        game.children(at).map(|(mv, child)| (mv, slow(game, &child, mover))).collect();
    let rank = |&(payoff, plies): &(i32, i32)| (payoff, -payoff.signum() * plies);
    let most = found.iter().map(|(_, value)| rank(value)).max().unwrap();
    let best: Vec<G::Move> =
        found.iter().filter(|(_, value)| rank(value) == most).map(|&(mv, _)| mv).collect();

    let mut minimax = FullWidth::soonest();
    let chances = minimax.distribution(game, at, &mut Meter::new(Limits::default())).unwrap().unwrap();
    assert_eq!(chances, best.iter().map(|&mv| (mv, 1)).collect::<Vec<_>>(), "{}", game.drawing(at));
    let (decision, _) = ask(&mut minimax, game, at, 1);
    assert!(best.contains(&decision.chosen));
    for (estimate, (mv, (payoff, _))) in decision.moves.iter().zip(&found) {
        assert_eq!((estimate.mv, estimate.value), (*mv, f64::from(*payoff)));
    }

    let settings = SolveSettings { best: BestMoves::Soonest, ..SolveSettings::new(1 << 16) };
    let solution = solve(game, at, &settings, &mut Meter::new(Limits::default())).unwrap();
    assert_eq!((solution.value, solution.best), (f64::from(most.0), best), "{}", game.drawing(at));
    if most.0 != 0 {
        assert_eq!(solution.line.len() as i32, 1 + most.1.abs(), "{}", game.drawing(at));
    }
}

#[test]
fn all_positions_of_tic_tac_toe_have_the_soonest_moves_of_a_slow_recursion() {
    let game = TicTacToe;
    let positions = reachable(&game);
    assert_eq!(positions.len(), 5478);
    for position in positions {
        check(&game, &position);
    }
}

/// A tree whose lines end at random depths, with random payoffs from −2 to 2.
#[derive(Clone)]
struct Ragged(PlayoutKey);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    key: PlayoutKey,
    level: u32,
}

impl Node {
    /// A number below `n` that belongs to the node.
    fn number(self, what: u64, n: u32) -> u32 {
        self.key.child(what).playout(0).below(n)
    }
}

impl Game for Ragged {
    type Position = Node;
    type Move = u32;

    fn facts(&self) -> Facts {
        Facts::two_player().with_payoffs(-2, 2)
    }

    fn start(&self) -> Node {
        Node { key: self.0, level: 0 }
    }

    fn turn(&self, node: &Node) -> Turn {
        let is_over = node.level == 7 || node.level > 1 && node.number(10, 4) == 0;
        if is_over { Turn::Over } else { Turn::Player(Player::new(node.level as u8 % 2)) }
    }

    fn moves(&self, node: &Node) -> impl Iterator<Item = u32> {
        0..if self.turn(node) == Turn::Over { 0 } else { 1 + node.number(11, 3) }
    }

    fn apply(&self, node: &mut Node, mv: u32) {
        *node = Node { key: node.key.child(mv.into()), level: node.level + 1 };
    }

    fn payoff(&self, node: &Node, player: Player) -> i32 {
        let payoff = node.number(12, 5) as i32 - 2;
        if player == Player::FIRST { payoff } else { -payoff }
    }

    fn notation(&self, _: &Node, mv: u32) -> String {
        mv.to_string()
    }

    fn drawing(&self, node: &Node) -> String {
        format!("{node:?}")
    }
}

#[test]
fn random_trees_have_the_soonest_moves_of_a_slow_recursion() {
    for tree in 0..1000 {
        let game = Ragged((Stream::new(tree) / "ragged").playout_key());
        check(&game, &game.start());
    }
}

/// One pile, of which the players take one to three in turn; who takes the last one wins. A pile comes up after different numbers of
/// plies, and its key does not know them.
#[derive(Clone)]
struct Pile(u32);

impl Game for Pile {
    type Position = (u32, Player);
    type Move = u32;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(30)
    }

    fn start(&self) -> (u32, Player) {
        (self.0, Player::FIRST)
    }

    fn turn(&self, &(pile, mover): &(u32, Player)) -> Turn {
        if pile == 0 { Turn::Over } else { Turn::Player(mover) }
    }

    fn moves(&self, &(pile, _): &(u32, Player)) -> impl Iterator<Item = u32> {
        1..=pile.min(3)
    }

    fn apply(&self, (pile, mover): &mut (u32, Player), mv: u32) {
        *pile -= mv;
        *mover = mover.other();
    }

    fn payoff(&self, &(_, mover): &(u32, Player), player: Player) -> i32 {
        if player == mover { -1 } else { 1 }
    }

    fn notation(&self, _: &(u32, Player), mv: u32) -> String {
        mv.to_string()
    }

    fn drawing(&self, (pile, _): &(u32, Player)) -> String {
        pile.to_string()
    }

    fn key(&self, &(pile, mover): &(u32, Player)) -> Option<u128> {
        Some(u128::from(2 * pile) + mover.index() as u128)
    }
}

#[test]
fn positions_that_come_up_after_different_numbers_of_plies_are_told_apart() {
    for pile in 1..=18 {
        check(&Pile(pile), &Pile(pile).start());
    }
}
