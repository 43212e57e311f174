//! Playout statistics: the results of moves wherever they are played, for later playouts and for RAVE in the tree.
//!
//! Moves are known by their [numbers](crate::game::Game::move_number), or by their [codes](crate::game::Game::move_code). The statistics
//! are cleared before each decision, unless an adapted policy is kept.

use super::super::tree::{Amaf, Index, Kind, entry, side};
use super::adaptation::Adaptation;
use super::parts::Playouts;
use super::permutation::Permutations;
use crate::game::{Game, Player};
use crate::rng::PlayoutRng;

/// The most triples of a player that are remembered.
const MOST_TRIPLES: usize = 1 << 20;

/// A move of a player in an iteration, in the tree or in the playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(super) kind: Kind,
    pub(super) number: u16,
}

/// The results of triples of moves, which are too many for tables by number.
#[derive(Clone, Debug, Default)]
struct Triples {
    index: Index,
    results: Vec<Amaf>,
}

impl Triples {
    fn key(first: Made, second: Made, number: u16) -> u128 {
        u128::from(first.number) << 32 | u128::from(second.number) << 16 | u128::from(number)
    }

    fn of(&self, key: u128) -> Amaf {
        self.index.families(key).next().map_or_else(Amaf::default, |place| self.results[place as usize])
    }

    fn add(&mut self, key: u128, value: f64) {
        let known = self.index.families(key).next();
        if let Some(place) = known {
            self.results[place as usize].add(value);
        } else if self.results.len() < MOST_TRIPLES {
            self.index.push(key, 0);
            self.results.push(Amaf { sum: value, visits: 1 });
        }
    }
}

/// The statistics, and the moves of the current iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) made: Vec<Made>,
    /// For each player and move number.
    moves: [Vec<Amaf>; 2],
    /// For each player, previous move number and move number.
    pairs: [Vec<Vec<Amaf>>; 2],
    triples: [Triples; 2],
    /// For each player and previous move number, the number of the reply.
    replies: [Vec<Option<u16>>; 2],
    /// The last iteration and place at which a player made a move.
    last: [Vec<(u64, usize)>; 2],
    iteration: u64,
    /// The policy that adapts, and the player who is the first of its two.
    pub(super) adaptation: Adaptation,
    pub(super) permutations: Permutations,
    player: Option<Player>,
}

/// The number of a move, or its code at the position.
#[inline(always)]
pub(crate) fn number_of<G: Game>(game: &G, at: &G::Position, mv: G::Move, as_code: bool) -> u16 {
    let number = if as_code { game.move_code(at, mv) } else { game.move_number(mv) };
    number.expect("the game numbers its moves")
}

/// The mean of a move's results; 1 without results, so that the move is tried.
fn optimistic(results: Amaf) -> f64 {
    if results.visits == 0 { 1.0 } else { results.mean() }
}

impl Statistics {
    /// Begins the statistics of a decision of this player. Those before it are kept if the playouts have memory.
    pub(super) fn begin(&mut self, playouts: Playouts<()>, player: Player) {
        let before = std::mem::take(self);
        self.player = Some(player);
        if playouts.have_memory() {
            let kept = before.adaptation;
            self.adaptation = if before.player == Some(player) { kept } else { kept.exchanged() };
        }
    }

    /// Reads the permutations of the moves so far from now on.
    pub(super) fn refer(&mut self) {
        self.permutations.refer(self.made.iter().map(|made| (made.kind, made.number)));
    }

    /// Adds the current iteration to the permutations.
    pub(super) fn add_permutation(&mut self, value: f64, window: u32) {
        self.permutations.add(self.made.iter().map(|made| (made.kind, made.number)), value, window);
    }

    /// A move of a playout, of these with their numbers or by the policy.
    pub(crate) fn choose<M: Copy, I: Iterator<Item = (M, u16)>>(
        &mut self,
        playouts: Playouts<()>,
        kind: Kind,
        moves: impl Fn() -> I,
        draws: &mut PlayoutRng,
        policy: impl FnOnce(&mut PlayoutRng) -> M,
    ) -> M {
        let side = side(kind);
        let random = match playouts {
            Playouts::Full { .. } | Playouts::Cut { .. } => return policy(draws),
            Playouts::LastGoodReply { .. } => {
                let known = self
                    .made
                    .last()
                    .and_then(|before| self.replies[side].get(usize::from(before.number)).copied().flatten());
                let legal = known.and_then(|reply| moves().find(|&(_, number)| number == reply));
                return legal.map_or_else(|| policy(draws), |(mv, _)| mv);
            }
            Playouts::Ppa { .. } | Playouts::MastGibbs { .. } => {
                return self.adaptation.choose(kind, moves, draws);
            }
            Playouts::Mast { random, .. } | Playouts::Nst { random, .. } => random,
        };
        if f64::from(draws.next_u32()) < random * 4_294_967_296.0 {
            return policy(draws);
        }
        let (length, enough) = match playouts {
            Playouts::Nst { length, enough, .. } => (length, enough),
            _ => (1, 0),
        };
        let before = self.made.last().filter(|_| length > 1);
        let pairs = before.and_then(|before| self.pairs[side].get(usize::from(before.number)));
        let both = self.made.last_chunk::<2>().filter(|_| length > 2);
        let mut best = None;
        let (mut largest, mut equals) = (f64::NEG_INFINITY, 0);
        for (mv, number) in moves() {
            let of = |results: &[Amaf]| results.get(usize::from(number)).copied();
            let mut value = optimistic(of(&self.moves[side]).unwrap_or_default());
            let pair = pairs.and_then(|pairs| of(pairs));
            let triple =
                both.map(|&[first, second]| self.triples[side].of(Triples::key(first, second, number)));
            // The mean of the sequences that count (Tak, Winands, Björnsson 2012).
            let mut terms = 1.0;
            for longer in [pair, triple].into_iter().flatten().filter(|longer| longer.visits >= enough) {
                value += longer.mean();
                terms += 1.0;
            }
            value /= terms;
            if value > largest {
                (best, largest, equals) = (Some(mv), value, 1);
            } else if value == largest {
                equals += 1;
                if draws.below(equals) == 0 {
                    best = Some(mv);
                }
            }
        }
        best.expect("a player's turn has a move")
    }

    /// Records a move of the current iteration.
    pub(crate) fn note(&mut self, kind: Kind, number: u16) {
        let at = self.made.len();
        *entry(&mut self.last[side(kind)], number, (0, 0)) = (self.iteration + 1, at);
        self.made.push(Made { kind, number });
    }

    /// Whether a player made a move at or after a place of the current iteration.
    pub(super) fn was_made(&self, kind: Kind, number: u16, at: usize) -> bool {
        self.last[side(kind)]
            .get(usize::from(number))
            .is_some_and(|&(iteration, last)| iteration == self.iteration + 1 && last >= at)
    }

    /// Whether a move of the current iteration is the last of its player with this number.
    pub(super) fn is_last(&self, kind: Kind, number: u16, at: usize) -> bool {
        self.last[side(kind)].get(usize::from(number)) == Some(&(self.iteration + 1, at))
    }

    /// One more than the largest number of any move seen.
    pub(super) fn numbers(&self) -> usize {
        self.last[0].len().max(self.last[1].len())
    }

    /// Adds the result of the current iteration for the player at the root, in `[0, 1]`, and begins the next.
    pub(super) fn learn(&mut self, playouts: Playouts<()>, value: f64) {
        for index in 0..self.made.len() {
            let Made { kind, number } = self.made[index];
            let (side, value) = (side(kind), kind.view(value));
            let before = index.checked_sub(1).map(|before| self.made[before].number);
            match (playouts, before) {
                (Playouts::Full { .. } | Playouts::Cut { .. } | Playouts::Ppa { .. }, _)
                | (Playouts::LastGoodReply { .. }, None) => {}
                (Playouts::LastGoodReply { .. }, Some(before)) => {
                    let reply = entry(&mut self.replies[side], before, None);
                    if value > 0.5 {
                        *reply = Some(number);
                    } else if value < 0.5 && *reply == Some(number) {
                        *reply = None;
                    }
                }
                (Playouts::MastGibbs { temperature }, _) => {
                    let results = entry(&mut self.moves[side], number, Amaf::default());
                    results.add(value);
                    // A move without results counts 1, so that its weight is 0.
                    self.adaptation.set(kind, number, (results.mean() - 1.0) / temperature);
                }
                (Playouts::Mast { .. } | Playouts::Nst { .. }, before) => {
                    entry(&mut self.moves[side], number, Amaf::default()).add(value);
                    if let (Playouts::Nst { .. }, Some(before)) = (playouts, before) {
                        let pairs = entry(&mut self.pairs[side], before, Vec::new());
                        entry(pairs, number, Amaf::default()).add(value);
                    }
                    if let (Playouts::Nst { length: 3.., .. }, &[.., first, second]) =
                        (playouts, &self.made[..index])
                    {
                        self.triples[side].add(Triples::key(first, second, number), value);
                    }
                }
            }
        }
        self.iteration += 1;
        self.made.clear();
        self.adaptation.forget_turns();
    }
}

#[cfg(test)]
mod tests {
    use super::super::parts::Sight;
    use super::*;
    use crate::rng::PlayoutKey;

    /// Adds a playout in which the players take turns, with this result for the first.
    fn tell(statistics: &mut Statistics, playouts: Playouts<()>, moves: &[u16], value: f64) {
        for (index, &mv) in moves.iter().enumerate() {
            statistics.note(if index % 2 == 0 { Kind::Max } else { Kind::Min }, mv);
        }
        statistics.learn(playouts, value);
    }

    /// The moves that are chosen of nine squares, without these.
    fn choose(statistics: &Statistics, playouts: Playouts<()>, taken: u16, kind: Kind) -> Vec<u16> {
        let free: Vec<u16> = (0..9).filter(|square| taken >> square & 1 == 0).collect();
        let mut chosen: Vec<u16> = (0..200)
            .map(|index| {
                let draws = &mut PlayoutKey::new(3).playout(index);
                let moves = || free.iter().map(|&square| (square, square));
                let policy = |draws: &mut PlayoutRng| free[draws.below(free.len() as u32) as usize];
                statistics.clone().choose(playouts, kind, moves, draws, policy)
            })
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    #[test]
    fn mast_plays_what_paid() {
        let decisive = Sight::Never;
        let mast = Playouts::Mast { random: 0.0, decisive };
        let mut statistics = Statistics::default();
        // Each square once for each player: the first player won only with 4, the second only with 8.
        for square in 0..9 {
            let value = if square == 4 { 1.0 } else { 0.0 };
            tell(&mut statistics, mast, &[square], value);
            statistics.note(Kind::Min, square);
            statistics.learn(mast, if square == 8 { 0.0 } else { 1.0 });
        }
        assert_eq!(choose(&statistics, mast, 0, Kind::Max), [4]);
        assert_eq!(choose(&statistics, mast, 1, Kind::Min), [8]);
        assert_eq!(choose(&statistics, Playouts::Mast { random: 1.0, decisive }, 0, Kind::Max).len(), 9);
    }

    #[test]
    fn nst_knows_what_came_before() {
        let nst = Playouts::Nst { random: 0.0, length: 2, enough: 7, decisive: Sight::Never };
        let mut statistics = Statistics::default();
        for _ in 0..10 {
            // After 0, the reply 4 wins and the others lose; after 1 it is the reverse.
            for square in 2..9 {
                tell(&mut statistics, nst, &[0, square], if square == 4 { 0.0 } else { 1.0 });
                tell(&mut statistics, nst, &[1, square], if square == 4 { 1.0 } else { 0.0 });
            }
            tell(&mut statistics, nst, &[0, 1], 1.0);
            tell(&mut statistics, nst, &[1, 0], 1.0);
        }
        statistics.note(Kind::Max, 0);
        assert_eq!(choose(&statistics, nst, 1, Kind::Min), [4]);
        statistics.made.clear();
        statistics.note(Kind::Max, 1);
        assert!(!choose(&statistics, nst, 2, Kind::Min).contains(&4));
    }

    /// Pairs cannot tell what is right here; triples can, once they were seen often enough.
    #[test]
    fn nst_knows_the_two_moves_before() {
        let nst = |length, enough| Playouts::Nst { random: 0.0, length, enough, decisive: Sight::Never };
        let mut statistics = Statistics::default();
        for _ in 0..10 {
            // After 0 and 1 the move 4 wins and the others lose, after 2 and 1 it is the reverse.
            for square in 3..9 {
                tell(&mut statistics, nst(3, 7), &[0, 1, square], if square == 4 { 1.0 } else { 0.0 });
                tell(&mut statistics, nst(3, 7), &[2, 1, square], if square == 4 { 0.0 } else { 1.0 });
            }
        }
        let mut found = |before: u16, length, enough| {
            statistics.made.clear();
            statistics.note(Kind::Max, before);
            statistics.note(Kind::Min, 1);
            choose(&statistics, nst(length, enough), 0b111, Kind::Max)
        };
        assert_eq!((found(0, 3, 10), found(2, 3, 10).contains(&4)), (vec![4], false));
        assert_eq!(
            (found(0, 2, 10).len(), found(0, 3, 11).len()),
            (6, 6),
            "pairs, and triples seen ten times"
        );
    }

    /// Means of 1 and ½ at the temperature ½, and a move without results, which counts 1: e² : e : e².
    #[test]
    fn mast_by_gibbs_plays_as_often_as_the_formula_says() {
        let mast = Playouts::MastGibbs { temperature: 0.5 };
        let mut statistics = Statistics::default();
        for (square, value) in [(0, 1.0), (1, 1.0), (1, 0.0)] {
            tell(&mut statistics, mast, &[square], value);
        }
        let runs = 20_000;
        let mut played = [0; 3];
        for index in 0..runs {
            let moves = || (0..3_usize).map(|square| (square, square as u16));
            let draws = &mut PlayoutKey::new(3).playout(index);
            played[statistics.choose(mast, Kind::Max, moves, draws, |_| unreachable!())] += 1;
        }
        let e = 1.0_f64.exp();
        for (found, weight) in played.into_iter().zip([e * e, e, e * e]) {
            let expected = weight / (2.0 * e * e + e);
            let error = (expected * (1.0 - expected) / runs as f64).sqrt();
            // A correct program fails one time in 50 000.
            assert!((f64::from(found) / runs as f64 - expected).abs() < 4.5 * error, "{played:?}");
        }
    }

    #[test]
    fn a_good_reply_is_remembered_and_forgotten() {
        let mut statistics = Statistics::default();
        let reply = Playouts::LastGoodReply { decisive: Sight::Never };
        tell(&mut statistics, reply, &[0, 4, 1, 2], 0.0);
        statistics.note(Kind::Max, 0);
        assert_eq!(choose(&statistics, reply, 1, Kind::Min), [4]);
        statistics.made.clear();
        tell(&mut statistics, reply, &[0, 4, 1, 2], 1.0);
        statistics.note(Kind::Max, 0);
        assert_eq!(choose(&statistics, reply, 1, Kind::Min).len(), 8);
    }

    /// RAVE asks whether a player made a move at or after a place of the current iteration.
    #[test]
    fn moves_of_the_present_iteration_are_known() {
        let mut statistics = Statistics::default();
        let full = Playouts::Full { batch: 1, decisive: Sight::Never };
        tell(&mut statistics, full, &[5], 1.0);
        for (kind, square) in [(Kind::Max, 0), (Kind::Min, 1), (Kind::Max, 2)] {
            statistics.note(kind, square);
        }
        let made = |kind, number, at| statistics.was_made(kind, number, at);
        assert!(made(Kind::Max, 0, 0) && !made(Kind::Max, 0, 1) && made(Kind::Max, 2, 1));
        assert!(made(Kind::Min, 1, 1) && !made(Kind::Max, 1, 0) && !made(Kind::Max, 5, 0));
    }
}
