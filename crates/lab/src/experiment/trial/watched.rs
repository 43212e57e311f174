//! A trial played again, with every position and every decision.
//!
//! A repeatable trial is a function of its name, so nothing of this is stored: whoever wants to see a game plays it again.
//! A trial that is not repeatable is not played, because the game would be another one.

use serde::Serialize;

use super::{GameRecord, Record, Watch, play_noting};
use crate::experiment::plan::{Plan, Trial};
use crate::game::{Counts, Picture, Player, Turn};
use crate::players::{AnyGame, DecisionView, SearcherSpec, Table};
use crate::search::ThreadClock;

/// A trial with its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchedTrial {
    /// The name of the trial.
    pub trial: String,
    /// The name of its experiment.
    pub experiment: String,
    /// The game with its options.
    pub game: String,
    /// The number of the deal or opening.
    pub instance: u64,
    /// The unit of margins.
    pub unit: &'static str,
    /// Whether the score counts.
    #[serde(skip)]
    pub scored: bool,
    /// Why the trial cannot be played again: then its games have no plies. `None` if it can.
    pub unrepeatable: Option<String>,
    /// The games: one of a solitaire, or a pair with seats swapped.
    pub games: Vec<WatchedGame>,
}

/// A game of a trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchedGame {
    /// The number in the trial, from 1.
    pub number: usize,
    /// The players in seat order.
    pub seats: Vec<WatchedSeat>,
    /// Every ply, those of the opening and of chance included.
    pub plies: Vec<WatchedPly>,
    /// The last position.
    pub end: Option<ShownPosition>,
    /// The outcome for the first player (`win`, `draw`, `loss`); `None` if the game failed.
    pub outcome: Option<&'static str>,
    /// The margin of the first player.
    pub margin: Option<i32>,
    /// Why the game failed, or why an engine lost it without finishing it.
    pub failure: Option<String>,
}

/// A player at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WatchedSeat {
    /// The name of the player in the manifest.
    pub player: String,
    /// The searcher with options and budget.
    pub searcher: String,
    /// The game's name of the seat, such as `x`.
    pub side: Option<&'static str>,
}

/// A ply: the position before it, and the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchedPly {
    /// The number, from 1.
    pub ply: u32,
    /// The position before it.
    pub position: ShownPosition,
    /// Who chose the move.
    pub by: ChosenBy,
    /// The seat to move, from 1; `None` at a chance turn.
    pub seat: Option<u8>,
    /// The move that was played, or the outcome of chance.
    pub mv: String,
    /// The decision of the player. Its values are those for the player who moves. `None` of chance and in the opening.
    pub decision: Option<DecisionView>,
    /// The line that the player expected, the played move first; empty if it states none.
    pub line: Vec<String>,
}

/// Who chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// The player to move.
    Player,
    /// Chance.
    Chance,
    /// The opening, for players and for chance.
    Opening,
}

/// A position as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPosition {
    /// The text that commands read, if the game has one.
    pub text: Option<String>,
    /// The drawing.
    pub drawing: String,
    /// The picture, if the game has pictures. Not in the JSON.
    #[serde(skip)]
    pub picture: Option<Picture>,
}

impl ShownPosition {
    pub(crate) fn on(table: &dyn Table) -> Self {
        Self { text: table.position_text(), drawing: table.drawing(), picture: table.picture() }
    }
}

impl WatchedTrial {
    /// Plays a trial again, if it is repeatable.
    ///
    /// # Panics
    /// If the trial is not of this plan.
    pub fn play(plan: &Plan, trial: Trial) -> Self {
        Self::play_until(plan, trial, &|| false).expect("nothing stops it")
    }

    /// The same. Before each decision `stop` is asked; `None` if it is true.
    pub(crate) fn play_until(plan: &Plan, trial: Trial, stop: &dyn Fn() -> bool) -> Option<Self> {
        if unrepeatable(plan, trial).is_some() {
            return Some(Self::of_record(plan, trial, None));
        }
        let game = plan.experiment(trial.experiment).game_of(trial.instance);
        let mut recorder = Recorder { game: &**game, games: Vec::new() };
        let record = watch_until(plan, trial, &mut recorder, stop)?;
        let mut watched = Self::of_record(plan, trial, Some(&record));
        for (game, (plies, end)) in watched.games.iter_mut().zip(recorder.games) {
            (game.plies, game.end) = (plies, Some(end.0));
        }
        Some(watched)
    }

    /// A trial without plies, with the results of its record if there is one.
    pub fn of_record(plan: &Plan, trial: Trial, record: Option<&Record>) -> Self {
        let experiment = plan.experiment(trial.experiment);
        let seatings = plan.cells(trial.experiment)[trial.cell].seatings();
        let games = seatings.iter().enumerate().map(|(index, seating)| {
            let record = record.and_then(|record| record.games.get(index));
            WatchedGame::new(plan, trial, (index + 1, seating), record)
        });
        Self {
            trial: plan.id(&trial).to_string(),
            experiment: experiment.name.clone(),
            game: experiment.game_of(trial.instance).spec().to_string(),
            instance: trial.instance,
            unit: experiment.facts().score_unit,
            scored: experiment.facts().counts == Counts::Score,
            unrepeatable: unrepeatable(plan, trial),
            games: games.collect(),
        }
    }
}

impl WatchedGame {
    fn new(
        plan: &Plan,
        trial: Trial,
        (number, seating): (usize, &[usize]),
        record: Option<&GameRecord>,
    ) -> Self {
        let experiment = plan.experiment(trial.experiment);
        let sides = experiment.game.lists().seats;
        let seat = |(seat, &player): (usize, &usize)| {
            let player = &experiment.players[player];
            WatchedSeat {
                player: player.name.clone(),
                searcher: player.searcher.to_string(),
                side: sides.map(|sides| sides[seat]),
            }
        };
        let ended = record.and_then(|game| game.result.as_ref().ok());
        Self {
            number,
            seats: seating.iter().enumerate().map(seat).collect(),
            plies: Vec::new(),
            end: None,
            outcome: ended.map(|(outcome, _)| outcome.to_str()),
            margin: ended.map(|(_, margin)| *margin),
            failure: record.and_then(GameRecord::failure).map(Into::into),
        }
    }
}

/// Plays a trial with an observer, and asks `stop` before each decision. `None` if it was stopped.
pub(crate) fn watch_until(
    plan: &Plan,
    trial: Trial,
    watch: &mut impl Watch,
    stop: &dyn Fn() -> bool,
) -> Option<Record> {
    play_noting(plan, trial, &ThreadClock::start(), watch, None, stop).ok()
}

/// Why a trial cannot be played again, if it cannot: the first of its players that would decide otherwise.
pub(crate) fn unrepeatable(plan: &Plan, trial: Trial) -> Option<String> {
    let experiment = plan.experiment(trial.experiment);
    let players = &plan.cells(trial.experiment)[trial.cell].players;
    players.iter().find_map(|&player| {
        let player = &experiment.players[player];
        Some(format!("{} {}", player.name, varies(&player.searcher)?))
    })
}

/// Why a searcher decides otherwise in another run, if it does.
fn varies(searcher: &SearcherSpec) -> Option<&'static str> {
    if searcher.is_engine() {
        return Some("is another program, and what it plays is not a function of the manifest");
    }
    if searcher.is_time_limited() {
        return Some("has a budget of time, and another run has time for other searches");
    }
    (!searcher.is_repeatable()).then_some("does not estimate to decide the same in another run")
}

/// The moves of an opening, on a table after it. One that begins at a position has none.
pub(crate) fn opening_moves(game: &dyn AnyGame, after: &dyn Table) -> Vec<String> {
    if after.plies() == 0 {
        return Vec::new();
    }
    game.written_moves(&after.transcript()).expect("the opening was played")
}

/// The plies of each game, and the position and the turn after them.
struct Recorder<'g> {
    game: &'g dyn AnyGame,
    games: Vec<(Vec<WatchedPly>, (ShownPosition, Turn))>,
}

impl Recorder<'_> {
    /// The plies of an opening. A table shows the position after all of them, so they are made again one by one.
    fn opening(&self, after: &dyn Table) -> Vec<WatchedPly> {
        let moves = opening_moves(self.game, after);
        let people = vec![None; usize::from(self.game.facts().players)];
        let mut table = self.game.table(&people).expect("people fit every game");
        let mut plies = Vec::with_capacity(moves.len());
        for (ply, mv) in (1..).zip(moves) {
            let (position, seat) = (ShownPosition::on(&*table), seat(table.turn()));
            assert!(table.make_written_move(&mv), "{mv} was played");
            let by = ChosenBy::Opening;
            plies.push(WatchedPly { ply, position, by, seat, mv, decision: None, line: Vec::new() });
        }
        plies
    }
}

impl Watch for Recorder<'_> {
    fn position(&mut self, table: &dyn Table, _: &[usize]) {
        let now = (ShownPosition::on(table), table.turn());
        // The first position of a game comes after its opening, and has no decision before it.
        let is_new = self.games.last().is_none_or(|(plies, _)| plies.len() as u32 + 1 != table.plies());
        if is_new {
            self.games.push((self.opening(table), now));
            return;
        }
        let (plies, last) = self.games.last_mut().expect("it has begun");
        let (position, turn) = std::mem::replace(last, now);
        let by = if turn == Turn::Chance { ChosenBy::Chance } else { ChosenBy::Player };
        plies.push(WatchedPly {
            ply: table.plies(),
            position,
            by,
            seat: seat(turn),
            mv: table.last_move().expect("a ply was made"),
            decision: table.last_decision().map(|(_, decision)| decision),
            line: table.last_line(),
        });
    }
}

fn seat(turn: Turn) -> Option<u8> {
    let Turn::Player(player) = turn else { return None };
    Some(if player == Player::FIRST { 1 } else { 2 })
}
