//! Settings: kinds of options with their defaults, and how the values are read.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::{
    Cost, Count, FileValue, Interval, OptionDecl, OptionKind, OptionValue, Options, Part, Parts, Settings,
    read_time,
};

/// Converts the value of the option with a name; `None` if the value is of another kind.
type Read<T> = dyn Fn(&'static str, &OptionValue) -> Option<T>;

/// The kind of an option with its default, and the type of its values.
#[must_use]
pub struct Setting<T> {
    /// The option, without a name.
    decl: OptionDecl,
    read: Box<Read<T>>,
}

impl<T: 'static> Setting<T> {
    /// A setting of some kind; `read` converts its values, and gives `None` for those of another kind.
    pub fn new(
        kind: OptionKind,
        default: impl Into<OptionValue>,
        read: impl Fn(&OptionValue) -> Option<T> + 'static,
    ) -> Self {
        Self { decl: OptionDecl::new("", kind, default, ""), read: Box::new(move |_, value| read(value)) }
    }

    /// The option of this kind.
    pub fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl { name, about, ..self.decl.clone() }
    }

    /// Reads the value of [the option](Setting::decl) with this name.
    ///
    /// # Panics
    /// If no such option is declared.
    pub fn read(&self, name: &'static str, options: &Options) -> T {
        let value = options.value(name);
        let mistyped = || panic!("option `{name}` is {value}, which is not of its declared kind");
        (self.read)(name, value).unwrap_or_else(mistyped)
    }

    /// The same option, whose value is made of its name and the value before.
    pub fn map<U>(self, make: impl Fn(&'static str, T) -> U + 'static) -> Setting<U> {
        let read = self.read;
        Setting {
            decl: self.decl,
            read: Box::new(move |name, value| read(name, value).map(|read| make(name, read))),
        }
    }

    /// Sets another default.
    pub fn or(self, default: impl Into<OptionValue>) -> Self {
        Self { decl: OptionDecl { default: default.into(), ..self.decl }, ..self }
    }

    /// Declares that it must be given, for example with this value.
    pub fn needed(self, example: impl Into<String>) -> Self {
        self.or(OptionValue::Needed(example.into()))
    }

    /// The same setting, which may be left out and then is `None`.
    pub fn optional(self) -> Setting<Option<T>> {
        let Self { decl, read } = self.or(());
        let read = move |name, value: &OptionValue| match value {
            OptionValue::Nothing => Some(None),
            value => read(name, value).map(Some),
        };
        Setting { decl, read: Box::new(read) }
    }

    /// Declares that no sweep is over it or anything in it.
    pub fn fixed(self) -> Self {
        Self { decl: OptionDecl { fixed: true, ..self.decl }, ..self }
    }

    /// Sets the default of a searcher that has a budget.
    pub fn or_within_budget(self, default: impl Into<OptionValue>) -> Self {
        Self { decl: OptionDecl { default_within_budget: Some(default.into()), ..self.decl }, ..self }
    }

    /// Declares the default that it had; see [`OptionDecl::default_formerly`].
    pub fn formerly_or(self, default: impl Into<OptionValue>) -> Self {
        Self { decl: OptionDecl { default_formerly: Some(default.into()), ..self.decl }, ..self }
    }

    /// Declares an older name, which is still read; see [`OptionDecl::formerly`].
    pub fn formerly(self, name: &'static str) -> Self {
        Self { decl: OptionDecl { formerly: Some(name), ..self.decl }, ..self }
    }

    fn costs(self, cost: Cost) -> Self {
        Self { decl: OptionDecl { cost, ..self.decl }, ..self }
    }

    /// Declares that the work is proportional to the value; see [`Cost::Amount`].
    pub fn amount(self, smoke: i64) -> Self {
        self.costs(Cost::Amount { smoke })
    }

    /// Declares that the value is a depth; see [`Cost::Depth`].
    pub fn depth(self, smoke: i64) -> Self {
        self.costs(Cost::Depth { smoke })
    }

    /// Caps the value in smoke tests; see [`Cost::Capped`].
    pub fn capped(self, smoke: i64) -> Self {
        self.costs(Cost::Capped { smoke })
    }

    /// Declares that the value is a number of threads, on which no result depends; see [`Cost::Threads`].
    pub fn threads(self) -> Self {
        self.costs(Cost::Threads)
    }

    /// Declares that the value is a number of threads, on which results depend; see [`Cost::RacingThreads`].
    pub fn racing_threads(self) -> Self {
        self.costs(Cost::RacingThreads)
    }
}

/// Reads values of some kinds; `None` for those of other kinds.
macro_rules! of {
    ($($kind:pat => $read:expr),+) => {
        |value: &OptionValue| match value {
            $($kind => $read,)+
            _ => None,
        }
    };
}

/// A whole number as the integer type that a setting declares.
fn narrowed<T: TryFrom<i64>>(value: &OptionValue) -> Option<T> {
    if let OptionValue::Integer(value) = *value { T::try_from(value).ok() } else { None }
}

const fn number(value: &OptionValue) -> Option<f64> {
    if let OptionValue::Real(value) = *value { Some(value) } else { None }
}

/// A whole number in a range, as any integer type that can hold the range.
pub fn integer<T: TryFrom<i64> + 'static>(
    range: RangeInclusive<i64>,
    default: impl Into<OptionValue>,
) -> Setting<T> {
    let kind = OptionKind::Integer { min: *range.start(), max: *range.end(), word: None };
    Setting::new(kind, default, narrowed)
}

/// A whole number in a range, or a special word, which is read as `None`.
pub fn integer_or<T: TryFrom<i64> + 'static>(
    range: RangeInclusive<i64>,
    word: &'static str,
    default: Option<i64>,
) -> Setting<Option<T>> {
    let kind = OptionKind::Integer { min: *range.start(), max: *range.end(), word: Some(word) };
    let default = default.map_or_else(|| word.into(), OptionValue::Integer);
    Setting::new(kind, default, |value| match value {
        OptionValue::Integer(_) => narrowed(value).map(Some),
        _ => Some(None),
    })
}

/// A real number in a range.
pub fn real(range: impl Into<Interval>, default: impl Into<OptionValue>) -> Setting<f64> {
    Setting::new(OptionKind::Real { range: range.into(), word: None }, default, number)
}

/// A real number in a range, or a special word, which is the default and is read as `None`.
pub fn real_or(range: impl Into<Interval>, word: &'static str) -> Setting<Option<f64>> {
    let kind = OptionKind::Real { range: range.into(), word: Some(word) };
    Setting::new(kind, word, |value| Some(number(value)))
}

/// Yes or no.
pub fn flag(default: bool) -> Setting<bool> {
    Setting::new(OptionKind::Flag, default, |value| Some(*value == OptionValue::Flag(true)))
}

/// A choice among words, each with its meaning and value. The first is the default.
///
/// # Panics
/// If there is no word.
pub fn choice<T: Clone + 'static>(words: impl Into<Vec<(&'static str, &'static str, T)>>) -> Setting<T> {
    let words = words.into();
    let kind = OptionKind::Choice(words.iter().map(|&(word, about, _)| (word, about)).collect());
    Setting::new(kind, words[0].0, move |value| {
        let OptionValue::Word(given) = value else { return None };
        words.iter().find(|(word, ..)| word == given).map(|(.., value)| value.clone())
    })
}

fn word(kind: OptionKind, default: &str) -> Setting<String> {
    Setting::new(kind, default, of!(OptionValue::Word(word) => Some(word.clone())))
}

/// A name from a list of the game, such as `"features"`.
pub fn name_of(names: &'static str, default: &'static str) -> Setting<String> {
    word(OptionKind::NameOf(names), default)
}

/// A list of rules, or the name of one of the game's lists.
pub fn rules(default: &'static str) -> Setting<String> {
    word(OptionKind::Rules, default)
}

/// A text, described by some words for messages.
pub fn text(what: &'static str, default: &'static str) -> Setting<String> {
    word(OptionKind::Text(what), default)
}

/// A time.
pub fn time() -> Setting<Duration> {
    Setting::new(OptionKind::Time { word: None }, (), of!(OptionValue::Word(text) => read_time(text)))
}

/// A choice among the parts of an enum, with their options. The first is the default.
pub fn part<P: Parts>() -> Setting<P> {
    let parts = P::parts();
    let default = parts[0].with_defaults();
    let kind = OptionKind::Part { parts, names: None };
    Setting::new(kind, default, of!(OptionValue::Part(part) => P::read(part)))
}

/// A name from a list of the game, or a part.
#[derive(Clone, Debug, PartialEq)]
pub enum NameOr<P> {
    /// A name.
    Name(String),
    /// A part with its options.
    Part(P),
}

impl<P> NameOr<P> {
    /// The name, unless it is a part.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Part(_) => None,
        }
    }
}

/// A name from a list of the game, such as `"policies"`, or one of the parts of an enum.
pub fn name_or_part<P: Parts>(names: &'static str, default: &'static str) -> Setting<NameOr<P>> {
    let kind = OptionKind::Part { parts: P::parts(), names: Some(names) };
    Setting::new(kind, Part::named(default), |value| match value {
        OptionValue::Part(part) => {
            Some(P::read(part).map_or_else(|| NameOr::Name(part.name.clone()), NameOr::Part))
        }
        _ => None,
    })
}

/// A value that a name chooses, or a word for another option's value. The word is the default and is read as `None`.
pub fn or_word<T: 'static>(setting: Setting<T>, word: &'static str) -> Setting<Option<T>> {
    let Setting { decl, read } = setting.or(Part::named(word));
    let is_word = move |value: &OptionValue| matches!(value, OptionValue::Part(part) if part.name == word);
    let read = move |name, value: &OptionValue| {
        if is_word(value) { Some(None) } else { read(name, value).map(Some) }
    };
    Setting { decl, read: Box::new(read) }
}

/// A list of whole numbers in a range; the default is the empty list.
pub fn integers(range: RangeInclusive<i64>) -> Setting<Vec<i64>> {
    let range = Interval { min: *range.start() as f64, max: *range.end() as f64, open: false };
    let kind = OptionKind::Numbers { range, whole: true, count: 0..=usize::MAX };
    Setting::new(kind, Vec::<i64>::new(), of!(OptionValue::Integers(values) => Some(values.clone())))
}

/// The least and the largest of some numbers in a range, which may be `whole`.
pub fn bounds(range: impl Into<Interval>, whole: bool) -> Setting<[f64; 2]> {
    let kind = OptionKind::Numbers { range: range.into(), whole, count: 2..=2 };
    let read = of!(
        OptionValue::Integers(values) => Some([values[0] as f64, values[1] as f64]),
        OptionValue::Reals(values) => Some([values[0], values[1]])
    );
    Setting::new(kind, (), read)
}

/// A list of texts, with the number that it takes.
pub fn texts(count: Count) -> Setting<Vec<String>> {
    list_of_texts(OptionKind::Texts { count, alone: false })
}

/// A list of texts, or one text alone.
pub fn texts_or_one() -> Setting<Vec<String>> {
    list_of_texts(OptionKind::Texts { count: 1..=usize::MAX, alone: true })
}

fn list_of_texts(kind: OptionKind) -> Setting<Vec<String>> {
    Setting::new(kind, Vec::<String>::new(), of!(OptionValue::Words(words) => Some(words.clone())))
}

/// Whether a value is there that has a reader of its own; the name of its shape.
pub fn other(shape: &'static str) -> Setting<bool> {
    Setting::new(OptionKind::Other(shape), (), |value| Some(*value == OptionValue::Flag(true)))
}

/// Numbers as they are written: all whole, or real.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Real numbers.
    Real(Vec<f64>),
}

impl Numbers {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers as real ones.
    pub fn reals(&self) -> Vec<f64> {
        match self {
            Self::Whole(values) => values.iter().map(|&value| value as f64).collect(),
            Self::Real(values) => values.clone(),
        }
    }
}

/// A list of numbers in a range, whole or real; the default is the empty list.
pub fn numbers(range: impl Into<Interval>) -> Setting<Numbers> {
    let kind = OptionKind::Numbers { range: range.into(), whole: false, count: 0..=usize::MAX };
    let read = of!(
        OptionValue::Integers(values) => Some(Numbers::Whole(values.clone())),
        OptionValue::Reals(values) => Some(Numbers::Real(values.clone()))
    );
    Setting::new(kind, Vec::<i64>::new(), read)
}

/// A program with its arguments, or names of files; none by default.
pub fn command() -> Setting<Vec<String>> {
    list_of_texts(OptionKind::Command)
}

fn named_file(kind: OptionKind) -> Setting<Option<FileValue>> {
    let read = of!(OptionValue::File(file) => Some((!file.name().is_empty()).then(|| file.clone())));
    Setting::new(kind, FileValue::default(), read)
}

/// The name of a file; none by default, and the empty name is none.
pub fn file() -> Setting<Option<FileValue>> {
    named_file(OptionKind::File)
}

/// The name of an optimisation, whose result has the form of a file; none by default.
pub fn evolved() -> Setting<Option<FileValue>> {
    named_file(OptionKind::Evolved)
}

/// A list of tables with the options of a struct; the default is the empty list.
pub fn tables<S: Settings>() -> Setting<Vec<S>> {
    let read = of!(OptionValue::Tables(tables) => Some(tables.iter().map(S::read).collect()));
    Setting::new(OptionKind::Tables(S::options()), Vec::<Options>::new(), read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::options::{Wording, settings};

    settings! {
        struct Term {
            /// a factor
            times: f64 = real(-9.0..=9.0, 1.0),
            /// a file
            file: Option<FileValue> = file(),
        }
    }

    settings! {
        struct Entry {
            /// a name
            name: String = text("a name", ""),
            /// a value
            value: f64 = real(-9.0..=9.0, 0.0),
        }
    }

    settings! {
        struct All {
            /// a number
            count: u32 = integer(0..=9, 1),
            /// some weights
            weights: Numbers = numbers(-10.0..=10.0),
            /// a unit
            unit: Option<f64> = real_or(1e-9..=1.0, "auto"),
            /// some terms
            terms: Vec<Term> = tables(),
            /// some numbers
            named: Vec<Entry> = tables(),
            /// a result
            evolved: Option<FileValue> = evolved(),
        }
    }

    #[test]
    fn nothing_is_given_by_default() {
        let all = All::read(&parse(""));
        assert_eq!((all.count, all.evolved, all.unit, all.terms.len()), (1, None, None, 0));
        assert!(all.weights.is_empty());
        assert_eq!(parse("evolved=\"\""), parse(""));
    }

    fn parse(text: &str) -> Options {
        Options::parse(&All::options(), text).unwrap()
    }

    fn message(text: &str) -> String {
        Options::parse(&All::options(), text).unwrap_err().to_string()
    }

    #[test]
    fn names_with_values_are_one_table() {
        let written = parse("named=(b=1, a=-0.5)");
        assert_eq!(written.changed(), "named=(a=-0.5,b=1.0)");
        for text in
            ["named.a=-0.5,named.b=1", "named=[(name=a,value=-0.5),(name=b,value=1)]", &written.changed()]
        {
            assert_eq!(parse(text), written, "{text}");
        }
        let named = All::read(&written).named;
        assert_eq!(
            named.iter().map(|entry| (&*entry.name, entry.value)).collect::<Vec<_>>(),
            [("a", -0.5), ("b", 1.0)]
        );
        assert_eq!(message("named=(a=1,a=2)"), "option `a` is given twice");
        assert_eq!(message("named=(a=10)"), "`value` is 10.0, but takes a number from -9 to 9");
        assert_eq!(
            message("named=1"),
            "`named` takes a table of names, each with a number from -9 to 9, such as { name = 1 }"
        );
    }

    #[test]
    fn whole_numbers_stay_whole() {
        assert_eq!(All::read(&parse("weights=[1, -2]")).weights, Numbers::Whole(vec![1, -2]));
        assert_eq!(All::read(&parse("weights=[1,0.5]")).weights, Numbers::Real(vec![1.0, 0.5]));
        assert_eq!(parse("weights=[1,0.5]").changed(), "weights=[1.0,0.5]");
        assert_eq!(All::read(&parse("")).weights, Numbers::Whole(vec![]));
    }

    #[test]
    fn numbers_are_in_their_range() {
        let expected = "a list of numbers from -10 to 10";
        assert_eq!(message("weights=[1,11]"), format!("`weights` is [1,11], but takes {expected}"));
        for text in ["[0.5,nan]", "[inf]", "[1,x]", "1", "[1"] {
            let message = message(&format!("weights={text}"));
            assert!(message.contains(expected) || message.contains("bracket"), "{message}");
        }
        assert_eq!(message("unit=2"), "`unit` is 2.0, but takes a number from 0.000000001 to 1, or \"auto\"");
        assert_eq!(
            (All::read(&parse("unit=auto")).unit, All::read(&parse("unit=1")).unit),
            (None, Some(1.0))
        );
    }

    #[test]
    fn tables_are_read_from_their_own_text() {
        let text = "terms=[(times=2.5,file=\"a,(b\"),()]";
        let options = parse(text);
        let terms = All::read(&options).terms;
        assert_eq!((terms.len(), terms[0].times, terms[1].times), (2, 2.5, 1.0));
        assert_eq!(terms[0].file.as_ref().unwrap().name(), "a,(b");
        assert_eq!(parse(&options.changed()), options);
        assert_eq!(message("terms=[(times=10)]"), "`times` is 10.0, but takes a number from -9 to 9");
        assert_eq!(message("terms=[2]"), "`terms` takes a list of tables with `times` and `file`");
        assert_eq!(message("terms=[(tims=1)]"), "unknown option `tims`; did you mean `times`?");
    }

    #[test]
    fn the_identity_of_a_file_is_its_content() {
        let with = |text: &str, content: &str| {
            let mut options = parse(text);
            let mut change = |decl: &OptionDecl, file: &mut FileValue| {
                assert!(["file", "evolved"].contains(&decl.name));
                *file = file.clone().with_content(content.as_bytes());
                Ok::<(), ()>(())
            };
            options.change_files(&mut change).unwrap();
            options.changed_as(Wording::Identity)
        };
        let one = with("terms=[(file=a)],evolved=g", "1");
        assert_eq!(one, with("evolved=h,terms=[(file=\"x/a\")]", "1"));
        assert_ne!(one, with("terms=[(file=a)],evolved=g", "2"));
        assert!(one.starts_with("evolved=sha256:6b86b273"), "{one}");
        assert_eq!(parse("evolved=g").changed(), "evolved=\"g\"");
    }
}
