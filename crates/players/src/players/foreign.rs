//! Policies, evaluations and searchers that are known only when the program runs, such as those of a scripting language.
//!
//! Each serves every game, and sees positions and moves as values of an object. Rejected: a type for each, as a user's crate in
//! Rust has, because a program that runs cannot compile one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::decl::{Claims, SearcherDecl};
use super::recipe::Recipe;
use crate::game::options::{OptionDecl, Options};
use crate::game::{
    Entries, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Game, GameObject,
    NamedEvaluation, NamedGame, NamedPolicy, Player, Policy, Value, View, object,
};
use crate::rng::PlayoutRng;
use crate::search::{Decided, Decision, Limit, Meter, MoveStream, Searcher, Stop};

/// The relative weights of the legal moves at a player's turn, in the game's order. Their sum is positive and below 2³².
pub type WeighMoves = dyn Fn(&Arc<dyn GameObject>, &Value) -> Vec<u32> + Send + Sync;

/// Answers requests in order: values in millionths of a payoff, which in a game for two add up to 0, and priors where they are
/// requested.
pub type ValuePositions =
    dyn Fn(&Arc<dyn GameObject>, &[EvaluationRequest<Value>], &mut EvaluationBuffer) + Send + Sync;

/// Chooses one of the legal moves by its place, with a random number, and counts its work if it keeps a budget. It lives for one game.
pub type ChooseMove = dyn FnMut(&Arc<dyn GameObject>, &Value, u64, &mut Meter) -> usize + Send;

/// Makes a searcher with these options for one game.
pub type MakeSearcher = dyn Fn(&Options) -> Box<ChooseMove> + Send + Sync;

/// Something for every game, under a name.
#[derive(Clone)]
pub enum Foreign {
    /// A policy.
    Policy(&'static str, Arc<WeighMoves>),
    /// An evaluation, and whether it gives priors. Players that use it are not repeatable: it may differ from run to run.
    Evaluation(&'static str, bool, Arc<ValuePositions>),
    /// A searcher, and what makes one for each game.
    Searcher(&'static SearcherDecl, Arc<MakeSearcher>),
}

/// The unit of a foreign evaluation.
const UNIT: f64 = 1e-6;

impl Foreign {
    /// The declarations of a searcher under a name, with its options and the limits that it keeps: with any, it needs a budget.
    /// `repeats` says whether it decides the same in every run.
    ///
    /// # Cost
    /// They are never freed.
    pub fn searcher_named(
        (name, about): (&'static str, &'static str),
        options: Vec<OptionDecl>,
        keeps: &'static [Limit],
        repeats: bool,
    ) -> &'static SearcherDecl {
        Box::leak(Box::new(SearcherDecl {
            name,
            about,
            paper: "none",
            fits: "every game",
            keeps,
            needs_budget: !keeps.is_empty(),
            values_unvisited: false,
            follows_lines: false,
            searches: false,
            cases: &[],
            options: Vec::new,
            foreign: options.leak(),
            claims: if repeats {
                |_| Claims::default()
            } else {
                |_| Claims { repeats: false, ..Claims::default() }
            },
            fingerprint: || "foreign".into(),
        }))
    }

    /// Adds the policies and evaluations among these to the entries of a game.
    pub(super) fn add<G: NamedGame>(all: &[Self], game: &G, entries: &mut Entries<G>) {
        let about = "of the program that runs";
        for foreign in all {
            let object = || Arc::from(object(game, G::entries, None));
            match foreign {
                Self::Policy(name, ask) => {
                    let bound = Bound { object: object(), ask: Arc::clone(ask) };
                    entries.policies.push(NamedPolicy::new(name, about, bound));
                }
                Self::Evaluation(name, has_prior, ask) => {
                    let bound = Bound { object: object(), ask: (*has_prior, Arc::clone(ask)) };
                    entries.evaluations.push(NamedEvaluation::new(name, about, bound));
                }
                Self::Searcher(..) => {}
            }
        }
    }

    /// The recipe of the searcher with these declarations and options, if it is among these.
    pub(super) fn recipe<G: NamedGame>(
        all: &[Self],
        (decl, options): (&SearcherDecl, &Options),
        game: &G,
    ) -> Option<Recipe<G>> {
        all.iter().rev().find_map(|foreign| match foreign {
            Self::Searcher(known, make) if *known == decl => {
                let (object, make): (Arc<dyn GameObject>, _) =
                    (Arc::from(object(game, G::entries, None)), Arc::clone(make));
                let options = options.clone();
                let machine = move || {
                    let bound = Bound { object: Arc::clone(&object), ask: make(&options) };
                    Box::new(bound) as Box<dyn Searcher<G>>
                };
                Some(Recipe::following(machine))
            }
            _ => None,
        })
    }
}

/// The names of evaluations that may differ from run to run.
static UNSTEADY: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
static ARE_UNSTEADY: AtomicBool = AtomicBool::new(false);

/// States that what uses the evaluation of this name is not repeatable.
pub(super) fn state_unsteady(name: &'static str) {
    UNSTEADY.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
    ARE_UNSTEADY.store(true, Ordering::Relaxed);
}

/// Whether a text of options names such an evaluation.
pub(super) fn is_unsteady(options: impl FnOnce() -> String) -> bool {
    ARE_UNSTEADY.load(Ordering::Relaxed) && {
        let known = UNSTEADY.lock().unwrap_or_else(PoisonError::into_inner);
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '-';
        options().split(|letter| !is_letter(letter)).any(|word| known.contains(word))
    }
}

/// Something foreign for a game with its options.
struct Bound<A> {
    object: Arc<dyn GameObject>,
    ask: A,
}

impl<G: Game> Policy<G> for Bound<Arc<WeighMoves>> {
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        let weights = (self.ask)(&self.object, &Value::new(*position));
        let mut pick = draws.below(weights.iter().sum());
        let place = weights.iter().position(|weight| {
            let is_it = pick < *weight;
            pick = pick.wrapping_sub(*weight);
            is_it
        });
        place
            .and_then(|place| game.moves(position).nth(place))
            .expect("a weight for each legal move, not all 0")
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        let weights = (self.ask)(&self.object, &Value::new(*position));
        game.moves(position).zip(weights).filter(|(_, weight)| *weight > 0).collect()
    }
}

impl<G: Game> Evaluation<G> for Bound<(bool, Arc<ValuePositions>)> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        let mut answers = EvaluationBuffer::default();
        let request = EvaluationRequest { position: *position, player, prior: false };
        self.evaluate_many(game, &[request], &mut answers);
        answers.all().values()[0]
    }

    fn evaluate_many(
        &self,
        _game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        let erased = |request: &EvaluationRequest<G::Position>| EvaluationRequest {
            position: Value::new(request.position),
            player: request.player,
            prior: request.prior,
        };
        (self.ask.1)(&self.object, &requests.iter().map(erased).collect::<Vec<_>>(), answers);
    }

    fn facts(&self) -> EvaluationFacts {
        let facts = self.object.facts();
        let most = facts.min_payoff.unsigned_abs().max(facts.max_payoff.unsigned_abs());
        EvaluationFacts {
            view: View::Antisymmetric,
            unit: UNIT,
            largest: i64::from(most) * (1.0 / UNIT) as i64,
            prefers_batches: true,
            has_prior: self.ask.0,
            is_points: false,
        }
    }
}

impl<G: Game> Searcher<G> for Bound<Box<ChooseMove>> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let place = (self.ask)(&self.object, &Value::new(*at), stream.rng().next_u64(), meter);
        let chosen = game.moves(at).nth(place).expect("it chooses the place of a legal move");
        Ok(Decision::unsearched(chosen, Stop::Complete))
    }
}
