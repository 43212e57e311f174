//! Othello, compared with published numbers, recorded games, and a slow, simple search.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use shikou::game::options::{OptionError, OptionValue, Options};
use shikou::game::{
    Batch, Bits, FinishedGames, Game, GameExt, NamedEvaluation, NamedGame, Outcome, Player, PolicyExt, Turn,
    Uniform, View, perft, run_playouts,
};
use shikou::games::othello::wthor::{self, WthorError};
use shikou::games::othello::{Empties, Move, Othello, Position, Reward};
use shikou::rng::{PlayoutKey, PlayoutRng, Stream};

use crate::support::{large_data, sample_data};

/// Leaves after 1 … 12 plies on 8×8. A pass is a ply, and a finished game stays one leaf. The second numbers are the
/// leaves that are games finished earlier. Source: Aart Bik, "Perft for reversi",
/// <http://aartbik.com/MISC/reversi.html>, which lists the second numbers one ply later, because there a player passes
/// once more after the end.
const PERFT: [(u64, u64); 12] = [
    (4, 0),
    (12, 0),
    (56, 0),
    (244, 0),
    (1_396, 0),
    (8_200, 0),
    (55_092, 0),
    (390_216, 0),
    (3_005_288, 0),
    (24_571_284, 228),
    (212_258_800, 584),
    (1_939_886_636, 6_968),
];

fn check_perft(depth: usize) {
    let game = Othello::default();
    let leaves = |finished| perft(&game, &game.start(), depth as u32, finished);
    let (count, ended) = PERFT[depth - 1];
    assert_eq!(leaves(FinishedGames::Count), count, "{depth} plies");
    assert_eq!(leaves(FinishedGames::Skip), count - ended, "{depth} plies");
}

/// A line of perfect play from both sides (Takizawa 2023, "Othello is solved").
const OPTIMAL: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3\
                       a4a1a2c1h2h1g2b8a8g7h8h7h6";

#[test]
fn perft_to_10_plies_is_the_published_one() {
    (1..=10).for_each(check_perft);
}

#[test]
#[ignore = "long: half a minute"]
fn perft_of_11_and_12_plies_is_the_published_one() {
    (11..=12).for_each(check_perft);
}

#[test]
fn the_four_first_moves_are_one() {
    let game = Othello::default();
    let leaves = |(_, child)| perft(&game, &child, 6, FinishedGames::Skip);
    assert_eq!(game.children(&game.start()).map(leaves).collect::<Vec<_>>(), [PERFT[6].0 / 4; 4]);
}

/// The value for the player to move, by exhaustive search.
fn negamax(game: &Othello, position: &Position, known: &mut BTreeMap<String, i32>) -> i32 {
    let Turn::Player(player) = game.turn(position) else {
        return game.score(position, position.to_move());
    };
    let key = game.board_text(position);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut best = i32::MIN;
    for mv in game.moves(position) {
        let child = game.after(position, mv);
        let value = negamax(game, &child, known);
        best = best.max(if child.to_move() == player { value } else { -value });
    }
    known.insert(key, best);
    best
}

#[test]
fn the_4x4_game_is_lost_by_8_discs_or_by_10_with_the_empties() {
    let game = Othello::new(4);
    assert_eq!(negamax(&game, &game.start(), &mut BTreeMap::new()), -8);
    let tournament = game.with_empties_to_winner();
    assert_eq!(negamax(&tournament, &game.start(), &mut BTreeMap::new()), -10);
}

#[test]
fn the_optimal_line_is_a_draw() {
    let game = Othello::default();
    let mut position = game.start();
    let mut moves = Vec::new();
    game.follow_from(&mut position, OPTIMAL, &mut |mv| moves.push(mv)).unwrap();
    assert_eq!(game.turn(&position), Turn::Over);
    assert_eq!(position.discs(Player::FIRST).count_ones(), 32);
    assert_eq!(position.discs(Player::SECOND).count_ones(), 32);
    assert_eq!(game.outcome(&position, Player::FIRST), Outcome::Draw);
    assert_eq!(game.transcript(&moves), OPTIMAL);
    assert_eq!(game.follow(&OPTIMAL.to_uppercase()).unwrap(), position);
    let error = game.follow(&format!("{OPTIMAL} a1")).unwrap_err();
    assert_eq!(error.to_string(), "ply 61: `a1` is not a legal move here; the game is over");
}

/// Totals over recorded games.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    games: usize,
    plies: u32,
    passes: u32,
    unlike_score: usize,
    unfinished: usize,
}

impl Totals {
    fn add(&mut self, path: &Path) {
        let bytes = fs::read(path).unwrap();
        let file = wthor::read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.games += file.len();
        for (number, record) in (1..).zip(file.records()) {
            let replay =
                record.replay().unwrap_or_else(|error| panic!("{}: game {number}: {error}", path.display()));
            self.plies += replay.plies;
            self.passes += replay.passes;
            self.unlike_score += usize::from(replay.black_score() != record.black_score());
            self.unfinished += usize::from(!replay.is_finished());
        }
    }
}

#[test]
fn the_games_of_1978_are_legal() {
    let path = sample_data("WTH_1978.wtb");
    let mut totals = Totals::default();
    totals.add(&path);
    assert_eq!(totals, Totals { games: 8, plies: 494, passes: 15, unlike_score: 0, unfinished: 0 });

    let bytes = fs::read(path).unwrap();
    let file = wthor::read(&bytes).unwrap();
    assert_eq!((file.len(), file.is_empty()), (8, false));
    // Reading a record as a transcript gives the same game: the passes are found again.
    let game = Othello::default();
    for record in file.records() {
        let text: String = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(game.follow(&text).unwrap(), record.replay().unwrap().position);
    }
}

#[test]
fn all_games_between_people_are_legal() {
    let Some(folder) = large_data("wthor") else { return };
    let mut totals = Totals::default();
    for entry in fs::read_dir(folder).unwrap() {
        totals.add(&entry.unwrap().path());
    }
    assert_eq!((totals.games, totals.passes, totals.unlike_score), (99_846, 107_581, 401), "{totals:?}");
}

#[test]
fn damaged_wthor_files_are_refused_with_the_reason() {
    let whole = fs::read(sample_data("WTH_1978.wtb")).unwrap();
    let error = |change: fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        wthor::read(&bytes).unwrap_err()
    };
    assert_eq!(error(|bytes| bytes.truncate(9)), WthorError::Header { found: 9 });
    assert_eq!(
        error(|bytes| bytes.truncate(559)).to_string(),
        "8 games take 560 bytes, but the file has 559: it may be cut off"
    );
    assert_eq!(
        error(|bytes| bytes.push(0)).to_string(),
        "8 games take 560 bytes, but the file has 561: the bytes after the last game are unknown"
    );
    assert_eq!(error(|bytes| bytes[7] = 255).to_string().split(' ').next(), Some("4278190088"));
    assert_eq!(error(|bytes| bytes[12] = 10), WthorError::BoardSize(10));
    assert_eq!(error(|bytes| bytes[16 + 68 + 8] = 19), WthorError::Square { game: 2, number: 1, code: 19 });
    assert_eq!(error(|bytes| bytes[16 + 9] = 0), WthorError::Gap { game: 1, number: 3 });
    for code in [1, 9, 10, 80, 90, 99, 255] {
        let mut bytes = whole.clone();
        bytes[16 + 8 + 5] = code;
        assert_eq!(wthor::read(&bytes).unwrap_err(), WthorError::Square { game: 1, number: 6, code });
    }
    // A square, but no legal move: the file is well formed, the game is not.
    let mut bytes = whole.clone();
    bytes[16 + 8 + 1] = 11;
    let file = wthor::read(&bytes).unwrap();
    let error = file.records().next().unwrap().replay().unwrap_err();
    assert_eq!(error.to_string(), "ply 2: a1 is not a legal move");
}

/// Each problem's listed moves, which must be all legal ones. Returns the number of problems.
fn check_problems(path: &Path) -> usize {
    let game = Othello::default();
    let text = fs::read_to_string(path).unwrap();
    for line in text.lines() {
        let (board, moves) = line.split_once(';').unwrap();
        let position = game.parse_board(board).unwrap();
        assert_eq!(game.board_text(&position), board.trim());
        let listed = moves.split(';').filter_map(|entry| entry.trim().split_once(':'));
        let mut listed: Vec<String> = listed.map(|(square, _)| square.to_lowercase()).collect();
        let mut legal: Vec<String> = game.moves(&position).map(|mv| mv.to_string()).collect();
        listed.sort();
        legal.sort();
        assert_eq!(listed, legal, "{line}");
        assert!(listed.iter().all(|square| game.parse_move(&position, square).is_some()));
    }
    text.lines().count()
}

#[test]
fn the_moves_of_the_sample_problems_are_the_legal_ones() {
    assert_eq!(check_problems(&sample_data("ffo.obf")), 3);
}

#[test]
fn the_moves_of_all_problems_are_the_legal_ones() {
    let Some(folder) = large_data("ffo") else { return };
    let problems: usize =
        fs::read_dir(folder).unwrap().map(|entry| check_problems(&entry.unwrap().path())).sum();
    assert_eq!(problems, 29);
}

/// A mean and its standard error, from independent observations.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.count - self.mean().powi(2)).sqrt()
    }

    /// Fails by chance once in 10⁶ (z = 4.9); `slack` is the rounding of the published figure.
    #[track_caller]
    fn assert_near(&self, expected: f64, slack: f64) {
        let bound = 4.9 * self.deviation() / self.count.sqrt() + slack;
        assert!((self.mean() - expected).abs() < bound, "{} is not {expected} ± {bound}", self.mean());
    }
}

/// Figures of 3·10⁶ games, here compared with 10⁵. The key is fixed: the test cannot fail by chance later.
#[test]
fn random_games_have_the_known_statistics() {
    let game = Othello::default();
    let key = PlayoutKey::new(2026);
    let [mut black, mut white, mut draw, mut discs, mut tournament, mut plies, mut passes, mut mobility] =
        std::array::from_fn(|_| Mean::default());
    for index in 0..100_000 {
        let mut draws = key.playout(index);
        let mut position = game.start();
        let (mut length, mut passed, mut surplus) = (0.0, 0.0, 0.0);
        while game.turn(&position) != Turn::Over {
            if position.must_pass() {
                passed += 1.0;
            } else {
                surplus += f64::from(game.move_count(&position)) - 8.54;
            }
            length += 1.0;
            let mv = game.random_move(&position, &mut draws);
            game.apply(&mut position, mv);
        }
        let difference = game.score(&position, Player::FIRST);
        black.add(f64::from(difference > 0));
        white.add(f64::from(difference < 0));
        draw.add(f64::from(difference == 0));
        discs.add(f64::from(difference));
        tournament.add(f64::from(game.with_empties_to_winner().score(&position, Player::FIRST)));
        plies.add(length);
        passes.add(passed);
        mobility.add(surplus);
    }
    black.assert_near(0.4540, 0.0006);
    white.assert_near(0.5043, 0.0006);
    draw.assert_near(0.0417, 0.0006);
    discs.assert_near(-0.88, 0.02);
    tournament.assert_near(-0.868, 0.02);
    plies.assert_near(60.41, 0.005);
    passes.assert_near(0.447, 0.0005);
    // The mean over all turns with a move is 8.54 if the surplus over it is 0 per game of about 60 turns.
    mobility.assert_near(0.0, 60.0 * 0.005);
    // The standard error of a deviation is at most that of a normal one here: the tails are bounded.
    let bound = 4.9 * 18.2 / (2.0 * discs.count).sqrt() + 0.05;
    assert!((discs.deviation() - 18.2).abs() < bound, "{}", discs.deviation());
}

/// Random games on each size, with every position seen by `check` before each move and at the end.
fn random_games(games: u64, mut check: impl FnMut(&Othello, &Position, &[Move])) {
    for size in [4, 6, 8] {
        let game = Othello::new(size);
        let key = (Stream::new(7) / "othello games" / u64::from(size)).playout_key();
        for index in 0..games {
            let mut draws = key.playout(index);
            let mut position = game.start();
            let mut moves = Vec::new();
            check(&game, &position, &moves);
            while game.turn(&position) != Turn::Over {
                let mv = game.random_move(&position, &mut draws);
                game.play(&mut position, mv).unwrap();
                moves.push(mv);
                check(&game, &position, &moves);
            }
        }
    }
}

#[test]
fn boards_and_transcripts_are_read_back() {
    let mut passes = 0;
    random_games(300, |game, position, moves| {
        let text = game.board_text(position);
        assert_eq!(game.parse_board(&text).as_ref(), Ok(position), "{text}");
        if game.turn(position) == Turn::Over {
            let mut seen = Vec::new();
            let mut again = game.start();
            let transcript = game.transcript(moves);
            game.follow_from(&mut again, &transcript, &mut |mv| seen.push(mv)).unwrap();
            assert_eq!((again, seen.as_slice()), (*position, moves), "{transcript}");
            passes += moves.iter().filter(|&&mv| mv == Move::PASS).count();
        }
    });
    assert!(passes > 100, "{passes}");
}

#[test]
fn the_facts_hold_in_random_games() {
    random_games(300, |game, position, moves| {
        let count = game.moves(position).count() as u32;
        assert_eq!(game.move_count(position), count);
        assert_eq!(game.turn(position) == Turn::Over, count == 0);
        assert_eq!(position.must_pass(), game.moves(position).eq([Move::PASS]));
        assert!(Bits::new(position.moves()).all(|square| game.playable() >> square & 1 == 1));
        assert_eq!((position.discs(Player::FIRST) | position.discs(Player::SECOND)) & !game.playable(), 0);
        assert_eq!(position.discs(Player::FIRST) & position.discs(Player::SECOND), 0);
        assert!(moves.len() as u32 <= game.facts().max_plies.unwrap());
        for mv in game.moves(position) {
            assert_eq!(game.parse_move(position, &game.notation(position, mv).to_uppercase()), Some(mv));
        }
        let is_antisymmetric =
            |of: &NamedEvaluation<Othello>| of.evaluation.facts().view == View::Antisymmetric;
        for evaluation in game.entries().evaluations.into_iter().filter(is_antisymmetric) {
            let value = |player| evaluation.evaluation.evaluate(game, position, player);
            assert_eq!(value(Player::FIRST), -value(Player::SECOND), "{}", evaluation.name);
        }
    });
}

#[test]
fn payoffs_follow_the_options() {
    for (board, discs, tournament) in [
        ("XXXXXXXXXXXX---O X", 11, 14),
        ("OOOOXXXXOOOOOOOO X", -8, -8),
        ("XXXXXXXXOOOOOOOO O", 0, 0),
        ("---------------O O", -1, -16),
        ("---------------- X", 0, 0),
    ] {
        let game = Othello::new(4);
        let position = game.parse_board(board).unwrap();
        assert_eq!(game.turn(&position), Turn::Over, "{board}");
        for (player, sign) in [(Player::FIRST, 1), (Player::SECOND, -1)] {
            assert_eq!(game.payoff(&position, player), sign * i32::signum(discs));
            assert_eq!(game.score(&position, player), sign * discs);
            let game = game.with_empties_to_winner();
            assert_eq!(game.payoff(&position, player), sign * i32::signum(discs));
            assert_eq!(game.score(&position, player), sign * tournament);
            let game = game.with_reward_score();
            assert_eq!(game.payoff(&position, player), sign * tournament);
            let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(1 + sign * discs.signum()) as usize];
            assert_eq!(game.outcome(&position, player), outcome);
        }
    }
}

/// The last mover is not part of a finished position, but the player to move is part of an unfinished one.
#[test]
fn positions_are_equal_if_their_futures_are() {
    let game = Othello::new(4);
    let read = |text: &str| game.parse_board(text).unwrap();
    assert_eq!(read("XXXXXXXXOOOOOOOO X"), read("XXXXXXXXOOOOOOOO O"));
    assert_ne!(read("-----OX--XO----- X"), read("-----OX--XO----- O"));
}

#[test]
fn options_are_read_and_refused() {
    let with = |given: &[(&str, OptionValue)]| {
        Options::new(&Othello::options(), given.iter().cloned()).and_then(|o| Othello::with_options(&o))
    };
    assert_eq!(with(&[]), Ok(Othello::default()));
    let game = with(&[("size", 6.into()), ("empties", "winner".into()), ("reward", "score".into())]).unwrap();
    assert_eq!((game.size(), game.empties(), game.reward()), (6, Empties::Winner, Reward::Score));
    assert_eq!(game, Othello::new(6).with_empties_to_winner().with_reward_score());
    assert_eq!(game.facts().max_payoff, 36);
    let message = "`size` is 5, but an Othello board is 4, 6 or 8 wide";
    assert_eq!(with(&[("size", 5.into())]), Err(OptionError::Other(message.into())));
    assert!(with(&[("size", 10.into())]).is_err());
}

/// The fast batch and the plain loop agree.
#[test]
fn batches_agree_with_games_played_by_hand() {
    for size in [4, 6, 8] {
        let game = Othello::new(size).with_reward_score();
        let batch = Batch::new(PlayoutKey::new(3), 200);
        let tally = Uniform.playouts(&game, &game.start(), Player::SECOND, batch);
        assert_eq!(tally, run_playouts(&game, &Uniform, &game.start(), Player::SECOND, batch));
        let mut sum = 0;
        for index in 0..200 {
            let mut draws: PlayoutRng = batch.key.playout(index);
            let mut position = game.start();
            while game.turn(&position) != Turn::Over {
                let moves: Vec<Move> = game.moves(&position).collect();
                let mv = moves[draws.below(moves.len() as u32) as usize];
                game.apply(&mut position, mv);
            }
            sum += i64::from(game.payoff(&position, Player::SECOND));
        }
        assert_eq!(tally.sum, sum);
    }
}
