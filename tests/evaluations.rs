//! Evaluations with parts: real weights, ends that are not known, views.

use std::sync::Arc;

use shikou::game::tuples::{Seen, TupleTable, Tuples, tables_of_shapes};
use shikou::game::{BlindToEnds, Evaluation, Game, GameExt, NamedGame, Player, Turn, View};
use shikou::games::othello::{Freedom, Mobility, Othello, OwnMoves, Position, Weights};
use shikou::players::{FitError, NamedPlayer};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Decision, FullWidth, Limits, MoveStream, OrderingHeuristic, RootValues,
    Searcher, Ties,
};

use crate::support::ask;

/// Positions at a player's turn along random games.
fn positions(game: &Othello, games: u64, from: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for number in 0..games {
        let mut rng = (Stream::new(number) / "evaluations").rng();
        let mut position = game.start();
        for ply in 0.. {
            if game.turn(&position) == Turn::Over {
                break;
            }
            if ply >= from && game.move_count(&position) > 1 {
                found.push(position);
            }
            let legal = game.legal(&position).count() as u64;
            let mv = game.legal(&position).nth(rng.below(legal) as usize).unwrap();
            game.apply(&mut position, mv);
        }
    }
    found
}

/// Minimax by the definition: every leaf, finished or not, valued for one player.
fn plain(game: &Othello, at: &Position, depth: u32, player: Player, value: &dyn Evaluation<Othello>) -> i64 {
    match game.turn(at) {
        Turn::Over => value.finished(game, at, player),
        _ if depth == 0 => value.evaluate(game, at, player),
        turn => {
            let below = game.children(at).map(|(_, child)| plain(game, &child, depth - 1, player, value));
            if turn == Turn::Player(player) { below.max().unwrap() } else { below.min().unwrap() }
        }
    }
}

/// The evaluations of this test: seen by one player, or blind to ends, or both.
fn unusual() -> Vec<Arc<dyn Evaluation<Othello>>> {
    vec![
        Arc::new(OwnMoves),
        Arc::new(Freedom),
        Arc::new(BlindToEnds::new(Arc::new(Freedom))),
        Arc::new(BlindToEnds::new(Arc::new(Weights))),
    ]
}

/// Minimax and alpha-beta find the plain value of every move; alpha-beta with every order and with a table that both
/// players fill.
#[test]
fn every_leaf_is_valued_for_the_player_at_the_root() {
    use OrderingHeuristic::{Evaluation as Valued, Hint, History, Killers, Table};
    let game = Othello::new(6);
    for evaluation in unusual() {
        for depth in [1, 2, 3] {
            let settings = |order: &[OrderingHeuristic], deepening| AlphaBetaSettings {
                order: order.to_vec(),
                deepening,
                table_bytes: 1 << 14,
                root: RootValues::Exact,
                ..AlphaBetaSettings::default()
            };
            let mut searchers = [
                settings(&[], false),
                settings(&[Table, Valued, Killers, History], true),
                settings(&[Table, Hint], true),
            ]
            .map(|settings| AlphaBeta::to_depth(depth, evaluation.clone(), settings, Ties::First));
            let mut minimax = FullWidth::minimax(Some((depth, evaluation.clone())), Ties::First);
            for at in positions(&game, 2, 20) {
                let Turn::Player(player) = game.turn(&at) else { unreachable!() };
                let plain = |(_, child)| plain(&game, &child, depth - 1, player, &*evaluation) as f64;
                let expected: Vec<f64> = game.children(&at).map(plain).collect();
                let found = |decision: Decision<_>| {
                    decision.moves.iter().map(|estimate| estimate.value).collect::<Vec<_>>()
                };
                assert_eq!(found(ask(&mut minimax, &game, &at, 1).0), expected);
                for searcher in &mut searchers {
                    let decision = ask(searcher, &game, &at, 1).0;
                    let line = searcher.principal_variation(&game, &at, &decision);
                    assert_eq!(line[0], decision.chosen);
                    assert_eq!(found(decision), expected, "depth {depth}");
                }
            }
        }
    }
}

/// The same position with the other player at the root has other values, and a table does not mix them.
#[test]
fn a_table_keeps_the_views_of_the_two_players_apart() {
    let game = Othello::new(6);
    let new = || {
        let root = RootValues::Exact;
        let settings = AlphaBetaSettings { root, table_bytes: 1 << 16, ..AlphaBetaSettings::default() };
        AlphaBeta::to_depth(3, Arc::new(OwnMoves), settings, Ties::First)
    };
    let mut shared = new();
    let mut position = game.start();
    while let Turn::Player(_) = game.turn(&position) {
        if game.move_count(&position) > 1 {
            let (alone, together) =
                (ask(&mut new(), &game, &position, 1).0, ask(&mut shared, &game, &position, 1).0);
            let values = |decision: &Decision<_>| {
                decision.moves.iter().map(|estimate| estimate.value).collect::<Vec<_>>()
            };
            assert_eq!(values(&alone), values(&together));
        }
        let mv = game.moves(&position).next().unwrap();
        game.apply(&mut position, mv);
    }
}

#[test]
fn the_values_of_a_view_need_not_add_up() {
    let game = Othello::default();
    let sum = |evaluation: &dyn Evaluation<Othello>, at| {
        evaluation.evaluate(&game, at, Player::FIRST) + evaluation.evaluate(&game, at, Player::SECOND)
    };
    let at = positions(&game, 1, 10);
    assert_eq!((Mobility.facts().view, Freedom.facts().view), (View::Antisymmetric, View::Mover));
    assert!(at.iter().all(|at| sum(&Mobility, at) == 0));
    assert!(at.iter().any(|at| sum(&Freedom, at) != 0) && at.iter().any(|at| sum(&OwnMoves, at) != 0));
}

/// A player that knows the end takes a win; one that does not takes the position with the larger value.
#[test]
fn a_player_may_not_know_the_end_of_the_game() {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    // Small boards often end early.
    let small = Othello::new(4);
    let weights: Arc<dyn Evaluation<Othello>> = Arc::new(Weights);
    let mut knows = FullWidth::greedy(1, weights.clone(), 0.0, Ties::First);
    let mut blind = FullWidth::greedy(1, Arc::new(BlindToEnds::new(weights)), 0.0, Ties::First);
    let mut differ = 0;
    for at in positions(&small, 200, 4) {
        let after = |mv| {
            let mut child = at;
            small.apply(&mut child, mv);
            child
        };
        let wins =
            |child: &Position| small.turn(child) == Turn::Over && small.payoff(child, at.to_move()) > 0;
        let [known, unknown] =
            [&mut knows, &mut blind].map(|greedy| after(ask(greedy, &small, &at, 1).0.chosen));
        if small.children(&at).any(|(_, child)| wins(&child)) {
            assert!(wins(&known), "a player that knows the end wins");
            differ += u32::from(!wins(&unknown));
        }
        let largest = small.children(&at).map(|(_, child)| Weights.evaluate(&small, &child, at.to_move()));
        assert_eq!(Weights.evaluate(&small, &unknown, at.to_move()), largest.max().unwrap());
    }
    assert!(differ > 0, "the other misses a win");
    for text in ["minimax(depth=full,finished=evaluation)", "alpha-beta(depth=full,finished=evaluation)"] {
        let refused = game.fits(&game.read_searcher(text).unwrap()).unwrap_err();
        assert_eq!(refused.reason, "a search to the end of the game counts payoffs; write a depth");
    }
}

fn fits(text: &str) -> Result<(), FitError> {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    game.fits(&game.read_searcher(text).unwrap())
}

#[test]
fn a_prior_refuses_an_evaluation_seen_by_one_player() {
    let refused = fits("uct(prior=evaluation(evaluation=freedom))@playouts=10").unwrap_err();
    assert!(refused.reason.starts_with("this evaluation sees the board as one player does"), "{refused}");
    fits("uct(playouts=cut(evaluation=freedom))@playouts=10").unwrap();
    fits("uct(backup=implicit(evaluation=freedom))@playouts=10").unwrap();
}

/// Real weights are rounded once, to multiples of their unit.
#[test]
fn real_weights_are_whole_numbers_of_units() {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let kinds = |weights: &str| {
        format!("greedy(ties=first,evaluation=linear(features=square-kinds,weights={weights}))")
    };
    let whole = kinds("[10,-10,5,1,-10,1,1,5,1,1]");
    let real = kinds("[0.5,-0.5,0.25,0.05,-0.5,0.05,0.05,0.25,0.05,0.05]");
    let rounded = kinds("[0.5,-0.5,0.25,0.05,-0.5,0.05,0.05,0.25,0.05,0.05],unit=0.05");
    let other = kinds("[0.5,-0.5,0.25,0.05,-0.5,0.05,0.05,0.25,0.05,0.05],unit=0.5");
    let moves = |text: &str| {
        let seat = Some(game.read_searcher(text).unwrap());
        let mut table = game.table(&[seat.clone(), seat]).unwrap();
        while table.turn() != Turn::Over {
            table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default()).unwrap();
        }
        table.transcript()
    };
    assert_eq!(moves(&whole), moves(&real));
    assert_eq!(moves(&whole), moves(&rounded));
    assert_ne!(moves(&whole), moves(&other));
}

#[test]
fn weights_whose_sum_could_leave_its_range_are_refused() {
    let sixty_four = vec!["1000000"; 64].join(",");
    let squares = |rest: &str| {
        fits(&format!("greedy(evaluation=linear(features=squares,weights=[{sixty_four}]{rest}))"))
    };
    squares("").unwrap();
    squares(",unit=0.001").unwrap();
    let refused = squares(",unit=0.000000001").unwrap_err();
    assert_eq!(
        refused.reason,
        "with these weights in units of 1e-9 a value could reach 6.4e16, which leaves the range of 4.5e15; write a \
         larger unit"
    );
}

/// The value of a move of a one-ply player at the second position.
fn first_values(text: &str) -> Vec<f64> {
    let registry = shikou::registry();
    let game = registry.game("othello", &[]).unwrap();
    let seat = Some(NamedPlayer::read(&*game, &[], text).unwrap().searcher);
    let mut table = game.table(&[seat.clone(), seat]).unwrap();
    let mut values = Vec::new();
    for _ in 0..12 {
        table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default()).unwrap();
        let moves = table.last_decision().unwrap().1.moves;
        values.extend(moves.iter().map(|estimate| estimate.value));
    }
    values
}

#[test]
fn a_sum_is_the_sum_of_its_parts() {
    let sum = "greedy(ties=first,evaluation=sum(parts=[(times=0.5,evaluation=weights),(times=2,evaluation=\
               linear(features=squares,weights=[ONES]))]))";
    let ones = ["1"; 64].join(",");
    let found = first_values(&sum.replace("ONES", &ones));
    // The same weights by hand: half of the weights, and two for each disc.
    let quadrant = [[100, -25, 10, 5], [-25, -25, 1, 1], [10, 1, 5, 2], [5, 1, 2, 1]];
    let near = |place: usize| place.min(7 - place);
    let weight = |square: usize| 0.5 * f64::from(quadrant[near(square / 8)][near(square % 8)]) + 2.0;
    let weights: Vec<String> = (0..64).map(|square| format!("{:?}", weight(square))).collect();
    let linear =
        format!("greedy(ties=first,evaluation=linear(features=squares,weights=[{}]))", weights.join(","));
    assert_eq!(found, first_values(&linear));
    let refused = fits("greedy(evaluation=sum)").unwrap_err();
    assert!(refused.reason.starts_with("a sum needs a part"), "{refused}");
    let refused = fits("greedy(evaluation=sum(parts=[(evaluation=wieghts)]))").unwrap_err();
    assert_eq!(refused.reason, "unknown evaluation `wieghts`; did you mean `weights`?");
}

/// The tables of windows and the general sum are the same function, for shapes that fit into windows and on every board.
#[test]
fn tuples_are_the_sum_over_their_places() {
    for size in [4, 6, 8] {
        let game = Othello::new(size);
        let board = game.entries().board.unwrap();
        for shapes in ["all-1", "all-2", "2x2+all-2", "10|01+1", "all-3", "111|010"] {
            let tables = tables_of_shapes(&game, &*board, shapes).unwrap();
            let mut rng = (Stream::new(1) / shapes).rng();
            let count = tables.iter().map(TupleTable::weights).sum();
            let weights: Vec<f64> = (0..count).map(|_| rng.below(2001) as f64 - 1000.0).collect();
            for seen in [Seen::Inversion, Seen::Negation] {
                let tuples = Tuples::new(&game, board.clone(), &tables, &weights, seen, 1.0).unwrap();
                for at in positions(&game, 1, 4) {
                    for player in [Player::FIRST, Player::SECOND] {
                        let as_seen = if seen == Seen::Inversion { player } else { Player::FIRST };
                        let mut owners = vec![0; usize::from(size).pow(2)];
                        board.owners(&game, &at, as_seen, &mut owners);
                        let (mut sum, mut begin) = (0.0, 0);
                        for table in &tables {
                            for place in &table.places {
                                let digit = |index, &square: &usize| 3 * index + usize::from(owners[square]);
                                sum += weights[begin + place.iter().fold(0, digit)];
                            }
                            begin += table.weights();
                        }
                        let sum = if as_seen == player { sum } else { -sum };
                        assert_eq!(tuples.evaluate(&game, &at, player) as f64, sum, "{shapes} on {size}");
                    }
                }
            }
        }
    }
}

#[test]
fn shapes_that_do_not_exist_are_refused() {
    for (shapes, reason) in [
        ("all-5", "\"all-5\" is no shape; write all-1 to all-4"),
        ("12", "\"12\" is no shape"),
        ("000", "\"000\" is no shape"),
        ("111111111", "the shape \"111111111\" is larger than the board"),
        ("1111111|1111111", "the shape \"1111111|1111111\" has more than 12 squares"),
        ("", "these weights need shapes; write for example shapes = \"all-2\""),
    ] {
        let refused =
            fits(&format!("greedy(evaluation=tuples(shapes=\"{shapes}\",weights=[1]))")).unwrap_err();
        assert!(refused.reason.starts_with(reason), "{refused}");
    }
    let refused = fits("greedy(evaluation=tuples(shapes=all-1,weights=[1]))").unwrap_err();
    assert!(refused.reason.contains("`all-1/negation` has 30 weights (1:0, 1:1, … 10:2)"), "{refused}");
}
