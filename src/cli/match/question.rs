//! The manifest of a match, from its arguments.

use std::fmt::Write as _;
use std::sync::Arc;

use super::MatchArguments;
use crate::cli::error::{Result, usage};
use crate::cli::field::Field;
use crate::experiment::{Plan, PlayerSpec};
use crate::game::options::OptionValue;
use crate::players::{AnyGame, GameSpec, NamedPlayer, Program, Registry};

/// The number of games of a match that is not told.
const GAMES: u64 = 200;

/// The most games of a match that a sequential test stops.
const MOST_OF_SPRT: u64 = 20_000;

pub(super) struct Question<'a> {
    game: Arc<dyn AnyGame>,
    players: Vec<PlayerSpec>,
    trials: u64,
    arguments: &'a MatchArguments,
}

impl<'a> Question<'a> {
    pub(super) fn new(registry: &Registry, arguments: &'a MatchArguments) -> Result<Self> {
        let field = Field::new(registry, &arguments.game)?;
        let game = Arc::clone(&field.game);
        let is_paired = game.facts().players == 2;
        if is_paired && arguments.second.is_none() {
            return Err(usage!(
                "{} needs two players, but one is given; for example: shikou match {} {} {}",
                game.spec(),
                arguments.game.game,
                in_shell(&arguments.first),
                if arguments.first == "random" { "uct@1000" } else { "random" }
            ));
        }
        if let (false, Some(_)) = (is_paired, arguments.sprt.as_ref()) {
            return Err(usage!("--sprt is for games for two; {} is a solitaire", game.spec()));
        }
        if let (false, Some(_)) = (is_paired, &arguments.openings) {
            return Err(usage!("--openings is for games for two; {} is a solitaire", game.spec()));
        }
        let default = if arguments.sprt.is_some() { MOST_OF_SPRT } else { GAMES };
        let games = arguments.games.unwrap_or(default);
        if is_paired && games % 2 == 1 {
            return Err(usage!(
                "{} is played in pairs of games with the seats swapped, so --games is even; write --games {}",
                game.spec(),
                games + 1
            ));
        }
        let players = players(&field, [Some(&arguments.first), arguments.second.as_ref()])?;
        Ok(Self { game, players, trials: if is_paired { games / 2 } else { games }, arguments })
    }

    pub(super) fn is_paired(plan: &Plan) -> bool {
        plan.experiment(0).game.facts().players == 2
    }

    pub(super) fn manifest(&self) -> String {
        let Self { game, players, trials, arguments } = self;
        let spec = game.spec();
        let mut text = format!("schema = 1\nseed = {}\n\n[[experiment]]\n", arguments.seed);
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        line(format!("name = {}", quoted(&spec.to_string())));
        line(written_game(spec));
        line(format!("trials = {trials}"));
        if let Some(openings) = &arguments.openings {
            line(match openings.parse::<u64>() {
                Ok(plies) => format!("openings = {{ random-plies = {plies} }}"),
                Err(_) => format!("openings = {{ transcripts = {} }}", quoted(openings)),
            });
        }
        if game.facts().players == 2 {
            line("design = \"match\"".into());
        }
        if let ([a, b], Some([elo0, elo1])) = (&players[..], arguments.sprt) {
            let (a, b) = (quoted(&a.name), quoted(&b.name));
            line(format!("stopping.sprt = {{ between = [{a}, {b}], elo0 = {elo0}, elo1 = {elo1} }}"));
        }
        line("player = [".into());
        for PlayerSpec { name, searcher, stream, .. } in players {
            let mut entry =
                format!("  {{ name = {}, search = {}", quoted(name), quoted(&searcher.to_string()));
            if let Some(stream) = stream {
                let _ = write!(entry, ", stream = {}", quoted(stream));
            }
            line(entry + " },");
        }
        line("]".into());
        text
    }
}

/// The players by their texts. A player that plays itself gets a stream of its own.
fn players(field: &Field, texts: [Option<&String>; 2]) -> Result<Vec<PlayerSpec>> {
    let mut players: Vec<PlayerSpec> = Vec::new();
    for text in texts.into_iter().flatten() {
        let NamedPlayer { name, searcher, .. } = field.player(text)?;
        let name = Program::of(&searcher).map_or(name, |program| program.name);
        let again = players.iter().any(|other| other.searcher == searcher);
        let name = if again { format!("{name} again") } else { name };
        players.push(PlayerSpec { name, searcher, stream: again.then(|| "again".into()), swept: Vec::new() });
    }
    Ok(players)
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The game with the options that differ from their defaults.
fn written_game(spec: &GameSpec) -> String {
    let changed = spec.options.iter().filter(|(decl, value)| decl.default != **value);
    let changed: Vec<String> = changed
        .map(|(decl, value)| {
            let value = match value {
                OptionValue::Word(word) => quoted(word),
                // A part is read in the notation of the command line.
                OptionValue::Part(part) => quoted(&part.to_string()),
                value => value.to_string(),
            };
            format!("{} = {value}", decl.name)
        })
        .collect();
    if changed.is_empty() {
        return format!("game = {}", quoted(spec.name));
    }
    format!("game.{} = {{ {} }}", spec.name, changed.join(", "))
}

/// A word as a shell takes it.
fn in_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_@=.,".contains(c);
    if word.chars().all(is_plain) { word.into() } else { format!("'{word}'") }
}
