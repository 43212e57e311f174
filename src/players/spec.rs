//! Searchers as data: which one, with which options.

use std::fmt;

use crate::game::options::{Invalid, OptionDecl, OptionKind, OptionValue, Options};

/// The searchers that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearcherKind {
    /// Every legal move is as likely.
    Random,
    /// A playout policy as a player.
    Policy,
    /// Flat Monte Carlo.
    Flat,
    /// Plain minimax.
    Minimax,
    /// Expectimax of fixed height with playouts at the leaves.
    SimpleTree,
}

impl SearcherKind {
    /// All of them, in the order of the listing.
    pub const ALL: [Self; 5] = [Self::Random, Self::Policy, Self::Flat, Self::Minimax, Self::SimpleTree];

    /// The searcher with this name.
    ///
    /// # Errors
    /// Where there is none, with the nearest name.
    pub fn named(name: &str) -> Result<Self, Invalid> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| Invalid::unknown("searcher", name, Self::ALL.map(Self::name)))
    }

    /// The name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Policy => "policy",
            Self::Flat => "flat",
            Self::Minimax => "minimax",
            Self::SimpleTree => "simple-tree",
        }
    }

    /// What it does, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "plays every legal move with the same probability",
            Self::Policy => "plays as one of the game's playout policies does, without search",
            Self::Flat => "flat Monte Carlo: as many playouts after every move, the best mean is played",
            Self::Minimax => "plain minimax: every line to a depth, or to the end of the game",
            Self::SimpleTree => "expectimax to a fixed height, the mean of playouts at every leaf",
        }
    }

    /// Where it was published.
    pub const fn paper(self) -> &'static str {
        match self {
            Self::Random | Self::Policy => "none",
            Self::Flat => "Abramson 1990; Brügmann 1993",
            Self::Minimax => "von Neumann 1928; Shannon 1950",
            Self::SimpleTree => "TIM Labs 2015, part 15 of a series on Calculation",
        }
    }

    /// Which games it fits, in words; [`build`](super::build) decides.
    pub const fn fits(self) -> &'static str {
        match self {
            Self::Random | Self::Policy | Self::Flat | Self::SimpleTree => "every game",
            Self::Minimax => "games without chance that have an evaluation or are short",
        }
    }

    /// The options that it takes.
    pub fn options(self) -> Vec<OptionDecl> {
        let policy = || OptionDecl {
            name: "policy",
            kind: OptionKind::NameOf("policies"),
            default: "uniform".into(),
            about: "how playouts choose their moves",
        };
        match self {
            Self::Random => Vec::new(),
            Self::Policy => vec![OptionDecl { about: "the policy to play by", ..policy() }],
            Self::Flat => vec![
                OptionDecl::integer("playouts", 1, 1_000_000_000, 100, "playouts for each legal move"),
                policy(),
                ties("random"),
            ],
            Self::Minimax => vec![
                OptionDecl {
                    name: "depth",
                    kind: OptionKind::IntegerOr { min: 1, max: 1000, word: "full" },
                    default: 3.into(),
                    about: "plies to look ahead, or to the end of the game",
                },
                OptionDecl {
                    name: "evaluation",
                    kind: OptionKind::NameOf("evaluations"),
                    default: "default".into(),
                    about: "what stands in at the depth; \"default\" is the game's first",
                },
                ties("random"),
            ],
            Self::SimpleTree => vec![
                OptionDecl::integer("level", 1, 100, 4, "height of the tree, decisions and chance alike"),
                OptionDecl::integer("playouts", 1, 1_000_000_000, 20, "playouts at each leaf"),
                policy(),
                ties("first"),
            ],
        }
    }
}

fn ties(default: &str) -> OptionDecl {
    let words = &[("first", "the first in the game's order"), ("random", "each as likely")];
    OptionDecl {
        default: default.into(),
        ..OptionDecl::choice("ties", words, "which of several best moves is played")
    }
}

/// A searcher with its options, as a manifest says it.
///
/// # Example: what differs from the defaults is what it is called
/// ```
/// use shikou::players::{SearcherKind, SearcherSpec};
/// let spec = SearcherSpec::new(SearcherKind::Flat, [("playouts", 20.into())]).unwrap();
/// assert_eq!(spec.to_string(), "flat(playouts=20)");
/// assert_eq!("flat(playouts=20)".parse(), Ok(spec));
/// assert_eq!("minimax".parse::<SearcherSpec>().unwrap().to_string(), "minimax");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SearcherSpec {
    /// Which searcher.
    pub kind: SearcherKind,
    /// Its options, defaults filled in.
    pub options: Options,
}

impl SearcherSpec {
    /// A searcher with the given options, and defaults for the rest.
    ///
    /// # Errors
    /// Where an option is unknown or out of its range.
    pub fn new<'a>(
        kind: SearcherKind,
        given: impl IntoIterator<Item = (&'a str, OptionValue)>,
    ) -> Result<Self, Invalid> {
        Ok(Self { kind, options: Options::new(&kind.options(), given)? })
    }

    /// The same searcher with at most 4 playouts and 2 plies of depth or level, to try things out. A search to the
    /// end of the game stays one where the game has no evaluation.
    #[must_use]
    pub fn reduced(&self, has_evaluation: bool) -> Self {
        let smaller = |(decl, value): (&OptionDecl, &OptionValue)| {
            let value = match (decl.name, value) {
                ("playouts", &OptionValue::Integer(playouts)) => playouts.min(4).into(),
                ("level" | "depth", &OptionValue::Integer(depth)) => depth.min(2).into(),
                ("depth", OptionValue::Word(_)) if has_evaluation => 2.into(),
                _ => value.clone(),
            };
            (decl.name, value)
        };
        let given: Vec<_> = self.options.iter().map(smaller).collect();
        Self::new(self.kind, given).expect("smaller values are in range too")
    }
}

impl fmt::Display for SearcherSpec {
    /// The name, and in brackets the options that differ from the defaults: the spec's part in a trial's
    /// identity, and its name where the manifest gives none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::registry::write_spec(f, self.kind.name(), &self.options)
    }
}

impl std::str::FromStr for SearcherSpec {
    type Err = Invalid;

    /// Reads `name` or `name(option=value,…)`, as people type it on a command line.
    fn from_str(text: &str) -> Result<Self, Invalid> {
        let (name, given) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(given) => (name, given),
                None => return Err(Invalid::Other(format!("`{text}` has no closing bracket"))),
            },
        };
        let kind = SearcherKind::named(name.trim())?;
        let pairs: Vec<&str> = given.split(',').map(str::trim).filter(|pair| !pair.is_empty()).collect();
        let options = super::registry::parse_options(&kind.options(), &pairs)?;
        Ok(Self { kind, options })
    }
}
