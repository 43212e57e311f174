//! The judge of a small game: the exact values of all positions.

use serde::Serialize;

use super::{Verdict, mark, or_judge, position, turns};
use crate::cli::error::{CommandError, Result};
use crate::cli::field::known;
use crate::exact::{Judgement, Known, Values, steps};
use crate::game::MoveReasons;
use crate::players::{Explored, NamedPlayer, Twins};
use crate::report::{Block, object};

pub(super) struct Enumerated<'a> {
    all: &'a dyn Explored,
    two: [Known<'a>; 2],
    values: Values,
}

impl<'a> Enumerated<'a> {
    pub(super) fn new(all: &'a dyn Explored, two: &[NamedPlayer; 2]) -> Result<Self> {
        let [a, b] = two.each_ref().map(|player| known(all, player));
        let values = Values::new(all.graph()).map_err(CommandError::usage)?;
        Ok(Self { all, two: [a?, b?], values })
    }

    /// Judges two games that ended differently. The cell beside a move is the value for the two of the position after it; the
    /// positions are those in which the two may choose differently.
    pub(super) fn judge(&self, twins: &Twins, names: [&str; 2]) -> Result<Verdict<impl Serialize + use<'a>>> {
        let steps = twins.games.each_ref().map(|game| steps(self.all, game.moves()));
        let after = |&(number, edge): &(u32, usize)| {
            self.values.of(self.all.graph().edges(number)[edge].to, twins.seat).to_string()
        };
        let (mut positions, mut blocks) = (Vec::new(), Vec::new());
        let mut judged: Vec<u32> = Vec::new();
        for (game, ply, in_game) in turns(twins) {
            let (number, _) = steps[game][ply];
            if judged.contains(&number) {
                continue;
            }
            judged.push(number);
            let judgement = Judgement::new(self.all, self.two.each_ref(), number, &self.values)
                .map_err(|error| or_judge(error.into()))?;
            if !judgement.differs() {
                continue;
            }
            let moves = self.all.moves(number).into_iter().enumerate().map(|(edge, mv)| {
                let reasons = judgement.reasons.each_ref().map(|reasons| Some(&reasons.as_ref()?[edge]));
                object! {
                    r#move: mv, points: reasons.map(|reasons| Some(reasons?.points.as_f64())),
                    may_play: judgement.choices.each_ref().map(|choices| choices[edge]),
                    value: judgement.values[edge].to_string(),
                }
            });
            positions.push(object! {
                ply: ply + 1, in_game, position: self.all.text(number),
                mistaken: [0, 1].map(|player| judgement.is_mistaken(player)),
                moves: moves.collect::<Vec<_>>(),
            });
            blocks.extend(self.blocks((ply, in_game, names), &judgement));
        }
        let notes = steps.each_ref().map(|steps| steps.iter().map(after).collect());
        Ok(Verdict { notes, blocks, json: object! { positions } })
    }

    fn blocks(&self, at: (usize, [bool; 2], [&str; 2]), judgement: &Judgement) -> [Block; 4] {
        let best = judgement.best();
        let row = |(edge, mv): (usize, String)| {
            let reasons = judgement.reasons.each_ref().map(|reasons| Some(&reasons.as_ref()?[edge]));
            let [[first, rule], [second, other]] = reasons.map(in_words);
            let [a, b] = judgement.choices.each_ref().map(|may| mark(may[edge]));
            let value = &judgement.values[edge];
            let value = if value < best { format!("{value} ✗") } else { value.to_string() };
            let rules = if rule == other { rule } else { format!("{rule}  │  {other}") };
            [mv, first, a, second, b, value, rules]
        };
        let verdicts = [0, 1].map(|player| {
            let mistaken = judgement.is_mistaken(player);
            format!("{} {}", at.2[player], if mistaken { "may make a mistake" } else { "makes no mistake" })
        });
        let moves = self.all.moves(judgement.number).into_iter().enumerate().map(row);
        let (value, drawing) = (format!(", value {best}"), self.all.drawing(judgement.number));
        position(at, &value, drawing, [">value", "<rule"], moves, format!("{}.", verdicts.join(", ")))
    }
}

fn in_words(reasons: Option<&MoveReasons<String>>) -> [String; 2] {
    let points = reasons.map(|reasons| reasons.points.to_string());
    let rule = reasons.and_then(|reasons| reasons.rule.clone());
    [points, rule].map(|text| text.unwrap_or_else(|| "–".into()))
}
