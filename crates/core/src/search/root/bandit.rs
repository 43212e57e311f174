//! The searcher: a bandit at the root, and its rules.

use std::sync::Arc;

use super::allocation::{Allocation, Arms};
use super::gumbel::{Gumbel, GumbelState};
use super::rules::{AnytimeHalving, Halving, RoundLength, Ucb1};
use super::thompson::Thompson;
use crate::game::{Batch, Game, PlayoutRequest, Policy, Tally};
use crate::rng::{PlayoutKey, Rng};
use crate::search::ask_tell::choose_alone;
use crate::search::candidates::Candidates;
use crate::search::decision::estimates;
use crate::search::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveStream, NoTree, Opened, SearchError, Searcher, Stop,
    Ties,
};

/// A bandit at the root: a [`Sharing`] divides the playouts of the budget among the moves.
///
/// A forced move is played without playouts. With fewer playouts than moves, some moves get none; their value is 0, and
/// they are not chosen. All rules need a budget, sequential halving and Gumbel a budget of playouts.
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
    state: Option<(Candidates<G>, Bandit)>,
    /// The last requests.
    requests: Vec<PlayoutRequest<G::Position>>,
}

/// The rule that divides the playouts among the moves.
#[derive(Clone)]
pub enum Sharing<G> {
    /// Flat UCB1 (Auer, Cesa-Bianchi, Fischer 2002, "Finite-time analysis of the multiarmed bandit problem",
    /// Machine Learning 47, figure 1): always the move with the largest mean plus
    /// `exploration · √(2 ln n / nᵢ)`, payoffs scaled to [0, 1]. The paper's exploration is 1. The move with the most
    /// playouts is played (Bubeck, Munos, Stoltz 2009, "Pure exploration in multi-armed bandits
    /// problems").
    Ucb1 {
        /// The factor of the confidence term, at least 0.
        exploration: f64,
    },
    /// Sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal exploration in multi-armed bandits",
    /// ICML, algorithm 3): the budget is divided into equal rounds. In each round all remaining moves get equally many
    /// playouts, and then the worse half is dropped.
    Halving,
    /// Anytime sequential halving (Sagers, Winands, Soemers 2024, "Anytime sequential halving in Monte-Carlo tree
    /// search", Computers and Games): repeats halving, from all moves to one, with the smallest possible budget. The
    /// move with the best mean is played.
    AnytimeHalving,
    /// Thompson sampling (Thompson 1933, "On the likelihood that one unknown probability exceeds another",
    /// Biometrika 25; for payoffs in a range Agrawal and Goyal 2012, "Analysis of Thompson sampling for the
    /// multi-armed bandit problem", COLT, algorithm 2): gives each move a playout with the probability that it is the
    /// best. The move with the most playouts is played.
    Thompson,
    /// The root policy of Danihelka et al. 2022, with values from playouts; see [`Gumbel`].
    Gumbel(Gumbel<G>),
}

impl<G: Game> Sharing<G> {
    /// Begins a decision over these moves, of which the one with the number `begin` is the first arm. `budget` is the number of
    /// playouts, if known.
    fn begin(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        begin: usize,
        budget: Option<u64>,
        rng: &mut Rng,
    ) -> Box<dyn Allocation> {
        match self {
            Self::Ucb1 { exploration } => Box::new(Ucb1 { exploration: *exploration, pulls: 0 }),
            Self::Halving => Box::new(Halving::new(moves.len(), budget, RoundLength::Ceiling)),
            Self::AnytimeHalving => Box::new(AnytimeHalving::new(moves.len())),
            Self::Thompson => Box::new(Thompson::new(moves.len())),
            Self::Gumbel(gumbel) => {
                let (mut weights, total) = gumbel.prior(game, position, moves);
                weights.rotate_left(begin);
                let &Gumbel { considered, visit_offset, scale, .. } = gumbel;
                Box::new(GumbelState::new((considered, visit_offset, scale), (&weights, total), budget, rng))
            }
        }
    }
}

/// A decision in progress, which knows the moves by their numbers.
struct Bandit {
    /// The number in the game's order of the first arm: the moves before it are the last arms.
    begin: usize,
    arms: Arms,
    tallies: Vec<Tally>,
    rule: Box<dyn Allocation>,
    key: PlayoutKey,
    rng: Rng,
    /// The moves of the last requests, and their playouts.
    asked: Vec<(usize, Batch)>,
}

impl Bandit {
    /// A decision before its playouts; `rule` makes the rule, given the number of the first arm.
    fn new(
        arms: Arms,
        budget: Option<u64>,
        stream: MoveStream,
        rule: &mut dyn FnMut(usize, &mut Rng) -> Box<dyn Allocation>,
    ) -> Self {
        let (key, mut rng, count) = (stream.playouts(), stream.rng(), arms.len() as u64);
        // With fewer playouts than moves each move has the same chance of one.
        let few = budget.is_some_and(|left| left < count);
        let begin = if few { rng.below(count) as usize } else { 0 };
        let rule = rule(begin, &mut rng);
        let tallies = vec![Tally::default(); arms.len()];
        Self { begin, arms, tallies, rule, key, rng, asked: Vec::new() }
    }

    /// The number in the game's order of an arm.
    fn number(&self, arm: usize) -> usize {
        (self.begin + arm) % self.arms.len()
    }

    /// Asks for the next playouts.
    fn ask(&mut self, meter: &mut Meter) -> Result<(), Stop> {
        meter.limit().map_or(Ok(()), |limit| Err(Stop::Limit(limit)))?;
        let mut left = meter.playouts_left();
        self.asked.clear();
        loop {
            let (arm, count) = self.rule.next(&self.arms, &mut self.rng);
            let (first, count) = (self.arms.pulls(arm), count.min(left));
            self.asked.push((arm, Batch { key: self.key.child(arm as u64), first, count }));
            left -= count;
            if left == 0 || !self.rule.is_round_open(&self.arms) {
                return Ok(());
            }
        }
    }

    fn tell(&mut self, tallies: &[Tally], meter: &mut Meter) {
        for tally in tallies {
            meter.count_playouts(tally);
        }
        for (&(arm, _), &tally) in self.asked.iter().zip(tallies) {
            self.tallies[arm] += tally;
            let Tally { playouts, sum, .. } = self.tallies[arm];
            self.arms.set(arm, playouts, self.tallies[arm].mean(), sum as f64);
        }
    }

    fn decide(mut self, stop: Stop, ties: Ties) -> Result<Decision<usize>, SearchError> {
        if let Stop::Limit(limit) = stop
            && self.tallies.iter().all(|tally| tally.playouts == 0)
        {
            return Err(SearchError::Budget { limit });
        }
        let arm = self.rule.choose(&self.arms, ties, &mut self.rng);
        let chosen = self.number(arm);
        self.tallies.rotate_right(self.begin);
        Ok(Decision { chosen, moves: estimates(&self.tallies), stop })
    }
}

impl<G: Game> RootBandit<G> {
    /// A bandit with this rule and playout policy; `ties` chooses among several best moves.
    pub fn new(rule: Sharing<G>, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        Self { rule, policy, ties, state: None, requests: Vec::new() }
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
        let candidates = match Candidates::new(game, at, meter) {
            Ok(candidates) => candidates,
            Err(decided) => return decided.map(Some),
        };
        let count = candidates.moves.len();
        meter.reserve((count * size_of::<(PlayoutRequest<G::Position>, Tally)>()) as u64)?;
        let budget = Some(meter.playouts_left()).filter(|&left| left < u64::MAX);
        let arms = Arms::new(count, &game.facts());
        let mut rule =
            |begin, rng: &mut Rng| self.rule.begin(game, at, &candidates.moves, begin, budget, rng);
        let bandit = Bandit::new(arms, budget, stream, &mut rule);
        self.state = Some((candidates, bandit));
        Ok(None)
    }

    fn ask(&mut self, _game: &G, meter: &mut Meter) -> Ask<'_, G> {
        let (Candidates { player, children, .. }, bandit) =
            self.state.as_mut().expect("a decision was begun");
        if let Err(stop) = bandit.ask(meter) {
            return Ask::Nothing(stop);
        }
        let request = |&(arm, batch): &(usize, Batch)| PlayoutRequest {
            from: children[bandit.number(arm)],
            player: *player,
            batch,
        };
        self.requests.clear();
        self.requests.extend(bandit.asked.iter().map(request));
        Ask::Playouts { policy: &self.policy, requests: &self.requests }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
        let (_, bandit) = self.state.as_mut().expect("a decision was begun");
        bandit.tell(answer.tallies(), meter);
    }

    fn close(&mut self, _game: &G, _stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        let (candidates, bandit) = self.state.take().expect("a decision was begun");
        Ok(bandit.decide(stop, self.ties)?.between(&candidates.moves))
    }
}
