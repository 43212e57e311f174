//! Recent searches: unbounded best-first minimax, Boltzmann tree search, decaying entropy.

use std::collections::BTreeMap;
use std::sync::Arc;

use shikou::game::{Evaluation, Facts, Game, GameExt, NamedGame, Player, Turn, Uniform};
use shikou::games::othello::Othello;
use shikou::games::random_tree::{Leaves, RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::search::{
    BestFirstSettings, BoltzmannSettings, Budget, FullWidth, Limit, Searcher, Stop, Ties, TreeSearch,
};

use crate::bandits::{Arms, At};
use crate::support::{ask, ask_within};

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::UNLIMITED }
}

/// The moves that minimax finds best, with their value.
fn best_moves<G: Game>(game: &G, position: &G::Position) -> (f64, Vec<G::Move>) {
    let (decision, _) = ask(&mut FullWidth::minimax(None, Ties::First), game, position, 1);
    let value = decision.moves.iter().map(|found| found.value).fold(f64::NEG_INFINITY, f64::max);
    (value, decision.moves.iter().filter(|found| found.value == value).map(|found| found.mv).collect())
}

/// Positions of tic-tac-toe with a choice, after some plies, each once.
fn tic_tac_toe_after(plies: usize) -> Vec<<TicTacToe as Game>::Position> {
    let mut layer = vec![TicTacToe.start()];
    for _ in 0..plies {
        let mut next = Vec::new();
        for (_, child) in layer.iter().flat_map(|position| TicTacToe.children(position)) {
            if !next.contains(&child) {
                next.push(child);
            }
        }
        layer = next;
    }
    layer.retain(|position| TicTacToe.move_count(position) > 1);
    layer
}

/// With the true values as its evaluation it never leaves the best line: as many expansions as the game has plies.
#[test]
fn unbounded_minimax_expands_the_best_line() {
    for tree in 0..50 {
        let settings = Settings {
            branching: 3,
            depth: 8,
            tree,
            leaves: Leaves::Planted,
            reward: Reward::Score,
            value_range: 30_000,
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let evaluation = game.entries().evaluations[0].evaluation.clone();
        let mut searcher =
            TreeSearch::unbounded_minimax(Some(evaluation), BestFirstSettings::new(Ties::First));
        let (decision, spent) = ask_within(&mut searcher, &game, &game.start(), nodes(3 * 8), 1);
        assert_eq!((decision.stop, spent.nodes), (Stop::Limit(Limit::Nodes), 24));
        let value = decision.moves.iter().map(|found| found.value).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(Some(value as i32), game.value());
        let line = searcher.principal_variation(&game, &game.start(), &decision);
        assert_eq!(line.len(), 8, "tree {tree}");
        let mut end = game.start();
        for mv in line {
            game.apply(&mut end, mv);
        }
        assert_eq!(game.payoff(&end, Player::FIRST), value as i32);
    }
}

/// Completion: the search ends with the value proved, from every position.
#[test]
fn unbounded_minimax_proves_every_position_of_tic_tac_toe() {
    for position in (1..9).flat_map(tic_tac_toe_after) {
        let mut searcher = TreeSearch::unbounded_minimax(None, BestFirstSettings::new(Ties::First));
        let (decision, _) = ask_within(&mut searcher, &TicTacToe, &position, nodes(1_000_000), 1);
        assert_eq!(decision.stop, Stop::Proved);
        let (value, best) = best_moves(&TicTacToe, &position);
        assert!(best.contains(&decision.chosen), "{position:?}");
        let chosen = decision.moves.iter().find(|found| found.mv == decision.chosen).unwrap();
        assert_eq!(chosen.value, value);
    }
}

/// Best-first minimax, slow and simple. A position is known by its key, or without transpositions by the moves that lead to it.
struct Slow {
    completion: bool,
    transpositions: bool,
    /// The children of expanded positions, and the value and the proof of every position that was seen.
    children: BTreeMap<Vec<u8>, Vec<(Vec<u8>, Position)>>,
    values: BTreeMap<Vec<u8>, (i64, bool)>,
    /// The visits of moves: of a position, by their number.
    visits: BTreeMap<(Vec<u8>, usize), u64>,
    evaluated: u64,
}

type Position = <TicTacToe as Game>::Position;

impl Slow {
    /// The name of a position after a line of moves.
    fn name(&self, line: &[u8], at: Position) -> Vec<u8> {
        if self.transpositions { TicTacToe.key(&at).unwrap().to_be_bytes().into() } else { line.into() }
    }

    /// The corners of the player less those of the other; a finished game as its payoff, ten times.
    fn evaluation(at: Position) -> i64 {
        if TicTacToe.turn(&at) == Turn::Over {
            return 10 * i64::from(TicTacToe.payoff(&at, Player::FIRST));
        }
        let corners = |player| i64::from((at.marks(player) & 0b1_0100_0101).count_ones());
        corners(Player::FIRST) - corners(Player::SECOND)
    }

    /// The number of the best child for the player to move, of those that are open or of all.
    fn best(&self, name: &Vec<u8>, at: Position, only_open: bool) -> Option<usize> {
        let is_first = TicTacToe.turn(&at) == Turn::Player(Player::FIRST);
        let rank = |&child: &usize| {
            let (value, _) = self.values[&self.children[name][child].0];
            let visits = self.visits.get(&(name.clone(), child)).copied().unwrap_or(0);
            (if is_first { value } else { -value }, visits)
        };
        let is_open = |&child: &usize| !only_open || !self.values[&self.children[name][child].0].1;
        let all = (0..self.children[name].len()).filter(is_open);
        all.reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
    }

    /// One iteration below a position.
    fn iterate(&mut self, name: &Vec<u8>, line: &mut Vec<u8>, at: Position) {
        if !self.children.contains_key(name) {
            let mut children = Vec::new();
            for (mv, child) in TicTacToe.children(&at) {
                line.push(mv);
                let child_name = self.name(line, child);
                line.pop();
                let is_over = TicTacToe.turn(&child) == Turn::Over;
                if is_over || !self.values.contains_key(&child_name) {
                    self.evaluated += 1;
                    self.values
                        .insert(child_name.clone(), (Self::evaluation(child), is_over && self.completion));
                }
                children.push((child_name, child));
            }
            self.children.insert(name.clone(), children);
        } else if let Some(child) = self.best(name, at, true) {
            let (child_name, position) = self.children[name][child].clone();
            *self.visits.entry((name.clone(), child)).or_insert(0) += 1;
            let mv = TicTacToe.children(&at).nth(child).unwrap().0;
            line.push(mv);
            self.iterate(&child_name, line, position);
            line.pop();
        }
        let best = self.values[&self.children[name][self.best(name, at, false).unwrap()].0].0;
        let most = if TicTacToe.turn(&at) == Turn::Player(Player::FIRST) { 10 } else { -10 };
        let values: Vec<(i64, bool)> =
            self.children[name].iter().map(|(child, _)| self.values[child]).collect();
        let is_proved = values.iter().all(|value| value.1) || values.contains(&(most, true));
        self.values.insert(name.clone(), (best, is_proved));
    }

    /// Whether the best line ends a game.
    fn ends(&self, name: &Vec<u8>, at: Position) -> bool {
        if TicTacToe.turn(&at) == Turn::Over {
            return true;
        }
        self.children.contains_key(name) && {
            let (child, position) = &self.children[name][self.best(name, at, false).unwrap()];
            self.ends(child, *position)
        }
    }
}

/// Corners as an evaluation, by the same rule as the slow search.
struct Corners;

impl Evaluation<TicTacToe> for Corners {
    fn evaluate(&self, _: &TicTacToe, at: &Position, player: Player) -> i64 {
        let value = Slow::evaluation(*at);
        if player == Player::FIRST { value } else { -value }
    }
    fn finished(&self, game: &TicTacToe, at: &Position, player: Player) -> i64 {
        self.evaluate(game, at, player)
    }
    fn range(&self, _: &TicTacToe) -> (i64, i64) {
        (-10, 10)
    }
}

/// With and without completion, and with and without transpositions, it evaluates as many positions as the slow search, visits the same
/// moves as often, values them alike, and ends for the same reason.
#[test]
fn unbounded_minimax_is_the_slow_search_with_every_switch() {
    let mut evaluated = Vec::new();
    for (completion, transpositions) in [(true, false), (true, true), (false, false), (false, true)] {
        let settings = BestFirstSettings { completion, transpositions, ties: Ties::First };
        let mut searcher = TreeSearch::unbounded_minimax(Some(Arc::new(Corners)), settings);
        let (decision, spent) = ask_within(&mut searcher, &TicTacToe, &TicTacToe.start(), nodes(100_000), 1);
        let mut slow = Slow {
            completion,
            transpositions,
            children: BTreeMap::new(),
            values: BTreeMap::new(),
            visits: BTreeMap::new(),
            evaluated: 0,
        };
        let (start, mut line) = (TicTacToe.start(), Vec::new());
        let root = slow.name(&line, start);
        loop {
            slow.iterate(&root, &mut line, start);
            if slow.values[&root].1 || !completion && slow.ends(&root, start) {
                break;
            }
        }
        assert_eq!(decision.stop, if completion { Stop::Proved } else { Stop::Complete });
        assert_eq!(spent.nodes, slow.evaluated, "{settings:?}");
        for (number, found) in decision.moves.iter().enumerate() {
            let visits = slow.visits.get(&(root.clone(), number)).copied().unwrap_or(0);
            let (value, _) = slow.values[&slow.children[&root][number].0];
            assert_eq!((found.visits, found.value), (visits, value as f64), "{settings:?}");
        }
        evaluated.push(spent.nodes);
    }
    // The value is proved with under half of the positions, and without completion the search stops early.
    assert!(2 * evaluated[1] < evaluated[0] && evaluated[2] < evaluated[0], "{evaluated:?}");
}

#[test]
fn unbounded_minimax_keeps_its_nodes() {
    let game = Othello::default();
    let evaluation = game.entries().evaluations[0].evaluation.clone();
    for limit in [4, 5, 100, 1001] {
        let mut searcher =
            TreeSearch::unbounded_minimax(Some(evaluation.clone()), BestFirstSettings::new(Ties::First));
        let (_, spent) = ask_within(&mut searcher, &game, &game.start(), nodes(limit), 1);
        // The rest is less than one expansion.
        assert!(spent.nodes <= limit && spent.nodes + 20 > limit, "{} of {limit}", spent.nodes);
    }
}

fn boltzmann<G: Game>(temperature: f64, epsilon: f64, entropy: f64) -> TreeSearch<G> {
    let settings = BoltzmannSettings { temperature, epsilon, entropy, ties: Ties::Random };
    TreeSearch::boltzmann(Arc::new(Uniform), settings)
}

/// The probability of each value at a node with a number of visits: the paper's search policy, implemented independently.
fn search_policy(worths: &[f64], temperature: f64, epsilon: f64, visits: u32) -> Vec<f64> {
    let weights: Vec<f64> = worths.iter().map(|worth| (worth / temperature).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let uniform = (epsilon / (std::f64::consts::E + f64::from(visits)).ln()).min(1.0);
    weights.iter().map(|weight| (1.0 - uniform) * weight / sum + uniform / weights.len() as f64).collect()
}

/// Arms with constant payoffs: once all are known, each is sampled by the Boltzmann distribution and, less often the
/// longer the search runs, uniformly.
#[test]
fn bts_samples_by_the_boltzmann_distribution() {
    let (percent, temperature, epsilon, playouts) = (vec![50, 60, 80], 0.2, 0.5, 40_000);
    let game = Arms { percent: percent.clone(), fixed: true };
    let budget = Budget::playouts(playouts.into());
    let (decision, _) = ask_within(&mut boltzmann(temperature, epsilon, 0.0), &game, &At::Start, budget, 1);
    let worths: Vec<f64> = percent.iter().map(|&percent| f64::from(percent) / 100.0).collect();
    for (arm, found) in decision.moves.iter().enumerate() {
        let chances = (0..playouts).map(|n| search_policy(&worths, temperature, epsilon, n)[arm]);
        let (mean, variance) = chances.fold((0.0, 0.0), |(m, v), p| (m + p, v + p * (1.0 - p)));
        let error = (found.visits as f64 - mean).abs();
        // Before all arms are known the probabilities differ slightly.
        assert!(error < 4.5 * variance.sqrt() + 10.0, "arm {arm}: {} visits, {mean} expected", found.visits);
        assert_eq!(found.value, f64::from(percent[arm]));
    }
    assert_eq!(decision.chosen, 2);
}

/// A choice between one continuation and four, all of equal value.
#[derive(Clone)]
struct Fork;

impl Game for Fork {
    /// The plies so far, and whether the first went to the four.
    type Position = (u32, bool);
    type Move = u32;

    fn facts(&self) -> Facts {
        Facts::two_player().with_max_plies(3)
    }
    fn start(&self) -> (u32, bool) {
        (0, false)
    }
    fn turn(&self, at: &(u32, bool)) -> Turn {
        if at.0 < 2 { Turn::Player(Player::FIRST) } else { Turn::Over }
    }
    fn moves(&self, at: &(u32, bool)) -> impl Iterator<Item = u32> {
        0..match at {
            (0, _) => 2,
            (1, true) => 4,
            (1, false) => 1,
            _ => 0,
        }
    }
    fn apply(&self, at: &mut (u32, bool), mv: u32) {
        *at = (at.0 + 1, at.1 || at.0 == 0 && mv == 1);
    }
    fn payoff(&self, _: &(u32, bool), _: Player) -> i32 {
        0
    }
    fn notation(&self, _: &(u32, bool), mv: u32) -> String {
        mv.to_string()
    }
    fn drawing(&self, at: &(u32, bool)) -> String {
        format!("{at:?}")
    }
}

/// If values are equal, only the entropy distinguishes the moves: ln 4 below one of them, with a weight over ln N.
#[test]
fn dents_weighs_the_entropy_of_a_move() {
    let (temperature, epsilon, entropy, playouts) = (0.5, 0.2, 2.0, 40_000_u32);
    let visits = |entropy| {
        let budget = Budget::playouts(playouts.into());
        let (decision, _) =
            ask_within(&mut boltzmann(temperature, epsilon, entropy), &Fork, &Fork.start(), budget, 3);
        decision.moves[1].visits as f64
    };
    for weight in [entropy, 0.0] {
        let chances = (0..playouts).map(|n| {
            let behind = weight / (std::f64::consts::E + f64::from(n)).ln() * 4_f64.ln();
            search_policy(&[0.0, behind], temperature, epsilon, n)[1]
        });
        let (mean, variance) = chances.fold((0.0, 0.0), |(m, v), p| (m + p, v + p * (1.0 - p)));
        let found = visits(weight);
        assert!(
            (found - mean).abs() < 4.5 * variance.sqrt() + 10.0,
            "{weight}: {found} visits, {mean} expected"
        );
    }
}

#[test]
fn boltzmann_trees_converge_to_the_minimax_move() {
    for (entropy, plies) in [(0.0, 3..9), (0.1, 4..9)] {
        for position in plies.flat_map(tic_tac_toe_after) {
            let (_, best) = best_moves(&TicTacToe, &position);
            let converges = |playouts| {
                let budget = Budget::playouts(playouts);
                let (decision, _) =
                    ask_within(&mut boltzmann(0.1, 1.0, entropy), &TicTacToe, &position, budget, 1);
                best.contains(&decision.chosen)
            };
            assert!(converges(1000) || converges(30_000), "{entropy} {position:?}");
        }
    }
}
