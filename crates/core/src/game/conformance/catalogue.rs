//! The catalogue of the game under examination as an object.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::object::{Examined, ExaminedPolicy, Of, Value, object};
use crate::game::tuples::{Board, ShapeError, SquareChange, TupleTable, tables_of_shapes};
use crate::game::{
    ChildSum, ChildValues, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Features, Game,
    NamedGame, NamedPattern, NamedRules, Player, Points, RuleError, RuleList, WeightedSum,
};

/// What a pattern counts for a position, a move and the position after it.
type Counts<'a> = Box<dyn Fn(&Value, &Value, &Value) -> i32 + 'a>;

/// A prepared sum: that of a position, or those of its children if they are wanted.
pub(super) type Sums<'a> = Box<dyn Fn(&Value, Player, Option<ChildValues>) -> Vec<ChildSum> + 'a>;

fn sums<G: Game>(game: &G, sum: Arc<dyn WeightedSum<G>>) -> Sums<'_> {
    Box::new(move |at, player, wanted| {
        let Some(wanted) = wanted else { return vec![ChildSum::Sum(sum.sum(at.of(), player))] };
        let mut all = Vec::new();
        sum.each_child(game, at.of(), wanted, &mut |child| {
            all.push(child);
            ControlFlow::Continue(())
        });
        all
    })
}

/// The scores of the moves of a position.
type Scores<'a> = Box<dyn Fn(&Value) -> Vec<(Value, Points)> + 'a>;

object! {
    /// A game of any type with its catalogue.
    trait Catalogue: Examined for G, G: NamedGame;
    fn policies(&self) -> Vec<(&'static str, Box<dyn ExaminedPolicy + '_>)> {
        let all = self.entries().policies.into_iter();
        all.map(|known| (known.name, Box::new(Of { game: self, it: known.policy }) as _)).collect()
    }
    fn evaluations(&self) -> Vec<(&'static str, Box<dyn ExaminedEvaluation + '_>)> {
        let all = self.entries().evaluations.into_iter();
        all.map(|known| (known.name, Box::new(Of { game: self, it: known.evaluation }) as _)).collect()
    }
    fn features(&self) -> Vec<(&'static str, Box<dyn ExaminedFeatures + '_>)> {
        let all = self.entries().features.into_iter();
        all.map(|known| (known.name, Box::new(Of { game: self, it: known.features }) as _)).collect()
    }
    fn board(&self) -> Option<Box<dyn ExaminedBoard + '_>> {
        self.entries().board.map(|it| Box::new(Of { game: self, it }) as _)
    }
    fn patterns(&self) -> Vec<(String, Counts<'_>)> {
        let counts = |NamedPattern { name, pattern, .. }| -> (String, Counts<'_>) {
            (name, Box::new(move |at, mv, after| pattern(self, at.of(), *mv.of(), after.of())))
        };
        self.entries().patterns.into_iter().map(counts).collect()
    }
    fn rule_lists(&self) -> Vec<NamedRules> { self.entries().rule_lists }
    fn rules(&self, text: &str) -> Result<Scores<'_>, RuleError> {
        let rules = RuleList::parse(self, text)?;
        let value = |(mv, points)| (Value::new(mv), points);
        Ok(Box::new(move |at| rules.scores(self, at.of()).into_iter().map(value).collect()))
    }
}

object! {
    /// An evaluation of a game of any type.
    trait ExaminedEvaluation for Of<'_, G, Arc<dyn Evaluation<G>>>, G: Game;
    fn facts(&self) -> EvaluationFacts { self.it.facts() }
    fn range(&self) -> (i64, i64) { self.it.range(self.game) }
    fn finished(&self, at: &Value, player: Player) -> i64 { self.it.finished(self.game, at.of(), player) }
    fn value(&self, at: &Value, player: Player) -> i64 { self.it.evaluate(self.game, at.of(), player) }
    fn many(&self, requests: &[EvaluationRequest<Value>], answers: &mut EvaluationBuffer) {
        let request = |EvaluationRequest { position, player, prior }: &EvaluationRequest<Value>| {
            EvaluationRequest { position: *position.of(), player: *player, prior: *prior }
        };
        self.it.evaluate_many(self.game, &requests.iter().map(request).collect::<Vec<_>>(), answers);
    }
}

object! {
    /// Features of a game of any type.
    trait ExaminedFeatures for Of<'_, G, Arc<dyn Features<G>>>, G: Game;
    fn names(&self) -> Vec<String> { self.it.names(self.game) }
    fn largest(&self) -> Option<i32> { self.it.largest(self.game) }
    fn values(&self, at: &Value, player: Player, values: &mut [i32]) {
        self.it.values(self.game, at.of(), player, values);
    }
    fn after_moves(&self, at: &Value, player: Player, show: &mut dyn FnMut(usize, usize, i32)) {
        self.it.after_moves(self.game, at.of(), player, show);
    }
    fn prepared(&self, weights: &[i64]) -> Option<Sums<'_>> {
        self.it.prepared(self.game, weights).map(|sum| sums(self.game, sum))
    }
}

object! {
    /// The board of a game of any type.
    trait ExaminedBoard for Of<'_, G, Arc<dyn Board<G>>>, G: Game;
    fn size(&self) -> (usize, usize) { self.it.size(self.game) }
    fn symmetries(&self) -> Vec<Vec<usize>> { self.it.symmetries(self.game) }
    fn tables(&self, shapes: &str) -> Result<Vec<TupleTable>, ShapeError> {
        tables_of_shapes(self.game, &*self.it, shapes)
    }
    fn prepared(&self, tables: &[TupleTable], weights: &[i64]) -> Option<Sums<'_>> {
        self.it.prepared(self.game, tables, weights).map(|sum| sums(self.game, sum))
    }
    fn owners(&self, at: &Value, player: Player, owners: &mut [u8]) {
        self.it.owners(self.game, at.of(), player, owners);
    }
    fn each_change(&self, at: &Value, player: Player, found: &mut dyn FnMut(&[SquareChange])) {
        self.it.each_change(self.game, at.of(), player, found);
    }
}
