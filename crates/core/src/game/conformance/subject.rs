//! The game under examination: random games from the start, and a sample of their positions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Effort;
use crate::game::{Facts, Game, Player, Turn};
use crate::rng::{PlayoutKey, Rng, Stream};
use crate::words::counted;

/// The result of a check; an error describes the violation.
pub(super) type Verdict = Result<(), String>;

/// Calls the game; a panic becomes an error with its message.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let (mut work, mut result) = (Some(work), None);
    catch_erased(&mut || result = work.take().map(|work| work()))?;
    Ok(result.expect("the work was done"))
}

/// [`catch`] without a result, compiled once instead of for every closure.
fn catch_erased(work: &mut dyn FnMut()) -> Verdict {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("panics: {}", text.unwrap_or_else(|| "without a text".into()))
    })
}

/// An error unless `holds`.
pub(super) fn require(holds: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The end of a random game.
pub(super) enum End {
    /// The game was over.
    Over,
    /// A turn without a move or an outcome.
    Stuck,
    /// The game exceeded the bound on its length.
    TooLong,
    /// The game panicked, with this message.
    Panicked(String),
}

/// A random game from the start.
pub(super) struct Line<G: Game> {
    /// The moves made, including one that panicked.
    pub(super) moves: Vec<G::Move>,
    /// The last position, before a panic if there was one; `None` if `start` panicked.
    pub(super) last: Option<G::Position>,
    /// The end.
    pub(super) end: End,
}

/// A position kept for examination.
pub(super) struct Case<G: Game> {
    line: usize,
    ply: usize,
    number: u64,
    /// The position.
    pub(super) position: G::Position,
    /// Whose turn it is.
    pub(super) turn: Turn,
}

/// A game under examination.
pub(super) struct Subject<'a, G: Game> {
    /// The game.
    pub(super) game: &'a G,
    /// Its facts.
    pub(super) facts: Facts,
    /// The effort.
    pub(super) effort: Effort,
    /// Random games from the start.
    pub(super) lines: Vec<Line<G>>,
    /// Positions of these games in the order of play, including the last one of each.
    pub(super) cases: Vec<Case<G>>,
    /// The line and ply of the first chance turn.
    pub(super) chance: Option<(usize, usize)>,
    stream: Stream,
}

/// A random item, each with the same probability; `None` if there are none.
fn any<T, I: Iterator<Item = T>>(items: impl Fn() -> I, rng: &mut Rng) -> Option<T> {
    let count = items().count() as u64;
    if count == 0 { None } else { items().nth(rng.below(count) as usize) }
}

impl<'a, G: Game> Subject<'a, G> {
    /// Plays the random games and samples their positions.
    pub(super) fn gather(game: &'a G, facts: Facts, effort: Effort) -> Self {
        let stream = Stream::new(effort.seed) / "conformance";
        let (lines, cases) = (Vec::new(), Vec::new());
        let mut subject = Self { game, facts, effort, lines, cases, chance: None, stream };
        for _ in 0..effort.games {
            subject.gather_line();
        }
        subject
    }

    fn gather_line(&mut self) {
        let line = self.lines.len();
        let mut rng = (self.stream / "game" / line as u64).rng();
        let quota = self.effort.positions.div_ceil(self.effort.games.max(1)) as usize;
        let (mut moves, mut kept, mut last) = (Vec::new(), Vec::new(), None);
        let end = catch(|| {
            let mut position = self.game.start();
            loop {
                let (ply, turn) = (moves.len(), self.game.turn(&position));
                last = Some((ply, position, turn));
                if turn == Turn::Chance && self.chance.is_none() {
                    self.chance = Some((line, ply));
                }
                let Some(mv) = self.random_step(&position, turn, &mut rng) else {
                    return if turn == Turn::Over { End::Over } else { End::Stuck };
                };
                // Each ply but the last is kept with the same probability (Vitter's algorithm R); the start is kept
                // in the first game only.
                if ply < quota {
                    kept.push((ply, position, turn));
                } else {
                    let slot = rng.below(ply as u64 + 1) as usize;
                    if slot < quota && (slot > 0 || line > 0) {
                        kept[slot] = (ply, position, turn);
                    }
                }
                if ply >= self.longest() {
                    return End::TooLong;
                }
                moves.push(mv);
                self.game.apply(&mut position, mv);
            }
        });
        kept.retain(|&(ply, ..)| last.is_none_or(|(last, ..)| ply < last));
        kept.sort_unstable_by_key(|&(ply, ..)| ply);
        kept.extend(last);
        for (ply, position, turn) in kept {
            let number = self.cases.len() as u64;
            self.cases.push(Case { line, ply, number, position, turn });
        }
        let last = last.map(|(_, position, _)| position);
        self.lines.push(Line { moves, last, end: end.unwrap_or_else(End::Panicked) });
    }

    /// The number of plies after which a game is abandoned.
    pub(super) fn longest(&self) -> usize {
        self.facts.max_plies.unwrap_or(0).max(self.effort.longest) as usize
    }

    /// A uniformly random legal move, or a random outcome by its weight; uses `moves` and `outcomes` only.
    pub(super) fn random_step(&self, position: &G::Position, turn: Turn, rng: &mut Rng) -> Option<G::Move> {
        match turn {
            Turn::Over => None,
            Turn::Player(_) => any(|| self.game.moves(position), rng),
            Turn::Chance => {
                let sum: u64 = self.game.outcomes(position).map(|(_, weight)| u64::from(weight)).sum();
                let mut pick = if sum == 0 { return None } else { rng.below(sum) };
                self.game.outcomes(position).find_map(|(mv, weight)| {
                    let hit = pick < u64::from(weight);
                    pick = pick.wrapping_sub(u64::from(weight));
                    hit.then_some(mv)
                })
            }
        }
    }

    /// Examines each of some cases, and adds its place to the first violation.
    pub(super) fn each<'s>(
        &'s self,
        cases: impl IntoIterator<Item = &'s Case<G>>,
        count: &mut u64,
        mut check: impl FnMut(&'s Case<G>) -> Verdict,
    ) -> Verdict {
        self.each_erased(&mut cases.into_iter(), count, &mut check)
    }

    /// [`Subject::each`], compiled once per game.
    fn each_erased<'s>(
        &'s self,
        cases: &mut dyn Iterator<Item = &'s Case<G>>,
        count: &mut u64,
        check: &mut dyn FnMut(&'s Case<G>) -> Verdict,
    ) -> Verdict {
        for case in cases {
            *count += 1;
            let verdict = catch(|| check(case)).and_then(|verdict| verdict);
            verdict.map_err(|what| format!("{what}\n{}", self.place(case)))?;
        }
        Ok(())
    }

    /// The cases at a player's turn.
    pub(super) fn decisions(&self) -> impl Iterator<Item = &Case<G>> {
        self.cases.iter().filter(|case| matches!(case.turn, Turn::Player(_)))
    }

    /// The cases at a chance turn.
    pub(super) fn chances(&self) -> impl Iterator<Item = &Case<G>> {
        self.cases.iter().filter(|case| case.turn == Turn::Chance)
    }

    /// The cases at the end of a game.
    pub(super) fn finished(&self) -> impl Iterator<Item = &Case<G>> {
        self.cases.iter().filter(|case| case.turn == Turn::Over)
    }

    /// The cases before the end of a game.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = &Case<G>> {
        self.cases.iter().filter(|case| case.turn != Turn::Over)
    }

    /// An evenly spaced sample of the cases, of the size that the effort sets.
    pub(super) fn spots<'s>(&self, cases: impl Iterator<Item = &'s Case<G>>) -> Vec<&'s Case<G>> {
        let cases: Vec<_> = cases.collect();
        let wanted = (self.effort.spots as usize).min(cases.len());
        (0..wanted).map(|i| cases[i * cases.len() / wanted]).collect()
    }

    /// The players that the facts state, at most two.
    pub(super) fn players(&self) -> impl Iterator<Item = Player> + use<G> {
        (0..self.facts.players.min(2)).map(Player::new)
    }

    /// The key for the random choices of a law at a case.
    pub(super) fn key(&self, law: &str, case: &Case<G>) -> PlayoutKey {
        (self.stream / law).playout_key().child(case.number)
    }

    /// The legal moves of a position; the first and last of them if there are too many.
    pub(super) fn moves(&self, position: &G::Position) -> Vec<G::Move> {
        self.narrow(|| self.game.moves(position))
    }

    /// The outcomes of a position; the first and last of them if there are too many.
    pub(super) fn outcomes(&self, position: &G::Position) -> Vec<(G::Move, u32)> {
        self.narrow(|| self.game.outcomes(position))
    }

    /// The legal moves and outcomes of a position; the first and last of them if there are too many.
    pub(super) fn legal(&self, position: &G::Position) -> Vec<G::Move> {
        let outcomes = self.outcomes(position).into_iter().map(|(mv, _)| mv);
        self.moves(position).into_iter().chain(outcomes).collect()
    }

    fn narrow<T, I: Iterator<Item = T>>(&self, items: impl Fn() -> I) -> Vec<T> {
        let width = self.effort.width as usize;
        let mut front: Vec<T> = items().take(width + 1).collect();
        if front.len() > width {
            let count = items().count();
            front.truncate(width.div_ceil(2));
            front.extend(items().skip(count - width / 2));
        }
        front
    }

    /// The moves that lead from the start to a case.
    pub(super) fn path(&self, case: &Case<G>) -> &[G::Move] {
        &self.lines[case.line].moves[..case.ply]
    }

    /// The moves that lead to a case, and its drawing.
    pub(super) fn place(&self, case: &Case<G>) -> String {
        self.place_of(self.path(case), Some(&case.position))
    }

    /// A line of moves, and the drawing of the position after it if there is one.
    pub(super) fn place_of(&self, moves: &[G::Move], position: Option<&G::Position>) -> String {
        const LONGEST: usize = 2000;
        let transcript = catch(|| self.game.transcript(moves)).unwrap_or_else(|_| format!("{moves:?}"));
        let shown: String = transcript.chars().take(LONGEST).collect();
        let mut place = match moves.len() {
            0 => "at the start".into(),
            plies => format!("after {}: {shown}", counted(plies as u64, "ply")),
        };
        if transcript.chars().count() > LONGEST {
            place.push('…');
        }
        if let Some(position) = position {
            let drawing = catch(|| self.game.drawing(position)).unwrap_or_else(|_| format!("{position:?}"));
            place = format!("{place}\n{drawing}");
        }
        place
    }
}
