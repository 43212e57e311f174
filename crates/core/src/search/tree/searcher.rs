//! Tree searches as searchers, alone and by ask and tell.

use std::cmp::Reverse;

use super::arena::MOST_CHILDREN;
use super::method::{Found, Method, Root};
use super::node::ROOT;
use super::search::{Request, TreeSearch};
use crate::game::{Game, Turn};
use crate::search::searcher::forced_move;
use crate::search::{
    Answer, Ask, AskTell, Branch, Branches, Decision, Meter, MoveStream, NoTree, SearchError, Searcher, Stop,
    TreeExtent,
};

impl<G: Game, M: Method<G>> Searcher<G> for TreeSearch<G, M> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Decision<G::Move>, SearchError> {
        if let Some(decision) = self.open(game, position, stream, meter)? {
            return Ok(decision);
        }
        let stop = match self.method.leaves() {
            1 => self.iterate(game, meter),
            leaves => self.iterate_by_leaves(game, meter, leaves),
        };
        self.close(game, stream, stop, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        if self.method.can_ask() { Some(self) } else { None }
    }

    /// The chosen move, and then the child that the method names at each node, down to a node without visits.
    fn principal_variation(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
    ) -> Vec<G::Move> {
        let (mut line, mut at) = (vec![decision.chosen], *position);
        game.apply(&mut at, decision.chosen);
        let chosen = || self.tree.child_by(ROOT, decision.chosen);
        let mut next = (!decision.moves.is_empty()).then(chosen).flatten();
        while let (Some(node), Turn::Player(_)) = (next, game.turn(&at)) {
            next = self.method.principal(game, &self.tree, node, &at);
            if let Some(child) = next {
                line.push(self.tree.mv(child));
                game.apply(&mut at, self.tree.mv(child));
            }
        }
        line
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        match &self.root {
            Some(root) if !decision.moves.is_empty() => {
                Ok(self.branches(game, root, (ROOT, position), extent))
            }
            _ => Err(NoTree::Unsearched),
        }
    }
}

#[expect(private_bounds, reason = "the methods of tree search are this crate's own")]
impl<G: Game, M: Method<G>> TreeSearch<G, M> {
    /// The children of a node, which are `extent.plies` plies of the tree.
    fn branches(
        &self,
        game: &G,
        root: &Root<G::Position>,
        (node, at): (u32, &G::Position),
        extent: TreeExtent,
    ) -> Branches<G::Move> {
        let arena = &self.tree.arena;
        let (kind, turn) = (arena.nodes[node].kind, game.turn(at));
        // Below an outcome of chance that is no node of the tree, the positions differ from visit to visit.
        let is_elsewhere = kind.is_player() && !matches!(turn, Turn::Player(_));
        if extent.plies == 0 || is_elsewhere || !self.tree.is_expanded(node) {
            return Branches::default();
        }
        let mut children: Vec<u32> = arena.children(node).collect();
        children.sort_by_key(|&child| Reverse(arena.nodes[child].visits));
        let rest = children.split_off(extent.children.min(children.len()));
        let deeper = TreeExtent { plies: extent.plies - 1, ..extent };
        let branch = |&child: &u32| {
            let (mv, mut below) = (self.tree.mv(child), *at);
            game.apply(&mut below, mv);
            Branch {
                mv,
                visits: arena.nodes[child].visits.into(),
                value: self.method.value(arena, root, child, kind),
                is_proved: arena.is_proved(child),
                below: self.branches(game, root, (child, &below), deeper),
            }
        };
        Branches {
            shown: children.iter().map(branch).collect(),
            omitted: rest.len(),
            omitted_visits: rest.iter().map(|&child| u64::from(arena.nodes[child].visits)).sum(),
        }
    }
}

impl<G: Game, M: Method<G>> AskTell<G> for TreeSearch<G, M> {
    fn open(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<Option<Decision<G::Move>>, SearchError> {
        if let Some(forced) = forced_move(game, position) {
            self.method.forced(game, position);
            return Ok(Some(Decision::unsearched(forced, Stop::Forced)));
        }
        self.begin(game, position, stream, meter)?;
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        match self.next_request(game, meter) {
            Ok(Request::Playouts(request)) => {
                let requests = std::slice::from_ref(self.request.insert(request));
                Ask::Playouts { policy: self.method.policy(), requests }
            }
            Ok(Request::Evaluations) => {
                Ask::Evaluations { evaluation: self.evaluation(), requests: &self.evaluations }
            }
            Err(stop) => Ask::Nothing(stop),
        }
    }

    fn tell(&mut self, game: &G, answer: Answer<'_>, meter: &mut Meter) {
        if !self.evaluations.is_empty() {
            return self.tell_evaluations(game, answer.evaluations(), meter);
        }
        let tally = answer.tallies()[0];
        meter.count_playouts(&tally);
        self.back_up(game, &tally.into());
        self.begin_next();
    }

    fn close(
        &mut self,
        game: &G,
        stream: MoveStream,
        stop: Stop,
        meter: &Meter,
    ) -> Result<Decision<G::Move>, SearchError> {
        if self.tree.arena.is_too_wide {
            return Err(SearchError::Moves { most: MOST_CHILDREN });
        }
        let root = self.root.as_ref().expect("a search was begun");
        let found = Found { game, root, tree: &self.tree, stop, meter };
        self.method.decide(&found, &mut stream.rng())
    }
}
