//! The tables of an experiment beside those of its players and their comparisons: results by seats, published results, cross table and
//! ratings, work and times.

use super::document::Block;
use super::measure::Measure;
use super::numbers::{bytes, count, counted, decimals, duration, ends, rate, with_thousands};
use super::page::Extent;
use super::picture::{Point, picture};
use super::table::{
    Cell, Column, Table, column, columns, estimate, grouped, named, number, number_of, unseen,
};
use crate::experiment::{
    ExperimentSummary, Front, Meeting, MoveTimes, PlayerSummary, RankedPlayer, RunFacts, Side, Sides, Total,
};
use crate::stats::{Claim, Confidence, Estimate, Method};

pub(super) const SIDES_LEGEND: &str = "By seat: 95 % Wilson intervals of the shares, for the total with the effective number of games in the pairs; \
     won, lost and drawn add up to 1; each interval is separate. Plies: 95 % interval by Student's t.";

pub(super) fn sides(experiment: &ExperimentSummary) -> Vec<Block> {
    let table = |meeting: &Meeting| {
        let [name, games, won, share_won, drawn, share_drawn, lost, share_lost, plies] = of_side(meeting);
        let columns = [name, games, won, share_won, lost, share_lost, drawn, share_drawn, plies];
        Some(Table::of(&rows(meeting.sides.as_ref()?), columns).into())
    };
    experiment.meetings.iter().filter_map(table).collect()
}

/// The seats of a match with their results: `as first (x)`, `as second (o)`, `total`.
pub(super) fn rows(sides: &Sides) -> Vec<(String, &Side)> {
    let seat = |place: &str, index: usize| match &sides.seats {
        Some(names) => format!("as {place} ({})", names[index]),
        None => format!("as {place}"),
    };
    let names = [seat("first", 0), seat("second", 1), "total".into()];
    names.into_iter().zip([&sides.first, &sides.second, &sides.total]).collect()
}

pub(super) fn of_side<'s>(meeting: &Meeting) -> [Column<'s, (String, &'s Side)>; 9] {
    let known = |name: &str, heading: &str, digits: usize, of: fn(&Side) -> Estimate| {
        let cells =
            move |(_, side): &(String, &Side)| (side.games > 0).then(|| Cell::estimate(&of(side), digits));
        named(&[name], grouped([heading, "<95 % interval"], cells))
    };
    [
        column(&format!("<{} – {}", meeting.first, meeting.second), &|(name, _)| name.clone()),
        column(">games", &|(_, side)| with_thousands(side.games)),
        column(">won", &|(_, side)| number_of(side.wins_draws_losses[0])),
        known("share won", ">share", 4, |side| side.won),
        column(">drawn", &|(_, side)| number_of(side.wins_draws_losses[1])),
        known("share drawn", ">share", 4, |side| side.drawn),
        column(">lost", &|(_, side)| number_of(side.wins_draws_losses[2])),
        known("share lost", ">share", 4, |side| side.lost),
        known("plies", ">plies", 2, |side| side.plies),
    ]
}

pub(super) fn published(experiment: &ExperimentSummary) -> Vec<Block> {
    let digits = Measure::of(experiment).digits();
    let with_ends = |of: Estimate| [decimals(of.value, digits).into(), ends(&of, digits).into()];
    let rows: Vec<_> = experiment.with_published().collect();
    let table = Table::of(
        &rows,
        [
            column("<player", &|(player, _)| player.name.clone()),
            columns([">published", "<its interval"], &|(_, claim)| {
                claim.figure.map(with_ends).or_else(|| Some([claim.sign?.into(), "–".into()]))
            }),
            estimate(">here", digits, &|(player, _)| Some(player.result())),
            columns([">here − published", "<interval"], &|(player, claim)| {
                claim.difference(&player.result()).map(with_ends)
            }),
        ],
    );
    if rows.is_empty() {
        return Vec::new();
    }
    vec![table.into(), Block::Notes(published_verdicts(experiment).into_iter().collect())]
}

/// The sentence on which published results hold, if there are any.
pub(super) fn published_verdicts(experiment: &ExperimentSummary) -> Option<String> {
    let verdict = |(player, claim): (&PlayerSummary, &Claim)| {
        Some(format!("{} {}", player.name, claim.verdict(&player.result(), experiment.paired)?))
    };
    let verdicts: Vec<String> = experiment.with_published().filter_map(verdict).collect();
    (!verdicts.is_empty()).then(|| format!("Published results: {}.", verdicts.join("; ")))
}

/// The totals over a list of boards, and what their intervals say.
pub(super) fn totals(experiment: &ExperimentSummary) -> Vec<Block> {
    let found = experiment
        .players
        .iter()
        .find_map(|player| player.total)
        .filter(|_| experiment.has_margin || experiment.scored);
    let Some(Total { boards, rounds, .. }) = found else { return Vec::new() };
    let heading = format!(">total over {}, {}", counted(boards, "board"), experiment.margin_unit);
    let table = Table::of(
        &experiment.players,
        [
            column("<player", &|player| player.name.clone()),
            column(">rounds", &|player| {
                player.total.map_or_else(String::new, |of| with_thousands(of.rounds))
            }),
            estimate(&heading, u8::from(rounds > 1).into(), &|player| Some(player.total?.score)),
        ],
    );
    let note = if rounds > 1 {
        "Total: the mean of a round; 95 % interval by Student's t from what varies within boards, so it holds for these boards."
    } else {
        "Total: of one round, which says nothing of the luck of a search; more rounds give it an interval."
    };
    vec![table.into(), Block::Notes(vec![note.into()])]
}

/// The largest number of players of a cross table for a terminal.
const MOST_CROSSED: usize = 16;

/// The note on ratings with a prior.
pub const PRIOR: &str = "A rating would be infinite by the results alone: one drawn game was added between every two players that met, \
     directly or by way of others, so these are not the ratings of maximum likelihood.";

/// The points a game of each row's player against each column's.
pub(super) fn cross_table(experiment: &ExperimentSummary, extent: Extent) -> Vec<Block> {
    let players = experiment.players.len();
    if experiment.cross_table.is_empty() {
        return Vec::new();
    }
    if extent == Extent::Short && players > MOST_CROSSED {
        let where_it_is = "The cross table is in summary.json, and in the report as Markdown, CSV or JSON.";
        return vec![Block::Text(vec![where_it_is.into()])];
    }
    let mut headings = vec![">".to_owned(), "<points of the row against".to_owned()];
    headings.extend((1..=players).map(|number| format!(">{number}")));
    let mut table = Table::new(&headings);
    for (index, (player, points)) in experiment.players.iter().zip(&experiment.cross_table).enumerate() {
        let cell = |points: &Option<f64>| points.map_or_else(|| "·".into(), |points| decimals(points, 3));
        let mut row = vec![(index + 1).to_string(), player.name.clone()];
        row.extend(points.iter().map(cell));
        table.row(row);
    }
    vec![Block::Table(table)]
}

pub(super) fn ratings(experiment: &ExperimentSummary) -> Vec<Block> {
    let Some(ratings) = &experiment.ratings else { return Vec::new() };
    let rows: Vec<_> = (1..).zip(&ratings.ranking).collect();
    let mut blocks = vec![Table::of(&rows, of_rating()).into()];
    if ratings.prior {
        blocks.push(Block::Notes(vec![PRIOR.into()]));
    }
    blocks
}

pub(super) fn of_rating<'r>() -> [Column<'r, (u32, &'r RankedPlayer)>; 5] {
    [
        column(">rank", &|(place, _)| *place),
        column("<player", &|(_, player)| player.name.clone()),
        number(">Elo", 0, &|(_, player)| Some(player.elo)),
        named(&["standard error"], number(">std. error", 0, &|(_, player)| Some(player.standard_error))),
        named(&["ahead of the next by"], estimate(">lead over the next", 0, &|(_, player)| player.to_next)),
    ]
}

/// The work of each player; empty if no player searched.
pub(super) fn work(experiment: &ExperimentSummary) -> Vec<Block> {
    if experiment.players.iter().all(|player| player.plies + player.nodes == 0) {
        return Vec::new();
    }
    let [result, positions] = axes(experiment);
    let points: Vec<Point<'_>> = experiment
        .players
        .iter()
        .map(|player| Point {
            name: &player.name,
            result: player.result().value,
            cost: player.positions.value,
            front: player.front.is_marked(),
        })
        .collect();
    let picture = picture(&points, &result[1..], &positions[1..], experiment.scored);
    let mut blocks = vec![Table::of(&experiment.players, of_work(experiment)).into()];
    blocks.extend((!picture.is_empty()).then_some(Block::Picture(picture)));
    blocks
}

fn axes(experiment: &ExperimentSummary) -> [String; 2] {
    let trial = if experiment.paired { "pair" } else { "deal" };
    [format!(">{}", Measure::of(experiment).title()), format!(">positions per {trial}")]
}

pub(super) fn of_work<'e>(experiment: &ExperimentSummary) -> [Column<'e, PlayerSummary>; 9] {
    let ([result, positions], digits) = (axes(experiment), Measure::of(experiment).digits());
    let total = |name: &str, of: fn(&PlayerSummary) -> u64| {
        let cell = move |player: &PlayerSummary| {
            let a_move = of(player) as f64 / player.moves.max(1) as f64;
            Some([Cell::figure(of(player), "", count(a_move))])
        };
        named(&[name], grouped([&format!(">{name} per move")], cell))
    };
    let cost = |of: &PlayerSummary| Some([Cell::figure(of.positions.value, "", count(of.positions.value))]);
    let front = |of: &PlayerSummary| Some([Cell::figure(of.front.name(), "", of.front.mark())]);
    [
        column("<work", &|player| player.name.clone()),
        grouped([&*result], move |player: &PlayerSummary| {
            Some([decimals(player.result().value, digits).into()])
        }),
        unseen("trials played", |player: &PlayerSummary| Some(player.played)),
        unseen("moves", |player: &PlayerSummary| Some(player.moves)),
        total("playouts", |player| player.playouts),
        total("plies", |player| player.plies),
        total("nodes", |player| player.nodes),
        named(&["positions a trial"], grouped([&*positions], cost)),
        named(&["front"], grouped(["<Pareto-optimal"], front)),
    ]
}

/// The heading of the first column, by which a table of times is known.
pub(super) const FIRST_HEADING: &str = "time per move";

/// A player with its number and its place on the front of what counts against processor time.
type Row<'r> = (usize, (&'r PlayerSummary, Front));

pub(super) fn times(
    experiment: &ExperimentSummary,
    index: usize,
    times: &MoveTimes,
    facts: &RunFacts,
) -> Block {
    let confidence = Confidence::default_level();
    let (wall, cpu) = if experiment.paired {
        (">wall per pair", ">CPU per pair")
    } else {
        (">wall per deal", ">CPU per deal")
    };
    let cell = |ns: u64| [duration(ns).into()];
    let quantile = |heading: &str, share| {
        grouped([heading], move |(number, _): &Row<'_>| times.quantile_ns(index, *number, share).map(cell))
    };
    let mean = |heading: &str, of: fn(&PlayerSummary) -> (f64, u64)| {
        grouped([heading], move |(_, (player, _)): &Row<'_>| {
            let (total, number) = of(player);
            (number > 0).then(|| cell((total / number as f64) as u64))
        })
    };
    let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
    let rows: Vec<_> = experiment.players.iter().zip(fronts).enumerate().collect();
    let table = Table::of(
        &rows,
        [
            column(&format!("<{FIRST_HEADING}"), &|(_, (player, _))| player.name.clone()),
            quantile(">p50", 0.5),
            columns(["<95 % interval"], &|(number, _)| {
                let median = times.median_ns(index, *number, confidence)?;
                let [low, high] = [median.low, median.high].map(|ns| duration(ns as u64));
                (median.method == Method::OrderStatistics).then(|| [format!("[{low}, {high}]").into()])
            }),
            quantile(">p90", 0.9),
            quantile(">p99", 0.99),
            columns([">max"], &|(number, _)| times.max_ns(index, *number).map(cell)),
            mean(">mean", |player| (player.wall_ns, player.moves)),
            mean(">mean CPU", |player| (player.cpu_ns, player.moves)),
            mean(wall, |player| (player.wall_ns, player.played)),
            mean(cpu, |player| (player.cpu_ns, player.played)),
            columns([">playouts/s"], &|(number, _)| {
                let playouts = times.playouts_per_s(index, *number).filter(|_| facts.is_optimised());
                Some([rate(playouts?).into()])
            }),
            columns([">memory"], &|(number, _)| Some([bytes(times.most_bytes(index, *number)?).into()])),
            column("<Pareto-optimal", &|(_, (_, front))| front.mark()),
        ],
    );
    Block::OfThisRun(vec![Block::Table(table)])
}
