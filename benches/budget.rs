//! The precision of time budgets: within 2 ms or 1 %, whichever is more, on an idle machine.
//!
//! `cargo bench --bench budget`. Every searcher that keeps time decides repeatedly, at positions along a game, and the
//! wall clock is read around each decision. The lateness is the difference from its budget. Ending early is an error,
//! unless the search was complete. Late decisions are counted, and the largest lateness is shown. A busy machine may
//! itself be late, so the first line is a search that only reads the clock.

use std::time::Duration;

use shikou::game::Turn;
use shikou::rng::Stream;
use shikou::search::{Budget, Clock, Limits, Meter, MoveStream, Stop};

/// Games, each with its searchers that keep time.
const CASES: [(&str, &[&str], &[&str]); 3] = [
    (
        "othello",
        &[],
        &[
            "uct",
            "uct(solver=bounds,playouts=mast)",
            "uct(parallel=root(trees=4))",
            "open-loop-uct",
            "flat-ucb",
            "thompson",
            "anytime-halving",
            "alpha-beta(depth=60)",
            "minimax(depth=60)",
            "expectimax(depth=60)",
            "greedy(depth=60)",
        ],
    ),
    ("calculation", &[], &["uct", "open-loop-uct", "flat-ucb", "hindsight(level=3,futures=100000)"]),
    ("left-moves", &["steps=60"], &["nested(level=5)", "nrpa(level=5)"]),
];

fn main() {
    let bench = std::env::args().any(|argument| argument == "--bench");
    println!("{:<52}{:>8}{:>11}{:>12}{:>12}{:>8}", "", "time", "decisions", "late, p50", "late, max", "kept");
    for (milliseconds, decisions) in [(10, 50), (100, 20), (1000, 3)] {
        let time = Duration::from_millis(if bench { milliseconds } else { 1 });
        let decisions = if bench { decisions } else { 2 };
        report("the meter alone", time, (0..decisions).map(|_| idle(time)).collect());
        for (game, options, searchers) in CASES {
            for searcher in searchers {
                let late = play(game, options, &format!("{searcher}@time={}ms", time.as_millis()), decisions);
                report(&format!("{game} {searcher}"), time, late);
            }
        }
    }
}

/// The lateness of a search that does nothing.
fn idle(time: Duration) -> Option<Duration> {
    let clock = Clock::start();
    let mut meter =
        Meter::new(Limits::default()).with_budget(Budget { time: Some(time), ..Budget::UNLIMITED });
    while meter.limit().is_none() {}
    clock.elapsed().checked_sub(time)
}

/// The lateness of each decision; `None` for early ones. Forced moves and complete searches do not count. A search
/// without a decision counts, and a random move is made for it.
fn play(game: &str, options: &[&str], searcher: &str, decisions: usize) -> Vec<Option<Duration>> {
    let registry = shikou::registry();
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let game = registry.game(game, &options).expect("a built-in game");
    let spec = game.read_searcher(searcher).expect("a searcher");
    let time = spec.budget.time.expect("it has a budget of time");
    let mut late = Vec::new();
    for round in 0.. {
        let seats = vec![Some(spec.clone()); usize::from(game.facts().players)];
        let mut table = game.table(&seats).expect("it fits");
        let stream = Stream::new(round) / "budget";
        let mut rng = (stream / "chance").rng();
        while table.turn() != Turn::Over && late.len() < decisions {
            if table.turn() == Turn::Chance {
                table.let_chance_choose(&mut rng);
                continue;
            }
            let stream = MoveStream::new((stream / u64::from(table.plies())).playout_key());
            let clock = Clock::start();
            let decided = table.decide(stream, Limits::default());
            let took = clock.elapsed();
            let ended = table.last_decision().map(|(_, view)| view.stop);
            if decided.is_err() {
                table.make_random_move(&mut rng);
            }
            if decided.is_err() || matches!(ended, Some(Stop::Limit(_))) {
                late.push(took.checked_sub(time));
            }
        }
        if late.len() == decisions {
            break;
        }
        assert!(round < 1000, "{searcher} never needs its time");
    }
    late
}

fn report(name: &str, time: Duration, late: Vec<Option<Duration>>) {
    let allowed = Duration::from_millis(2).max(time / 100);
    let mut late: Vec<Duration> = late
        .into_iter()
        .map(|late| late.unwrap_or_else(|| panic!("{name} ended before its {time:?}")))
        .collect();
    late.sort();
    let kept = late.iter().filter(|&&late| late <= allowed).count();
    let ms = |late: Duration| format!("{:.3} ms", late.as_secs_f64() * 1e3);
    println!(
        "{name:<52}{:>8}{:>11}{:>12}{:>12}{:>8}",
        format!("{time:?}"),
        late.len(),
        ms(late[late.len() / 2]),
        ms(late[late.len() - 1]),
        format!("{kept}/{}", late.len())
    );
}
