//! Options that people try and that have other names here, and arguments that they leave out, with what to write.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options that people try.
struct Guess {
    tried: &'static [&'static str],
    /// The commands in which they are tried; none for all.
    commands: &'static [&'static str],
    /// What to write. It begins with the option that is meant, if one is.
    advice: &'static str,
}

const GUESSES: &[Guess] = &[
    Guess {
        tried: &["--pairs", "--trials", "--rounds", "--deals", "--count", "-n"],
        commands: &["match"],
        advice: "--games 100 plays 50 pairs, or 100 deals of a solitaire",
    },
    Guess {
        tried: &["--pairs", "--trials", "--games", "--rounds", "--deals", "--seed", "-n"],
        commands: &["run", "plan"],
        advice: "the manifest has `trials`, the number of pairs or deals, and `seed`",
    },
    Guess {
        tried: &[
            "--budget",
            "--playouts",
            "--iterations",
            "--simulations",
            "--nodes",
            "--time",
            "--movetime",
        ],
        commands: &["match", "analyze", "explain", "play"],
        advice: "a budget is a part of the player, such as uct@1000, uct@time=10ms or alpha-beta@nodes=5000",
    },
    Guess {
        tried: &["--depth", "-d"],
        commands: &["match", "analyze", "explain", "play"],
        advice: "a depth is an option of the player, such as \"alpha-beta(depth=6)\"",
    },
    Guess {
        tried: &["--player", "--players", "--opponent", "--engine", "--strategy"],
        commands: &["match"],
        advice: "the two players follow the game: shikou match othello uct@400 flat@400",
    },
    Guess {
        tried: &["--searcher", "--player", "--engine", "--strategy", "--algorithm"],
        commands: &["analyze"],
        advice: "--search uct@1000 names the searcher",
    },
    Guess {
        tried: &["--opponent", "--player", "--search", "--engine"],
        commands: &["play"],
        advice: "--against uct@1000 names the opponent",
    },
    Guess {
        tried: &["--jobs", "-j", "-t", "--cores", "--workers", "--parallel", "--cpus"],
        commands: &["run", "match", "solve", "plan", "validate", "perft", "profile"],
        advice: "--threads 2 sets the number of threads",
    },
    Guess {
        tried: &["--output", "--output-dir", "--dir", "--results", "-o"],
        commands: &["run"],
        advice: "--out FOLDER sets the folder of the results",
    },
    Guess {
        tried: &["--output", "--out", "--log", "-o"],
        commands: &["match"],
        advice: "--save FOLDER keeps the games",
    },
    Guess {
        tried: &["--force", "--overwrite", "--clean", "-f"],
        commands: &["run"],
        advice: "--restart begins again, and moves the old results aside",
    },
    Guess {
        tried: &["--resume", "--continue"],
        commands: &["run", "match"],
        advice: "a run goes on by itself when the same command is given again",
    },
    Guess {
        tried: &["--dry-run"],
        commands: &["run"],
        advice: "`shikou plan MANIFEST` shows what would be played; --smoke plays one cheap trial of each cell",
    },
    Guess {
        tried: &["--verbose", "-v"],
        commands: &["run", "match", "report"],
        advice: "--full prints the whole report",
    },
    Guess {
        tried: &["--manifest", "--config", "--file", "-c"],
        commands: &["run", "plan"],
        advice: "the manifest is written without an option: shikou run experiments/tour.toml",
    },
    Guess {
        tried: &["--game", "-g"],
        commands: &["match", "analyze", "explain", "solve", "play", "perft", "profile"],
        advice: "the game is written without an option: shikou perft othello 6",
    },
    Guess {
        tried: &["--size", "--board", "--board-size", "--piles"],
        commands: &["match", "analyze", "explain", "solve", "play", "perft", "profile"],
        advice: "--option size=6 sets an option of the game",
    },
    Guess {
        tried: &["--position", "--fen", "--board", "--state"],
        commands: &["analyze", "explain", "solve", "perft", "play"],
        advice: "the position is written last, in quotes if it has spaces",
    },
    Guess {
        tried: &["--csv", "--markdown", "--html", "--svg"],
        commands: &[],
        advice: "--format csv, markdown, html or svg sets the format of the output",
    },
];

/// What to write for an argument that is missing, and in which commands; none for all that the rows above do not have.
const MISSING: &[(&str, &[&str], &str)] = &[
    ("<GAME>", &["clairvoyant"], "the first argument is a game, such as calculation"),
    (
        "<GAME>",
        &["solve", "exact", "prove"],
        "the first argument is a game, such as tic-tac-toe; see `shikou games`",
    ),
    ("<GAME>", &[], "the first argument is a game, such as othello; see `shikou games`"),
    ("<PLAYER>", &["prove"], "a player follows the game, such as random or ai12s"),
    ("<PLAYER>", &[], "a player follows the game, such as uct@1000; see `shikou searchers`"),
    ("<SEARCHER>", &[], "name a searcher, such as uct@1000; see `shikou searchers`"),
    ("<MANIFEST>", &[], "begin with experiments/tour.toml, or write one with `shikou init`"),
    ("<RESULTS>", &[], "`shikou run experiments/tour.toml` writes to results/tour"),
    ("<SOURCE>", &[], "`shikou run experiments/tour.toml` writes to results/tour"),
];

/// Adds advice to an error about a missing argument or, in place of other suggestions, about an option that is a known guess.
pub(super) fn advise(mut error: clap::Error, command: &str) -> clap::Error {
    let advice = if error.kind() == ErrorKind::MissingRequiredArgument {
        missing(&error, command)
    } else {
        guessed(&error, command)
    };
    let Some(advice) = advice else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    error
}

fn missing(error: &clap::Error, command: &str) -> Option<&'static str> {
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::InvalidArg) else { return None };
    let fits = |missing: &str, (name, commands, _): &(&str, &[&str], &str)| {
        *name == missing && (commands.is_empty() || commands.contains(&command))
    };
    let advice = |missing: &String| MISSING.iter().find(|row| fits(missing, row));
    names.iter().find_map(advice).map(|(.., advice)| *advice)
}

fn guessed(error: &clap::Error, command: &str) -> Option<&'static str> {
    let place = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        // Where a position may follow, an unknown option is read as one.
        ErrorKind::ValueValidation => ContextKind::InvalidValue,
        _ => return None,
    };
    let Some(ContextValue::String(tried)) = error.get(place) else { return None };
    let fits = |guess: &&Guess| {
        guess.tried.contains(&tried.as_str())
            && (guess.commands.is_empty() || guess.commands.contains(&command))
    };
    GUESSES.iter().find(fits).map(|guess| guess.advice)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::commands::Arguments;

    /// No guess is an option that its command has, and each advised option is one.
    #[test]
    fn guesses_are_wrong_and_advice_is_right() {
        let all = Arguments::command();
        for Guess { tried, commands, advice } in GUESSES {
            for name in *commands {
                let command = all.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
                let has = |option: &str| command.get_arguments().any(|argument| is_named(argument, option));
                assert_eq!(tried.iter().find(|option| has(option)), None, "{name}");
                let advised = advice.split(' ').next().filter(|word| word.starts_with("--"));
                assert!(advised.is_none_or(has), "{name} has no {advised:?}");
            }
        }
    }

    /// Each argument is one that its commands need, and what is advised is there.
    #[test]
    fn missing_arguments_are_required_ones_and_advice_is_right() {
        let mut all = Arguments::command();
        all.build();
        for (name, commands, advice) in MISSING {
            let needs = |command: &clap::Command| {
                command
                    .get_arguments()
                    .any(|argument| argument.is_required_set() && argument.to_string() == *name)
            };
            assert!(all.get_subcommands().any(needs), "{name}");
            for command in *commands {
                assert!(needs(all.find_subcommand(command).unwrap()), "{command} needs no {name}");
            }
            for quoted in advice.split('`').skip(1).step_by(2) {
                let command = quoted.split(' ').nth(1).unwrap();
                assert!(all.find_subcommand(command).is_some(), "{quoted}");
            }
            for word in advice.split([' ', ',', '`']).filter(|word| word.starts_with("experiments/")) {
                assert!(std::path::Path::new(word).is_file(), "{word}");
            }
        }
    }

    fn is_named(argument: &clap::Arg, option: &str) -> bool {
        let long = argument.get_long().is_some_and(|long| option == format!("--{long}"));
        long || argument.get_short().is_some_and(|short| option == format!("-{short}"))
    }
}
