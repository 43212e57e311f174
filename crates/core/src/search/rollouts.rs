//! Rollouts of lines of moves, compared with common random numbers, for solitaires of chance.
//!
//! The key decision: lines to the next turn of chance race one another. Playout *j* after each of them sees the same chance, so that
//! only what the lines differ in counts, and a line that is clearly behind gets no more playouts. Rejected: playouts after each single
//! move, which compares the same ends again after every move of a line.

use std::sync::Arc;

use super::searcher::player_to_search;
use super::solitaire_line::{Line, Plan};
use super::{Decided, Decision, Limit, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop};
use crate::game::{Evaluation, Game, LineValues, Player, Tally, lines_of, play_lines, sort_indices};
use crate::rng::PlayoutKey;

/// How rollouts are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Race {
    /// The most playouts after each line, at least 1.
    pub playouts: u64,
    /// The turns of chance after which a playout ends with the promised points; [`u32::MAX`] to play to the end of the game.
    pub turns: u32,
    /// The most lines that race, at least 1: those that promise most.
    pub width: usize,
    /// How many points less than the best a line may promise.
    pub margin: f64,
    /// The number of playouts that the promise of a line counts for.
    pub prior: f64,
    /// A line drops out if the sum of its differences to the leader exceeds this many standard errors.
    pub behind: f64,
}

/// The playouts between two looks at who is behind.
const ROUND: u64 = 16;

/// Rollouts (Tesauro, Galperin 1996, "On-line policy improvement using Monte-Carlo search", NIPS) of the best lines by an
/// evaluation, which also plays them on; the lines race as in Moore, Lee 1994 ("Efficient algorithms for minimizing cross validation
/// error", ICML): what is compared are differences between playouts that see the same chance.
///
/// Payoffs count in [0, 1], from the game's least to its largest. The line with the best mean is followed to the next turn of chance.
/// If only one line races, it is followed without a playout. If a limit ends the race, the line is chosen by the playouts so far: all lines in the race have equally many.
///
/// # Cost
/// At most width × playouts playouts for each turn of chance.
#[derive(Clone)]
pub struct Rollouts<G: Game> {
    race: Race,
    evaluation: Arc<dyn Evaluation<G>>,
    plan: Option<Plan<G>>,
}

/// A line in the race.
struct Runner<G: Game> {
    end: G::Position,
    /// Its number among the lines.
    number: usize,
    promised: f64,
    /// The points of each playout.
    points: Vec<f64>,
    in_race: bool,
}

impl<G: Game> Runner<G> {
    /// The mean of the playouts, and of the promise as a prior.
    fn mean(&self, prior: f64) -> f64 {
        let weight = self.points.len() as f64 + prior;
        if weight > 0.0 {
            (self.points.iter().sum::<f64>() + prior * self.promised) / weight
        } else {
            self.promised
        }
    }

    /// Whether it is this many standard errors behind another one, which had as many playouts.
    fn is_behind(&self, other: &Self, errors: f64) -> bool {
        let differences = || other.points.iter().zip(&self.points).map(|(other, own)| other - own);
        differences().sum::<f64>() > errors * differences().map(|each| each * each).sum::<f64>().sqrt()
    }
}

impl<G: Game> Rollouts<G> {
    /// Rollouts by an evaluation: of [whole lines](Evaluation::lines) if it values those, else of single moves. It estimates points if
    /// playouts stop at promises, or promises count as a prior.
    ///
    /// # Panics
    /// If no line races, or none gets a playout.
    pub fn new(race: Race, evaluation: Arc<dyn Evaluation<G>>) -> Self {
        assert!(race.width > 0 && race.playouts > 0, "at least one line races");
        Self { race, evaluation, plan: None }
    }

    /// The lines that race, the most promising first.
    fn runners(&self, lines: &dyn LineValues<G>, values: &[f64]) -> Vec<Runner<G>> {
        let Race { width, margin, .. } = self.race;
        let mut order: Vec<usize> = (0..values.len()).collect();
        sort_indices(&mut order, &|one, other| values[other].total_cmp(&values[one]));
        let least = values[order[0]] - margin;
        let runner = |number| Runner {
            end: *lines.end(number),
            number,
            promised: values[number],
            points: Vec::new(),
            in_race: true,
        };
        order.into_iter().take(width).filter(|&number| values[number] >= least).map(runner).collect()
    }

    /// Plays the lines on until one is left, or all have their playouts.
    fn run(
        &self,
        game: &G,
        lines: &mut dyn LineValues<G>,
        runners: &mut [Runner<G>],
        key: PlayoutKey,
        meter: &mut Meter,
    ) -> Stop {
        let Race { playouts, turns, prior, behind, .. } = self.race;
        let facts = game.facts();
        let (least, range) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff - facts.min_payoff));
        let mut done = 0;
        while done < playouts && runners.iter().filter(|runner| runner.in_race).count() > 1 {
            let round = done..playouts.min(done + ROUND);
            done = round.end;
            for number in round {
                let racing = runners.iter().filter(|runner| runner.in_race).count() as u64;
                let too_few = (meter.playouts_left() < racing).then_some(Limit::Playouts);
                if let Some(limit) = meter.limit().or(too_few) {
                    return Stop::Limit(limit);
                }
                for runner in runners.iter_mut().filter(|runner| runner.in_race) {
                    let (mut position, mut draws) = (runner.end, key.playout(number));
                    let played = play_lines(game, lines, &mut position, &mut draws, turns);
                    let at_end =
                        || (f64::from(game.payoff(&position, Player::FIRST)) - least) / range.max(1.0);
                    runner.points.push(played.promised.unwrap_or_else(at_end));
                    meter.count_playouts(&Tally {
                        playouts: 1,
                        plies: played.plies.into(),
                        ..Tally::default()
                    });
                }
            }
            let leader = best(runners, prior);
            for other in 0..runners.len() {
                runners[other].in_race &= !runners[other].is_behind(&runners[leader], behind);
            }
        }
        Stop::Complete
    }

    /// The line to follow, and the decision for its first move. The estimate of a move is that of the best line which begins with it.
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> (Line<G::Move>, Decision<G::Move>) {
        let mut lines = lines_of(&*self.evaluation, game);
        let values = lines.look(position).to_vec();
        let mut runners = self.runners(&*lines, &values);
        let all: Vec<Vec<G::Move>> = (0..values.len()).map(|number| lines.moves(number)).collect();
        let stop = self.run(game, &mut *lines, &mut runners, stream.playouts(), meter);
        let chosen = best(&runners, self.race.prior);
        let estimate = |mv| MoveEstimate { mv, visits: 0, value: 0.0, standard_error: 0.0 };
        let mut moves: Vec<MoveEstimate<G::Move>> = game.moves(position).map(estimate).collect();
        let mut show = |number: usize, visits: u64, value: f64, standard_error: f64| {
            let own = moves.iter_mut().find(|estimate| estimate.mv == all[number][0]);
            if let Some(own) = own.filter(|own| (own.visits, own.value) < (visits, value)) {
                (own.visits, own.value, own.standard_error) = (visits, value, standard_error);
            }
        };
        for (number, &value) in values.iter().enumerate() {
            show(number, 0, value, 0.0);
        }
        for runner in &runners {
            let mean = runner.mean(self.race.prior);
            let count = runner.points.len() as f64;
            let squares: f64 = runner.points.iter().map(|points| (points - mean) * (points - mean)).sum();
            show(runner.number, count as u64, mean, squares.sqrt() / count.max(1.0));
        }
        let mut reversed = all[runners[chosen].number].clone();
        let decision = Decision { chosen: reversed[0], moves, stop };
        reversed.reverse();
        (Line { payoff: 0, reversed }, decision)
    }
}

/// The place of the best runner in the race, the first of equals.
fn best<G: Game>(runners: &[Runner<G>], prior: f64) -> usize {
    let mut best = 0;
    for (place, runner) in runners.iter().enumerate() {
        let is_better = || !runners[best].in_race || runner.mean(prior) > runners[best].mean(prior);
        if runner.in_race && is_better() {
            best = place;
        }
    }
    best
}

impl<G: Game> Searcher<G> for Rollouts<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let planned = self.plan.take().and_then(|plan| plan.at(at));
        if let Some(forced) = player_to_search(game, at).err() {
            self.plan = planned.and_then(|line| Plan::new(*at, line).advance(game)).map(|(_, plan)| plan);
            return Ok(forced);
        }
        let follow = |line: Line<G::Move>| {
            let &chosen = line.reversed.last()?;
            Some((line, Decision { chosen, moves: Vec::new(), stop: Stop::Complete }))
        };
        let search = || self.search(game, at, stream, meter);
        let (line, decision) = planned.and_then(follow).unwrap_or_else(search);
        self.plan = Plan::new(*at, line).advance(game).map(|(_, plan)| plan);
        Ok(decision)
    }

    /// The best line to the next turn of chance.
    fn principal_variation(&self, _: &G, _: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        self.plan.as_ref().map_or_else(|| vec![decision.chosen], |plan| plan.after(decision.chosen))
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
