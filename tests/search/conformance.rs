//! The conformance kit accepts correct games, and reports every planted fault under its name.

mod dice_climb;
mod dice_race;
mod faulty;

use std::collections::BTreeSet;
use std::fmt::Debug;

use dice_climb::{DiceClimb, Fault as C};
use dice_race::{DiceRace, Fault as D};
use faulty::{Fault as F, Faulty};
use shikou::game::conformance::{Effort, assert_conforms, check, check_with};
use shikou::game::{Game, NamedGame};
use shikou::games::tic_tac_toe::TicTacToe;

#[test]
fn games_that_are_right_conform() {
    assert_conforms(&TicTacToe);
    assert_conforms(&Faulty::new(F::None));
    assert_conforms(&DiceRace(D::None));
    assert_conforms(&DiceRace(D::UnlikeSides));
    assert_conforms(&DiceClimb(C::None));
}

/// Checks that a game violates one law, and otherwise only laws that may be violated in consequence.
#[track_caller]
fn assert_breaks<G: NamedGame>(game: &G, fault: impl Debug, law: &str, consequences: &str) {
    let effort = Effort { games: 60, positions: 120, choices: 1000, spots: 20, ..Effort::default() };
    let report = check_with(game, effort);
    let broken: Vec<_> = report.violations().map(|law| law.name).collect();
    assert!(broken.contains(&law), "{fault:?} should break `{law}`\n{report}");
    for other in broken {
        let expected = other == law || consequences.split(' ').any(|name| name == other);
        assert!(expected, "{fault:?} should not break `{other}`\n{report}");
    }
}

/// Each fault, the law that it violates, and the laws that may be violated in consequence.
const FAULTS: [(F, &str, &str); 68] = [
    (F::FinishedRandomPosition, "random-position", ""),
    (F::DuplicateMove, "moves", "policies policy-distribution notation"),
    (
        F::IllegalMove,
        "apply",
        "copies playouts playouts-of-many policy-playouts paths order-hint each-child payoff-bounds solve-tail patterns rule-lists features",
    ),
    (
        F::OrderByCounter,
        "moves",
        "apply copies replay equality random-move playouts playouts-of-many policies policy-playouts paths rule-lists each-child features",
    ),
    (F::WrongMoveCount, "move-count", ""),
    (F::MovesAfterTheEnd, "turns", ""),
    (
        F::NoMoves,
        "turns",
        "random-move playouts playouts-of-many policies policy-distribution policy-playouts paths payoff-bounds solve-tail rule-lists features",
    ),
    (F::WrongPlayer, "turns", ""),
    (F::WrongSign, "zero-sum", "evaluation-zero-sum"),
    (F::PayoffOutOfRange, "payoff", "payoff-bounds evaluations"),
    (
        F::UnstablePayoff,
        "payoff",
        "apply replay equality zero-sum outcome playouts playouts-of-many policy-playouts paths evaluations evaluation-zero-sum solve-tail",
    ),
    (F::BothWin, "outcome", ""),
    (F::BiasedRandomMove, "random-move", "policy-distribution"),
    (F::TwoDraws, "random-move", ""),
    (F::SharedAtTimes, "random-move", ""),
    (F::ShortPlayouts, "playouts", "playouts-of-many policy-playouts paths"),
    (F::PlayoutsFromZero, "playouts", "policy-playouts paths"),
    (F::SwappedTallies, "playouts-of-many", "policy-playouts"),
    (F::CounterInPosition, "replay", "apply transcript each-child position-text"),
    (F::HiddenCounterInPosition, "replay", ""),
    (
        F::CounterInGame,
        "replay",
        "copies playouts playouts-of-many policy-playouts paths patterns rule-lists each-child features",
    ),
    (
        F::SharedBoard,
        "copies",
        "turns apply replay equality random-move playouts playouts-of-many policies policy-distribution policy-playouts paths each-child payoff-bounds solve-tail patterns rule-lists features position-text",
    ),
    (F::LooseEquality, "equality", ""),
    (F::NotationClash, "notation", "parse-move transcript"),
    (F::EmptyNotation, "notation", "transcript"),
    (F::Unparsable, "parse-move", "transcript"),
    (F::LowerCaseOnly, "parse-move", ""),
    (F::ShortTranscript, "transcript", ""),
    (F::NoDrawing, "drawing", ""),
    (F::PictureOutside, "picture", ""),
    (F::PictureAtTheStart, "picture", ""),
    (F::MaxPliesTooSmall, "length", ""),
    (F::Endless, "length", "playouts playouts-of-many policy-playouts paths"),
    (F::ChanceClaimed, "chance", "facts"),
    // `Game::ALWAYS` says otherwise.
    (F::ChanceClaimed, "facts", "chance"),
    (F::ZeroSumSolitaire, "facts", "turns"),
    (F::LyingPolicy, "policy-distribution", ""),
    (F::IllegalPolicy, "policies", ""),
    (F::UnstatedMove, "policies", "policy-distribution"),
    (F::CountingPolicy, "policies", "policy-playouts paths"),
    (F::ShortPolicyPlayouts, "policy-playouts", "paths"),
    (F::PathFromZero, "paths", ""),
    (F::NoUniformPolicy, "policies", ""),
    (F::SlantedEvaluation, "evaluation-zero-sum", ""),
    (F::LoudEvaluation, "evaluations", ""),
    (F::RepeatedAnswer, "evaluation-batches", ""),
    (F::SwappedValues, "evaluation-batches", ""),
    (F::ShortPrior, "evaluation-batches", ""),
    (F::EvaluationName, "evaluations", ""),
    (F::SlantedFeatures, "features", ""),
    (F::ForgottenWeight, "features", ""),
    (F::ForgottenDifference, "features", ""),
    (F::SlantedBoard, "board", ""),
    (F::BentSymmetry, "board", ""),
    (F::UnchangedSquares, "board", ""),
    (F::TurnedTables, "board", ""),
    (F::CountingPattern, "patterns", ""),
    (F::UnknownPattern, "rule-lists", ""),
    (F::NumberClash, "move-numbers", ""),
    (F::MissingNumber, "move-numbers", ""),
    (F::LooseKey, "key", ""),
    (F::CountingHint, "order-hint", "each-child"),
    (F::CountingPromise, "order-hint", "each-child"),
    (F::HighPromise, "each-child", ""),
    (F::MissingChild, "each-child", ""),
    (F::WrongBounds, "payoff-bounds", ""),
    (F::WrongTail, "solve-tail", ""),
    (F::ForgetfulText, "position-text", ""),
];

#[test]
fn every_fault_is_found() {
    for (fault, law, consequences) in FAULTS {
        assert_breaks(&Faulty::new(fault), fault, law, consequences);
    }
}

/// The same for chance.
const CHANCE_FAULTS: [(D, &str, &str); 9] = [
    (D::ChanceDenied, "chance", ""),
    (D::ZeroWeight, "chance-outcomes", ""),
    (D::HeavyWeights, "chance-outcomes", ""),
    (D::DuplicateOutcome, "chance-outcomes", "notation"),
    (D::NoOutcomes, "turns", "random-outcome playouts playouts-of-many policy-playouts paths"),
    (D::MovesForChance, "turns", "notation"),
    (D::OutcomesForPlayers, "turns", ""),
    (D::UnweightedOutcome, "random-outcome", ""),
    (D::TwoDraws, "random-outcome", ""),
];

#[test]
fn every_fault_of_chance_is_found() {
    for (fault, law, consequences) in CHANCE_FAULTS {
        assert_breaks(&DiceRace(fault), fault, law, consequences);
    }
}

/// The directions of pieces need more moves than the effort above gives.
#[test]
fn players_in_opposite_directions_do_not_share_a_view() {
    let broken = |fault| -> Vec<_> { check(&DiceRace(fault)).violations().map(|law| law.name).collect() };
    assert_eq!(broken(D::SharedView), ["board"]);
    assert!(broken(D::UnlikeSides).is_empty() && broken(D::None).is_empty());
}

/// The same for the hints of a solitaire of chance.
#[test]
fn every_fault_of_the_hints_of_chance_is_found() {
    for fault in [C::HighBounds, C::IllegalSafeMove, C::UnsafeMove, C::LooseValueKey] {
        assert_breaks(&DiceClimb(fault), fault, CHANCE_END, "");
    }
}

const CHANCE_END: &str = "chance-end";

#[test]
fn every_law_has_a_fault_that_breaks_it() {
    let broken = FAULTS.iter().map(|row| row.1).chain(CHANCE_FAULTS.iter().map(|row| row.1));
    let broken: BTreeSet<&str> = broken.chain([CHANCE_END]).collect();
    let laws: BTreeSet<&str> = check(&TicTacToe).laws.iter().map(|law| law.name).collect();
    assert_eq!(broken, laws);
}

#[test]
fn facts_that_panic_are_a_violation_of_every_law() {
    let report = check(&Faulty::new(F::PanickingFacts));
    assert_eq!(report.violations().count(), report.laws.len());
    assert_eq!(report.laws[0].result, Err("`facts` panics: no facts".into()));
}

#[test]
fn a_violation_says_what_was_found_and_where() {
    let report = check(&Faulty::new(F::DuplicateMove));
    let law = report.violations().next().unwrap();
    let text = law.result.as_ref().unwrap_err();
    let (what, place) = text.split_once('\n').unwrap();
    assert!(what.contains(" is listed twice in ["), "{text}");
    let (transcript, drawing) = place.split_once('\n').unwrap();
    let moves = transcript.strip_prefix("after 5 plies: ").expect(text);
    let position = shikou::game::GameExt::follow(&TicTacToe, moves).unwrap();
    assert_eq!(drawing, TicTacToe.drawing(&position));
}

#[test]
fn reports_are_the_same_every_time_and_follow_the_seed() {
    let (one, other) = (check(&Faulty::new(F::LyingPolicy)), check(&Faulty::new(F::LyingPolicy)));
    assert_eq!(one, other);
    let effort = Effort { seed: 1, ..Effort::default() };
    assert_ne!(one, check_with(&Faulty::new(F::LyingPolicy), effort));
}

#[test]
fn a_small_effort_examines_little() {
    let effort = Effort { games: 2, positions: 4, ..Effort::default() };
    let report = check_with(&TicTacToe, effort);
    let cases = |name| report.laws.iter().find(|law| law.name == name).unwrap().cases;
    assert!(report.is_ok());
    assert_eq!((cases("length"), cases("turns"), cases("payoff")), (2, 2 * 2 + 2, 2));
    assert_eq!(cases("chance-outcomes"), 0);
}

#[test]
fn a_report_is_a_list_of_laws_in_json() {
    let json = serde_json::to_value(check(&Faulty::new(F::NoDrawing))).unwrap();
    let laws = json.as_array().unwrap();
    assert_eq!(laws[0]["name"], "facts");
    assert_eq!(laws[0]["cases"], 1);
    assert!(laws[0]["violation"].is_null());
    let drawing = laws.iter().find(|law| law["name"] == "drawing").unwrap();
    assert_eq!(drawing["violation"], "the drawing is empty\nat the start\n");
}
