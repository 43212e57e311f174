//! A searcher as manifests name it: its name, settings and claims, and how it is made for a game.

use super::catalogue::Catalogue;
use super::end_choice::End;
use super::fingerprint::{of_searcher, once};
use super::recipe::{FitError, Recipe};
use crate::game::NamedGame;
use crate::game::options::{OptionDecl, Options, Settings};
use crate::search::{Budget, Limit};

/// A searcher that a registry can hold: everything that manifests, listings and commands need, in one place.
///
/// The settings are a struct made by [`settings!`](crate::game::options::settings). A later option needs a default that
/// keeps the old behaviour, so that no trial changes its identity.
///
/// # Example: a searcher of your own
/// ```
/// use std::sync::Arc;
/// use shikou::game::NamedGame;
/// use shikou::game::options::{integer, settings};
/// use shikou::players::choices::{PolicyChoice, policy};
/// use shikou::players::{Catalogue, FitError, NamedSearcher, Recipe, Registry};
/// use shikou::search::{FlatMonteCarlo, Ties};
///
/// /// Flat Monte Carlo with few playouts.
/// struct Hasty;
///
/// settings! {
///     /// The settings of `hasty`.
///     pub struct HastySettings {
///         /// playouts for each legal move
///         playouts: u64 = integer(1..=10, 2).amount(1),
///         /// how playouts choose their moves
///         policy: PolicyChoice = policy(),
///     }
/// }
///
/// impl NamedSearcher for Hasty {
///     const NAME: &'static str = "hasty";
///     const ABOUT: &'static str = "flat Monte Carlo with few playouts";
///     const PAPER: &'static str = "none";
///     const FITS: &'static str = "every game";
///     type Settings = HastySettings;
///
///     fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: HastySettings) -> Result<Recipe<G>, FitError> {
///         let policy = catalogue.policy(&settings.policy)?;
///         Ok(Recipe::new(FlatMonteCarlo::new(settings.playouts, policy, Ties::Random)))
///     }
/// }
///
/// let registry = Registry::standard().with_searcher::<Hasty>();
/// let hasty = registry.read_searcher("hasty(playouts=3)").unwrap();
/// assert_eq!(registry.game("othello", &[]).unwrap().fits(&hasty), Ok(()));
/// ```
pub trait NamedSearcher: 'static {
    /// The name in manifests, in kebab case.
    const NAME: &'static str;
    /// What it does, in one line.
    const ABOUT: &'static str;
    /// The publications that it follows.
    const PAPER: &'static str;
    /// The games that it fits, in words; [`NamedSearcher::recipe`] decides.
    const FITS: &'static str;
    /// The limits of a budget that it keeps, sorted.
    const KEEPS: &'static [Limit] = &[];
    /// Whether it needs a budget to end.
    const NEEDS_BUDGET: bool = false;
    /// Whether the value of an unvisited move is meaningful: taken from an evaluation or a table.
    const VALUES_UNVISITED: bool = false;
    /// Whether it follows the line that a search found, and searches again only where the line ends: most moves cost nothing.
    const FOLLOWS_LINES: bool = false;
    /// Whether it looks ahead. If so, it plays a move that wins at once.
    const SEARCHES: bool = true;
    /// The options, as text, of the cases that make up its fingerprint. Cover every part of the algorithm by at least
    /// one case. Budgets are added.
    const CASES: &'static [&'static str] = &[""];

    /// The options; `()` for none.
    type Settings: Settings;

    /// Whether it decides the same in every run under a budget without time.
    fn repeats(settings: &Self::Settings) -> bool {
        let _ = settings;
        true
    }

    /// Whether a search that no budget stops finds the values under best play by all players.
    fn is_exact(settings: &Self::Settings) -> bool {
        let _ = settings;
        false
    }

    /// What its values of the moves are that it does not play.
    fn others(settings: &Self::Settings) -> Others {
        let _ = settings;
        Others::Values
    }

    /// The depth in plies to which it visits every line of play, unless a budget stops it; `u32::MAX` is the end of the game.
    /// 0 if it leaves lines out.
    fn visits_every_line_to(settings: &Self::Settings) -> u32 {
        let _ = settings;
        0
    }

    /// Makes the recipe of the searcher for a game.
    ///
    /// # Errors
    /// If it does not fit the game. The error names the option at fault and gives advice.
    fn recipe<G: NamedGame>(
        catalogue: &Catalogue<'_, G>,
        settings: Self::Settings,
    ) -> Result<Recipe<G>, FitError>;
}

/// The declarations of a [`NamedSearcher`], as data.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a constant of the trait")]
pub struct SearcherDecl {
    /// See [`NamedSearcher::NAME`].
    pub name: &'static str,
    /// See [`NamedSearcher::ABOUT`].
    pub about: &'static str,
    /// See [`NamedSearcher::PAPER`].
    pub paper: &'static str,
    /// See [`NamedSearcher::FITS`].
    pub fits: &'static str,
    /// See [`NamedSearcher::KEEPS`].
    pub keeps: &'static [Limit],
    /// See [`NamedSearcher::NEEDS_BUDGET`].
    pub needs_budget: bool,
    /// See [`NamedSearcher::VALUES_UNVISITED`].
    pub values_unvisited: bool,
    /// See [`NamedSearcher::FOLLOWS_LINES`].
    pub follows_lines: bool,
    /// See [`NamedSearcher::SEARCHES`].
    pub searches: bool,
    /// See [`NamedSearcher::CASES`].
    pub cases: &'static [&'static str],
    options: fn() -> Vec<OptionDecl>,
    claims: fn(&Options) -> Claims,
    fingerprint: fn() -> String,
}

/// What a search states of the moves that it does not play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// Their values.
    Values,
    /// Upper bounds of their values.
    Bounds,
    /// Upper bounds of the values of those that are not among the best.
    BoundsUnlessBest,
    /// Upper bounds of their values where an exact end decides.
    BoundsAtTheEnd,
}

/// The claims of a searcher with given settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// See [`NamedSearcher::repeats`].
    pub repeats: bool,
    /// See [`NamedSearcher::is_exact`].
    pub is_exact: bool,
    /// See [`NamedSearcher::others`].
    pub others: Others,
    /// See [`NamedSearcher::visits_every_line_to`].
    pub visits_every_line_to: u32,
}

impl SearcherDecl {
    /// The declarations of a searcher.
    pub const fn of<S: NamedSearcher>() -> &'static Self {
        S::DECL
    }

    /// The options that it takes: its own, and the choice of an exact end.
    pub fn options(&self) -> Vec<OptionDecl> {
        (self.options)().into_iter().chain([End::decl()]).collect()
    }

    /// The options that it takes with this budget, by which some defaults are others.
    pub fn options_within(&self, budget: &Budget) -> Vec<OptionDecl> {
        let options = self.options();
        if budget.is_unlimited() {
            return options;
        }
        options.into_iter().map(OptionDecl::within_budget).collect()
    }

    /// A budget of `amount` playouts, or of `amount` nodes if it keeps no budget of playouts; unlimited if it keeps
    /// neither.
    pub fn budget_of(&self, amount: u64) -> Budget {
        if self.keeps.contains(&Limit::Playouts) {
            Budget::playouts(amount)
        } else if self.keeps.contains(&Limit::Nodes) {
            Budget { nodes: Some(amount), ..Budget::UNLIMITED }
        } else {
            Budget::UNLIMITED
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

    /// The claims with these options, which must be [its own](Self::options).
    pub fn claims(&self, options: &Options) -> Claims {
        (self.claims)(options)
    }
}

/// Searchers are equal if they have the same name.
impl PartialEq for SearcherDecl {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Gives the declaration of a searcher a static lifetime.
trait Declared {
    const DECL: &'static SearcherDecl;
}

impl<S: NamedSearcher> Declared for S {
    const DECL: &'static SearcherDecl = &SearcherDecl {
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
        options: S::Settings::options,
        fingerprint: of_searcher::<S>,
        claims: |options| {
            let settings = S::Settings::read(options);
            Claims {
                repeats: S::repeats(&settings),
                is_exact: S::is_exact(&settings),
                others: match S::others(&settings) {
                    Others::Values if End::of(options).is_exact() => Others::BoundsAtTheEnd,
                    others => others,
                },
                visits_every_line_to: S::visits_every_line_to(&settings),
            }
        },
    };
}
