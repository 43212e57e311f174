//! The report of a run: the verdict on each experiment and its tables.
//!
//! Lines that begin with `│` depend on this machine and this run: times. Everything else is a function of the manifest
//! and the log, the same on every machine.

use std::collections::BTreeMap;

use super::caution::lines;
use super::claims::VERDICTS;
use super::comparisons::{LEGEND as CROSSINGS_LEGEND, comparisons, crossings, margin};
use super::document::{Block, Document};
use super::measure::{Measure, results_strip};
use super::numbers::{counted, duration};
use super::optimisation::optimisation;
use super::page::Extent;
use super::table::{Column, Table, column, columns, estimate, named, number_of, unseen, when};
use super::tables::{
    FIRST_HEADING, SIDES_LEGEND, cross_table, published, ratings, sides, times as times_of, totals, work,
};
use super::training::trainings;
use super::verdict::verdict;
use super::warnings::{notes_of_this_run, of_experiment};
use crate::experiment::{
    Counts, EngineFacts, ExperimentSummary, ExplorerGames, MoveTimes, PlayerSummary, RunFacts, Summary,
};
use crate::stats::{Estimate, Method};

/// The findings of a run, and the facts of the run.
#[derive(Clone)]
pub struct Run<'r> {
    /// The estimates.
    pub summary: &'r Summary,
    /// The times of moves; none of a reference, which has no log.
    pub times: Option<&'r MoveTimes>,
    /// The machine and the builds.
    pub facts: &'r RunFacts,
    /// The digest of the results and how it compares with the reference, if there are results on disk.
    pub digest: Option<String>,
    /// Games to look at, if any were asked for.
    pub explored: Option<&'r ExplorerGames>,
}

/// The report of a run.
///
/// `times` are those of its moves; without them, as for a summary that was read from JSON, the report names the
/// parts that it leaves out.
pub fn run_report(
    summary: &Summary,
    times: Option<&MoveTimes>,
    facts: &RunFacts,
    extent: Extent,
) -> Document {
    let mut head = Vec::new();
    if let Some(question) = &summary.question {
        head.push(format!("Question: {}", question.trim()));
    }
    if let Some(source) = &summary.source {
        head.push(format!("Source: {}", source.trim()));
    }
    let mut blocks = Vec::new();
    blocks.push(Block::Text(head));
    blocks.extend(trainings(&summary.trainings, true).flatten());
    for found in &summary.optimisations {
        blocks.extend(optimisation(found, true));
    }
    for (index, experiment) in summary.experiments.iter().enumerate() {
        blocks.push(Block::Heading(title(experiment)));
        let sentences = verdict(experiment);
        blocks.push(Block::Text(sentences));
        let crossings = crossings(experiment);
        blocks.push(Block::Text(crossings));
        blocks.push(Block::Table(Table::of(&experiment.players, of_player(experiment))));
        let notes = notes(experiment, true);
        blocks.push(Block::Notes(notes));
        blocks.extend(tables(experiment, index, times, facts, extent));
    }
    let mut legend = legend(summary);
    if let Some(last) = legend.last_mut() {
        last.push_str(" Lines that begin with │ depend on this machine and this run.");
    }
    blocks.push(Block::Text(legend));
    let mut of_this_run: Vec<String> =
        facts.words().into_iter().map(|words| format!("This machine and this run: {words}.")).collect();
    if times.is_none() {
        of_this_run.push(WITHOUT_TIMES.into());
    }
    of_this_run.extend(engines(facts));
    of_this_run.extend(notes_of_this_run(summary, facts));
    blocks.push(Block::OfThisRun(vec![Block::Text(of_this_run)]));
    Document(blocks)
}

/// All tables of an experiment but that of its players.
pub(super) fn tables(
    experiment: &ExperimentSummary,
    index: usize,
    times: Option<&MoveTimes>,
    facts: &RunFacts,
    extent: Extent,
) -> Vec<Block> {
    let mut blocks = published(experiment);
    blocks.extend(sides(experiment));
    blocks.extend(totals(experiment));
    blocks.extend(comparisons(experiment, extent));
    blocks.extend(cross_table(experiment, extent));
    blocks.extend(ratings(experiment));
    blocks.extend(work(experiment));
    blocks.extend(times.map(|times| times_of(experiment, index, times, facts)));
    blocks
}

/// The engines of a run, each with the players that it is.
pub(super) fn engines(facts: &RunFacts) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, &EngineFacts)> = Vec::new();
    for (player, engine) in facts.engines() {
        match groups.iter_mut().find(|(_, known)| *known == engine) {
            Some((players, _)) => players.push(player),
            None => groups.push((vec![player], engine)),
        }
    }
    let words = |(players, engine): (Vec<&str>, &EngineFacts)| {
        let EngineFacts { called, sha256, ping_ns, data } = engine;
        let called = if called.is_empty() { "without a name" } else { called };
        let data: Vec<String> = data.iter().map(|(file, hash)| format!("; {file} sha256 {hash}")).collect();
        let ping = ping_ns.map_or_else(String::new, |ping| format!("; median ping {}", duration(ping)));
        format!("Engine of {}: {called}; program sha256 {sha256}{}{ping}.", players.join(", "), data.concat())
    };
    groups.into_iter().map(words).collect()
}

pub(super) fn title(experiment: &ExperimentSummary) -> String {
    let game =
        if experiment.name == experiment.game { String::new() } else { format!(" · {}", experiment.game) };
    let unit = match (experiment.paired, &experiment.openings) {
        (false, None) => "all players play the same deals".into(),
        (false, Some(openings)) => format!("all players play the same opening {openings}"),
        (true, None) => "a pair: two games, seats swapped".into(),
        (true, Some(openings)) => format!("a pair: two games from one opening {openings}, seats swapped"),
    };
    let design = if experiment.paired { format!(" · {}", experiment.design) } else { String::new() };
    format!("{}{game}{design} · {unit}", experiment.name)
}

pub(super) fn of_player(experiment: &ExperimentSummary) -> [Column<'_, PlayerSummary>; 9] {
    let (paired, measure) = (experiment.paired, Measure::of(experiment));
    let [trials, won] = if paired { [">pairs", ">won"] } else { [">deals", ">solved"] };
    let (result, digits) = (format!(">{}", measure.title()), measure.digits());
    [
        column("<player", &|player| player.name.clone()),
        named(&["trials"], column(trials, &|player| number_of(player.trials))),
        unseen("instances", |player: &PlayerSummary| Some(player.instances)),
        when(
            !experiment.scored,
            named(&["won"], column(won, &|player| number_of(player.wins_draws_losses[0]))),
        ),
        when(
            paired,
            columns([">drawn", ">lost"], &|player| {
                let [_, drawn, lost] = player.wins_draws_losses.map(number_of);
                Some([drawn, lost])
            }),
        ),
        estimate(&result, digits, &|player| (player.trials > 0).then(|| player.result())),
        results_strip(experiment, &PlayerSummary::result),
        margin(experiment, &|player| (player.trials > 0).then_some(player.margin)),
        named(&["total"], when(false, estimate("", 1, &|player| Some(player.total?.score)))),
    ]
}

pub(super) fn notes(experiment: &ExperimentSummary, shows_margin: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if !experiment.complete {
        notes.push("Some trials are missing: intervals and comparisons need all of them.".into());
    }
    notes.extend(failures(experiment));
    notes.extend(forfeits(experiment));
    notes.extend(lines(of_experiment(experiment, shows_margin)));
    notes
}

/// The most reasons of lost games that a report shows.
const MOST_REASONS: usize = 5;

/// Games that engines lost without finishing them; the digest is without their trials.
fn forfeits(experiment: &ExperimentSummary) -> Vec<String> {
    let mut kinds: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (player, reason, games) in &experiment.forfeits {
        let kind = reason.split(':').next().unwrap_or_default();
        *kinds.entry((player, kind)).or_default() += games;
    }
    let mut notes: Vec<String> = kinds
        .into_iter()
        .map(|((player, kind), games)| {
            let lost = counted(games, "game");
            format!("{player} lost {lost} by {kind}: among its losses, with a margin of 0.")
        })
        .collect();
    let reasons = experiment.forfeits.iter().take(MOST_REASONS);
    notes.extend(reasons.map(|(player, reason, games)| format!("{player}, {games} × {reason}")));
    let more = experiment.forfeits.len().saturating_sub(MOST_REASONS);
    if more > 0 {
        notes.push(format!("{more} more reasons are in summary.json."));
    }
    if experiment.engine_trials > 0 {
        let trials = counted(experiment.engine_trials, "trial");
        notes.push(format!("{trials} with an engine: not repeatable, and outside the digest."));
    }
    notes
}

/// The number of failed games by reason.
pub fn failures(experiment: &ExperimentSummary) -> impl Iterator<Item = String> {
    let reasons = &experiment.failures;
    reasons.iter().map(|(reason, games)| format!("{} failed: {reason}", counted(*games, "game")))
}

/// The methods of all intervals and tests, and the marks of the work.
pub(super) fn legend(summary: &Summary) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |holds: bool, words: &str| lines.extend(holds.then(|| words.to_owned()));
    let experiments = &summary.experiments;
    let any = |holds: &dyn Fn(&ExperimentSummary) -> bool| experiments.iter().any(holds);
    say(any(&|e| e.counts() == Counts::Success && e.stopping.is_none()), "Success: 95 % Wilson interval.");
    say(
        any(&|e| e.counts() == Counts::Success && e.has_margin && e.stopping.is_none()),
        "Margin: mean, with its 95 % interval over deals by Student's t.",
    );
    say(
        any(&|e| e.scored && e.stopping.is_none()),
        "Score: mean, with its 95 % interval over deals by Student's t.",
    );
    let is_tested = |e: &ExperimentSummary| e.differences.iter().any(|d| d.tested.is_some());
    say(
        any(&|e| e.scored && is_tested(e)),
        "Differences of the score on the same deals: 95 % interval by Student's t over deals, and p of the paired t test that it \
         inverts. Higher, equal, lower: deals on which the first scored more, as much, or less. Pairing saved: the reduction in \
         deals compared with separate deals for each player.",
    );
    say(
        any(&|e| !e.scored && is_tested(e)),
        "Differences on the same deals: 95 % Tango interval of the success, and p of the test that it inverts, McNemar's score \
         test; mid-p test: McNemar's, another one. Pairing saved: the reduction in deals compared with separate deals for each \
         player.",
    );
    say(
        any(&|e| !e.scored && e.has_margin && is_tested(e)),
        "Differences of the margin: 95 % interval by Student's t, or BCa bootstrap (b).",
    );
    say(
        any(&|e| e.paired && e.stopping.is_none()),
        "Points: per game (win 1, draw ½); 95 % interval by Student's t from the points of pairs, over openings, and of two \
         pairs more, one lost and one won.",
    );
    say(
        any(&|e| e.meetings.iter().any(|m| m.tested.is_some())),
        "Meetings: p of the test of the points against ½ that their interval inverts; the Elo interval is that of the points, \
         mapped. Better: the likelihood of superiority. Sign test: of the pairs won against the pairs lost, another question.",
    );
    say(any(&|e| e.meetings.iter().any(|m| m.sides.is_some())), SIDES_LEGEND);
    say(
        any(&|e| !e.published.is_empty()),
        &format!(
            "Published: the source's result, with the 95 % Clopper–Pearson interval if it is successes of trials, else with the \
             interval that the source has; the interval of the difference is Newcombe's. {VERDICTS}"
        ),
    );
    say(any(&|e| !e.curve_crossings.is_empty()), CROSSINGS_LEGEND);
    say(
        any(&|e| e.stopping.is_some()),
        "a: anytime-valid interval, so it holds whenever the games are stopped: beta-binomial or betting sequence.",
    );
    let is_exact = |estimate: &Estimate| estimate.method == Method::ExactOnPairs;
    say(
        any(&|e| {
            e.players.iter().any(|p| is_exact(&p.result())) || e.meetings.iter().any(|m| is_exact(&m.points))
        }),
        "x: pairs of equal points; 95 % Clopper–Pearson interval with n = openings, each with all its pairs.",
    );
    let is_tested = |e: &ExperimentSummary| {
        e.differences.iter().any(|d| d.tested.is_some()) || e.meetings.iter().any(|m| m.tested.is_some())
    };
    say(
        any(&is_tested),
        "Corrected p: Holm's correction over all comparisons of the experiment except the primary ones.",
    );
    say(
        any(&|e| e.ratings.is_some()),
        "Ratings: Bradley–Terry with independent games; normal 95 % intervals.",
    );
    say(
        any(&|e| e.players.iter().any(|player| player.plies + player.nodes > 0)),
        &format!(
            "Pareto-optimal: ● no other player has at least its {} at no more cost; ≈ another has, but the difference is \
             within the intervals. Costs with overlapping intervals, or within 1 %, are equal.",
            match (experiments.iter().all(|e| e.scored), any(&|e| e.scored)) {
                (true, _) => "score",
                (false, true) => "success or score",
                _ => "success",
            }
        ),
    );
    say(
        experiments.is_empty() || any(&|e| e.stopping.is_none()),
        "Intervals assume that the number of trials was fixed in advance.",
    );
    lines
}

pub(super) const WITHOUT_TIMES: &str =
    "Rendered from summary.json: times of moves and of trials are only in the log of a run.";

/// Puts the times of an earlier `report.txt` of the same run into its report, each table at the end of its experiment.
/// Nothing changes if that report has another number of `experiments`, or no times.
pub fn keep_times(document: &mut Document, experiments: usize, earlier: &str) {
    let lines: Vec<&str> = earlier.lines().collect();
    let marked = lines.chunk_by(|a, b| a.starts_with('│') == b.starts_with('│'));
    let marked = marked.filter(|lines| lines[0].starts_with('│')).map(|lines| {
        let line = |line: &&str| line.trim_start_matches('│').strip_prefix(' ').unwrap_or("").to_owned();
        lines.iter().map(line).collect::<Vec<String>>()
    });
    let (times, _): (Vec<_>, Vec<_>) =
        marked.partition(|lines| lines.iter().any(|line| line.contains(FIRST_HEADING)));
    let is_heading = |block: &Block| matches!(block, Block::Heading(_));
    if times.len() != experiments || experiments == 0 {
        return;
    }
    // The legend follows the last experiment.
    let is_legend = |block: &Block| matches!(block, Block::OfThisRun(_));
    let end = document.0.iter().rposition(is_legend).map_or(document.0.len(), |place| place - 1);
    let headings = (0..document.0.len()).filter(|&place| is_heading(&document.0[place]));
    let ends: Vec<usize> = headings.skip(1).chain([end]).collect();
    // The trainings and optimisations come first, and have no table of moves.
    let places = &ends[ends.len() - experiments..];
    for (&place, times) in places.iter().zip(times).rev() {
        document.0.insert(place, Block::OfThisRun(vec![Block::Picture(times)]));
    }
    for block in &mut document.0 {
        if let Block::OfThisRun(blocks) = block {
            for inner in blocks {
                if let Block::Text(lines) = inner {
                    lines.retain(|line| line != WITHOUT_TIMES);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_of_times_goes_to_its_experiment() {
        let report = |rest: &[&str]| {
            let last = [&["This machine."], rest].concat().into_iter().map(String::from).collect();
            Document(vec![
                Block::Heading("a".into()),
                "a wins.".into(),
                Block::Heading("b".into()),
                "b wins.".into(),
                "The legend.".into(),
                Block::OfThisRun(vec![Block::Text(last)]),
            ])
        };
        let earlier = "a\n\n│ time per move  p50\n│ ─────\n│ x  1 ns\n\nb\n\n│ time per move  p50\n│ y  2 ns\n\n│ That machine.\n";
        let mut document = report(&[WITHOUT_TIMES]);
        keep_times(&mut document, 2, earlier);
        assert_eq!(
            document.to_string(),
            "a\n\na wins.\n\n│ time per move  p50\n│ ─────\n│ x  1 ns\n\nb\n\nb wins.\n\n│ time per move  p50\n│ y  2 ns\n\n\
             The legend.\n\n│ This machine."
        );
        let mut other = report(&[WITHOUT_TIMES]);
        keep_times(&mut other, 2, "a\n\n│ time per move  p50\n│ x  1 ns\n");
        assert_eq!(other.to_string(), report(&[WITHOUT_TIMES]).to_string());
        // The first heading may be that of an optimisation, which has no table of moves.
        keep_times(&mut other, 1, "a\n\nb\n\n│ time per move  p50\n│ y  2 ns\n");
        assert!(other.to_string().contains("b wins.\n\n│ time per move  p50\n│ y  2 ns"), "{other}");
    }
}
