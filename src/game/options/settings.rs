//! Settings: options and their typed values, declared once.
//!
//! [`settings!`](settings) makes a struct and its options from one declaration, [`parts!`](parts) an enum and its
//! parts. The name of a field is the name of the option, its documentation is the option's line in listings, and the
//! expression behind `=` states range and default. So a program reads its options as fields that the compiler
//! checks. Rejected: reading values by name, which the compiler cannot check.
//!
//! # Example
//! ```
//! use shikou::game::options::{Options, Settings, choice, integer, parts, part, real, settings};
//!
//! parts! {
//!     /// Which move is visited next.
//!     #[derive(Debug, PartialEq)]
//!     pub enum Rule {
//!         /// the largest mean
//!         Greedy {},
//!         /// the largest upper confidence bound
//!         Ucb {
//!             /// factor of the exploration term
//!             exploration: f64 = real(0.0..=10.0, 1.0),
//!         },
//!     }
//! }
//!
//! settings! {
//!     /// The settings of a search.
//!     pub struct Search {
//!         /// playouts for each move
//!         playouts: u64 = integer(1..=1_000_000, 100).amount(4),
//!         /// which of several best moves is played
//!         pick_last: bool = choice([("first", "the first", false), ("last", "the last", true)]),
//!         /// which move is visited next
//!         rule: Rule = part(),
//!     }
//! }
//!
//! let options = Options::parse(&Search::options(), "pick-last=last,rule=ucb(exploration=2)").unwrap();
//! let search = Search::read(&options);
//! assert_eq!((search.playouts, search.pick_last), (100, true));
//! assert_eq!(search.rule, Rule::Ucb { exploration: 2.0 });
//! ```

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::Options;
use super::decl::{Cost, OptionDecl, OptionKind};
use super::part::{Part, PartDecl};
use super::value::OptionValue;

/// A struct whose fields are options; made by [`settings!`](settings).
pub trait Settings: Sized {
    /// The options, in the order of the fields.
    fn options() -> Vec<OptionDecl>;

    /// Reads the fields from these options.
    ///
    /// # Panics
    /// If the options are not those of [`Settings::options`]: an error in the program, not in its input.
    fn read(options: &Options) -> Self;
}

/// No options.
impl Settings for () {
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    fn read(_options: &Options) {}
}

/// An enum whose variants are parts with their own options; made by [`parts!`](parts).
pub trait Parts: Sized {
    /// The parts, in the order of the variants.
    fn parts() -> Vec<PartDecl>;

    /// Reads the variant from a part; `None` if no variant has its name.
    fn read(part: &Part) -> Option<Self>;
}

/// The kind of an option: its range and default, and the type of its values.
pub trait Setting {
    /// The type of the values.
    type Value;

    /// The option of this kind.
    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl;

    /// Converts a value of [the option](Setting::decl) with this name.
    fn read(&self, name: &'static str, value: &OptionValue) -> Self::Value;
}

/// Reads the value of the option with this name and kind.
///
/// # Panics
/// If no such option is declared.
pub fn read<T>(setting: &impl Setting<Value = T>, name: &'static str, options: &Options) -> T {
    setting.read(name, options.value(name))
}

/// Panics because a value is not of its declared kind, which [`OptionDecl::accept`] rules out.
pub(super) fn mistyped(name: &str, value: &OptionValue) -> ! {
    panic!("option `{name}` is {value}, which is not of its declared kind")
}

/// A whole number; see [`integer`].
pub struct Integer<T> {
    range: RangeInclusive<i64>,
    default: i64,
    cost: Cost,
    value: PhantomData<T>,
}

/// A whole number in a range, as any integer type that can hold the range.
pub fn integer<T: TryFrom<i64>>(range: RangeInclusive<i64>, default: i64) -> Integer<T> {
    Integer { range, default, cost: Cost::Fixed, value: PhantomData }
}

impl<T> Integer<T> {
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
        OptionDecl { cost: self.cost, ..decl }
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
        let OptionValue::Word(given) = value else { mistyped(name, value) };
        let found = self.words.iter().find(|(word, ..)| word == given);
        found.unwrap_or_else(|| mistyped(name, value)).2.clone()
    }
}

/// A name from a list of the game; see [`name_of`].
pub struct NameOf(&'static str, &'static str);

/// A name from a list of the game, such as `"features"`.
pub fn name_of(names: &'static str, default: &'static str) -> NameOf {
    NameOf(names, default)
}

impl Setting for NameOf {
    type Value = String;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, OptionKind::NameOf(self.0), self.1, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> String {
        match value {
            OptionValue::Word(value) => value.clone(),
            _ => mistyped(name, value),
        }
    }
}

/// A list of rules; see [`rules`].
pub struct RuleText(&'static str);

/// A list of rules, or the name of one of the game's lists.
pub fn rules(default: &'static str) -> RuleText {
    RuleText(default)
}

impl Setting for RuleText {
    type Value = String;

    fn decl(&self, name: &'static str, about: &'static str) -> OptionDecl {
        OptionDecl::new(name, OptionKind::Rules, self.0, about)
    }

    fn read(&self, name: &'static str, value: &OptionValue) -> String {
        match value {
            OptionValue::Word(value) => value.clone(),
            _ => mistyped(name, value),
        }
    }
}

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

/// The length of [`kebab`] of an identifier.
#[doc(hidden)]
pub const fn kebab_length(identifier: &str) -> usize {
    let (bytes, mut at, mut length) = (identifier.as_bytes(), 0, 0);
    while at < bytes.len() {
        length += if at > 0 && bytes[at].is_ascii_uppercase() { 2 } else { 1 };
        at += 1;
    }
    length
}

/// An identifier in kebab case: `max_share` and `MaxShare` as `max-share`.
#[doc(hidden)]
pub const fn kebab<const LENGTH: usize>(identifier: &str) -> [u8; LENGTH] {
    let bytes = identifier.as_bytes();
    let (mut name, mut at, mut to) = ([0; LENGTH], 0, 0);
    while at < bytes.len() {
        if at > 0 && bytes[at].is_ascii_uppercase() {
            name[to] = b'-';
            to += 1;
        }
        name[to] = if bytes[at] == b'_' { b'-' } else { bytes[at].to_ascii_lowercase() };
        to += 1;
        at += 1;
    }
    name
}

/// An identifier in kebab case, as a `&'static str`.
#[doc(hidden)]
#[macro_export]
macro_rules! __kebab {
    ($identifier:ident) => {{
        use $crate::game::options::{kebab, kebab_length};
        const NAME: [u8; kebab_length(stringify!($identifier))] = kebab(stringify!($identifier));
        const TEXT: &str = match std::str::from_utf8(&NAME) {
            Ok(text) => text,
            Err(_) => panic!("an option has an ASCII name"),
        };
        TEXT
    }};
}

/// Declares a struct whose fields are options; see the [module](self).
#[doc(hidden)]
#[macro_export]
macro_rules! __settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[doc = $about:literal])+ $field:ident: $type:ty = $setting:expr,)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[doc = $about])+ $vis $field: $type,)*
        }

        impl $crate::game::options::Settings for $name {
            fn options() -> Vec<$crate::game::options::OptionDecl> {
                $crate::game::options::option_list!($($(#[doc = $about])+ $field: $type = $setting,)*)
            }

            fn read(options: &$crate::game::options::Options) -> Self {
                let _ = options;
                Self { $($field: $crate::game::options::read(&$setting, $crate::game::options::kebab_name!($field), options),)* }
            }
        }
    };
}

/// Declares an enum whose variants are parts; see the [module](self).
#[doc(hidden)]
#[macro_export]
macro_rules! __parts {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[doc = $about:literal])+
                $variant:ident {
                    $($(#[doc = $field_about:literal])+ $field:ident: $type:ty = $setting:expr,)*
                },
            )*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[doc = $about])+ $variant { $($(#[doc = $field_about])+ $field: $type,)* },)*
        }

        impl $crate::game::options::Parts for $name {
            fn parts() -> Vec<$crate::game::options::PartDecl> {
                vec![$($crate::game::options::PartDecl::new(
                    $crate::game::options::kebab_name!($variant),
                    concat!($($about),+).trim(),
                    $crate::game::options::option_list!($($(#[doc = $field_about])+ $field: $type = $setting,)*),
                )),*]
            }

            fn read(part: &$crate::game::options::Part) -> Option<Self> {
                $(if part.name == $crate::game::options::kebab_name!($variant) {
                    let options = &part.options;
                    let _ = options;
                    return Some(Self::$variant {
                        $($field: $crate::game::options::read(&$setting, $crate::game::options::kebab_name!($field), options),)*
                    });
                })*
                None
            }
        }
    };
}

/// The options of some fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __options {
    ($($(#[doc = $about:literal])+ $field:ident: $type:ty = $setting:expr,)*) => {
        vec![$({
            fn declared(
                setting: &impl $crate::game::options::Setting<Value = $type>,
            ) -> $crate::game::options::OptionDecl {
                setting.decl($crate::game::options::kebab_name!($field), concat!($($about),+).trim())
            }
            declared(&$setting)
        }),*]
    };
}

/// The name of the option of a field, checked by the compiler: `option_name!(Search, playouts)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __option_name {
    ($settings:ty, $field:ident) => {{
        const _: usize = std::mem::offset_of!($settings, $field);
        $crate::game::options::kebab_name!($field)
    }};
}

pub use __kebab as kebab_name;
pub use __option_name as option_name;
pub use __options as option_list;
pub use __parts as parts;
pub use __settings as settings;
