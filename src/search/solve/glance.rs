//! Short searches that rank moves.
//!
//! The key decision: plain alpha-beta to a depth that grows with the plies that are left, without a table and with the
//! game's hints as order. Its values never reach a result.

use super::Shared;
use super::tree::{Candidate, Tree};
use crate::game::{Game, Kernel, Player, SearchHints, Turn};

/// The fewest plies to the end with which moves are ranked by their promise.
const RANKED: u32 = 12;
/// How many more plies make the search a ply deeper, and the deepest.
const A_PLY: u32 = 2;
const DEEPEST: u32 = 6;

/// A short search: how it values positions, and its depth after the move in plies.
#[derive(Clone, Copy)]
pub(super) struct Glance {
    /// Whether by the evaluation; else by their promise.
    evaluates: bool,
    depth: u32,
}

/// Larger than any value that is not the end of a game.
const END: i64 = 1 << 24;
const INFINITY: i64 = END << 16;

/// A node as a kernel: the value of a position for `player`, whoever's turn it is.
struct Node<'n, 'a, G: Game> {
    glance: Glance,
    tree: &'n mut Tree<'a, G>,
    position: &'n G::Position,
    player: Player,
    window: (i64, i64),
}

impl<G: Game> Kernel for Node<'_, '_, G> {
    type Output = i64;

    #[inline(always)]
    fn run(self) -> i64 {
        let Self { glance, tree, position, player, window: (alpha, beta) } = self;
        let game = tree.shared.game;
        match game.turn(position) {
            Turn::Over => i64::from(game.payoff(position, player)) * END,
            Turn::Player(mover) if mover == player => glance.best(tree, position, mover, alpha, beta),
            Turn::Player(mover) => -glance.best(tree, position, mover, -beta, -alpha),
            Turn::Chance => unreachable!("games of chance are solved by expectimax"),
        }
    }
}

impl Glance {
    /// The search that ranks the moves of a node, if there is one.
    #[inline(always)]
    pub(super) fn new<G: Game>(shared: &Shared<'_, G>, left: Option<u32>, ply: u32) -> Option<Self> {
        let depth = left.map_or(0, |left| (left.saturating_sub(RANKED) / A_PLY).min(DEEPEST));
        let evaluates = shared.order.as_ref().is_some_and(|(_, plies)| ply < *plies);
        let promises = shared.has_promise && left.is_some_and(|left| left >= RANKED);
        (evaluates || promises).then_some(Self { evaluates, depth })
    }

    /// The value of a position after a move for the player who made it.
    #[inline(always)]
    pub(super) fn value<G: Game>(
        self,
        tree: &mut Tree<'_, G>,
        position: &G::Position,
        player: Player,
    ) -> i64 {
        self.run(tree, position, player, (-INFINITY, INFINITY))
    }

    #[inline(always)]
    fn run<G: Game>(
        self,
        tree: &mut Tree<'_, G>,
        position: &G::Position,
        player: Player,
        window: (i64, i64),
    ) -> i64 {
        let machine = tree.machine;
        machine.run(Node { glance: self, tree, position, player, window })
    }

    /// The value of an unfinished position for the player whose turn it is.
    #[inline(always)]
    fn best<G: Game>(
        self,
        tree: &mut Tree<'_, G>,
        position: &G::Position,
        mover: Player,
        mut alpha: i64,
        beta: i64,
    ) -> i64 {
        let game = tree.shared.game;
        if self.depth == 0 {
            let value = match &tree.shared.order {
                Some((evaluation, _)) if self.evaluates => evaluation.evaluate(game, position, mover),
                _ => game.hints().promise(game, position).unwrap_or(0).into(),
            };
            return value.clamp(1 - END, END - 1);
        }
        let begin = tree.moves.len();
        tree.list(position);
        let end = tree.moves.len();
        let mut best = -INFINITY;
        for next in begin..end {
            let at = (next..end).max_by_key(|&at| tree.moves[at].rank).expect("a rest that is not empty");
            tree.moves.swap(next, at);
            let Candidate { position, .. } = tree.moves[next];
            let below = Self { depth: self.depth - 1, ..self };
            best = best.max(below.run(tree, &position, mover, (alpha, beta)));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        tree.moves.truncate(begin);
        best
    }
}
