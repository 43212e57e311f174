//! Files of samples.
//!
//! A file is written beside its place and moved there when it is whole. So a full disk or a stop leaves what was there.

use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::error::{CommandError, Result};
use crate::game::Player;
use crate::players::{GameSample, NetworkForm};

pub(super) trait SampleWriter {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result;

    /// Moves the file to its place.
    fn finish(self: Box<Self>) -> Result;
}

fn beside(path: &Path) -> Result<BufWriter<NamedTempFile>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".samples-").tempfile_in(folder);
    file.map(BufWriter::new).map_err(|error| failed(path, &error))
}

/// An error with what it leaves and the next step.
fn failed(path: &Path, error: &io::Error) -> CommandError {
    let next = match error.kind() {
        io::ErrorKind::NotFound => "name a folder that exists",
        io::ErrorKind::StorageFull => "free some space or write fewer games",
        _ => "try again, or name another file",
    };
    let kept = if path.exists() { "the file that was there is as before" } else { "nothing is there" };
    CommandError::because(io::Error::new(
        error.kind(),
        format!("{}: {error}; {kept}; {next}", path.display()),
    ))
}

/// The error of the system behind that of a table.
fn of_system(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn persist(file: BufWriter<NamedTempFile>, path: &Path) -> Result {
    let file = file.into_inner().map_err(|error| failed(path, error.error()))?;
    file.as_file().sync_all().map_err(|error| failed(path, &error))?;
    file.persist(path).map(|_| ()).map_err(|error| failed(path, &error.error))
}

/// The seat of a player, from 1.
fn seat(player: Player) -> u8 {
    if player == Player::FIRST { 1 } else { 2 }
}

/// A table: game, ply, player, outcome and the inputs `x1`, `x2` ….
pub(super) struct Csv {
    path: PathBuf,
    file: csv::Writer<BufWriter<NamedTempFile>>,
}

impl Csv {
    pub(super) fn new(path: &Path, inputs: usize) -> Result<Self> {
        let mut file = csv::Writer::from_writer(beside(path)?);
        let names = ["game", "ply", "player", "outcome"].map(String::from).into_iter();
        let names = names.chain((1..=inputs).map(|number| format!("x{number}")));
        file.write_record(names).map_err(|error| failed(path, &of_system(error)))?;
        Ok(Self { path: path.into(), file })
    }
}

impl SampleWriter for Csv {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result {
        for GameSample { ply, player, input, outcome } in samples {
            let first = [number.to_string(), ply.to_string(), seat(*player).to_string(), outcome.to_string()];
            let cells = first.into_iter().chain(input.iter().map(ToString::to_string));
            let written = self.file.write_record(cells);
            written.map_err(|error| failed(&self.path, &of_system(error)))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result {
        let Self { path, file } = *self;
        let file = file.into_inner().map_err(|error| failed(&path, error.error()))?;
        persist(file, &path)
    }
}

/// Tensors: `input` (samples, inputs) and `outcome` in F32, `game` in I64, `ply` and `player` in I32.
pub(super) struct Tensors {
    path: PathBuf,
    form: NetworkForm,
    samples: u64,
    /// The numbers of each tensor, in the order of [`TENSORS`].
    files: Vec<BufWriter<NamedTempFile>>,
}

/// The tensors with their types and the bytes of a number.
const TENSORS: [(&str, &str, u64); 5] =
    [("game", "I64", 8), ("input", "F32", 4), ("outcome", "F32", 4), ("player", "I32", 4), ("ply", "I32", 4)];

impl Tensors {
    pub(super) fn new(path: &Path, form: NetworkForm) -> Result<Self> {
        let files = TENSORS.iter().map(|_| beside(path)).collect::<Result<_, _>>()?;
        Ok(Self { path: path.into(), form, samples: 0, files })
    }

    fn write(&mut self, number: u64, sample: &GameSample) -> io::Result<()> {
        let [game, input, outcome, player, ply] = &mut self.files[..] else { unreachable!("five tensors") };
        game.write_all(&(number as i64).to_le_bytes())?;
        sample.input.iter().try_for_each(|number| input.write_all(&number.to_le_bytes()))?;
        outcome.write_all(&(sample.outcome as f32).to_le_bytes())?;
        player.write_all(&i32::from(seat(sample.player)).to_le_bytes())?;
        ply.write_all(&(sample.ply as i32).to_le_bytes())
    }

    /// The header of the file, filled up to a multiple of 8 bytes.
    fn header(&self) -> String {
        let mut header = serde_json::Map::new();
        header.insert("__metadata__".into(), serde_json::json!(self.form.metadata()));
        let mut begin = 0;
        for (name, dtype, bytes) in TENSORS {
            let (count, shape) = match name {
                "input" => {
                    let inputs = self.form.inputs as u64;
                    (self.samples * inputs, vec![self.samples, inputs])
                }
                _ => (self.samples, vec![self.samples]),
            };
            let end = begin + bytes * count;
            let tensor = serde_json::json!({ "dtype": dtype, "shape": shape, "data_offsets": [begin, end] });
            header.insert(name.into(), tensor);
            begin = end;
        }
        let header = serde_json::to_string(&header).expect("a map has a text");
        let length = header.len().next_multiple_of(8);
        format!("{header:<length$}")
    }

    fn assemble(self, whole: &mut impl Write) -> io::Result<()> {
        let header = self.header();
        whole.write_all(&(header.len() as u64).to_le_bytes())?;
        whole.write_all(header.as_bytes())?;
        self.files.into_iter().try_for_each(|file| {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            io::copy(&mut BufReader::new(file), whole).map(|_| ())
        })
    }
}

impl SampleWriter for Tensors {
    fn game(&mut self, number: u64, samples: &[GameSample]) -> Result {
        self.samples += samples.len() as u64;
        let path = self.path.clone();
        samples
            .iter()
            .try_for_each(|sample| self.write(number, sample))
            .map_err(|error| failed(&path, &error))
    }

    fn finish(self: Box<Self>) -> Result {
        let path = self.path.clone();
        let mut whole = beside(&path)?;
        self.assemble(&mut whole).map_err(|error| failed(&path, &error))?;
        persist(whole, &path)
    }
}
