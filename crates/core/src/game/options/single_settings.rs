//! Settings that are one number, word, name or part.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::settings::{mistyped, word};
use super::{Cost, OptionDecl, OptionKind, OptionValue, Part, Parts, Setting};

/// A whole number; see [`integer`].
pub struct Integer<T> {
    range: RangeInclusive<i64>,
    default: i64,
    cost: Cost,
    formerly: Option<&'static str>,
    value: PhantomData<T>,
}

/// A whole number in a range, as any integer type that can hold the range.
pub fn integer<T: TryFrom<i64>>(range: RangeInclusive<i64>, default: i64) -> Integer<T> {
    Integer { range, default, cost: Cost::Fixed, formerly: None, value: PhantomData }
}

impl<T> Integer<T> {
    /// Declares an older name, which is still read; see [`OptionDecl::formerly`].
    #[must_use]
    pub fn formerly(self, name: &'static str) -> Self {
        Self { formerly: Some(name), ..self }
    }

    /// Declares that the work is proportional to the value; see [`Cost::Amount`].
    #[must_use]
    pub fn amount(self, smoke: i64) -> Self {
        Self { cost: Cost::Amount { smoke }, ..self }
    }

    /// Declares that the value is a depth; see [`Cost::Depth`].
    #[must_use]
    pub fn depth(self, smoke: i64) -> Self {
        Self { cost: Cost::Depth { smoke }, ..self }
    }

    /// Caps the value in smoke tests; see [`Cost::Capped`].
    #[must_use]
    pub fn capped(self, smoke: i64) -> Self {
        Self { cost: Cost::Capped { smoke }, ..self }
    }

    /// Declares that the value is a number of threads, on which no result depends; see [`Cost::Threads`].
    #[must_use]
    pub fn threads(self) -> Self {
        Self { cost: Cost::Threads, ..self }
    }

    /// Declares that the value is a number of threads, on which results depend; see [`Cost::RacingThreads`].
    #[must_use]
    pub fn racing_threads(self) -> Self {
        Self { cost: Cost::RacingThreads, ..self }
    }
}

/// Converts a number to the integer type that a setting declares.
fn narrowed<T: TryFrom<i64>>(name: &str, value: i64) -> T {
    T::try_from(value).unwrap_or_else(|_| panic!("option `{name}` is {value}, which its type does not hold"))
}

impl<T: TryFrom<i64>> Setting for Integer<T> {
    type Value = T;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let decl = OptionDecl::integer(name, *self.range.start(), *self.range.end(), self.default, about);
        OptionDecl { cost: self.cost, formerly: self.formerly, ..decl }
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> T {
        match *value {
            OptionValue::Integer(value) => narrowed(name, value),
            _ => mistyped(name, value),
        }
    }
}

/// A whole number or a special word; see [`integer_or`].
pub struct IntegerOr<T> {
    range: RangeInclusive<i64>,
    word: &'static str,
    default: Option<i64>,
    cost: Cost,
    value: PhantomData<T>,
}

/// A whole number in a range, or a special word, which is read as `None`.
pub fn integer_or<T: TryFrom<i64>>(
    range: RangeInclusive<i64>,
    word: &'static str,
    default: Option<i64>,
) -> IntegerOr<T> {
    IntegerOr { range, word, default, cost: Cost::Fixed, value: PhantomData }
}

impl<T> IntegerOr<T> {
    /// Declares that the value is a depth; see [`Cost::Depth`].
    #[must_use]
    pub fn depth(self, smoke: i64) -> Self {
        Self { cost: Cost::Depth { smoke }, ..self }
    }

    /// Caps the value in smoke tests; see [`Cost::Capped`].
    #[must_use]
    pub fn capped(self, smoke: i64) -> Self {
        Self { cost: Cost::Capped { smoke }, ..self }
    }
}

impl<T: TryFrom<i64>> Setting for IntegerOr<T> {
    type Value = Option<T>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let (min, max) = (*self.range.start(), *self.range.end());
        let default = self.default.map_or_else(|| self.word.into(), OptionValue::Integer);
        let decl = OptionDecl::new(name, OptionKind::IntegerOr { min, max, word: self.word }, default, about);
        OptionDecl { cost: self.cost, ..decl }
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Option<T> {
        match *value {
            OptionValue::Integer(value) => Some(narrowed(name, value)),
            _ => None,
        }
    }
}

/// A real number; see [`real`].
pub struct Real {
    range: RangeInclusive<f64>,
    default: f64,
}

/// A real number in a range.
pub fn real(range: RangeInclusive<f64>, default: f64) -> Real {
    Real { range, default }
}

impl Setting for Real {
    type Value = f64;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::real(name, *self.range.start(), *self.range.end(), self.default, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> f64 {
        match *value {
            OptionValue::Real(value) => value,
            _ => mistyped(name, value),
        }
    }
}

/// Yes or no; see [`flag`].
pub struct Flag(bool);

/// Yes or no.
pub fn flag(default: bool) -> Flag {
    Flag(default)
}

impl Setting for Flag {
    type Value = bool;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::flag(name, self.0, about)
    }

    fn read(&self, _name: &'static str, value: &OptionValue) -> bool {
        *value == OptionValue::Flag(true)
    }
}

/// One of some words; see [`choice`].
pub struct Choice<T> {
    words: Vec<(&'static str, &'static str, T)>,
    default: &'static str,
}

/// One of some words, each with its meaning and value. The first is the default.
///
/// # Panics
/// If there is no word.
pub fn choice<T>(words: impl Into<Vec<(&'static str, &'static str, T)>>) -> Choice<T> {
    let words = words.into();
    let default = words[0].0;
    Choice { words, default }
}

impl<T> Choice<T> {
    /// Sets another default.
    #[must_use]
    pub fn or(self, default: &'static str) -> Self {
        Self { default, ..self }
    }
}

impl<T: Clone> Setting for Choice<T> {
    type Value = T;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        let words = self.words.iter().map(|&(word, about, _)| (word, about)).collect();
        OptionDecl::new(name, OptionKind::Choice(words), self.default, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> T {
        let given = word(name, value);
        let found = self.words.iter().find(|(word, ..)| *word == given);
        found.unwrap_or_else(|| mistyped(name, value)).2.clone()
    }
}

/// A name, rules or a text; see [`name_of`], [`rules`] and [`text`].
pub struct WordSetting(OptionKind, &'static str);

/// A name from a list of the game, such as `"features"`.
pub fn name_of(names: &'static str, default: &'static str) -> WordSetting {
    WordSetting(OptionKind::NameOf(names), default)
}

/// A list of rules, or the name of one of the game's lists.
pub fn rules(default: &'static str) -> WordSetting {
    WordSetting(OptionKind::Rules, default)
}

/// A text, described by some words for messages.
pub fn text(what: &'static str, default: &'static str) -> WordSetting {
    WordSetting(OptionKind::Text(what), default)
}

impl Setting for WordSetting {
    type Value = String;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, self.0.clone(), self.1, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> String {
        word(name, value).into()
    }
}

/// One of some parts; see [`part`].
pub struct PartOf<P>(PhantomData<P>);

/// One of the parts of an enum, with its options. The first is the default.
pub fn part<P: Parts>() -> PartOf<P> {
    PartOf(PhantomData)
}

impl<P: Parts> Setting for PartOf<P> {
    type Value = P;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::part(name, P::parts(), about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> P {
        let OptionValue::Part(part) = value else { mistyped(name, value) };
        P::read(part).unwrap_or_else(|| mistyped(name, value))
    }
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

/// A name from a list of the game, or one of some parts; see [`name_or_part`].
pub struct NameOrPart<P> {
    names: &'static str,
    default: &'static str,
    part: PhantomData<P>,
}

/// A name from a list of the game, such as `"policies"`, or one of the parts of an enum.
pub fn name_or_part<P: Parts>(names: &'static str, default: &'static str) -> NameOrPart<P> {
    NameOrPart { names, default, part: PhantomData }
}

impl<P: Parts> Setting for NameOrPart<P> {
    type Value = NameOr<P>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::name_or_part(name, self.names, P::parts(), self.default, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> NameOr<P> {
        let OptionValue::Part(part) = value else { mistyped(name, value) };
        P::read(part).map_or_else(|| NameOr::Name(part.name.clone()), NameOr::Part)
    }
}

/// A value, or a word for another option's value; see [`or_word`].
pub struct OrWord<S>(S, &'static str);

/// A value that a name chooses, or a word for another option's value. The word is the default and is read as `None`.
pub fn or_word<S: Setting>(setting: S, word: &'static str) -> OrWord<S> {
    OrWord(setting, word)
}

impl<S: Setting> Setting for OrWord<S> {
    type Value = Option<S::Value>;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl { default: OptionValue::Part(Part::named(self.1)), ..self.0.decl(name, about) }
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> Option<S::Value> {
        let is_word = matches!(value, OptionValue::Part(part) if part.name == self.1);
        (!is_word).then(|| self.0.read(name, value))
    }
}
