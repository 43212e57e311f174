#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::{DEEPEST, Game, GameExt, Kernel, SearchHints, Turn, accelerate, with_stack};

/// How to count games that end before the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishedGames {
    /// A finished game is one leaf at every depth beyond its end: the usual convention.
    Count,
    /// Only lines of exactly `depth` plies count.
    Skip,
}

/// The number of lines of `depth` plies from a position. Moves of players, passes and outcomes of chance are
/// all plies; an outcome counts once, whatever its weight.
///
/// # Cost
/// Visits every position except those of the last ply, whose moves it counts in bulk. Runs on all threads of the
/// current rayon pool, with the feature `rayon`.
///
/// # Panics
/// If the depth is above 10 000.
///
/// # Example: the published counts of Othello
/// ```
/// use shikou::game::{FinishedGames, Game, perft};
/// use shikou::games::othello::Othello;
/// let game = Othello::default();
/// assert_eq!(perft(&game, &game.start(), 5, FinishedGames::Count), 1396);
/// ```
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, finished: FinishedGames) -> u64 {
    assert!(depth <= DEEPEST, "perft looks at most {DEEPEST} plies ahead");
    // At most three plies are split over the threads, since a thousand pieces are enough.
    let mut frontier = vec![*position];
    let mut leaves = 0;
    let mut split = 0;
    while split < depth.saturating_sub(1).min(3) && frontier.len() < 1000 {
        split += 1;
        let mut next = Vec::new();
        for position in &frontier {
            if game.turn(position) == Turn::Over {
                leaves += u64::from(finished == FinishedGames::Count);
            }
            for (_, child) in game.children(position) {
                next.push(child);
            }
        }
        frontier = next;
    }
    let count =
        |place: usize| accelerate(Count { game, position: &frontier[place], depth: depth - split, finished });
    leaves + sum_of(frontier.len(), &count)
}

/// The sum of some numbers, found in parallel.
fn sum_of(count: usize, number: &(dyn Fn(usize) -> u64 + Sync)) -> u64 {
    #[cfg(feature = "rayon")]
    return super::divided(|| (0..count).into_par_iter().map(number).sum());
    #[cfg(not(feature = "rayon"))]
    (0..count).map(number).sum()
}

struct Count<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    depth: u32,
    finished: FinishedGames,
}

impl<G: Game> Kernel for Count<'_, G> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { game, position, depth, .. } = self;
        if depth == 0 {
            return 1;
        }
        let turn = game.turn(position);
        if depth == 1 || turn == Turn::Over {
            return leaves(game, position, turn, self.finished);
        }
        if depth == 2 && turn != Turn::Chance {
            let mut sum = 0;
            game.hints().each_child(game, position, &mut |_, child, _| {
                sum += leaves(game, &child, game.turn(&child), self.finished);
            });
            return sum;
        }
        // Loops instead of closures from here on, because a closure that is not inlined would be compiled for baseline x86-64.
        let mut sum = 0;
        if turn == Turn::Chance {
            for (mv, _) in game.outcomes(position) {
                sum += self.after(mv);
            }
        } else {
            for mv in game.moves(position) {
                sum += self.after(mv);
            }
        }
        sum
    }
}

impl<G: Game> Count<'_, G> {
    /// The lines that begin with a move.
    #[inline(always)]
    fn after(&self, mv: G::Move) -> u64 {
        let Self { game, depth, finished, .. } = *self;
        let mut position = *self.position;
        game.apply(&mut position, mv);
        if depth == 2 {
            leaves(game, &position, game.turn(&position), finished)
        } else {
            with_stack(depth, || accelerate(Count { game, position: &position, depth: depth - 1, finished }))
        }
    }
}

/// The lines of one ply. The moves are counted, not made.
#[inline(always)]
fn leaves<G: Game>(game: &G, position: &G::Position, turn: Turn, finished: FinishedGames) -> u64 {
    match turn {
        Turn::Player(_) => u64::from(game.move_count(position)),
        Turn::Chance => game.outcomes(position).count() as u64,
        Turn::Over => u64::from(finished == FinishedGames::Count),
    }
}
