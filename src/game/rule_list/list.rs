//! The policy of a list of rules.

use super::read::rules;
use super::rule::{Judged, Rule, hold};
use super::{Points, RuleError, plain_rules};
use crate::game::{Game, GameExt, Policy};
use crate::rng::Draws;

/// The policy that scores every legal move by the first rule that applies to it, and plays one of the best, each as
/// likely. A move to which no rule applies scores 0.
///
/// # The language
/// Rules stand on lines of their own, or apart by `;`; `#` begins a comment. A rule is a score, or conditions, `:` and
/// a score. Conditions, with commas between, must all hold; one is a pattern, which must be there, or a pattern compared
/// with a whole number (`=`, `!=`, `>=`, `<=`, `>`, `<`). `any` always holds. With `first` in front a rule applies to one
/// move only: the first, in the game's order, that gets to it. A score is a sum of numbers, counts of patterns, and
/// conditions in brackets (1 where they hold, else 0), each of them with a factor before it where one is wanted:
/// `200`, `-100 0-2-1`, `2 (2-0-1 = 1) + 0.5 1-0-2 - 0-1-2`. The minus of a difference has a space behind it.
///
/// Patterns are the game's: see [`Game::patterns`] and [`Game::parse_pattern`].
///
/// # Cost
/// One position a move, the patterns that are asked for, and one allocation a turn; one draw a turn.
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
pub struct RuleList<G> {
    rules: Vec<Rule<G>>,
}

/// What a list of rules thinks of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReasons<M> {
    /// The move.
    pub mv: M,
    /// Its score.
    pub points: Points,
    /// The rule that gave it, as it is written; `None` where none applied.
    pub rule: Option<String>,
    /// The terms of its score that are not 0.
    pub terms: Vec<Reason>,
    /// The patterns that the list counted on the way, with their counts; those that are not there are left out.
    pub patterns: Vec<(String, i32)>,
}

/// One term of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The term as it is written.
    pub term: String,
    /// What it came to.
    pub points: Points,
}

impl<G: Game> RuleList<G> {
    /// The rules that a text states.
    ///
    /// # Errors
    /// Where it states none, names a pattern that the game does not have, or cannot be read.
    pub fn parse(game: &G, text: &str) -> Result<Self, RuleError> {
        Ok(Self { rules: rules(game, &plain_rules(text))? })
    }

    /// Each legal move of a player's turn with its score, in the game's order.
    pub fn scores(&self, game: &G, position: &G::Position) -> Vec<(G::Move, Points)> {
        let mut first = FirstOnly::default();
        let score = |(mv, after): (G::Move, G::Position)| {
            let judged = Judged { game, before: position, mv, after: &after };
            (mv, self.applies(&judged, &mut first).map_or(Points::default(), |rule| rule.points(&judged)))
        };
        game.children(position).map(score).collect()
    }

    /// The first rule that applies to a move. Moves are asked about in the game's order.
    fn applies(&self, judged: &Judged<'_, G>, first: &mut FirstOnly) -> Option<&Rule<G>> {
        let applies = |(number, rule): &(usize, &Rule<G>)| {
            !(rule.first && first.is_used(*number)) && hold(&rule.conditions, judged)
        };
        let (number, rule) = self.rules.iter().enumerate().find(applies)?;
        if rule.first {
            first.0.push(number);
        }
        Some(rule)
    }

    /// The patterns that are named in any rule and that are there, each once.
    fn counts(&self, judged: &Judged<'_, G>) -> Vec<(String, i32)> {
        let mut counts: Vec<(String, i32)> = Vec::new();
        for counted in self.rules.iter().flat_map(Rule::counted) {
            if counts.iter().all(|(name, _)| *name != counted.name) {
                counts.push((counted.name.clone(), counted.count(judged)));
            }
        }
        counts.retain(|&(_, count)| count != 0);
        counts
    }
}

/// The rules for a first move that have found theirs, by number.
#[derive(Default)]
struct FirstOnly(Vec<usize>);

impl FirstOnly {
    fn is_used(&self, number: usize) -> bool {
        self.0.contains(&number)
    }
}

impl<G: Game> Policy<G> for RuleList<G> {
    /// One draw among the best, however they came to be that: two lists whose best moves are the same play the same.
    fn choose(&self, game: &G, position: &G::Position, draws: &mut Draws) -> G::Move {
        let best = self.distribution(game, position);
        best[draws.below(best.len() as u32) as usize].0
    }

    fn distribution(&self, game: &G, position: &G::Position) -> Vec<(G::Move, u32)> {
        let scores = self.scores(game, position);
        let best = scores.iter().map(|&(_, points)| points).max().expect("a player's turn has a move");
        scores.into_iter().filter(|&(_, points)| points == best).map(|(mv, _)| (mv, 1)).collect()
    }

    fn reasons(&self, game: &G, position: &G::Position) -> Option<Vec<MoveReasons<G::Move>>> {
        let mut first = FirstOnly::default();
        let reasons = |(mv, after): (G::Move, G::Position)| {
            let judged = Judged { game, before: position, mv, after: &after };
            let rule = self.applies(&judged, &mut first);
            let terms = rule.iter().flat_map(|rule| &rule.sum).map(|term| Reason {
                term: term.text.clone(),
                points: term.number * term.factor.value(&judged),
            });
            MoveReasons {
                mv,
                points: rule.map_or(Points::default(), |rule| rule.points(&judged)),
                rule: rule.map(|rule| rule.text.clone()),
                terms: terms.filter(|reason| reason.points != Points::default()).collect(),
                patterns: self.counts(&judged),
            }
        };
        Some(game.children(position).map(reasons).collect())
    }
}
