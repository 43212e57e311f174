//! Two players in the same seat with common random numbers, so that only their decisions differ.

use super::{AnyGame, DecisionView, FitError, PlayError, SearcherSpec, Table, Tables, longest};
use crate::game::{Outcome, Player, Turn};
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Limits, MoveStream};

/// A ply of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// The player who moved; `None` for chance.
    pub by: Option<Player>,
    /// The move or outcome in notation.
    pub mv: String,
    /// The player's decision.
    pub decision: Option<DecisionView>,
}

/// The game of one of the two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The plies, in order.
    pub plies: Vec<Ply>,
    /// The outcome for the player.
    pub outcome: Outcome,
    /// The player's score.
    pub score: i32,
    /// The drawing of the last position.
    pub drawing: String,
}

impl Played {
    /// All moves and chance outcomes.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| ply.mv.as_str())
    }

    /// The moves before a ply, counted from 0.
    pub fn moves_before(&self, ply: usize) -> impl Iterator<Item = &str> {
        self.moves().take(ply)
    }
}

/// Two games from one seed: the two players in the same seat, with the same opponent and the same random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedGames {
    /// The seed.
    pub seed: u64,
    /// The seat of the two players.
    pub seat: Player,
    /// The games.
    pub games: [Played; 2],
}

impl PairedGames {
    /// Whether the outcomes differ: win, draw or loss.
    pub fn differ(&self) -> bool {
        self.games[0].outcome != self.games[1].outcome
    }

    /// The first ply at which the two games differ, counted from 0.
    pub fn parting(&self) -> Option<usize> {
        let [a, b] = self.games.each_ref().map(|game| &game.plies);
        (0..a.len().max(b.len())).find(|&ply| a.get(ply).map(|ply| &ply.mv) != b.get(ply).map(|ply| &ply.mv))
    }
}

/// Two players in one seat of a game, and their common opponent.
///
/// # Example: looking two moves ahead beats not looking
/// ```
/// use shikou::game::{Outcome, Player};
/// use shikou::players::SameLuck;
/// let game = shikou::registry().game("tic-tac-toe", &[]).unwrap();
/// let [deep, random] = ["minimax(depth=full)", "random"].map(|text| game.read_searcher(text).unwrap());
/// let luck = SameLuck::new(&*game, [&deep, &random], Some(&random), Player::FIRST).unwrap();
/// let pair = (0..100).map(|seed| luck.play(seed).unwrap()).find(|pair| pair.differ()).unwrap();
/// assert_eq!(pair.games[0].outcome, Outcome::Win);
/// let ply = pair.parting().unwrap();
/// assert!(pair.games[0].moves_before(ply).eq(pair.games[1].moves_before(ply)));
/// ```
pub struct SameLuck {
    /// The two players, and the opponent in a two-player game.
    tables: Box<dyn Tables>,
    /// The seating with the first of the two players, and with the second.
    seats: [Vec<usize>; 2],
    seat: Player,
    longest: u32,
}

impl SameLuck {
    /// Seats two players in the same seat, and their opponent (`None` in a solitaire).
    ///
    /// # Errors
    /// Returns an error if a searcher does not fit.
    ///
    /// # Panics
    /// If a solitaire has an opponent, or a two-player game has none.
    pub fn new(
        game: &dyn AnyGame,
        two: [&SearcherSpec; 2],
        against: Option<&SearcherSpec>,
        seat: Player,
    ) -> Result<Self, FitError> {
        let players: Vec<SearcherSpec> = two.into_iter().chain(against).cloned().collect();
        let seats = [0, 1].map(|player| {
            let mut seats: Vec<usize> = (2..players.len()).collect();
            seats.insert(seat.index(), player);
            seats
        });
        Ok(Self { tables: game.prepare(&players)?, seats, seat, longest: longest(&game.facts()) })
    }

    /// The seat of the two players.
    pub const fn seat(&self) -> Player {
        self.seat
    }

    /// Plays the two games of a seed. A side's random numbers depend only on the seed, the side and the number of its
    /// move. So the opponent has the same numbers in both games, and so does chance until the games differ.
    ///
    /// # Errors
    /// Returns an error if a search gives no decision, or a game does not end.
    pub fn play(&self, seed: u64) -> Result<PairedGames, PlayError> {
        let [a, b] = self.seats.each_ref().map(|seats| self.game(seats, seed));
        Ok(PairedGames { seed, seat: self.seat, games: [a?, b?] })
    }

    /// The decision of one of the two players after given moves, with the random numbers of a seed.
    ///
    /// # Errors
    /// Returns an error if its search gives no decision.
    ///
    /// # Panics
    /// If the moves are not legal, or do not lead to a turn of the two players' seat.
    pub fn ask<'m>(
        &self,
        player: usize,
        seed: u64,
        moves: impl Iterator<Item = &'m str>,
    ) -> Result<DecisionView, PlayError> {
        let mut table = self.tables.table(&self.seats[player]);
        let mut before = 0;
        for mv in moves {
            before += u64::from(table.turn() == Turn::Player(self.seat));
            assert!(table.make_written_move(mv), "{mv} is not legal");
        }
        table.decide(MoveStream::new(side(seed, "player").child(before)), Limits::default())?;
        let (_, decision) = table.last_decision().expect("it has just decided");
        Ok(decision)
    }

    fn game(&self, seats: &[usize], seed: u64) -> Result<Played, PlayError> {
        let mut table = self.tables.table(seats);
        let mut keys = ["player", "against"].map(|name| side(seed, name));
        if self.seat != Player::FIRST {
            keys.reverse();
        }
        let mut chance = (Stream::new(seed) / "diverge" / "chance").rng();
        let mut plies = Vec::new();
        let ply = |table: &dyn Table, by| plies.push(last_ply(table, by));
        table.play_on(keys, &mut &mut chance, (Limits::default(), self.longest), ply)?;
        let (outcome, score) = (table.outcome(self.seat), table.score(self.seat));
        Ok(Played { plies, outcome, score, drawing: table.drawing() })
    }
}

fn last_ply(table: &dyn Table, by: Option<Player>) -> Ply {
    let decision = table.last_decision().map(|(_, decision)| decision);
    let mv = match &decision {
        Some(decision) => decision.chosen.clone(),
        None => table.last_move().expect("a ply was made"),
    };
    Ply { by, mv, decision }
}

/// The random numbers of the two players' side, or of the opponent's: a child for each of its moves.
fn side(seed: u64, name: &str) -> PlayoutKey {
    (Stream::new(seed) / "diverge" / name).playout_key()
}
