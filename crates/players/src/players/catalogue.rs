//! A game with its policies, evaluations and searchers, which turns a spec into a recipe.

use std::sync::Arc;

use super::choices::{
    DEFAULT, Depth, DepthChoice, End, EvaluationChoice, FinishedChoice, GenericEvaluation, GenericPolicy,
    MOST_DEPTH, PolicyChoice, RuleChoice, RuleNumber,
};
use super::decl::SearcherDecl;
use super::foreign::Foreign;
use super::recipe::{FitError, Fitted};
use super::spec::SearcherSpec;
use crate::game::options::{NameOr, OptionError, Options};
use crate::game::{
    Best, BlindToEnds, Entries, EpsilonGreedy, Evaluation, Game, NamedEvaluation, NamedGame, NamedPolicy,
    NamedRules, Points, Policy, RuleError, RuleList, Softmax,
};

/// A searcher with its recipe for one type of game.
#[derive(Clone)]
pub struct SearcherOf<G: Game> {
    pub(super) decl: &'static SearcherDecl,
    pub(super) recipe: fn(&Catalogue<'_, G>, &Options) -> Fitted<G>,
}

/// The additions of a registry to one type of game.
#[derive(Clone)]
pub(super) struct Additions<G: Game> {
    pub(super) searchers: Vec<SearcherOf<G>>,
    pub(super) policies: Vec<NamedPolicy<G>>,
    pub(super) evaluations: Vec<NamedEvaluation<G>>,
    pub(super) foreign: Arc<[Foreign]>,
}

impl<G: Game> Additions<G> {
    pub(super) fn of(searchers: Vec<SearcherOf<G>>) -> Self {
        Self { searchers, policies: Vec::new(), evaluations: Vec::new(), foreign: Arc::default() }
    }
}

/// A game with the policies, evaluations and searchers that are registered for it.
///
/// # Example
/// ```
/// use shikou::games::tic_tac_toe::TicTacToe;
/// use shikou::players::build;
/// let flat = shikou::registry().read_searcher("flat(playouts-per-move=20)").unwrap();
/// let recipe = build(&TicTacToe, &flat).unwrap();
/// let _first = recipe.machine();
/// let _second = recipe.machine();
/// ```
pub struct Catalogue<'c, G: Game> {
    game: &'c G,
    additions: &'c Additions<G>,
    /// The default evaluation, if it is not the first.
    default: Option<Arc<dyn Evaluation<G>>>,
}

/// A depth in plies, and the evaluation at that depth.
pub type Horizon<G> = (u32, Arc<dyn Evaluation<G>>);

impl<'c, G: NamedGame> Catalogue<'c, G> {
    pub(super) const fn new(game: &'c G, additions: &'c Additions<G>) -> Self {
        Self { game, additions, default: None }
    }

    /// The catalogue with another default evaluation.
    pub(super) fn with_default_evaluation(self, evaluation: Arc<dyn Evaluation<G>>) -> Self {
        Self { default: Some(evaluation), ..self }
    }

    /// The game.
    pub const fn game(&self) -> &'c G {
        self.game
    }

    /// The entries of the game, and after them those that the registry adds.
    pub fn entries(&self) -> Entries<G> {
        let mut entries = self.game.entries();
        entries.policies.extend_from_slice(&self.additions.policies);
        entries.evaluations.extend_from_slice(&self.additions.evaluations);
        Foreign::add(&self.additions.foreign, self.game, &mut entries);
        entries
    }

    /// The recipe of a searcher for the game.
    ///
    /// # Errors
    /// If the searcher is not registered for the game, does not fit it, names an unknown policy or evaluation, lacks a
    /// budget that it needs, or has a budget that it cannot keep.
    pub fn build(&self, spec: &SearcherSpec) -> Fitted<G> {
        let known = self.additions.searchers.iter().find(|known| known.decl == spec.searcher);
        let foreign = Foreign::recipe(&self.additions.foreign, (spec.searcher, &spec.options), self.game);
        let reason = || format!("{} is not registered for this game", spec.searcher.name);
        let recipe = match (foreign, known) {
            (Some(recipe), _) => recipe,
            (None, Some(known)) => (known.recipe)(self, &spec.options)?,
            (None, None) => return Err(FitError::searcher(reason())),
        };
        let recipe = End::of(&spec.options).of_recipe(self.game, recipe)?;
        spec.check_budget()?;
        Ok(recipe.with_budget(spec.budget, spec.searcher.values_unvisited))
    }

    /// The policy that an option chooses.
    ///
    /// # Errors
    /// If the game does not have it, or lacks the evaluation that it needs.
    pub fn policy(&self, choice: &PolicyChoice) -> Result<Arc<dyn Policy<G>>, FitError> {
        let needed = |evaluation: &EvaluationChoice, name: &str| {
            let reason = || format!("this game has no evaluation, which {name} needs");
            self.evaluation(evaluation)?.ok_or_else(|| FitError::option(choice.option, reason()))
        };
        let name = match &choice.chosen {
            NameOr::Name(name) => name,
            NameOr::Part(GenericPolicy::Rules { list, numbers }) => {
                return Ok(Arc::new(self.rules(list, numbers)?));
            }
            NameOr::Part(GenericPolicy::Softmax { evaluation, temperature, finished }) => {
                let evaluation = Self::ending(*finished, needed(evaluation, "softmax")?);
                let temperature = temperature / evaluation.facts().unit;
                return Ok(Arc::new(Softmax::new(evaluation, temperature)));
            }
            NameOr::Part(GenericPolicy::Best { evaluation, finished }) => {
                return Ok(Arc::new(Best::new(Self::ending(*finished, needed(evaluation, "best")?))));
            }
            NameOr::Part(GenericPolicy::EpsilonGreedy { evaluation, epsilon }) => {
                return Ok(Arc::new(EpsilonGreedy::new(needed(evaluation, "epsilon-greedy")?, *epsilon)));
            }
        };
        let mut policies = self.entries().policies;
        let names: Vec<_> = policies.iter().map(|policy| policy.name).collect();
        Ok(policies.swap_remove(place_of(name, &names, "policy", choice.option)?).policy)
    }

    /// The evaluation that an option chooses; `None` if it chooses the default and the game has no evaluation.
    ///
    /// # Errors
    /// If the game does not have it, or the weights do not match the features.
    pub fn evaluation(&self, choice: &EvaluationChoice) -> Result<Option<Arc<dyn Evaluation<G>>>, FitError> {
        match &*choice.chosen {
            NameOr::Part(GenericEvaluation::Plain(part)) => self.plain(choice.option, part).map(Some),
            NameOr::Part(GenericEvaluation::Sum(terms)) => self.sum(choice.option, terms).map(Some),
            NameOr::Name(name) => self.named_evaluation(choice.option, name),
        }
    }

    /// The evaluation of a name; `None` for the default of a game without evaluations.
    pub(super) fn named_evaluation(
        &self,
        option: &'static str,
        name: &str,
    ) -> Result<Option<Arc<dyn Evaluation<G>>>, FitError> {
        if let (DEFAULT, Some(evaluation)) = (name, &self.default) {
            return Ok(Some(Arc::clone(evaluation)));
        }
        let mut evaluations = self.entries().evaluations;
        if evaluations.is_empty() {
            return Ok(None);
        }
        let names: Vec<_> = evaluations.iter().map(|evaluation| evaluation.name).collect();
        Ok(Some(evaluations.swap_remove(place_or_first(name, &names, "evaluation", option)?).evaluation))
    }

    /// The evaluation with its rule for finished positions.
    pub fn ending(finished: FinishedChoice, evaluation: Arc<dyn Evaluation<G>>) -> Arc<dyn Evaluation<G>> {
        match finished {
            FinishedChoice::Payoff => evaluation,
            FinishedChoice::Evaluation => Arc::new(BlindToEnds::new(evaluation)),
        }
    }

    /// The depth, and the evaluation at that depth; `None` is the end of the game. A search that its budget ends
    /// has the largest depth.
    ///
    /// # Errors
    /// If a depth is given and the game has no evaluation, or not this one.
    pub fn horizon(
        &self,
        depth: DepthChoice,
        evaluation: &EvaluationChoice,
        finished: FinishedChoice,
    ) -> Result<Option<Horizon<G>>, FitError> {
        let plies = match depth.chosen {
            Depth::Full if finished == FinishedChoice::Evaluation => {
                let reason = "a search to the end of the game counts payoffs; write a depth";
                return Err(FitError::option("finished", reason));
            }
            Depth::Full => return Ok(None),
            Depth::Plies(plies) => plies,
            Depth::Budget => MOST_DEPTH,
        };
        let reason = "this game has no evaluation to stop at a depth; write depth = \"full\"";
        let evaluation =
            self.evaluation(evaluation)?.ok_or_else(|| FitError::option(depth.option, reason))?;
        Ok(Some((plies, Self::ending(finished, evaluation))))
    }

    /// The list of rules that an option names or states, with other values for some of its named numbers.
    ///
    /// # Errors
    /// If the rules cannot be read, the game does not have a list of this name, or the list has no number of a name.
    pub fn rules(&self, choice: &RuleChoice, numbers: &[RuleNumber]) -> Result<RuleList<G>, FitError> {
        let given = choice.chosen.as_str();
        let entries = self.game.entries();
        let Entries { rule_lists: lists, patterns, .. } = &entries;
        let text = lists.iter().find(|list| list.name == given).map_or(given, |list| list.text);
        let values: Vec<_> =
            numbers.iter().map(|number| (number.name.clone(), Points::nearest(number.value))).collect();
        let unread = |error: RuleError| unread_rules(lists, patterns.is_empty(), choice, text, &error);
        let list = RuleList::read(&entries, text, &values).map_err(unread)?;
        let named = RuleList::<G>::numbers(text).map_err(unread)?;
        let names = || named.iter().map(|(name, _)| name.as_str());
        match numbers.iter().find(|number| names().all(|name| name != number.name)) {
            None => Ok(list),
            Some(other) => {
                Err(FitError::unknown("numbers", &OptionError::unknown("number", &other.name, names())))
            }
        }
    }
}

/// The place of a name in a list, or the first by default.
pub(super) fn place_or_first(
    name: &str,
    known: &[&str],
    what: &'static str,
    option: &'static str,
) -> Result<usize, FitError> {
    if name == DEFAULT { Ok(0) } else { place_of(name, known, what, option) }
}

pub(super) fn place_of(
    name: &str,
    known: &[&str],
    what: &'static str,
    option: &'static str,
) -> Result<usize, FitError> {
    let unknown = || OptionError::unknown(what, name, known.iter().copied());
    let place = known.iter().position(|known| *known == name);
    place.ok_or_else(|| FitError::unknown(option, &unknown()))
}

fn unread_rules(
    lists: &[NamedRules],
    lacks_patterns: bool,
    choice: &RuleChoice,
    text: &str,
    error: &RuleError,
) -> FitError {
    let given = choice.chosen.as_str();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '-';
    // Read a single word that is not a rule as a name.
    if !lists.is_empty() && given.chars().all(is_name) {
        let names = lists.iter().map(|list| list.name);
        return FitError::unknown(choice.option, &OptionError::unknown("list of rules", given, names));
    }
    let reason = if lacks_patterns {
        format!("{error}; rules count patterns, and this game has none")
    } else {
        format!("rules {text:?}, {error}")
    };
    FitError::option(choice.option, reason)
}
