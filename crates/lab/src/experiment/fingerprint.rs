//! The fingerprints of a plan: one for each game, policy, evaluation, list of rules and searcher that it uses.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::engines::hashes;
use super::manifest::Manifest;
use super::manifest::filled::waits_for;
use super::manifest::openings::{Balance, Openings};
use super::manifest::optimisation::Optimisation;
use super::plan::Plan;

/// Checksums of behaviour by name, such as `searcher uct` or `policy othello/uniform`; see
/// [`AnyGame::fingerprints`](crate::players::AnyGame::fingerprints).
///
/// A log names the fingerprints of what its plan uses. A build continues it unless one that both know differs, so a changed
/// or new searcher stops the logs of those plans only that use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprints(BTreeMap<String, String>);

/// Something whose behaviour differs between two builds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// What it is.
    pub name: String,
    /// Its fingerprint in the log.
    pub theirs: String,
    /// Its fingerprint in this build.
    pub ours: String,
}

impl Fingerprints {
    /// The fingerprints of what a plan uses, in this build.
    ///
    /// # Cost
    /// Some tens of milliseconds for each searcher, less for everything else.
    pub fn of(plan: &Plan) -> Self {
        let mut all = BTreeMap::new();
        for experiment in plan.experiments() {
            let judge = match &experiment.openings {
                Openings::Random { balance: Some(Balance { judge, .. }), .. } => Some(judge),
                _ => None,
            };
            let searchers: Vec<_> =
                experiment.players.iter().map(|player| &player.searcher).chain(judge).collect();
            all.extend(experiment.game.fingerprints(&searchers));
        }
        Self(all)
    }

    /// The same with those of what trainings use: the players that they meet, and their judges. A player that waits for a
    /// result is left out.
    #[must_use]
    pub fn with_trainings(mut self, manifest: &Manifest) -> Self {
        for training in manifest.trainings() {
            let judges = training.judge.iter().flat_map(|judge| &judge.against);
            let players = training.players.iter().chain(judges).map(|player| &player.searcher);
            let players: Vec<_> = players.filter(|player| waits_for(player).is_none()).collect();
            self.0.extend(training.game.fingerprints(&players));
        }
        self
    }

    /// The same with the hashes of the programs and files of the plan's engines, on this machine.
    #[must_use]
    pub fn with_engines(mut self, plan: &Plan) -> Self {
        self.0.extend(hashes(plan));
        self
    }

    /// The hashes of programs and files among them.
    pub(super) fn of_engines(&self) -> Self {
        let is_of_engine = |name: &str| name.starts_with("program ") || name.starts_with("file ");
        Self(self.0.clone().into_iter().filter(|(name, _)| is_of_engine(name)).collect())
    }

    /// The fingerprints of what an optimisation uses, in this build.
    pub(super) fn of_optimisation(optimisation: &Optimisation) -> Self {
        let mut all = BTreeMap::new();
        for run in &optimisation.runs {
            let judges = run.judge.iter().flat_map(|judge| &judge.against);
            let opponents = run.fitness.against.players().iter().chain(judges).map(|player| &player.searcher);
            let filled = run.genes.trials().into_iter().next();
            let filled = filled.and_then(|(_, genes)| run.genes.player(&run.player, &genes).ok());
            let searchers: Vec<_> = opponents.chain(&filled).collect();
            all.extend(run.game.fingerprints(&searchers));
        }
        Self(all)
    }

    /// Reads the [text form](fmt::Display); `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let entry = |text: &str| text.rsplit_once(' ').map(|(name, number)| (name.into(), number.into()));
        text.split("; ").map(entry).collect::<Option<_>>().map(Self)
    }

    /// The first thing that another build knows too, and whose behaviour differs there.
    pub fn differing(&self, theirs: &Self) -> Option<Differing> {
        self.0.iter().find_map(|(name, ours)| {
            let theirs = theirs.0.get(name).filter(|&theirs| theirs != ours)?;
            Some(Differing { name: name.clone(), theirs: theirs.clone(), ours: ours.clone() })
        })
    }

    /// Adds others.
    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Fingerprints {
    /// Each name and its fingerprint, with `; ` between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, number)) in self.0.iter().enumerate() {
            write!(f, "{}{name} {number}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_common_name_can_differ() {
        let read = |text: &str| Fingerprints::parse(text).unwrap();
        let theirs = read("game othello(size=6) 01; searcher uct 02");
        assert_eq!(theirs.to_string(), "game othello(size=6) 01; searcher uct 02");
        assert_eq!(read("searcher flat 07; searcher uct 02").differing(&theirs), None);
        let (name, their, our) = ("searcher uct".into(), "02".into(), "03".into());
        let differing = Differing { name, theirs: their, ours: our };
        assert_eq!(read("game othello(size=6) 01; searcher uct 03").differing(&theirs), Some(differing));
        assert_eq!(Fingerprints::parse("searcher"), None);
    }
}
