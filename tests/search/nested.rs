//! Nested searches: published and exact values of left-moves, and laws for every tree.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use shikou::game::{Facts, Game, GameExt, Player, Policy, Turn, Uniform};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::left_moves::{LeftMoves, Move, Score};
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::games::samegame::{SameGame, TabuColour};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::games::weak_schur::{LastSet, Rule, WeakSchur};
use shikou::rng::{PlayoutKey, PlayoutRng, Rng};
use shikou::search::{
    Budget, Decision, FlatMonteCarlo, Foresight, Hindsight, MoveStream, NestedMonteCarlo, NestedRollout,
    Nrpa, Pruning, Restarts, Searcher, Spent, Ties, TreeExtent, TreeSearch,
};

use crate::support::{ask, ask_within, best, delegates};

/// The same game with the right move first.
#[derive(Clone)]
struct Mirrored(LeftMoves);

impl Game for Mirrored {
    type Position = <LeftMoves as Game>::Position;
    type Move = Move;

    delegates!(0);

    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Move> {
        let count = self.0.moves(position).count();
        [Move::Right, Move::Left].into_iter().take(count)
    }
    fn payoff(&self, position: &Self::Position, player: Player) -> i32 {
        self.0.payoff(position, player)
    }
}

/// Plays a solitaire without chance to its end: the payoff and the costs.
fn play<G: Game>(game: &G, mut searcher: impl Searcher<G>, seed: u64, budget: Budget) -> (i32, Spent) {
    let mut position = game.start();
    let mut key = PlayoutKey::new(seed);
    let mut spent = Spent::default();
    while game.turn(&position) != Turn::Over {
        key = key.child(0);
        let (decision, costs) = ask_within(&mut searcher, game, &position, budget, key.to_u64());
        game.apply(&mut position, decision.chosen);
        spent += costs;
    }
    (game.payoff(&position, Player::FIRST), spent)
}

fn nested<G: Game>(level: u32) -> NestedMonteCarlo<G> {
    NestedMonteCarlo::new(level, Arc::new(Uniform), Ties::First)
}

/// The mean and standard deviation over many games, compared with the exact ones.
fn has_moments<G: Game>(game: &G, runs: u64, mean: f64, deviation: f64) {
    has_moments_of(&nested(1), game, runs, mean, deviation);
}

fn has_moments_of<G: Game>(searcher: &NestedMonteCarlo<G>, game: &G, runs: u64, mean: f64, deviation: f64) {
    let payoff = |seed| f64::from(play(game, searcher.clone(), seed, Budget::UNLIMITED).0);
    let payoffs: Vec<f64> = (0..runs).map(payoff).collect();
    let n = runs as f64;
    let found = payoffs.iter().sum::<f64>() / n;
    let variance = payoffs.iter().map(|payoff| (payoff - found).powi(2)).sum::<f64>() / n;
    // 4.5 standard errors; the deviation within a tenth of itself or so.
    assert!((found - mean).abs() < 4.5 * deviation / n.sqrt(), "{found} for {mean}");
    assert!(
        (variance.sqrt() / deviation - 1.0).abs() < 4.0 / n.sqrt(),
        "{} for {deviation}",
        variance.sqrt()
    );
}

/// Exact, by dynamic programming over the state of the best line, with ties to the right move.
#[test]
fn nested_search_has_the_left_move_numbers_with_ties_to_the_right() {
    let game = |steps| Mirrored(LeftMoves::new(steps, Score::LeftMoves));
    has_moments(&game(10), 6000, 8.0246, 1.0543);
    has_moments(&game(20), 4000, 15.3585, 1.5203);
    has_moments(&game(30), 3000, 22.3546, 1.8902);
    has_moments(&game(60), 1000, 42.3037, 2.7540);
}

/// The same with ties to the left move.
#[test]
fn nested_search_has_the_left_move_numbers_with_ties_to_the_left() {
    let game = |steps| LeftMoves::new(steps, Score::LeftMoves);
    has_moments(&game(10), 6000, 8.2551, 1.0211);
    has_moments(&game(20), 4000, 15.5588, 1.5128);
    has_moments(&game(30), 3000, 22.5365, 1.8916);
    has_moments(&game(60), 1000, 42.4553, 2.7634);
}

/// Always the optimum, with n(n − 1) plies of playouts.
#[test]
fn nested_search_walks_the_leftmost_path() {
    for steps in [1, 2, 5, 20, 60] {
        for seed in 0..50 {
            let game = LeftMoves::new(steps, Score::LeftmostPath);
            let (payoff, spent) = play(&game, nested(1), seed, Budget::UNLIMITED);
            assert_eq!(payoff, i32::from(steps));
            assert_eq!(spent.plies, u64::from(steps) * u64::from(steps - 1));
            assert_eq!(spent.playouts, 2 * u64::from(steps));
        }
    }
}

/// Without memory each of the n turns is a comparison of its own, with k steps left: 1 + B playouts' steps to the left against B′, both
/// binomial with k − 1 and ½. The step goes left if 1 + B − B′ ≥ 0: if a binomial variable with 2k − 2 and ½ is at least k − 2.
#[test]
fn without_memory_a_turn_follows_its_own_best_line() {
    let goes_left = |k: u32| {
        let (n, mut chance, mut sum) = (2 * k - 2, 0.5_f64.powi(2 * k as i32 - 2), 0.0);
        for successes in 0..=n {
            sum += if successes + 2 >= k { chance } else { 0.0 };
            chance *= f64::from(n - successes) / f64::from(successes + 1);
        }
        sum
    };
    for (steps, runs) in [(10, 6000), (30, 3000)] {
        let mean: f64 = (1..=steps).map(goes_left).sum();
        let variance: f64 = (1..=steps).map(|k| goes_left(k) * (1.0 - goes_left(k))).sum();
        let game = LeftMoves::new(steps as u16, Score::LeftMoves);
        has_moments_of(&nested(1).with_memory(false), &game, runs, mean, variance.sqrt());
    }
    // At higher levels without randomness it is the rollout of the level below.
    for seed in 0..60 {
        let game = tree(seed, 7, 0);
        for level in 1..=3 {
            let searcher = NestedMonteCarlo::new(level, Arc::new(First), Ties::First).with_memory(false);
            let (payoff, _) = play(&game, searcher, 1, Budget::UNLIMITED);
            assert_eq!(payoff, plain_rollout(&game, game.start(), level), "tree {seed}, level {level}");
        }
    }
}

#[test]
fn adaptation_reaches_the_optimum_of_both() {
    for score in [Score::LeftMoves, Score::LeftmostPath] {
        let game = LeftMoves::new(60, score);
        for seed in 0..5 {
            let (payoff, spent) = play(&game, Nrpa::new(2, 100, 1.0), seed, Budget::UNLIMITED);
            assert_eq!((payoff, spent.playouts), (60, 10_000), "{score:?}");
        }
    }
    // Without adaptation it is only the best of as many uniform playouts: 60 is practically impossible.
    let game = LeftMoves::new(60, Score::LeftMoves);
    assert!(play(&game, Nrpa::new(2, 100, 0.0), 1, Budget::UNLIMITED).0 < 52);
}

/// NRPA as published, with all weights in a map and a copy of it for each change.
struct SlowNrpa<'g, G: Game> {
    game: &'g G,
    by_codes: bool,
    prior: &'g dyn Policy<G>,
    rng: Rng,
    first_moves: Vec<G::Move>,
}

type Weights = BTreeMap<(usize, u16), f64>;

impl<G: Game> SlowNrpa<'_, G> {
    fn name(&self, at: &G::Position, ply: usize, mv: G::Move) -> (usize, u16) {
        if self.by_codes {
            (0, self.game.move_code(at, mv).unwrap())
        } else {
            (ply, self.game.move_number(mv).unwrap())
        }
    }

    fn chances(&self, at: &G::Position, ply: usize, weights: &Weights) -> Vec<(G::Move, f64)> {
        let weight = |mv| weights.get(&self.name(at, ply, mv)).copied().unwrap_or(0.0);
        let known = self.prior.distribution(self.game, at);
        let all: Vec<_> =
            known.iter().map(|&(mv, known)| (mv, f64::from(known) * weight(mv).exp())).collect();
        let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
        all.into_iter().map(|(mv, weight)| (mv, weight / sum)).collect()
    }

    fn search(&mut self, level: u32, weights: &Weights) -> (i32, Vec<G::Move>) {
        let (game, mut at, mut line) = (self.game, self.game.start(), Vec::new());
        if level == 0 {
            while game.turn(&at) != Turn::Over {
                let mut pick = self.rng.unit();
                let falls_on = |&(_, chance): &(G::Move, f64)| {
                    pick -= chance;
                    pick < 0.0
                };
                let (mv, _) = self.chances(&at, line.len(), weights).into_iter().find(falls_on).unwrap();
                line.push(mv);
                game.apply(&mut at, mv);
            }
            self.first_moves.push(line[0]);
            return (game.payoff(&at, Player::FIRST), line);
        }
        let (mut weights, mut best) = (weights.clone(), (i32::MIN, Vec::new()));
        for _ in 0..6 {
            let found = self.search(level - 1, &weights);
            if found.0 >= best.0 {
                best = found;
            }
            let (mut at, mut adapted) = (game.start(), weights.clone());
            for (ply, &mv) in best.1.iter().enumerate() {
                *adapted.entry(self.name(&at, ply, mv)).or_default() += 0.5;
                for (other, chance) in self.chances(&at, ply, &weights) {
                    *adapted.entry(self.name(&at, ply, other)).or_default() -= 0.5 * chance;
                }
                game.apply(&mut at, mv);
            }
            weights = adapted;
        }
        best
    }
}

#[test]
fn codes_and_priors_adapt_as_published() {
    fn compare<G: Game>(game: &G, prior: &Arc<dyn Policy<G>>, by_codes: bool) {
        for seed in 0..4 {
            let searcher = Nrpa::new(3, 6, 0.5).with_codes(by_codes);
            let mut searcher = searcher.with_prior(Some(prior.clone()));
            let (decision, _) = ask(&mut searcher, game, &game.start(), seed);
            let rng = MoveStream::new(PlayoutKey::new(seed)).rng();
            let mut slow = SlowNrpa { game, by_codes, prior: &**prior, rng, first_moves: Vec::new() };
            let (_, line) = slow.search(3, &Weights::new());
            assert_eq!(searcher.principal_variation(game, &game.start(), &decision), line, "{seed}");
            for found in &decision.moves {
                let visits = slow.first_moves.iter().filter(|&&mv| mv == found.mv).count();
                assert_eq!(found.visits, visits as u64, "{seed}");
            }
        }
    }
    let same_game = SameGame::random(6, 6, 3, 4).unwrap();
    let weak_schur = WeakSchur::new(3, Rule::Any);
    for by_codes in [false, true] {
        compare(&same_game, &(Arc::new(Uniform) as _), by_codes);
        compare(&same_game, &(Arc::new(TabuColour::default()) as _), by_codes);
        compare(&weak_schur, &(Arc::new(LastSet) as _), by_codes);
    }
}

/// One step from zero towards a move: weights exp ½ and exp −½, so the move has probability e / (e + 1).
#[test]
fn a_step_of_adaptation_is_the_gradient_step_of_the_paper() {
    let game = LeftMoves::new(1, Score::LeftMoves);
    let runs = 20_000;
    let both_left = |&seed: &u64| {
        let (decision, _) = ask(&mut Nrpa::new(1, 2, 1.0), &game, &game.start(), seed);
        decision.moves[0].visits == 2
    };
    let found = (0..runs).filter(both_left).count() as f64 / runs as f64;
    // The first playout goes left with ½, the second after it with e / (e + 1).
    let e = std::f64::consts::E;
    let expected = 0.5 * e / (e + 1.0);
    assert!((found - expected).abs() < 4.5 * (expected * (1.0 - expected) / runs as f64).sqrt(), "{found}");
}

fn tree(seed: u32, depth: u32, chance_every: u32) -> RandomTree {
    RandomTree::new(Settings {
        branching: 2 + seed % 2,
        depth,
        tree: seed.into(),
        players: 1,
        reward: Reward::Score,
        chance_every,
        ..Settings::default()
    })
    .unwrap()
}

/// A search of level d explores every line of d plies, so it finds the best.
#[test]
fn a_nested_search_as_deep_as_the_game_is_exact() {
    for seed in 0..100 {
        let depth = 1 + seed % 4;
        let game = tree(seed, depth, 0);
        let (payoff, _) = play(&game, nested(depth), 1, Budget::UNLIMITED);
        assert_eq!(payoff, game.minimax(&game.start()), "tree {seed}");
    }
}

/// A higher level never gets less than its best line, and budgets are exact to the playout.
#[test]
fn nested_searches_keep_their_budget() {
    let game = tree(5, 12, 0);
    for playouts in [1, 2, 7, 100] {
        let budget = Budget::playouts(playouts);
        let (_, spent) = ask_within(&mut nested(3), &game, &game.start(), budget, 1);
        assert_eq!(spent.playouts, playouts);
        let (_, spent) = ask_within(&mut Nrpa::new(3, 100, 1.0), &game, &game.start(), budget, 1);
        assert_eq!(spent.playouts, playouts);
        let again = |seed| play(&game, nested(3), seed, budget);
        assert_eq!(again(3), again(3));
    }
}

#[test]
fn the_rollout_of_a_base_policy_is_flat_monte_carlo() {
    let mut rollout = NestedRollout::new(1, 50, Arc::new(Uniform), Ties::Random);
    let mut flat = FlatMonteCarlo::new(50, Arc::new(Uniform), Ties::Random);
    let start = TicTacToe.start();
    assert_eq!(ask(&mut rollout, &TicTacToe, &start, 1), ask(&mut flat, &TicTacToe, &start, 1));
}

/// Always the first move.
#[derive(Clone)]
struct First;

impl<G: Game> Policy<G> for First {
    fn choose(&self, game: &G, position: &G::Position, _: &mut PlayoutRng) -> G::Move {
        game.moves(position).next().unwrap()
    }
    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        game.moves(position).take(1).map(|mv| (mv, 1)).collect()
    }
}

/// The payoff of a level's policy, by definition, if neither the game nor the base policy is random.
fn plain_rollout(game: &RandomTree, mut position: <RandomTree as Game>::Position, level: u32) -> i32 {
    while game.turn(&position) != Turn::Over {
        let value = |mv| plain_rollout(game, game.after(&position, mv), level - 1);
        let mv = match level {
            0 => 0,
            _ => game
                .moves(&position)
                .reduce(|best, mv| if value(mv) > value(best) { mv } else { best })
                .unwrap(),
        };
        game.apply(&mut position, mv);
    }
    game.payoff(&position, Player::FIRST)
}

/// Each level improves on the one below, as it must with exact rollouts (Bertsekas, Tsitsiklis, Wu 1997).
#[test]
fn nested_rollouts_are_their_definition_and_improve() {
    let mut better = 0;
    for seed in 0..60 {
        let game = tree(seed, 7, 0);
        let mut below = plain_rollout(&game, game.start(), 0);
        for level in 1..=3 {
            let searcher = NestedRollout::new(level, 1, Arc::new(First), Ties::First);
            let (payoff, _) = play(&game, searcher, 1, Budget::UNLIMITED);
            assert_eq!(payoff, plain_rollout(&game, game.start(), level), "tree {seed}, level {level}");
            assert!(payoff >= below);
            better += u32::from(payoff > below);
            below = payoff;
        }
    }
    assert!(better > 60);
}

/// What a game of a level's policy with a discount counts, by definition, if neither the game nor the base policy is random: the
/// payoff of the player who moves at `at`, and the plies after the decision.
fn plain_discounted<G: Game>(
    game: &G,
    mut at: G::Position,
    level: u32,
    mut plies: u32,
) -> (G::Position, u32) {
    while let Turn::Player(mover) = game.turn(&at) {
        let worth = |mv| {
            let (end, plies) = plain_discounted(game, game.after(&at, mv), level - 1, plies + 1);
            f64::from(game.payoff(&end, mover)) / f64::from(plies + 1)
        };
        let mv = match level {
            0 => game.moves(&at).next().unwrap(),
            _ => game.moves(&at).reduce(|best, mv| if worth(mv) > worth(best) { mv } else { best }).unwrap(),
        };
        at = game.after(&at, mv);
        plies += 1;
    }
    (at, plies)
}

#[test]
fn discounted_rollouts_are_their_definition_and_win_soon() {
    let game = Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap();
    let mut differ = 0;
    for level in 1..=2 {
        let rollout =
            |discount| NestedRollout::new(level, 1, Arc::new(First), Ties::First).with_discount(discount);
        for index in 0..20 {
            let (mut draws, mut at) = (PlayoutKey::new(3).playout(index), game.start());
            for _ in 0..4 {
                at = game.after(&at, game.random_move(&at, &mut draws));
            }
            let (decision, _) = ask(&mut rollout(true), &game, &at, 1);
            let Turn::Player(mover) = game.turn(&at) else { panic!("a player moves") };
            for found in &decision.moves {
                let (end, plies) = plain_discounted(&game, game.after(&at, found.mv), level - 1, 1);
                assert_eq!(found.value, f64::from(game.payoff(&end, mover)) / f64::from(plies + 1));
            }
            let (plain, _) = ask(&mut rollout(false), &game, &at, 1);
            differ += u32::from(plain.chosen != decision.chosen);
        }
    }
    assert!(differ > 5, "{differ}");
}

/// The end of a game of [`plain_discounted`], and its plies, if a choice ends with the first move that wins.
fn plain_cut<G: Game>(game: &G, mut at: G::Position, level: u32, mut plies: u32) -> (G::Position, u32) {
    while let Turn::Player(mover) = game.turn(&at) {
        let mut best = (f64::NEG_INFINITY, game.moves(&at).next().unwrap());
        for mv in game.moves(&at).take_while(|_| level > 0) {
            let (end, plies) = plain_cut(game, game.after(&at, mv), level - 1, plies + 1);
            let payoff = f64::from(game.payoff(&end, mover));
            if payoff / f64::from(plies + 1) > best.0 {
                best = (payoff / f64::from(plies + 1), mv);
            }
            if payoff == 1.0 {
                break;
            }
        }
        at = game.after(&at, best.1);
        plies += 1;
    }
    (at, plies)
}

#[test]
fn pruning_by_depth_changes_no_decision_and_cuts_on_wins_are_their_definition() {
    let game = Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap();
    let policies: [Arc<dyn Policy<Breakthrough>>; 2] = [Arc::new(First), Arc::new(Uniform)];
    let (mut plies, mut untried) = ([0; 3], 0);
    for (index, level) in (0..24).map(|index| (index, 1 + index as u32 % 3)) {
        let (mut draws, mut at) = (PlayoutKey::new(5).playout(index), game.start());
        for _ in 0..4 {
            at = game.after(&at, game.random_move(&at, &mut draws));
        }
        let Turn::Player(mover) = game.turn(&at) else { panic!("a player moves") };
        for policy in &policies {
            let all = [Pruning::None, Pruning::Depth, Pruning::Won].map(|pruning| {
                let rollout = NestedRollout::new(level, 1, policy.clone(), Ties::First).with_discount(true);
                ask(&mut rollout.with_pruning(pruning), &game, &at, index)
            });
            for (sum, (_, spent)) in plies.iter_mut().zip(&all) {
                *sum += spent.plies;
            }
            let best =
                |decision: &Decision<_>| decision.moves.iter().map(|found| found.value).fold(-1.0, f64::max);
            assert_eq!(all[0].0.chosen, all[1].0.chosen);
            assert_eq!(best(&all[0].0), best(&all[1].0));
        }
        let cut = NestedRollout::new(level, 1, Arc::new(First), Ties::First).with_discount(true);
        let (decision, _) = ask(&mut cut.with_pruning(Pruning::Won), &game, &at, 1);
        let mut is_won = false;
        for found in &decision.moves {
            assert_eq!(found.visits, u64::from(!is_won));
            untried += u32::from(is_won);
            if !is_won {
                let (end, plies) = plain_cut(&game, game.after(&at, found.mv), level - 1, 1);
                assert_eq!(found.value, f64::from(game.payoff(&end, mover)) / f64::from(plies + 1));
                is_won = game.payoff(&end, mover) == 1;
            }
        }
    }
    let [none, depth, won] = plies;
    assert!(depth < none && 2 * won < none && untried > 20, "{plies:?} {untried}");
}

/// A stock of red and black cards: guess each next card. The payoff is the number of right guesses.
#[derive(Clone)]
struct Guess {
    red: u8,
    black: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guessing {
    left: [u8; 2],
    guess: Option<usize>,
    right: u8,
}

impl Game for Guess {
    type Position = Guessing;
    type Move = usize;

    fn facts(&self) -> Facts {
        Facts::solitaire().with_chance().with_payoffs(0, i32::from(self.red + self.black))
    }
    fn start(&self) -> Guessing {
        Guessing { left: [self.red, self.black], guess: None, right: 0 }
    }
    fn turn(&self, at: &Guessing) -> Turn {
        match at.guess {
            Some(_) => Turn::Chance,
            None if at.left == [0; 2] => Turn::Over,
            None => Turn::Player(Player::FIRST),
        }
    }
    fn moves(&self, at: &Guessing) -> impl Iterator<Item = usize> {
        0..if self.turn(at) == Turn::Player(Player::FIRST) { 2 } else { 0 }
    }
    fn outcomes(&self, at: &Guessing) -> impl Iterator<Item = (usize, u32)> {
        let (left, chance) = (at.left, at.guess.is_some());
        (0..2).map(move |colour| (colour, left[colour].into())).filter(move |&(_, n)| chance && n > 0)
    }
    fn apply(&self, at: &mut Guessing, mv: usize) {
        if let Some(guess) = at.guess.take() {
            at.left[mv] -= 1;
            at.right += u8::from(guess == mv);
        } else {
            at.guess = Some(mv);
        }
    }
    fn payoff(&self, at: &Guessing, _: Player) -> i32 {
        at.right.into()
    }
    fn notation(&self, _: &Guessing, mv: usize) -> String {
        mv.to_string()
    }
    fn drawing(&self, at: &Guessing) -> String {
        format!("{at:?}")
    }
}

/// With a known future every guess after the first is right: exactly n − 1 plus the probability of the first.
#[test]
fn hindsight_uses_only_sampled_futures() {
    let game = Guess { red: 4, black: 2 };
    let futures = 20_000;
    for (level, seed) in [(Foresight::Exact, 1), (Foresight::Nested(6), 2)] {
        let futures = if level == Foresight::Exact { futures } else { 200 };
        let mut searcher = Hindsight::new(futures, level, Arc::new(Uniform), Ties::First);
        let (decision, _) = ask(&mut searcher, &game, &game.start(), seed);
        assert_eq!(decision.chosen, 0);
        for (estimate, chance) in decision.moves.iter().zip([2.0 / 3.0, 1.0 / 3.0_f64]) {
            let error = (chance * (1.0 - chance) / futures as f64).sqrt();
            assert!((estimate.value - 5.0 - chance).abs() < 4.5 * error, "{level:?}: {}", estimate.value);
            assert_eq!(estimate.visits, futures);
        }
        // Both moves have the same futures: one of the two guesses is right in each.
        assert!((decision.moves[0].value + decision.moves[1].value - 11.0).abs() < 1e-12);
    }
}

/// Without chance there is one future, and solving it gives the best move.
#[test]
fn exact_hindsight_without_chance_is_minimax() {
    for seed in 0..50 {
        let game = tree(seed, 6, 0);
        let mut searcher = Hindsight::new(2, Foresight::Exact, Arc::new(Uniform), Ties::First);
        let (decision, _) = ask(&mut searcher, &game, &game.start(), 1);
        assert_eq!(best(&decision).0, f64::from(game.minimax(&game.start())));
    }
}

/// With chance it is optimistic: never below the value under best play, in expectation.
#[test]
fn hindsight_is_an_upper_bound_on_trees_of_chance() {
    for seed in 0..20 {
        let game = tree(seed, 5, 3);
        let mut searcher = Hindsight::new(2000, Foresight::Exact, Arc::new(Uniform), Ties::First);
        let (decision, _) = ask(&mut searcher, &game, &game.start(), 1);
        let best = decision.moves.iter().max_by(|a, b| a.value.total_cmp(&b.value)).unwrap();
        assert!(best.value + 4.5 * best.standard_error > game.expectimax(&game.start()), "tree {seed}");
    }
}

/// The same game, which records the best payoff that was requested.
#[derive(Clone)]
struct Remembering<G>(G, Arc<AtomicI32>);

impl<G: Game> Game for Remembering<G> {
    type Position = G::Position;
    type Move = G::Move;

    delegates!(0);

    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.0.moves(position)
    }
    fn payoff(&self, position: &G::Position, player: Player) -> i32 {
        let payoff = self.0.payoff(position, player);
        self.1.fetch_max(payoff, Ordering::Relaxed);
        payoff
    }
}

/// Even with few playouts per move, the game ends like the best of them.
#[test]
fn sp_mcts_keeps_the_best_line_of_all_its_playouts() {
    for tree in 0..20 {
        let settings = Settings {
            branching: 3,
            depth: 9,
            tree,
            players: 1,
            reward: Reward::Score,
            ..Settings::default()
        };
        let best = Arc::new(AtomicI32::new(i32::MIN));
        let game = Remembering(RandomTree::new(settings).unwrap(), best.clone());
        let searcher = TreeSearch::sp_mcts(Arc::new(Uniform), (0.5, 0.01), 1, Ties::Random);
        let (payoff, spent) = if tree % 2 == 0 {
            play(&game, searcher, tree, Budget::playouts(20))
        } else {
            play(&game, Restarts::new(searcher, 3), tree, Budget::playouts(20))
        };
        assert_eq!(payoff, best.load(Ordering::Relaxed), "tree {tree}");
        assert_eq!(spent.playouts, 9 * 20);
    }
}

/// The searches of a decision with restarts are those of their seeds alone, each with its part of the budget.
#[test]
fn restarts_are_searches_of_their_own() {
    let settings =
        Settings { branching: 4, depth: 9, players: 1, reward: Reward::Score, ..Settings::default() };
    let found = |searcher: &mut dyn FnMut() -> Box<dyn Searcher<Remembering<RandomTree>>>, playouts, seed| {
        let best = Arc::new(AtomicI32::new(i32::MIN));
        let game = Remembering(RandomTree::new(settings).unwrap(), best.clone());
        let (_, spent) = ask_within(&mut *searcher(), &game, &game.start(), Budget::playouts(playouts), seed);
        assert_eq!(spent.playouts, playouts);
        best.load(Ordering::Relaxed)
    };
    let search = || TreeSearch::sp_mcts(Arc::new(Uniform), (0.5, 0.01), 2, Ties::Random);
    for seed in 0..20 {
        let key = MoveStream::new(PlayoutKey::new(seed)).playouts();
        let parts = [7, 7, 6].into_iter().zip(0..);
        let alone = parts.map(|(playouts, number)| {
            found(&mut || Box::new(search()), playouts, key.child(number).to_u64())
        });
        let together = found(&mut || Box::new(Restarts::new(search(), 3)), 20, seed);
        assert_eq!(Some(together), alone.max(), "seed {seed}");
    }
}

/// A node has children once it was visited more often than the threshold.
#[test]
fn sp_mcts_expands_after_a_threshold() {
    let game = SameGame::random(6, 6, 3, 1).unwrap();
    for threshold in [1, 4, 10] {
        let mut search = TreeSearch::sp_mcts(Arc::new(Uniform), (0.5, 0.01), threshold, Ties::First);
        let (decision, _) = ask_within(&mut search, &game, &game.start(), Budget::playouts(300), 1);
        let extent = TreeExtent { plies: 2, children: 100 };
        let found = search.tree(&game, &game.start(), &decision, extent).unwrap();
        assert!(!found.shown.is_empty());
        for branch in found.shown {
            assert_eq!(branch.below.shown.is_empty(), branch.visits <= threshold.into(), "{branch:?}");
        }
    }
}

#[test]
fn sp_mcts_reaches_the_optimum_of_left_and_right() {
    for score in [Score::LeftMoves, Score::LeftmostPath] {
        let game = LeftMoves::new(20, score);
        let searcher = TreeSearch::sp_mcts(Arc::new(Uniform), (0.5, 0.01), 1, Ties::First);
        assert_eq!(play(&game, searcher, 1, Budget::playouts(1000)).0, 20, "{score:?}");
    }
}
