//! Full-width searches: `minimax`, `alpha-beta`, `expectimax`, `greedy`, `simple-tree`.

use crate::game::options::{choice, flag, integer, integer_or, part, parts, real, settings, tables};
use crate::game::{NamedGame, Term};
use crate::players::catalogue::Catalogue;
use crate::players::choices::{
    Depth, DepthChoice, EvaluationChoice, FinishedChoice, PolicyChoice, SumTerm, depth, evaluation, policy,
    ties,
};
use crate::players::decl::{Claims, Others};
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::search::{
    self, AlphaBeta as Searcher, AlphaBetaSettings, FullWidth, Limit, OrderingHeuristic, RootValues, Star,
    Ties,
};

fn check_no_chance(game: &impl NamedGame, name: &str, instead: &str) -> Result<(), FitError> {
    let reason = || format!("{name} does not fit a game of chance; {instead}");
    if game.facts().chance { Err(FitError::searcher(reason())) } else { Ok(()) }
}

/// Returns an error for a game of chance, or for two whose payoffs do not add up to 0.
pub(super) fn check_zero_sum(game: &impl NamedGame, name: &str) -> Result<(), FitError> {
    check_no_chance(game, name, "expectimax does")?;
    let reason = || format!("{name} needs payoffs that add up to 0; minimax does not");
    if game.facts().players > 1 && !game.facts().zero_sum {
        Err(FitError::searcher(reason()))
    } else {
        Ok(())
    }
}

fn of_depth(depth: DepthChoice) -> Claims {
    Claims { is_exact: depth.chosen == Depth::Full, ..Claims::default() }
}

settings! {
    pub(crate) struct Minimax {
        /// plies to look ahead, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(3),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = FinishedChoice::setting(),
        /// which of several best moves is played
        ties: Option<Ties> = choice([
            ("first", "the first in the game's order", Some(Ties::First)),
            ("random", "each with equal probability", Some(Ties::Random)),
            ("soonest", "with depth \"full\": wins in the fewest plies, loses in the most; of the rest each with equal probability", None),
        ]).or("random"),
    }
}

impl NamedSearcher for Minimax {
    const NAME: &'static str = "minimax";
    const ABOUT: &'static str = "plain minimax: every line to a depth, or to the end of the game";
    const PAPER: &'static str = "von Neumann 1928; Shannon 1950";
    const FITS: &'static str = "games without chance that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time, Limit::CpuTime];
    const CASES: &'static [&'static str] = &["", "depth=2", "depth=3,ties=first", "depth=full"];

    fn claims(&self) -> Claims {
        let visits_every_line_to = match self.depth.chosen {
            Depth::Full => u32::MAX,
            Depth::Plies(plies) => plies,
            Depth::Budget => 0,
        };
        Claims { visits_every_line_to, ..of_depth(self.depth) }
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_no_chance(catalogue.game(), Self::NAME, "simple-tree and flat do")?;
        only_if!(G, None, Some(false));
        let Self { depth, evaluation, finished, ties } = self;
        let horizon = catalogue.horizon(depth, &evaluation, finished)?;
        Ok(Recipe::new(match (ties, horizon) {
            (Some(ties), horizon) => FullWidth::minimax(horizon, ties),
            (None, None) => FullWidth::soonest(),
            (None, Some(_)) => {
                let reason = "\"soonest\" compares the lengths of games, so every game is searched to its end; write depth = \"full\"";
                return Err(FitError::option("ties", reason));
            }
        }))
    }
}

settings! {
    pub(crate) struct AlphaBeta {
        /// plies to look ahead, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(4),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = FinishedChoice::setting(),
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
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time, Limit::CpuTime];
    const VALUES_UNVISITED: bool = true;
    const CASES: &'static [&'static str] = &[
        "table=1",
        "depth=3,table=1",
        "depth=4,table=1,order=evaluated,aspiration=10,root=exact",
        "depth=full,table=0,order=killers,root=best,deepening=false",
    ];

    fn claims(&self) -> Claims {
        let others = match self.root {
            RootValues::Ties => Others::BoundsUnlessBest,
            RootValues::Best => Others::Bounds,
            RootValues::Exact => Others::Values,
        };
        Claims { others, ..of_depth(self.depth) }
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        check_zero_sum(catalogue.game(), Self::NAME)?;
        only_if!(G, None, Some(false));
        let Self { depth, evaluation, finished, ties, .. } = self;
        let to_the_budget = depth.chosen == Depth::Budget;
        if to_the_budget && !self.deepening {
            let reason = "a search that its budget ends deepens; write a depth";
            return Err(FitError::option("deepening", reason));
        }
        let settings = AlphaBetaSettings {
            order: self.order,
            table_bytes: self.table << 20,
            deeper_entries: self.deeper_entries,
            deepening: self.deepening,
            aspiration: self.aspiration,
            null_windows: self.null_windows,
            root: self.root,
        };
        Ok(Recipe::new(match catalogue.horizon(depth, &evaluation, finished)? {
            None => Searcher::full(settings, ties),
            Some((_, evaluation)) if to_the_budget => Searcher::to_the_budget(evaluation, settings, ties),
            Some((depth, evaluation)) => Searcher::to_depth(depth, evaluation, settings, ties),
        }))
    }
}

settings! {
    pub(crate) struct Expectimax {
        /// plies to look ahead, decisions and chance alike, or to the end of the game; by default within a budget, as deep as it allows
        depth: DepthChoice = depth(3),
        /// the evaluation at the depth; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// the cuts at chance nodes
        star: Star = choice([
            ("two", "Star2: first searches one move after each outcome", Star::Two),
            ("one", "Star1: bounds unsearched outcomes by the range of values", Star::One),
            ("off", "no cuts at all", Star::Off),
        ]),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Expectimax {
    const NAME: &'static str = "expectimax";
    const ABOUT: &'static str = "expectimax to a depth, or to the end of the game, cut by Star1 and Star2";
    const PAPER: &'static str = "Michie 1966; Ballard 1983; Hauk, Buro, Schaeffer 2004";
    const FITS: &'static str = "games that have an evaluation or are short";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time, Limit::CpuTime];
    const CASES: &'static [&'static str] = &["", "depth=2", "depth=3,star=one", "depth=full,star=off"];

    fn claims(&self) -> Claims {
        of_depth(self.depth)
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { depth, evaluation, star, ties } = self;
        Ok(Recipe::new(match catalogue.horizon(depth, &evaluation, FinishedChoice::Payoff)? {
            None => search::Expectimax::full(star, ties),
            Some((depth, evaluation)) => search::Expectimax::to_depth(depth, evaluation, star, ties),
        }))
    }
}

settings! {
    pub(crate) struct Greedy {
        /// plies to look ahead; beyond the first, the plain mean over all lines counts
        depth: u32 = integer(1..=100, 1).depth(2),
        /// the evaluation of these positions; "default" is the game's first
        evaluation: EvaluationChoice = evaluation(),
        /// how a finished position is valued
        finished: FinishedChoice = FinishedChoice::setting(),
        /// evaluations whose harmonic means over the lines are added, each with its factor; the mean is 0 if a value is not above 0
        harmonic: Vec<SumTerm> = tables(),
        /// probability of a random move instead
        epsilon: f64 = real(0.0..=1.0, 0.0),
        /// which of several best moves is played
        ties: Ties = ties(Ties::Random),
    }
}

impl NamedSearcher for Greedy {
    const NAME: &'static str = "greedy";
    const ABOUT: &'static str = "the best mean evaluation some plies ahead, with occasional random moves";
    const PAPER: &'static str = "with depth 1 and epsilon 0.1: Lucas, Runarsson 2006";
    const FITS: &'static str = "games that have an evaluation";
    const KEEPS: &'static [Limit] = &[Limit::Nodes, Limit::Time, Limit::CpuTime];
    const CASES: &'static [&'static str] = &["", "depth=2,epsilon=0.5"];

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { depth, evaluation, finished, harmonic, epsilon, ties } = self;
        let Some(evaluation) = catalogue.evaluation(&evaluation)? else {
            return Err(FitError::searcher("greedy needs an evaluation, and this game has none"));
        };
        let evaluation = Catalogue::ending(finished, evaluation);
        let unit = evaluation.facts().unit;
        let factors = catalogue
            .terms(&harmonic)?
            .into_iter()
            .map(|Term { times, evaluation }| (times * evaluation.facts().unit / unit, evaluation));
        let greedy = FullWidth::greedy(depth, evaluation, epsilon, ties);
        Ok(Recipe::new(greedy.with_harmonic_means(factors.collect())))
    }
}

settings! {
    pub(crate) struct SimpleTree {
        /// depth of the tree in plies, decisions and chance alike
        level: u32 = integer(1..=100, 4).capped(2),
        /// playouts at each leaf
        playouts: u64 = integer(1..=1_000_000_000, 20).amount(4),
        /// how playouts choose their moves
        policy: PolicyChoice = policy(),
        /// whether the leaves below all moves share random numbers
        common_draws: bool = flag(false),
        /// how leaves are valued
        leaves: LeavesPart = part(),
        /// the mean at turns of chance
        chance: bool = choice([
            ("weighted", "each outcome by its probability", false),
            ("even", "all outcomes alike, so that a rank of which one card is left counts as much as one of four", true),
        ]),
        /// which of several best moves is played
        ties: Ties = ties(Ties::First),
    }
}

parts! {
    /// How leaves are valued.
    pub(crate) enum LeavesPart {
        /// by the mean of their playouts
        Playouts {},
        /// by an evaluation, which also values finished games
        Evaluation {
            /// the evaluation; "default" is the game's first
            evaluation: EvaluationChoice = evaluation(),
        },
    }
}

impl NamedSearcher for SimpleTree {
    const NAME: &'static str = "simple-tree";
    const ABOUT: &'static str = "expectimax to a fixed depth, with playouts or an evaluation at the leaves";
    const PAPER: &'static str = "TIM Labs 2015, part 15 of a series on Calculation";
    const VALUES_UNVISITED: bool = true;
    const CASES: &'static [&'static str] =
        &["level=1,playouts=2", "level=2,playouts=2,common-draws=true", "level=3,playouts=2,ties=random"];

    fn claims(&self) -> Claims {
        Claims { visits_every_line_to: self.level, ..Claims::default() }
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let Self { level, playouts, ties, .. } = self;
        let searcher = match &self.leaves {
            LeavesPart::Playouts {} => {
                FullWidth::simple_tree(level, playouts, catalogue.policy(&self.policy)?, ties)
            }
            LeavesPart::Evaluation { evaluation } => {
                let reason = "this game has no evaluation; write leaves = \"playouts\"";
                let found = catalogue.evaluation(evaluation);
                let found = found.map_err(|misfit| FitError::option("leaves", misfit.reason))?;
                let evaluation = found.ok_or_else(|| FitError::option("leaves", reason))?;
                FullWidth::evaluated_tree(level, evaluation, ties)
            }
        };
        let searcher = searcher.with_common_random_numbers(self.common_draws);
        Ok(Recipe::new(searcher.with_even_chance(self.chance)))
    }
}
