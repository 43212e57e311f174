//! Flat Monte Carlo: equally many playouts for each move.
//!
//! The key decision: no [`Sharing`](super::Sharing) of a bandit, since there is nothing to share out. All playouts are one request, and
//! a decision with few of them costs little more than they do.

use std::sync::Arc;

use crate::game::{Batch, Game, GameExt, PlayoutRequest, Policy, Tally, Turn};
use crate::search::ask_tell::choose_alone;
use crate::search::candidates::{player_to_search, reserve_estimates};
use crate::search::tree::entry;
use crate::search::{
    Answer, Ask, AskTell, Decided, Decision, Meter, MoveEstimate, MoveStream, NoTree, Opened, SearchError,
    Searcher, Stop, Ties,
};

/// Flat Monte Carlo (Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12;
/// Brügmann 1993, "Monte Carlo Go"): equally many playouts for each move; the move with the best mean is played.
///
/// [All moves as first](Self::with_amaf) counts a playout for every move that the player makes in it, as Brügmann's program did.
/// A forced move is played without playouts. It needs no budget, and keeps none.
///
/// # Cost
/// Moves × playouts a decision, in one request.
#[derive(Clone)]
pub struct FlatMonteCarlo<G: Game> {
    playouts: u64,
    policy: Arc<dyn Policy<G>>,
    ties: Ties,
    amaf: bool,
    /// The playouts of each move, in the game's order.
    requests: Vec<PlayoutRequest<G::Position>>,
    moves: Vec<MoveEstimate<G::Move>>,
}

impl<G: Game> FlatMonteCarlo<G> {
    /// `playouts` for each move, with the given playout policy; `ties` chooses among several best moves.
    ///
    /// # Panics
    /// If `playouts` is 0.
    pub fn new(playouts: u64, policy: Arc<dyn Policy<G>>, ties: Ties) -> Self {
        assert!(playouts > 0, "flat Monte Carlo needs at least one playout a move");
        Self { playouts, policy, ties, amaf: false, requests: Vec::new(), moves: Vec::new() }
    }

    /// Sets whether a playout counts for every move of the position that the player makes in it, at whatever time, and not for its first
    /// alone. The game must number its moves. Estimates are of all these playouts, so that their visits exceed the playouts.
    ///
    /// # References
    /// Brügmann 1993; Helmbold, Parker-Wood 2009, "All-moves-as-first heuristics in Monte-Carlo Go", ICAI.
    #[must_use]
    pub fn with_amaf(self, amaf: bool) -> Self {
        Self { amaf, ..self }
    }

    /// The results of each move in all playouts, which are played and counted.
    fn all_as_first(&self, game: &G, meter: &mut Meter) -> Result<Vec<Tally>, SearchError> {
        let number = |mv| game.move_number(mv).expect("the game numbers its moves");
        let numbers: Vec<u16> = self.moves.iter().map(|estimate| number(estimate.mv)).collect();
        let mut tallies = vec![Tally::default(); numbers.len()];
        // The last playout in which the player made each move; the first is number 1.
        let (mut last, mut room, mut playout) = (Vec::new(), 0, 0_u64);
        for (&PlayoutRequest { from, player, batch }, &first) in self.requests.iter().zip(&numbers) {
            let mut played = Tally::default();
            for index in 0..batch.count {
                let (mut position, mut draws, mut plies) = (from, batch.key.playout(index), 0);
                playout += 1;
                *entry(&mut last, first, 0) = playout;
                loop {
                    let mv = match game.turn(&position) {
                        Turn::Over => break,
                        Turn::Chance => game.random_outcome(&position, &mut draws),
                        Turn::Player(_) => self.policy.choose(game, &position, &mut draws),
                    };
                    if game.turn(&position) == Turn::Player(player) {
                        *entry(&mut last, number(mv), 0) = playout;
                    }
                    game.apply(&mut position, mv);
                    plies += 1;
                }
                let payoff = game.payoff(&position, player);
                played.record(payoff, plies);
                for (tally, &number) in tallies.iter_mut().zip(&numbers) {
                    if *entry(&mut last, number, 0) == playout {
                        tally.record(payoff, 0);
                    }
                }
            }
            meter.count_playouts(&played);
            meter.reserve_growth(&last, &mut room)?;
        }
        Ok(tallies)
    }

    fn take(&mut self, tallies: &[Tally]) {
        for (estimate, tally) in self.moves.iter_mut().zip(tallies) {
            *estimate = MoveEstimate::of(estimate.mv, tally);
        }
    }
}

impl<G: Game> Searcher<G> for FlatMonteCarlo<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        if !self.amaf {
            return choose_alone(self, game, at, stream, meter);
        }
        if let Some(forced) = self.open(game, at, stream, meter)? {
            return Ok(forced);
        }
        self.take(&self.all_as_first(game, meter)?);
        self.close(game, stream, Stop::Complete, meter)
    }

    fn remembers(&self) -> bool {
        false
    }

    fn ask_tell(&mut self) -> Option<&mut dyn AskTell<G>> {
        if self.amaf { None } else { Some(self) }
    }

    fn no_tree(&self) -> NoTree {
        NoTree::OneMove
    }
}

impl<G: Game> AskTell<G> for FlatMonteCarlo<G> {
    fn open(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Opened<G> {
        let player = match player_to_search(game, at) {
            Ok(player) => player,
            Err(forced) => return Ok(Some(forced)),
        };
        reserve_estimates(game, at, meter)?;
        let each = size_of::<(PlayoutRequest<G::Position>, Tally)>() as u64;
        meter.reserve(u64::from(game.move_count(at)) * each)?;
        self.requests.clear();
        self.moves = Vec::with_capacity(game.move_count(at) as usize);
        for (number, (mv, from)) in (0..).zip(game.children(at)) {
            let batch = Batch::new(stream.playouts().child(number), self.playouts);
            self.requests.push(PlayoutRequest { from, player, batch });
            self.moves.push(MoveEstimate::exact(mv, 0, 0.0));
        }
        Ok(None)
    }

    fn ask(&mut self, _game: &G, _meter: &mut Meter) -> Ask<'_, G> {
        if self.moves[0].visits > 0 {
            return Ask::Nothing(Stop::Complete);
        }
        Ask::Playouts { policy: &self.policy, requests: &self.requests }
    }

    fn tell(&mut self, _game: &G, answer: Answer<'_>, meter: &mut Meter) {
        meter.count_batch(answer.tallies());
        self.take(answer.tallies());
    }

    fn close(&mut self, _game: &G, stream: MoveStream, stop: Stop, _meter: &Meter) -> Decided<G> {
        let moves = std::mem::take(&mut self.moves);
        let best = self.ties.best(moves.iter().map(|estimate| estimate.value), &mut stream.rng());
        Ok(Decision { chosen: moves[best].mv, moves, stop })
    }
}
