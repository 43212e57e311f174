//! Games: the rules as traits, and everything that works for any game.
//!
//! The key decision: a *game* (rules and options, one value for a whole experiment) is separate from a *position* (small,
//! `Copy`, without randomness or hidden information). After a shuffle a position holds the remaining cards, not their
//! order, and turning a card is a chance turn. So no searcher can peek. Rejected: a position that carries its rules,
//! because every ply would copy the options; and a random state inside the position, because copies would share their
//! draws.
//!
//! | file | holds |
//! |---|---|
//! | `rules`, `game_ext` | the trait [`Game`], and the methods that follow from it ([`GameExt`]) |
//! | `named_game` | a game's name, options and catalogue ([`NamedGame`]), patterns, file formats of game records |
//! | `hints` | move order, bounds and exact ends for search ([`SearchHints`]) |
//! | `turn` | players and turns; win, draw, loss |
//! | `facts` | players, chance, ranges, length |
//! | `options` | declared options of games and searchers, and their values |
//! | `policy`, `playout` | distributions over moves; playing games out with them, and exact sums over playouts |
//! | `stages` | the parts of a playout, each run alone |
//! | `features` | numbers that describe positions |
//! | `evaluation` | heuristic values of unfinished positions and priors over moves, one or many at a time |
//! | `linear`, `combined` | evaluations that are weighted sums of features or of other evaluations; blindness to ends |
//! | `line_values` | values of whole lines of moves, and playouts by the best lines |
//! | `bags` | positions as groups of numbered things, for networks |
//! | `tuples`, `plain_board` | evaluations by n-tuples of squares; boards by the owner of each square |
//! | `generic_policies` | policies based on an evaluation: ε-greedy, softmax |
//! | `rule_list` | policies that are lists of rules about patterns that a move completes |
//! | `bits` | the set bits of a mask, and the n-th of them |
//! | `accelerate` | kernels compiled for the SIMD level of the processor |
//! | `path` | the instruction sets, and the GPU, for playouts and single boards |
//! | `sort` | stable sorts that are compiled once |
//! | `stack` | recursion along the lines of a game |
//! | `threads` | work that is divided among threads |
//! | `object` | a game of any type as an object |
//! | `graph` | all positions of a small game |
//! | `lines` | the positions that a player's own moves reach before chance |
//! | `perft` | counting the game tree |
//! | `picture` | pictures of positions, for pages |
//! | `conformance` | the conformance kit: the laws of a game, checked |

mod accelerate;
mod bags;
mod bits;
mod combined;
pub mod conformance;
mod evaluation;
mod facts;
mod features;
mod game_ext;
mod generic_policies;
mod graph;
mod hints;
mod line_values;
mod linear;
mod lines;
mod named_game;
mod object;
pub mod options;
mod path;
mod perft;
mod picture;
mod plain_board;
mod playout;
mod policy;
mod rule_list;
mod rules;
mod sort;
mod stack;
mod stages;
mod threads;
pub mod tuples;
mod turn;

pub(crate) use accelerate::Call;
pub use accelerate::{Kernel, SimdLevel, accelerate};
pub use bags::{BagList, Bags};
pub use bits::{Bits, nth_set_bit};
pub use combined::{BlindToEnds, Term, WeightedEvaluations};
pub use evaluation::{
    ChildValues, Ends, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Evaluations, Found,
    NamedEvaluation, View,
};
pub use facts::{Counts, Facts, LARGEST_PAYOFF};
pub use features::{ChildSum, Features, NamedFeatures, WeightedSum, made_sum};
pub use game_ext::{Followed, GameExt, IllegalMove, PositionError, TranscriptError};
pub use generic_policies::{Best, EpsilonGreedy, Softmax};
pub use graph::{Edge, End, Graph, GraphError, Node};
pub use hints::{SearchHints, Solved, Window, plain_best_estimate};
pub use line_values::{LinePlayout, LineValues, lines_of, play_lines};
pub use linear::{Linear, RangeError};
pub use lines::{Follow, Lines};
pub use named_game::{
    Entries, NamedGame, NamedPattern, NamedRules, PatternOf, RecordEnd, RecordFormat, ReplayedRecord,
};
pub use object::{GameObject, PolicyObject, Value, erased, object, policy_object};
pub use path::Path;
pub use perft::{FinishedGames, perft};
pub use picture::{Picture, Tone};
pub use plain_board::{PlainBoard, Symmetry};
pub use playout::{Batch, Batches, PlayoutRequest, Tally, play_out, play_plain_batches, run_playouts};
pub use policy::{NamedPolicy, Policy, PolicyExt, Uniform};
pub use rule_list::{MoveReasons, Points, PointsError, Reason, RuleError, RuleList};
#[doc(hidden)]
pub use rules::is_of_type;
pub use rules::{Game, can_be};
pub use sort::{sort_indices, sort_values};
pub use stack::{DEEPEST, with_stack};
pub use stages::Stage;
pub use threads::Granted;
#[cfg(feature = "rayon")]
pub use threads::divided;
pub use turn::{Outcome, Player, Turn};
