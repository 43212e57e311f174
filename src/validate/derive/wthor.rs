//! The games of WTHOR, replayed: the number of games, of illegal games, of games whose stated score differs from their
//! moves, and, on request, of passes.

use std::path::{Path, PathBuf};

use super::{Context, Derivation, Derive, derivation};
use crate::experiment::document::Section;
use crate::game::options::flag;
use crate::games::othello::wthor;
use crate::players::Registry;
use crate::players::files::{no_data, path_of, read_file};
use crate::validate::{Found, Value};

/// The games of 1978, compiled into the program.
const SAMPLE: &[u8] = include_bytes!("../../../tests/data/WTH_1978.wtb");

derivation! { read(section, _path, _registry) -> Wthor {
    /// The folder below that of large data; `None` for the sample.
    folder: Option<String> = section.name("folder")?,
    /// Whether passes are also counted.
    passes: bool = section.get("passes", &flag(false))?,
} }

impl Derive for Wthor {
    fn derive(&self, _context: &Context<'_>) -> Result<Found, String> {
        let Some(folder) = &self.folder else {
            return self.replayed(&[SAMPLE.to_vec()]);
        };
        let path = path_of(&format!("data:{folder}"), Path::new(""));
        if !path.is_dir() {
            return Ok(Found::Missing(no_data(&format!("{folder}/*.wtb"))));
        }
        let of = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        let entries = std::fs::read_dir(&path).map_err(|error| of(&path, error))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")));
        files.sort();
        let read = |file: &PathBuf| read_file(file).map_err(|error| of(file, error));
        self.replayed(&files.iter().map(read).collect::<Result<Vec<_>, _>>()?)
    }
}

impl Wthor {
    fn replayed(&self, files: &[Vec<u8>]) -> Result<Found, String> {
        let [mut games, mut illegal, mut passes, mut other_scores] = [0_i64; 4];
        for bytes in files {
            for record in wthor::read(bytes).map_err(|error| error.to_string())?.records() {
                games += 1;
                match record.replay() {
                    Ok(replay) => {
                        passes += i64::from(replay.passes);
                        other_scores += i64::from(replay.black_score() != record.black_score());
                    }
                    Err(_) => illegal += 1,
                }
            }
        }
        let mut counts = vec![games, illegal, other_scores];
        counts.extend(self.passes.then_some(passes));
        Ok(Found::Exact(counts.into_iter().map(Value::Whole).collect()))
    }
}
