//! Games of Othello by players that look a few plies ahead with an evaluation, on one core, each beside a straightforward
//! player that makes the same moves; and making a candidate of an optimisation.
//!
//! `cargo bench --bench evaluations`; the items are games, or candidates.

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use shikou::game::tuples::{Seen, TupleTable, Tuples, tables_of_shapes};
use shikou::game::{BlindToEnds, Evaluation, Game, Linear, NamedGame, Player, Turn};
use shikou::games::othello::{Discs, Othello, Position, Weights};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, FullWidth, Limits, Meter, MoveStream, RootValues, Searcher, Ties,
};

fn main() {
    divan::main();
}

type Valued = Arc<dyn Evaluation<Othello>>;

/// The games of a round.
const GAMES: u64 = 100;

/// Real weights in `[-1, 1]`.
fn weights(count: usize) -> Vec<f64> {
    let mut rng = (Stream::new(1) / "weights").rng();
    (0..count).map(|_| rng.below(20_001) as f64 / 10_000.0 - 1.0).collect()
}

fn squares() -> Valued {
    let game = Othello::default();
    let named =
        game.entries().features.into_iter().find(|named| named.name == "squares").expect("there are squares");
    let linear =
        Linear::of_reals(&game, named.features, &weights(64), 1e-4).expect("the sum is in the range");
    Arc::new(BlindToEnds::new(Arc::new(linear)))
}

fn tables(shapes: &str) -> Vec<TupleTable> {
    let game = Othello::default();
    let board = game.entries().board.expect("Othello has a board");
    tables_of_shapes(&game, &*board, shapes).expect("the shapes fit")
}

fn tuples(shapes: &str) -> Valued {
    let (game, tables) = (Othello::default(), tables(shapes));
    let board = game.entries().board.expect("Othello has a board");
    let weights = weights(tables.iter().map(TupleTable::weights).sum());
    let tuples = Tuples::new(&game, board, &tables, &weights, Seen::Inversion, 1e-6);
    Arc::new(BlindToEnds::new(Arc::new(tuples.expect("the sum is in the range"))))
}

/// The end of a game between two players, the first of whom is black.
fn play(players: &mut [&mut dyn Searcher<Othello>; 2], number: u64) -> i32 {
    let game = Othello::default();
    let keys = [PlayoutKey::new(number).child(0), PlayoutKey::new(number).child(1)];
    let mut position = game.start();
    let mut ply = 0;
    while let Turn::Player(mover) = game.turn(&position) {
        let mut meter = Meter::new(Limits::default());
        let stream = MoveStream::new(keys[mover.index()].child(ply));
        let decision = players[mover.index()].choose(&game, &position, stream, &mut meter);
        game.apply(&mut position, decision.expect("there is no budget").chosen);
        ply += 1;
    }
    game.score(&position, Player::FIRST)
}

/// The sum of the scores of some games, with new players for each.
fn all(
    black: &dyn Fn() -> Box<dyn Searcher<Othello>>,
    white: &dyn Fn() -> Box<dyn Searcher<Othello>>,
) -> i32 {
    (0..GAMES).map(|number| play(&mut [&mut *black(), &mut *white()], number)).sum()
}

/// A one-ply player of the League: a tenth of its moves are random.
fn league(evaluation: &Valued) -> Box<dyn Searcher<Othello>> {
    Box::new(FullWidth::greedy(1, evaluation.clone(), 0.1, Ties::Random))
}

/// An evaluation that values positions one by one, by a loop over its terms.
struct Plain<F>(F);

impl<F: Fn(&Position, Player) -> i64 + Send + Sync> Evaluation<Othello> for Plain<F> {
    fn evaluate(&self, _game: &Othello, position: &Position, player: Player) -> i64 {
        (self.0)(position, player)
    }

    fn finished(&self, _game: &Othello, position: &Position, player: Player) -> i64 {
        (self.0)(position, player)
    }
}

/// The owner of a square: 0 the other, 1 nobody, 2 the player.
fn owner(position: &Position, player: Player, square: usize) -> usize {
    let has = |player: Player| (position.discs(player) >> square & 1) as usize;
    1 + has(player) - has(player.other())
}

fn plain_tuples(shapes: &str) -> Valued {
    let tables = tables(shapes);
    let weights = weights(tables.iter().map(TupleTable::weights).sum());
    let weights: Vec<i64> = weights.into_iter().map(|weight| (weight / 1e-6).round() as i64).collect();
    Arc::new(Plain(move |position: &Position, player| {
        let (mut begin, mut sum) = (0, 0);
        for table in &tables {
            for place in &table.places {
                let digits = place.iter().map(|&square| owner(position, player, square));
                sum += weights[begin + digits.fold(0, |index, digit| 3 * index + digit)];
            }
            begin += table.weights();
        }
        sum
    }))
}

fn plain_squares() -> Valued {
    let weights: Vec<i64> = weights(64).into_iter().map(|weight| (weight / 1e-4).round() as i64).collect();
    Arc::new(Plain(move |position: &Position, player| {
        (0..64).map(|square| weights[square] * (owner(position, player, square) as i64 - 1)).sum()
    }))
}

fn bench_league(bencher: Bencher<'_, '_>, evaluation: &Valued) {
    let against: Valued = Arc::new(BlindToEnds::new(Arc::new(Weights)));
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| all(&|| league(evaluation), &|| league(black_box(&against))));
}

/// Games of n-tuples against the weighted piece counter, as in the Othello League.
#[divan::bench(args = ["all-2", "all-3", "all-4"])]
fn league_game(bencher: Bencher<'_, '_>, shapes: &str) {
    let against: Valued = Arc::new(BlindToEnds::new(Arc::new(Weights)));
    let score = |evaluation: &Valued| all(&|| league(evaluation), &|| league(&against));
    assert_eq!(score(&tuples(shapes)), score(&plain_tuples(shapes)), "both play the same games");
    bench_league(bencher, &tuples(shapes));
}

#[divan::bench(args = ["all-2", "all-3", "all-4"])]
fn league_game_straightforward(bencher: Bencher<'_, '_>, shapes: &str) {
    bench_league(bencher, &plain_tuples(shapes));
}

fn bench_squares(bencher: Bencher<'_, '_>, evaluation: &Valued, depth: u32) {
    let random: Valued = Arc::new(Discs);
    let white = || -> Box<dyn Searcher<Othello>> {
        Box::new(FullWidth::greedy(1, random.clone(), 1.0, Ties::Random))
    };
    let black = || -> Box<dyn Searcher<Othello>> {
        Box::new(FullWidth::greedy(depth, evaluation.clone(), 0.0, Ties::Random))
    };
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| all(&black, &white));
}

/// Games of 64 square weights against a random player.
#[divan::bench(args = [1, 2])]
fn squares_against_random(bencher: Bencher<'_, '_>, depth: u32) {
    bench_squares(bencher, &squares(), depth);
}

#[divan::bench(args = [1, 2])]
fn squares_against_random_straightforward(bencher: Bencher<'_, '_>, depth: u32) {
    bench_squares(bencher, &plain_squares(), depth);
}

fn alpha_beta() -> Box<dyn Searcher<Othello>> {
    Box::new(AlphaBeta::to_depth(3, squares(), AlphaBetaSettings::default(), Ties::First))
}

fn minimax() -> Box<dyn Searcher<Othello>> {
    Box::new(FullWidth::minimax(Some((3, squares())), Ties::First))
}

/// Games of 64 square weights against themselves, at depth 3.
#[divan::bench]
fn alpha_beta_depth_3(bencher: Bencher<'_, '_>) {
    assert_eq!(AlphaBetaSettings::default().root, RootValues::Ties, "it finds all best moves");
    assert_eq!(
        play(&mut [&mut *alpha_beta(), &mut *minimax()], 0),
        play(&mut [&mut *minimax(), &mut *alpha_beta()], 0)
    );
    bencher
        .counter(ItemsCount::new(1_u64))
        .bench_local(|| play(&mut [&mut *alpha_beta(), &mut *alpha_beta()], 0));
}

#[divan::bench]
fn minimax_depth_3(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(1_u64)).bench_local(|| play(&mut [&mut *minimax(), &mut *minimax()], 0));
}

/// A player with 64 weights.
#[divan::bench]
fn candidate_64_weights(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(1_u64))
        .bench_local(|| FullWidth::greedy(1, squares(), 0.0, Ties::Random));
}

/// A player with 288 weights.
#[divan::bench]
fn candidate_288_weights(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(1_u64))
        .bench_local(|| FullWidth::greedy(1, tuples("all-2"), 0.0, Ties::Random));
}
