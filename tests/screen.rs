//! The output of a command fits its width, and has colours only where they are wanted.

use std::process::{Command, Output};

const ESCAPE: char = '\u{1b}';

fn shikou(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shikou"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    let Output { stdout, stderr, status } = command.envs(environment.iter().copied()).output().unwrap();
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn every_list_fits_the_width_that_is_asked_for() {
    let lists: [&[&str]; 8] = [
        &["searchers", "uct"],
        &["searchers"],
        &["games"],
        &["games", "othello"],
        &["validate", "--list"],
        &["plan", "experiments/tour.toml"],
        &["report", "results/reference/calculation-ladder"],
        &["report", "results/reference/tour", "--full"],
    ];
    for list in lists {
        for width in [80, 100, 140] {
            let text = shikou(&[list, &["--width", &width.to_string()]].concat(), &[]);
            assert!(widest(&text) <= width, "{list:?} at {width}: {}", widest(&text));
        }
        // Not on a terminal, whatever the terminal of the shell is.
        let text = shikou(list, &[("COLUMNS", "60")]);
        assert!((61..=100).contains(&widest(&text)), "{list:?}: {}", widest(&text));
    }
}

#[test]
fn the_answer_of_the_tour_fits_the_last_screen() {
    let answer = shikou(&["report", "results/reference/tour", "--width", "80"], &[]);
    assert!(answer.lines().count() < 40 && widest(&answer) <= 80, "{answer}");
    insta::assert_snapshot!(answer);
}

#[test]
fn colours_are_for_terminals() {
    let tour = ["report", "results/reference/tour"];
    assert!(!shikou(&tour, &[]).contains(ESCAPE));
    let forced = shikou(&tour, &[("CLICOLOR_FORCE", "1")]);
    // Three titles, three best players.
    for (colour, count) in [("\u{1b}[1m", 3), ("\u{1b}[32m", 3)] {
        assert_eq!(forced.matches(colour).count(), count, "{colour:?} in {forced:?}");
    }
    let warned = shikou(&["report", "results/reference/othello-uct-leaves"], &[("CLICOLOR_FORCE", "1")]);
    assert!(warned.contains("\u{1b}[33mWarning: the searches of one leaf, 16 leaves"), "{warned:?}");
    assert!(!shikou(&tour, &[("NO_COLOR", "1")]).contains(ESCAPE));
    assert!(
        !shikou(&["report", "results/reference/tour", "--json"], &[("CLICOLOR_FORCE", "1")]).contains(ESCAPE)
    );
}
