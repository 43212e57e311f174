//! A game as the page holds it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::experiment::{
    ChosenBy, ExplorerGame, OtherPlayer, ShownPosition, WatchedGame, WatchedPly, WatchedSeat, visible,
};
use crate::words::counted;

/// Texts that are written once.
#[derive(Clone, Default)]
pub(super) struct Parts {
    known: BTreeMap<String, usize>,
    texts: Vec<String>,
    bytes: usize,
}

impl Parts {
    /// The number of a text.
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

#[derive(Serialize)]
pub(super) struct GameView {
    label: String,
    why: Vec<ReasonView>,
    trial: String,
    number: usize,
    experiment: String,
    game: String,
    instance: u64,
    unit: String,
    unrepeatable: Option<String>,
    seats: Vec<SeatView>,
    outcome: Option<&'static str>,
    margin: Option<i32>,
    failure: Option<String>,
    /// Before each ply, and the last one.
    positions: Vec<PositionView>,
    plies: Vec<PlyView>,
    others: Vec<OtherView>,
}

#[derive(Serialize)]
struct ReasonView {
    words: String,
    ply: Option<u32>,
}

#[derive(Serialize)]
struct SeatView {
    player: String,
    searcher: String,
    side: Option<String>,
}

/// A position: its drawing and its marks are numbers of parts.
#[derive(Serialize)]
struct PositionView {
    text: Option<String>,
    drawing: Vec<usize>,
    picture: Option<PictureView>,
}

#[derive(Serialize)]
struct PictureView {
    size: [u16; 2],
    marks: Vec<usize>,
}

#[derive(Serialize)]
struct PlyView {
    by: ChosenBy,
    seat: Option<u8>,
    mv: String,
    /// Why the search ended, in words; empty without one.
    stop: String,
    /// Move, visits, value, standard error.
    moves: Vec<(String, u64, Option<f64>, f64)>,
    line: Vec<String>,
}

#[derive(Serialize)]
struct OtherView {
    player: String,
    /// For each ply what it would have played there, if it was asked.
    decisions: Vec<Option<AnswerView>>,
}

/// A move, its value and standard error, and what the move of the game gives away.
type AnswerView = (String, Option<f64>, Option<f64>, Option<f64>);

/// Text without characters that are obeyed or hidden.
fn plain(text: impl AsRef<str>) -> String {
    visible(text.as_ref()).into_owned()
}

impl GameView {
    pub(super) fn new(explored: &ExplorerGame, parts: &mut Parts) -> Self {
        let trial = &explored.trial;
        let game = &trial.games[0];
        let positions = game.plies.iter().map(|ply| &ply.position).chain(&game.end);
        Self {
            label: label(explored),
            why: explored
                .why
                .iter()
                .map(|why| ReasonView { words: plain(&why.words), ply: why.ply })
                .collect(),
            trial: trial.trial.clone(),
            number: game.number,
            experiment: plain(&trial.experiment),
            game: plain(&trial.game),
            instance: trial.instance,
            unit: plain(trial.unit),
            unrepeatable: trial.unrepeatable.as_ref().map(plain),
            seats: game.seats.iter().map(SeatView::new).collect(),
            outcome: game.outcome,
            margin: game.margin,
            failure: game.failure.as_ref().map(plain),
            positions: positions.map(|position| PositionView::new(position, parts)).collect(),
            plies: game.plies.iter().map(PlyView::new).collect(),
            others: explored.others.iter().map(OtherView::new).collect(),
        }
    }
}

impl SeatView {
    fn new(seat: &WatchedSeat) -> Self {
        Self { player: plain(&seat.player), searcher: plain(&seat.searcher), side: seat.side.map(plain) }
    }
}

impl PositionView {
    fn new(position: &ShownPosition, parts: &mut Parts) -> Self {
        let drawing = position.drawing.lines().map(|line| parts.number(plain(line))).collect();
        let picture = position.picture.as_ref().map(|picture| PictureView {
            size: picture.size(),
            marks: picture.marks().map(|mark| parts.number(plain(mark))).collect(),
        });
        Self { text: position.text.as_ref().map(plain), drawing, picture }
    }
}

impl PlyView {
    fn new(ply: &WatchedPly) -> Self {
        let decision = ply.decision.as_ref();
        let moves = decision.iter().flat_map(|decision| {
            decision
                .moves
                .iter()
                .map(|of| (plain(&of.mv), of.visits, decision.value_of(&of.mv), of.standard_error))
        });
        Self {
            by: ply.by,
            seat: ply.seat,
            mv: plain(&ply.mv),
            stop: decision.map(|decision| decision.stop.to_string()).unwrap_or_default(),
            moves: moves.collect(),
            line: ply.line.iter().map(plain).collect(),
        }
    }
}

impl OtherView {
    fn new(other: &OtherPlayer) -> Self {
        let decisions = other.decisions.iter().map(|decision| {
            let decision = decision.as_ref()?;
            let (value, error) = decision.value.unzip();
            Some((plain(&decision.mv), value, error, decision.gives_away))
        });
        Self { player: plain(&other.player), decisions: decisions.collect() }
    }
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
