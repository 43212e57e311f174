//! Games for samples: recorded ones, and new ones between players.

use std::path::Path;

use super::any_game::AnyGame;
use super::play_error::PlayError;
use super::spec::SearcherSpec;
use super::tables::{Tables, UnfitPlayer};
use crate::game::{Player, Turn};
use crate::rng::Stream;
use crate::search::{Limits, MoveStream};
use crate::words::text_of;

/// The games of a file as transcripts: of a format of records by its extension, else of a text with a game in each line.
///
/// # Errors
/// If the content has not the format.
pub fn recorded_games(game: &dyn AnyGame, file: &Path, content: &[u8]) -> Result<Vec<String>, String> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut formats = game.lists().record_formats.iter();
    if let Some(format) = formats.find(|format| extension.eq_ignore_ascii_case(format.extension)) {
        let games = (format.read)(content)?;
        return Ok(games.into_iter().map(|moves| moves.join(" ")).collect());
    }
    let text = text_of(content).map_err(|error| error.to_string())?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(Into::into).collect())
}

/// Players that play games for samples.
pub struct SampledGames {
    tables: Box<dyn Tables>,
    random_plies: u32,
    limits: Limits,
}

impl SampledGames {
    /// Games between these players, with random plies at the beginning.
    ///
    /// # Errors
    /// If a player does not fit the game.
    pub fn new(
        game: &dyn AnyGame,
        players: &[SearcherSpec],
        random_plies: u32,
        limits: Limits,
    ) -> Result<Self, UnfitPlayer> {
        Ok(Self { tables: game.prepare(players)?, random_plies, limits })
    }

    /// Plays a game with a player at each seat, given by its number. Returns the transcript, and the plies of its opening,
    /// the random one.
    ///
    /// # Errors
    /// If the game cannot be played to its end.
    pub fn play(&self, seats: &[usize], luck: Stream) -> Result<(String, u32), PlayError> {
        let mut table = self.tables.table(seats);
        let (mut chance, mut random) = ((luck / "chance").rng(), (luck / "random").rng());
        let (mut moves, mut opening) = (0, 0);
        loop {
            match table.turn() {
                Turn::Over => return Ok((table.transcript(), opening)),
                Turn::Chance => table.let_chance_choose(&mut chance),
                Turn::Player(_) if moves < self.random_plies => {
                    table.make_random_move(&mut random);
                    moves += 1;
                    opening = table.plies();
                }
                Turn::Player(player) => {
                    let seat = u64::from(player != Player::FIRST);
                    let key = (luck / "player" / seat / u64::from(table.plies())).playout_key();
                    table.decide(MoveStream::new(key), self.limits)?;
                }
            }
        }
    }
}
