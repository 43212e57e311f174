//! Values of all children of a position without making the moves: the same as by making each.

use std::ops::ControlFlow;
use std::sync::Arc;

use shikou::game::tuples::{Seen, TupleTable, Tuples, tables_of_shapes};
use shikou::game::{
    BlindToEnds, Ends, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Game, GameExt,
    Linear, NamedGame, Player, Term, Turn, WeightedEvaluations,
};
use shikou::games::othello::{Choices, Discs, Freedom, Hand, Mobility, Othello, OwnMoves, Position, Weights};
use shikou::rng::{PlayoutKey, Rng, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Budget, Decision, FullWidth, Limits, Meter, MoveStream, SearchError,
    Searcher, Spent, Ties,
};

type Valued = Arc<dyn Evaluation<Othello>>;

/// The positions at a player's turn along random games.
fn positions(game: &Othello, games: u64) -> Vec<Position> {
    let mut found = Vec::new();
    for number in 0..games {
        let mut rng = (Stream::new(number) / "children").rng();
        let mut position = game.start();
        while game.turn(&position) != Turn::Over {
            found.push(position);
            let pick = rng.below(game.move_count(&position).into()) as usize;
            let mv = game.moves(&position).nth(pick).unwrap();
            game.apply(&mut position, mv);
        }
    }
    found
}

fn tuples(game: &Othello, shapes: &str, seen: Seen, unit: f64, rng: &mut Rng) -> Valued {
    let board = game.entries().board.unwrap();
    let tables = tables_of_shapes(game, &*board, shapes).unwrap();
    let count: usize = tables.iter().map(TupleTable::weights).sum();
    let weights: Vec<f64> = (0..count).map(|_| rng.below(2001) as f64 / 1000.0 - 1.0).collect();
    Arc::new(Tuples::new(game, board, &tables, &weights, seen, unit).unwrap())
}

/// Evaluations of all kinds: with small and large weights, seen by either player, blind to ends, made of others.
fn evaluations(game: &Othello) -> Vec<(String, Valued)> {
    let mut rng = (Stream::new(7) / "weights").rng();
    let mut found: Vec<(String, Valued)> = vec![
        ("discs".into(), Arc::new(Discs)),
        ("weights".into(), Arc::new(Weights)),
        ("hand".into(), Arc::new(Hand)),
        ("mobility".into(), Arc::new(Mobility)),
        ("choices".into(), Arc::new(Choices)),
        ("own-moves".into(), Arc::new(OwnMoves)),
        ("freedom".into(), Arc::new(Freedom)),
    ];
    for named in game.entries().features {
        let count = named.features.names(game).len();
        for most in [10, 1_u64 << 17, 1 << 40] {
            let mut weight = || rng.below(2 * most + 1) as i64 - most as i64;
            let weights: Vec<i64> = (0..count).map(|_| weight()).collect();
            let linear = Linear::new(game, named.features.clone(), weights);
            found.push((format!("{} to {most}", named.name), Arc::new(linear)));
        }
        let reals: Vec<f64> = (0..count).map(|_| rng.below(2001) as f64 / 1000.0 - 1.0).collect();
        let linear = Linear::of_reals(game, named.features, &reals, 1e-4).unwrap();
        found.push((format!("{} in units", named.name), Arc::new(linear)));
    }
    for shapes in ["all-1", "all-2", "2x2+all-2", "all-3", "all-4+2x2", "111|010"] {
        for seen in [Seen::Negation, Seen::Inversion] {
            let unit = if shapes.len() > 5 { 1e-9 } else { 1e-6 };
            found.push((format!("{shapes} {seen:?}"), tuples(game, shapes, seen, unit, &mut rng)));
        }
    }
    let terms = vec![
        Term { times: 0.5, evaluation: found[0].1.clone() },
        Term { times: 2.0, evaluation: found.last().unwrap().1.clone() },
    ];
    found.push(("sum".into(), Arc::new(WeightedEvaluations::new(game, terms, 1e-6).unwrap())));
    let blind: Vec<(String, Valued)> = found
        .iter()
        .map(|(name, of)| (format!("{name}, blind"), Arc::new(BlindToEnds::new(of.clone())) as Valued))
        .collect();
    found.extend(blind);
    found
}

fn games() -> Vec<Othello> {
    vec![
        Othello::new(4),
        Othello::new(6).with_reward_score(),
        Othello::default(),
        Othello::default().with_reward_score().with_empties_to_winner(),
    ]
}

/// For every position of random games, passes and last moves included, for either player, with the ends known or not.
#[test]
fn the_values_of_all_children_are_those_of_the_moves_made() {
    for game in games() {
        let all = positions(&game, if game.size() == 4 { 60 } else { 8 });
        let passes = all.iter().filter(|at| at.must_pass()).count();
        let ends = all.iter().flat_map(|at| game.children(at)).filter(|(_, at)| game.turn(at) == Turn::Over);
        assert!(passes > 0 && ends.count() > 0, "the games have passes and ends");
        for (name, evaluation) in evaluations(&game) {
            for at in &all {
                for (player, ends) in [Player::FIRST, Player::SECOND]
                    .into_iter()
                    .flat_map(|p| [(p, Ends::Known), (p, Ends::Unknown)])
                {
                    let value = |child: &Position| match game.turn(child) {
                        Turn::Over if ends == Ends::Known => evaluation.finished(&game, child, player),
                        _ => evaluation.evaluate(&game, child, player),
                    };
                    // The end of the line counts for an evaluation that is blind to ends.
                    let expected: Vec<i64> = game.children(at).map(|(_, child)| value(&child)).collect();
                    let mut found = Vec::new();
                    evaluation.each_child(&game, at, ends.exact(player), &mut |value| {
                        found.push(value);
                        ControlFlow::Continue(())
                    });
                    assert_eq!(found, expected, "{name}, {ends:?}, {player:?}: {}", game.drawing(at));
                }
            }
        }
    }
}

#[test]
fn what_breaks_off_is_shown_no_more_children() {
    let game = Othello::default();
    let at = game.start();
    for (name, evaluation) in evaluations(&game) {
        for wanted in 1..=4 {
            let mut shown = 0;
            evaluation.each_child(&game, &at, Ends::Known.exact(Player::FIRST), &mut |_| {
                shown += 1;
                if shown == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(shown, wanted, "{name}");
        }
    }
}

/// An evaluation that is asked for one made position at a time, in batches.
struct Made(Valued);

impl Evaluation<Othello> for Made {
    fn evaluate(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        self.0.evaluate(game, position, player)
    }

    fn evaluate_many(
        &self,
        game: &Othello,
        requests: &[EvaluationRequest<Position>],
        answers: &mut EvaluationBuffer,
    ) {
        self.0.evaluate_many(game, requests, answers);
    }

    fn facts(&self) -> EvaluationFacts {
        let EvaluationFacts { view, largest, .. } = self.0.facts();
        EvaluationFacts { view, largest, prefers_batches: true, ..EvaluationFacts::default() }
    }

    fn finished(&self, game: &Othello, position: &Position, player: Player) -> i64 {
        self.0.finished(game, position, player)
    }
}

type Found = Result<(Decision<shikou::games::othello::Move>, Spent), SearchError>;

fn ask(searcher: &mut dyn Searcher<Othello>, game: &Othello, at: &Position, budget: Budget) -> Found {
    let mut meter = Meter::new(Limits::default()).with_budget(budget);
    let decision = searcher.choose(game, at, MoveStream::new(PlayoutKey::new(5)), &mut meter)?;
    Ok((decision, meter.spent()))
}

/// Searchers that look some plies ahead, by an evaluation.
fn searchers(evaluation: &Valued) -> Vec<Box<dyn Searcher<Othello>>> {
    let mut found: Vec<Box<dyn Searcher<Othello>>> = Vec::new();
    for depth in [1, 2, 3] {
        let evaluation = || evaluation.clone();
        found.push(Box::new(FullWidth::greedy(depth, evaluation(), 0.0, Ties::Random)));
        found.push(Box::new(FullWidth::minimax(Some((depth, evaluation())), Ties::Random)));
        for settings in [AlphaBetaSettings::plain(), AlphaBetaSettings::default()] {
            found.push(Box::new(AlphaBeta::to_depth(depth, evaluation(), settings, Ties::Random)));
        }
    }
    found
}

/// The same moves, estimates, counts of nodes and draws, with whatever budget of nodes.
#[test]
fn decisions_are_those_of_moves_made_one_by_one() {
    let game = Othello::new(6);
    let all = positions(&game, 3);
    for (name, evaluation) in evaluations(&game).into_iter().step_by(3) {
        let made: Valued = Arc::new(Made(evaluation.clone()));
        for at in all.iter().step_by(7).chain(all.iter().rev().take(6)) {
            for (mut fast, mut slow) in searchers(&evaluation).into_iter().zip(searchers(&made)) {
                for nodes in [None, Some(1), Some(5), Some(8), Some(40), Some(300)] {
                    let budget = Budget { nodes, ..Budget::UNLIMITED };
                    let found = ask(&mut *fast, &game, at, budget);
                    let expected = ask(&mut *slow, &game, at, budget);
                    assert_eq!(found, expected, "{name}, {nodes:?}: {}", game.drawing(at));
                }
            }
        }
    }
}
