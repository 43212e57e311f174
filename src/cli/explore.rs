//! Games for the page: which, and what is asked of other players.

use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::optimise::read_optimisations;
use super::stop::time;
use super::trial::named;
use crate::experiment::{ExplorerGames, Log, Plan, Results, Source, Summary, Wish, explore};
use crate::game::options::OptionError;
use crate::players::Registry;

/// Which games the page has.
#[derive(Args)]
pub(super) struct ExploreArguments {
    /// Put N games into the page, played again with every decision: the first, closest, longest and shortest of each
    /// experiment, and the one in which the best two players part earliest
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        default_missing_value = "12",
        value_parser = clap::value_parser!(u16).range(1..=500)
    )]
    games: Option<u16>,
    /// Put the games of this trial into the page, and no others; the beginning of its name is enough; repeatable
    #[arg(long, value_name = "NAME")]
    trial: Vec<String>,
    /// Ask this player what it would have played; repeatable [default: the best two of each experiment]
    #[arg(long, value_name = "PLAYER")]
    ask: Vec<String>,
    /// The time limit for replaying games and asking players
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    explore_time: Duration,
}

impl ExploreArguments {
    /// Refuses games without a page.
    pub(super) fn check(&self, has_page: bool) -> Result {
        let asked = [
            (self.games.is_some(), "--games"),
            (!self.trial.is_empty(), "--trial"),
            (!self.ask.is_empty(), "--ask"),
        ];
        match asked.into_iter().find(|(is_asked, _)| *is_asked && !has_page) {
            Some((_, option)) => Err(usage!(
                "{option} is about the games of a page; add --html, as in `shikou report FOLDER --html --games 12`, or show one \
                 game with `shikou trial FOLDER NAME`"
            )),
            None if !self.ask.is_empty() && !self.is_wanted() => {
                Err(usage!("--ask needs games to ask about; add --games 12"))
            }
            None => Ok(()),
        }
    }

    fn is_wanted(&self) -> bool {
        self.games.is_some() || !self.trial.is_empty()
    }

    /// The games of the results in a folder, if any are wanted.
    pub(super) fn of_log(
        &self,
        plan: &Plan,
        log: &Log,
        summary: &Summary,
        folder: &Path,
    ) -> Result<Option<ExplorerGames>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        self.explore(plan, Source::Log(log), summary, folder).map(Some)
    }

    /// The games of a committed reference, played from its manifest, if any are wanted. If the manifest cannot be played
    /// here, the reason is what there is.
    pub(super) fn of_reference(
        &self,
        registry: &Registry,
        folder: &Path,
        summary: &Summary,
    ) -> Result<Option<ExplorerGames>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let plan = || -> Result<Plan> {
            let results = Results::open_reference(folder)?;
            let (manifest, _) = read_optimisations(results.read_manifest(registry)?, folder)?;
            Ok(Plan::new(&manifest)?)
        };
        match plan() {
            Ok(plan) => self.explore(&plan, Source::Reference(folder), summary, folder).map(Some),
            Err(error) => {
                let missing = format!("The games cannot be played again: {}.", error.reason());
                Ok(Some(ExplorerGames { games: Vec::new(), missing: vec![missing] }))
            }
        }
    }

    fn explore(
        &self,
        plan: &Plan,
        source: Source<'_>,
        summary: &Summary,
        folder: &Path,
    ) -> Result<ExplorerGames> {
        let names =
            || plan.experiments().flat_map(|experiment| &experiment.players).map(|player| &*player.name);
        if let Some(unknown) = self.ask.iter().find(|asked| !names().any(|name| name == asked.as_str())) {
            return Err(OptionError::unknown("player", unknown, names()).into());
        }
        let trials = self.trial.iter().map(|id| named(plan, id, folder)).collect::<Result<_, _>>()?;
        let wish = Wish {
            games: self.games.map_or(usize::MAX, usize::from),
            trials,
            others: self.ask.clone(),
            time: self.explore_time,
        };
        let mut found = explore(plan, source, summary, &wish).map_err(CommandError::Usage)?;
        for (experiment, other) in &plan.manifest().waiting {
            found.missing.push(format!("{experiment} has no games here: it waits for {other}."));
        }
        Ok(found)
    }
}
