//! Rules at the root, beside a slow UCT and the schedules of the papers written down in full.

use std::cell::RefCell;

use shikou::game::{Batch, Game, GameExt, NamedGame, Player, PolicyExt, Turn, Uniform};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::othello::Othello;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::players::build;
use shikou::rng::PlayoutKey;
use shikou::search::MoveStream;

use crate::support::searcher;

use super::{decide, planted};

/// A node of the slow tree, with the sum of the payoffs for the player at the root.
struct Node<G: Game> {
    position: G::Position,
    visits: u32,
    sum: f64,
    children: Vec<Self>,
}

impl<G: Game> Node<G> {
    const fn new(position: G::Position) -> Self {
        Self { position, visits: 0, sum: 0.0, children: Vec::new() }
    }

    /// One iteration of UCT below this node, which is at this depth, or through this child of it. Returns its payoff.
    fn visit(
        &mut self,
        game: &G,
        (depth, child): (u64, Option<usize>),
        playout: &dyn Fn(&G::Position, u64) -> f64,
    ) -> f64 {
        let payoff = match game.turn(&self.position) {
            Turn::Over => playout(&self.position, depth),
            _ if self.visits == 0 && child.is_none() => playout(&self.position, depth),
            turn => {
                if self.children.is_empty() {
                    self.children =
                        game.children(&self.position).map(|(_, child)| Self::new(child)).collect();
                }
                let is_first = turn == Turn::Player(Player::FIRST);
                let child = child.unwrap_or_else(|| self.upper(game, is_first));
                self.children[child].visit(game, (depth + 1, None), playout)
            }
        };
        self.visits += 1;
        self.sum += payoff;
        payoff
    }

    /// The mean payoff in `[0, 1]`.
    fn value(&self, game: &G) -> f64 {
        let facts = game.facts();
        let (low, high) = (f64::from(facts.min_payoff), f64::from(facts.max_payoff));
        (self.sum / f64::from(self.visits) - low) * (1.0 / (high - low))
    }

    /// The child with the largest bound of UCB1, of an unvisited one infinite.
    fn upper(&self, game: &G, is_first: bool) -> usize {
        let bound = |child: &Self| {
            if child.visits == 0 {
                return f64::INFINITY;
            }
            let value = child.value(game);
            let value = if is_first { value } else { 1.0 - value };
            let log = libm::log(f64::from(self.visits));
            value + (2.0 * log).sqrt() * (1.0 / f64::from(child.visits).sqrt())
        };
        first_best(0..self.children.len(), |child| bound(&self.children[child]))
    }
}

/// The first of those with the best score.
fn first_best(all: impl IntoIterator<Item = usize>, score: impl Fn(usize) -> f64) -> usize {
    all.into_iter().reduce(|best, next| if score(next) > score(best) { next } else { best }).unwrap()
}

/// The schedule of a rule.
struct Schedule {
    rule: &'static str,
    budget: usize,
    /// The Gumbel number of each move, and 0 without any.
    noise: Vec<f64>,
    all: Vec<usize>,
    left: Vec<usize>,
    rounds: usize,
    /// The iterations of each move in a round of anytime halving.
    each: usize,
    /// The moves of the next iterations, the last first.
    turns: Vec<usize>,
}

impl Schedule {
    fn new(rule: &'static str, moves: usize, budget: usize, seed: u64) -> Self {
        let mut rng = MoveStream::new(PlayoutKey::new(seed)).rng();
        let mut all: Vec<usize> = (0..moves).collect();
        let mut noise = vec![0.0; moves];
        if rule.starts_with("gumbel") {
            for number in &mut noise {
                *number =
                    -libm::log(-libm::log(rng.unit() + 0.5_f64.powi(54))) + libm::log(1.0 / moves as f64);
            }
            all.sort_by(|&a, &b| noise[b].total_cmp(&noise[a]));
            all.truncate(4);
        }
        Self { rule, budget, noise, left: all.clone(), all, rounds: 0, each: 1, turns: Vec::new() }
    }

    /// The score by which moves are compared: the mean, or the sum of equation 8 of the paper on Gumbel, with both of its constants 1.
    fn score<G: Game>(&self, game: &G, root: &Node<G>, child: usize) -> f64 {
        let (node, most) = (&root.children[child], root.children.iter().map(|child| child.visits).max());
        let value = if node.visits == 0 { 0.0 } else { node.value(game) };
        match self.rule {
            _ if node.visits == 0 => f64::NEG_INFINITY,
            "gumbel" => self.noise[child] + (1.0 + f64::from(most.unwrap())) * value,
            _ => value,
        }
    }

    /// The child for the next iteration.
    fn next<G: Game>(&mut self, game: &G, root: &Node<G>) -> usize {
        if self.turns.is_empty() {
            self.turns = self.round(game, root);
            self.turns.reverse();
            self.rounds += 1;
        }
        self.turns.pop().unwrap()
    }

    /// The moves of the next round in their order.
    fn round<G: Game>(&mut self, game: &G, root: &Node<G>) -> Vec<usize> {
        let are_left = self.left.len() > 2;
        if self.rounds > 0 && are_left {
            let mut ranked = self.left.clone();
            ranked.sort_by(|&a, &b| {
                self.score(game, root, b).total_cmp(&self.score(game, root, a)).then(a.cmp(&b))
            });
            ranked.truncate(ranked.len().div_ceil(2));
            self.left = ranked;
            self.each *= 2;
        } else if self.rounds > 0 && self.rule == "anytime-halving" {
            self.left.clone_from(&self.all);
            self.each = 1;
        }
        let is_rest = self.rounds > 0 && !are_left;
        let (all, left) = (self.all.len() as f64, self.left.len());
        let log = libm::log2(all);
        let (each, turns) = match self.rule {
            "anytime-halving" => (self.each, left),
            "halving(rounds=floor)" if !is_rest => (1, left.max(self.budget / log.floor() as usize)),
            _ if is_rest => (1, left),
            _ => ((self.budget / (left * log.ceil() as usize)).max(1), left),
        };
        (0..turns).flat_map(|turn| vec![self.left[turn % left]; each]).collect()
    }
}

/// Whether a rule is none at the root.
fn is_plain(rule: &str) -> bool {
    ["none", "relative"].contains(&rule)
}

/// The relative bonus of a game of this result, for payoffs of −1 and 1: weight 1, steepness 2. `lengths` are those of the games so far
/// that each player won, this one included afterwards.
fn bonus(lengths: &RefCell<[Vec<f64>; 2]>, result: i64, length: f64) -> f64 {
    let all = &mut lengths.borrow_mut()[usize::from(result < 0)];
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let deviation = (all.iter().map(|other| (other - mean) * (other - mean)).sum::<f64>() / (n - 1.0)).sqrt();
    if result != 0 {
        all.push(length);
    }
    if result == 0 || n < 50.0 || deviation == 0.0 {
        return 0.0;
    }
    result as f64 * (2.0 / (1.0 + libm::exp(-2.0 * (mean - length) / deviation)) - 1.0)
}

/// The visits of the root's children, their values and the move, by the slow search.
fn slow<G: Game>(game: &G, rule: &'static str, budget: usize, seed: u64) -> (Vec<u64>, Vec<f64>, usize) {
    let mut root = Node::<G>::new(game.start());
    let mut schedule = Schedule::new(rule, game.moves(&game.start()).count(), budget, seed);
    let key = MoveStream::new(PlayoutKey::new(seed)).playouts().child(0);
    let lengths = RefCell::default();
    root.children = game.children(&root.position).map(|(_, child)| Node::new(child)).collect();
    for iteration in 0..budget {
        let child = if is_plain(rule) { root.upper(game, true) } else { schedule.next(game, &root) };
        let batch = Batch { key, first: iteration as u64, count: 1 };
        let playout = |at: &G::Position, depth: u64| {
            let played = Uniform.playouts(game, at, Player::FIRST, batch);
            let length = (depth + played.plies) as f64;
            played.sum as f64 + if rule == "relative" { bonus(&lengths, played.sum, length) } else { 0.0 }
        };
        root.visit(game, (0, Some(child)), &playout);
    }
    let visits: Vec<u64> = root.children.iter().map(|child| child.visits.into()).collect();
    let left = if rule == "anytime-halving" { schedule.all.clone() } else { schedule.left.clone() };
    let chosen = if is_plain(rule) {
        // The most visits; among equals the best value, which is at most 1.
        let score = |child: usize| visits[child] as f64 + 0.5 * schedule.score(game, &root, child);
        first_best(0..visits.len(), score)
    } else {
        let mut left = left;
        left.sort_unstable();
        first_best(left, |child| schedule.score(game, &root, child))
    };
    let values = root.children.iter().map(|child| child.sum / f64::from(child.visits.max(1))).collect();
    (visits, values, chosen)
}

fn compare<G: NamedGame>(rules: &[&'static str], game: &G, budgets: &[usize]) {
    for &rule in rules {
        let spec = match rule {
            "gumbel" => "gumbel(considered=4,visit-offset=1,scale=1)",
            "relative" => "relative(steepness=2,weight=1)",
            _ => rule,
        };
        for (seed, &budget) in budgets.iter().enumerate() {
            let seed = seed as u64;
            let option = if rule == "relative" { "backup" } else { "root" };
            let spec = format!("uct({option}={spec},ties=first)@playouts={budget}");
            let (found, spent) = decide(&spec, game, &game.start(), seed);
            let (visits, values, chosen) = slow(game, rule, budget, seed);
            assert_eq!(spent.playouts, budget as u64);
            assert_eq!(found.moves.iter().map(|mv| mv.visits).collect::<Vec<_>>(), visits, "{spec}");
            let is_near = |(mv, value): (f64, f64)| (mv - value).abs() < 1e-9;
            let pairs = found.moves.iter().map(|mv| if mv.visits > 0 { mv.value } else { 0.0 }).zip(values);
            assert!(pairs.into_iter().all(is_near), "{spec}");
            assert_eq!(found.moves.iter().position(|mv| mv.mv == found.chosen), Some(chosen), "{spec}");
        }
    }
}

/// Every rule visits each move of the root as often as its paper says, and below the root plain UCT goes on: the slow search,
/// which has the same draws, has the same visits, values and move.
#[test]
fn a_slow_search_by_the_schedules_of_the_papers_decides_the_same() {
    let rules = ["none", "halving", "halving(rounds=floor)", "anytime-halving", "gumbel"];
    compare(&rules, &TicTacToe, &[1, 5, 9, 10, 40, 100, 333, 2000]);
    compare(&rules, &Othello::new(6), &[3, 4, 50, 600]);
    for (branching, tree) in [(2, 1), (3, 2), (7, 3), (8, 4), (13, 5)] {
        compare(&rules, &planted(branching, 4, tree), &[7, 60, 500]);
    }
}

/// The slow search counts each playout with its bonus: the first 50 wins of a player without, draws always.
#[test]
fn the_relative_bonus_is_counted_as_published() {
    compare(&["relative"], &TicTacToe, &[60, 333, 2000]);
    compare(&["relative"], &Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap(), &[99, 700]);
    for (option, words) in [("playouts=full(batch=2)", "batch = 1"), ("selection=bayes", "\"ucb1\"")] {
        let spec = searcher(&format!("uct(backup=relative,{option})@100"));
        let misfit = build(&TicTacToe, &spec).err().unwrap();
        assert!(misfit.to_string().contains(words), "{misfit}");
    }
}

/// A published case: 121 moves and 1000 iterations make six rounds of 166, and the last four go to the last two moves.
#[test]
fn rounds_of_equal_length_are_those_of_the_published_program() {
    let game = planted(121, 1, 1);
    let (found, _) = decide("uct(root=halving(rounds=floor))@playouts=1000", &game, &game.start(), 1);
    let mut visits: Vec<u64> = found.moves.iter().map(|mv| mv.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    // Of 166 each of 121, 61, 31, 16, 8 and 4 moves has 1 or 2, 2 or 3, 5 or 6, 10 or 11, 20 or 21, 41 or 42; and each of the last 2.
    let rounds = [(121, 1), (61, 2), (31, 5), (16, 10), (8, 20), (4, 41)];
    for (place, &visits) in visits.iter().enumerate() {
        let least = rounds.iter().filter(|&&(moves, _)| place < moves).map(|&(_, each)| each);
        let (rounds, least) =
            (least.clone().count() as u64, least.sum::<u64>() + if place < 2 { 2 } else { 0 });
        assert!((least..=least + rounds).contains(&visits), "{place}: {visits}");
    }
}

/// The prior that Gumbel numbers are added to is that of the option: of one playout for each seed, none goes to a move that the policy
/// never plays.
#[test]
fn gumbel_reads_the_prior_of_the_search() {
    let game = TicTacToe;
    // Only one move wins, and a decisive policy plays no other.
    let position = game.follow("a1 b1 a2 b2").unwrap();
    for seed in 0..50 {
        let spec = "uct(root=gumbel,prior=policy,playouts=full(decisive=own))@playouts=1";
        let (found, _) = decide(spec, &game, &position, seed);
        assert_eq!(game.notation(&position, found.chosen), "a3");
    }
}

#[test]
fn a_rule_refuses_what_it_does_not_go_together_with() {
    let game = TicTacToe;
    for (options, words) in [
        ("parallel=root", "write parallel = \"none\""),
        ("parallel=tree", "write parallel = \"none\""),
        ("parallel=tree(leaves=1,threads=2)", "write parallel = \"none\""),
        ("root=halving(score-weight=128)", "write selection = \"grave\""),
        ("solver=bounds", "write solver = \"none\""),
        ("final-choice=max", "write final-choice = \"robust\""),
    ] {
        let root = if options.starts_with("root") { "" } else { "root=anytime-halving," };
        let spec = searcher(&format!("uct({root}{options})@100"));
        let misfit = build(&game, &spec).err().unwrap();
        assert!(misfit.to_string().contains(words), "{misfit}");
    }
    let with_evaluation = Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap();
    for options in ["playouts=full(batch=2)", "playouts=cut"] {
        let misfit =
            build(&with_evaluation, &searcher(&format!("uct(backup=relative,{options})@100"))).err().unwrap();
        assert!(misfit.to_string().contains("the length of each whole game"), "{misfit}");
    }
    let fits = |spec: &str| build(&game, &searcher(spec)).err().map(|misfit| misfit.to_string());
    for rule in ["halving", "gumbel"] {
        let refused = fits(&format!("uct(root={rule})@nodes=100")).unwrap();
        assert_eq!(
            refused,
            "with these options uct divides a budget of playouts beforehand, and cannot keep one of nodes alone"
        );
        assert_eq!(fits(&format!("uct(root={rule})@playouts=100,time=10s")), None);
    }
    assert_eq!(fits("uct(root=anytime-halving)@nodes=100"), None);
}
