//! Codes of moves tell what is beside a move, and nothing else.

use std::collections::BTreeMap;

use shikou::game::Game;
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::capture_go::{CaptureGo, Goal};
use shikou::games::domineering::Domineering;

use crate::boards::in_random_games;

type Board = Vec<Vec<char>>;

/// The letter of a cell by its name, if the board has it: `.` is free.
fn letter(board: &Board, (row, column): (i32, i32)) -> Option<char> {
    board.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
}

/// The cells that a notation such as `a2-b3` names.
fn cells(notation: &str) -> Vec<(i32, i32)> {
    let cell = |name: &str| {
        let (column, row) = name.split_at(1);
        (row.parse::<i32>().unwrap() - 1, i32::from(column.as_bytes()[0] - b'a'))
    };
    notation.split('-').map(cell).collect()
}

/// The cells beside these that are none of them.
fn beside(board: &Board, cells: &[(i32, i32)]) -> Vec<char> {
    let around = |&(row, column): &(i32, i32)| {
        [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    };
    let found = cells.iter().flat_map(around).filter(|cell| !cells.contains(cell));
    found.filter_map(|cell| letter(board, cell)).collect()
}

/// In random games two moves have one code exactly if they have one number and the same features, read from the position's text.
fn check<G: Game>(game: &G, features: impl Fn(&Board, char, &[(i32, i32)]) -> String) {
    let (mut meanings, mut codes) = (BTreeMap::new(), BTreeMap::new());
    in_random_games(game, 60, |at| {
        let text = game.position_text(at).unwrap();
        let (board, mover) = text.split_once(' ').unwrap();
        let board: Board = board.split('/').map(|row| row.chars().collect()).collect();
        for mv in game.moves(at) {
            let cells = cells(&game.notation(at, mv));
            let features = features(&board, mover.chars().next().unwrap(), &cells);
            let (code, meaning) =
                (game.move_code(at, mv).unwrap(), (game.move_number(mv).unwrap(), features));
            let known = meanings.entry(code).or_insert_with(|| meaning.clone());
            assert_eq!(*known, meaning, "{text}, code {code}");
            assert_eq!(*codes.entry(meaning).or_insert(code), code, "{text}");
        }
    });
    assert!(codes.len() > 100, "{}", codes.len());
}

#[test]
fn breakthrough_tells_what_a_piece_takes() {
    for pieces in [Pieces::Pawns, Pieces::Knights] {
        let game = Breakthrough::new(8, 8, pieces, false).unwrap();
        check(&game, |board, _, cells| (letter(board, cells[1]) != Some('.')).to_string());
    }
}

#[test]
fn capture_go_tells_the_four_neighbours() {
    let around = |board: &Board, mover: char, cells: &[(i32, i32)]| {
        let seen = |&letter: &char| match letter {
            '.' => '.',
            letter if letter == mover => 'm',
            _ => 't',
        };
        beside(board, cells).iter().map(seen).collect()
    };
    check(&CaptureGo::new(9, 9, Goal::Capture, false).unwrap(), around);
    check(&CaptureGo::new(5, 25, Goal::None, true).unwrap(), around);
}

#[test]
fn domineering_tells_the_six_cells_beside_a_domino() {
    let around = |board: &Board, _: char, cells: &[(i32, i32)]| beside(board, cells).iter().collect();
    check(&Domineering::new(8, 8, false), around);
    check(&Domineering::new(5, 11, true), around);
}
