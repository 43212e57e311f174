//! Two players in the same seat with the same luck: what remains different is what they do.

use super::{AnyGame, DecisionView, Failure, Misfit, SearcherSpec, Table, Tables, longest};
use crate::game::{Outcome, Player, Turn};
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Limits, MoveStream};

/// One ply of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Who made it; `None` is chance.
    pub by: Option<Player>,
    /// The move or outcome as it is written.
    pub mv: String,
    /// What the player thought.
    pub decision: Option<DecisionView>,
}

/// A game of one of the two players.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Ply for ply.
    pub plies: Vec<Ply>,
    /// How it ended for the player.
    pub outcome: Outcome,
    /// The player's score.
    pub score: i32,
    /// The last position, drawn.
    pub drawing: String,
}

impl Played {
    /// All moves and outcomes of chance.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| ply.mv.as_str())
    }

    /// Those before a ply, which is counted from 0.
    pub fn moves_before(&self, ply: usize) -> impl Iterator<Item = &str> {
        self.moves().take(ply)
    }
}

/// Two games from one seed: the two players in the same seat, the same opponent with the same luck.
#[derive(Clone, Debug, PartialEq)]
pub struct Twins {
    /// The seed.
    pub seed: u64,
    /// Where the two sit.
    pub seat: Player,
    /// Their games.
    pub games: [Played; 2],
}

impl Twins {
    /// Whether the two ended differently: as a win, a draw or a loss.
    pub fn differ(&self) -> bool {
        self.games[0].outcome != self.games[1].outcome
    }

    /// The first ply, counted from 0, at which the two games are not the same.
    pub fn parting(&self) -> Option<usize> {
        let [a, b] = self.games.each_ref().map(|game| &game.plies);
        (0..a.len().max(b.len())).find(|&ply| a.get(ply).map(|ply| &ply.mv) != b.get(ply).map(|ply| &ply.mv))
    }
}

/// Two players in one seat of a game, and the opponent that both meet.
///
/// # Example: two moves ahead are better than none
/// ```
/// use shikou::game::{Outcome, Player};
/// use shikou::players::{Registry, SameLuck, SearcherSpec};
/// let game = Registry::standard().game("tic-tac-toe", &[]).unwrap();
/// let [deep, random]: [SearcherSpec; 2] = ["minimax(depth=full)", "random"].map(|text| text.parse().unwrap());
/// let luck = SameLuck::new(&*game, [&deep, &random], Some(&random), Player::FIRST).unwrap();
/// let twins = (0..100).map(|seed| luck.play(seed).unwrap()).find(|twins| twins.differ()).unwrap();
/// assert_eq!(twins.games[0].outcome, Outcome::Win);
/// let ply = twins.parting().unwrap();
/// assert!(twins.games[0].moves_before(ply).eq(twins.games[1].moves_before(ply)));
/// ```
pub struct SameLuck<'g> {
    tables: [Box<dyn Tables + 'g>; 2],
    seat: Player,
    /// The most plies of a game.
    longest: u32,
}

impl<'g> SameLuck<'g> {
    /// Two players in a seat of a game, and their opponent, whom a solitaire does not have.
    ///
    /// # Errors
    /// Where a searcher does not fit.
    ///
    /// # Panics
    /// Where there is an opponent at a solitaire, or none at a game for two.
    pub fn new(
        game: &'g dyn AnyGame,
        two: [&SearcherSpec; 2],
        against: Option<&SearcherSpec>,
        seat: Player,
    ) -> Result<Self, Misfit> {
        let tables = |player: &SearcherSpec| {
            let mut seats: Vec<SearcherSpec> = against.into_iter().cloned().collect();
            seats.insert(seat.index(), player.clone());
            game.prepare(&seats)
        };
        let [a, b] = two.map(tables);
        Ok(Self { tables: [a?, b?], seat, longest: longest(&game.facts()) })
    }

    /// Where the two sit.
    pub const fn seat(&self) -> Player {
        self.seat
    }

    /// Plays the two games of a seed. What each side draws depends on the seed, on which of the two sides it is, and on
    /// the number of its move: so the opponent's luck is the same in both games, and chance's as long as they are alike.
    ///
    /// # Errors
    /// Where a search gives no decision, or a game does not end.
    pub fn play(&self, seed: u64) -> Result<Twins, Failure> {
        let [a, b] = self.tables.each_ref().map(|tables| self.game(&**tables, seed));
        Ok(Twins { seed, seat: self.seat, games: [a?, b?] })
    }

    /// What the first or the second of the two would do with the luck of a seed after these moves, which it did not
    /// choose.
    ///
    /// # Errors
    /// Where its search gives no decision.
    ///
    /// # Panics
    /// Where the moves are not legal, or do not lead to a turn of the two.
    pub fn ask<'m>(
        &self,
        player: usize,
        seed: u64,
        moves: impl Iterator<Item = &'m str>,
    ) -> Result<DecisionView, Failure> {
        let mut table = self.tables[player].table();
        let mut sides = sides(seed);
        for mv in moves {
            if table.turn() == Turn::Player(self.seat) {
                sides[0].moves += 1;
            }
            assert!(table.make_written_move(mv), "{mv} is not legal");
        }
        table.decide(sides[0].stream(), Limits::default())?;
        let (_, decision) = table.last_decision().expect("it has just decided");
        Ok(decision)
    }

    fn game(&self, tables: &dyn Tables, seed: u64) -> Result<Played, Failure> {
        let mut table = tables.table();
        let mut sides = sides(seed);
        let mut chance = (Stream::new(seed) / "diverge" / "chance").rng();
        let mut plies = Vec::new();
        loop {
            let by = match table.turn() {
                Turn::Over => break,
                _ if table.plies() > self.longest => {
                    return Err(Failure::Endless(table.plies()));
                }
                Turn::Chance => {
                    table.let_chance_choose(&mut chance);
                    None
                }
                Turn::Player(player) => {
                    let side = &mut sides[usize::from(player != self.seat)];
                    table.decide(side.stream(), Limits::default())?;
                    Some(player)
                }
            };
            plies.push(last_ply(&*table, by));
        }
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

/// The luck of the two and of the opponent.
struct Side {
    key: PlayoutKey,
    moves: u64,
}

fn sides(seed: u64) -> [Side; 2] {
    let stream = Stream::new(seed) / "diverge";
    ["player", "against"].map(|name| Side { key: (stream / name).playout_key(), moves: 0 })
}

impl Side {
    /// The randomness of the next move.
    fn stream(&mut self) -> MoveStream {
        let stream = MoveStream::new(self.key.child(self.moves));
        self.moves += 1;
        stream
    }
}
