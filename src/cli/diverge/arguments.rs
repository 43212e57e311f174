//! What can be typed behind `shikou diverge`.

use clap::{Args, ValueEnum};

use crate::cli::exact::SmallGameArguments;
use crate::game::Player;

/// Where the two players sit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Seat {
    /// They move first
    First,
    /// They move second
    Second,
    /// First in one game of a seed, second in the other
    Both,
}

impl Seat {
    /// The players of a game whom it stands for.
    pub(super) fn players(self) -> Vec<Player> {
        match self {
            Self::First => vec![Player::FIRST],
            Self::Second => vec![Player::SECOND],
            Self::Both => vec![Player::FIRST, Player::SECOND],
        }
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  shikou diverge tic-tac-toe ai12s ai12s-v3 --against random
  shikou diverge tic-tac-toe ai12s ai12s-v3 --against random --seeds 1000 --all
  shikou diverge othello greedy 'minimax(depth=3)' --judge 'minimax(depth=5)'
  shikou diverge calculation king-rules foundation-first --judge 'flat(playouts=2000)'

For each seed both players meet the same opponent with the same luck; at a solitaire, the same deal.
The first seed at which the two games end differently is shown: the games side by side, and where
they were lost.

Without --judge the game is enumerated, so it must be small, and the players must state their
chances: shown is every position at which the two may choose differently, with their scores and the
exact value of every move.

With --judge any players at any game will do. Its searcher values the moves at each turn of the two:
beside each move stands how much worse it is than the best by these values, and shown are the
position where the games part and the one where each player gave most away, with what both players
and the judge think. A judge is as good as its search; what it says is no proof.")]
pub(in crate::cli) struct DivergeArguments {
    #[command(flatten)]
    pub(super) game: SmallGameArguments,
    /// The one player
    pub(super) first: String,
    /// The other
    pub(super) second: String,
    /// The opponent of both; none at a solitaire [default: random]
    #[arg(long, value_name = "PLAYER")]
    pub(super) against: Option<String>,
    /// A searcher whose values stand in for exact ones
    #[arg(long, value_name = "SEARCHER")]
    pub(super) judge: Option<String>,
    /// Where the two sit
    #[arg(long, value_enum, default_value = "both")]
    pub(super) seat: Seat,
    /// The first seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub(super) from: u64,
    /// How many seeds to try at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) seeds: u64,
    /// Try them all, and count how the games end
    #[arg(long)]
    pub(super) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
