//! Games between the same machines, played side by side: their searches' playouts are played in one call.
//!
//! The key decision: in a round every search that is under way asks for its next playouts, all of them are played, and
//! every search is told. So the single playouts of many games share vector lanes. What a search asks for depends on its own
//! game only, so each game is, to the bit, the game that it would be alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::table::{Machine, Seats};
use super::{Failure, Recipe, Table};
use crate::game::{Game, Player, PlayoutRequest, Tally, Turn};
use crate::search::{Ask, Limits, Meter, MoveStream, Spent, Stop};

/// Games in progress whose decisions go on together.
pub trait LockStep {
    /// A game by its number: 0 to one less than were asked for.
    ///
    /// # Panics
    /// Where there is no such game.
    fn table(&mut self, game: usize) -> &mut dyn Table;

    /// Lets the machine whose turn it is in a game begin to choose. `Some`: it is done, the move is made, and this is the
    /// work; else the decision goes on in [`LockStep::round`]. Machines that hold no conversation, or whose budget is a
    /// time, choose here.
    ///
    /// # Panics
    /// Where there is no such game, it is not a machine's turn in it, or its machine is choosing already.
    fn begin(&mut self, game: usize, stream: MoveStream, limits: Limits) -> Option<Result<Spent, Failure>>;

    /// One request for playouts of every decision that was begun: asked, played in one call, told. Tells `decided` of each
    /// game whose move is made now. Returns how many decisions still go on.
    fn round(&mut self, decided: &mut dyn FnMut(usize, Result<Spent, Failure>)) -> usize;
}

/// Games of a known game side by side.
pub(super) struct Rows<'g, G: Game> {
    game: &'g G,
    games: Vec<Seats<'g, G>>,
    /// The decisions that go on, in the order in which they were begun.
    deciding: Vec<Deciding>,
    /// For each seat, what was asked for in this round.
    asked: [Asked<G>; 2],
    tallies: Vec<Tally>,
}

/// A decision that goes on.
struct Deciding {
    /// Which game.
    number: usize,
    player: Player,
    stream: MoveStream,
    meter: Meter,
    /// How it ended, in the round in which it does.
    end: Option<Result<Stop, Failure>>,
}

/// Requests, and the place of the decision that each is from.
struct Asked<G: Game> {
    requests: Vec<PlayoutRequest<G::Position>>,
    places: Vec<usize>,
}

impl<'g, G: Game> Rows<'g, G> {
    /// So many games from this position, each with machines of its own.
    pub(super) fn new(game: &'g G, start: G::Position, recipes: &[Recipe<G>], count: usize) -> Self {
        let seats = || Seats::new(game, start, recipes.iter().map(|recipe| Some(Machine::from(recipe))));
        let asked = || Asked { requests: Vec::with_capacity(count), places: Vec::with_capacity(count) };
        Self {
            game,
            games: (0..count).map(|_| seats()).collect(),
            deciding: Vec::with_capacity(count),
            asked: [asked(), asked()],
            tallies: Vec::with_capacity(count),
        }
    }

    /// Plays what was asked for at a seat. A playout that panics is the failure of the game that asked for it.
    fn play(&mut self, seat: usize) {
        let Asked { requests, places } = &self.asked[seat];
        let Some(&first) = places.first() else { return };
        let game = self.game;
        let policy = {
            let Deciding { number, player, .. } = self.deciding[first];
            Arc::clone(self.games[number].conversation(player).policy())
        };
        self.tallies.clear();
        self.tallies.resize(requests.len(), Tally::default());
        let tallies = &mut self.tallies;
        let all = || policy.playouts_of_many(game, requests, tallies);
        if catch_unwind(AssertUnwindSafe(all)).is_ok() {
            return;
        }
        for ((request, &place), tally) in requests.iter().zip(places).zip(&mut self.tallies) {
            let PlayoutRequest { from, player, batch } = request;
            match caught(|| Ok(policy.playouts(game, from, *player, *batch))) {
                Ok(alone) => *tally = alone,
                Err(failure) => self.deciding[place].end = Some(Err(failure)),
            }
        }
    }
}

/// The result of what may panic.
fn caught<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| Err(Failure::from_panic(&*payload)))
}

impl<G: Game> LockStep for Rows<'_, G> {
    fn table(&mut self, game: usize) -> &mut dyn Table {
        &mut self.games[game]
    }

    fn begin(&mut self, number: usize, stream: MoveStream, limits: Limits) -> Option<Result<Spent, Failure>> {
        assert!(self.deciding.iter().all(|deciding| deciding.number != number), "it is choosing already");
        let (game, seats) = (self.game, &mut self.games[number]);
        let Turn::Player(player) = seats.turn() else { panic!("it is not a player's turn") };
        let position = *seats.position();
        let mut meter = seats.machine(player).meter(limits);
        let Some(conversation) = seats.machine(player).conversation() else {
            return Some(caught(|| seats.decide(stream, limits)));
        };
        match caught(|| Ok(conversation.open(game, &position, stream, &mut meter)?)) {
            Ok(None) => {
                self.deciding.push(Deciding { number, player, stream, meter, end: None });
                None
            }
            Ok(Some(decision)) => Some(seats.settle(player, decision, meter.spent())),
            Err(failure) => Some(Err(failure)),
        }
    }

    fn round(&mut self, decided: &mut dyn FnMut(usize, Result<Spent, Failure>)) -> usize {
        let game = self.game;
        for (place, deciding) in self.deciding.iter_mut().enumerate() {
            let conversation = self.games[deciding.number].conversation(deciding.player);
            match caught(|| Ok(conversation.ask(game, &mut deciding.meter))) {
                Ok(Ask::Playouts(request)) => {
                    let asked = &mut self.asked[deciding.player.index()];
                    asked.requests.push(request);
                    asked.places.push(place);
                }
                Ok(Ask::Nothing(stop)) => deciding.end = Some(Ok(stop)),
                Err(failure) => deciding.end = Some(Err(failure)),
            }
        }
        for seat in 0..2 {
            self.play(seat);
            for (&place, tally) in self.asked[seat].places.iter().zip(&self.tallies) {
                let deciding = &mut self.deciding[place];
                if deciding.end.is_some() {
                    continue;
                }
                let conversation = self.games[deciding.number].conversation(deciding.player);
                let told = caught(|| {
                    conversation.tell(game, tally, &mut deciding.meter);
                    Ok(())
                });
                deciding.end = told.err().map(Err);
            }
            self.asked[seat].requests.clear();
            self.asked[seat].places.clear();
        }
        self.deciding.retain_mut(|deciding| {
            let Some(end) = deciding.end.take() else { return true };
            let Deciding { number, player, stream, ref meter, .. } = *deciding;
            let seats = &mut self.games[number];
            let result = end.and_then(|stop| {
                caught(|| {
                    let decision = seats.conversation(player).close(game, stream, stop, meter)?;
                    seats.settle(player, decision, meter.spent())
                })
            });
            decided(number, result);
            false
        });
        self.deciding.len()
    }
}
