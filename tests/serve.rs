//! Searchers served to other programs by GTP and NBoard: every command, what is wrong, and garbage.

use shikou::search::Clock;
use shikou::serve::{Protocol, serve};

use crate::cli::{shikou, show};
use crate::connect_four::game::ConnectFour;

/// The answers of a served searcher to these bytes.
fn answers(
    protocol: Protocol,
    game: &str,
    options: &[&str],
    searcher: &str,
    input: impl AsRef<[u8]>,
) -> String {
    let registry = shikou::registry().with_game::<ConnectFour>();
    let options: Vec<String> = options.iter().map(|&option| option.into()).collect();
    let game = registry.game(game, &options).unwrap();
    let searcher = registry.read_searcher(searcher).unwrap();
    let mut output = Vec::new();
    serve(protocol, &*game, &searcher, 1, input.as_ref(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn gtp(input: &str) -> String {
    answers(Protocol::Gtp, "othello", &[], "minimax(depth=1)", input)
}

fn nboard(input: &str) -> String {
    answers(Protocol::NBoard, "othello", &[], "minimax(depth=1)", input)
}

/// The board at the start, as NBoard sends it.
const START: &str = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

fn game(moves: &str) -> String {
    format!("set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TY[8]{START}{moves};)\n")
}

#[test]
fn commands_of_gtp_are_answered_with_their_ids() {
    assert_eq!(gtp("protocol_version\n12 name\n"), "= 2\n\n=12 Shikou\n\n");
    assert_eq!(gtp("3 known_command genmove\nknown_command loadsgf\n"), "=3 true\n\n= false\n\n");
    assert_eq!(gtp("set_game Othello\nset_game Go\n"), "=\n\n? unsupported game; this is othello\n\n");
    assert_eq!(gtp("4\n5 nothing here\n"), "?4 unknown command\n\n?5 unknown command\n\n");
    assert_eq!(gtp("quit\nname\n"), "=\n\n", "nothing is read after quit");
    // Each command of the list is known.
    let listed = gtp("list_commands\n");
    for command in listed.trim_start_matches("= ").split_whitespace() {
        assert!(!gtp(&format!("{command}\n")).contains("unknown command"), "{command}");
    }
    // Comments, empty lines and tabs, as the protocol has them.
    assert_eq!(gtp("# nothing\n\n \t \nplay\tb\tf5 # the first\n"), "=\n\n");
}

#[test]
fn moves_are_checked_and_taken_back() {
    assert_eq!(gtp("play b f5\nplay white d6\nplay B C6\n"), "=\n\n=\n\n=\n\n");
    assert_eq!(gtp("play b a1\n"), "? illegal move: a1\n\n");
    assert_eq!(
        gtp("play b\nplay x f5\n"),
        "? expected a colour and a move\n\n? `x` is not a colour; b or w\n\n"
    );
    assert_eq!(gtp("play w d6\n"), "? it is the other player's turn\n\n");
    assert_eq!(gtp("undo\nplay b f5\nundo\nplay b d3\n"), "? cannot undo\n\n=\n\n=\n\n=\n\n");
    assert_eq!(
        gtp("boardsize 8\nboardsize 6\nkomi 7.5\n"),
        "=\n\n? unacceptable size; the board has 8\n\n=\n\n"
    );
    assert_eq!(gtp("final_score\n"), "? the game is not over\n\n");
}

#[test]
fn genmove_makes_its_move_and_reg_genmove_does_not() {
    let asked = gtp("reg_genmove b\nreg_genmove b\ngenmove b\ngenmove b\nshowboard\n");
    let answers: Vec<&str> = asked.split("\n\n").collect();
    assert_eq!([answers[0], answers[1]], [answers[2]; 2], "the same game and seed give the same move");
    assert!(["= d3", "= c4", "= f5", "= e6"].contains(&answers[2]), "{asked}");
    assert_eq!(answers[3], "? it is the other player's turn");
    assert!(answers[4].ends_with("X 4, O 1; O to move"), "{asked}");
    // A move other than the one that it would make.
    let other = ["d3", "c4"].into_iter().find(|mv| !answers[2].ends_with(mv)).unwrap();
    assert_eq!(gtp(&format!("reg_genmove b\nplay b {other}\n")).split("\n\n").nth(1), Some("="));
}

#[test]
fn passes_are_said_or_not() {
    let four = |input: &str| answers(Protocol::Gtp, "othello", &["size=4"], "minimax(depth=1)", input);
    let must_pass = "shikou-position OX-------------- X\n";
    assert_eq!(four(&format!("{must_pass}genmove b\ngenmove w\n")), "=\n\n= pass\n\n= c1\n\n");
    // A program that leaves passes out asks for the other colour.
    assert_eq!(four(&format!("{must_pass}genmove w\n")), "=\n\n= c1\n\n");
    assert_eq!(four(&format!("{must_pass}play w c1\n")), "=\n\n=\n\n");
    assert_eq!(four(&format!("{must_pass}play b PASS\nplay w c1\n")), "=\n\n=\n\n=\n\n");
    assert_eq!(four("play b pass\n"), "? illegal move: pass\n\n");
    assert_eq!(four(&format!("{must_pass}play w pass\n")), "=\n\n? illegal move: pass\n\n");
    // A game that is over.
    let over = "shikou-position OOO-----------X- X\n";
    assert_eq!(
        four(&format!("{over}genmove b\nplay w d1\nfinal_score\n")),
        "=\n\n? the game is over\n\n? the game is over\n\n= W+2\n\n"
    );
}

#[test]
fn any_game_for_two_is_served_by_gtp() {
    let connect =
        |input: &str| answers(Protocol::Gtp, "connect-four", &[], "flat(playouts-per-move=20)", input);
    let played = connect(
        "boardsize 7\nplay b 4\nplay w 4\nplay b 3\nplay w 3\nplay b 2\nplay w 2\ngenmove b\nfinal_score\n",
    );
    let answers: Vec<&str> = played.split("\n\n").collect();
    assert_eq!(answers[0], "? unknown command", "the game has no option `size`");
    assert!(["= 1", "= 5"].contains(&answers[7]), "four in a row wins: {played}");
    assert_eq!(answers[8], "= B+1");
    assert_eq!(
        connect("shikou-position 4 4 3\nplay w 3\nshikou-position 9\n").split("\n\n").nth(1),
        Some("=")
    );
}

#[test]
fn a_clock_is_kept() {
    // Without the clock this search would take days.
    let clock = Clock::start();
    let input =
        "time_settings 3600 0 0\ntime_left b 2 0\ngenmove b\ntime_left w 1 1\ngenmove w\ntime_left b -1\n";
    let played = answers(Protocol::Gtp, "othello", &[], "uct@playouts=1000000000000", input);
    assert!(clock.elapsed().as_secs() < 60, "{:?}", clock.elapsed());
    let answers: Vec<&str> = played.split("\n\n").collect();
    assert!(answers[2].len() == 4 && answers[4].len() == 4, "{played}");
    assert_eq!(answers[5], "? expected a number of seconds");
}

#[test]
fn nboard_is_told_a_move_and_makes_it_when_it_is_told_so() {
    let asked = nboard(&format!("nboard 1\nset depth 4\n{}ping 1\ngo\ngo\n", game("")));
    let lines: Vec<&str> = asked.lines().collect();
    assert_eq!(lines[..3], ["set myname Shikou", "pong 1", "status thinking"]);
    let mv = |line: &str| line.strip_prefix("=== ").unwrap().split('/').next().unwrap().to_owned();
    assert!(["D3", "C4", "F5", "E6"].contains(&&*mv(lines[3])), "{asked}");
    assert_eq!(mv(lines[6]), mv(lines[3]), "the move is not made");
    let moved = nboard(&format!("{}go\nmove F5/1.2/0.5\nmove F5\nlearn\n", game("")));
    assert!(moved.ends_with("status\nstatus `f5` is not a legal move here\nlearned\n"), "{moved}");
}

#[test]
fn nboard_knows_passes_ends_and_wrong_games() {
    // Black has no move here; the last board has no more moves.
    let rest = "-------- -------- -------- -------- -------- -------- --------";
    let pass = format!("set game (;GM[Othello]BO[8 O*------ {rest} *]");
    assert!(nboard(&format!("{pass};)\ngo\n")).contains("=== PA//"));
    let after = nboard(&format!("{pass}B[PA];)\ngo\nping 2\n"));
    assert!(after.contains("=== C1//") && after.ends_with("pong 2\n"), "{after}");
    let over = format!("set game (;GM[Othello]BO[8 OO------ {rest} *];)\ngo\nhint 1\n");
    assert_eq!(nboard(&over), "status the game is over\nstatus the game is over\n");
    assert_eq!(nboard(&game("B[F5]W[A1]")), "status move 2 of the game, `a1`, is not legal\n");
    assert!(nboard("set game nothing\n").starts_with("status the game cannot be read: "));
    assert!(
        nboard("set game (;BO[4 ---- -O*- -*O- ---- *];)\n").starts_with("status the board cannot be read: ")
    );
    let value = answers(
        Protocol::NBoard,
        "othello",
        &["reward=score"],
        "minimax(depth=1)",
        game("") + "go\nhint 1\n",
    );
    assert!(!value.contains("//") && value.contains("search "), "a value in discs: {value}");
}

/// Black must pass after the eighth move, and the program that plays does not say it.
#[test]
fn undo_takes_back_a_move_with_the_pass_that_was_left_out() {
    let moves =
        ["b f5", "w f6", "b c4", "w g5", "b h5", "w h4", "b g7", "w h6"].map(|mv| format!("play {mv}\n"));
    let position = |input: &str| {
        let said = gtp(&format!("{input}shikou-position\n"));
        assert!(!said.contains('?'), "{said}");
        said.trim_end().rsplit("\n\n").next().unwrap().to_owned()
    };
    let [seven, eight] = [7, 8].map(|count| position(&moves[..count].concat()));
    assert_ne!(seven, eight);
    let nine = moves.concat() + "play w c5\n";
    for (undone, expected) in [("undo\n", &eight), ("undo\nundo\n", &seven)] {
        assert_eq!(position(&(nine.clone() + undone)), *expected);
        // Searching and looking back changes nothing.
        assert_eq!(position(&format!("{nine}reg_genmove b\n{undone}")), *expected);
    }
    // After a move that was refused the pass that was made for it goes too.
    let refused = gtp(&format!("{}play w a1\nundo\nshikou-position\n", moves.concat()));
    assert!(
        refused.contains("? illegal move: a1") && refused.ends_with(&format!("{seven}\n\n")),
        "{refused}"
    );
    // A pass that was said is a move of its own.
    assert_eq!(position(&(moves.concat() + "play b pass\nundo\n")), eight);
}

#[test]
fn garbage_costs_its_line_and_nothing_else() {
    let long = "x".repeat(1 << 20);
    for end in ["\n", "\r\n"] {
        let skipped =
            format!("a line of {} bytes was skipped; 65536 are the most", long.len() + end.len() - 1);
        let input = format!("name{end}{long}{end}\u{7f}\0\u{1b}[2Jname{end}play b f5\u{1f980}{end}name");
        let name = "= Shikou\n\n";
        assert_eq!(
            gtp(&input),
            format!("{name}? {skipped}\n\n? unknown command\n\n? illegal move: f5\u{1f980}\n\n{name}")
        );
        let input = format!("ping 1{end}{long}{end}\u{1f980}{end}set{end}set game{end}move{end}ping 2{end}");
        let answers = nboard(&input);
        assert!(answers.starts_with(&format!("pong 1\nstatus {skipped}\nstatus the game cannot be read")));
        assert!(answers.ends_with("status `` is not a legal move here\npong 2\n"), "{answers}");
    }
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for protocol in [Protocol::Gtp, Protocol::NBoard] {
        answers(protocol, "othello", &[], "random", &bytes);
    }
}

#[test]
fn the_command_serves_and_says_what_it_cannot_serve() {
    let (code, out, err) = shikou("serve-gtp", &[], &["serve", "--gtp", "random"], "1 genmove b\nquit\n");
    assert!(code == 0 && out.starts_with("=1 ") && out.ends_with("\n\n=\n\n"), "{out}");
    assert_eq!(err, "random keeps no limit of time; clocks of the other program are ignored\n");
    let (code, out, err) = shikou("serve-nboard", &[], &["serve", "--nboard", "random"], "ping 7\n");
    assert_eq!((code, &*out, &*err), (0, "pong 7\n", ""));
    let refused = |arguments: &[&str]| show(shikou("serve-refused", &[], arguments, ""));
    insta::assert_snapshot!(
        [
            refused(&["serve", "--gtp", "random", "--game", "calculation"]),
            refused(&["serve", "--nboard", "random", "--option", "size=6"]),
            refused(&["serve", "--gtp", "flat@time=1s"]),
            refused(&["serve", "random"]),
            refused(&["serve", "--help"]),
        ]
        .join("\n")
    );
}
