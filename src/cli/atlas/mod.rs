//! `shikou atlas`: one enhancement after the other against plain UCT, on one game after the other.

mod cells;
mod character;
mod folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use self::cells::{Claim, Sitting, digest, folder_of, has_others, read, result};
use self::character::character;
use self::folder::{Atlas, Cell};
use super::call::Call;
use super::error::{CommandError, Result, usage};
use super::folder::TemporaryFolder;
use super::groups::{OutputArguments, ThreadsArguments};
use super::output::{print, tell};
use super::pages::write as write_file;
use super::stop::time;
use crate::experiment::{REFERENCES, Shard};
use crate::players::Registry;
use crate::report::{
    Block, Characters, Gain, atlas_page, atlas_report, claims_report, counted, decimals, is_or_are, object,
    replications,
};
use crate::search::Clock;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou atlas                            the table of what was played
  shikou atlas --html site                the same as a page
  shikou atlas hex/rave/1000 --manifest   the manifest of a cell, for shikou run
  shikou atlas 'hex/*/1000' --play        plays what is missing of a row
  shikou atlas hex/rave/1000 --check      plays a cell again, and compares the digests
  shikou atlas --claims                   published claims beside our results

A cell is GAME/PLAYER/BUDGET; parts at its end may be left out, and * is every one. docs/atlas.md
says how to read it, and how to add a game or a player.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct AtlasArguments {
    /// The cells to play, check, print or link [default: all]; the table shows all
    cells: Vec<String>,
    /// The folder with atlas.toml, games/ and players/
    #[arg(long, value_name = "DIR", default_value = "experiments/atlas")]
    folder: PathBuf,
    /// The table of results
    #[arg(long, value_name = "FILE", default_value = "results/atlas.csv")]
    table: PathBuf,
    /// Play the cells that the table lacks or has stale rows of, and add them to it
    #[arg(long, conflicts_with_all = ["manifest", "check"])]
    play: bool,
    /// Play the pairs of the rows again, and exit with code 1 if a digest is not that of the table
    #[arg(long, conflicts_with = "manifest")]
    check: bool,
    /// Print the manifests of the cells
    #[arg(long)]
    manifest: bool,
    /// The folder for the results of each cell
    #[arg(long, value_name = "DIR", default_value = "results/atlas")]
    out: PathBuf,
    /// Of the cells, play every Nth, from the Ith
    #[arg(long, value_name = "I/N", requires = "play")]
    shard: Option<Shard>,
    /// Begin no cell after this time, and leave the last one for the next time
    #[arg(long, value_name = "TIME", value_parser = time, requires = "play")]
    time_limit: Option<Duration>,
    /// Write a page for a browser into this folder, and a page for each cell whose results are here
    #[arg(long, value_name = "DIR", conflicts_with_all = ["play", "check", "manifest"])]
    html: Option<PathBuf>,
    /// The table of published claims: what the references claim-* have of them, with verdicts
    #[arg(long, conflicts_with_all = ["cells", "play", "check", "manifest", "html"])]
    claims: bool,
    /// The folder of references, for --claims and --html
    #[arg(long, value_name = "DIR", default_value = REFERENCES)]
    references: PathBuf,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl AtlasArguments {
    pub(super) fn plays(&self) -> bool {
        self.play || self.check
    }
}

pub(super) fn atlas(registry: &Registry, arguments: &AtlasArguments) -> Result {
    if arguments.claims {
        let claims = replications(&arguments.references)?;
        if claims.is_empty() {
            let folder = arguments.references.display();
            return Err(usage!(
                "{folder} has no folder claim-NAME with a published figure; docs/atlas.md says more"
            ));
        }
        let document = claims_report(&claims, arguments.output.format() == "csv");
        return arguments.output.show("atlas", object! { claims }, document);
    }
    let atlas = Atlas::read(&arguments.folder)?;
    let all = atlas.cells();
    for pattern in &arguments.cells {
        if !all.iter().any(|cell| cell.is_in(pattern)) {
            return Err(usage!("no cell is called {pattern}; the first is {}", all[0].name()));
        }
    }
    let is_wanted = |cell: &&Cell| {
        arguments.cells.is_empty() || arguments.cells.iter().any(|pattern| cell.is_in(pattern))
    };
    let wanted: Vec<&Cell> = all.iter().filter(is_wanted).collect();
    if arguments.manifest {
        let manifests: Vec<String> = wanted.iter().map(|cell| atlas.manifest(cell, None)).collect();
        return print(manifests.join("\n"));
    }
    if arguments.html.is_some() && Call::now().is_some() {
        return Err(usage!("--html starts this program again, and works on the command line only"));
    }
    let mut rows = read(&arguments.table)?;
    if arguments.check {
        return check(&atlas, &wanted, &rows, registry, arguments);
    }
    let mut characters = Characters::new();
    if arguments.play {
        play_missing(&atlas, &wanted, registry, arguments)?;
        rows = read(&arguments.table)?;
    }
    // A row of a cell that the folder no longer has is kept in the table, and not shown.
    rows.retain(|row| all.contains(&Cell::of(row)));
    let stale = leave_out_stale(&atlas, &mut rows, registry)?;
    if !arguments.play {
        let names = rows.iter().map(|row| row.game.clone()).collect();
        let games = atlas.games(&names, registry)?.into_iter();
        characters = games.map(|(name, game)| (name, character(&*game))).collect();
    }
    if let Some(folder) = &arguments.html {
        return write_pages(&atlas, &wanted, (&rows, &characters), stale, folder, arguments);
    }
    let level = atlas.level();
    let mut document = atlas_report(&rows, &characters, level);
    document.0.extend(of_stale(stale).map(|words| Block::Notes(vec![words])));
    arguments.output.show("atlas", object! { level, cells: rows, stale, games: characters }, document)
}

/// Leaves out the rows whose cells have other trials now, and counts them.
fn leave_out_stale(atlas: &Atlas, rows: &mut Vec<Gain>, registry: &Registry) -> Result<u64> {
    let before = rows.len();
    let mut fresh = Vec::new();
    for row in rows.drain(..) {
        if !atlas.is_stale(&row, registry)? {
            fresh.push(row);
        }
    }
    *rows = fresh;
    Ok((before - rows.len()) as u64)
}

/// The words about stale rows, if there are any.
fn of_stale(count: u64) -> Option<String> {
    (count > 0).then(|| {
        let (rows, are) = (counted(count, "row"), is_or_are(count));
        format!(
            "{rows} of the table {are} stale and left out: game, player, openings or seed changed after the cell was played. \
             --play plays those again whose player still fits."
        )
    })
}

fn play_missing(atlas: &Atlas, wanted: &[&Cell], registry: &Registry, arguments: &AtlasArguments) -> Result {
    let (begin, sitting) = (Clock::start(), Sitting::begin());
    let share = arguments.shard.unwrap_or(Shard::WHOLE);
    let (mut is_told, mut failed) = (false, 0);
    for cell in wanted.iter().skip(share.first() as usize).step_by(share.step() as usize) {
        let trial = match atlas.trial(cell, registry)? {
            Ok(trial) => trial,
            Err(reason) => {
                let reason = reason.lines().next().unwrap_or_default();
                let reason = reason.split_once(": `").map_or(reason, |(_, reason)| reason);
                tell(format_args!("{}: not played: `{}", cell.name(), reason.trim()));
                continue;
            }
        };
        let is_fresh = |row: &Gain| Cell::of(row) == **cell && row.trial == trial && atlas.is_played(row);
        let is_done = || Ok::<_, CommandError>(read(&arguments.table)?.iter().any(is_fresh));
        if is_done()? {
            continue;
        }
        let Some(claim) = Claim::take(&arguments.table, cell)? else {
            tell(format_args!("{}: another process plays it", cell.name()));
            continue;
        };
        // Another process may have ended it after the first look.
        if is_done()? {
            continue;
        }
        if !claim.is_locked() && !std::mem::replace(&mut is_told, true) {
            let table = arguments.table.display();
            tell(format_args!(
                "{table} cannot be locked on this file system: let one process at a time write it"
            ));
        }
        let mut more = vec!["--threads".to_owned(), arguments.threads.count().to_string()];
        if let Some(limit) = arguments.time_limit {
            let Some(left) = limit.checked_sub(begin.elapsed()).filter(|left| left.as_secs() > 0) else {
                return Err(CommandError::Interrupted("the time is over; the same command goes on".into()));
            };
            more.extend(["--time-limit".into(), format!("{}s", left.as_secs())]);
        }
        let folder = folder_of(&arguments.out, cell);
        if has_others(&folder, &trial, registry) {
            more.push("--restart".into());
        }
        let since = Clock::start();
        match sitting.run((cell, &atlas.manifest(cell, None)), &folder, &more, registry) {
            Ok(true) => {}
            Ok(false) => {
                return Err(CommandError::Interrupted("the same command goes on with this cell".into()));
            }
            // The others are played all the same.
            Err(error) => {
                tell(error.reason());
                failed += 1;
                continue;
            }
        }
        let row = result(cell, trial, &folder)?;
        let Gain { points, low, high, pairs, .. } = row;
        let [points, low, high] = [points, low, high].map(|value| decimals(value, 3));
        let seconds = since.elapsed().as_secs();
        sitting.add(&arguments.table, row)?;
        tell(format_args!(
            "{}: {points} [{low}, {high}], {}, {seconds} s",
            cell.name(),
            counted(pairs, "pair")
        ));
    }
    match failed {
        0 => Ok(()),
        _ => Err(CommandError::Trials(vec![format!("{} could not be played", counted(failed, "cell"))])),
    }
}

/// Plays as many pairs of cells as their rows have, into a temporary folder.
fn check(
    atlas: &Atlas,
    wanted: &[&Cell],
    rows: &[Gain],
    registry: &Registry,
    arguments: &AtlasArguments,
) -> Result {
    let (mut is_same, mut compared, mut stale) = (true, 0, 0);
    let sitting = Sitting::begin();
    for cell in wanted {
        let Some(row) = rows.iter().find(|row| Cell::of(row) == **cell && !row.digest.is_empty()) else {
            tell(format_args!("{}: no digest in {}", cell.name(), arguments.table.display()));
            continue;
        };
        if atlas.is_stale(row, registry)? {
            tell(format_args!("{}: its row is stale", cell.name()));
            stale += 1;
            continue;
        }
        let folder = TemporaryFolder::new("atlas-check")?;
        let more = ["--threads".to_owned(), arguments.threads.count().to_string()];
        let manifest = atlas.manifest(cell, Some(row.pairs));
        if !sitting.run((cell, &manifest), folder.path(), &more, registry)? {
            return Err(CommandError::Interrupted("nothing was kept".into()));
        }
        let again = digest(folder.path())?;
        let is_equal = again == row.digest;
        is_same &= is_equal;
        compared += 1;
        let verdict = if is_equal { "the same" } else { "ANOTHER" };
        print(format!(
            "{}: {verdict} digest, {again:.8}… here and {:.8}… in the table",
            cell.name(),
            row.digest
        ))?;
    }
    of_stale(stale).into_iter().for_each(tell);
    match compared {
        0 => {
            Err(usage!("none of these cells has a fresh row with a digest in {}", arguments.table.display()))
        }
        _ if is_same => Ok(()),
        _ => Err(CommandError::Check),
    }
}

/// The page of the atlas, and a page for each cell and each claim whose results are here.
fn write_pages(
    atlas: &Atlas,
    wanted: &[&Cell],
    found: (&[Gain], &Characters),
    stale: u64,
    folder: &Path,
    arguments: &AtlasArguments,
) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))?;
    let program = std::env::current_exe().map_err(|error| CommandError::at("this program", &error))?;
    let claims =
        if arguments.references.exists() { replications(&arguments.references)? } else { Vec::new() };
    let cells = wanted.iter().map(|cell| (cell.name(), folder_of(&arguments.out, cell)));
    let of_claims = claims.iter().map(|row| (row.claim.clone(), arguments.references.join(&row.claim)));
    let pages: BTreeMap<String, PathBuf> =
        cells.chain(of_claims).filter(|(_, results)| results.join("summary.json").exists()).collect();
    let mut links = BTreeMap::new();
    for (name, results) in pages {
        let file = format!("{}.html", name.replace('/', "_"));
        let page = format!("--html={}", folder.join(&file).display());
        // A claim has no log, and so no games.
        let games = name.contains('/').then_some("--games=2");
        let mut report = Command::new(&program);
        let done = report.arg("report").arg(&results).arg(&page).args(games).output();
        let done = done.map_err(|error| CommandError::at("shikou report", &error))?;
        if done.status.success() {
            links.insert(name, file);
        } else {
            tell(format_args!("{name}: no page: {}", String::from_utf8_lossy(&done.stderr).trim()));
        }
    }
    let about =
        |(name, part): (&String, &folder::Part)| (name.clone(), part.about.clone(), part.paper.clone());
    let players: Vec<_> = atlas.players.iter().map(about).collect();
    let index = folder.join("index.html");
    let page = atlas_page(found, atlas.level(), of_stale(stale), &claims, &players, &links);
    write_file(&index, &page)?;
    print(format!(
        "{}: {} kB, and {}",
        index.display(),
        page.len().div_ceil(1000),
        counted(links.len() as u64, "page")
    ))
}
