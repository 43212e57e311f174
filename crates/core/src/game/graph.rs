//! The graph of a small game: every reachable position, once.

use std::collections::BTreeMap;

use super::{Follow, Game, Outcome, Player, SearchHints, Turn};

/// The end of a game for each player. With one player, the second entries repeat the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Win, draw or loss.
    pub outcomes: [Outcome; 2],
    /// The payoffs.
    pub payoffs: [i32; 2],
    /// The scores.
    pub scores: [i32; 2],
}

/// A node of a graph: whose turn it is, without the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// This player's turn.
    Player(Player),
    /// Chance's turn.
    Chance,
    /// The end of the game.
    Over(End),
}

/// A move or an outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the node that it leads to.
    pub to: u32,
    /// The weight of an outcome of chance; 1 for a move.
    pub weight: u32,
}

/// The nodes of a game and the edges between them. Every edge leads to a smaller number, so a pass in ascending order
/// finds the values of positions, and a pass in descending order their probabilities.
#[derive(Clone, Debug)]
pub struct Graph {
    players: u8,
    nodes: Vec<Node>,
    /// The index of the first edge of each node, and the number of edges.
    begins: Vec<usize>,
    edges: Vec<Edge>,
}

impl Graph {
    /// The number of players.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: there is a start.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of the start: the largest.
    pub fn start(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    /// A position.
    pub fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// The edges of a node, in the game's order of moves.
    pub fn edges(&self, number: u32) -> &[Edge] {
        &self.edges[self.range(number)]
    }

    /// The indices of the edges of a node.
    fn range(&self, number: u32) -> std::ops::Range<usize> {
        self.begins[number as usize]..self.begins[number as usize + 1]
    }
}

/// The reason why a game has no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// The graph is too large.
    #[error("the game has more than {most} positions: too large to be enumerated")]
    TooLarge {
        /// The largest number of positions.
        most: usize,
    },
    /// A position can repeat.
    #[error("a position of the game can repeat, so that its lines have no end")]
    Endless,
}

/// The graph of a game, with its positions and moves.
///
/// Equal positions are one node. If positions contain their history, the graph is a tree.
///
/// # Example: tic-tac-toe has 5478 positions
/// ```
/// use shikou::game::{Game, GameGraph, GraphError};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let game = TicTacToe::default();
/// let all = GameGraph::new(&game, game.start(), 10_000).unwrap();
/// assert_eq!(all.graph().len(), 5478);
/// assert_eq!(all.graph().edges(all.graph().start()).len(), 9);
/// assert_eq!(GameGraph::new(&game, game.start(), 5477).err(), Some(GraphError::TooLarge { most: 5477 }));
/// ```
pub struct GameGraph<G: Game> {
    graph: Graph,
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
}

/// A position on the current line, with its moves and the edges found so far.
struct Open<G: Game> {
    position: G::Position,
    key: Option<u128>,
    moves: Vec<(G::Move, u32)>,
    edges: Vec<Edge>,
}

impl<G: Game> Open<G> {
    fn new(game: &G, position: G::Position, key: Option<u128>) -> Self {
        let moves = match game.turn(&position) {
            Turn::Over => Vec::new(),
            Turn::Chance => game.outcomes(&position).collect(),
            Turn::Player(_) => game.moves(&position).map(|mv| (mv, 1)).collect(),
        };
        Self { position, key, moves, edges: Vec::new() }
    }
}

/// The positions seen, each with its number, or `None` while it is on the current line, and their places by value key.
struct Met<P> {
    all: Vec<(P, Option<u32>)>,
    places: BTreeMap<u128, Vec<usize>>,
}

impl<P: PartialEq> Met<P> {
    fn enter(&mut self, key: Option<u128>, position: P) {
        if let Some(key) = key {
            self.places.entry(key).or_default().push(self.all.len());
            self.all.push((position, None));
        }
    }

    fn find(&mut self, key: Option<u128>, position: &P) -> Option<&mut Option<u32>> {
        let alike = self.places.get(&key?)?;
        let place = alike.iter().find(|&&place| self.all[place].0 == *position)?;
        Some(&mut self.all[*place].1)
    }
}

impl<G: Game> GameGraph<G> {
    /// All positions reachable from a position, at most `most`.
    ///
    /// # Errors
    /// If there are more, or a position can repeat.
    ///
    /// # Cost
    /// Every position is visited once if the game has keys, of positions or of values, otherwise once per line that leads to
    /// it.
    pub fn new(game: &G, from: G::Position, most: usize) -> Result<Self, GraphError> {
        let mut all = Self {
            graph: Graph {
                players: game.facts().players,
                nodes: Vec::new(),
                begins: vec![0],
                edges: Vec::new(),
            },
            positions: Vec::new(),
            moves: Vec::new(),
        };
        let mut met = Met { all: Vec::new(), places: BTreeMap::new() };
        let key = game.hints().lines().key(game, &from);
        met.enter(key, from);
        let mut open = vec![Open::<G>::new(game, from, key)];
        while let Some(top) = open.last_mut() {
            let Some(&(mv, weight)) = top.moves.get(top.edges.len()) else {
                let closed = open.pop().expect("it is there");
                let key = closed.key;
                let number = all.close(game, closed, most)?;
                if let Some(known) = met.find(key, &all.positions[number as usize]) {
                    *known = Some(number);
                }
                if let Some(parent) = open.last_mut() {
                    let weight = parent.moves[parent.edges.len()].1;
                    parent.edges.push(Edge { to: number, weight });
                }
                continue;
            };
            let mut child = top.position;
            game.apply(&mut child, mv);
            let key = game.hints().lines().key(game, &child);
            match met.find(key, &child) {
                Some(&mut Some(to)) => top.edges.push(Edge { to, weight }),
                Some(None) => return Err(GraphError::Endless),
                None => {
                    met.enter(key, child);
                    open.push(Open::new(game, child, key));
                    if all.positions.len() + open.len() > most {
                        return Err(GraphError::TooLarge { most });
                    }
                }
            }
        }
        Ok(all)
    }

    /// Numbers a position, after all its moves have been followed.
    fn close(&mut self, game: &G, open: Open<G>, most: usize) -> Result<u32, GraphError> {
        let number = u32::try_from(self.positions.len()).map_err(|_| GraphError::TooLarge { most })?;
        let position = open.position;
        let of = |player: u8| {
            let player = Player::new(player.min(self.graph.players - 1));
            (game.outcome(&position, player), game.payoff(&position, player), game.score(&position, player))
        };
        self.graph.nodes.push(match game.turn(&position) {
            Turn::Player(player) => Node::Player(player),
            Turn::Chance => Node::Chance,
            Turn::Over => {
                let (first, second) = (of(0), of(1));
                Node::Over(End {
                    outcomes: [first.0, second.0],
                    payoffs: [first.1, second.1],
                    scores: [first.2, second.2],
                })
            }
        });
        self.graph.edges.extend(open.edges);
        self.graph.begins.push(self.graph.edges.len());
        self.moves.extend(open.moves.into_iter().map(|(mv, _)| mv));
        self.positions.push(position);
        Ok(number)
    }

    /// The nodes and edges.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The position of a node.
    pub fn position(&self, number: u32) -> &G::Position {
        &self.positions[number as usize]
    }

    /// The moves or outcomes of a position, in the order of its edges.
    pub fn moves(&self, number: u32) -> &[G::Move] {
        &self.moves[self.graph.range(number)]
    }
}
