//! Yavalath: ends of games by counting stones along each direction, and lines counted so.

use shikou::game::conformance::assert_conforms;
use shikou::game::{Game, GameExt, Player, Turn};
use shikou::games::yavalath::Yavalath;

use crate::boards::{best_value, exact, in_random_games};

type Board = Vec<Vec<char>>;

/// The length of the longest row of these stones, cell by cell.
fn longest(board: &Board, stone: char) -> usize {
    let at = |row: isize, column: isize| {
        let row = board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    };
    let cells =
        (0..board.len() as isize).flat_map(|row| (0..board.len() as isize).map(move |column| (row, column)));
    let runs = cells.flat_map(|(row, column)| {
        [(0, 1), (1, 0), (1, -1)].map(|(down, right)| {
            (0..11).take_while(|step| at(row + step * down, column + step * right) == Some(stone)).count()
        })
    });
    runs.max().unwrap()
}

fn board(text: &str) -> Board {
    text.split_once(' ').unwrap().0.split('/').map(|row| row.chars().collect()).collect()
}

#[test]
fn a_game_ends_by_its_longest_row() {
    for side in [2, 3, 5, 6] {
        let game = Yavalath::new(side);
        in_random_games(&game, 200, |position| {
            let board = board(&game.position_text(position).unwrap());
            let (first, second) = (longest(&board, 'x'), longest(&board, 'o'));
            let is_full = board.iter().flatten().all(|cell| *cell != '.');
            let payoff = match (first, second) {
                (4.., _) | (_, 3) => Some(1),
                (_, 4..) | (3, _) => Some(-1),
                _ => is_full.then_some(0),
            };
            let over = game.turn(position) == Turn::Over;
            assert_eq!(over.then(|| game.payoff(position, Player::FIRST)), payoff, "{board:?}");
        });
    }
}

/// The number of lines of a length, and the value of a board that is full after them for the player to move.
fn slow(board: &mut Board, stones: [char; 2], depth: usize) -> (u64, i32) {
    let value = match longest(board, stones[1]) {
        4.. => Some(-1),
        3 => Some(1),
        _ => board.iter().flatten().all(|cell| *cell != '.').then_some(0),
    };
    if depth == 0 || value.is_some() {
        return (u64::from(depth == 0), value.unwrap_or(0));
    }
    let (mut lines, mut best) = (0, -1);
    for cell in 0..board.len().pow(2) {
        let (row, column) = (cell / board.len(), cell % board.len());
        if board[row][column] == '.' {
            board[row][column] = stones[0];
            let (more, value) = slow(board, [stones[1], stones[0]], depth - 1);
            (lines, best) = (lines + more, best.max(-value));
            board[row][column] = '.';
        }
    }
    (lines, best)
}

#[test]
fn yavalath_has_the_lines_and_values_of_a_slow_count() {
    let start = |side| board(&Yavalath::new(side).position_text(&Yavalath::new(side).start()).unwrap());
    let lines = |side, depth| slow(&mut start(side), ['x', 'o'], depth).0;
    for (side, depth) in [(2, 7), (3, 5)] {
        let counted: Vec<u64> = (1..=depth).map(|depth| lines(side, depth)).collect();
        assert_eq!(exact(&Yavalath::new(side), depth as u32), counted);
    }
    assert_eq!(exact(&Yavalath::new(5), 3), [61, 61 * 60, 61 * 60 * 59]);
    assert_eq!(f64::from(slow(&mut start(2), ['x', 'o'], 7).1), best_value(&Yavalath::new(2)));
}

#[test]
fn yavalath_conforms() {
    for side in [2, 3, 5, 6] {
        assert_conforms(&Yavalath::new(side));
    }
}

#[test]
fn a_text_names_what_is_wrong() {
    let game = Yavalath::new(2);
    assert_eq!(game.position_text(&game.follow("b1 c1").unwrap()).as_deref(), Some("-xo/.../..- x"));
    for (text, reason) in
        [("xxo/.../..- x", "outside the hexagon: -../.../..- x"), ("-../xxx/..- x", "row of three")]
    {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
