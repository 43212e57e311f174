//! Games to look at: chosen games of a plan, played again with their decisions and with those of other players.
//!
//! A repeatable trial is a function of its name, so a game needs no log to be shown, and other players can be asked what
//! they would have played with the random numbers of that very trial. Both take time, so there is a limit, and what it cost
//! is said.

mod choice;
mod other;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use self::choice::{Choice, Pick, is_sample, known_games, picks};
pub use self::choice::{Reason, Source};
use self::other::{Asker, others, parting};
pub use self::other::{OtherDecision, OtherPlayer};
use crate::experiment::plan::{Plan, Trial};
use crate::experiment::summary::Summary;
use crate::experiment::trial::{WatchedTrial, unrepeatable};
use crate::game::options::write_time;
use crate::search::Clock;
use crate::words::counted;

/// The wish of a user: which games to show.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The most games.
    pub games: usize,
    /// The trials to show, and no others; if empty, games are chosen.
    pub trials: Vec<Trial>,
    /// The players that are asked at every position; if empty, the best two of each experiment.
    pub others: Vec<String>,
    /// The time after which nothing more is played.
    pub time: Duration,
}

/// Games to look at.
#[derive(Clone, Debug, Default)]
pub struct ExplorerGames {
    /// The games.
    pub games: Vec<ExplorerGame>,
    /// The missing games and decisions and why, in sentences.
    pub missing: Vec<String>,
}

/// A game with the reasons to look at it.
#[derive(Clone, Debug)]
pub struct ExplorerGame {
    /// Why it was chosen.
    pub why: Vec<Reason>,
    /// The trial, with this game alone.
    pub trial: WatchedTrial,
    /// The moves that other players would have made.
    pub others: Vec<OtherPlayer>,
}

/// Chooses games, plays them again, and asks other players, until the time is over.
///
/// # Errors
/// If the log or the canonical log cannot be read, in words.
pub fn explore(
    plan: &Plan,
    source: Source<'_>,
    summary: &Summary,
    wish: &Wish,
) -> Result<ExplorerGames, String> {
    let clock = Clock::start();
    let is_over = || clock.elapsed() >= wish.time;
    let best: Vec<Vec<usize>> =
        (0..plan.experiments().len()).map(|index| others(plan, index, summary, &wish.others)).collect();
    let mut found = ExplorerGames::default();
    let picked = if wish.trials.is_empty() {
        let (mut choices, experiments) = (Vec::new(), best.len() as u32);
        for (index, best) in best.iter().enumerate() {
            let mut choice = Choice::new(plan, index, wish.games, is_sample(source));
            // A sample leaves time for the games themselves, and for the samples of other experiments.
            let share = wish.time / 4 * (index as u32 + 1) / experiments;
            let enough = || clock.elapsed() >= share;
            known_games(plan, index, source, &enough, &mut |game| choice.take(game))?;
            if let [first, second, ..] = best[..] {
                choice.parting = parting(plan, index, [first, second], &enough);
            }
            choices.push(choice);
        }
        picks(plan, &choices, wish.games)
    } else {
        Pick::all_of(plan, &wish.trials, wish.games)
    };
    let (mut played, mut shown) = (BTreeMap::new(), Vec::new());
    for pick in &picked {
        if let Some(game) = play_again(plan, source, pick, &is_over, &mut played)? {
            found.games.push(game);
            shown.push(pick);
        }
    }
    let missing = picked.len() - found.games.len();
    let limit =
        format!("the time of {} was over; a longer --explore-time allows more", write_time(wish.time));
    if missing > 0 {
        let (all, are) = (counted(picked.len() as u64, "game"), if missing == 1 { "is" } else { "are" });
        found.missing.push(format!("{missing} of {all} {are} missing: {limit}."));
    }
    for (explored, Pick { trial, game, .. }) in found.games.iter_mut().zip(shown) {
        for &player in &best[trial.experiment] {
            let seating = &plan.cells(trial.experiment)[trial.cell].seatings()[*game];
            let asker = Asker::new(plan, *trial, player);
            explored.others.extend(asker.ask_all(&explored.trial.games[0], seating, &is_over));
        }
    }
    let unasked: usize = found.games.iter().flat_map(|game| &game.others).map(|other| other.missing).sum();
    if unasked > 0 {
        let decisions = counted(unasked as u64, "decision");
        found.missing.push(format!("{decisions} of other players could not be asked for: {limit}."));
    }
    mark_regret(&mut found);
    Ok(found)
}

/// Plays the game of a pick again. `None` if the time is over.
fn play_again(
    plan: &Plan,
    source: Source<'_>,
    pick: &Pick,
    is_over: &dyn Fn() -> bool,
    played: &mut BTreeMap<Trial, WatchedTrial>,
) -> Result<Option<ExplorerGame>, String> {
    let trial = match played.entry(pick.trial) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => {
            let watched = match (unrepeatable(plan, pick.trial), source) {
                // A trial that cannot be played again has the results of the log.
                (Some(_), Source::Log(log)) => {
                    let record = log.record(&pick.trial).map_err(|error| error.to_string())?;
                    Some(WatchedTrial::of_record(plan, pick.trial, record.as_ref()))
                }
                _ if is_over() => None,
                _ => WatchedTrial::play_until(plan, pick.trial, is_over),
            };
            let Some(watched) = watched else { return Ok(None) };
            place.insert(watched)
        }
    };
    let trial = WatchedTrial { games: vec![trial.games[pick.game].clone()], ..trial.clone() };
    Ok(Some(ExplorerGame { why: pick.why.clone(), trial, others: Vec::new() }))
}

/// Adds a reason to the game in which a move gives away most, by the first of the players that were asked.
fn mark_regret(found: &mut ExplorerGames) {
    let mut most: Option<(f64, usize, Reason)> = None;
    for (index, game) in found.games.iter().enumerate() {
        let Some(judge) = game.others.first() else { continue };
        let plies = &game.trial.games[0].plies;
        for (ply, decision) in plies.iter().zip(&judge.decisions) {
            let Some(away) = decision.as_ref().and_then(|decision| decision.gives_away) else { continue };
            if away > most.as_ref().map_or(0.0, |(away, ..)| *away) {
                let words = format!(
                    "the largest regret of the games here: {} at ply {} gives away {away:.3}, by the values of {}",
                    ply.mv, ply.ply, judge.player
                );
                most = Some((away, index, Reason { words, ply: Some(ply.ply) }));
            }
        }
    }
    if let Some((_, index, reason)) = most {
        found.games[index].why.push(reason);
    }
}
