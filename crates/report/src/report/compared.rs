//! The report of two runs that are compared.

use super::document::{Block, Document};
use super::measure::Measure;
use super::numbers::{counted, decimals, ends, interval, is_or_are, with_thousands};
use super::table::{Table, column, columns, estimate, number, when};
use crate::experiment::{Compared, ComparedOptimisation, ComparedPlayer, ComparedRun, Counts, RunFacts};
use crate::stats::Method;

/// The report of two runs, A and B, with their digests and the facts of their machines and builds.
pub fn compared_report(compared: &Compared, digests: [&str; 2], facts: [&RunFacts; 2]) -> Document {
    let same = if digests[0] == digests[1] { "the same log to the byte" } else { "different logs" };
    let trials = compared.matched.map_or_else(
        || "A summary has no trials to match; its figures count as an independent sample.".into(),
        |matched| {
            format!(
                "{} {} in both, {} of them identical; {} {} in A only, {} in B only.",
                counted(matched.trials, "trial"),
                is_or_are(matched.trials),
                with_thousands(matched.identical),
                with_thousands(matched.only_first),
                is_or_are(matched.only_first),
                with_thousands(matched.only_second)
            )
        },
    );
    let mut head = vec![
        trials,
        format!("digest A {}", digests[0]),
        format!("digest B {}", digests[1]),
        format!("The runs have {same}."),
    ];
    if compared.players.is_empty() && compared.optimisations.is_empty() {
        head.push("No player of the same name is in experiments of the same name.".into());
    }
    let mut blocks = vec![Block::Text(head)];
    let mut of_this_run = Vec::new();
    for players in compared.players.chunk_by(|a, b| a.experiment == b.experiment) {
        blocks.push(Block::Heading(players[0].experiment.clone()));
        blocks.push(Block::Table(differences(players)));
        if let Some(table) = times(players) {
            blocks.push(Block::OfThisRun(vec![Block::Table(table)]));
        }
    }
    for of in &compared.optimisations {
        blocks.push(Block::Heading(format!("{} · optimisation", of.name)));
        blocks.extend(optimisation(of));
    }
    let differing = facts[0].differing(facts[1]);
    if !differing.is_empty() {
        let mut table = Table::new(&["<machine and build", "<A", "<B"]);
        for (name, here, there) in differing {
            table.row([name, here, there]);
        }
        of_this_run.push(Block::Table(table));
    }
    if !compared.players.is_empty() {
        let scores =
            if compared.players.iter().any(|player| player.score.is_some()) { " and scores" } else { "" };
        blocks.push(Block::Text(vec![format!(
            "Differences are B minus A with 95 % intervals: Tango on shared deals, Student's t on shared openings and for \
             margins{scores}; n: from both intervals, by Newcombe's rule, because no deals are matched."
        )]));
        of_this_run.push(Block::Text(vec![
            "CPU: geometric mean of B over A on the same instances, 95 % interval by BCa bootstrap. The runs were not \
             interleaved."
                .into(),
        ]));
    }
    blocks.push(Block::OfThisRun(of_this_run));
    Document(blocks)
}

/// The largest number of runs of a table; of more, those that differ most.
const MOST_RUNS: usize = 12;

fn optimisation(of: &ComparedOptimisation) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut shown: Vec<&ComparedRun> = of.runs.iter().collect();
    if shown.len() > MOST_RUNS {
        let size = |run: &ComparedRun| run.difference.value.abs();
        shown.sort_by(|a, b| size(b).total_cmp(&size(a)));
        shown.truncate(MOST_RUNS);
    }
    let table = Table::of(
        &shown,
        [
            column("<run", &|run| run.name.clone()),
            column("<games", &|run| run.of),
            number(&format!(">{} A", Measure::new(of.counts, &of.unit).title()), 3, &|run| {
                Some(run.points[0])
            }),
            number(">B", 3, &|run| Some(run.points[1])),
            estimate(">difference", 3, &|run| Some(run.difference)),
        ],
    );
    if !shown.is_empty() {
        blocks.push(Block::Table(table));
    }
    let mut notes = Vec::new();
    if shown.len() < of.runs.len() {
        notes.push(format!("The {MOST_RUNS} of {} runs that differ most.", of.runs.len()));
    }
    if let Some(mean) = &of.mean {
        notes.push(format!(
            "Mean difference of the {} runs, as pairs of the same name: {} {} (Student's t).",
            of.runs.len(),
            decimals(mean.value, 3),
            interval(mean, 3)
        ));
    }
    if of.only_first + of.only_second > 0 || of.runs.is_empty() {
        let (runs, first, second) = (of.runs.len(), of.only_first, of.only_second);
        notes.push(format!("Runs: {runs} compared, {first} in A only, {second} in B only."));
    }
    if !of.runs.is_empty() {
        notes.push(
            "Best candidates in games that did not choose them, against the judge, or again against the opponents of the \
             fitness. Intervals of a run are Newcombe's, for independent games."
                .into(),
        );
    }
    blocks.push(Block::Notes(notes));
    blocks
}

fn name(player: &ComparedPlayer) -> String {
    player
        .against
        .as_ref()
        .map_or_else(|| player.player.clone(), |other| format!("{} – {other}", player.player))
}

fn differences(players: &[ComparedPlayer]) -> Table {
    let measure = players.first().map_or(Measure::new(Counts::Success, ""), |player| {
        let counts = match (player.points, player.score) {
            (Some(_), _) => Counts::Points,
            (None, Some(_)) => Counts::Score,
            (None, None) => Counts::Success,
        };
        Measure::new(counts, &player.unit)
    });
    let digits = measure.digits();
    let of_run =
        |player: &ComparedPlayer, run: usize| Some(player.success.or(player.points).or(player.score)?[run]);
    Table::of(
        players,
        [
            column("<player", &name),
            column(">shared", &|player| with_thousands(player.shared_instances)),
            number(&format!(">{} A", measure.title()), digits, &|player| of_run(player, 0)),
            number(">B", digits, &|player| of_run(player, 1)),
            columns([">difference", "<95 % interval"], &|ComparedPlayer { difference, .. }| {
                let mark = if difference.method == Method::Newcombe { " n" } else { "" };
                let interval = interval(difference, digits) + mark;
                Some([decimals(difference.value, digits).into(), interval.into()])
            }),
            when(measure.counts != Counts::Score, estimate(">margin", 2, &|player| player.margin)),
        ],
    )
}

fn times(players: &[ComparedPlayer]) -> Option<Table> {
    let mut table = Table::new(&["<time of a trial", ">CPU, B over A", "<95 % interval"]);
    for (player, ratio) in players.iter().filter_map(|player| Some((player, player.cpu_ratio?))) {
        table.row([name(player), decimals(ratio.value, 3), ends(&ratio, 3)]);
    }
    (!table.is_empty()).then_some(table)
}
