//! Evaluations with parts: real weights, ends that are not known, views.

use std::sync::Arc;

use shikou::game::{BlindToEnds, Evaluation, Game, GameExt, Player, Turn, View};
use shikou::games::othello::{Freedom, Mobility, Othello, OwnMoves, Position, Weights};
use shikou::players::{FitError, Registry};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Decision, Limits, Meter, Minimax, MoveStream, OrderingHeuristic,
    RootValues, Searcher, Ties,
};

fn ask<G: Game>(searcher: &mut impl Searcher<G>, game: &G, at: &G::Position) -> Decision<G::Move> {
    let mut meter = Meter::new(Limits::default());
    searcher.choose(game, at, MoveStream::new(PlayoutKey::new(1)), &mut meter).unwrap()
}

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
            let mut minimax = Minimax::to_depth(depth, evaluation.clone(), Ties::First);
            for at in positions(&game, 2, 20) {
                let Turn::Player(player) = game.turn(&at) else { unreachable!() };
                let plain = |(_, child)| plain(&game, &child, depth - 1, player, &*evaluation) as f64;
                let expected: Vec<f64> = game.children(&at).map(plain).collect();
                let found = |decision: Decision<_>| {
                    decision.moves.iter().map(|estimate| estimate.value).collect::<Vec<_>>()
                };
                assert_eq!(found(ask(&mut minimax, &game, &at)), expected);
                for searcher in &mut searchers {
                    let decision = ask(searcher, &game, &at);
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
        let settings = AlphaBetaSettings { table_bytes: 1 << 16, ..AlphaBetaSettings::default() };
        AlphaBeta::to_depth(3, Arc::new(OwnMoves), settings.with_root(RootValues::Exact), Ties::First)
    };
    let mut shared = new();
    let mut position = game.start();
    while let Turn::Player(_) = game.turn(&position) {
        if game.move_count(&position) > 1 {
            let (alone, together) = (ask(&mut new(), &game, &position), ask(&mut shared, &game, &position));
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
    assert_eq!((Mobility.view(), Freedom.view()), (View::Antisymmetric, View::Mover));
    assert!(at.iter().all(|at| sum(&Mobility, at) == 0));
    assert!(at.iter().any(|at| sum(&Freedom, at) != 0) && at.iter().any(|at| sum(&OwnMoves, at) != 0));
}

/// A player that knows the end takes a win; one that does not takes the position with the larger value.
#[test]
fn a_player_may_not_know_the_end_of_the_game() {
    let registry = Registry::standard();
    let game = registry.game("othello", &[]).unwrap();
    let transcript = {
        // The last position of a random game at which the two players choose differently.
        let othello = Othello::default();
        let mut greedy = [true, false].map(|knows| {
            let weights: Arc<dyn Evaluation<Othello>> =
                if knows { Arc::new(Weights) } else { Arc::new(BlindToEnds::new(Arc::new(Weights))) };
            shikou::search::Greedy::new(1, weights, 0.0, Ties::First)
        });
        let differs = |at: &Position| {
            let [one, other] = greedy.each_mut().map(|greedy| ask(greedy, &othello, at).chosen);
            one != other
        };
        positions(&othello, 200, 50).into_iter().filter(differs).count()
    };
    assert!(transcript > 0, "some game ends");
    for text in
        ["greedy(finished=evaluation)", "minimax(finished=evaluation)", "alpha-beta(finished=evaluation)"]
    {
        let spec = game.read_searcher(text).unwrap();
        game.fits(&spec).unwrap();
        assert!(spec.to_string().contains("finished=\"evaluation\""), "{spec}");
    }
    for text in ["minimax(depth=full,finished=evaluation)", "alpha-beta(depth=full,finished=evaluation)"] {
        let refused = game.fits(&game.read_searcher(text).unwrap()).unwrap_err();
        assert_eq!(refused.reason, "a search to the end of the game counts payoffs; write a depth");
    }
}

fn fits(text: &str) -> Result<(), FitError> {
    let registry = Registry::standard();
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
    let registry = Registry::standard();
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
