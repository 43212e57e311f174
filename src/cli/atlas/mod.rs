//! `shikou atlas`: one enhancement after the other against plain UCT, on one game after the other.

mod cells;
mod character;
mod folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;

use self::cells::{folder_of, play, read, write};
use self::character::character;
use self::folder::{Atlas, Cell};
use super::call::Call;
use super::error::{CommandError, Result, usage};
use super::folder::TemporaryFolder;
use super::groups::{OutputArguments, ThreadsArguments};
use super::output::{print, tell};
use super::pages::write as write_file;
use super::stop::time;
use crate::experiment::Shard;
use crate::players::Registry;
use crate::report::{
    Characters, Gain, atlas_page, atlas_report, claims_report, counted, decimals, object, replications,
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
    /// Play the cells that are not in the table, and add them to it
    #[arg(long, conflicts_with_all = ["manifest", "check"])]
    play: bool,
    /// Play the cells again, and exit with code 1 if a digest is not that of the table
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
    #[arg(long, value_name = "DIR", default_value = "results/reference")]
    references: PathBuf,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
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
        let document = claims_report(&claims, arguments.output.is_text());
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
        let manifests: Vec<String> = wanted.iter().map(|cell| atlas.manifest(cell)).collect();
        return print(manifests.join("\n"));
    }
    let starts_programs = arguments.play || arguments.check || arguments.html.is_some();
    if starts_programs && Call::now().is_some() {
        return Err(usage!(
            "--play, --check and --html start this program again, and work on the command line only"
        ));
    }
    let mut rows = read(&arguments.table)?;
    if arguments.check {
        return check(&atlas, &wanted, &rows, arguments);
    }
    let mut characters = Characters::new();
    if arguments.play {
        play_missing(&atlas, &wanted, &rows, registry, arguments)?;
        rows = read(&arguments.table)?;
    }
    // A row of a cell that the folder no longer has is kept in the table, and not shown.
    rows.retain(|row| all.iter().any(|cell| is_of(cell, row)));
    if !arguments.play {
        let names = rows.iter().map(|row| row.game.clone()).collect();
        let games = atlas.games(&names, registry)?.into_iter();
        characters = games.map(|(name, game)| (name, character(&*game))).collect();
    }
    if let Some(folder) = &arguments.html {
        return write_pages(&atlas, &wanted, (&rows, &characters), folder, arguments);
    }
    let level = atlas.level();
    let document = atlas_report(&rows, &characters, level);
    arguments.output.show("atlas", object! { level, cells: rows, games: characters }, document)
}

fn is_of(cell: &Cell, row: &Gain) -> bool {
    cell.game == row.game && cell.player == row.player && cell.budget == row.budget
}

fn play_missing(
    atlas: &Atlas,
    wanted: &[&Cell],
    rows: &[Gain],
    registry: &Registry,
    arguments: &AtlasArguments,
) -> Result {
    let begin = Clock::start();
    let share = arguments.shard.unwrap_or(Shard::WHOLE);
    for cell in wanted.iter().skip(share.first() as usize).step_by(share.step() as usize) {
        if rows.iter().any(|row| is_of(cell, row)) {
            continue;
        }
        if let Some(reason) = atlas.misfit(cell, registry)? {
            let reason = reason.lines().next().unwrap_or_default();
            let reason = reason.split_once(": `").map_or(reason, |(_, reason)| reason);
            tell(format_args!("{}: not played: `{}", cell.name(), reason.trim()));
            continue;
        }
        let mut more = vec!["--threads".to_owned(), arguments.threads.count().to_string()];
        if let Some(limit) = arguments.time_limit {
            let Some(left) = limit.checked_sub(begin.elapsed()).filter(|left| left.as_secs() > 0) else {
                return Err(CommandError::Interrupted("the time is over; the same command goes on".into()));
            };
            more.extend(["--time-limit".into(), format!("{}s", left.as_secs())]);
        }
        let since = Clock::start();
        let Some(row) = play(atlas, cell, &arguments.out, &more)? else {
            return Err(CommandError::Interrupted("the same command goes on with this cell".into()));
        };
        let Gain { points, low, high, pairs, .. } = row;
        let [points, low, high] = [points, low, high].map(|value| decimals(value, 3));
        let seconds = since.elapsed().as_secs();
        tell(format_args!(
            "{}: {points} [{low}, {high}], {}, {seconds} s",
            cell.name(),
            counted(pairs, "pair")
        ));
        write(&arguments.table, row)?;
    }
    Ok(())
}

/// Plays cells again, into a temporary folder.
fn check(atlas: &Atlas, wanted: &[&Cell], rows: &[Gain], arguments: &AtlasArguments) -> Result {
    let (mut is_same, mut compared) = (true, 0);
    for cell in wanted {
        let Some(row) = rows.iter().find(|row| is_of(cell, row) && !row.digest.is_empty()) else {
            tell(format_args!("{}: no digest in {}", cell.name(), arguments.table.display()));
            continue;
        };
        let folder = TemporaryFolder::new("atlas-check")?;
        let more = ["--threads".to_owned(), arguments.threads.count().to_string()];
        let Some(again) = play(atlas, cell, folder.path(), &more)? else {
            return Err(CommandError::Interrupted("nothing was kept".into()));
        };
        let is_equal = again.digest == row.digest;
        is_same &= is_equal;
        compared += 1;
        let verdict = if is_equal { "the same" } else { "ANOTHER" };
        print(format!(
            "{}: {verdict} digest, {:.8}… here and {:.8}… in the table",
            cell.name(),
            again.digest,
            row.digest
        ))?;
    }
    match compared {
        0 => Err(usage!("none of these cells has a digest in {}", arguments.table.display())),
        _ if is_same => Ok(()),
        _ => Err(CommandError::Check),
    }
}

/// The page of the atlas, and a page for each cell and each claim whose results are here.
fn write_pages(
    atlas: &Atlas,
    wanted: &[&Cell],
    found: (&[Gain], &Characters),
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
    let page = atlas_page(found, atlas.level(), &claims, &players, &links);
    write_file(&index, &page)?;
    print(format!(
        "{}: {} kB, and {}",
        index.display(),
        page.len().div_ceil(1000),
        counted(links.len() as u64, "page")
    ))
}
