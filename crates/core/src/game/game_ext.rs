use super::{Game, Turn};
use crate::words::{PASS, after_pass};

/// The methods that follow from the rules of a game.
pub trait GameExt: Game {
    /// The legal moves at a player's turn, the outcomes at a chance turn.
    fn legal(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(position).chain(self.outcomes(position).map(|(mv, _)| mv))
    }

    /// The position after a legal move or an outcome of chance.
    #[inline(always)]
    fn after(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        let mut after = *position;
        self.apply(&mut after, mv);
        after
    }

    /// Each legal move or outcome, in the game's order, with the position after it.
    ///
    /// # Cost
    /// One copy and one move each, without allocation.
    fn children<'a>(
        &'a self,
        position: &'a Self::Position,
    ) -> impl Iterator<Item = (Self::Move, Self::Position)> + 'a {
        self.legal(position).map(|mv| (mv, self.after(position, mv)))
    }

    /// The outcome of chance at which the cumulative weight exceeds `below(sum)`, with its number.
    #[inline(always)]
    fn outcome_by(&self, position: &Self::Position, below: impl FnOnce(u64) -> u64) -> (usize, Self::Move) {
        let sum = self.outcomes(position).map(|(_, weight)| u64::from(weight)).sum();
        let mut pick = below(sum);
        for (number, (mv, weight)) in self.outcomes(position).enumerate() {
            if pick < u64::from(weight) {
                return (number, mv);
            }
            pick -= u64::from(weight);
        }
        unreachable!("a pick below the sum of the weights falls on an outcome")
    }

    /// Whether a move is a pass: it is written `pass`.
    fn is_pass(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.notation(position, mv) == PASS
    }

    /// Makes a move after checking that it is legal.
    ///
    /// # Errors
    /// If the move is not legal; the position is unchanged.
    fn play(&self, position: &mut Self::Position, mv: Self::Move) -> Result<(), IllegalMove> {
        if !self.legal(position).any(|legal| legal == mv) {
            return Err(IllegalMove(format!("{mv:?}")));
        }
        self.apply(position, mv);
        Ok(())
    }

    /// The position after a transcript, from the start.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal, with its ply and the position.
    fn follow(&self, transcript: &str) -> Result<Self::Position, TranscriptError> {
        let mut position = self.start();
        self.follow_from(&mut position, transcript, &mut |_| ())?;
        Ok(position)
    }

    /// Plays a transcript from a position, and calls `seen` for each move before it is made.
    ///
    /// Also makes the forced moves that the game's transcripts omit, including those after the last written move. Passes
    /// that are written after the end of the game are passed over.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal. Then `position` is the one before that move.
    fn follow_from(
        &self,
        position: &mut Self::Position,
        transcript: &str,
        seen: &mut dyn FnMut(Self::Move),
    ) -> Result<Followed, TranscriptError> {
        let mut text = transcript.trim();
        let mut followed = Followed { plies: 0, passes: 0 };
        loop {
            let is_over = self.turn(position) == Turn::Over;
            match self.read_move(position, text) {
                Some((mv, rest)) if rest.len() < text.len() || !is_over => {
                    seen(mv);
                    followed.plies += 1;
                    followed.passes += u32::from(self.is_pass(position, mv));
                    self.apply(position, mv);
                    text = rest;
                }
                _ if text.is_empty() => return Ok(followed),
                _ => match after_pass(text).filter(|_| is_over) {
                    Some(rest) => text = rest,
                    None => return Err(self.transcript_error(position, text, followed.plies)),
                },
            }
        }
    }

    /// The error for a move that cannot be read at the beginning of `text`.
    #[doc(hidden)]
    fn transcript_error(&self, position: &Self::Position, text: &str, plies: u32) -> TranscriptError {
        let legal = self.legal(position).map(|mv| self.notation(position, mv)).collect();
        TranscriptError { ply: plies + 1, text: first_word(text), legal, drawing: self.drawing(position) }
    }
}

impl<G: Game> GameExt for G {}

fn first_word(text: &str) -> String {
    let word = text.split(|c: char| c.is_whitespace() || c == ',').next().unwrap_or("");
    let mut shown: String = word.chars().take(12).collect();
    if shown.len() < word.len() {
        shown.push('…');
    }
    shown
}

/// The reason why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// The length of a transcript that was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The plies made.
    pub plies: u32,
    /// The passes among them, whether the transcript writes them or not.
    pub passes: u32,
}

/// A move that the rules do not allow in its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMove(pub String);

/// A transcript that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: `{text}` is not a legal move here; {}", legal_text(.legal))]
pub struct TranscriptError {
    /// The ply that could not be played, counted from 1.
    pub ply: u32,
    /// The text at that ply, shortened.
    pub text: String,
    /// The notations of the legal moves there. Empty if the game is over.
    pub legal: Vec<String>,
    /// The drawing of the position there.
    pub drawing: String,
}

fn legal_text(legal: &[String]) -> String {
    if legal.is_empty() { "the game is over".into() } else { format!("legal: {}", legal.join(" ")) }
}
