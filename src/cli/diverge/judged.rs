//! The judge of any game: a searcher, whose values stand in for exact ones.

use serde::Serialize;

use super::{Judge, PositionView, turns};
use crate::cli::failure::Failure;
use crate::players::{
    AnyGame, DecisionView, NamedPlayer, SameLuck, SearcherKind, SearcherSpec, Table as GameTable, Tables,
    Twins,
};
use crate::report::Table;
use crate::rng::Stream;
use crate::search::{Limits, MoveEstimate, MoveStream, Stop};

/// A searcher that values the moves.
pub(super) struct Searching<'g> {
    headline: String,
    name: String,
    kind: SearcherKind,
    /// What the two are.
    kinds: [SearcherKind; 2],
    tables: Box<dyn Tables + 'g>,
}

/// What the judge thinks of the moves of the two, and the positions that tell most.
#[derive(Serialize)]
pub(super) struct Verdict {
    /// For each ply of each game by how much the move is worse than the best, by the judge's values: `null` where it was
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
    /// By how much that is worse than the best, as the judge sees it; none where it never tried the move.
    gives_away: [Option<f64>; 2],
    /// Best first, as the judge sees it, and last those that it never tried.
    moves: Vec<MoveView>,
}

#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    /// What each of the two thinks that it is worth.
    values: [Option<f64>; 2],
    /// What the judge thinks; none where it never tried the move.
    judged: Option<f64>,
    /// The standard error of that, 0 where it is exact or not known.
    spread: f64,
}

/// What the judge thinks of a turn of the two.
struct Turn {
    game: usize,
    ply: usize,
    in_game: [bool; 2],
    opinion: DecisionView,
}

impl<'g> Searching<'g> {
    pub(super) fn new(
        game: &'g dyn AnyGame,
        judge: &NamedPlayer,
        two: &[NamedPlayer; 2],
    ) -> Result<Self, Failure> {
        let SearcherSpec { kind, options, .. } = &judge.searcher;
        if *kind == SearcherKind::AlphaBeta && options.word("root") != "exact" {
            let message =
                "alpha-beta finds bounds of the moves that are not best; as a judge it needs root=exact";
            return Err(Failure::Usage(message.into()));
        }
        let seats = vec![judge.searcher.clone(); usize::from(game.facts().players)];
        let tables = game.prepare(&seats).map_err(|misfit| Failure::Usage(misfit.to_string()))?;
        let headline = format!("{}, judged by {}", game.spec(), judge.name);
        let kinds = two.each_ref().map(|player| player.searcher.kind);
        Ok(Self { headline, name: judge.name.clone(), kind: *kind, kinds, tables })
    }

    /// The position behind these moves.
    fn table<'m>(&self, moves: impl Iterator<Item = &'m str>) -> Box<dyn GameTable + '_> {
        let mut table = self.tables.table();
        for mv in moves {
            assert!(table.make_written_move(mv), "{mv} was made");
        }
        table
    }

    /// What it thinks of the turns of the two.
    fn turns(&self, twins: &Twins) -> Result<Vec<Turn>, Failure> {
        let key = (Stream::new(twins.seed) / "diverge" / "judge").playout_key();
        let mut judged = Vec::new();
        for (game, ply, in_game) in turns(twins) {
            let mut table = self.table(twins.games[game].moves_before(ply));
            let failed = |failure| Failure::System(format!("{}, ply {}: {failure}", self.name, ply + 1));
            table.decide(MoveStream::new(key.child(ply as u64)), Limits::default()).map_err(failed)?;
            let (_, opinion) = table.last_decision().expect("it has just decided");
            if opinion.moves.is_empty() && opinion.stop != Stop::Forced {
                return Err(Failure::Usage(format!(
                    "{} states no values of moves, so it cannot judge; flat(playouts=1000) does",
                    self.name
                )));
            }
            judged.push(Turn { game, ply, in_game, opinion });
        }
        Ok(judged)
    }

    /// A turn of the two, with what all three think.
    fn view(&self, luck: &SameLuck<'_>, twins: &Twins, turn: &Turn) -> Result<PositionView<Judged>, Failure> {
        let played = &twins.games[turn.game];
        let thoughts = [0, 1].map(|player: usize| {
            let own = turn.in_game[player].then(|| twins.games[player].plies[turn.ply].decision.clone());
            let ask = || luck.ask(player, twins.seed, played.moves_before(turn.ply));
            own.flatten().map_or_else(ask, Ok).map_err(|failure| Failure::System(failure.to_string()))
        });
        let [a, b] = thoughts;
        let thoughts = [a?, b?];
        let mut estimates: Vec<(&MoveEstimate<String>, Option<f64>)> =
            turn.opinion.moves.iter().map(|at| (at, known(self.kind, &turn.opinion, &at.mv))).collect();
        let rank = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
        estimates.sort_by(|a, b| rank(b.1).total_cmp(&rank(a.1)));
        let moves = estimates.into_iter().map(|(estimate, judged)| MoveView {
            mv: estimate.mv.clone(),
            values: [0, 1].map(|player: usize| known(self.kinds[player], &thoughts[player], &estimate.mv)),
            judged,
            spread: estimate.spread,
        });
        let table = self.table(played.moves_before(turn.ply));
        Ok(PositionView {
            ply: turn.ply + 1,
            in_game: turn.in_game,
            position: table.position_text(),
            drawing: table.drawing(),
            judged: Judged {
                moves: moves.collect(),
                gives_away: thoughts.each_ref().map(|view| self.given_away(&turn.opinion, &view.chosen)),
                plays: thoughts.map(|view| view.chosen),
            },
        })
    }
}

/// The value of a move, if anything was found of it: a searcher that never tried a move states the worst payoff for it.
fn known(kind: SearcherKind, view: &DecisionView, mv: &str) -> Option<f64> {
    // These value a move without a visit: by an evaluation, a table, or the end of the game behind it.
    const WITHOUT_VISITS: [SearcherKind; 3] =
        [SearcherKind::AlphaBeta, SearcherKind::SimpleTree, SearcherKind::UnboundedMinimax];
    let estimate = view.moves.iter().find(|estimate| estimate.mv == mv)?;
    let is_known = estimate.visits > 0 || mv == view.chosen || WITHOUT_VISITS.contains(&kind);
    is_known.then_some(estimate.value)
}

/// The first ply at which most is given away, if anything is.
fn dearest(gives_away: &[Option<f64>]) -> Option<usize> {
    let given = gives_away.iter().enumerate().filter_map(|(ply, away)| Some((ply, (*away)?)));
    let (ply, most) = given.rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (most > 0.0).then_some(ply)
}

impl Judge for Searching<'_> {
    type Verdict = Verdict;

    const NOTE: &'static str = "gives away";

    fn headline(&self) -> String {
        self.headline.clone()
    }

    fn judge(&self, luck: &SameLuck<'_>, twins: &Twins) -> Result<Verdict, Failure> {
        let turns = self.turns(twins)?;
        let mut gives_away = twins.games.each_ref().map(|game| vec![None; game.plies.len()]);
        let mut notes = twins.games.each_ref().map(|game| vec![String::new(); game.plies.len()]);
        for (player, game) in twins.games.iter().enumerate() {
            for turn in turns.iter().filter(|turn| turn.in_game[player] && !turn.opinion.moves.is_empty()) {
                let away = self.given_away(&turn.opinion, &game.plies[turn.ply].mv);
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

    fn texts(&self, names: [&str; 2], verdict: &Verdict) -> Vec<String> {
        verdict.positions.iter().map(|position| self.text(names, position)).collect()
    }
}

/// A value with its places, if it is known.
fn written(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.3}"))
}

impl Searching<'_> {
    /// By how much a move is worse than the best of those that the judge tried; `None` where nothing is known of it.
    fn given_away(&self, opinion: &DecisionView, mv: &str) -> Option<f64> {
        let value = |mv: &str| known(self.kind, opinion, mv);
        let best = opinion.moves.iter().filter_map(|estimate| value(&estimate.mv)).max_by(f64::total_cmp)?;
        Some(best - value(mv)?)
    }

    fn text(&self, names: [&str; 2], position: &PositionView<Judged>) -> String {
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
            let spread = if *spread > 0.0 { format!("{spread:.3}") } else { "–".into() };
            table.row([mv.clone(), first, a.into(), second, b.into(), written(*judged), spread]);
        }
        let verdicts = [0, 1].map(|player: usize| {
            let (name, plays) = (names[player], &plays[player]);
            match gives_away[player] {
                Some(away) => format!("{name} plays {plays} and gives away {away:.3}"),
                None => format!("{name} plays {plays}, which the judge never tried"),
            }
        });
        format!(
            "{}:\n{}\n\n{table}\nBy {}: {}.",
            position.heading(names),
            position.drawing,
            self.name,
            verdicts.join("; ")
        )
    }
}
