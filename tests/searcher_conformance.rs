//! The conformance kit for searchers: every searcher of the crate passes, and every planted fault is found under its name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shikou::game::options::{OptionDecl, Options, Settings};
use shikou::game::{Game, GameExt, NamedGame, Tally, Uniform};
use shikou::players::conformance::{assert_conforms, check, check_in};
use shikou::players::{Catalogue, Claims, FitError, Fitted, NamedSearcher, Recipe};
use shikou::search::{Decided, Decision, FlatMonteCarlo, Limit, Meter, MoveStream, Searcher, Stop, Ties};

#[test]
fn every_searcher_conforms() {
    let registry = shikou::registry();
    for searcher in registry.searchers() {
        let report = check_in(&registry, searcher.name);
        assert!(report.is_ok(), "{}\n{report}", searcher.name);
    }
}

/// The fault.
const NOTHING: u8 = 0;
const ILLEGAL: u8 = 1;
const WASTEFUL: u8 = 2;
const FICKLE: u8 = 3;
const BLIND: u8 = 4;
const WRONG: u8 = 5;
const MISFIT: u8 = 6;
const PANICS: u8 = 7;

/// A searcher with one fault: flat Monte Carlo that plays the first move when it is faulty.
#[derive(Clone)]
struct Faulty<const FAULT: u8, G: Game>(FlatMonteCarlo<G>);

/// The number of decisions of all faulty searchers.
static ASKED: AtomicU64 = AtomicU64::new(0);

impl<const FAULT: u8, G: Game> Searcher<G> for Faulty<FAULT, G> {
    fn choose(
        &mut self,
        game: &G,
        position: &G::Position,
        stream: MoveStream,
        meter: &mut Meter,
    ) -> Decided<G> {
        let legal: Vec<G::Move> = game.legal(position).collect();
        match FAULT {
            // The first move of the game, which is taken later at tic-tac-toe.
            ILLEGAL => {
                let mv = game.legal(&game.start()).next().expect("a game has a move");
                Ok(Decision::unsearched(mv, Stop::Forced))
            }
            WASTEFUL => {
                meter.count_playouts(&Tally { playouts: 100, ..Tally::default() });
                self.0.choose(game, position, stream, meter)
            }
            FICKLE => Ok(Decision::unsearched(
                legal[ASKED.fetch_add(1, Ordering::Relaxed) as usize % legal.len()],
                Stop::Forced,
            )),
            BLIND | WRONG => Ok(Decision::unsearched(legal[0], Stop::Forced)),
            PANICS => panic!("out of order"),
            _ => self.0.choose(game, position, stream, meter),
        }
    }
}

struct Named<const FAULT: u8>;

impl<const FAULT: u8> Settings for Named<FAULT> {
    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }

    fn read(_: &Options) -> Self {
        Self
    }
}

impl<const FAULT: u8> NamedSearcher for Named<FAULT> {
    const NAME: &'static str = "faulty";
    const ABOUT: &'static str = "flat Monte Carlo with a fault";
    const KEEPS: &'static [Limit] = if FAULT == WASTEFUL { &[Limit::Playouts] } else { &[] };
    const SEARCHES: bool = FAULT != WRONG && FAULT != FICKLE;

    fn claims(&self) -> Claims {
        Claims { is_exact: FAULT == WRONG, ..Claims::default() }
    }

    fn recipe<G: NamedGame>(self, _: &Catalogue<'_, G>) -> Fitted<G> {
        if FAULT == MISFIT {
            return Err(FitError::searcher("it fits no game"));
        }
        let flat = FlatMonteCarlo::new(100, Arc::new(Uniform), Ties::Random);
        Ok(Recipe::new(Faulty::<FAULT, G>(flat)))
    }
}

/// The laws that a searcher breaks.
fn broken<const FAULT: u8>() -> Vec<&'static str> {
    check::<Named<FAULT>>().violations().map(|law| law.name).collect()
}

#[test]
fn a_searcher_without_fault_conforms() {
    assert_conforms::<Named<NOTHING>>();
}

#[test]
fn every_fault_is_found() {
    assert_eq!(broken::<WASTEFUL>(), ["budget"]);
    assert_eq!(broken::<FICKLE>(), ["repeatable"]);
    assert_eq!(broken::<BLIND>(), ["win-in-one"]);
    assert_eq!(broken::<WRONG>(), ["exact"]);
    assert_eq!(broken::<MISFIT>(), ["fits"]);
    assert_eq!(broken::<ILLEGAL>(), ["legal", "win-in-one"]);
    assert_eq!(broken::<PANICS>(), ["legal", "repeatable", "win-in-one"]);
}
