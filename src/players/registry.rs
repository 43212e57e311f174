//! The games by name: the closed house's own, and a user's.

use std::fmt;
use std::sync::Arc;

use super::AnyGame;
use super::any_game::Configured;
use crate::game::NamedGame;
use crate::game::options::{Invalid, OptionDecl, Options};
use crate::games::calculation::Calculation;
use crate::games::othello::Othello;
use crate::games::random_tree::RandomTree;
use crate::games::tic_tac_toe::TicTacToe;

/// The games that manifests and commands know.
///
/// # Example: the standard games and one more
/// ```
/// use shikou::players::Registry;
/// let registry = Registry::standard(); // .with::<MyGame>()
/// assert!(registry.names().any(|name| name == "othello"));
/// let error = registry.game::<&str>("othelo", &[]).err().unwrap();
/// assert_eq!(error.to_string(), "unknown game `othelo`; did you mean `othello`?");
/// let small = registry.game("othello", &["size=6"]).unwrap();
/// assert_eq!(small.spec().to_string(), "othello(size=6)");
/// ```
pub struct Registry(Vec<Entry>);

struct Entry {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionDecl>,
    make: fn(Options) -> Result<Arc<dyn AnyGame>, Invalid>,
}

impl Registry {
    /// No games at all.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The games of the house.
    pub fn standard() -> Self {
        Self::empty().with::<TicTacToe>().with::<Othello>().with::<Calculation>().with::<RandomTree>()
    }

    /// The same with one more game. A game with a name that is taken replaces the older one.
    #[must_use]
    pub fn with<G: NamedGame>(mut self) -> Self {
        self.0.retain(|entry| entry.name != G::NAME);
        self.0.push(Entry {
            name: G::NAME,
            about: G::ABOUT,
            options: G::options(),
            make: |options| Ok(Arc::new(Configured::new(G::with_options(&options)?, options))),
        });
        self
    }

    /// The names, in the order of the listing.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|entry| entry.name)
    }

    /// What a game is, in a line.
    ///
    /// # Errors
    /// Where there is no game of this name. So too in the others.
    pub fn about(&self, name: &str) -> Result<&'static str, Invalid> {
        Ok(self.entry(name)?.about)
    }

    /// The options that a game takes.
    ///
    /// # Errors
    /// Where there is no game of this name.
    pub fn options(&self, name: &str) -> Result<&[OptionDecl], Invalid> {
        Ok(&self.entry(name)?.options)
    }

    /// A game with options as a person types them, each `name=value`.
    ///
    /// # Errors
    /// Where the game or an option is unknown, a value is out of range, or options do not go together.
    pub fn game<S: AsRef<str>>(&self, name: &str, pairs: &[S]) -> Result<Arc<dyn AnyGame>, Invalid> {
        let options = parse_options(&self.entry(name)?.options, pairs)?;
        self.game_with(name, options)
    }

    /// A game with these options.
    ///
    /// # Errors
    /// Where the game is unknown or the options do not go together.
    pub fn game_with(&self, name: &str, options: Options) -> Result<Arc<dyn AnyGame>, Invalid> {
        (self.entry(name)?.make)(options)
    }

    fn entry(&self, name: &str) -> Result<&Entry, Invalid> {
        let found = self.0.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Invalid::unknown("game", name, self.names()))
    }
}

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
