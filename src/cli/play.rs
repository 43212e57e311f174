//! `shikou play`: a game at the terminal against a searcher that shows its estimates.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::engine::{AllowArguments, allow};
use super::error::{CommandError, Result, usage};
use super::estimates::{decided, difference, estimates};
use super::field::{Field, SeatedArguments};
use super::groups::{GameArguments, USUAL_SEARCHER};
use super::output::print;
use crate::game::{Counts, Outcome, Player, Turn};
use crate::players::{AnyGame, DecisionView, Others, Program, Registry, SearcherSpec, Table};
use crate::report::counted;
use crate::rng::{Rng, Stream};
use crate::search::MoveStream;
use crate::words::text_of;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou play othello                                       you are black
  shikou play othello 'minimax(depth=4)' --second           you are white
  shikou play othello uct@1000 f5d6c3                       from this position
  shikou play calculation 'flat(policy=foundation-first)'   a solitaire: type `hint`

The player is the opponent, which also gives hints; it may be an engine, such as
engine(nboard=\"edax -nboard\",level=1).

At the prompt, type a move from the list, or moves, hint, undo, show, quit. After the game `review`
shows the move that cost most, in the judgement of the searcher. On a terminal the arrow keys edit
the line and bring back earlier ones; Ctrl-C drops the line, Ctrl-D ends the game.")]
pub(super) struct PlayArguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    seated: SeatedArguments,
    /// The opponent, as it was given before it had its place after the game
    #[arg(long, value_name = "SEARCHER", hide = true, aliases = ["opponent", "player", "search", "engine"])]
    against: Option<String>,
    /// Take the second seat
    #[arg(long)]
    second: bool,
    #[command(flatten)]
    allow: AllowArguments,
    /// The seed of chance and of the searcher
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const HELP: &str = "type a move from the list, or: moves, hint, undo, show, quit";

const HELP_AT_END: &str = "the game is over; type review to see what cost most, or undo, show, quit";

struct Session<'g> {
    game: &'g dyn AnyGame,
    searcher: SearcherSpec,
    /// The opponent, if it is another program, which gives no hints.
    engine: Option<SearcherSpec>,
    seat: Player,
    /// The position at which the game begins; none at the start.
    begin: Option<String>,
    table: Box<dyn Table + 'g>,
    /// The moves played so far, with the outcomes of chance, as text.
    made: Vec<String>,
    chance: Rng,
    stream: Stream,
    /// The editor of lines; none if this is not a terminal.
    editor: Option<DefaultEditor>,
    was_interrupted: bool,
}

pub(super) fn play(registry: &Registry, arguments: &PlayArguments) -> Result {
    let field = Field::new(registry, &arguments.game)?;
    let (player, position) = arguments.seated.read(&field, arguments.against.as_deref())?;
    let (game, searcher) = (&field.game, player.searcher);
    let (searcher, engine) = if Program::of(&searcher).is_some() {
        allow([&searcher], &arguments.allow)?;
        (game.read_searcher(USUAL_SEARCHER)?, Some(searcher))
    } else {
        (searcher, None)
    };
    if arguments.second && game.facts().players == 1 {
        return Err(usage!("{} is a solitaire; it has no second seat", game.spec()));
    }
    let seat = if arguments.second { Player::SECOND } else { Player::FIRST };
    let stream = Stream::new(arguments.seed) / "play";
    let begin = Some(position).filter(|position| !position.is_empty());
    let table = table(&**game, engine.as_ref().unwrap_or(&searcher), Some(seat), begin.as_deref(), &[])?;
    let chance = (stream / "deal").rng();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let editor = is_terminal.then(DefaultEditor::new).and_then(Result::ok);
    let mut session = Session {
        game: &**game,
        searcher,
        engine,
        seat,
        begin,
        table,
        made: Vec::new(),
        chance,
        stream,
        editor,
        was_interrupted: false,
    };
    session.play()
}

/// A table after these moves from where the game begins. The seat of the person, if there is one, is empty.
fn table<'g>(
    game: &'g dyn AnyGame,
    searcher: &SearcherSpec,
    person: Option<Player>,
    begin: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn Table + 'g>> {
    let seat = |index| (Some(Player::new(index)) != person).then(|| searcher.clone());
    let seats: Vec<_> = (0..game.facts().players).map(seat).collect();
    let mut table = game.table(&seats).expect("the searcher fits");
    if let Some(position) = begin {
        table.begin_at(position).map_err(|error| usage!("no position: {error}"))?;
    }
    for text in moves {
        table.make_written_move(text);
    }
    Ok(table)
}

fn decision(table: &mut dyn Table, stream: Stream) -> Result<DecisionView> {
    decided(table, MoveStream::new(stream.playout_key())).map_err(CommandError::usage)
}

impl Session<'_> {
    fn play(&mut self) -> Result {
        let (game, searcher) = (self.game.spec(), &self.searcher);
        let opponent = self.opponent_name();
        match self.game.facts().players {
            1 => print(format!("{game}; {searcher} gives hints\n{HELP}"))?,
            _ => print(format!("{game}, {} against {opponent}\n{HELP}", self.seat))?,
        }
        let mut show = true;
        loop {
            match self.table.turn() {
                Turn::Over => {
                    if show {
                        self.end()?;
                    }
                    let Some(line) = self.ask()? else { return Ok(()) };
                    show = match line.trim() {
                        "quit" => return Ok(()),
                        "show" => true,
                        "undo" => self.undo()?,
                        "review" => {
                            print(self.review()?)?;
                            false
                        }
                        _ => {
                            print(HELP_AT_END)?;
                            false
                        }
                    };
                }
                Turn::Chance => {
                    self.table.let_chance_choose(&mut self.chance);
                    self.note_last();
                    print(format!("\nchance: {}", self.made[self.made.len() - 1]))?;
                    show = true;
                }
                Turn::Player(player) if player == self.seat => {
                    if show {
                        print(format!("\n{}", self.table.drawing()))?;
                    }
                    let Some(line) = self.ask()? else { return Ok(()) };
                    show = self.obey(line.trim())?;
                    if line.trim() == "quit" {
                        return Ok(());
                    }
                }
                Turn::Player(_) => {
                    let stream = self.stream / "machine" / u64::from(self.table.plies());
                    let view = decision(&mut *self.table, stream)?;
                    self.note_last();
                    print(format!(
                        "\n{}",
                        estimates(&self.opponent_name(), Some(self.opponent()), "plays", &view)
                    ))?;
                    show = true;
                }
            }
        }
    }

    fn opponent(&self) -> &SearcherSpec {
        self.engine.as_ref().unwrap_or(&self.searcher)
    }

    fn opponent_name(&self) -> String {
        Program::of(self.opponent()).map_or_else(|| self.searcher.to_string(), |program| program.name)
    }

    /// A line from the person; `None` at the end of the input.
    fn ask(&mut self) -> Result<Option<String>> {
        let prompt = format!("{}> ", self.seat);
        if let Some(editor) = &mut self.editor {
            let was_interrupted = std::mem::take(&mut self.was_interrupted);
            return match editor.readline(&prompt) {
                Ok(line) => {
                    // A line that is not kept is no failure.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                // The first drops the line; the second one in a row ends the game.
                Err(ReadlineError::Interrupted) if !was_interrupted => {
                    self.was_interrupted = true;
                    print("Ctrl-C again, Ctrl-D or quit ends the game")?;
                    Ok(Some(String::new()))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(CommandError::System(format!("standard input: {error}"))),
            };
        }
        let mut out = io::stdout().lock();
        write!(out, "{prompt}")
            .and_then(|()| out.flush())
            .map_err(|error| CommandError::of_output(&error))?;
        drop(out);
        let mut line = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut line);
        let read = read.map_err(|error| CommandError::at("standard input", &error))?;
        let line = text_of(&line).map_err(|error| usage!("standard input: {error}"))?;
        // A terminal would show the typed line.
        print(line.trim_end())?;
        Ok((read > 0).then(|| line.into()))
    }

    /// Obeys a line. Returns whether the position is to be shown again.
    fn obey(&mut self, line: &str) -> Result<bool> {
        match line {
            "" | "quit" => {}
            "help" | "?" => print(HELP)?,
            "moves" => print(self.table.legal_moves().join(" "))?,
            "show" => return Ok(true),
            "hint" => print(self.hint()?)?,
            "undo" => {
                let back = self.undo()?;
                if !back {
                    print("there is no move to undo")?;
                }
                return Ok(back);
            }
            text if self.table.make_written_move(text) => {
                self.note_last();
                return Ok(true);
            }
            text => print(format!(
                "`{text}` is not a legal move here; legal: {}",
                self.table.legal_moves().join(" ")
            ))?,
        }
        Ok(false)
    }

    fn hint(&self) -> Result<String> {
        let (_, view) = self.opinion(self.made.len())?;
        Ok(estimates(&self.searcher.to_string(), Some(&self.searcher), "would play", &view))
    }

    /// The position after the first moves, and the searcher's decision in it.
    fn opinion(&self, moves: usize) -> Result<(String, DecisionView)> {
        let begin = self.begin.as_deref();
        let mut table = table(self.game, &self.searcher, None, begin, &self.made[..moves])?;
        let (drawing, stream) = (table.drawing(), self.stream / "hint" / u64::from(table.plies()));
        Ok((drawing, decision(&mut *table, stream)?))
    }

    /// The person's move that cost most, in the judgement of the searcher.
    fn review(&self) -> Result<String> {
        let name = self.searcher.to_string();
        if self.searcher.claims().others != Others::Values {
            return Ok(format!(
                "{name} does not value every move, so it cannot judge; flat(playouts-per-move=1000) can"
            ));
        }
        let mut replay = table(self.game, &self.searcher, Some(self.seat), self.begin.as_deref(), &[])?;
        let mut judged = 0;
        let mut dearest: Option<(f64, usize, &str, String, DecisionView)> = None;
        for (ply, mv) in self.made.iter().enumerate() {
            if replay.turn() == Turn::Player(self.seat) {
                let (drawing, view) = self.opinion(ply)?;
                let loss = view.given_away(mv);
                judged += u64::from(loss.is_some());
                let most = dearest.as_ref().map_or(0.0, |(most, ..)| *most);
                if let Some(loss) = loss.filter(|&loss| loss > most) {
                    dearest = Some((loss, ply, mv, drawing, view));
                }
            }
            replay.make_written_move(mv);
        }
        let Some((loss, ply, mv, drawing, view)) = dearest else {
            return Ok(match judged {
                0 => format!(
                    "{name} reports no values of your moves, so it cannot judge; flat(playouts-per-move=1000) can"
                ),
                _ => format!("by {name}, none of your moves gave anything away"),
            });
        };
        let (thoughts, of) =
            (estimates(&name, Some(&self.searcher), "would play", &view), counted(judged, "judged move"));
        Ok(format!(
            "\n{drawing}\n{thoughts}\nyou played {mv} at ply {} and gave away {} by these values, the most of {of}",
            ply + 1,
            difference(loss)
        ))
    }

    /// Takes back to the person's turn before this one. Chance does not repeat itself.
    fn undo(&mut self) -> Result<bool> {
        for length in (0..self.made.len()).rev() {
            let (seat, begin) = (Some(self.seat), self.begin.as_deref());
            let table = table(self.game, self.opponent(), seat, begin, &self.made[..length])?;
            if table.turn() == Turn::Player(self.seat) {
                self.made.truncate(length);
                self.table = table;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn note_last(&mut self) {
        self.made.push(self.table.last_move().expect("a move was just made"));
    }

    fn end(&self) -> Result {
        let result = match (self.table.outcome(self.seat), self.game.facts().players) {
            (_, 1) if self.game.facts().counts == Counts::Score => "the end",
            (Outcome::Win, 1) => "solved",
            (_, 1) => "not solved",
            (Outcome::Win, _) => "you win",
            (Outcome::Draw, _) => "a draw",
            (Outcome::Loss, _) => "you lose",
        };
        let facts = self.game.facts();
        let (score, unit) = (self.table.score(self.seat), facts.score_unit);
        let by = match facts.players {
            1 => format!(", {score} {unit}"),
            // Points say no more than the result.
            _ if !facts.has_margin || score == 0 => String::new(),
            _ => format!(" by {} {unit}", score.abs()),
        };
        let (drawing, moves) = (self.table.drawing(), self.table.transcript());
        print(format!("\n{drawing}\n{result}{by}\n{moves}\n{HELP_AT_END}"))
    }
}
