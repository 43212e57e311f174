//! Specs as text: `name(option=value,…)`.

use std::fmt;

use crate::game::options::{Options, Wording};

/// A game with its options, as in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSpec {
    /// The name of the game.
    pub name: &'static str,
    /// Its options, defaults filled in.
    pub options: Options,
}

impl fmt::Display for GameSpec {
    /// The name and, in brackets, the options that differ from the defaults: the game's part of a trial identity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&spec_text(self.name, &self.options, Wording::Notation))
    }
}

/// A name with the changed options in brackets, if there are any.
pub(super) fn spec_text(name: &str, options: &Options, wording: Wording) -> String {
    let changed = options.changed_as(wording);
    if changed.is_empty() { name.into() } else { format!("{name}({changed})") }
}
