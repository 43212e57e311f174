//! EinStein würfelt nicht: moves and chances of small endings by a program of its own, and the rules that are easy to get wrong.

use std::collections::BTreeMap;

use shikou::game::conformance::assert_conforms;
use shikou::game::{Game, GameExt, Player, Turn};
use shikou::games::einstein::{Einstein, Move, Placement};

use crate::boards::{exact, in_random_games};

/// The cells of the pieces of both, row and column; the player to move is the first of the two.
type Pieces = [BTreeMap<u8, (i8, i8)>; 2];

/// The moves with this number on the die, and the pieces after each, with the other player first. `forward` is 1 for the player of a1.
fn slow_moves(pieces: &Pieces, die: u8, forward: i8, size: i8) -> Vec<(u8, (i8, i8), Pieces)> {
    let own = &pieces[0];
    let numbers: Vec<u8> = if own.contains_key(&die) {
        vec![die]
    } else {
        let lower = own.range(..die).next_back().map(|(number, _)| *number);
        lower.into_iter().chain(own.range(die..).next().map(|(number, _)| *number)).collect()
    };
    let mut moves = Vec::new();
    for number in numbers {
        for (down, right) in [(0, 1), (1, 0), (1, 1)] {
            let (row, column) = own[&number];
            let to = (row + forward * down, column + forward * right);
            if (0..size).contains(&to.0) && (0..size).contains(&to.1) {
                let [mut own, mut theirs] = pieces.clone();
                own.retain(|_, at| *at != to);
                theirs.retain(|_, at| *at != to);
                own.insert(number, to);
                moves.push((number, to, [theirs, own]));
            }
        }
    }
    moves
}

fn is_over(pieces: &Pieces, forward: i8, size: i8) -> bool {
    let corner = if forward == 1 { (0, 0) } else { (size - 1, size - 1) };
    pieces[0].is_empty() || pieces[1].values().any(|at| *at == corner)
}

/// The pieces that a text shows, the player to move first, and the direction of that player.
fn read(text: &str) -> (Pieces, i8, Option<u8>) {
    let mut words = text.split(' ');
    let mut pieces: Pieces = Default::default();
    for (row, cells) in (0..).zip(words.next().unwrap().split('/')) {
        for (column, letter) in (0..).zip(cells.bytes()).filter(|(_, letter)| *letter != b'.') {
            let (player, number) = if letter < b'A' { (0, letter - b'0') } else { (1, letter - b'@') };
            assert!(pieces[player].insert(number, (row, column)).is_none());
        }
    }
    let is_first = words.next() == Some("x");
    if !is_first {
        pieces.reverse();
    }
    (pieces, if is_first { 1 } else { -1 }, words.next().map(|die| die.parse().unwrap()))
}

#[test]
fn moves_are_those_of_the_rules_letter_by_letter() {
    for size in [4, 5, 8] {
        let game = Einstein::new(size, Placement::Rows);
        in_random_games(&game, 100, |position| {
            let text = game.position_text(position).unwrap();
            let (pieces, forward, die) = read(&text);
            let is_over = is_over(&pieces, forward, size as i8);
            assert_eq!(game.turn(position) == Turn::Over, is_over, "{text}");
            if is_over {
                let winner = if forward == 1 { Player::SECOND } else { Player::FIRST };
                assert_eq!(game.payoff(position, winner), 1);
            } else if let Some(die) = die {
                let name = |(number, (row, column), _): (u8, (i8, i8), Pieces)| {
                    format!("{number}-{}{}", (b'a' + column as u8) as char, row + 1)
                };
                let slow: Vec<String> =
                    slow_moves(&pieces, die, forward, size as i8).into_iter().map(name).collect();
                let moves: Vec<String> = game.moves(position).map(|mv| game.notation(position, mv)).collect();
                assert_eq!(moves, slow, "{text}");
            }
        });
    }
}

/// The chance that the player to move wins with best play, before the die.
fn slow_chance(pieces: &Pieces, forward: i8, size: i8, known: &mut BTreeMap<(Pieces, i8), f64>) -> f64 {
    if is_over(pieces, forward, size) {
        return 0.0;
    }
    if let Some(chance) = known.get(&(pieces.clone(), forward)) {
        return *chance;
    }
    let best = |die| {
        let after = slow_moves(pieces, die, forward, size).into_iter();
        let chances: Vec<f64> =
            after.map(|(_, _, pieces)| 1.0 - slow_chance(&pieces, -forward, size, known)).collect();
        chances.into_iter().fold(0.0, f64::max)
    };
    let chance = (1..=6).map(best).sum::<f64>() / 6.0;
    known.insert((pieces.clone(), forward), chance);
    chance
}

/// The chance that the player to move, or to roll, wins.
fn chance(game: Einstein, position: &<Einstein as Game>::Position, known: &mut BTreeMap<u128, f64>) -> f64 {
    if let Some(chance) = known.get(&game.key(position).unwrap()) {
        return *chance;
    }
    let chance = match game.turn(position) {
        Turn::Over => 0.0,
        Turn::Chance => {
            let rolls: Vec<Move> = game.outcomes(position).map(|(mv, _)| mv).collect();
            rolls.iter().map(|&roll| chance(game, &game.after(position, roll), known)).sum::<f64>() / 6.0
        }
        Turn::Player(_) => {
            let moves: Vec<Move> = game.moves(position).collect();
            moves.iter().map(|&mv| 1.0 - chance(game, &game.after(position, mv), known)).fold(0.0, f64::max)
        }
    };
    known.insert(game.key(position).unwrap(), chance);
    chance
}

#[test]
fn endings_have_the_chances_of_a_slow_search() {
    for text in ["...../.3.../...../...D./..... o", "1.../.2../..B./...E x", "1.6./..../.A../...D o"] {
        let (pieces, forward, _) = read(text);
        let size = text.find('/').unwrap() as u8;
        let game = Einstein::new(size, Placement::Rows);
        let slow = slow_chance(&pieces, forward, size as i8, &mut BTreeMap::new());
        let found = chance(game, &game.parse_position(text).unwrap(), &mut BTreeMap::new());
        assert!((slow - found).abs() < 1e-12, "{text}: {found}, not {slow}");
    }
}

/// The number of lines: a die has six, a complete triangle 18 moves over its numbers.
#[test]
fn lines_are_counted() {
    assert_eq!(exact(&Einstein::new(5, Placement::Rows), 5), [6, 18, 108, 324, 1944]);
    let factorial = [6, 30, 120, 360, 720, 720];
    assert_eq!(exact(&Einstein::new(5, Placement::Random), 6), factorial);
    assert_eq!(exact(&Einstein::new(5, Placement::Chosen), 6), factorial);
}

/// A piece takes own pieces too. If the piece of the die's number is gone, the next lower and the next higher may go.
#[test]
fn a_piece_takes_its_own() {
    let game = Einstein::new(5, Placement::Rows);
    let position = game.follow("1 1-b1 6 6-d3 2").unwrap();
    let moves: Vec<String> = game.moves(&position).map(|mv| game.notation(&position, mv)).collect();
    assert_eq!(moves, ["1-c1", "1-b2", "1-c2", "3-d1", "3-c2", "3-d2"]);
}

#[test]
fn einstein_conforms() {
    for (size, placement) in [
        (5, Placement::Rows),
        (5, Placement::Chosen),
        (5, Placement::Random),
        (4, Placement::Random),
        (8, Placement::Chosen),
    ] {
        assert_conforms(&Einstein::new(size, placement));
    }
    let game = Einstein::new(4, Placement::Rows);
    for moves in ["6 6-b4", "6 6-b4 1 1-c4"] {
        assert_eq!(game.parse_position(moves).unwrap(), game.follow(moves).unwrap());
    }
    for wrong in ["1.../..../..../...A x 7", "1.../..../..1./...A x", "A.../..../..../...1 x", "1... x put"] {
        assert!(game.parse_position(wrong).is_err(), "{wrong}");
    }
}
