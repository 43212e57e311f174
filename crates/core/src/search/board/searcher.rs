//! Tree searches as searchers, alone and by ask and tell.

use std::sync::Arc;

use super::{GameBoard, Seat, Start};
use crate::game::{Evaluation, Game, Player, SimdLevel, Turn, sort_values};
use crate::search::searcher::forced_move;
use crate::search::solitaire_line::Plan;
use crate::search::tree::{
    Arena, Board as _, Found, Kind, MOST_CHILDREN, Method, ROOT, Request, Scale, Search, payoffs,
};
use crate::search::uct::{Playouts, Prior};
use crate::search::{
    Answer, Ask, AskTell, Branch, Branches, Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree,
    Opened, SearchError, Searcher, Stop, TreeExtent, UctSettings,
};

/// A searcher on a tree, named by its method: [`Uct`](crate::search::Uct) and others. A search is complete at the latest when its
/// root has 2³¹ visits.
#[derive(Clone)]
pub struct TreeSearch<G: Game, M> {
    pub(crate) board: GameBoard<G>,
    pub(crate) search: Search<M>,
}

impl<G: Game> GameBoard<G> {
    /// The evaluation of leaves, if they are evaluated.
    pub(super) fn evaluation(&self) -> Option<&Arc<dyn Evaluation<G>>> {
        if let Playouts::Cut { evaluation, .. } = &self.settings.playouts { Some(evaluation) } else { None }
    }

    /// The evaluation of the last request.
    pub(super) fn requested(&self, prior: bool) -> &Arc<dyn Evaluation<G>> {
        match &self.settings.prior {
            Prior::Head { evaluation } if prior => evaluation,
            _ => self.evaluation().expect("the search evaluates its leaves"),
        }
    }

    /// The node of the kept tree for a position: below the moves played, after any number of other turns.
    fn find(&self, game: &G, arena: &Arena, position: &G::Position, player: Player) -> Option<u32> {
        let mut open = vec![(ROOT, self.kept?)];
        while let Some((node, at)) = open.pop() {
            for child in arena.visited(node) {
                let mut next = at;
                game.apply(&mut next, self.moves[child]);
                if next == *position {
                    // A proved value does not show which move achieves it.
                    let serves = arena.is_expanded(child) && arena.proved(child).is_none();
                    return serves.then_some(child);
                }
                if !matches!(game.turn(&next), Turn::Over) && game.turn(&next) != Turn::Player(player) {
                    open.push((child, next));
                }
            }
        }
        None
    }

    /// The children of a node, which are `extent.plies` plies of the tree, with their values as the method sees them.
    fn branches(
        &self,
        game: &G,
        (arena, value): (&Arena, &dyn Fn(u32, Kind) -> Option<f64>),
        (node, at): (u32, &G::Position),
        extent: TreeExtent,
    ) -> Branches<G::Move> {
        let (kind, turn) = (arena.nodes[node].kind, game.turn(at));
        // Below an outcome of chance that is no node of the tree, the positions differ from visit to visit.
        let is_elsewhere = kind.is_player() && !matches!(turn, Turn::Player(_));
        if extent.plies == 0 || is_elsewhere || !arena.is_expanded(node) {
            return Branches::default();
        }
        let mut children: Vec<u32> = arena.children(node).collect();
        sort_values(&mut children, &|&one, &other| arena.nodes[other].visits.cmp(&arena.nodes[one].visits));
        let rest = children.split_off(extent.children.min(children.len()));
        let deeper = TreeExtent { plies: extent.plies - 1, ..extent };
        let branch = |&child: &u32| {
            let (mv, mut below) = (self.moves[child], *at);
            game.apply(&mut below, mv);
            Branch {
                mv,
                visits: arena.nodes[child].visits.into(),
                value: value(child, kind),
                is_proved: arena.is_proved(child),
                below: self.branches(game, (arena, value), (child, &below), deeper),
            }
        };
        Branches {
            shown: children.iter().map(branch).collect(),
            omitted: rest.len(),
            omitted_visits: rest.iter().map(|&child| u64::from(arena.nodes[child].visits)).sum(),
        }
    }

    /// The chosen move, and then the child that `principal` names at each node, down to a node without visits.
    fn line(
        &self,
        game: &G,
        arena: &Arena,
        mut at: G::Position,
        decision: &Decision<G::Move>,
        principal: &dyn Fn(u32, &[u32]) -> Option<u32>,
    ) -> Vec<G::Move> {
        let mut line = vec![decision.chosen];
        game.apply(&mut at, decision.chosen);
        let chosen = || self.child_by(arena, ROOT, decision.chosen);
        let mut next = (!decision.moves.is_empty()).then(chosen).flatten();
        while let (Some(node), Turn::Player(_)) = (next, game.turn(&at)) {
            next = principal(node, &self.in_order(game, arena, node, &at));
            if let Some(child) = next {
                line.push(self.moves[child]);
                game.apply(&mut at, self.moves[child]);
            }
        }
        line
    }
}

#[expect(private_bounds, reason = "the methods of tree search are this crate's own")]
impl<G: Game, M: Method> TreeSearch<G, M> {
    /// A searcher of this method, with the policies and evaluations of these settings.
    pub(crate) fn of(settings: UctSettings<G>, method: M) -> Self {
        let search = Search::new(method, size_of::<G::Move>(), size_of::<G::Position>());
        Self { board: GameBoard::new(settings), search }
    }

    /// Begins the search for a move at a player's turn.
    ///
    /// # Errors
    /// If the kept tree takes more memory than the meter allows.
    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Result<(), SearchError> {
        let Turn::Player(player) = game.turn(position) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        let Self { board, search } = self;
        meter.reserve(search.arena.bytes())?;
        let (range, scale) = (payoffs(game), Scale::of(game));
        if let Some(root) = board.find(game, &search.arena, position, player) {
            search.arena.advance(root, [&mut board.moves, &mut board.positions]);
        } else {
            let mv = game.moves(position).next().expect("a player's turn has a move");
            search.arena.clear(Kind::Max, range);
            board.clear(*position, mv);
        }
        board.kept = search.method.keeps_tree().then_some(*position);
        board.root = Some(Start { position: *position, player, scale });
        board.level = SimdLevel::detect();
        board.requests.clear();
        board.evaluations.clear();
        search.begin(&mut Seat { game, board }, player, (range, scale), stream);
        Ok(())
    }
}

impl<G: Game, M: Method> Searcher<G> for TreeSearch<G, M> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if let Some(decision) = self.open(game, at, stream, meter)? {
            return Ok(decision);
        }
        let board = &mut Seat { game, board: &mut self.board };
        let stop = match self.search.method.leaves() {
            1 => self.search.iterate(board, meter),
            leaves => self.search.iterate_by_leaves(board, meter, leaves),
        };
        self.close(game, stream, stop, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        if self.search.method.can_ask() { Some(self) } else { None }
    }

    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let Search { method, arena, .. } = &self.search;
        let principal = |node: u32, children: &[u32]| method.principal(arena, node, children);
        self.board.line(game, arena, *at, decision, &principal)
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        let Search { method, arena, root, .. } = &self.search;
        match root {
            Some(root) if !decision.moves.is_empty() => {
                let value = |child: u32, parent: Kind| method.value(arena, root, child, parent);
                Ok(self.board.branches(game, (arena, &value), (ROOT, position), extent))
            }
            _ => Err(NoTree::Unsearched),
        }
    }
}

impl<G: Game, M: Method> AskTell<G> for TreeSearch<G, M> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        if let Some(forced) = forced_move(game, at) {
            // The best line goes on, if the move is on it.
            let best = self.board.plan.take().and_then(|plan| plan.at(at));
            let plan = best.and_then(|line| Plan::new(*at, line).advance(game));
            self.board.plan = plan.map(|(_, plan)| plan);
            return Ok(Some(Decision::unsearched(forced, Stop::Forced)));
        }
        self.begin(game, at, stream, meter)?;
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        let Self { board, search } = self;
        let mut seat = Seat { game, board };
        match search.next_request(&mut seat, meter) {
            Ok(Request::Playouts(batch)) => {
                seat.board.requests.clear();
                seat.keep(batch);
                Ask::Playouts { policy: &board.settings.policy, requests: &board.requests }
            }
            Ok(Request::Evaluations) => {
                let evaluation = board.requested(search.waits_for_prior());
                Ask::Evaluations { evaluation, requests: &board.evaluations }
            }
            Err(stop) => Ask::Nothing(stop),
        }
    }

    fn tell(&mut self, game: &G, answer: Answer<'_>, meter: &mut Meter) {
        let seat = &mut Seat { game, board: &mut self.board };
        if !seat.board.evaluations.is_empty() {
            seat.board.evaluations.clear();
            return self.search.tell(seat, answer.evaluations(), meter);
        }
        let tally = answer.tallies()[0];
        meter.count_playouts(&tally);
        self.search.back_up(seat, &tally.into());
    }

    fn close(&mut self, game: &G, stream: MoveStream, stop: Stop, meter: &Meter) -> Decided<G> {
        let Self { board, search: Search { method, arena, root, .. } } = self;
        if arena.is_too_wide {
            return Err(SearchError::Moves { most: MOST_CHILDREN });
        }
        let root = root.as_ref().expect("a search was begun");
        let children = board.in_order(game, arena, ROOT, &board.root().position);
        let mut seat = Seat { game, board };
        let found = Found { board: &mut seat, root, arena, children: &children, stop, meter };
        let Decision { chosen, moves, stop } = method.decide(found, &mut stream.rng())?;
        let estimate = |estimate: MoveEstimate<u32>| {
            let MoveEstimate { mv, visits, value, standard_error } = estimate;
            MoveEstimate { mv: board.moves[mv], visits, value, standard_error }
        };
        Ok(Decision { chosen: board.moves[chosen], moves: moves.into_iter().map(estimate).collect(), stop })
    }
}
