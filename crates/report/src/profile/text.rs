//! The report of a profile: tables, bars, and notes; and the report of a comparison of two profiles.

use super::{
    ComparedRow, Comparison, Lengths, Memory, PartsProfile, PathRow, PlayoutsProfile, Profile, Sample,
    SearchersProfile, Settings, Spread, ThreadsRow,
};
use crate::game::Path;
use crate::report::{
    Block, Cell, Document, Table, bar, bytes, column, columns, count, decimals, duration, number, rate,
    with_thousands,
};
use crate::stats::{Estimate, Method};
use crate::words::counted;

const BAR: usize = 20;

/// The profile as a report.
pub fn document(profile: &Profile) -> Document {
    let position =
        if profile.position.is_empty() { "the start".into() } else { format!("`{}`", profile.position) };
    let Profile { game, policy, host, .. } = profile;
    let whose = if profile.playouts.is_some() { "" } else { " of searchers" };
    let mut head = vec![format!(
        "{} build {}, {}, {} at once{}",
        host.build,
        host.commit,
        host.cpu,
        counted(host.cores as u64, "thread"),
        frequency(profile)
    )];
    head.extend(busy(profile));
    let mut blocks =
        vec![Block::Heading(format!("{game}: {policy} playouts{whose} from {position}")), Block::Text(head)];
    blocks.extend(profile.playouts.iter().flat_map(|part| of_playouts(part, &profile.settings)));
    blocks.extend(profile.searchers.iter().flat_map(|part| searchers(part, policy)));
    Document(blocks)
}

fn samples(profile: &Profile) -> impl Iterator<Item = &Sample> {
    let rows = profile.playouts.iter().flat_map(|playouts| &playouts.paths);
    rows.flat_map(|row: &PathRow| &row.samples)
}

fn frequency(profile: &Profile) -> String {
    let cycles: Vec<f64> = samples(profile).filter_map(|sample| sample.lap.cycle_ns).collect();
    if cycles.is_empty() {
        return String::new();
    }
    format!(", about {:.2} GHz", 1.0 / Spread::of(cycles).median)
}

/// A thread with a smaller fraction of its wall time on a CPU was kept waiting.
const BUSY: f64 = 0.95;

impl Profile {
    /// The median share of its time in which the measuring thread had a processor.
    fn running(&self) -> f64 {
        let shares: Vec<f64> = samples(self).map(|sample| sample.lap.cpu_ns / sample.lap.wall_ns).collect();
        if shares.is_empty() { 1.0 } else { Spread::of(shares).median }
    }

    /// Whether the machine was busy, of which the report warns.
    pub fn is_busy(&self) -> bool {
        self.running() < BUSY
    }
}

fn busy(profile: &Profile) -> Option<String> {
    profile.is_busy().then(|| {
        format!(
            "warning: the machine was busy: the thread had a CPU for {:.0} % of the time. Ratios are valid; measure speeds again on an idle machine",
            100.0 * profile.running()
        )
    })
}

fn interval(spread: &Spread, digits: usize) -> String {
    spread.interval.map_or_else(|| "–".into(), |[low, high]| format!("{low:.digits$}–{high:.digits$}"))
}

fn range(spread: &Spread, digits: usize) -> String {
    format!("{:.digits$}–{:.digits$}", spread.min, spread.max)
}

fn percent(share: f64) -> String {
    format!("{} %", decimals(100.0 * share, 1))
}

/// The comparison as a report. `then` names the earlier profile.
pub fn compared_document(comparison: &Comparison, then: &str) -> Document {
    let mut blocks = vec![Block::Heading(format!("compared with {then}"))];
    if comparison.is_another_machine {
        blocks.push(Block::Text(vec![
            "warning: the machines differ, so the ratios compare machines and not builds".into(),
        ]));
    }
    if !comparison.differing.is_empty() {
        let mut table = Table::new(&["<machine and build", "<then", "<now"]);
        for (name, then, now) in &comparison.differing {
            table.row([*name, then, now]);
        }
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Table(ratios_of(&comparison.rows)));
    blocks.push(Block::Notes(vec![
        "Ratio: now over then; above 1 is faster now. The intervals (order statistics, at least 95 %) cover the rounds within \
         each profile. The profiles were not measured in turn, so a busier machine looks like a slower build. Cycles are \
         independent of the frequency."
            .into(),
    ]));
    Document(blocks)
}

fn ratios_of(rows: &[ComparedRow]) -> Table {
    let figures = |Estimate { value, low, high, method }: Estimate| {
        let interval = if method == Method::None { "–".into() } else { format!("{low:.3}–{high:.3}") };
        [format!("{value:.3}"), interval].map(Cell::from)
    };
    Table::of(
        rows,
        [
            column("<speed", &|row| row.what.clone()),
            column(">then", &|row| rate(row.then_per_s)),
            column(">now", &|row| rate(row.now_per_s)),
            columns([">ratio", "<95 % interval"], &|row| Some(figures(row.ratio))),
            columns([">in cycles", "<95 % interval"], &|row| row.ratio_in_cycles.map(figures)),
        ],
    )
}

fn searchers(profile: &SearchersProfile, policy: &str) -> Vec<Block> {
    let table = Table::of(
        &profile.rows,
        [
            column("<searcher", &|row| row.searcher.clone()),
            columns([">playouts/s"], &|row| Some([rate(row.playouts_per_s?.median).into()])),
            columns([">nodes/s"], &|row| Some([rate(row.nodes_per_s?.median).into()])),
            column(">first decision", &|row| duration(row.ns_per_decision.median as u64)),
            columns([">later"], &|row| Some([duration(row.later_ns?.median as u64).into()])),
            columns([">memory"], &|row| (row.bytes > 0).then(|| [bytes(row.bytes).into()])),
            column(">playouts", &|row| count(row.playouts as f64)),
            column(">nodes", &|row| count(row.nodes as f64)),
            column(">batch", &|row| count(row.playouts as f64 / row.batches.max(1) as f64)),
            columns([">overhead", "<quartiles"], &|row| {
                let share = row.own_share?;
                let quartiles = format!("{}–{}", decimals(100.0 * share.q1, 1), percent(share.q3));
                Some([percent(share.median).into(), quartiles.into()])
            }),
            column("<", &|row| row.own_share.map_or_else(String::new, |share| bar(share.median, BAR))),
        ],
    );
    let mut notes = vec![
        format!(
            "Default options, {policy} playouts. Searchers with a budget had {} playouts, or nodes if they make \
             no playouts. Medians over rounds, in CPU time. First: by a new machine, with its construction; later: the next \
             of the same machine, a few plies later in the game. Memory: the most that the search held, its tree, its table or its lists; \
             – if it keeps none.",
            with_thousands(profile.budget)
        ),
        "Overhead (and bar): the fraction of the time outside playouts, estimated from as many playouts alone, in batches \
         of the same mean size from this position."
            .into(),
    ];
    if !profile.unfit.is_empty() {
        notes.push(String::new());
        notes.push("Not measured:".into());
        notes.extend(profile.unfit.iter().map(|unfit| format!("{}: {}", unfit.searcher, unfit.reason)));
    }
    vec![Block::Table(table), Block::Notes(notes)]
}

const MOST_ROWS: u64 = 20;

fn of_playouts(playouts: &PlayoutsProfile, settings: &Settings) -> Vec<Block> {
    let mut blocks =
        vec![Block::Table(speeds(&playouts.paths)), Block::Notes(notes(&playouts.paths, settings))];
    if playouts.paths.len() > 1 {
        blocks.push(Block::Table(ratios(&playouts.paths)));
    }
    if !playouts.threads.is_empty() {
        blocks.push(Block::Table(threads(&playouts.threads)));
        blocks.push(Block::Notes(vec![
            "Playouts/s: wall time, all threads together, started at once. One core: the rate per CPU second of one thread, \
             relative to the first row; valid on a busy machine too."
                .into(),
        ]));
    }
    blocks.extend(parts(&playouts.parts));
    blocks.push(Block::Table(lengths(&playouts.lengths)));
    blocks.push(Block::Notes(quantiles(&playouts.lengths)));
    blocks.push(Block::Text(vec![memory(playouts.memory)]));
    blocks
}

fn speeds(rows: &[PathRow]) -> Table {
    let fastest = rows.iter().map(|row| row.plies_per_s.median).fold(0.0, f64::max);
    Table::of(
        rows,
        [
            column("<path", &|row| row.path.clone()),
            column(">batch", &|row| with_thousands(row.batch)),
            column(">playouts/s", &|row| rate(row.playouts_per_s.median)),
            column(">plies/s", &|row| rate(row.plies_per_s.median)),
            column(">ns/ply", &|row| format!("{:.2}", row.ns_per_ply.median)),
            column("<quartiles", &|row| format!("{:.2}–{:.2}", row.ns_per_ply.q1, row.ns_per_ply.q3)),
            column("<min–max", &|row| range(&row.ns_per_ply, 2)),
            number(">cycles/ply", 1, &|row| Some(row.cycles_per_ply?.median)),
            column("<", &|row| bar(row.plies_per_s.median / fastest, BAR)),
        ],
    )
}

fn notes(rows: &[PathRow], settings: &Settings) -> Vec<String> {
    let Settings { seconds, repeats } = settings;
    let device = if rows.iter().any(|row| row.path == Path::Cuda.name()) {
        "; those of a GPU, of wall time"
    } else {
        ""
    };
    vec![
        format!(
            "Medians of {repeats} rounds, in each of which the rows play the same games in turn; {seconds} s per row in \
             total. Rates are per second of the thread's CPU time{device}."
        ),
        "Cycles are estimated from a chain of operations with known latency, timed before and after.".into(),
    ]
}

fn ratios(rows: &[PathRow]) -> Table {
    let first = &rows[0];
    let name = |row: &PathRow| format!("{} in batches of {}", row.path, with_thousands(row.batch));
    let against = format!("<speed relative to {}", name(first));
    let mut table = Table::new(&[&against, ">times", "<95 % interval", "<min–max"]);
    for row in &rows[1..] {
        let ratio = row.ratio.as_ref().expect("every row but the first has a ratio");
        table.row([name(row), format!("{:.3}", ratio.median), interval(ratio, 3), range(ratio, 2)]);
    }
    table
}

fn threads(rows: &[ThreadsRow]) -> Table {
    let fastest = rows.iter().map(|row| row.playouts_per_s.median).fold(0.0, f64::max);
    let figures = |spread: Option<Spread>| {
        spread.map_or_else(
            || ["1", "–"].map(Cell::from),
            |spread| [format!("{:.3}", spread.median), interval(&spread, 3)].map(Cell::from),
        )
    };
    Table::of(
        rows,
        [
            column(">threads", &|row| row.threads),
            column(">playouts/s", &|row| rate(row.playouts_per_s.median)),
            columns([">times", "<95 % interval"], &|row| Some(figures(row.ratio))),
            columns([">one core", "<95 % interval"], &|row| Some(figures(row.efficiency))),
            column(">running", &|row| percent(row.running.median)),
            column("<", &|row| bar(row.playouts_per_s.median / fastest, BAR)),
        ],
    )
}

fn parts(parts: &PartsProfile) -> [Block; 2] {
    let headings = ["<part", ">ns/ply", ">share", "<95 % interval", "<", "<what it does"];
    let mut table = Table::new(&headings);
    for part in &parts.parts {
        let interval = part.share.interval.map_or_else(
            || "–".into(),
            |[low, high]| format!("{}–{}", decimals(100.0 * low, 1), percent(high)),
        );
        table.row([
            if part.within { format!("  {}", part.name) } else { part.name.clone() },
            format!("{:.2}", part.ns_per_ply.median),
            percent(part.share.median),
            interval,
            bar(part.share.median, BAR),
            part.about.clone(),
        ]);
    }
    let ns = parts.rest * parts.whole_ns_per_ply.median;
    let what = "the remainder: dependencies between parts, the loop, counting";
    table.row([
        "rest".into(),
        decimals(ns, 2),
        percent(parts.rest),
        String::new(),
        bar(parts.rest, BAR),
        what.into(),
    ]);
    let note = format!(
        "An estimate: each part alone over {} recorded plies, relative to the plain loop. A part alone does not wait for the \
         others, so the shares need not add up to 100 %.",
        with_thousands(parts.plies),
    );
    [Block::Table(table), Block::Notes(vec![note])]
}

/// Rarer lengths at either end share a row.
const TAIL: f64 = 0.002;

/// The histogram: one row per length, or per range of lengths so that the rows fit. The first and the last row collect the
/// rarest lengths.
fn lengths(lengths: &Lengths) -> Table {
    let tail = (lengths.playouts as f64 * TAIL) as u64;
    let from_low = edge(lengths.counts.iter(), tail);
    let from_high = edge(lengths.counts.iter().rev(), tail);
    let width = (from_high - from_low + 1).div_ceil(MOST_ROWS);
    let mut rows = vec![0; ((from_high - from_low) / width + 1) as usize];
    for &(plies, count) in &lengths.counts {
        rows[((plies.clamp(from_low, from_high) - from_low) / width) as usize] += count;
    }
    let most = rows.iter().copied().max().unwrap_or(1).max(1);
    let mut table = Table::new(&[">plies", ">playouts", ">share", "<"]);
    for (index, &count) in (0..).zip(&rows) {
        let first = from_low + index * width;
        let last = (first + width - 1).min(from_high);
        let plies = if first == from_low && first > lengths.min {
            format!("≤ {last}")
        } else if last == from_high && last < lengths.max {
            format!("≥ {first}")
        } else if first == last {
            first.to_string()
        } else {
            format!("{first}–{last}")
        };
        table.row([
            plies,
            with_thousands(count),
            percent(count as f64 / lengths.playouts as f64),
            bar(count as f64 / most as f64, BAR),
        ]);
    }
    table
}

/// The first length at which the cumulative count exceeds `tail`.
fn edge<'c>(counts: impl Iterator<Item = &'c (u64, u64)>, tail: u64) -> u64 {
    let mut sum = 0;
    let mut found = 0;
    for &(plies, count) in counts {
        sum += count;
        found = plies;
        if sum > tail {
            break;
        }
    }
    found
}

fn quantiles(lengths: &Lengths) -> Vec<String> {
    let quantiles: Vec<String> =
        lengths.quantiles.iter().map(|(share, plies)| format!("{}: {plies}", percent(*share))).collect();
    vec![
        format!(
            "Plies of {} playouts: mean {:.2}, from {} to {}.",
            with_thousands(lengths.playouts),
            lengths.mean,
            lengths.min,
            lengths.max
        ),
        format!("Quantiles of the number of plies: {}.", quantiles.join(", ")),
    ]
}

fn memory(memory: Memory) -> String {
    let peak = memory.peak_bytes.map_or_else(
        || "the peak memory of the process is unknown".into(),
        |peak| format!("the peak memory of the process is {}", bytes(peak)),
    );
    format!("A position takes {} bytes, a move {}; {peak}.", memory.position_bytes, memory.move_bytes)
}
