//! The explorer of the page: games, their decisions, and what other players would have played.
//!
//! The page holds the games as JSON, and its script steps through them. Marks of pictures and lines of drawings are written
//! once and named by numbers, because most of a position is as before. What would make the page too large is left out, and
//! the page says so. Without the script there is the list of games.

mod view;

use serde::Serialize;

use self::view::{GameView, Parts, listed};
use super::view::TableView;
use super::{in_script, shown};
use crate::experiment::ExplorerGames;
use crate::report::table::Table;
use crate::words::counted;

/// The most bytes of games.
const MOST: usize = 1_250_000;

/// The parts of the page that only an explorer needs.
pub(super) const TEMPLATE: &str = include_str!("explore.html");
pub(super) const STYLE: &str = include_str!("explore.css");
pub(super) const SCRIPT: &str = include_str!("explore.js");

/// What the template shows.
#[derive(Serialize)]
pub(super) struct ExplorerView {
    about: String,
    missing: Vec<String>,
    table: Option<TableView>,
    json: String,
}

/// The games as the page holds them.
#[derive(Serialize)]
struct Games {
    parts: Vec<String>,
    games: Vec<GameView>,
}

impl ExplorerView {
    pub(super) fn new(explored: &ExplorerGames) -> Self {
        let mut parts = Parts::default();
        let mut table = Table::new(&["<game", "<why", ">plies", "<trial"]);
        let (mut games, mut bytes) = (Vec::new(), 0);
        for game in &explored.games {
            let before = parts.clone();
            let view = GameView::new(game, &mut parts);
            let json = serde_json::to_string(&view).expect("a game is JSON").len();
            let with = bytes + json;
            if with + parts.bytes() > MOST {
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
        let table = (!games.is_empty()).then(|| TableView::new(&table, "games of the explorer"));
        let games = Games { parts: parts.into_texts(), games };
        let json = in_script(serde_json::to_string(&games).expect("games are JSON"));
        Self { about, missing, table, json }
    }
}
