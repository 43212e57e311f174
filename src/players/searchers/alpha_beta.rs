//! Alpha-beta: `alpha-beta`.

use super::parts::{evaluation_option, horizon, smaller_depth, ties, ties_option};
use super::{Declared, Misfit, Recipe};
use crate::game::Game;
use crate::game::options::{OptionDecl, OptionKind, OptionValue, Options};
use crate::search::{AlphaBeta as Searcher, AlphaBetaSettings, Cue, Limit, RootValues};

pub(super) struct AlphaBeta;

const ORDERS: &[(&str, &str)] = &[
    ("all", "by the table, the game's own hint, killers, history"),
    ("evaluated", "by the table, the evaluation behind the move, killers, history"),
    ("table", "the move that the table remembers, then the game's order"),
    ("hint", "by the game's own hint"),
    ("killers", "moves that cut at the same ply, then the game's order"),
    ("history", "by how often moves cut"),
    ("none", "in the game's order"),
];

fn order(name: &str) -> Vec<Cue> {
    match name {
        "all" => vec![Cue::Table, Cue::Hint, Cue::Killers, Cue::History],
        "evaluated" => vec![Cue::Table, Cue::Evaluation, Cue::Killers, Cue::History],
        "table" => vec![Cue::Table],
        "hint" => vec![Cue::Hint],
        "killers" => vec![Cue::Killers],
        "history" => vec![Cue::History],
        _ => Vec::new(),
    }
}

impl Declared for AlphaBeta {
    const NAME: &'static str = "alpha-beta";
    const ABOUT: &'static str =
        "alpha-beta: the value of minimax to a depth, or to the end, with far less work";
    const PAPER: &'static str = "Knuth, Moore 1975; Fishburn 1983; Marsland, Campbell 1982";
    const FITS: &'static str = "games without chance that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];

    fn options() -> Vec<OptionDecl> {
        vec![
            OptionDecl {
                name: "depth",
                kind: OptionKind::IntegerOr { min: 1, max: 1000, word: "full" },
                default: 4.into(),
                about: "plies to look ahead, or to the end of the game",
            },
            evaluation_option("what stands in at the depth; \"default\" is the game's first"),
            OptionDecl::choice("order", ORDERS, "which moves are searched first"),
            OptionDecl::integer("table", 0, 65_536, 16, "size of the table of positions in MiB; 0 is none"),
            OptionDecl::flag(
                "deeper-entries",
                false,
                "whether entries of deeper searches count; values are then not minimax's",
            ),
            OptionDecl::flag("deepening", true, "whether depths 1, 2, 3 … are searched first"),
            OptionDecl {
                name: "aspiration",
                kind: OptionKind::IntegerOr { min: 0, max: 1 << 30, word: "none" },
                default: "none".into(),
                about: "how far from the last depth's value to look first, in units of the evaluation",
            },
            OptionDecl::flag("null-windows", true, "whether later moves are tested first (PVS)"),
            OptionDecl::choice(
                "root",
                &[
                    ("ties", "of all that are best; the others' are upper bounds"),
                    ("best", "of one that is best; the first found is played"),
                    ("exact", "of all"),
                ],
                "of which moves at the root the value is found",
            ),
            ties_option("random"),
        ]
    }

    /// A search to the end of the game stays one where the game has no evaluation.
    fn smaller(option: &str, value: &OptionValue, has_evaluation: bool) -> OptionValue {
        match (option, value) {
            ("table", &OptionValue::Integer(mebibytes)) => mebibytes.min(1).into(),
            _ => smaller_depth(option, value, has_evaluation),
        }
    }

    fn recipe<G: Game>(game: &G, options: &Options) -> Result<Recipe<G>, Misfit> {
        let facts = game.facts();
        if facts.chance {
            return Err(Misfit::searcher("alpha-beta does not fit a game of chance; expectimax does"));
        }
        if facts.players > 1 && !facts.zero_sum {
            return Err(Misfit::searcher("alpha-beta needs payoffs that add up to 0; minimax does not"));
        }
        let settings = AlphaBetaSettings {
            order: order(options.word("order")),
            table_bytes: (options.integer("table") as u64) << 20,
            deeper_entries: options.flag("deeper-entries"),
            deepening: options.flag("deepening"),
            aspiration: options.integer_or_word("aspiration").map(|width| width as u32),
            null_windows: options.flag("null-windows"),
            root: match options.word("root") {
                "best" => RootValues::Best,
                "exact" => RootValues::Exact,
                _ => RootValues::Ties,
            },
        };
        let ties = ties(options);
        Ok(match horizon(game, options)? {
            None => Recipe::new(Searcher::full(settings, ties)),
            Some((depth, evaluation)) => Recipe::new(Searcher::to_depth(depth, evaluation, settings, ties)),
        })
    }
}
