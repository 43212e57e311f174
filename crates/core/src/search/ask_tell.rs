//! Ask and tell: a search names the playouts or evaluations that it needs, the caller computes them, and tells the results.
//!
//! The key decision: a decision in progress is kept inside its searcher, so that a caller can hold many searchers at once
//! and none borrows from another. A decision depends neither on the caller nor on the other requests in a call, so the
//! requests of many games can share a batch.

use std::ops::Range;
use std::sync::Arc;

use super::{Decided, Decision, Meter, MoveStream, SearchError, Stop};
use crate::game::{
    Evaluation, EvaluationBuffer, EvaluationRequest, Evaluations, Game, PlayoutRequest, Policy, PolicyExt,
    Tally,
};

/// The next request of a search.
pub enum Ask<'a, G: Game> {
    /// Playouts from one or more positions, by this policy.
    Playouts {
        /// The policy that plays.
        policy: &'a Arc<dyn Policy<G>>,
        /// At least one request.
        requests: &'a [PlayoutRequest<G::Position>],
    },
    /// Values of one or more positions, and priors over their moves if requested, by this evaluation.
    Evaluations {
        /// The evaluation that values them.
        evaluation: &'a Arc<dyn Evaluation<G>>,
        /// At least one request.
        requests: &'a [EvaluationRequest<G::Position>],
    },
    /// Nothing more.
    Nothing(Stop),
}

/// The answer to a request: one result for each position, in the order of the request.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// The tally of the playouts from each position.
    Playouts(&'a [Tally]),
    /// Values, and priors if requested.
    Evaluations(Evaluations<'a>),
}

impl<'a> Answer<'a> {
    /// The tallies.
    ///
    /// # Panics
    /// If these are evaluations: the caller answers another request.
    pub fn tallies(self) -> &'a [Tally] {
        let Self::Playouts(tallies) = self else { panic!("playouts were asked for, and evaluations told") };
        tallies
    }

    /// The evaluations.
    ///
    /// # Panics
    /// If these are playouts: the caller answers another request.
    pub fn evaluations(self) -> Evaluations<'a> {
        let Self::Evaluations(evaluations) = self else {
            panic!("evaluations were asked for, and playouts told")
        };
        evaluations
    }

    /// The answer to some of the requests.
    ///
    /// # Panics
    /// If the range exceeds them.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        match self {
            Self::Playouts(tallies) => Self::Playouts(&tallies[range]),
            Self::Evaluations(evaluations) => Self::Evaluations(evaluations.part(range)),
        }
    }
}

/// The memory of answers, used again for each.
#[derive(Debug, Default)]
pub struct AnswerBuffer {
    tallies: Vec<Tally>,
    evaluations: EvaluationBuffer,
}

impl AnswerBuffer {
    /// Plays all requests in one call.
    pub fn play<G: Game>(
        &mut self,
        game: &G,
        policy: &dyn Policy<G>,
        requests: &[PlayoutRequest<G::Position>],
    ) -> Answer<'_> {
        self.tallies.clear();
        self.tallies.resize(requests.len(), Tally::default());
        policy.playouts_of_many(game, requests, &mut self.tallies);
        Answer::Playouts(&self.tallies)
    }

    /// Values all requests in one call.
    ///
    /// # Panics
    /// If the evaluation does not answer each request.
    pub fn evaluate<G: Game>(
        &mut self,
        game: &G,
        evaluation: &dyn Evaluation<G>,
        requests: &[EvaluationRequest<G::Position>],
    ) -> Answer<'_> {
        self.evaluations.clear();
        evaluation.evaluate_many(game, requests, &mut self.evaluations);
        let answers = self.evaluations.all();
        assert_eq!(answers.values().len(), requests.len(), "an evaluation answers each request once");
        Answer::Evaluations(answers)
    }
}

/// A decision that needs no answer, or `None` once a search is begun.
pub type Opened<G> = Result<Option<Decision<<G as Game>::Move>>, SearchError>;

/// A searcher that decides by ask and tell.
///
/// # Laws
/// - [`AskTell::open`] begins a decision. [`AskTell::ask`] and [`AskTell::tell`] then alternate until nothing more is
///   asked for, and [`AskTell::close`] decides. The decision and the counted work equal those of
///   [`Searcher::choose`](super::Searcher::choose).
/// - Only budgets of time depend on the time between two calls.
///
/// # Example: a decision by hand
/// ```
/// use std::sync::Arc;
/// use shikou::game::{Game, Uniform};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::rng::PlayoutKey;
/// use shikou::search::{
///     AnswerBuffer, Ask, AskTell, Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings,
/// };
///
/// let (game, start) = (TicTacToe, TicTacToe.start());
/// let stream = MoveStream::new(PlayoutKey::new(1));
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(100));
/// let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
/// let mut buffer = AnswerBuffer::default();
/// assert!(uct.open(&game, &start, stream, &mut meter).unwrap().is_none());
/// let stop = loop {
///     let answer = match uct.ask(&game, &mut meter) {
///         Ask::Playouts { policy, requests } => buffer.play(&game, &**policy, requests),
///         Ask::Evaluations { evaluation, requests } => buffer.evaluate(&game, &**evaluation, requests),
///         Ask::Nothing(stop) => break stop,
///     };
///     uct.tell(&game, answer, &mut meter);
/// };
/// let decision = uct.close(&game, stream, stop, &meter).unwrap();
/// let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(100));
/// assert_eq!(Uct::new(UctSettings::new(Arc::new(Uniform))).choose(&game, &start, stream, &mut meter).unwrap(), decision);
/// ```
pub trait AskTell<G: Game> {
    /// Begins a decision. Returns it at once if nothing is to be asked, such as at a forced move. Call it only at a
    /// player's turn.
    ///
    /// # Errors
    /// As [`Searcher::choose`](super::Searcher::choose).
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G>;

    /// The next request.
    fn ask(&mut self, game: &G, meter: &mut Meter) -> Ask<'_, G>;

    /// Takes the answer to the last request, and counts its playouts.
    ///
    /// # Panics
    /// If the answer is to another request.
    fn tell(&mut self, game: &G, answer: Answer<'_>, meter: &mut Meter);

    /// The decision, after [`Ask::Nothing`].
    ///
    /// # Errors
    /// As [`Searcher::choose`](super::Searcher::choose).
    fn close(&mut self, game: &G, stream: MoveStream, stop: Stop, meter: &Meter) -> Decided<G>;
}

/// Decides by ask and tell, and answers each request at once.
#[inline(never)]
pub(super) fn choose_alone<G: Game>(
    searcher: &mut dyn AskTell<G>,
    game: &G,
    position: &G::Position,
    stream: MoveStream,
    meter: &mut Meter,
) -> Decided<G> {
    if let Some(decision) = searcher.open(game, position, stream, meter)? {
        return Ok(decision);
    }
    let stop = answer_alone(searcher, game, meter);
    searcher.close(game, stream, stop, meter)
}

/// Answers every request of a decision that was begun, each at once. Returns the reason why the search stopped.
pub(super) fn answer_alone<G: Game>(searcher: &mut dyn AskTell<G>, game: &G, meter: &mut Meter) -> Stop {
    let mut buffer = AnswerBuffer::default();
    loop {
        let answer = match searcher.ask(game, meter) {
            Ask::Playouts { policy, requests } => buffer.play(game, &**policy, requests),
            Ask::Evaluations { evaluation, requests } => buffer.evaluate(game, &**evaluation, requests),
            Ask::Nothing(stop) => return stop,
        };
        searcher.tell(game, answer, meter);
    }
}
