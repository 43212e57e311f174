//! Tree searches as searchers, alone and by ask and tell.

use std::sync::Arc;

use super::{GameBoard, Seat, Start};
use crate::game::{Evaluation, Game, SimdLevel, Turn};
use crate::search::candidates::forced_move;
use crate::search::solitaire_line::Plan;
use crate::search::tree::{
    Board as _, Found, Kind, MOST_CHILDREN, Method, ROOT, Request, Scale, Tree, payoffs,
};
use crate::search::uct::{Playouts, Prior, SharedTree};
use crate::search::{
    Answer, Ask, AskTell, Branches, Decided, Decision, Meter, MoveStream, NoTree, Opened, SearchError,
    Searcher, Stop, TreeExtent, UctSettings,
};

/// A searcher on a tree, by [UCT](TreeSearch::new) or another method. A search is complete at the latest when its root has 2³¹ visits.
pub struct TreeSearch<G: Game> {
    pub(in crate::search) board: GameBoard<G>,
    pub(in crate::search) method: Box<dyn Method>,
    pub(in crate::search) tree: Tree,
    /// The tree that several threads grow, if they do.
    pub(in crate::search) shared: Option<SharedTree<G>>,
}

impl<G: Game> Clone for TreeSearch<G> {
    /// A searcher with the same settings, without a tree.
    fn clone(&self) -> Self {
        let shared = self.shared.is_some().then(SharedTree::default);
        Self { shared, ..Self::of(Arc::clone(&self.board.settings), self.method.copy()) }
    }
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
}

impl<G: Game> TreeSearch<G> {
    /// A searcher of this method, with the policies and evaluations of these settings.
    pub(in crate::search) fn of(settings: Arc<UctSettings<G>>, method: Box<dyn Method>) -> Self {
        let (row, family) = (size_of::<G::Move>(), size_of::<G::Position>());
        let tree = Tree::new(settings.as_ref().clone().plain(), &*method, row, family);
        Self { board: GameBoard::new(settings), method, tree, shared: None }
    }
}

impl<G: Game> Searcher<G> for TreeSearch<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if let Some(decision) = self.open(game, at, stream, meter)? {
            return Ok(decision);
        }
        let Self { board, method, tree, shared } = self;
        let stop = match shared {
            Some(shared) => shared.search((tree, board), (game, at), meter)?,
            None => method.iterate(tree, &mut Seat { game, board, families: &[] }, meter),
        };
        self.close(game, stream, stop, meter)
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        if self.shared.is_none() && self.method.can_ask() { Some(self) } else { None }
    }

    fn remembers(&self) -> bool {
        self.shared.is_none()
    }

    fn principal_variation(&self, game: &G, at: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        let Self { board, method, tree, .. } = self;
        if decision.moves.is_empty() {
            return vec![decision.chosen];
        }
        if let Some(copied) = self.copied((game, at), u32::MAX, &|visits, most| visits == most) {
            return copied.principal_variation(game, at, decision);
        }
        let chosen =
            board.child_by(&tree.arena, ROOT, decision.chosen).expect("a move of the root was chosen");
        let turn = |family, child| game.turn(&board.after(game, family, child));
        let line = tree.line(&**method, chosen, &turn, &|node| board.in_order(game, &tree.arena, node));
        line.into_iter().map(|node| board.moves[node]).collect()
    }

    fn tree(
        &self,
        game: &G,
        position: &G::Position,
        decision: &Decision<G::Move>,
        extent: TreeExtent,
    ) -> Result<Branches<G::Move>, NoTree> {
        let Self { board, method, tree, .. } = self;
        if decision.moves.is_empty() || tree.root.is_none() {
            return Err(NoTree::Unsearched);
        }
        if let Some(copied) = self.copied((game, position), extent.plies, &|_, _| true) {
            return copied.tree(game, position, decision, extent);
        }
        let turn = |family, child| game.turn(&board.after(game, family, child));
        let found = tree.branches(&**method, (ROOT, game.turn(position)), extent, &turn);
        Ok(found.map(&|node| board.moves[node]))
    }
}

impl<G: Game> AskTell<G> for TreeSearch<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        if let Some(forced) = forced_move(game, at) {
            // The best line goes on, if the move is on it.
            let best = self.board.plan.take().and_then(|plan| plan.at(at));
            if let Some(line) = best {
                Plan::follow(&mut self.board.plan, game, at, line);
            }
            return Ok(Some(Decision::unsearched(forced, Stop::Forced)));
        }
        let Turn::Player(player) = game.turn(at) else {
            panic!("a searcher was asked for a move at no player's turn")
        };
        let Self { board, method, tree, .. } = self;
        meter.reserve(tree.arena.bytes())?;
        let (range, scale) = (payoffs(game), Scale::of(game));
        let look = |family, child| {
            let after = board.after(game, family, child);
            (game.turn(&after), after == *at)
        };
        if let Some(root) = tree.find(player, &look) {
            tree.arena.advance(root, [&mut board.moves, &mut board.positions]);
        } else {
            tree.arena.clear(Kind::Max, range);
            board.clear(game, *at);
        }
        board.root = Some(Start { position: *at, player, scale });
        board.level = SimdLevel::detect();
        board.requests.clear();
        board.evaluations.clear();
        method.begin(&mut Seat { game, board, families: &[] });
        tree.begin((range, scale), stream);
        Ok(None)
    }

    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G> {
        let Self { board, method, tree, .. } = self;
        let mut seat = Seat { game, board, families: &[] };
        match method.next_request(tree, &mut seat, meter) {
            Ok(Request::Playouts(batch)) => {
                seat.board.requests.clear();
                seat.keep(batch);
                Ask::Playouts { policy: &board.settings.policy, requests: &board.requests }
            }
            Ok(Request::Evaluations) => {
                let evaluation = board.requested(tree.waits_for_prior());
                Ask::Evaluations { evaluation, requests: &board.evaluations }
            }
            Err(stop) => Ask::Nothing(stop),
        }
    }

    fn tell(&mut self, game: &G, answer: Answer<'_>, meter: &mut Meter) {
        let Self { board, method, tree, .. } = self;
        let for_evaluations = !board.evaluations.is_empty();
        board.evaluations.clear();
        let seat = &mut Seat { game, board, families: &[] };
        if for_evaluations {
            return tree.tell(&mut **method, seat, answer.evaluations(), meter);
        }
        let tally = answer.tallies()[0];
        meter.count_playouts(&tally);
        tree.back_up(&mut **method, seat, &tally.into());
    }

    fn close(&mut self, game: &G, stream: MoveStream, stop: Stop, meter: &Meter) -> Decided<G> {
        let Self { board, method, tree, .. } = self;
        let (arena, root) = (&tree.arena, tree.root());
        if arena.is_too_wide {
            return Err(SearchError::Moves { most: MOST_CHILDREN });
        }
        let children = &board.in_order(game, arena, ROOT);
        let seat = &mut Seat { game, board, families: &[] };
        let found = Found { board: seat, root, arena, children, stop, meter };
        let decision = method.decide(found, &mut stream.rng())?;
        Ok(decision.map(|child| board.moves[child]))
    }
}
