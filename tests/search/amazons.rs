//! Amazons: perft, moves by walking from cell to cell, both ways of counting turns, and the published values of small boards.

use shikou::game::conformance::{Effort, assert_conforms, check_with};
use shikou::game::{Game, GameExt};
use shikou::games::amazons::Amazons;

use crate::boards::{exact, in_random_games};

/// Github radekmie/rg.
#[test]
fn amazons_has_the_published_perft() {
    assert_eq!(exact(&Amazons::new(10, 10, false), 2), [2176, 4_307_152]);
    let split = exact(&Amazons::new(10, 10, true), 4);
    assert_eq!([split[1], split[3]], [2176, 4_307_152]);
}

/// The cells that a queen reaches, one step at a time.
fn reached(board: &[Vec<char>], (row, column): (usize, usize)) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let (mut row, mut column) = (row, column);
        while let (Some(below), Some(beside)) =
            (row.checked_add_signed(down), column.checked_add_signed(right))
        {
            if board.get(below).and_then(|row| row.get(beside)) != Some(&'.') {
                break;
            }
            (row, column) = (below, beside);
            cells.push((row, column));
        }
    }
    cells
}

/// The notations of all moves, sorted.
fn slow_moves(text: &str) -> Vec<String> {
    let (board, mover) = text.split_once(' ').unwrap();
    let board: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let name = |(row, column): (usize, usize)| format!("{}{}", (b'a' + column as u8) as char, row + 1);
    let mut moves = Vec::new();
    for from in (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column))) {
        if board[from.0][from.1].to_string() != mover {
            continue;
        }
        for to in reached(&board, from) {
            let mut after = board.clone();
            after[from.0][from.1] = '.';
            let arrows = reached(&after, to).into_iter();
            moves.extend(arrows.map(|arrow| format!("{}-{}/{}", name(from), name(to), name(arrow))));
        }
    }
    moves.sort();
    moves
}

#[test]
fn moves_are_those_of_a_walk_from_cell_to_cell() {
    for (rows, columns, games) in [(10, 10, 2), (8, 5, 5), (4, 7, 10), (9, 4, 10)] {
        let game = Amazons::new(rows, columns, false);
        in_random_games(&game, games, |position| {
            let text = game.position_text(position).unwrap();
            let mut moves: Vec<String> = game.moves(position).map(|mv| game.notation(position, mv)).collect();
            moves.sort();
            assert_eq!(moves, slow_moves(&text), "{text}");
            assert_eq!(game.turn(position) == shikou::game::Turn::Over, moves.is_empty(), "{text}");
        });
    }
}

#[test]
fn amazons_conforms() {
    assert_conforms(&Amazons::new(10, 10, true));
    assert_conforms(&Amazons::new(4, 6, true));
    // A law of moves compares each with all.
    let effort = Effort { games: 4, positions: 40, spots: 4, ..Effort::default() };
    for (rows, columns) in [(10, 10), (5, 4)] {
        let report = check_with(&Amazons::new(rows, columns, false), effort);
        assert!(report.is_ok(), "{report}");
    }
    let (game, moves) = (Amazons::new(4, 5, false), "b1-b3/d3 b4-c4/c1");
    assert_eq!(game.parse_position(moves).unwrap(), game.follow(moves).unwrap());
}

#[test]
fn an_amazon_that_has_to_shoot_comes_back_from_text() {
    let game = Amazons::new(4, 5, true);
    let position = game.follow("b1-b3").unwrap();
    let text = "...x./x...x/o*..o/.o.o. x";
    assert_eq!(game.position_text(&position).as_deref(), Some(text));
    assert_eq!(game.parse_position(text).unwrap(), position);
    for (text, reason) in [
        ("...x./....x/o**.o/.o.o. x", "one"),
        ("...x./x...x/o...o/.o.o# z", "expected 4 rows of 5 cells, x, o, #, * or `.`"),
        ("...../...../o...o/.o.o. x", "1 to 4 amazons"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(Amazons::new(4, 5, false).parse_position(text).is_err());
}
