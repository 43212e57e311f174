//! The policy of a list of rules.

use super::read::{numbers, rules};
use super::rule::{Count, Rule, hold};
use super::{Points, RuleError};
use crate::game::options::plain_rules;
use crate::game::{Entries, Game, GameExt, NamedGame, PatternOf, Policy};
use crate::rng::PlayoutRng;

/// The policy that scores every legal move by the first rule that applies to it, and plays one of the best, each with the
/// same probability. A move to which no rule applies scores 0.
///
/// # The language
/// Rules are separated by `;` or line breaks; `#` begins a comment. A rule is a score, or conditions, `:` and a score.
/// Conditions, separated by commas, must all hold. A condition is a pattern, whose count must be positive, or a pattern
/// compared with an integer (`=`, `!=`, `>=`, `<=`, `>`, `<`). `any` always holds. A rule that begins with `first` applies
/// to one move only: the first, in the game's order, that reaches the rule. A score is a sum of numbers, counts of
/// patterns, and conditions in brackets (1 if they hold, else 0), each with an optional factor: `200`, `-100 0-2-1`, `2
/// (2-0-1 = 1) + 0.5 1-0-2 - 0-1-2`. A binary minus is followed by a space.
///
/// A number may have a name: `$block = -100` gives it one, and `$block` stands for it in any rule. Whoever reads the list may give
/// it another value.
///
/// The game declares the patterns: see [`Entries`](crate::game::Entries).
///
/// # Cost
/// One position and the counts of the needed patterns for each move; one allocation and one draw per turn.
///
/// # Example: win, else block, else anything
/// ```
/// use shikou::game::{GameExt, Policy, RuleList};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let game = TicTacToe::default();
/// let rules = RuleList::parse(&game, "3-0-0: 2; 0-2-1: -1").unwrap();
/// let position = game.follow("a1 b2 b1 a3").unwrap(); // x wins at c1, and o would win there too
/// assert_eq!(rules.distribution(&game, &position), [(2, 1)]);
/// let error = RuleList::parse(&game, "3-0-0: 2; 0-2-2: -1").err().unwrap();
/// assert_eq!(error.to_string(), "column 11, `0-2-2`: no such pattern; did you mean `0-1-2`?");
/// ```
#[derive(Clone)]
pub struct RuleList<G: Game> {
    rules: Vec<Rule>,
    /// The patterns that the rules name, by number.
    patterns: Vec<PatternOf<G>>,
}

/// The score of a move by a list of rules, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReasons<M> {
    /// The move.
    pub mv: M,
    /// The score of the move.
    pub points: Points,
    /// The text of the rule that applied, if one did.
    pub rule: Option<String>,
    /// The terms of its score that are not 0.
    pub terms: Vec<Reason>,
    /// The patterns of the list with their counts, except those that count 0.
    pub patterns: Vec<(String, i32)>,
}

impl<M> MoveReasons<M> {
    /// The same reasons for a move that is written otherwise.
    pub fn of<N>(self, mv: N) -> MoveReasons<N> {
        let Self { points, rule, terms, patterns, .. } = self;
        MoveReasons { mv, points, rule, terms, patterns }
    }
}

/// A term of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The text of the term.
    pub term: String,
    /// The value of the term.
    pub points: Points,
}

impl<G: Game> RuleList<G> {
    /// Reads a list of rules from text.
    ///
    /// # Errors
    /// If the text is malformed, has no rule, or names a pattern that the game does not have.
    pub fn parse(game: &G, text: &str) -> Result<Self, RuleError>
    where
        G: NamedGame,
    {
        Self::read(&game.entries(), text, &[])
    }

    /// Reads a list of rules about the patterns of a catalogue, with other values for some of its named numbers.
    ///
    /// # Errors
    /// As [`RuleList::parse`].
    pub fn read(entries: &Entries<G>, text: &str, values: &[(String, Points)]) -> Result<Self, RuleError> {
        let named = &entries.patterns;
        let names: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
        let mut patterns = Vec::new();
        let mut find = |text: &str| {
            let known = named.iter().find(|named| named.name == text).map(|named| Ok(named.pattern.clone()));
            let found = known.or_else(|| (entries.described)(text))?;
            Some(found.map(|pattern| {
                patterns.push(pattern);
                patterns.len() - 1
            }))
        };
        let rules = rules(&plain_rules(text), values, &names, &mut find)?;
        Ok(Self { rules, patterns })
    }

    /// The named numbers of a list of rules, with their values.
    ///
    /// # Errors
    /// If one is malformed.
    pub fn numbers(text: &str) -> Result<Vec<(String, Points)>, RuleError> {
        numbers(&plain_rules(text))
    }

    /// Shows the counts of the patterns for each legal move of a player's turn, in the game's order.
    fn each_move(&self, game: &G, position: &G::Position, show: &mut dyn FnMut(G::Move, Count<'_>)) {
        for (mv, after) in game.children(position) {
            show(mv, &|pattern| self.patterns[pattern](game, position, mv, &after));
        }
    }
}

/// The first rule that applies to a move, if one does, and its score. Call it for the moves in the game's order; `used` are
/// the `first` rules that have applied already, by number.
fn applying<'r>(rules: &'r [Rule], count: Count<'_>, used: &mut Vec<usize>) -> (Option<&'r Rule>, Points) {
    let applies = |(number, rule): &(usize, &Rule)| {
        !(rule.first && used.contains(number)) && hold(&rule.conditions, count)
    };
    let Some((number, rule)) = rules.iter().enumerate().find(applies) else {
        return (None, Points::default());
    };
    if rule.first {
        used.push(number);
    }
    (Some(rule), rule.points(count))
}

/// The counts of all patterns that the rules name, each once, without zeros.
fn counts(rules: &[Rule], count: Count<'_>) -> Vec<(String, i32)> {
    let mut counts: Vec<(String, i32)> = Vec::new();
    for counted in rules.iter().flat_map(Rule::counted) {
        if counts.iter().all(|(name, _)| *name != counted.name) {
            counts.push((counted.name.clone(), count(counted.pattern)));
        }
    }
    counts.retain(|&(_, count)| count != 0);
    counts
}

impl<G: Game> Policy<G> for RuleList<G> {
    /// One draw among the best: two lists with the same best moves play the same.
    fn choose(&self, game: &G, position: &G::Position, draws: &mut PlayoutRng) -> G::Move {
        let best = self.distribution(game, position);
        best[draws.below(best.len() as u32) as usize].0
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        let (mut best, mut most, mut used) = (Vec::new(), None, Vec::new());
        self.each_move(game, position, &mut |mv, count| {
            let (_, points) = applying(&self.rules, count, &mut used);
            if most.is_none_or(|most| points > most) {
                best.clear();
                most = Some(points);
            }
            if most == Some(points) {
                best.push((mv, 1));
            }
        });
        assert!(!best.is_empty(), "a player's turn has a move");
        best
    }

    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        let (mut all, mut used) = (Vec::new(), Vec::new());
        self.each_move(game, position, &mut |mv, count| {
            all.push(reasons(&self.rules, count, &mut used).of(mv));
        });
        Some(all)
    }
}

/// The reasons for a move, without it.
fn reasons(rules: &[Rule], count: Count<'_>, used: &mut Vec<usize>) -> MoveReasons<()> {
    let (rule, points) = applying(rules, count, used);
    let terms = rule
        .iter()
        .flat_map(|rule| &rule.sum)
        .map(|term| Reason { term: term.text.clone(), points: term.number * term.factor.value(count) });
    MoveReasons {
        mv: (),
        points,
        rule: rule.map(|rule| rule.text.clone()),
        terms: terms.filter(|reason| reason.points != Points::default()).collect(),
        patterns: counts(rules, count),
    }
}
