use std::convert::Infallible;
use std::sync::Arc;

use super::final_choice::FinalChoice;
use super::parts::{
    Backup, Expansion, FirstPlay, Memory, Parallel, Playouts, Prior, Recycling, Sight, Solver,
};
use super::root_rule::RootRule;
use super::selection::Selection;
use crate::game::options::{choice, integer, option_name, part, real, settings};
use crate::game::{Evaluation, Policy};
use crate::search::{Ties, ties};

/// The options of a UCT search of a game, with its policies and evaluations.
pub type UctSettings<G> = UctOptions<Arc<dyn Policy<G>>, Arc<dyn Evaluation<G>>>;

settings! {
    /// The options of a UCT search. `new` is plain UCT as published; parts can then be replaced one by one. `P` stands for a policy and
    /// `E` for an evaluation: their names before the game is known, then [those of the game](UctSettings).
    #[derive(Clone, Copy, Debug)]
    pub struct UctOptions<P, E> {
        /// which move is visited next
        selection: Selection = part(),
        /// which move of the root is visited next, and played
        root: RootRule = part(),
        /// the size of the payoffs by which exploration is scaled; 0: of the range that the game states
        scale: f64 = real(0.0..=1e6, 0.0),
        /// the prior of a move, before its first visit
        prior: Prior<P, E> = part(),
        /// the value of an unvisited move
        first_play: FirstPlay = part(),
        /// how a node is expanded
        expansion: Expansion = part(),
        /// sampled outcomes at each chance node; 0: all outcomes
        sparse: u32 = integer(0..=1_000_000, 0),
        /// the value of a node
        backup: Backup<E> = part(),
        /// whether the search proves values
        solver: Solver = part(),
        /// how playouts choose their moves
        policy: P = P::setting(),
        /// how leaves are valued
        playouts: Playouts<E> = part(),
        /// which move is played
        final_choice: FinalChoice = choice([
            ("robust", "the most visits", FinalChoice::Robust),
            ("max", "the largest value", FinalChoice::Max),
            ("secure", "the largest value − 1/√visits", FinalChoice::Secure),
        ]),
        /// how many trees and leaves grow at once
        parallel: Parallel = part(),
        /// what the search remembers, and for how long
        memory: Memory = part(),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

/// The options without their policies and evaluations, for all that does not depend on the game.
pub(in crate::search) type Plain = UctOptions<(), ()>;

impl<P, E> UctOptions<P, E> {
    /// UCT as Kocsis and Szepesvári publish it, with playouts to the end by this policy.
    pub const fn new(policy: P) -> Self {
        Self {
            selection: Selection::Ucb1 { exploration: 1.0 },
            root: RootRule::None {},
            scale: 0.0,
            prior: Prior::None {},
            first_play: FirstPlay::Published {},
            expansion: Expansion::Single { threshold: 1, widening: 0.0 },
            sparse: 0,
            backup: Backup::Mean {},
            solver: Solver::None {},
            policy,
            playouts: Playouts::Full { batch: 1, decisive: Sight::Never },
            final_choice: FinalChoice::Robust,
            parallel: Parallel::None {},
            memory: Memory::Tree { keep: false, nodes: 0, recycle: Recycling::LeastVisited },
            ties: Ties::Random,
        }
    }

    /// The same options with other policies and evaluations. Both functions are told the option that names one, `evaluation` also
    /// the part.
    ///
    /// # Errors
    /// The first error of `policy` or `evaluation`.
    pub fn resolve<Q, F, X>(
        self,
        mut policy: impl FnMut(&'static str, P) -> Result<Q, X>,
        mut evaluation: impl FnMut(&'static str, &'static str, E) -> Result<F, X>,
    ) -> Result<UctOptions<Q, F>, X> {
        let chosen = policy(option_name!(Plain, policy), self.policy)?;
        let backup =
            self.backup.resolve(|named| evaluation(option_name!(Plain, backup), "implicit", named))?;
        let playouts =
            self.playouts.resolve(|named| evaluation(option_name!(Plain, playouts), "cut", named))?;
        let option = option_name!(Plain, prior);
        let prior = match self.prior {
            Prior::None {} => Prior::None {},
            Prior::Policy { policy: named } => {
                Prior::Policy { policy: named.map(|named| policy(option, named)).transpose()? }
            }
            Prior::Head { evaluation: named } => {
                Prior::Head { evaluation: evaluation(option, "head", named)? }
            }
            Prior::Evaluation { evaluation: named, scale, minimax } => {
                Prior::Evaluation { evaluation: evaluation(option, "evaluation", named)?, scale, minimax }
            }
        };
        let Self { selection, root, scale, first_play, expansion, sparse, solver, .. } = self;
        let Self { final_choice, parallel, memory, ties, .. } = self;
        Ok(UctOptions {
            selection,
            root,
            scale,
            prior,
            first_play,
            expansion,
            sparse,
            backup,
            solver,
            policy: chosen,
            playouts,
            final_choice,
            parallel,
            memory,
            ties,
        })
    }

    pub(in crate::search) fn plain(self) -> Plain {
        let Ok(plain) = self.resolve(|_, _| Ok::<(), Infallible>(()), |_, _, _| Ok(()));
        plain
    }
}
