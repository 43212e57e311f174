use std::sync::Arc;

use super::candidates::{Estimated, decide};
use super::decision::estimates;
use super::determinization::{Determinization, Foreseen};
use super::nested::Nesting;
use super::{Decided, Meter, MoveStream, NoTree, SearchError, Searcher, Stop, Ties};
use crate::game::{Game, Player, Policy, Tally, Turn, with_stack};
use crate::rng::{PlayoutKey, Rng};

/// Hindsight optimisation (Chong, Givan, Chang 2000, "A framework for simulation-based network control via
/// hindsight optimization", CDC; for planning Yoon, Fern, Givan, Kambhampati 2008, "Probabilistic planning via
/// determinization in hindsight", AAAI; for Klondike Bjarnason, Fern, Tadepalli 2009, "Lower bounding Klondike
/// solitaire with Monte-Carlo planning", ICAPS), for solitaires.
///
/// The search samples `futures` futures of the game, solves each after each move with all chance outcomes known, and plays the
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
        game: &Determinization<'_, G>,
        from: G::Position,
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Result<i32, SearchError> {
        let start = game.start(from);
        match self.foresight {
            Foresight::Exact => best_payoff(game, &start, game.game.facts().max_payoff, 0, meter),
            Foresight::Nested(level) => {
                let (policy, rng) = (&*self.policy, Rng::from_key(key.child(u64::MAX)));
                let (ties, memory) = (self.ties, true);
                let mut nesting =
                    Nesting { game, policy, ties, memory, key, rng, playouts: 0, cut: None, meter };
                let line = nesting.search(start, level);
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
    game: &Determinization<'_, G>,
    at: &Foreseen<G::Position>,
    most: i32,
    ply: u32,
    meter: &mut Meter,
) -> Result<i32, SearchError> {
    meter.check()?;
    SearchError::check_depth(ply)?;
    meter.count_node();
    if game.game.turn(&at.position) == Turn::Over {
        return Ok(game.game.payoff(&at.position, Player::FIRST));
    }
    let mut best = i32::MIN;
    for mv in game.game.moves(&at.position) {
        let mut child = *at;
        game.apply(&mut child, mv);
        best = best.max(with_stack(ply, || best_payoff(game, &child, most, ply + 1, meter))?);
        if best == most {
            break;
        }
    }
    Ok(best)
}

/// Estimates of moves by their payoffs in the futures. `solve` finds the payoff of a move in a future, both by number.
fn in_futures(
    futures: u64,
    moves: usize,
    solve: &mut dyn FnMut(usize, u64) -> Result<i32, SearchError>,
) -> Estimated {
    let mut tallies = vec![Tally::default(); moves];
    let mut stop = Stop::Complete;
    for number in 0..futures {
        let payoffs: Result<Vec<i32>, _> = (0..moves).map(|index| solve(index, number)).collect();
        match payoffs {
            Ok(payoffs) => {
                tallies.iter_mut().zip(payoffs).for_each(|(tally, payoff)| tally.record(payoff, 0));
            }
            Err(SearchError::Budget { limit }) if number > 0 => {
                stop = Stop::Limit(limit);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok((estimates(&tallies), stop))
}

impl<G: Game> Searcher<G> for Hindsight<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        decide(game, at, stream, meter, self.ties, &mut |candidates, meter| {
            let mut solve = |index: usize, number| {
                let key = stream.playouts().child(number);
                let future = Determinization { game, key: Some(key.child(0)) };
                self.solve(&future, candidates.children[index], key.child(index as u64 + 1), meter)
            };
            in_futures(self.futures, candidates.moves.len(), &mut solve)
        })
    }

    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}
