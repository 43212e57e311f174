//! `shikou diverge`: where two players part, and which of them is wrong.

use serde::Serialize;

use super::{DivergeArguments, headline, known};
use crate::cli::failure::Failure;
use crate::cli::field::NamedPlayer;
use crate::cli::output::{print, print_json};
use crate::exact::{Counts, Divergence, Judgement, Known, Played, Values, divergence};
use crate::game::{MoveReasons, Node, Outcome, Player};
use crate::players::{Explored, Registry, SearcherSpec};
use crate::report::{Table, with_thousands};

const SCHEMA: u32 = 1;

/// How games end.
const OUTCOMES: [(Outcome, &str); 3] =
    [(Outcome::Win, "wins"), (Outcome::Draw, "draws"), (Outcome::Loss, "loses")];

/// What all parts of the output are about.
struct Scene<'a> {
    all: &'a dyn Explored,
    two: [Known<'a>; 2],
    against: &'a str,
    values: Values,
}

#[derive(Serialize)]
struct Content {
    game: String,
    players: [String; 2],
    against: String,
    /// How many pairs of games were played.
    pairs: u64,
    /// Outcome of the first, of the second, and how often.
    counts: Vec<(&'static str, &'static str, u64)>,
    divergence: Option<DivergenceView>,
}

#[derive(Serialize)]
struct DivergenceView {
    seed: u64,
    /// The seat of the two, from 1.
    seat: u8,
    games: [GameView; 2],
    positions: Vec<PositionView>,
}

#[derive(Serialize)]
struct GameView {
    moves: Vec<String>,
    outcome: &'static str,
}

/// A position in which the two may choose differently.
#[derive(Serialize)]
struct PositionView {
    /// From 1.
    ply: usize,
    /// In whose game it came up: the first's, the second's.
    in_game: [bool; 2],
    position: Option<String>,
    mistaken: [bool; 2],
    moves: Vec<MoveView>,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    points: [Option<f64>; 2],
    may_play: [bool; 2],
    value: String,
}

pub(in crate::cli) fn diverge(registry: &Registry, arguments: &DivergeArguments) -> Result<(), Failure> {
    let field = arguments.game.field(registry)?;
    let [first, second, against] =
        [&arguments.first, &arguments.second, &arguments.against].map(|text| field.player(text));
    let (two, against) = ([first?, second?], against?);
    if field.game.facts().players != 2 {
        return Err(Failure::Usage(format!("{}: only games for two have an opponent", field.game.spec())));
    }
    let all = arguments.game.explore(&field)?;
    let all = &*all;
    let mut counts = Counts::default();
    let (mut pairs, mut found) = (0, None);
    'seeds: for seed in (0..arguments.seeds).map(|seed| arguments.from.wrapping_add(seed)) {
        for seat in arguments.seat.players() {
            let pair = divergence(all, two.each_ref().map(named), named(&against), seat, seed)?;
            counts.add(&pair);
            pairs += 1;
            if pair.differs() && found.is_none() {
                found = Some(pair);
                if !arguments.all {
                    break 'seeds;
                }
            }
        }
    }
    let [a, b] = two.each_ref().map(|player| known(all, player));
    let values = Values::new(all.graph()).map_err(|error| Failure::Usage(error.to_string()))?;
    let scene = Scene { all, two: [a?, b?], against: &against.name, values };
    if arguments.json {
        let view = found.as_ref().map(|found| scene.view(found)).transpose()?;
        let content = Content {
            game: field.game.spec().to_string(),
            players: two.map(|player| player.name),
            against: against.name.clone(),
            pairs,
            counts: cells().map(|(a, b)| (a.1, b.1, counts.of([a.0, b.0]))).collect(),
            divergence: view,
        };
        return print_json("diverge", SCHEMA, content);
    }
    print(headline(&field, all))?;
    if arguments.all {
        print(format!("\n{}", scene.counted(&counts, pairs)))?;
    }
    match found {
        Some(found) => print(format!("\n{}", scene.text(&found)?)),
        None => print(format!(
            "\n{} and {} end alike in all {} pairs of games against {}.",
            scene.two[0].name(),
            scene.two[1].name(),
            with_thousands(pairs),
            scene.against
        )),
    }
}

fn named(player: &NamedPlayer) -> (&str, &SearcherSpec) {
    (&player.name, &player.searcher)
}

type Ending = (Outcome, &'static str);

/// Every two outcomes.
fn cells() -> impl Iterator<Item = (Ending, Ending)> {
    OUTCOMES.into_iter().flat_map(|a| OUTCOMES.into_iter().map(move |b| (a, b)))
}

fn ending(outcome: Outcome) -> &'static str {
    OUTCOMES.into_iter().find(|&(known, _)| known == outcome).expect("all are listed").1
}

impl Scene<'_> {
    /// The positions of the two games, at the turn of the two, in which they may choose differently: each with its ply,
    /// and in whose game it came up.
    fn judgements(&self, found: &Divergence) -> Result<Vec<(usize, [bool; 2], Judgement)>, Failure> {
        let mut judgements: Vec<(usize, [bool; 2], Judgement)> = Vec::new();
        for (game, played) in found.games.iter().enumerate() {
            for (ply, step) in played.steps.iter().enumerate() {
                if self.all.graph().node(step.number) != Node::Player(found.seat) {
                    continue;
                }
                if let Some((_, games, _)) =
                    judgements.iter_mut().find(|(_, _, known)| known.number == step.number)
                {
                    games[game] = true;
                    continue;
                }
                let judgement = Judgement::new(self.all, self.two.each_ref(), step.number, &self.values)?;
                if judgement.differs() {
                    judgements.push((ply, [game == 0, game == 1], judgement));
                }
            }
        }
        judgements.sort_by_key(|&(ply, ..)| ply);
        Ok(judgements)
    }

    fn counted(&self, counts: &Counts, pairs: u64) -> String {
        let [a, b] = self.two.each_ref().map(Known::name);
        let mut table = Table::new(&[format!("<{a}"), format!("<{b}"), ">pairs".into()]);
        for (first, second) in cells() {
            let count = counts.of([first.0, second.0]);
            if count > 0 {
                table.row([first.1.into(), second.1.into(), with_thousands(count)]);
            }
        }
        format!("{table}\n{} pairs of games against {}", with_thousands(pairs), self.against)
    }

    fn text(&self, found: &Divergence) -> Result<String, Failure> {
        let names = self.two.each_ref().map(Known::name);
        let [a, b] = found.games.each_ref();
        let mut parts = vec![format!(
            "Seed {}, seat {}, against {}: {} {}, {} {}.",
            found.seed,
            found.seat.index() + 1,
            self.against,
            names[0],
            ending(a.outcome),
            names[1],
            ending(b.outcome),
        )];
        parts.push(self.side_by_side(found));
        parts.push(beside(
            &format!("{}\n{}", names[0], self.all.drawing(a.end)),
            &format!("{}\n{}", names[1], self.all.drawing(b.end)),
        ));
        for (ply, games, judgement) in self.judgements(found)? {
            parts.push(self.judged(ply, games, &judgement));
        }
        Ok(parts.join("\n\n"))
    }

    /// Both games, ply by ply, with what each position is worth to the two.
    fn side_by_side(&self, found: &Divergence) -> String {
        let [a, b] = self.two.each_ref().map(Known::name);
        let mut table = Table::new(&[
            ">ply".into(),
            "<who".into(),
            format!("<{a}"),
            ">value".into(),
            format!("<{b}"),
            ">value".into(),
            "<".into(),
        ]);
        let longest = found.games.iter().map(|game| game.steps.len()).max().unwrap_or(0);
        for ply in 0..longest {
            let [left, right] = found.games.each_ref().map(|game| self.ply(game, ply, found.seat));
            let step = found.games.iter().find_map(|game| game.steps.get(ply)).expect("one is as long");
            let who = match self.all.graph().node(step.number) {
                Node::Player(player) if player == found.seat => "the two",
                Node::Player(_) => self.against,
                _ => "chance",
            };
            let note = if found.parting() == Some(ply) { "← here they part" } else { "" };
            let cells =
                [(ply + 1).to_string(), who.into()].into_iter().chain(left).chain(right).chain([note.into()]);
            table.row(cells);
        }
        table.to_string()
    }

    /// The move of a game at a ply, and what the position behind it is worth.
    fn ply(&self, game: &Played, ply: usize, seat: Player) -> [String; 2] {
        let Some(step) = game.steps.get(ply) else { return [String::new(), String::new()] };
        let behind = self.all.graph().edges(step.number)[step.edge].to;
        [self.all.moves(step.number).swap_remove(step.edge), self.values.of(behind, seat).to_string()]
    }

    /// A position in which the two may choose differently.
    fn judged(&self, ply: usize, games: [bool; 2], judgement: &Judgement) -> String {
        let names = self.two.each_ref().map(Known::name);
        let whose = match games {
            [true, true] => "both games".into(),
            [first, _] => format!("the game of {}", names[usize::from(!first)]),
        };
        let mut table = Table::new(&[
            "<move".into(),
            format!(">{}", names[0]),
            "<".into(),
            format!(">{}", names[1]),
            "<".into(),
            ">value".into(),
            "<rule".into(),
        ]);
        for (edge, mv) in self.all.moves(judgement.number).into_iter().enumerate() {
            let points = [0, 1].map(|player| {
                judgement.reasons[player]
                    .as_ref()
                    .map_or("–".into(), |reasons| reasons[edge].points.to_string())
            });
            let may = [0, 1].map(|player| if judgement.choices[player][edge] { "●" } else { "" });
            let value = &judgement.values[edge];
            let value = if value < judgement.best() { format!("{value} ✗") } else { value.to_string() };
            let rules = [0, 1].map(|player| rule(judgement.reasons[player].as_deref(), edge));
            let rules = if rules[0] == rules[1] { rules[0].clone() } else { rules.join("  │  ") };
            let [first, second] = points;
            table.row([mv, first, may[0].into(), second, may[1].into(), value, rules]);
        }
        let verdicts = [0, 1].map(|player| {
            let verdict =
                if judgement.is_mistaken(player) { "may make a mistake" } else { "gives nothing away" };
            format!("{} {verdict}", names[player])
        });
        format!(
            "Ply {}, in {whose}, worth {}:\n{}\n\n{table}\n{}.",
            ply + 1,
            judgement.best(),
            self.all.drawing(judgement.number),
            verdicts.join(", ")
        )
    }

    fn view(&self, found: &Divergence) -> Result<DivergenceView, Failure> {
        let game = |played: &Played| GameView {
            moves: played
                .steps
                .iter()
                .map(|step| self.all.moves(step.number).swap_remove(step.edge))
                .collect(),
            outcome: ending(played.outcome),
        };
        let position = |(ply, in_game, judgement): (usize, [bool; 2], Judgement)| PositionView {
            ply: ply + 1,
            in_game,
            position: self.all.text(judgement.number),
            mistaken: [0, 1].map(|player| judgement.is_mistaken(player)),
            moves: (self.all.moves(judgement.number).into_iter().enumerate())
                .map(|(edge, mv)| MoveView {
                    mv,
                    points: [0, 1].map(|player| {
                        judgement.reasons[player].as_ref().map(|reasons| reasons[edge].points.as_f64())
                    }),
                    may_play: [0, 1].map(|player| judgement.choices[player][edge]),
                    value: judgement.values[edge].to_string(),
                })
                .collect(),
        };
        Ok(DivergenceView {
            seed: found.seed,
            seat: found.seat.index() as u8 + 1,
            games: found.games.each_ref().map(game),
            positions: self.judgements(found)?.into_iter().map(position).collect(),
        })
    }
}

/// The conditions of the rule that gave a move its score.
fn rule(reasons: Option<&[MoveReasons<String>]>, edge: usize) -> String {
    let rule = reasons.and_then(|reasons| reasons[edge].rule.clone());
    rule.unwrap_or_else(|| "–".into())
}

/// Two texts, the second to the right of the first.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let rows = left.lines().count().max(right.lines().count());
    let (mut left, mut right) = (left.lines(), right.lines());
    let row = |_| {
        let (left, right) = (left.next().unwrap_or(""), right.next().unwrap_or(""));
        format!("{left:<width$}    {right}").trim_end().to_owned()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}
