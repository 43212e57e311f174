//! Short searches that rank moves.
//!
//! The key decision: plain alpha-beta to a depth that grows with the plies that are left, without a table and with the
//! game's hints as order. It ends a ply before its depth, where the game finds the promises after all moves at once, which
//! costs less than one after the other. Its values never reach a result.

use super::Shared;
use super::tree::{Candidate, Tree};
use crate::game::{Game, Kernel, Player, SearchHints, Turn};

/// The fewest plies to the end with which a short search has each depth after the move, from 1. These took the least time
/// at Othello, where the time of a deeper search grows faster than what it saves.
const DEEPENED: [u32; 6] = [12, 15, 17, 18, 20, 22];

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
        let depth = DEEPENED.iter().filter(|&&least| left.is_some_and(|left| left >= least)).count() as u32;
        let evaluates = shared.order.as_ref().is_some_and(|(_, plies)| ply < *plies);
        let promises = shared.has_promise && depth > 0;
        (evaluates || promises).then_some(Self { evaluates, depth })
    }

    /// Ranks the listed moves of a node from `begin`, with their own ranks as tie-break.
    #[inline(always)]
    pub(super) fn rank<G: Game>(self, tree: &mut Tree<'_, G>, begin: usize, mover: Player) {
        if !self.evaluates && self.depth == 1 {
            return rank_by_replies(tree, begin, mover);
        }
        for at in begin..tree.moves.len() {
            let Candidate { position, .. } = tree.moves[at];
            let value = self.run(tree, &position, mover, (-INFINITY, INFINITY));
            tree.moves[at].rank_by(value);
        }
    }

    /// The value of a position for `player`, whoever's turn it is.
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
        let hints = game.hints();
        let value = match &tree.shared.order {
            Some((evaluation, _)) if self.evaluates && self.depth == 0 => {
                Some(evaluation.evaluate(game, position, mover))
            }
            _ if !self.evaluates && self.depth == 1 => {
                let mut promise = None;
                hints.best_promises(game, std::iter::once(*position), &mut |found| {
                    promise = Some(found.into());
                });
                promise
            }
            _ => None,
        };
        if let Some(value) = value {
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

/// Ranks the listed moves of a node by the promises of the best replies, found all at once.
#[inline(always)]
fn rank_by_replies<G: Game>(tree: &mut Tree<'_, G>, begin: usize, mover: Player) {
    let (game, moves, values) = (tree.shared.game, &mut tree.moves[begin..], &mut tree.values);
    values.clear();
    let is_open = |candidate: &&Candidate<G>| game.turn(&candidate.position) != Turn::Over;
    let open = moves.iter().filter(is_open).map(|candidate| candidate.position);
    game.hints().best_promises(game, open, &mut |value| values.push(value));
    let mut values = values.iter().map(|&value| i64::from(value));
    for candidate in moves {
        candidate.rank_by(match game.turn(&candidate.position) {
            Turn::Player(next) if next == mover => values.next().expect("a value of each"),
            Turn::Player(_) => -values.next().expect("a value of each"),
            _ => i64::from(game.payoff(&candidate.position, mover)) * END,
        });
    }
}
