//! CSV: all figures of a run as one long table, a figure a row; success against cost as one wide table, a player a row; and the tables of
//! any other report. The values of sweeps are columns.

use std::fmt::Display;

use serde_json::Value;

use super::Report;
use crate::experiment::{
    ExperimentSummary, OptimisationSummary, RunFacts, Summary, Took, TrainingSummary, visible,
};
use crate::report::comparisons::{of_difference, of_meeting};
use crate::report::document::{Block, Document};
use crate::report::measure::Measure;
use crate::report::optimisation::of_run;
use crate::report::page::{Extent, Page};
use crate::report::run::of_player;
use crate::report::table::{Cell, Column, estimate, figure_of, unseen};
use crate::report::tables::{of_rating, of_side, of_work, rows};
use crate::stats::{Claim, Estimate};

/// The figures of a run, one a row, without times; of any other report its tables, or without tables the plain values of its JSON.
pub(super) fn export(report: &dyn Report, page: Page) -> Option<String> {
    let csv = match report.run() {
        Some(run) => run_csv(run.summary, page.guards_formulas),
        None => match tables_csv(&report.document(Extent::Full), page.guards_formulas) {
            tables if tables.is_empty() => values_csv(&report.json(), page.guards_formulas),
            tables => tables,
        },
    };
    (!csv.is_empty()).then(|| csv.trim_end().into())
}

/// The plain values of an object of JSON in one row, under their names.
fn values_csv(json: &str, guards: bool) -> String {
    let object: serde_json::Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
    let plain = object.into_iter().filter_map(|(name, value)| match value {
        Value::Object(_) | Value::Array(_) => None,
        Value::String(text) => Some((name, text)),
        value => Some((name, value.to_string())),
    });
    let (names, values): (Vec<String>, Vec<String>) = plain.unzip();
    let mut rows = Rows::new(names, guards);
    rows.write(values);
    rows.finish()
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

const COLUMNS: [&str; 9] =
    ["table", "experiment", "player", "against", "figure", "value", "low", "high", "method"];

/// The figures of a run as CSV, one a row, with the columns `table`, `experiment`, `player`, `against`, `figure`, `value`, `low`,
/// `high` and `method`, and one for each axis of a sweep, with the value of the experiment or of the player. Cells without a figure are empty; times are left out. If `guards_formulas` is set, text that a
/// spreadsheet would take for a formula begins with an apostrophe.
pub fn run_csv(summary: &Summary, guards_formulas: bool) -> String {
    let axes = Axes::of(summary);
    let columns = COLUMNS.map(String::from).into_iter().chain(axes.columns(&COLUMNS));
    let mut rows = Rows::new(columns, guards_formulas);
    summary.trainings.iter().for_each(|training| rows.training(training, &axes));
    summary.optimisations.iter().for_each(|optimisation| rows.optimisation(optimisation, &axes));
    for experiment in &summary.experiments {
        rows.experiment(experiment, &axes);
    }
    rows.finish()
}

pub(super) struct Rows {
    writer: csv::Writer<Vec<u8>>,
    /// The cells at the end of every row: the swept values of its subject.
    last: Vec<String>,
    guards: bool,
}

/// The subject of a row: the table, the experiment, the player, and the player it is compared with.
type About<'a> = [&'a str; 4];

impl Rows {
    pub(super) fn new(columns: impl IntoIterator<Item = impl AsRef<str>>, guards: bool) -> Self {
        let mut rows = Self { writer: csv::Writer::from_writer(Vec::new()), last: Vec::new(), guards };
        rows.write(columns);
        rows
    }

    pub(super) fn write(&mut self, fields: impl IntoIterator<Item = impl AsRef<str>>) {
        let cell = |text: &str| {
            // A spreadsheet would compute such text. Numbers are no formulas.
            let is_formula =
                text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
            let apostrophe = if self.guards && is_formula { "'" } else { "" };
            format!("{apostrophe}{}", visible(text))
        };
        let fields = fields.into_iter().map(|field| cell(field.as_ref()));
        let cells: Vec<String> = fields.chain(self.last.iter().map(|field| cell(field))).collect();
        self.writer.write_record(cells).expect("rows are written to memory");
    }

    pub(super) fn finish(self) -> String {
        let bytes = self.writer.into_inner().expect("rows are written to memory");
        String::from_utf8(bytes).expect("the fields are text")
    }

    fn plain(&mut self, about: About<'_>, figure: &str, value: impl Display) {
        self.write(about.into_iter().chain([figure, &value.to_string(), "", "", ""]));
    }

    /// The figures of a row, with `before` before the name of each.
    fn figures<'c, R: 'c>(
        &mut self,
        about: About<'_>,
        before: &str,
        row: &R,
        columns: impl IntoIterator<Item = &'c Column<'c, R>>,
    ) {
        for (name, value) in columns.into_iter().flat_map(|column| column.figures(row)) {
            let name = format!("{before}{name}");
            self.write(about.into_iter().chain([&*name]).chain(value.iter().map(String::as_str)));
        }
    }

    fn took(&mut self, about: About<'_>, took: Option<Took>) {
        let Some(took) = took else { return };
        self.plain(about, "wall ns", took.wall_ns);
        self.plain(about, "processor ns", took.cpu_ns);
        self.plain(about, "count a second", took.per_s());
    }

    fn training(&mut self, training: &TrainingSummary, axes: &Axes) {
        self.last = axes.of_values(&training.swept);
        let about = ["trainings", &*training.name, "", ""];
        self.plain(about, "learned", training.learned.map(|count| count.to_string()).unwrap_or_default());
        let points = estimate(">points", 0, &|points| Some(*points));
        if let Some(last) = training.curve.last() {
            self.figures(about, "", &last.points, [&points]);
        }
        self.took(about, training.took);
    }

    fn optimisation(&mut self, optimisation: &OptimisationSummary, axes: &Axes) {
        for run in &optimisation.runs {
            self.last = axes.of_values(&run.swept);
            let about = ["optimisations", &*optimisation.name, &*run.name, ""];
            self.figures(about, "", &run, &of_run());
            self.took(about, run.took);
        }
        self.last = axes.of_values(&[]);
        self.took(["optimisations", &optimisation.name, "", ""], optimisation.took);
    }

    fn experiment(&mut self, experiment: &ExperimentSummary, axes: &Axes) {
        let name = &*experiment.name;
        let (results, work) = (of_player(experiment), of_work(experiment));
        for player in &experiment.players {
            self.last = axes.cells(experiment, &player.name);
            self.figures(["players", name, &player.name, ""], "", player, &results);
            self.figures(["work", name, &player.name, ""], "", player, &work);
        }
        let (success, pairing) = of_difference(experiment);
        for of in &experiment.differences {
            self.last = axes.cells(experiment, &of.first);
            self.figures(
                ["differences", name, &of.first, &of.second],
                "",
                &of,
                success.iter().chain(&pairing),
            );
        }
        let (points, elo) = of_meeting(experiment);
        for of in &experiment.meetings {
            self.last = axes.cells(experiment, &of.first);
            self.figures(["meetings", name, &of.first, &of.second], "", &of, points.iter().chain(&elo));
            for row in of.sides.iter().filter(|_| of.pairs > 0).flat_map(rows) {
                let before = format!("{}: ", row.0);
                self.figures(["sides", name, &of.first, &of.second], &before, &row, &of_side(of));
            }
        }
        for ranked in (1..).zip(experiment.ratings.iter().flat_map(|ratings| &ratings.ranking)) {
            self.last = axes.cells(experiment, &ranked.1.name);
            self.figures(["ratings", name, &ranked.1.name, ""], "", &ranked, &of_rating());
        }
        self.last = axes.cells(experiment, "");
        let measure = format!(">{}", Measure::of(experiment).title());
        let published = estimate(&measure, 0, &|claim: &Claim| claim.figure);
        for (player, of_source) in &experiment.published {
            self.figures(["published", name, player, ""], "", of_source, [&published]);
        }
        for found in &experiment.curve_crossings {
            let about = ["crossings", name, &found.curves[0], &found.curves[1]];
            if let Some(share) = found.same_order {
                self.plain(about, "resamples with the same order", share);
            }
            let heading = format!(">crossing, {}", found.budget);
            let at = estimate(&heading, 0, &|crossing: &crate::stats::Crossing| Some(crossing.budget));
            let result = unseen("result at the crossing", |of: &crate::stats::Crossing| Some(of.result));
            found.crossings.iter().for_each(|crossing| self.figures(about, "", crossing, [&at, &result]));
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

/// The axes of a run's sweeps, in the order in which they occur.
pub(super) struct Axes(Vec<String>);

impl Axes {
    pub(super) fn of(summary: &Summary) -> Self {
        let mut axes: Vec<String> = Vec::new();
        let of_runs = summary.optimisations.iter().flat_map(|of| &of.runs).flat_map(|run| &run.swept);
        let learned = summary.trainings.iter().flat_map(|training| &training.swept).chain(of_runs);
        let of_experiments = summary.experiments.iter().flat_map(|experiment| {
            let of_players = experiment.players.iter().flat_map(|player| &player.swept);
            experiment.swept.iter().chain(of_players)
        });
        for (axis, _) in learned.chain(of_experiments) {
            if !axes.contains(axis) {
                axes.push(axis.clone());
            }
        }
        Self(axes)
    }

    /// The names of the columns beside others: the name of the axis, with `swept_` before it if another column has it.
    pub(super) fn columns(&self, others: &[&str]) -> Vec<String> {
        let name = |axis: &String| {
            if others.contains(&axis.as_str()) { format!("swept_{axis}") } else { axis.clone() }
        };
        self.0.iter().map(name).collect()
    }

    /// The cells of a row about something with these values; empty for other axes.
    fn of_values(&self, swept: &[(String, String)]) -> Vec<String> {
        let value =
            |axis: &String| swept.iter().find(|(other, _)| other == axis).map(|(_, value)| value.clone());
        self.0.iter().map(|axis| value(axis).unwrap_or_default()).collect()
    }

    /// The cells of a row about an experiment, or about a player of it; empty for an axis that is not theirs.
    pub(super) fn cells(&self, experiment: &ExperimentSummary, player: &str) -> Vec<String> {
        let player = experiment.players.iter().find(|other| other.name == player);
        let values = || experiment.swept.iter().chain(player.iter().flat_map(|player| &player.swept));
        let cell = |axis: &String| values().find(|(other, _)| other == axis).map(|(_, value)| value.clone());
        self.0.iter().map(|axis| cell(axis).unwrap_or_default()).collect()
    }
}

/// The columns of success against cost.
const WIDE: &str = "experiment game player search n measure value low high method playouts_per_move plies_per_move \
                    nodes_per_move positions_per_game front_by_positions cpu_ms_per_game cpu_low cpu_high cpu_method \
                    front_by_cpu";

/// Success against cost of every player of every experiment as CSV.
///
/// Each row has the experiment, the game with its options, the player; `n` trials, its measure (`success` or
/// `points` a game, in `[0, 1]`, or `score` and its unit) with the 95 % interval and the method; the playouts, the plies in them and the nodes of a move; the positions
/// (plies and nodes) of a game, and its [place](crate::experiment::Front) by its measure and these positions; the same of processor time, in milliseconds a game with the interval of its mean. A number that is not known is
/// empty: intervals before all trials are done, times of a debug build. The columns from `cpu_ms_per_game` on are of one
/// machine and one run. After these comes a column for each axis of a sweep. If `guards_formulas` is set, text that a
/// spreadsheet would take for a formula begins with an apostrophe.
pub fn figure_csv(summary: &Summary, facts: &RunFacts, guards_formulas: bool) -> String {
    let axes = Axes::of(summary);
    let wide: Vec<&str> = WIDE.split(' ').collect();
    let of_axes = axes.columns(&wide);
    let columns = wide.into_iter().chain(of_axes.iter().map(String::as_str));
    let mut rows = Rows::new(columns, guards_formulas);
    let has_times = facts.is_optimised();
    let known = |is_known: bool, of: &Estimate| if is_known { figure_of(of) } else { Default::default() };
    for experiment in &summary.experiments {
        let games = if experiment.paired { 2.0 } else { 1.0 };
        let fronts = experiment.front_by(|player| player.cpu_ns_a_trial);
        for (player, by_cpu) in experiment.players.iter().zip(fronts) {
            let a_move = |total: u64| (total as f64 / player.moves.max(1) as f64).to_string();
            let about = [&experiment.name, &experiment.game, &player.name, &player.search].map(String::clone);
            let work = [player.playouts, player.plies, player.nodes].map(a_move);
            let positions = (player.positions.value / games).to_string();
            let cpu = player.cpu_ns_a_trial.map(|ns| ns / 1e6 / games);
            let cells = about.into_iter().chain([player.trials.to_string(), Measure::of(experiment).title()]);
            let cells = cells.chain(known(player.trials > 0, &player.result())).chain(work);
            let cells = cells.chain([positions, player.front.name().into()]);
            let cells = cells.chain(known(has_times && player.played > 0, &cpu));
            let cells = cells.chain([if has_times { by_cpu.name() } else { "" }.into()]);
            rows.write(cells.chain(axes.cells(experiment, &player.name)));
        }
    }
    rows.finish()
}
