//! Games between the same machines, played in lock-step: their searches' requests are computed in common batches.
//!
//! The key decision: in a round every search in progress asks, all requests to the same policy or evaluation are computed in
//! one call, and every search is told its answer. So single playouts of many games share vector lanes, and single
//! evaluations share a batch. A search's requests depend on its own game only, so each game is, to the bit, the same as
//! alone.

use std::ops::Range;
use std::sync::Arc;

use super::machine::random_instead;
use super::play_error::caught;
use super::table::Seats;
use super::{PlayError, Table};
use crate::game::{Evaluation, EvaluationRequest, Game, Player, PlayoutRequest, Policy, Turn, erased};
use crate::search::{Answer, AnswerBuffer, Ask, Limits, Meter, MoveStream, Spent, Stop};

/// Games in progress that compute their requests together.
pub struct LockStep<'g> {
    rows: Box<dyn Rows + 'g>,
    /// The decisions in progress, in the order in which they were begun.
    deciding: Vec<Deciding>,
    /// The requests of a round to policies and to evaluations, by the number of their batch.
    asked: [Vec<Parts>; 2],
    buffer: AnswerBuffer,
}

/// The place of each decision that asks for a batch, and the range of its requests.
type Parts = Vec<(usize, Range<usize>)>;

struct Deciding {
    /// The game.
    number: usize,
    player: Player,
    stream: MoveStream,
    meter: Meter,
    /// The end of the decision, in its last round.
    end: Option<Result<Stop, PlayError>>,
}

/// Requests of a search: the kind and the number of their batch, and their range in it.
type Asked = (usize, usize, Range<usize>);

/// Requests to one policy or evaluation.
type Requests<B, R> = (Arc<B>, Vec<R>);

/// Games of a known type, with the requests of a round: one batch for each policy, or each evaluation.
struct Games<'g, G: Game> {
    game: &'g G,
    seats: Vec<Seats<'g, G>>,
    playouts: Vec<Requests<dyn Policy<G>, PlayoutRequest<G::Position>>>,
    evaluations: Vec<Requests<dyn Evaluation<G>, EvaluationRequest<G::Position>>>,
}

/// Adds requests to the batch of a policy or an evaluation. Returns its number and their range.
fn add<B: ?Sized, R: Copy>(
    all: &mut Vec<Requests<B, R>>,
    by: &Arc<B>,
    requests: &[R],
) -> (usize, Range<usize>) {
    let known = all.iter().position(|(known, _)| Arc::ptr_eq(known, by));
    let number = known.unwrap_or_else(|| {
        all.push((Arc::clone(by), Vec::new()));
        all.len() - 1
    });
    let batch = &mut all[number].1;
    let begin = batch.len();
    batch.extend_from_slice(requests);
    (number, begin..batch.len())
}

erased! {
    /// The typed side of games in lock-step.
    trait Rows for Games<'_, G>, G: Game;

    fn table(&mut self, number: usize) -> &mut dyn Table { &mut self.seats[number] }

    /// A meter for the machine at a seat; `None` if it does not decide by ask and tell.
    fn meter(&mut self, number: usize, player: Player, limits: Limits) -> Option<Meter> {
        let machine = self.seats[number].machine(player);
        machine.ask_tell().is_some().then(|| machine.meter(limits))
    }

    /// Begins a decision; returns its work if it is made at once.
    fn open(&mut self, by: &mut Deciding) -> Result<Option<Spent>, PlayError> {
        let seats = &mut self.seats[by.number];
        let position = *seats.position();
        let opened = seats.ask_tell(by.player).open(self.game, &position, by.stream, &mut by.meter)?;
        opened.map(|decision| seats.settle(by.player, decision, &by.meter)).transpose()
    }

    /// Asks for the requests of a decision, and adds them to their batch.
    fn ask(&mut self, by: &mut Deciding) -> Result<Asked, Stop> {
        let asked = self.seats[by.number].ask_tell(by.player).ask(self.game, &mut by.meter);
        let (kind, (batch, range)) = match asked {
            Ask::Playouts { policy, requests } => (0, add(&mut self.playouts, policy, requests)),
            Ask::Evaluations { evaluation, requests } => (1, add(&mut self.evaluations, evaluation, requests)),
            Ask::Nothing(stop) => return Err(stop),
        };
        Ok((kind, batch, range))
    }

    /// Computes some requests of a batch.
    fn compute<'b>(&self, asked: Asked, buffer: &'b mut AnswerBuffer) -> Answer<'b> {
        let (kind, batch, range) = asked;
        if kind == 0 {
            let (policy, requests) = &self.playouts[batch];
            return buffer.play(self.game, &**policy, &requests[range]);
        }
        let (evaluation, requests) = &self.evaluations[batch];
        buffer.evaluate(self.game, &**evaluation, &requests[range])
    }

    /// Removes all requests, and keeps the memory.
    fn clear(&mut self) {
        self.playouts.iter_mut().for_each(|(_, requests)| requests.clear());
        self.evaluations.iter_mut().for_each(|(_, requests)| requests.clear());
    }

    fn tell(&mut self, by: &mut Deciding, answer: Answer<'_>) {
        self.seats[by.number].ask_tell(by.player).tell(self.game, answer, &mut by.meter);
    }

    /// Ends a decision, and makes its move.
    fn close(&mut self, by: &Deciding, stop: Stop) -> Result<Spent, PlayError> {
        let (game, seats) = (self.game, &mut self.seats[by.number]);
        let decision = seats.ask_tell(by.player).close(game, by.stream, stop, &by.meter);
        let random = |failure| random_instead(failure, game, seats.position(), by.stream);
        let decision = decision.or_else(random)?;
        seats.settle(by.player, decision, &by.meter)
    }
}

impl<'g> LockStep<'g> {
    pub(super) fn new<G: Game>(game: &'g G, seats: Vec<Seats<'g, G>>) -> Self {
        let rows = Games { game, seats, playouts: Vec::new(), evaluations: Vec::new() };
        Self {
            rows: Box::new(rows),
            deciding: Vec::new(),
            asked: Default::default(),
            buffer: AnswerBuffer::default(),
        }
    }

    /// A game by its number, from 0.
    ///
    /// # Panics
    /// If there is no such game.
    pub fn table(&mut self, number: usize) -> &mut dyn Table {
        self.rows.table(number)
    }

    /// Lets the machine to move in a game begin its decision. Returns the work if the move was made at once; else the
    /// decision continues in [`LockStep::round`]. A machine without ask and tell, or with a time budget, decides here.
    ///
    /// # Panics
    /// If there is no such game, if it is not a machine's turn there, or if its machine is already deciding.
    pub fn begin(
        &mut self,
        number: usize,
        stream: MoveStream,
        limits: Limits,
    ) -> Option<Result<Spent, PlayError>> {
        let is_deciding = self.deciding.iter().any(|deciding| deciding.number == number);
        assert!(!is_deciding, "the machine is already deciding");
        let Turn::Player(player) = self.table(number).turn() else { panic!("it is not a player's turn") };
        let Some(meter) = self.rows.meter(number, player, limits) else {
            return Some(caught(|| self.table(number).decide(stream, limits)));
        };
        let mut deciding = Deciding { number, player, stream, meter, end: None };
        let opened = caught(|| self.rows.open(&mut deciding)).transpose();
        if opened.is_none() {
            self.deciding.push(deciding);
        }
        opened
    }

    /// Asks for one request of every decision in progress, computes all together, and tells the answers. Calls
    /// `decided` for each game in which a move was made. Returns the number of decisions still in progress.
    pub fn round(&mut self, decided: &mut dyn FnMut(usize, Result<Spent, PlayError>)) -> usize {
        for (place, deciding) in self.deciding.iter_mut().enumerate() {
            match caught(|| Ok(self.rows.ask(deciding))) {
                Ok(Ok((kind, batch, range))) => {
                    let batches = &mut self.asked[kind];
                    batches.resize(batches.len().max(batch + 1), Vec::new());
                    batches[batch].push((place, range));
                }
                Ok(Err(stop)) => deciding.end = Some(Ok(stop)),
                Err(failure) => deciding.end = Some(Err(failure)),
            }
        }
        for kind in 0..self.asked.len() {
            for batch in 0..self.asked[kind].len() {
                self.answer(kind, batch);
            }
        }
        self.rows.clear();
        self.deciding.retain_mut(|deciding| {
            let Some(end) = deciding.end.take() else { return true };
            let abandoned = || Ok(deciding.meter.check_abandoned()?);
            let close = |stop| caught(|| abandoned().and_then(|()| self.rows.close(deciding, stop)));
            decided(deciding.number, end.and_then(close));
            false
        });
        self.deciding.len()
    }

    /// Computes a batch in one call, and tells each decision its answer. If the batch panics, the requests of each
    /// decision are computed alone, so that only the game with the faulty request fails.
    fn answer(&mut self, kind: usize, batch: usize) {
        let Self { rows, deciding, asked, buffer } = self;
        let parts = std::mem::take(&mut asked[kind][batch]);
        let all = 0..parts.last().map_or(0, |(_, range)| range.end);
        let mut tell = |rows: &mut dyn Rows, place: usize, answer: Result<Answer<'_>, PlayError>| {
            let told = answer.and_then(|answer| {
                caught(|| {
                    rows.tell(&mut deciding[place], answer);
                    Ok(())
                })
            });
            deciding[place].end = told.err().map(Err);
        };
        if let Ok(answer) = caught(|| Ok(rows.compute((kind, batch, all), buffer))) {
            for (place, range) in parts {
                tell(&mut **rows, place, Ok(answer.part(range)));
            }
            return;
        }
        for (place, range) in parts {
            let answer = caught(|| Ok(rows.compute((kind, batch, range), buffer)));
            tell(&mut **rows, place, answer);
        }
    }
}
