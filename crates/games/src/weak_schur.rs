//! Weak Schur: numbers are put into sets none of which may hold the sum of two of its own. A set is a mask whose bits up to the last number
//! are its members, and beyond it the numbers that it can no longer take; so a number costs a shift.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{
    Bits, Entries, Facts, Game, NamedGame, NamedPolicy, Picture, Player, Policy, Tone, Turn, nth_set_bit,
};
use crate::grid::hash_of;
use crate::rng::PlayoutRng;

/// The sets that the next number may go into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every set that the rules allow.
    Any,
    /// The set of the last number, if the rules allow it; else any.
    Last,
}

/// The largest number. It limits no known partition: that of most numbers has 646, in six sets.
const MOST: u16 = 1000;

const WORDS: usize = 16;

/// The most sets.
const MOST_SETS: usize = 6;

/// The rules. The numbers 1, 2, 3 … are put into 1 to 6 sets in turn. No set may hold two different numbers and their sum. The game ends when
/// the next number fits into no set, or at 1000; the score is the last number. With one to four sets the best scores are 2, 8, 23
/// and 66.
///
/// # References
/// Eliahou, Marín, Revuelta, Sanz 2012, "Weak Schur numbers and the search for G. W. Walker's lost partitions": 196 numbers in five sets,
/// 572 in six; Cazenave 2016, "Nested rollout policy adaptation with selective policies": the rule of the last set.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player, Turn};
/// use shikou::games::weak_schur::{Rule, WeakSchur};
/// let game = WeakSchur::new(2, Rule::Any);
/// let end = game.follow("1 1 2 1 2 2 2 1").unwrap();
/// assert_eq!(game.drawing(&end), "1: 1 2 4 8\n2: 3 5 6 7");
/// assert_eq!((game.turn(&end), game.payoff(&end, Player::FIRST)), (Turn::Over, 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WeakSchur {
    sets: u8,
    rule: Rule,
}

/// The numbers in the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// For each set the numbers that it has, up to the last one, and beyond that the numbers that it cannot take.
    sets: [[u64; WORDS]; MOST_SETS],
    /// The last number.
    last: u16,
    /// The sets that the next number may go into, as bits.
    open: u8,
}

/// A number and the set that it goes into, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    number: u16,
    set: u8,
}

#[inline(always)]
const fn has(set: &[u64; WORDS], number: u16) -> bool {
    set[number as usize / 64] >> (number % 64) & 1 == 1
}

impl WeakSchur {
    /// The game with 1 to 6 sets.
    ///
    /// # Panics
    /// If there are fewer or more sets.
    pub fn new(sets: u8, rule: Rule) -> Self {
        assert!((1..=MOST_SETS).contains(&sets.into()), "there are 1 to 6 sets, not {sets}");
        Self { sets, rule }
    }

    /// The best score, or a bound on it.
    fn most(self) -> u16 {
        [2, 8, 23, 66, MOST, MOST][usize::from(self.sets) - 1]
    }

    /// The set that has a number.
    fn set_of(position: &Position, number: u16) -> usize {
        position.sets.iter().position(|set| has(set, number)).expect("a number up to the last is in a set")
    }
}

impl Game for WeakSchur {
    type Position = Position;
    type Move = Move;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire());

    fn facts(&self) -> Facts {
        let most = self.most().into();
        Facts::solitaire()
            .with_payoffs(0, most)
            .judged_by_score("numbers", 0, most)
            .with_max_plies(most as u32)
    }

    fn start(&self) -> Position {
        Position { sets: [[0; WORDS]; MOST_SETS], last: 0, open: u8::MAX >> (8 - self.sets) }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.open == 0 { Turn::Over } else { Turn::Player(Player::FIRST) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let number = position.last + 1;
        Bits::new(position.open.into()).map(move |set| Move { number, set })
    }

    #[inline(always)]
    fn move_count(&self, position: &Position) -> u32 {
        position.open.count_ones()
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, draws: &mut PlayoutRng) -> Move {
        let set = nth_set_bit(position.open.into(), draws.below(position.open.count_ones()));
        Move { number: position.last + 1, set: set.expect("a player's turn has a set") }
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, Move { number, set }: Move) {
        let (words, bits, taker) = (usize::from(number / 64), number % 64, usize::from(set));
        for (index, set) in position.sets.iter_mut().enumerate() {
            if index == taker {
                // The sums of the number and its new neighbours lie beyond what is read.
                for word in 0..=words.min(WORDS - 1 - words) {
                    let own = if word == words { set[word] & ((1 << bits) - 1) } else { set[word] };
                    set[word + words] |= own << bits;
                    if bits > 0 && word + words + 1 < WORDS {
                        set[word + words + 1] |= own >> (64 - bits);
                    }
                }
                set[words] |= 1 << bits;
            } else {
                set[words] &= !(1 << bits);
            }
        }
        position.last = number;
        let next = number + 1;
        let fits = |set: usize| u8::from(!has(&position.sets[set], next)) << set;
        let open = (0..usize::from(self.sets)).fold(0, |open, set| open | fits(set));
        position.open = match self.rule {
            _ if number == MOST => 0,
            Rule::Last if open >> set & 1 == 1 => 1 << set,
            _ => open,
        };
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, _player: Player) -> i32 {
        position.last.into()
    }

    #[inline(always)]
    fn move_number(&self, Move { number, set }: Move) -> Option<u16> {
        Some(8 * number + u16::from(set))
    }

    /// A hash of the sets and the last number.
    fn key(&self, position: &Position) -> Option<u128> {
        Some(hash_of(position.last.into(), position.sets[..self.sets.into()].iter().flatten()))
    }

    /// The set, from 1: the numbers follow from the order.
    fn notation(&self, _position: &Position, Move { set, .. }: Move) -> String {
        (set + 1).to_string()
    }

    fn drawing(&self, position: &Position) -> String {
        let set = |set: u8| {
            let numbers = (1..=position.last).filter(|&number| has(&position.sets[usize::from(set)], number));
            numbers.fold(format!("{}:", set + 1), |text, number| format!("{text} {number}"))
        };
        (0..self.sets).map(set).collect::<Vec<_>>().join("\n")
    }

    /// A row for each set, in which runs of numbers are bars.
    fn picture(&self, position: &Position) -> Option<Picture> {
        let unit = (MOST / self.most()).min(20);
        let (width, height) = (unit * self.most(), 10 * u16::from(self.sets));
        let mut picture = Picture::new(width, height).rect(Tone::Board, [0, 0], [width, height]);
        let mut from = 1;
        for number in 1..=position.last {
            let set = Self::set_of(position, number);
            if number == position.last || !has(&position.sets[set], number + 1) {
                let at = [unit * (from - 1), 10 * set as u16 + 1];
                picture = picture.rect(Tone::First, at, [unit * (number + 1 - from), 8]);
                from = number + 1;
            }
        }
        Some(picture)
    }

    /// The set of each number, as moves.
    fn position_text(&self, position: &Position) -> Option<String> {
        let set = |number| (Self::set_of(position, number) + 1).to_string();
        Some((1..=position.last).map(set).collect::<Vec<_>>().join(" "))
    }
}

/// The set of the last number, if it is open, e¹⁰ times as often as each other; any open set if not. One draw a turn.
///
/// # References
/// The bias of generalised nested rollout policy adaptation, β = 10, in the lecture "Monte Carlo Search" of T. Cazenave.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastSet;

impl LastSet {
    /// e¹⁰, rounded.
    const WEIGHT: u32 = 22_026;

    /// The open sets with their weights, of the last number's set first.
    fn weights(position: &Position) -> impl Iterator<Item = (u8, u32)> {
        let last = match position.last {
            0 => 0,
            last => 1 << WeakSchur::set_of(position, last) & position.open,
        };
        let sets = |sets: u8, weight| Bits::new(sets.into()).map(move |set| (set, weight));
        sets(last, Self::WEIGHT).chain(sets(position.open & !last, 1))
    }
}

impl Policy<WeakSchur> for LastSet {
    fn choose(&self, _game: &WeakSchur, position: &Position, draws: &mut PlayoutRng) -> Move {
        let mut pick = draws.below(Self::weights(position).map(|(_, weight)| weight).sum());
        let falls_on = |&(_, weight): &(u8, u32)| {
            let found = pick < weight;
            pick = pick.wrapping_sub(weight);
            found
        };
        let (set, _) = Self::weights(position).find(falls_on).expect("a pick below the sum falls on a set");
        Move { number: position.last + 1, set }
    }

    fn distribution(&self, _game: &WeakSchur, position: &Position) -> Vec<(Move, u32)> {
        let number = position.last + 1;
        Self::weights(position).map(|(set, weight)| (Move { number, set }, weight)).collect()
    }
}

settings! {
    struct WeakSchurOptions {
        /// number of sets
        sets: u8 = integer(1..=6, 4),
        /// the sets that a number may go into
        rule: Rule = choice([
            ("any", "every set that does not have it as a sum", Rule::Any),
            ("last", "the set of the number before it if that is legal, else every legal set", Rule::Last),
        ]),
    }
}

impl NamedGame for WeakSchur {
    const NAME: &'static str = "weak-schur";
    const ABOUT: &'static str = "1, 2, 3 … into sets without the sum of two of their numbers";

    fn options() -> Vec<OptionDecl> {
        WeakSchurOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let WeakSchurOptions { sets, rule } = Settings::read(options);
        Ok(Self::new(sets, rule))
    }

    fn entries(&self) -> Entries<Self> {
        let last =
            NamedPolicy::new("last-set", "nearly always the set of the last number, if it is open", LastSet);
        Entries { policies: vec![NamedPolicy::uniform(), last], ..Entries::default() }
    }
}
