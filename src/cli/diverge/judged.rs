//! The judges: a searcher that estimates values, of any game; and the exact values of all positions, of a small one.

use serde::Serialize;

use super::{Verdict, mark, or_judge, position, turns};
use crate::cli::error::{CommandError, Result, usage};
use crate::cli::estimates::{decided, difference, standard_error};
use crate::cli::field::known;
use crate::exact::{Judgement, Known, Values, steps};
use crate::game::MoveReasons;
use crate::players::{
    AnyGame, DecisionView, Explored, NamedPlayer, Others, PairedGames, SameLuck, Table as GameTable, Tables,
};
use crate::report::{Block, decimals, object};
use crate::rng::Stream;
use crate::search::{MoveStream, Stop};

pub(super) struct Searching {
    name: String,
    tables: Box<dyn Tables>,
    /// The judge at every seat.
    seats: Vec<usize>,
}

struct Turn {
    game: usize,
    ply: usize,
    in_game: [bool; 2],
    opinion: DecisionView,
}

impl Searching {
    pub(super) fn new(game: &dyn AnyGame, judge: &NamedPlayer) -> Result<Self> {
        if judge.searcher.claims().others != Others::Values {
            return Err(usage!(
                "{} gives only bounds for the moves that are not best; a judge needs values of all moves, such as with \
                 root=exact of alpha-beta",
                judge.searcher.searcher.name
            ));
        }
        let seats = vec![0; usize::from(game.facts().players)];
        let tables = game.prepare(std::slice::from_ref(&judge.searcher)).map_err(CommandError::usage)?;
        Ok(Self { name: judge.name.clone(), tables, seats })
    }

    fn table<'m>(&self, moves: impl Iterator<Item = &'m str>) -> Box<dyn GameTable + '_> {
        let mut table = self.tables.table(&self.seats);
        for mv in moves {
            assert!(table.make_written_move(mv), "{mv} was made");
        }
        table
    }

    /// The opinions on the turns of the two.
    fn turns(&self, pair: &PairedGames) -> Result<Vec<Turn>> {
        let key = (Stream::new(pair.seed) / "diverge" / "judge").playout_key();
        let mut judged = Vec::new();
        for (game, ply, in_game) in turns(pair) {
            let mut table = self.table(pair.games[game].moves_before(ply));
            let failed = |failure| usage!("{}, ply {}: {failure}", self.name, ply + 1);
            let opinion = decided(&mut *table, MoveStream::new(key.child(ply as u64))).map_err(failed)?;
            if opinion.moves.is_empty() && opinion.stop != Stop::Forced {
                return Err(usage!(
                    "{} reports no values of moves, so it cannot judge; flat(playouts-per-move=1000) can",
                    self.name
                ));
            }
            judged.push(Turn { game, ply, in_game, opinion });
        }
        Ok(judged)
    }

    /// Judges two games that ended differently. The cell beside a move is its loss against the best by the judge's values, if it
    /// was the turn of the two, they had a choice, and something is known of the move.
    pub(super) fn judge(
        &self,
        luck: &SameLuck,
        pair: &PairedGames,
        names: [&str; 2],
    ) -> Result<Verdict<impl Serialize + use<>>> {
        let turns = self.turns(pair)?;
        let mut gives_away = pair.games.each_ref().map(|game| vec![None; game.plies.len()]);
        let mut notes = pair.games.each_ref().map(|game| vec![String::new(); game.plies.len()]);
        for (player, game) in pair.games.iter().enumerate() {
            for turn in turns.iter().filter(|turn| turn.in_game[player] && !turn.opinion.moves.is_empty()) {
                let away = turn.opinion.given_away(&game.plies[turn.ply].mv);
                gives_away[player][turn.ply] = away;
                notes[player][turn.ply] = written(away);
            }
        }
        let dearest = gives_away.each_ref().map(|game| dearest(game));
        let is_shown = |turn: &&Turn| {
            let is_dearest = |player: usize| turn.in_game[player] && dearest[player] == Some(turn.ply);
            Some(turn.ply) == pair.parting() || is_dearest(0) || is_dearest(1)
        };
        let (mut positions, mut blocks) = (Vec::new(), Vec::new());
        for turn in turns.iter().filter(is_shown) {
            let Turn { game, ply, in_game, opinion } = turn;
            let before = || pair.games[*game].moves_before(*ply);
            let thoughts = [0, 1].map(|player: usize| {
                let own = in_game[player].then(|| pair.games[player].plies[*ply].decision.clone());
                let ask = || luck.ask(player, pair.seed, before());
                own.flatten().map_or_else(ask, Ok).map_err(CommandError::usage)
            });
            let [a, b] = thoughts;
            let thoughts = [a?, b?];
            // By the judge's values, the best first and those that it never tried last.
            let mut moves: Vec<_> = opinion.moves.iter().map(|of| (of, opinion.value_of(&of.mv))).collect();
            let rank = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
            moves.sort_by(|a, b| rank(b.1).total_cmp(&rank(a.1)));
            let moves = moves.into_iter().map(|(of, judged)| {
                let values = thoughts.each_ref().map(|view| view.value_of(&of.mv));
                object! { r#move: of.mv.clone(), values, judged, spread: of.standard_error }
            });
            let moves: Vec<_> = moves.collect();
            let plays = thoughts.map(|view| view.chosen);
            let gives_away = plays.each_ref().map(|chosen| opinion.given_away(chosen));
            let rows = moves.iter().map(|of| {
                let ([first, second], [a, b]) =
                    (of.values.map(written), plays.each_ref().map(|plays| mark(*plays == of.r#move)));
                [of.r#move.clone(), first, a, second, b, written(of.judged), standard_error(of.spread)]
            });
            let verdicts = [0, 1].map(|player: usize| {
                let (name, plays) = (names[player], &plays[player]);
                match gives_away[player] {
                    Some(away) => format!("{name} plays {plays} and loses {}", difference(away)),
                    None => format!("{name} plays {plays}, which the judge never tried"),
                }
            });
            let at = self.table(before());
            let verdict = format!("By {}: {}.", self.name, verdicts.join("; "));
            let (place, judge) = ((*ply, *in_game, names), [">judge", ">± std. error"]);
            blocks.extend(super::position(place, "", at.drawing(), judge, rows, verdict));
            let position = at.position_text();
            positions.push(object! { ply: *ply + 1, in_game: *in_game, position, plays, gives_away, moves });
        }
        Ok(Verdict { notes, blocks, json: object! { gives_away, positions } })
    }
}

/// The first ply at which most is given away, if anything is.
fn dearest(gives_away: &[Option<f64>]) -> Option<usize> {
    let given = gives_away.iter().enumerate().filter_map(|(ply, away)| Some((ply, (*away)?)));
    let (ply, most) = given.rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (most > 0.0).then_some(ply)
}

fn written(value: Option<f64>) -> String {
    decimals(value.unwrap_or(f64::NAN), 3)
}

pub(super) struct Enumerated<'a> {
    all: &'a Explored<'a>,
    two: [Known<'a>; 2],
    values: Values,
}

impl<'a> Enumerated<'a> {
    pub(super) fn new(all: &'a Explored<'a>, two: &[NamedPlayer; 2]) -> Result<Self> {
        let [a, b] = two.each_ref().map(|player| known(all, player));
        let values = Values::new(all.graph()).map_err(CommandError::usage)?;
        Ok(Self { all, two: [a?, b?], values })
    }

    /// Judges two games that ended differently. The cell beside a move is the value for the two of the position after it; the
    /// positions are those in which the two may choose differently.
    pub(super) fn judge(
        &self,
        pair: &PairedGames,
        names: [&str; 2],
    ) -> Result<Verdict<impl Serialize + use<'a>>> {
        let steps = pair.games.each_ref().map(|game| steps(self.all, game.moves()));
        let after = |&(number, edge): &(u32, usize)| {
            self.values.of(self.all.graph().edges(number)[edge].to, pair.seat).to_string()
        };
        let (mut positions, mut blocks) = (Vec::new(), Vec::new());
        let mut judged: Vec<u32> = Vec::new();
        for (game, ply, in_game) in turns(pair) {
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
