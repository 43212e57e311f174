//! The cost of an iteration of each tree searcher, and of UCT's tree beside its playouts.
//!
//! `cargo bench --bench uct`, or `cargo bench --bench uct -- NAME` for the searchers whose names contain NAME. The figures
//! are medians over the rounds. Every search must come to the same decision, visits and work each time.
//!
//! For UCT a round times a search, and then the playouts that it makes without the search, each from its own position.
//! The last column is the time of the search beyond its playouts, as a percentage of the playouts' time.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use shikou::game::{Batch, Game, NamedGame, Player, PlayoutRequest, Policy, PolicyExt, Uniform};
use shikou::games::othello::{Move, Othello, Position};
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::{
    Answer, Ask, AskTell, BestFirstSettings, BoltzmannSettings, Budget, Limits, Meter, MoveStream, Searcher,
    Solver, Spent, Ties, TreeSearch, Uct, UctSettings,
};

const ITERATIONS: u64 = 10_000;

/// Nodes for unbounded minimax: about ten children for each expansion.
const NODES: u64 = 100_000;

/// The uniform policy by the plain loop, even if the game has a faster one.
struct Scalar;

impl Policy<Othello> for Scalar {
    #[inline(always)]
    fn choose(&self, game: &Othello, position: &Position, draws: &mut PlayoutRng) -> Move {
        game.random_move(position, draws)
    }

    fn distribution(&self, game: &Othello, position: &Position) -> Vec<(Move, u32)> {
        Uniform.distribution(game, position)
    }
}

fn meter(budget: Budget) -> Meter {
    Meter::new(Limits::default()).with_budget(budget)
}

const fn spent(playouts: u64, plies: u64, nodes: u64) -> Spent {
    Spent { playouts, plies, nodes }
}

fn stream() -> MoveStream {
    MoveStream::new(PlayoutKey::new(1))
}

/// The playouts of a search, each with its position.
fn leaves(game: &Othello, uct: &mut Uct<Othello>, policy: &dyn Policy<Othello>) -> Vec<(Position, Batch)> {
    let mut meter = meter(Budget::playouts(ITERATIONS));
    uct.open(game, &game.start(), stream(), &mut meter).expect("there is memory for it");
    let mut leaves = Vec::new();
    while let Ask::Playouts { requests, .. } = uct.ask(game, &mut meter) {
        let PlayoutRequest { from, player, batch } = requests[0];
        leaves.push((from, batch));
        let tally = policy.playouts(game, &from, player, batch);
        uct.tell(game, Answer::Playouts(&[tally]), &mut meter);
    }
    leaves
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Times searches of the start of a game. Expects a decision, the sum of its visits, and work.
fn time<G: Game>(
    rounds: u32,
    name: &str,
    (game, mut searcher): (&G, impl Searcher<G>),
    budget: Budget,
    expected: (&str, u64, Spent),
) {
    let start = game.start();
    let search = |_| {
        let mut meter = meter(budget);
        let clock = ThreadTime::now();
        let decision = searcher.choose(game, &start, stream(), &mut meter).expect("there is memory for it");
        let elapsed = clock.elapsed();
        let visits: u64 = decision.moves.iter().map(|estimate| estimate.visits).sum();
        let chosen = game.notation(&start, decision.chosen);
        assert_eq!((chosen.as_str(), visits, meter.spent()), expected, "{name}");
        elapsed.as_secs_f64() * 1e6 / visits as f64
    };
    let iteration = median((0..rounds).map(search).collect());
    println!("{name:<28}{:>14.0}{iteration:>12.3}", 1e6 / iteration);
}

/// Times UCT on Othello beside its playouts.
fn time_uct(rounds: u32, name: &str, solver: Solver, policy: &Arc<dyn Policy<Othello>>) {
    let game = Othello::default();
    let mut uct = Uct::new(UctSettings { solver, ..UctSettings::new(Arc::clone(policy)) });
    let leaves = leaves(&game, &mut uct, &**policy);
    let round = |_| {
        let mut meter = meter(Budget::playouts(ITERATIONS));
        let clock = ThreadTime::now();
        let decision =
            uct.choose(&game, &game.start(), stream(), &mut meter).expect("there is memory for it");
        let search = clock.elapsed();
        assert_eq!(decision.moves.iter().map(|estimate| estimate.visits).sum::<u64>(), ITERATIONS);
        let clock = ThreadTime::now();
        let mut plies = 0;
        for &(position, batch) in &leaves {
            plies += policy.playouts(&game, &position, Player::FIRST, batch).plies;
        }
        let playouts = clock.elapsed();
        assert_eq!(plies, meter.spent().plies);
        (search, playouts)
    };
    let times: Vec<(Duration, Duration)> = (0..rounds).map(round).collect();
    let each = |of: fn(&(Duration, Duration)) -> f64| median(times.iter().map(of).collect());
    let iteration = each(|(search, _)| search.as_secs_f64()) * 1e6 / ITERATIONS as f64;
    let playout = each(|(_, playouts)| playouts.as_secs_f64()) * 1e6 / ITERATIONS as f64;
    let share = 100.0 * each(|(search, playouts)| search.as_secs_f64() / playouts.as_secs_f64() - 1.0);
    println!("{name:<28}{:>14.0}{iteration:>12.3}{playout:>12.3}{share:>13.1}%", 1e6 / iteration);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bench = std::env::args().any(|argument| argument == "--bench");
    let part = arguments.find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let rounds = if bench { 31 } else { 1 };
    println!("{ITERATIONS} iterations from the start of the game, medians of {rounds} rounds");
    println!("{:<28}{:>14}{:>12}{:>12}{:>14}", "", "iterations/s", "µs", "playouts µs", "tree/playouts");
    let wanted = |name: &str| name.contains(&part);
    let scalar: Arc<dyn Policy<Othello>> = Arc::new(Scalar);
    for (name, solver, policy) in [
        ("uct", Solver::None {}, Arc::clone(&scalar)),
        ("uct(solver=bounds)", Solver::Bounds { probe: 0, backup: 0 }, scalar),
        ("uct, vector playouts", Solver::None {}, Arc::new(Uniform)),
    ] {
        if wanted(name) {
            time_uct(rounds, name, solver, &policy);
        }
    }
    let (othello, playouts) = (Othello::default(), Budget::playouts(ITERATIONS));
    for (name, entropy, expected) in [
        ("bts", 0.0, ("d3", 10_000, spent(10_000, 541_584, 62_569))),
        ("dents", 0.1, ("d3", 10_000, spent(10_000, 541_148, 62_971))),
    ] {
        let (policy, ties) = (Arc::new(Uniform), Ties::Random);
        let settings = BoltzmannSettings { temperature: 0.1, epsilon: 1.0, entropy, ties };
        if wanted(name) {
            time(rounds, name, (&othello, TreeSearch::boltzmann(policy, settings)), playouts, expected);
        }
    }
    if wanted("open-loop-uct") {
        let searcher = TreeSearch::open_loop(Arc::new(Uniform), 1.0, Ties::Random);
        time(
            rounds,
            "open-loop-uct",
            (&othello, searcher),
            playouts,
            ("d3", 10_000, spent(10_000, 543_483, 60_641)),
        );
    }
    if wanted("sp-mcts") {
        let settings =
            Settings { branching: 8, depth: 20, players: 1, reward: Reward::Score, ..Settings::default() };
        let game = RandomTree::new(settings).expect("the settings are in range");
        let searcher = TreeSearch::sp_mcts(Arc::new(Uniform), (0.5, 0.01), 1, Ties::Random);
        time(rounds, "sp-mcts", (&game, searcher), playouts, ("4", 10_000, spent(10_000, 154_585, 0)));
    }
    if wanted("unbounded-minimax") {
        let evaluation = othello.entries().evaluations[0].evaluation.clone();
        let searcher = TreeSearch::unbounded_minimax(Some(evaluation), BestFirstSettings::new(Ties::Random));
        let budget = Budget { nodes: Some(NODES), ..Budget::UNLIMITED };
        time(rounds, "unbounded-minimax", (&othello, searcher), budget, ("d3", 11_183, spent(0, 0, 99_994)));
    }
}
