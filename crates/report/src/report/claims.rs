//! Published claims beside our results: which of them hold.

use std::path::Path;
use std::{fs, io};

use serde::Serialize;

use super::document::{Block, Document};
use super::figure::in_words;
use super::measure::Measure;
use super::numbers::counted;
use super::table::{Table, column, figure_of, when};
use crate::experiment::{ExperimentSummary, PlayerSummary, Reference};
use crate::stats::{Claim, ClaimVerdict, Estimate};

/// The words of verdicts.
pub(super) const VERDICTS: &str = "Each interval has 95 %, for itself. Confirmed: our interval has the sign of the claim, and the \
     difference may be 0; other size: it is not 0. Refuted: our interval has the other sign. Undecided: our interval holds ½; not seen: \
     so it does, and the difference is not 0. Agrees or differs, by the difference alone: the claim has no sign.";

/// A published result of a player, and ours: a row of the table of claims.
#[derive(Clone, Debug, Serialize)]
pub struct Replication {
    /// The name of the results.
    pub claim: String,
    /// Their question.
    pub question: Option<String>,
    /// Who published it.
    pub source: Option<String>,
    /// The digest of the results; empty for a budget of time, with which they are of one host and one run.
    pub digest: String,
    /// The processor.
    pub host: String,
    /// The name of the experiment.
    pub experiment: String,
    /// The name of the player.
    pub player: String,
    /// The result as the source states it.
    pub published: Claim,
    /// Our result.
    pub ours: Estimate,
    /// Our games.
    pub games: u64,
    /// Ours less the published figure.
    pub difference: Option<Estimate>,
    /// The verdict; `None` without an interval of ours.
    pub verdict: Option<ClaimVerdict>,
    #[serde(skip)]
    digits: usize,
}

/// The published results and ours in the folders `claim-*` of a folder of results: in the order of their names, and each in the
/// order of its manifest.
///
/// # Errors
/// If the folder or a summary in it cannot be read.
///
/// # Example
/// ```
/// use shikou::report::{claims_table, replications};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/reference");
/// let mut rows = replications(folder.as_ref()).unwrap();
/// rows.retain(|row| row.claim == "claim-nst");
/// let table = claims_table(&rows, false).markdown();
/// assert!(table.contains("| Breakthrough | nst | gain | 0.650 [0.581, 0.713] | confirmed | – | 200 |"), "{table}");
/// ```
pub fn replications(folder: &Path) -> io::Result<Vec<Replication>> {
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        names.extend(name.starts_with("claim-").then_some(name));
    }
    names.sort();
    let mut rows = Vec::new();
    for name in names {
        let found = Reference::of_summary(&folder.join(&name))?;
        rows.extend(found.iter().flat_map(|reference| rows_of(&name, reference)));
    }
    Ok(rows)
}

fn rows_of(name: &str, reference: &Reference) -> Vec<Replication> {
    let Reference { summary, facts, digest } = reference;
    let row = |experiment: &ExperimentSummary, player: &PlayerSummary, published: &Claim| Replication {
        claim: name.into(),
        question: summary.question.clone(),
        source: summary.source.clone(),
        digest: if experiment.is_timed() { String::new() } else { digest.clone() },
        host: facts.fact("cpu").into(),
        experiment: experiment.name.clone(),
        player: player.name.clone(),
        published: *published,
        ours: player.result(),
        games: if experiment.paired { 2 * player.instances } else { player.instances },
        difference: published.difference(&player.result()),
        verdict: published.verdict(&player.result(), experiment.paired),
        digits: Measure::of(experiment).digits(),
    };
    let of = |experiment| {
        let rows = ExperimentSummary::with_published(experiment);
        rows.map(move |(player, published)| row(experiment, player, published))
    };
    summary.experiments.iter().flat_map(of).collect()
}

impl Replication {
    /// The result as the source states it: successes of trials, a figure, or a sign.
    fn stated(&self) -> String {
        match self.published {
            Claim { counts: Some([successes, trials]), .. } => format!("{successes} of {trials}"),
            Claim { figure: Some(figure), .. } => in_words(&figure, self.digits),
            Claim { sign, .. } => sign.map(|sign| sign.to_string()).unwrap_or_default(),
        }
    }

    fn digest(&self) -> &str {
        if self.digest.is_empty() { "none, the budget is time" } else { &self.digest }
    }
}

/// The table of claims for people; `is_named`: with a column for the claim, without which all are of one.
pub fn claims_table(rows: &[Replication], is_named: bool) -> Table {
    let dash = || "–".to_owned();
    // The parts of a table that is folded have the first column only.
    let name = |row: &Replication| {
        let is_alone = |other: &Replication| other.experiment != row.experiment || other.player == row.player;
        if is_named || rows.iter().all(is_alone) {
            row.experiment.clone()
        } else {
            format!("{}: {}", row.experiment, row.player)
        }
    };
    Table::of(
        rows,
        [
            when(is_named, column("<claim", &|row: &Replication| row.claim.clone())),
            column("<experiment", &|row| name(row)),
            column("?<player", &|row| row.player.clone()),
            column("<published", &|row| row.stated()),
            column("<here", &|row| in_words(&row.ours, row.digits)),
            column("<verdict", &|row| row.verdict.map_or_else(dash, |verdict| verdict.to_string())),
            column("<difference", &|row| row.difference.map_or_else(dash, |of| in_words(&of, row.digits))),
            column("?>games", &|row| row.games),
        ],
    )
}

/// The same for programs: numbers apart, and with the source and the digest.
fn claims_for_programs(rows: &[Replication]) -> Table {
    let mut headings = ["<claim", "<experiment", "<player", "<published", "<verdict", ">games"].to_vec();
    headings.extend(["<here", "<low", "<high", "<difference", "<difference low", "<difference high"]);
    headings.extend(["<source", "<digest"]);
    let mut table = Table::new(&headings);
    for row in rows {
        let verdict = row.verdict.map(|verdict| verdict.to_string()).unwrap_or_default();
        let numbers = |of: Option<&Estimate>| {
            let [value, low, high, _] = of.map(figure_of).unwrap_or_default();
            [value, low, high]
        };
        let (ours, difference) = (numbers(Some(&row.ours)), numbers(row.difference.as_ref()));
        let first = [row.claim.clone(), row.experiment.clone(), row.player.clone(), row.stated(), verdict];
        let last = [row.source.clone().unwrap_or_default(), row.digest.clone()];
        table.row(first.into_iter().chain([row.games.to_string()]).chain(ours).chain(difference).chain(last));
    }
    table
}

/// The source and the digest of a claim.
pub(super) fn notes(row: &Replication) -> Vec<String> {
    let source = row.source.iter().map(|source| format!("Source: {source}"));
    source.chain([format!("Digest: {}", row.digest())]).collect()
}

/// The rows of each claim.
pub(super) fn by_claim(rows: &[Replication]) -> impl Iterator<Item = &[Replication]> {
    rows.chunk_by(|a, b| a.claim == b.claim)
}

/// How many figures have each verdict.
pub(super) fn sentence(rows: &[Replication]) -> String {
    let number = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts = ClaimVerdict::ALL.map(|verdict| (verdict.to_string(), number(Some(verdict))));
    let counts = counts.into_iter().chain([("without an interval".into(), number(None))]);
    let counts: Vec<String> =
        counts.filter(|(_, number)| *number > 0).map(|(words, number)| format!("{words} {number}")).collect();
    format!(
        "{} with a published result in {}: {}.",
        counted(rows.len() as u64, "comparison"),
        counted(by_claim(rows).count() as u64, "run"),
        counts.join("; ")
    )
}

/// The claims and how many of them hold: a table for each under its question, or for programs one of all.
pub fn claims_report(rows: &[Replication], for_programs: bool) -> Document {
    if for_programs {
        return Document(vec![claims_for_programs(rows).into()]);
    }
    let mut blocks = Vec::new();
    for rows in by_claim(rows) {
        let Replication { claim, question, .. } = &rows[0];
        blocks.push(Block::Heading(question.as_ref().unwrap_or(claim).clone()));
        blocks.push(claims_table(rows, false).into());
        blocks.push(Block::Notes([vec![format!("Results: {claim}")], notes(&rows[0])].concat()));
    }
    blocks.push(Block::Text(vec![VERDICTS.into(), sentence(rows)]));
    Document(blocks)
}
