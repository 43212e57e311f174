//! What can be typed behind the commands that enumerate a game.

use clap::Args;

use crate::cli::arguments::GameArguments;

/// Examples, and who can be a player.
macro_rules! help {
    ($examples:literal) => {
        concat!(
            $examples,
            "\n
A player is a searcher with its options in brackets, the name of one of the game's lists of rules
or policies (`shikou games NAME` shows them), or, where a manifest stands for the game, one of its
players. Exact answers are for players that state the chance of each move: rules, policies, random,
minimax, expectimax and greedy players."
        )
    };
}

/// A game that is small enough to be enumerated.
#[derive(Args)]
pub(in crate::cli) struct SmallGameArguments {
    #[command(flatten)]
    pub(in crate::cli) game: GameArguments,
    /// The most positions that may be held
    #[arg(long, value_name = "POSITIONS", default_value_t = 5_000_000)]
    pub(in crate::cli) most: u32,
}

#[derive(Args)]
#[command(after_help = help!("Examples:
  shikou exact tic-tac-toe ai12s random
  shikou exact tic-tac-toe --ladder --against ai2
  shikou exact tic-tac-toe ai11s-v3 ai12s ai12s-v3
  shikou exact tic-tac-toe ai12s --against ai2 --best
  shikou exact tic-tac-toe ai12s --against ai2 --best --missed 3
  shikou exact experiments/tic-tac-toe-rules.toml traps ai2"))]
pub(in crate::cli) struct ExactArguments {
    #[command(flatten)]
    pub(super) game: SmallGameArguments,
    /// The players: two meet; of more, each meets each; with --against each meets that one
    pub(super) players: Vec<String>,
    /// The opponent of all
    #[arg(long, value_name = "PLAYER")]
    pub(super) against: Option<String>,
    /// All of the game's lists of rules as players; with a manifest its players
    #[arg(long)]
    pub(super) ladder: bool,
    /// Show also the most that anybody can win against the opponent
    #[arg(long, requires = "against")]
    pub(super) best: bool,
    /// List so many positions at which each player misses most against the best that gives no position away; what all of
    /// them cost adds up to the whole difference
    #[arg(long, requires = "best", value_name = "N")]
    pub(super) missed: Option<usize>,
    /// Print JSON, with every fraction
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = help!("Examples:
  shikou prove tic-tac-toe ai12s
  shikou prove tic-tac-toe ai12s-v3 --every-position

Exit code 1 says that the player gives value away, and the line shows how."))]
pub(in crate::cli) struct ProveArguments {
    #[command(flatten)]
    pub(super) game: SmallGameArguments,
    /// The player
    pub(super) player: String,
    /// Whether it must keep the value of every position that it gets into, not only that of the start
    #[arg(long)]
    pub(super) every_position: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou explain tic-tac-toe ai12s 'xo--x---- o'
  shikou explain tic-tac-toe 'rules(list=\"centre: 1\")'

For every move: the score that the player's rules give it, the rule that did, and what was counted.")]
pub(in crate::cli) struct ExplainArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The player, which goes by rules
    pub(super) player: String,
    /// The position, as the game writes it, or the moves to it; without it the start
    #[arg(allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    /// The side to move, where it is not in the same argument
    pub(super) side: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
