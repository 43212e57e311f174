//! A ladder of players by rules, from a series on tic-tac-toe in Python (2024, part 62): each step corrects a weakness of
//! the one before.
//!
//! In the series o begins; here x does. Rules say only "mine" and "theirs", so they are the same.

use crate::game::NamedRules;

/// The score that ends every step from the eleventh on.
macro_rules! weighed {
    () => {
        "$two (2-0-1 = 1) + $one 1-0-2 + $other 0-1-2"
    };
}

/// The eleventh step, with its numbers.
macro_rules! eleventh {
    ($numbers:literal) => {
        concat!($numbers, "; centre: 300; 3-0-0: 200; 0-2-1: -100; 2-0-1 >= 2: 100; ", weighed!())
    };
}

/// The steps from the twelfth on, with a rule before, the worth of a win, and what blocks. The picture is an edge beside the own
/// centre that lies between two corners of the opponent: threats there keep the opponent busy.
macro_rules! twelfth {
    ($before:literal, $win:literal, $block:expr) => {
        concat!(
            "$win = ",
            $win,
            "; $special = 100; $two = 2; $one = 0.5; $other = -1; ",
            $before,
            "3-0-0: $win; 0-2-1: ",
            $block,
            "; 2-0-1 >= 2: 200; [t m . / . m . / . . t]: $special; ",
            weighed!()
        )
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
        eleventh!("$two = 1; $one = 1; $other = -1"),
    ),
    rules(
        "ai11s-v2",
        "as ai11s-v1, but a line of two counts twice",
        eleventh!("$two = 2; $one = 1; $other = -1"),
    ),
    rules(
        "ai11s-v3",
        "as ai11s-v2, but own lines with one mark count half",
        eleventh!("$two = 2; $one = 0.5; $other = -1"),
    ),
    rules("ai12s-v1", "as ai11s-v3, and it knows one trap", twelfth!("centre: 400; ", "300", "-100")),
    rules("ai12s", "version 2: as ai12s-v1, but for the centre", twelfth!("", "300", "-100")),
    rules(
        "ai12s-v3",
        "as ai12s, but a win is worth no more than two lines of two: a deliberate mistake",
        twelfth!("", "200", "-100"),
    ),
    rules(
        "ai13s",
        "as ai12s, and every line that the other can win counts",
        twelfth!("", "300", "-100 0-2-1"),
    ),
    rules(
        "ai14s",
        "as ai13s, and the lines are always weighed",
        twelfth!("", "300", concat!("-100 0-2-1 + ", weighed!())),
    ),
];

const fn rules(name: &'static str, about: &'static str, text: &'static str) -> NamedRules {
    NamedRules { name, about, text }
}
