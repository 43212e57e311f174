//! Advice on commands and options that people try and that are written in another way here, and on arguments that they leave out. An option that
//! only has another name is a hidden alias of its argument.

use std::error::Error;
use std::num::{IntErrorKind, ParseIntError};

use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Arguments;
use crate::game::options::{meant, nearest};
use crate::players::Registry;

/// The rows of `guesses.txt`: words that are tried or left out, the commands in which they are, or the program, and the advice.
fn guesses() -> impl Iterator<Item = [&'static str; 3]> {
    let rows = include_str!("guesses.txt").lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let mut cells = row.split(" | ");
        [(); 3].map(|()| cells.next().expect("a row has three cells"))
    })
}

/// The advice on a word in a command, by the first row that has both. A `_` is read as `-`.
fn advice_on(word: &str, command: &str) -> Option<&'static str> {
    let word = word.replace('_', "-");
    let has = |words: &str, wanted: &str| words.split(' ').any(|word| word == wanted);
    let fits = |[words, commands, _]: &[&str; 3]| {
        has(words, &word) && (commands.is_empty() || has(commands, command))
    };
    guesses().find(fits).map(|[.., advice]| advice)
}

/// Adds advice to an error of these arguments: about one that is missing or, in place of other suggestions, about an option that
/// is a known guess or has its value after a space.
pub(super) fn advise(mut error: clap::Error, arguments: &[String], registry: &Registry) -> clap::Error {
    let command = arguments.first().map_or("", String::as_str);
    let advice = match error.kind() {
        ErrorKind::MissingRequiredArgument => missing(&error, command).map(Into::into),
        ErrorKind::UnknownArgument => {
            forget_useless(&mut error);
            guessed(&error, command).map(Into::into).or_else(|| needs_equals(&error, arguments))
        }
        ErrorKind::InvalidSubcommand => {
            let advice =
                in_place_of_a_command(command, registry, error.get(ContextKind::SuggestedSubcommand));
            if advice.is_some() {
                error.remove(ContextKind::SuggestedSubcommand);
            }
            advice
        }
        ErrorKind::ValueValidation
            if let [_, number, game] = arguments
                && number.parse::<u64>().is_ok()
                && registry.game(game, &[]).is_ok() =>
        {
            Some(format!("`{number}` is a depth, which follows the game: {command} {game} {number}"))
        }
        ErrorKind::ValueValidation if let Some(in_words) = no_number(&error) => return in_words,
        _ => guessed(&error, command).map(Into::into),
    };
    let Some(advice) = advice else { return error };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
    error
}

/// The advice on a word in the place of a command: by a row, or as the name of a game or a searcher. One that is only similar
/// to a name counts if the parser `suggests` no command.
fn in_place_of_a_command(word: &str, registry: &Registry, suggests: Option<&ContextValue>) -> Option<String> {
    if let Some(advice) = advice_on(word, "shikou") {
        return Some(advice.into());
    }
    let searchers: Vec<_> = registry.searchers().iter().map(|known| known.name).collect();
    let named = |names: &[&'static str]| {
        let similar = || {
            let may_be = suggests.is_none() && !searchers.contains(&word);
            if may_be { nearest(word, names.iter().copied()) } else { None }
        };
        meant(word, names.iter().copied()).or_else(similar)
    };
    if let Some(game) = named(&registry.names().collect::<Vec<_>>()) {
        return Some(format!(
            "`{game}` is a game: `shikou play {game}` plays it, `shikou games {game}` lists its options"
        ));
    }
    let searcher = named(&searchers)?;
    Some(format!("`{searcher}` is a searcher: `shikou searchers {searcher}` lists its options"))
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

/// Removes the parts that do not help with an unknown option: the usage, which names a similar option as if it were needed, and how
/// to pass the option as a value.
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

/// The right form of the refused argument, if it is the value of the option before it, which takes it after `=` only.
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
    names.iter().find_map(|name| advice_on(name, command))
}

fn guessed(error: &clap::Error, command: &str) -> Option<&'static str> {
    let place = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        // An unknown option is read as a position where one may follow.
        ErrorKind::ValueValidation => ContextKind::InvalidValue,
        _ => return None,
    };
    let Some(ContextValue::String(tried)) = error.get(place) else { return None };
    advice_on(tried, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No option that is tried is one of its command, and each advised option is one; each argument is one that its commands need.
    #[test]
    fn guesses_are_wrong_and_advice_is_right() {
        let mut all = Arguments::command();
        all.build();
        for [tried, commands, advice] in guesses() {
            let named: Vec<&clap::Command> = match commands {
                "" => all.get_subcommands().collect(),
                "shikou" => {
                    let is_command = |word: &&str| all.find_subcommand(word).is_some();
                    assert_eq!(tried.split(' ').find(is_command), None);
                    Vec::new()
                }
                _ => commands.split(' ').map(|name| all.find_subcommand(name).expect(name)).collect(),
            };
            if tried.starts_with('<') {
                let needs = |command: &&clap::Command| {
                    command.get_arguments().any(|of| of.is_required_set() && of.to_string() == tried)
                };
                let needing = named.iter().filter(|command| needs(command)).count();
                assert!(needing == named.len() || commands.is_empty() && needing > 0, "{tried} {commands}");
            } else if !commands.is_empty() {
                for command in named {
                    let has = |option: &str| command.get_arguments().any(|of| is_named(of, option));
                    assert_eq!(tried.split(' ').find(|option| has(option)), None, "{}", command.get_name());
                    let advised = advice.split(' ').next().filter(|word| word.starts_with("--"));
                    assert!(advised.is_none_or(has), "{} has no {advised:?}", command.get_name());
                }
            }
            for word in advice.split([' ', ',', '`']).filter(|word| word.starts_with("experiments/")) {
                assert!(std::path::Path::new(word).is_file(), "{word}");
            }
            let quoted = advice.split('`').skip(1).step_by(2);
            for command in quoted.filter(|quoted| quoted.starts_with("shikou ")) {
                let read = Arguments::command().try_get_matches_from(command.split(' '));
                // The parser returns the version as an error.
                assert!(read.is_ok() || command.ends_with("--version"), "{command}");
            }
        }
    }

    fn is_named(argument: &clap::Arg, option: &str) -> bool {
        let long = argument.get_long().is_some_and(|long| option == format!("--{long}"));
        long || argument.get_short().is_some_and(|short| option == format!("-{short}"))
    }
}
