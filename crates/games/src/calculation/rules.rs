use super::hints::Hints;
use super::moves::{DOWN, TURNED, WASTE};
use super::position::Parts;
use super::vector::{self, LanePolicy};
use super::{Deck, FoundationRule, Layout, Move, Position, Rank, Reward, drawing};
use crate::game::{
    Batches, Bits, Facts, Game, GameExt as _, Outcome, Path, Picture, Player, PositionError, SearchHints,
    Turn,
};
use crate::rng::PlayoutRng;

/// The rules of Calculation, with its options; see the module's page. By default: four waste piles, the first four
/// foundation cards laid out, going up optional, and success as the reward.
///
/// With an empty hand the next card is turned: a chance turn with the ranks A to K in order, weighted by the copies
/// left. With a card in hand the player moves: hand to foundation (`f1` to `f4`), hand to pile (`p1` …), or the top of
/// a pile to a foundation (`p2f3`), in this order. After the last card the player continues while a pile's top can go
/// up. The game is won if all cards are up.
///
/// The score counts the cards on the foundations, including those laid out at the start.
///
/// # Example: the first cards of a game
/// ```
/// use shikou::game::{Game, GameExt, Turn};
/// use shikou::games::calculation::Calculation;
/// let game = Calculation::default();
/// let mut position = game.start();
/// assert_eq!(game.turn(&position), Turn::Chance);
/// game.follow_from(&mut position, "8 p1 4 f2 6", &mut |_| ()).unwrap();
/// // The 6 is wanted by foundations 2 (2 4 6) and 3 (3 6); the 8 by foundation 4.
/// let moves: Vec<String> = game.moves(&position).map(|mv| game.notation(&position, mv)).collect();
/// assert_eq!(moves.join(" "), "f2 f3 p1 p2 p3 p4 p1f4");
/// ```
///
/// # Example: an unlucky policy
/// ```
/// use shikou::game::{Batch, Game, Player, PolicyExt};
/// use shikou::games::calculation::{Calculation, FoundationFirst, Reward};
/// use shikou::rng::PlayoutKey;
/// let game = Calculation::default().with_reward(Reward::Score);
/// let batch = Batch::new(PlayoutKey::new(1), 10_000);
/// let tally = FoundationFirst.playouts(&game, &game.start(), Player::FIRST, batch);
/// assert!((27.0..28.0).contains(&tally.mean()));
/// ```
#[must_use]
#[derive(Clone, Debug)]
pub struct Calculation {
    /// 1 to 8.
    pub(super) piles: u8,
    pub(super) deck: Deck,
    pub(super) layout: Layout,
    pub(super) foundation: FoundationRule,
    pub(super) merge_empty: bool,
    pub(super) reward: Reward,
    /// The payoff for each number of cards on the foundations.
    pub(super) payoffs: [i16; 53],
}

impl Default for Calculation {
    fn default() -> Self {
        Self {
            piles: 4,
            deck: Deck::default(),
            layout: Layout::default(),
            foundation: FoundationRule::default(),
            merge_empty: false,
            reward: Reward::default(),
            payoffs: Reward::default().table(Deck::default()),
        }
    }
}

impl Calculation {
    /// The piles open to the card in hand, bit 0 for the first.
    #[inline(always)]
    pub(super) fn open_piles(&self, position: &Position) -> u64 {
        let all = (1_u64 << self.piles) - 1;
        if self.merge_empty {
            let empty = u64::from(position.empty_piles()) & all;
            // Only the lowest empty pile.
            all & !(empty & empty.wrapping_sub(1))
        } else {
            all
        }
    }

    /// The legal moves at a player's turn, as bits.
    #[inline(always)]
    fn mask(&self, position: &Position) -> u64 {
        let may_go_down = position.has_hand() && !self.must_go_up(position);
        let piles = if may_go_down { self.open_piles(position) } else { 0 };
        u64::from(position.offers()) << WASTE | piles << DOWN | u64::from(position.hand_offer())
    }

    /// Whether the rule for going up leaves no other move.
    #[inline(always)]
    fn must_go_up(&self, position: &Position) -> bool {
        match self.foundation {
            // Under the automatic rule no card is left that can go up.
            FoundationRule::Optional | FoundationRule::Automatic => false,
            rule => self.is_due(rule, position),
        }
    }

    /// Whether some card that can go up may not be held back under one of the rules that state when.
    fn is_due(&self, rule: FoundationRule, position: &Position) -> bool {
        position.ranks_offered().any(|rank| {
            let not_up = self.deck.suits() - position.cards_up_of(rank);
            match rule {
                FoundationRule::Buried => not_up == position.stock(rank) + position.in_reach(rank),
                FoundationRule::Outstanding => not_up == 1,
                _ => true,
            }
        })
    }

    /// The position after the automatic rule has put up every card that can go up. It takes the position by value, so
    /// that a loop around it keeps its own position in registers.
    #[inline(always)]
    fn settled(mut position: Position) -> Position {
        loop {
            if position.offers() != 0 {
                let lowest = position.offers().trailing_zeros() as u8;
                position.waste_up(lowest / 4, lowest % 4);
            } else if position.hand_offer() != 0 {
                position.hand_up(position.hand_offer().trailing_zeros() as u8);
            } else {
                return position;
            }
        }
    }
}

impl Game for Calculation {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire().with_chance());

    fn facts(&self) -> Facts {
        // Each card is turned once. Then it goes up from the hand, or onto a pile and later up from there; under the
        // automatic rule only the move onto a pile is a ply.
        let laid_out = if self.layout == Layout::Dealt { self.deck.suits() } else { 0 };
        let plies_a_card = if self.foundation == FoundationRule::Automatic { 2 } else { 3 };
        let all = self.deck.cards();
        Facts::solitaire()
            .with_chance()
            .with_payoffs(self.payoffs[0].into(), self.payoffs[usize::from(all)].into())
            .with_score_unit("cards")
            .with_scores(0, all.into())
            .with_max_plies(u32::from(all - laid_out) * plies_a_card)
    }

    fn start(&self) -> Position {
        let suits = self.deck.suits();
        let (height, laid_out) = if self.layout == Layout::Dealt { (1, suits) } else { (0, 0) };
        let stock = std::array::from_fn(|rank| match rank as u8 {
            rank if rank < laid_out => suits - 1,
            rank if rank < self.deck.ranks() => suits,
            _ => 0,
        });
        let heights = std::array::from_fn(|index| if (index as u8) < suits { height } else { 0 });
        Position::build(&Parts { deck: self.deck, heights, piles: Vec::new(), stock, hand: None })
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.has_hand() {
            Turn::Player(Player::FIRST)
        } else if !position.whole_stock().is_empty() {
            Turn::Chance
        } else if position.offers() != 0 {
            Turn::Player(Player::FIRST)
        } else {
            Turn::Over
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let mask = if self.turn(position) == Turn::Chance { 0 } else { self.mask(position) };
        Bits::new(mask).map(Move::from_code)
    }

    #[inline(always)]
    fn outcomes(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        let stock = position.whole_stock();
        let chance = self.turn(position) == Turn::Chance;
        (1..=13)
            .filter(move |_| chance)
            .map(Rank::known)
            .map(move |rank| (Move::turned(rank), u32::from(stock.count(rank))))
            .filter(|&(_, weight)| weight > 0)
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: Move) {
        match mv.code() {
            code @ 0..DOWN => position.hand_up(code),
            code @ DOWN..WASTE => position.hand_down(code - DOWN),
            code @ WASTE..TURNED => position.waste_up((code - WASTE) / 4, (code - WASTE) % 4),
            code => position.turn_card(Rank::known(code - TURNED)),
        }
        if self.foundation == FoundationRule::Automatic && position.offers() | position.hand_offer() != 0 {
            *position = Self::settled(*position);
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        self.payoffs[usize::from(position.cards_up())].into()
    }

    fn outcome(&self, position: &Position, _player: Player) -> Outcome {
        if position.cards_up() == self.deck.cards() { Outcome::Win } else { Outcome::Loss }
    }

    fn score(&self, position: &Position, _player: Player) -> i32 {
        position.cards_up().into()
    }

    #[inline(always)]
    fn hints(&self) -> impl SearchHints<Self> {
        Hints
    }

    #[inline(always)]
    fn move_number(&self, mv: Move) -> Option<u16> {
        Some(mv.code().into())
    }

    fn notation(&self, _position: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn drawing(&self, position: &Position) -> String {
        drawing::draw(self, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(drawing::picture(self, position))
    }

    fn position_text(&self, position: &Position) -> Option<String> {
        Some(Self::position_text(self, position))
    }

    /// Reads a text of [`Calculation::position_text`], which begins with `up`, or a transcript.
    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let text = text.trim();
        if text.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("up")) {
            return Self::parse_position(self, text).map_err(|error| PositionError(error.to_string()));
        }
        self.follow(text).map_err(|error| PositionError(error.to_string()))
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        let mask = self.mask(position);
        let pick = draws.below(mask.count_ones()) as u8;
        let hand = position.hand_offer().count_ones() as u8;
        // Most moves put the card in hand on a pile; these need no count of the bits.
        let all_open = position.has_hand() && !self.merge_empty && !self.must_go_up(position);
        if pick.wrapping_sub(hand) < self.piles && all_open {
            Move::from_code(DOWN + pick - hand)
        } else {
            Move::from_code(Bits::new(mask).nth(pick.into()).expect("a player's turn has a move"))
        }
    }

    #[inline(always)]
    fn random_outcome(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        Move::turned(position.whole_stock().random(draws))
    }

    fn play_uniform_batches(&self, path: Path, batches: Batches<'_, Position>) -> Path {
        vector::play_batches(path, self, LanePolicy::Uniform, batches)
    }
}
