//! The games of a folder of results, filtered.

use clap::Args;

use crate::cli::error::Result;
use crate::cli::groups::{OutputArguments, words};
use crate::experiment::{Experiment, GameRecord, Log, Plan, Record, Results};
use crate::game::Outcome;
use crate::game::options::OptionError;
use crate::report::{Document, Table, counted, is_or_are, object};

/// The choice of the games that are listed.
#[derive(Args)]
pub(super) struct Filter {
    /// List the games of this player; a part of its name is enough
    #[arg(long, value_name = "NAME", conflicts_with = "id")]
    player: Option<String>,
    /// List the games with this result, of the player or of the first seat
    #[arg(long, value_name = "RESULT", conflicts_with = "id", value_parser = words(RESULTS))]
    result: Option<Outcome>,
    /// List the games that failed, and those that an engine lost without finishing them
    #[arg(long, conflicts_with_all = ["id", "result"])]
    failed: bool,
    /// List the longest games first
    #[arg(long, conflicts_with = "id")]
    longest: bool,
    /// The most games to list
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "id")]
    most: usize,
}

const RESULTS: [(&str, &str, Outcome); 3] = [
    ("win|won|solved", "Won, or solved", Outcome::Win),
    ("draw|drawn", "Drawn", Outcome::Draw),
    ("loss|lost|unsolved", "Lost, or not solved", Outcome::Loss),
];

struct Listed<'p> {
    experiment: &'p Experiment,
    trial: String,
    number: usize,
    record: GameRecord,
}

impl Listed<'_> {
    /// The names of the players in seat order.
    fn players(&self) -> Vec<&str> {
        self.record.seats.iter().map(|seat| self.experiment.players[seat.player].name.as_str()).collect()
    }
}

pub(super) fn list(results: &Results, plan: &Plan, filter: &Filter, output: &OutputArguments) -> Result {
    let log = Log::read(&results.log(), plan)?;
    filter.check(plan)?;
    let mut listed: Vec<Listed<'_>> = Vec::new();
    for (index, experiment) in plan.experiments().enumerate() {
        for record in log.records(index) {
            let record: Record = record?;
            if plan.is_repeated(&record.trial) {
                continue;
            }
            let trial = plan.id(&record.trial).to_string();
            let games = record.games.into_iter().zip(1..).map(|(record, number)| Listed {
                experiment,
                trial: trial.clone(),
                number,
                record,
            });
            listed.extend(games.filter(|game| filter.passes(game)));
        }
    }
    if filter.longest {
        listed.sort_by_key(|game| std::cmp::Reverse(game.record.plies));
    }
    let (found, shown) = (listed.len(), listed.len().min(filter.most));
    // `docs/results.md` describes them.
    let games = listed[..shown].iter().map(|game| {
        let (ended, record) = (game.record.result.as_ref().ok(), &game.record);
        object! {
            trial: &game.trial, experiment: &game.experiment.name, number: game.number,
            players: game.players(),
            outcome: ended.map(|(outcome, _)| outcome.to_str()), margin: ended.map(|(_, margin)| *margin),
            failure: record.failure(), plies: record.plies,
        }
    });
    let content = object! { found, games: games.collect::<Vec<_>>() };
    if listed.is_empty() {
        let document = Document(vec!["no game of these results passes the filter".into()]);
        return output.show("trial", content, document);
    }
    let mut last = counted(found as u64, "game");
    if shown < found {
        last = format!("{last}, of which {shown} {} shown; --most N shows more", is_or_are(shown as u64));
    }
    last.push_str(". Give the name of a trial to play it again.");
    let document = Document(vec![table(&listed[..shown]).into(), last.into()]);
    output.show("trial", content, document)
}

impl Filter {
    fn check(&self, plan: &Plan) -> Result {
        let names = || plan.experiments().flat_map(|e| &e.players).map(|player| player.name.as_str());
        match &self.player {
            Some(part) if !names().any(|name| name.contains(part.as_str())) => {
                let mut names: Vec<&str> = names().collect();
                names.sort_unstable();
                names.dedup();
                Err(OptionError::unknown("player", part, names).into())
            }
            _ => Ok(()),
        }
    }

    fn passes(&self, game: &Listed<'_>) -> bool {
        let Listed { experiment, record, .. } = game;
        let is_wanted = |seat: usize| {
            let name = &experiment.players[record.seats[seat].player].name;
            let result = || {
                record
                    .result
                    .as_ref()
                    .ok()
                    .map(|(outcome, _)| if seat == 0 { *outcome } else { outcome.reversed() })
            };
            self.player.as_ref().is_none_or(|part| name.contains(part.as_str()))
                && self.result.is_none_or(|wanted| result() == Some(wanted))
        };
        // Without a player, the result is that of the first seat.
        let seats = if self.player.is_some() { record.seats.len() } else { 1 };
        (!self.failed || record.failure().is_some()) && (0..seats).any(is_wanted)
    }
}

fn table(listed: &[Listed<'_>]) -> Table {
    let mut table =
        Table::new(&["<trial", ">game", "<players, first seat first", "<result", ">margin", ">plies"]);
    for game in listed {
        let Listed { trial, number, record, .. } = game;
        let (result, margin) = match &record.result {
            Ok((outcome, margin)) => {
                let by = record.forfeit.iter().map(|reason| format!(", by {reason}"));
                (outcome.to_string() + &by.collect::<String>(), margin.to_string())
            }
            Err(failure) => (format!("failed: {failure}"), "–".into()),
        };
        table.row([
            trial,
            &number.to_string(),
            &game.players().join(" – "),
            &result,
            &margin,
            &record.plies.to_string(),
        ]);
    }
    table
}
