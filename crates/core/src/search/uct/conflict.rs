//! Options that do not go together: one table for all searches, one more for threads that share a tree.

use super::final_choice::FinalChoice;
use super::parts::{Backup, Expansion, Parallel, Playouts, Prior};
use super::selection::Selection;
use super::settings::{Plain, UctOptions};
use crate::game::options::option_name;

impl<P, E> UctOptions<P, E> {
    /// The first option that does not go together with the others, and the reason with advice. What depends on the game is not checked.
    pub fn conflict(&self) -> Option<(&'static str, String)> {
        let parallel = option_name!(Plain, parallel);
        if let Parallel::Root { trees, threads, .. } = self.parallel
            && threads > trees as usize
        {
            let reason = format!("a tree grows on one thread; write threads = {trees}, or more trees");
            return Some((parallel, reason));
        }
        let traced = self.traced();
        let is_several = matches!(self.parallel, Parallel::Root { .. });
        let (overlaps, solver) = (self.overlaps(), self.solver.is_used());
        let is_relative = matches!(self.backup, Backup::Relative { .. });
        let (root, shares) = (option_name!(Plain, root), self.root.is_used());
        let table = [
            (
                self.selection.wants_priors() && matches!(self.prior, Prior::None {}),
                option_name!(Plain, selection),
                "this selection needs a prior; write prior = \"policy\", \"evaluation\" or \"head\"",
            ),
            (
                shares && (is_several || overlaps || self.parallel.threads() > 1),
                root,
                "this rule waits for each result in one tree; write parallel = \"none\"",
            ),
            (
                self.root.score_weight() > 0.0
                    && !matches!(self.selection, Selection::Rave { .. } | Selection::Grave { .. }),
                root,
                "the AMAF means are those of a selection; write selection = \"grave\" or \"rave\"",
            ),
            (shares && solver, root, "this rule compares values, not proofs; write solver = \"none\""),
            (
                shares && self.final_choice != FinalChoice::Robust,
                root,
                "this rule chooses the move that is played; write final-choice = \"robust\"",
            ),
            (
                is_several && self.memory.keep(),
                parallel,
                "several trees cannot be kept between moves; write keep = false",
            ),
            (
                matches!(self.selection, Selection::Mcps { .. }) && self.memory.keep(),
                option_name!(Plain, memory),
                "permutations are those of moves from the root; write keep = false",
            ),
            (
                is_several && self.playouts.have_memory(),
                parallel,
                "several trees keep nothing between moves; write memory = false in playouts",
            ),
            (
                is_several && solver,
                parallel,
                "several trees are merged by visits, not by proofs; write solver = \"none\"",
            ),
            (
                is_several && self.final_choice != FinalChoice::Robust,
                parallel,
                "several trees are merged by visits; write final-choice = \"robust\"",
            ),
            (
                self.sparse > 0 && solver,
                option_name!(Plain, sparse),
                "sampled outcomes prove nothing about the others; write solver = \"none\"",
            ),
            (
                traced.is_some() && self.playouts.batch() > 1,
                traced.unwrap_or_default(),
                "this uses the moves of each playout; write batch = 1",
            ),
            (
                is_relative && (self.playouts.batch() > 1 || matches!(self.playouts, Playouts::Cut { .. })),
                option_name!(Plain, backup),
                "the bonus is for the length of each whole game; write batch = 1, and no cut playouts",
            ),
            (
                is_relative && matches!(self.selection, Selection::Bayes { .. }),
                option_name!(Plain, backup),
                "with the bonus values are no probabilities, as this selection needs; write selection = \"ucb1\"",
            ),
            (
                traced.is_some() && overlaps,
                parallel,
                "this learns from each playout before the next; write parallel = \"none\"",
            ),
            (
                overlaps && matches!(self.expansion, Expansion::All { .. }),
                parallel,
                "the children of a node are played out in order; write expansion = \"single\"",
            ),
        ];
        let found = table.into_iter().find(|&(is_conflict, ..)| is_conflict);
        let threads = self.parallel.threads();
        let unshared = || {
            self.unshared().filter(|_| threads > 1).map(|(option, advice)| {
                let reason = "several threads in one tree do not support this; write";
                (option, format!("{reason} {advice}, or threads = 1"))
            })
        };
        found.map(|(_, option, reason)| (option, reason.into())).or_else(unshared)
    }

    /// The first option that keeps several threads from growing one tree, and advice. `None` for UCB1, mean values, one child a visit,
    /// playouts to the end of the game that learn nothing, and at most a million of them at once.
    pub(super) fn unshared(&self) -> Option<(&'static str, &'static str)> {
        let (threads, leaves) = (self.parallel.threads() as u64, u64::from(self.parallel.leaves()));
        let table = [
            (
                matches!(self.selection, Selection::Ucb1 { .. }),
                option_name!(Plain, selection),
                "selection = \"ucb1\"",
            ),
            (matches!(self.prior, Prior::None {}), option_name!(Plain, prior), "prior = \"none\""),
            (
                matches!(self.expansion, Expansion::Single { widening: 0.0, .. }),
                option_name!(Plain, expansion),
                "expansion = \"single\" without widening",
            ),
            (self.sparse == 0, option_name!(Plain, sparse), "sparse = 0"),
            (self.backup.is_mean(), option_name!(Plain, backup), "backup = \"mean\""),
            (!self.solver.is_used(), option_name!(Plain, solver), "solver = \"none\""),
            (
                matches!(self.playouts, Playouts::Full { .. }),
                option_name!(Plain, playouts),
                "playouts = \"full\"",
            ),
            (
                !self.memory.keep() && !self.memory.is_graph() && self.memory.recycling() == (0, false),
                option_name!(Plain, memory),
                "memory = \"tree\" without keep, nodes and recycle",
            ),
            (
                threads * leaves * u64::from(self.playouts.batch()) <= 1_000_000,
                option_name!(Plain, parallel),
                "smaller numbers: at most 1 000 000 threads × leaves × batch",
            ),
        ];
        let found = table.into_iter().find(|&(is_shared, ..)| !is_shared);
        found.map(|(_, option, advice)| (option, advice))
    }

    /// The option by which the search reads the moves of its playouts, if it does.
    pub fn traced(&self) -> Option<&'static str> {
        match self.selection {
            Selection::History { .. }
            | Selection::Rave { .. }
            | Selection::Grave { .. }
            | Selection::Mcps { .. } => Some(option_name!(Plain, selection)),
            _ => self.playouts.learn().then_some(option_name!(Plain, playouts)),
        }
    }

    /// Whether leaves are selected before the results of earlier ones are known.
    pub(super) const fn overlaps(&self) -> bool {
        self.parallel.leaves() > 1
    }
}
