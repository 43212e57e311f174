//! Engines at a table: scripted ones with every fault, each with its verdict, and our own searchers behind both protocols.
//!
//! A scripted engine is this binary with a word in its environment: it serves a random player, and spoils its answers.

use std::io::{self, Write};
use std::thread::{self, sleep};
use std::time::Duration;

use shikou::engine::{EngineSettings, Failure, Speech, Verdict, allow_engines};
use shikou::game::{Outcome, Player};
use shikou::players::{AnyGame, Registry};
use shikou::rng::Stream;
use shikou::serve::{MetGame, Protocol, Seated, meet, serve};

use crate::cli::{shikou, show};

/// The move of an engine that is spoiled.
const SPOILED: usize = 3;

/// The output of a served player, with a fault.
struct Spoiled {
    fault: String,
    output: io::Stdout,
    line: Vec<u8>,
    moves: usize,
}

impl Spoiled {
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Writes a line, or what the fault makes of it.
    fn line(&mut self, line: &str) -> io::Result<()> {
        let is_move = line.starts_with("=== ") || line.starts_with("= ") && line.len() == 4;
        self.moves += usize::from(is_move);
        let at_turn = is_move && self.moves == SPOILED;
        let sign = if line.starts_with("===") { "===" } else { "=" };
        match &*self.fault.clone() {
            "slow" if at_turn => sleep(Duration::from_millis(1500)),
            "late" if at_turn => sleep(Duration::from_secs(8)),
            "silent" if at_turn => sleep(Duration::from_hours(1)),
            "mute" => sleep(Duration::from_hours(1)),
            "chatty" if is_move => {
                (0..3000).try_for_each(|number| self.say(&format!("nodestats {number} -nan\n")))?;
            }
            "dies" if at_turn => {
                eprintln!("out of cheese\n\u{1b}[31mredo from start");
                std::process::exit(3);
            }
            "illegal" if at_turn => return self.say(&format!("{sign} a9\n")),
            "wrong-pass" if at_turn => {
                return self.say(&format!("{sign} {}\n", if sign == "=" { "pass" } else { "PA" }));
            }
            "empty" if at_turn => return self.say(&format!("{sign}\n")),
            "refuses" if at_turn => return self.say("? no idea\n"),
            "crlf" => return self.say(&format!("{line}\r\n")),
            "half" => {
                let (first, second) = line.split_at(line.len() / 2);
                self.say(first)?;
                sleep(Duration::from_millis(2));
                return self.say(&format!("{second}\n"));
            }
            "long" if is_move => self.say(&("x".repeat(1 << 20) + "\n"))?,
            // The rows from below.
            "mirrored" if is_move => {
                let turned: String = line
                    .chars()
                    .enumerate()
                    .map(|(at, letter)| match letter.to_digit(10) {
                        Some(row @ 1..=8) if at < 7 => char::from_digit(9 - row, 10).unwrap(),
                        _ => letter,
                    })
                    .collect();
                return self.say(&format!("{turned}\n"));
            }
            _ => {}
        }
        self.say(&format!("{line}\n"))
    }
}

impl Write for Spoiled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.line(&String::from_utf8(line).unwrap())?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Not a test: the scripted engine.
#[test]
fn as_engine() {
    let Ok(fault) = std::env::var("SHIKOU_SCRIPTED_ENGINE") else { return };
    let (protocol, fault) = fault.split_once(' ').unwrap();
    let protocol = if protocol == "gtp" { Protocol::Gtp } else { Protocol::NBoard };
    let registry = Registry::standard();
    let game = registry.game("othello", &[]).unwrap();
    let player = registry.read_searcher("random").unwrap();
    let output = Spoiled { fault: fault.into(), output: io::stdout(), line: Vec::new(), moves: 0 };
    serve(protocol, &*game, &player, 1, io::stdin().lock(), output).unwrap();
    std::process::exit(0);
}

/// An engine with a short patience.
fn engine(speech: Speech, command: Vec<String>) -> EngineSettings {
    let patience = Duration::from_secs(2);
    let margin = Duration::from_millis(100);
    EngineSettings { speech, command, level: None, time: None, margin, patience, size: None }
}

/// A scripted engine with this fault.
fn scripted(speech: Speech, fault: &str) -> EngineSettings {
    let protocol = if speech == Speech::Gtp { "gtp" } else { "nboard" };
    let program = std::env::current_exe().unwrap().to_string_lossy().into_owned();
    let variable = format!("SHIKOU_SCRIPTED_ENGINE={protocol} {fault}");
    let command = ["env", &variable, &program, "--exact", "engines::as_engine", "--nocapture"];
    engine(speech, command.map(String::from).to_vec())
}

/// A searcher of ours behind a protocol, as another process.
fn served(speech: Speech, searcher: &str, seed: u64) -> EngineSettings {
    let protocol = if speech == Speech::Gtp { "--gtp" } else { "--nboard" };
    let program = std::env::var("SHIKOU_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_shikou").into());
    let seed = seed.to_string();
    let command = [&*program, "serve", protocol, searcher, "--seed", &seed];
    EngineSettings { patience: Duration::from_mins(1), ..engine(speech, command.map(String::from).to_vec()) }
}

fn othello() -> std::sync::Arc<dyn AnyGame> {
    Registry::standard().game("othello", &[]).unwrap()
}

/// A game of an engine in the first seat against a random player.
fn against_random(engine: &EngineSettings) -> MetGame {
    allow_engines();
    let random = Registry::standard().read_searcher("random").unwrap();
    meet(&*othello(), [Seated::Engine(engine), Seated::Searcher(&random, 7)], &[]).unwrap()
}

const BOTH: [Speech; 2] = [Speech::NBoard, Speech::Gtp];

#[track_caller]
fn failure(met: MetGame, verdict: Verdict) -> Failure {
    assert_eq!(met.verdict, verdict, "{met:?}");
    assert_eq!((met.outcome, met.score), (Some(Outcome::Loss), None), "the engine lost");
    let (player, failure) = met.failure.unwrap();
    assert_eq!((player, failure.verdict), (Player::FIRST, verdict));
    failure
}

#[test]
fn what_an_engine_says_besides_its_moves_costs_nothing() {
    for speech in BOTH {
        let fine = against_random(&scripted(speech, "fine"));
        assert_eq!(fine.verdict, Verdict::Finished, "{fine:?}");
        assert!(fine.outcome.is_some() && fine.score.is_some() && fine.failure.is_none());
        assert_eq!(fine.engines[0].as_ref().unwrap().0.split(' ').next(), Some("Shikou"));
        for fault in ["chatty", "crlf", "half", "long"] {
            let met = against_random(&scripted(speech, fault));
            assert_eq!((met.verdict, &met.moves), (Verdict::Finished, &fine.moves), "{speech:?} {fault}");
        }
    }
}

#[test]
fn each_fault_has_its_verdict_and_is_a_loss() {
    for speech in BOTH {
        let met = |fault: &str| against_random(&scripted(speech, fault));
        let died = failure(met("dies"), Verdict::Crash);
        assert_eq!(died.last_words, ["out of cheese", "[31mredo from start"]);
        assert!(died.reason.contains("exit status: 3"), "{died}");
        assert_eq!(failure(met("illegal"), Verdict::Illegal).reason, "`a9` is not a legal move");
        assert_eq!(failure(met("wrong-pass"), Verdict::Illegal).reason, "`pass` is not a legal move");
        let mirrored = met("mirrored");
        assert!(mirrored.moves.is_empty(), "its first move is that of the other colour");
        failure(mirrored, Verdict::Illegal);
        failure(met("empty"), Verdict::Protocol);
        failure(met("mute"), Verdict::Stall);
        // Failures come after two moves of the engine and two of its opponent.
        assert_eq!(met("illegal").moves.len(), 2 * (SPOILED - 1));
    }
    let refused = against_random(&scripted(Speech::Gtp, "refuses"));
    assert_eq!(failure(refused, Verdict::Protocol).reason, "it refuses `genmove`: no idea");
}

#[test]
fn a_late_engine_is_timed_out_and_one_that_is_gone_quiet_has_stalled() {
    let second = Some(Duration::from_secs(1));
    for speech in BOTH {
        let met = |fault: &str| against_random(&EngineSettings { time: second, ..scripted(speech, fault) });
        assert_eq!(failure(met("slow"), Verdict::Timeout).reason, "no move within 1.000 s");
        // A margin is not counted as late.
        let margin = Duration::from_secs(20);
        let patient = EngineSettings { time: second, margin, ..scripted(speech, "slow") };
        assert_eq!(against_random(&patient).verdict, Verdict::Finished);
        // Only NBoard has a word by which a late engine shows that it is there.
        let verdict = if speech == Speech::NBoard { Verdict::Stall } else { Verdict::Timeout };
        failure(met("late"), verdict);
        failure(met("silent"), verdict);
    }
}

#[test]
fn a_program_that_is_no_engine_has_crashed() {
    let nothing = |command: &[&str]| engine(Speech::Gtp, command.iter().map(|&word| word.into()).collect());
    let missing = failure(against_random(&nothing(&["no-such-program"])), Verdict::Crash);
    assert!(missing.reason.starts_with("`no-such-program` does not start: "), "{missing}");
    failure(against_random(&nothing(&["true"])), Verdict::Crash);
    let says = failure(against_random(&nothing(&["sh", "-c", "echo I am no engine >&2"])), Verdict::Crash);
    assert_eq!(says.last_words, ["I am no engine"]);
    // `cat` repeats every line, and none is an answer.
    failure(against_random(&nothing(&["cat"])), Verdict::Stall);
}

#[test]
fn sixty_four_engines_play_at_once_and_no_game_is_lost() {
    let faults = [
        ("fine", Verdict::Finished),
        ("dies", Verdict::Crash),
        ("illegal", Verdict::Illegal),
        ("crlf", Verdict::Finished),
    ];
    let verdict = |number: usize| {
        let settings = scripted(BOTH[number % 2], faults[number / 2 % 4].0);
        against_random(&EngineSettings { patience: Duration::from_mins(1), ..settings }).verdict
    };
    let verdicts: Vec<Verdict> = thread::scope(|scope| {
        let threads: Vec<_> = (0..64).map(|number| scope.spawn(move || verdict(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let expected: Vec<Verdict> = (0..64).map(|number| faults[number / 2 % 4].1).collect();
    assert_eq!(verdicts, expected);
}

/// The loop-back law: the games of searchers behind a protocol are, move for move, those that they play in this process.
fn loop_back(games: u64) {
    allow_engines();
    let (game, registry) = (othello(), Registry::standard());
    let searchers = ["greedy(epsilon=0.3)", "minimax(depth=1)"];
    let [first, second] = searchers.map(|text| registry.read_searcher(text).unwrap());
    let mut passes = 0;
    for number in 0..games {
        let mut table = game.table(&[None, None]).unwrap();
        let mut rng = (Stream::new(number) / "loop-back").rng();
        let opening: Vec<String> = (0..number % 30)
            .map(|_| {
                table.make_random_move(&mut rng);
                table.last_move().unwrap()
            })
            .collect();
        let seats = [Seated::Searcher(&first, number), Seated::Searcher(&second, number + 1)];
        let here = meet(&*game, seats, &opening).unwrap();
        let speech = [BOTH[number as usize % 2], BOTH[number as usize / 2 % 2]];
        let engines = [served(speech[0], searchers[0], number), served(speech[1], searchers[1], number + 1)];
        let seats = [Seated::Engine(&engines[0]), Seated::Engine(&engines[1])];
        let there = meet(&*game, seats, &opening).unwrap();
        assert_eq!((&there.moves, there.score), (&here.moves, here.score), "game {number}: {there:?}");
        passes += here.moves.iter().filter(|&mv| mv == "pass").count() as u64;
    }
    assert!(passes > games / 10, "{passes} passes in {games} games");
}

#[test]
fn searchers_behind_a_protocol_play_the_same_games() {
    loop_back(24);
}

#[test]
#[ignore = "long: two processes for each of 1000 games"]
fn searchers_behind_a_protocol_play_the_same_thousand_games() {
    loop_back(1000);
}

#[test]
fn a_match_starts_engines_only_if_it_may() {
    let program = env!("CARGO_BIN_EXE_shikou");
    let player = format!("engine(gtp=\"{program} serve --gtp random\",name=ours)");
    let run = |more: &[&str]| {
        let arguments =
            [&["match", "othello", &player, "random", "--games", "4", "--openings", "4"], more].concat();
        shikou("engine-match", &[], &arguments, "")
    };
    let (code, out, err) = run(&[]);
    assert_eq!((code, &*out), (2, ""));
    assert!(err.contains("serve") && err.contains("let it start with --allow-engines"), "{err}");
    let (code, out, err) = run(&["--allow-engines"]);
    assert!(code == 0 && err.contains("starts [") && out.contains("ours "), "{out}{err}");
    let (code, out, _) = run(&["--allow-engines", "--json"]);
    assert!(code == 0 && out.contains("\"pairs\": 2") && out.contains("\"failed\": {}"), "{out}");
    assert_eq!(run(&["--allow-engines", "--save", "s"]).0, 2);
    // A manifest cannot start a program.
    let manifest = "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = 1\nplayer = [\"random\", \"engine(gtp='true')\"]\n";
    for command in ["run", "plan"] {
        let (code, _, err) =
            shikou("engine-run", &[("m.toml", manifest.as_bytes())], &[command, "m.toml"], "");
        assert!(code == 2 && err.contains("unknown searcher `engine`"), "{err}");
    }
    // An engine that fails loses.
    let dead = |player: &str, text: &[&str]| {
        shikou(
            "engine-dead",
            &[],
            &[&["match", "othello", player, "random", "--games", "2"], text].concat(),
            "",
        )
    };
    let (code, out, _) = dead("engine(nboard=no-such-program,level=3)", &["--allow-engines"]);
    assert!(code == 0 && out.contains("2 crash") && out.contains("does not start"), "{out}");
    let refused = |player: &str| show(dead(player, &["--allow-engines"]));
    insta::assert_snapshot!(
        [
            "engine",
            "engine(gtp='x',level=3)",
            "engine(gtp=x,time=50ms)",
            "engine(gtp=\"'x\")",
            "engine(gtp=x,margin=y)",
            "engine(nboard=x,foo=1)"
        ]
        .map(refused)
        .join("\n")
    );
}

#[test]
fn a_person_plays_against_an_engine() {
    let program = env!("CARGO_BIN_EXE_shikou");
    let player = format!("engine(nboard=\"{program} serve --nboard random\",name=ours)");
    let arguments = ["play", "othello", "--against", &player, "--second", "--allow-engines"];
    let (code, out, err) = shikou("engine-play", &[], &arguments, "moves\nundo\nquit\n");
    assert!(code == 0 && out.contains("ours plays ") && out.contains("O to move"), "{out}{err}");
    let (code, _, err) = shikou("engine-play", &[], &arguments[..5], "");
    assert!(code == 2 && err.contains("--allow-engines"), "{err}");
}
