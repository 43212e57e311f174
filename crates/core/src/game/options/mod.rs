//! Declared options of games and searchers, and their values.
//!
//! An option is declared once, as data. Manifests, `--option`, the listings of `shikou games` and
//! `shikou searchers`, and the identity of a trial all read the same declaration. Rejected: a struct per
//! game with derived parsing, which repeats names, defaults and ranges in three places and cannot list them.

mod decl;
mod part;
mod reader;
mod refusal;
mod setting;
mod settings;
mod typed;
mod value;

pub use decl::{Cost, Count, FINITE, Interval, OptionDecl, OptionKind, POSITIVE, open, read_count};
pub use part::{Part, PartDecl};
pub use reader::{PlacedOptions, is_name_key, name_as_value, position};
pub use refusal::{OptionError, meant, named, nearest};
pub use setting::{
    NameOr, Numbers, Setting, bounds, choice, command, evolved, file, flag, integer, integer_or, integers,
    name_of, name_or_part, numbers, or_word, other, part, real, real_or, rules, tables, text, texts,
    texts_or_one, time,
};
pub use settings::{
    Chosen, Parts, Settings, kebab, kebab_length, kebab_name, option_list, option_name, parts, settings,
};
pub use typed::{Misread, Place, Typed, TypedItem, TypedValue, named_with_options, pieces};
pub use value::{FileValue, OptionValue, Wording, plain_rules, read_time, short_list, write_time};

/// The values of all declared options, in the order of declaration.
///
/// # Example
/// ```
/// use shikou::game::options::{Options, integer};
/// let declared = [integer::<u8>(4..=8, 8).decl("size", "squares along an edge")];
/// let options = Options::new(&declared, [("size", 6.into())]).unwrap();
/// assert_eq!(options.integer("size"), 6);
/// assert_eq!(options.changed(), "size=6");
/// let error = Options::new(&declared, [("siez", 6.into())]).unwrap_err();
/// assert_eq!(error.to_string(), "unknown option `siez`; did you mean `size`?");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(OptionDecl, OptionValue)>);

impl Options {
    /// The declared options with the given values, and defaults for the rest.
    ///
    /// # Errors
    /// If a name is not declared, a value is out of its range, or an option is given twice.
    pub fn new<'a>(
        declared: &[OptionDecl],
        given: impl IntoIterator<Item = (&'a str, OptionValue)>,
    ) -> Result<Self, OptionError> {
        let mut options: Vec<_> = declared.iter().map(|decl| (decl.clone(), decl.default.clone())).collect();
        let mut seen = Vec::new();
        for (name, value) in given {
            let is_named = |(decl, _): &&mut (OptionDecl, _)| decl.names().any(|known| known == name);
            let Some(slot) = options.iter_mut().find(is_named) else {
                return Err(OptionError::unknown("option", name, declared.iter().map(|decl| decl.name)));
            };
            if seen.contains(&slot.0.name) {
                return Err(OptionError::Other(format!("option `{name}` is given twice")));
            }
            seen.push(slot.0.name);
            slot.1 = slot.0.accept(value)?;
        }
        Ok(Self(options))
    }

    /// Options from text, `name=value` with commas between.
    ///
    /// # Errors
    /// As [`Options::read`], the first mistake; and if a piece of the text is not a pair.
    pub fn parse(declared: &[OptionDecl], text: &str) -> Result<Self, OptionError> {
        Self::of_typed(declared, Typed::read_list(text, 0, false))
    }

    /// Options from `name=value` pairs.
    ///
    /// # Errors
    /// As [`Options::read`], the first mistake; and if an item is not a pair.
    pub fn from_pairs<S: AsRef<str>>(declared: &[OptionDecl], pairs: &[S]) -> Result<Self, OptionError> {
        let typed = pairs.iter().map(|pair| Typed::read(pair.as_ref().trim(), 0, false));
        Self::of_typed(declared, typed.collect())
    }

    fn of_typed(declared: &[OptionDecl], typed: Result<Vec<Typed>, Misread>) -> Result<Self, OptionError> {
        let read = typed.map_err(|misread| misread.error).and_then(|typed| {
            Self::read(declared, typed, &(0..0)).map_err(|mut mistakes| mistakes.swap_remove(0).error)
        });
        read.map(|read| read.options)
    }

    /// Replaces the values of options, also in their parts and tables.
    ///
    /// # Errors
    /// If a new value is out of its range.
    pub fn map(
        &self,
        change: &impl Fn(&OptionDecl, &OptionValue) -> OptionValue,
    ) -> Result<Self, OptionError> {
        let changed = |(decl, value): &(OptionDecl, OptionValue)| {
            let value = match value {
                OptionValue::Part(part) => {
                    OptionValue::Part(Part { name: part.name.clone(), options: part.options.map(change)? })
                }
                OptionValue::Tables(tables) => OptionValue::Tables(
                    tables.iter().map(|table| table.map(change)).collect::<Result<_, _>>()?,
                ),
                value => change(decl, value),
            };
            Ok((decl.clone(), decl.accept(value)?))
        };
        self.0.iter().map(changed).collect::<Result<_, _>>().map(Self)
    }

    /// The same values, of options that are declared with other defaults. A value that is taken no longer becomes the default.
    #[must_use]
    pub fn declared_as(&self, declared: Vec<OptionDecl>) -> Self {
        let value_of = |(decl, (_, value)): (OptionDecl, &(_, OptionValue))| {
            let value = decl.accept(value.clone()).unwrap_or_else(|_| decl.default.clone());
            (decl, value)
        };
        Self(declared.into_iter().zip(&self.0).map(value_of).collect())
    }

    /// The same options with the defaults of some, also in their parts.
    #[must_use]
    pub fn without(&self, is_reset: &impl Fn(&OptionDecl, &OptionValue) -> bool) -> Self {
        let kept = |(decl, value): &(OptionDecl, OptionValue)| {
            let value = match value {
                _ if is_reset(decl, value) => decl.default.clone(),
                OptionValue::Part(part) => OptionValue::Part(Part {
                    name: part.name.clone(),
                    options: part.options.without(is_reset),
                }),
                value => value.clone(),
            };
            (decl.clone(), value)
        };
        Self(self.0.iter().map(kept).collect())
    }

    /// Calls `change` for every file that the options name, also in their parts and tables, with the option's name.
    ///
    /// # Errors
    /// The first error of `change`.
    pub fn change_files<E>(
        &mut self,
        change: &mut impl FnMut(&OptionDecl, &mut FileValue) -> Result<(), E>,
    ) -> Result<(), E> {
        self.0.iter_mut().try_for_each(|(decl, value)| match value {
            OptionValue::File(file) if !file.name().is_empty() => change(decl, file),
            OptionValue::Part(part) => part.options.change_files(change),
            OptionValue::Tables(tables) => tables.iter_mut().try_for_each(|table| table.change_files(change)),
            _ => Ok(()),
        })
    }

    /// Whether no options are declared.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each declared option with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&OptionDecl, &OptionValue)> {
        self.0.iter().map(|(decl, value)| (decl, value))
    }

    /// The options that differ from their defaults, sorted by name, as `name=value` separated by commas.
    pub fn changed(&self) -> String {
        self.changed_as(Wording::Notation)
    }

    /// The same in other words. The identity of a trial hashes the text for [`Wording::Identity`], so that a new option
    /// with a default changes no old trial.
    pub fn changed_as(&self, wording: Wording) -> String {
        let mut changed: Vec<String> = self
            .iter()
            .filter(|(decl, value)| decl.default != **value)
            .filter(|(decl, value)| {
                let is_unnamed = decl.cost == Cost::Threads || decl.default_formerly.as_ref() == Some(value);
                wording != Wording::Identity || !is_unnamed
            })
            .map(|(decl, value)| {
                let old = decl.formerly.filter(|_| wording == Wording::Identity);
                format!("{}={}", old.unwrap_or(decl.name), value.text(wording))
            })
            .collect();
        changed.sort();
        changed.join(",")
    }

    /// The number of threads that these options ask for, and those of their parts: 1 if none does.
    pub fn threads(&self) -> u64 {
        let of = |(decl, value): (&OptionDecl, &OptionValue)| match value {
            OptionValue::Integer(threads) if matches!(decl.cost, Cost::Threads | Cost::RacingThreads) => {
                threads.unsigned_abs()
            }
            OptionValue::Part(part) => part.options.threads(),
            _ => 1,
        };
        self.iter().map(of).max().unwrap_or(1)
    }

    /// A whole number.
    ///
    /// # Panics
    /// If no such option is declared, which is an error in the program and not in its input. The other methods that
    /// take a name panic likewise.
    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            OptionValue::Integer(value) => *value,
            other => panic!("option `{name}` is {other}, not a whole number"),
        }
    }

    /// A whole number, or `None` for the option's special word.
    pub fn integer_or_word(&self, name: &str) -> Option<i64> {
        if let OptionValue::Integer(value) = self.value(name) { Some(*value) } else { None }
    }

    /// A real number.
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            OptionValue::Real(value) => *value,
            other => panic!("option `{name}` is {other}, not a real number"),
        }
    }

    /// A word.
    pub fn word(&self, name: &str) -> &str {
        match self.value(name) {
            OptionValue::Word(value) => value,
            other => panic!("option `{name}` is {other}, not a word"),
        }
    }

    /// A part with its options.
    pub fn part(&self, name: &str) -> &Part {
        match self.value(name) {
            OptionValue::Part(part) => part,
            other => panic!("option `{name}` is {other}, not a part"),
        }
    }

    fn value(&self, name: &str) -> &OptionValue {
        let found = self.0.iter().find(|(decl, _)| decl.name == name);
        &found.unwrap_or_else(|| panic!("option `{name}` is not declared")).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<OptionDecl> {
        vec![
            integer::<u32>(1..=1000, 100).decl("playouts", "playouts a move"),
            real(0.0..=1.0, 0.5).decl("share", "a share"),
            flag(false).decl("merge", "whether to merge"),
            choice([("first", "the first", 1), ("random", "any", 2)]).decl("ties", "among equals"),
            integer_or::<u32>(1..=60, "full", Some(4)).decl("depth", "plies"),
        ]
    }

    fn message(name: &str, value: impl Into<OptionValue>) -> String {
        Options::new(&declared(), [(name, value.into())]).unwrap_err().to_string()
    }

    #[test]
    fn defaults_stand_where_nothing_is_given() {
        let options = Options::new(&declared(), []).unwrap();
        assert_eq!(options.integer("playouts"), 100);
        assert_eq!(options.word("ties"), "first");
        assert_eq!(options.integer_or_word("depth"), Some(4));
        assert_eq!(options.changed(), "");
    }

    #[test]
    fn changed_is_sorted_and_leaves_defaults_out() {
        let given = [
            ("ties", "random".into()),
            ("playouts", 100.into()),
            ("share", 1.into()),
            ("depth", "full".into()),
        ];
        let options = Options::new(&declared(), given).unwrap();
        assert_eq!(options.changed(), r#"depth="full",share=1.0,ties="random""#);
        assert_eq!(options.integer_or_word("depth"), None);
    }

    #[test]
    fn messages_say_what_is_wrong_and_what_to_do() {
        assert_eq!(message("playout", 5), "unknown option `playout`; did you mean `playouts`?");
        assert_eq!(message("level", 5), "unknown option `level`; known: playouts, share, merge, ties, depth");
        assert_eq!(message("playouts", -1), "`playouts` is -1, but takes a whole number from 1 to 1000");
        assert_eq!(message("playouts", 1.5), "`playouts` is 1.5, but takes a whole number from 1 to 1000");
        assert_eq!(
            message("ties", "frist"),
            r#"`ties` is "frist", but takes "first" or "random"; did you mean "first"?"#
        );
        assert_eq!(
            message("depth", "ful"),
            r#"`depth` is "ful", but takes a whole number from 1 to 60, or "full""#
        );
        assert_eq!(message("merge", 1), "`merge` is 1, but takes true or false");
    }

    #[test]
    fn an_option_is_given_once() {
        let twice = [("share", 0.25.into()), ("share", 0.75.into())];
        assert_eq!(
            Options::new(&declared(), twice).unwrap_err().to_string(),
            "option `share` is given twice"
        );
    }
}
