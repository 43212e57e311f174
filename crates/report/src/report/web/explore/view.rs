//! A game as the page holds it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::experiment::{
    ExplorerGame, OtherPlayer, ShownPosition, WatchedGame, WatchedPly, WatchedSeat, visible,
};
use crate::object;
use crate::words::counted;

/// Texts that are written once.
#[derive(Clone, Default)]
pub(super) struct Parts {
    known: BTreeMap<String, usize>,
    texts: Vec<String>,
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

    /// About their length as JSON.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Text without characters that are obeyed or hidden.
fn plain(text: impl AsRef<str>) -> String {
    visible(text.as_ref()).into_owned()
}

/// A game; the drawing and the marks of each position are numbers of parts.
pub(super) fn game_view<'e>(explored: &'e ExplorerGame, parts: &mut Parts) -> impl Serialize + use<'e> {
    let (trial, game) = (&explored.trial, &explored.trial.games[0]);
    let position = |position: &ShownPosition| {
        let drawing: Vec<usize> = position.drawing.lines().map(|line| parts.number(plain(line))).collect();
        let picture = position.picture.as_ref().map(|picture| {
            let marks: Vec<usize> = picture.marks().map(|mark| parts.number(plain(mark))).collect();
            object! { size: picture.size(), marks }
        });
        object! { text: position.text.as_ref().map(plain), drawing, picture }
    };
    // Before each ply, and the last one.
    let positions: Vec<_> =
        game.plies.iter().map(|ply| &ply.position).chain(&game.end).map(position).collect();
    let why = explored.why.iter().map(|why| object! { words: plain(&why.words), ply: why.ply });
    let seat = |WatchedSeat { player, searcher, side, .. }: &WatchedSeat| {
        object! { player: plain(player), searcher: plain(searcher), side: side.map(plain) }
    };
    object! {
        label: label(explored), why: why.collect::<Vec<_>>(), trial: &trial.trial, number: game.number,
        experiment: plain(&trial.experiment), game: plain(&trial.game), instance: trial.instance,
        unit: plain(trial.unit), unrepeatable: trial.unrepeatable.as_ref().map(plain),
        seats: game.seats.iter().map(seat).collect::<Vec<_>>(), outcome: game.outcome, margin: game.margin,
        failure: game.failure.as_ref().map(plain), positions,
        plies: game.plies.iter().map(ply_view).collect::<Vec<_>>(),
        others: explored.others.iter().map(other_view).collect::<Vec<_>>(),
    }
}

fn ply_view(ply: &WatchedPly) -> impl Serialize {
    let decision = ply.decision.as_ref();
    // Move, visits, value, standard error.
    let moves = decision.iter().flat_map(|decision| {
        let moves = decision.moves.iter();
        moves.map(|of| (plain(&of.mv), of.visits, decision.value_of(&of.mv), of.standard_error))
    });
    object! {
        by: ply.by, seat: ply.seat, mv: plain(&ply.mv),
        // Why the search ended; empty without one.
        stop: decision.map(|decision| decision.stop.to_string()).unwrap_or_default(),
        moves: moves.collect::<Vec<_>>(), line: ply.line.iter().map(plain).collect::<Vec<_>>(),
    }
}

/// Another player with what it would have played at each ply, if it was asked: the move, its value and standard error, and what
/// the move of the game gives away.
fn other_view(other: &OtherPlayer) -> impl Serialize {
    let decisions = other.decisions.iter().map(|decision| {
        let decision = decision.as_ref()?;
        let (value, error) = decision.value.unzip();
        Some((plain(&decision.mv), value, error, decision.gives_away))
    });
    object! { player: plain(&other.player), decisions: decisions.collect::<Vec<_>>() }
}

/// The name of a game in a list.
fn label(explored: &ExplorerGame) -> String {
    let game = &explored.trial.games[0];
    let names: Vec<&str> = game.seats.iter().map(|seat| seat.player.as_str()).collect();
    plain(format!("{}: {}, {}", explored.trial.experiment, names.join(" – "), result(game)))
}

/// Its row in the list.
pub(super) fn listed(explored: &ExplorerGame) -> [String; 4] {
    let game = &explored.trial.games[0];
    let why: Vec<&str> = explored.why.iter().map(|why| why.words.as_str()).collect();
    let plies = if game.plies.is_empty() { "–".into() } else { game.plies.len().to_string() };
    [label(explored), plain(why.join("; ")), plies, explored.trial.trial.clone()]
}

/// How a game ended, in few words.
fn result(game: &WatchedGame) -> String {
    let result = match (game.outcome, game.seats.len()) {
        (None, _) if game.failure.is_some() => "failed",
        (None, _) => "result unknown",
        (Some("win"), 1) => "solved",
        (Some("loss"), 1) => "not solved",
        (Some("win"), _) => "first player wins",
        (Some("loss"), _) => "second player wins",
        (Some(_), _) => "a draw",
    };
    let forfeit = game.failure.as_deref().filter(|_| game.outcome.is_some());
    if let Some(kind) = forfeit.and_then(|reason| reason.split(':').next()) {
        return format!("{result} by {kind}");
    }
    if game.plies.is_empty() {
        return result.into();
    }
    format!("{result} after {}", counted(game.plies.len() as u64, "ply"))
}
