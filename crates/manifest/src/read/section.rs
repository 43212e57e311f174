//! Experiments in a manifest.

use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

use super::sweep::{self, text as value_text};
use super::{
    Entry, Files, MOST_PLAYERS, Meetings, Mistakes, PlacedError, Read, Section, Value, WrittenRule, array,
    document, options_typed, player_named, read_openings, read_players, refused, written_game,
};
use crate::game::options::{FINITE, choice, integer, other, part, parts, real, settings, text, texts};
use crate::game::{Counts, Facts};
use crate::players::{AnyGame, Registry};
use crate::search::Limits;
use crate::stats::{Claim, Confidence, Estimate, Method, Sign, clopper_pearson};
use crate::{Design, Experiment, Openings, Places, PlayerSpec, Published};

pub(crate) const MOST_TRIALS: i64 = 1_000_000_000;

pub(crate) const MOST_MEMORY_MIB: i64 = 1 << 40;

settings! {
    pub(crate) struct ExperimentKeys {
        /// its name, unique in the manifest
        name: Option<String> = text("a text", "").optional().fixed(),
        /// the game, with its options
        game: bool = other("game").needed("\"othello\""),
        /// how many instances each cell plays: deals of a solitaire, pairs of games for two
        trials: u64 = integer(1..=MOST_TRIALS, ()).needed("100"),
        /// when it is enough, before all trials are played
        stopping: Option<WrittenRule> = part().optional().fixed(),
        /// how games begin; both games of a pair begin alike
        openings: bool = other("openings"),
        /// which players meet
        design: Option<WrittenDesign> = part().optional().fixed(),
        /// the comparisons that the question is about, each as the names of two players
        primary: bool = other("primary").fixed(),
        /// what a source published of players: successes of trials, a value with or without its interval, or a sign
        published: bool = other("published").fixed(),
        /// the seed of this experiment alone
        seed: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// memory of one search, in MiB
        memory_mib: Option<u64> = integer(1..=MOST_MEMORY_MIB, ()).optional(),
        /// the players
        player: bool = other("players").needed("[\"random\", \"flat\"]").fixed(),
    }
}

parts! {
    pub(crate) enum WrittenDesign {
        /// every player plays the same deals of a solitaire
        Solo {},
        /// two players meet
        Match {},
        /// every player meets every other
        RoundRobin {},
        /// every player meets each of some
        Gauntlet {
            /// the names of the players that all others meet
            against: Vec<String> = texts(1..=usize::MAX).needed("[\"random\"]"),
        },
    }
}

pub(crate) fn limits(memory_mib: Option<u64>) -> Limits {
    memory_mib.map_or_else(Limits::default, |mib| Limits { memory_bytes: mib << 20, ..Limits::default() })
}

/// The experiments of a table: one, or one for each combination of a sweep.
pub(crate) fn read_experiments(
    value: &Value<'_>,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Read<Vec<(Experiment, Places)>> {
    let variants = sweep::expand_keys::<ExperimentKeys>(value)?;
    let mut mistakes = Mistakes::default();
    let mut experiments = Vec::new();
    let (mut pairs, mut players) = (0, 0);
    for variant in &variants {
        few_pairs(pairs, value.span())?;
        few_players(players, value.span())?;
        let is_shown = variants.len() == 1;
        let read = |files: &mut Files| read_experiment(&variant.value, is_shown, seed, registry, files);
        let Some(read) = files.unless_left_out("experiment", read) else { continue };
        experiments.extend(mistakes.note(read).map(|(experiment, places)| {
            let name = variant.name(&experiment.name);
            pairs += experiment.design.pairs(experiment.players.len());
            players += experiment.players.len();
            (Experiment { name, swept: variant.values(), ..experiment }, places)
        }));
    }
    mistakes.or(experiments)
}

/// Where a key belongs that an experiment does not have. Values of a sweep are not shown.
fn belongs(
    (key, _, value): &Entry<'_>,
    game: Option<&Value<'_>>,
    registry: &Registry,
    is_shown: bool,
) -> Option<String> {
    let belongs = match *key {
        "search" | "budget" => "belongs to a player: `{ search = \"uct\", budget = { playouts = 1000 } }`",
        "schema" | "question" | "source" | "time-limit" => {
            "belongs to the whole manifest; write it above the first `[[experiment]]`"
        }
        "games" | "pairs" | "rounds" => {
            "is called `trials` here: the number of pairs of games, or of deals of a solitaire"
        }
        "instances" | "boards" | "positions" | "deals" => {
            "is no key: `trials` is the number of pairs of games, or of deals of a solitaire, and what they begin with are \
             openings; write openings = { positions = \"boards.txt\" }, or { options = { board = [1, 2, 3] } }"
        }
        _ => {
            let (game, ..) = written_game(game?).ok()?;
            registry.options(game).ok()?.iter().find(|decl| decl.name == *key)?;
            let shown = if is_shown { value_text(value) } else { "…".into() };
            return Some(format!(
                "`{key}` is an option of the game; write game.{game} = {{ {key} = {shown} }}"
            ));
        }
    };
    Some(format!("`{key}` {belongs}"))
}

fn read_experiment(
    value: &Value<'_>,
    is_shown: bool,
    seed: u64,
    registry: &Registry,
    files: &mut Files,
) -> Read<(Experiment, Places)> {
    let mut mistakes = Mistakes::default();
    let (written, keys) = Section::read_with(value, "an experiment", &sweep::KEYS, |keys, entry| {
        belongs(entry, keys.peek("game"), registry, is_shown)
    })?;
    let game_value = keys.peek("game");
    let written: Option<ExperimentKeys> = mistakes.note(written);
    let game = mistakes.of(game_value, |value| read_game(value, registry));
    // The rest depends on the game.
    let (Some(game), Some(game_value)) = (game, game_value) else { return Err(mistakes.some()) };
    let trials = written.as_ref().map(|written| written.trials);
    let opened = mistakes.of(keys.peek("openings"), |value| {
        read_openings(value, &*game, trials.unwrap_or(1), Some((game_value, registry)), files)
    });
    let (openings, judge) = opened.unwrap_or((Openings::START, None));
    let facts = openings.facts(&*game);
    let list = keys.peek("player");
    let players = mistakes.of(list, |list| read_players(list, &*game, files));
    // And what follows on the players.
    let (Some(written), Some(list), Some((players, places))) = (written, list, players) else {
        return Err(mistakes.some());
    };
    mistakes.note(keys.shown("name", written.name.as_ref()));
    let design = mistakes.note(design(written.design, &keys, [game_value, list], &*game, &players));
    let Some(design) = design else { return Err(mistakes.some()) };
    few_pairs(design.pairs(players.len()), list.span())?;
    let primary = mistakes.of(keys.peek("primary"), |value| read_primary(value, &players, &design));
    let primary = primary.unwrap_or_default();
    let published = mistakes.of(keys.peek("published"), |value| read_published(value, &players, &facts));
    let published = published.unwrap_or_default();
    let boards = openings.count().filter(|_| facts.players == 1);
    let of = Meetings { game: &*game, facts, boards, players: &players, design: &design, primary: &primary };
    let stopping = mistakes.of(written.stopping, |rule| of.rule(rule, &keys));
    let experiment = Experiment {
        name: written.name.unwrap_or_else(|| game.spec().name.into()),
        swept: Vec::new(),
        game,
        players,
        design,
        trials: written.trials,
        stopping,
        openings,
        primary,
        published,
        seed: written.seed.unwrap_or(seed),
        limits: limits(written.memory_mib),
    };
    mistakes.or((experiment, Places { players: places, judge }))
}

/// The largest number of pairs of players that meet or are compared, in all experiments of a manifest.
const MOST_PAIRS: u64 = 500_000;

/// Refuses more pairs than a summary can hold.
pub(crate) fn few_pairs(pairs: u64, span: Range<usize>) -> Read<()> {
    if pairs <= MOST_PAIRS {
        return Ok(());
    }
    let message = format!(
        "here {pairs} pairs of players meet or are compared, and a manifest may have {MOST_PAIRS}; choose fewer players, \
         or write design.gauntlet = {{ against = […] }}"
    );
    refused(span, message)
}

/// Refuses more players than are read and planned in some seconds.
pub(crate) fn few_players(players: usize, span: Range<usize>) -> Read<()> {
    if players <= MOST_PLAYERS {
        return Ok(());
    }
    let message = format!(
        "here are {players} players or more in all experiments, and a manifest may have {MOST_PLAYERS}; divide them among \
         several manifests"
    );
    refused(span, message)
}

fn design(
    written: Option<WrittenDesign>,
    keys: &Section<'_>,
    [game_value, list]: [&Value<'_>; 2],
    game: &dyn AnyGame,
    players: &[PlayerSpec],
) -> Read<Design> {
    let two_player = game.facts().players == 2;
    let is_written = written.is_some();
    let design = match written {
        None if two_player => Design::RoundRobin,
        Some(WrittenDesign::Solo {}) | None => Design::Solo,
        Some(WrittenDesign::Match {}) => Design::Match,
        Some(WrittenDesign::RoundRobin {}) => Design::RoundRobin,
        Some(WrittenDesign::Gauntlet { against }) => gauntlet(&against, keys, players)?,
    };
    if two_player == (design == Design::Solo) {
        let span = if is_written { keys.at("design") } else { game_value.span() };
        let (what, instead) = if two_player {
            ("a game for two", "\"match\", \"round-robin\" or { gauntlet = { against = […] } }")
        } else {
            ("a solitaire", "\"solo\"")
        };
        let message = format!("this design does not fit {}, {what}; write design = {instead}", game.spec());
        return refused(span, message);
    }
    let needed = if two_player { 2 } else { 1 };
    if players.len() < needed {
        let message = format!(
            "{} needs at least {needed} player{} here, not {}",
            game.spec(),
            if needed == 1 { "" } else { "s" },
            players.len()
        );
        return refused(list.span(), message);
    }
    if let (Design::Match, 3..) = (&design, players.len()) {
        let message = format!(
            "a match is between two players, and here are {}; write design = \"round-robin\" or {{ gauntlet = {{ \
             against = […] }} }}",
            players.len()
        );
        return Err(keys.error("design", message));
    }
    Ok(design)
}

/// The game of a value: its name, its name with options in brackets, or its name with a table of options.
///
/// # Errors
/// If it names no game, or an option does not fit.
pub fn read_game(value: &Value<'_>, registry: &Registry) -> Result<Arc<dyn AnyGame>, PlacedError> {
    let (name, at, typed) = written_game(value)?;
    let declared =
        registry.options(name).map_err(|invalid| PlacedError::new(at.clone(), invalid.to_string()))?;
    let made = registry.game_with(name, options_typed(declared, typed, &at)?);
    made.map_err(|invalid| PlacedError::new(value.span(), invalid.to_string()))
}

fn gauntlet(against: &[String], keys: &Section<'_>, players: &[PlayerSpec]) -> Read<Design> {
    let mut baselines = Vec::new();
    for (index, name) in against.iter().enumerate() {
        let at = keys.at_item("against", index);
        let player = player_named(name, at.clone(), players)?;
        if baselines.contains(&player) {
            let message = format!("the baseline `{}` is listed twice", players[player].name);
            return refused(at, message);
        }
        baselines.push(player);
    }
    if baselines.len() == players.len() {
        let message = "every player is a baseline; leave at least one challenger out of `against`";
        return Err(keys.error("design", message));
    }
    Ok(Design::Gauntlet { baselines })
}

fn read_primary(value: &Value<'_>, players: &[PlayerSpec], design: &Design) -> Read<Vec<[usize; 2]>> {
    const EXAMPLE: &str = "primary = [[\"tree\", \"flat\"]]";
    let mut primary: Vec<[usize; 2]> = Vec::new();
    for pair in array("primary", value)? {
        let DeValue::Array(names) = pair.get_ref() else {
            let message = format!("a comparison is a list of two names; write for example `{EXAMPLE}`");
            return refused(pair.span(), message);
        };
        let [a, b] = names.as_ref() else {
            let message =
                format!("a comparison is of two players, not {}; write for example `{EXAMPLE}`", names.len());
            return refused(pair.span(), message);
        };
        let named = |name| player_named(&document::text("primary", name)?, name.span(), players);
        let pair_of = [named(a)?, named(b)?];
        let [a, b] = pair_of;
        if a == b {
            return refused(pair.span(), format!("`{}` is compared with itself", players[a].name));
        }
        if primary.contains(&[a, b]) || primary.contains(&[b, a]) {
            return refused(pair.span(), "this comparison is listed twice");
        }
        if !design.meet(pair_of) {
            let message = format!(
                "`{}` and `{}` never meet in this gauntlet; compare a baseline with a challenger",
                players[a].name, players[b].name
            );
            return refused(pair.span(), message);
        }
        primary.push(pair_of);
    }
    Ok(primary)
}

settings! {
    pub(crate) struct PublishedKeys {
        /// the name of a player of this experiment
        player: String = text("a text", "").needed("\"tree\""),
        /// successes
        successes: Option<u64> = integer(0..=i64::MAX, ()).optional(),
        /// of so many trials
        trials: Option<u64> = integer(1..=i64::MAX, ()).optional(),
        /// a success rate, points a game, or the mean score that counts
        value: Option<f64> = real(FINITE, ()).optional(),
        /// the lower end of its interval
        low: Option<f64> = real(FINITE, ()).optional(),
        /// the upper end of its interval
        high: Option<f64> = real(FINITE, ()).optional(),
        /// the side of 1/2 of its points in a match, where the source states no figure, or one without an interval
        sign: Option<Sign> = choice([
            ("gain", "more than 1/2", Sign::Gain),
            ("loss", "less than 1/2", Sign::Loss),
        ]).optional(),
    }
}

pub(crate) fn read_published(
    value: &Value<'_>,
    players: &[PlayerSpec],
    facts: &Facts,
) -> Read<Vec<Published>> {
    let mut all: Vec<Published> = Vec::new();
    for item in array("published", value)? {
        let (written, keys) = Section::read::<PublishedKeys>(item, "a published result")?;
        let player = player_named(&written.player, keys.at("player"), players)?;
        if all.iter().any(|other| other.player == player) {
            let message = format!("`{}` has two published results", players[player].name);
            return refused(item.span(), message);
        }
        all.push(Published { player, claim: written.claim(&keys, facts)? });
    }
    Ok(all)
}

impl PublishedKeys {
    /// Successes of trials, or a value with the interval that the source has, or none; and a sign.
    fn claim(&self, keys: &Section<'_>, facts: &Facts) -> Read<Claim> {
        let [least, most] = facts.results().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        for (key, number) in [("value", self.value), ("low", self.low), ("high", self.high)] {
            if let Some(number) = number.filter(|number| !(least..=most).contains(number)) {
                let unit = facts.unit();
                let message =
                    format!("`{key}` must be a number between {least} and {most}{unit}, not {number}");
                return Err(keys.error(key, message));
            }
        }
        if facts.counts == Counts::Score && self.successes.is_some() {
            return Err(
                keys.error("successes", "here the mean score counts, and not success; write it as `value`")
            );
        }
        let figure = match (self.successes, self.trials, self.value, self.low, self.high) {
            (Some(successes), Some(trials), None, None, None) if successes <= trials => {
                Some(clopper_pearson(successes, trials, Confidence::default_level()))
            }
            (None, None, Some(value), Some(low), Some(high)) if low <= value && value <= high => {
                Some(Estimate { value, low, high, method: Method::Published })
            }
            (None, None, Some(value), None, None) => Some(Estimate::of(value)),
            (None, None, None, None, None) if self.sign.is_some() => None,
            _ => {
                return refused(
                    keys.span.clone(),
                    "a published result is `successes` and `trials`, which are not fewer, or `value`, alone or between `low` \
                     and `high`, or `sign`; write for example published = [{ player = \"tree\", successes = 72, trials = 100 }]",
                );
            }
        };
        if let Some(sign) = self.sign {
            if facts.counts != Counts::Points {
                return Err(keys.error("sign", "only the points of a game for two have a sign; leave it out"));
            }
            if figure.is_some_and(|figure| sign.is_against(figure.value)) {
                let message = format!("the figure is no {sign}; correct one of them, or leave `sign` out");
                return Err(keys.error("sign", message));
            }
        }
        let counts = self.successes.zip(self.trials).map(<[u64; 2]>::from);
        Ok(Claim { figure, counts, sign: self.sign })
    }
}
