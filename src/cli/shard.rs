//! The shard that a run plays: written out, or found by the variables of a scheduler.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::{CommandError, Result};
use super::task::{Known, Task};
use crate::experiment::{Manifest, Shard, Shards};

/// A shard as it is typed: `3/8`, `auto/8` or `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShardArgument {
    Given(Shard),
    /// By the variables of the scheduler, of this many shards if the number is written out.
    Auto(Option<u64>),
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            None if text == "auto" => Ok(Self::Auto(None)),
            Some(("auto", count)) => match count.parse() {
                Ok(count @ 1..) => Ok(Self::Auto(Some(count))),
                _ => Err("a shard by the scheduler is written auto/n, such as auto/200".into()),
            },
            _ => text.parse().map(Self::Given),
        }
    }
}

impl fmt::Display for ShardArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(shard) => write!(f, "{shard}"),
            Self::Auto(None) => write!(f, "auto"),
            Self::Auto(Some(count)) => write!(f, "auto/{count}"),
        }
    }
}

pub(super) struct Found {
    pub(super) shard: Shard,
    /// From where it is known, if not from the command line.
    pub(super) from: Option<String>,
    pub(super) folder: PathBuf,
    /// The file beside the shards that it belongs to, with the beginning of the names of their folders.
    beside: Option<(PathBuf, Shards)>,
}

impl ShardArgument {
    pub(super) const WHOLE: Self = Self::Given(Shard::WHOLE);

    /// The shard of a run with this `--out`, else in this folder.
    ///
    /// All tasks of an array have the same command line. So with `auto` a folder that is named is the beginning of the names of
    /// the folders, and a shard that is written out has the folder that is named.
    pub(super) fn find(self, out: Option<&Path>, default: &Path, manifest: &Manifest) -> Result<Found> {
        let base = out.unwrap_or(default);
        let shards = |count, array| (count > 1).then(|| (base.into(), Shards::new(manifest, count, array)));
        match self {
            Self::Given(shard) => Ok(Found {
                shard,
                from: None,
                folder: out.map_or_else(|| shard.folder(base), Into::into),
                beside: if out.is_some() { None } else { shards(shard.step(), None) },
            }),
            Self::Auto(count) => {
                let known = Shards::read(base)?;
                let array = known.as_ref().and_then(|known| known.array.as_ref());
                let variable = |name: &str| std::env::var(name).ok();
                let task = Task::find(&variable, Known { count, array }).map_err(CommandError::Usage)?;
                let shard = format!("{}/{}", task.number, task.count).parse().map_err(CommandError::Usage)?;
                Ok(Found {
                    shard,
                    from: Some(task.from),
                    folder: shard.folder(base),
                    beside: shards(task.count, Some(task.array)),
                })
            }
        }
    }
}

impl Found {
    /// The beginning of the names of the folders of all shards, if they are beside each other.
    pub(super) fn base(&self) -> Option<PathBuf> {
        self.beside.as_ref().map(|(base, _)| base.clone())
    }

    /// Writes the file beside the shards, or checks that this shard belongs to them.
    pub(super) fn claim(&self) -> Result {
        let claimed = self.beside.as_ref().map(|(base, shards)| shards.claim(base));
        Ok(claimed.transpose().map(drop)?)
    }
}
