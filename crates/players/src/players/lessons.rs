//! The games that a learner of n-tuples, of a network, of a network of bags or of a policy plays, with the type of the game erased.

use std::sync::Arc;

use super::bag_file::BagForm;
use super::catalogue::{Additions, Catalogue};
use super::choices::{InputChoice, PlainEvaluation, UNIT};
use super::evaluations::{ToLearn, form_of, staged_names};
use super::machine::Machine;
use super::network_file::NetworkForm;
use super::recipe::{FitError, Fitted, Recipe};
use super::sampler::{SEEN, Sampler, SamplerOf, TupleSampler, TupleSamplerOf};
use super::spec::SearcherSpec;
use super::weights_file::WeightsForm;
use super::{PlayError, longest};
use crate::game::options::{OptionError, Part, Parts};
use crate::game::tuples::{Board, Seen, SquareEffects, TupleTable, square_effects};
use crate::game::{Bags, Features, Game, NamedGame, Player};
use crate::learn::{
    BagEvaluation, BagLearner, BagNetwork, BagPupil, Episode, Input, Learner, LessonError, NetworkLearner,
    NetworkValues, Opponent, PolicyGame, PolicyPupil, Pupil, Squares, Student, Target, TupleSum, TupleValues,
    Values,
};
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Limits, MoveStream};

/// The most weights of all stages of a game.
const MOST_WEIGHTS: usize = 10_000_000;

/// The evaluations of a game that can be learned, with the type of the game erased.
pub trait Learning {
    /// What the weights of an evaluation with parts are for: their game, features or shapes, unit and names; `None` for
    /// a part without weights.
    ///
    /// # Errors
    /// If the game has no such features or shapes.
    fn weights_form(&self, evaluation: &Part) -> Result<Option<WeightsForm>, FitError>;

    /// What a disc on each square counts for, by some weights of a part `tuples`, which may be the first of longer ones;
    /// `None` of any other part.
    fn square_effects(&self, evaluation: &Part, weights: &[f64]) -> Option<SquareEffects>;

    /// The games that teach the weights of a part `tuples`, against these opponents or, without any, against itself.
    ///
    /// # Errors
    /// If the part or an opponent does not fit the game.
    fn tuple_lessons(&self, evaluation: &Part, opponents: &[SearcherSpec]) -> Result<TupleLessons, FitError>;

    /// The games that teach the network of a part `network`, in the same way.
    ///
    /// # Errors
    /// If the part or an opponent does not fit the game.
    fn network_lessons(
        &self,
        evaluation: &Part,
        opponents: &[SearcherSpec],
    ) -> Result<NetworkLessons, FitError>;

    /// The games that teach the network of a part `bags`: by its own moves, or by those of these searchers in turn, whose
    /// default evaluation is the network.
    ///
    /// # Errors
    /// If the part or a searcher does not fit the game.
    fn bag_lessons(&self, evaluation: &Part, players: &[SearcherSpec]) -> Result<BagLessons, FitError>;

    /// The games that teach the policy of a part `linear`, against itself.
    ///
    /// # Errors
    /// If the part does not fit the game.
    fn policy_lessons(&self, evaluation: &Part) -> Result<Box<dyn PolicyLessons>, FitError>;

    /// What makes samples for a part `network` whose parameters are learned.
    ///
    /// # Errors
    /// If the part does not fit the game, or names a network already.
    fn network_sampler(&self, evaluation: &Part) -> Result<Box<dyn Sampler>, FitError>;

    /// What makes samples for a part `tuples` whose weights are learned.
    ///
    /// # Errors
    /// If the part does not fit the game, or has weights already.
    fn tuple_sampler(&self, evaluation: &Part) -> Result<Box<dyn TupleSampler>, FitError>;

    /// What makes samples of finished games, with this input (`one-hot`, `bits`, or the name of features) seen by
    /// `inversion` or `negation`.
    ///
    /// # Errors
    /// If the game has no such input.
    fn sampler(&self, input: &str, seen: &str) -> Result<Box<dyn Sampler>, FitError>;
}

/// A game, an evaluation that is learned, and the opponents that it learns from.
pub trait Lessons<S: Student>: Send + Sync {
    /// Plays a game by what a student learned, against itself or against an opponent: its number, and its seat.
    ///
    /// # Errors
    /// If the game cannot be played to its end.
    fn play(
        &self,
        student: &S,
        random: (f64, Target),
        opponent: Option<(usize, Player)>,
        place: (Stream, Limits),
    ) -> Result<Episode<S::Seen>, PlayError>;
}

/// The lessons of weights of n-tuples, with the places that they are for.
pub struct TupleLessons {
    /// The places.
    pub sum: TupleSum,
    /// How a position is seen.
    pub seen: Seen,
    /// The games.
    pub games: Box<dyn Lessons<Learner>>,
}

/// The lessons of a network, with what its inputs are.
pub struct NetworkLessons {
    /// What the file of the network states.
    pub form: NetworkForm,
    /// How a position is seen.
    pub seen: Seen,
    /// The games.
    pub games: Box<dyn Lessons<NetworkLearner>>,
}

/// A game and the features whose weighted sum is a policy.
pub trait PolicyLessons: Send + Sync {
    /// Plays some games of one deal by the policy with these weights.
    ///
    /// # Errors
    /// If a game does not end.
    fn play(&self, weights: &[f32], group: PlayoutKey, games: u64) -> Result<Vec<PolicyGame>, PlayError>;
}

/// The lessons of a network of bags, with what its file states.
pub struct BagLessons {
    /// What the file of the network states.
    pub form: BagForm,
    /// The network to begin with; `None` to begin with a random one.
    pub first: Option<Arc<BagNetwork>>,
    /// The games.
    pub games: Box<dyn Lessons<BagLearner>>,
}

/// The bags of a solitaire, and the searchers that play in place of the pupil, if there are any.
struct BagLessonsOf<G: Game> {
    game: G,
    bags: Arc<dyn Bags<G>>,
    additions: Additions<G>,
    players: Vec<SearcherSpec>,
}

impl<G: NamedGame> BagLessonsOf<G> {
    /// A player whose default evaluation is a network.
    fn player(&self, player: &SearcherSpec, network: Arc<BagNetwork>) -> Fitted<G> {
        let evaluation = BagEvaluation::new(&self.game, network, Arc::clone(&self.bags), UNIT);
        let catalogue = Catalogue::new(&self.game, &self.additions);
        catalogue.with_default_evaluation(Arc::new(evaluation)).build(player)
    }
}

impl<G: NamedGame> Lessons<BagLearner> for BagLessonsOf<G> {
    fn play(
        &self,
        student: &BagLearner,
        random: (f64, Target),
        player: Option<(usize, Player)>,
        (luck, limits): (Stream, Limits),
    ) -> Result<Episode, PlayError> {
        let longest = longest(&self.game.facts());
        let pupil = BagPupil::new(&self.game, &*self.bags, student.network(), random, longest);
        let Some((number, _)) = player else { return pupil.play(luck).map_err(played) };
        // A copy: searchers share their evaluation, and the student goes on learning.
        let network = Arc::new(student.network().clone());
        let player = self.player(&self.players[number], network).expect("its fit was checked");
        let key = (luck / "player").playout_key();
        let mut player = Other { machine: Machine::from(&player), key, moves: 0, limits };
        pupil.watch(&mut player, luck).map_err(played)
    }
}

/// The error of a game.
fn played(error: LessonError<PlayError>) -> PlayError {
    match error {
        LessonError::Endless(plies) => PlayError::Endless(plies),
        LessonError::Opponent(error) => error,
    }
}

/// The features of a policy.
struct PolicyLessonsOf<G: Game> {
    game: G,
    features: Arc<dyn Features<G>>,
}

impl<G: Game> PolicyLessons for PolicyLessonsOf<G> {
    fn play(&self, weights: &[f32], group: PlayoutKey, games: u64) -> Result<Vec<PolicyGame>, PlayError> {
        let longest = longest(&self.game.facts());
        let mut pupil = PolicyPupil::new(&self.game, &*self.features, longest);
        (0..games).map(|number| pupil.play(weights, group, number).map_err(played)).collect()
    }
}

/// A game with what makes a student's values from what they need, and the opponents.
struct LessonsOf<G: Game, P> {
    game: G,
    /// The board of tuples, or the input of a network with the view.
    place: P,
    opponents: Vec<Recipe<G>>,
}

/// The machine of another player.
struct Other<G: Game> {
    machine: Machine<G>,
    key: PlayoutKey,
    moves: u64,
    limits: Limits,
}

impl<G: Game> Opponent<G> for Other<G> {
    type Error = PlayError;

    fn choose(&mut self, game: &G, position: &G::Position) -> Result<G::Move, PlayError> {
        let stream = MoveStream::new(self.key.child(self.moves));
        self.moves += 1;
        Ok(self.machine.choose(game, position, stream, self.limits)?.0.chosen)
    }
}

impl<G: NamedGame> Catalogue<'_, G> {
    fn opponents(&self, opponents: &[SearcherSpec]) -> Result<Vec<Recipe<G>>, FitError> {
        if self.game().facts().players != 2 {
            return Err(FitError::searcher("td learns from games for two, and this is a solitaire"));
        }
        opponents.iter().map(|spec| self.build(spec)).collect()
    }
}

impl<G: NamedGame> Learning for Catalogue<'_, G> {
    fn weights_form(&self, part: &Part) -> Result<Option<WeightsForm>, FitError> {
        let (of, unit, names) = match PlainEvaluation::read(part) {
            None | Some(PlainEvaluation::Network { .. } | PlainEvaluation::Bags { .. }) => return Ok(None),
            Some(PlainEvaluation::Linear { features, unit, .. }) => {
                let found = self.features("evaluation", &features)?;
                (found.name.to_owned(), unit, found.features.names(self.game()))
            }
            Some(PlainEvaluation::Tuples { shapes, seen, stages, unit, .. }) => {
                let tables = self.tables(&*self.board("evaluation")?, &shapes)?;
                (form_of(&shapes, seen, stages), unit, staged_names(&tables, stages))
            }
        };
        Ok(Some(WeightsForm { game: G::NAME.into(), of, unit: unit.unwrap_or(UNIT), names, sparse: false }))
    }

    fn square_effects(&self, part: &Part, weights: &[f64]) -> Option<SquareEffects> {
        let ToLearn { board, tables, stages: 1, .. } = self.tuples_to_learn(part).ok()? else { return None };
        let (rows, columns) = board.size(self.game());
        let count = tables.iter().map(TupleTable::weights).sum();
        let values = square_effects(rows * columns, &tables, weights.get(..count)?);
        Some(SquareEffects { columns, values })
    }

    fn bag_lessons(&self, evaluation: &Part, players: &[SearcherSpec]) -> Result<BagLessons, FitError> {
        let (bags, form, first) = self.bags_to_learn(evaluation)?;
        let (game, additions) = (self.game().clone(), self.additions().clone());
        let games = BagLessonsOf { game, bags, additions, players: players.to_vec() };
        if !players.is_empty() {
            let any = Arc::new(BagNetwork::random(form.kinds, Stream::new(0)));
            players.iter().try_for_each(|player| games.player(player, Arc::clone(&any)).map(drop))?;
        }
        Ok(BagLessons { form, first, games: Box::new(games) })
    }

    fn policy_lessons(&self, evaluation: &Part) -> Result<Box<dyn PolicyLessons>, FitError> {
        let features = self.features_to_learn(evaluation)?;
        Ok(Box::new(PolicyLessonsOf { game: self.game().clone(), features }))
    }

    fn tuple_lessons(&self, evaluation: &Part, opponents: &[SearcherSpec]) -> Result<TupleLessons, FitError> {
        let opponents = self.opponents(opponents)?;
        let ToLearn { board, tables, seen, stages } = self.tuples_to_learn(evaluation)?;
        if stages > 1 {
            let reason = "td learns weights for all stages together; omit `stages`, or write method = \"least-squares\"";
            return Err(FitError::option("stages", reason));
        }
        let (rows, columns) = board.size(self.game());
        let sum = TupleSum::new(rows * columns, &tables);
        let games = Box::new(LessonsOf { game: self.game().clone(), place: board, opponents });
        Ok(TupleLessons { sum, seen, games })
    }

    fn network_lessons(
        &self,
        evaluation: &Part,
        opponents: &[SearcherSpec],
    ) -> Result<NetworkLessons, FitError> {
        let opponents = self.opponents(opponents)?;
        let SamplerOf { game, input, seen, form } = self.network_to_learn(evaluation)?;
        Ok(NetworkLessons {
            form,
            seen,
            games: Box::new(LessonsOf { game, place: (input, seen), opponents }),
        })
    }

    fn network_sampler(&self, evaluation: &Part) -> Result<Box<dyn Sampler>, FitError> {
        Ok(Box::new(self.network_to_learn(evaluation)?))
    }

    fn tuple_sampler(&self, evaluation: &Part) -> Result<Box<dyn TupleSampler>, FitError> {
        let ToLearn { board, tables, seen, stages } = self.tuples_to_learn(evaluation)?;
        let (rows, columns) = board.size(self.game());
        let sum = TupleSum::new(rows * columns, &tables);
        let weights = stages * sum.weights();
        if weights > MOST_WEIGHTS {
            let reason = format!(
                "{stages} stages have {weights} weights, and {MOST_WEIGHTS} are the most; write fewer"
            );
            return Err(FitError::option("stages", reason));
        }
        Ok(Box::new(TupleSamplerOf { game: self.game().clone(), board, sum, seen, stages }))
    }

    fn sampler(&self, input: &str, seen: &str) -> Result<Box<dyn Sampler>, FitError> {
        let features = self.game().features();
        let names = Squares::ALL.map(|(name, _)| name).into_iter();
        let names: Vec<_> = names.chain(features.iter().map(|features| features.name)).collect();
        if !names.contains(&input) {
            return Err(FitError::unknown("input", &OptionError::unknown("input", input, names)));
        }
        let found = SEEN.iter().find(|(name, _)| *name == seen);
        let (_, seen) = *found.ok_or_else(|| {
            let known = SEEN.map(|(name, _)| name);
            FitError::unknown("seen", &OptionError::unknown("seen", seen, known))
        })?;
        let squares = Squares::ALL.iter().find(|(name, _)| *name == input);
        let choice = squares.map_or(InputChoice::Features, |(_, squares)| InputChoice::Squares(*squares));
        let (input, form) = self.input("input", choice, input, seen)?;
        Ok(Box::new(SamplerOf { game: self.game().clone(), input, seen, form }))
    }
}

impl<G: Game, P> LessonsOf<G, P> {
    fn play<V: Values<G>>(
        &self,
        values: V,
        random: (f64, Target),
        opponent: Option<(usize, Player)>,
        (luck, limits): (Stream, Limits),
    ) -> Result<Episode<V::Seen>, PlayError> {
        let mut other = opponent.map(|(number, seat)| {
            let machine = Machine::from(&self.opponents[number]);
            (seat, Other { machine, key: (luck / "opponent").playout_key(), moves: 0, limits })
        });
        let other = other.as_mut().map(|(seat, other)| (*seat, other));
        let mut pupil = Pupil::new(&self.game, values, random, longest(&self.game.facts()));
        pupil.play(other, luck).map_err(played)
    }
}

impl<G: Game> Lessons<Learner> for LessonsOf<G, Arc<dyn Board<G>>> {
    fn play(
        &self,
        student: &Learner,
        random: (f64, Target),
        opponent: Option<(usize, Player)>,
        place: (Stream, Limits),
    ) -> Result<Episode, PlayError> {
        self.play(TupleValues::new(&*self.place, student), random, opponent, place)
    }
}

impl<G: Game> Lessons<NetworkLearner> for LessonsOf<G, (Input<G>, Seen)> {
    fn play(
        &self,
        student: &NetworkLearner,
        random: (f64, Target),
        opponent: Option<(usize, Player)>,
        place: (Stream, Limits),
    ) -> Result<Episode<f32>, PlayError> {
        let (input, seen) = &self.place;
        self.play(NetworkValues::new(input, student.network(), *seen), random, opponent, place)
    }
}
