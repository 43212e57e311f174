//! Specs as text: `name(option=value,…)`, and options as people type them.

use std::fmt;

use crate::game::options::{Invalid, OptionDecl, Options};

/// Options from `name=value` pairs.
pub(super) fn parse_options<S: AsRef<str>>(declared: &[OptionDecl], pairs: &[S]) -> Result<Options, Invalid> {
    let mut given = Vec::new();
    for pair in pairs {
        let pair = pair.as_ref();
        let Some((name, text)) = pair.split_once('=') else {
            return Err(Invalid::Other(format!("`{pair}` is not an option; write name=value")));
        };
        let name = name.trim();
        let Some(decl) = declared.iter().find(|decl| decl.name == name) else {
            return Err(Invalid::unknown("option", name, declared.iter().map(|decl| decl.name)));
        };
        given.push((name, decl.parse(text.trim().trim_matches('"'))));
    }
    Options::new(declared, given)
}

/// A game with its options, as a manifest says it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSpec {
    /// The name of the game.
    pub name: &'static str,
    /// Its options, defaults filled in.
    pub options: Options,
}

impl fmt::Display for GameSpec {
    /// The name, and in brackets the options that differ from the defaults: the game's part in a trial's identity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_spec(f, self.name, &self.options)
    }
}

/// A name with the changed options in brackets, if there are any.
pub(super) fn write_spec(f: &mut fmt::Formatter<'_>, name: &str, options: &Options) -> fmt::Result {
    let changed = options.changed();
    if changed.is_empty() { f.pad(name) } else { f.pad(&format!("{name}({changed})")) }
}
