//! The name of a trial and its random streams, as functions of its content and never of an index.

use std::fmt;

use sha2::{Digest, Sha256};

use super::Cell;
use crate::experiment::line::{DIGITS, written};
use crate::game::Player;
use crate::manifest::{Experiment, Openings, PlayerSpec};
use crate::rng::{PlayoutKey, Prefix, Rng, Stream};

/// The version of the scheme for identities and streams. A change makes every trial a new one.
const SCHEME: &str = "shikou trial 1";

/// The name of a trial: the first 64 bits of the SHA-256 of its content. The content is the scheme's version, the
/// game and the players with the options that differ from the defaults, the opening (its moves, or the number of
/// random plies), the memory limit if it is not the default, the seed, the instance and the repetition.
///
/// Adding, moving or renaming players and experiments changes no other trial's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrialId(u64);

impl TrialId {
    pub(crate) fn digits(self) -> [u8; 16] {
        written(self.0, DIGITS)
    }

    pub(crate) fn from_digits(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok().filter(|text| text.len() == 16)?;
        u64::from_str_radix(text, 16).ok().map(Self)
    }
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Every instance is played once by every cell.
const REPETITION: u64 = 0;

/// The common part of the names and streams of an experiment's trials, hashed once.
pub(crate) struct Roots {
    deal: Stream,
    opening: Stream,
    player: Stream,
    contents: Vec<String>,
    /// The beginning of all names: scheme and game.
    head: Sha256,
    /// For each cell the content after the opening: limits, players, seed.
    tails: Vec<Vec<u8>>,
    /// For each cell the complete prefix of the names, if every instance has the same opening.
    whole: Option<Vec<Prefix>>,
}

impl Roots {
    pub(crate) fn new(experiment: &Experiment, cells: &[Cell]) -> Self {
        let game = experiment.game.spec().to_string();
        let contents: Vec<String> = experiment.players.iter().map(PlayerSpec::content).collect();
        let head = Sha256::new().chain_update(format!("{SCHEME}\n{game}\n"));
        let tail = |cell: &Cell| {
            let mut tail = Vec::new();
            if experiment.limits != crate::search::Limits::default() {
                tail.extend(format!("memory {}\n", experiment.limits.memory_bytes).bytes());
            }
            for &player in &cell.players {
                tail.extend(contents[player].bytes());
                tail.push(b'\n');
            }
            tail.extend(experiment.seed.to_le_bytes());
            tail
        };
        let tails: Vec<Vec<u8>> = cells.iter().map(tail).collect();
        let whole = matches!(experiment.openings, Openings::Random { .. }).then(|| {
            let opening = experiment.openings.content(0);
            let beginning = format!("{SCHEME}\n{game}\n{opening}\n");
            let of_cell = |tail: &Vec<u8>| Prefix::new(&[beginning.as_bytes(), tail.as_slice()].concat());
            tails.iter().map(of_cell).collect()
        });
        let seed = Stream::new(experiment.seed);
        Self {
            deal: seed / "deal" / &*game,
            opening: seed / "opening" / &*game,
            player: seed / "player" / &*game,
            contents,
            head,
            tails,
            whole,
        }
    }

    pub(crate) fn id(&self, experiment: &Experiment, cell: usize, instance: u64) -> TrialId {
        let (instance_bytes, repetition) = (instance.to_le_bytes(), REPETITION.to_le_bytes());
        let digest: [u8; 32] = if let Some(cells) = &self.whole {
            cells[cell].hash(&[&instance_bytes, &repetition])
        } else {
            let opening = experiment.openings.content(instance);
            let content = self.head.clone().chain_update(opening).chain_update("\n");
            let content = content.chain_update(&self.tails[cell]);
            content.chain_update(instance_bytes).chain_update(repetition).finalize().into()
        };
        let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        TrialId(u64::from_be_bytes(*first))
    }

    /// The content of a cell but its openings. Equal contents, perhaps of different experiments, play the same trials if
    /// their openings are the same.
    pub(crate) fn content(&self, cell: usize) -> (Stream, &[u8]) {
        // Equal seeds and games give equal streams.
        (self.deal, &self.tails[cell])
    }

    /// The randomness of chance: the same for every player that meets this instance.
    pub(crate) fn deal(&self, instance: u64) -> Rng {
        (self.deal / instance).rng()
    }

    /// The randomness of a random opening: the same for every pair of players. `draw` is the draw of a balanced one.
    pub(crate) fn opening(&self, experiment: &Experiment, instance: u64, draw: Option<u64>) -> Rng {
        let stream = self.opening / &*experiment.openings.content(instance) / instance;
        draw.map_or(stream, |draw| stream / draw).rng()
    }

    /// The randomness of the searcher that judges a draw.
    pub(crate) fn judge(&self, experiment: &Experiment, instance: u64, draw: u64) -> PlayoutKey {
        let stream = self.opening / &*experiment.openings.content(instance) / instance;
        (stream / draw / "judge").playout_key()
    }

    pub(crate) fn players(&self, instance: u64) -> Players<'_> {
        Players {
            contents: &self.contents,
            stream: self.player / instance,
            known: [(usize::MAX, self.player); 2],
        }
    }
}

/// The randomness of the players of an instance.
pub(crate) struct Players<'r> {
    contents: &'r [String],
    stream: Stream,
    /// The streams of the last two players, because both games of a pair need the same two.
    known: [(usize, Stream); 2],
}

impl Players<'_> {
    /// The key of a player's own randomness: move *m* of the player draws from its child *m*.
    pub(crate) fn key(&mut self, player: usize, seat: Player) -> PlayoutKey {
        let known = self.known.iter().find(|(known, _)| *known == player);
        let (_, stream) = known.copied().unwrap_or_else(|| {
            let stream = self.stream / &*self.contents[player];
            self.known = [(player, stream), self.known[0]];
            self.known[0]
        });
        (stream / seat.index() as u64 / REPETITION).playout_key()
    }
}
