//! The fitness and the judge of an `[[optimisation]]`.

use std::ops::Range;

use toml::de::DeValue;

use super::document::{PlacedError, Section, Value, array, integer, kind, text};
use super::files::Files;
use super::genes::positive;
use super::openings::read_openings;
use super::optimisation::MOST_GENERATIONS;
use super::player::notation_or_table;
use crate::experiment::manifest::experiment::PlayerSpec;
use crate::experiment::manifest::method::MethodPart;
use crate::experiment::manifest::openings::Openings;
use crate::experiment::manifest::optimisation::{Against, Fitness, Judge, Luck, Measure, Racing, Seat};
use crate::experiment::manifest::places::misfit;
use crate::game::options::{OptionError, Wording, nearest};
use crate::players::{AnyGame, SearcherSpec};

/// The largest number of units.
pub(super) const MOST_UNITS: i64 = 1_000_000_000;

/// The results of an optimisation repeat, so no player may have a budget of time.
pub(super) fn repeats(player: &SearcherSpec, at: Range<usize>) -> Result<(), PlacedError> {
    let (why, advice) = if player.is_time_limited() {
        ("has a budget of time", "give it a budget of playouts or nodes")
    } else if player.is_engine() {
        ("is another program", "take a searcher")
    } else {
        return Ok(());
    };
    let player = player.text(Wording::Name);
    let message =
        format!("`{player}` {why}, so the same numbers would not give the same result again; {advice}");
    Err(PlacedError::new(at, message))
}

/// What a fitness and a judge depend on.
pub(super) struct Surroundings<'s> {
    pub(super) game: &'s dyn AnyGame,
    pub(super) named: &'s [PlayerSpec],
    pub(super) name: &'s str,
}

impl Surroundings<'_> {
    fn is_for_two(&self) -> bool {
        self.game.facts().players == 2
    }

    /// The players of a list: names of `opponent`, or searchers as on a command line. A name alone is a list of one.
    pub(super) fn players(&self, value: &Value<'_>) -> Result<Vec<PlayerSpec>, PlacedError> {
        let items = match value.get_ref() {
            DeValue::String(_) => std::slice::from_ref(value),
            _ => array("against", value)?,
        };
        let mut players: Vec<PlayerSpec> = Vec::new();
        for item in items {
            let name = text("against", item)?;
            if name == self.name {
                let message = format!("`{name}` is this question itself: nobody can meet its own result");
                return Err(PlacedError::new(item.span(), message));
            }
            let player = match self.named.iter().find(|player| player.name == name) {
                Some(player) => player.clone(),
                None => self.searcher(item, &name)?,
            };
            if players.iter().any(|other| other.content() == player.content()) {
                return Err(PlacedError::new(item.span(), format!("`{name}` is listed twice")));
            }
            players.push(player);
        }
        if players.is_empty() {
            return Err(PlacedError::new(value.span(), "`against` needs at least one opponent"));
        }
        Ok(players)
    }

    fn searcher(&self, value: &Value<'_>, name: &str) -> Result<PlayerSpec, PlacedError> {
        let names = || self.named.iter().map(|player| player.name.as_str());
        let read = notation_or_table(value, self.game);
        let (searcher, places) = read.map_err(|error| match nearest(name, names()) {
            Some(near) => PlacedError::new(
                value.span(),
                format!("there is no opponent {name:?}; did you mean {near:?}?"),
            ),
            None => error,
        })?;
        let fits = self.game.fits(&searcher);
        fits.map_err(|error| misfit(self.game, &searcher, places.of(&error), &error))?;
        repeats(&searcher, value.span())?;
        Ok(PlayerSpec { name: name.into(), searcher, stream: None, swept: Vec::new() })
    }
}

pub(super) fn read_fitness(
    value: Option<&Value<'_>>,
    parent: &Section<'_>,
    of: &Surroundings<'_>,
    method: &MethodPart,
) -> Result<Fitness, PlacedError> {
    let is_knockout = method.knockout().is_some();
    let usual = if of.is_for_two() { Seat::Both } else { Seat::First };
    let knockout = Fitness {
        against: Against::Knockout,
        units: 1,
        seat: Seat::First,
        of: Measure::Margin,
        luck: Luck::Fresh,
        racing: None,
    };
    let Some(value) = value else {
        if is_knockout {
            return Ok(knockout);
        }
        return Err(parent.missing("fitness", "fitness = { against = [\"random\"], pairs = 10 }"));
    };
    let mut section = Section::from_value(value, "`fitness`")?;
    let luck = word(&mut section, "luck", &LUCK)?.unwrap_or(Luck::Fresh);
    if is_knockout {
        section.finish()?;
        return Ok(Fitness { luck, ..knockout });
    }
    let seat = word(&mut section, "seat", &SEATS)?.unwrap_or(usual);
    let measure = word(&mut section, "of", &MEASURES)?.unwrap_or(Measure::Points);
    let (units, _) = read_units(&mut section, of, seat)?;
    let against = section.take("against");
    let against = match (against, of.is_for_two()) {
        (None, false) => Against::Nobody,
        (Some(value), false) => {
            let message = format!("{} is a solitaire: nobody is met", of.game.spec());
            return Err(PlacedError::new(value.span(), message));
        }
        (None, true) => return Err(section.missing("against", "against = [\"random\"]")),
        (Some(value), true) => read_against(value, of)?,
    };
    let racing = section.take("racing");
    section.finish()?;
    let fitness = Fitness { against, units, seat, of: measure, luck, racing: None };
    let racing = racing.map(|value| read_racing(value, &fitness, method)).transpose()?;
    Ok(Fitness { racing, ..fitness })
}

/// When a candidate leaves early.
fn read_racing(value: &Value<'_>, fitness: &Fitness, method: &MethodPart) -> Result<Racing, PlacedError> {
    let refused = |reason: &str| Err(PlacedError::new(value.span(), format!("`racing`: {reason}")));
    if fitness.luck != Luck::Common {
        return refused(
            "it compares candidates game by game; write `luck = \"common\"`, so that they have the same luck",
        );
    }
    if fitness.of != Measure::Points {
        return refused("it compares points, which have a largest value; write `of = \"points\"`");
    }
    if fitness.against == Against::Population {
        return refused("all candidates must meet the same opponents; write their names in `against`");
    }
    if let Some(reason) = method.refuses_racing() {
        return refused(reason);
    }
    let mut section = Section::from_value(value, "`racing`")?;
    let every = section.integer("every", 1..=MOST_UNITS)?.unwrap_or(5) as u64;
    let level = section.take("level").map(|value| positive("level", value).map(|level| (level, value)));
    section.finish()?;
    match level.transpose()? {
        Some((level, value)) if level >= 1.0 => {
            Err(PlacedError::new(value.span(), format!("`level` is {level}, but must be below 1")))
        }
        level => Ok(Racing { level: level.map_or(0.05, |(level, _)| level), every }),
    }
}

const LUCK: [(&str, Luck); 3] =
    [("fresh", Luck::Fresh), ("common", Luck::Common), ("one-stream", Luck::OneStream)];
const SEATS: [(&str, Seat); 3] = [("both", Seat::Both), ("first", Seat::First), ("second", Seat::Second)];
const MEASURES: [(&str, Measure); 4] = [
    ("points", Measure::Points),
    ("margin", Measure::Margin),
    ("zero", Measure::Zero),
    ("opponent-margin", Measure::OpponentMargin),
];

/// One of some words.
fn word<T: Copy>(
    section: &mut Section<'_>,
    key: &'static str,
    words: &[(&'static str, T)],
) -> Result<Option<T>, PlacedError> {
    let Some(value) = section.take(key) else { return Ok(None) };
    let given = text(key, value)?;
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, found)| Some(*found)).ok_or_else(|| {
        let message = OptionError::unknown(key, &given, words.iter().map(|(word, _)| *word)).to_string();
        PlacedError::new(value.span(), message)
    })
}

/// The number of units, and where it is written.
fn read_units(
    section: &mut Section<'_>,
    of: &Surroundings<'_>,
    seat: Seat,
) -> Result<(u64, Option<Range<usize>>), PlacedError> {
    let key = match (of.is_for_two(), seat) {
        (false, _) => "deals",
        (true, Seat::Both) => "pairs",
        (true, _) => "games",
    };
    for other in ["deals", "pairs", "games"].into_iter().filter(|other| *other != key) {
        if let Some(value) = section.take(other) {
            let message = match other {
                "pairs" if of.is_for_two() => "`pairs` needs `seat = \"both\"`; write `games` here".into(),
                "games" if of.is_for_two() => {
                    "a candidate plays both seats: write `pairs`, or choose `seat = \"first\"`".into()
                }
                _ => format!("write `{key}` for {}", of.game.spec()),
            };
            return Err(PlacedError::new(value.span(), message));
        }
    }
    match section.take(key) {
        Some(value) => Ok((integer(key, value, 1..=MOST_UNITS)? as u64, Some(value.span()))),
        None => Ok((1, None)),
    }
}

fn read_against(value: &Value<'_>, of: &Surroundings<'_>) -> Result<Against, PlacedError> {
    match value.get_ref() {
        DeValue::String(text) if text == "population" => Ok(Against::Population),
        DeValue::Table(_) => {
            let mut section = Section::from_value(value, "`against`")?;
            let random = section.require("random-genes", "against.random-genes = { count = 20 }")?;
            section.finish()?;
            let mut section = Section::from_value(random, "`random-genes`")?;
            let count = section.integer("count", 1..=MOST_UNITS)?.unwrap_or(20) as u64;
            let seed = section.integer("seed", 0..=i64::MAX)?.unwrap_or(0) as u64;
            section.finish()?;
            Ok(Against::RandomGenes { count, seed })
        }
        DeValue::String(_) | DeValue::Array(_) => of.players(value).map(Against::Players),
        other => {
            let message = format!(
                "`against` must be names of opponents, \"population\" or {{ random-genes = {{ count = 20 }} }}, not {}",
                kind(other)
            );
            Err(PlacedError::new(value.span(), message))
        }
    }
}

pub(super) fn read_judge(
    value: &Value<'_>,
    of: &Surroundings<'_>,
    fitness: Option<&Fitness>,
    files: &mut Files,
) -> Result<Judge, PlacedError> {
    let mut section = Section::from_value(value, "`judge`")?;
    let every = section.integer("every", 1..=MOST_GENERATIONS)?.map(|every| every as u64);
    let (units, at) = read_units(&mut section, of, Seat::Both)?;
    if at.is_none() {
        return Err(section.missing(if of.is_for_two() { "pairs" } else { "deals" }, "pairs = 200"));
    }
    let against = match (section.take("against"), of.is_for_two()) {
        (None, false) => Vec::new(),
        (None, true) => return Err(section.missing("against", "against = [\"random\"]")),
        (Some(value), _) => of.players(value)?,
    };
    let openings = section.take("openings").map(|value| opening(value, of.game, units, files)).transpose()?;
    section.finish()?;
    let met = fitness.map_or(&[][..], |fitness| fitness.against.players());
    for judge in &against {
        if met.iter().any(|opponent| opponent.content() == judge.content()) {
            let message = format!(
                "`{}` is an opponent of the fitness already: a judge must be a player that no candidate was chosen by",
                judge.name
            );
            return Err(PlacedError::new(value.span(), message));
        }
    }
    Ok(Judge { against, units, openings, every })
}

pub(super) fn opening(
    value: &Value<'_>,
    game: &dyn AnyGame,
    units: u64,
    files: &mut Files,
) -> Result<Openings, PlacedError> {
    let (openings, _) = read_openings(value, game, units, files)?;
    match openings {
        Openings::Random { balance: Some(_), .. } => {
            let message =
                "balanced openings are for experiments; an optimisation begins with random plies or a list";
            Err(PlacedError::new(value.span(), message))
        }
        openings => Ok(openings),
    }
}
