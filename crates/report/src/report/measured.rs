//! The measured times in a `report.txt` whose log is gone.
//!
//! A reference is committed without its log, so its times are nowhere else: a report that is rendered again from
//! `summary.json` keeps them as they stand.

use super::document::{Block, Document};
use super::tables::FIRST_HEADING;

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
    // The optimisations come first, and have no times.
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
        // The first heading may be that of an optimisation, which has no times.
        keep_times(&mut other, 1, "a\n\nb\n\n│ time per move  p50\n│ y  2 ns\n");
        assert!(other.to_string().contains("b wins.\n\n│ time per move  p50\n│ y  2 ns"), "{other}");
    }
}
