//! `shikou replay`: recorded games played again.

use std::cmp::Ordering;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Serialize;

use super::arguments::ReplayArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::game::{Game, Outcome, TranscriptError};
use crate::games::othello::{Othello, wthor};
use crate::players::{AnyGame, Registry, Replayed};

const SCHEMA: u32 = 1;

/// The totals over all files.
#[derive(Default, Serialize)]
struct Totals {
    games: u64,
    legal: u64,
    illegal: u64,
    passes: u64,
    score_mismatches: u64,
}

/// What is said of one game.
#[derive(Serialize)]
struct GameLine {
    file: String,
    game: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    plies: u32,
    passes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

struct Replayer<'a> {
    game: &'a dyn AnyGame,
    quiet: bool,
    json: bool,
    totals: Totals,
    /// Kept for JSON only; else each is printed as it comes.
    lines: Vec<GameLine>,
}

pub(super) fn replay(registry: &Registry, arguments: &ReplayArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game.game, &arguments.game.options)?;
    let mut replayer = Replayer {
        game: &*game,
        quiet: arguments.quiet,
        json: arguments.json,
        totals: Totals::default(),
        lines: Vec::new(),
    };
    for path in &arguments.files {
        let bytes = read(path)?;
        let name = path.display().to_string();
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")) {
            replayer.wthor(&name, &bytes)?;
        } else {
            replayer.transcripts(&name, &bytes)?;
        }
    }
    replayer.finish()
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let done = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(path).map(|content| bytes = content)
    };
    done.map_err(|error| {
        Failure::Usage(format!(
            "{}: {error}; name files that are there, or - for standard input",
            path.display()
        ))
    })?;
    Ok(bytes)
}

impl Replayer<'_> {
    /// A text of transcripts, one a line.
    fn transcripts(&mut self, file: &str, bytes: &[u8]) -> Result<(), Failure> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            Failure::Usage(format!("{file}:{line}: is not text; WTHOR files are known by their ending .wtb"))
        })?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for (index, line) in lines.enumerate() {
            self.transcript(file, index as u64 + 1, self.game.replay(line))?;
        }
        Ok(())
    }

    fn transcript(
        &mut self,
        file: &str,
        number: u64,
        replayed: Result<Replayed, TranscriptError>,
    ) -> Result<(), Failure> {
        self.totals.games += 1;
        let file = file.to_owned();
        let line = match replayed {
            Ok(Replayed { followed, result }) => {
                self.totals.legal += 1;
                self.totals.passes += u64::from(followed.unwritten);
                GameLine {
                    file,
                    game: number,
                    result: Some(result.map_or("unfinished", |(outcome, _)| word(outcome))),
                    score: result.map(|(_, score)| format!("{score:+} {}", self.game.facts().score_unit)),
                    plies: followed.plies,
                    passes: followed.unwritten,
                    problem: None,
                }
            }
            Err(error) => {
                self.totals.illegal += 1;
                let problem = Some(format!("{error}\n{}", error.drawing));
                GameLine {
                    file,
                    game: number,
                    result: None,
                    score: None,
                    plies: error.ply - 1,
                    passes: 0,
                    problem,
                }
            }
        };
        self.say(line)
    }

    /// A WTHOR file.
    fn wthor(&mut self, file: &str, bytes: &[u8]) -> Result<(), Failure> {
        let spec = self.game.spec().to_string();
        if self.game.spec().name != "othello" || self.game.spec().options.integer("size") != 8 {
            let message = format!("{file}: WTHOR files hold games of Othello on 8×8, not of {spec}");
            return Err(Failure::Usage(message));
        }
        let wthor = wthor::read(bytes).map_err(|error| Failure::Usage(format!("{file}: {error}")))?;
        for (index, record) in wthor.records().enumerate() {
            self.totals.games += 1;
            let line = |problem, replay: Option<wthor::Replay>| GameLine {
                file: file.to_owned(),
                game: index as u64 + 1,
                result: replay.map(|replay| wthor_result(&replay)),
                score: replay.map(|replay| format!("{}–{}", replay.black_score(), 64 - replay.black_score())),
                plies: replay.map_or(0, |replay| replay.plies),
                passes: replay.map_or(0, |replay| replay.passes),
                problem,
            };
            match record.replay() {
                Ok(replay) => {
                    self.totals.legal += 1;
                    self.totals.passes += u64::from(replay.passes);
                    let recorded = record.black_score();
                    let mismatch = recorded != replay.black_score();
                    self.totals.score_mismatches += u64::from(mismatch);
                    if mismatch || !self.quiet || self.json {
                        let problem = mismatch.then(|| {
                            format!(
                                "score mismatch: {recorded} is recorded for black, the moves give {}",
                                replay.black_score()
                            )
                        });
                        self.say(line(problem, Some(replay)))?;
                    }
                }
                Err(illegal) => {
                    self.totals.illegal += 1;
                    let drawing = Othello::default().drawing(&illegal.position);
                    self.say(line(Some(format!("{illegal}\n{drawing}")), None))?;
                }
            }
        }
        Ok(())
    }

    fn say(&mut self, line: GameLine) -> Result<(), Failure> {
        if self.json {
            if !self.quiet {
                self.lines.push(line);
            }
            return Ok(());
        }
        match &line.problem {
            Some(problem) if !self.quiet => print(format!("{}: game {}: {problem}", line.file, line.game)),
            None if !self.quiet => {
                let score = line.score.as_ref().map_or_else(String::new, |score| format!(" {score}"));
                let result = line.result.unwrap_or("illegal");
                print(format!(
                    "{}: game {}: {result}{score}, {} plies, {} passes",
                    line.file, line.game, line.plies, line.passes
                ))
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let Totals { games, legal, illegal, passes, score_mismatches } = self.totals;
        if self.json {
            #[derive(Serialize)]
            struct Content {
                game: String,
                totals: Totals,
                games: Vec<GameLine>,
            }
            let content =
                Content { game: self.game.spec().to_string(), totals: self.totals, games: self.lines };
            print_json("replay", SCHEMA, content)?;
        } else {
            print(format!(
                "{games} games, {legal} legal, {illegal} illegal, {passes} passes, {score_mismatches} score mismatches"
            ))?;
        }
        if illegal > 0 { Err(Failure::Check) } else { Ok(()) }
    }
}

/// The result of a recorded game in a word; a game that was broken off has none.
fn wthor_result(replay: &wthor::Replay) -> &'static str {
    if !replay.is_finished() {
        return "unfinished";
    }
    word(match replay.black_score().cmp(&32) {
        Ordering::Less => Outcome::Loss,
        Ordering::Equal => Outcome::Draw,
        Ordering::Greater => Outcome::Win,
    })
}

/// The result for the first player in a word.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "first player wins",
        Outcome::Draw => "draw",
        Outcome::Loss => "second player wins",
    }
}
