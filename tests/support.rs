//! What several test files share.

use std::path::{Path, PathBuf};

/// A file or folder of the large data set, if it is there: in `$SHIKOU_DATA`, else in `../shared/data`.
/// Says so on standard error when a test has to skip.
pub fn large_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SHIKOU_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is not there (set SHIKOU_DATA to the folder that holds {name})", path.display());
        return None;
    }
    Some(path)
}

/// A file of the sample that is committed in `tests/data`.
pub fn sample_data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}
