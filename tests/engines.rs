//! Engines: other programs that play, and their verdicts. The scripted engine is this test program itself.

mod scripted;

use std::fs;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use shikou::engine::{Engine, EngineSettings, GameSoFar, Protocol, allow_engines};
use shikou::experiment::{
    EngineFacts, GameRecord, Manifest, Plan, Record, Sink, SummaryFold, Trial, play, run,
};
use shikou::game::Outcome;
use shikou::game::options::OptionValue;
use shikou::players::{AnyGame, SearcherSpec};
use shikou::rng::Stream;
use shikou::search::Limits;
use shikou::serve::served_stream;

use self::scripted::{SPOILED, scripted};
use crate::support::{folder, manifest, searcher};

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speech {
    NBoard,
    Gtp,
}

impl Speech {
    const fn name(self) -> &'static str {
        if matches!(self, Self::Gtp) { "gtp" } else { "nboard" }
    }
}

const BOTH: [Speech; 2] = [Speech::NBoard, Speech::Gtp];

/// A manifest of engines, each against a random player.
fn against_random(engines: &[String], trials: u64) -> Manifest {
    allow_engines();
    let players: Vec<String> = engines
        .iter()
        .enumerate()
        .map(|(number, options)| format!("  {{ name = \"{number}\", search.engine = {options} }},\n"))
        .collect();
    manifest(&format!(
        "schema = 1\n[[experiment]]\ngame = \"othello\"\ntrials = {trials}\ndesign.gauntlet = {{ against = [\"random\"] }}\n\
         player = [\n  {{ name = \"random\", search = \"random\" }},\n{}]\n",
        players.concat()
    ))
}

/// The games of a pair of an engine and a random player: the first one is that which the engine begins.
fn games(engine: &str) -> [GameRecord; 2] {
    let plan = Plan::new(&against_random(&[engine.into()], 1)).unwrap();
    let record = play(&plan, Trial { experiment: 0, instance: 0, cell: 0 });
    let mut games = record.games.into_inner().unwrap();
    if games[0].seats[0].player == 0 {
        games.reverse();
    }
    games
}

/// Tests engines of both protocols at once.
fn of_both(test: impl Fn(Speech) + Sync) {
    thread::scope(|scope| {
        BOTH.map(|speech| {
            let test = &test;
            scope.spawn(move || test(speech))
        })
        .map(|done| done.join().unwrap())
    });
}

/// The games of engines that mostly wait, at once.
fn games_of<const N: usize>(engines: [String; N]) -> [[GameRecord; 2]; N] {
    thread::scope(|scope| {
        let waiting = engines.map(|engine| scope.spawn(move || games(&engine)));
        waiting.map(|games| games.join().unwrap())
    })
}

/// The failure of the game that an engine began and lost, without the kind.
#[track_caller]
fn failure(game: &GameRecord, kind: &str) -> String {
    assert_eq!(game.result, Ok((Outcome::Loss, 0)), "the engine lost: {game:?}");
    let reason =
        game.forfeit.as_deref().unwrap_or_default().strip_prefix(kind).and_then(|r| r.strip_prefix(": "));
    reason.unwrap_or_else(|| panic!("not {kind}: {game:?}")).into()
}

#[track_caller]
fn assert_finished(games: &[GameRecord; 2]) {
    for game in games {
        assert!(game.result.is_ok() && game.forfeit.is_none() && game.plies > 8, "{game:?}");
    }
}

#[test]
fn what_an_engine_says_besides_its_moves_costs_nothing() {
    for speech in BOTH {
        let fine = games(&scripted(speech, "fine", ""));
        assert_finished(&fine);
        for fault in ["chatty", "crlf", "half", "long"] {
            let same = games(&scripted(speech, fault, ""));
            assert_finished(&same);
            let hashes = |games: &[GameRecord; 2]| games.each_ref().map(|game| game.game_hash);
            assert_eq!(hashes(&same), hashes(&fine), "{speech:?} {fault}");
        }
    }
    let plan = Plan::new(&against_random(&BOTH.map(|speech| scripted(speech, "fine", "")), 1)).unwrap();
    for facts in EngineFacts::of_all(&plan).unwrap().values() {
        assert!(facts.called.starts_with("Shikou") && facts.sha256.len() == 64, "{facts:?}");
    }
}

#[test]
fn each_fault_has_its_verdict_and_is_a_loss() {
    of_both(|speech| {
        let of = |fault| scripted(speech, fault, "");
        let [[died, after], illegal, passed, [mirrored, _], empty, mute] =
            games_of(["dies", "illegal", "wrong-pass", "mirrored", "empty", "mute"].map(of));
        let reason = failure(&died, "crash");
        assert!(reason.contains("exit status: 3"), "{reason}");
        assert!(reason.ends_with("; it said: out of cheese; it said: [31mredo from start"), "{reason}");
        assert_eq!(
            (after.result, after.forfeit.is_some()),
            (Ok((Outcome::Win, 0)), true),
            "it lost from its other seat"
        );
        assert_eq!(failure(&illegal[0], "illegal"), "`a9` is not a legal move");
        assert_eq!(failure(&passed[0], "illegal"), "`pass` is not a legal move");
        assert_eq!(mirrored.plies, 0, "its first move is that of the other colour");
        failure(&mirrored, "illegal");
        failure(&empty[0], "protocol");
        failure(&mute[0], "stall");
        // Failures come after two moves of the engine and two of its opponent.
        assert_eq!(illegal[0].plies as usize, 2 * (SPOILED - 1));
    });
    let [refused, _] = games(&scripted(Speech::Gtp, "refuses", ""));
    assert_eq!(failure(&refused, "protocol"), "it refuses `genmove`: no idea");
}

#[test]
fn a_late_engine_is_timed_out_and_one_that_is_gone_quiet_has_stalled() {
    of_both(|speech| {
        let of = |(fault, more)| scripted(speech, fault, more);
        let margin = "time = \"1s\", margin = \"20s\"";
        let second = "time = \"1s\"";
        let [slow, forgiven, late, silent] =
            games_of([("slow", second), ("slow", margin), ("late", second), ("silent", second)].map(of));
        assert_eq!(failure(&slow[0], "timeout"), "no move within 1.000 s");
        // A margin is not counted as late.
        assert_finished(&forgiven);
        // Only NBoard has a word by which a late engine shows that it is there.
        let verdict = if speech == Speech::NBoard { "stall" } else { "timeout" };
        failure(&late[0], verdict);
        failure(&silent[0], verdict);
    });
    // A move that comes after the engine was told to stop is no answer to what it is asked next.
    let games = games(&scripted(Speech::NBoard, "late-after-stop", "time = \"1s\""));
    failure(&games[0], "timeout");
    assert!(games[1].forfeit.as_ref().is_some_and(|reason| reason.starts_with("timeout: ")), "{games:?}");
}

#[test]
fn a_clock_is_for_the_game_and_a_move_adds_to_it() {
    of_both(|speech| {
        let of = |(fault, clock)| scripted(speech, fault, &format!("clock = \"{clock}\""));
        let [steady, longer, slow, late] =
            games_of([("steady", "1s"), ("steady", "1s+1s"), ("slow", "2s+1s"), ("slow", "1s")].map(of));
        // Each move takes 150 ms, so the seventh or an earlier one is late.
        failure(&steady[0], "timeout");
        assert!((8..=14).contains(&steady[0].plies), "{steady:?}");
        assert_finished(&longer);
        // The third move takes 1.5 s.
        assert_finished(&slow);
        assert_eq!(late[0].plies, 4);
    });
}

/// The lines that an engine is told in a game with a clock.
#[test]
fn an_engine_is_told_its_clock() {
    let (folder, program) = (folder("engines/clock"), env!("CARGO_BIN_EXE_shikou"));
    let told = |speech: Speech| {
        let (file, name) = (folder.join(speech.name()), speech.name());
        let script = format!("tee {} | {program} serve --{name} random", file.display());
        let command = ["sh", "-c", &script];
        assert_finished(&games(&format!("{{ {name} = {command:?}, clock = \"2min+3s\" }}")));
        fs::read_to_string(file).unwrap()
    };
    let gtp = told(Speech::Gtp);
    assert!(gtp.contains("time_settings 120 0 0\n"), "{gtp}");
    // The increment comes after the move, and a random player takes little of it.
    assert!(gtp.contains("time_left w 120 0\n") && gtp.contains("time_left w 122 0\n"), "{gtp}");
    let nboard = told(Speech::NBoard);
    assert!(nboard.starts_with("nboard 2\n") && nboard.contains("TI[02:00/00:03/00:00]"), "{nboard}");
    assert!(nboard.contains("//0.0"), "moves have their times: {nboard}");
}

#[test]
fn a_program_that_is_no_engine_has_crashed() {
    let nothing = |command: &[&str]| games(&format!("{{ gtp = {command:?}, patience = \"2s\" }}"))[0].clone();
    let missing = failure(&nothing(&["no-such-program"]), "crash");
    assert!(missing.starts_with("`no-such-program` does not start: "), "{missing}");
    failure(&nothing(&["true"]), "crash");
    let says = failure(&nothing(&["sh", "-c", "echo I am no engine >&2"]), "crash");
    assert!(says.ends_with("; it said: I am no engine"), "{says}");
    // `cat` repeats every line, and none is an answer.
    failure(&nothing(&["cat"]), "stall");
}

/// Counts the records that it takes.
#[derive(Default)]
struct Taken(Vec<Record>);

impl Sink for Taken {
    fn take(&mut self, finished: &shikou::experiment::Finished) -> std::io::Result<()> {
        self.0.extend(finished.records.iter().cloned());
        Ok(())
    }
}

/// Every fault by either protocol, four trials of each and all at once: no game is lost, and none is counted wrongly.
#[test]
fn sixty_four_engines_play_at_once_and_no_game_is_counted_wrongly() {
    let faults = [
        ("fine", ""),
        ("chatty", ""),
        ("half", ""),
        ("long", ""),
        ("dies", "crash"),
        ("illegal", "illegal"),
        ("wrong-pass", "illegal"),
        ("empty", "protocol"),
    ];
    let all: Vec<_> = faults.iter().flat_map(|&fault| BOTH.map(|speech| (speech, fault))).collect();
    let engines = all.iter().map(|(speech, (fault, _))| scripted(*speech, fault, "patience = \"1min\""));
    let plan = Plan::new(&against_random(&engines.collect::<Vec<_>>(), 4)).unwrap();
    let mut taken = Taken::default();
    run(&plan, 64, &|_| true, &AtomicBool::new(false), None, &mut [&mut taken]).unwrap();
    assert_eq!(taken.0.len(), 64);
    taken.0.sort_by_key(|record| (record.trial.instance, record.trial.cell));
    let mut fold = SummaryFold::new(&plan);
    taken.0.iter().for_each(|record| fold.push(record));
    let summary = fold.finish();
    let [experiment] = &summary.experiments[..] else { panic!("there is one experiment") };
    assert_eq!((experiment.engine_trials, &experiment.failures[..]), (64, &[][..]));
    for (number, (speech, (fault, kind))) in all.iter().enumerate() {
        let player = experiment.players.iter().find(|player| player.name == number.to_string()).unwrap();
        assert_eq!(player.wins_draws_losses.iter().sum::<u64>(), 8, "{speech:?} {fault}");
        let of_player = experiment.forfeits.iter().filter(|(name, ..)| *name == player.name);
        let lost: u64 = of_player.clone().map(|(.., games)| games).sum();
        assert_eq!(lost, if kind.is_empty() { 0 } else { 8 }, "{speech:?} {fault} {:?}", experiment.forfeits);
        assert!(
            of_player.clone().all(|(_, reason, _)| reason.starts_with(kind)),
            "{:?}",
            experiment.forfeits
        );
        assert!(kind.is_empty() || player.wins_draws_losses == [0, 0, 8], "{speech:?} {fault}");
    }
}

#[test]
fn an_engine_answers_pings_and_they_are_measured() {
    allow_engines();
    let command: Vec<String> =
        [env!("CARGO_BIN_EXE_shikou"), "serve", "--nboard", "random"].map(String::from).into();
    let second = Duration::from_secs(1);
    let settings = EngineSettings {
        speech: Protocol::NBoard,
        command: command.clone(),
        level: None,
        time: None,
        clock: None,
        margin: second,
        patience: 60 * second,
        size: None,
    };
    let mut engine = Engine::start(&settings).unwrap();
    let board = "---------------------------O*------*O--------------------------- *".into();
    let answer = engine.ask(&GameSoFar { board, moves: Vec::new(), first_to_move: true }).unwrap();
    assert!(["d3", "c4", "f5", "e6"].contains(&&*answer.mv), "{answer:?}");
    let ping = engine.latency().unwrap();
    assert!(engine.quit());
    assert_eq!(Engine::latency_of(&command), Some(ping));
}

/// A searcher of ours behind a protocol, as another process.
fn served(speech: Speech, searcher: &str, seed: u64) -> SearcherSpec {
    let program = std::env::var("SHIKOU_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_shikou").into());
    let (protocol, seed) = (format!("--{}", speech.name()), seed.to_string());
    let command = [&*program, "serve", &protocol, searcher, "--seed", &seed].map(String::from);
    let engine = shikou::registry().searcher("engine").unwrap();
    let command = OptionValue::Words(command.into());
    SearcherSpec::new(engine, [(speech.name(), command), ("patience", "1min".into())]).unwrap()
}

/// The moves and the score of a game after an opening; each player's randomness is that of a server with its seed.
fn meet(game: &dyn AnyGame, seats: [&SearcherSpec; 2], seed: u64, opening: &[String]) -> (String, i32) {
    use shikou::game::{Player, Turn};
    let mut table = game.table(&seats.map(|seat| Some(seat.clone()))).unwrap();
    for mv in opening {
        assert!(table.make_written_move(mv));
    }
    while let Turn::Player(player) = table.turn() {
        let stream = served_stream(seed + player.index() as u64, table.plies());
        table.decide(stream, Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    (table.transcript(), table.score(Player::FIRST))
}

/// The loop-back law: the games of searchers behind a protocol are, move for move, those that they play in this process.
fn loop_back(games: u64) {
    allow_engines();
    let game = shikou::registry().game("othello", &[]).unwrap();
    let searchers = ["greedy(epsilon=0.3)", "minimax(depth=1)"];
    let [first, second] = searchers.map(searcher);
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
        let here = meet(&*game, [&first, &second], number, &opening);
        let speech = [BOTH[number as usize % 2], BOTH[number as usize / 2 % 2]];
        let engines = [served(speech[0], searchers[0], number), served(speech[1], searchers[1], number + 1)];
        let there = meet(&*game, [&engines[0], &engines[1]], number, &opening);
        assert_eq!(there, here, "game {number}");
        passes += game.written_moves(&here.0).unwrap().iter().filter(|&mv| mv == "pass").count() as u64;
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
