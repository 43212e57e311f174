//! The WTHOR database: human tournament games, one `.wtb` file per year.
//!
//! The format is that of the French Othello federation: a header of 16 bytes, then 68 bytes per game, little endian.
//! Reading checks the whole file; after that its records can be read without errors or allocation. A record is not
//! trusted: its moves may be illegal, and its score may differ from the score of its moves.
//!
//! # Example: a file with one unfinished game
//! ```
//! use shikou::games::othello::wthor;
//! let mut file = vec![20, 5, 10, 8, 1, 0, 0, 0, 0, 0, 0xba, 0x07, 8, 0, 24, 0];
//! let mut game = [0; 68];
//! game[6] = 60; // black's score
//! game[8..10].copy_from_slice(&[56, 64]); // f5 d6
//! file.extend(game);
//!
//! let wthor = wthor::read(&file).unwrap();
//! assert_eq!(wthor.len(), 1);
//! let record = wthor.records().next().unwrap();
//! let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
//! assert_eq!(moves, ["f5", "d6"]);
//! let replay = record.replay().unwrap();
//! assert_eq!((replay.plies, replay.black_score()), (2, 3 + 58 / 2));
//! ```

use super::{Move, Othello, Position};
use crate::game::{Game, Kernel, Player, RecordEnd, ReplayedRecord, Turn, accelerate};

const HEADER: usize = 16;
const RECORD: usize = 68;

/// The games of a `.wtb` file.
#[derive(Clone, Copy, Debug)]
pub struct Wthor<'a>(&'a [[u8; RECORD]]);

/// A game of the database.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a>(&'a [u8; RECORD]);

/// The result of a record's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The position after the last stored move; not over if the game is unfinished.
    pub position: Position,
    /// Plies, passes included.
    pub plies: u32,
    /// Passes, which are not stored.
    pub passes: u32,
}

/// The reason why bytes are not a `.wtb` file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WthorError {
    /// An incomplete header.
    #[error("a WTHOR file begins with 16 bytes, but this one has {found}: it may be cut off")]
    Header {
        /// The bytes found.
        found: usize,
    },
    /// The size does not match the number of games in the header.
    #[error("{games} games take {expected} bytes, but the file has {found}{}", advice(*.expected, *.found))]
    Length {
        /// The number of games that the header announces.
        games: u32,
        /// The bytes that they take, with the header.
        expected: u64,
        /// The bytes found.
        found: u64,
    },
    /// Another board than 8×8.
    #[error("the board of this file is {0} wide, but only files of 8×8 games (8 or 0) are known")]
    BoardSize(u8),
    /// A byte that is not a square: not 10 · row + column with both from 1 to 8.
    #[error("game {game}, move {number}: {code} is not a square (10 · row + column, each from 1 to 8)")]
    Square {
        /// The game, counted from 1.
        game: usize,
        /// The stored move, counted from 1 without passes.
        number: usize,
        /// The byte.
        code: u8,
    },
    /// A move after the end of the moves.
    #[error("game {game}, move {number}: there is a move, but the one before it is missing")]
    Gap {
        /// The game, counted from 1.
        game: usize,
        /// The stored move, counted from 1 without passes.
        number: usize,
    },
}

fn advice(expected: u64, found: u64) -> &'static str {
    if found < expected { ": it may be cut off" } else { ": the bytes after the last game are unknown" }
}

/// A move of a record that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {square} is not a legal move")]
pub struct IllegalPly {
    /// The ply, counted from 1 with passes.
    pub ply: u32,
    /// The square.
    pub square: Move,
    /// The position before it.
    pub position: Position,
}

/// Reads a `.wtb` file and checks its length, the size of its board, and its squares. Does not play the moves.
///
/// # Errors
/// If a check fails, with the expected and the found value.
///
/// # Cost
/// About 0.1 µs per game; nothing is copied.
pub fn read(bytes: &[u8]) -> Result<Wthor<'_>, WthorError> {
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(WthorError::Header { found: bytes.len() });
    };
    let size = header[12];
    if !matches!(size, 0 | 8) {
        return Err(WthorError::BoardSize(size));
    }
    let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let (expected, found) = ((HEADER as u64) + u64::from(games) * RECORD as u64, bytes.len() as u64);
    if found != expected {
        return Err(WthorError::Length { games, expected, found });
    }
    let (records, _) = body.as_chunks::<RECORD>();
    for (index, record) in records.iter().enumerate() {
        check(index + 1, &record[8..])?;
    }
    Ok(Wthor(records))
}

fn check(game: usize, codes: &[u8]) -> Result<(), WthorError> {
    let stored = codes.iter().position(|&code| code == 0).unwrap_or(codes.len());
    for (index, &code) in codes.iter().enumerate() {
        let number = index + 1;
        if index >= stored && code != 0 {
            return Err(WthorError::Gap { game, number });
        }
        if index < stored && !((1..=8).contains(&(code / 10)) && (1..=8).contains(&(code % 10))) {
            return Err(WthorError::Square { game, number, code });
        }
    }
    Ok(())
}

/// The games of a file, replayed.
///
/// # Errors
/// If the file is malformed, with the reason in words.
pub(super) fn replay(bytes: &[u8]) -> Result<Vec<ReplayedRecord>, String> {
    let file = read(bytes).map_err(|error| error.to_string())?;
    let end = |record: &Record<'_>, replay: &Replay| {
        let (score, recorded) = (replay.black_score(), record.black_score());
        let outcome = || Othello::default().outcome(&replay.position, Player::FIRST);
        RecordEnd {
            outcome: replay.is_finished().then(outcome),
            score: format!("{score}–{}", 64 - score),
            mismatch: (recorded != score)
                .then(|| format!("score mismatch: recorded {recorded} for black, replayed {score}")),
        }
    };
    let game = |record: Record<'_>| match record.replay() {
        Ok(replay) => {
            ReplayedRecord { plies: replay.plies, passes: replay.passes, end: Ok(end(&record, &replay)) }
        }
        Err(illegal) => {
            let drawing = Othello::default().drawing(&illegal.position);
            ReplayedRecord { plies: 0, passes: 0, end: Err(format!("{illegal}\n{drawing}")) }
        }
    };
    Ok(file.records().map(game).collect())
}

impl<'a> Wthor<'a> {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the file has no games.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The games in the order of the file.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'a>> + use<'a> {
        self.0.iter().map(Record)
    }
}

impl<'a> Record<'a> {
    /// Black's recorded discs at the end, with the empty squares for the winner; 0 to 64. May differ from the score of
    /// the moves: compare [`Replay::black_score`].
    pub fn black_score(&self) -> u8 {
        self.0[6]
    }

    /// The stored moves, at most 60, without passes.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<'a> {
        let codes = self.0[8..].iter().take_while(|&&code| code != 0);
        codes.map(|&code| Move::on(8 * (code / 10 - 1) + code % 10 - 1))
    }

    /// Plays the moves from the start of the 8×8 game. Inserts the passes, which are not stored, before the moves that
    /// need them, and none after the last move.
    ///
    /// # Errors
    /// If a move is not legal.
    ///
    /// # Cost
    /// About a microsecond, without allocation.
    pub fn replay(&self) -> Result<Replay, IllegalPly> {
        accelerate(Replaying(*self))
    }
}

struct Replaying<'a>(Record<'a>);

impl Kernel for Replaying<'_> {
    type Output = Result<Replay, IllegalPly>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        const GAME: Othello = Othello::new(8);
        let mut replay = Replay { position: GAME.start(), plies: 0, passes: 0 };
        for mv in self.0.moves() {
            if replay.position.must_pass() {
                GAME.apply(&mut replay.position, Move::PASS);
                replay.plies += 1;
                replay.passes += 1;
            }
            replay.plies += 1;
            if mv.square().is_none_or(|square| replay.position.moves() >> square & 1 == 0) {
                return Err(IllegalPly { ply: replay.plies, square: mv, position: replay.position });
            }
            GAME.apply(&mut replay.position, mv);
        }
        Ok(replay)
    }
}

impl Replay {
    /// Black's discs plus the empty squares if black won, or half of them in a draw, as in a record. 0 to 64. An
    /// unfinished game counts as if it had ended.
    pub fn black_score(&self) -> u8 {
        const GAME: Othello = Othello::new(8).with_reward_score().with_empties_to_winner();
        i32::midpoint(64, GAME.payoff(&self.position, Player::FIRST)) as u8
    }

    /// Whether the game is finished.
    pub fn is_finished(&self) -> bool {
        Othello::default().turn(&self.position) == Turn::Over
    }
}
