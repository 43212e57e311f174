//! What a row of a log is called.

use std::fmt;

/// What a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The fitness of each candidate.
    Fitness,
    /// This round of a knockout, counted from 1.
    Round(u32),
    /// The best candidate against opponents not used in the fitness.
    Judge,
    /// The best candidate of the whole run against the opponents of the fitness, with new luck.
    Again,
    /// This unit of the fitness, counted from 0, if candidates may leave between units.
    Unit(u64),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {}, {} {}", self.generation, self.purpose, self.index)
    }
}

/// The name of a job in its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The generation, counted from 0.
    pub generation: u64,
    /// What it is for.
    pub purpose: Purpose,
    /// The candidate, the meeting of a round, or the number that a judge gives its opponent.
    pub index: u32,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fitness => f.write_str("fitness"),
            Self::Round(number) => write!(f, "round-{number}"),
            Self::Judge => f.write_str("judge"),
            Self::Again => f.write_str("again"),
            Self::Unit(number) => write!(f, "unit-{number}"),
        }
    }
}

impl std::str::FromStr for Purpose {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "fitness" => Ok(Self::Fitness),
            "judge" => Ok(Self::Judge),
            "again" => Ok(Self::Again),
            _ => {
                let (kind, number) = text.split_once('-').ok_or(())?;
                match kind {
                    "round" => number.parse().map(Self::Round).map_err(|_| ()),
                    "unit" => number.parse().map(Self::Unit).map_err(|_| ()),
                    _ => Err(()),
                }
            }
        }
    }
}
