use super::board::{flips, legal_moves_among};
use super::hints::Hints;
use super::{Move, Path, Position, notation, vector};
use crate::game::{
    Batches, Bits, Facts, Game, GameExt, Picture, Player, PositionError, SearchHints, Turn, nth_set_bit,
};
use crate::rng::PlayoutRng;

/// The rules of Othello. The first player is black.
///
/// A player without a legal square must pass, and a pass is a ply. The game is over when neither player has a legal
/// square. Squares are written a1 … h8, columns from the left, rows from the top.
///
/// By default the board is 8×8, empty squares do not count in the score, and payoffs are −1, 0, 1.
///
/// # Example: the shortest game
/// ```
/// use shikou::game::{Game, GameExt, Outcome, Player, Turn};
/// use shikou::games::othello::Othello;
///
/// let game = Othello::default().with_empties_to_winner();
/// let position = game.follow("e6f4e3f6g5d6e7f5c5").unwrap();
/// assert_eq!(game.turn(&position), Turn::Over); // black has 13 discs, white none
/// assert_eq!(game.outcome(&position, Player::FIRST), Outcome::Win);
/// assert_eq!(game.payoff(&position, Player::SECOND), -1);
/// assert_eq!(game.score(&position, Player::FIRST), 64);
/// assert_eq!(Othello::default().score(&position, Player::FIRST), 13);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    /// Squares along an edge: 4, 6 or 8.
    pub(super) size: u8,
    /// The squares in play, in the upper left corner of an 8×8 board.
    pub(super) playable: u64,
    pub(super) empties: Empties,
    pub(super) reward: Reward,
}

/// The owner of the empty squares at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Empties {
    /// Neither player: only discs count.
    #[default]
    Nobody,
    /// The winner, as in tournaments.
    Winner,
}

/// The payoff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// −1, 0 or 1 for a loss, a draw or a win.
    #[default]
    Success,
    /// The disc difference.
    Score,
}

impl Default for Othello {
    fn default() -> Self {
        Self::new(8)
    }
}

impl Othello {
    /// The game on a board with `size` squares along an edge; empty squares do not count, payoffs −1, 0, 1.
    ///
    /// # Panics
    /// If `size` is not 4, 6 or 8.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Game, Player};
    /// use shikou::games::othello::Othello;
    /// let game = Othello::new(6);
    /// assert_eq!(game.start().discs(Player::FIRST), 1 << 19 | 1 << 26); // d3, c4
    /// assert_eq!(game.playable().count_ones(), 36);
    /// ```
    pub const fn new(size: u8) -> Self {
        assert!(matches!(size, 4 | 6 | 8), "an Othello board has 4, 6 or 8 squares along an edge");
        let row = (1 << size) - 1;
        let mut playable = 0;
        let mut y = 0;
        while y < size {
            playable |= row << (8 * y);
            y += 1;
        }
        Self { size, playable, empties: Empties::Nobody, reward: Reward::Success }
    }

    /// Counts empty squares for the winner.
    #[must_use]
    pub const fn with_empties_to_winner(self) -> Self {
        Self { empties: Empties::Winner, ..self }
    }

    /// Makes the disc difference the payoff.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Game;
    /// use shikou::games::othello::Othello;
    /// let facts = Othello::new(4).with_reward_score().facts();
    /// assert_eq!((facts.min_payoff, facts.max_payoff), (-16, 16));
    /// ```
    #[must_use]
    pub const fn with_reward_score(self) -> Self {
        Self { reward: Reward::Score, ..self }
    }

    /// Squares along an edge: 4, 6 or 8.
    #[inline(always)]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The squares in play, as a mask of the 8×8 board.
    #[inline(always)]
    pub const fn playable(&self) -> u64 {
        self.playable
    }

    /// The owner of the empty squares of a finished board.
    pub const fn empties(&self) -> Empties {
        self.empties
    }

    /// The payoff.
    pub const fn reward(&self) -> Reward {
        self.reward
    }

    /// The position with these discs; `mine` are those of `to_move`. Finds the moves, and whether the game is over.
    #[inline(always)]
    pub(super) fn position(&self, mine: u64, theirs: u64, to_move: Player) -> Position {
        self.position_with_moves(mine, theirs, legal_moves_among(self.playable, mine, theirs), to_move)
    }

    /// The position with these discs, and these legal squares of `to_move`.
    #[inline(always)]
    pub(super) fn position_with_moves(
        &self,
        mine: u64,
        theirs: u64,
        moves: u64,
        to_move: Player,
    ) -> Position {
        if moves == 0 {
            return self.position_without_moves(mine, theirs, to_move);
        }
        Position { mine, theirs, moves, to_move, over: false }
    }

    /// A pass or the end of the game, about once in forty plies.
    #[cold]
    #[inline(never)]
    fn position_without_moves(&self, mine: u64, theirs: u64, to_move: Player) -> Position {
        let over = legal_moves_among(self.playable, theirs, mine) == 0;
        if over && to_move == Player::SECOND {
            // In finished positions the last mover does not matter, and `mine` are the first player's discs.
            return Position { mine: theirs, theirs: mine, moves: 0, to_move: Player::FIRST, over };
        }
        Position { mine, theirs, moves: 0, to_move, over }
    }

    /// The disc difference of a finished board with these discs, with empty squares counted by the options.
    #[inline(always)]
    fn difference_of(&self, own: u64, other: u64) -> i32 {
        let discs = own.count_ones() as i32 - other.count_ones() as i32;
        match self.empties {
            Empties::Nobody => discs,
            Empties::Winner => {
                let empty = self.playable & !(own | other);
                discs + discs.signum() * empty.count_ones() as i32
            }
        }
    }

    /// The payoff of the player with the discs `own` on a finished board.
    #[inline(always)]
    pub(super) fn payoff_of(&self, own: u64, other: u64) -> i32 {
        match self.reward {
            Reward::Success => (own.count_ones() as i32 - other.count_ones() as i32).signum(),
            Reward::Score => self.difference_of(own, other),
        }
    }
}

impl Game for Othello {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        let squares = u32::from(self.size).pow(2);
        // At most one pass precedes each disc, and no pass follows the last.
        let (facts, most) = (Facts::two_player().with_max_plies(2 * (squares - 4)), squares as i32);
        let facts = match self.reward {
            Reward::Success => facts,
            Reward::Score => facts.with_payoffs(-most, most),
        };
        facts.with_score_unit("discs").with_scores(-most, most)
    }

    fn start(&self) -> Position {
        let low = self.size / 2 - 1;
        let square = |row: u8, file: u8| 1_u64 << (8 * row + file);
        let black = square(low, low + 1) | square(low + 1, low);
        let white = square(low, low) | square(low + 1, low + 1);
        self.position(black, white, Player::FIRST)
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.to_move) }
    }

    /// The squares in the order a1, b1 … h8, or the pass.
    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let pass = position.must_pass().then_some(Move::PASS);
        Bits::new(position.moves).map(Move::on).chain(pass)
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        let Position { mut mine, mut theirs, to_move, .. } = *position;
        if let Some(square) = mv.square() {
            debug_assert!(position.moves >> square & 1 == 1, "{mv} is not legal in {position:?}");
            let flipped = flips(mine, theirs, square);
            mine |= flipped | 1 << square;
            theirs &= !flipped;
        }
        *position = self.position(theirs, mine, to_move.other());
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        self.payoff_of(position.discs(player), position.discs(player.other()))
    }

    #[inline]
    fn score(&self, position: &Position, player: Player) -> i32 {
        self.difference_of(position.discs(player), position.discs(player.other()))
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        position.moves.count_ones().max(u32::from(!position.over))
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        let pick = draws.below(position.moves.count_ones());
        nth_set_bit(position.moves, pick).map_or(Move::PASS, Move::on)
    }

    fn play_uniform_batches(&self, path: Path, batches: Batches<'_, Position>) -> Path {
        vector::play_batches(self, path.or_slower(), batches)
    }

    #[inline(always)]
    fn hints(&self) -> impl SearchHints<Self> {
        Hints
    }

    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        Some(mv.square().map_or(64, u16::from))
    }

    /// The discs of both.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        Some(u128::from(position.mine) << 64 | u128::from(position.theirs))
    }

    fn notation(&self, _position: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn drawing(&self, position: &Position) -> String {
        notation::drawing(self, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture(self, position))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        notation::named_side(text.split(';').next()?)
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(self.board_text(position))
    }

    /// Reads a board, as [`Othello::parse_board`] does, with what may follow it after a semicolon in files of positions; or a
    /// transcript.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let board = text.split(';').next().unwrap_or_default();
        // A board has no digits. An empty text is also a transcript.
        if board.trim().is_empty() || board.contains(|c: char| c.is_ascii_digit()) {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        self.parse_board(board).map_err(|error| PositionError(error.to_string()))
    }

    fn parse_move(&self, position: &Position, text: &str) -> Option<Move> {
        notation::parse_move(self, position, text)
    }

    fn read_move<'t>(&self, position: &Position, text: &'t str) -> Option<(Move, &'t str)> {
        notation::read_move(self, position, text)
    }

    /// The squares in lower case without separators and passes: `f5d6c3`.
    fn transcript(&self, moves: &[Move]) -> String {
        moves.iter().filter(|mv| mv.square().is_some()).map(Move::to_string).collect()
    }
}
