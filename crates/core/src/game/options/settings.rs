//! Settings: options and their typed values, declared once.
//!
//! [`settings!`](settings) makes a struct and its options from one declaration, [`parts!`](parts) an enum and its
//! parts. The name of a field is the name of the option, its documentation is the option's line in listings, and the
//! expression after `=` states range and default. So a program reads its options as fields that the compiler
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

use super::{OptionDecl, Options, Part, PartDecl, Setting};

/// A struct whose fields are options; made by [`settings!`](settings).
pub trait Settings: Sized + 'static {
    /// The options, in the order of the fields.
    fn options() -> Vec<OptionDecl>;

    /// Reads the fields from these options.
    ///
    /// # Panics
    /// If the options are not those of [`Settings::options`]: an error in the program, not in its input.
    fn read(options: &Options) -> Self;
}

impl Settings for () {
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    fn read(_options: &Options) {}
}

/// An enum whose variants are parts with their own options; made by [`parts!`](parts).
pub trait Parts: Sized + 'static {
    /// The parts, in the order of the variants.
    fn parts() -> Vec<PartDecl>;

    /// Reads the variant from a part; `None` if no variant has its name.
    fn read(part: &Part) -> Option<Self>;
}

/// A value that an option chooses by name, such as a policy. Options are generic over it, as they are over the policies of a game.
pub trait Chosen: Sized + 'static {
    /// The setting that chooses it.
    fn setting() -> Setting<Self>;
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

/// Declares a struct whose fields are options; see the [module](self). Its type parameters are [`Chosen`].
#[doc(hidden)]
#[macro_export]
macro_rules! __settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$($chosen:ident),+>)? {
            $($(#[doc = $about:literal])+ $field:ident: $type:ty = $setting:expr,)*
        }
    ) => {
        $(#[$meta])*
        $vis struct $name $(<$($chosen),+>)? {
            $($(#[doc = $about])+ $vis $field: $type,)*
        }

        impl $(<$($chosen: $crate::game::options::Chosen),+>)? $crate::game::options::Settings for $name $(<$($chosen),+>)? {
            fn options() -> Vec<$crate::game::options::OptionDecl> {
                $crate::game::options::option_list!($($(#[doc = $about])+ $field: $type = $setting,)*)
            }

            fn read(options: &$crate::game::options::Options) -> Self {
                let _ = options;
                Self { $($field: <$crate::game::options::Setting<$type>>::read(&$setting, $crate::game::options::kebab_name!($field), options),)* }
            }
        }
    };
}

/// Declares an enum whose variants are parts; see the [module](self). Its type parameters are [`Chosen`].
#[doc(hidden)]
#[macro_export]
macro_rules! __parts {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident $(<$($chosen:ident),+>)? {
            $(
                $(#[doc = $about:literal])+
                $variant:ident {
                    $($(#[doc = $field_about:literal])+ $field:ident: $type:ty = $setting:expr,)*
                },
            )*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name $(<$($chosen),+>)? {
            $($(#[doc = $about])+ $variant { $($(#[doc = $field_about])+ $field: $type,)* },)*
        }

        impl $(<$($chosen: $crate::game::options::Chosen),+>)? $crate::game::options::Parts for $name $(<$($chosen),+>)? {
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
                    return Some(Self::$variant { $($field: <$crate::game::options::Setting<$type>>::read(&$setting, $crate::game::options::kebab_name!($field), options),)* });
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
        vec![$(<$crate::game::options::Setting<$type>>::decl(
            &$setting,
            $crate::game::options::kebab_name!($field),
            concat!($($about),+).trim(),
        )),*]
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
