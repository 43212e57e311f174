//! A shard: the trials that one of several machines plays.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Trial;

/// A shard of `count` of the instances of every experiment, written `2/5`. The shards together are the whole,
/// no trial is in two of them, and all cells of an instance are in the same one.
///
/// # Example
/// ```
/// use shikou::experiment::{Shard, Trial};
/// let share: Shard = "2/5".parse().unwrap();
/// assert!(share.holds(&Trial { experiment: 0, instance: 6, cell: 3 }));
/// assert!(!share.holds(&Trial { experiment: 0, instance: 7, cell: 3 }));
/// assert!("0/5".parse::<Shard>().is_err() && "6/5".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The whole plan.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Whether a trial is in this shard.
    pub const fn holds(&self, trial: &Trial) -> bool {
        trial.instance % self.count == self.index
    }

    /// The first instance of this shard.
    pub const fn first(&self) -> u64 {
        self.index
    }

    /// The distance between consecutive instances of this shard.
    pub const fn step(&self) -> u64 {
        self.count
    }

    /// A number of shards, in order.
    pub fn all(count: u64) -> impl Iterator<Item = Self> {
        (0..count).map(move |index| Self { index, count })
    }

    /// The shards that the name of a folder of one of them tells of: its own and all others.
    pub fn all_of(folder: &str) -> Option<impl Iterator<Item = Self> + use<>> {
        let (_, suffix) = folder.rsplit_once("shard-")?;
        let shard: Self = suffix.replace("-of-", "/").parse().ok()?;
        Some(Self::all(shard.count))
    }

    /// The folder of this shard, whose name begins like that of the whole: `results/tour.shard-2-of-5`.
    pub fn folder(&self, base: &Path) -> PathBuf {
        if *self == Self::WHOLE {
            return base.into();
        }
        let mut name = base.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".shard-{}-of-{}", self.index + 1, self.count));
        base.with_file_name(name)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index: index - 1, count }),
            _ => Err("a share is written i/n with 1 ≤ i ≤ n, such as 2/5".into()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}
