//! The loop of all bandits at the root.

use std::sync::Arc;

use super::Sharing;
use super::allocation::Allocation;
use super::arms::Arms;
use crate::game::{Batch, Game, GameExt, Player, PlayoutRequest, Policy, Tally, Turn};
use crate::rng::{PlayoutKey, Rng};
use crate::search::conversation::converse;
use crate::search::searcher::forced_move;
use crate::search::{Ask, Converse, Decision, Fault, Meter, MoveEstimate, MoveStream, Searcher, Stop, Ties};

/// A bandit at the root: the playouts that the budget allows, shared out among the moves by a [`Sharing`].
///
/// A forced move is played without playouts. With fewer playouts than moves some moves have none; they have
/// value 0 and are not chosen. Without a budget it never ends; sequential halving and Gumbel need one of playouts.
///
/// # Cost
/// The playouts, and for each the rule's look at all moves.
///
/// # Example: a thousand playouts for all moves together
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Limits, Meter, MoveStream, RootBandit, Sharing, Searcher, Ties};
///
/// let mut halving = RootBandit::new(Sharing::Halving, Arc::new(Uniform), Ties::Random);
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(1000));
/// let stream = MoveStream::new(PlayoutKey::new(1));
/// let decision = halving.choose(&TicTacToe, &TicTacToe.start(), stream, &mut meter).unwrap();
/// assert_eq!(decision.chosen, 4); // the centre
/// assert_eq!(meter.spent().playouts, 1000);
/// ```
pub struct RootBandit<G: Game> {
    rule: Sharing<G>,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    /// The decision that was begun last.
    state: Option<State<G>>,
}

/// A decision in progress.
struct State<G: Game> {
    player: Player,
    moves: Vec<G::Move>,
    /// The positions behind the moves.
    children: Vec<G::Position>,
    arms: Arms,
    rule: Box<dyn Allocation>,
    key: PlayoutKey,
    rng: Rng,
    /// The move whose playouts were asked for last.
    arm: usize,
}

impl<G: Game> RootBandit<G> {
    /// A bandit with this rule and playout policy; `ties` says which of several best moves is played.
    pub fn new(rule: Sharing<G>, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self { rule, policy, ties, state: None }
    }
}

impl<G: Game> Clone for RootBandit<G> {
    /// The same bandit, no decision begun.
    fn clone(&self) -> Self {
        Self::new(self.rule.clone(), Arc::clone(&self.policy), self.ties)
    }
}

impl<G: Game> Searcher<G> for RootBandit<G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        converse(self, game, position, stream, meter)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn conversation(&mut self) -> Option<&mut dyn Converse<G>> {
        Some(self)
    }
}

impl<G: Game> Converse<G> for RootBandit<G> {
    fn open(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Option<Decision<G::Move>>, Fault> {
        let Turn::Player(player) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        if let Some(forced) = forced_move(game, position) {
            return Ok(Some(Decision::unsearched(forced, Stop::Forced)));
        }
        let each = size_of::<(G::Move, G::Position, Tally, MoveEstimate<G::Move>)>() as u64;
        meter.reserve(u64::from(game.move_count(position)) * each)?;
        let (moves, children): (Vec<_>, Vec<_>) = game.children(position).unzip();
        let budget = Some(meter.playouts_left()).filter(|&left| left < u64::MAX);
        let (key, mut rng) = (stream.playouts(), stream.rng());
        let rule = self.rule.begin(game, position, &moves, budget, &mut rng);
        let arms = Arms::new(moves.len(), &game.facts());
        self.state = Some(State { player, moves, children, arms, rule, key, rng, arm: 0 });
        Ok(None)
    }

    fn ask(&mut self, _game: &G, meter: &mut Meter) -> Ask<PlayoutRequest<G::Position>> {
        if let Some(limit) = meter.limit() {
            return Ask::Nothing(Stop::Limit(limit));
        }
        let state = self.state.as_mut().expect("a decision was begun");
        let (arm, count) = state.rule.next(&state.arms, &mut state.rng);
        state.arm = arm;
        let (first, count) = (state.arms.pulls(arm), count.min(meter.playouts_left()));
        let batch = Batch { key: state.key.child(arm as u64), first, count };
        Ask::Playouts(PlayoutRequest { from: state.children[arm], player: state.player, batch })
    }

    fn tell(&mut self, _game: &G, tally: &Tally, meter: &mut Meter) {
        meter.count_playouts(tally);
        let state = self.state.as_mut().expect("a decision was begun");
        state.arms.tallies[state.arm] += *tally;
    }

    fn close(
        &mut self,
        _game: &G,
        _stream: MoveStream,
        stop: Stop,
        _meter: &Meter,
    ) -> Result<Decision<G::Move>, Fault> {
        let State { moves, arms, rule, mut rng, .. } = self.state.take().expect("a decision was begun");
        if let Stop::Limit(limit) = stop
            && arms.tallies.iter().all(|tally| tally.playouts == 0)
        {
            return Err(Fault::Budget { limit });
        }
        let chosen = moves[rule.choose(&arms, self.ties, &mut rng)];
        let estimate = |(mv, tally): (G::Move, Tally)| MoveEstimate {
            mv,
            visits: tally.playouts,
            value: tally.mean(),
            spread: (tally.variance() / tally.playouts.max(1) as f64).sqrt(),
        };
        let moves = moves.into_iter().zip(arms.tallies).map(estimate).collect();
        Ok(Decision { chosen, moves, stop })
    }

    fn policy(&self) -> &Arc<dyn Policy<G>> {
        &self.policy
    }
}
