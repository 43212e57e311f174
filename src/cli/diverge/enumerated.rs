//! The judge of a small game: the exact values of all positions.

use serde::Serialize;

use super::{Judge, PositionView, or_judge, turns};
use crate::cli::error::CommandError;
use crate::cli::field::Field;
use crate::cli::small_game::{headline, known};
use crate::exact::{Judgement, Known, Values, steps};
use crate::game::MoveReasons;
use crate::players::{Explored, NamedPlayer, SameLuck, Twins};
use crate::report::{Block, Table};

/// Exact values, and the possible moves of the two players.
pub(super) struct Enumerated<'a> {
    headline: String,
    all: &'a dyn Explored,
    two: [Known<'a>; 2],
    values: Values,
}

/// The positions in which the two may choose differently.
#[derive(Serialize)]
pub(super) struct Verdict {
    positions: Vec<PositionView<Judged>>,
    /// The value for the two of the position after each ply of each game.
    #[serde(skip)]
    after: [Vec<String>; 2],
}

#[derive(Serialize)]
struct Judged {
    mistaken: [bool; 2],
    moves: Vec<MoveView>,
    #[serde(skip)]
    worth: String,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    points: [Option<f64>; 2],
    may_play: [bool; 2],
    value: String,
    #[serde(skip)]
    gives_away: bool,
    /// The points as they are written, and the rules that gave them.
    #[serde(skip)]
    reasons: [[String; 2]; 2],
}

impl<'a> Enumerated<'a> {
    pub(super) fn new(
        field: &Field,
        all: &'a dyn Explored,
        two: &[NamedPlayer; 2],
    ) -> Result<Self, CommandError> {
        let [a, b] = two.each_ref().map(|player| known(all, player));
        let values = Values::new(all.graph()).map_err(CommandError::usage)?;
        Ok(Self { headline: headline(field, all), all, two: [a?, b?], values })
    }

    fn view(&self, ply: usize, in_game: [bool; 2], judgement: &Judgement) -> PositionView<Judged> {
        let moves = self.all.moves(judgement.number).into_iter().enumerate().map(|(edge, mv)| {
            let value = &judgement.values[edge];
            let of = |player: usize| judgement.reasons[player].as_ref().map(|reasons| &reasons[edge]);
            MoveView {
                mv,
                points: [0, 1].map(|player| of(player).map(|reason| reason.points.as_f64())),
                may_play: [0, 1].map(|player| judgement.choices[player][edge]),
                value: value.to_string(),
                gives_away: value < judgement.best(),
                reasons: [0, 1].map(|player| in_words(of(player))),
            }
        });
        PositionView {
            ply: ply + 1,
            in_game,
            position: self.all.text(judgement.number),
            drawing: self.all.drawing(judgement.number),
            judged: Judged {
                mistaken: [0, 1].map(|player| judgement.is_mistaken(player)),
                moves: moves.collect(),
                worth: judgement.best().to_string(),
            },
        }
    }
}

/// The points of a move, and the rule that gave them.
fn in_words(reasons: Option<&MoveReasons<String>>) -> [String; 2] {
    let points = reasons.map(|reasons| reasons.points.to_string());
    let rule = reasons.and_then(|reasons| reasons.rule.clone());
    [points, rule].map(|text| text.unwrap_or_else(|| "–".into()))
}

impl Judge for Enumerated<'_> {
    type Verdict = Verdict;

    const NOTE: &'static str = "value";

    fn headline(&self) -> String {
        self.headline.clone()
    }

    fn judge(&self, _luck: &SameLuck, twins: &Twins) -> Result<Verdict, CommandError> {
        let steps = twins.games.each_ref().map(|game| steps(self.all, game.moves()));
        let after = |&(number, edge): &(u32, usize)| {
            self.values.of(self.all.graph().edges(number)[edge].to, twins.seat).to_string()
        };
        let mut positions = Vec::new();
        let mut judged: Vec<u32> = Vec::new();
        for (game, ply, in_game) in turns(twins) {
            let (number, _) = steps[game][ply];
            if judged.contains(&number) {
                continue;
            }
            judged.push(number);
            let judgement = Judgement::new(self.all, self.two.each_ref(), number, &self.values)
                .map_err(|error| or_judge(error.into()))?;
            if judgement.differs() {
                positions.push(self.view(ply, in_game, &judgement));
            }
        }
        Ok(Verdict { positions, after: steps.each_ref().map(|steps| steps.iter().map(after).collect()) })
    }

    fn notes(&self, verdict: &Verdict) -> [Vec<String>; 2] {
        verdict.after.clone()
    }

    fn blocks(&self, names: [&str; 2], verdict: &Verdict) -> Vec<Block> {
        verdict.positions.iter().flat_map(|position| blocks(names, position)).collect()
    }
}

fn blocks(names: [&str; 2], position: &PositionView<Judged>) -> [Block; 4] {
    let mut table = Table::new(&[
        "<move".into(),
        format!(">{}", names[0]),
        "<".into(),
        format!(">{}", names[1]),
        "<".into(),
        ">value".into(),
        "<rule".into(),
    ]);
    for MoveView { mv, may_play, value, gives_away, reasons, .. } in &position.judged.moves {
        let [[first, rule], [second, other]] = reasons;
        let [a, b] = may_play.map(|may| if may { "●" } else { "" });
        let value = if *gives_away { format!("{value} ✗") } else { value.clone() };
        let rules = if rule == other { rule.clone() } else { format!("{rule}  │  {other}") };
        table.row([mv.clone(), first.clone(), a.into(), second.clone(), b.into(), value, rules]);
    }
    let verdicts = [0, 1].map(|player: usize| {
        let mistaken = position.judged.mistaken[player];
        format!("{} {}", names[player], if mistaken { "may make a mistake" } else { "makes no mistake" })
    });
    [
        format!("{}, value {}:", position.heading(names), position.judged.worth).into(),
        Block::Notes(vec![position.drawing.clone()]),
        table.into(),
        Block::Notes(vec![format!("{}.", verdicts.join(", "))]),
    ]
}
