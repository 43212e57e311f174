//! Derivations from the rules of a game alone: leaf counts, reachable positions, recorded games and those of WTHOR, and the deals that can be
//! won with the order of the stock known.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::{Context, Derivation, Derive, Derived, Yields, count, derivation, game, seed, word};
use crate::experiment::document::{PlacedError, Section};
use crate::game::options::flag;
use crate::game::{FinishedGames, Turn, divided};
use crate::games::othello::wthor;
use crate::players::files::{no_data, path_of, read_file};
use crate::players::{AnyGame, Registry};
use crate::rng::Stream;
use crate::validate::{Found, Value};

derivation! {
/// The leaf counts of the game tree, by depth.
read_perft(section, _path, registry) -> Perft {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    depth: u32 = section.get("depth", &count(1000))?,
    exact: bool = section.get("exact", &flag(false))?,
    /// Only the count at the given depth, without those of smaller depths.
    last: bool = section.get("last", &flag(false))?,
} }

impl Derive for Perft {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let first = if self.last { self.depth } else { 1 };
        let finished = if self.exact { FinishedGames::Skip } else { FinishedGames::Count };
        let leaves = |depth| Value::Whole(self.game.perft(depth, finished) as i64);
        Ok(Found::Exact((first..=self.depth).map(leaves).collect()))
    }
}

const MOST_POSITIONS: usize = 10_000_000;

derivation! {
/// The number of reachable positions, by exhaustive search over their texts: slow but simple, for any game whose position text is a line
/// of squares.
read_positions(section, _path, registry) -> Positions {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    /// Whether positions that are rotations or reflections of one another count as one.
    up_to_symmetry: bool = section.get("up-to-symmetry", &flag(false))?,
} }

impl Derive for Positions {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let people = vec![None; usize::from(self.game.facts().players)];
        let mut table = self.game.table(&people)?;
        let no_text = || format!("{} has no text form of positions", self.game.spec());
        let start = table.position_text().ok_or_else(no_text)?;
        let mut seen = BTreeSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            if seen.len() > MOST_POSITIONS {
                return Err(format!("there are more than {MOST_POSITIONS} positions").into());
            }
            table.begin_at(&position)?;
            if table.turn() == Turn::Over {
                continue;
            }
            for mv in table.legal_moves() {
                table.begin_at(&position)?;
                table.make_written_move(&mv);
                let next = table.position_text().ok_or_else(no_text)?;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        let count = if self.up_to_symmetry {
            seen.iter()
                .map(|position| smallest_image(position))
                .collect::<Option<BTreeSet<_>>>()
                .ok_or("the text of a position is not a square board")?
                .len()
        } else {
            seen.len()
        };
        Ok(Found::Exact(vec![Value::Whole(count as i64)]))
    }
}

/// The smallest of the eight images of a square board written row by row; the text after a space is kept.
fn smallest_image(position: &str) -> Option<String> {
    let (board, rest) = position.split_once(' ').unwrap_or((position, ""));
    let squares: Vec<char> = board.chars().collect();
    let size = squares.len().isqrt();
    if size * size != squares.len() {
        return None;
    }
    let image = |turn: usize| -> String {
        let at = |row: usize, column: usize| {
            let (row, column) = if turn & 1 == 0 { (row, column) } else { (column, row) };
            let row = if turn & 2 == 0 { row } else { size - 1 - row };
            let column = if turn & 4 == 0 { column } else { size - 1 - column };
            squares[row * size + column]
        };
        (0..size).flat_map(|row| (0..size).map(move |column| (row, column))).map(|(r, c)| at(r, c)).collect()
    };
    (0..8).map(image).min().map(|image| format!("{image} {rest}"))
}

derivation! {
/// A recorded game, replayed: the outcome and the score of the first player.
read_replay(section, _path, registry) -> Replay {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    moves: String = section.get("moves", &word("f5d6c3"))?,
} }

impl Derive for Replay {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let (_, result) = self.game.replay(&self.moves)?;
        let (outcome, score) = result.ok_or("the game is not over")?;
        Ok(Found::Exact(vec![Value::Word(outcome.to_str().into()), Value::Whole(score.into())]))
    }
}

/// The number of deals of a solitaire that can be won with knowledge of the stock's order. Deals that the search cannot decide count as
/// lost, so the rate is a lower bound.
struct Clairvoyant {
    game: Arc<dyn AnyGame>,
    /// The deal stream of an experiment with the same game and seed.
    deal: Stream,
    deals: u64,
    nodes: u64,
}

pub(super) fn read_clairvoyant(section: &mut Section<'_>, _path: &Path, registry: &Registry) -> Derivation {
    let game = game(section, registry)?;
    let deals = section.get("deals", &count(1_000_000))?;
    let nodes = section.get("nodes", &count(1 << 40))?;
    let seed = section.get("seed", &seed())?;
    let span = section.span.clone();
    section.finish()?;
    let deal = Stream::new(seed) / "deal" / &*game.spec().to_string();
    if game.solve_deal(deal / 0, 1).is_none() {
        return Err(PlacedError::new(span, "the clairvoyant bound exists for calculation only"));
    }
    Ok(Box::new(Clairvoyant { game, deal, deals, nodes }))
}

impl Derive for Clairvoyant {
    fn yields(&self) -> Yields {
        Yields::Rate
    }

    fn derive(&self, _context: &Context<'_>) -> Derived {
        let is_won = |&instance: &u64| {
            let solution = self.game.solve_deal(self.deal / instance, self.nodes);
            solution.is_some_and(|(won, _)| won == Some(true))
        };
        let won = divided(|| (0..self.deals).into_par_iter().filter(is_won).count());
        Ok(Found::Rate { successes: won as u64, trials: self.deals })
    }
}

/// The games of 1978, compiled into the program.
const SAMPLE: &[u8] = include_bytes!("../../../tests/data/WTH_1978.wtb");

derivation! {
/// The games of WTHOR, replayed: the number of games, of illegal games, of games whose stated score differs from their
/// moves, and, on request, of passes.
read_wthor(section, _path, _registry) -> Wthor {
    /// The folder below that of large data; `None` for the sample.
    folder: Option<String> = section.name("folder")?,
    /// Whether passes are also counted.
    passes: bool = section.get("passes", &flag(false))?,
} }

impl Derive for Wthor {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let Some(folder) = &self.folder else {
            return self.replayed(&[SAMPLE.to_vec()]);
        };
        let path = path_of(&format!("data:{folder}"), Path::new(""));
        if !path.is_dir() {
            return Ok(Found::Missing(no_data(&format!("{folder}/*.wtb"))));
        }
        let of = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let entries = std::fs::read_dir(&path).map_err(|error| of(&path, error))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")));
        files.sort();
        let read = |file: &PathBuf| read_file(file).map_err(|error| of(file, error));
        self.replayed(&files.iter().map(read).collect::<Result<Vec<_>, _>>()?)
    }
}

impl Wthor {
    fn replayed(&self, files: &[Vec<u8>]) -> Derived {
        let [mut games, mut illegal, mut passes, mut other_scores] = [0_i64; 4];
        for bytes in files {
            for record in wthor::read(bytes)?.records() {
                games += 1;
                match record.replay() {
                    Ok(replay) => {
                        passes += i64::from(replay.passes);
                        other_scores += i64::from(replay.black_score() != record.black_score());
                    }
                    Err(_) => illegal += 1,
                }
            }
        }
        let mut counts = vec![games, illegal, other_scores];
        counts.extend(self.passes.then_some(passes));
        Ok(Found::Exact(counts.into_iter().map(Value::Whole).collect()))
    }
}
