//! The results of cells: a table with a row for each, and the run that makes a row.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder::{Atlas, Cell};
use crate::cli::error::{CommandError, Result, usage};
use crate::cli::folder::TemporaryFolder;
use crate::experiment::{Draft, PlayerSummary, Reference, TestSummary};
use crate::report::Gain;

/// The rows of a table; none if there is no file.
pub(super) fn read(path: &Path) -> Result<Vec<Gain>> {
    let file = match fs::File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.map_err(|error| CommandError::at(path.display(), &error))?,
    };
    let rows = csv::Reader::from_reader(file).into_deserialize().collect::<Result<Vec<Gain>, _>>();
    rows.map_err(|error| usage!("{} is no table of an atlas: {error}", path.display()))
}

/// Adds a row to the table, or replaces that of the same cell. The rows are in the order of the cells' names.
pub(super) fn write(path: &Path, row: Gain) -> Result {
    // Another process may have added rows.
    let mut rows = read(path)?;
    let place = |of: &Gain| [&of.game, &of.player, &of.budget].map(Clone::clone);
    rows.retain(|other| place(other) != place(&row));
    rows.push(row);
    rows.sort_by_key(place);
    let failed = |error: &dyn std::error::Error| CommandError::System(format!("{}: {error}", path.display()));
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| CommandError::at(folder.display(), &error))?;
    let mut draft = Draft::begin(folder, &path.file_name().unwrap_or_default().to_string_lossy())?;
    std::io::Write::write_all(&mut draft, &bytes).map_err(|error| failed(&error))?;
    Ok(draft.finish()?)
}

/// The folder of the results of a cell.
pub(super) fn folder_of(out: &Path, cell: &Cell) -> PathBuf {
    out.join(cell.file_name())
}

/// Plays a cell into its folder in another process, which a signal to the group of this one stops too, and reads its row. `None` if the
/// run was stopped.
pub(super) fn play(atlas: &Atlas, cell: &Cell, out: &Path, more: &[String]) -> Result<Option<Gain>> {
    let manifest = TemporaryFolder::new("atlas")?;
    let path = manifest.path().join(format!("{}.toml", cell.file_name()));
    fs::write(&path, atlas.manifest(cell)).map_err(|error| CommandError::at(path.display(), &error))?;
    let folder = folder_of(out, cell);
    let program = std::env::current_exe().map_err(|error| CommandError::at("this program", &error))?;
    let mut run = Command::new(program);
    run.args(["run", "--quiet", "--out"]).arg(&folder).args(more).arg(&path).stdout(Stdio::null());
    let code = run.status().map_err(|error| CommandError::at("shikou run", &error))?.code();
    match code {
        Some(0) => {}
        Some(4) => return Ok(None),
        Some(2) => return Err(usage!("{}: its manifest cannot be played", cell.name())),
        Some(3) => return Err(CommandError::Trials(Vec::new())),
        code => {
            let code = code.map_or_else(|| "by a signal".into(), |code| format!("with code {code}"));
            return Err(CommandError::System(format!("{}: the run ended {code}", cell.name())));
        }
    }
    result(cell, &folder).map(Some)
}

/// The row of a cell, from the results in its folder.
fn result(cell: &Cell, folder: &Path) -> Result<Gain> {
    let found = Reference::of_summary(folder)?;
    let Some(Reference { summary, facts, digest }) = found else {
        return Err(usage!("{} has no summary.json", folder.display()));
    };
    let experiment = &summary.experiments[0];
    let [plain, player] = &experiment.players[..] else { panic!("a cell has two players") };
    let stopping = experiment.stopping.as_ref().expect("a cell has a rule");
    let Some(TestSummary::Difference { ln_e, .. }) = stopping.test else { panic!("a cell has a test") };
    let points = player.result();
    let positions = |of: &PlayerSummary| (of.plies + of.nodes) as f64 / of.moves.max(1) as f64;
    let is_timed = !cell.budget.bytes().all(|digit| digit.is_ascii_digit());
    Ok(Gain {
        game: cell.game.clone(),
        player: cell.player.clone(),
        budget: cell.budget.clone(),
        pairs: stopping.instances,
        points: points.value,
        low: points.low,
        high: points.high,
        ln_e,
        plies: player.lengths.as_ref().map_or(f64::NAN, |lengths| lengths.mean),
        positions: positions(player),
        plain_positions: positions(plain),
        digest: if is_timed { String::new() } else { digest },
        host: facts.fact("cpu").into(),
        commit: facts.fact("commit").into(),
    })
}
