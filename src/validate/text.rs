//! The report of a validation: one table per group, and a conclusion.

use super::published::{Figure, Found, Published, Value, mean_of, places, rate_of};
use super::suite::{Case, Checked, Suite};
use super::verdict::Verdict;
use crate::game::options::write_time;
use crate::report::{
    Block, Cell, Document, Table, brackets, column, columns, decimals, duration, if_any, p_value,
};
use crate::stats::Estimate;
use crate::words::{counted, is_or_are};

/// The display of times, which differ between runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimesShown {
    /// After `│`, which marks everything that differs between runs in terminal reports.
    Marked,
    /// As an ordinary column.
    Plain,
}

/// Longer texts are cut in the middle.
const WIDEST: usize = 26;

/// The report of a validation.
pub fn document(suite: &Suite, checked: &[Checked<'_>], times: TimesShown) -> Document {
    let mut blocks = Vec::new();
    let mut groups: Vec<&str> = Vec::new();
    for checked in checked {
        if !groups.contains(&checked.case.group.as_str()) {
            groups.push(&checked.case.group);
        }
    }
    let time = |ns: u64| match times {
        // As wide as any short time, so that the widths of the other columns do not depend on it.
        TimesShown::Marked => format!("│ {:<7}", duration(ns)),
        TimesShown::Plain => duration(ns),
    };
    let time_heading = match times {
        TimesShown::Marked => "<│ time",
        TimesShown::Plain => ">time",
    };
    for group in groups {
        let of_group: Vec<_> = checked.iter().filter(|checked| checked.case.group == group).collect();
        let table = Table::of(
            &of_group,
            [
                column("<case", &|checked| checked.case.name.clone()),
                column("<what", &|checked| checked.case.what.clone()),
                column(">published", &|checked| published(&checked.case.published)),
                columns([">ours", "<interval"], &|checked| Some(derived(checked)?.map(Cell::from))),
                if_any(columns([">p"], &|checked| Some([p_value(checked.judged.p?).into()]))),
                column("<verdict", &|checked| verdict(checked)),
                column(time_heading, &|checked| time(checked.wall_ns)),
            ],
        );
        let mut notes = Vec::new();
        for checked in &of_group {
            let case = checked.case;
            if let (true, Some(why)) = (checked.is_known_difference(), &case.known_difference) {
                notes.push(format!("{}: {}; known: {why}", case.name, checked.judged.reason));
            } else if !checked.judged.reason.is_empty() {
                let source = match checked.judged.verdict {
                    Verdict::Differs => format!(" (source: {})", case.source),
                    _ => String::new(),
                };
                notes.push(format!("{}: {}{source}", case.name, checked.judged.reason));
            }
        }
        blocks.extend([Block::Heading(group.into()), Block::Table(table)]);
        blocks.push(Block::Notes(notes));
        blocks.extend(of_group.iter().flat_map(|checked| checked.tables.iter().cloned()));
    }
    let wall_ns = checked.iter().map(|checked| checked.wall_ns).sum();
    blocks.push(Block::Text(conclusion(suite, checked)));
    blocks.push(Block::OfThisRun(vec![Block::Text(vec![format!("Total time: {}.", duration(wall_ns))])]));
    Document(blocks)
}

fn verdict(checked: &Checked<'_>) -> String {
    match checked.judged.verdict {
        verdict @ (Verdict::Agrees | Verdict::TooFew) if checked.case.is_read() => {
            format!("{} (read)", verdict.word())
        }
        Verdict::Differs if checked.is_known_difference() => "differs (known)".into(),
        Verdict::Agrees if checked.is_failure() => "AGREES".into(),
        verdict => verdict.word().to_owned(),
    }
}

fn conclusion(suite: &Suite, checked: &[Checked<'_>]) -> Vec<String> {
    let count = |verdict| checked.iter().filter(|checked| checked.judged.verdict == verdict).count();
    let cases = counted(checked.len() as u64, "case");
    let known = checked.iter().filter(|checked| checked.is_known_difference()).count();
    let as_known = if known > 0 { format!(" ({known} as known)") } else { String::new() };
    let mut lines = vec![format!(
        "{cases}: {} agree, {} differ{as_known}, {} too few to tell, {} not run yet.",
        count(Verdict::Agrees),
        count(Verdict::Differs),
        count(Verdict::TooFew),
        count(Verdict::NotRun)
    )];
    let statistical = checked.iter().filter(|checked| checked.case.is_statistical()).count();
    if statistical > 0 {
        lines.push(format!(
            "{statistical} of them {} statistical. The level of their intervals is {} %: the file's error rate {}, divided by \
             its {} (Bonferroni).",
            is_or_are(statistical as u64),
            decimals(100.0 * suite.confidence().level(), 4),
            suite.error_rate,
            counted(suite.statistical() as u64, "statistical case")
        ));
        lines.push(
            "Rates: Clopper–Pearson; means: normal; paired differences: Tango; Δ, ours minus a published sample: Newcombe \
             for rates, normal for means."
                .into(),
        );
        if checked.iter().any(|checked| checked.judged.p.is_some()) {
            lines.push(format!(
                "p: two-sided, per case, uncorrected; a case differs if p is below {:.1e}.",
                suite.confidence().alpha()
            ));
        }
    }
    lines
}

/// The cells of a derived result: the value with its number of trials, and the interval that decided.
fn derived(checked: &Checked<'_>) -> Option<[String; 2]> {
    let none = || "–".to_owned();
    let found = checked.found.as_ref().ok()?;
    if let Found::Exact(values) = found {
        let figures: &[Figure] = match &checked.case.published {
            Published::Exact(figures) | Published::Sampled { percent: figures, .. } => figures,
            _ => &[],
        };
        let shown = values.iter().enumerate().map(|(index, value)| as_printed(value, figures.get(index)));
        return Some([listed(shown), none()]);
    }
    let (ours, trials) = (checked.judged.ours?, found.trials()?);
    let value = decimals(ours.value, digits(&ours));
    let value = match *found {
        Found::Rate { successes, trials } => rate_of(&value, successes, trials),
        _ => mean_of(&value, trials),
    };
    let interval = match (checked.judged.verdict, found, checked.judged.difference) {
        // A mean of too few values has no interval.
        (Verdict::TooFew, Found::Mean(_), _) => none(),
        (_, _, Some(difference)) => {
            format!("Δ {}", brackets(difference.low, difference.high, digits(&difference)))
        }
        (_, _, None) => brackets(ours.low, ours.high, digits(&ours)),
    };
    Some([value, interval])
}

/// A value with as many decimals as were published.
fn as_printed(value: &Value, figure: Option<&Figure>) -> String {
    match (value, figure.map_or(0.0, Figure::half_unit)) {
        (Value::Real(number), half_unit) if half_unit > 0.0 => {
            decimals(*number, libm::round(-libm::log10(2.0 * half_unit)).max(0.0) as usize)
        }
        _ => value.to_string(),
    }
}

/// The number of decimals that shows the interval's width with two digits.
fn digits(estimate: &Estimate) -> usize {
    let width = estimate.high - estimate.low;
    if width.is_finite() && width > 0.0 { places(width, 2) } else { 4 }
}

fn published(published: &Published) -> String {
    match published {
        Published::Exact(figures) | Published::Sampled { percent: figures, .. } => {
            listed(figures.iter().map(|figure| figure.text.clone()))
        }
        other => other.to_string(),
    }
}

/// The values in a row; only the first and the last of a long list.
fn listed(values: impl Iterator<Item = String>) -> String {
    let values: Vec<String> = values.collect();
    let whole = values.join(", ");
    match (values.first(), values.last()) {
        (Some(first), Some(last)) if whole.chars().count() > WIDEST && values.len() > 2 => {
            format!("{first} … {last}")
        }
        _ => whole,
    }
}

/// The cases without running them: tier, kind of derivation, approximate time, source.
pub fn list(cases: &[&Case]) -> Table {
    let mut table = Table::new(&["<case", "<group", "<what", "<tier", "<kind", ">cost", "<source"]);
    for Case { name, group, what, tier, kind, cost, source, .. } in cases.iter().copied() {
        table.row([name, group, what, tier.name(), kind, &write_time(*cost), source]);
    }
    table
}
