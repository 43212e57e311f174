//! A match in which engines take part.
//!
//! It is no experiment: what an engine plays is not a function of a manifest. So there is no log and no digest. A game that an
//! engine does not finish is a loss of a named kind; nothing is left out but games that were interrupted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use super::{MatchArguments, stop_on_signal};
use crate::cli::engine_player::{EnginePlayer, allow, is_engine};
use crate::cli::error::CommandError;
use crate::cli::field::Field;
use crate::engine::Verdict;
use crate::game::{Outcome as GameOutcome, Player, Turn};
use crate::players::{AnyGame, FitError, PlayError, Registry, SearcherSpec};
use crate::report::{Block, Document, Table, brackets, counted, decimals, duration};
use crate::rng::Stream;
use crate::serve::{MetGame, Seated, meet};
use crate::stats::{Confidence, MatchCounts, Unit};

const SCHEMA: u32 = 1;

/// The number of games unless it is given.
const GAMES: u64 = 100;

/// The number of failures that a report shows in full.
const SHOWN: usize = 5;

/// Whether an engine takes part.
pub(super) fn takes_part(arguments: &MatchArguments) -> bool {
    [Some(&arguments.first), arguments.second.as_ref()].into_iter().flatten().any(|text| is_engine(text))
}

/// A player of the match.
enum Side {
    Searcher(String, SearcherSpec),
    Engine(EnginePlayer),
}

impl Side {
    fn name(&self) -> &str {
        match self {
            Self::Searcher(name, _) => name,
            Self::Engine(engine) => &engine.name,
        }
    }

    fn seated(&self, seed: u64) -> Seated<'_> {
        match self {
            Self::Searcher(_, spec) => Seated::Searcher(spec, seed),
            Self::Engine(engine) => Seated::Engine(&engine.settings),
        }
    }
}

/// How a match went.
#[derive(Serialize)]
struct Outcome {
    game: String,
    seed: u64,
    pairs: u64,
    different_games: usize,
    players: [PlayerOutcome; 2],
    failures: Vec<Failed>,
}

#[derive(Default, Serialize)]
struct PlayerOutcome {
    name: String,
    points: f64,
    low: f64,
    high: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The games that it lost without finishing them, by kind.
    failed: BTreeMap<Verdict, u64>,
    /// What an engine calls itself, the hash of its program, and its median time to answer what takes no thought.
    engine: Option<String>,
    sha256: Option<String>,
    ping_ns: Option<u64>,
}

#[derive(Serialize)]
struct Failed {
    player: String,
    verdict: Verdict,
    reason: String,
    last_words: Vec<String>,
    moves: String,
}

pub(super) fn run(registry: &Registry, arguments: &MatchArguments) -> Result<(), CommandError> {
    let refuse = |message: &str| Err(CommandError::Usage(message.into()));
    if arguments.save.is_some() || arguments.sprt.is_some() {
        return refuse(
            "a match with an engine has no log and no sequential test; leave --save and --sprt out",
        );
    }
    let Some(second) = &arguments.second else { return refuse("a match with an engine needs two players") };
    let games = arguments.games.unwrap_or(GAMES);
    if games % 2 == 1 {
        return refuse("games are played in pairs with the seats swapped, so --games is even");
    }
    let field = Field::new(registry, &arguments.game)?;
    let sides = [side(&field, &arguments.first)?, side(&field, second)?];
    let engines: Vec<&EnginePlayer> = sides
        .iter()
        .filter_map(|side| if let Side::Engine(engine) = side { Some(engine) } else { None })
        .collect();
    allow(&engines, &arguments.allow)?;
    let openings = Openings::read(&*field.game, arguments.openings.as_deref())?;
    let stop = stop_on_signal();
    let played = play(&field.game, &sides, &openings, games / 2, arguments, &stop)?;
    let finished = played.len() as u64;
    let outcome = fold(&*field.game, &sides, &played, arguments.seed);
    arguments.output.show("engine-match", SCHEMA, &outcome, document(&outcome))?;
    if finished < games / 2 {
        let message = format!("stopped after {finished} of {}", counted(games / 2, "pair"));
        return Err(CommandError::Interrupted(message));
    }
    Ok(())
}

fn side(field: &Field, text: &str) -> Result<Side, CommandError> {
    if is_engine(text) {
        return EnginePlayer::read(&*field.game, text).map(Side::Engine);
    }
    let player = field.player(text)?;
    Ok(Side::Searcher(player.name, player.searcher))
}

/// How pairs begin.
enum Openings {
    /// With this many random plies.
    Random(u32),
    /// With these moves, in turn.
    Listed(Vec<Vec<String>>),
}

impl Openings {
    fn read(game: &dyn AnyGame, given: Option<&str>) -> Result<Self, CommandError> {
        let Some(given) = given else { return Ok(Self::Random(0)) };
        if let Ok(plies) = given.parse() {
            return Ok(Self::Random(plies));
        }
        let text = fs::read_to_string(given).map_err(|error| CommandError::at(given, &error))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let moves = |line: &str| {
            game.written_moves(line).map_err(|error| CommandError::Usage(format!("{given}: {line}: {error}")))
        };
        let listed = lines.map(moves).collect::<Result<Vec<_>, _>>()?;
        if listed.is_empty() {
            return Err(CommandError::Usage(format!("{given} has no openings")));
        }
        Ok(Self::Listed(listed))
    }

    /// The moves of a pair. A game that would be over is cut before its last moves.
    fn moves(&self, game: &dyn AnyGame, stream: Stream, pair: u64) -> Result<Vec<String>, FitError> {
        let plies = match self {
            Self::Listed(listed) => return Ok(listed[(pair % listed.len() as u64) as usize].clone()),
            Self::Random(plies) => *plies,
        };
        let mut rng = (stream / "opening").rng();
        let mut table = game.table(&[None, None])?;
        let mut moves = Vec::new();
        for _ in 0..plies {
            if !matches!(table.turn(), Turn::Player(_)) {
                break;
            }
            table.make_random_move(&mut rng);
            moves.push(table.last_move().expect("a move was just made"));
        }
        Ok(moves)
    }
}

/// The two games of a pair, the first of which the first player begins.
type Pair = [MetGame; 2];

/// Plays all pairs, or those before the stop, in their order.
fn play(
    game: &Arc<dyn AnyGame>,
    sides: &[Side; 2],
    openings: &Openings,
    pairs: u64,
    arguments: &MatchArguments,
    stop: &AtomicBool,
) -> Result<Vec<Pair>, CommandError> {
    let stream = Stream::new(arguments.seed) / "engines";
    let pair = |number: u64| -> Result<Option<Pair>, PlayError> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let stream = stream / number;
        let moves = openings.moves(&**game, stream, number).expect("empty seats fit");
        let seed = |side: u64| (stream / "player" / side).playout_key().to_u64();
        let seats = [sides[0].seated(seed(0)), sides[1].seated(seed(1))];
        let games = [meet(&**game, seats, &moves)?, meet(&**game, [seats[1], seats[0]], &moves)?];
        let is_interrupted = games.iter().any(|game| game.outcome.is_none());
        Ok((!is_interrupted).then_some(games))
    };
    let played =
        arguments.threads.pool()?.install(|| (0..pairs).into_par_iter().map(pair).collect::<Vec<_>>());
    let played = played.into_iter().collect::<Result<Vec<_>, PlayError>>();
    let played = played.map_err(|error| CommandError::Trials(vec![error.to_string()]))?;
    Ok(played.into_iter().flatten().collect())
}

fn fold(game: &dyn AnyGame, sides: &[Side; 2], played: &[Pair], seed: u64) -> Outcome {
    let mut players: [PlayerOutcome; 2] = std::array::from_fn(|_| PlayerOutcome::default());
    let mut counts = [MatchCounts::empty(Unit::Pairs), MatchCounts::empty(Unit::Pairs)];
    let mut failures = Vec::new();
    let mut pings = [Vec::new(), Vec::new()];
    for pair in played {
        let mut points = 0;
        for (swapped, met) in pair.iter().enumerate() {
            let outcome = met.outcome.expect("interrupted pairs are left out");
            let of_first = if swapped == 0 { outcome } else { outcome.reversed() };
            points += of_first.half_points() as usize;
            for (player, half_points) in
                [of_first, of_first.reversed()].map(GameOutcome::half_points).into_iter().enumerate()
            {
                let of = &mut players[player];
                *[&mut of.losses, &mut of.draws, &mut of.wins][half_points as usize] += 1;
                if let Some((name, ping)) = &met.engines[player ^ swapped] {
                    of.engine = Some(name.clone());
                    pings[player].push(*ping);
                }
            }
            if let Some((seat, failure)) = &met.failure {
                let player = Player::index(*seat) ^ swapped;
                *players[player].failed.entry(failure.verdict).or_default() += 1;
                failures.push(Failed {
                    player: sides[player].name().into(),
                    verdict: failure.verdict,
                    reason: failure.reason.clone(),
                    last_words: failure.last_words.clone(),
                    moves: met.moves.join(" "),
                });
            }
        }
        counts[0].push(points);
        counts[1].push(4 - points);
    }
    for ((of, side), (counts, pings)) in players.iter_mut().zip(sides).zip(counts.iter().zip(&mut pings)) {
        let estimate = counts.score_interval(Confidence::new(0.95));
        (of.points, of.low, of.high) = (estimate.value, estimate.low, estimate.high);
        of.name = side.name().into();
        of.sha256 = if let Side::Engine(engine) = side { engine.sha256() } else { None };
        pings.sort();
        of.ping_ns = pings.get(pings.len() / 2).map(|ping| ping.as_nanos() as u64);
    }
    let different: BTreeSet<&[String]> = played.iter().flatten().map(|met| &met.moves[..]).collect();
    Outcome {
        game: game.spec().to_string(),
        seed,
        pairs: played.len() as u64,
        different_games: different.len(),
        players,
        failures,
    }
}

fn document(outcome: &Outcome) -> Document {
    let mut table =
        Table::new(&["<player", ">points", "<95 %", ">wins", ">draws", ">losses", "<of these failed"]);
    for player in &outcome.players {
        let failed: Vec<String> =
            player.failed.iter().map(|(verdict, games)| format!("{games} {verdict}")).collect();
        table.row([
            player.name.clone(),
            decimals(player.points, 3),
            brackets(player.low, player.high, 3),
            player.wins.to_string(),
            player.draws.to_string(),
            player.losses.to_string(),
            failed.join(", "),
        ]);
    }
    let mut notes = vec![
        "Points: per game (win 1, draw ½); the interval takes the pair as its unit. A game that an engine does not finish is \
         its loss, of the kind that is named."
            .to_owned(),
    ];
    let games = 2 * outcome.pairs;
    if (outcome.different_games as u64) < games {
        notes.push(format!(
            "Warning: {} of {games} games are different; equal games say nothing more. Begin with random plies: --openings 8.",
            outcome.different_games
        ));
    }
    for failed in outcome.failures.iter().take(SHOWN) {
        notes.push(format!(
            "{}: {}: {}; after {}",
            failed.player, failed.verdict, failed.reason, failed.moves
        ));
        notes.extend(failed.last_words.iter().map(|line| format!("  it said: {line}")));
    }
    let more = outcome.failures.len().saturating_sub(SHOWN);
    if more > 0 {
        notes.push(format!("{more} more failed; --json has them all"));
    }
    let engines = outcome.players.iter().filter(|player| player.ping_ns.is_some() || player.sha256.is_some());
    let engine = |player: &PlayerOutcome| {
        let called = player.engine.as_deref().filter(|name| !name.is_empty()).unwrap_or("it does not say");
        let ping = player.ping_ns.map(duration).unwrap_or_default();
        let hash = player.sha256.as_deref().map_or("unknown", |hash| &hash[..16]);
        format!("{}: name {called}; program sha256 {hash}…; median ping {ping}", player.name)
    };
    let engines: Vec<String> = engines.map(engine).collect();
    let heading = format!("{}, {}, seed {}", outcome.game, counted(outcome.pairs, "pair"), outcome.seed);
    Document(vec![
        Block::Heading(heading),
        table.into(),
        Block::Notes(notes),
        Block::OfThisRun(vec![Block::Text(engines)]),
    ])
}
