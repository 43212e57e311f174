//! Expectimax, the greedy player, and solving, compared with slow references and published values.

use std::sync::Arc;

use shikou::game::{
    BlindToEnds, Evaluation, Game, GameExt, NamedGame, Player, Policy, SearchHints, Term, Turn,
    WeightedEvaluations,
};
use shikou::games::othello::{Choices, Discs, FewestReplies, Freedom, Hand, Othello, Weights};
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::{Rng, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, BestMoves, Expectimax, FullWidth, Limits, Meter, OrderBy, RootValues,
    Searcher, Solution, SolveSettings, Star, Ties, solve,
};

use crate::support::{ask, best, delegates, large_data, reachable, sample_data};

/// The value of a tree to a depth, by plain expectimax: the reference.
fn plain<G: Game>(
    game: &G,
    position: &G::Position,
    player: Player,
    left: u32,
    evaluation: &dyn Evaluation<G>,
) -> f64 {
    let value = |child: &G::Position| plain(game, child, player, left - 1, evaluation);
    match game.turn(position) {
        Turn::Over => evaluation.finished(game, position, player) as f64,
        _ if left == 0 => evaluation.evaluate(game, position, player) as f64,
        Turn::Chance => {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (mv, weight) in game.outcomes(position) {
                sum += f64::from(weight) * value(&game.after(position, mv));
                weights += f64::from(weight);
            }
            sum / weights
        }
        Turn::Player(mover) => {
            let values = game.children(position).map(|(_, child)| value(&child));
            if mover == player { values.fold(f64::MIN, f64::max) } else { values.fold(f64::MAX, f64::min) }
        }
    }
}

fn settings(tree: u32) -> Settings {
    Settings {
        branching: 1 + tree % 3,
        depth: 1 + tree / 3 % 7,
        tree: u64::from(tree),
        players: 1 + (tree / 21 % 2) as u8,
        chance_every: tree / 42 % 5,
        value_range: [127, 1, 2][tree as usize / 210 % 3],
        reward: if tree % 4 == 1 { Reward::Success } else { Reward::Score },
        ..Settings::default()
    }
}

/// Ten thousand trees with chance: Star1 and Star2 find what plain expectimax finds, for every move, to the end and
/// to depths; and Star1 visits fewer positions.
#[test]
fn star_one_and_two_are_expectimax() {
    let mut nodes = [0; 3];
    for tree in 0..10_000 {
        let game = RandomTree::new(settings(tree)).unwrap();
        let start = game.start();
        let Turn::Player(player) = game.turn(&start) else { continue };
        let evaluation = game.entries().evaluations[0].evaluation.clone();
        let depth = 1 + tree / 5 % 7;
        for star in [Star::Off, Star::One, Star::Two] {
            let (full, spent) = ask(&mut Expectimax::full(star, Ties::First), &game, &start, 1);
            nodes[star as usize] += spent.nodes;
            let mut to_depth = Expectimax::to_depth(depth, evaluation.clone(), star, Ties::First);
            let (limited, _) = ask(&mut to_depth, &game, &start, 1);
            for (full, limited) in full.moves.iter().zip(&limited.moves) {
                let child = game.after(&start, full.mv);
                assert!((full.value - game.expectimax(&child)).abs() < 1e-6, "tree {tree}, {star:?}");
                let expected = plain(&game, &child, player, depth - 1, &*evaluation);
                assert!((limited.value - expected).abs() < 1e-3, "tree {tree}, {star:?}: {}", limited.value);
            }
        }
    }
    assert!(nodes[1] < nodes[0], "{nodes:?}");
}

/// A tree with chance whose ordering heuristic is the value of each move.
#[derive(Clone)]
struct Hinted(RandomTree);

impl Game for Hinted {
    type Position = <RandomTree as Game>::Position;
    type Move = u32;

    delegates!(0);

    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = u32> {
        self.0.moves(position)
    }
    fn outcomes(&self, position: &Self::Position) -> impl Iterator<Item = (u32, u32)> {
        self.0.outcomes(position)
    }
    fn payoff(&self, position: &Self::Position, player: Player) -> i32 {
        self.0.payoff(position, player)
    }
    fn hints(&self) -> impl SearchHints<Self> {
        ByValue
    }
}

type Node = <RandomTree as Game>::Position;

/// Orders moves by the value itself, to three digits.
struct ByValue;

impl SearchHints<Hinted> for ByValue {
    fn order(&self, game: &Hinted, position: &Node, _: u32, child: &Node) -> i32 {
        let value = (1000.0 * game.0.expectimax(child)) as i32;
        if game.0.turn(position) == Turn::Player(Player::FIRST) { value } else { -value }
    }
}

/// On well ordered trees each star visits fewer positions than the one before, and finds the same.
#[test]
fn each_star_cuts_more() {
    let mut nodes = [0; 3];
    for tree in 0..20 {
        let game = Hinted(
            RandomTree::new(Settings {
                branching: 5,
                depth: 6,
                chance_every: 2,
                tree,
                reward: Reward::Success,
                value_range: 2,
                ..Settings::default()
            })
            .unwrap(),
        );
        let mut values = Vec::new();
        for star in [Star::Off, Star::One, Star::Two] {
            let (decision, spent) = ask(&mut Expectimax::full(star, Ties::First), &game, &game.start(), 1);
            nodes[star as usize] += spent.nodes;
            values.push(best(&decision).0);
        }
        assert!(values.iter().all(|value| (value - values[0]).abs() < 1e-6), "{values:?}");
    }
    assert!(nodes[1] < nodes[0] && nodes[2] < nodes[1], "{nodes:?}");
}

/// Positions of random games, none of them over.
fn random_positions(game: &Othello, count: usize) -> Vec<<Othello as Game>::Position> {
    let mut rng = (Stream::new(3) / "greedy positions").rng();
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = game.start();
        for _ in 0..rng.below(58) {
            let moves = u64::from(game.move_count(&position));
            if moves > 0 {
                let mv = game.moves(&position).nth(rng.below(moves) as usize).unwrap();
                game.apply(&mut position, mv);
            }
        }
        if game.turn(&position) != Turn::Over {
            positions.push(position);
        }
    }
    positions
}

/// Expects each move's value to equal `value`, if that many plies do not end the game.
fn assert_greedy(
    depth: u32,
    evaluation: &Arc<dyn Evaluation<Othello>>,
    value: impl Fn(&<Othello as Game>::Position, Player) -> f64,
) {
    let game = Othello::default();
    let mut compared = 0;
    for position in random_positions(&game, 300) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (decision, _) =
            ask(&mut FullWidth::greedy(depth, evaluation.clone(), 0.0, Ties::First), &game, &position, 1);
        for estimate in decision.moves {
            let child = game.after(&position, estimate.mv);
            let ends = game.turn(&child) == Turn::Over
                || depth > 1 && game.children(&child).any(|(_, next)| game.turn(&next) == Turn::Over);
            if !ends {
                compared += 1;
                assert_eq!(estimate.value, value(&child, player), "{}", game.drawing(&position));
            }
        }
    }
    assert!(compared > 1000);
}

fn evaluation(evaluation: impl Evaluation<Othello> + 'static) -> Arc<dyn Evaluation<Othello>> {
    Arc::new(evaluation)
}

/// The player `nleast` leaves the opponent the fewest moves.
#[test]
fn greedy_for_choices_at_depth_one_is_nleast() {
    assert_greedy(1, &evaluation(Choices), |child, player| {
        let moves = f64::from(child.moves().count_ones());
        // After a pass of the opponent the same player may move, but not within one ply.
        if child.to_move() == player { moves } else { -moves }
    });
}

/// So does the policy: positions at a player's turn along games that it plays.
#[test]
fn the_policy_of_the_fewest_replies_is_nleast() {
    let game = Othello::default();
    let mut greedy = FullWidth::greedy(1, Arc::new(BlindToEnds::new(Arc::new(Freedom))), 0.0, Ties::Random);
    let mut rng = Stream::new(22).rng();
    for _ in 0..20 {
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            let policy = FewestReplies::default().distribution(&game, &position);
            let mut meter = Meter::new(Limits::default());
            let searched = greedy.distribution(&game, &position, &mut meter).unwrap().unwrap();
            let mut searched: Vec<_> = searched.into_iter().map(|(mv, _)| mv).collect();
            searched.sort_unstable();
            let moves: Vec<_> = policy.into_iter().map(|(mv, _)| mv).collect();
            assert_eq!(moves, searched, "{}", game.drawing(&position));
            game.apply(&mut position, moves[rng.below(moves.len() as u64) as usize]);
        }
    }
}

/// An evaluation that orders moves changes no value and no best move, whether it sees the board as one player does or not,
/// whether its values are small or large, and however wrong the first search is that it prunes.
#[test]
fn solving_in_another_order_finds_the_same() {
    let game = Othello::default().with_reward_score();
    let large =
        WeightedEvaluations::new(&game, vec![Term { times: 1.0, evaluation: evaluation(Weights) }], 1e-6)
            .unwrap();
    let orders = [evaluation(Weights), evaluation(Freedom), evaluation(large)];
    for number in 0..6 {
        let mut rng = (Stream::new(number) / "order").rng();
        let Some(position) = late(&game, 12, &mut rng) else { continue };
        let plain = solved(&game, &position, 1);
        for order in &orders {
            for (plies, margin, threads) in [
                (1, None, 1),
                (100, None, 1),
                (1, Some(0), 1),
                (100, Some(0), 1),
                (100, Some(6), 2),
                (2, Some(u32::MAX), 3),
            ] {
                let order = Some(OrderBy { evaluation: order.clone(), plies, margin });
                let settings = SolveSettings { order, threads, ..SolveSettings::new(1 << 20) };
                let ordered = solved_by(&game, &position, &settings);
                assert_eq!(
                    (ordered.value, &ordered.best),
                    (plain.value, &plain.best),
                    "{number} {plies} {margin:?}"
                );
            }
        }
    }
}

/// The player `nmost` wants the most own moves after the reply, in the mean over the replies.
#[test]
fn greedy_for_choices_at_depth_two_is_nmost() {
    assert_greedy(2, &evaluation(Choices), |child, player| {
        let game = Othello::default();
        let own: Vec<f64> = game
            .children(child)
            .map(|(_, next)| {
                let moves = f64::from(next.moves().count_ones());
                if next.to_move() == player { moves } else { -moves }
            })
            .collect();
        own.iter().sum::<f64>() / own.len() as f64
    });
}

/// The mean score and the mean number of the other's moves, each by itself, ply by ply: slow and obvious. A pass is a ply.
fn means(game: &Othello, position: &<Othello as Game>::Position, player: Player, plies: u32) -> (f64, f64) {
    if plies == 0 || game.turn(position) == Turn::Over {
        let free = 1e6 / Freedom.evaluate(game, position, player) as f64;
        return (f64::from(position.disc_difference(player)), free.round() - 1.0);
    }
    let below: Vec<_> =
        game.children(position).map(|(_, next)| means(game, &next, player, plies - 1)).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| below.iter().map(of).sum::<f64>() / below.len() as f64;
    (mean(|pair| pair.0), mean(|pair| pair.1))
}

/// Source N with `read_goal` 1 and 2: A times the mean score plus B / (mean place + 1), combined at the root.
#[test]
fn harmonic_means_at_the_root_are_the_look_ahead_of_source_n() {
    let game = Othello::default();
    let (a, b) = (0.7, 30.0);
    let blind = |of: Arc<dyn Evaluation<Othello>>| evaluation(BlindToEnds::new(of));
    let (mut compared, mut other) = (0, 0);
    for depth in [1, 2, 3] {
        // The factor of A is 1, that of B relative to it and for the integers of `Freedom`, millionths.
        let mut greedy = FullWidth::greedy(depth, blind(evaluation(Discs)), 0.0, Ties::First)
            .with_harmonic_means(vec![(b / a / 1e6, evaluation(Freedom))]);
        let leaves = [(a, evaluation(Discs)), (b, evaluation(Freedom))];
        let terms = leaves.map(|(times, evaluation)| Term { times, evaluation }).to_vec();
        let leaves = evaluation(WeightedEvaluations::new(&game, terms, 1e-6).unwrap());
        let mut leaves = FullWidth::greedy(depth, blind(leaves), 0.0, Ties::First);
        for position in random_positions(&game, 40) {
            let Turn::Player(player) = game.turn(&position) else { continue };
            let (decision, _) = ask(&mut greedy, &game, &position, 1);
            let (mean_of_leaves, _) = ask(&mut leaves, &game, &position, 1);
            for (estimate, leaves) in decision.moves.iter().zip(mean_of_leaves.moves) {
                let (score, place) = means(&game, &game.after(&position, estimate.mv), player, depth - 1);
                let expected = a * score + b / (place + 1.0);
                assert!((a * estimate.value - expected).abs() < 1e-4, "{}", game.drawing(&position));
                compared += 1;
                other += u32::from((1e-6 * leaves.value - expected).abs() > 0.1);
                assert!(depth > 1 || (1e-6 * leaves.value - expected).abs() < 1e-4);
            }
        }
    }
    assert!(compared > 500 && other > 200, "{compared} {other}");
}

/// At depth 1 the mean is over one value, deeper over some.
#[test]
fn a_harmonic_mean_with_a_value_that_is_not_above_0_is_0() {
    let game = Othello::default();
    let (mut zero, mut above) = (0, 0);
    for depth in [1, 2] {
        let mut plain = FullWidth::greedy(depth, evaluation(Discs), 0.0, Ties::First);
        let mut added = plain.clone().with_harmonic_means(vec![(1.0, evaluation(Discs))]);
        for position in random_positions(&game, 40) {
            let (plain, _) = ask(&mut plain, &game, &position, 1);
            let (decision, _) = ask(&mut added, &game, &position, 1);
            let Turn::Player(player) = game.turn(&position) else { continue };
            for (estimate, plain) in decision.moves.iter().zip(plain.moves) {
                let child = game.after(&position, estimate.mv);
                let discs = |at: &<Othello as Game>::Position| at.disc_difference(player);
                let least = if depth == 1 {
                    discs(&child)
                } else {
                    game.children(&child).map(|(_, next)| discs(&next)).min().unwrap_or_else(|| discs(&child))
                };
                let mean = estimate.value - plain.value;
                assert_eq!(mean > 0.0, least > 0, "depth {depth}: {mean} {}", game.drawing(&position));
                assert!(mean >= 0.0);
                zero += u32::from(least <= 0);
                above += u32::from(least > 0);
            }
        }
    }
    assert!(zero > 100 && above > 100, "{zero} {above}");
}

/// The player `nhand` counts discs, `nhand_custom` weighs squares; both take the plain mean over the replies.
#[test]
fn greedy_for_discs_and_hand_weights_at_depth_two_are_nhand() {
    let game = Othello::default();
    let mean = |child: &<Othello as Game>::Position, value: &dyn Fn(&<Othello as Game>::Position) -> i64| {
        let values: Vec<i64> = game.children(child).map(|(_, next)| value(&next)).collect();
        values.iter().sum::<i64>() as f64 / values.len() as f64
    };
    assert_greedy(2, &evaluation(Discs), |child, player| {
        mean(child, &|next| i64::from(next.disc_difference(player)))
    });
    assert_greedy(2, &evaluation(Hand), |child, player| {
        mean(child, &|next| Hand.evaluate(&game, next, player))
    });
}

/// One move in ten is random, which shows if the best move is one of many.
#[test]
fn epsilon_is_the_share_of_random_moves() {
    let game = Othello::default();
    let position = game.follow("f5d6c3d3c4f4c5b3c2e6").unwrap();
    let (best, _) = ask(&mut FullWidth::greedy(1, Arc::new(Weights), 0.0, Ties::First), &game, &position, 1);
    let mut player = FullWidth::greedy(1, Arc::new(Weights), 0.1, Ties::First);
    let (mut searched, mut others) = (0, 0);
    for seed in 0..20_000 {
        let (decision, _) = ask(&mut player, &game, &position, seed);
        searched += u32::from(!decision.moves.is_empty());
        others += u32::from(decision.chosen != best.chosen);
    }
    let moves = f64::from(game.move_count(&position));
    // Five standard errors of 20 000 trials are .011: a correct program fails once in a million.
    assert!((f64::from(searched) / 20_000.0 - 0.9).abs() < 0.011, "{searched}");
    assert!((f64::from(others) / 20_000.0 - 0.1 * (moves - 1.0) / moves).abs() < 0.011, "{others}");
    let (decision, _) =
        ask(&mut FullWidth::greedy(1, Arc::new(Weights), 1.0, Ties::First), &game, &position, 1);
    assert!(decision.moves.is_empty());
}

fn solved<G: Game>(game: &G, position: &G::Position, threads: usize) -> Solution<G::Move> {
    solved_by(game, position, &SolveSettings { threads, ..SolveSettings::new(16 << 20) })
}

fn solved_by<G: Game>(
    game: &G,
    position: &G::Position,
    settings: &SolveSettings<Arc<dyn Evaluation<G>>>,
) -> Solution<G::Move> {
    solve(game, position, settings, &mut Meter::new(Limits::default())).unwrap()
}

/// A position of a random game that has no more empty squares than given; `None` if the game ends before.
fn late(game: &Othello, empties: u32, rng: &mut Rng) -> Option<<Othello as Game>::Position> {
    let mut position = game.start();
    loop {
        let discs = position.discs(Player::FIRST) | position.discs(Player::SECOND);
        if game.turn(&position) == Turn::Over {
            return None;
        }
        if (game.playable() & !discs).count_ones() <= empties {
            return Some(position);
        }
        let pick = rng.below(game.move_count(&position).into()) as usize;
        let mv = game.moves(&position).nth(pick).unwrap();
        game.apply(&mut position, mv);
    }
}

/// Plays a solution's principal variation and expects its value at the end, for the first player.
fn assert_line_keeps_the_value<G: Game>(game: &G, position: &G::Position, solution: &Solution<G::Move>) {
    let Turn::Player(player) = game.turn(position) else { panic!("a player must be to move") };
    assert!(solution.best.contains(&solution.line[0]), "{solution:?}");
    let mut position = *position;
    for &mv in &solution.line {
        game.play(&mut position, mv).unwrap();
    }
    assert_eq!(game.turn(&position), Turn::Over);
    assert_eq!(f64::from(game.payoff(&position, player)), solution.value);
}

#[test]
fn every_position_of_tic_tac_toe_is_solved() {
    let game = TicTacToe;
    let positions = reachable(&game);
    for position in positions.iter().filter(|position| game.turn(position) != Turn::Over).step_by(5) {
        let solution = solved_by(&game, position, &SolveSettings::new(1 << 16));
        assert_line_keeps_the_value(&game, position, &solution);
        let (plain, _) = ask(&mut FullWidth::minimax(None, Ties::First), &game, position, 1);
        if plain.moves.is_empty() {
            assert_eq!(solution.best, [plain.chosen]);
            continue;
        }
        assert_eq!((solution.value, solution.best), best(&plain));
    }
}

#[test]
fn four_by_four_and_trees_of_chance_are_solved() {
    let game = Othello::new(4).with_reward_score();
    let solution = solved(&game, &game.start(), 1);
    assert_eq!(solution.value, -8.0);
    assert_line_keeps_the_value(&game, &game.start(), &solution);
    let tournament = game.with_empties_to_winner();
    assert_eq!(solved(&tournament, &game.start(), 2).value, -10.0);
    let tree = RandomTree::new(Settings { depth: 7, chance_every: 3, ..Settings::default() }).unwrap();
    let solution = solved(&tree, &tree.start(), 1);
    assert!((solution.value - tree.expectimax(&tree.start())).abs() < 1e-9);
    assert_eq!(solution.line, solution.best[..1]);
}

/// The problems of a file with a given number of empty squares: checks the published value of each move, and returns
/// the number of positions.
fn problems(text: &str, empties: std::ops::RangeInclusive<u32>) -> Vec<(String, Vec<(String, i32)>)> {
    let problem = |line: &str| {
        let (board, answers) = line.split_once(';').unwrap();
        let answer = |text: &str| {
            let (mv, value) = text.trim().split_once(':')?;
            Some((mv.to_lowercase(), value.parse().unwrap()))
        };
        (board.to_owned(), answers.split(';').filter_map(answer).collect::<Vec<_>>())
    };
    let all = text.lines().map(problem);
    all.filter(|(board, _)| empties.contains(&(board.matches('-').count() as u32))).collect()
}

/// Solves problems of the French federation's magazine, in which the winner gets the empty squares: the value and the
/// whole set of best moves are the published ones.
fn assert_problems(empties: std::ops::RangeInclusive<u32>, least: usize, threads: usize) {
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let text = large_data("ffo/ffo-20-39.obf").map_or_else(|| read(sample_data("ffo.obf")), read);
    let problems = problems(&text, empties);
    assert!(problems.len() >= least);
    for (board, answers) in problems {
        let game = Othello::default().with_reward_score().with_empties_to_winner();
        let position = game.parse_board(&board).unwrap();
        let solution = solved(&game, &position, threads);
        let best = answers.iter().map(|(_, value)| *value).max().unwrap();
        assert_eq!(solution.value, f64::from(best), "{board}");
        let mut moves: Vec<String> = solution.best.iter().map(ToString::to_string).collect();
        let mut expected: Vec<String> =
            answers.iter().filter(|(_, value)| *value == best).map(|(mv, _)| mv.clone()).collect();
        moves.sort();
        expected.sort();
        assert_eq!(moves, expected, "{board}");
        assert_line_keeps_the_value(&game, &position, &solution);
    }
}

#[test]
fn endgame_problems_up_to_eighteen_empty_squares_are_solved_right() {
    assert_problems(0..=18, 1, 1);
}

#[test]
#[ignore = "problems of 19 and 20 empty squares take about a minute"]
fn endgame_problems_up_to_twenty_empty_squares_are_solved_right() {
    assert_problems(0..=20, 1, 2);
}

/// More threads find the same value and the same best moves.
#[test]
fn threads_change_no_value() {
    let game = Othello::default().with_reward_score();
    let (board, _) = &problems(&std::fs::read_to_string(sample_data("ffo.obf")).unwrap(), 0..=16)[0];
    let position = game.parse_board(board).unwrap();
    let alone = solved(&game, &position, 1);
    for threads in [2, 5] {
        let together = solved(&game, &position, threads);
        assert_eq!((together.value, &together.best), (alone.value, &alone.best));
        assert_line_keeps_the_value(&game, &position, &together);
    }
}

/// Up to nine empty squares use the endgame solver alone; six and seven are compared with minimax, for every rule and reward.
#[test]
fn the_last_squares_are_minimax() {
    let base = Othello::default();
    let mut rng = (Stream::new(5) / "tails").rng();
    let mut compared = 0;
    while compared < 150 {
        let Some(position) = late(&base, 7, &mut rng) else { continue };
        compared += 1;
        for game in [base, base.with_reward_score(), base.with_reward_score().with_empties_to_winner()] {
            let (plain, _) = ask(&mut FullWidth::minimax(None, Ties::First), &game, &position, 1);
            let solution = solved(&game, &position, 1);
            if plain.moves.is_empty() {
                continue;
            }
            assert_eq!((solution.value, solution.best), best(&plain), "{}", game.board_text(&position));
        }
    }
}

/// Positions with up to 13 empty squares, for which the solver ranks moves, remembers positions and shares them between threads,
/// against plain alpha-beta without hints and table, for one best move and all, on one thread and three.
#[test]
fn the_last_thirteen_squares_are_plain_alpha_beta() {
    let mut rng = (Stream::new(6) / "ends").rng();
    let mut compared = 0;
    while compared < 60 {
        let size = [6, 8, 8][compared % 3];
        let base = Othello::new(size);
        let empties = if compared % 10 == 9 { 13 } else { 9 + compared as u32 % 3 };
        let Some(position) = late(&base, empties, &mut rng) else { continue };
        if base.move_count(&position) < 2 {
            continue;
        }
        compared += 1;
        for game in [base, base.with_reward_score(), base.with_reward_score().with_empties_to_winner()] {
            let plain = AlphaBetaSettings {
                null_windows: true,
                root: RootValues::Ties,
                ..AlphaBetaSettings::plain()
            };
            let (plain, _) = ask(&mut AlphaBeta::full(plain, Ties::First), &game, &position, 1);
            let (value, best) = best(&plain);
            for threads in [1, 3] {
                let solution = solved(&game, &position, threads);
                assert_eq!(
                    (solution.value, &solution.best),
                    (value, &best),
                    "{}",
                    game.board_text(&position)
                );
                assert_line_keeps_the_value(&game, &position, &solution);
                let settings = SolveSettings { threads, best: BestMoves::One, ..SolveSettings::new(1 << 20) };
                let one = solved_by(&game, &position, &settings);
                assert_eq!((one.value, one.best.len()), (value, 1));
                assert!(best.contains(&one.best[0]));
            }
        }
    }
}
