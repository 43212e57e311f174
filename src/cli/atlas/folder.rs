//! The folder of an atlas: its games, its players, and the manifest of each cell.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::cli::error::{CommandError, Result, usage};
use crate::experiment::{Manifest, Plan, Trial};
use crate::game::Counts;
use crate::game::options::{OptionError, read_time, write_time};
use crate::players::{AnyGame, Registry};
use crate::report::{Discoveries, Gain};

/// The settings of all cells: `atlas.toml`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Common {
    /// The question of the whole atlas, which its page has as a title.
    pub(super) question: String,
    /// The conditions of the plain player, such as what was tuned, for the page.
    pub(super) about: String,
    seed: i64,
    /// The player that all others meet, as on a command line, without a budget.
    plain: String,
    /// The error rate at which the sequential test of a cell stops it.
    alpha: f64,
    /// The false discovery rate of the whole atlas.
    level: f64,
    /// The most pairs of games of a cell, by the budget of a move.
    pairs: BTreeMap<String, i64>,
}

/// Evidence that no cell has: its test stops nothing.
const NEVER: f64 = 1e-300;

/// A player: `players/NAME.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// The idea in one line.
    pub(super) about: String,
    pub(super) paper: String,
    /// The player as on a command line, without a budget; `{NAME}` is a value of the game's file.
    player: String,
}

/// An atlas as its files describe it.
pub(super) struct Atlas {
    pub(super) common: Common,
    /// The keys of an experiment, and the `values` that players ask for.
    games: BTreeMap<String, Table>,
    pub(super) players: BTreeMap<String, Part>,
}

/// A cell: a player against the plain one, on a game, with a budget.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) game: String,
    pub(super) player: String,
    pub(super) budget: String,
}

impl Cell {
    /// The cell of a row.
    pub(super) fn of(row: &Gain) -> Self {
        let [game, player, budget] = [&row.game, &row.player, &row.budget].map(Clone::clone);
        Self { game, player, budget }
    }

    /// Its name as it is typed.
    pub(super) fn name(&self) -> String {
        [&*self.game, &self.player, &self.budget].join("/")
    }

    /// The name of its folder.
    pub(super) fn file_name(&self) -> String {
        self.name().replace('/', "_")
    }

    /// Whether a pattern such as `hex/rave` or `*/rave/1000` means it.
    pub(super) fn is_in(&self, pattern: &str) -> bool {
        let parts = [&self.game, &self.player, &self.budget];
        pattern.split('/').count() <= parts.len()
            && pattern.split('/').zip(parts).all(|(wanted, part)| wanted == "*" || wanted == part)
    }
}

impl Atlas {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join("atlas.toml");
        let common: Common = read(&path)?;
        let refused = |reason: String| Err(usage!("{}: {reason}", path.display()));
        if !(common.alpha > 0.0 && common.alpha < 1.0 && common.level > 0.0 && common.level < 1.0) {
            return refused("`alpha` and `level` must be between 0 and 1".into());
        }
        if common.pairs.is_empty() {
            return refused("`pairs` has no budget".into());
        }
        for (budget, pairs) in &common.pairs {
            // Of one budget there is one spelling, or its cells would be counted twice.
            let playouts = budget.parse::<u64>().map(|playouts| playouts.to_string());
            let spelt = playouts.ok().or_else(|| read_time(budget).map(write_time));
            match spelt {
                None => {
                    return refused(format!(
                        "the budget `{budget}` must be playouts, such as 1000, or a time, such as 5ms"
                    ));
                }
                Some(spelt) if spelt != *budget => {
                    return refused(format!("write the budget `{budget}` as `{spelt}`"));
                }
                Some(_) if *pairs < 1 => {
                    return refused(format!("`{budget}` has {pairs} pairs, and needs one at least"));
                }
                Some(_) => {}
            }
        }
        Ok(Self {
            common,
            games: read_all(&folder.join("games"))?,
            players: read_all(&folder.join("players"))?,
        })
    }

    /// The false discovery rate over all cells.
    pub(super) fn discoveries(&self) -> Discoveries {
        Discoveries { level: self.common.level, cells: self.cells().len() }
    }

    /// All cells, in the order of their names.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for game in self.games.keys() {
            for player in self.players.keys() {
                for budget in self.common.pairs.keys() {
                    let [game, player, budget] = [game, player, budget].map(Clone::clone);
                    cells.push(Cell { game, player, budget });
                }
            }
        }
        cells
    }

    /// The error for a pattern that means no cell.
    pub(super) fn unknown(&self, pattern: &str) -> CommandError {
        let [games, players, budgets]: [Vec<&str>; 3] = [
            self.games.keys().map(String::as_str).collect(),
            self.players.keys().map(String::as_str).collect(),
            self.common.pairs.keys().map(String::as_str).collect(),
        ];
        let known = [("game", games), ("player", players), ("budget", budgets)];
        let mut parts = pattern.split('/').zip(known);
        match parts.find(|(part, (_, known))| *part != "*" && !known.contains(part)) {
            Some((part, (what, known))) => usage!("{}", OptionError::unknown(what, part, known)),
            None => usage!("`{pattern}` has more parts than GAME/PLAYER/BUDGET"),
        }
    }

    /// Whether a cell with this row is played: to its last pair, or until its evidence was enough.
    pub(super) fn is_played(&self, row: &Gain) -> bool {
        let pairs = self.common.pairs.get(&row.budget).map_or(0, |&pairs| pairs as u64);
        row.pairs >= pairs || row.ln_e >= -libm::log(self.common.alpha)
    }

    /// The manifest of a cell. Any `shikou run` plays it to the same digest. `pairs` sets the number of pairs, which then no evidence stops.
    ///
    /// # Errors
    /// If the game has no value that a player asks for, or a key that the cell sets.
    pub(super) fn manifest(&self, cell: &Cell, pairs: Option<u64>) -> Result<String> {
        let (mut experiment, part) = (self.games[&cell.game].clone(), &self.players[&cell.player]);
        let values = experiment.remove("values");
        let of_game = format!("games/{}.toml", cell.game);
        let filled = |text: &str, file: &str| {
            let values = values.iter().filter_map(Value::as_table).flatten();
            let text = values.fold(text.to_owned(), |text, (name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), Into::into);
                text.replace(&format!("{{{name}}}"), &value)
            });
            match text.split_once('{').and_then(|(_, rest)| rest.split_once('}')) {
                Some((name, _)) => {
                    Err(usage!("{of_game}: `[values]` has no `{name}`, which {file} asks for"))
                }
                None => Ok(format!("{text}@{}", cell.budget)),
            }
        };
        let player = |name: &str, search: String| {
            Value::Table(
                [("name", name.into()), ("search", Value::from(search))]
                    .map(|(key, value)| (key.into(), value))
                    .into_iter()
                    .collect(),
            )
        };
        let players = [
            player("plain", filled(&self.common.plain, "atlas.toml")?),
            player(&cell.player, filled(&part.player, &format!("players/{}.toml", cell.player))?),
        ];
        let difference = Table::from_iter([
            ("between".into(), Value::from(vec![cell.player.clone(), "plain".into()])),
            ("alpha".into(), if pairs.is_none() { self.common.alpha } else { NEVER }.into()),
        ]);
        let entries = [
            ("name", Value::from(cell.name())),
            ("trials", pairs.map_or(self.common.pairs[&cell.budget], |pairs| pairs as i64).into()),
            ("stopping", Value::Table(Table::from_iter([("difference".into(), difference.into())]))),
            ("primary", Value::from(vec![Value::from(vec![cell.player.clone(), "plain".into()])])),
            ("player", players.to_vec().into()),
        ];
        if let Some((key, _)) = entries.iter().find(|(key, _)| experiment.contains_key(*key)) {
            return Err(usage!("{of_game}: leave `{key}` out; it comes from the other files of the atlas"));
        }
        experiment.extend(entries.map(|(key, value)| (key.into(), value)));
        let question = format!(
            "Does {} gain over the plain player on {} with a budget of {}?",
            cell.player, cell.game, cell.budget
        );
        let root = [
            ("schema", Value::from(1)),
            ("question", question.into()),
            ("source", part.paper.clone().into()),
            ("seed", self.common.seed.into()),
            ("experiment", Value::from(vec![Value::Table(experiment)])),
        ];
        let root: Table = root.map(|(key, value)| (key.into(), value)).into_iter().collect();
        Ok(format!("# {}\n{root}", part.about))
    }

    /// The manifest of a cell as it is read.
    fn parse(&self, cell: &Cell, registry: &Registry) -> Result<Manifest> {
        let manifest = Manifest::parse(Path::new(&cell.name()), &self.manifest(cell, None)?, registry);
        let Cell { game, player, .. } = cell;
        let manifest = manifest.map_err(|error| {
            usage!(
                "{error}\nthis manifest is made of atlas.toml, games/{game}.toml and players/{player}.toml"
            )
        })?;
        match &manifest.experiments()[..] {
            [only] if only.facts().counts == Counts::Points && only.players.len() == 2 => Ok(manifest),
            [only] => Err(usage!("{}: {} is no game for two", cell.name(), only.game.spec())),
            all => Err(usage!("{} makes {} experiments; a cell is one", cell.name(), all.len())),
        }
    }

    /// The games of these names.
    pub(super) fn games(
        &self,
        names: &BTreeSet<String>,
        registry: &Registry,
    ) -> Result<Vec<(String, Arc<dyn AnyGame>)>> {
        let cells = self.cells();
        let game = |name: &String| {
            let cell = cells.iter().find(|cell| cell.game == *name).expect("its rows are of cells");
            Ok((name.clone(), Arc::clone(&self.parse(cell, registry)?.experiments()[0].game)))
        };
        names.iter().map(game).collect()
    }

    /// The name of the first trial of a cell: the hash of game, players, openings and seed. It does not depend on `pairs` and
    /// `alpha`, since evidence is valid whenever a cell stops. Or the reason why the player does not fit the game.
    ///
    /// # Errors
    /// If a file of the atlas is wrong.
    pub(super) fn trial(&self, cell: &Cell, registry: &Registry) -> Result<Result<String, String>> {
        let manifest = self.parse(cell, registry)?;
        Ok(Plan::new(&manifest).map(|plan| first_trial(&plan)).map_err(|error| error.to_string()))
    }

    /// Whether a row is of other trials than its cell has now.
    ///
    /// # Errors
    /// If a file of the atlas is wrong.
    pub(super) fn is_stale(&self, row: &Gain, registry: &Registry) -> Result<bool> {
        Ok(!self.trial(&Cell::of(row), registry)?.is_ok_and(|trial| row.trial == trial))
    }
}

/// The name of the first trial of a plan.
pub(super) fn first_trial(plan: &Plan) -> String {
    plan.id(&Trial { experiment: 0, instance: 0, cell: 0 }).to_string()
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| CommandError::at(path.display(), &error))?;
    toml::from_str(&text).map_err(|error| usage!("{}: {}", path.display(), error.to_string().trim_end()))
}

/// The files of a folder by their names.
fn read_all<T: DeserializeOwned>(folder: &Path) -> Result<BTreeMap<String, T>> {
    let failed = |error: std::io::Error| CommandError::at(folder.display(), &error);
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "toml") {
            // The folder of a cell is GAME_PLAYER_BUDGET.
            if name.contains('_') {
                return Err(usage!("{}: name the file with `-` in place of `_`", path.display()));
            }
            all.insert(name, read(&path)?);
        }
    }
    if all.is_empty() {
        return Err(usage!("{} has no file NAME.toml; docs/atlas.md shows one", folder.display()));
    }
    Ok(all)
}
