//! A game of a served searcher: its position, and what the other program said of it.

use std::time::Duration;

use crate::game::{Player, PositionError, Turn};
use crate::players::{AnyGame, FitError, PlayError, SearcherSpec, Table};
use crate::rng::Stream;
use crate::search::{Clock, Limit, Limits, MoveStream};
use crate::words::{PASS, is_pass};

/// The randomness of a served searcher for its move at a ply, counted from 0: the same in every game, so that one seed
/// gives one answer to one game.
pub fn served_stream(seed: u64, ply: u32) -> MoveStream {
    MoveStream::new((Stream::new(seed) / "serve" / u64::from(ply)).playout_key())
}

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) mv: String,
    pub(super) value: Option<f64>,
    pub(super) time: Duration,
}

/// A game in progress with the searcher at every seat.
pub(super) struct Session<'g> {
    pub(super) game: &'g dyn AnyGame,
    searcher: SearcherSpec,
    seed: u64,
    /// The position at which the game began, as text; empty for the start.
    start: String,
    table: Box<dyn Table + 'g>,
    made: Vec<String>,
    /// The places in `made` of passes that the other program left out.
    left_out: Vec<usize>,
    /// Whether the table is one move ahead: the searcher decided, and the move was not made.
    is_ahead: bool,
    /// The time that each player has left.
    left: [Option<TimeLeft>; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLeft {
    pub(super) time: Duration,
    /// The number of moves for which it must do; 0 for the rest of the game.
    pub(super) moves: u32,
}

impl<'g> Session<'g> {
    pub(super) fn new(game: &'g dyn AnyGame, searcher: &SearcherSpec, seed: u64) -> Result<Self, FitError> {
        Ok(Self {
            game,
            searcher: searcher.clone(),
            seed,
            start: String::new(),
            table: table(game, searcher)?,
            made: Vec::new(),
            left_out: Vec::new(),
            is_ahead: false,
            left: [None; 2],
        })
    }

    /// Begins a game at a position; the empty text is the start. Times are kept.
    pub(super) fn begin_at(&mut self, position: &str) -> Result<(), PositionError> {
        let mut table = table(self.game, &self.searcher).expect("the searcher fits");
        if !position.is_empty() {
            table.begin_at(position)?;
        }
        (self.table, self.start, self.is_ahead) = (table, position.into(), false);
        self.made.clear();
        self.left_out.clear();
        Ok(())
    }

    /// Sets the game to these moves from a position. What the searcher remembers of the same game stays.
    ///
    /// Returns how many moves are legal. After an illegal one the rest is left out.
    pub(super) fn set_game(&mut self, position: &str, moves: &[String]) -> Result<usize, PositionError> {
        let goes_on = self.start == position && moves.starts_with(&self.made);
        if !goes_on {
            self.begin_at(position)?;
        }
        let known = self.made.len();
        let legal = moves[known..].iter().take_while(|mv| self.play(mv)).count();
        Ok(known + legal)
    }

    /// Makes a move of either player. Returns whether it was legal.
    ///
    /// Some programs leave passes out, and others write them even after the end of the game.
    pub(super) fn play(&mut self, text: &str) -> bool {
        if self.make(text) || is_pass(text) && self.turn() == Turn::Over {
            return true;
        }
        self.pass_if_forced() && self.make_or_take_back(text)
    }

    /// Makes a move after a pass that was not told. If it is not legal, the pass is taken back.
    pub(super) fn make_or_take_back(&mut self, text: &str) -> bool {
        let is_legal = self.make(text);
        if !is_legal {
            self.take_back_left_out();
        }
        is_legal
    }

    /// Makes a move of the player to move. Returns whether it was legal.
    pub(super) fn make(&mut self, text: &str) -> bool {
        if self.is_ahead {
            if self.table.last_move().is_some_and(|mv| mv.eq_ignore_ascii_case(text)) {
                self.commit();
                return true;
            }
            self.go_back();
        }
        let is_legal = self.table.make_written_move(text);
        if is_legal {
            self.note_last();
        }
        is_legal
    }

    /// Lets the searcher decide. The move is not made: [`Session::commit`] makes it.
    pub(super) fn decide(&mut self) -> Result<Answer, PlayError> {
        self.go_back();
        let clock = Clock::start();
        let limits = Limits { time: self.time_for_a_move(), ..Limits::default() };
        self.table.decide(served_stream(self.seed, self.table.plies()), limits)?;
        self.is_ahead = true;
        let (player, view) = self.table.last_decision().expect("it has just decided");
        let value = view.moves.iter().find(|estimate| estimate.mv == view.chosen).map(|of| of.value);
        let time = clock.elapsed();
        if let Some(left) = &mut self.left[player.index()] {
            left.time = left.time.saturating_sub(time);
            if left.moves > 1 {
                left.moves -= 1;
            }
        }
        Ok(Answer { mv: view.chosen, value, time })
    }

    pub(super) fn commit(&mut self) {
        self.is_ahead = false;
        self.note_last();
    }

    /// Takes the last move back, with the passes around it that were left out. Returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        self.take_back_left_out();
        let had_one = self.made.pop().is_some();
        self.take_back_left_out();
        had_one
    }

    /// Takes passes at the end back that were left out.
    fn take_back_left_out(&mut self) {
        while self.left_out.pop_if(|place| *place + 1 == self.made.len()).is_some() {
            self.made.pop();
        }
        self.is_ahead = true;
        self.go_back();
    }

    pub(super) fn turn(&mut self) -> Turn {
        self.go_back();
        self.table.turn()
    }

    /// Makes a pass that the other program left out, if it is the only legal move. Returns whether it was.
    pub(super) fn pass_if_forced(&mut self) -> bool {
        self.go_back();
        let is_forced = matches!(&self.table.legal_moves()[..], [only] if only == PASS);
        let passes = is_forced && self.make(PASS);
        self.left_out.extend(passes.then(|| self.made.len() - 1));
        passes
    }

    pub(super) fn table(&mut self) -> &dyn Table {
        self.go_back();
        &*self.table
    }

    /// Sets the time that a player has left; `None` for no clock.
    pub(super) fn set_time_left(&mut self, player: Player, left: Option<TimeLeft>) {
        self.left[player.index()] = left;
    }

    /// The most time for the next move: an equal share of what is left, of which a tenth is kept back.
    fn time_for_a_move(&self) -> Option<Duration> {
        let Turn::Player(player) = self.table.turn() else { return None };
        let keeps_time = self.searcher.searcher.keeps.contains(&Limit::Time);
        let TimeLeft { time, moves } = self.left[player.index()].filter(|_| keeps_time)?;
        let plies = self.game.facts().max_plies.unwrap_or(60).saturating_sub(self.table.plies());
        let moves = if moves == 0 { plies / 2 + 1 } else { moves };
        Some(time.mul_f64(0.9) / moves)
    }

    /// Brings the table back to the moves that were made. The searcher forgets what it found.
    fn go_back(&mut self) {
        if !self.is_ahead {
            return;
        }
        let (start, made) = (std::mem::take(&mut self.start), std::mem::take(&mut self.made));
        let left_out = std::mem::take(&mut self.left_out);
        self.begin_at(&start).expect("the game began there before");
        for mv in &made {
            assert!(self.make(mv), "{mv} was legal before");
        }
        self.left_out = left_out;
    }

    fn note_last(&mut self) {
        self.made.push(self.table.last_move().expect("a move was just made"));
    }
}

fn table<'g>(game: &'g dyn AnyGame, searcher: &SearcherSpec) -> Result<Box<dyn Table + 'g>, FitError> {
    game.table(&vec![Some(searcher.clone()); usize::from(game.facts().players)])
}
