//! The examination of an engine of Othello: what it does at a start, a pass, an end, an illegal move, and in twenty games.
//!
//! Each question is asked of a new process, so that one answer cannot spoil the next.

use std::time::Duration;

use super::served_stream;
use crate::engine::{Engine, EngineSettings, Failure, GameSoFar, PASS, Protocol, Verdict};
use crate::game::{Player, Turn};
use crate::players::{AnyGame, SearcherSpec};
use crate::rng::Stream;
use crate::search::Limits;

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// As the protocol says.
    Good,
    /// Otherwise, but a match goes on.
    Quirk,
    /// A match would be lost by it.
    Fault,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The question.
    pub asked: &'static str,
    /// The judgement.
    pub mark: Mark,
    /// The answer in words.
    pub found: String,
}

const GAMES: u64 = 20;

/// The time limit of an engine at a finished game, where silence is an answer.
const AT_THE_END: Duration = Duration::from_secs(2);

/// The first moves of a board, and those of one whose rows are counted from below.
const FIRST: [&str; 4] = ["d3", "c4", "f5", "e6"];
const FROM_BELOW: [&str; 4] = ["d6", "c5", "f4", "e3"];

type Found = Result<(Mark, String), Failure>;

/// Examines an engine of Othello on 8×8. `random` is the opponent of its games.
pub fn examine(game: &dyn AnyGame, settings: &EngineSettings, random: &SearcherSpec) -> Vec<Finding> {
    let examiner = Examiner { game, settings };
    let mut findings = vec![note("greeting", examiner.greeting())];
    if findings[0].mark == Mark::Fault {
        return findings;
    }
    findings.push(note("first move", examiner.first_move()));
    findings.push(note("forced pass", examiner.forced_pass()));
    findings.push(note("after a pass", examiner.after_pass()));
    findings.push(note("one legal move", examiner.only_move()));
    findings.push(note("finished game", examiner.finished_game()));
    match settings.speech {
        Protocol::Gtp => {
            findings.push(note("illegal move", examiner.illegal_move()));
            findings.push(note("genmove makes its move", examiner.generated()));
        }
        Protocol::NBoard => findings.push(note("ping while it thinks", examiner.ping_while_thinking())),
    }
    findings.push(note("quit", examiner.quit()));
    findings.push(note("twenty games", Ok(examiner.games(random))));
    findings
}

fn note(asked: &'static str, found: Found) -> Finding {
    let (mark, found) = found.unwrap_or_else(|failure| (Mark::Fault, failure.to_string()));
    Finding { asked, mark, found }
}

struct Examiner<'e> {
    game: &'e dyn AnyGame,
    settings: &'e EngineSettings,
}

impl Examiner<'_> {
    fn start(&self) -> Result<Engine, Failure> {
        Engine::start(self.settings)
    }

    /// The first position of random games of which this holds, as the moves to it.
    fn position(&self, holds: impl Fn(Turn, &[String]) -> bool) -> GameSoFar {
        for number in 0.. {
            let mut rng = (Stream::new(number) / "examination").rng();
            let mut table = self.game.table(&[None, None]).expect("empty seats fit");
            let mut moves = Vec::new();
            loop {
                if holds(table.turn(), &table.legal_moves()) {
                    return so_far(self.game, &moves);
                }
                if table.turn() == Turn::Over {
                    break;
                }
                table.make_random_move(&mut rng);
                moves.push(table.last_move().expect("a move was just made"));
            }
        }
        unreachable!("some random game of Othello has such a position")
    }

    fn greeting(&self) -> Found {
        let engine = self.start()?;
        let name = if engine.name().is_empty() { "no name" } else { engine.name() };
        let needed = ["clear_board", "play", "genmove"];
        let lacks: Vec<&str> = needed
            .into_iter()
            .filter(|command| !engine.commands().iter().any(|known| known == command))
            .collect();
        let ping = engine.latency().unwrap_or_default();
        let said = format!("{name}; answers in {:.1} ms", ping.as_secs_f64() * 1e3);
        Ok(match self.settings.speech {
            Protocol::Gtp if !lacks.is_empty() => {
                (Mark::Quirk, format!("{said}; it does not list {}", lacks.join(", ")))
            }
            _ if engine.name().is_empty() => (Mark::Quirk, said),
            _ => (Mark::Good, said),
        })
    }

    fn first_move(&self) -> Found {
        let answer = self.start()?.ask(&so_far(self.game, &[]))?;
        let mv = &*answer.mv;
        // Both protocols take capitals.
        Ok(if FIRST.contains(&mv) {
            (Mark::Good, format!("{mv}, written `{}`", answer.raw))
        } else if FROM_BELOW.contains(&mv) {
            (Mark::Fault, format!("{mv}: it counts rows from below, or its colours are exchanged"))
        } else {
            (Mark::Fault, format!("`{mv}` is not legal"))
        })
    }

    fn forced_pass(&self) -> Found {
        let position = self.position(|_, legal| matches!(legal, [only] if only == PASS));
        let answer = self.start()?.ask(&position)?;
        Ok(match &*answer.mv {
            PASS => (Mark::Good, format!("it passes, written `{}`", answer.raw)),
            mv => (Mark::Quirk, format!("`{mv}` instead of a pass; a match never asks for one")),
        })
    }

    fn after_pass(&self) -> Found {
        let mut position = self.position(|_, legal| matches!(legal, [only] if only == PASS));
        position.moves.push((position.first_to_move, PASS.into()));
        let moves: Vec<String> = position.moves.into_iter().map(|(_, mv)| mv).collect();
        self.legal(&so_far(self.game, &moves))
    }

    fn only_move(&self) -> Found {
        self.legal(&self.position(|_, legal| matches!(legal, [only] if only != PASS)))
    }

    fn legal(&self, position: &GameSoFar) -> Found {
        let answer = self.start()?.ask(position)?;
        let mut table = self.game.table(&[None, None]).expect("empty seats fit");
        for (_, mv) in &position.moves {
            table.make_written_move(mv);
        }
        Ok(if table.make_written_move(&answer.mv) {
            (Mark::Good, answer.mv)
        } else {
            (Mark::Fault, format!("`{}` is not legal there", answer.mv))
        })
    }

    fn finished_game(&self) -> Found {
        let position = self.position(|turn, _| turn == Turn::Over);
        let settings = EngineSettings { time: Some(AT_THE_END), ..self.settings.clone() };
        Ok(match Engine::start(&settings)?.ask(&position) {
            Ok(answer) if answer.mv == PASS => (Mark::Good, "it passes".into()),
            Ok(answer) => (Mark::Quirk, format!("`{}`, though the game is over", answer.mv)),
            Err(failure) if failure.verdict == Verdict::Timeout => (Mark::Good, "it says no move".into()),
            Err(failure) if failure.verdict == Verdict::Protocol => (Mark::Good, failure.reason),
            Err(failure) if failure.verdict == Verdict::Resigned => {
                (Mark::Quirk, format!("{}, though it is over", failure.reason))
            }
            Err(failure) => return Err(failure),
        })
    }

    fn illegal_move(&self) -> Found {
        let mut engine = self.start()?;
        let empty = engine.command("play b a1")?;
        let taken = engine.command("play b d4")?;
        Ok(match (empty, taken) {
            (Err(_), Err(reason)) => (Mark::Good, format!("it refuses them: {reason}")),
            (Ok(_), Err(_)) => (Mark::Quirk, "it takes a1 at the start".into()),
            (_, Ok(_)) => (Mark::Quirk, "it takes a square that is not empty".into()),
        })
    }

    fn generated(&self) -> Found {
        let mut engine = self.start()?;
        let answer = engine.ask(&so_far(self.game, &[]))?;
        let again = engine.command(&format!("play b {}", answer.mv))?;
        Ok(match again {
            Err(_) => (Mark::Good, "it does".into()),
            Ok(_) => (Mark::Fault, "it does not: the move can be played again".into()),
        })
    }

    fn ping_while_thinking(&self) -> Found {
        let took = self.start()?.ping_while_thinking(&so_far(self.game, &[]))?;
        Ok((Mark::Good, format!("answered in {:.1} ms", took.as_secs_f64() * 1e3)))
    }

    fn quit(&self) -> Found {
        Ok(if self.start()?.quit() {
            (Mark::Good, "it ends".into())
        } else {
            (Mark::Quirk, "it does not end within half a second".into())
        })
    }

    fn games(&self, random: &SearcherSpec) -> (Mark, String) {
        let mut plies = 0;
        for number in 0..GAMES {
            let mut moves = Vec::new();
            if let Err(failure) = self.game(random, number, &mut moves) {
                let found = format!("game {}: {failure}; after {}", number + 1, moves.join(" "));
                return (Mark::Fault, found);
            }
            plies += moves.len();
        }
        (Mark::Good, format!("{GAMES} games, {plies} plies, every move legal"))
    }

    /// Plays a game, in which the engine begins if the number is even. A forced pass is made for it.
    fn game(&self, random: &SearcherSpec, number: u64, moves: &mut Vec<String>) -> Result<(), Failure> {
        let seat = |index: u64| (number % 2 != index).then(|| random.clone());
        let mut table = self.game.table(&[seat(0), seat(1)]).expect("a random player fits");
        let mut engine = self.start()?;
        while let Turn::Player(player) = table.turn() {
            if player.index() as u64 != number % 2 {
                let stream = served_stream(number, table.plies());
                table.decide(stream, Limits::default()).expect("a random player does not fail");
            } else if matches!(&table.legal_moves()[..], [only] if only == PASS) {
                table.make_written_move(PASS);
            } else {
                let answer = engine.ask(&so_far(self.game, moves))?;
                if !table.make_written_move(&answer.mv) {
                    return Err(engine.illegal(&answer.mv));
                }
            }
            moves.push(table.last_move().expect("a move was just made"));
        }
        Ok(())
    }
}

/// A game from the start, as an engine is told it.
fn so_far(game: &dyn AnyGame, moves: &[String]) -> GameSoFar {
    let mut table = game.table(&[None, None]).expect("empty seats fit");
    let board = table.position_text().unwrap_or_default().replace('X', "*");
    let mut so_far = GameSoFar { board, moves: Vec::new(), first_to_move: true };
    for mv in moves {
        let first = table.turn() == Turn::Player(Player::FIRST);
        assert!(table.make_written_move(mv), "{mv} is legal");
        so_far.moves.push((first, mv.clone()));
    }
    so_far.first_to_move = table.turn() == Turn::Player(Player::FIRST);
    so_far
}
