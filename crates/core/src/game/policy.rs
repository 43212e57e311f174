use std::sync::Arc;

use super::{Batch, Batches, Game, MoveReasons, Path, Player, PlayoutRequest, Tally, play_plain_batches};
use crate::rng::PlayoutRng;

/// A rule that chooses a move without search: a distribution over the legal moves of a position.
///
/// A policy plays games out, and it can be a player. A policy that states its distribution can be compared exactly, by
/// enumeration.
///
/// # Laws
/// - `choose` returns each legal move with the probability that `distribution` states (up to 2⁻³² per move).
/// - `choose` depends on the game, the position and its draws only.
/// - `distribution` names each legal move at most once, with weights that are not all 0.
/// - `play_batches` gives, on every path, the tallies of [`run_playouts`](super::run_playouts).
///
/// # Example: a policy of your own
/// ```
/// use shikou::game::{Batch, Game, Player, Policy, PolicyExt};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::{PlayoutRng, PlayoutKey};
///
/// /// Always plays the first legal move.
/// struct First;
///
/// impl<G: Game> Policy<G> for First {
///     fn choose(&self, game: &G, position: &G::Position, _draws: &mut PlayoutRng) -> G::Move {
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
    /// Chooses a move for the player to move. Called only at a player's turn.
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move;

    /// Each move that may be chosen, with its relative weight. Called at a player's turn only.
    ///
    /// # Cost
    /// Allocates; it is for enumeration and display, not for loops.
    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)>;

    /// The reasons for its choice: for each legal move, in the game's order, its score and the terms of the score.
    /// `None`, the default, if the policy uses no scores. Called at a player's turn only.
    fn reasons(&self, _game: &G, _position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        None
    }

    /// Plays batches of playouts, each from its own position, and writes the tally of each request. Returns the path of
    /// large batches: the fastest one, up to `path`, that the policy has for this game on this processor. Small batches
    /// may take a slower path. Callers use [`PolicyExt`].
    ///
    /// # Cost
    /// One virtual call if the policy is a trait object; everything inside is compiled for the game. Nothing is
    /// allocated.
    fn play_batches(&self, _path: Path, game: &G, batches: Batches<'_, G::Position>) -> Path {
        play_plain_batches(game, self, batches)
    }
}

/// Playouts with a policy: methods that follow from [`Policy::play_batches`]. No policy may redefine them.
///
/// # Example: playouts of two positions in one call
/// ```
/// use shikou::game::{Batch, GameExt, PlayoutRequest, Player, PolicyExt, Tally, Uniform};
/// use shikou::games::othello::Othello;
/// use shikou::rng::PlayoutKey;
/// let game = Othello::default();
/// let requests = ["f5d6", "f5f6"].map(|moves| PlayoutRequest {
///     from: game.follow(moves).unwrap(),
///     player: Player::FIRST,
///     batch: Batch::new(PlayoutKey::new(1), 10),
/// });
/// let mut tallies = [Tally::default(); 2];
/// Uniform.playouts_of_many(&game, &requests, &mut tallies);
/// assert_eq!(tallies[1], Uniform.playouts(&game, &requests[1].from, Player::FIRST, requests[1].batch));
/// ```
pub trait PolicyExt<G: Game>: Policy<G> {
    /// Plays a batch from a position on the fastest path, and tallies the payoffs of `player`.
    #[inline]
    fn playouts(&self, game: &G, from: &G::Position, player: Player, batch: Batch) -> Tally {
        let mut tally = [Tally::default()];
        let request = PlayoutRequest { from: *from, player, batch };
        self.play_batches(Path::best(), game, Batches::new(&[request], &mut tally));
        tally[0]
    }

    /// Plays a batch on a named path, for tests and comparisons of speed: the tally of [`PolicyExt::playouts`]. `None`
    /// if the policy does not have the path for this game, or this processor does not have its instructions. An empty
    /// batch is enough to find out.
    fn playouts_on(
        &self,
        path: Path,
        game: &G,
        from: &G::Position,
        player: Player,
        batch: Batch,
    ) -> Option<Tally> {
        let mut tally = [Tally::default()];
        let request = PlayoutRequest { from: *from, player, batch };
        (self.play_batches(path, game, Batches::new(&[request], &mut tally)) == path).then_some(tally[0])
    }

    /// Plays many batches in one call on the fastest path: for each request, in its place, the tally of
    /// [`PolicyExt::playouts`].
    ///
    /// # Panics
    /// If `tallies` is not as long as `requests`.
    fn playouts_of_many(&self, game: &G, requests: &[PlayoutRequest<G::Position>], tallies: &mut [Tally]) {
        self.play_batches(Path::best(), game, Batches::new(requests, tallies));
    }
}

impl<G: Game, P: Policy<G> + ?Sized> PolicyExt<G> for P {}

/// Chooses every legal move with the same probability, by one draw per turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline(always)]
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        game.random_move(position, draws)
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        game.moves(position).map(|mv| (mv, 1)).collect()
    }

    fn play_batches(&self, path: Path, game: &G, batches: Batches<'_, G::Position>) -> Path {
        game.play_uniform_batches(path, batches)
    }
}

/// A policy in a game's catalogue: a name, a description, and the policy.
#[derive(Clone)]
pub struct NamedPolicy<G> {
    /// The name in manifests, in kebab case.
    pub name: &'static str,
    /// A one-line description.
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
        Self::new("uniform", "every legal move with equal probability", Uniform)
    }
}
