//! The explorer of the page: games, their decisions, and the moves that other players would have made.
//!
//! The page holds the games as JSON, and its script steps through them. Marks of pictures and lines of drawings are written
//! once and named by numbers, because most of a position is as before. What would make the page too large is left out, and
//! the page says so. Without the script there is the list of games.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use serde::Serialize;

use super::view::table_view;
use super::{in_script, shown};
use crate::experiment::{
    ExplorerGame, ExplorerGames, OtherPlayer, ShownPosition, WatchedGame, WatchedPly, WatchedSeat,
    WatchedTrial,
};
use crate::object;
use crate::report::table::Table;
use crate::words::counted;

const MOST: usize = 1_250_000;

/// The parts of the page that only an explorer needs.
pub(super) const TEMPLATE: &str = include_str!("explore.html");
pub(super) const STYLE: &str = include_str!("explore.css");
pub(super) const SCRIPT: &str = include_str!("explore.js");

pub(super) fn explorer_view(explored: &ExplorerGames) -> Value {
    let mut parts = Parts::default();
    let mut table = Table::new(&["<game", "<why", ">plies", "<trial"]);
    let (mut games, mut bytes) = (Vec::new(), 0);
    for game in &explored.games {
        let before = parts.clone();
        let view = game_view(game, &mut parts);
        let json = serde_json::to_string(&view).expect("a game is JSON").len();
        let with = bytes + json;
        if with + parts.bytes > MOST {
            parts = before;
            continue;
        }
        bytes = with;
        table.row(listed(game));
        games.push(view);
    }
    let mut missing: Vec<String> = explored.missing.iter().map(shown).collect();
    let left_out = explored.games.len() - games.len();
    if left_out > 0 {
        missing.push(format!(
            "{} left out: with more than {} kB of games the page would be slow.",
            counted(left_out as u64, "game"),
            MOST / 1000
        ));
    }
    let about = match games.len() {
        0 => "There is no game to look at.".into(),
        count => format!(
            "{}, played again from the names of their trials, with every decision.",
            counted(count as u64, "game")
        ),
    };
    let table = (!games.is_empty()).then(|| table_view(&table, "games of the explorer"));
    let games = object! { parts: parts.texts, games };
    let json = in_script(serde_json::to_string(&games).expect("games are JSON"));
    context! { about, missing, table, json }
}

/// Texts that are written once.
#[derive(Clone, Default)]
struct Parts {
    known: BTreeMap<String, usize>,
    texts: Vec<String>,
    /// About their length as JSON.
    bytes: usize,
}

impl Parts {
    fn number(&mut self, text: String) -> usize {
        if let Some(&number) = self.known.get(&text) {
            return number;
        }
        // Quotes and a comma.
        self.bytes += text.len() + 3;
        self.texts.push(text.clone());
        self.known.insert(text, self.texts.len() - 1);
        self.texts.len() - 1
    }
}

/// A game; the drawing and the marks of each position are numbers of parts.
fn game_view<'e>(explored: &'e ExplorerGame, parts: &mut Parts) -> impl Serialize + use<'e> {
    let (trial, game) = (&explored.trial, &explored.trial.games[0]);
    let position = |position: &ShownPosition| {
        let drawing: Vec<usize> = position.drawing.lines().map(|line| parts.number(shown(line))).collect();
        let picture = position.picture.as_ref().map(|picture| {
            let marks: Vec<usize> = picture.marks().map(|mark| parts.number(shown(mark))).collect();
            object! { size: picture.size(), marks }
        });
        object! { text: position.text.as_ref().map(shown), drawing, picture }
    };
    // Before each ply, and the last one.
    let positions: Vec<_> =
        game.plies.iter().map(|ply| &ply.position).chain(&game.end).map(position).collect();
    let why = explored.why.iter().map(|why| object! { words: shown(&why.words), ply: why.ply });
    let seat = |WatchedSeat { player, searcher, side, .. }: &WatchedSeat| {
        object! { player: shown(player), searcher: shown(searcher), side: side.map(shown) }
    };
    object! {
        label: label(explored), why: why.collect::<Vec<_>>(), trial: &trial.trial, number: game.number,
        experiment: shown(&trial.experiment), game: shown(&trial.game), instance: trial.instance,
        unit: shown(trial.unit), unrepeatable: trial.unrepeatable.as_ref().map(shown),
        seats: game.seats.iter().map(seat).collect::<Vec<_>>(), outcome: game.outcome, margin: game.margin,
        failure: game.failure.as_ref().map(shown), positions,
        plies: game.plies.iter().map(ply_view).collect::<Vec<_>>(),
        others: explored.others.iter().map(other_view).collect::<Vec<_>>(),
    }
}

fn ply_view(ply: &WatchedPly) -> impl Serialize {
    let decision = ply.decision.as_ref();
    // Move, visits, value, standard error.
    let moves = decision.iter().flat_map(|decision| {
        let moves = decision.moves.iter();
        moves.map(|of| (shown(&of.mv), of.visits, decision.value_of(&of.mv), of.standard_error))
    });
    object! {
        by: ply.by, seat: ply.seat, mv: shown(&ply.mv),
        // Why the search ended; empty without one.
        stop: decision.map(|decision| decision.stop.to_string()).unwrap_or_default(),
        moves: moves.collect::<Vec<_>>(), line: ply.line.iter().map(shown).collect::<Vec<_>>(),
    }
}

/// Another player with its move at each ply at which it was asked: the move, its value and standard error, and the loss of the
/// move of the game.
fn other_view(other: &OtherPlayer) -> impl Serialize {
    let decisions = other.decisions.iter().map(|decision| {
        let decision = decision.as_ref()?;
        let (value, error) = decision.value.unzip();
        Some((shown(&decision.mv), value, error, decision.gives_away))
    });
    object! { player: shown(&other.player), decisions: decisions.collect::<Vec<_>>() }
}

fn label(explored: &ExplorerGame) -> String {
    let game = &explored.trial.games[0];
    let names: Vec<&str> = game.seats.iter().map(|seat| seat.player.as_str()).collect();
    shown(format!("{}: {}, {}", explored.trial.experiment, names.join(" – "), result(&explored.trial, game)))
}

fn listed(explored: &ExplorerGame) -> [String; 4] {
    let game = &explored.trial.games[0];
    let why: Vec<&str> = explored.why.iter().map(|why| why.words.as_str()).collect();
    let plies = if game.plies.is_empty() { "–".into() } else { game.plies.len().to_string() };
    [label(explored), shown(why.join("; ")), plies, explored.trial.trial.clone()]
}

fn result(trial: &WatchedTrial, game: &WatchedGame) -> String {
    let result = match (game.outcome, game.seats.len()) {
        (None, _) if game.failure.is_some() => "failed",
        (None, _) => "result unknown",
        (Some("win"), 1) => "solved",
        (Some("loss"), 1) => "not solved",
        (Some("win"), _) => "first player wins",
        (Some("loss"), _) => "second player wins",
        (Some(_), _) => "a draw",
    };
    let scored = game.margin.filter(|_| trial.scored && game.outcome.is_some());
    let result = scored.map_or_else(|| result.into(), |score| format!("{score} {}", trial.unit));
    let forfeit = game.failure.as_deref().filter(|_| game.outcome.is_some());
    if let Some(kind) = forfeit.and_then(|reason| reason.split(':').next()) {
        return format!("{result} by {kind}");
    }
    if game.plies.is_empty() {
        return result;
    }
    format!("{result} after {}", counted(game.plies.len() as u64, "ply"))
}
