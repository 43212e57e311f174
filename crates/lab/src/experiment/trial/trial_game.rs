//! A game of a trial in progress: its opening, its turns, its randomness and its record.

use std::cell::LazyCell;

use super::{GameRecord, SeatRecord};
use crate::experiment::line::one_line;
use crate::experiment::plan::{Plan, Planned, Players, Trial};
use crate::game::{Outcome, Player, Turn};
use crate::manifest::{Balance, Openings};
use crate::players::{PlayError, Table, Tables, longest};
use crate::rng::{PlayoutKey, Rng};
use crate::search::{Limits, MoveStream, SearchError, Spent};

/// A game of a trial, apart from its table.
pub(crate) struct TrialGame<'p, F> {
    planned: &'p Planned,
    trial: Trial,
    pub(crate) record: GameRecord,
    /// For each seat the key of its player's randomness.
    keys: [PlayoutKey; 2],
    /// Hashed on demand: many games have no chance turn.
    deal: LazyCell<Rng, F>,
    longest: u32,
}

pub(crate) enum Step {
    /// The end: the outcome and the score of the player in the first seat.
    Over(Outcome, i32),
    /// Chance had its turn.
    Chance,
    /// A player is to move, with this randomness.
    Decide(Player, MoveStream),
}

/// A game of a trial with these players in seat order, before its opening.
pub(crate) fn trial_game<'p>(
    plan: &'p Plan,
    trial: Trial,
    seating: &[usize],
    players: &mut Players<'_>,
) -> TrialGame<'p, impl FnOnce() -> Rng + use<'p>> {
    let seat = |&player: &usize| SeatRecord { player, ..SeatRecord::default() };
    let seats = seating.iter().map(seat).collect();
    let mut keys = [PlayoutKey::new(0); 2];
    for ((seat, &player), key) in (0..).zip(seating).zip(&mut keys) {
        *key = players.key(player, Player::new(seat));
    }
    let planned = plan.planned(trial.experiment);
    let roots = &planned.roots;
    TrialGame {
        planned,
        trial,
        record: GameRecord { result: Err(String::new()), forfeit: None, plies: 0, game_hash: 0, seats },
        keys,
        deal: LazyCell::new(move || roots.deal(trial.instance)),
        longest: longest(&planned.experiment.game_of(trial.instance).facts()),
    }
}

impl<F: FnOnce() -> Rng> TrialGame<'_, F> {
    pub(crate) fn limits(&self) -> Limits {
        self.planned.experiment.limits
    }

    pub(crate) fn open(&mut self, table: &mut dyn Table) -> Result<(), PlayError> {
        play_opening(self.planned, self.trial.instance, table, &mut self.deal)
    }

    /// Plays a chance turn, or returns the player to move, or the end of the game.
    pub(crate) fn step(&mut self, table: &mut dyn Table) -> Result<Step, PlayError> {
        match table.turn() {
            Turn::Over => {
                self.note_length(table);
                Ok(Step::Over(table.outcome(Player::FIRST), table.score(Player::FIRST)))
            }
            _ if table.plies() > self.longest => Err(PlayError::Endless(table.plies())),
            Turn::Chance => {
                table.let_chance_choose(&mut self.deal);
                Ok(Step::Chance)
            }
            Turn::Player(player) => {
                // So that the record has the length even if the game fails next.
                self.note_length(table);
                let seat = &self.record.seats[player.index()];
                let key = self.keys[player.index()].child(u64::from(seat.moves));
                Ok(Step::Decide(player, MoveStream::new(key)))
            }
        }
    }

    fn note_length(&mut self, table: &dyn Table) {
        self.record.plies = table.plies();
        self.record.game_hash = table.game_hash();
    }

    /// Records a move of a player, its work and its wall time. Returns the index of the player in the experiment.
    pub(crate) fn moved(&mut self, player: Player, spent: Spent, ns: u64) -> usize {
        let seat = &mut self.record.seats[player.index()];
        seat.spent += spent;
        seat.moves += 1;
        seat.wall_ns += ns;
        seat.player
    }

    /// Notes that a player lost the game without finishing it. Returns the result.
    pub(crate) fn forfeit(&mut self, player: Player, reason: &str) -> (Outcome, i32) {
        self.record.forfeit = Some(one_line(reason));
        (if player == Player::FIRST { Outcome::Loss } else { Outcome::Win }, 0)
    }

    pub(crate) fn end(mut self, result: Result<(Outcome, i32), PlayError>) -> GameRecord {
        // A message may have several lines, but a row of the log has one.
        self.record.result = result.map_err(|failure| one_line(&failure.to_string()));
        self.record
    }
}

/// The most openings that are drawn for an instance.
const MOST_DRAWS: u64 = 1000;

/// Plays the opening of an instance. The deal decides chance turns between random plies.
pub(crate) fn play_opening(
    planned: &Planned,
    instance: u64,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) -> Result<(), PlayError> {
    let openings = &planned.experiment.openings;
    let mut draw = None;
    if let (Some(judge), Openings::Random { plies: 1.., balance: Some(balance) }) = (&planned.judge, openings)
    {
        let find = || find_balanced(planned, &**judge, balance, instance);
        draw = Some(planned.balanced_draw(instance, find)?);
    }
    let random = || planned.roots.opening(instance, draw);
    play_moves(openings, instance, table, random, deal);
    Ok(())
}

/// Sets the table to where the moves of an instance begin, if that is not the start of its game.
pub(crate) fn set_up(openings: &Openings, number: u64, table: &mut dyn Table, random: impl FnOnce() -> Rng) {
    match openings {
        Openings::Positions { texts, .. } => {
            let set = table.begin_at(&texts[openings.place(number).0]);
            set.expect("the position was read with the manifest");
        }
        Openings::RandomPositions => {
            assert!(
                table.begin_at_random(&mut random()),
                "the game drew a position as the manifest was read"
            );
        }
        Openings::Random { .. } | Openings::Listed { .. } | Openings::Games(_) => {}
    }
}

/// Plays the opening with this number, whose position or plies are drawn from `random` if they are random.
pub(crate) fn play_moves(
    openings: &Openings,
    number: u64,
    table: &mut dyn Table,
    random: impl FnOnce() -> Rng,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) {
    match openings {
        Openings::Random { plies: 0, .. } => {}
        Openings::Random { plies, .. } => play_random(*plies, &mut random(), table, deal),
        Openings::Listed { lines, .. } => {
            for mv in &lines[openings.place(number).0] {
                assert!(table.make_written_move(mv), "{mv} was legal when the manifest was read");
            }
        }
        Openings::Positions { .. } | Openings::Games(_) | Openings::RandomPositions => {
            set_up(openings, number, table, random);
        }
    }
}

/// The first draw of an instance that the judge finds balanced.
fn find_balanced(
    Planned { experiment, roots, .. }: &Planned,
    judge: &dyn Tables,
    balance: &Balance,
    instance: u64,
) -> Result<u64, PlayError> {
    let seats = vec![0; usize::from(experiment.game.facts().players)];
    for draw in 0..MOST_DRAWS {
        let mut table = judge.table(&seats);
        let mut deal = LazyCell::new(|| roots.deal(instance));
        let mut rng = roots.opening(instance, Some(draw));
        play_random(experiment.openings.random_plies(), &mut rng, &mut *table, &mut deal);
        if !matches!(table.turn(), Turn::Player(_)) {
            continue;
        }
        let stream = MoveStream::new(roots.judge(instance, draw));
        table.decide(stream, experiment.limits)?;
        let (_, view) = table.last_decision().expect("a machine moved last");
        if let Some(limit) = view.found_nothing_within() {
            return Err(SearchError::Budget { limit }.into());
        }
        // A forced move has no value.
        let best = view.moves.iter().map(|estimate| estimate.value).max_by(f64::total_cmp);
        if best.is_some_and(|value| value.abs() <= balance.within) {
            return Ok(draw);
        }
    }
    Err(PlayError::NoOpening(MOST_DRAWS))
}

fn play_random(
    plies: u32,
    rng: &mut Rng,
    table: &mut dyn Table,
    deal: &mut LazyCell<Rng, impl FnOnce() -> Rng>,
) {
    let mut left = plies;
    while left > 0 {
        match table.turn() {
            Turn::Over => return,
            Turn::Chance => table.let_chance_choose(deal),
            Turn::Player(_) => {
                table.make_random_move(rng);
                left -= 1;
            }
        }
    }
}
