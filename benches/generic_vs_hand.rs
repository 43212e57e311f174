//! The cost of the trait: the generic playout loop against handwritten loops for one game each.
//!
//! `cargo bench --bench generic_vs_hand` plays the same playouts both ways, alternately, and compares the processor
//! times of each round. The limit is a median ratio of 1.05, and 1.2 for the games that are compiled for any size of board; `docs/performance.md`
//! names the games that miss it. Both ways must give the same tally. Without `cargo bench` it plays one short round, to check the tallies only.

mod by_hand;

use std::time::Duration;

use by_hand::{
    CalculationByHand, Choice, OthelloByHand, TicTacToeByHand, boards, dice, each, go, loop_of, puzzles,
};
use shikou::game::{Batch, Game, Player, Policy, Tally, Uniform, accelerate, run_playouts};
use shikou::games::amazons::Amazons;
use shikou::games::breakthrough::{Breakthrough, Pieces};
use shikou::games::calculation::{Calculation, FoundationFirst, Reward};
use shikou::games::capture_go::{CaptureGo, Goal};
use shikou::games::clobber::Clobber;
use shikou::games::domineering::Domineering;
use shikou::games::einstein::{Einstein, Placement};
use shikou::games::hex::Hex;
use shikou::games::k_in_a_row::KInARow;
use shikou::games::kalah::{Kalah, Reward::Outcome};
use shikou::games::morpion::{Lines, Morpion};
use shikou::games::othello::Othello;
use shikou::games::pig::Pig;
use shikou::games::samegame::SameGame;
use shikou::games::tic_tac_toe::TicTacToe;
use shikou::games::twenty_forty_eight::{Reward::Success, TwentyFortyEight};
use shikou::games::weak_schur::{Rule, WeakSchur};
use shikou::games::yavalath::Yavalath;
use shikou::rng::{PlayoutKey, PlayoutRng};
use shikou::search::ThreadClock;

/// The largest acceptable median ratio, and that of games that are compiled for any size of board.
const BAR: f64 = 1.05;
const BAR_OF_SIZES: f64 = 1.2;

fn main() -> std::process::ExitCode {
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 101 } else { 1 };
    println!("generic against by hand, {rounds} rounds, processor time; medians, ratio with quartiles");
    println!(
        "{:<30}{:>9}{:>9}{:>13}{:>8}{:>15}",
        "playouts", "ns/ply", "by hand", "playouts/s", "ratio", "quartiles"
    );
    let calculation = Calculation::default().with_reward(Reward::Score);
    let by_hand = |choice| move |batch| accelerate(CalculationByHand { batch, choice });
    let good = [
        Duel { name: "tic-tac-toe", playouts: 100_000, rounds, bar: BAR }
            .fight(generic(TicTacToe, Uniform), |batch| accelerate(TicTacToeByHand(batch))),
        Duel { name: "othello", playouts: 2_000, rounds, bar: BAR }
            .fight(generic(Othello::default(), Uniform), |batch| accelerate(OthelloByHand(batch))),
        Duel { name: "calculation", playouts: 4_000, rounds, bar: BAR }
            .fight(generic(calculation.clone(), Uniform), by_hand(Choice::Uniform)),
        Duel { name: "calculation foundation-first", playouts: 4_000, rounds, bar: BAR }
            .fight(generic(calculation, FoundationFirst), by_hand(Choice::FoundationFirst)),
    ];
    let rows = |rows, columns, k, gravity| KInARow::new(rows, columns, k, gravity).expect("rows have room");
    let duel = |name, playouts| Duel { name, playouts, rounds, bar: BAR_OF_SIZES };
    let pawns = Breakthrough::new(8, 8, Pieces::Pawns, false).expect("64 cells");
    let stones = |goal| CaptureGo::new(9, 9, goal, false).expect("81 cells");
    let tiles = TwentyFortyEight::new(4, 2048, Success).expect("a target for 16 cells");
    let board = SameGame::standard(1).expect("there are 20 boards");
    let stones_of_board = board.position_text(&board.start()).expect("a board has a text");
    let good_sizes = [
        duel("breakthrough", 1000).fight(generic(pawns, Uniform), loop_of!(boards::breakthrough)),
        duel("clobber 5×6", 4000)
            .fight(generic(Clobber::new(5, 6).expect("30 cells"), Uniform), loop_of!(boards::clobber)),
        duel("domineering 8×8", 4000)
            .fight(generic(Domineering::new(8, 8, false), Uniform), loop_of!(boards::domineering)),
        duel("hex 11×11", 300).fight(generic(Hex::new(11), Uniform), loop_of!(boards::hex)),
        duel("connect four", 4000)
            .fight(generic(rows(6, 7, 4, true), Uniform), loop_of!(boards::connect_four)),
        duel("gomoku 15×15", 500).fight(generic(rows(15, 15, 5, false), Uniform), loop_of!(boards::gomoku)),
        duel("kalah 6, 4", 2000)
            .fight(generic(Kalah::new(6, 4, true, Outcome), Uniform), loop_of!(boards::kalah)),
        duel("pig", 1000).fight(generic(Pig::new(100), Uniform), loop_of!(boards::pig)),
        duel("nogo 9×9", 500).fight(generic(stones(Goal::None), Uniform), loop_of!(go::no_go)),
        duel("atarigo 9×9", 1000).fight(generic(stones(Goal::Capture), Uniform), loop_of!(go::atari_go)),
        duel("amazons 10×10, split", 300)
            .fight(generic(Amazons::new(10, 10, true), Uniform), loop_of!(go::amazons)),
        duel("yavalath", 5000).fight(generic(Yavalath::new(5), Uniform), loop_of!(go::yavalath)),
        duel("einstein", 3000)
            .fight(generic(Einstein::new(5, Placement::Rows), Uniform), loop_of!(dice::einstein)),
        duel("samegame, board 1", 60)
            .fight(generic(board, Uniform), each(puzzles::samegame(&stones_of_board))),
        duel("2048", 200).fight(generic(tiles, Uniform), loop_of!(dice::twenty_forty_eight)),
        duel("weak schur, 4 sets", 2000)
            .fight(generic(WeakSchur::new(4, Rule::Any), Uniform), loop_of!(puzzles::weak_schur)),
        duel("morpion 5T", 50)
            .fight(generic(Morpion::new(5, Lines::Touching), Uniform), each(puzzles::morpion())),
    ];
    // A single round measures nothing.
    std::process::ExitCode::from(u8::from(rounds > 1 && [&good[..], &good_sizes].concat().contains(&false)))
}

/// The generic loop from the start of a game.
fn generic<G: Game>(game: G, policy: impl Policy<G>) -> impl Fn(Batch) -> Tally {
    let start = game.start();
    move |batch| run_playouts(&game, &policy, &start, Player::FIRST, batch)
}

struct Duel {
    name: &'static str,
    /// The playouts of a round, which take a few milliseconds.
    playouts: u64,
    rounds: u64,
    bar: f64,
}

impl Duel {
    /// Compares and prints. Returns whether the limit is met.
    fn fight(&self, generic: impl Fn(Batch) -> Tally, by_hand: impl Fn(Batch) -> Tally) -> bool {
        let mut rounds: Vec<Round> = (0..self.rounds)
            .map(|round| {
                let batch = Batch::new(PlayoutKey::new(round), self.playouts);
                // Each goes first in every second round.
                let ((a, generic), (b, by_hand)) = if round % 2 == 0 {
                    let generic = timed(&generic, batch);
                    (generic, timed(&by_hand, batch))
                } else {
                    let by_hand = timed(&by_hand, batch);
                    (timed(&generic, batch), by_hand)
                };
                assert_eq!(a, b, "{}: the generic loop and the one by hand differ", self.name);
                let plies = a.plies as f64;
                Round { generic: nanoseconds(generic) / plies, by_hand: nanoseconds(by_hand) / plies, plies }
            })
            .collect();
        let generic = quantile(&mut rounds, 0.5, |round| round.generic);
        let by_hand = quantile(&mut rounds, 0.5, |round| round.by_hand);
        let per_s = quantile(&mut rounds, 0.5, |r| self.playouts as f64 / (r.generic * r.plies * 1e-9));
        let [low, ratio, high] =
            [0.25, 0.5, 0.75].map(|q| quantile(&mut rounds, q, |r| r.generic / r.by_hand));
        let verdict = match (self.rounds, ratio <= self.bar) {
            (1, _) => "one round tells nothing",
            (_, true) => "within the limit",
            (_, false) => "slower than the limit",
        };
        println!(
            "{:<30}{generic:>9.2}{by_hand:>9.2}{per_s:>13.0}{ratio:>8.3}{:>15}  {verdict}",
            self.name,
            format!("{low:.3}–{high:.3}"),
        );
        ratio <= self.bar
    }
}

/// The result of a round: nanoseconds per ply, and the number of plies.
struct Round {
    generic: f64,
    by_hand: f64,
    plies: f64,
}

fn timed(play: impl Fn(Batch) -> Tally, batch: Batch) -> (Tally, Duration) {
    let mut clock = ThreadClock::start();
    let tally = play(batch);
    (tally, clock.lap())
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

fn quantile(rounds: &mut [Round], q: f64, value: impl Fn(&Round) -> f64) -> f64 {
    rounds.sort_by(|a, b| value(a).total_cmp(&value(b)));
    value(&rounds[((rounds.len() - 1) as f64 * q).round() as usize])
}
