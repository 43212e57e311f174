//! `shikou exact`: exact expected results.

mod same;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::error::{CommandError, Result, usage};
use super::field::{Field, PLAYERS, SmallGameArguments, headline, known};
use super::groups::OutputArguments;
use crate::exact::{
    ExactError, Expected, Fraction, Keep, Known, Shortfall, Values, best_response, meeting, percent,
    shortfalls,
};
use crate::game::{Counts, Facts, Player, divided};
use crate::players::{Explored, Registry};
use crate::report::{
    Block, Cell, Document, Table, column, columns, counted, object, optional, unless_empty, when,
};

/// Decimal places of percents, and of lengths.
const PLACES: u32 = 3;

#[derive(Args)]
#[command(after_help = format!("\
Examples:
  shikou exact tic-tac-toe ai12s random
  shikou exact tic-tac-toe --ladder --against ai2
  shikou exact tic-tac-toe ai12s --against ai2 --best --missed 3
  shikou exact tic-tac-toe ai12s-v1 ai12s --same
  shikou exact experiments/tic-tac-toe-rules.toml traps ai2

{PLAYERS}"))]
pub(super) struct ExactArguments {
    #[command(flatten)]
    game: SmallGameArguments,
    /// The players: two play a match, more play a round robin; with --against each plays that opponent
    players: Vec<String>,
    /// The opponent of all players
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Add all rule lists of the game as players; with a manifest, its players
    #[arg(long)]
    ladder: bool,
    /// Compare the players instead of playing: at how many decisions do their move probabilities differ, and where first?
    #[arg(long, conflicts_with = "best")]
    same: bool,
    /// Add the best response to the opponent
    #[arg(long, requires = "against")]
    best: bool,
    /// List the N positions at which each player loses most against the best response that never gives value away; the
    /// costs of all positions add up to the whole difference
    #[arg(long, requires = "best", value_name = "N")]
    missed: Option<usize>,
    #[command(flatten)]
    output: OutputArguments,
}

/// A player against another, or alone: the expected results from each seat.
struct Meeting {
    player: String,
    against: Option<String>,
    first: Expected,
    /// None at a solitaire.
    second: Option<Expected>,
}

impl Meeting {
    /// The results in fractions.
    fn json(&self) -> impl Serialize {
        let side = |Expected { win, loss, draw, plies, margin }: &Expected| {
            let [win, loss, draw, plies, margin] = [win, loss, draw, plies, margin].map(ToString::to_string);
            object! { win, loss, draw, plies, margin }
        };
        let (player, first) = (self.player.clone(), side(&self.first));
        let against = optional("against", self.against.clone());
        let second = optional("second", self.second.as_ref().map(side));
        object! { player, #[serde(flatten)] against, first, #[serde(flatten)] second }
    }
}

pub(super) fn exact(registry: &Registry, arguments: &ExactArguments) -> Result {
    let field = arguments.game.field(registry)?;
    let mut players = field.players(&arguments.players)?;
    if arguments.ladder {
        players.extend(field.ladder()?);
    }
    let against = arguments.against.as_deref().map(|text| field.player(text)).transpose()?;
    let alone = field.game.facts().players == 1;
    check(&field, arguments, players.len(), alone)?;
    let all = arguments.game.explore(&field)?;
    let all = &all;
    let known_players = players.iter().map(|player| known(all, player)).collect::<Result<Vec<_>, _>>()?;
    let against = against.as_ref().map(|against| known(all, against)).transpose()?;
    let pairs: Vec<_> = if let Some(against) = &against {
        known_players.iter().map(|player| (player, against)).collect()
    } else {
        let later = |i: usize| known_players[i + 1..].iter().map(move |other| (i, other));
        (0..known_players.len()).flat_map(later).map(|(i, b)| (&known_players[i], b)).collect()
    };
    if arguments.same {
        let compared = same::compare(all, &pairs, field.game.facts().players)?;
        let mut blocks = vec![headline(&field, all).into()];
        blocks.extend(same::blocks(all, &compared));
        let (game, positions) = (field.game.spec().to_string(), all.graph().len());
        let content = object! { game, positions, compared: compared.iter().map(|two| two.json(all)).collect::<Vec<_>>() };
        return arguments.output.show("exact", content, Document(blocks));
    }
    let mut missed = Vec::new();
    let meetings = if alone {
        let played = known_players.iter().map(|of| {
            let first = meeting(all, [of, of], Player::FIRST)?;
            Ok(Meeting { player: of.name().into(), against: None, first, second: None })
        });
        played.collect::<Result<Vec<_>, ExactError>>()?
    } else {
        let mut meetings = meet_all(all, &pairs)?;
        if let Some(against) = against.as_ref().filter(|_| arguments.best) {
            let values = Values::new(all.graph()).map_err(CommandError::usage)?;
            meetings.extend(best(all, against, &values)?);
            if let Some(most) = arguments.missed {
                missed = all_missed(all, &known_players, against, &values, most)?;
            }
        }
        meetings
    };
    let head = headline(&field, all).into();
    let mut blocks: Vec<Block> = match (&meetings[..], &against, alone) {
        ([meeting], _, false) => {
            let opponent = meeting.against.as_deref().unwrap_or("nobody");
            vec![head, format!("{} against {opponent}", meeting.player).into(), one(meeting).into()]
        }
        (_, _, true) => vec![head, successes(&meetings, &field.game.facts()).into()],
        (_, Some(against), _) => {
            vec![head, format!("against {}", against.name()).into(), ladder(&meetings).into()]
        }
        (_, None, _) => {
            let note = "Points: a win is 1, a draw ½; the mean of both seats.";
            vec![head, cross(&known_players, &meetings).into(), note.into()]
        }
    };
    blocks.extend(missed.iter().flat_map(Missed::blocks));
    let (game, positions) = (field.game.spec().to_string(), all.graph().len());
    let missed = unless_empty("missed", missed.iter().map(Missed::json).collect());
    let meetings: Vec<_> = meetings.iter().map(Meeting::json).collect();
    let content = object! { game, positions, meetings, #[serde(flatten)] missed };
    arguments.output.show("exact", content, Document(blocks))
}

fn check(field: &Field, arguments: &ExactArguments, players: usize, alone: bool) -> Result {
    let problem = match (players, arguments.against.is_some(), alone) {
        (_, true, true) if !arguments.same => "a solitaire has no opponent; leave --against out",
        (1, false, true) if arguments.same => "--same compares players; name a second one",
        (0, ..) if arguments.ladder => {
            "the game has no rule lists, so --ladder adds no players; name the players"
        }
        (0, ..) if !field.has_ladder() => "no player is given; name one",
        (0, ..) => "no player is given; name one, or write --ladder",
        (1, false, false) => "an opponent is missing: a second player, or --against",
        _ => return Ok(()),
    };
    Err(usage!("{}: {problem}", field.game.spec()))
}

fn meet_all<'g>(
    all: &'g Explored<'_>,
    pairs: &[(&Known<'g>, &Known<'g>)],
) -> Result<Vec<Meeting>, ExactError> {
    let both = |&(a, b): &(&Known<'g>, &Known<'g>)| {
        let (first, second) = (meeting(all, [a, b], Player::FIRST)?, meeting(all, [b, a], Player::SECOND)?);
        let (player, against) = (a.name().into(), Some(b.name().into()));
        Ok(Meeting { player, against, first, second: Some(second) })
    };
    divided(|| pairs.par_iter().map(both).collect())
}

fn best(all: &Explored<'_>, against: &Known<'_>, values: &Values) -> Result<Vec<Meeting>, ExactError> {
    let kinds = [
        (Keep::Nothing, "best response"),
        (Keep::Start, "… that keeps the value of the start"),
        (Keep::EveryPosition, "… that keeps the value of every position"),
    ];
    let respond = |&(keep, name): &(Keep, &str)| {
        let respond = |seat| best_response(all, against, seat, keep, values);
        let (first, second) = (respond(Player::FIRST)?, respond(Player::SECOND)?);
        let (player, against) = (name.into(), Some(against.name().into()));
        Ok(Meeting { player, against, first, second: Some(second) })
    };
    divided(|| kinds.par_iter().map(respond).collect())
}

/// Win, loss and draw in percent, as the literature lists them.
fn shares(expected: &Expected) -> [String; 3] {
    [&expected.win, &expected.loss, &expected.draw].map(|share| percent(share, PLACES))
}

fn decimal(number: &Fraction) -> String {
    // A hundredth in percent is the number itself.
    percent(&(number / Fraction::from_integer(100.into())), PLACES)
}

fn one(meeting: &Meeting) -> Table {
    let mut table =
        Table::new(&["<seat", ">win %", ">lose %", ">draw %", ">plies", "<win", "<lose", "<draw"]);
    let mut row = |seat: &str, expected: &Expected| {
        let [win, loss, draw] = shares(expected);
        let fractions = [&expected.win, &expected.loss, &expected.draw].map(ToString::to_string);
        let cells = [seat.to_owned(), win, loss, draw, decimal(&expected.plies)];
        table.row(cells.into_iter().chain(fractions));
    };
    row("first", &meeting.first);
    if let Some(second) = &meeting.second {
        row("second", second);
        row("both", &meeting.first.mean(second));
    }
    table
}

fn ladder(meetings: &[Meeting]) -> Table {
    let cells = |expected: &Expected| {
        let [win, loss, draw] = shares(expected);
        [win, loss, draw, decimal(&expected.plies)].map(Cell::from)
    };
    Table::of(
        meetings,
        [
            column("<player", &|of| of.player.clone()),
            columns([">first: win %", ">lose %", ">draw %", ">plies"], &|of| Some(cells(&of.first))),
            columns([">second: win %", ">lose %", ">draw %", ">plies"], &|of| of.second.as_ref().map(cells)),
        ],
    )
}

fn successes(meetings: &[Meeting], facts: &Facts) -> Table {
    let scored = facts.counts == Counts::Score;
    let mean = if scored { format!(">mean score, {}", facts.score_unit) } else { ">mean margin".into() };
    Table::of(
        meetings,
        [
            column("<player", &|of| of.player.clone()),
            when(!scored, column(">success %", &|of| percent(&of.first.win, PLACES))),
            column(&mean, &|of| decimal(&of.first.margin)),
            column(">plies", &|of| decimal(&of.first.plies)),
        ],
    )
}

/// Everyone against everyone: points in percent, of the row against the column, over both seats.
fn cross(players: &[Known<'_>], meetings: &[Meeting]) -> Table {
    let numbers = (1..=players.len()).map(|number| format!(">{number}"));
    let headings: Vec<String> = [">".into(), "<points %".into()].into_iter().chain(numbers).collect();
    let mut table = Table::new(&headings);
    let points = |a: &str, b: &str| {
        let met = |meeting: &&Meeting| meeting.player == a && meeting.against.as_deref() == Some(b);
        let meeting = meetings.iter().find(met)?;
        let second = meeting.second.as_ref()?;
        Some(meeting.first.mean(second).points())
    };
    for (number, row) in (1..).zip(players) {
        let cells = players.iter().map(|column| {
            match (points(row.name(), column.name()), points(column.name(), row.name())) {
                (Some(points), _) => percent(&points, 1),
                (_, Some(points)) => percent(&(Fraction::from_integer(1.into()) - points), 1),
                _ => "·".into(),
            }
        });
        let cells: Vec<String> = cells.collect();
        table.row([number.to_string(), row.name().into()].into_iter().chain(cells));
    }
    table
}

struct Missed {
    player: String,
    /// From 1.
    seat: usize,
    /// The share of all games that the best response wins more.
    all: Fraction,
    positions: usize,
    dearest: Vec<Place>,
}

struct Place {
    /// As the game writes it, else the moves that can be made there.
    position: String,
    plays: Vec<String>,
    best: Vec<String>,
    /// The share of all games that come there and that are lost because of it; the probability to win after the move of the
    /// player, and after the best move, with the best response from there on.
    shares: [Fraction; 4],
}

/// The loss of each player from each seat, with at most this many positions.
fn all_missed<'g>(
    all: &Explored<'_>,
    players: &[Known<'g>],
    against: &Known<'g>,
    values: &Values,
    most: usize,
) -> Result<Vec<Missed>, ExactError> {
    let seats = [Player::FIRST, Player::SECOND];
    let cases: Vec<_> =
        players.iter().flat_map(|player| seats.into_iter().map(move |seat| (player, seat))).collect();
    let missed = |&(player, seat): &(&Known<'g>, Player)| {
        let players = if seat == Player::FIRST { [player, against] } else { [against, player] };
        let found = shortfalls(all, players, seat, Keep::EveryPosition, values)?;
        let dearest = found.iter().take(most).map(|shortfall| position(all, player, shortfall));
        Ok(Missed {
            player: player.name().into(),
            seat: seat.index() + 1,
            all: found.iter().map(Shortfall::cost).sum(),
            positions: found.len(),
            dearest: dearest.collect::<Result<_, ExactError>>()?,
        })
    };
    divided(|| cases.par_iter().map(missed).collect())
}

fn position(all: &Explored<'_>, player: &Known<'_>, shortfall: &Shortfall) -> Result<Place, ExactError> {
    let Shortfall { number, chance, best, played, moves } = shortfall;
    let written = all.moves(*number);
    let those = |edges: Vec<usize>| edges.into_iter().map(|edge| written[edge].clone()).collect();
    Ok(Place {
        position: all.text(*number).unwrap_or_else(|| written.join(" ")),
        plays: those(player.choices(*number)?.collect()),
        best: those((0..moves.len()).filter(|&edge| moves[edge] == *best).collect()),
        shares: [chance.clone(), shortfall.cost(), played.clone(), best.clone()],
    })
}

/// A share in percent, which may be below 0.
fn signed(share: &Fraction) -> String {
    let minus = if *share < Fraction::default() { "−" } else { "" };
    let size = if minus.is_empty() { share.clone() } else { -share };
    format!("{minus}{}", percent(&size, PLACES))
}

impl Missed {
    fn json(&self) -> impl Serialize {
        let place = |Place { position, plays, best, shares }: &Place| {
            let [comes_up, costs, wins, best_wins] = shares.each_ref().map(ToString::to_string);
            let (position, plays, best) = (position.clone(), plays.clone(), best.clone());
            object! { position, comes_up, costs, plays, wins, best, best_wins }
        };
        let dearest: Vec<_> = self.dearest.iter().map(place).collect();
        let Self { player, seat, all, positions, .. } = self;
        object! { player, seat, all: all.to_string(), positions, dearest }
    }

    fn blocks(&self) -> Vec<Block> {
        let Self { player, all, positions, dearest, .. } = self;
        let seat = if self.seat == 1 { "first" } else { "second" };
        if *positions == 0 {
            let sentence =
                format!("{player}, {seat}: no player that keeps the value of every position wins more.");
            return vec![sentence.into()];
        }
        let positions = counted(*positions as u64, "position");
        let sentence =
            format!("{player}, {seat}: wins {} % of all games fewer, because of {positions}", signed(all));
        let head = ["<position", ">comes up %", ">costs %", "<plays", ">wins %", "<best", ">wins %"];
        let mut table = Table::new(&head);
        for Place { position, plays, best, shares } in dearest {
            let [comes_up, costs, wins, best_wins] = shares.each_ref().map(signed);
            table.row([position.clone(), comes_up, costs, plays.join(" "), wins, best.join(" "), best_wins]);
        }
        let mut blocks = vec![sentence.into()];
        blocks.extend((!table.is_empty()).then_some(Block::Table(table)));
        blocks
    }
}
