//! The values of what a solitaire player's moves reach before chance, by a network of bags.
//!
//! The key decision: positions after one move share the sums of the bags that it leaves as they were. Rejected: the bags of each
//! position on their own, which takes longer.

use super::deep_sets::{DeepSets, Row};
use super::environment::points;
use super::td::expected_points;
use crate::game::{BagList, Bags, Follow, Game, Lines, Turn};

/// Equal positions count as one.
struct EqualPositions<'b, G: Game>(&'b Bags<G>);

impl<G: Game> Follow<G> for EqualPositions<'_, G> {
    type Key = u64;

    fn key(&self, _game: &G, position: &G::Position) -> u64 {
        (self.0.key)(position)
    }

    fn is_same(&self, _key: u64, one: &G::Position, other: &G::Position) -> bool {
        one == other
    }
}

pub(super) struct DeepSetsValues<'v, G: Game> {
    game: &'v G,
    bags: &'v Bags<G>,
    network: &'v DeepSets,
    lines: Lines<G>,
    values: Vec<f64>,
    list: BagList,
    /// The new things in a bag that grew.
    grown: BagList,
    sums: Vec<Row>,
}

impl<'v, G: Game> DeepSetsValues<'v, G> {
    pub(super) fn new(game: &'v G, bags: &'v Bags<G>, network: &'v DeepSets) -> Self {
        let (lines, list, grown) = (Lines::default(), BagList::default(), BagList::default());
        Self { game, bags, network, lines, values: Vec::new(), list, grown, sums: Vec::new() }
    }

    pub(super) fn bags(&mut self, position: &G::Position) -> &BagList {
        self.list.clear();
        (self.bags.fill)(self.game, position, &mut self.list);
        &self.list
    }

    /// The expected points at a position before chance.
    pub(super) fn before_chance(&mut self, position: &G::Position) -> f64 {
        self.bags(position);
        let last = self.network.sums(&self.list, &mut self.sums);
        expected_points(f64::from(self.network.pass(&self.sums, &last).value))
    }

    /// The points of each position at which the player's moves end: expected ones, or those of a finished game.
    pub(super) fn look(&mut self, root: &G::Position) -> &[f64] {
        let mut lines = std::mem::take(&mut self.lines);
        lines.look(self.game, root, &EqualPositions(self.bags));
        self.values.clear();
        // The position whose sums are those of the pooled bags.
        let mut known = None;
        for number in 0..lines.count() {
            let end = lines.end(number);
            let value = if self.game.turn(end) == Turn::Over {
                points(self.game, end)
            } else {
                self.after(end, lines.before(number), &mut known)
            };
            self.values.push(value);
        }
        self.lines = lines;
        &self.values
    }

    /// The expected points after a move.
    fn after(
        &mut self,
        end: &G::Position,
        (number, before): (usize, &G::Position),
        known: &mut Option<usize>,
    ) -> f64 {
        self.grown.clear();
        let grown = (self.bags.fill_grown)(self.game, [before, end], &mut self.grown);
        let Some(bag) = grown else {
            *known = None;
            return self.before_chance(end);
        };
        if *known != Some(number) {
            self.bags(before);
            self.network.sums(&self.list, &mut self.sums);
            *known = Some(number);
        }
        let mut bags = self.grown.iter();
        let mut next = || bags.next().expect("a bag that grew, and that of the position");
        let old = self.sums[bag];
        self.network.add(next(), &mut self.sums[bag]);
        let mut last = Row::default();
        self.network.add(next(), &mut last);
        let value = self.network.pass(&self.sums, &last).value;
        self.sums[bag] = old;
        expected_points(f64::from(value))
    }

    pub(super) const fn lines(&self) -> &Lines<G> {
        &self.lines
    }
}
