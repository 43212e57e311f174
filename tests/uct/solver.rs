//! Proofs of the solver: correct, and complete within the budget.

use shikou::game::{Batch, Game, GameExt, NamedGame, Player, PolicyExt, Turn, Uniform};
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::domineering::Domineering;
use shikou::games::k_in_a_row::KInARow;
use shikou::games::random_tree::{RandomTree, Reward, Settings};
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::rng::PlayoutKey;
use shikou::search::{Limit, MoveStream, Stop};

use super::{decide, tic_tac_toe_positions, value, value_of};

/// A proved value is the true value, and a position is proved if the budget suffices.
#[test]
fn proofs_agree_with_minimax_on_all_of_tic_tac_toe() {
    let game = TicTacToe;
    for position in tic_tac_toe_positions() {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (decision, _) = decide("uct(solver=bounds)@playouts=100000", &game, &position, 2);
        assert_eq!(decision.stop, Stop::Proved);
        let exact = value(&game, &position, player);
        assert_eq!(value_of(&game, &position, decision.chosen), exact);
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 1e-12, "{} {exact}", chosen.value);
    }
}

/// Without the solver the same search goes on until its budget ends.
#[test]
fn only_the_solver_proves() {
    let game = TicTacToe;
    let position = game.follow("a1 b1 a2 b2").unwrap();
    let (plain, _) = decide("uct@playouts=2000", &game, &position, 1);
    assert_eq!(plain.stop, Stop::Limit(Limit::Playouts));
    assert!(plain.moves.iter().map(|estimate| estimate.visits).sum::<u64>() == 2000);
}

/// On random trees with any payoffs, for one player and two, with ties and with chance.
#[test]
fn proofs_agree_with_expectimax_on_random_trees() {
    for tree in 0..240 {
        let settings = Settings {
            branching: 2 + tree % 3,
            depth: 4,
            tree: u64::from(tree),
            players: 1 + (tree % 2) as u8,
            chance_every: [0, 2, 3][tree as usize / 2 % 3],
            reward: [Reward::Score, Reward::Success][tree as usize / 6 % 2],
            value_range: [127, 2][tree as usize / 12 % 2],
            ..Settings::default()
        };
        let game = RandomTree::new(settings).unwrap();
        let start = game.start();
        let (decision, _) = decide("uct(solver=bounds)@playouts=200000", &game, &start, 1);
        assert_eq!(decision.stop, Stop::Proved, "tree {tree}");
        let exact = game.expectimax(&start);
        assert!((value_of(&game, &start, decision.chosen) - exact).abs() < 1e-9, "tree {tree}");
        let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
        assert!((chosen.value - exact).abs() < 1e-9, "tree {tree}: {} {exact}", chosen.value);
    }
}

/// A shallow minimax gives the same proofs with fewer iterations.
#[test]
fn probes_prove_the_same_sooner() {
    let game = TicTacToe;
    let (mut plain, mut probed) = (0, 0);
    for position in tic_tac_toe_positions().into_iter().step_by(7) {
        let Turn::Player(player) = game.turn(&position) else { continue };
        let (_, spent) = decide("uct(solver=bounds)@playouts=100000", &game, &position, 2);
        plain += spent.playouts;
        let (decision, spent) = decide("uct(solver=bounds(probe=2))@playouts=100000", &game, &position, 2);
        probed += spent.playouts;
        assert_eq!(decision.stop, Stop::Proved);
        assert_eq!(value_of(&game, &position, decision.chosen), value(&game, &position, player));
    }
    assert!(2 * probed < plain, "{probed} {plain}");
}

/// A minimax in the backup gives the same proofs with fewer iterations, on all positions of tic-tac-toe and on small boards.
#[test]
fn searches_in_the_backup_prove_the_same_sooner() {
    fn prove<G: NamedGame>(game: &G, at: &G::Position, exact: f64, spent: &mut [u64; 3]) {
        for (depth, sum) in [0, 2, 4].into_iter().zip(spent) {
            let spec = format!("uct(solver=bounds(backup={depth}))@playouts=200000");
            let (decision, costs) = decide(&spec, game, at, 2);
            *sum += costs.playouts;
            assert_eq!(decision.stop, Stop::Proved);
            let chosen = decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).unwrap();
            assert!((chosen.value - exact).abs() < 1e-12, "{depth}: {} {exact}", chosen.value);
        }
    }
    fn beside_alpha_beta<G: NamedGame>(game: &G, moves: &str, spent: &mut [u64; 3]) {
        let at = game.follow(moves).unwrap();
        let (found, _) = decide("alpha-beta(depth=full)", game, &at, 1);
        let best = found.moves.iter().map(|estimate| estimate.value).fold(-1.0, f64::max);
        prove(game, &at, best, spent);
    }
    let mut spent = [0; 3];
    for position in tic_tac_toe_positions() {
        let Turn::Player(player) = TicTacToe.turn(&position) else { continue };
        prove(&TicTacToe, &position, value(&TicTacToe, &position, player), &mut spent);
    }
    assert!(spent[1] < spent[0] && 2 * spent[2] < spent[0], "{spent:?}");
    let mut spent = [0; 3];
    for moves in ["a b c d a b", "b c b c a d"] {
        beside_alpha_beta(&KInARow::new(4, 4, 4, true).unwrap(), moves, &mut spent);
    }
    beside_alpha_beta(&Domineering::new(4, 4, false), "", &mut spent);
    assert!(spent[2] < spent[1] && spent[1] < spent[0], "{spent:?}");
}

/// A node of a slow solver; sums and bounds are of payoffs from −1 to 1 for the first player.
struct Node<G: Game> {
    position: G::Position,
    visits: u32,
    sum: f64,
    bounds: (f64, f64),
    is_cut: bool,
    is_searched: bool,
    children: Vec<Self>,
}

impl<G: Game> Node<G> {
    const fn new(position: G::Position) -> Self {
        let bounds = (-1.0, 1.0);
        Self {
            position,
            visits: 0,
            sum: 0.0,
            bounds,
            is_cut: false,
            is_searched: false,
            children: Vec::new(),
        }
    }

    fn is_proved(&self) -> bool {
        self.bounds.0 >= self.bounds.1
    }

    fn narrow(&mut self, (low, high): (f64, f64)) {
        self.bounds = (self.bounds.0.max(low), self.bounds.1.min(high));
    }

    /// One iteration, with minimax of `plies` in the backup. Returns its payoff.
    fn visit(&mut self, game: &G, depth: u32, plies: u32, playout: &dyn Fn(&G::Position) -> f64) -> f64 {
        let turn = game.turn(&self.position);
        let payoff = if turn == Turn::Over {
            let payoff = f64::from(game.payoff(&self.position, Player::FIRST));
            self.bounds = (payoff, payoff);
            payoff
        } else if self.is_proved() {
            self.bounds.0
        } else if self.visits == 0 && depth > 0 {
            playout(&self.position)
        } else {
            if self.children.is_empty() {
                self.children = game.children(&self.position).map(|(_, child)| Self::new(child)).collect();
            }
            let is_max = turn == Turn::Player(Player::FIRST);
            let bound = |child: &Self| {
                if child.visits == 0 || child.is_cut {
                    return if child.is_cut { f64::NEG_INFINITY } else { f64::INFINITY };
                }
                let value = |payoff: f64| (payoff + 1.0) * 0.5;
                let mean = value(child.sum / f64::from(child.visits));
                let mean = mean.clamp(value(child.bounds.0), value(child.bounds.1));
                let explored = (2.0 * libm::log(f64::from(self.visits))).sqrt();
                (if is_max { mean } else { 1.0 - mean }) + explored * (1.0 / f64::from(child.visits).sqrt())
            };
            let better = |best, next| {
                if bound(&self.children[next]) > bound(&self.children[best]) { next } else { best }
            };
            let child = (0..self.children.len()).reduce(better).unwrap();
            let payoff = self.children[child].visit(game, depth + 1, plies, playout);
            self.tighten(is_max);
            if self.children[child].is_proved() && !self.is_proved() && !self.is_searched && depth > 0 {
                self.is_searched = true;
                self.narrow(minimax(game, &self.position, plies));
                self.tighten(is_max);
            }
            payoff
        };
        self.visits += 1;
        self.sum += payoff;
        payoff
    }

    /// Takes the bounds of the children, and cuts those that are not better.
    fn tighten(&mut self, is_max: bool) {
        let all: Vec<(f64, f64)> = self.children.iter().map(|child| child.bounds).collect();
        self.narrow(best(is_max, &all));
        let (low, high) = self.bounds;
        for child in &mut self.children {
            child.is_cut |= if is_max { child.bounds.1 <= low } else { child.bounds.0 >= high };
        }
    }
}

/// The best of some bounds for the first player, or the second.
fn best(is_max: bool, all: &[(f64, f64)]) -> (f64, f64) {
    let better = |a: f64, b: f64| if is_max { a.max(b) } else { a.min(b) };
    all.iter().copied().reduce(|a, b| (better(a.0, b.0), better(a.1, b.1))).unwrap()
}

/// The bounds that some plies prove.
fn minimax<G: Game>(game: &G, at: &G::Position, plies: u32) -> (f64, f64) {
    let Turn::Player(mover) = game.turn(at) else {
        let payoff = f64::from(game.payoff(at, Player::FIRST));
        return (payoff, payoff);
    };
    if plies == 0 {
        return (-1.0, 1.0);
    }
    let all: Vec<(f64, f64)> = game.children(at).map(|(_, child)| minimax(game, &child, plies - 1)).collect();
    best(mover == Player::FIRST, &all)
}

/// The slow solver proves with as many iterations, and visits each move as often; with a search in the backup no later.
#[test]
fn a_slow_solver_searches_in_the_backup_alike() {
    fn compare<G: NamedGame>(game: &G, most: u64) -> [u64; 4] {
        let mut all = [0; 4];
        for seed in 0..3 {
            for (plies, sum) in (0..).zip(&mut all) {
                let spec = format!("uct(solver=bounds(backup={plies}),ties=first)@playouts={most}");
                let (found, spent) = decide(&spec, game, &game.start(), seed);
                let key = MoveStream::new(PlayoutKey::new(seed)).playouts().child(0);
                let (mut root, mut done) = (Node::<G>::new(game.start()), 0);
                while !root.is_proved() && done < most {
                    let batch = Batch { key, first: done, count: 1 };
                    let playout =
                        |at: &G::Position| Uniform.playouts(game, at, Player::FIRST, batch).sum as f64;
                    root.visit(game, 0, plies, &playout);
                    done += 1;
                }
                let visits: Vec<u64> = root.children.iter().map(|child| child.visits.into()).collect();
                assert_eq!(found.moves.iter().map(|mv| mv.visits).collect::<Vec<_>>(), visits, "{spec}");
                assert_eq!((spent.playouts, found.stop == Stop::Proved), (done, root.is_proved()), "{spec}");
                *sum += done;
            }
        }
        all
    }
    for proved in [
        compare(&TicTacToe, 100_000),
        compare(&Domineering::new(4, 4, false), 100_000),
        compare(&KInARow::new(4, 4, 3, true).unwrap(), 30_000),
    ] {
        assert!(proved[0] >= *proved[1..].iter().max().unwrap() && proved[3] < proved[0], "{proved:?}");
    }
    compare(&Breakthrough::new(5, 4, Pieces::Pawns, false).unwrap(), 3000);
}
