//! The example game of Connect Four: its tree, its random games, and the laws.

#[path = "../game.rs"]
mod game;

use game::ConnectFour;
use shikou::game::conformance::assert_conforms;
use shikou::game::{Batch, FinishedGames, Game, GameExt, NamedGame, Outcome, Player, Turn, Uniform};
use shikou::game::{perft, run_playouts};
use shikou::rng::PlayoutKey;

#[test]
fn conforms() {
    assert_conforms(&ConnectFour);
    assert_eq!(ConnectFour::NAME, "connect-four");
}

#[test]
fn the_tree_has_the_published_size() {
    let published = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, expected) in (1..).zip(published) {
        let found = perft(&ConnectFour, &ConnectFour.start(), depth, FinishedGames::Skip);
        assert_eq!(found, expected, "depth {depth}");
    }
    // 13 032 games are won by the seventh ply; the published counts leave them out.
    assert_eq!(perft(&ConnectFour, &ConnectFour.start(), 8, FinishedGames::Count), 5_673_234 + 13_032);
}

#[test]
fn lines_of_four_win_in_every_direction() {
    let wins = [
        ("up", "1 2 1 2 1 2 1"),
        ("along a row", "1 1 2 2 3 3 4"),
        ("rising", "1 2 2 3 3 4 3 4 4 6 4"),
        ("falling", "7 6 6 5 5 4 5 4 4 2 4"),
    ];
    for (how, transcript) in wins {
        let board = ConnectFour.follow(transcript).unwrap();
        assert_eq!(ConnectFour.turn(&board), Turn::Over, "{how}");
        assert_eq!(ConnectFour.outcome(&board, Player::FIRST), Outcome::Win, "{how}");
    }
    // Three at the top of a column and one at the bottom of the next are no line.
    let board = ConnectFour.follow("2 1 3 1 4 1 1 2 1 2 1").unwrap();
    assert_eq!(ConnectFour.turn(&board), Turn::Player(Player::SECOND));
}

/// Published to ± .0004 (fractions) and ± .01 (plies). The key is fixed; a correct game fails for one key
/// in a million (z = 4.9).
#[test]
fn random_play_ends_as_published() {
    let games = 300_000_u32;
    let batch = Batch::new(PlayoutKey::new(42), games.into());
    let tally = run_playouts(&ConnectFour, &Uniform, &ConnectFour.start(), Player::FIRST, batch);
    let n = f64::from(games);
    let decided = tally.sum_squares as f64 / n;
    let lead = tally.sum as f64 / n;
    let first = f64::midpoint(decided, lead);
    let shares =
        [("first", first, 0.5554), ("second", decided - first, 0.4421), ("draw", 1.0 - decided, 0.0026)];
    for (who, found, published) in shares {
        let tolerance = 0.0004 + 4.9 * (published * (1.0 - published) / n).sqrt();
        assert!((found - published).abs() < tolerance, "{who}: {found} against {published} ± {tolerance}");
    }
    let plies = tally.plies as f64 / n;
    // No game is longer than 42 plies, so the deviation of one is below 21.
    assert!((plies - 21.31).abs() < 0.01 + 4.9 * 21.0 / n.sqrt(), "{plies}");
}
