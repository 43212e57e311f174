//! Kalah: seeds are sown around a board, and a last seed in the own store moves again.

use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, flag, integer, settings};
use crate::game::{
    Entries, Evaluation, Facts, Game, GameExt, NamedEvaluation, NamedGame, Picture, Player, PositionError,
    Tone, Turn,
};

/// The payoff of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// 1, 0 or −1 for more, as many or fewer seeds.
    Outcome,
    /// The seeds of a player less those of the other.
    Difference,
}

/// The most pits of a side.
const MOST_PITS: usize = 8;

/// The rules. Each side has `pits` pits of `seeds` seeds and a store. A move sows the seeds of an own pit one by one into the next
/// pits, the own store and the pits of the other, and round again without the other store. A last seed in the own store moves again. A last seed in an own pit that was empty takes the
/// pit on the other side with it, also an empty one unless `capture = "seeds"`. The game ends when a side has no seeds; the other side keeps
/// its own. The player with more seeds wins.
///
/// # References
/// Irving, Donkers, Uiterwijk 2000, "Solving Kalah", ICGA Journal 23(3), whose rules these are.
///
/// # Example
/// ```
/// use shikou::game::{Game, GameExt, Player};
/// use shikou::games::kalah::{Kalah, Reward};
/// let game = Kalah::new(4, 1, true, Reward::Difference);
/// let end = game.follow("3 2 3 2 1").unwrap();
/// assert_eq!(game.payoff(&end, Player::FIRST), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    pits: u8,
    seeds: u8,
    captures_empty: bool,
    reward: Reward,
}

/// The seeds in the pits of both players and in their stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pits: [[u8; MOST_PITS]; 2],
    stores: [u8; 2],
    to_move: Player,
}

impl Kalah {
    /// The game with 1 to 8 pits a side and 1 to 12 seeds a pit. With `captures_empty` a last seed in an own empty pit goes to the store
    /// even if the pit on the other side is empty.
    ///
    /// # Panics
    /// If a number is out of range.
    pub fn new(pits: u8, seeds: u8, captures_empty: bool, reward: Reward) -> Self {
        assert!(
            (1..=8).contains(&pits) && (1..=12).contains(&seeds),
            "a side has 1 to 8 pits of 1 to 12 seeds"
        );
        Self { pits, seeds, captures_empty, reward }
    }

    fn difference(position: &Position, player: Player) -> i32 {
        let of = |player: Player| {
            let pits: u32 = position.pits[player.index()].iter().map(|&seeds| u32::from(seeds)).sum();
            (pits + u32::from(position.stores[player.index()])) as i32
        };
        of(player) - of(player.other())
    }

    fn is_over(position: &Position) -> bool {
        position.pits.contains(&[0; MOST_PITS])
    }
}

impl Game for Kalah {
    type Position = Position;
    /// The pit from 0, and its player above 4 bits.
    type Move = u8;
    const ALWAYS: Option<Facts> = Some(Facts::two_player());

    fn facts(&self) -> Facts {
        let facts = Facts::two_player();
        let all = 2 * i32::from(self.pits) * i32::from(self.seeds);
        match self.reward {
            Reward::Outcome => facts,
            Reward::Difference => facts.with_payoffs(-all, all).with_score_unit("seeds"),
        }
        .with_scores(-all, all)
    }

    fn start(&self) -> Position {
        let mut side = [0; MOST_PITS];
        side[..usize::from(self.pits)].fill(self.seeds);
        Position { pits: [side; 2], stores: [0; 2], to_move: Player::FIRST }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if Self::is_over(position) { Turn::Over } else { Turn::Player(position.to_move) }
    }

    #[inline(always)]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let pits = if Self::is_over(position) { 0 } else { self.pits };
        let (side, own) = ((position.to_move.index() as u8) << 4, position.pits[position.to_move.index()]);
        (0..pits).filter(move |&pit| own[usize::from(pit)] > 0).map(move |pit| pit | side)
    }

    #[inline(always)]
    fn apply(&self, position: &mut Position, mv: u8) {
        let (mover, pits) = (position.to_move.index(), usize::from(self.pits));
        let mut at = usize::from(mv & 15);
        let mut seeds = std::mem::take(&mut position.pits[mover][at]);
        // Places from the own first pit on: own pits, the own store, the pits of the other.
        while seeds > 0 {
            at = if at == 2 * pits { 0 } else { at + 1 };
            match at {
                _ if at < pits => position.pits[mover][at] += 1,
                _ if at == pits => position.stores[mover] += 1,
                _ => position.pits[1 - mover][at - pits - 1] += 1,
            }
            seeds -= 1;
        }
        if at < pits && position.pits[mover][at] == 1 {
            let beyond = &mut position.pits[1 - mover][pits - 1 - at];
            if *beyond > 0 || self.captures_empty {
                position.stores[mover] += 1 + std::mem::take(beyond);
                position.pits[mover][at] = 0;
            }
        }
        if at != pits {
            position.to_move = position.to_move.other();
        }
    }

    #[inline(always)]
    fn payoff(&self, position: &Position, player: Player) -> i32 {
        let difference = Self::difference(position, player);
        if self.reward == Reward::Outcome { difference.signum() } else { difference }
    }

    fn score(&self, position: &Position, player: Player) -> i32 {
        Self::difference(position, player)
    }

    #[inline(always)]
    fn move_number(&self, mv: u8) -> Option<u16> {
        Some(mv.into())
    }

    /// The pits of both players as seen by the player to move, the player, and a hash of the own store: the other store follows.
    #[inline(always)]
    fn key(&self, position: &Position) -> Option<u128> {
        const FACTOR: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        let sides = [position.to_move, position.to_move.other()].map(|player| position.pits[player.index()]);
        let [own, other] = sides.map(|pits| u128::from(u64::from_le_bytes(pits)));
        let store = u128::from(position.stores[position.to_move.index()]);
        let side = (position.to_move.index() as u128) << 127;
        Some((own << 64 | other) ^ side ^ store.wrapping_mul(FACTOR))
    }

    /// The pit from 0.
    fn notation(&self, _position: &Position, mv: u8) -> String {
        (mv & 15).to_string()
    }

    fn drawing(&self, position: &Position) -> String {
        let pits = usize::from(self.pits);
        let cell = |seeds: &u8| format!("{seeds:>4}");
        let [south, north] = position.pits.map(|side| side[..pits].iter().map(cell).collect::<Vec<_>>());
        let north: Vec<String> = north.into_iter().rev().collect();
        let [ours, theirs] = position.stores;
        let side = if position.to_move == Player::FIRST { "south" } else { "north" };
        let end = if Self::is_over(position) { String::new() } else { format!("\n{side} to move") };
        format!(
            "    {}\n{theirs:>4}{}{ours:>4}\n    {}{end}",
            north.concat(),
            " ".repeat(4 * pits),
            south.concat()
        )
    }

    /// The pits of north above those of south, with the stores at the ends.
    fn picture(&self, position: &Position) -> Option<Picture> {
        let width = 10 * (u16::from(self.pits) + 2);
        let mut picture = Picture::new(width, 20).rect(Tone::Board, [0, 0], [width, 20]);
        let [south, north] = position.stores.map(|seeds| seeds.to_string());
        picture = picture.text(Tone::First, [width - 5, 10], south).text(Tone::Second, [5, 10], north);
        for pit in 0..self.pits {
            let seeds = position.pits.map(|side| side[usize::from(pit)].to_string());
            let from_left = 10 * u16::from(pit) + 15;
            let places = [[from_left, 15], [width - from_left, 5]];
            for ((place, seeds), tone) in places.into_iter().zip(seeds).zip([Tone::First, Tone::Second]) {
                picture = picture.ring(Tone::Line, place, 4).text(tone, place, seeds);
            }
        }
        Some(picture)
    }

    /// The pits and the store of south, those of north, and the side to move: `4,4,4,0/0 4,4,4,4/1 n`.
    fn position_text(&self, position: &Position) -> Option<String> {
        let side = |index: usize| {
            let pits: Vec<String> =
                position.pits[index][..usize::from(self.pits)].iter().map(u8::to_string).collect();
            format!("{}/{}", pits.join(","), position.stores[index])
        };
        let to_move = if position.to_move == Player::FIRST { 's' } else { 'n' };
        Some(format!("{} {} {to_move}", side(0), side(1)))
    }

    fn named_side(&self, text: &str) -> Option<Player> {
        text.contains('/').then(|| self.parse_position(text).ok().map(|position| position.to_move))?
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        if !text.contains('/') {
            return self.follow(text).map_err(|error| PositionError(error.to_string()));
        }
        let side = |text: &str| -> Option<([u8; MOST_PITS], u8)> {
            let (pits, store) = text.split_once('/')?;
            let pits: Vec<u8> = pits.split(',').map(|seeds| seeds.parse().ok()).collect::<Option<_>>()?;
            let mut side = [0; MOST_PITS];
            side.get_mut(..pits.len())
                .filter(|_| pits.len() == usize::from(self.pits))?
                .copy_from_slice(&pits);
            Some((side, store.parse().ok()?))
        };
        let read = || {
            let words: [&str; 3] = text.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
            let ((south, ours), (north, theirs)) = (side(words[0])?, side(words[1])?);
            let to_move = match words[2] {
                "s" => Player::FIRST,
                "n" => Player::SECOND,
                _ => return None,
            };
            let seeds = south
                .iter()
                .chain(&north)
                .chain([&ours, &theirs])
                .map(|&seeds| u32::from(seeds))
                .sum::<u32>();
            let is_whole = seeds == 2 * u32::from(self.pits) * u32::from(self.seeds);
            is_whole.then_some(Position { pits: [south, north], stores: [ours, theirs], to_move })
        };
        read().ok_or_else(|| {
            let (pits, seeds) = (self.pits, 2 * u32::from(self.pits) * u32::from(self.seeds));
            PositionError(format!(
                "`{}` is no position: expected {pits} pits and the store of south, those of north, with {seeds} seeds in all, and the side \
                 to move, s or n, such as `4,4,4,0/0 4,4,4,4/1 n`",
                text.escape_debug()
            ))
        })
    }
}

/// The difference of the stores.
struct Stores;

impl Evaluation<Kalah> for Stores {
    fn evaluate(&self, _game: &Kalah, position: &Position, player: Player) -> i64 {
        let [own, other] = [player, player.other()].map(|player| i64::from(position.stores[player.index()]));
        own - other
    }

    fn finished(&self, game: &Kalah, position: &Position, player: Player) -> i64 {
        match game.reward {
            Reward::Difference => game.payoff(position, player).into(),
            Reward::Outcome => 200 * i64::from(game.payoff(position, player)),
        }
    }

    fn range(&self, _game: &Kalah) -> (i64, i64) {
        (-200, 200)
    }
}

settings! {
    struct KalahOptions {
        /// pits of a side
        pits: u8 = integer(1..=8, 6),
        /// seeds of a pit at the start
        seeds: u8 = integer(1..=12, 4),
        /// whether a last seed in an own empty pit is taken if the pit on the other side is empty
        empty_capture: bool = flag(true),
        /// payoff of a game
        reward: Reward = choice([
            ("outcome", "whether a player has more seeds than the other", Reward::Outcome),
            ("difference", "the seeds of a player less those of the other", Reward::Difference),
        ]),
    }
}

impl NamedGame for Kalah {
    const NAME: &'static str = "kalah";
    const ABOUT: &'static str = "seeds sown around a board of pits; a last seed in the own store moves again";
    const SEATS: Option<[&'static str; 2]> = Some(["south", "north"]);

    fn options() -> Vec<OptionDecl> {
        KalahOptions::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let KalahOptions { pits, seeds, empty_capture, reward } = Settings::read(options);
        Ok(Self::new(pits, seeds, empty_capture, reward))
    }

    fn entries(&self) -> Entries<Self> {
        Entries {
            evaluations: vec![NamedEvaluation::new("stores", "the difference of the stores", Stores)],
            ..Entries::default()
        }
    }
}
