//! Hindsight optimisation.

use std::sync::Arc;

use super::determinization::{Blind, Determinization};
use super::nested::Nesting;
use super::searcher::forced_move;
use super::{Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree, SearchError, Searcher, Stop, Ties};
use crate::game::{Game, GameExt, Player, Policy, Tally, Turn, with_stack};
use crate::rng::{PlayoutKey, Rng};

/// Hindsight optimisation (Chong, Givan, Chang 2000, "A framework for simulation-based network control via
/// hindsight optimization", CDC; for planning Yoon, Fern, Givan, Kambhampati 2008, "Probabilistic planning via
/// determinization in hindsight", AAAI; for Klondike Bjarnason, Fern, Tadepalli 2009, "Lower bounding Klondike
/// solitaire with Monte-Carlo planning", ICAPS), for solitaires.
///
/// It samples `futures` futures of the game, solves each after each move with all chance outcomes known, and plays the
/// move with the best mean. So the value of a move is an upper bound on its value to a player without that knowledge.
/// All moves are tried in the same futures.
///
/// The [`Foresight`] solves a future. A forced move is played without search. If the budget ends the search, the
/// decision uses the futures solved for every move.
///
/// # Cost
/// Moves × futures solutions.
#[derive(Clone)]
pub struct Hindsight<G> {
    futures: u64,
    foresight: Foresight,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
}

/// The way to solve a future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// A search of every line, feasible near the end of a game.
    Exact,
    /// A nested Monte Carlo search of this level, or one playout at level 0. It finds a lower bound.
    Nested(u32),
}

impl<G: Game> Hindsight<G> {
    /// A search over `futures` futures; `policy` plays the playouts of a nested search.
    ///
    /// # Panics
    /// If `futures` is 0.
    pub fn new(futures: u64, foresight: Foresight, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(futures > 0, "hindsight needs a future");
        Self { futures, foresight, policy, ties }
    }

    /// The payoff of the best line that the foresight finds in a future.
    fn solve(
        &self,
        future: &Determinization<G>,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Result<i32, SearchError> {
        match self.foresight {
            Foresight::Exact => {
                let most = future.facts().max_payoff;
                best_payoff(future, &future.start(), most, 0, meter)
            }
            Foresight::Nested(level) => {
                let mut nesting = Nesting {
                    game: future,
                    policy: &Blind(self.policy.clone()),
                    ties: self.ties,
                    player: Player::FIRST,
                    key,
                    rng: Rng::from_key(key.child(u64::MAX)),
                    playouts: 0,
                    cut: None,
                    meter,
                };
                let line = nesting.search(future.start(), level);
                // An interrupted search is not comparable with the others.
                match nesting.cut {
                    Some(limit) => Err(limit.into()),
                    None => Ok(line.expect("a search that is not cut has a line").payoff),
                }
            }
        }
    }
}

/// The payoff of the best line, `ply` plies from where the search began. A line that pays `most` ends the search.
fn best_payoff<G: Game>(
    game: &G,
    position: &G::Position,
    most: i32,
    ply: u32,
    meter: &mut Meter,
) -> Result<i32, SearchError> {
    if let Some(limit) = meter.limit() {
        return Err(limit.into());
    }
    SearchError::check_depth(ply)?;
    meter.count_node();
    if game.turn(position) == Turn::Over {
        return Ok(game.payoff(position, Player::FIRST));
    }
    let mut best = i32::MIN;
    for (_, child) in game.children(position) {
        best = best.max(with_stack(ply, || best_payoff(game, &child, most, ply + 1, meter))?);
        if best == most {
            break;
        }
    }
    Ok(best)
}

impl<G: Game> Searcher<G> for Hindsight<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if let Some(forced) = forced_move(game, at) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        meter.reserve(u64::from(game.move_count(at)) * size_of::<MoveEstimate<G::Move>>() as u64)?;
        let mut tallies = vec![Tally::default(); game.move_count(at) as usize];
        let mut stop = Stop::Complete;
        'futures: for number in 0..self.futures {
            let key = stream.playouts().child(number);
            let mut payoffs = Vec::with_capacity(tallies.len());
            for (index, (_, child)) in (1..).zip(game.children(at)) {
                let future = Determinization::new(game.clone(), child, key.child(0));
                match self.solve(&future, key.child(index), meter) {
                    Ok(payoff) => payoffs.push(payoff),
                    Err(SearchError::Budget { limit }) => {
                        stop = Stop::Limit(limit);
                        break 'futures;
                    }
                    Err(error) => return Err(error),
                }
            }
            tallies.iter_mut().zip(payoffs).for_each(|(tally, payoff)| tally.record(payoff, 0));
        }
        if let (0, Stop::Limit(limit)) = (tallies[0].playouts, stop) {
            return Err(SearchError::Budget { limit });
        }
        let estimate = |(mv, tally)| MoveEstimate::of(mv, tally);
        let moves: Vec<_> = game.moves(at).zip(&tallies).map(estimate).collect();
        let best = self.ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}
