//! Alpha-beta: `alpha-beta`.

use crate::game::NamedGame;
use crate::game::options::{choice, flag, integer, integer_or, settings};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{
    Depth, DepthChoice, EvaluationChoice, FinishedChoice, depth, evaluation, finished, ties,
};
use crate::players::named_searcher::{NamedSearcher, Others};
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{AlphaBeta as Searcher, AlphaBetaSettings, Limit, OrderingHeuristic, RootValues, Ties};

pub(crate) struct AlphaBeta;

settings! {
    /// The options of `alpha-beta`.
    pub(crate) struct AlphaBetaOptions {
        /// plies to look ahead, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(4),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = finished(),
        /// the order in which moves are searched
        order: Vec<OrderingHeuristic> = choice([
            (
                "all",
                "by the table, the game's own hint, killers, history",
                vec![OrderingHeuristic::Table, OrderingHeuristic::Hint, OrderingHeuristic::Killers, OrderingHeuristic::History],
            ),
            (
                "evaluated",
                "by the table, the evaluation after the move, killers, history",
                vec![OrderingHeuristic::Table, OrderingHeuristic::Evaluation, OrderingHeuristic::Killers, OrderingHeuristic::History],
            ),
            ("table", "the move that the table remembers, then the game's order", vec![OrderingHeuristic::Table]),
            ("hint", "by the game's own hint", vec![OrderingHeuristic::Hint]),
            ("killers", "moves that cut at the same ply, then the game's order", vec![OrderingHeuristic::Killers]),
            ("history", "by how often moves cut", vec![OrderingHeuristic::History]),
            ("none", "in the game's order", vec![]),
        ]),
        /// size of the transposition table in MiB; 0 for none
        table: u64 = integer(0..=65_536, 16).capped(1),
        /// whether entries of deeper searches count; values may then differ from minimax's
        deeper_entries: bool = flag(false),
        /// whether depths 1, 2, 3 … are searched first
        deepening: bool = flag(true),
        /// half-width of the first window around the last depth's value, in units of the evaluation
        aspiration: Option<u32> = integer_or(0..=1 << 30, "none", None),
        /// whether later moves are tested first (PVS)
        null_windows: bool = flag(true),
        /// the moves at the root whose values are found
        root: RootValues = choice([
            ("ties", "all best moves; the others' values are upper bounds", RootValues::Ties),
            ("best", "one best move; the first found is played", RootValues::Best),
            ("exact", "of all", RootValues::Exact),
        ]),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for AlphaBeta {
    const NAME: &'static str = "alpha-beta";
    const ABOUT: &'static str =
        "alpha-beta: the value of minimax to a depth, or to the end, with far less work";
    const PAPER: &'static str = "Knuth, Moore 1975; Fishburn 1983; Marsland, Campbell 1982";
    const FITS: &'static str = "games without chance that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time];
    const VALUES_UNVISITED: bool = true;
    const CASES: &'static [&'static str] = &[
        "table=1",
        "depth=3,table=1",
        "depth=4,table=1,order=evaluated,aspiration=10,root=exact",
        "depth=full,table=0,order=killers,root=best,deepening=false",
    ];
    type Settings = AlphaBetaOptions;

    fn is_exact(settings: &AlphaBetaOptions) -> bool {
        settings.depth.depth == Depth::Full
    }

    fn others(settings: &AlphaBetaOptions) -> Others {
        match settings.root {
            RootValues::Ties => Others::BoundsUnlessBest,
            RootValues::Best => Others::Bounds,
            RootValues::Exact => Others::Values,
        }
    }

    fn recipe<G: NamedGame>(catalogue: &Catalogue<'_, G>, settings: AlphaBetaOptions) -> Fitted<G> {
        let facts = catalogue.game().facts();
        if facts.chance {
            return Err(FitError::searcher("alpha-beta does not fit a game of chance; expectimax does"));
        }
        if facts.players > 1 && !facts.zero_sum {
            return Err(FitError::searcher("alpha-beta needs payoffs that add up to 0; minimax does not"));
        }
        let AlphaBetaOptions { depth, evaluation, finished, ties, .. } = settings;
        let to_the_budget = depth.depth == Depth::Budget;
        if to_the_budget && !settings.deepening {
            return Err(FitError::option(
                "deepening",
                "a search that its budget ends deepens; write a depth",
            ));
        }
        let settings = AlphaBetaSettings {
            order: settings.order,
            table_bytes: settings.table << 20,
            deeper_entries: settings.deeper_entries,
            deepening: settings.deepening,
            aspiration: settings.aspiration,
            null_windows: settings.null_windows,
            root: settings.root,
        };
        Ok(match catalogue.horizon(depth, &evaluation, finished)? {
            None => Recipe::new(Searcher::full(settings, ties)),
            Some((_, evaluation)) if to_the_budget => {
                Recipe::new(Searcher::to_the_budget(evaluation, settings, ties))
            }
            Some((depth, evaluation)) => Recipe::new(Searcher::to_depth(depth, evaluation, settings, ties)),
        })
    }
}
