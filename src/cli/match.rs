//! `shikou match`: two players from both seats, or players of a solitaire, without a manifest of one's own.
//!
//! A match is an experiment all the same: a manifest is written from the arguments and run, in a temporary folder unless
//! `--save` names one. So the trials, their names and every figure are those of that manifest.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::conclude::{Concluded, Manner};
use super::engine::{AllowArguments, meet_engines};
use super::error::{CommandError, Result, usage};
use super::field::Field;
use super::folder::TemporaryFolder;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments, WarningArguments};
use super::output::{SilentPanics, tell};
use super::progress::{Form, Progress};
use super::stop::on_signal;
use crate::experiment::{
    Ended, EngineFacts, Fingerprints, HostFacts, Live, Log, LogWriter, Manifest, ManifestError, MoveTimes,
    Pace, Plan, PlayerSpec, Results, RunFacts, Shard, Sink, StoppingRule, TimesWriter, Trial,
    escaped_in_json, find, peak_bytes, run as run_plan,
};
use crate::game::options::OptionValue;
use crate::players::{GameSpec, NamedPlayer, Program, Registry};
use crate::report::{Run, counted, object, pretty, to_json, verdict, with_thousands};
use crate::words::shell_word;

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou match tic-tac-toe ai12s random
  shikou match othello 'minimax(depth=2)' uct@100 --option size=6 --openings 4
  shikou match othello flat uct@1k --openings 4 --sprt 0,20
  shikou match othello 'engine(nboard=\"edax -nboard\",level=1)' uct@1k --allow-engines
  shikou match calculation 'flat(playouts-per-move=20,policy=foundation-first)' --games 500

A game for two is played in pairs: the two games of a pair begin alike, and the players swap seats.
The interval of the points takes the pair as its unit. In a solitaire one or two players play the
same deals.

Ctrl-C stops the match and shows what was played. The same seed gives the same games for any number
of threads. For more players or a sweep, write a manifest: `shikou init` begins one.")]
pub(super) struct MatchArguments {
    #[command(flatten)]
    game: GameArguments,
    /// A player: a searcher with its options in brackets and its budget after an @, the name of a rule list or a policy of
    /// the game, or a player of the manifest that is given instead of the game
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The second player
    #[arg(value_name = "OTHER")]
    second: Option<String>,
    /// The number of games, or of deals of a solitaire [default: 200, which is 100 pairs; with --sprt at most 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=2_000_000_000))]
    games: Option<u64>,
    /// How the pairs begin: this many random plies, or the transcripts of a file, one a line [default: at the start]
    #[arg(long, value_name = "PLIES|FILE")]
    openings: Option<String>,
    /// Stop when a sequential test has decided between these two Elo differences, such as 0,20
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true, num_args = 0..=1,
        default_missing_value = "")]
    sprt: Option<[f64; 2]>,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Keep the log and the manifest in this folder; the same command resumes the match
    #[arg(long, value_name = "DIR", aliases = ["output", "out", "log"], short_alias = 'o')]
    save: Option<PathBuf>,
    #[command(flatten)]
    allow: AllowArguments,
    #[command(flatten)]
    threads: ThreadsArguments,
    /// Print the whole report, and not only the answer
    #[arg(long, alias = "verbose", short_alias = 'v')]
    full: bool,
    /// How to show progress
    #[arg(long, value_enum, default_value_t = Form::Auto, value_name = "FORM")]
    progress: Form,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    _warnings: WarningArguments,
}

fn hypotheses(text: &str) -> Result<[f64; 2], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let two = numbers.ok().and_then(|numbers| <[f64; 2]>::try_from(numbers).ok());
    two.ok_or_else(|| {
        "expected two Elo differences; --sprt 0,20 tests whether the first player is 20 Elo stronger, or not stronger".into()
    })
}

pub(super) fn run(registry: &Registry, arguments: &MatchArguments) -> Result {
    let text = manifest(registry, arguments)?;
    let manifest = Manifest::parse("match".as_ref(), &text, registry).map_err(|error| refused(&error))?;
    let stop = stop_on_signal();
    let temporary = arguments.save.is_none().then(|| TemporaryFolder::new("match")).transpose()?;
    let folder = arguments.save.as_deref().or(temporary.as_ref().map(TemporaryFolder::path));
    let results = open(folder.expect("there is one of them"), &text)?;
    let mut plan = Plan::new(&manifest)?;
    let engines = meet_engines(&plan, &arguments.allow)?;
    let stopped = play(&plan, &results, engines, arguments, &stop)? == Ended::Stopped;
    let is_paired = plan.experiment(0).game.facts().players == 2;
    let (wanted, unit) = (plan.experiment(0).trials, if is_paired { "pair" } else { "deal" });
    if stopped {
        // Trials that are finished without a gap are a match of fewer games, whose number the user chose on the way.
        let finished = finished(&plan, &Log::read(&results.log(), &plan)?);
        if finished == 0 {
            return Err(CommandError::Interrupted(format!("stopped before a {unit} was finished")));
        }
        let mut shorter = manifest;
        for experiment in shorter.experiments_mut() {
            experiment.trials = finished;
            experiment.stopping.get_or_insert(StoppingRule::ByHand { wanted });
        }
        plan = Plan::new(&shorter)?;
    }
    let played = plan.experiment(0).trials;
    show(&plan, &results, arguments)?;
    if stopped {
        let resume = if arguments.save.is_some() { "; the same command resumes the match" } else { "" };
        let message =
            format!("stopped after {} of {}{resume}", with_thousands(played), counted(wanted, unit));
        return Err(CommandError::Interrupted(message));
    }
    Ok(())
}

/// An error of the manifest, in the words of the arguments: the user has not seen the manifest.
fn refused(error: &ManifestError) -> CommandError {
    let in_words = |message: &str| {
        let message = message.strip_suffix("; the path starts at the manifest's folder").unwrap_or(message);
        let Some((before, after)) = message.split_once("write trials = ") else { return message.to_owned() };
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let pairs: u64 = after[..digits].parse().unwrap_or(1);
        format!("{before}write --games {}{}", 2 * pairs, &after[digits..])
    };
    let messages: Vec<String> = error.mistakes().map(|mistake| in_words(&mistake.message)).collect();
    CommandError::Usage(messages.join("\n"))
}

/// The folder of the match, which holds nothing or the same match.
fn open(path: &Path, text: &str) -> Result<Results> {
    let results = Results::create(path)?;
    // More games may follow.
    let without_number = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("trials = ")).map(Into::into).collect()
    };
    let before = std::fs::read_to_string(results.manifest()).unwrap_or_default();
    if !before.is_empty() && without_number(&before) != without_number(text) {
        return Err(usage!("{} holds the results of something else; name another folder", path.display()));
    }
    Ok(results)
}

fn play(
    plan: &Plan,
    results: &Results,
    engines: BTreeMap<String, EngineFacts>,
    arguments: &MatchArguments,
    stop: &AtomicBool,
) -> Result<Ended> {
    let threads = arguments.threads.count();
    let mut log = LogWriter::open(&results.log(), plan, &Fingerprints::of(plan).with_engines(plan))?;
    let mut host = HostFacts { engines, ..HostFacts::gather("match", Pace::from(threads)) };
    let prepared = results.remove_derived().and_then(|()| results.write_manifest(plan.manifest()));
    prepared.and_then(|()| results.write("host.toml", host.to_toml()))?;
    let live = Live::new(plan, Shard::WHOLE, log.log())?;
    let wanted = live.wanted(log.log());
    let form = if !arguments.output.is_text() && arguments.progress == Form::Auto {
        Form::None
    } else {
        arguments.progress
    };
    let mut times = TimesWriter::new(&results.times(), plan)?;
    let mut progress = Progress::new(plan, live, form);
    let ended = {
        let _quiet = SilentPanics::begin();
        let mut sinks: [&mut dyn Sink; 3] = [&mut log, &mut times, &mut progress];
        run_plan(plan, threads, &wanted, stop, None, &mut sinks)
    };
    progress.finish();
    EngineFacts::add_pings(&mut host.engines, plan);
    host.peak_bytes = peak_bytes();
    results.write("host.toml", host.to_toml())?;
    let ended = ended?;
    times.flush()?;
    Ok(ended)
}

/// A flag that a signal sets. A second signal ends the program.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_signal(move || {
        if flag.swap(true, Ordering::Relaxed) {
            CommandError::Interrupted("stopped".into()).exit();
        }
        tell("stopping after the games that are being played; Ctrl-C again ends at once");
    });
    stop
}

/// The number of instances from the first on that the log has without a gap.
fn finished(plan: &Plan, log: &Log) -> u64 {
    let cells = plan.cells(0).len();
    let is_finished = |instance: &u64| {
        (0..cells).all(|cell| log.holds(&Trial { experiment: 0, instance: *instance, cell }))
    };
    (0..plan.experiment(0).trials).take_while(is_finished).count() as u64
}

fn show(plan: &Plan, results: &Results, arguments: &MatchArguments) -> Result {
    let log = Log::read(&results.log(), plan)?;
    let times = MoveTimes::read(&results.times(), plan);
    let found = find(plan, &log, times, std::io::sink())?;
    let summary = &found.summary;
    if arguments.save.is_some() {
        // The pilot of `stats plan match` is read from it.
        results.write("summary.json", escaped_in_json(pretty(summary) + "\n"))?;
    }
    let [experiment] = &summary.experiments[..] else { unreachable!("the manifest has one experiment") };
    let times = experiment.players.iter().enumerate().map(|(index, player)| {
        let quantile = |share| found.times.quantile_ns(0, index, share);
        object! {
            player: &player.name, moves: player.moves,
            mean_ns: (player.moves > 0).then(|| (player.wall_ns / player.moves as f64) as u64),
            p50_ns: quantile(0.5), p99_ns: quantile(0.99), max_ns: found.times.max_ns(0, index),
        }
    });
    let content = object! {
        seed: arguments.seed, verdict: verdict(experiment), times: times.collect::<Vec<_>>(),
        #[serde(flatten)] experiment,
    };
    let next = match arguments.save.as_ref().map(|folder| folder.display()) {
        Some(folder) => [
            format!("saved in {folder}; everything else: shikou report {folder} --full"),
            format!("saved in {folder}"),
        ],
        None => ["everything else: the same command with --full; ", ""]
            .map(|first| format!("{first}--save DIR keeps the games")),
    };
    let (json, facts) = (|| to_json("match", SCHEMA, &content), RunFacts::read(results));
    let run = Run { summary, times: Some(&found.times), facts: &facts, digest: None, explored: None };
    let (full, output) = (arguments.full, &arguments.output);
    let manner = Manner { quiet: false, full, output, check: false, pages: None };
    let (notes, path) = (next.map(|note| vec![note]), results.path());
    Concluded { manner, run, digest: None, notes, brief: false, json: &json, path }.print()?;
    if summary.failed_games() > 0 { Err(CommandError::Trials(Vec::new())) } else { Ok(()) }
}

/// The number of games of a match that is not told.
const GAMES: u64 = 200;

/// The most games of a match that a sequential test stops.
const MOST_OF_SPRT: u64 = 20_000;

/// The manifest of the match that the arguments describe.
fn manifest(registry: &Registry, arguments: &MatchArguments) -> Result<String> {
    let field = Field::new(registry, &arguments.game)?;
    let game = &field.game;
    let is_paired = game.facts().players == 2;
    if is_paired && arguments.second.is_none() {
        return Err(usage!(
            "{} needs two players, but one is given; for example: shikou match {} {} {}",
            game.spec(),
            arguments.game.game,
            shell_word(&arguments.first),
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
    let trials = if is_paired { games / 2 } else { games };
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
    if is_paired {
        line("design = \"match\"".into());
    }
    if let ([a, b], Some([elo0, elo1])) = (&players[..], arguments.sprt) {
        let (a, b) = (quoted(&a.name), quoted(&b.name));
        line(format!("stopping.sprt = {{ between = [{a}, {b}], elo0 = {elo0}, elo1 = {elo1} }}"));
    }
    line("player = [".into());
    for PlayerSpec { name, searcher, stream, .. } in &players {
        let mut entry = format!("  {{ name = {}, search = {}", quoted(name), quoted(&searcher.to_string()));
        if let Some(stream) = stream {
            let _ = write!(entry, ", stream = {}", quoted(stream));
        }
        line(entry + " },");
    }
    line("]".into());
    Ok(text)
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
