//! Games of Othello from which weights of n-tuples are learned by temporal differences, on one core, beside a
//! straightforward learner of the same weights.
//!
//! `cargo bench --bench learning`; the items are games of self-play, each played and learned.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shikou::game::tuples::{Seen, TupleTable, tables_of_shapes};
use shikou::game::{Game, NamedGame, Outcome, Player, Turn};
use shikou::games::othello::{Move, Othello, Position};
use shikou::learn::{
    Actor, Episode, GameEnvironment, Input, Learner, Squares, Step, Target, TdSettings, TupleSum,
};
use shikou::rng::Stream;

fn main() {
    divan::main();
}

/// The games of a round, and of a batch with the same weights.
const GAMES: u64 = 96;
const BATCH: u64 = 16;

/// 288, 2511 and 173,826 weights.
const SHAPES: [&str; 3] = ["all-2", "all-4+2x2", "lines+a1:111|111|111+a1:11111|11111+a1:11111111|01000010"];

const SETTINGS: TdSettings =
    TdSettings { lambda: 0.0, step: [1.0, 0.01], random: 0.1, target: Target::Played };

fn tables(shapes: &str) -> Vec<TupleTable> {
    let game = Othello::default();
    tables_of_shapes(&game, &*game.entries().board.expect("Othello has a board"), shapes)
        .expect("the shapes fit")
}

/// Plays games in batches and learns them. Returns the weights.
fn train(
    places: &TupleSum,
    play: impl Fn(&Learner, Stream) -> Episode,
    learn: impl Fn(&mut Learner, &Episode),
) -> Vec<f64> {
    let mut learner = Learner::new(places.clone(), Seen::Inversion, SETTINGS, false);
    for first in (0..GAMES).step_by(BATCH as usize) {
        let luck = |number| Stream::new(1) / number;
        let episodes: Vec<Episode> =
            (first..first + BATCH).map(|number| play(&learner, luck(number))).collect();
        for episode in &episodes {
            learn(&mut learner, episode);
        }
    }
    learner.weights().to_vec()
}

fn played(learner: &Learner, luck: Stream) -> Episode {
    let game = Othello::default();
    let board = game.entries().board.expect("Othello has a board");
    let input = Input::squares(&game, board, Squares::Bits);
    let actor = Actor::of_tuples(learner, 200);
    actor.play(&mut GameEnvironment::<_, ()>::new(&game, Some(&input)), None, luck).expect("the game ends")
}

/// A game by the definitions: each place is looked up after each move.
fn played_plainly(tables: &[TupleTable], learner: &Learner, luck: Stream) -> Episode {
    let (game, mut draws, mut episode) = (Othello::default(), (luck / "actor").rng(), Episode::default());
    let indices = |position: &Position, player: Player| {
        let owner = |square: usize| {
            let has = |player: Player| (position.discs(player) >> square & 1) as u32;
            1 + has(player) - has(player.other())
        };
        let (mut begin, mut indices) = (0, Vec::new());
        for table in tables {
            for place in &table.places {
                indices.push(begin + place.iter().fold(0, |index, &square| 3 * index + owner(square)));
            }
            begin += table.weights() as u32;
        }
        indices
    };
    let mut position = game.start();
    while let Turn::Player(player) = game.turn(&position) {
        let moves: Vec<Move> = game.moves(&position).collect();
        let random = (draws.unit() < SETTINGS.random).then(|| draws.below(moves.len() as u64) as usize);
        let after = |mv: Move| {
            let mut after = position;
            game.apply(&mut after, mv);
            indices(&after, player)
        };
        let value = |mv: Move| TupleSum::sum(learner.weights(), &after(mv));
        let (mv, value) = random.map_or_else(
            || {
                let (mut best, mut most, mut ties) = (moves[0], f64::NEG_INFINITY, 0);
                for &mv in &moves {
                    let value = value(mv);
                    if value > most + 1e-9 {
                        (best, most, ties) = (mv, value, 1);
                    } else if value > most - 1e-9 {
                        ties += 1;
                        if draws.below(ties) == 0 {
                            best = mv;
                        }
                    }
                }
                (best, most)
            },
            |number| (moves[number], value(moves[number])),
        );
        let expected = 1.0 / (1.0 + libm::exp(-value));
        episode.steps.push(Step { player, expected, is_random: false });
        episode.seen.extend(after(mv));
        game.apply(&mut position, mv);
    }
    episode.points = match game.outcome(&position, Player::FIRST) {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    };
    episode
}

#[divan::bench(args = SHAPES)]
fn td_game(bencher: Bencher<'_, '_>, shapes: &str) {
    let tables = tables(shapes);
    let places = TupleSum::new(64, &tables);
    let learn = |learner: &mut Learner, episode: &Episode| learner.learn(episode, 0.5);
    let plain = train(&places, |learner, luck| played_plainly(&tables, learner, luck), learn);
    assert_eq!(train(&places, played, learn), plain, "both learn the same weights");
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| train(black_box(&places), played, learn));
}

#[divan::bench(args = SHAPES)]
fn td_game_straightforward(bencher: Bencher<'_, '_>, shapes: &str) {
    let tables = tables(shapes);
    let places = TupleSum::new(64, &tables);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        train(
            black_box(&places),
            |learner, luck| played_plainly(&tables, learner, luck),
            |learner, episode| learner.learn(episode, 0.5),
        )
    });
}
