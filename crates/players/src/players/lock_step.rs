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
use crate::game::{Evaluation, EvaluationRequest, Game, Player, PlayoutRequest, Policy, Turn};
use crate::search::{Answer, AnswerBuffer, Ask, Limits, Meter, MoveStream, Spent, Stop};

/// Games in progress that compute their requests together.
pub trait LockStep {
    /// A game by its number, from 0.
    ///
    /// # Panics
    /// If there is no such game.
    fn table(&mut self, game: usize) -> &mut dyn Table;

    /// Lets the machine to move in a game begin its decision. Returns the work if the move was made at once; else the
    /// decision continues in [`LockStep::round`]. A machine without ask and tell, or with a time budget, decides here.
    ///
    /// # Panics
    /// If there is no such game, if it is not a machine's turn there, or if its machine is already deciding.
    fn begin(&mut self, game: usize, stream: MoveStream, limits: Limits) -> Option<Result<Spent, PlayError>>;

    /// Asks for one request of every decision in progress, computes all together, and tells the answers. Calls
    /// `decided` for each game in which a move was made. Returns the number of decisions still in progress.
    fn round(&mut self, decided: &mut dyn FnMut(usize, Result<Spent, PlayError>)) -> usize;
}

/// The [`LockStep`] of a known game.
pub(super) struct Rows<'g, G: Game> {
    game: &'g G,
    games: Vec<Seats<'g, G>>,
    /// The decisions in progress, in the order in which they were begun.
    deciding: Vec<Deciding>,
    playouts: Batches<dyn Policy<G>, PlayoutRequest<G::Position>>,
    evaluations: Batches<dyn Evaluation<G>, EvaluationRequest<G::Position>>,
}

/// A decision in progress.
struct Deciding {
    /// The game.
    number: usize,
    player: Player,
    stream: MoveStream,
    meter: Meter,
    /// The end of the decision, in its last round.
    end: Option<Result<Stop, PlayError>>,
}

/// The requests of a round, with one batch per policy or evaluation.
struct Batches<B: ?Sized, R>(Vec<Batch<B, R>>);

/// The requests of a round to one policy or evaluation.
struct Batch<B: ?Sized, R> {
    by: Arc<B>,
    requests: Vec<R>,
    /// The place of each asking decision, and the range of its requests.
    parts: Vec<(usize, Range<usize>)>,
    buffer: AnswerBuffer,
}

impl<B: ?Sized, R: Copy> Batches<B, R> {
    /// Adds the requests of the decision at a place.
    fn add(&mut self, place: usize, by: &Arc<B>, requests: &[R]) {
        let known = self.0.iter().position(|batch| Arc::ptr_eq(&batch.by, by));
        let at = known.unwrap_or_else(|| {
            let (by, buffer) = (Arc::clone(by), AnswerBuffer::default());
            self.0.push(Batch { by, requests: Vec::new(), parts: Vec::new(), buffer });
            self.0.len() - 1
        });
        let Batch { requests: all, parts, .. } = &mut self.0[at];
        let begin = all.len();
        all.extend_from_slice(requests);
        parts.push((place, begin..all.len()));
    }

    /// Computes each batch in one call, and tells each decision its answer. If a batch panics, the requests of each
    /// decision are computed alone, so that only the game with the faulty request fails.
    fn compute(
        &mut self,
        compute: impl for<'b> Fn(&'b mut AnswerBuffer, &B, &[R]) -> Answer<'b>,
        mut tell: impl FnMut(usize, Result<Answer<'_>, PlayError>),
    ) {
        for Batch { by, requests, parts, buffer } in &mut self.0 {
            if let Ok(answer) = caught(|| Ok(compute(buffer, by, requests))) {
                parts.drain(..).for_each(|(place, range)| tell(place, Ok(answer.part(range))));
            } else {
                for (place, range) in parts.drain(..) {
                    tell(place, caught(|| Ok(compute(buffer, by, &requests[range]))));
                }
            }
            requests.clear();
        }
    }
}

impl<'g, G: Game> Rows<'g, G> {
    /// These games.
    pub(super) fn new(game: &'g G, games: Vec<Seats<'g, G>>) -> Self {
        Self {
            game,
            deciding: Vec::with_capacity(games.len()),
            games,
            playouts: Batches(Vec::new()),
            evaluations: Batches(Vec::new()),
        }
    }
}

impl<G: Game> LockStep for Rows<'_, G> {
    fn table(&mut self, game: usize) -> &mut dyn Table {
        &mut self.games[game]
    }

    fn begin(
        &mut self,
        number: usize,
        stream: MoveStream,
        limits: Limits,
    ) -> Option<Result<Spent, PlayError>> {
        assert!(
            self.deciding.iter().all(|deciding| deciding.number != number),
            "the machine is already deciding"
        );
        let (game, seats) = (self.game, &mut self.games[number]);
        let Turn::Player(player) = seats.turn() else { panic!("it is not a player's turn") };
        let position = *seats.position();
        let mut meter = seats.machine(player).meter(limits);
        let Some(searcher) = seats.machine(player).ask_tell() else {
            return Some(caught(|| seats.decide(stream, limits)));
        };
        match caught(|| Ok(searcher.open(game, &position, stream, &mut meter)?)) {
            Ok(None) => {
                self.deciding.push(Deciding { number, player, stream, meter, end: None });
                None
            }
            Ok(Some(decision)) => Some(seats.settle(player, decision, meter.spent())),
            Err(failure) => Some(Err(failure)),
        }
    }

    fn round(&mut self, decided: &mut dyn FnMut(usize, Result<Spent, PlayError>)) -> usize {
        let Self { game, games, deciding: all, playouts, evaluations } = self;
        let game = *game;
        for (place, Deciding { number, player, meter, end, .. }) in all.iter_mut().enumerate() {
            let searcher = games[*number].ask_tell(*player);
            let asked = caught(|| {
                match searcher.ask(game, meter) {
                    Ask::Playouts { policy, requests } => playouts.add(place, policy, requests),
                    Ask::Evaluations { evaluation, requests } => evaluations.add(place, evaluation, requests),
                    Ask::Nothing(stop) => return Ok(Some(stop)),
                }
                Ok(None)
            });
            *end = asked.transpose();
        }
        let mut tell = |place: usize, answer: Result<Answer<'_>, PlayError>| {
            let Deciding { number, player, meter, end, .. } = &mut all[place];
            let searcher = games[*number].ask_tell(*player);
            let told = answer.and_then(|answer| {
                caught(|| {
                    searcher.tell(game, answer, meter);
                    Ok(())
                })
            });
            *end = told.err().map(Err);
        };
        playouts.compute(|buffer, policy, requests| buffer.play(game, policy, requests), &mut tell);
        evaluations
            .compute(|buffer, evaluation, requests| buffer.evaluate(game, evaluation, requests), &mut tell);
        self.deciding.retain_mut(|deciding| {
            let Some(end) = deciding.end.take() else { return true };
            let Deciding { number, player, stream, ref meter, .. } = *deciding;
            let seats = &mut self.games[number];
            let result = end.and_then(|stop| {
                caught(|| {
                    meter.check_abandoned()?;
                    let decision = seats.ask_tell(player).close(game, stream, stop, meter);
                    let random = |failure| random_instead(failure, game, seats.position(), stream);
                    let decision = decision.or_else(random)?;
                    seats.settle(player, decision, meter.spent())
                })
            });
            decided(number, result);
            false
        });
        self.deciding.len()
    }
}
