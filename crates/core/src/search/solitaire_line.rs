use crate::game::{Game, GameExt, Turn};

/// Moves to the end of the game, and their payoff. They are in reverse order: the next move is the last of the list.
#[derive(Clone, Debug)]
pub(super) struct Line<M> {
    pub(super) payoff: i32,
    pub(super) reversed: Vec<M>,
}

impl<M> Line<M> {
    /// The line of these moves, in the order in which they are made.
    #[inline(never)]
    pub(super) fn new(payoff: i32, mut moves: Vec<M>) -> Self {
        moves.reverse();
        Self { payoff, reversed: moves }
    }
}

/// The best line that a searcher knows, and its first position.
#[derive(Clone)]
pub(super) struct Plan<G: Game> {
    from: G::Position,
    pub(super) line: Line<G::Move>,
}

impl<G: Game> Plan<G> {
    /// Takes the first move off a line that begins at this position, and plans the rest. `None` at the end of the line.
    #[inline(never)]
    pub(super) fn follow(
        plan: &mut Option<Self>,
        game: &G,
        from: &G::Position,
        mut line: Line<G::Move>,
    ) -> Option<G::Move> {
        let mv = line.reversed.pop()?;
        *plan = Some(Self { from: game.after(from, mv), line });
        Some(mv)
    }

    /// The chosen move, followed by the plan, if there is one.
    #[inline(never)]
    pub(super) fn variation(plan: Option<&Self>, chosen: G::Move) -> Vec<G::Move> {
        let planned = plan.into_iter().flat_map(|plan| plan.line.reversed.iter().rev().copied());
        std::iter::once(chosen).chain(planned).collect()
    }

    /// The line, if it begins at this position.
    pub(super) fn at(self, position: &G::Position) -> Option<Line<G::Move>> {
        (self.from == *position).then_some(self.line)
    }
}

/// Whether the game is unfinished; for solitaires without chance. Panics at a chance turn.
pub(super) fn goes_on<G: Game>(game: &G, position: &G::Position) -> bool {
    match game.turn(position) {
        Turn::Player(_) => true,
        Turn::Over => false,
        Turn::Chance => panic!("a line was asked for in a game of chance"),
    }
}
