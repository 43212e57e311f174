//! The puzzles of one player: their rules beside slow ones, counts, exact values, and the laws of games.

use std::collections::BTreeSet;

use shikou::game::conformance::assert_conforms;
use shikou::game::options::Options;
use shikou::game::{Batch, Game, GameExt, NamedGame, Outcome, Player, Policy, PolicyExt, Turn, Uniform};
use shikou::games::samegame::{self, SameGame, TabuColour};
use shikou::rng::{PlayoutKey, Stream};

/// The finished game of a rule for choosing moves, with each position shown and the move in it.
fn play<G: Game>(
    game: &G,
    start: &G::Position,
    mut choose: impl FnMut(&G::Position) -> G::Move,
    mut show: impl FnMut(&G::Position, G::Move, &G::Position),
) -> G::Position {
    let mut position = *start;
    while game.turn(&position) != Turn::Over {
        let mv = choose(&position);
        let next = game.after(&position, mv);
        show(&position, mv, &next);
        position = next;
    }
    position
}

/// `SameGame` as its rules read: columns of stones from the bottom.
#[derive(Clone, Debug, PartialEq)]
struct Columns(Vec<Vec<u8>>);

impl Columns {
    fn of(text: &str) -> Self {
        let board = text.split(' ').next().unwrap();
        let rows: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
        let column =
            |at: usize| rows.iter().rev().map(|row| row[at]).filter(|&stone| stone != b'.').collect();
        Self((0..rows[0].len()).map(column).filter(|column: &Vec<u8>| !column.is_empty()).collect())
    }

    /// The places, as column and row, of the group of a stone.
    fn group(&self, place: (usize, usize)) -> BTreeSet<(usize, usize)> {
        let stone = |(column, row): (usize, usize)| self.0.get(column)?.get(row).copied();
        let (mut group, mut waiting) = (BTreeSet::new(), vec![place]);
        while let Some(at @ (column, row)) = waiting.pop() {
            if stone(at).is_some() && stone(at) == stone(place) && group.insert(at) {
                waiting.extend([(column + 1, row), (column, row + 1)]);
                waiting.extend(column.checked_sub(1).map(|column| (column, row)));
                waiting.extend(row.checked_sub(1).map(|row| (column, row)));
            }
        }
        group
    }

    /// The groups of two or more, in the order of their first places.
    fn groups(&self) -> Vec<BTreeSet<(usize, usize)>> {
        let places = self.0.iter().enumerate().flat_map(|(c, column)| (0..column.len()).map(move |r| (c, r)));
        let groups = places.map(|place| (place, self.group(place)));
        groups
            .filter(|(place, group)| group.len() > 1 && group.first() == Some(place))
            .map(|(_, group)| group)
            .collect()
    }

    fn take(&mut self, group: &BTreeSet<(usize, usize)>) {
        for &(column, row) in group.iter().rev() {
            self.0[column].remove(row);
        }
        self.0.retain(|column| !column.is_empty());
    }

    fn penalty(&self) -> i32 {
        let left = |colour| self.0.iter().flatten().filter(|&&stone| stone == colour).count() as i32;
        (b'0'..b'7').map(|colour| (left(colour) - 2).max(0).pow(2)).sum()
    }
}

/// Plays a game beside the slow rules, and returns its payoff.
fn beside_columns(game: &SameGame, choose: impl FnMut(&samegame::Position) -> u8) -> i32 {
    let text = |position: &_| game.position_text(position).unwrap();
    let (start, mut points) = (game.start(), 0);
    let mut slow = Columns::of(&text(&start));
    let rows = text(&start).split('/').count();
    let name = |(column, row): (usize, usize)| format!("{}{}", (b'A' + column as u8) as char, rows - row);
    let end = play(game, &start, choose, |position, mv, next| {
        let groups = slow.groups();
        let names: Vec<String> =
            game.moves(position).map(|mv| game.notation(position, mv).to_uppercase()).collect();
        let expected = groups.iter().map(|group| name(*group.first().unwrap()));
        assert_eq!(names, expected.collect::<Vec<_>>(), "{}", game.drawing(position));
        let group = &groups[game.moves(position).position(|other| other == mv).unwrap()];
        for &place in group {
            let read = game.parse_move(position, &name(place));
            assert_eq!(read, Some(mv), "{place:?}\n{}", game.drawing(position));
        }
        points += (group.len() as i32 - 2).pow(2);
        slow.take(group);
        assert_eq!(Columns::of(&text(next)), slow, "{mv} on\n{}", game.drawing(position));
        assert_eq!(game.parse_position(&text(next)).as_ref(), Ok(next));
    });
    assert!(slow.groups().is_empty());
    let is_empty = slow.0.is_empty();
    let expected = if is_empty { points + 1000 } else { points - slow.penalty() };
    assert_eq!(game.payoff(&end, Player::FIRST), expected);
    assert_eq!(game.with_penalty(false).payoff(&end, Player::FIRST), points + 1000 * i32::from(is_empty));
    assert_eq!(game.outcome(&end, Player::FIRST) == Outcome::Win, is_empty);
    expected
}

#[test]
fn samegame_takes_falls_and_closes_as_its_rules_say() {
    let mut draws = PlayoutKey::new(1).playout(0);
    let mut emptied = 0;
    for (rows, columns, colours) in [(15, 15, 5), (15, 15, 2), (1, 15, 3), (15, 1, 2), (4, 7, 7), (9, 12, 3)]
    {
        for seed in 0..20 {
            let game = SameGame::random(rows, columns, colours, seed).unwrap();
            emptied +=
                i32::from(beside_columns(&game, |position| game.random_move(position, &mut draws)) >= 1000);
        }
    }
    assert!(emptied > 0, "no board was emptied");
}

#[test]
fn the_largest_groups_of_the_standard_boards_give_what_slow_rules_give() {
    let mut total = 0;
    for number in 1..=20 {
        let game = SameGame::standard(number).unwrap();
        let size = |position: &samegame::Position, mv| {
            let slow = Columns::of(&game.position_text(position).unwrap());
            slow.group((usize::from(mv / 16), usize::from(mv % 16))).len()
        };
        total += beside_columns(&game, |position| {
            game.moves(position).max_by_key(|&mv| size(position, mv)).unwrap()
        });
    }
    assert_eq!(total, 680);
}

/// Boards 11 to 15 have 45 stones of each colour, 16 to 20 have 65 of one.
#[test]
fn the_standard_boards_have_their_colours() {
    for number in 1..=20 {
        let text = SameGame::standard(number).map(|game| game.position_text(&game.start()).unwrap()).unwrap();
        let of_colour = |colour: char| text.matches(colour).count();
        let most = ('0'..='4').map(of_colour).max().unwrap();
        match number {
            11..=15 => assert_eq!(most, 45),
            16..=20 => assert_eq!(most, 65),
            _ => assert!(most < 65),
        }
    }
    let refused = SameGame::standard(21).unwrap_err().to_string();
    assert!(refused.contains("1 to 20"), "{refused}");
}

#[test]
fn a_tabu_colour_gains_points() {
    let game = SameGame::standard(1).unwrap();
    let mean = |policy: &dyn Policy<SameGame>| {
        policy.playouts(&game, &game.start(), Player::FIRST, Batch::new(PlayoutKey::new(2), 2000)).mean()
    };
    let [uniform, tabu, pairs] =
        [&Uniform as &dyn Policy<_>, &TabuColour::default(), &TabuColour { allows_pairs: true }].map(mean);
    assert!(tabu > pairs && pairs > uniform, "{uniform} {tabu} {pairs}");
}

#[test]
fn a_tabu_colour_waits_while_others_have_groups() {
    let game = SameGame::random(3, 5, 3, 0).unwrap();
    let names = |policy: TabuColour, text: &str| {
        let position = game.parse_position(text).unwrap();
        let moves = policy.distribution(&game, &position).into_iter();
        moves.map(|(mv, _)| game.notation(&position, mv)).collect::<Vec<_>>().join(" ")
    };
    let (strict, pairs) = (TabuColour::default(), TabuColour { allows_pairs: true });
    assert_eq!(names(strict, "1000./20010/22011"), "a3 d3");
    assert_eq!(names(pairs, "1000./20010/22011"), "a3 d3");
    // There is no group of another colour.
    assert_eq!(names(strict, "20200/02020/20200"), "d3");
    let error = game.parse_position("..../").unwrap_err().to_string();
    assert!(error.contains("expected 3 rows of 5 cells, 0 to 2"), "{error}");
    for (text, reason) in [
        ("00000/...../00000", "gap"),
        ("..000/.0000/.0000", "gap"),
        ("...../00000/00000 17 points 2 moves", "12 points 4 moves"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let long = SameGame::random(15, 15, 5, 3).unwrap();
    let mut late = long.start();
    for _ in 0..11 {
        let first = long.moves(&late).next().unwrap();
        long.apply(&mut late, first);
    }
    let slow = Columns::of(&long.position_text(&late).unwrap());
    let more: BTreeSet<u8> = pairs.distribution(&long, &late).into_iter().map(|(mv, _)| mv).collect();
    let fewer: BTreeSet<u8> = strict.distribution(&long, &late).into_iter().map(|(mv, _)| mv).collect();
    let two: BTreeSet<u8> = long
        .moves(&late)
        .filter(|mv| slow.group((usize::from(mv / 16), usize::from(mv % 16))).len() == 2)
        .collect();
    assert_eq!(more, fewer.union(&two).copied().collect());
    assert!(more.len() > fewer.len());
}

#[test]
fn samegame_conforms() {
    let of = |given: &[(&'static str, i64)]| {
        let given: Vec<_> = given.iter().map(|&(name, value)| (name, value.into())).collect();
        SameGame::with_options(&Options::new(&SameGame::options(), given).unwrap())
    };
    assert_conforms(&of(&[]).unwrap());
    assert_conforms(&of(&[("board", 20)]).unwrap().with_penalty(false));
    assert_conforms(&of(&[("board", 0), ("colours", 2), ("seed", 5)]).unwrap());
    assert_conforms(&of(&[("board", 0), ("rows", 3), ("columns", 4), ("colours", 3)]).unwrap());
    let refused = of(&[("rows", 3)]).unwrap_err().to_string();
    assert!(refused.contains("they need `board = 0`"), "{refused}");
    let game = of(&[("board", 0), ("rows", 2)]).unwrap();
    let boards = [1, 2].map(|seed| game.random_board(&mut Stream::new(seed).rng()));
    assert!(boards[0] != boards[1] && boards.iter().all(|board| game.turn(board) != Turn::Over));
}
