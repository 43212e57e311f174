//! The name of a trial and its random streams, as functions of its content and never of an index.

use std::fmt;
use std::sync::Arc;

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
    experiment: Arc<Experiment>,
    /// Of each of its games.
    games: Vec<GameRoots>,
    contents: Vec<String>,
    /// For each cell the content after the opening: limits, players, seed.
    tails: Vec<Vec<u8>>,
}

struct GameRoots {
    deal: Stream,
    opening: Stream,
    player: Stream,
    /// The beginning of all names: scheme and game.
    head: Sha256,
    /// For each cell the complete prefix of the names, if every instance of the game has the same opening.
    whole: Option<Vec<Prefix>>,
}

impl GameRoots {
    fn new(experiment: &Experiment, game: &str, tails: &[Vec<u8>]) -> Self {
        let head = Sha256::new().chain_update(format!("{SCHEME}\n{game}\n"));
        let is_listed = matches!(experiment.openings, Openings::Listed { .. } | Openings::Positions { .. });
        let whole = (!is_listed).then(|| {
            let opening = experiment.openings.content(0);
            let beginning = format!("{SCHEME}\n{game}\n{opening}\n");
            let of_cell = |tail: &Vec<u8>| Prefix::new(&[beginning.as_bytes(), tail.as_slice()].concat());
            tails.iter().map(of_cell).collect()
        });
        let seed = Stream::new(experiment.seed);
        let [deal, opening, player] = ["deal", "opening", "player"].map(|name| seed / name / game);
        Self { deal, opening, player, head, whole }
    }
}

impl Roots {
    pub(crate) fn new(experiment: &Arc<Experiment>, cells: &[Cell]) -> Self {
        let contents: Vec<String> = experiment.players.iter().map(PlayerSpec::content).collect();
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
        let games = experiment.games().iter();
        let games = games.map(|game| GameRoots::new(experiment, &game.spec().to_string(), &tails)).collect();
        Self { experiment: Arc::clone(experiment), games, contents, tails }
    }

    fn game(&self, instance: u64) -> &GameRoots {
        &self.games[self.experiment.game_number(instance)]
    }

    pub(crate) fn id(&self, cell: usize, instance: u64) -> TrialId {
        let (game, openings) = (self.game(instance), &self.experiment.openings);
        let (_, number) = openings.place(instance);
        let (instance_bytes, repetition) = (number.to_le_bytes(), REPETITION.to_le_bytes());
        let digest: [u8; 32] = if let Some(cells) = &game.whole {
            cells[cell].hash(&[&instance_bytes, &repetition])
        } else {
            let content = game.head.clone().chain_update(openings.content(instance)).chain_update("\n");
            let content = content.chain_update(&self.tails[cell]);
            content.chain_update(instance_bytes).chain_update(repetition).finalize().into()
        };
        let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        TrialId(u64::from_be_bytes(*first))
    }

    /// The content of a cell but its openings. Trials with one name, perhaps of different experiments, have equal contents, if
    /// they have the same instance.
    pub(crate) fn content(&self, cell: usize) -> (Stream, &[u8]) {
        // Equal seeds and games give equal streams.
        (self.games[0].deal, &self.tails[cell])
    }

    /// A child of a stream for an instance: of one at a listed position for that and its round.
    fn child(&self, stream: Stream, instance: u64) -> Stream {
        let (place, number) = self.experiment.openings.place(instance);
        match &self.experiment.openings {
            Openings::Positions { texts, .. } => stream / &*texts[place] / number,
            _ => stream / number,
        }
    }

    /// The randomness of chance: the same for every player that meets this instance.
    pub(crate) fn deal(&self, instance: u64) -> Rng {
        self.child(self.game(instance).deal, instance).rng()
    }

    /// The randomness of a random opening: the same for every pair of players. `draw` is the draw of a balanced one.
    pub(crate) fn opening(&self, instance: u64, draw: Option<u64>) -> Rng {
        let stream = self.game(instance).opening / &*self.experiment.openings.content(instance) / instance;
        draw.map_or(stream, |draw| stream / draw).rng()
    }

    /// The randomness of the searcher that judges a draw.
    pub(crate) fn judge(&self, instance: u64, draw: u64) -> PlayoutKey {
        let stream = self.game(instance).opening / &*self.experiment.openings.content(instance) / instance;
        (stream / draw / "judge").playout_key()
    }

    pub(crate) fn players(&self, instance: u64) -> Players<'_> {
        let stream = self.game(instance).player;
        Players {
            contents: &self.contents,
            stream: self.child(stream, instance),
            known: [(usize::MAX, stream); 2],
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
