//! A ladder of players by rules, from a series on tic-tac-toe in Python (2024, part 62): each step corrects a weakness of
//! the one before.
//!
//! In the series o begins; here x does. Rules say only "mine" and "theirs", so they are the same.

use crate::game::NamedRules;

/// The weights of lines that end every step from the eleventh on.
macro_rules! weighed {
    ($own:literal, $begun:literal) => {
        concat!($own, " (2-0-1 = 1) + ", $begun, " 1-0-2 - 0-1-2")
    };
}

/// An edge beside the own centre that lies between two corners of the opponent: threats there keep the opponent busy.
macro_rules! special {
    () => {
        "[t m . / . m . / . . t]: 100"
    };
}

pub(super) const LADDER: &[NamedRules] = &[
    rules("ai1", "the first free square", "first any: 1"),
    rules("ai2", "any square: the random player", "0"),
    rules("ai3", "the centre, else any", "centre: 1"),
    rules("ai4", "the centre, else the first free corner, else any", "centre: 10; first corner: 1"),
    rules("ai5", "win, else any", "3-0-0: 1"),
    rules(
        "ai6",
        "win, else block the opponent on the first such square, else any",
        "3-0-0: 2; first here-1-2-0: 1",
    ),
    rules("ai6s", "win, else leave the opponent no winning line, else any", "3-0-0: 1; 0-2-1: -1"),
    rules("ai7", "the centre, else as ai6", "centre: 3; 3-0-0: 2; first here-1-2-0: 1"),
    rules("ai7s", "the centre, else as ai6s", "centre: 2; 3-0-0: 1; 0-2-1: -1"),
    rules("ai8s", "as ai7s, and a line of two is good", "centre: 3; 3-0-0: 2; 0-2-1: -1; 2-0-1: 1"),
    rules(
        "ai9s",
        "as ai8s, and two lines of two are better",
        "centre: 4; 3-0-0: 3; 0-2-1: -1; 2-0-1 >= 2: 2; 2-0-1: 1",
    ),
    rules(
        "ai10s",
        "as ai9s, and lines with one mark count",
        "centre: 300; 3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 100; (2-0-1 = 1) + 1-0-2",
    ),
    rules(
        "ai11s-v1",
        "as ai10s, less the other's lines with one mark",
        concat!("centre: 300; 3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 100; ", weighed!("1", "1")),
    ),
    rules(
        "ai11s-v2",
        "as ai11s-v1, but a line of two counts twice",
        concat!("centre: 300; 3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 100; ", weighed!("2", "1")),
    ),
    rules(
        "ai11s-v3",
        "as ai11s-v2, but own lines with one mark count half",
        concat!("centre: 300; 3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 100; ", weighed!("2", "0.5")),
    ),
    rules(
        "ai12s-v1",
        "as ai11s-v3, and it knows one trap",
        concat!(
            "centre: 400; 3-0-0: 300; 0-2-1: -100; 2-0-1 >= 2: 200; ",
            special!(),
            "; ",
            weighed!("2", "0.5")
        ),
    ),
    rules(
        "ai12s",
        "version 2: as ai12s-v1, but for the centre",
        concat!("3-0-0: 300; 0-2-1: -100; 2-0-1 >= 2: 200; ", special!(), "; ", weighed!("2", "0.5")),
    ),
    rules(
        "ai12s-v3",
        "as ai12s, but a win is worth no more than two lines of two: a deliberate mistake",
        concat!("3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 200; ", special!(), "; ", weighed!("2", "0.5")),
    ),
    rules(
        "ai13s",
        "as ai12s, and every line that the other can win counts",
        concat!("3-0-0: 300; 0-2-1: -100 0-2-1; 2-0-1 >= 2: 200; ", special!(), "; ", weighed!("2", "0.5")),
    ),
    rules(
        "ai14s",
        "as ai13s, and the lines are always weighed",
        concat!(
            "3-0-0: 300; 0-2-1: -100 0-2-1 + ",
            weighed!("2", "0.5"),
            "; 2-0-1 >= 2: 200; ",
            special!(),
            "; ",
            weighed!("2", "0.5")
        ),
    ),
];

const fn rules(name: &'static str, about: &'static str, text: &'static str) -> NamedRules {
    NamedRules { name, about, text }
}
