use std::collections::BTreeMap;

use super::{Entries, Game, GameObject, Outcome, Player, Turn, Value, object};

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
    /// The turn of this player.
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
///
/// Equal positions are one node. If positions contain their history, the graph is a tree.
///
/// # Example: tic-tac-toe has 5478 positions
/// ```
/// use shikou::game::{Game, Graph, GraphError};
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let all = Graph::of(&TicTacToe, 10_000).unwrap();
/// assert_eq!(all.len(), 5478);
/// assert_eq!(all.edges(all.start()).len(), 9);
/// assert_eq!(*all.position(all.start()).of::<<TicTacToe as Game>::Position>(), TicTacToe.start());
/// assert_eq!(Graph::of(&TicTacToe, 5477).err(), Some(GraphError::TooLarge { most: 5477 }));
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    players: u8,
    nodes: Vec<Node>,
    positions: Vec<Value>,
    /// The index of the first edge of each node, and the number of edges.
    begins: Vec<usize>,
    edges: Vec<Edge>,
}

impl Graph {
    /// All positions of a game, at most `most`.
    ///
    /// # Errors
    /// If there are more, or a position can repeat.
    pub fn of<G: Game>(game: &G, most: usize) -> Result<Self, GraphError> {
        let game = object(game, |_| Entries::default(), None);
        Self::new(&*game, game.start(), most)
    }

    /// All positions reachable from a position, at most `most`.
    ///
    /// # Errors
    /// If there are more, or a position can repeat.
    ///
    /// # Cost
    /// Every position is visited once if the game has keys, of positions or of values, otherwise once per line that leads to
    /// it.
    pub fn new(game: &dyn GameObject, from: Value, most: usize) -> Result<Self, GraphError> {
        let players = game.facts().players;
        let (nodes, positions, begins, edges) = (Vec::new(), Vec::new(), vec![0], Vec::new());
        let mut graph = Self { players, nodes, positions, begins, edges };
        let mut met = Met { all: Vec::new(), places: BTreeMap::new() };
        let key = game.value_key(&from);
        let mut open = vec![met.open(game, from, key)];
        while let Some(top) = open.last_mut() {
            let Some((mv, weight)) = top.moves.get(top.edges.len()) else {
                let closed = open.pop().expect("it is there");
                let place = closed.place;
                let number = graph.close(game, closed, most)?;
                if let Some(place) = place {
                    met.all[place].1 = Some(number);
                }
                if let Some(parent) = open.last_mut() {
                    let weight = parent.moves[parent.edges.len()].1;
                    parent.edges.push(Edge { to: number, weight });
                }
                continue;
            };
            let child = game.after(&top.position, mv);
            let key = game.value_key(&child);
            match met.find(key, &child).map(|place| met.all[place].1) {
                Some(Some(to)) => top.edges.push(Edge { to, weight: *weight }),
                Some(None) => return Err(GraphError::Endless),
                None => {
                    open.push(met.open(game, child, key));
                    if graph.positions.len() + open.len() > most {
                        return Err(GraphError::TooLarge { most });
                    }
                }
            }
        }
        Ok(graph)
    }

    /// Numbers a position, after all its moves have been followed.
    fn close(&mut self, game: &dyn GameObject, open: Open, most: usize) -> Result<u32, GraphError> {
        let number = u32::try_from(self.positions.len()).map_err(|_| GraphError::TooLarge { most })?;
        let position = open.position;
        self.nodes.push(match game.turn(&position) {
            Turn::Player(player) => Node::Player(player),
            Turn::Chance => Node::Chance,
            Turn::Over => {
                let players = [0, self.players - 1].map(Player::new);
                Node::Over(End {
                    outcomes: players.map(|player| game.outcome(&position, player)),
                    payoffs: players.map(|player| game.payoff(&position, player)),
                    scores: players.map(|player| game.score(&position, player)),
                })
            }
        });
        self.edges.extend(open.edges);
        self.begins.push(self.edges.len());
        self.positions.push(position);
        Ok(number)
    }

    /// The position of a node.
    pub fn position(&self, number: u32) -> &Value {
        &self.positions[number as usize]
    }

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
        &self.edges[self.begins[number as usize]..self.begins[number as usize + 1]]
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

/// A position on the current line, with its place among those met, its moves, and the edges found so far.
struct Open {
    position: Value,
    place: Option<usize>,
    moves: Vec<(Value, u32)>,
    edges: Vec<Edge>,
}

/// The positions seen, each with its number, or `None` while it is on the current line, and their places by value key.
struct Met {
    all: Vec<(Value, Option<u32>)>,
    places: BTreeMap<u128, Vec<usize>>,
}

impl Met {
    fn open(&mut self, game: &dyn GameObject, position: Value, key: Option<u128>) -> Open {
        let place = key.map(|key| {
            self.places.entry(key).or_default().push(self.all.len());
            self.all.push((position.clone(), None));
            self.all.len() - 1
        });
        Open { moves: game.legal(&position), position, place, edges: Vec::new() }
    }

    fn find(&self, key: Option<u128>, position: &Value) -> Option<usize> {
        self.places.get(&key?)?.iter().copied().find(|&place| self.all[place].0 == *position)
    }
}
