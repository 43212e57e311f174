//! Texts and files made to deceive: what a terminal would obey, what a spreadsheet would compute, what is not of the
//! expected kind, and a system that fails.

use std::fs;
use std::process::{Command, Stdio};

use crate::resume::shikou;
use crate::support::{with_manifest, with_results};

/// A manifest whose texts hold escapes, and a player whose name is a formula.
const HOSTILE: &str = r#"
schema = 1
question = "a\u001b]0;owned\u0007 \u202Eb\u200B"
source = "\u001b[2J"
[[experiment]]
game = "tic-tac-toe"
trials = 4
player = [{ name = "=1+1", search = "random" }, { name = "-b", search.flat = { playouts-per-move = 1 } }]
"#;

/// Nothing in a text that a terminal would obey or hide.
#[track_caller]
fn is_harmless(text: &str) {
    let hidden = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}\u{feff}\u{2066}".contains(c);
    assert!(!text.contains(hidden), "{text:?}");
}

#[test]
fn what_a_terminal_would_obey_is_escaped() {
    let folder = with_manifest("hostile/terminal", HOSTILE);
    let mut all = vec![shikou(&folder, &["run", "m.toml", "--full"])];
    assert!(all[0].1.contains("a\\u{1b}]0;owned\\u{7} \\u{202e}b\\u{200b}"), "{}", all[0].1);
    for file in ["report.txt", "summary.json"] {
        is_harmless(&fs::read_to_string(folder.join("results/m").join(file)).unwrap());
    }
    fs::write(folder.join("games.txt"), "f5d6\nf5\u{1b}[2J\nf5\u{202e}\n").unwrap();
    for command in [
        "plan m.toml",
        "report results/m --format markdown",
        "report results/m --json",
        "report results/m --format csv",
        "status results/m",
        "replay othello games.txt",
        "analyze tic-tac-toe \u{202e} --search 'flat(playouts-per-move=10)'",
        "plan \u{1b}[2J.toml",
        "games \u{1b}]0;owned\u{7}",
        "\u{1b}[2Jx",
    ] {
        all.push(shikou(&folder, &command.split(' ').collect::<Vec<_>>()));
    }
    for (_, out, err) in &all {
        is_harmless(out);
        is_harmless(err);
    }
    assert!(all[3].1.contains(r#""question": "a\u001b]0;owned\u0007 \u202eb\u200b""#), "{}", all[3].1);
    assert!(all[6].1.contains(r"ply 2: `\u{1b}[2J` is not a legal move"), "{}", all[6].1);
}

#[test]
fn a_name_holds_only_what_is_shown() {
    for (hidden, code) in [('\u{202e}', "U+202E"), ('\u{200b}', "U+200B"), ('\u{7f}', "U+007F")] {
        let escape = format!("\\u{:04X}", u32::from(hidden));
        for (from, to) in [
            ("\"=1+1\"", format!("\"a{escape}b\"")),
            ("\"=1+1\"", format!("\"a\", stream = \"a{escape}b\"")),
            ("trials = 4", format!("trials = 4\nname = \"a{escape}b\"")),
            ("{ name = \"=1+1\", search = \"random\" }", format!("\"{escape}random\"")),
        ] {
            let folder = with_manifest("hostile/names", &HOSTILE.replace(from, &to));
            let (exit, _, err) = shikou(&folder, &["run", "m.toml"]);
            let place = err.contains("m.toml:") && err.contains("^^");
            assert!(exit == 2 && place && (err.contains(code) || to.starts_with("\"\\u")), "{to}: {err}");
            is_harmless(&err);
        }
    }
}

/// A spreadsheet takes text that begins like a formula for one. The files of the folder keep it.
#[test]
fn csv_guards_formulas() {
    let folder = with_results("hostile/formulas", HOSTILE, &[]);
    let canonical = fs::read_to_string(folder.join("results/m/canonical.csv")).unwrap();
    assert!(canonical.contains(",=1+1,-b,") && !canonical.contains('\''), "{canonical}");
    for (format, row) in [("csv", "players,tic-tac-toe,"), ("figure", "tic-tac-toe,tic-tac-toe,")] {
        let report = |more: &[&str]| {
            shikou(&folder, &[&["report", "results/m", "--format", format][..], more].concat()).1
        };
        let (guarded, raw) = (report(&[]), report(&["--raw-csv"]));
        assert!(
            guarded.contains(&format!("{row}'=1+1,")) && guarded.contains(&format!("{row}'-b,")),
            "{guarded}"
        );
        assert!(raw.contains(&format!("{row}=1+1,")) && !raw.contains("'=") && !raw.contains("'-b"), "{raw}");
        // Numbers are not guarded.
        assert_eq!(guarded.replace("'=", "=").replace("'-b", "-b"), raw);
        let cells = |text: &str| {
            csv::Reader::from_reader(text.as_bytes())
                .records()
                .flatten()
                .flat_map(|row| row.iter().map(str::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert!(
            cells(&guarded)
                .iter()
                .all(|cell| !cell.starts_with(['=', '+', '-', '@']) || cell.parse::<f64>().is_ok())
        );
    }
    let commands = ["plan", "m.toml", "--format", "csv"];
    assert!(shikou(&folder, &commands).1.contains("'-b,'=1+1,"));
}

/// A file of another kind, named by mistake, is not quoted.
#[test]
fn a_file_of_another_kind_is_not_quoted() {
    let text = HOSTILE.replace("trials = 4", "trials = 4\nopenings = { transcripts = \"secret\" }");
    let folder = with_manifest("hostile/kinds", &text);
    fs::write(folder.join("secret"), "password: hunter2\nhunter2:x:0\n").unwrap();
    for (command, words) in [
        ("plan m.toml", "secret:1: this is no transcript of tic-tac-toe"),
        ("run secret", "secret: the manifest is not valid TOML: "),
        ("replay othello secret", "secret: game 1: this is no transcript of othello"),
        ("solve othello --file secret", "secret:1: this is no position of othello"),
        ("profile othello --compare secret", "secret:1:1: expected value"),
        ("validate --cases secret", "secret"),
        ("stats bradley-terry secret", ""),
    ] {
        let (code, out, err) = shikou(&folder, &command.split(' ').collect::<Vec<_>>());
        let all = out + &err;
        assert!(code != 0 && all.contains(words), "{command}: {all}");
        assert!(!all.contains("hunter") && !all.contains("password"), "{command}: {all}");
    }
}

/// A full disk and other errors of the system have an exit code of their own, also below help.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_the_system_have_a_code_of_their_own() {
    let folder = with_results("hostile/system", HOSTILE, &[]);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for command in
        ["--help", "run --help", "--version", "games", "report results/m", "schema", "games --json"]
    {
        let mut program = Command::new(env!("CARGO_BIN_EXE_shikou"));
        let program = program.args(command.split(' ')).current_dir(&folder).stdout(full());
        let done = program.output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(5), "{command}: {err}");
        assert!(err.contains("standard output: No space left on device"), "{command}: {err}");
    }
    // A missing file is a mistake, and not the system's.
    for command in [["report", "none"], ["run", "none.toml"], ["replay", "none.txt"]] {
        assert_eq!(shikou(&folder, &command).0, 2);
    }
}

/// Names of files that are no UTF-8 text are used, or refused with words.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_do_no_harm() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = with_manifest("hostile/bytes", &HOSTILE.replace("trials = 4", "trials = 2"));
    let name = OsStr::from_bytes(b"m\xff.toml");
    fs::rename(folder.join("m.toml"), folder.join(name)).unwrap();
    let run = |arguments: &[&str], after: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shikou"));
        command.args(arguments).arg(name).args(after).current_dir(&folder).stdin(Stdio::null());
        let done = command.output().unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    for _ in 0..2 {
        assert_eq!(run(&["run", "--quiet"], &[]).0, Some(0));
    }
    let (code, err) = run(&["run", "--out"], &[name]);
    assert!(code == Some(0) || code == Some(2) && !err.contains("panicked"), "{err}");
    for command in [&["slurm", "--shards", "2"][..], &["kubernetes", "--image", "i", "--shards", "2"]] {
        let (code, err) = run(command, &[]);
        assert!(code == Some(2) && err.contains("is not UTF-8 text"), "{err}");
    }
    assert!(
        !folder
            .join("results")
            .read_dir()
            .unwrap()
            .any(|file| { file.unwrap().file_name().to_string_lossy().contains("shards") })
    );
}

/// A name that no row of a log can hold is refused before anything is played.
#[test]
fn a_name_of_any_length_makes_no_damage() {
    let with = |length: usize| HOSTILE.replace("\"=1+1\"", &format!("{:?}", "n".repeat(length)));
    let folder = with_manifest("hostile/long", &with(700_000));
    let (code, _, err) = shikou(&folder, &["run", "m.toml"]);
    assert!(code == 2 && err.contains("this name has 700000 bytes"), "{}", &err[..300]);
    fs::write(folder.join("m.toml"), with(1000)).unwrap();
    for command in [&["run", "m.toml", "--quiet"][..], &["report", "results/m"]] {
        let (code, _, err) = shikou(&folder, command);
        assert_eq!(code, 0, "{err}");
    }
}
