//! The games by name: the closed house's own, and a user's.

use std::sync::Arc;

use super::AnyGame;
use super::any_game::Configured;
use crate::game::NamedGame;
use crate::game::options::{Invalid, OptionDecl, Options};
use crate::games::calculation::Calculation;
use crate::games::left_moves::LeftMoves;
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
/// let error = registry.game("othelo", &[]).err().unwrap();
/// assert_eq!(error.to_string(), "unknown game `othelo`; did you mean `othello`?");
/// let small = registry.game("othello", &["size=6".into()]).unwrap();
/// assert_eq!(small.spec().to_string(), "othello(size=6)");
/// ```
pub struct Registry(Vec<Entry>);

struct Entry {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionDecl>,
    solving: &'static [(&'static str, &'static str)],
    make: fn(Options) -> Result<Arc<dyn AnyGame>, Invalid>,
}

impl Registry {
    /// No games at all.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The games of the house.
    pub fn standard() -> Self {
        Self::empty()
            .with::<TicTacToe>()
            .with::<Othello>()
            .with::<Calculation>()
            .with::<RandomTree>()
            .with::<LeftMoves>()
    }

    /// The same with one more game. A game with a name that is taken replaces the older one.
    #[must_use]
    pub fn with<G: NamedGame>(mut self) -> Self {
        self.0.retain(|entry| entry.name != G::NAME);
        self.0.push(Entry {
            name: G::NAME,
            about: G::ABOUT,
            options: G::options(),
            solving: G::solving(),
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
    pub fn game(&self, name: &str, pairs: &[String]) -> Result<Arc<dyn AnyGame>, Invalid> {
        let options = Options::from_pairs(&self.entry(name)?.options, pairs)?;
        self.game_with(name, options)
    }

    /// The same, to solve positions of it: what is not given is as [`NamedGame::solving`] says.
    ///
    /// # Errors
    /// As in [`Registry::game`].
    ///
    /// # Example: problems of Othello are stated in discs, the empty squares for the winner
    /// ```
    /// use shikou::players::Registry;
    /// let game = Registry::standard().game_to_solve("othello", &["size=4".into()]).unwrap();
    /// assert_eq!(game.spec().to_string(), r#"othello(empties="winner",reward="score",size=4)"#);
    /// ```
    pub fn game_to_solve(&self, name: &str, pairs: &[String]) -> Result<Arc<dyn AnyGame>, Invalid> {
        let is_given = |option: &str| {
            pairs.iter().any(|pair| pair.split_once('=').is_some_and(|(given, _)| given.trim() == option))
        };
        let others = self.entry(name)?.solving.iter().filter(|(option, _)| !is_given(option));
        let all: Vec<String> =
            pairs.iter().cloned().chain(others.map(|(option, value)| format!("{option}={value}"))).collect();
        self.game(name, &all)
    }

    /// A game with these options.
    ///
    /// # Errors
    /// Where the game is unknown, the options do not go together, or the game's facts cannot be.
    pub fn game_with(&self, name: &str, options: Options) -> Result<Arc<dyn AnyGame>, Invalid> {
        let game = (self.entry(name)?.make)(options)?;
        let facts = game.facts();
        let largest = facts.min_payoff.unsigned_abs().max(facts.max_payoff.unsigned_abs());
        if !(1..=2).contains(&facts.players) || largest > 1 << 15 || facts.min_payoff > facts.max_payoff {
            let message = format!(
                "{} states {} players and payoffs from {} to {}; games have 1 or 2 players and payoffs of at most 2¹⁵",
                game.spec(),
                facts.players,
                facts.min_payoff,
                facts.max_payoff
            );
            return Err(Invalid::Other(message));
        }
        Ok(game)
    }

    fn entry(&self, name: &str) -> Result<&Entry, Invalid> {
        let found = self.0.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Invalid::unknown("game", name, self.names()))
    }
}
