//! In which order moves are searched: what was learned on the way.

use super::Cue;

/// Two moves a ply that cut there last.
const KILLERS: usize = 2;
/// So many different moves are remembered; games with more forget nothing but learn no others.
const MOST: usize = 512;

/// What a search learns about moves, wherever they are made.
#[derive(Clone, Debug)]
pub(super) struct Learned<M> {
    killers: Vec<[Option<M>; KILLERS]>,
    history: Vec<(M, u64)>,
}

impl<M> Default for Learned<M> {
    fn default() -> Self {
        Self { killers: Vec::new(), history: Vec::new() }
    }
}

impl<M: Copy + Eq> Learned<M> {
    /// Remembers that a move cut, `ply` plies below the root, where so many plies were left.
    pub(super) fn cut(&mut self, order: &[Cue], mv: M, ply: usize, left: u32) {
        if order.contains(&Cue::Killers) {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; KILLERS]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        if order.contains(&Cue::History) {
            // The deeper the tree that was cut away, the more it says: 2^depth in the paper, the square here.
            let merit = u64::from(left.min(1000)).pow(2);
            if let Some((_, sum)) = self.history.iter_mut().find(|(known, _)| *known == mv) {
                *sum += merit;
            } else if self.history.len() < MOST {
                self.history.push((mv, merit));
            }
        }
    }

    /// Whether a move is a killer at a ply: the last one 2, the one before 1.
    pub(super) fn killer(&self, mv: M, ply: usize) -> i64 {
        let killers = self.killers.get(ply);
        let place = killers.and_then(|killers| killers.iter().position(|&killer| killer == Some(mv)));
        place.map_or(0, |place| (KILLERS - place) as i64)
    }

    /// How often and how deep a move cut.
    pub(super) fn history(&self, mv: M) -> i64 {
        self.history.iter().find(|(known, _)| *known == mv).map_or(0, |&(_, sum)| sum as i64)
    }

    /// Forgets half of the history: what another search found counts less.
    pub(super) fn age(&mut self) {
        self.killers.clear();
        for (_, sum) in &mut self.history {
            *sum /= 2;
        }
    }
}

/// A place in the order, made of cues, the first the heaviest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(i64);

impl Rank {
    /// The same with one cue more, lighter than all before: a number that `bits` bits hold with its sign; others
    /// count as the nearest one.
    #[inline(always)]
    pub(super) fn then(self, bits: u32, value: i64) -> Self {
        let largest = (1 << (bits - 1)) - 1;
        Self((self.0 << bits) + value.clamp(-largest, largest))
    }
}
