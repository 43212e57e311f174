//! Where two players part: games with the same luck, side by side.

use std::collections::BTreeMap;

use super::{Fraction, Known, NoExact, Values};
use crate::game::{MoveReasons, Node, Outcome, Player};
use crate::players::{Explored, Failure, GraphPlayer, SearcherSpec};
use crate::rng::Stream;
use crate::search::MoveStream;

/// One ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position.
    pub number: u32,
    /// What was done there, as a place among its edges.
    pub edge: usize,
}

/// A game of one of the two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Ply for ply.
    pub steps: Vec<Step>,
    /// The position at the end.
    pub end: u32,
    /// How it ended for the player.
    pub outcome: Outcome,
}

/// Two games from one seed: the two players in the same seat, the same opponent with the same luck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The seed.
    pub seed: u64,
    /// Where the two sit.
    pub seat: Player,
    /// Their games.
    pub games: [Played; 2],
}

/// How many pairs of games ended how: by the outcome of the first player and that of the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<[Outcome; 2], u64>);

impl Counts {
    /// One more pair.
    pub fn add(&mut self, divergence: &Divergence) {
        *self.0.entry(divergence.games.each_ref().map(|game| game.outcome)).or_default() += 1;
    }

    /// How many there are with these outcomes.
    pub fn of(&self, outcomes: [Outcome; 2]) -> u64 {
        self.0.get(&outcomes).copied().unwrap_or(0)
    }
}

impl Divergence {
    /// Whether the two ended differently.
    pub fn differs(&self) -> bool {
        self.games[0].outcome != self.games[1].outcome
    }

    /// The first ply, counted from 0, at which the two games are not the same.
    pub fn parting(&self) -> Option<usize> {
        let [a, b] = self.games.each_ref().map(|game| &game.steps);
        (0..a.len().max(b.len())).find(|&ply| a.get(ply) != b.get(ply))
    }
}

/// Plays the two games of a seed.
///
/// # Errors
/// Where a searcher does not fit, or comes to no decision.
pub fn divergence(
    all: &dyn Explored,
    two: [(&str, &SearcherSpec); 2],
    against: (&str, &SearcherSpec),
    seat: Player,
    seed: u64,
) -> Result<Divergence, NoExact> {
    let [a, b] = two.map(|player| play(all, player, against, seat, seed));
    Ok(Divergence { seed, seat, games: [a?, b?] })
}

/// A game of one player against the opponent. What each draws depends on the seed, on which of the two it is, and on the
/// number of its move: so the opponent's luck is the same in both games.
fn play(
    all: &dyn Explored,
    player: (&str, &SearcherSpec),
    against: (&str, &SearcherSpec),
    seat: Player,
    seed: u64,
) -> Result<Played, NoExact> {
    let seated = |(name, spec): (&str, &SearcherSpec)| {
        all.player(spec).map_err(|misfit| NoExact::Misfit { player: name.into(), misfit })
    };
    let stream = Stream::new(seed) / "diverge";
    let mut sides: [Side<'_>; 2] = [
        Side { name: player.0, player: seated(player)?, key: (stream / "player").playout_key(), moves: 0 },
        Side { name: against.0, player: seated(against)?, key: (stream / "against").playout_key(), moves: 0 },
    ];
    let mut chance = (stream / "chance").rng();
    let graph = all.graph();
    let (mut number, mut steps) = (graph.start(), Vec::new());
    loop {
        let edge = match graph.node(number) {
            Node::Over(end) => {
                return Ok(Played { steps, end: number, outcome: end.outcomes[seat.index()] });
            }
            Node::Chance => {
                // The outcomes lie end to end, each as long as its weight.
                let weights = graph.edges(number).iter().map(|edge| u64::from(edge.weight));
                let pick = chance.below(weights.clone().sum());
                let mut end = 0;
                weights
                    .take_while(|&weight| {
                        end += weight;
                        end <= pick
                    })
                    .count()
            }
            Node::Player(mover) => sides[usize::from(mover != seat)].choose(number)?,
        };
        steps.push(Step { number, edge });
        number = graph.edges(number)[edge].to;
    }
}

struct Side<'a> {
    name: &'a str,
    player: Box<dyn GraphPlayer + 'a>,
    key: crate::rng::PlayoutKey,
    moves: u64,
}

impl Side<'_> {
    fn choose(&mut self, number: u32) -> Result<usize, NoExact> {
        let stream = MoveStream::new(self.key.child(self.moves));
        self.moves += 1;
        let failed = |failure: Failure| NoExact::Failure { player: self.name.into(), failure };
        self.player.choose(number, stream).map_err(failed)
    }
}

/// What two players think of a position in which they may choose differently, and what its moves are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The position.
    pub number: u32,
    /// For each player whether it may play each move, in the order of the edges.
    pub choices: [Vec<bool>; 2],
    /// For each player that goes by rules, the scores of the moves and where they come from.
    pub reasons: [Option<Vec<MoveReasons<String>>>; 2],
    /// What each move is worth to who makes it, under best play from there; what the best is worth, the position is.
    pub values: Vec<Fraction>,
}

impl Judgement {
    /// Asks both players about a position, which is at the turn of a player.
    ///
    /// # Errors
    /// Where one cannot state its chances.
    pub fn new(
        all: &dyn Explored,
        two: [&Known<'_>; 2],
        number: u32,
        values: &Values,
    ) -> Result<Self, NoExact> {
        let Node::Player(mover) = all.graph().node(number) else { panic!("it is not a player's turn") };
        let [a, b] = two.map(|player| Ok(player.chances(number)?.iter().map(|&weight| weight > 0).collect()));
        let edges = all.graph().edges(number).iter();
        Ok(Self {
            number,
            choices: [a?, b?],
            reasons: two.map(|player| player.with(|player| player.reasons(number))),
            values: edges.map(|edge| values.of(edge.to, mover).clone()).collect(),
        })
    }

    /// Whether the two may choose differently.
    pub fn differs(&self) -> bool {
        self.choices[0] != self.choices[1]
    }

    /// What the position is worth to who is to move.
    pub fn best(&self) -> &Fraction {
        self.values.iter().max().expect("a player's turn has a move")
    }

    /// Whether a player, the first or the second, may make a move there that gives value away.
    pub fn is_mistaken(&self, player: usize) -> bool {
        let played = self.choices[player].iter().zip(&self.values).filter(|(may, _)| **may);
        played.map(|(_, value)| value).any(|value| value < self.best())
    }
}
