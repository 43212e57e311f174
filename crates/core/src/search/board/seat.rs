//! The board with its game, as the search sees it.

use std::mem;
use std::ops::Range;

use super::heuristic::Evaluated;
use super::leaf::{Cut, play_to, probe_to};
use super::{Family, GameBoard, Siblings};
use crate::game::{
    Batch, Call, EvaluationBuffer, EvaluationRequest, Game, Player, PlayoutRequest, PolicyExt, SimdLevel,
    Tally, Turn, erased,
};
use crate::rng::PlayoutRng;
use crate::search::Meter;
use crate::search::solitaire_line::{Line, Plan, goes_on};
use crate::search::tree::{Arena, Bounds, Kind, ROOT, Rows, Sample, Score, Step, Value};
use crate::search::uct::{Backup, Playouts, Statistics, number_of};

/// A board with its game, for the time of a call.
pub(in crate::search) struct Seat<'s, G: Game> {
    pub(in crate::search) game: &'s G,
    pub(in crate::search) board: &'s mut GameBoard<G>,
    /// The families of a tree that several threads grow.
    pub(in crate::search) families: &'s [Family<G>],
}

/// A node that gets children, their first row, and the randomness of their order.
type Node<'a> = (&'a mut Arena, u32);
type Row = (Score, usize);
type Draws<'d> = Option<&'d mut PlayoutRng>;

impl<'s, G: Game> Seat<'s, G> {
    fn siblings(&self, family: u32) -> &'s Siblings<G::Position, G::Move> {
        self.families[family as usize].get().expect("a family is written before its link")
    }

    /// The player at the root.
    #[inline(always)]
    fn player(&self) -> Player {
        self.board.root().player
    }

    /// The kind of the present position, and the payoff at the end of the game.
    #[inline(always)]
    fn seen(&self) -> (Kind, f64) {
        let (at, player) = (self.board.at(), self.player());
        let kind = Kind::of(self.game.turn(at), player);
        (kind, if kind == Kind::Over { self.game.payoff(at, player).into() } else { 0.0 })
    }

    /// Runs a function that is compiled for this processor.
    #[inline(always)]
    fn run<F: FnOnce(A) -> T, A, T>(level: SimdLevel, function: F, arguments: A) -> T {
        level.run(Call(function, arguments))
    }

    #[inline(always)]
    fn go_now((seat, to): (&mut Self, Option<(u32, u32)>)) -> (Kind, f64) {
        let GameBoard { moves, positions, at, .. } = &mut *seat.board;
        if let Some((family, node)) = to {
            seat.game.apply(at.insert(positions[family]), moves[node]);
        } else {
            seat.board.at = Some(seat.board.root().position);
        }
        seat.seen()
    }

    #[inline(always)]
    fn go_shared_now((seat, family, node): (&mut Self, u32, u32)) -> (Kind, f64) {
        let siblings = seat.siblings(family);
        seat.game.apply(seat.board.at.insert(siblings.position), siblings.mv(node));
        seat.seen()
    }

    #[inline(always)]
    fn expand_now(
        (seat, node, row, draws, meter): (&mut Self, Node<'_>, Row, Draws<'_>, &mut Meter),
    ) -> bool {
        let (position, (arena, node)) = (*seat.board.at(), node);
        if arena.nodes[node].kind != Kind::Chance {
            let moves = seat.game.moves(&position);
            let is_expanded = seat.board.expand((&mut *arena, node), position, moves, row, meter);
            if let Some(draws) = draws.filter(|_| is_expanded) {
                shuffle(&mut seat.board.moves[arena.children(node)], draws);
            }
            return is_expanded;
        }
        let outcomes = seat.game.outcomes(&position).map(|(outcome, _)| outcome);
        let is_expanded = seat.board.expand((&mut *arena, node), position, outcomes, row, meter);
        if is_expanded && arena.weights.is_used() {
            for (child, (_, weight)) in arena.children(node).zip(seat.game.outcomes(&position)) {
                arena.weights[child] = f64::from(weight);
            }
        }
        is_expanded
    }

    #[inline(always)]
    fn list_places((seat, children, places): (&mut Self, Range<u32>, &mut Vec<u32>)) -> bool {
        let at = *seat.board.at();
        let GameBoard { moves, listed, .. } = &mut *seat.board;
        listed.clear();
        if seat.game.moves(&at).eq(moves[children.clone()].iter().copied()) {
            return true;
        }
        places.clear();
        for (index, mv) in (0..).zip(seat.game.moves(&at)) {
            let likely = Some(children.start + index).filter(|&at| at < children.end && moves[at] == mv);
            let child = likely.or_else(|| children.clone().find(|&child| moves[child] == mv));
            let place = child.unwrap_or(children.end + listed.len() as u32) - children.start;
            if child.is_none() {
                listed.push(mv);
            }
            places.push(place);
        }
        false
    }

    #[inline(always)]
    fn make_now((seat, node, draws): (&mut Self, u32, Option<&mut PlayoutRng>)) -> (Kind, f64) {
        let mv = seat.board.moves[node];
        let at = seat.board.at.as_mut().expect("a descent was begun");
        seat.game.apply(at, mv);
        if let Some(draws) = draws {
            while seat.game.turn(at) == Turn::Chance {
                let outcome = seat.game.random_outcome(at, draws);
                seat.game.apply(at, outcome);
            }
        }
        seat.seen()
    }

    fn playouts(&self, batch: Batch) -> PlayoutRequest<G::Position> {
        PlayoutRequest { from: *self.board.at(), player: self.player(), batch }
    }

    /// Plays a leaf out move by move.
    fn play_moves(
        &mut self,
        request: &PlayoutRequest<G::Position>,
        statistics: Option<(Playouts<()>, &mut Statistics)>,
    ) -> Sample {
        let GameBoard { settings, evaluations, cuts, .. } = &mut *self.board;
        play_to(settings, self.game, request, statistics, (cuts, evaluations));
        let mut answers = mem::take(&mut self.board.answers);
        answers.clear();
        if !self.board.evaluations.is_empty() {
            self.answer(false, &mut answers);
        }
        let sample = self.cut_sample(answers.all().values());
        self.board.answers = answers;
        sample
    }
}

erased! {
    /// The game's side of a tree search: positions and moves behind the numbers of nodes, and a present position among them.
    ///
    /// The search holds numbers only, so it is compiled once for all games. It asks its board a few times an iteration, never for a
    /// ply. Methods that only some searches use are for those alone.
    pub(crate) trait Board: [Send] for Seat<'_, G>, G: Game;

    /// Goes to a position, one move after that of a family, by the move that leads to a node; `None` is the root. Returns who decides
    /// there, and the payoff at the end of the game, which is 0 elsewhere.
    fn go(&mut self, to: Option<(u32, u32)>) -> (Kind, f64) {
        Self::run(self.board.level, Self::go_now, (self, to))
    }

    /// Gives a node its legal moves, or outcomes with their weights, at the present position as children, with this score. Moves are
    /// shuffled if there are draws. Returns whether there was enough memory.
    fn expand(
        &mut self,
        arena: &mut Arena,
        node: u32,
        row: Row,
        shuffled: Draws<'_>,
        meter: &mut Meter,
    ) -> bool {
        Self::run(self.board.level, Self::expand_now, (self, (arena, node), row, shuffled, meter))
    }

    /// Draws an outcome at a chance node, and returns its child.
    fn draw(&self, arena: &Arena, node: u32, draws: &mut PlayoutRng) -> u32 {
        let position = self.board.positions[arena.nodes[node].family];
        let outcome = self.game.random_outcome(&position, draws);
        self.board.child_by(arena, node, outcome).expect("chance chooses among its outcomes")
    }

    /// As [`Board::go`], by a move of a family of a tree that several threads grow.
    fn go_shared(&mut self, family: u32, node: u32) -> (Kind, f64) {
        Self::run(self.board.level, Self::go_shared_now, (self, family, node))
    }

    /// Lists the legal moves, or the outcomes, at the present position, where `kind` decides. Moves are shuffled if there are draws.
    /// Returns their number.
    fn list(&mut self, kind: Kind, shuffled: Draws<'_>) -> usize {
        let at = *self.board.at();
        let listed = &mut self.board.listed;
        listed.clear();
        if kind == Kind::Chance {
            listed.extend(self.game.outcomes(&at).map(|(outcome, _)| outcome));
        } else {
            listed.extend(self.game.moves(&at));
        }
        if let Some(draws) = shuffled {
            shuffle(listed, draws);
        }
        listed.len()
    }

    /// Makes the listed moves a family of a tree that several threads grow. The first leads to this node.
    fn share(&mut self, family: u32, first: u32) {
        let siblings = Siblings::new(*self.board.at(), first, &self.board.listed);
        let _ = self.families[family as usize].set(siblings);
    }

    /// As [`Board::draw`], at the position of a family of a tree that several threads grow.
    fn draw_shared(&self, family: u32, draws: &mut PlayoutRng) -> u32 {
        let siblings = self.siblings(family);
        siblings.child_by(self.game.random_outcome(&siblings.position, draws))
    }

    /// As [`Board::expand`], with the children of a family of a tree that several threads grow.
    fn copy_shared(
        &mut self,
        arena: &mut Arena,
        node: u32,
        family: u32,
        row: Row,
        meter: &mut Meter,
    ) -> bool {
        let siblings = self.siblings(family);
        self.board.adopt((arena, node), siblings.position, &siblings.moves(), row, meter)
    }

    /// The columns of moves and of positions.
    fn columns(&mut self) -> [&mut dyn Rows; 2] {
        [&mut self.board.moves, &mut self.board.positions]
    }

    /// Playouts from the present position. Statistics, if used, choose and record every move.
    fn play(&mut self, batch: Batch, statistics: Option<(Playouts<()>, &mut Statistics)>) -> Sample {
        if statistics.is_none() && self.board.evaluation().is_none() {
            let policy = &*self.board.settings.policy;
            return policy.playouts(self.game, self.board.at(), self.player(), batch).into();
        }
        self.play_moves(&self.playouts(batch), statistics)
    }

    /// Keeps the present position for playouts in one call with others.
    fn keep(&mut self, batch: Batch) {
        self.board.requests.push(self.playouts(batch));
    }

    /// The playouts of all kept positions, which are then dropped.
    fn play_kept(&mut self, samples: &mut Vec<Sample>) {
        samples.clear();
        let mut requests = mem::take(&mut self.board.requests);
        if self.board.evaluation().is_some() {
            samples.extend(requests.iter().map(|request| self.play_moves(request, None)));
        } else {
            let mut tallies = vec![Tally::default(); requests.len()];
            self.board.settings.policy.playouts_of_many(self.game, &requests, &mut tallies);
            samples.extend(tallies.into_iter().map(Sample::from));
        }
        requests.clear();
        self.board.requests = requests;
    }

    /// Requests the value of the present position, or a prior over its moves.
    fn request(&mut self, prior: bool) {
        let position = *self.board.at();
        let player = match self.game.turn(&position) {
            Turn::Player(mover) if prior => mover,
            _ => self.player(),
        };
        self.board.evaluations.push(EvaluationRequest { position, player, prior });
    }

    fn answer(&mut self, prior: bool, answers: &mut EvaluationBuffer) {
        self.board.requested(prior).evaluate_many(self.game, &self.board.evaluations, answers);
        self.board.evaluations.clear();
    }

    /// Playouts that are cut off. Requests the values of their last positions, and returns how many.
    fn cut_off(&mut self, batch: Batch) -> usize {
        let request = self.playouts(batch);
        let GameBoard { settings, evaluations, cuts, .. } = &mut *self.board;
        play_to(settings, self.game, &request, None, (cuts, evaluations));
        evaluations.len()
    }

    /// The result of [`Board::cut_off`] with these values.
    fn cut_sample(&self, values: &[i64]) -> Sample {
        let (mut values, mut sample) = (values.iter(), Sample::default());
        for &Cut { plies, payoff } in &self.board.cuts {
            let value = || {
                let Playouts::Cut { evaluation, scale, .. } = &self.board.settings.playouts else {
                    unreachable!("playouts are cut off")
                };
                let value = *values.next().expect("each position is evaluated");
                self.board.root().scale.payoff(Evaluated::new(evaluation, *scale).normalise(value))
            };
            sample.add(payoff.unwrap_or_else(value), plies);
        }
        sample
    }

    /// The heuristic value of the present position in `[0, 1]`, for the player at the root.
    fn heuristic(&self) -> f64 {
        let Backup::Implicit { evaluation, scale, .. } = &self.board.settings.backup else {
            unreachable!("this search has no heuristic values")
        };
        Evaluated::new(evaluation, *scale).value(self.game, self.board.at(), self.player())
    }

    /// The bounds of the present position that plain minimax to a few plies proves.
    fn probe(&self, range: Bounds, depth: u32) -> Bounds {
        probe_to(self.game, self.board.at(), (self.player(), range), depth)
    }

    /// The key of the present position, and the family that has it, if there is one.
    fn known(&self, arena: &Arena) -> (Option<u128>, Option<u32>) {
        let at = self.board.at();
        let key = self.game.key(at);
        let same = |family: &u32| self.board.positions[*family] == *at;
        (key, key.and_then(|key| arena.index.families(key).find(same)))
    }

    /// Sorts children of the present position by their priors, and records these. `told` is a requested prior.
    fn order_by_priors(&mut self, arena: &mut Arena, node: u32, told: Option<Vec<f32>>) {
        let (GameBoard { settings, .. }, position) = (&*self.board, self.board.at());
        let Turn::Player(mover) = self.game.turn(position) else { unreachable!("players have priors") };
        let (children, scale) = (arena.children(node), self.board.root().scale);
        let moves = self.board.moves[children.clone()].to_vec();
        let priors = settings.prior.of(self.game, position, &moves, (mover, scale), told);
        let order =
            arena.set_priors(children.clone(), &priors, settings.selection.takes_probabilities());
        for (child, place) in children.zip(order) {
            self.board.moves[child] = moves[place];
        }
    }

    /// Records the numbers of the moves that lead to children of the present position.
    fn number(&self, arena: &mut Arena, children: Range<u32>) {
        let (at, as_code) = (self.board.at(), self.board.settings.playouts.use_codes());
        for child in children {
            arena.numbers[child] = number_of(self.game, at, self.board.moves[child], as_code);
        }
    }

    /// The player at the root.
    fn mover(&self) -> Player { self.player() }

    fn move_count(&self) -> u64 {
        self.game.move_count(self.board.at()).into()
    }

    /// The smallest and the largest evaluation, or payoff if there is no evaluation.
    fn values(&self) -> (i64, i64) {
        let facts = self.game.facts();
        let payoffs = (facts.min_payoff.into(), facts.max_payoff.into());
        self.board.evaluation().map_or(payoffs, |evaluation| evaluation.range(self.game))
    }

    /// The evaluation of the present position, for the player at the root. `None` if it must be requested.
    fn value(&self) -> Option<Value> {
        let (game, position, player) = (self.game, self.board.at(), self.player());
        let is_over = game.turn(position) == Turn::Over;
        Some(match self.board.evaluation() {
            Some(evaluation) if is_over => Value::Proved(evaluation.finished(game, position, player)),
            Some(evaluation) if evaluation.facts().prefers_batches => return None,
            Some(evaluation) => Value::Estimate(evaluation.evaluate(game, position, player)),
            None if is_over => Value::Proved(game.payoff(position, player).into()),
            None => Value::Estimate(0),
        })
    }

    /// Whether the legal moves at the present position are those of the children of a node, in their order. If not, their places among
    /// the children are listed. Moves without a child have places after all children.
    fn has_places(&mut self, arena: &Arena, node: u32, places: &mut Vec<u32>) -> bool {
        Self::run(self.board.level, Self::list_places, (self, arena.children(node), places))
    }

    /// Adds the moves without a child, if there are any, in the order of their places. Without enough memory nothing is changed.
    fn add_places(&mut self, arena: &mut Arena, node: u32, score: Score, meter: &mut Meter) {
        let GameBoard { moves, listed, .. } = &*self.board;
        if listed.is_empty() {
            return;
        }
        let old = arena.children(node);
        let all = [&moves[old.clone()], listed].concat();
        let position = *self.board.at();
        if self.board.adopt((&mut *arena, node), position, &all, (score, 0), meter) {
            arena.copy_family(old, arena.children(node).start);
        }
    }

    /// Makes the move that leads to a node. With draws, chance then decides until a player's turn or the end. Returns as
    /// [`Board::go`].
    fn make(&mut self, node: u32, draws: Draws<'_>) -> (Kind, f64) {
        Self::run(self.board.level, Self::make_now, (self, node, draws))
    }

    /// The payoff of the best line, if one leads on from the root.
    fn take_up_line(&mut self) -> Option<f64> {
        let position = self.board.root().position;
        self.board.best = self.board.plan.take().and_then(|plan| plan.at(&position));
        self.board.best.as_ref().map(|line| line.payoff.into())
    }

    /// Makes the moves of a path and of the playout after it the best line. Returns its payoff.
    fn keep_line(&mut self, path: &[Step], draws: PlayoutRng) -> f64 {
        let mut draws = draws;
        let (game, board) = (self.game, &mut *self.board);
        let mut position = board.root().position;
        let mut moves: Vec<G::Move> = path[1..].iter().map(|step| board.moves[step.node]).collect();
        for &mv in &moves {
            game.apply(&mut position, mv);
        }
        // The playout is repeated to find its moves.
        while goes_on(game, &position) {
            let mv = board.settings.policy.choose(game, &position, &mut draws);
            moves.push(mv);
            game.apply(&mut position, mv);
        }
        moves.reverse();
        let payoff = game.payoff(&position, Player::FIRST);
        board.best = Some(Line { payoff, reversed: moves });
        payoff.into()
    }

    /// The child of the root by which the best line goes. The rest of it is kept for the next turn.
    fn follow_line(&mut self, arena: &Arena) -> u32 {
        let line = self.board.best.take().expect("the root has children, so that a line was played");
        let from = self.board.root().position;
        let chosen = Plan::follow(&mut self.board.plan, self.game, &from, line).expect("the game goes on");
        self.board.child_by(arena, ROOT, chosen).expect("a line begins in the tree")
    }
}

fn shuffle<M>(moves: &mut [M], draws: &mut PlayoutRng) {
    for last in (1..moves.len()).rev() {
        moves.swap(last, draws.below(last as u32 + 1) as usize);
    }
}
