//! The search of the last turns of chance.

use std::ops::Range;

use crate::game::{Game, GameExt, Lines, Player, SearchHints, Turn, Window, sort_indices, sort_values};
use crate::search::tree::{Bounds, Index};

/// The search gave up: a line has more turns of chance, or there are too many positions.
#[derive(Debug, PartialEq)]
pub(super) struct GaveUp;

/// A position before chance.
struct Before<P> {
    position: P,
    /// The number of the position among those that were met.
    number: usize,
    bounds: Bounds,
    estimate: i32,
}

/// An outcome of chance, or a move at the root: what the player's moves reach from there.
struct Branch {
    weight: f64,
    /// The positions before chance that the moves reach, unless the best of them is known.
    reached: Range<usize>,
    /// The bounds of the best of all.
    bounds: Bounds,
}

/// Expectimax over the positions before chance of a solitaire, each met once. Star1 (Ballard 1983) without an opponent: a
/// position is left as soon as its largest possible mean is no better than what the player has.
pub(super) struct Tree<G: Game> {
    /// The positions before chance that were met, by value key, and their bounds.
    met: Index,
    bounds: Vec<Bounds>,
    lines: Lines<G, Option<u128>>,
    /// The positions before chance on the current line, and the branches to them.
    before: Vec<Before<G::Position>>,
    branches: Vec<Branch>,
    /// The positions that were looked at, and the most that may be.
    pub(super) positions: u64,
    most: u64,
    range: Bounds,
}

impl<G: Game> Tree<G> {
    /// The largest number of bytes for each position that is looked at.
    pub(super) const BYTES: u64 =
        Index::BYTES + (size_of::<Bounds>() + size_of::<Before<G::Position>>() + size_of::<Branch>()) as u64;

    pub(super) fn new() -> Self {
        Self {
            met: Index::default(),
            bounds: Vec::new(),
            lines: Lines::default(),
            before: Vec::new(),
            branches: Vec::new(),
            positions: 0,
            most: 0,
            range: Bounds::exactly(0.0),
        }
    }

    /// Bounds of the expected payoff of each move, in the game's order, with the positions looked at for it. Those of the best
    /// move are exact. At most this many turns of chance and positions are looked at.
    pub(super) fn moves(
        &mut self,
        game: &G,
        root: &G::Position,
        turns: u32,
        most: u64,
    ) -> Result<Vec<(G::Move, Bounds, u64)>, GaveUp> {
        let facts = game.facts();
        self.range = Bounds { low: facts.min_payoff.into(), high: facts.max_payoff.into() };
        self.met.clear();
        self.bounds.clear();
        self.before.clear();
        self.branches.clear();
        (self.positions, self.most) = (0, most);
        let mut moves = Vec::new();
        for (mv, child) in game.children(root) {
            let before = self.positions;
            self.open(game, &child, 1.0, turns)?;
            moves.push((mv, self.branches[moves.len()].bounds, self.positions - before));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        sort_indices(&mut order, &|one, other| self.estimate(other).cmp(&self.estimate(one)));
        let mut best = f64::NEG_INFINITY;
        for at in order {
            let before = self.positions;
            self.resolve(game, at, best, turns)?;
            moves[at].1 = self.branches[at].bounds;
            moves[at].2 += self.positions - before;
            best = best.max(moves[at].1.low);
            if best >= self.range.high {
                break;
            }
        }
        Ok(moves)
    }

    /// The largest estimate of what a branch reaches.
    fn estimate(&self, branch: usize) -> i32 {
        let Branch { reached, bounds, .. } = &self.branches[branch];
        if bounds.low >= self.range.high {
            return i32::MAX;
        }
        self.before[reached.clone()].iter().map(|before| before.estimate).max().unwrap_or(i32::MIN)
    }

    /// Adds the branch to a position. At most `turns` turns of chance may follow it.
    fn open(&mut self, game: &G, position: &G::Position, weight: f64, turns: u32) -> Result<(), GaveUp> {
        let begin = self.before.len();
        let static_bounds = self.static_bounds(game, position);
        if static_bounds.proved().is_some() {
            self.positions += 1;
            self.branches.push(Branch { weight, reached: begin..begin, bounds: static_bounds });
            return Ok(());
        }
        self.lines.look(game, position, &game.hints().lines());
        self.positions += self.lines.positions() as u64;
        if !self.lines.is_whole() || self.positions > self.most {
            return Err(GaveUp);
        }
        let mut low = self.range.low;
        for number in 0..self.lines.count() {
            let end = self.lines.end(number);
            match game.turn(end) {
                Turn::Over => low = low.max(game.payoff(end, Player::FIRST).into()),
                _ if turns == 0 => return Err(GaveUp),
                _ => {
                    let end = *end;
                    let (number, bounds) = self.meet(game, &end, number);
                    low = low.max(bounds.low);
                    if bounds.proved().is_none() {
                        let estimate = game.hints().estimate(game, &end).unwrap_or(0);
                        self.before.push(Before { position: end, number, bounds, estimate });
                    }
                }
            }
            if low >= self.range.high {
                break;
            }
        }
        sort_values(&mut self.before[begin..], &|one, other| other.estimate.cmp(&one.estimate));
        let high = self.before[begin..].iter().map(|before| before.bounds.high).fold(low, f64::max);
        self.branches.push(Branch {
            weight,
            reached: begin..self.before.len(),
            bounds: Bounds { low, high },
        });
        Ok(())
    }

    /// The bounds that the game knows without a search.
    fn static_bounds(&self, game: &G, position: &G::Position) -> Bounds {
        let known = game.hints().payoff_bounds(game, position, Window::FULL);
        known.map_or(self.range, |(low, high)| Bounds { low: low.into(), high: high.into() })
    }

    /// The number and the bounds of a position before chance, which is the end of this line.
    fn meet(&mut self, game: &G, position: &G::Position, line: usize) -> (usize, Bounds) {
        let key = self.lines.key(line);
        if let Some(known) = key.and_then(|key| self.met.families(key).next()) {
            return (known as usize, self.bounds[known as usize]);
        }
        let bounds = self.static_bounds(game, position);
        self.met.push(key.unwrap_or(self.bounds.len() as u128), 0);
        self.bounds.push(bounds);
        (self.bounds.len() - 1, bounds)
    }

    /// Finds the best of a branch, or that it is at most `alpha`.
    fn resolve(&mut self, game: &G, branch: usize, alpha: f64, turns: u32) -> Result<(), GaveUp> {
        let Branch { reached, bounds, .. } = &self.branches[branch];
        let (reached, mut best) = (reached.clone(), bounds.low);
        let mut high = best;
        for at in reached {
            let enough = best.max(alpha);
            let before = &self.before[at];
            // The position may have been searched since.
            let mut bounds = self.bounds[before.number];
            if bounds.high > enough && bounds.proved().is_none() {
                bounds = self.mean(game, at, enough, turns - 1)?;
            }
            best = best.max(bounds.low);
            high = high.max(bounds.high);
            if best >= self.branches[branch].bounds.high {
                break;
            }
        }
        self.branches[branch].bounds = Bounds { low: best, high: high.max(best) };
        Ok(())
    }

    /// The mean of a position before chance, or that it is at most `alpha`.
    fn mean(&mut self, game: &G, at: usize, alpha: f64, turns: u32) -> Result<Bounds, GaveUp> {
        let Before { position, number, .. } = self.before[at];
        let (first, begin) = (self.branches.len(), self.before.len());
        for (mv, weight) in game.outcomes(&position) {
            self.open(game, &game.after(&position, mv), weight.into(), turns)?;
        }
        let mut order: Vec<usize> = (first..self.branches.len()).collect();
        let doubt = |branch: &Branch| branch.weight * (branch.bounds.high - branch.bounds.low);
        let doubt = |at: usize| doubt(&self.branches[at]);
        sort_indices(&mut order, &|one, other| doubt(other).total_cmp(&doubt(one)));
        let mut total = self.total(first);
        for branch in order {
            let Branch { weight, bounds, .. } = self.branches[branch];
            if total.0.high <= alpha || bounds.proved().is_some() {
                break;
            }
            // Ballard 1983: the value of this outcome at which the mean can still exceed alpha.
            let least = bounds.high - (total.0.high - alpha) * total.1 / weight;
            self.resolve(game, branch, least, turns)?;
            total = self.total(first);
        }
        self.branches.truncate(first);
        self.before.truncate(begin);
        let known = &mut self.bounds[number];
        known.low = known.low.max(total.0.low);
        known.high = known.high.min(total.0.high);
        Ok(*known)
    }

    /// The mean of the branches from the first, and the sum of their weights.
    fn total(&self, first: usize) -> (Bounds, f64) {
        let (mut low, mut high, mut weights) = (0.0, 0.0, 0.0);
        for branch in &self.branches[first..] {
            low += branch.weight * branch.bounds.low;
            high += branch.weight * branch.bounds.high;
            weights += branch.weight;
        }
        (Bounds { low: low / weights, high: high / weights }, weights)
    }
}
