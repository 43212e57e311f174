//! The explorer of the page: games, their decisions, and what other players would have played.
//!
//! The page holds the games as JSON, and its script steps through them. Marks of pictures and lines of drawings are written
//! once and named by numbers, because most of a position is as before. What would make the page too large is left out, and
//! the page says so. Without the script there is the list of games.

mod view;

use minijinja::{Value, context};

use self::view::{Parts, game_view, listed};
use super::view::table_view;
use super::{in_script, shown};
use crate::experiment::ExplorerGames;
use crate::object;
use crate::report::table::Table;
use crate::words::counted;

/// The most bytes of games.
const MOST: usize = 1_250_000;

/// The parts of the page that only an explorer needs.
pub(super) const TEMPLATE: &str = include_str!("explore.html");
pub(super) const STYLE: &str = include_str!("explore.css");
pub(super) const SCRIPT: &str = include_str!("explore.js");

/// The explorer as a value of the template.
pub(super) fn explorer_view(explored: &ExplorerGames) -> Value {
    let mut parts = Parts::default();
    let mut table = Table::new(&["<game", "<why", ">plies", "<trial"]);
    let (mut games, mut bytes) = (Vec::new(), 0);
    for game in &explored.games {
        let before = parts.clone();
        let view = game_view(game, &mut parts);
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
    let table = (!games.is_empty()).then(|| table_view(&table, "games of the explorer"));
    let games = object! { parts: parts.into_texts(), games };
    let json = in_script(serde_json::to_string(&games).expect("games are JSON"));
    context! { about, missing, table, json }
}
