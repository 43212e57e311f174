//! The searcher: a bandit at the root.

use std::sync::Arc;

use super::Sharing;
use super::allocation::Allocation;
use super::arms::Arms;
use crate::game::{Batch, Game, GameExt, Player, PlayoutRequest, Policy, Tally};
use crate::rng::{PlayoutKey, Rng};
use crate::search::ask_tell::choose_alone;
use crate::search::searcher::player_to_search;
use crate::search::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree, Opened, SearchError,
    Searcher, Stop, Ties,
};

/// A bandit at the root: a [`Sharing`] divides the playouts of the budget among the moves.
///
/// A forced move is played without playouts. With fewer playouts than moves, some moves get none; their value is 0, and
/// they are not chosen. The search needs a budget; sequential halving and Gumbel need a budget of playouts.
///
/// # Cost
/// The playouts, and for each request a pass of the rule over all moves. Sequential halving and Gumbel ask for a
/// round in one call.
///
/// # Example: a thousand playouts in total
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
    /// The decision in progress.
    state: Option<State<G>>,
}

/// A decision in progress.
struct State<G: Game> {
    player: Player,
    /// The moves from the one at this place in the game's order on, and then those before it.
    moves: Vec<G::Move>,
    begin: usize,
    /// The position after each move.
    children: Vec<G::Position>,
    arms: Arms,
    rule: Box<dyn Allocation>,
    key: PlayoutKey,
    rng: Rng,
    /// The moves of the last requests.
    asked: Vec<usize>,
    /// The last requests.
    requests: Vec<PlayoutRequest<G::Position>>,
}

impl<G: Game> RootBandit<G> {
    /// A bandit with this rule and playout policy; `ties` chooses among several best moves.
    pub fn new(rule: Sharing<G>, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self { rule, policy, ties, state: None }
    }
}

impl<G: Game> Clone for RootBandit<G> {
    /// A copy of the settings, without the decision in progress.
    fn clone(&self) -> Self {
        Self::new(self.rule.clone(), Arc::clone(&self.policy), self.ties)
    }
}

impl<G: Game> Searcher<G> for RootBandit<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        choose_alone(self, game, at, stream, meter)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        Some(self)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}

impl<G: Game> AskTell<G> for RootBandit<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        let player = match player_to_search(game, at) {
            Ok(player) => player,
            Err(forced) => return Ok(Some(forced)),
        };
        let each = size_of::<(G::Move, G::Position, Tally, MoveEstimate<G::Move>)>() as u64;
        meter.reserve(u64::from(game.move_count(at)) * each)?;
        let (mut moves, mut children): (Vec<_>, Vec<_>) = game.children(at).unzip();
        let budget = Some(meter.playouts_left()).filter(|&left| left < u64::MAX);
        let (key, mut rng) = (stream.playouts(), stream.rng());
        // With fewer playouts than moves each move has the same chance of one.
        let few = budget.is_some_and(|left| left < moves.len() as u64);
        let begin = if few { rng.below(moves.len() as u64) as usize } else { 0 };
        moves.rotate_left(begin);
        children.rotate_left(begin);
        let rule = self.rule.begin(game, at, &moves, budget, &mut rng);
        let arms = Arms::new(moves.len(), &game.facts());
        let (asked, requests) = (Vec::new(), Vec::new());
        self.state = Some(State { player, moves, begin, children, arms, rule, key, rng, asked, requests });
        Ok(None)
    }

    fn ask(&mut self, _game: &G, meter: &mut Meter) -> Ask<'_, G> {
        if let Some(limit) = meter.limit() {
            return Ask::Nothing(Stop::Limit(limit));
        }
        let state = self.state.as_mut().expect("a decision was begun");
        state.asked.clear();
        state.requests.clear();
        let mut left = meter.playouts_left();
        loop {
            let (arm, count) = state.rule.next(&state.arms, &mut state.rng);
            let (first, count) = (state.arms.pulls(arm), count.min(left));
            let batch = Batch { key: state.key.child(arm as u64), first, count };
            state.asked.push(arm);
            state.requests.push(PlayoutRequest { from: state.children[arm], player: state.player, batch });
            left -= count;
            if left == 0 || !state.rule.is_round_open() {
                return Ask::Playouts { policy: &self.policy, requests: &state.requests };
            }
        }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
        let state = self.state.as_mut().expect("a decision was begun");
        for (&arm, &tally) in state.asked.iter().zip(answer.tallies()) {
            meter.count_playouts(&tally);
            state.arms.tallies[arm] += tally;
        }
    }

    fn close(&mut self, _game: &G, _stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        let State { moves, begin, arms, rule, mut rng, .. } =
            self.state.take().expect("a decision was begun");
        if let Stop::Limit(limit) = stop
            && arms.tallies.iter().all(|tally| tally.playouts == 0)
        {
            return Err(SearchError::Budget { limit });
        }
        let chosen = moves[rule.choose(&arms, self.ties, &mut rng)];
        let estimate = |(mv, tally)| MoveEstimate::of(mv, tally);
        let mut moves: Vec<_> = moves.into_iter().zip(&arms.tallies).map(estimate).collect();
        moves.rotate_right(begin);
        Ok(Decision { chosen, moves, stop })
    }
}
