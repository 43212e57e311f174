//! Counts allocations: a playout makes none.
//!
//! It is a separate binary, because an allocator applies to a whole program. The count covers only what this thread
//! allocates, so tests may run in parallel. No test here asserts a time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;

use shikou::experiment::Manifest;
use shikou::game::options::Options;
use shikou::game::{
    Batch, Game, GameExt, NamedGame, Path, Player, PlayoutRequest, Policy, PolicyExt, Tally, Uniform,
};
use shikou::games::amazons::Amazons;
use shikou::games::breakthrough::Breakthrough;
use shikou::games::calculation::Calculation;
use shikou::games::capture_go::CaptureGo;
use shikou::games::clobber::Clobber;
use shikou::games::domineering::Domineering;
use shikou::games::einstein::Einstein;
use shikou::games::hex::Hex;
use shikou::games::k_in_a_row::KInARow;
use shikou::games::kalah::Kalah;
use shikou::games::left_moves::{LeftMoves, Score};
use shikou::games::morpion::Morpion;
use shikou::games::othello::Othello;
use shikou::games::pig::Pig;
use shikou::games::random_tree::RandomTree;
use shikou::games::samegame::SameGame;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::games::twenty_forty_eight::TwentyFortyEight;
use shikou::games::weak_schur::WeakSchur;
use shikou::games::yavalath::Yavalath;
use shikou::rng::PlayoutKey;
use shikou::search::{
    Budget, FlatMonteCarlo, FullWidth, Limits, Meter, MoveStream, Searcher, Ties, Uct, UctSettings,
};

/// The system's allocator, with a count of allocations.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    COUNT.with(|count| count.set(count.get() + 1));
}

#[expect(unsafe_code, reason = "an allocator")]
// SAFETY: every call is forwarded unchanged to the system's allocator, and counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller guarantees the requirements.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The number of allocations of this thread during some work.
fn allocations<T>(work: impl FnOnce() -> T) -> u64 {
    let before = COUNT.with(Cell::get);
    black_box(work());
    COUNT.with(Cell::get) - before
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| 1 + 1), 0);
    assert_eq!(allocations(|| Box::new(1)), 1);
    assert_eq!(allocations(|| vec![0_u8; 100]), 1);
    let mut grown = vec![0_u64; 4];
    assert_eq!(allocations(|| grown.reserve_exact(1000)), 1);
}

/// Batches of every size and single games, one or many per call, from the start and from later positions, with every
/// policy and on every path.
fn no_playout_allocates<G: NamedGame>(game: &G) {
    let mut position = game.start();
    let mut draws = PlayoutKey::new(3).playout(0);
    for ply in 0..8 {
        for named in game.entries().policies {
            for size in [1, 3, 16, 70] {
                let batch = Batch::new(PlayoutKey::new(ply), size);
                // A call of a GPU allocates; its playouts do not.
                for path in [Path::Portable, Path::Avx2, Path::Avx512] {
                    let on = || named.policy.playouts_on(path, game, &position, Player::FIRST, batch);
                    // The first may make a table.
                    on();
                    let made = allocations(on);
                    assert_eq!(made, 0, "{} on {path}, {size} playouts, ply {ply}", named.name);
                }
                let play = || named.policy.playouts(game, &position, Player::FIRST, batch);
                play();
                assert_eq!(allocations(play), 0, "{}, {size} playouts, ply {ply}", named.name);
                let request = PlayoutRequest { from: position, player: Player::FIRST, batch };
                let (requests, mut tallies) = ([request; 30], [Tally::default(); 30]);
                let play_many = || named.policy.playouts_of_many(game, &requests, &mut tallies);
                assert_eq!(allocations(play_many), 0, "{}, 30 times {size} playouts, ply {ply}", named.name);
            }
        }
        let Some(mv) = game.legal(&position).nth(draws.below(2) as usize) else { break };
        game.apply(&mut position, mv);
    }
}

/// A game with its default options.
fn usual<G: NamedGame>() -> G {
    let options = Options::new(&G::options(), []).expect("defaults are in range");
    G::with_options(&options).expect("defaults go together")
}

#[test]
fn no_playout_of_any_game_allocates() {
    no_playout_allocates(&TicTacToe);
    no_playout_allocates(&Othello::default());
    no_playout_allocates(&Othello::new(6));
    no_playout_allocates(&Calculation::default());
    no_playout_allocates(&LeftMoves::new(20, Score::LeftMoves));
    no_playout_allocates(&RandomTree::default());
    no_playout_allocates(&usual::<Amazons>());
    no_playout_allocates(&usual::<Breakthrough>());
    no_playout_allocates(&usual::<CaptureGo>());
    no_playout_allocates(&usual::<Clobber>());
    no_playout_allocates(&usual::<Domineering>());
    no_playout_allocates(&usual::<Einstein>());
    no_playout_allocates(&usual::<Hex>());
    no_playout_allocates(&usual::<KInARow>());
    no_playout_allocates(&usual::<Kalah>());
    no_playout_allocates(&usual::<Morpion>());
    no_playout_allocates(&usual::<Pig>());
    no_playout_allocates(&usual::<SameGame>());
    no_playout_allocates(&usual::<TwentyFortyEight>());
    no_playout_allocates(&usual::<WeakSchur>());
    no_playout_allocates(&usual::<Yavalath>());
}

/// The number of allocations of a search of one move.
fn of_a_move<G: Game>(
    searcher: &mut dyn Searcher<G>,
    game: &G,
    at: &G::Position,
    budget: Option<Budget>,
) -> u64 {
    let mut meter = Meter::new(Limits::default());
    if let Some(budget) = budget {
        meter = meter.with_budget(budget);
    }
    let stream = MoveStream::new(PlayoutKey::new(1));
    allocations(|| searcher.choose(game, at, stream, &mut meter).expect("there is memory for it"))
}

/// A hundred times as many playouts make no additional allocation.
fn searches_in_batches_allocate_for_moves_only<G: Game>(game: &G) {
    let mut start = game.start();
    let dealt = game.outcomes(&start).next();
    if let Some((card, _)) = dealt {
        game.apply(&mut start, card);
    }
    // The first playouts may make a table.
    Uniform.playouts(game, &start, Player::FIRST, Batch::new(PlayoutKey::new(1), 1));
    let policy: Arc<dyn Policy<G>> = Arc::new(Uniform);
    let flat = |playouts| {
        of_a_move(&mut FlatMonteCarlo::new(playouts, policy.clone(), Ties::Random), game, &start, None)
    };
    assert_eq!(flat(500), flat(5));
    let tree = |level, playouts| {
        of_a_move(
            &mut FullWidth::simple_tree(level, playouts, policy.clone(), Ties::Random),
            game,
            &start,
            None,
        )
    };
    assert_eq!(tree(2, 100), tree(2, 1));
    // One more level has many times as many leaves.
    assert_eq!(tree(3, 1), tree(2, 1));
}

#[test]
fn flat_and_the_simple_tree_allocate_for_their_moves_only() {
    searches_in_batches_allocate_for_moves_only(&TicTacToe);
    searches_in_batches_allocate_for_moves_only(&Othello::default());
    searches_in_batches_allocate_for_moves_only(&Calculation::default());
}

/// If the tree cannot grow, a hundred times as many iterations allocate nothing more.
#[test]
fn uct_allocates_nothing_once_its_tree_is_complete() {
    Uniform.playouts(&TicTacToe, &TicTacToe.start(), Player::FIRST, Batch::new(PlayoutKey::new(1), 1));
    let at = TicTacToe.follow("b2 a1 c3 c1 a3").expect("the moves are legal");
    let uct = |iterations| {
        let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
        of_a_move(&mut uct, &TicTacToe, &at, Some(Budget::playouts(iterations)))
    };
    assert_eq!(uct(100_000), uct(1_000));
}

/// If it grows, capacities double: from 2¹⁰ to 2¹⁵ iterations at most five for each of its arrays.
#[test]
fn a_growing_tree_asks_for_memory_in_doublings() {
    let game = Othello::default();
    let uct = |iterations| {
        let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
        of_a_move(&mut uct, &game, &game.start(), Some(Budget::playouts(iterations)))
    };
    let (few, many) = (uct(1 << 10), uct(1 << 15));
    assert!(many - few <= 60, "{few} allocations in 2^10 iterations, {many} in 2^15");
}

/// A candidate is made from numbers and not from text: as many allocations for 64 weights as for 10, and few.
#[test]
fn a_candidate_is_made_without_text() {
    let made = |features: &str, count: usize| {
        let text = format!(
            r#"schema = 1
            [[optimisation]]
            game = "othello"
            generations = 1
            genes.w = {{ count = {count}, within = [-1.0, 1.0], unit = 0.0001 }}
            player.search.greedy.evaluation.linear = {{ features = "{features}", unit = 0.0001, weights = {{ gene = "w" }} }}
            method = "genetic"
            fitness.against = "random""#
        );
        let manifest = Manifest::parse("m.toml".as_ref(), &text, &shikou::registry()).unwrap();
        let run = manifest.optimisations().next().unwrap().runs[0].clone();
        let candidate: Vec<f64> = (0..count).map(|place| 0.001 * place as f64 - 0.03).collect();
        let player = || run.genes.player(&run.player, &candidate).unwrap();
        let players = [player()];
        (allocations(player), allocations(|| run.game.prepare(&players)))
    };
    let ((spec, prepared), (spec_64, prepared_64)) = (made("square-kinds", 10), made("squares", 64));
    eprintln!("{spec} {prepared} {spec_64} {prepared_64}");
    assert_eq!(spec, spec_64);
    // The names of the features are made once for each candidate.
    assert!(prepared_64 - prepared < 200 && spec < 400, "{spec} {prepared} {spec_64} {prepared_64}");
}
