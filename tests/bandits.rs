//! Bandits at the root: schedules that are exact, published bounds, and the budget to the last playout.

use std::collections::BTreeSet;
use std::sync::Arc;

use shikou::game::{Batch, Facts, Game, GameExt, Player, Policy, PolicyExt, Turn, Uniform};
use shikou::games::hex::Hex;
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::build;
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::{
    Budget, Decision, FlatMonteCarlo, FullWidth, Gumbel, Limits, Meter, MoveStream, RootBandit, Sharing,
    Stop, Ties,
};

use crate::support;

/// A one-armed bandit for each chance of success in percent: one pull, and the game is over. If it is `fixed`
/// there is no chance, and an arm pays its number.
#[derive(Clone)]
pub(crate) struct Arms {
    pub(crate) percent: Vec<u32>,
    pub(crate) fixed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Start,
    Pulled(usize),
    Paid(u32),
}

impl Game for Arms {
    type Position = At;
    type Move = usize;

    fn facts(&self) -> Facts {
        let most = if self.fixed { 100 } else { 1 };
        let facts = Facts::solitaire().with_payoffs(0, most).with_max_plies(2);
        if self.fixed { facts } else { facts.with_chance() }
    }
    fn start(&self) -> At {
        At::Start
    }
    fn turn(&self, at: &At) -> Turn {
        match at {
            At::Start => Turn::Player(Player::FIRST),
            At::Pulled(_) => Turn::Chance,
            At::Paid(_) => Turn::Over,
        }
    }
    fn moves(&self, at: &At) -> impl Iterator<Item = usize> {
        0..if *at == At::Start { self.percent.len() } else { 0 }
    }
    /// Outcome 1000 is a success.
    fn outcomes(&self, at: &At) -> impl Iterator<Item = (usize, u32)> {
        let percent = if let At::Pulled(arm) = *at { Some(self.percent[arm]) } else { None };
        let outcomes = percent.map(|percent| [(1000, percent), (1001, 100 - percent)]);
        outcomes.into_iter().flatten().filter(|&(_, weight)| weight > 0)
    }
    fn apply(&self, at: &mut At, mv: usize) {
        *at = match *at {
            At::Start if self.fixed => At::Paid(self.percent[mv]),
            At::Start => At::Pulled(mv),
            _ => At::Paid(u32::from(mv == 1000)),
        };
    }
    fn payoff(&self, at: &At, _: Player) -> i32 {
        if let At::Paid(payoff) = *at { payoff as i32 } else { 0 }
    }
    fn notation(&self, _: &At, mv: usize) -> String {
        mv.to_string()
    }
    fn drawing(&self, at: &At) -> String {
        format!("{at:?}")
    }
}

/// With one playout for nine moves, the move that has it is any of them.
#[test]
fn a_single_playout_goes_to_any_move() {
    for name in ["flat-ucb", "sequential-halving", "anytime-halving", "thompson", "gumbel"] {
        let spec = shikou::registry().read_searcher(&format!("{name}@1")).unwrap();
        let recipe = build(&TicTacToe, &spec).unwrap();
        let chosen = |key| {
            let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(1));
            let stream = MoveStream::new(PlayoutKey::new(key));
            let decision =
                recipe.machine().choose(&TicTacToe, &TicTacToe.start(), stream, &mut meter).unwrap();
            let order: Vec<u8> = decision.moves.iter().map(|estimate| estimate.mv).collect();
            assert_eq!(order, TicTacToe.moves(&TicTacToe.start()).collect::<Vec<_>>());
            decision.chosen
        };
        let all: BTreeSet<u8> = (0..100).map(chosen).collect();
        assert_eq!(all.len(), 9, "{name}");
    }
}

/// Each arm by its weight.
struct Weighted(Vec<u32>);

impl Policy<Arms> for Weighted {
    fn choose(&self, game: &Arms, at: &At, draws: &mut PlayoutRng) -> usize {
        game.random_move(at, draws)
    }
    fn distribution(&self, _: &Arms, _: &At) -> Vec<(usize, u32)> {
        self.0.iter().copied().enumerate().collect()
    }
}

fn arms(percent: &[u32]) -> Arms {
    Arms { percent: percent.into(), fixed: false }
}

fn gumbel<G: Game>(considered: u32, scale: f64, prior: Arc<dyn Policy<G>>) -> Sharing<G> {
    Sharing::Gumbel(Gumbel { prior, considered, visit_offset: 50.0, scale })
}

fn rules<G: Game>() -> Vec<Sharing<G>> {
    vec![
        Sharing::Ucb1 { exploration: 1.0 },
        Sharing::Halving,
        Sharing::AnytimeHalving,
        Sharing::Thompson,
        gumbel(16, 1.0, Arc::new(Uniform)),
    ]
}

fn ask<G: Game>(
    rule: &Sharing<G>,
    game: &G,
    at: &G::Position,
    playouts: u64,
    seed: u64,
) -> Decision<G::Move> {
    let mut bandit = RootBandit::new(rule.clone(), Arc::new(Uniform), Ties::Random);
    let (decision, spent) = support::ask_within(&mut bandit, game, at, Budget::playouts(playouts), seed);
    assert_eq!(spent.playouts, playouts);
    decision
}

fn visits<M>(decision: &Decision<M>) -> Vec<u64> {
    decision.moves.iter().map(|estimate| estimate.visits).collect()
}

#[test]
fn a_bandit_spends_its_budget_to_the_last_playout() {
    let game = Othello::default();
    let position = game.follow("f5d6c3").unwrap();
    for rule in rules() {
        for playouts in [1, 2, 3, 5, 6, 16, 100, 1001] {
            let decision = ask(&rule, &game, &position, playouts, playouts);
            assert!(matches!(decision.stop, Stop::Limit(_)));
            assert_eq!(visits(&decision).iter().sum::<u64>(), playouts);
            let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
            assert!(chosen.visits > 0);
            assert_eq!(ask(&rule, &game, &position, playouts, playouts), decision);
        }
    }
}

#[test]
fn every_bandit_finds_the_centre() {
    for rule in rules() {
        let found =
            (0..20).filter(|&seed| ask(&rule, &TicTacToe, &TicTacToe.start(), 5000, seed).chosen == 4);
        assert!(found.count() >= 18);
    }
}

/// A playout has the same random numbers under every rule.
#[test]
fn playouts_are_those_of_flat_monte_carlo() {
    let game = Othello::default();
    let start = game.start();
    for rule in rules() {
        let decision = ask(&rule, &game, &start, 203, 3);
        for (index, estimate) in decision.moves.iter().enumerate() {
            let mut flat = FlatMonteCarlo::new(estimate.visits, Arc::new(Uniform), Ties::First);
            let (flat, _) = support::ask(&mut flat, &game, &start, 3);
            assert_eq!(flat.moves[index], *estimate);
        }
    }
}

/// All moves as first: a move is worth the mean of all playouts in which its player makes it, by looking through all of them.
#[test]
fn flat_amaf_counts_every_playout_with_the_move() {
    fn compare<G: Game>(game: &G, start: G::Position) {
        let Turn::Player(player) = game.turn(&start) else { panic!("a player moves") };
        let flat = FlatMonteCarlo::new(7, Arc::new(Uniform), Ties::First);
        let (plain, plain_spent) = support::ask(&mut flat.clone(), game, &start, 3);
        let (found, spent) = support::ask(&mut flat.with_amaf(true), game, &start, 3);
        assert_eq!((spent.playouts, spent.plies), (plain_spent.playouts, plain_spent.plies));
        let mut played: Vec<(Vec<u16>, f64)> = Vec::new();
        for (number, (mv, child)) in (0..).zip(game.children(&start)) {
            let key = MoveStream::new(PlayoutKey::new(3)).playouts().child(number);
            for index in 0..7 {
                let (mut at, mut draws) = (child, key.playout(index));
                let mut own = vec![game.move_number(mv).unwrap()];
                while game.turn(&at) != Turn::Over {
                    let mv = Uniform.choose(game, &at, &mut draws);
                    if game.turn(&at) == Turn::Player(player) {
                        own.push(game.move_number(mv).unwrap());
                    }
                    game.apply(&mut at, mv);
                }
                played.push((own, game.payoff(&at, player).into()));
            }
        }
        for (estimate, alone) in found.moves.iter().zip(&plain.moves) {
            let number = game.move_number(estimate.mv).unwrap();
            let payoffs = played.iter().filter(|(own, _)| own.contains(&number)).map(|(_, payoff)| payoff);
            let n = payoffs.clone().count();
            assert_eq!(estimate.visits, n as u64);
            assert!(estimate.visits > alone.visits);
            assert!((estimate.value - payoffs.sum::<f64>() / n as f64).abs() < 1e-12);
        }
        let best = found.moves.iter().map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max);
        assert!(found.moves.iter().any(|estimate| estimate.mv == found.chosen && estimate.value == best));
    }
    compare(&TicTacToe, TicTacToe.follow("a1 b2").unwrap());
    compare(&Othello::new(6), Othello::new(6).start());
    compare(&Hex::new(5), Hex::new(5).start());
}

/// The rule of the paper, implemented independently, slow and simple.
#[test]
fn ucb1_is_the_rule_of_the_paper() {
    let game = arms(&[90, 80, 60, 50, 20]);
    for seed in 0..20 {
        let key = MoveStream::new(PlayoutKey::new(seed)).playouts();
        let mut pulls = [0_u64; 5];
        let mut sums = [0_i64; 5];
        for n in 0..500_u64 {
            let index = |arm: usize| match pulls[arm] {
                0 => f64::INFINITY,
                pulled => {
                    let confidence = (2.0 * libm::log(n as f64) / pulled as f64).sqrt();
                    sums[arm] as f64 / pulled as f64 + confidence
                }
            };
            let arm = (0..5).reduce(|best, arm| if index(arm) > index(best) { arm } else { best }).unwrap();
            let batch = Batch { key: key.child(arm as u64), first: pulls[arm], count: 1 };
            sums[arm] += Uniform.playouts(&game, &At::Pulled(arm), Player::FIRST, batch).sum;
            pulls[arm] += 1;
        }
        let rule = Sharing::Ucb1 { exploration: 1.0 };
        assert_eq!(visits(&ask(&rule, &game, &At::Start, 500, seed)), pulls);
    }
}

/// Auer et al. 2002, theorem 1, on the first of their examples (.9 and .6): the worse arm is pulled at most
/// 8 ln n / Δ² + 1 + π²/3 times in expectation, and without end.
#[test]
fn ucb1_keeps_the_bound_of_its_theorem() {
    let rule = Sharing::Ucb1 { exploration: 1.0 };
    for n in [100_u64, 1000, 10_000] {
        let pulls = |seed| visits(&ask(&rule, &arms(&[90, 60]), &At::Start, n, seed))[1];
        let mean = (0..20).map(pulls).sum::<u64>() as f64 / 20.0;
        let log = libm::log(n as f64);
        let bound = 8.0 * log / 0.09 + 1.0 + std::f64::consts::PI.powi(2) / 3.0;
        assert!(mean < bound && mean > 2.0 * log, "{n}: {mean}");
    }
}

/// Eight arms, three rounds: 240 playouts are 10, 20 and 40 for each remaining arm.
#[test]
fn halving_has_the_rounds_of_the_paper() {
    let game = Arms { percent: vec![10, 80, 30, 60, 50, 70, 20, 40], fixed: true };
    let decision = ask(&Sharing::Halving, &game, &At::Start, 240, 1);
    assert_eq!(visits(&decision), [10, 70, 10, 30, 30, 70, 10, 10]);
    assert_eq!(decision.chosen, 1);
    // Five arms: ⌈log₂ 5⌉ = 3 rounds with 5, 3 and 2 of them; ⌊100 / 15⌋, ⌊100 / 9⌋, ⌊100 / 6⌋, and five are left over.
    let game = Arms { percent: vec![10, 20, 30, 40, 50], fixed: true };
    let decision = ask(&Sharing::Halving, &game, &At::Start, 100, 1);
    assert_eq!(visits(&decision), [6, 6, 17, 35, 36]);
}

/// Karnin et al. 2013, theorem 4.1: the chance to miss the best arm is at most 3 log₂ n exp(−T / (8 H₂ log₂ n)).
#[test]
fn halving_keeps_the_bound_of_its_theorem() {
    let game = arms(&[30, 30, 30, 90, 30, 30, 30, 30]);
    let (runs, playouts) = (300, 4000);
    let missed =
        (0..runs).filter(|&seed| ask(&Sharing::Halving, &game, &At::Start, playouts, seed).chosen != 3);
    // Each of the seven others is worse by Δ = .6, so that H₂ = max i / Δᵢ² = 8 / .36.
    let bound = 9.0 * (-(playouts as f64) / (8.0 * (8.0 / 0.36) * 3.0)).exp();
    assert!(missed.count() as f64 <= bound * runs as f64, "{bound}");
}

/// A pass over eight arms gives each 1 playout, the better four 2 more, and the better two 4 more. Then the next pass
/// begins.
#[test]
fn anytime_halving_passes_over_and_over() {
    let game = Arms { percent: vec![10, 80, 30, 60, 50, 70, 20, 40], fixed: true };
    for passes in 1..5 {
        let decision = ask(&Sharing::AnytimeHalving, &game, &At::Start, 24 * passes, 1);
        let expected = [1, 7, 1, 3, 3, 7, 1, 1].map(|visits| visits * passes);
        assert_eq!(visits(&decision), expected);
        assert_eq!(decision.chosen, 1);
    }
}

/// With one playout the Gumbel rule samples the prior; with two it samples twice without replacement.
#[test]
fn gumbel_samples_the_prior_without_replacement() {
    let game = Arms { percent: vec![50; 4], fixed: true };
    let weights = [1.0, 2.0, 3.0, 4.0].map(|weight: f64| weight / 10.0);
    let rule = gumbel(16, 1.0, Arc::new(Weighted(vec![1, 2, 3, 4])));
    let runs = 20_000;
    let near = |count: u64, expected: f64| {
        let n = runs as f64;
        (count as f64 - n * expected).abs() < 4.5 * (n * expected * (1.0 - expected)).sqrt()
    };
    let mut first = [0; 4];
    let mut pairs = [[0; 4]; 4];
    for seed in 0..runs {
        first[ask(&rule, &game, &At::Start, 1, seed).chosen] += 1;
        let two = visits(&ask(&rule, &game, &At::Start, 2, seed));
        let both: Vec<usize> = (0..4).filter(|&arm| two[arm] == 1).collect();
        pairs[both[0]][both[1]] += 1;
    }
    for a in 0..4 {
        assert!(near(first[a], weights[a]), "{first:?}");
        for b in a + 1..4 {
            let (p, q) = (weights[a], weights[b]);
            assert!(near(pairs[a][b], p * q / (1.0 - p) + q * p / (1.0 - q)), "{pairs:?}");
        }
    }
}

/// A move with prior 0 is never tried. Values decide if they differ, and have no effect if their scale is 0.
#[test]
fn gumbel_weighs_values_against_the_prior() {
    let game = Arms { percent: vec![100, 10, 20, 30], fixed: true };
    let prior: Arc<dyn Policy<Arms>> = Arc::new(Weighted(vec![0, 5, 5, 1]));
    let choices = |scale| {
        let mut chosen = [0_u32; 4];
        for seed in 0..1000 {
            let decision = ask(&gumbel(16, scale, prior.clone()), &game, &At::Start, 60, seed);
            assert_eq!(visits(&decision)[0], 0);
            chosen[decision.chosen] += 1;
        }
        chosen
    };
    // σ = (50 + 20 or more) · 1 · q separates neighbours by 7: Gumbel numbers seldom do.
    let by_value = choices(1.0);
    assert!(by_value[3] > 950, "{by_value:?}");
    let by_prior = choices(0.0);
    assert!(by_prior[3] < 130 && by_prior[1].abs_diff(455) < 75, "{by_prior:?}");
}

/// Two equal arms have equal values if their draws are common, and hardly ever otherwise.
#[test]
fn common_draws_make_alike_moves_equal() {
    let game = arms(&[50, 50, 20]);
    let equal = |common| {
        let equal = |&seed: &u64| {
            let tree = FullWidth::simple_tree(1, 100, Arc::new(Uniform), Ties::First);
            let mut tree = tree.with_common_random_numbers(common);
            let (decision, _) = support::ask(&mut tree, &game, &At::Start, seed);
            decision.moves[0].value == decision.moves[1].value
        };
        (0..100).filter(equal).count()
    };
    assert_eq!(equal(true), 100);
    assert!(equal(false) < 30);
}
