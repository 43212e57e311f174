use super::candidates::forced_move;
use super::{
    Budget, Decided, Decision, Limits, Meter, MoveEstimate, MoveStream, NoTree, SearchError, Searcher, Stop,
    ThreadClock, Ties,
};
use crate::game::Game;
use crate::rng::PlayoutKey;

/// Root parallelisation (Cazenave, Jouandeau 2007, "On the parallelization of UCT"; Chaslot, Winands, van den Herik 2008):
/// several searches of the same position, each with an equal part of the budget and its own randomness. The visits of
/// each move are added up, and its values are averaged by visits. The most visited move is played; the larger value
/// breaks ties.
///
/// The searches share nothing before they are added up in their order. So with a counting budget the result is the same for
/// any number of [threads](Ensemble::with_threads). Several small trees also have less variance than one large tree (Fern,
/// Lewis 2011, "Ensemble Monte-Carlo planning"). For games of chance it is ensemble-UCT (Bjarnason, Fern, Tadepalli 2009,
/// "Lower bounding Klondike solitaire with Monte-Carlo planning").
///
/// # Cost
/// The cost of its searches, divided by the threads. With two threads a move took about .18 ms more than that, to start the second and
/// to wait for the slower one. Each search may take an equal part of the memory.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::othello::Othello;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{Budget, Ensemble, Limits, Meter, MoveStream, Searcher, Ties, Uct, UctSettings};
///
/// let game = Othello::default();
/// let decide = |threads| {
///     let uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
///     let mut ensemble = Ensemble::new(uct, 4, Ties::Random).with_threads(threads);
///     let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(400));
///     ensemble.choose(&game, &game.start(), MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap()
/// };
/// assert_eq!(decide(1), decide(3));
/// ```
#[derive(Clone)]
pub struct Ensemble<S> {
    searcher: S,
    trees: usize,
    ties: Ties,
    threads: usize,
}

/// A search of several, its part of the budget, and its result.
struct Part {
    stream: MoveStream,
    limits: Limits,
    budget: Budget,
    found: Option<(Found, Meter)>,
}

/// A decision between the moves with these numbers in the game's order.
type Found = Result<Decision<u32>, SearchError>;

type Make<'s> = &'s (dyn Fn(MoveStream, &mut Meter) -> Found + Sync);

/// Makes searches one after the other. The time that is left is divided equally between them and `later` ones.
fn search_in_turn(parts: &mut [Part], later: usize, make: Make<'_>, whole: &Meter) {
    let waiting = (1..=parts.len() + later).rev();
    for (part, waiting) in parts.iter_mut().zip(waiting) {
        let Budget { time, cpu_time, .. } = whole.times_left(waiting as u32);
        let budget = Budget { time, cpu_time, ..part.budget };
        let mut meter = whole.part(part.limits, budget);
        part.found = Some((make(part.stream, &mut meter), meter));
    }
}

/// Makes as many searches as there are trees, and adds them up.
fn search(
    (trees, threads, ties): (usize, usize, Ties),
    make: Make<'_>,
    stream: MoveStream,
    meter: &mut Meter,
) -> Found {
    let key: PlayoutKey = stream.playouts();
    // A search may exceed its part of the plies by its last playouts. The next ones then get less, so they wait for it.
    let at_once = if meter.limits_plies() { 1 } else { trees };
    let mut decisions = Vec::with_capacity(trees);
    while decisions.len() < trees {
        let (first, left) = (decisions.len(), trees - decisions.len());
        let part = |((limits, budget), tree): ((Limits, Budget), usize)| {
            let stream = MoveStream::new(key.child(tree as u64));
            Part { stream, limits, budget, found: None }
        };
        let mut parts: Vec<Part> = meter.parts(left).zip(first..).take(at_once).map(part).collect();
        if at_once > 1 && threads > 1 {
            meter.check_threads(threads)?;
            let (mut shares, mut rest, whole) = (Vec::with_capacity(threads), &mut parts[..], &*meter);
            for left in (1..=threads).rev() {
                let (share, after) = rest.split_at_mut(rest.len().div_ceil(left));
                shares.push(share);
                rest = after;
            }
            ThreadClock::at_once(shares, &|share: &mut [Part]| search_in_turn(share, 0, make, whole))?;
        } else {
            let later = left - parts.len();
            search_in_turn(&mut parts, later, make, meter);
        }
        for part in parts {
            let (decision, spent) = part.found.expect("each search was made");
            meter.count(&spent);
            decisions.push(decision);
        }
    }
    let mut moves: Vec<MoveEstimate<u32>> = Vec::new();
    let mut stop = Stop::Complete;
    for decision in decisions {
        let decision = match decision {
            // The part was too small to visit a move.
            Err(SearchError::Budget { .. }) if !moves.is_empty() => continue,
            decision => decision?,
        };
        stop = decision.stop;
        if moves.is_empty() {
            moves = decision.moves;
        } else {
            moves.iter_mut().zip(&decision.moves).for_each(|(sum, found)| add(sum, found));
        }
    }
    let ranks = moves.iter().map(|estimate| (estimate.visits, estimate.value));
    let best = ties.best(ranks, &mut stream.rng());
    Ok(Decision { chosen: moves[best].mv, moves, stop })
}

impl<S: Clone> Ensemble<S> {
    /// An ensemble of copies of a searcher, on one thread.
    ///
    /// # Panics
    /// If `trees` is 0.
    pub fn new(searcher: S, trees: u32, ties: Ties) -> Self {
        assert!(trees > 0, "an ensemble has at least one tree");
        Self { searcher, trees: trees as usize, ties, threads: 1 }
    }

    /// Sets the number of threads that grow the trees, at most one for each tree. They are started for each move. With a budget of
    /// plies the trees grow one after the other, because a search may exceed its part.
    ///
    /// # Panics
    /// If it is 0.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        assert!(threads > 0, "a search has at least one thread");
        Self { threads: threads.min(self.trees), ..self }
    }
}

impl<G: Game, S: Searcher<G> + Clone + Sync> Searcher<G> for Ensemble<S> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if let Some(forced) = forced_move(game, at) {
            return Ok(Decision::unsearched(forced, Stop::Forced));
        }
        let moves: Vec<G::Move> = game.moves(at).collect();
        let number = |mv| moves.iter().position(|&other| other == mv).expect("a legal move") as u32;
        let make = |stream, meter: &mut Meter| {
            Ok(self.searcher.clone().choose(game, at, stream, meter)?.map(number))
        };
        let found = search((self.trees, self.threads, self.ties), &make, stream, meter)?;
        Ok(found.map(|number| moves[number as usize]))
    }

    /// No: each search uses a fresh copy of the searcher.
    fn remembers(&self) -> bool {
        false
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Several
    }
}

/// Merges an estimate of a move into another: the mean weighted by visits, with the standard error of independent
/// means.
fn add(sum: &mut MoveEstimate<u32>, found: &MoveEstimate<u32>) {
    let (a, b) = (sum.visits as f64, found.visits as f64);
    if a + b > 0.0 {
        sum.value = (a * sum.value + b * found.value) / (a + b);
        let (s, t) = (a * sum.standard_error, b * found.standard_error);
        sum.standard_error = (s * s + t * t).sqrt() / (a + b);
    }
    sum.visits += found.visits;
}
