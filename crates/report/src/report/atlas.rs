//! A map of gains: which enhancement of a player gains on which game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::{Block, Document};
use super::figure::{Axis, Cell, Figure, Scale, in_cells};
use super::numbers::{brackets, counted, decimals};
use super::table::{Table, column, columns};
use crate::stats::{Estimate, Method, PairedMoments, benjamini_hochberg};

/// The result of a cell: a player against the plain one on a game, with a budget. A row of the table of an atlas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Gain {
    /// The name of the game.
    pub game: String,
    /// The name of the player.
    pub player: String,
    /// The budget of a move, of both players.
    pub budget: String,
    /// Pairs of games.
    pub pairs: u64,
    /// The points of the player a game: ½ is no gain.
    pub points: f64,
    /// The lower end of the 95 % interval of the points, which holds at any time.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The logarithm of the evidence against equal points: an e-value.
    pub ln_e: f64,
    /// The mean length of a game in plies.
    pub plies: f64,
    /// The positions that a move of the player looked at.
    pub positions: f64,
    /// The same of the plain player.
    pub plain_positions: f64,
    /// The digest of the results; empty for a budget of time, with which they are of one host and one run.
    pub digest: String,
    /// The processor.
    pub host: String,
    /// The commit of the build.
    pub commit: String,
    /// The name of the first trial, which hashes game, players, openings and seed.
    pub trial: String,
}

/// The character of a game, by games of random moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Character {
    /// The mean number of moves of a player.
    pub branching: f64,
    /// The mean number of plies of a random game.
    pub plies: f64,
    /// The share of plies that are chance.
    pub chance: f64,
    /// The correlation, over the moves of a position, of the mean payoff of playouts that begin with a move and of others in which the
    /// same player plays it later (AMAF; Gelly, Silver 2007): its mean over positions. `None` if the game does not number its moves.
    pub amaf: Option<f64>,
}

/// The games of an atlas by their names.
pub type Characters = BTreeMap<String, Character>;

/// A property of a game, by its name.
type Property = (&'static str, fn(&Character) -> Option<f64>);

/// The properties of a game that gains may go with.
const PROPERTIES: [Property; 4] = [
    ("branching", |of| Some(libm::log(of.branching))),
    ("length", |of| Some(libm::log(of.plies))),
    ("chance", |of| Some(of.chance)),
    ("AMAF", |of| of.amaf),
];

/// The least number of games for a correlation over games.
const LEAST: usize = 5;

impl Gain {
    /// The name of the cell: GAME/PLAYER/BUDGET.
    pub fn name(&self) -> String {
        [&*self.game, &self.player, &self.budget].join("/")
    }

    fn estimate(&self) -> Estimate {
        Estimate { value: self.points, low: self.low, high: self.high, method: Method::Betting }
    }

    /// The verdict, if the difference from ½ is called or not.
    pub fn verdict(&self, is_called: bool) -> &'static str {
        match (is_called, self.points > 0.5) {
            (true, true) => "gains",
            (true, false) => "loses",
            (false, _) => "undecided",
        }
    }

    /// The points as a cell of the map; a star if the difference is called.
    fn text(&self, is_called: bool) -> String {
        let points = decimals(self.points, 2);
        let points = points.strip_prefix('0').unwrap_or(&points);
        format!("{points}{}", if is_called { "*" } else { "" })
    }
}

/// The false discovery rate of an atlas, and the number of its cells, played or not.
#[derive(Clone, Copy, Debug)]
pub struct Discoveries {
    /// The rate, between 0 and 1.
    pub level: f64,
    /// The number of cells, at least that of the gains.
    pub cells: usize,
}

/// Which gains differ from ½, by e-BH at this level over all cells, without evidence for those not played: of the gains it calls, at
/// most this share is expected to be false, however the cells depend on each other and whenever each was stopped (Wang, Ramdas 2022,
/// J. R. Stat. Soc. B 84). Cells that are played later take no star away. It is the procedure of Benjamini and Hochberg on 1/E.
pub fn called(gains: &[Gain], Discoveries { level, cells }: Discoveries) -> Vec<bool> {
    let mut inverse: Vec<f64> = gains.iter().map(|gain| libm::exp(-gain.ln_e).min(1.0)).collect();
    inverse.resize(cells, 1.0);
    benjamini_hochberg(&inverse).into_iter().take(gains.len()).map(|adjusted| adjusted <= level).collect()
}

/// The names of an axis in their order, without repetition.
fn names<'g>(gains: impl IntoIterator<Item = &'g Gain>, of: impl Fn(&'g Gain) -> &'g String) -> Vec<String> {
    let mut names: Vec<String> = gains.into_iter().map(of).cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// The budgets: those of playouts by their size, then the others by their names.
pub(super) fn budgets(gains: &[Gain]) -> Vec<String> {
    let mut budgets = names(gains, |gain| &gain.budget);
    budgets.sort_by_key(|budget| (budget.parse::<u64>().is_err(), budget.parse::<u64>().unwrap_or(0)));
    budgets
}

/// The conclusions over all cells, in sentences.
pub fn sentences(gains: &[Gain], of: Discoveries) -> Vec<String> {
    if gains.is_empty() {
        return vec!["No cell was played yet.".into()];
    }
    let called = called(gains, of);
    let number = |verdict: &str| {
        gains.iter().zip(&called).filter(|(gain, called)| gain.verdict(**called) == verdict).count()
    };
    vec![format!(
        "{} of {} played: {} gain, {} lose, {} undecided. False discovery rate {} by e-BH over all cells, played or not; intervals \
         of 95 % that hold at any time, each for itself.",
        gains.len(),
        counted(of.cells as u64, "cell"),
        number("gains"),
        number("loses"),
        number("undecided"),
        of.level
    )]
}

/// The table of an atlas, for each budget.
///
/// # Example
/// ```
/// use shikou::report::{Discoveries, Gain, atlas_report};
/// let gain = |player: &str, points, ln_e| Gain {
///     game: "hex".into(), player: player.into(), budget: "1000".into(), pairs: 90, points, low: points - 0.1,
///     high: points + 0.1, ln_e, plies: 30.0, positions: 900.0, plain_positions: 800.0, digest: "abcd".into(),
///     host: "a processor".into(), commit: "abc".into(), trial: "0123456789abcdef".into(),
/// };
/// let of = Discoveries { level: 0.05, cells: 3 };
/// let text = atlas_report(&[gain("rave", 0.81, 9.0), gain("mast", 0.52, -1.0)], &Default::default(), of).to_string();
/// assert!(text.contains("2 of 3 cells played: 1 gain, 0 lose, 1 undecided."), "{text}");
/// assert!(text.contains(".81*") && text.contains(".52"), "{text}");
/// ```
pub fn atlas_report(gains: &[Gain], characters: &Characters, discoveries: Discoveries) -> Document {
    let called = called(gains, discoveries);
    let mut blocks = Vec::new();
    for budget in budgets(gains) {
        let of: Vec<(&Gain, bool)> =
            gains.iter().zip(called.iter().copied()).filter(|(gain, _)| gain.budget == budget).collect();
        let own: Vec<Gain> = of.iter().map(|(gain, _)| (*gain).clone()).collect();
        let games = names(&own, |gain| &gain.game);
        let headings = ["<player".to_owned()].into_iter().chain(games.iter().map(|game| format!(">{game}")));
        let mut table = Table::new(&headings.collect::<Vec<_>>());
        for player in names(&own, |gain| &gain.player) {
            let cell = |game: &String| {
                let found = of.iter().find(|(gain, _)| gain.game == *game && gain.player == player);
                found.map_or_else(|| "–".into(), |(gain, called)| gain.text(*called))
            };
            table.row([player.clone()].into_iter().chain(games.iter().map(cell)));
        }
        blocks.push(Block::Heading(format!(
            "Points a game against the plain player with {}",
            in_words(&budget)
        )));
        blocks.push(table.into());
        blocks.push(Block::Notes(vec![
            "*: differs from ½. –: not played, or the player does not fit the game.".into(),
        ]));
    }
    if !characters.is_empty() {
        blocks.push(Block::Heading("The games, by random play".into()));
        blocks.push(games_table(characters).into());
        blocks.push(Block::Notes(vec![AMAF.into()]));
    }
    blocks.push(Block::Text(sentences(gains, discoveries)));
    Document(blocks)
}

/// The rows of cells, each with whether its difference from ½ is called.
pub fn gains_table(rows: &[(&Gain, bool)]) -> Table {
    let digest = |gain: &Gain| match &*gain.digest {
        "" => "of one run".into(),
        digest => format!("{digest:.12}"),
    };
    let positions = |gain: &Gain| decimals(100.0 * gain.positions / gain.plain_positions, 0);
    Table::of(
        rows,
        [
            column("<cell", &|(gain, _): &(&Gain, bool)| gain.name()),
            columns([">points", ">low", ">high"], &|(gain, _)| {
                Some(in_cells(&gain.estimate(), 3).map(Into::into))
            }),
            column(">ln E", &|(gain, _)| decimals(gain.ln_e, 2)),
            column("<verdict", &|(gain, is_called)| gain.verdict(*is_called)),
            column("?>pairs", &|(gain, _)| gain.pairs),
            column("?>plies", &|(gain, _)| decimals(gain.plies, 1)),
            column("?>positions, %", &|(gain, _)| positions(gain)),
            column("?<digest", &|(gain, _)| digest(gain)),
            column("?<host", &|(gain, _)| gain.host.clone()),
            column("?<commit", &|(gain, _)| gain.commit.clone()),
        ],
    )
}

pub(super) const AMAF: &str = "AMAF: the correlation, over the moves of a position, of the payoff after a move and of that of games in which \
                               the player plays it later.";

/// A budget in words.
fn in_words(budget: &str) -> String {
    if budget.bytes().all(|digit| digit.is_ascii_digit()) {
        format!("{budget} playouts a move")
    } else {
        format!("{budget} a move")
    }
}

/// The map of a budget: a coloured cell for each player and game.
pub(super) fn map(
    gains: &[Gain],
    discoveries: Discoveries,
    budget: &str,
    links: &BTreeMap<String, String>,
) -> Figure {
    let called = called(gains, discoveries);
    let of = || gains.iter().zip(&called).filter(|(gain, _)| gain.budget == budget);
    let own: Vec<Gain> = of().map(|(gain, _)| gain.clone()).collect();
    let (games, players) = (names(&own, |gain| &gain.game), names(&own, |gain| &gain.player));
    let place =
        |names: &[String], name: &String| names.iter().position(|known| known == name).expect("it is there");
    let cells = of().map(|(gain, called)| {
        let name = gain.name();
        Cell {
            column: place(&games, &gain.game),
            row: place(&players, &gain.player),
            share: ((gain.points - 0.5) * 1.25 + 0.5).clamp(0.0, 1.0),
            text: gain.text(*called),
            words: format!(
                "{name}: {} {}, {} pairs, {}",
                decimals(gain.points, 3),
                brackets(gain.low, gain.high, 3),
                gain.pairs,
                gain.verdict(*called)
            ),
            link: links.get(&name).cloned(),
        }
    });
    let cells = cells.collect();
    Figure {
        kind: "atlas",
        title: format!("Points a game against the plain player, {}", in_words(budget)),
        about: "rows: players; *: differs from ½".into(),
        words: sentences(gains, discoveries).join(" "),
        x: Axis::new("game", Scale::Names(games)),
        y: Axis::new("player", Scale::Names(players)),
        cells,
        table: gains_table(&of().map(|(gain, called)| (gain, *called)).collect::<Vec<_>>()),
        ..Figure::default()
    }
}

/// The games: what random play shows of them.
pub(super) fn games_table(characters: &Characters) -> Table {
    let mut table = Table::new(&["<game", ">moves", ">plies", ">chance", ">AMAF"]);
    for (name, of) in characters {
        let amaf = of.amaf.map_or_else(|| "–".into(), |amaf| decimals(amaf, 2));
        let numbers = [decimals(of.branching, 1), decimals(of.plies, 1), decimals(of.chance, 2), amaf];
        table.row([name.clone()].into_iter().chain(numbers));
    }
    table
}

/// The correlation of a player's points with each property of the games, over the games.
pub(super) fn reasons(gains: &[Gain], characters: &Characters, budget: &str) -> Figure {
    let own: Vec<&Gain> = gains.iter().filter(|gain| gain.budget == budget).collect();
    let players = names(own.iter().copied(), |gain| &gain.player);
    let mut table = Table::new(&["<player", "<property", ">games", ">correlation"]);
    let mut cells = Vec::new();
    for (row, player) in players.iter().enumerate() {
        for (column, (property, of)) in PROPERTIES.iter().enumerate() {
            let (mut pairs, mut count) = (PairedMoments::default(), 0);
            for gain in own.iter().filter(|gain| gain.player == *player) {
                if let Some(value) = characters.get(&gain.game).and_then(of) {
                    pairs.push(value, gain.points);
                    count += 1;
                }
            }
            let Some(found) = pairs.correlation().filter(|_| count >= LEAST) else { continue };
            let text = decimals(found, 2);
            table.row([player.clone(), (*property).into(), count.to_string(), text.clone()]);
            let words = format!("{player} by {property}: {text} over {count} games");
            cells.push(Cell { column, row, share: f64::midpoint(found, 1.0), text, words, link: None });
        }
    }
    Figure {
        kind: "atlas-reasons",
        title: format!("Correlation of the points with properties of the games, {}", in_words(budget)),
        about: "correlation of the points with a property, over the games; not tested".into(),
        x: Axis::new("property of the game", Scale::Names(PROPERTIES.map(|(name, _)| name.into()).into())),
        y: Axis::new("player", Scale::Names(players)),
        cells,
        table,
        ..Figure::default()
    }
}
