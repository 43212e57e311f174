//! The report of a validation: one table per group, and a conclusion.

use super::case::Case;
use super::found::{Found, Value};
use super::published::{Figure, Published, mean_of, places, rate_of};
use super::suite::{Checked, Suite};
use super::verdict::Verdict;
use crate::game::options::write_time;
use crate::report::{Block, Document, Table, brackets, decimals, duration, p_value};
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

/// The column of p: between the interval and the verdict.
const PLACE_OF_P: usize = 5;

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
        let of_group = || checked.iter().filter(|checked| checked.case.group == group);
        let has_p = of_group().any(|checked| checked.judged.p.is_some());
        let mut headings =
            vec!["<case", "<what", ">published", ">ours", "<interval", "<verdict", time_heading];
        if has_p {
            headings.insert(PLACE_OF_P, ">p");
        }
        let mut table = Table::new(&headings);
        let mut notes = Vec::new();
        for checked in of_group() {
            let case = checked.case;
            let (ours, interval) = derived(checked);
            let verdict = match checked.judged.verdict {
                verdict @ (Verdict::Agrees | Verdict::TooFew) if case.is_read() => {
                    format!("{} (read)", verdict.word())
                }
                Verdict::Differs if checked.is_known_difference() => "differs (known)".into(),
                Verdict::Agrees if checked.is_failure() => "AGREES".into(),
                verdict => verdict.word().to_owned(),
            };
            let mut cells = vec![
                case.name.clone(),
                case.what.clone(),
                published(&case.published),
                ours,
                interval,
                verdict,
                time(checked.wall_ns),
            ];
            if has_p {
                cells.insert(PLACE_OF_P, checked.judged.p.map_or("–".into(), p_value));
            }
            table.row(cells);
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
        if !notes.is_empty() {
            blocks.push(Block::Notes(notes));
        }
        blocks.extend(of_group().flat_map(|checked| checked.tables.iter().cloned()));
    }
    let wall_ns = checked.iter().map(|checked| checked.wall_ns).sum();
    blocks.push(Block::Text(conclusion(suite, checked)));
    blocks.push(Block::OfThisRun(vec![Block::Text(vec![format!("Total time: {}.", duration(wall_ns))])]));
    Document(blocks)
}

/// The conclusion in sentences.
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
fn derived(checked: &Checked<'_>) -> (String, String) {
    let none = || "–".to_owned();
    let Ok(found) = &checked.found else { return (none(), none()) };
    if let Found::Exact(values) = found {
        let figures: &[Figure] = match &checked.case.published {
            Published::Exact(figures) | Published::Sampled { percent: figures, .. } => figures,
            _ => &[],
        };
        let shown = values.iter().enumerate().map(|(index, value)| as_printed(value, figures.get(index)));
        return (listed(shown), none());
    }
    let (Some(ours), Some(trials)) = (checked.judged.ours, found.trials()) else { return (none(), none()) };
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
    (value, interval)
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

/// A published figure, shortened.
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
    for case in cases {
        let tier = case.tier.name();
        table.row([
            case.name.as_str(),
            &case.group,
            &case.what,
            tier,
            case.kind,
            &write_time(case.cost),
            &case.source,
        ]);
    }
    table
}
