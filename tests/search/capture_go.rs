//! NoGo and AtariGo: perft, the published values of small boards, and legal moves by flood fill.

use shikou::game::conformance::assert_conforms;
use shikou::game::options::OptionError;
use shikou::game::{Game, GameExt, Player, Turn};
use shikou::games::capture_go::{CaptureGo, Goal};

use crate::boards::{exact, in_random_games, outcomes};

fn game(rows: u8, columns: u8, goal: Goal) -> CaptureGo {
    CaptureGo::new(rows, columns, goal, false).unwrap()
}

/// The outcomes of `NoGo` on boards with these rows, one for each number of columns.
fn no_go(rows: u8, columns: std::ops::RangeInclusive<u8>) -> String {
    outcomes(columns.map(|columns| game(rows, columns, Goal::None)))
}

/// Counted by a program of its own.
#[test]
fn no_go_has_its_perft() {
    assert_eq!(exact(&game(5, 5, Goal::None), 3), [25, 600, 13_792]);
    assert_eq!(exact(&game(9, 9, Goal::None), 2), [81, 6480]);
}

/// MCGS (University of Alberta), tables of NoGo.
#[test]
fn no_go_has_the_published_values_of_small_boards() {
    assert_eq!(no_go(2, 2..=8), "NPPNNNN");
    assert_eq!(no_go(3, 3..=5), "NPN");
    assert_eq!(no_go(1, 1..=14), "PNNPNNNNNNNNNN");
}

type Cell = (usize, usize);

fn beside(board: &[Vec<char>], (row, column): Cell) -> impl Iterator<Item = Cell> {
    let (rows, columns) = (board.len(), board[0].len());
    [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().filter_map(move |(down, right)| {
        let (row, column) = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
        (row < rows && column < columns).then_some((row, column))
    })
}

fn has_liberty(board: &[Vec<char>], at: Cell) -> bool {
    let (mut group, mut next) = (vec![at], 0);
    while next < group.len() {
        for cell in beside(board, group[next]) {
            let found = board[cell.0][cell.1];
            if found == '.' {
                return true;
            }
            if found == board[at.0][at.1] && !group.contains(&cell) {
                group.push(cell);
            }
        }
        next += 1;
    }
    false
}

/// The legal moves by the letter of the rules: put the stone, then look at the groups beside it and its own; none if a group is captured already.
fn slow_moves(board: &[Vec<char>], mover: char, goal: Goal) -> Vec<Cell> {
    let cells = || (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column)));
    if cells().any(|cell| board[cell.0][cell.1] == mover && !has_liberty(board, cell)) {
        return Vec::new();
    }
    let is_legal = |&(row, column): &Cell| {
        let mut board = board.to_vec();
        board[row][column] = mover;
        let captures = beside(&board, (row, column))
            .any(|cell| !['.', mover].contains(&board[cell.0][cell.1]) && !has_liberty(&board, cell));
        match goal {
            Goal::Capture => captures || has_liberty(&board, (row, column)),
            Goal::None => !captures && has_liberty(&board, (row, column)),
        }
    };
    cells().filter(|&(row, column)| board[row][column] == '.').filter(is_legal).collect()
}

#[test]
fn legal_moves_are_those_of_a_flood_fill() {
    for (rows, columns, goal) in
        [(9, 9, Goal::None), (9, 9, Goal::Capture), (1, 9, Goal::None), (4, 3, Goal::Capture)]
    {
        let game = game(rows, columns, goal);
        in_random_games(&game, 60, |position| {
            let text = game.position_text(position).unwrap();
            let (stones, mover) = text.split_once(' ').unwrap();
            let board: Vec<Vec<char>> = stones.split('/').map(|row| row.chars().collect()).collect();
            let moves: Vec<u8> = game.moves(position).collect();
            let slow = slow_moves(&board, mover.chars().next().unwrap(), goal);
            let slow: Vec<u8> =
                slow.into_iter().map(|(row, column)| row as u8 * columns + column as u8).collect();
            assert_eq!(moves, slow, "{text}");
            assert_eq!(game.turn(position) == Turn::Over, moves.is_empty());
        });
    }
}

#[test]
fn a_stone_without_a_free_cell_may_capture() -> Result<(), OptionError> {
    let game = CaptureGo::new(3, 3, Goal::Capture, false)?;
    let position = game.parse_position(".ox/ox./... x").unwrap();
    let end = game.after(&position, game.parse_move(&position, "a1").unwrap());
    assert_eq!((game.turn(&end), game.payoff(&end, Player::FIRST)), (Turn::Over, 1));
    let misere = CaptureGo::new(3, 3, Goal::Capture, true)?;
    assert_eq!(misere.payoff(&end, Player::FIRST), -1);
    Ok(())
}

#[test]
fn capture_go_conforms() {
    for goal in [Goal::Capture, Goal::None] {
        assert_conforms(&game(9, 9, goal));
        assert_conforms(&game(1, 7, goal));
        assert_conforms(&CaptureGo::new(5, 11, goal, true).unwrap());
    }
    let error = game(2, 2, Goal::None).parse_position("xo/ox x").unwrap_err();
    assert_eq!(error.to_string(), "the group of a1 has no free cell beside it");
    assert!(CaptureGo::new(12, 11, Goal::None, false).unwrap_err().to_string().contains("at most 128"));
}
