//! Rollouts of lines of moves, compared with common random numbers, for solitaires of chance.
//!
//! The key decision: lines to the next turn of chance race one another. Playout *j* after each of them sees the same chance, so that
//! only what the lines differ in counts, and a line that is clearly behind gets no more playouts. Rejected: playouts after each single
//! move, which compares the same ends again after every move of a line.

use std::sync::Arc;

use super::candidates::{moves_of, player_to_search};
use super::solitaire_line::{Line, Plan};
use super::{Decided, Decision, Limit, Meter, MoveEstimate, MoveStream, NoTree, Searcher, Stop};
use crate::game::{Evaluation, Game, Player, Tally, lines_of, play_lines, sort_indices};

/// How rollouts are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Race {
    /// The most playouts after each line, at least 1.
    pub playouts: u64,
    /// The turns of chance after which a playout ends with the estimated points; [`u32::MAX`] to play to the end of the game.
    pub turns: u32,
    /// The most lines that race, at least 1: those with the highest estimates.
    pub width: usize,
    /// How many points lower than the best the estimate of a line may be.
    pub margin: f64,
    /// The number of playouts that the estimate of a line counts for.
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
/// Payoffs count in [0, 1], from the game's least to its largest. The line with the best mean is followed to the next turn of
/// chance; a line that races alone, without a playout. If a limit ends the race, the playouts so far decide: all lines in the
/// race have equally many.
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
struct Runner {
    /// The number among the lines.
    number: usize,
    estimated: f64,
    points: Vec<f64>,
    in_race: bool,
}

impl Runner {
    /// The mean of the playouts, and of the estimate as a prior.
    fn mean(&self, prior: f64) -> f64 {
        let weight = self.points.len() as f64 + prior;
        if weight > 0.0 {
            (self.points.iter().sum::<f64>() + prior * self.estimated) / weight
        } else {
            self.estimated
        }
    }

    /// Whether it is this many standard errors behind another one, which had as many playouts.
    fn is_behind(&self, other: &Self, errors: f64) -> bool {
        let differences = || other.points.iter().zip(&self.points).map(|(other, own)| other - own);
        differences().sum::<f64>() > errors * differences().map(|each| each * each).sum::<f64>().sqrt()
    }
}

impl Race {
    /// The lines that race, the most promising first.
    fn runners(&self, values: &[f64]) -> Vec<Runner> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        sort_indices(&mut order, &|one, other| values[other].total_cmp(&values[one]));
        let least = values[order[0]] - self.margin;
        let runner = |number| Runner { number, estimated: values[number], points: Vec::new(), in_race: true };
        order.into_iter().take(self.width).filter(|&number| values[number] >= least).map(runner).collect()
    }

    /// Plays the lines on until one is left, or all have their playouts. `play` makes a playout after the line of a runner, and
    /// returns its points and plies.
    fn run(
        &self,
        runners: &mut [Runner],
        play: &mut dyn FnMut(usize, u64) -> (f64, u32),
        meter: &mut Meter,
    ) -> Stop {
        let mut done = 0;
        while done < self.playouts && runners.iter().filter(|runner| runner.in_race).count() > 1 {
            let round = done..self.playouts.min(done + ROUND);
            done = round.end;
            for number in round {
                let racing = runners.iter().filter(|runner| runner.in_race).count() as u64;
                let too_few = (meter.playouts_left() < racing).then_some(Limit::Playouts);
                if let Some(limit) = meter.limit().or(too_few) {
                    return Stop::Limit(limit);
                }
                for (at, runner) in runners.iter_mut().enumerate().filter(|(_, runner)| runner.in_race) {
                    let (points, plies) = play(at, number);
                    runner.points.push(points);
                    meter.count_playouts(&Tally { playouts: 1, plies: plies.into(), ..Tally::default() });
                }
            }
            let leader = self.best(runners);
            for other in 0..runners.len() {
                runners[other].in_race &= !runners[other].is_behind(&runners[leader], self.behind);
            }
        }
        Stop::Complete
    }

    /// The place of the best runner in the race, the first of equals.
    fn best(&self, runners: &[Runner]) -> usize {
        let mut best = 0;
        for (place, runner) in runners.iter().enumerate() {
            let is_better =
                || !runners[best].in_race || runner.mean(self.prior) > runners[best].mean(self.prior);
            if runner.in_race && is_better() {
                best = place;
            }
        }
        best
    }

    /// The estimates of `moves` moves: each is that of the best line which begins with it. `firsts` has the number of the first move
    /// of each line, `values` its estimate.
    fn estimates(
        &self,
        moves: usize,
        firsts: &[usize],
        values: &[f64],
        runners: &[Runner],
    ) -> Vec<MoveEstimate<usize>> {
        let mut moves: Vec<_> = (0..moves).map(|mv| MoveEstimate::exact(mv, 0, 0.0)).collect();
        let mut show = |line: usize, visits: u64, value: f64, standard_error: f64| {
            let own = &mut moves[firsts[line]];
            if (own.visits, own.value) < (visits, value) {
                (own.visits, own.value, own.standard_error) = (visits, value, standard_error);
            }
        };
        for (line, &value) in values.iter().enumerate() {
            show(line, 0, value, 0.0);
        }
        for runner in runners {
            let mean = runner.mean(self.prior);
            let count = runner.points.len() as f64;
            let squares: f64 = runner.points.iter().map(|points| (points - mean) * (points - mean)).sum();
            show(runner.number, count as u64, mean, squares.sqrt() / count.max(1.0));
        }
        moves
    }
}

impl<G: Game> Rollouts<G> {
    /// Rollouts by an evaluation: of [whole lines](Evaluation::lines) if it values those, else of single moves. It estimates points if
    /// playouts stop at estimates, or estimates count as a prior.
    ///
    /// # Panics
    /// If no line races, or none gets a playout.
    pub fn new(race: Race, evaluation: Arc<dyn Evaluation<G>>) -> Self {
        assert!(race.width > 0 && race.playouts > 0, "at least one line races");
        Self { race, evaluation, plan: None }
    }

    /// The line to follow, and the decision for its first move.
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> (Line<G::Move>, Decision<G::Move>) {
        let mut lines = lines_of(&*self.evaluation, game);
        let values = lines.look(position).to_vec();
        let mut runners = self.race.runners(&values);
        let ends: Vec<G::Position> = runners.iter().map(|runner| *lines.end(runner.number)).collect();
        let mut all: Vec<Vec<G::Move>> = (0..values.len()).map(|number| lines.moves(number)).collect();
        let (facts, key) = (game.facts(), stream.playouts());
        let (least, range) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff - facts.min_payoff));
        let mut play = |runner: usize, number| {
            let (mut end, mut draws) = (ends[runner], key.playout(number));
            let played = play_lines(game, &mut *lines, &mut end, &mut draws, self.race.turns);
            let at_end = || (f64::from(game.payoff(&end, Player::FIRST)) - least) / range.max(1.0);
            (played.estimated.unwrap_or_else(at_end), played.plies)
        };
        let stop = self.race.run(&mut runners, &mut play, meter);
        let chosen = runners[self.race.best(&runners)].number;
        let moves = moves_of(game, position);
        let first = |line: &Vec<G::Move>| moves.iter().position(|&mv| mv == line[0]);
        let firsts: Vec<usize> =
            all.iter().map(|line| first(line).expect("a line begins with a legal move")).collect();
        let estimates = self.race.estimates(moves.len(), &firsts, &values, &runners);
        let decision = Decision { chosen: firsts[chosen], moves: estimates, stop }.between(&moves);
        (Line::new(0, all.swap_remove(chosen)), decision)
    }
}

impl<G: Game> Searcher<G> for Rollouts<G> {
    fn choose(&mut self, game: &G, at: &G::Position, stream: MoveStream, meter: &mut Meter) -> Decided<G> {
        let planned = self.plan.take().and_then(|plan| plan.at(at));
        if let Some(forced) = player_to_search(game, at).err() {
            planned.map(|line| Plan::follow(&mut self.plan, game, at, line));
            return Ok(forced);
        }
        let follow = |line: Line<G::Move>| {
            let &chosen = line.reversed.last()?;
            Some((line, Decision { chosen, moves: Vec::new(), stop: Stop::Complete }))
        };
        let search = || self.search(game, at, stream, meter);
        let (line, decision) = planned.and_then(follow).unwrap_or_else(search);
        Plan::follow(&mut self.plan, game, at, line);
        Ok(decision)
    }

    /// The best line to the next turn of chance.
    fn principal_variation(&self, _: &G, _: &G::Position, decision: &Decision<G::Move>) -> Vec<G::Move> {
        Plan::variation(self.plan.as_ref(), decision.chosen)
    }

    fn no_tree(&self) -> NoTree {
        NoTree::Line
    }
}
