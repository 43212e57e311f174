//! The conformance kit for searchers: what manifests and commands rely on, checked for any searcher in one call.
//!
//! [`check`] lets a searcher play small games with known values, and compares its behaviour with its declarations. The
//! key decision: the kit uses a searcher like the rest of the program, through a [`Registry`], so a searcher that
//! passes can be run. Whether it plays *well* is a question for an experiment.
//!
//! # Example
//! ```
//! use shikou::players::conformance::check_in;
//! let report = check_in(&shikou::registry(), "flat");
//! assert!(report.is_ok(), "{report}");
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::SolveMethod;
use super::any_game::AnyGame;
use super::decl::SearcherDecl;
use super::named_searcher::NamedSearcher;
use super::play_error::{PlayError, longest};
use super::registry::{OpenRegistry, Registry};
use super::spec::SearcherSpec;
use super::table::DecisionView;
use crate::game::Turn;
use crate::game::conformance::{Law, Report};
use crate::games::random_tree::RandomTree;
use crate::games::tic_tac_toe::TicTacToe;
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Budget, Limit, Limits, MoveStream, SearchError, Spent};

/// The games of the kit: for one and two players, with and without chance.
const GAMES: [(&str, &[&str]); 5] = [
    ("tic-tac-toe", &[]),
    ("random-tree", &["branching=3", "depth=6"]),
    ("random-tree", &["branching=3", "depth=6", "chance-every=3"]),
    ("random-tree", &["branching=3", "depth=6", "players=1", "reward=score"]),
    ("random-tree", &["branching=3", "depth=6", "players=1", "reward=score", "chance-every=3"]),
];

/// Positions of tic-tac-toe, each with its only move that wins at once. Every other move loses.
const WINS: [(&str, &str); 2] = [("a1 b2 b1 a3", "c1"), ("a1 b2 c1 a2 c3", "c2")];

/// Trees on which an exact searcher is compared with the solver.
const TREES: u64 = 10;

/// Checks a searcher of any crate against every law.
///
/// # Cost
/// A few hundred decisions by each of [its cases](NamedSearcher::CASES), with small budgets. The calling crate compiles
/// the searcher for two games.
pub fn check<S: NamedSearcher>() -> Report {
    let registry =
        OpenRegistry::empty().with_game::<TicTacToe>().with_game::<RandomTree>().with_searcher::<S>();
    check_in(&registry, S::NAME)
}

/// Panics with the whole report if the searcher breaks a law: the one line of a test.
///
/// # Panics
/// If the searcher breaks a law.
#[track_caller]
pub fn assert_conforms<S: NamedSearcher>() {
    let report = check::<S>();
    assert!(report.is_ok(), "{} breaks laws of searchers\n{report}", S::NAME);
}

/// Checks a searcher of a registry on the games of the kit that the registry has.
///
/// # Panics
/// If the registry does not have the searcher.
pub fn check_in(registry: &Registry, name: &str) -> Report {
    let searcher = registry.searcher(name).unwrap_or_else(|error| panic!("{error}"));
    let laws = LAWS.iter().map(|&(name, about, law)| {
        let mut cases = 0;
        let checked = catch_unwind(AssertUnwindSafe(|| law(registry, searcher, &mut cases)));
        let result = checked.unwrap_or_else(|payload| Err(PlayError::from_panic(&*payload).to_string()));
        Law { name, about, cases, result }
    });
    Report { laws: laws.collect(), payoffs: None }
}

type Check = fn(&Registry, &'static SearcherDecl, &mut u64) -> Result<(), String>;

/// Every law, in the order of the report.
const LAWS: [(&str, &str, Check); 8] = [
    (
        "declaration",
        "the name is in kebab case, every case can be read and written, and limits are sorted",
        declaration,
    ),
    ("fits", "it fits a game of the kit; else the other laws are not checked", fits),
    (
        "legal",
        "it plays whole games by legal moves, and fails only if a limit or another program prevents a decision",
        legal,
    ),
    ("budget", "it exceeds no budget that it keeps; a budget of plies by at most one playout", budget),
    ("repeatable", "it decides the same twice from the same stream, if it claims so", repeatable),
    ("win-in-one", "it plays the move that wins at once, if it searches", win_in_one),
    ("exact", "it plays a best move if it claims exact values", exact),
    ("lock-step", "it decides the same alone and in lock-step, if it asks and tells", lock_step),
];

fn declaration(_: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    let name = searcher.name;
    let kebab = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    require(!name.is_empty() && name.chars().all(kebab), || format!("{name:?} is not in kebab case"))?;
    require(searcher.keeps.is_sorted(), || "its limits are not sorted".into())?;
    require(!searcher.needs_budget || !searcher.keeps.is_empty(), || {
        "it needs a budget and keeps none".into()
    })?;
    for spec in specs(searcher)? {
        *cases += 1;
        let again = SearcherSpec::parse(&spec.to_string(), &[searcher]).map_err(|error| error.to_string())?;
        require(again == spec, || format!("`{spec}` is read as `{again}`"))?;
    }
    Ok(())
}

fn fits(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    *cases = pairs(registry, searcher)?.len() as u64;
    require(*cases > 0, || "none of its cases fits a game of the kit".into())
}

fn legal(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    for (game, spec) in pairs(registry, searcher)? {
        for spec in [spec.clone(), spec.reduced(!game.lists().evaluations.is_empty())] {
            *cases += 1;
            if let Some(error) = play(&*game, &spec, 1).into_iter().find_map(Result::err) {
                return Err(format!("{spec} at {}: {error}", game.spec()));
            }
        }
    }
    Ok(())
}

fn budget(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    for (game, spec) in pairs(registry, searcher)? {
        let most_plies = u64::from(longest(&game.facts()));
        let counted = searcher.keeps.iter().filter(|&&limit| !Budget::of(limit, 1).is_time_limited());
        for (limit, count) in counted.flat_map(|&limit| [1, 7, 50].map(|count| (limit, count))) {
            let spec = spec.clone().with_budget(Budget::of(limit, count));
            if game.fits(&spec).is_err() {
                continue;
            }
            for (_, spent) in play(&*game, &spec, 1).into_iter().flatten() {
                *cases += 1;
                let most = if limit == Limit::Plies { count + most_plies } else { count };
                let (of, limit) = (spent.of(limit), limit.name());
                require(of <= most, || format!("{spec} at {}: {of} {limit} of at most {most}", game.spec()))?;
            }
        }
    }
    Ok(())
}

fn repeatable(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    for (game, spec) in pairs(registry, searcher)?.into_iter().filter(|(_, spec)| spec.is_repeatable()) {
        *cases += 1;
        let (first, second) = (play(&*game, &spec, 2), play(&*game, &spec, 2));
        require(first == second, || format!("{spec} at {}: two games of one stream differ", game.spec()))?;
    }
    Ok(())
}

fn win_in_one(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    let Ok(game) = registry.game("tic-tac-toe", &[]) else { return Ok(()) };
    let name = searcher.name;
    let read = |text: &str| SearcherSpec::parse(text, &[searcher]).ok();
    let specs = [read(name), read(&format!("{name}(depth=full)"))].into_iter().flatten();
    let mut specs = specs.map(|spec| with_budget(spec, 1000)).filter(|spec| game.fits(spec).is_ok());
    let Some(spec) = specs.next().filter(|_| searcher.searches) else { return Ok(()) };
    for (moves, win) in WINS {
        *cases += 1;
        let mut table = game.table(&[Some(spec.clone()), Some(spec.clone())]).expect("it fits");
        moves.split(' ').for_each(|mv| assert!(table.make_written_move(mv), "{mv} is legal"));
        table.decide(stream(3, 0), Limits::default()).map_err(|error| error.to_string())?;
        let found = table.last_move().expect("a move was made");
        require(found == win, || format!("{spec} plays {found} after {moves}, and {win} wins"))?;
    }
    Ok(())
}

fn exact(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    let specs: Vec<SearcherSpec> =
        specs(searcher)?.into_iter().filter(|spec| spec.claims().is_exact).collect();
    for options in GAMES.iter().filter(|(game, _)| *game == "random-tree").map(|(_, options)| options) {
        for tree in 0..TREES {
            let tree = format!("tree={tree}");
            let options: Vec<String> = options.iter().copied().chain([&*tree]).map(Into::into).collect();
            let Ok(game) = registry.game("random-tree", &options) else { continue };
            let best = game.solve("", &SolveMethod::new(1 << 16)).map_err(|error| error.to_string())?.best;
            for spec in specs.iter().filter(|spec| game.fits(spec).is_ok()) {
                *cases += 1;
                let mut table = table(&*game, spec);
                table.decide(stream(4, 0), Limits::default()).map_err(|error| error.to_string())?;
                let found = table.last_move().expect("a move was made");
                require(best.contains(&found), || {
                    format!("{spec} plays {found} at {}; best: {}", game.spec(), best.join(" "))
                })?;
            }
        }
    }
    Ok(())
}

fn lock_step(registry: &Registry, searcher: &'static SearcherDecl, cases: &mut u64) -> Result<(), String> {
    const SIDE_BY_SIDE: u64 = 4;
    for (game, spec) in pairs(registry, searcher)?.into_iter().filter(|(_, spec)| spec.is_repeatable()) {
        let tables = game.prepare(std::slice::from_ref(&spec)).expect("it fits");
        let seats = vec![0; usize::from(game.facts().players)];
        if !tables.ask_and_tell(&seats) {
            continue;
        }
        let mut games = tables.lock_step(&seats, SIDE_BY_SIDE as usize);
        let mut spent = vec![None; SIDE_BY_SIDE as usize];
        for number in 0..SIDE_BY_SIDE {
            spent[number as usize] = games.begin(number as usize, stream(5, number), Limits::default());
        }
        while games.round(&mut |number, result| spent[number] = Some(result)) > 0 {}
        for number in 0..SIDE_BY_SIDE {
            *cases += 1;
            let mut alone = tables.table(&seats);
            let expected = alone.decide(stream(5, number), Limits::default());
            let found = spent[number as usize].clone();
            let views = (games.table(number as usize).last_decision(), alone.last_decision());
            require(found == Some(expected) && views.0 == views.1, || {
                format!("{spec} at {}: side by side {:?}, alone {:?}", game.spec(), views.0, views.1)
            })?;
        }
    }
    Ok(())
}

/// The decisions of a searcher in every seat of one game, with their work. If a budget prevents a decision, a random
/// move is made. Another failure ends the list.
fn play(
    game: &dyn AnyGame,
    spec: &SearcherSpec,
    number: u64,
) -> Vec<Result<(DecisionView, Spent), PlayError>> {
    let (mut table, mut decisions) = (table(game, spec), Vec::new());
    let mut rng = (Stream::new(number) / "conformance").rng();
    while table.turn() != Turn::Over && table.plies() < longest(&game.facts()) {
        if table.turn() == Turn::Chance {
            table.let_chance_choose(&mut rng);
            continue;
        }
        match table.decide(stream(number, table.plies().into()), Limits::default()) {
            Ok(spent) => decisions.push(Ok((table.last_decision().expect("it has just decided").1, spent))),
            // An engine of a case need not be on this machine.
            Err(PlayError::SearchError(SearchError::Budget { .. } | SearchError::Forfeit(_))) => {
                table.make_random_move(&mut rng);
            }
            Err(error) => {
                decisions.push(Err(error));
                break;
            }
        }
    }
    decisions
}

fn table<'g>(game: &'g dyn AnyGame, spec: &SearcherSpec) -> Box<dyn super::table::Table + 'g> {
    let seats = vec![Some(spec.clone()); usize::from(game.facts().players)];
    game.table(&seats).unwrap_or_else(|error| panic!("{spec} fits {}: {error}", game.spec()))
}

const fn stream(key: u64, index: u64) -> MoveStream {
    MoveStream::new(PlayoutKey::new(key).child(index))
}

/// The cases of a searcher, each with a small budget if it needs one.
fn specs(searcher: &'static SearcherDecl) -> Result<Vec<SearcherSpec>, String> {
    let read = |case: &&str| {
        let spec = SearcherSpec::parse(&format!("{}({case})", searcher.name), &[searcher]);
        spec.map(|spec| with_budget(spec, 60)).map_err(|error| format!("case `{case}`: {error}"))
    };
    searcher.cases.iter().map(read).collect()
}

/// Adds a budget, if the searcher needs one.
fn with_budget(spec: SearcherSpec, amount: u64) -> SearcherSpec {
    let budget = if spec.searcher.needs_budget { spec.searcher.budget_of(amount) } else { Budget::UNLIMITED };
    spec.with_budget(budget)
}

/// A game, and a case that fits it.
type Pair = (Arc<dyn AnyGame>, SearcherSpec);

/// The games of the kit with the cases that fit them. A search to the end of tic-tac-toe takes too long here.
fn pairs(registry: &Registry, searcher: &'static SearcherDecl) -> Result<Vec<Pair>, String> {
    let mut pairs = Vec::new();
    for (name, options) in GAMES {
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        let Ok(game) = registry.game(name, &options) else { continue };
        for spec in specs(searcher)? {
            let is_long = spec.claims().is_exact && name == "tic-tac-toe";
            if game.fits(&spec).is_ok() && !is_long {
                pairs.push((Arc::clone(&game), spec));
            }
        }
    }
    Ok(pairs)
}

fn require(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
