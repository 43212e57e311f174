//! Errors of options with the nearest name, and other words for the names of searchers and options.

use super::{OptionDecl, OptionKind, OptionValue, Typed, TypedValue};

/// The reason why options are not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// An unknown name.
    #[error("unknown {what} `{name}`; {}", hint(.suggestion.as_deref(), .known))]
    Unknown {
        /// The kind of name that was expected: an option, a game, …
        what: &'static str,
        /// The name as given.
        name: String,
        /// The most similar known name, if one is similar enough.
        suggestion: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    /// A value that the option does not take.
    #[error("`{option}` is {found}, but takes {expected}{}", suggestion_text(.suggestion.as_deref()))]
    Value {
        /// The option.
        option: String,
        /// The value as given.
        found: String,
        /// The values that it takes.
        expected: String,
        /// The most similar accepted word, if one is similar enough.
        suggestion: Option<String>,
    },
    /// An option that must be given.
    #[error("`{name}` is missing; write for example `{example}`")]
    Missing {
        /// The option.
        name: &'static str,
        /// The option with a value.
        example: String,
    },
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

impl OptionError {
    /// The error for an unknown name.
    pub fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self::not_among(what, name, known.into_iter().map(Into::into).collect())
    }

    /// Whether it is about a name that is not known, and suggests this one.
    pub fn suggests(&self, known: &str) -> bool {
        matches!(self, Self::Unknown { suggestion: Some(name), .. } if name == known)
    }

    fn not_among(what: &'static str, name: &str, known: Vec<String>) -> Self {
        if (what, name) == ("option", "budget") {
            return Self::Other(
                "`budget` is not an option of a searcher; write it beside the searcher, \
                 { search = \"uct\", budget = { playouts = 1000 } }, or after it, \"uct@1000\""
                    .into(),
            );
        }
        if let Some(advice) = foreign(what, name, &known) {
            return Self::Other(format!("unknown {what} `{}`; {advice}", shorten(name)));
        }
        let suggestion = nearest(name, known.iter().map(String::as_str)).map(Into::into);
        Self::Unknown { what, name: shorten(name), suggestion, known }
    }

    /// The error for a table that names several things, or nothing, in place of one; `example` is the first thing alone.
    pub fn not_one(key: &str, names: &[&str], example: Option<String>) -> Self {
        let names: Vec<String> = names.iter().map(|name| format!("`{}`", shorten(name))).collect();
        Self::Other(match example {
            None => format!("`{key}` is empty; write the name of one thing"),
            Some(example) => format!(
                "`{key}` must name one thing, and here are {}: {}; keep one, with its options inside, such as {example}",
                names.len(),
                names.join(", ")
            ),
        })
    }
}

/// The advice on a word of other programs and papers, in letters of either case and with hyphens or without, by the first row of
/// `foreign.txt` whose needed name is known.
fn foreign(what: &str, name: &str, known: &[String]) -> Option<&'static str> {
    let name = in_kebab_case(name);
    let lines = include_str!("foreign.txt").lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.map(|row| {
        let mut cells = row.splitn(4, '|').map(str::trim);
        [(); 4].map(|()| cells.next().expect("a row has four cells"))
    });
    let found = rows.find(|[of, words, needed, _]| {
        *of == what
            && words.split(' ').any(|word| word == name)
            && (needed.is_empty() || known.iter().any(|known| known == needed))
    });
    found.map(|[.., advice]| advice)
}

fn in_kebab_case(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there are none".into(),
        None => format!("known: {}", known.join(", ")),
    }
}

fn suggestion_text(suggestion: Option<&str>) -> String {
    suggestion.map(|word| format!("; did you mean {word:?}?")).unwrap_or_default()
}

/// A name for a message: at most 60 characters, without control characters.
fn shorten(name: &str) -> String {
    let mut short: String = name.chars().take(60).flat_map(char::escape_debug).collect();
    if name.chars().count() > 60 {
        short.push('…');
    }
    short
}

/// The names that a text names in a list: the one that it is, else those that it is a part of.
///
/// # Example
/// ```
/// use shikou::game::options::named;
/// assert_eq!(named("uct", ["uct", "open-loop-uct"]), ["uct"]);
/// assert_eq!(named("UCT", ["uct-4x20", "open-loop-uct", "flat"]), ["uct-4x20", "open-loop-uct"]);
/// assert!(named("chess", ["othello"]).is_empty());
/// ```
pub fn named<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let part = text.to_lowercase().replace('×', "x");
    let found: Vec<&str> =
        known.into_iter().filter(|name| !part.is_empty() && name.to_lowercase().contains(&part)).collect();
    match found.iter().find(|name| **name == text) {
        Some(exact) => vec![*exact],
        None => found,
    }
}

/// The known name that is most similar to `name`, itself or by another word for it, if any is similar enough, or the only one that
/// begins with it.
///
/// # Example
/// ```
/// use shikou::game::options::nearest;
/// assert_eq!(nearest("othelo", ["othello", "tic-tac-toe"]), Some("othello"));
/// assert_eq!(nearest("negamx", ["alpha-beta", "minimax"]), Some("alpha-beta"));
/// assert_eq!(nearest("tic", ["othello", "tic-tac-toe"]), Some("tic-tac-toe"));
/// assert_eq!(nearest("chess", ["othello", "tic-tac-toe"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_among(name, &known.into_iter().collect::<Vec<_>>())
}

fn nearest_among<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = in_kebab_case(name);
    // A short word is similar to everything short.
    let words =
        |known: &'a str| synonyms(known).iter().filter(|word| word.len() > 3).map(move |word| (*word, known));
    let words = known.iter().flat_map(|known| std::iter::once((*known, *known)).chain(words(known)));
    let distances = words.map(|(word, known)| (strsim::damerau_levenshtein(&name, word), word, known));
    let similar = distances.filter(|(distance, word, _)| *distance <= 1 + word.len() / 4).min();
    let mut longer = known.iter().filter(|known| name.len() > 2 && known.starts_with(&name));
    similar.map(|(.., known)| known).or_else(|| longer.next().filter(|_| longer.next().is_none()).copied())
}

/// Each name with the words that other programs and papers use for it.
const SYNONYMS: [(&str, &[&str]); 5] = [
    ("alpha-beta", &["ab", "alphabeta", "negamax"]),
    // Refused where it is read.
    (EXPLORATION, &["c", "c-uct", "uct-c", "cp", "exploration-constant", "exploration-weight"]),
    ("playouts", &["iterations", "rollouts", "simulations", "sims"]),
    ("tuned", &["ucb1-tuned", "ucb-tuned"]),
    ("uct", &["mcts"]),
];

fn synonyms(name: &str) -> &'static [&'static str] {
    SYNONYMS.iter().find(|(other, _)| *other == name).map_or(&[], |(_, words)| words)
}

/// The known name that a text means: its own, else the one that it is in other letters or a synonym of, small or capital.
///
/// # Example
/// ```
/// use shikou::game::options::meant;
/// assert_eq!(meant("sims", ["playouts", "policy"]), Some("playouts"));
/// assert_eq!(meant("sims", ["playouts", "sims"]), Some("sims"));
/// assert_eq!(meant("MCTS", ["flat", "uct"]), Some("uct"));
/// assert_eq!(meant("plays", ["playouts"]), None);
/// ```
pub fn meant<'a>(text: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Option<&'a str> {
    let known = known.into_iter();
    let in_kebab_case = in_kebab_case(text);
    let is_meant =
        |name: &str| name.eq_ignore_ascii_case(text) || synonyms(name).contains(&in_kebab_case.as_str());
    known.clone().find(|name| *name == text).or_else(|| known.into_iter().find(|name| is_meant(name)))
}

/// The error of a way to choose among equal moves that only one searcher has.
pub(super) fn of_another_searcher(decl: &OptionDecl, typed: &Typed) -> Option<String> {
    let word = match &typed.value {
        TypedValue::Text(word) | TypedValue::Value(OptionValue::Word(word)) => word.trim_matches('"'),
        _ => return None,
    };
    let OptionKind::Choice(words) = &decl.kind else { return None };
    let is_known = words.iter().any(|(known, _)| *known == word);
    ((decl.name, word) == ("ties", SOONEST) && !is_known).then(|| {
        "only `minimax` with depth = \"full\" has ties = \"soonest\"; a search that cuts lines off, stops at a depth or plays games at \
         random does not know how soon a move wins"
            .into()
    })
}

/// The choice of the shortest win and the longest loss.
const SOONEST: &str = "soonest";

/// The option whose other words do not have its scale.
const EXPLORATION: &str = "exploration";

/// The error of a word for an option that has another scale, with the value that is meant if it is known.
pub(super) fn of_another_scale(decl: &OptionDecl, typed: &Typed) -> Option<String> {
    if decl.name != EXPLORATION || typed.name.eq_ignore_ascii_case(EXPLORATION) {
        return None;
    }
    let number = match &typed.value {
        TypedValue::Text(text) => text.parse().ok(),
        TypedValue::Value(OptionValue::Integer(number)) => Some(*number as f64),
        TypedValue::Value(OptionValue::Real(number)) => Some(*number),
        _ => None,
    };
    // The option says its own scale. That of cp differs between papers.
    let is_root_of_two = decl.about.contains("c = √2") && !typed.name.eq_ignore_ascii_case("cp");
    let converted = number.filter(|c: &f64| is_root_of_two && c.is_finite()).map(|c| {
        let exploration = format!("{:.2e}", c / std::f64::consts::SQRT_2);
        format!("; for c = {c} write exploration = {:?}", exploration.parse::<f64>().unwrap_or(c))
    });
    let converted = converted.unwrap_or_default();
    Some(format!("`{}` is not an option; `exploration` is ({}){converted}", typed.name, decl.about))
}
