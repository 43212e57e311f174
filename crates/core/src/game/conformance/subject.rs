//! The game under examination: random games from the start, and a sample of their positions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Effort;
use crate::game::{Facts, GameObject, Player, Turn, Value};
use crate::rng::{PlayoutKey, Rng, Stream};
use crate::words::counted;

/// The result of a check; an error describes the violation.
pub(super) type Verdict = Result<(), String>;

/// Calls the game; a panic becomes an error with its message.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        format!("panics: {}", text.unwrap_or_else(|| "without a text".into()))
    })
}

/// Examines the game; a panic is a violation with its message.
pub(super) fn examine(work: impl FnOnce() -> Verdict) -> Verdict {
    catch(work).and_then(|verdict| verdict)
}

/// An error with this text unless a condition holds.
macro_rules! require {
    ($holds:expr, $($text:tt)+) => {
        if $holds { Ok(()) } else { Err(format!($($text)+)) }
    };
}

pub(super) use require;

pub(super) enum End {
    Over,
    /// A turn without a move or an outcome.
    Stuck,
    /// The game exceeded the bound on its length.
    TooLong,
    Panicked(String),
}

/// A random game from the start.
pub(super) struct Line {
    /// The moves made, including one that panicked.
    pub(super) moves: Vec<Value>,
    /// The last position, before a panic if there was one; `None` if `start` panicked.
    pub(super) last: Option<Value>,
    pub(super) end: End,
}

/// A position kept for examination.
pub(super) struct Case {
    line: usize,
    ply: usize,
    number: u64,
    pub(super) position: Value,
    pub(super) turn: Turn,
}

pub(super) struct Subject<'a> {
    pub(super) game: &'a dyn GameObject,
    pub(super) facts: Facts,
    pub(super) effort: Effort,
    pub(super) lines: Vec<Line>,
    /// Positions of these games in the order of play, including the last one of each.
    pub(super) cases: Vec<Case>,
    /// The line and ply of the first chance turn.
    pub(super) chance: Option<(usize, usize)>,
    stream: Stream,
}

impl<'a> Subject<'a> {
    /// Plays the random games and samples their positions.
    pub(super) fn gather(game: &'a dyn GameObject, facts: Facts, effort: Effort) -> Self {
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
                last = Some((ply, position.clone(), turn));
                if turn == Turn::Chance && self.chance.is_none() {
                    self.chance = Some((line, ply));
                }
                let Some(mv) = self.step(&position, turn, &mut rng) else {
                    return if turn == Turn::Over { End::Over } else { End::Stuck };
                };
                // Each ply but the last is kept with the same probability (Vitter's algorithm R); the start is kept
                // in the first game only.
                if ply < quota {
                    kept.push((ply, position.clone(), turn));
                } else {
                    let slot = rng.below(ply as u64 + 1) as usize;
                    if slot < quota && (slot > 0 || line > 0) {
                        kept[slot] = (ply, position.clone(), turn);
                    }
                }
                if ply >= self.longest() {
                    return End::TooLong;
                }
                moves.push(mv.clone());
                position = self.game.after(&position, &mv);
            }
        });
        kept.retain(|&(ply, ..)| last.as_ref().is_none_or(|(last, ..)| ply < *last));
        kept.sort_unstable_by_key(|&(ply, ..)| ply);
        kept.extend(last.clone());
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

    /// Examines each of some cases, and adds its place to the first violation.
    pub(super) fn each<'s>(
        &'s self,
        cases: impl IntoIterator<Item = &'s Case>,
        count: &mut u64,
        mut check: impl FnMut(&'s Case) -> Verdict,
    ) -> Verdict {
        for case in cases {
            *count += 1;
            examine(|| check(case)).map_err(|what| format!("{what}\n{}", self.place(case)))?;
        }
        Ok(())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter()
    }

    pub(super) fn decisions(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| matches!(case.turn, Turn::Player(_)))
    }

    pub(super) fn chances(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.turn == Turn::Chance)
    }

    pub(super) fn finished(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.turn == Turn::Over)
    }

    pub(super) fn unfinished(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.turn != Turn::Over)
    }

    /// An evenly spaced sample of all cases, of the size that the effort sets.
    pub(super) fn spots(&self) -> Vec<&Case> {
        self.spots_of(self.all())
    }

    /// The same of some cases.
    pub(super) fn spots_of<'s>(&self, cases: impl Iterator<Item = &'s Case>) -> Vec<&'s Case> {
        let cases: Vec<_> = cases.collect();
        let wanted = (self.effort.spots as usize).min(cases.len());
        (0..wanted).map(|i| cases[i * cases.len() / wanted]).collect()
    }

    /// The players that the facts state, at most two.
    pub(super) fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.facts.players.min(2)).map(Player::new)
    }

    /// The key for the random choices of a law at a case.
    pub(super) fn key(&self, law: &str, case: &Case) -> PlayoutKey {
        (self.stream / law).playout_key().child(case.number)
    }

    /// The legal moves of a position; the first and last of them if there are too many.
    pub(super) fn moves(&self, position: &Value) -> Vec<Value> {
        self.game.moves_within(position, self.effort.width as usize)
    }

    /// The outcomes of a position; the first and last of them if there are too many.
    pub(super) fn outcomes(&self, position: &Value) -> Vec<(Value, u32)> {
        self.game.outcomes_within(position, self.effort.width as usize)
    }

    /// A uniformly random legal move, or a random outcome by its weight; uses `moves` and `outcomes` only.
    pub(super) fn step(&self, position: &Value, turn: Turn, rng: &mut Rng) -> Option<Value> {
        let mut all = match turn {
            Turn::Over => return None,
            Turn::Player(_) => {
                let [count, _] = self.game.listed(position);
                let pick = if count == 0 { return None } else { rng.below(count as u64) as usize };
                return self.game.move_at(position, pick);
            }
            Turn::Chance => self.game.outcomes(position),
        };
        let sum = all.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut pick = if sum == 0 { return None } else { rng.below(sum) };
        let found = all.iter().position(|&(_, weight)| {
            let hit = pick < u64::from(weight);
            pick = pick.wrapping_sub(u64::from(weight));
            hit
        });
        Some(all.swap_remove(found?).0)
    }

    /// The legal moves and outcomes of a position; the first and last of them if there are too many.
    pub(super) fn legal(&self, position: &Value) -> Vec<Value> {
        let outcomes = self.outcomes(position).into_iter().map(|(mv, _)| mv);
        self.moves(position).into_iter().chain(outcomes).collect()
    }

    /// The moves that lead from the start to a case.
    pub(super) fn path(&self, case: &Case) -> &[Value] {
        &self.lines[case.line].moves[..case.ply]
    }

    /// The moves that lead to a case, and its drawing.
    pub(super) fn place(&self, case: &Case) -> String {
        self.place_of(self.path(case), Some(&case.position))
    }

    /// A line of moves, and the drawing of the position after it if there is one.
    pub(super) fn place_of(&self, moves: &[Value], position: Option<&Value>) -> String {
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
