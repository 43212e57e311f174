//! The fitness and the judge of an `[[optimisation]]`.

use std::ops::Range;

use toml::de::DeValue;

use super::{
    Files, PlacedError, Read, Section, Value, array, kind, notation_or_table, read_openings, refused,
    setting_of, text,
};
use crate::game::Counts;
use crate::game::options::{Setting, Wording, flag, integer, nearest, other, part, parts, settings};
use crate::players::{AnyGame, PlacedSearcher, SearcherSpec};
use crate::{Against, Fitness, Judge, Luck, Measure, MethodPart, Openings, PlayerSpec, Racing, Seat, fits};

pub(crate) const MOST_GENERATIONS: i64 = 1_000_000_000;

pub(crate) const MOST_UNITS: i64 = 1_000_000_000;

/// The results of an optimisation repeat, so no player may have a budget of time.
pub(crate) fn repeats(player: &SearcherSpec, at: Range<usize>) -> Read<()> {
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
    refused(at, message)
}

/// The parts of an optimisation that its fitness and its judge depend on.
pub(crate) struct Surroundings<'s> {
    pub(crate) game: &'s dyn AnyGame,
    pub(crate) named: &'s [PlayerSpec],
    pub(crate) name: &'s str,
}

impl Surroundings<'_> {
    fn is_for_two(&self) -> bool {
        self.game.facts().players == 2
    }

    /// The players of a list: names of `opponent`, or searchers as on a command line. A name alone is a list of one.
    pub(crate) fn players(&self, value: &Value<'_>) -> Read<Vec<PlayerSpec>> {
        let items = match value.get_ref() {
            DeValue::String(_) => std::slice::from_ref(value),
            _ => array("against", value)?,
        };
        let mut players: Vec<PlayerSpec> = Vec::new();
        for item in items {
            let name = text("against", item)?;
            if name == self.name {
                let message = format!("`{name}` is this question itself: nobody can meet its own result");
                return refused(item.span(), message);
            }
            let player = match self.named.iter().find(|player| player.name == name) {
                Some(player) => player.clone(),
                None => self.searcher(item, &name)?,
            };
            if players.iter().any(|other| other.content() == player.content()) {
                return refused(item.span(), format!("`{name}` is listed twice"));
            }
            players.push(player);
        }
        if players.is_empty() {
            return refused(value.span(), "`against` needs at least one opponent");
        }
        Ok(players)
    }

    fn searcher(&self, value: &Value<'_>, name: &str) -> Read<PlayerSpec> {
        let names = || self.named.iter().map(|player| player.name.as_str());
        let read = notation_or_table(value, self.game);
        let PlacedSearcher { spec: searcher, places } =
            read.map_err(|error| match nearest(name, names()) {
                Some(near) => PlacedError::new(
                    value.span(),
                    format!("there is no opponent {name:?}; did you mean {near:?}?"),
                ),
                None => error,
            })?;
        fits(self.game, &searcher, &searcher, &places)?;
        repeats(&searcher, value.span())?;
        Ok(PlayerSpec { name: name.into(), searcher, stream: None, swept: Vec::new() })
    }
}

settings! {
    pub(crate) struct FitnessKeys {
        /// opponents by name or as searchers, "population", or candidates with random genes
        against: bool = other("against"),
        /// where the candidate sits
        seat: Option<Seat> = Seat::setting().optional(),
        /// what counts; the last two are faults
        of: Option<Measure> = Measure::setting().optional(),
        /// the randomness of games; the last is a fault
        luck: Luck = Luck::setting(),
        /// pairs of games against each opponent, with the seats swapped
        pairs: Option<u64> = units(),
        /// games against each opponent, with `seat = "first"` or "second"
        games: Option<u64> = units(),
        /// deals of a solitaire
        deals: Option<u64> = units(),
        /// a candidate that is shown to be worse than another leaves its generation early; needs `luck = "common"`
        racing: bool = other("racing"),
    }
}

settings! {
    pub(crate) struct JudgeKeys {
        /// players that no fitness meets
        against: bool = other("opponents"),
        /// pairs of games against each opponent, with the seats swapped
        pairs: Option<u64> = units(),
        /// games, which no judge plays
        games: Option<u64> = units(),
        /// deals of a solitaire
        deals: Option<u64> = units(),
        /// how its games begin, if otherwise than those of the fitness
        openings: bool = other("openings"),
        /// the number of generations between two judgements; only at the end if omitted
        every: Option<u64> = integer(1..=MOST_GENERATIONS, ()).optional(),
    }
}

parts! {
    pub(crate) enum Drawn {
        /// candidates with random genes
        RandomGenes {
            /// how many candidates
            count: u64 = integer(1..=MOST_UNITS, 20),
            /// the seed of their draw
            seed: u64 = integer(0..=i64::MAX, 0),
            /// whether each generation meets others
            anew: bool = flag(false),
        },
    }
}

fn units() -> Setting<Option<u64>> {
    integer(1..=MOST_UNITS, ()).optional()
}

pub(crate) fn read_fitness(value: &Value<'_>, of: &Surroundings<'_>, method: &MethodPart) -> Read<Fitness> {
    if method.knockout().is_some() {
        let mut section = Section::from_value(value, "`fitness`")?;
        let luck = section.get("luck", &Luck::setting())?;
        section.finish()?;
        return Ok(Fitness { luck, ..Fitness::KNOCKOUT });
    }
    let (written, keys): (FitnessKeys, _) = Section::read(value, "`fitness`")?;
    let FitnessKeys { seat, of: measure, luck, pairs, games, deals, .. } = written;
    let scored = of.game.facts().counts == Counts::Score;
    if scored && measure == Some(Measure::Points) {
        let message =
            format!("{} is judged by its score, not by successes; write `of = \"margin\"`", of.game.spec());
        return Err(keys.error("of", message));
    }
    let measure = measure.unwrap_or(if scored { Measure::Margin } else { Measure::Points });
    let seat = seat.unwrap_or(if of.is_for_two() { Seat::Both } else { Seat::First });
    let units = read_units([pairs, games, deals], &keys, of, seat)?.unwrap_or(1);
    let against = match (keys.peek("against"), of.is_for_two()) {
        (None, false) => Against::Nobody,
        (Some(value), false) => {
            let message = format!("{} is a solitaire: nobody is met", of.game.spec());
            return refused(value.span(), message);
        }
        (None, true) => return Err(keys.missing("against", "against = [\"random\"]")),
        (Some(value), true) => read_against(value, of)?,
    };
    let fitness = Fitness { against, units, seat, of: measure, luck, racing: None };
    let racing = keys.peek("racing").map(|value| read_racing(value, &fitness, method)).transpose()?;
    Ok(Fitness { racing, ..fitness })
}

fn read_racing(value: &Value<'_>, fitness: &Fitness, method: &MethodPart) -> Read<Racing> {
    let reason = if fitness.luck != Luck::Common {
        Some(
            "it compares candidates game by game; write `luck = \"common\"`, so that they have the same luck",
        )
    } else if fitness.of != Measure::Points {
        Some("it compares points, which have a largest value; write `of = \"points\"`")
    } else if fitness.against == Against::Population {
        Some("all candidates must meet the same opponents; write their names in `against`")
    } else {
        method.refuses_racing()
    };
    match reason {
        Some(reason) => refused(value.span(), format!("`racing`: {reason}")),
        None => Ok(Section::read(value, "`racing`")?.0),
    }
}

fn read_units(
    given: [Option<u64>; 3],
    keys: &Section<'_>,
    of: &Surroundings<'_>,
    seat: Seat,
) -> Read<Option<u64>> {
    const UNITS: [&str; 3] = ["pairs", "games", "deals"];
    let wanted = match (of.is_for_two(), seat) {
        (false, _) => 2,
        (true, Seat::Both) => 0,
        (true, _) => 1,
    };
    let Some(other) = (0..3).find(|&unit| unit != wanted && given[unit].is_some()) else {
        return Ok(given[wanted]);
    };
    let message = match other {
        0 if of.is_for_two() => "`pairs` needs `seat = \"both\"`; write `games` here".into(),
        1 if of.is_for_two() => {
            "a candidate plays both seats: write `pairs`, or choose `seat = \"first\"`".into()
        }
        _ => format!("write `{}` for {}", UNITS[wanted], of.game.spec()),
    };
    Err(keys.error(UNITS[other], message))
}

fn read_against(value: &Value<'_>, of: &Surroundings<'_>) -> Read<Against> {
    match value.get_ref() {
        DeValue::String(text) if text == "population" => Ok(Against::Population),
        DeValue::Table(_) => {
            let drawn = part().needed("{ random-genes = { count = 20 } }");
            let Drawn::RandomGenes { count, seed, anew } = setting_of(&drawn, "against", value)?;
            Ok(Against::RandomGenes { count, seed, anew })
        }
        DeValue::String(_) | DeValue::Array(_) => of.players(value).map(Against::Players),
        other => {
            let message = format!(
                "`against` must be names of opponents, \"population\" or {{ random-genes = {{ count = 20 }} }}, not {}",
                kind(other)
            );
            refused(value.span(), message)
        }
    }
}

pub(crate) fn read_judge(
    value: &Value<'_>,
    of: &Surroundings<'_>,
    fitness: Option<&Fitness>,
    files: &mut Files,
) -> Read<Judge> {
    let (written, keys): (JudgeKeys, _) = Section::read(value, "`judge`")?;
    let JudgeKeys { pairs, games, deals, every, .. } = written;
    let Some(units) = read_units([pairs, games, deals], &keys, of, Seat::Both)? else {
        let (key, example) =
            if of.is_for_two() { ("pairs", "pairs = 200") } else { ("deals", "deals = 200") };
        return Err(keys.missing(key, example));
    };
    let against = match (keys.peek("against"), of.is_for_two()) {
        (None, false) => Vec::new(),
        (None, true) => return Err(keys.missing("against", "against = [\"random\"]")),
        (Some(value), _) => of.players(value)?,
    };
    let openings = keys.peek("openings").map(|value| opening(value, of.game, units, files)).transpose()?;
    let met = fitness.map_or(&[][..], |fitness| fitness.against.players());
    for judge in &against {
        if met.iter().any(|opponent| opponent.content() == judge.content()) {
            let message = format!(
                "`{}` is an opponent of the fitness already: a judge must be a player that no candidate was chosen by",
                judge.name
            );
            return refused(value.span(), message);
        }
    }
    Ok(Judge { against, units, openings, every })
}

pub(crate) fn opening(
    value: &Value<'_>,
    game: &dyn AnyGame,
    units: u64,
    files: &mut Files,
) -> Read<Openings> {
    let (openings, _) = read_openings(value, game, units, None, files)?;
    match openings {
        Openings::Random { balance: Some(_), .. } => {
            let message =
                "balanced openings are for experiments; an optimisation begins with random plies or a list";
            refused(value.span(), message)
        }
        openings => Ok(openings),
    }
}
