//! The name of a trial and its random streams: functions of what the trial is, never of a place in a list.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{Cell, Experiment};
use crate::game::Player;
use crate::rng::{PlayoutKey, Rng, Stream};

/// The version of the scheme by which identities and streams are made. A change here makes every trial a new one.
const SCHEME: &str = "shikou trial 1";

/// The name of a trial: the first 64 bits of the SHA-256 of its content. The content is the scheme's version, the
/// game and the players with their options without those that equal the default, the opening (its moves, or how many
/// random plies), the memory limit where it is not the default, the seed, the instance and the repetition.
///
/// Adding, moving or renaming players and experiments changes no other trial's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialId(u64);

impl TrialId {
    /// The name of a trial.
    pub fn new(experiment: &Experiment, cell: &Cell, instance: u64) -> Self {
        let mut hash = Sha256::new();
        let mut line = |text: &str| {
            hash.update(text.as_bytes());
            hash.update(b"\n");
        };
        line(SCHEME);
        line(&experiment.game.spec().to_string());
        line(&experiment.openings.content(instance));
        if experiment.limits != crate::search::Limits::default() {
            line(&format!("memory {}", experiment.limits.memory_bytes));
        }
        cell.players.iter().for_each(|&player| line(&experiment.players[player].content()));
        hash.update(experiment.seed.to_le_bytes());
        hash.update(instance.to_le_bytes());
        hash.update(REPETITION.to_le_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        Self(u64::from_be_bytes(*first))
    }
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::str::FromStr for TrialId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// Every instance is played once by every cell.
const REPETITION: u64 = 0;

/// The randomness of chance: the same for every player that meets this instance.
pub(super) fn deal(experiment: &Experiment, instance: u64) -> Rng {
    (Stream::new(experiment.seed) / "deal" / &*experiment.game.spec().to_string() / instance).rng()
}

/// The randomness of a random opening: the same for every pair of players.
pub(super) fn opening(experiment: &Experiment, instance: u64) -> Rng {
    let game = experiment.game.spec().to_string();
    let content = experiment.openings.content(instance);
    (Stream::new(experiment.seed) / "opening" / &*game / &*content / instance).rng()
}

/// The key of a player's own randomness: move *m* of the player draws from its child *m*.
pub(super) fn player(experiment: &Experiment, player: usize, seat: Player, instance: u64) -> PlayoutKey {
    let game = experiment.game.spec().to_string();
    let content = experiment.players[player].content();
    let stream = Stream::new(experiment.seed) / "player" / &*game / instance;
    (stream / &*content / seat.index() as u64 / REPETITION).playout_key()
}
