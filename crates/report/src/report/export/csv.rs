//! CSV: all figures of a run as one long table, a figure a row; of any other report its tables.

use std::fmt::Display;

use super::Report;
use super::axes::Axes;
use crate::experiment::{ExperimentSummary, Sides, Summary, Tested, visible};
use crate::report::document::{Block, Document, Extent};
use crate::report::page::Page;
use crate::report::sides;
use crate::report::table::Cell;
use crate::stats::{Estimate, Unit};

/// The figures of a run, one a row, without times; of any other report its tables.
pub(super) fn export(report: &dyn Report, page: Page) -> Option<String> {
    let csv = match report.run() {
        Some(run) => run_csv(run.summary, page.guards_formulas),
        None => tables_csv(&report.document(Extent::Full), page.guards_formulas),
    };
    (!csv.is_empty()).then(|| csv.trim_end().into())
}

/// The tables of a document as one: the columns of all, and if there are several, first a column that names the table by its
/// first heading.
fn tables_csv(document: &Document, guards: bool) -> String {
    let tables = || {
        document.0.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
    };
    let Some(first) = tables().next() else { return String::new() };
    let mut columns: Vec<&str> = first.headings().collect();
    if tables().nth(1).is_none() {
        let mut rows = Rows::new(&columns, guards);
        first.rows().iter().for_each(|row| rows.write(row.iter().map(Cell::text)));
        return rows.finish();
    }
    for table in tables() {
        // A table may have two columns of one name: then each has its place.
        for (at, heading) in table.headings().enumerate() {
            let earlier = table.headings().take(at + 1).filter(|other| *other == heading).count();
            if columns.iter().filter(|column| **column == heading).count() < earlier {
                columns.push(heading);
            }
        }
    }
    let mut rows = Rows::new(["table"].iter().chain(&columns), guards);
    for table in tables() {
        let name = table.headings().find(|heading| !heading.is_empty()).unwrap_or_default();
        for row in table.rows() {
            let mut cells: Vec<(&str, &str)> = table.headings().zip(row.iter().map(Cell::text)).collect();
            let cell = |column: &&str| {
                let own = cells.iter().position(|(heading, _)| heading == column);
                own.map_or("", |own| cells.remove(own).1)
            };
            rows.write([name].into_iter().chain(columns.iter().map(cell)));
        }
    }
    rows.finish()
}

/// The columns.
const COLUMNS: [&str; 9] =
    ["table", "experiment", "player", "against", "figure", "value", "low", "high", "method"];

/// The figures of a run as CSV, one a row, with the columns `table`, `experiment`, `player`, `against`, `figure`,
/// `value`, `low`, `high` and `method`, and one for each axis of a sweep, with the value of the experiment or of the player. What a figure does not have is empty. Times are not among them. If `guards_formulas` is set, text that a spreadsheet
/// would take for a formula begins with an apostrophe.
pub fn run_csv(summary: &Summary, guards_formulas: bool) -> String {
    let axes = Axes::of(summary);
    let columns = COLUMNS.map(String::from).into_iter().chain(axes.columns(&COLUMNS));
    let mut rows = Rows::new(columns, guards_formulas);
    for experiment in &summary.experiments {
        rows.experiment(experiment, &axes);
    }
    rows.finish()
}

/// A table in the making.
pub(super) struct Rows {
    writer: csv::Writer<Vec<u8>>,
    /// The cells at the end of every row: the swept values of its subject.
    last: Vec<String>,
    /// Whether text that looks like a formula begins with an apostrophe.
    guards: bool,
}

/// Whether a spreadsheet would compute this text. Numbers are no formulas.
fn looks_like_a_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// The subject of a row: the table, the experiment, the player, and the player it is compared with.
type About<'a> = [&'a str; 4];

impl Rows {
    /// A table with these columns, and no row yet.
    pub(super) fn new(columns: impl IntoIterator<Item = impl AsRef<str>>, guards: bool) -> Self {
        let mut rows = Self { writer: csv::Writer::from_writer(Vec::new()), last: Vec::new(), guards };
        rows.write(columns);
        rows
    }

    pub(super) fn write(&mut self, fields: impl IntoIterator<Item = impl AsRef<str>>) {
        let cell = |text: &str| {
            let apostrophe = if self.guards && looks_like_a_formula(text) { "'" } else { "" };
            format!("{apostrophe}{}", visible(text))
        };
        let fields = fields.into_iter().map(|field| cell(field.as_ref()));
        let cells: Vec<String> = fields.chain(self.last.iter().map(|field| cell(field))).collect();
        self.writer.write_record(cells).expect("rows are written to memory");
    }

    /// The table as text.
    pub(super) fn finish(self) -> String {
        let bytes = self.writer.into_inner().expect("rows are written to memory");
        String::from_utf8(bytes).expect("the fields are text")
    }

    fn plain(
        &mut self,
        [table, experiment, player, against]: About<'_>,
        figure: &str,
        value: impl Display + Copy,
    ) {
        self.write([table, experiment, player, against, figure, &value.to_string(), "", "", ""]);
    }

    fn maybe(&mut self, about: About<'_>, figure: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.plain(about, figure, value);
        }
    }

    fn estimate(&mut self, about: About<'_>, figure: &str, estimate: &Estimate) {
        let [table, experiment, player, against] = about;
        let end = |end: f64| if end.is_finite() { end.to_string() } else { String::new() };
        let (value, method) = (estimate.value.to_string(), estimate.method.to_string());
        let (low, high) = (end(estimate.low), end(estimate.high));
        self.write([table, experiment, player, against, figure, &value, &low, &high, &method]);
    }

    fn tested(&mut self, about: About<'_>, tested: Option<Tested>) {
        let Some(tested) = tested else { return };
        let [table, experiment, player, against] = about;
        let test = tested.test.to_string();
        let holm = if tested.primary { "primary, not corrected" } else { "Holm" };
        let (p, corrected) = (tested.p.to_string(), tested.corrected_p.to_string());
        self.write([table, experiment, player, against, "p", &p, "", "", &test]);
        self.write([table, experiment, player, against, "corrected p", &corrected, "", "", holm]);
    }

    fn sides(&mut self, about: About<'_>, sides: &Sides) {
        let all = [&sides.first, &sides.second, &sides.total];
        for (seat, side) in sides::names(sides).iter().zip(all) {
            let shares = [("won", side.won), ("drawn", side.drawn), ("lost", side.lost)];
            for ((outcome, share), games) in shares.iter().zip(side.wins_draws_losses) {
                self.plain(about, &format!("{seat}: {outcome}"), games);
                self.estimate(about, &format!("{seat}: share {outcome}"), share);
            }
            self.estimate(about, &format!("{seat}: plies"), &side.plies);
        }
    }

    fn experiment(&mut self, experiment: &ExperimentSummary, axes: &Axes) {
        let name = &*experiment.name;
        let margin = format!("margin, {}", experiment.margin_unit);
        for player in &experiment.players {
            self.last = axes.cells(experiment, &player.name);
            let about = ["players", name, &player.name, ""];
            self.plain(about, "trials", player.trials);
            self.plain(about, "instances", player.instances);
            for (figure, games) in ["won", "drawn", "lost"].iter().zip(player.wins_draws_losses) {
                self.plain(about, figure, games);
            }
            if player.trials > 0 {
                let result = if experiment.paired { "points" } else { "success" };
                self.estimate(about, result, &player.result());
                self.estimate(about, &margin, &player.margin);
            }
            let about = ["work", name, &player.name, ""];
            self.plain(about, "trials played", player.played);
            self.plain(about, "moves", player.moves);
            self.plain(about, "playouts", player.playouts);
            self.plain(about, "plies", player.plies);
            self.plain(about, "nodes", player.nodes);
            self.plain(about, "positions a trial", player.positions.value);
            self.plain(about, "front", player.front.name());
        }
        for difference in &experiment.differences {
            self.last = axes.cells(experiment, &difference.first);
            let about = ["differences", name, &difference.first, &difference.second];
            let counts = difference.counts;
            self.plain(about, "both", counts.both);
            self.plain(about, "only first", counts.only_first);
            self.plain(about, "only second", counts.only_second);
            self.plain(about, "neither", counts.neither);
            self.estimate(about, "success", &difference.success);
            self.tested(about, difference.tested);
            self.maybe(about, "correlation of success", difference.success_correlation);
            self.maybe(about, "variance reduction of success", difference.success_variance_reduction);
            self.estimate(about, &margin, &difference.margin);
            self.maybe(about, "correlation of margin", difference.margin_correlation);
            self.maybe(about, "variance reduction of margin", difference.margin_variance_reduction);
        }
        for meeting in &experiment.meetings {
            self.last = axes.cells(experiment, &meeting.first);
            let about = ["meetings", name, &meeting.first, &meeting.second];
            for (figure, pairs) in Unit::Pairs.results().iter().zip(meeting.pentanomial) {
                self.plain(about, figure, pairs);
            }
            for (figure, games) in ["won", "drawn", "lost"].iter().zip(meeting.wins_draws_losses) {
                self.plain(about, figure, games);
            }
            if meeting.pairs == 0 {
                continue;
            }
            self.estimate(about, "points", &meeting.points);
            self.tested(about, meeting.tested);
            self.maybe(about, "Elo", meeting.elo.value);
            self.maybe(about, "Elo, lower end", meeting.elo.low);
            self.maybe(about, "Elo, upper end", meeting.elo.high);
            match &meeting.normalized_elo_interval {
                Some(estimate) => self.estimate(about, "normalised Elo", estimate),
                None => self.maybe(about, "normalised Elo", meeting.normalized_elo),
            }
            self.maybe(about, "likelihood of superiority", meeting.superiority);
            self.estimate(about, &margin, &meeting.margin);
            if let Some(sides) = &meeting.sides {
                self.sides(["sides", name, &meeting.first, &meeting.second], sides);
            }
        }
        for rated in experiment.ratings.iter().flat_map(|ratings| &ratings.ranking) {
            self.last = axes.cells(experiment, &rated.name);
            let about = ["ratings", name, &rated.name, ""];
            self.plain(about, "Elo", rated.elo);
            self.plain(about, "standard error", rated.standard_error);
            if let Some(estimate) = &rated.to_next {
                self.estimate(about, "ahead of the next by", estimate);
            }
        }
        self.last = axes.cells(experiment, "");
        for (player, estimate) in &experiment.published {
            let measure = if experiment.paired { "points" } else { "success" };
            self.estimate(["published", name, player, ""], measure, estimate);
        }
        for found in &experiment.curve_crossings {
            let about = ["crossings", name, &found.curves[0], &found.curves[1]];
            self.maybe(about, "resamples with the same order", found.same_order);
            for crossing in &found.crossings {
                self.estimate(about, &format!("crossing, {}", found.budget), &crossing.budget);
                self.plain(about, "result at the crossing", crossing.result);
            }
        }
        let about = ["experiment", name, "", ""];
        self.plain(about, "complete", u8::from(experiment.complete));
        self.plain(about, "games", experiment.games);
        self.plain(about, "different games", experiment.distinct_games);
        for (reason, games) in &experiment.failures {
            self.plain(["failures", name, "", ""], reason, games);
        }
        for (player, reason, games) in &experiment.forfeits {
            self.last = axes.cells(experiment, player);
            self.plain(["forfeits", name, player, ""], reason, games);
        }
    }
}
