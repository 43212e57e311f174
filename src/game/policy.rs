//! Policies: distributions over the moves of a position.

use std::sync::Arc;

use super::{
    Batch, Game, MoveReasons, Path, PlainStage, Player, PlayoutRequest, PlyOf, Tally, run_playouts, run_stage,
};
use crate::rng::Draws;

/// A way of choosing a move without search: a distribution over the legal moves of a position.
///
/// A policy plays games out, and it can sit down as a player. What states its distribution can be compared
/// exactly, by enumeration.
///
/// # Laws
/// - `choose` returns a legal move, and is distributed as `distribution` says (up to 2⁻³² a move).
/// - `choose` depends on the game, the position and its draws only.
/// - `distribution` names each legal move at most once, with weights that are not all 0.
/// - `playouts` gives exactly the tally of [`run_playouts`], and so does `playouts_on` on every path that it has;
///   `playouts_of_many` gives that for each request.
///
/// # Example: a policy of one's own
/// ```
/// use shikou::game::{Batch, Game, Player, Policy};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::{Draws, PlayoutKey};
///
/// /// The first legal move, always.
/// struct First;
///
/// impl<G: Game> Policy<G> for First {
///     fn choose(&self, game: &G, position: &G::Position, _draws: &mut Draws) -> G::Move {
///         game.moves(position).next().expect("a player's turn has a move")
///     }
///     fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
///         game.moves(position).take(1).map(|mv| (mv, 1)).collect()
///     }
/// }
///
/// let game = TicTacToe::default();
/// let batch = Batch::new(PlayoutKey::new(1), 10);
/// // x takes a1, c1, b2 and then a3, the corner across.
/// assert_eq!(First.playouts(&game, &game.start(), Player::FIRST, batch).mean(), 1.0);
/// ```
pub trait Policy<G: Game>: Send + Sync {
    /// A move for the player whose turn it is. Called at a player's turn only.
    fn choose(&self, game: &G, position: &G::Position, draws: &mut Draws) -> G::Move;

    /// Each move that may be chosen, with its relative weight. Called at a player's turn only.
    ///
    /// # Cost
    /// Allocates; it is for enumeration and display, not for loops.
    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)>;

    /// Why it plays as it does: for each legal move, in the game's order, its score and where that comes from. `None`, as
    /// by default: it does not go by scores. Called at a player's turn only.
    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        let _ = (game, position);
        None
    }

    /// Plays a batch out from a position and adds up what `player` got.
    ///
    /// # Cost
    /// One virtual call a batch where the policy is a trait object; inside, everything is static.
    fn playouts(&self, game: &G, from: &G::Position, player: Player, batch: Batch) -> Tally {
        run_playouts(game, self, from, player, batch)
    }

    /// Plays a batch out on a named path, for tests and comparisons of speed: the tally of [`Policy::playouts`]. `None`
    /// where the policy has no such path for this game, or this processor not its instructions. By default the portable
    /// path is the plain loop, and there is no other.
    fn playouts_on(
        &self,
        path: Path,
        game: &G,
        from: &G::Position,
        player: Player,
        batch: Batch,
    ) -> Option<Tally> {
        (path == Path::Portable).then(|| run_playouts(game, self, from, player, batch))
    }

    /// Plays many batches out, each from a position of its own, in one call: for each request, in its place, the tally
    /// of [`Policy::playouts`]. See [`Game::uniform_playouts_of_many`].
    ///
    /// # Panics
    /// Where there are not as many places for tallies as requests.
    fn playouts_of_many(&self, game: &G, requests: &[PlayoutRequest<G::Position>], tallies: &mut [Tally]) {
        assert_eq!(requests.len(), tallies.len(), "each request has a place for its tally");
        for (request, tally) in requests.iter().zip(tallies) {
            *tally = self.playouts(game, &request.from, request.player, request.batch);
        }
    }

    /// Runs a part of the plain loop alone, to be timed: once for every ply, each of which must have this part.
    ///
    /// # Cost
    /// One virtual call where the policy is a trait object; inside, everything is static.
    fn run_stage(&self, game: &G, stage: PlainStage, plies: &[PlyOf<G>]) {
        run_stage(game, self, stage, plies);
    }
}

/// Every legal move is as likely; one draw a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline(always)]
    fn choose(&self, game: &G, position: &G::Position, draws: &mut Draws) -> G::Move {
        game.random_move(position, draws)
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        game.moves(position).map(|mv| (mv, 1)).collect()
    }

    fn playouts(&self, game: &G, from: &G::Position, player: Player, batch: Batch) -> Tally {
        game.uniform_playouts(from, player, batch)
    }

    fn playouts_on(
        &self,
        path: Path,
        game: &G,
        from: &G::Position,
        player: Player,
        batch: Batch,
    ) -> Option<Tally> {
        game.uniform_playouts_on(path, from, player, batch)
    }

    fn playouts_of_many(&self, game: &G, requests: &[PlayoutRequest<G::Position>], tallies: &mut [Tally]) {
        game.uniform_playouts_of_many(requests, tallies);
    }
}

/// A policy as a game offers it to manifests: a name, a line about it, and the policy.
#[derive(Clone)]
pub struct NamedPolicy<G> {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// The policy.
    pub policy: Arc<dyn Policy<G>>,
}

impl<G: Game> NamedPolicy<G> {
    /// A policy under a name.
    pub fn new(name: &'static str, about: &'static str, policy: impl Policy<G> + 'static) -> Self {
        Self { name, about, policy: Arc::new(policy) }
    }

    /// The uniform policy, which every game has.
    pub fn uniform() -> Self {
        Self::new("uniform", "every legal move is as likely", Uniform)
    }
}
