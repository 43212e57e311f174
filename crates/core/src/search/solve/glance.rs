//! Short searches that rank moves, and that predict values.
//!
//! The key decision: plain alpha-beta to a depth that grows with the plies that are left, without a table and with the
//! game's hints as order. It ends a ply before its depth, where the game finds the estimates after all moves at once, or the
//! evaluation its values, which costs less than one after the other. The evaluation sees a position as the player who moved
//! there does, as in learning. Its values never reach a result.

use std::ops::ControlFlow;

use super::tree::{Candidate, Tree};
use super::{OrderBy, PAYOFF, Shared};
use crate::game::{Ends, Game, Kernel, Player, SearchHints, Turn, Window};

/// The fewest plies to the end with which a short search has each depth after the move, from 1. These took the least time
/// at Othello, where the time of a deeper search grows faster than what it saves.
const DEEPENED: [u32; 6] = [12, 15, 17, 18, 20, 22];

/// The same where an evaluation predicts the payoff: it costs more, and a deeper search gains less.
const DEEPENED_PREDICTIONS: [u32; 6] = [12, 16, 18, 19, 20, 22];

/// The weight of a payoff of 1 in an evaluation's prediction in the rank of a move, whose hint counts a sixteenth. At Othello, a
/// disc counts as much as 2.4 moves of the opponent.
const PREDICTED: f64 = 5000.0;

/// More than any rank.
const RANKED: i64 = 1 << 60;

/// A short search: how it values positions, and its depth after the move in plies.
#[derive(Clone, Copy)]
pub(super) struct Glance {
    /// Whether by the evaluation; else by their estimate.
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
        let depth = |deepened: [u32; 6]| {
            deepened.iter().filter(|&&least| left.is_some_and(|left| left >= least)).count() as u32
        };
        match &shared.order {
            Some(order) if ply < order.plies && left.is_none_or(|left| left >= DEEPENED[0]) => {
                let deepened = if order.margin.is_some() { DEEPENED_PREDICTIONS } else { DEEPENED };
                Some(Self { evaluates: true, depth: depth(deepened) })
            }
            _ => {
                let found = Self { evaluates: false, depth: depth(DEEPENED) };
                (shared.has_estimate && found.depth > 0).then_some(found)
            }
        }
    }

    /// A bound on the value of a position outside a null window, if a short search predicts the value outside by the margin.
    pub(super) fn predict<G: Game>(
        tree: &mut Tree<'_, G>,
        position: &G::Position,
        mover: Player,
        left: Option<u32>,
        window: Window,
        margin: u32,
    ) -> Option<i32> {
        let (Some(OrderBy { evaluation, .. }), Some(left)) = (&tree.shared.order, left) else { return None };
        if left < DEEPENED[0] {
            return None;
        }
        let depth = 1 + DEEPENED.iter().filter(|&&least| left >= least).count() as u32;
        let glance = Self { evaluates: true, depth };
        let in_units = |payoff: i32| (f64::from(payoff) / evaluation.facts().unit) as i64;
        let [low, high, margin] = [window.alpha, window.beta, margin.min(PAYOFF as u32) as i32].map(in_units);
        // Only where it may succeed.
        let now = -evaluation.evaluate(tree.shared.game, position, mover.other());
        let (least, most) = (high + margin, low - margin);
        if now >= high && glance.run(tree, position, mover, (least - 1, least)) >= least {
            return Some(window.beta);
        }
        (now <= low && glance.run(tree, position, mover, (most, most + 1)) <= most).then_some(window.alpha)
    }

    /// Ranks the listed moves of a node from `begin`, with their own ranks as tie-break.
    #[inline(always)]
    pub(super) fn rank<G: Game>(self, tree: &mut Tree<'_, G>, begin: usize, mover: Player) {
        if !self.evaluates && self.depth == 1 {
            return rank_by_replies(tree, begin, mover);
        }
        if let (true, Some(OrderBy { evaluation, margin: Some(margin), .. })) =
            (self.evaluates, &tree.shared.order)
        {
            return self.rank_by_predictions(tree, begin, mover, evaluation.facts().unit, *margin);
        }
        for at in begin..tree.moves.len() {
            let Candidate { position, .. } = tree.moves[at];
            let value = self.run(tree, &position, mover, (-INFINITY, INFINITY));
            tree.moves[at].rank_by(value);
        }
    }

    /// Ranks the listed moves by predictions and hints together. Of a move that is predicted much worse than another, it only
    /// learns that.
    fn rank_by_predictions<G: Game>(
        self,
        tree: &mut Tree<'_, G>,
        begin: usize,
        mover: Player,
        unit: f64,
        margin: u32,
    ) {
        let (end, mut best) = (tree.moves.len(), -INFINITY);
        let much_worse = (2.0 * f64::from(margin) / unit) as i64;
        for _ in begin..end {
            // The next by its hint. The moves keep their places, by which the table knows them.
            let at = (begin..end).max_by_key(|&at| tree.moves[at].rank).expect("a rest that is not empty");
            let Candidate { position, rank, .. } = tree.moves[at];
            let alpha = (best - much_worse).max(-INFINITY);
            let value = self.run(tree, &position, mover, (alpha, INFINITY));
            best = best.max(value);
            let predicted = (value as f64 * unit * PREDICTED) as i64;
            tree.moves[at].rank = predicted.clamp(-RANKED / 4, RANKED / 4) + (rank >> 4) - RANKED;
        }
        for candidate in &mut tree.moves[begin..] {
            candidate.rank += RANKED;
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
            Some(OrderBy { evaluation, .. }) if self.evaluates && self.depth == 0 => {
                Some(-evaluation.evaluate(game, position, mover.other()))
            }
            Some(OrderBy { evaluation, .. }) if self.evaluates && self.depth == 1 => {
                let mut best = -INFINITY;
                evaluation.each_child(game, position, Ends::Unknown.exact(mover), &mut |value| {
                    best = best.max(value);
                    if best >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                Some(best)
            }
            _ if !self.evaluates && self.depth == 1 => {
                let mut estimate = None;
                hints.best_estimates(game, std::iter::once(*position), &mut |found| {
                    estimate = Some(found.into());
                });
                estimate
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

/// Ranks the listed moves of a node by the estimates of the best replies, found all at once.
#[inline(always)]
fn rank_by_replies<G: Game>(tree: &mut Tree<'_, G>, begin: usize, mover: Player) {
    let (game, moves, values) = (tree.shared.game, &mut tree.moves[begin..], &mut tree.values);
    values.clear();
    let is_open = |candidate: &&Candidate<G>| game.turn(&candidate.position) != Turn::Over;
    let open = moves.iter().filter(is_open).map(|candidate| candidate.position);
    game.hints().best_estimates(game, open, &mut |value| values.push(value));
    let mut values = values.iter().map(|&value| i64::from(value));
    for candidate in moves {
        candidate.rank_by(match game.turn(&candidate.position) {
            Turn::Player(next) if next == mover => values.next().expect("a value of each"),
            Turn::Player(_) => -values.next().expect("a value of each"),
            _ => i64::from(game.payoff(&candidate.position, mover)) * END,
        });
    }
}
