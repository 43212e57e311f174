//! Rollouts of lines: their choice by a slow reference, playouts by whole lines and by single moves, and mistakes in manifests.

use std::sync::Arc;

use shikou::game::{
    Batch, Best, Evaluation, Game, GameExt, Player, PlayoutRequest, PolicyExt, Tally, Turn, lines_of,
    play_lines, run_playouts,
};
use shikou::games::calculation::{Calculation, CardsUp, Deck, PILE_BAGS, Position};
use shikou::learn::{DeepSetsEvaluation, LookAhead};
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::{MoveStream, Race, Rollouts, Searcher};

use crate::support::ask;
use crate::td_bags;

fn small() -> Calculation {
    Calculation::default().with_deck(Deck::new(7, 2).unwrap()).with_piles(2)
}

fn evaluation(game: &Calculation) -> Arc<DeepSetsEvaluation<Calculation>> {
    let network = Arc::new(td_bags::trained(game, 2000));
    Arc::new(DeepSetsEvaluation::new(game, network, PILE_BAGS, 1e-12))
}

/// All positions before chance or at the end that moves reach, each once.
fn ends(game: &Calculation, position: &Position, found: &mut Vec<Position>) {
    if let Turn::Player(_) = game.turn(position) {
        game.children(position).for_each(|(_, child)| ends(game, &child, found));
    } else if !found.contains(position) {
        found.push(*position);
    }
}

/// The points that an end estimates.
fn points(game: &Calculation, evaluation: &dyn Evaluation<Calculation>, end: &Position) -> f64 {
    let value = match game.turn(end) {
        Turn::Over => evaluation.finished(game, end, Player::FIRST),
        _ => evaluation.evaluate(game, end, Player::FIRST),
    };
    value as f64 * evaluation.facts().unit
}

/// The largest of some values, and whether another is about as large.
fn largest(values: &[f64]) -> (usize, bool) {
    let best =
        (0..values.len()).fold(0, |best, place| if values[place] > values[best] { place } else { best });
    (best, values.iter().filter(|value| **value > values[best] - 1e-9).count() > 1)
}

/// A playout by the best ends for some turns of chance. `None` if a choice was between equals.
fn slow_playout(
    game: &Calculation,
    evaluation: &dyn Evaluation<Calculation>,
    mut position: Position,
    mut draws: PlayoutRng,
    turns: u32,
) -> Option<f64> {
    for turn in 1.. {
        if game.turn(&position) == Turn::Over {
            break;
        }
        let card = game.random_outcome(&position, &mut draws);
        game.apply(&mut position, card);
        let mut all = Vec::new();
        ends(game, &position, &mut all);
        let values: Vec<f64> = all.iter().map(|end| points(game, evaluation, end)).collect();
        let (best, unclear) = largest(&values);
        if unclear {
            return None;
        }
        position = all[best];
        if turn == turns && game.turn(&position) != Turn::Over {
            return Some(values[best]);
        }
    }
    Some(f64::from(game.payoff(&position, Player::FIRST)))
}

/// Follows a searcher to the next turn of chance.
fn line(game: &Calculation, searcher: &mut impl Searcher<Calculation>, mut position: Position) -> Position {
    while let Turn::Player(_) = game.turn(&position) {
        let (decision, _) = ask(searcher, game, &position, 5);
        game.apply(&mut position, decision.chosen);
    }
    position
}

#[test]
fn the_line_with_the_best_mean_is_followed() {
    let game = small();
    let evaluation = evaluation(&game);
    let mut compared = 0;
    for (turns, prior) in [(3, 0.0), (2, 16.0), (5, 1.0)] {
        let race = Race { playouts: 9, turns, width: 1000, margin: 1.0, prior, behind: 1000.0 };
        for number in 0..12 {
            let (mut draws, mut position) = (PlayoutKey::new(number).playout(0), game.start());
            while game.turn(&position) != Turn::Over {
                if let Turn::Player(_) = game.turn(&position) {
                    let mut all = Vec::new();
                    ends(&game, &position, &mut all);
                    let key = MoveStream::new(PlayoutKey::new(5)).playouts();
                    let mean = |end: &Position| {
                        let played = (0..9).map(|playout| {
                            slow_playout(&game, &*evaluation, *end, key.playout(playout), turns)
                        });
                        let sum = played.sum::<Option<f64>>()?;
                        Some((sum + prior * points(&game, &*evaluation, end)) / (9.0 + prior))
                    };
                    let means: Option<Vec<f64>> = all.iter().map(mean).collect();
                    let best = means.map(|means| largest(&means));
                    let mut searcher = Rollouts::new(race, evaluation.clone());
                    let chosen = line(&game, &mut searcher, position);
                    if let Some((best, false)) = best {
                        assert_eq!(chosen, all[best]);
                        compared += usize::from(all.len() > 1);
                    }
                    position = chosen;
                } else {
                    let card = game.random_outcome(&position, &mut draws);
                    game.apply(&mut position, card);
                }
            }
        }
    }
    assert!(compared > 100, "{compared} choices were clear");
}

#[test]
fn playouts_by_lines_are_those_by_moves() {
    let game = small();
    let evaluation = evaluation(&game);
    let ahead = |turns, width| {
        let network = Arc::new(td_bags::trained(&game, 100));
        let ahead = LookAhead { turns, width, margin: 1.0 };
        Arc::new(DeepSetsEvaluation::new(&game, network, PILE_BAGS, 1e-6).with_look_ahead(ahead))
    };
    for (evaluation, playouts) in [(evaluation, 200), (ahead(1, 2), 20), (ahead(0, 1), 50)] {
        let policy = Best::new(evaluation);
        let batch = Batch { key: PlayoutKey::new(3), first: 5, count: playouts };
        let request = PlayoutRequest { from: game.start(), player: Player::FIRST, batch };
        let mut tally = [Tally::default()];
        policy.playouts_of_many(&game, &[request], &mut tally);
        let plain = run_playouts(&game, &policy, &game.start(), Player::FIRST, batch);
        assert_eq!(tally[0], plain);
        assert!(plain.sum > 0 && plain.sum < playouts as i64, "{plain:?}");
    }
}

/// An evaluation that knows no lines is asked for moves.
#[test]
fn a_line_of_an_evaluation_of_moves_is_a_move() {
    let game = small();
    let position = game.follow("5").unwrap();
    let mut lines = lines_of(&CardsUp, &game);
    let values = lines.look(&position).to_vec();
    let each: Vec<f64> = game
        .children(&position)
        .map(|(_, child)| CardsUp.evaluate(&game, &child, Player::FIRST) as f64)
        .collect();
    assert_eq!(values, each);
    let (mut end, mut draws) = (position, PlayoutKey::new(1).playout(0));
    let played = play_lines(&game, &mut *lines, &mut end, &mut draws, u32::MAX);
    assert_eq!((game.turn(&end), played.estimated), (Turn::Over, None));
    assert!(played.plies >= 23, "each card is turned and moved");
}

#[test]
fn what_does_not_fit_is_refused_with_the_next_step() {
    for (game, text, words) in [
        ("calculation", "rollouts(turns=3,evaluation=cards)", "estimates no points"),
        ("calculation", "rollouts(prior=3.0,evaluation=cards)", "estimates no points"),
        ("othello", "rollouts", "for games of one player"),
    ] {
        let registry = shikou::registry();
        let spec = registry.read_searcher(text).unwrap();
        let refused = registry.game(game, &[]).unwrap().fits(&spec).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
