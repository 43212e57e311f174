use std::cmp::Ordering;
use std::fmt::Debug;

use super::{
    Batches, Facts, GameExt, Outcome, Path, Picture, Player, PositionError, SearchHints, Turn, Uniform,
    play_plain_batches,
};
use crate::rng::{PlayoutRng, Rng};
use crate::words::after_separators;

/// The rules of a game with its options. Positions are separate, small values.
///
/// Eight methods are required. The others have defaults that are right for every game; a game overrides them for speed
/// or for its own notation. `docs/adding-a-game.md` is the guide, and `examples/connect-four` is a whole game in about
/// a hundred lines. [`NamedGame`](super::NamedGame) adds the name, the options and the catalogue (policies,
/// evaluations, …) of a game that manifests use; [`SearchHints`] holds a game's knowledge for exact search.
///
/// # Laws
/// [`conformance::check`](super::conformance::check) checks these for any game:
/// - `moves` yields each legal move once, in an order that depends on the position only: at least one at a player's
///   turn, none at other turns. `outcomes` does the same at a chance turn; each weight is positive, and their sum is
///   below 2³².
/// - `apply` changes the position it is given and nothing else: equal positions and moves give equal positions.
/// - `payoff` lies within the range of the facts; if these say zero-sum, the two payoffs add up to 0.
/// - `random_move` and `random_outcome` take one draw. `random_move` picks the move of number [`PlayoutRng::below`] in
///   every position, or of number [`PlayoutRng::digit`] in every position; `random_outcome` uses `below`.
/// - `play_uniform_batches` gives, on every path, the tallies of [`run_playouts`](super::run_playouts) with [`Uniform`].
/// - `parse_move` reads what `notation` writes, also in upper case, and no two moves of a position have the same
///   notation. `follow` repeats the moves of a `transcript`, and `parse_position` reads what `position_text` writes.
/// - `move_number` tells moves apart, and `key` positions. `move_code` codes the moves that have numbers.
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
    /// A position: everything that the players know, including whose turn it is. Positions are equal if they have the
    /// same future.
    type Position: Copy + Eq + Debug + Send + Sync + 'static;

    /// A move of a player, or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Facts whose `players` and `chance` hold for every game of this type, whatever its options; no other field of them is read. Searchers and
    /// solvers of other games are then not compiled for it. `None`, the default, if options decide, or for simplicity.
    const ALWAYS: Option<Facts> = None;

    /// The facts of this game with its options.
    fn facts(&self) -> Facts;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

    /// A position at which a game may begin, drawn at random, or `None`, the default, if the game draws none. Openings of
    /// a manifest ask for it with `random-positions`. The game is not over there, and the position depends on the draws only.
    fn random_position(&self, _rng: &mut Rng) -> Option<Self::Position> {
        None
    }

    /// Whose turn it is.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// The legal moves of the player to move, in a fixed order. Empty at other turns.
    ///
    /// # Cost
    /// Nothing is allocated.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// Makes a legal move or an outcome of chance, in place. It does not check the move, for speed in loops;
    /// [`GameExt::play`] does.
    ///
    /// # Panics
    /// May panic if the move is not legal.
    fn apply(&self, position: &mut Self::Position, mv: Self::Move);

    /// The payoff of the finished game for `player`: the integer that searchers maximise, within the range of the facts
    /// and at most [`LARGEST_PAYOFF`](super::LARGEST_PAYOFF) in size, so that sums over playouts are exact in any order.
    fn payoff(&self, position: &Self::Position, player: Player) -> i32;

    /// The usual notation of a move. `position` is the one in which it is made.
    fn notation(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// A drawing of the position, a few lines of text.
    fn drawing(&self, position: &Self::Position) -> String;

    /// A picture of the position for a page, or `None`, the default, if the game has no other than its
    /// [`drawing`](Self::drawing).
    fn picture(&self, _position: &Self::Position) -> Option<Picture> {
        None
    }

    /// The outcomes of chance with their positive weights, in a fixed order. Empty at a player's turn.
    fn outcomes(&self, _position: &Self::Position) -> impl Iterator<Item = (Self::Move, u32)> {
        std::iter::empty()
    }

    /// The outcome of the finished game for `player`. The default compares the payoff with the middle of its range:
    /// above is a win, below a loss.
    fn outcome(&self, position: &Self::Position, player: Player) -> Outcome {
        let facts = self.facts();
        let middle = i64::from(facts.min_payoff) + i64::from(facts.max_payoff);
        match (2 * i64::from(self.payoff(position, player))).cmp(&middle) {
            Ordering::Less => Outcome::Loss,
            Ordering::Equal => Outcome::Draw,
            Ordering::Greater => Outcome::Win,
        }
    }

    /// The score of the finished game for `player`, in the unit of the facts (discs, cards). The default is the payoff.
    fn score(&self, position: &Self::Position, player: Player) -> i32 {
        self.payoff(position, player)
    }

    /// The number of legal moves.
    #[inline(always)]
    fn move_count(&self, position: &Self::Position) -> u32 {
        self.moves(position).count() as u32
    }

    /// A uniformly random legal move, by one draw: move number `draws.below(move_count)`. If playouts are so short that
    /// draws are most of their cost, a game may let moves share a word: move number `draws.digit(move_count)` in every
    /// position.
    #[inline(always)]
    fn random_move(&self, position: &Self::Position, draws: &mut PlayoutRng) -> Self::Move {
        let pick = draws.below(self.move_count(position));
        self.moves(position).nth(pick as usize).expect("a player's turn has a move")
    }

    /// An outcome of chance with probability proportional to its weight, by one draw: the first outcome at which the
    /// cumulative weight exceeds `draws.below(sum)`.
    #[inline(always)]
    fn random_outcome(&self, position: &Self::Position, draws: &mut PlayoutRng) -> Self::Move {
        // The sum of the weights is below 2³².
        self.outcome_by(position, |sum| draws.below(sum as u32).into()).1
    }

    /// Plays batches of uniform playouts, each from its own position, and writes the tally of each request.
    /// [`Policy::play_batches`](super::Policy::play_batches) states the contract; callers use
    /// [`PolicyExt`](super::PolicyExt) with [`Uniform`].
    ///
    /// The default plays one game after the other. An override can play many games at a time, and fill its lanes from
    /// all requests.
    fn play_uniform_batches(&self, _path: Path, batches: Batches<'_, Self::Position>) -> Path {
        play_plain_batches(self, &Uniform, batches)
    }

    /// The game's hints for exact search. The default has none.
    #[inline(always)]
    fn hints(&self) -> impl SearchHints<Self> {
        super::hints::NoHints
    }

    /// A small number for a player's move, the same in every position, for tables of move statistics. Different moves
    /// have different numbers. `None`, the default, if the game does not number its moves; searchers that keep such
    /// tables do not fit it.
    fn move_number(&self, _mv: Self::Move) -> Option<u16> {
        None
    }

    /// A number for a move at a position, for weights that searches learn: as [`Self::move_number`], the default, but it may
    /// also tell what is beside the move, such as a piece that it takes. Moves with equal codes share a weight. `None` where the move has
    /// no number.
    #[inline(always)]
    fn move_code(&self, _position: &Self::Position, mv: Self::Move) -> Option<u16> {
        self.move_number(mv)
    }

    /// A key for tables of positions, or `None`, the default. Positions with equal keys have the same moves in the same
    /// order and lead to the same payoffs for the player to move. So the key may omit the player if nothing else
    /// depends on it.
    ///
    /// The best key is the position itself; a good 128-bit hash is enough.
    #[inline(always)]
    fn key(&self, _position: &Self::Position) -> Option<u128> {
        None
    }

    /// The legal move or outcome that a text denotes, if there is one. The default compares with each notation, in
    /// upper or lower case.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Option<Self::Move> {
        self.legal(position).find(|&mv| self.notation(position, mv).eq_ignore_ascii_case(text))
    }

    /// Reads the next move of a transcript; returns the move and the rest of the text. `text` does not begin with white
    /// space. At the end of the transcript it is empty, and most games have nothing to read.
    ///
    /// By default white space or commas separate moves. If a game's transcripts omit forced moves, it returns such a
    /// move without consuming text.
    fn read_move<'t>(&self, position: &Self::Position, text: &'t str) -> Option<(Self::Move, &'t str)> {
        let end = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
        let mv = self.parse_move(position, &text[..end])?;
        Some((mv, after_separators(&text[end..])))
    }

    /// A game from its start as one line that [`GameExt::follow`] reads. The default joins the notations with spaces.
    fn transcript(&self, moves: &[Self::Move]) -> String {
        let mut position = self.start();
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(self.notation(&position, mv));
            self.apply(&mut position, mv);
        }
        words.join(" ")
    }

    /// The position as one line that [`Game::parse_position`] reads, or `None`, the default, if the game has no such
    /// text.
    fn position_text(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// The side to move that a text of [`Game::parse_position`] names, also of a finished position, in which it is nobody's turn;
    /// `None`, the default, if it names none.
    fn named_side(&self, _text: &str) -> Option<Player> {
        None
    }

    /// Reads a position from text. By default the text is a transcript from the start; the empty text is the start.
    ///
    /// # Errors
    /// If the text is not a position, with the reason.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        self.follow(text).map_err(|error| PositionError(error.to_string()))
    }
}

/// Whether games of a type can have this number of players, and chance or none; `None` is either.
///
/// # Example
/// ```
/// use shikou::game::can_be;
/// use shikou::games::hex::Hex;
/// assert!(can_be::<Hex>(Some(2), Some(false)) && can_be::<Hex>(None, None));
/// assert!(!can_be::<Hex>(Some(1), None) && !can_be::<Hex>(None, Some(true)));
/// ```
pub const fn can_be<G: Game>(players: Option<u8>, chance: Option<bool>) -> bool {
    let Some(always) = &G::ALWAYS else { return true };
    let fits_players = match players {
        Some(players) => players == always.players,
        None => true,
    };
    match chance {
        Some(chance) => fits_players && chance == always.chance,
        None => fits_players,
    }
}

/// Whether the facts of a game have the players and the chance of [`Game::ALWAYS`].
#[doc(hidden)]
pub fn is_of_type<G: Game>(game: &G) -> bool {
    let Facts { players, chance, .. } = game.facts();
    can_be::<G>(Some(players), Some(chance))
}
