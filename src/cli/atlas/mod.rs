//! `shikou atlas`: one enhancement after the other against plain UCT, on one game after the other.

mod cells;
mod character;
mod folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use self::cells::{Claim, Sitting, are_of, read, result};
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
    Block, Characters, Document, Gain, atlas_page, atlas_report, called, claims_report, counted, decimals,
    gains_table, is_or_are, object, replications, sentences,
};
use crate::search::Clock;

#[derive(Args)]
#[command(after_help = "Examples:
  shikou atlas                            the table of what was played
  shikou atlas --html site                the same as a page
  shikou atlas hex/rave                   cells with their intervals
  shikou atlas hex/rave/1000 --manifest   the manifest of a cell, for shikou run
  shikou atlas 'hex/*/1000' --play        plays what is missing of a row
  shikou atlas hex/rave/1000 --check      plays a cell again, and compares digest and figures
  shikou atlas --claims                   published claims beside our results

A cell is GAME/PLAYER/BUDGET; parts at its end may be left out, and * is every one. docs/atlas.md
says how to read it, and how to add a game or a player.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that people type")]
pub(super) struct AtlasArguments {
    /// The cells to play, check, print or link [default: all]
    cells: Vec<String>,
    /// The folder with atlas.toml, games/ and players/
    #[arg(long, value_name = "DIR", default_value = "experiments/atlas")]
    folder: PathBuf,
    /// The table of results
    #[arg(long, value_name = "FILE", default_value = "results/atlas.csv")]
    table: PathBuf,
    /// Play the cells that the table lacks, has stale rows of or has not finished, and add them to it
    #[arg(long, conflicts_with_all = ["manifest", "check"])]
    play: bool,
    /// Play the pairs of the rows again, and exit with code 1 if a digest or a figure is not that of the table
    #[arg(long, conflicts_with = "manifest")]
    check: bool,
    /// Print the manifests of the cells
    #[arg(long)]
    manifest: bool,
    /// The folder for the results of each cell [default: the table's path without its ending, or with .cells]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Of the cells, play every Nth, from the Ith
    #[arg(long, value_name = "I/N", requires = "play", conflicts_with_all = ["check", "manifest", "html", "claims"])]
    shard: Option<Shard>,
    /// Begin no cell after this time, and leave the last one for the next time
    #[arg(long, value_name = "TIME", value_parser = time, requires = "play", conflicts_with_all = ["check", "manifest", "html", "claims"])]
    time_limit: Option<Duration>,
    /// Write a page for a browser into this folder, and a page for each cell whose results are here
    #[arg(long, value_name = "DIR", conflicts_with_all = ["play", "check", "manifest"])]
    html: Option<PathBuf>,
    /// The table of published claims: what the references claim-* have of them, with verdicts
    #[arg(long, conflicts_with_all = ["cells", "folder", "table", "out", "play", "check", "manifest", "html"])]
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

    /// The folder of the results of a cell.
    fn folder_of(&self, cell: &Cell) -> PathBuf {
        let ending = if self.table.extension().is_some() { "" } else { "cells" };
        self.out.clone().unwrap_or_else(|| self.table.with_extension(ending)).join(cell.file_name())
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
            return Err(atlas.unknown(pattern));
        }
    }
    let is_wanted = |cell: &&Cell| {
        arguments.cells.is_empty() || arguments.cells.iter().any(|pattern| cell.is_in(pattern))
    };
    let wanted: Vec<&Cell> = all.iter().filter(is_wanted).collect();
    if arguments.manifest {
        let manifests = wanted.iter().map(|cell| atlas.manifest(cell, None)).collect::<Result<Vec<_>>>()?;
        return print(manifests.join("\n"));
    }
    if arguments.html.is_some() && Call::now().is_some() {
        return Err(usage!("--html starts this program again, and works on the command line only"));
    }
    let mut rows = read(&arguments.table)?;
    if arguments.check {
        return check(&atlas, &wanted, &rows, registry, arguments);
    }
    if arguments.play {
        play_missing(&atlas, &wanted, registry, arguments)?;
        rows = read(&arguments.table)?;
    }
    let mut notes = Vec::new();
    if !arguments.table.exists() {
        notes.push(format!("{} is not there; --play makes it.", arguments.table.display()));
    }
    // A row of a cell that the folder no longer has is kept in the table, and not shown.
    let before = rows.len();
    rows.retain(|row| all.contains(&Cell::of(row)));
    if rows.len() < before {
        let hidden = counted((before - rows.len()) as u64, "row");
        notes.push(format!("Left out: {hidden} of cells that {} does not have.", arguments.folder.display()));
    }
    let stale = leave_out_stale(&atlas, &mut rows, registry)?;
    notes.extend(of_stale(stale));
    if let Some(folder) = &arguments.html {
        let characters = characters_of(&atlas, &rows, registry)?;
        return write_pages(&atlas, &wanted, (&rows, &characters), &notes, folder, (registry, arguments));
    }
    let is_listed = !arguments.cells.is_empty() || arguments.output.format() == "csv";
    let is_whole = !is_listed && !arguments.play;
    let games = if is_whole { characters_of(&atlas, &rows, registry)? } else { Characters::new() };
    let discoveries = atlas.discoveries();
    let called = called(&rows, discoveries);
    let is_wanted = |(row, _): &(&Gain, bool)| wanted.contains(&&Cell::of(row));
    let shown: Vec<(&Gain, bool)> = rows.iter().zip(called).filter(is_wanted).collect();
    let cell = |&(row, is_called): &(&Gain, bool)| {
        object! { #[serde(flatten)] row: row.clone(), verdict: row.verdict(is_called) }
    };
    let cells: Vec<_> = shown.iter().map(cell).collect();
    if is_listed && shown.len() < wanted.len() {
        notes.push(format!("Not played: {} of these cells.", wanted.len() - shown.len()));
    }
    let mut document = if is_listed {
        Document(vec![gains_table(&shown).into(), Block::Text(sentences(&rows, discoveries))])
    } else {
        atlas_report(&rows, &games, discoveries)
    };
    let content = object! { level: discoveries.level, total: discoveries.cells, cells, stale, games, notes: notes.clone() };
    match arguments.output.format() {
        "csv" => notes.iter().for_each(tell),
        _ => document.0.extend((!notes.is_empty()).then_some(Block::Notes(notes))),
    }
    arguments.output.show("atlas", content, document)
}

/// The characters of the games of some rows.
fn characters_of(atlas: &Atlas, rows: &[Gain], registry: &Registry) -> Result<Characters> {
    let games = atlas.games(&rows.iter().map(|row| row.game.clone()).collect(), registry)?.into_iter();
    Ok(games.map(|(name, game)| (name, character(&*game))).collect())
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
    let cells = wanted.iter().skip(share.first() as usize).step_by(share.step() as usize);
    // A wrong file is found before the first game.
    let trials = cells.map(|cell| Ok((cell, atlas.trial(cell, registry)?))).collect::<Result<Vec<_>>>()?;
    for (cell, trial) in trials {
        let trial = match trial {
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
        let folder = arguments.folder_of(cell);
        let found = are_of(&folder, &trial, registry);
        let is_timed = |row: &Gain| Cell::of(row) == **cell && row.trial == trial && row.digest.is_empty();
        if found != Some(true) && read(&arguments.table)?.iter().any(is_timed) {
            tell(format_args!(
                "{}: not played on: its games are not in {}, and time would play others; to play it anew, remove its row",
                cell.name(),
                folder.display()
            ));
            continue;
        }
        if found == Some(false) {
            more.push("--restart".into());
        }
        let since = Clock::start();
        match sitting.run((cell, &atlas.manifest(cell, None)?), &folder, &more, registry) {
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
            let is_there = rows.iter().any(|row| Cell::of(row) == **cell);
            let why = if is_there { "a cell of time has no digest" } else { "no row; --play plays it" };
            tell(format_args!("{}: {why}", cell.name()));
            continue;
        };
        if atlas.is_stale(row, registry)? {
            tell(format_args!("{}: its row is stale", cell.name()));
            stale += 1;
            continue;
        }
        let folder = TemporaryFolder::new("atlas-check")?;
        let more = ["--threads".to_owned(), arguments.threads.count().to_string()];
        let manifest = atlas.manifest(cell, Some(row.pairs))?;
        if !sitting.run((cell, &manifest), folder.path(), &more, registry)? {
            return Err(CommandError::Interrupted("nothing was kept".into()));
        }
        let again = result(cell, row.trial.clone(), folder.path())?;
        // Another machine and another build may play it.
        let again = Gain { host: row.host.clone(), commit: row.commit.clone(), ..again };
        is_same &= again == *row;
        compared += 1;
        let verdict = match (again.digest == row.digest, again == *row) {
            (true, true) => "the same digest",
            (true, false) => "the same digest, but OTHER figures in the row",
            (false, _) => "ANOTHER digest",
        };
        let [here, there] = [&again, row].map(|row| format!("{:.8}…", row.digest));
        print(format!("{}: {verdict}, {here} here and {there} in the table", cell.name()))?;
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
    notes: &[String],
    folder: &Path,
    (registry, arguments): (&Registry, &AtlasArguments),
) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))?;
    let program = std::env::current_exe().map_err(|error| CommandError::at("this program", &error))?;
    let claims =
        if arguments.references.exists() { replications(&arguments.references)? } else { Vec::new() };
    let is_wanted = |row: &&Gain| wanted.contains(&&Cell::of(row));
    let place = |row: &Gain| (row.name(), arguments.folder_of(&Cell::of(row)));
    let is_of = |row: &&Gain| are_of(&place(row).1, &row.trial, registry) == Some(true);
    let cells = found.0.iter().filter(is_wanted).filter(is_of).map(place);
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
    let page = atlas_page(
        found,
        atlas.discoveries(),
        [&atlas.common.question, &atlas.common.about],
        notes,
        (&claims, &players),
        &links,
    );
    write_file(&index, &page)?;
    print(format!(
        "{}: {} kB, and {}",
        index.display(),
        page.len().div_ceil(1000),
        counted(links.len() as u64, "page")
    ))
}
