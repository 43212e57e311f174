//! The judge of any game: a searcher that estimates values.

use serde::Serialize;

use super::{Judge, PositionView, turns};
use crate::cli::error::CommandError;
use crate::cli::estimates::{difference, standard_error};
use crate::players::{
    AnyGame, DecisionView, NamedPlayer, Others, SameLuck, Table as GameTable, Tables, Twins,
};
use crate::report::{Block, Table, decimals};
use crate::rng::Stream;
use crate::search::{Limits, MoveEstimate, MoveStream, Stop};

/// A searcher that values the moves.
pub(super) struct Searching {
    headline: String,
    name: String,
    tables: Box<dyn Tables>,
    /// The judge at every seat.
    seats: Vec<usize>,
}

/// The judge's values of the moves of the two, and the most important positions.
#[derive(Serialize)]
pub(super) struct Verdict {
    /// For each ply of each game the loss of the move against the best, by the judge's values: `null` if it was
    /// not the turn of the two, or they had no choice, or nothing is known of the move.
    gives_away: [Vec<Option<f64>>; 2],
    /// The same in words.
    #[serde(skip)]
    notes: [Vec<String>; 2],
    positions: Vec<PositionView<Judged>>,
}

#[derive(Serialize)]
struct Judged {
    /// What each of the two plays there.
    plays: [String; 2],
    /// The loss of that move against the best, by the judge; none if the judge never tried the move.
    gives_away: [Option<f64>; 2],
    /// By the judge's values, the best first and those that it never tried last.
    moves: Vec<MoveView>,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    /// The value of each of the two players.
    values: [Option<f64>; 2],
    /// The judge's value; none if it never tried the move.
    judged: Option<f64>,
    /// The standard error of that, 0 if it is exact or unknown.
    spread: f64,
}

/// The judge's opinion of a turn of the two.
struct Turn {
    game: usize,
    ply: usize,
    in_game: [bool; 2],
    opinion: DecisionView,
}

impl Searching {
    pub(super) fn new(game: &dyn AnyGame, judge: &NamedPlayer) -> Result<Self, CommandError> {
        if judge.searcher.claims().others != Others::Values {
            return Err(CommandError::Usage(format!(
                "{} gives only bounds for the moves that are not best; a judge needs values of all moves, such as with \
                 root=exact of alpha-beta",
                judge.searcher.searcher.name
            )));
        }
        let seats = vec![0; usize::from(game.facts().players)];
        let tables = game.prepare(std::slice::from_ref(&judge.searcher)).map_err(CommandError::usage)?;
        let headline = format!("{}, judged by {}", game.spec(), judge.name);
        Ok(Self { headline, name: judge.name.clone(), tables, seats })
    }

    /// The position after these moves.
    fn table<'m>(&self, moves: impl Iterator<Item = &'m str>) -> Box<dyn GameTable + '_> {
        let mut table = self.tables.table(&self.seats);
        for mv in moves {
            assert!(table.make_written_move(mv), "{mv} was made");
        }
        table
    }

    /// What it thinks of the turns of the two.
    fn turns(&self, twins: &Twins) -> Result<Vec<Turn>, CommandError> {
        let key = (Stream::new(twins.seed) / "diverge" / "judge").playout_key();
        let mut judged = Vec::new();
        for (game, ply, in_game) in turns(twins) {
            let mut table = self.table(twins.games[game].moves_before(ply));
            let failed = |failure| CommandError::Usage(format!("{}, ply {}: {failure}", self.name, ply + 1));
            table.decide(MoveStream::new(key.child(ply as u64)), Limits::default()).map_err(failed)?;
            let (_, opinion) = table.last_decision().expect("it has just decided");
            if opinion.moves.is_empty() && opinion.stop != Stop::Forced {
                return Err(CommandError::Usage(format!(
                    "{} reports no values of moves, so it cannot judge; flat(playouts-per-move=1000) can",
                    self.name
                )));
            }
            judged.push(Turn { game, ply, in_game, opinion });
        }
        Ok(judged)
    }

    /// A turn of the two, with the opinions of all three.
    fn view(
        &self,
        luck: &SameLuck,
        twins: &Twins,
        turn: &Turn,
    ) -> Result<PositionView<Judged>, CommandError> {
        let played = &twins.games[turn.game];
        let thoughts = [0, 1].map(|player: usize| {
            let own = turn.in_game[player].then(|| twins.games[player].plies[turn.ply].decision.clone());
            let ask = || luck.ask(player, twins.seed, played.moves_before(turn.ply));
            own.flatten().map_or_else(ask, Ok).map_err(|failure| CommandError::Usage(failure.to_string()))
        });
        let [a, b] = thoughts;
        let thoughts = [a?, b?];
        let mut estimates: Vec<(&MoveEstimate<String>, Option<f64>)> =
            turn.opinion.moves.iter().map(|at| (at, turn.opinion.value_of(&at.mv))).collect();
        let rank = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
        estimates.sort_by(|a, b| rank(b.1).total_cmp(&rank(a.1)));
        let moves = estimates.into_iter().map(|(estimate, judged)| MoveView {
            mv: estimate.mv.clone(),
            values: [0, 1].map(|player: usize| thoughts[player].value_of(&estimate.mv)),
            judged,
            spread: estimate.standard_error,
        });
        let table = self.table(played.moves_before(turn.ply));
        Ok(PositionView {
            ply: turn.ply + 1,
            in_game: turn.in_game,
            position: table.position_text(),
            drawing: table.drawing(),
            judged: Judged {
                moves: moves.collect(),
                gives_away: thoughts.each_ref().map(|view| turn.opinion.given_away(&view.chosen)),
                plays: thoughts.map(|view| view.chosen),
            },
        })
    }
}

/// The first ply at which most is given away, if anything is.
fn dearest(gives_away: &[Option<f64>]) -> Option<usize> {
    let given = gives_away.iter().enumerate().filter_map(|(ply, away)| Some((ply, (*away)?)));
    let (ply, most) = given.rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (most > 0.0).then_some(ply)
}

impl Judge for Searching {
    type Verdict = Verdict;

    const NOTE: &'static str = "loses";

    fn headline(&self) -> String {
        self.headline.clone()
    }

    fn judge(&self, luck: &SameLuck, twins: &Twins) -> Result<Verdict, CommandError> {
        let turns = self.turns(twins)?;
        let mut gives_away = twins.games.each_ref().map(|game| vec![None; game.plies.len()]);
        let mut notes = twins.games.each_ref().map(|game| vec![String::new(); game.plies.len()]);
        for (player, game) in twins.games.iter().enumerate() {
            for turn in turns.iter().filter(|turn| turn.in_game[player] && !turn.opinion.moves.is_empty()) {
                let away = turn.opinion.given_away(&game.plies[turn.ply].mv);
                gives_away[player][turn.ply] = away;
                notes[player][turn.ply] = written(away);
            }
        }
        let dearest = gives_away.each_ref().map(|game| dearest(game));
        let is_shown = |turn: &&Turn| {
            let is_dearest = |player: usize| turn.in_game[player] && dearest[player] == Some(turn.ply);
            Some(turn.ply) == twins.parting() || is_dearest(0) || is_dearest(1)
        };
        let positions = turns.iter().filter(is_shown).map(|turn| self.view(luck, twins, turn));
        Ok(Verdict { positions: positions.collect::<Result<_, _>>()?, gives_away, notes })
    }

    fn notes(&self, verdict: &Verdict) -> [Vec<String>; 2] {
        verdict.notes.clone()
    }

    fn blocks(&self, names: [&str; 2], verdict: &Verdict) -> Vec<Block> {
        verdict.positions.iter().flat_map(|position| self.position_blocks(names, position)).collect()
    }
}

/// A value with its places, if it is known.
fn written(value: Option<f64>) -> String {
    decimals(value.unwrap_or(f64::NAN), 3)
}

impl Searching {
    fn position_blocks(&self, names: [&str; 2], position: &PositionView<Judged>) -> [Block; 4] {
        let Judged { plays, gives_away, moves } = &position.judged;
        let mut table = Table::new(&[
            "<move".into(),
            format!(">{}", names[0]),
            "<".into(),
            format!(">{}", names[1]),
            "<".into(),
            ">judge".into(),
            ">± std. error".into(),
        ]);
        for MoveView { mv, values, judged, spread } in moves {
            let [first, second] = values.map(written);
            let [a, b] = plays.each_ref().map(|plays| if plays == mv { "●" } else { "" });
            let error = standard_error(*spread);
            table.row([mv.clone(), first, a.into(), second, b.into(), written(*judged), error]);
        }
        let verdicts = [0, 1].map(|player: usize| {
            let (name, plays) = (names[player], &plays[player]);
            match gives_away[player] {
                Some(away) => format!("{name} plays {plays} and loses {}", difference(away)),
                None => format!("{name} plays {plays}, which the judge never tried"),
            }
        });
        [
            format!("{}:", position.heading(names)).into(),
            Block::Notes(vec![position.drawing.clone()]),
            table.into(),
            Block::Notes(vec![format!("By {}: {}.", self.name, verdicts.join("; "))]),
        ]
    }
}
