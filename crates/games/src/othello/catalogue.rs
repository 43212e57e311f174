//! The catalogue of Othello: its options, evaluations, features and file format.

use std::sync::Arc;

use super::features::{General, SquareKinds, Squares};
use super::{
    Choices, Counted, Discs, Empties, FewestReplies, Freedom, Hand, Mobility, Othello, OwnMoves, Reward,
    Weights, squares_board, wthor,
};
use crate::game::options::{OptionDecl, OptionError, Options, Settings, choice, integer, settings};
use crate::game::{Entries, NamedEvaluation, NamedFeatures, NamedGame, NamedPolicy, RecordFormat};

settings! {
    struct OthelloOptions {
        /// squares along an edge: 4, 6 or 8
        size: u8 = integer(4..=8, 8),
        /// owner of the empty squares at the end
        empties: Empties = choice([
            ("nobody", "only discs count", Empties::Nobody),
            ("winner", "empty squares go to the winner, as in tournaments", Empties::Winner),
        ]),
        /// the payoff
        reward: Reward = choice([
            ("success", "-1, 0, 1 for a loss, a draw, a win", Reward::Success),
            ("score", "the disc difference", Reward::Score),
        ]),
    }
}

impl NamedGame for Othello {
    const NAME: &'static str = "othello";
    const ABOUT: &'static str =
        "bracket the opponent's discs and turn them over; a draw with best play on 8×8";
    const SEATS: Option<[&'static str; 2]> = Some(["black", "white"]);
    /// Problems are stated in discs, with the empty squares for the winner.
    const SOLVING: &'static [(&'static str, &'static str)] = &[("reward", "score"), ("empties", "winner")];

    fn options() -> Vec<OptionDecl> {
        OthelloOptions::options()
    }

    fn entries(&self) -> Entries<Self> {
        let wthor = RecordFormat {
            name: "wthor",
            about: "tournament games, the database of the French Othello federation",
            extension: "wtb",
            replay: wthor::replay,
            read: |bytes| {
                let file = wthor::read(bytes).map_err(|error| error.to_string())?;
                Ok(file.records().map(|game| game.moves().map(|mv| mv.to_string()).collect()).collect())
            },
        };
        Entries {
            policies: vec![
                NamedPolicy::uniform(),
                NamedPolicy::new(
                    "fewest-replies",
                    "a move that leaves the opponent the fewest moves",
                    FewestReplies { counted: Counted::Legal },
                ),
                NamedPolicy::new(
                    "fewest-replies-misread",
                    "the same with a fault of source N: replies counted on a board that is partly the one before",
                    FewestReplies { counted: Counted::Misread },
                ),
            ],
            evaluations: vec![
                NamedEvaluation::new(
                    "weights",
                    "squares weighted by place (Lucas and Runarsson 2006)",
                    Weights,
                ),
                NamedEvaluation::new("discs", "own discs minus the opponent's", Discs),
                NamedEvaluation::new("mobility", "own legal moves minus the opponent's", Mobility),
                NamedEvaluation::new(
                    "choices",
                    "legal moves of the player to move; negated for the other player",
                    Choices,
                ),
                NamedEvaluation::new(
                    "hand",
                    "squares weighted by hand: corners 10, beside them -6 and -8",
                    Hand,
                ),
                NamedEvaluation::new(
                    "own-moves",
                    "legal moves that the player would have at its turn",
                    OwnMoves,
                ),
                NamedEvaluation::new("freedom", "1 / (moves that the opponent would have + 1)", Freedom),
            ],
            features: vec![
                NamedFeatures::new(
                    "general",
                    "own minus the opponent's: discs, mobility, corners, frontier",
                    General,
                ),
                NamedFeatures::new(
                    "square-kinds",
                    "own discs minus the opponent's on symmetric squares",
                    SquareKinds,
                ),
                NamedFeatures::new("squares", "owner of each square: 1 the player, -1 the opponent", Squares),
            ],
            board: Some(Arc::new(squares_board::Squares)),
            // The games of the database are on 8×8.
            record_formats: if self.size() == 8 { vec![wthor] } else { Vec::new() },
            ..Entries::default()
        }
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        let OthelloOptions { size, empties, reward } = Settings::read(options);
        if !matches!(size, 4 | 6 | 8) {
            return Err(OptionError::Other(format!(
                "`size` is {size}, but an Othello board is 4, 6 or 8 wide"
            )));
        }
        Ok(Self { empties, reward, ..Self::new(size) })
    }
}
