//! The exact end of a solitaire of chance.
//!
//! The key decision: any searcher plays the game, and where few turns of chance are left, an exhaustive search decides instead. It
//! counts positions, not time, so the decision is the same everywhere. Rejected: an end game inside each searcher, and a limit
//! in plies, which cuts one line before a card and another after it.

mod tree;

use self::tree::Tree;
use super::candidates::forced_move;
use super::{
    Branches, Decided, Decision, Distribution, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop,
    TreeExtent,
};
use crate::game::{Game, GameExt, MoveReasons, Turn};
use crate::search::tree::Bounds;

/// A searcher of a solitaire whose last turns of chance are played exactly: by expectimax (Michie 1966) over the positions before
/// chance, each met once, with cuts by Star1 (Ballard 1983). If the search would look at too many positions, the searcher decides.
///
/// The values of the moves are expected payoffs; that of a move which is worse than the chosen one, or not looked at because that
/// wins for certain, may be an upper bound. Of several best moves it plays the first that it found.
///
/// # Cost
/// Up to `positions` positions for each decision with few turns of chance left, also where the searcher decides in the end. They
/// count as nodes, but not against the budget of the searcher.
///
/// # Example: the last cards
/// ```
/// use shikou::game::Game;
/// use shikou::games::calculation::Calculation;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{ExactEnd, Limits, Meter, MoveStream, PolicyPlayer, Searcher};
/// use std::sync::Arc;
///
/// let game = Calculation::default().with_piles(3);
/// let witness = game.parse_position("up 10 10 9 10 | piles 7 / 5J9K / KKQJK | stock 4T | hand 9").unwrap();
/// let random = PolicyPlayer::new(Arc::new(shikou::game::Uniform));
/// let mut player = ExactEnd::new(Box::new(random), 3, 10_000);
/// let mut meter = Meter::new(Limits::default());
/// let stream = MoveStream::new(PlayoutKey::new(1));
/// let decision = player.choose(&game, &witness, stream, &mut meter).unwrap();
/// let best = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
/// assert_eq!(best.value, 1.0);
/// ```
pub struct ExactEnd<G: Game> {
    searcher: Box<dyn Searcher<G>>,
    turns: u32,
    positions: u64,
    tree: Tree<G>,
    /// Whether the last decision was its own.
    decided: bool,
}

impl<G: Game> ExactEnd<G> {
    /// Plays the last `turns` turns of chance exactly, where that takes at most `positions` positions a decision.
    pub fn new(searcher: Box<dyn Searcher<G>>, turns: u32, positions: u64) -> Self {
        Self { searcher, turns, positions, tree: Tree::new(), decided: false }
    }

    /// Whether some line to the end has few enough turns of chance.
    fn is_near(&self, game: &G, position: &G::Position) -> bool {
        let (mut position, mut turns) = (*position, 0);
        loop {
            let chance = match game.turn(&position) {
                Turn::Over => return true,
                turn => turn == Turn::Chance,
            };
            turns += u32::from(chance);
            let next = game.legal(&position).next();
            match next.filter(|_| turns <= self.turns) {
                Some(mv) => game.apply(&mut position, mv),
                None => return false,
            }
        }
    }

    /// The decision by the exact search, if the end is near enough, and the positions looked at.
    fn decide(
        &mut self,
        game: &G,
        position: &G::Position,
        meter: &Meter,
    ) -> (Option<Decision<G::Move>>, u64) {
        if forced_move(game, position).is_some() || !self.is_near(game, position) {
            return (None, 0);
        }
        let most = self.positions.min(meter.memory_left() / Tree::<G>::BYTES);
        let found = self.tree.moves(game, position, self.turns, most);
        let decision = found.ok().map(|moves| {
            let better = |best: usize, at: usize| if moves[at].1.low > moves[best].1.low { at } else { best };
            let best = (1..moves.len()).fold(0, better);
            let estimate =
                |&(mv, bounds, visits): &(_, Bounds, _)| MoveEstimate::exact(mv, visits, bounds.high);
            let (chosen, stop) = (moves[best].0, Stop::Complete);
            Decision { chosen, moves: moves.iter().map(estimate).collect(), stop }
        });
        (decision, self.tree.positions)
    }
}

impl<G: Game> Searcher<G> for ExactEnd<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let (decision, positions) = self.decide(game, at, meter);
        self.decided = decision.is_some();
        let decision = match decision {
            Some(decision) => Ok(decision),
            None => self.searcher.choose(game, at, stream, meter),
        };
        meter.count_nodes(positions);
        decision
    }

    fn follow(&mut self, game: &G, start: &G::Position, moves: &[G::Move]) {
        self.searcher.follow(game, start, moves);
    }

    fn remembers(&self) -> bool {
        self.searcher.remembers()
    }

    fn distribution(&mut self, game: &G, at: &G::Position, meter: &mut Meter) -> Distribution<G> {
        match self.decide(game, at, meter).0 {
            Some(decision) => Ok(Some(vec![(decision.chosen, 1)])),
            None => self.searcher.distribution(game, at, meter),
        }
    }

    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        self.searcher.reasons(game, position).filter(|_| !self.is_near(game, position))
    }

    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        if self.decided {
            return vec![decision.chosen];
        }
        self.searcher.principal_variation(game, at, decision)
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        if self.decided {
            Err(NoTree::EveryLine)
        } else {
            self.searcher.tree(game, position, decision, extent)
        }
    }

    fn no_tree(&self) -> NoTree {
        self.searcher.no_tree()
    }
}
