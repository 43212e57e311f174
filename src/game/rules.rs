//! The trait that every game implements, and what follows from it for all of them.

use std::fmt::Debug;

use super::options::{Invalid, OptionDecl, Options};
use super::{
    Batch, Facts, FinishedGames, NamedEvaluation, NamedFeatures, NamedPolicy, Outcome, Path, Player,
    PlayoutRequest, PlyOf, RecordFormat, Solved, Stage, Tally, Turn, Uniform, Window,
    plain_lines_of_two_plies, run_playouts,
};
use crate::rng::Draws;

/// A game: its rules with its options. Positions are small values apart from it.
///
/// Eight methods are required. Each of the others has a default that is right for every game; games override
/// them for speed or for their own notation. `docs/adding-a-game.md` is the guide, and
/// `examples/connect-four` is a whole game in about a hundred lines.
///
/// # Laws
/// [`conformance::check`](super::conformance::check) checks these for any game:
/// - `moves` yields legal moves, each once, in an order that depends on the position only; at least one at a
///   player's turn, none otherwise. `outcomes` likewise at chance's turn, each weight positive and their sum
///   below 2³².
/// - `apply` changes the position it is given and nothing else: equal positions and moves give equal positions.
/// - `payoff` lies within the facts' range; where they claim zero-sum, the two payoffs add up to 0.
/// - `random_move` and `random_outcome` take one draw and choose as [`Draws::below`] says, or `random_move` in every
///   position as [`Draws::share`] says; `uniform_playouts` gives exactly the tally of [`run_playouts`] with
///   [`Uniform`], and so does `uniform_playouts_on` on every path; `uniform_playouts_of_many` gives that for each request.
/// - `parse_move` reads back what `notation` writes, also in upper case, and two moves of a position are never
///   written alike. `follow` makes the moves of a `transcript` again, and `parse_position` reads back what
///   `position_text` writes.
/// - `lines_of_two_plies` counts the lines that are made, `move_number` tells moves apart, `key` positions,
///   `payoff_bounds` hold and `solve_tail` is exact.
/// - The facts are true.
///
/// # Example: playing by hand
/// ```
/// use shikou::game::{Game, GameExt, Outcome, Player, Turn};
/// use shikou::games::tic_tac_toe::TicTacToe;
///
/// let game = TicTacToe::default();
/// let position = game.follow("a1 a2 b1 b2 c1").unwrap();
/// assert_eq!(game.turn(&position), Turn::Over);
/// assert_eq!(game.outcome(&position, Player::FIRST), Outcome::Win);
/// assert_eq!(game.payoff(&position, Player::SECOND), -1);
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// A position: all that the players know, whose turn it is included. Equality is that of the game: two
    /// positions are equal where they have the same future.
    type Position: Copy + Eq + Debug + Send + Sync + 'static;

    /// A move of a player or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// What is true of this game with its options.
    fn facts(&self) -> Facts;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

    /// Whose turn it is.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// The legal moves of the player whose turn it is, in a fixed order. None at any other turn.
    ///
    /// # Cost
    /// Nothing is allocated.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// Makes a move, or lets an outcome of chance happen, in place. The move must be legal: this is the fast
    /// way, for loops; [`GameExt::play`] is the checked one.
    ///
    /// # Panics
    /// It may, where the move is not legal.
    fn apply(&self, position: &mut Self::Position, mv: Self::Move);

    /// What the finished game is worth to `player`: the integer that searchers maximise, within the range that
    /// the facts state and at most 2¹⁵ in size, so that sums over playouts are exact in any order.
    fn payoff(&self, position: &Self::Position, player: Player) -> i32;

    /// The move as the game's players write it. `position` is the one in which it is made.
    fn notation(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The position for people to look at, some lines of text.
    fn drawing(&self, position: &Self::Position) -> String;

    /// The outcomes of chance, each with its positive weight, in a fixed order. None at a player's turn.
    fn outcomes(&self, position: &Self::Position) -> impl Iterator<Item = (Self::Move, u32)> {
        let _ = position;
        std::iter::empty()
    }

    /// How the finished game ended for `player`. By default the payoff decides: above the middle of its range a
    /// win, below it a loss.
    fn outcome(&self, position: &Self::Position, player: Player) -> Outcome {
        let facts = self.facts();
        let middle = i64::from(facts.min_payoff) + i64::from(facts.max_payoff);
        match (2 * i64::from(self.payoff(position, player))).cmp(&middle) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Win,
        }
    }

    /// The score of the finished game for `player`, in the facts' unit (discs, cards). By default the payoff.
    fn score(&self, position: &Self::Position, player: Player) -> i32 {
        self.payoff(position, player)
    }

    /// How many legal moves there are.
    #[inline(always)]
    fn move_count(&self, position: &Self::Position) -> u32 {
        self.moves(position).count() as u32
    }

    /// One of the legal moves, each as likely, by one draw: number `draws.below(move_count)`. A game whose playouts are so
    /// short that the draws are most of their cost may let moves share words: number `draws.share(move_count)` in
    /// every position.
    #[inline(always)]
    fn random_move(&self, position: &Self::Position, draws: &mut Draws) -> Self::Move {
        let pick = draws.below(self.move_count(position));
        self.moves(position).nth(pick as usize).expect("a player's turn has a move")
    }

    /// One of the outcomes of chance by its weight, by one draw: the outcomes are laid end to end in order,
    /// each as long as its weight, and `draws.below(sum)` falls on one.
    #[inline(always)]
    fn random_outcome(&self, position: &Self::Position, draws: &mut Draws) -> Self::Move {
        let sum = self.outcomes(position).map(|(_, weight)| weight).sum();
        let mut pick = draws.below(sum);
        for (mv, weight) in self.outcomes(position) {
            if pick < weight {
                return mv;
            }
            pick -= weight;
        }
        unreachable!("a pick below the sum of the weights falls on an outcome")
    }

    /// Plays a batch out uniformly from a position and adds up what `player` got.
    fn uniform_playouts(&self, from: &Self::Position, player: Player, batch: Batch) -> Tally {
        run_playouts(self, &Uniform, from, player, batch)
    }

    /// The same on a named path, for tests and comparisons of speed: the tally of `uniform_playouts`. `None` where the
    /// game has no such path, or this processor not its instructions. By default the portable path is the plain loop,
    /// and there is no other. A game with lanes of its own overrides both.
    fn uniform_playouts_on(
        &self,
        path: Path,
        from: &Self::Position,
        player: Player,
        batch: Batch,
    ) -> Option<Tally> {
        (path == Path::Portable).then(|| run_playouts(self, &Uniform, from, player, batch))
    }

    /// Plays many batches out uniformly, each from a position of its own, in one call: for each request, in its place,
    /// the tally of [`Game::uniform_playouts`]. A game that plays many games at a time fills its lanes from all of them;
    /// searches that ask for single playouts share lanes so.
    ///
    /// # Panics
    /// Where there are not as many places for tallies as requests.
    fn uniform_playouts_of_many(&self, requests: &[PlayoutRequest<Self::Position>], tallies: &mut [Tally]) {
        assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
        for (request, tally) in requests.iter().zip(tallies) {
            *tally = self.uniform_playouts(&request.from, request.player, request.batch);
        }
    }

    /// The parts of the uniform playouts on a path, in the order of a ply, to be run over these plies and timed. None, as
    /// by default: nothing is known of them but, on the portable path, the parts of the plain loop.
    fn playout_stages<'p>(&'p self, path: Path, plies: &'p [PlyOf<Self>]) -> Vec<Stage<'p>> {
        let _ = (path, plies);
        Vec::new()
    }

    /// The number of lines of two plies from a position at a player's turn: for each move as many as there are moves,
    /// or outcomes, behind it; a finished game there is one line, or none. For [`perft`](super::perft), which spends its
    /// time here; an override must give the count of [`plain_lines_of_two_plies`].
    #[inline(always)]
    fn lines_of_two_plies(&self, position: &Self::Position, finished: FinishedGames) -> u64 {
        plain_lines_of_two_plies(self, position, finished)
    }

    /// A small number that names a player's move in every position, for tables of what is known of moves: equal moves
    /// have equal numbers, and different ones different numbers. `None`, as by default: the game does not number its moves, and
    /// searchers that keep such tables do not fit it.
    fn move_number(&self, mv: Self::Move) -> Option<u16> {
        let _ = mv;
        None
    }

    /// A key for tables of positions, or `None` where the game has none. Positions of the same game with equal
    /// keys have the same moves in the same order and, for whoever is to move, the same payoffs behind them. So
    /// the players' names need not be in it where they do not matter.
    ///
    /// Best is a key that is the position; 128 bits of a good hash will do.
    #[inline(always)]
    fn key(&self, position: &Self::Position) -> Option<u128> {
        let _ = position;
        None
    }

    /// A hint for the order of search: how promising a move is for the player who makes it; larger is searched
    /// first. `child` is the position behind it. It decides how long a search takes, never what it finds. From
    /// −2²³ to 2²³; values beyond count as these. By default all moves are alike.
    #[inline(always)]
    fn order_hint(&self, position: &Self::Position, mv: Self::Move, child: &Self::Position) -> i32 {
        let _ = (position, mv, child);
        0
    }

    /// Bounds on the payoff, under best play, of the player whose turn it is: `low..=high`. `None` where the game
    /// knows no better than its facts, or where it sees that bounds would not settle the window.
    #[inline(always)]
    fn payoff_bounds(&self, position: &Self::Position, window: Window) -> Option<(i32, i32)> {
        let _ = (position, window);
        None
    }

    /// The payoff, under best play, of the player whose turn it is, where the end is so near that the game itself
    /// finds it faster than a search would: exact within the window, and outside a bound as [`Window`] says.
    /// `None` where the search should go on. Asked at a player's turn of a game without chance only. It visits
    /// fewer than 2²⁰ positions.
    #[inline(always)]
    fn solve_tail(&self, position: &Self::Position, window: Window) -> Option<Solved> {
        let _ = (position, window);
        None
    }

    /// The legal move or outcome that is written so, if there is one. By default the one whose notation it is,
    /// in upper or lower case.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Option<Self::Move> {
        self.legal(position).find(|&mv| self.notation(position, mv).eq_ignore_ascii_case(text))
    }

    /// Reads the next move of a transcript: the move, and the text behind it. `text` does not begin with white
    /// space; it is empty at the end of the transcript, where most games have nothing to read.
    ///
    /// By default moves stand apart by white space or commas. A game whose transcripts leave forced moves out
    /// returns such a move without using up text.
    fn read_move<'t>(&self, position: &Self::Position, text: &'t str) -> Option<(Self::Move, &'t str)> {
        let end = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
        let mv = self.parse_move(position, &text[..end])?;
        Some((mv, text[end..].trim_start_matches(|c: char| c.is_whitespace() || c == ',')))
    }

    /// A game from its start as one line that [`GameExt::follow`] reads back. By default each move's notation,
    /// with spaces between.
    fn transcript(&self, moves: &[Self::Move]) -> String {
        let mut position = self.start();
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(self.notation(&position, mv));
            self.apply(&mut position, mv);
        }
        words.join(" ")
    }

    /// The position as one line that [`Game::parse_position`] reads back. `None` where the game has no such text.
    fn position_text(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// The position that a text stands for. By default the text is a transcript: the moves that lead there from
    /// the start, so that an empty one is the start itself.
    ///
    /// # Errors
    /// Where the text stands for no position, with the reason.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        self.follow(text).map_err(|error| PositionError(error.to_string()))
    }

    /// The policies that manifests may name. The first is `uniform`.
    fn policies(&self) -> Vec<NamedPolicy<Self>> {
        vec![NamedPolicy::uniform()]
    }

    /// The evaluations that manifests may name. The first is the default.
    fn evaluations(&self) -> Vec<NamedEvaluation<Self>> {
        Vec::new()
    }

    /// The features that manifests may weigh into an evaluation. The first are the default.
    fn features(&self) -> Vec<NamedFeatures<Self>> {
        Vec::new()
    }
}

/// A game that manifests and commands know by name.
pub trait NamedGame: Game {
    /// The name, in kebab case.
    const NAME: &'static str;

    /// What the game is, in a line.
    const ABOUT: &'static str;

    /// What the game calls who moves first and who moves second, such as black and white. By default it has no names
    /// for them.
    const SEATS: Option<[&'static str; 2]> = None;

    /// The options it takes.
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    /// The formats of game records that it can read, from which openings can be taken. By default none.
    fn record_formats(&self) -> Vec<RecordFormat> {
        Vec::new()
    }

    /// Options, by name and value as people type them, that a position is solved with where nobody says otherwise.
    /// By default none: the game is solved as it is played.
    fn solving() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The game with these options, each of them within its declared range.
    ///
    /// # Errors
    /// Where options do not go together.
    fn with_options(options: &Options) -> Result<Self, Invalid>;
}

/// What every game can do because of its rules, and no game may redefine.
pub trait GameExt: Game {
    /// The legal moves, or the outcomes of chance, whichever the turn asks for.
    fn legal(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(position).chain(self.outcomes(position).map(|(mv, _)| mv))
    }

    /// Each legal move or outcome, in the game's order, with the position behind it.
    ///
    /// # Cost
    /// One copy and one move each; nothing is allocated.
    fn children<'a>(
        &'a self,
        position: &'a Self::Position,
    ) -> impl Iterator<Item = (Self::Move, Self::Position)> + 'a {
        self.legal(position).map(|mv| {
            let mut child = *position;
            self.apply(&mut child, mv);
            (mv, child)
        })
    }

    /// Makes a move after checking that it is legal.
    ///
    /// # Errors
    /// Where the move is not legal; the position is unchanged.
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
    /// Where a move cannot be read or is not legal, with its ply and the position.
    fn follow(&self, transcript: &str) -> Result<Self::Position, TranscriptError> {
        let mut position = self.start();
        self.follow_from(&mut position, transcript, |_| ())?;
        Ok(position)
    }

    /// Plays a transcript on from a position, and tells `seen` each move before it is made.
    ///
    /// Forced moves that the game's transcripts leave out are made too, also after the last written move.
    ///
    /// # Errors
    /// Where a move cannot be read or is not legal; the position is the one in which it should have been made.
    fn follow_from(
        &self,
        position: &mut Self::Position,
        transcript: &str,
        mut seen: impl FnMut(Self::Move),
    ) -> Result<Followed, TranscriptError> {
        let mut text = transcript.trim();
        let mut followed = Followed { plies: 0, unwritten: 0 };
        loop {
            match self.read_move(position, text) {
                Some((mv, rest)) if rest.len() < text.len() || self.turn(position) != Turn::Over => {
                    seen(mv);
                    self.apply(position, mv);
                    followed.plies += 1;
                    followed.unwritten += u32::from(rest.len() == text.len());
                    text = rest;
                }
                _ if text.is_empty() => return Ok(followed),
                _ => return Err(self.transcript_error(position, text, followed.plies)),
            }
        }
    }

    /// The error for a move that cannot be read at the beginning of `text`.
    #[doc(hidden)]
    fn transcript_error(&self, position: &Self::Position, text: &str, plies: u32) -> TranscriptError {
        let word: String = text.split(|c: char| c.is_whitespace() || c == ',').next().unwrap_or("").into();
        let legal: Vec<String> = self.legal(position).map(|mv| self.notation(position, mv)).collect();
        let mut shown: String = word.chars().take(12).collect();
        if shown.len() < word.len() {
            shown.push('…');
        }
        TranscriptError { ply: plies + 1, text: shown, legal, drawing: self.drawing(position) }
    }
}

impl<G: Game> GameExt for G {}

/// Why a text stands for no position, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// How far a transcript led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The plies that were made.
    pub plies: u32,
    /// How many of them the transcript leaves out, such as passes.
    pub unwritten: u32,
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
    /// What stands there, shortened.
    pub text: String,
    /// The legal moves there, as they are written. None: the game is over.
    pub legal: Vec<String>,
    /// The position there, drawn.
    pub drawing: String,
}

fn legal_text(legal: &[String]) -> String {
    if legal.is_empty() { "the game is over".into() } else { format!("legal: {}", legal.join(" ")) }
}
