//! Input of people: passes in every notation, and text with a byte order mark, read alike wherever it is read.

use std::fs;

use shikou::game::{Game, GameExt};
use shikou::games::othello::{Move, Othello, wthor};
use shikou::serve::{Protocol, serve};

use crate::cli::shikou;
use crate::support::{large_data, sample_data};

/// How passes are written, and left out.
const PASSES: [&str; 8] = ["", "pass", "PASS", "ps", "PA", "pa", "Pa", "--"];

/// A recorded game with its passes.
struct Recorded {
    moves: Vec<Move>,
    passes: u32,
}

/// The games of a file in which somebody passes.
fn games_with_passes(bytes: &[u8]) -> Vec<Recorded> {
    let game = Othello::default();
    let read = |record: wthor::Record<'_>| {
        let text: String = record.moves().map(|mv| mv.to_string()).collect();
        let mut moves = Vec::new();
        game.follow_from(&mut game.start(), &text, &mut |mv| moves.push(mv)).unwrap();
        Recorded { moves, passes: record.replay().unwrap().passes }
    };
    wthor::read(bytes).unwrap().records().map(read).filter(|recorded| recorded.passes > 0).collect()
}

fn of_1978() -> Vec<Recorded> {
    games_with_passes(&fs::read(sample_data("WTH_1978.wtb")).unwrap())
}

/// The moves with their passes in one notation.
fn written(moves: &[Move], pass: &str) -> Vec<String> {
    let words = moves.iter().map(|mv| if *mv == Move::PASS { pass.into() } else { mv.to_string() });
    words.filter(|word| !word.is_empty()).collect()
}

/// The moves up to the last pass, which something follows.
fn up_to_a_pass(recorded: &Recorded) -> &[Move] {
    let last = recorded.moves.iter().rposition(|mv| *mv == Move::PASS).unwrap();
    &recorded.moves[..=last]
}

#[test]
fn transcripts_have_the_same_moves_and_passes_however_passes_are_written() {
    let large = large_data("wthor").map(|folder| fs::read(folder.join("WTH_1985.wtb")).unwrap());
    let games = large.iter().flat_map(|bytes| games_with_passes(bytes));
    let mut most = 0;
    for Recorded { moves, passes } in of_1978().into_iter().chain(games) {
        let game = shikou::registry().game("othello", &[]).unwrap();
        let expected = game.replay(&written(&moves, "").concat()).unwrap();
        assert_eq!((expected.0.passes, expected.0.plies), (passes, moves.len() as u32));
        for pass in PASSES {
            let words = written(&moves, pass);
            // Some programs write that both pass at the end. Some records end before that.
            let at_the_end = if expected.1.is_some() { "--PA" } else { "" };
            for text in
                [words.concat(), words.join(" "), words.join(",").to_uppercase(), words.concat() + at_the_end]
            {
                assert_eq!(game.replay(&text).unwrap(), expected, "{text}");
            }
        }
        most = most.max(passes);
    }
    assert!(most > 1, "some games have several passes");
}

#[test]
fn commands_read_passes_alike_however_they_are_written() {
    let games = of_1978();
    let in_lines = |pass: &str, moves: fn(&Recorded) -> &[Move]| {
        games.iter().map(|recorded| written(moves(recorded), pass).join(" ") + "\n").collect::<String>()
    };
    let all = |pass: &str| {
        let run = |arguments: &[&str], moves: fn(&Recorded) -> &[Move]| {
            let files = [("games.txt", in_lines(pass, moves).into_bytes())];
            let (code, out, err) =
                shikou("passes", &files.each_ref().map(|(name, bytes)| (*name, &**bytes)), arguments, "");
            assert_eq!((code, &*err), (0, ""), "{pass}");
            out
        };
        let whole: fn(&Recorded) -> &[Move] = |recorded| &recorded.moves;
        let analyzed = written(up_to_a_pass(&games[0]), pass).join("");
        let samples = ["samples", "othello", "games.txt", "--out", "samples.csv"];
        let pairs = (2 * games.len()).to_string();
        let players = ["match", "othello", "minimax(depth=1,ties=first)", "random"];
        let played =
            [&players[..], &["--openings", "games.txt", "--games", &pairs, "--format", "csv"]].concat();
        [
            run(&["replay", "othello", "games.txt"], whole),
            run(&samples, whole),
            run(&["analyze", "othello", "--moves", &analyzed, "--search", "minimax(depth=1)"], whole),
            run(&played, up_to_a_pass),
        ]
    };
    let expected = all("");
    assert!(expected[0].ends_with("15 passes, 0 score mismatches\n"), "{}", expected[0]);
    for pass in ["PA", "--", "pass"] {
        assert_eq!(all(pass), expected, "{pass}");
    }
}

/// The answers of a served searcher.
fn answers(protocol: Protocol, input: impl AsRef<[u8]>) -> String {
    let registry = shikou::registry();
    let (game, searcher) =
        (registry.game("othello", &[]).unwrap(), registry.read_searcher("minimax(depth=1)").unwrap());
    let mut output = Vec::new();
    serve(protocol, &*game, &searcher, 1, input.as_ref(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn served_searchers_read_passes_alike_however_they_are_written() {
    const BOARD: &str = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
    for Recorded { moves, .. } in of_1978() {
        let black = |ply: usize| ply.is_multiple_of(2);
        let said = |pass: &str, say: &dyn Fn(usize, String) -> String| {
            let words = moves.iter().enumerate().map(|(ply, mv)| (ply, written(&[*mv], pass)));
            words
                .flat_map(|(ply, words)| words.into_iter().map(move |word| say(ply, word)))
                .collect::<String>()
        };
        let all = |pass: &str, end: &str| {
            let play =
                |ply: usize, word: String| format!("play {} {word}\n", if black(ply) { "b" } else { "w" });
            let moved = said(pass, &|_, word| format!("move {word}\n"));
            let of_game =
                said(pass, &|ply, word| format!("{}[{word}/1.0/0.1]", if black(ply) { "B" } else { "W" }));
            let end_of = |line: &str| if end.is_empty() { String::new() } else { line.replace('*', end) };
            let gtp =
                answers(Protocol::Gtp, said(pass, &play) + &end_of("play b *\nplay w *\n") + "final_score\n");
            let by_moves = answers(Protocol::NBoard, moved + &end_of("move *\n") + "hint 1\n");
            let game = format!("set game (;GM[Othello]{BOARD}{of_game}{};)\nhint 1\n", end_of("B[*]W[*]"));
            assert!(!gtp.contains('?'), "{pass}: {gtp}");
            [gtp.replace("=\n\n", ""), by_moves, answers(Protocol::NBoard, game)]
        };
        let expected = all("", "");
        assert_eq!(expected[1..], ["status the game is over\n"; 2]);
        for pass in PASSES {
            assert_eq!(all(pass, ""), expected, "{pass}");
            assert_eq!(all(pass, "PA"), expected, "{pass}");
        }
    }
    // A pass that was made for a move which is illegal is taken back, so that it can still be told.
    let corner = "-".repeat(62);
    let begin = format!("shikou-position OX{corner} X\n");
    let told = answers(Protocol::Gtp, format!("{begin}play w h8\nplay b PA\nplay w c1\n"));
    assert_eq!(told, "=\n\n? illegal move: h8\n\n=\n\n=\n\n");
}

#[test]
fn a_byte_order_mark_is_passed_over_and_utf_16_is_named() {
    let manifest = "schema = 1\n[[experiment]]\nname = \"a\"\ngame = \"othello\"\ntrials = 1\ndesign = \"match\"\n\
                    openings.transcripts = \"book.txt\"\nplayer = [{ name = \"a\", search = \"random\" }, \
                    { name = \"b\", search = 'minimax(depth=1,evaluation=linear(features=squares,file=\"w.csv\"))' }]\n";
    let squares = (0..64).map(|square| format!("{}{},1\n", (b'a' + square % 8) as char, square / 8 + 1));
    let weights = "# shikou-weights=1 game=othello of=squares unit=1 weights=64\n".to_owned()
        + &squares.collect::<String>();
    let position = "-".repeat(61) + "XO- X\n";
    let plain: [(&str, &str); 6] = [
        ("book.txt", "f5d6\n"),
        ("m.toml", manifest),
        ("w.csv", &weights),
        ("p.obf", &position),
        ("table.csv", ",a,b\na,0,60\nb,40,0\n"),
        ("stdin", "f5\nquit\n"),
    ];
    let commands: [(&str, &[&str]); 8] = [
        ("book.txt", &["replay", "othello", "book.txt"]),
        ("book.txt", &["replay", "othello", "-"]),
        (
            "book.txt",
            &[
                "match",
                "othello",
                "random",
                "greedy",
                "--openings",
                "book.txt",
                "--games",
                "2",
                "--format",
                "csv",
            ],
        ),
        ("w.csv", &["plan", "m.toml"]),
        ("m.toml", &["plan", "m.toml"]),
        ("p.obf", &["solve", "othello", "--file", "p.obf", "--json"]),
        ("table.csv", &["stats", "bradley-terry", "table.csv"]),
        ("stdin", &["play", "othello", "--against", "greedy"]),
    ];
    let utf16 =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (written, arguments) in commands {
        let run = |of: &dyn Fn(&str) -> Vec<u8>| {
            let bytes = |(name, text): (&str, &str)| if name == written { of(text) } else { text.into() };
            let files = plain.map(|file| (file.0, bytes(file)));
            let folder = crate::support::folder("written/marks");
            for (name, bytes) in &files {
                fs::write(folder.join(name), bytes).unwrap();
            }
            let input = fs::File::open(folder.join(written)).unwrap();
            let program = std::process::Command::new(env!("CARGO_BIN_EXE_shikou"))
                .args(arguments)
                .current_dir(folder)
                .stdin(input)
                .output()
                .unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (program.status.code(), text(program.stdout), text(program.stderr))
        };
        let plainly = run(&|text| text.into());
        assert_eq!(plainly.0, Some(0), "{arguments:?}: {plainly:?}");
        // The names of trials follow from the bytes of files of weights.
        let without_times = |shown: &str| {
            let kept = shown.lines().filter(|line| !line.contains("wall_ns") && !line.contains(" a  "));
            kept.collect::<Vec<_>>().join("\n")
        };
        let marked = run(&|text| format!("\u{feff}{text}").into());
        assert_eq!(without_times(&marked.1), without_times(&plainly.1), "{arguments:?}: {}", marked.2);
        let (code, _, error) = run(&utf16);
        assert_eq!(code, Some(2), "{arguments:?}: {error}");
        assert!(error.contains("this is UTF-16 text; save it as UTF-8"), "{arguments:?}: {error}");
    }
    for (protocol, input, answer) in
        [(Protocol::Gtp, "play b f5\n", "=\n\n"), (Protocol::NBoard, "ping 1\n", "pong 1\n")]
    {
        assert_eq!(answers(protocol, format!("\u{feff}{input}")), answer);
        let bytes: Vec<u8> = utf16(input);
        let refused = answers(protocol, bytes);
        assert!(refused.contains("this is UTF-16 text; save it as UTF-8"), "{refused}");
    }
}

#[test]
fn names_that_other_programs_do_not_keep_are_warned_of() {
    let manifest = |name: &str| {
        format!(
            "schema = 1\n[[experiment]]\nname = \"e\"\ngame = \"tic-tac-toe\"\ntrials = 1\nplayer = [{{ name = {name:?}, search = \"random\" }}, \
             \"minimax(depth=full)\"]\n"
        )
    };
    for (name, is_lost) in
        [("1", true), ("01", true), ("1.0", true), ("NA", true), (" a", true), ("a 1", false)]
    {
        for command in [&["plan", "m.toml"][..], &["run", "m.toml", "--smoke"]] {
            let (code, _, err) = shikou("names", &[("m.toml", manifest(name).as_bytes())], command, "");
            assert_eq!(code, 0, "{err}");
            let warning = format!("(pandas, R, spreadsheets) read {name:?} as numbers");
            assert_eq!(err.contains(&warning), is_lost, "{name:?}: {err}");
        }
    }
}

#[test]
fn samples_of_no_usable_game_are_an_error_and_no_file() {
    for games in ["", "a1a2\n", "f5d6\n"] {
        let arguments = ["samples", "othello", "games.txt", "--out", "samples.csv"];
        let (code, out, err) = shikou("no-samples", &[("games.txt", games.as_bytes())], &arguments, "");
        assert_eq!((code, &*out), (2, ""), "{err}");
        assert!(err.contains("no samples from 0 usable games; nothing was written"), "{err}");
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli/no-samples");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "only the games");
    }
}
