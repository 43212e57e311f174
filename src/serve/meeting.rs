//! A game in which engines take part: other programs and our searchers at one table.
//!
//! Every move is checked here, whoever made it. A forced pass is made for an engine, which is never asked for one.

use super::served_stream;
use super::session::PASS;
use crate::engine::{Engine, EngineSettings, Failure, GameSoFar, Speech, Verdict};
use crate::game::{Outcome, Player, Turn};
use crate::players::{AnyGame, PlayError, SearcherSpec, Table, longest};
use crate::search::Limits;

/// Who sits at a seat.
#[derive(Clone, Copy, Debug)]
pub enum Seated<'s> {
    /// A searcher, with the seed of its randomness: that of [`served_stream`].
    Searcher(&'s SearcherSpec, u64),
    /// An engine.
    Engine(&'s EngineSettings),
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct MetGame {
    /// How it ended.
    pub verdict: Verdict,
    /// The outcome for the first player, unless the game was interrupted. An engine that fails loses.
    pub outcome: Option<Outcome>,
    /// The score of the first player, if the game is finished.
    pub score: Option<i32>,
    /// The moves with those of the opening, in notation.
    pub moves: Vec<String>,
    /// The engine that failed, and why.
    pub failure: Option<(Player, Failure)>,
    /// For each seat what its engine calls itself, and its median time to answer what takes no thought.
    pub engines: [Option<(String, std::time::Duration)>; 2],
}

/// Plays a game from an opening, whose moves must be legal.
///
/// # Errors
/// If a searcher fails, or the game does not end.
///
/// # Panics
/// If a searcher does not fit the game, or the game is not one for two without chance.
pub fn meet(game: &dyn AnyGame, seats: [Seated<'_>; 2], opening: &[String]) -> Result<MetGame, PlayError> {
    let of_searcher = |seat: &Seated<'_>| match seat {
        Seated::Searcher(spec, _) => Some((*spec).clone()),
        Seated::Engine(_) => None,
    };
    let mut table =
        game.table(&seats.iter().map(of_searcher).collect::<Vec<_>>()).expect("the searchers fit");
    let mut meeting = Meeting { engines: [None, None], so_far: so_far(game, opening) };
    for mv in opening {
        assert!(table.make_written_move(mv), "{mv} is legal");
    }
    let ended = meeting.play(game, seats, &mut *table)?;
    let described = |engine: &Option<Engine>| {
        engine.as_ref().map(|engine| (engine.name().to_owned(), engine.latency().unwrap_or_default()))
    };
    let engines = [described(&meeting.engines[0]), described(&meeting.engines[1])];
    for engine in meeting.engines.into_iter().flatten() {
        engine.quit();
    }
    let moves = meeting.so_far.moves.into_iter().map(|(_, mv)| mv).collect();
    let met =
        MetGame { verdict: Verdict::Finished, outcome: None, score: None, moves, failure: None, engines };
    Ok(match ended {
        None => MetGame {
            outcome: Some(table.outcome(Player::FIRST)),
            score: Some(table.score(Player::FIRST)),
            ..met
        },
        Some((player, failure)) => {
            let lost = if player == Player::FIRST { Outcome::Loss } else { Outcome::Win };
            let outcome = (failure.verdict != Verdict::Interrupted).then_some(lost);
            MetGame { verdict: failure.verdict, outcome, failure: Some((player, failure)), ..met }
        }
    })
}

struct Meeting {
    engines: [Option<Engine>; 2],
    so_far: GameSoFar,
}

impl Meeting {
    /// Plays to the end. Returns the engine that failed, if one did.
    fn play(
        &mut self,
        game: &dyn AnyGame,
        seats: [Seated<'_>; 2],
        table: &mut dyn Table,
    ) -> Result<Option<(Player, Failure)>, PlayError> {
        for player in [Player::FIRST, Player::SECOND] {
            if let Seated::Engine(settings) = seats[player.index()] {
                match Engine::start(settings) {
                    Ok(engine) => self.engines[player.index()] = Some(engine),
                    Err(failure) => return Ok(Some((player, failure))),
                }
            }
        }
        loop {
            let player = match table.turn() {
                Turn::Over => return Ok(None),
                Turn::Chance => panic!("an engine plays games without chance"),
                Turn::Player(player) => player,
            };
            if table.plies() > longest(&game.facts()) {
                return Err(PlayError::Endless(table.plies()));
            }
            self.so_far.first_to_move = player == Player::FIRST;
            match seats[player.index()] {
                Seated::Searcher(_, seed) => {
                    table.decide(served_stream(seed, table.plies()), Limits::default())?;
                }
                Seated::Engine(_) if matches!(&table.legal_moves()[..], [only] if only == PASS) => {
                    table.make_written_move(PASS);
                }
                Seated::Engine(_) => {
                    let engine = self.engines[player.index()].as_mut().expect("it was started");
                    let answer = match engine.ask(&self.so_far) {
                        Ok(answer) => answer,
                        Err(failure) => return Ok(Some((player, failure))),
                    };
                    if !table.make_written_move(&answer.mv) {
                        return Ok(Some((player, engine.illegal(&answer.mv))));
                    }
                }
            }
            self.note(player, table);
        }
    }

    fn note(&mut self, player: Player, table: &dyn Table) {
        let mv = table.last_move().expect("a move was just made");
        self.so_far.moves.push((player == Player::FIRST, mv));
    }
}

/// A game from the start, as an engine is told it.
///
/// # Panics
/// If a move is not legal.
pub fn so_far(game: &dyn AnyGame, moves: &[String]) -> GameSoFar {
    let mut table = game.table(&[None, None]).expect("empty seats fit");
    let mut so_far = GameSoFar { board: board(&*table), moves: Vec::new(), first_to_move: true };
    for mv in moves {
        let Turn::Player(player) = table.turn() else { panic!("{mv} is not legal: the game is over") };
        assert!(table.make_written_move(mv), "{mv} is legal");
        so_far.moves.push((player == Player::FIRST, mv.clone()));
    }
    so_far.first_to_move = table.turn() == Turn::Player(Player::FIRST);
    so_far
}

/// The board of a new table, as NBoard writes it; empty for other games.
fn board(table: &dyn Table) -> String {
    table.position_text().unwrap_or_default().replace('X', "*")
}

/// Why an engine of this protocol cannot play a game, if so.
pub fn misfit(game: &dyn AnyGame, speech: Speech) -> Option<String> {
    let (facts, spec) = (game.facts(), game.spec());
    if facts.players != 2 || facts.chance {
        Some(format!(
            "{spec} cannot be played by an engine: the protocols are for two players without chance"
        ))
    } else if speech == Speech::NBoard && !super::is_board_of_nboard(game) {
        Some(format!("NBoard is a protocol of Othello on 8×8; {spec} needs an engine that speaks GTP"))
    } else {
        None
    }
}
