//! The games and searchers by name: the crate's own, and a user's.
//!
//! Each game is compiled with each searcher, so there are two types of registry. [`OpenRegistry`] holds its games and
//! searchers as lists of types; more of both can be added, in any order. [`Registry`] holds them by name only, and is
//! the type that the rest of the program uses. [`Registry::add`] is called by crates that compile a list of games with the
//! searchers of this crate; `shikou::registry()` has all of them. A user's crate compiles its own games with all
//! searchers, and its own searchers with all games.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use super::any_game::{AnyGame, Configured};
use super::catalogue::{Additions, Catalogue, SearcherOf};
use super::choices::End;
use super::decl::{Claims, Others, SearcherDecl};
use super::fingerprint::{of_searcher, once};
use super::foreign::{Foreign, state_unsteady};
use super::named_searcher::{NamedSearcher, SearcherList};
use super::searchers::StandardSearchers;
use super::spec::SearcherSpec;
use crate::game::options::{OptionDecl, OptionError, Options, named_with_options, pieces};
use crate::game::{LARGEST_PAYOFF, NamedEvaluation, NamedGame, NamedPolicy, is_of_type};
use crate::games::calculation::Calculation;
use crate::games::othello::Othello;
use crate::games::random_tree::RandomTree;
use crate::games::tic_tac_toe::TicTacToe;

/// The games and searchers that manifests and commands know.
///
/// # Example
/// ```
/// let registry = shikou::registry(); // .with_game::<MyGame>().with_searcher::<MySearcher>()
/// assert!(registry.names().any(|name| name == "othello"));
/// let error = registry.game("othelo", &[]).err().unwrap();
/// assert_eq!(error.to_string(), "unknown game `othelo`; did you mean `othello`?");
/// let small = registry.game("othello", &["size=6".into()]).unwrap();
/// assert_eq!(small.spec().to_string(), "othello(size=6)");
/// assert_eq!(registry.read_searcher("flat(playouts-per-move=20)").unwrap().to_string(), "flat(playouts-per-move=20)");
/// ```
pub struct Registry {
    games: Vec<Entry>,
    searchers: Vec<&'static SearcherDecl>,
    foreign: Vec<Foreign>,
}

/// Games that the crate compiles with its searchers.
pub type Classics = crate::list![TicTacToe, Othello, Calculation];

/// Games with known values, which the crate compiles with its searchers: manifests use them to compare searchers with the
/// truth.
pub type TestBeds = crate::list![RandomTree];

impl Registry {
    /// Adds games, with all searchers of this crate.
    ///
    /// # Cost
    /// The crate that names the list compiles every searcher for each of its games: five to nine seconds of processor time for each.
    pub fn add<Games: GameList>(&mut self) {
        Games::add_games::<StandardSearchers>(self);
    }

    /// Adds [`Classics`].
    pub fn add_classics(&mut self) {
        self.add::<Classics>();
    }

    /// Adds [`TestBeds`].
    pub fn add_test_beds(&mut self) {
        self.add::<TestBeds>();
    }

    /// The names of the games, in the order of the listing.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.games.iter().map(|entry| entry.name)
    }

    /// The searchers, in the order of the listing.
    pub fn searchers(&self) -> &[&'static SearcherDecl] {
        &self.searchers
    }

    /// The searcher with this name.
    ///
    /// # Errors
    /// If there is none. The error names the nearest.
    pub fn searcher(&self, name: &str) -> Result<&'static SearcherDecl, OptionError> {
        SearcherSpec::named(name, &self.searchers)
    }

    /// Reads a searcher from a text such as `flat(playouts-per-move=20)` or `uct@playouts=1000`.
    ///
    /// # Errors
    /// If the searcher or an option is unknown, or a value is out of range.
    pub fn read_searcher(&self, text: &str) -> Result<SearcherSpec, OptionError> {
        SearcherSpec::parse(text, &self.searchers)
    }

    /// The one-line description of a game.
    ///
    /// # Errors
    /// If there is no game of this name.
    pub fn about(&self, name: &str) -> Result<&'static str, OptionError> {
        Ok(self.entry(name)?.about)
    }

    /// The options that a game takes.
    ///
    /// # Errors
    /// If there is no game of this name.
    pub fn options(&self, name: &str) -> Result<&[OptionDecl], OptionError> {
        Ok(&self.entry(name)?.options)
    }

    /// A game as a person types it: its name, perhaps with options in brackets, `othello(size=6)`, and more options, each
    /// `name=value`.
    ///
    /// # Errors
    /// If the game or an option is unknown, a value is out of range, or options do not go together.
    ///
    /// # Example
    /// ```
    /// let registry = shikou::registry();
    /// let small = registry.game("othello", &["size=6".into()]).unwrap();
    /// assert_eq!(*registry.game(&small.spec().to_string(), &[]).unwrap(), *small);
    /// let error = registry.game("reversi", &[]).err().unwrap();
    /// assert_eq!(error.to_string(), "unknown game `reversi`; write othello");
    /// ```
    pub fn game(&self, text: &str, pairs: &[String]) -> Result<Arc<dyn AnyGame>, OptionError> {
        let (name, pairs) = with_brackets(text, pairs)?;
        let options = Options::from_pairs(&self.entry(name)?.options, &pairs)?;
        self.game_with(name, options)
    }

    /// Like [`Registry::game`], to solve positions: omitted options have the values of [`NamedGame::SOLVING`].
    ///
    /// # Errors
    /// As [`Registry::game`].
    ///
    /// # Example: problems of Othello are stated in discs, the empty squares for the winner
    /// ```
    /// let game = shikou::registry().game_to_solve("othello", &["size=4".into()]).unwrap();
    /// assert_eq!(game.spec().to_string(), r#"othello(empties="winner",reward="score",size=4)"#);
    /// ```
    pub fn game_to_solve(&self, text: &str, pairs: &[String]) -> Result<Arc<dyn AnyGame>, OptionError> {
        let (name, pairs) = with_brackets(text, pairs)?;
        let is_given = |option: &str| {
            pairs.iter().any(|pair| pair.split_once('=').is_some_and(|(given, _)| given.trim() == option))
        };
        let others = self.entry(name)?.solving.iter().filter(|(option, _)| !is_given(option));
        let all: Vec<String> = pairs
            .iter()
            .map(|pair| (*pair).to_owned())
            .chain(others.map(|(option, value)| format!("{option}={value}")))
            .collect();
        self.game(name, &all)
    }

    /// A game with these options.
    ///
    /// # Errors
    /// If the game is unknown, the options do not go together, or the game's facts are out of range.
    pub fn game_with(&self, name: &str, options: Options) -> Result<Arc<dyn AnyGame>, OptionError> {
        let entry = self.entry(name)?;
        let game = (entry.make)(entry, options, self)?;
        let facts = game.facts();
        let largest = facts.min_payoff.unsigned_abs().max(facts.max_payoff.unsigned_abs());
        if !(1..=2).contains(&facts.players)
            || largest > LARGEST_PAYOFF
            || facts.min_payoff > facts.max_payoff
        {
            let message = format!(
                "{} states {} players and payoffs from {} to {}; games have 1 or 2 players and payoffs below 2¹⁶",
                game.spec(),
                facts.players,
                facts.min_payoff,
                facts.max_payoff
            );
            return Err(OptionError::Other(message));
        }
        Ok(game)
    }

    fn entry(&self, name: &str) -> Result<&Entry, OptionError> {
        self.games
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| OptionError::unknown("game", name, self.names()))
    }

    fn additions_of<G: NamedGame>(&mut self) -> Option<&mut Additions<G>> {
        let found = self.games.iter_mut().find(|entry| entry.name == G::NAME)?;
        found.additions.downcast_mut::<Arc<Additions<G>>>().map(Arc::make_mut)
    }

    /// Adds a policy, an evaluation or a searcher for every game. It replaces one of the same kind and name that was added so.
    ///
    /// # Example: a policy that plays the first move, and one that plays any
    /// ```
    /// use std::sync::Arc;
    /// use shikou::game::{GameObject, Value};
    /// use shikou::players::{Foreign, NamedPlayer, Registry};
    /// let mut registry: Registry = shikou::registry().into();
    /// let first = |game: &Arc<dyn GameObject>, at: &Value| {
    ///     (0..game.move_count(at)).map(|place| u32::from(place == 0)).collect()
    /// };
    /// registry.add_foreign(Foreign::Policy("first", Arc::new(first)));
    /// let game = registry.game("tic-tac-toe", &[]).unwrap();
    /// let player = NamedPlayer::read(&*game, &[], "first").unwrap().searcher;
    /// let mut machine = game.machine(&player).unwrap();
    /// let start = game.object().start();
    /// assert_eq!(machine.chances(&start).unwrap().unwrap(), [1, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// ```
    pub fn add_foreign(&mut self, foreign: Foreign) {
        self.foreign.retain(|known| match (known, &foreign) {
            (Foreign::Policy(known, _), Foreign::Policy(name, _))
            | (Foreign::Evaluation(known, ..), Foreign::Evaluation(name, ..)) => known != name,
            (Foreign::Searcher(known, _), Foreign::Searcher(decl, _)) => known != decl,
            _ => true,
        });
        match foreign {
            Foreign::Searcher(decl, _) => {
                self.searchers.retain(|known| *known != decl);
                self.searchers.push(decl);
            }
            Foreign::Evaluation(name, ..) => state_unsteady(name),
            Foreign::Policy(..) => {}
        }
        self.foreign.push(foreign);
    }

    /// Adds a game that is made when the program runs, under a name and with options of its own, with all searchers of this crate.
    /// It replaces a game of the same name.
    ///
    /// # Cost
    /// The calling crate compiles every searcher for this type, once for all games of it.
    pub fn add_made<G: NamedGame>(
        &mut self,
        (name, about): (&'static str, &'static str),
        options: Vec<OptionDecl>,
        make: impl Fn(&Options) -> Result<G, OptionError> + Send + Sync + 'static,
    ) {
        let make: MakeGame<G> = Box::new(make);
        self.add_entry::<G, StandardSearchers>((name, about), options, Some(Box::new(make)));
    }

    /// Adds a game with these searchers. Replaces a game of the same name.
    fn add_game<G: NamedGame, Searchers: SearcherList>(&mut self) {
        self.add_entry::<G, Searchers>((G::NAME, G::ABOUT), G::options(), None);
    }

    fn add_entry<G: NamedGame, Searchers: SearcherList>(
        &mut self,
        (name, about): (&'static str, &'static str),
        options: Vec<OptionDecl>,
        made: Option<Box<dyn Any + Send + Sync>>,
    ) {
        self.games.retain(|entry| entry.name != name);
        self.games.push(Entry {
            name,
            about,
            options,
            solving: G::SOLVING,
            made,
            additions: Box::new(Arc::new(Additions::<G>::of(Searchers::of()))),
            make: |entry, options, registry| {
                let additions: &Arc<Additions<G>> =
                    entry.additions.downcast_ref().expect("they are of this type");
                let mut additions = Arc::clone(additions);
                if !registry.foreign.is_empty() {
                    Arc::make_mut(&mut additions).foreign = registry.foreign.clone().into();
                }
                let made = entry.made.as_ref().and_then(|made| made.downcast_ref::<MakeGame<G>>());
                let game = made.map_or_else(|| G::with_options(&options), |make| make(&options))?;
                if !is_of_type(&game) {
                    let message = format!(
                        "{} has other players or another chance than the constant `Game::ALWAYS` of its type; correct the constant, \
                         or leave it out",
                        entry.name
                    );
                    return Err(OptionError::Other(message));
                }
                let searchers = registry.searchers.clone();
                Ok(Arc::new(Configured::new(entry.name, game, options, additions, searchers)))
            },
        });
    }
}

/// The name of a game as it is typed, and its options: those in brackets after it, and these pairs.
fn with_brackets<'t>(text: &'t str, pairs: &'t [String]) -> Result<(&'t str, Vec<&'t str>), OptionError> {
    let (name, options) = named_with_options(text)?;
    let of_text = pieces(options.map_or("", |(_, options)| options)).into_iter().map(|(_, piece)| piece);
    Ok((name, of_text.chain(pairs.iter().map(String::as_str)).collect()))
}

/// A registry to which games and searchers can be added. It dereferences to its [`Registry`].
pub struct OpenRegistry<Games, Searchers> {
    registry: Registry,
    lists: PhantomData<(Games, Searchers)>,
}

impl OpenRegistry<(), ()> {
    /// A registry without games and searchers.
    pub const fn empty() -> Self {
        Self::new(Registry { games: Vec::new(), searchers: Vec::new(), foreign: Vec::new() })
    }

    /// A registry with the searchers of this crate, without games.
    pub fn of_searchers() -> OpenRegistry<(), impl SearcherList> {
        OpenRegistry::<(), StandardSearchers>::new(Registry {
            games: Vec::new(),
            searchers: StandardSearchers::decls(),
            foreign: Vec::new(),
        })
    }
}

impl<Games: GameList, Searchers: SearcherList> OpenRegistry<Games, Searchers> {
    const fn new(registry: Registry) -> Self {
        Self { registry, lists: PhantomData }
    }

    /// Adds a game, which every searcher may play. It replaces a game of the same name.
    ///
    /// # Cost
    /// The calling crate compiles every searcher for this game.
    #[must_use]
    pub fn with_game<G: NamedGame>(self) -> OpenRegistry<(G, Games), Searchers> {
        let mut registry = self.registry;
        registry.add_game::<G, Searchers>();
        OpenRegistry::new(registry)
    }

    /// Adds a list of games that `add` puts into the registry, compiled with its searchers by another crate.
    #[must_use]
    pub fn with_list<List: GameList>(
        self,
        add: fn(&mut Registry),
    ) -> OpenRegistry<Both<List, Games>, Searchers> {
        let mut registry = self.registry;
        add(&mut registry);
        OpenRegistry::new(registry)
    }

    /// Adds a searcher, which may play every game. It replaces a searcher of the same name.
    ///
    /// # Cost
    /// The calling crate compiles this searcher for every game.
    #[must_use]
    pub fn with_searcher<S: NamedSearcher>(self) -> OpenRegistry<Games, (S, Searchers)> {
        let mut registry = self.registry;
        registry.searchers.retain(|known| known.name != S::NAME);
        registry.searchers.push(SearcherDecl::of::<S>());
        Games::add_searcher::<S>(&mut registry);
        OpenRegistry::new(registry)
    }

    /// Adds a policy for a game. Manifests name it like the game's own policies.
    ///
    /// # Panics
    /// If the game is not registered.
    #[must_use]
    pub fn with_policy<G: NamedGame>(mut self, policy: NamedPolicy<G>) -> Self {
        self.additions::<G>().policies.push(policy);
        self
    }

    /// Adds an evaluation for a game. Manifests name it like the game's own evaluations. It becomes the default if the
    /// game has no other.
    ///
    /// # Panics
    /// If the game is not registered.
    #[must_use]
    pub fn with_evaluation<G: NamedGame>(mut self, evaluation: NamedEvaluation<G>) -> Self {
        self.additions::<G>().evaluations.push(evaluation);
        self
    }

    fn additions<G: NamedGame>(&mut self) -> &mut Additions<G> {
        let additions = self.registry.additions_of::<G>();
        additions.unwrap_or_else(|| panic!("register {} before its additions", G::NAME))
    }
}

impl<Games, Searchers> Deref for OpenRegistry<Games, Searchers> {
    type Target = Registry;

    fn deref(&self) -> &Registry {
        &self.registry
    }
}

impl<Games, Searchers> From<OpenRegistry<Games, Searchers>> for Registry {
    fn from(open: OpenRegistry<Games, Searchers>) -> Self {
        open.registry
    }
}

/// Games as a list of types: `()`, or `(G, Rest)`.
pub trait GameList {
    /// Adds each game with all searchers.
    fn add_games<Searchers: SearcherList>(registry: &mut Registry);

    /// Adds a searcher to each game.
    fn add_searcher<S: NamedSearcher>(registry: &mut Registry);
}

impl GameList for () {
    fn add_games<Searchers: SearcherList>(_registry: &mut Registry) {}

    fn add_searcher<S: NamedSearcher>(_registry: &mut Registry) {}
}

impl<G: NamedGame, Rest: GameList> GameList for (G, Rest) {
    fn add_games<Searchers: SearcherList>(registry: &mut Registry) {
        registry.add_game::<G, Searchers>();
        Rest::add_games::<Searchers>(registry);
    }

    fn add_searcher<S: NamedSearcher>(registry: &mut Registry) {
        if let Some(additions) = registry.additions_of::<G>() {
            // The newest of a name counts.
            additions.searchers.insert(0, SearcherOf::new::<S>());
        }
        Rest::add_searcher::<S>(registry);
    }
}

/// Two lists as one.
pub struct Both<First, Second>(PhantomData<(First, Second)>);

impl<First: GameList, Second: GameList> GameList for Both<First, Second> {
    fn add_games<Searchers: SearcherList>(registry: &mut Registry) {
        First::add_games::<Searchers>(registry);
        Second::add_games::<Searchers>(registry);
    }

    fn add_searcher<S: NamedSearcher>(registry: &mut Registry) {
        First::add_searcher::<S>(registry);
        Second::add_searcher::<S>(registry);
    }
}

/// Makes a game of an entry, with options and what the registry has for every game.
type Make = fn(&Entry, Options, &Registry) -> Result<Arc<dyn AnyGame>, OptionError>;

/// Makes a game of a type that is known only when the program runs.
type MakeGame<G> = Box<dyn Fn(&Options) -> Result<G, OptionError> + Send + Sync>;

/// A game of any type, with what the registry adds to it.
struct Entry {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionDecl>,
    solving: &'static [(&'static str, &'static str)],
    /// The [`MakeGame`] of the type, if its options alone do not make it.
    made: Option<Box<dyn Any + Send + Sync>>,
    /// The shared [`Additions`] of the type.
    additions: Box<dyn Any + Send + Sync>,
    make: Make,
}

impl<G: NamedGame> SearcherOf<G> {
    pub(super) fn new<S: NamedSearcher>() -> Self {
        let recipe = |catalogue: &Catalogue<'_, G>, options: &Options| S::read(options).recipe(catalogue);
        Self { decl: SearcherDecl::of::<S>(), recipe }
    }
}

impl SearcherDecl {
    /// The declarations of a searcher.
    pub const fn of<S: NamedSearcher>() -> &'static Self {
        const {
            &SearcherDecl {
                name: S::NAME,
                about: S::ABOUT,
                paper: S::PAPER,
                fits: S::FITS,
                keeps: S::KEEPS,
                needs_budget: S::NEEDS_BUDGET,
                values_unvisited: S::VALUES_UNVISITED,
                follows_lines: S::FOLLOWS_LINES,
                searches: S::SEARCHES,
                cases: S::CASES,
                options: S::options,
                foreign: &[],
                fingerprint: of_searcher::<S>,
                claims: |options| {
                    let claims = S::read(options).claims();
                    let others = match claims.others {
                        Others::Values if End::of(options).is_exact() => Others::BoundsAtTheEnd,
                        others => others,
                    };
                    Claims { others, ..claims }
                },
            }
        }
    }

    /// A checksum of its behaviour: the beginning of a SHA-256 over the decisions of [its cases](NamedSearcher::CASES) on
    /// fixed games.
    ///
    /// # Cost
    /// Up to some tens of milliseconds, once per process.
    pub fn fingerprint(&self) -> String {
        once(self.fingerprint)
    }
}
