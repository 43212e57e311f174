//! A searcher as it is typed, before it is checked: on a command line, or in a manifest.
//!
//! Short forms are accepted here and nowhere else: a number after the `@` is the budget, and so is a number of playouts,
//! nodes or time among the options of a searcher that has no such option. The spec that is read does not show which form
//! was typed.

use super::any_game::AnyGame;
use super::decl::SearcherDecl;
use super::recipe::{FitError, SpecPart};
use super::spec::SearcherSpec;
use crate::game::options::{
    Cost, Misread, OptionDecl, OptionError, OptionKind, OptionValue, Options, PartDecl, Place, PlacedOptions,
    Settings as _, Typed, TypedValue, meant, named_with_options, position, read_count, read_time,
};
use crate::search::{Budget, Limit};

/// A searcher as it is typed.
#[derive(Clone, Debug)]
pub struct TypedSearcher {
    /// The name.
    pub name: String,
    /// The place of the name.
    pub at: Place,
    /// The options.
    pub options: Vec<Typed>,
    /// The limits of its budget; one without a name is the usual limit of the searcher.
    pub budget: Vec<Typed>,
}

/// A searcher, and the places of its parts in the text.
pub struct PlacedSearcher {
    /// The searcher.
    pub spec: SearcherSpec,
    /// The places.
    pub places: SearcherPlaces,
}

/// The places of a searcher, its options and its budget.
#[derive(Clone, Debug)]
pub struct SearcherPlaces {
    /// The place of the name.
    pub name: Place,
    /// The options with those of parts inside them, outer ones first.
    pub options: Vec<(String, Place)>,
    /// The limits of the budget.
    pub limits: Vec<(String, Place)>,
    /// The first option that has an older name.
    pub renamed: Option<Renamed>,
}

impl SearcherPlaces {
    /// The place of the part that does not fit.
    pub fn of(&self, error: &FitError) -> Place {
        let find = |places: &[(String, Place)], name: &str| {
            places.iter().find(|(known, _)| known == name).map(|(_, place)| place.clone())
        };
        let found = match error.part {
            SpecPart::Searcher | SpecPart::NoBudget(_) => None,
            SpecPart::Option(name) => find(&self.options, name),
            SpecPart::Budget(limit) => find(&self.limits, limit.name()),
        };
        found.unwrap_or_else(|| self.name.clone())
    }
}

impl dyn AnyGame + '_ {
    /// The searcher with this name.
    ///
    /// # Errors
    /// If its registry has none, with the nearest name.
    pub fn searcher(&self, name: &str) -> Result<&'static SearcherDecl, OptionError> {
        SearcherSpec::named(name, self.searchers())
    }

    /// Reads a searcher from text; see [`Registry::read_searcher`](super::Registry::read_searcher).
    ///
    /// # Errors
    /// If the searcher or an option is unknown, or a value is out of range.
    pub fn read_searcher(&self, text: &str) -> Result<SearcherSpec, OptionError> {
        SearcherSpec::parse(text, self.searchers())
    }
}

impl SearcherSpec {
    /// The searcher with this name, or the one that it is a [synonym](meant) of.
    pub(super) fn named(
        name: &str,
        searchers: &[&'static SearcherDecl],
    ) -> Result<&'static SearcherDecl, OptionError> {
        let meant = meant(name, searchers.iter().map(|known| known.name));
        let found = searchers.iter().find(|known| Some(known.name) == meant);
        found
            .copied()
            .ok_or_else(|| OptionError::unknown("searcher", name, searchers.iter().map(|known| known.name)))
    }

    /// Reads a searcher as people type it on a command line; see [`TypedSearcher::parse`].
    pub(super) fn parse(text: &str, searchers: &[&'static SearcherDecl]) -> Result<Self, OptionError> {
        let typed = TypedSearcher::parse(text).map_err(|misread| misread.error)?;
        let read = typed.read(searchers).map_err(|mut mistakes| mistakes.swap_remove(0).error)?;
        Ok(read.spec)
    }
}

impl TypedSearcher {
    /// A player as it is typed: the name of one of the game's lists of rules or policies, else a searcher.
    ///
    /// # Errors
    /// If the text is not written as a player.
    pub fn named(game: &dyn AnyGame, text: &str) -> Result<Self, Misread> {
        let lists = game.lists();
        let known = [("rules", "list", &lists.rule_lists), ("policy", "policy", &lists.policies)];
        for (searcher, option, names) in known {
            if names.iter().any(|known| known.name == text) {
                let list = Typed::new(option, 0..text.len(), TypedValue::Value(text.into()), 0..text.len());
                return Ok(Self {
                    name: searcher.into(),
                    at: 0..text.len(),
                    options: vec![list],
                    budget: Vec::new(),
                });
            }
        }
        Self::parse(text)
    }

    /// Reads `name` or `name(option=value,…)`, and after it `@limit=value,…` or `@number`.
    ///
    /// # Errors
    /// If the text is not written as a searcher.
    pub fn parse(text: &str) -> Result<Self, Misread> {
        let begin = text.len() - text.trim_start().len();
        // A value in brackets may hold an `@`.
        let brackets = text.rfind(')').map_or(0, |at| at + 1);
        let (searcher, budget) = match text[brackets..].find('@') {
            None => (text, None),
            Some(at) => (&text[..brackets + at], Some(brackets + at + 1)),
        };
        let named = named_with_options(searcher);
        let (name, options) = named.map_err(|invalid| Misread::new(begin..text.trim_end().len(), invalid))?;
        let list = |start: usize, text: &str, bare| Typed::read_list(text, start, bare);
        let budget_text = budget.map_or("", |start| &text[start..]);
        if let (Some(start), true) = (budget, budget_text.trim().is_empty()) {
            let message =
                format!("`{text}` has no budget after the @; write for example {searcher}@playouts=1000");
            return Err(Misread::other(start - 1..start, message));
        }
        Ok(Self {
            name: name.into(),
            at: begin..begin + name.len(),
            // A searcher without a name is refused where the searcher is known.
            options: options.map_or(Ok(Vec::new()), |(start, options)| list(start, options, true))?,
            budget: budget.map_or(Ok(Vec::new()), |start| list(start, budget_text, true))?,
        })
    }

    /// The same at other places.
    #[must_use]
    pub fn moved(self, place: &impl Fn(Place) -> Place) -> Self {
        let moved = |typed: Vec<Typed>| typed.into_iter().map(|typed| typed.moved(place)).collect();
        let Self { name, at, options, budget } = self;
        Self { name, at: place(at), options: moved(options), budget: moved(budget) }
    }

    /// The searcher, checked.
    ///
    /// # Errors
    /// All mistakes.
    pub fn read(self, searchers: &[&'static SearcherDecl]) -> Result<PlacedSearcher, Vec<Misread>> {
        let searcher = SearcherSpec::named(&self.name, searchers);
        let searcher = searcher.map_err(|invalid| vec![Misread::new(self.at.clone(), invalid)])?;
        let declared = searcher.options();
        if let Some((at, reason)) = refused_bare(searcher, &declared, &self) {
            return Err(vec![Misread::other(at, reason)]);
        }
        let renamed = renamed(searcher, &declared, &self.options);
        let (limits, options): (Vec<_>, Vec<_>) =
            self.options.into_iter().partition(|typed| is_limit(&declared, typed));
        let mut budget: Vec<Typed> = self.budget;
        budget.iter_mut().filter(|typed| typed.name.is_empty()).for_each(|typed| {
            typed.name = usual_limit(searcher, typed).name().into();
        });
        budget.extend(limits);
        let limits = Options::read(&Budget::options(), budget, &self.at).and_then(
            |PlacedOptions { options, places }| {
                let read = Budget::read(options).map_err(|error| {
                    let words = error.to_string();
                    let place = places.iter().find(|(name, _)| words.contains(&format!("`{name}`")));
                    vec![Misread::new(place.map_or_else(|| self.at.clone(), |(_, at)| at.clone()), error)]
                });
                read.map(|read| (read, places))
            },
        );
        let budget = limits.as_ref().map_or(Budget::UNLIMITED, |((budget, _), _)| *budget);
        match (Options::read(&searcher.options_within(&budget), options, &self.at), limits) {
            (Ok(PlacedOptions { options, places }), Ok(((_, open_budget), limits))) => Ok(PlacedSearcher {
                spec: SearcherSpec { searcher, options, budget, open_budget },
                places: SearcherPlaces { name: self.at, options: places, limits, renamed },
            }),
            (options, limits) => Err(options.err().into_iter().chain(limits.err()).flatten().collect()),
        }
    }
}

/// An option that is written by its older name.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// The place of the older name.
    pub at: Place,
    /// The older name.
    pub name: &'static str,
    /// The advice to write the new one.
    pub advice: String,
}

/// The first option that is written by its older name, or a synonym of it.
fn renamed(searcher: &SearcherDecl, declared: &[OptionDecl], typed: &[Typed]) -> Option<Renamed> {
    typed.iter().find_map(|typed| {
        let decl = &declared[position(declared, &typed.name)?];
        let (old, name) = (decl.formerly?, decl.name);
        let advice = || {
            format!(
                "`{old}` of {0} is called `{name}`: {1}; write {0}({name}=…). Results and digests stay the same",
                searcher.name, decl.about
            )
        };
        (!typed.name.eq_ignore_ascii_case(name)).then(|| Renamed {
            at: typed.at.clone(),
            name,
            advice: advice(),
        })
    })
}

/// The place of a value that has no name where it needs one, and why it is refused, with what is meant.
fn refused_bare(
    searcher: &SearcherDecl,
    declared: &[OptionDecl],
    typed: &TypedSearcher,
) -> Option<(Place, String)> {
    let bare = |typed: &Typed| match &typed.value {
        TypedValue::Text(text) if typed.name.is_empty() => Some((typed.at.clone(), text.clone())),
        _ => None,
    };
    if let Some((at, text)) = typed.options.iter().find_map(bare) {
        let is_amount = |decl: &&OptionDecl| matches!(decl.cost, Cost::Amount { .. } | Cost::Depth { .. });
        let example = match declared.iter().find(is_amount) {
            _ if read_count(&text).is_none() => String::new(),
            _ if searcher.needs_budget => format!("; a budget is written {}@{text}", searcher.name),
            Some(decl) => format!(", such as {}={text}", decl.name),
            None => String::new(),
        };
        return Some((at, format!("`{text}` is not an option; write name=value{example}")));
    }
    let limits: Vec<_> = typed.budget.iter().filter_map(bare).collect();
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if let [(first, _), .., (last, _)] = &limits[..]
        && limits.iter().all(|(_, text)| is_digits(text))
    {
        let number: String = limits.iter().map(|(_, text)| text.as_str()).collect();
        let reason = format!(
            "a comma divides the limits of a budget; for one number write {}@{number}",
            searcher.name
        );
        return Some((first.start..last.end, reason));
    }
    limits.into_iter().find_map(|(at, text)| {
        let time = text.strip_suffix("cpu").map(|time| time.trim_end_matches('-'));
        if let Some(time) = time.filter(|time| read_time(time).is_some()) {
            let limit = Limit::CpuTime.name();
            return Some((at, format!("`{text}` is no limit; write {}@{limit}={time}", searcher.name)));
        }
        let (number, unit) = text.split_at(text.find(|letter: char| !letter.is_ascii_digit())?);
        let limits = Limit::ALL.map(Limit::name);
        let limit = meant(unit, limits)
            .or_else(|| meant(&format!("{unit}s"), limits))
            .filter(|_| !number.is_empty())?;
        Some((at, format!("`{text}` is no limit; write {}@{limit}={number}", searcher.name)))
    })
}

/// The limit that a budget without a name is.
fn usual_limit(searcher: &SearcherDecl, typed: &Typed) -> Limit {
    if matches!(&typed.value, TypedValue::Text(text) if read_time(text).is_some()) {
        return Limit::Time;
    }
    // A searcher that keeps neither limit is refused with a reason.
    searcher.budget_of(1).limits().next().unwrap_or(Limit::Playouts)
}

/// Whether an option is a limit of the budget: the searcher has no option of this name, or it is a part and takes no number.
/// A word that the searcher declares is its own, whatever else it is a synonym of.
fn is_limit(declared: &[OptionDecl], typed: &Typed) -> bool {
    let Some(limit) = meant(&typed.name, Limit::ALL.map(Limit::name)) else { return false };
    let is_number = match &typed.value {
        TypedValue::Text(text) => read_count(text).is_some() || read_time(text).is_some(),
        TypedValue::Value(value) => !matches!(value, OptionValue::Word(word) if read_time(word).is_none()),
        TypedValue::List(_) | TypedValue::Table(_) => false,
    };
    let parts = |decl: &OptionDecl| -> Vec<PartDecl> {
        if let OptionKind::Part { parts, .. } = &decl.kind { parts.clone() } else { Vec::new() }
    };
    match position(declared, &typed.name) {
        Some(own) => is_number && matches!(declared[own].kind, OptionKind::Part { .. }),
        None => !declared.iter().flat_map(parts).any(|part| position(&part.options, limit).is_some()),
    }
}
