//! Settings that are lists, files, or absent.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::settings::mistyped;
use super::{FileValue, OptionDecl, OptionKind, OptionValue, Setting, Settings};

/// A list of whole numbers; see [`integers`].
pub struct Integers(RangeInclusive<i64>);

/// A list of whole numbers in a range; the default is the empty list.
pub fn integers(range: RangeInclusive<i64>) -> Integers {
    Integers(range)
}

impl Setting for Integers {
    type Value = Vec<i64>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let (min, max) = (*self.0.start(), *self.0.end());
        OptionDecl::new(name, OptionKind::Integers { min, max }, Vec::<i64>::new(), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Vec<i64> {
        match value {
            OptionValue::Integers(values) => values.clone(),
            _ => mistyped(name, value),
        }
    }
}

/// A real number or a special word; see [`real_or`].
pub struct RealOr {
    range: RangeInclusive<f64>,
    word: &'static str,
}

/// A real number in a range, or a special word, which is the default and is read as `None`.
pub fn real_or(range: RangeInclusive<f64>, word: &'static str) -> RealOr {
    RealOr { range, word }
}

impl Setting for RealOr {
    type Value = Option<f64>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let (min, max) = (*self.range.start(), *self.range.end());
        OptionDecl::new(name, OptionKind::RealOr { min, max, word: self.word }, self.word, about)
    }

    fn read(&self, _name: &'static str, value: &OptionValue) -> Option<f64> {
        if let OptionValue::Real(value) = *value { Some(value) } else { None }
    }
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

/// A list of numbers; see [`numbers`].
pub struct NumberList(RangeInclusive<f64>);

/// A list of numbers in a range, whole or real; the default is the empty list.
pub fn numbers(range: RangeInclusive<f64>) -> NumberList {
    NumberList(range)
}

impl Setting for NumberList {
    type Value = Numbers;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let (min, max) = (*self.0.start(), *self.0.end());
        OptionDecl::new(name, OptionKind::Numbers { min, max }, Vec::<i64>::new(), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Numbers {
        match value {
            OptionValue::Integers(values) => Numbers::Whole(values.clone()),
            OptionValue::Reals(values) => Numbers::Real(values.clone()),
            _ => mistyped(name, value),
        }
    }
}

/// A program with its arguments, or names of files; see [`command`].
pub struct Command;

/// A program with its arguments, or names of files; none by default.
pub fn command() -> Command {
    Command
}

impl Setting for Command {
    type Value = Vec<String>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, OptionKind::Command, Vec::<String>::new(), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Vec<String> {
        match value {
            OptionValue::Words(words) => words.clone(),
            _ => mistyped(name, value),
        }
    }
}

/// A file, or the result of an optimisation; see [`file()`] and [`evolved()`].
pub struct FileName(OptionKind);

/// The name of a file; none by default, and the empty name is none.
pub fn file() -> FileName {
    FileName(OptionKind::File)
}

/// The name of an optimisation, whose result has the form of a file; none by default.
pub fn evolved() -> FileName {
    FileName(OptionKind::Evolved)
}

impl Setting for FileName {
    type Value = Option<FileValue>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, self.0.clone(), FileValue::default(), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Option<FileValue> {
        let OptionValue::File(file) = value else { mistyped(name, value) };
        (!file.name().is_empty()).then(|| file.clone())
    }
}

/// A list of tables; see [`tables`].
pub struct Tables<S>(PhantomData<S>);

/// A list of tables with the options of a struct; the default is the empty list.
pub fn tables<S: Settings>() -> Tables<S> {
    Tables(PhantomData)
}

impl<S: Settings> Setting for Tables<S> {
    type Value = Vec<S>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, OptionKind::Tables(S::options()), OptionValue::Tables(Vec::new()), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Vec<S> {
        let OptionValue::Tables(tables) = value else { mistyped(name, value) };
        tables.iter().map(S::read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::options::{Options, Wording, integer, settings};

    settings! {
        struct Term {
            /// a factor
            times: f64 = crate::game::options::real(-9.0..=9.0, 1.0),
            /// a file
            file: Option<FileValue> = file(),
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
