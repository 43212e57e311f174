//! Options that people try and that are written in another way here, and arguments that they leave out, with what to write. What
//! only has another name is a hidden alias of its argument.

use std::error::Error;
use std::num::{IntErrorKind, ParseIntError};

use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::commands::Arguments;

struct Guess {
    tried: &'static str,
    /// The commands in which they are tried; none for all.
    commands: &'static str,
    /// Begins with the option that is meant, if one is.
    advice: &'static str,
}

const GUESSES: &[Guess] = &[
    Guess {
        tried: "--pairs --trials --rounds --deals --count -n",
        commands: "match",
        advice: "--games 100 plays 50 pairs, or 100 deals of a solitaire",
    },
    Guess {
        tried: "--pairs --trials --games --rounds --deals --seed -n",
        commands: "run plan",
        advice: "the manifest has `trials`, the number of pairs or deals, and `seed`",
    },
    Guess {
        tried: "--budget --playouts --iterations --simulations --nodes --time --movetime",
        commands: "match analyze explain play",
        advice: "a budget is a part of the player, such as uct@1000, uct@time=10ms or alpha-beta@nodes=5000",
    },
    Guess {
        tried: "--depth -d",
        commands: "match analyze explain play",
        advice: "a depth is an option of the player, such as \"alpha-beta(depth=6)\"",
    },
    Guess {
        tried: "--player --players --opponent --engine --strategy",
        commands: "match",
        advice: "the two players follow the game: `shikou match othello uct@400 flat`",
    },
    Guess {
        tried: "--side --seat --first --black --white --color --colour",
        commands: "play",
        advice: "--second takes the second seat, which is white at othello; without it you have the first",
    },
    Guess {
        tried: "--resume --continue",
        commands: "run match",
        advice: "a run goes on by itself when the same command is given again",
    },
    Guess {
        tried: "--dry-run",
        commands: "run",
        advice: "`shikou plan MANIFEST` shows what would be played; --smoke plays two cheap trials of each cell",
    },
    Guess {
        tried: "--manifest --config --file -c",
        commands: "run plan",
        advice: "the manifest is written without an option: `shikou run experiments/tour.toml`",
    },
    Guess {
        tried: "--game -g",
        commands: "match analyze explain solve play perft profile",
        advice: "the game is written without an option: `shikou perft othello 6`",
    },
    Guess {
        tried: "--size --board --board-size --piles",
        commands: "match analyze explain solve play perft profile check clairvoyant diverge exact prove replay samples",
        advice: "--option size=6 sets an option of the game",
    },
    Guess {
        tried: "--position --fen --board --state",
        commands: "analyze explain solve play",
        advice: "the position is written last, in quotes if it has spaces",
    },
    Guess {
        tried: "--csv --markdown --html --svg",
        commands: "",
        advice: "--format csv, markdown, html or svg sets the format of the output",
    },
];

/// The advice for a missing argument, and its commands; none for all that the rows above do not have.
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

/// Adds advice to an error of these arguments: about one that is missing or, in place of other suggestions, about an option that
/// is a known guess or has its value after a space.
pub(super) fn advise(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let command = arguments.first().map_or("", String::as_str);
    let advice = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing(&error, command).map(Into::into),
        ErrorKind::UnknownArgument => {
            forget_useless(&mut error);
            guessed(&error, command).map(Into::into).or_else(|| needs_equals(&error, arguments))
        }
        ErrorKind::ValueValidation if let Some(in_words) = no_number(&error) => return in_words,
        _ => guessed(&error, command).map(Into::into),
    };
    let Some(advice) = advice else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    error
}

/// The error of a text that is no whole number, in words of its own; the parser of numbers names a digit.
fn no_number(error: &clap::Error) -> Option<clap::Error> {
    let reason = error.source()?.downcast_ref::<ParseIntError>()?;
    let context = [ContextKind::InvalidValue, ContextKind::InvalidArg].map(|kind| error.get(kind));
    let [Some(ContextValue::String(value)), Some(ContextValue::String(name))] = context else { return None };
    if *reason.kind() != IntErrorKind::InvalidDigit {
        return None;
    }
    let message = format!(
        "invalid value '{value}' for '{name}': expected a whole number in digits\n\nFor more information, try \
         '--help'.\n"
    );
    Some(clap::Error::raw(error.kind(), message))
}

/// Removes what does not help with an unknown option: the usage, which names a similar option as if it were needed, and how to
/// pass the option as a value.
fn forget_useless(error: &mut clap::Error) {
    let is_option = |name: &ContextValue| matches!(name, ContextValue::String(name) if name.starts_with('-'));
    if !error.get(ContextKind::InvalidArg).is_some_and(is_option) {
        return;
    }
    error.remove(ContextKind::Usage);
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().contains("as a value"));
        // None leave an empty line.
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
}

/// How to write the refused argument, if it is the value of the option before it, which takes it after `=` only.
fn needs_equals(error: &clap::Error, arguments: &[String]) -> Option<String> {
    let Some(ContextValue::String(refused)) = error.get(ContextKind::InvalidArg) else { return None };
    let all = Arguments::command();
    let command = all.find_subcommand(arguments.first()?)?;
    let needs = |option: &str| {
        let mut of_command = command.get_arguments().filter(|argument| argument.is_require_equals_set());
        of_command
            .any(|argument| Some(option) == argument.get_long().map(|long| format!("--{long}")).as_deref())
    };
    let pair = arguments.windows(2).find(|pair| needs(&pair[0]) && pair[1] == *refused)?;
    Some(format!("a value of {0} follows an equals sign: {0}={1}", pair[0], pair[1]))
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
        guess.tried.split(' ').any(|known| known == tried)
            && (guess.commands.is_empty() || guess.commands.split(' ').any(|known| known == command))
    };
    GUESSES.iter().find(fits).map(|guess| guess.advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No guess is an option that its command has, and each advised option is one.
    #[test]
    fn guesses_are_wrong_and_advice_is_right() {
        let all = Arguments::command();
        for Guess { tried, commands, advice } in GUESSES {
            for name in commands.split(' ').filter(|name| !name.is_empty()) {
                let command = all.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
                let has = |option: &str| command.get_arguments().any(|argument| is_named(argument, option));
                assert_eq!(tried.split(' ').find(|option| has(option)), None, "{name}");
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
            for word in advice.split([' ', ',', '`']).filter(|word| word.starts_with("experiments/")) {
                assert!(std::path::Path::new(word).is_file(), "{word}");
            }
        }
    }

    /// A command in advice is one that can be written.
    #[test]
    fn what_is_quoted_in_advice_is_accepted() {
        let guesses = GUESSES.iter().map(|guess| guess.advice);
        for advice in guesses.chain(MISSING.iter().map(|(.., advice)| *advice)) {
            let quoted = advice.split('`').skip(1).step_by(2);
            for command in quoted.filter(|quoted| quoted.starts_with("shikou ")) {
                let read = Arguments::command().try_get_matches_from(command.split(' '));
                assert!(read.is_ok(), "{command}");
            }
        }
    }

    fn is_named(argument: &clap::Arg, option: &str) -> bool {
        let long = argument.get_long().is_some_and(|long| option == format!("--{long}"));
        long || argument.get_short().is_some_and(|short| option == format!("-{short}"))
    }
}
