//! Fingerprints: checksums of the behaviour of a game, a policy, an evaluation, a list of rules or a searcher.
//!
//! A fingerprint is the beginning of a SHA-256 hash over fixed small cases. Builds with equal fingerprints behave the
//! same in these cases. Games, policies, evaluations and rules are sampled at the positions of fixed random games. A
//! searcher is sampled by [its cases](NamedSearcher::CASES) on games that are part of the crate, whatever the registry
//! holds.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::catalogue::{Additions, Catalogue, SearcherOf};
use super::choices::DEFAULT;
use super::end_choice::End;
use super::named_searcher::{NamedSearcher, SearcherDecl};
use super::searchers::Random;
use super::spec::SearcherSpec;
use crate::game::options::{OptionKind, OptionValue, Options};
use crate::game::tuples::Board;
use crate::game::{Evaluation, Features, Game, GameExt, NamedGame, Player, Policy, RuleList, Turn, View};
use crate::games::othello::Othello;
use crate::games::random_tree::{RandomTree, Reward, Settings as Tree};
use crate::games::tic_tac_toe::TicTacToe;
use crate::rng::{PlayoutKey, Stream};
use crate::search::{Budget, Limit, Limits, Meter, MoveStream};

/// The number of random games in a sample.
const GAMES: u64 = 4;

/// The most plies of a game in a sample.
const PLIES: usize = 200;

/// The kind of thing that n-tuples look at.
const BOARD: &str = "board";

/// A hash of the text written to it.
#[derive(Default)]
struct Sample(Sha256);

impl Write for Sample {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Sample {
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.write_fmt(text).expect("a hash takes every text");
    }

    fn finish(self) -> String {
        let digest = self.0.finalize();
        let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
        format!("{:016x}", u64::from_be_bytes(*first))
    }
}

/// A fingerprint, or the word `panics` if a case panics. The trials of that player then fail, and the others go on.
fn caught(find: impl FnOnce() -> String) -> String {
    catch_unwind(AssertUnwindSafe(find)).unwrap_or_else(|_| "panics".into())
}

/// The positions of some random games, in order.
fn positions<G: Game>(game: &G, games: u64) -> Vec<G::Position> {
    let mut positions = Vec::new();
    for number in 0..games {
        let mut rng = (Stream::new(number) / "fingerprint").rng();
        let mut position = game.start();
        for _ in 0..PLIES {
            positions.push(position);
            if game.turn(&position) == Turn::Over {
                break;
            }
            let legal = game.legal(&position).count() as u64;
            let mv =
                game.legal(&position).nth(rng.below(legal) as usize).expect("the pick is below the count");
            game.apply(&mut position, mv);
        }
    }
    positions
}

/// The players of a game.
fn seats<G: Game>(game: &G) -> &'static [Player] {
    &[Player::FIRST, Player::SECOND][..usize::from(game.facts().players)]
}

fn of_game<G: Game>(game: &G) -> String {
    let mut sample = Sample::default();
    for position in positions(game, GAMES) {
        sample.add(format_args!("{:?}", game.turn(&position)));
        if game.turn(&position) == Turn::Over {
            for &player in seats(game) {
                let (outcome, score) = (game.outcome(&position, player), game.score(&position, player));
                sample.add(format_args!(" {} {outcome:?} {score}", game.payoff(&position, player)));
            }
        }
        game.legal(&position).for_each(|mv| sample.add(format_args!(" {}", game.notation(&position, mv))));
        game.outcomes(&position).for_each(|(_, weight)| sample.add(format_args!(" {weight}")));
    }
    sample.finish()
}

fn of_policy<G: Game>(game: &G, policy: &dyn Policy<G>) -> String {
    let mut sample = Sample::default();
    for (number, position) in (0..).zip(positions(game, GAMES)) {
        if let Turn::Player(_) = game.turn(&position) {
            let mv = policy.choose(game, &position, &mut PlayoutKey::new(1).playout(number));
            sample.add(format_args!("{} ", game.notation(&position, mv)));
        }
    }
    sample.finish()
}

fn of_evaluation<G: Game>(game: &G, evaluation: &dyn Evaluation<G>) -> String {
    let mut sample = Sample::default();
    // The usual view adds nothing, so that a log knows its evaluations again.
    if evaluation.view() == View::Mover {
        sample.add(format_args!("mover "));
    }
    for position in positions(game, GAMES) {
        for &player in seats(game) {
            let value = match game.turn(&position) {
                Turn::Over => evaluation.finished(game, &position, player),
                Turn::Player(_) | Turn::Chance => evaluation.evaluate(game, &position, player),
            };
            sample.add(format_args!("{value} "));
        }
    }
    sample.finish()
}

fn of_features<G: Game>(game: &G, features: &dyn Features<G>) -> String {
    let mut sample = Sample::default();
    let mut values = vec![0; features.names(game).len()];
    for position in positions(game, GAMES) {
        for &player in seats(game) {
            features.values(game, &position, player, &mut values);
            sample.add(format_args!("{values:?}"));
        }
    }
    sample.finish()
}

fn of_board<G: Game>(game: &G, board: &dyn Board<G>) -> String {
    let mut sample = Sample::default();
    let (rows, columns) = board.size(game);
    sample.add(format_args!("{rows} {columns} {:?}", board.symmetries(game)));
    let mut owners = vec![0; rows * columns];
    for position in positions(game, GAMES) {
        for &player in seats(game) {
            board.owners(game, &position, player, &mut owners);
            sample.add(format_args!("{owners:?}"));
        }
    }
    sample.finish()
}

/// The fingerprint of a searcher, computed once per process.
pub(super) fn once(find: fn() -> String) -> String {
    static KNOWN: Mutex<BTreeMap<usize, String>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let cached = known().get(&(find as usize)).cloned();
    cached.unwrap_or_else(|| {
        let found = find();
        known().insert(find as usize, found.clone());
        found
    })
}

/// The fingerprint of a searcher on the fixed games.
pub(super) fn of_searcher<S: NamedSearcher>() -> String {
    let tree = |settings| RandomTree::new(settings).expect("the settings go together");
    let settings = Tree { branching: 3, depth: 6, ..Tree::default() };
    let othello = Options::parse(&Othello::options(), "size=6").expect("the option is declared");
    let mut sample = Sample::default();
    decide::<S, _>(&TicTacToe, S::CASES, &mut sample);
    decide::<S, _>(&tree(settings), S::CASES, &mut sample);
    decide::<S, _>(&tree(Tree { chance_every: 3, ..settings }), S::CASES, &mut sample);
    decide::<S, _>(&tree(Tree { players: 1, reward: Reward::Score, ..settings }), S::CASES, &mut sample);
    decide::<S, _>(&Othello::with_options(&othello).expect("it is a size"), S::CASES, &mut sample);
    sample.finish()
}

/// The fingerprint of an exact end, on small solitaires of chance.
fn of_exact_end() -> String {
    const CASES: &[&str] = &["end=exact(turns=1)", "end=exact(turns=9)", "end=exact(turns=9,positions=30)"];
    let mut sample = Sample::default();
    for number in 1..=4 {
        let settings = Tree {
            players: 1,
            branching: 3,
            depth: 6,
            chance_every: 3,
            reward: Reward::Score,
            tree: number,
            ..Tree::default()
        };
        let game = RandomTree::new(settings).expect("the settings go together");
        decide::<Random, _>(&game, CASES, &mut sample);
    }
    sample.finish()
}

/// The decisions of each case of a searcher along a random game, with their work.
fn decide<S: NamedSearcher, G: NamedGame>(game: &G, cases: &[&str], sample: &mut Sample) {
    let additions = Additions { searchers: vec![SearcherOf::new::<S>()], ..Additions::default() };
    let catalogue = Catalogue::new(game, &additions);
    let walk = positions(game, 1);
    for case in cases {
        let searcher = SearcherDecl::of::<S>();
        let budget = Budget {
            playouts: searcher.keeps.contains(&Limit::Playouts).then_some(30),
            nodes: searcher.keeps.contains(&Limit::Nodes).then_some(2000),
            ..Budget::UNLIMITED
        };
        let options = Options::parse(&searcher.options_within(&budget), case);
        let options = options.unwrap_or_else(|error| panic!("a case of {}: {error}", S::NAME));
        let spec = SearcherSpec { searcher, options, budget, open_budget: None };
        // What is not repeatable has no behaviour to be compared.
        let Some(recipe) = catalogue.build(&spec).ok().filter(|_| spec.is_repeatable()) else { continue };
        let mut machine = recipe.machine();
        let decisions = (0..).zip(&walk).filter(|(_, at)| matches!(game.turn(at), Turn::Player(_)));
        for (ply, position) in decisions.step_by(2).take(6) {
            let mut meter = Meter::new(Limits::default()).with_budget(budget);
            let stream = MoveStream::new(PlayoutKey::new(ply));
            match machine.choose(game, position, stream, &mut meter) {
                Ok(decision) => {
                    sample.add(format_args!("{} ", game.notation(position, decision.chosen)));
                    for estimate in &decision.moves {
                        sample.add(format_args!("{} {:x} ", estimate.visits, estimate.value.to_bits()));
                    }
                }
                Err(error) => sample.add(format_args!("{error} ")),
            }
            sample.add(format_args!("{:?}", meter.spent()));
        }
    }
}

/// The names and fingerprints of a game, and of everything in it that these searchers use.
pub(super) fn of_all<G: NamedGame>(
    catalogue: &Catalogue<'_, G>,
    game_name: &str,
    searchers: &[&SearcherSpec],
) -> BTreeMap<String, String> {
    let game = catalogue.game();
    let mut all = BTreeMap::from([(format!("game {game_name}"), caught(|| of_game(game)))]);
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    for spec in searchers {
        let number =
            known.entry(spec.searcher.name).or_insert_with(|| caught(|| spec.searcher.fingerprint()));
        all.insert(format!("searcher {}", spec.searcher.name), number.clone());
        if End::of(&spec.options).is_exact() {
            all.insert("end exact".into(), caught(of_exact_end));
        }
        uses(&spec.options, &mut |kind, name| {
            let found = match kind {
                "policies" => {
                    let found = catalogue.policies().into_iter().find(|known| known.name == name);
                    found.map(|known| {
                        ("policy", known.name.into(), caught(|| of_policy(game, &*known.policy)))
                    })
                }
                "evaluations" => {
                    let found = catalogue.evaluations().into_iter();
                    let found = found.into_iter().find(|known| name == DEFAULT || known.name == name);
                    found.map(|known| {
                        ("evaluation", known.name.into(), caught(|| of_evaluation(game, &*known.evaluation)))
                    })
                }
                BOARD => {
                    game.board().map(|board| (BOARD, "squares".into(), caught(|| of_board(game, &*board))))
                }
                "features" => {
                    let found =
                        game.features().into_iter().find(|known| name == DEFAULT || known.name == name);
                    found.map(|known| {
                        ("features", known.name.into(), caught(|| of_features(game, &*known.features)))
                    })
                }
                _ => {
                    let lists = game.rule_lists();
                    let list = lists.iter().find(|known| known.name == name);
                    let text = list.map_or(name, |known| known.text);
                    let mut stated = Sample::default();
                    stated.add(format_args!("{text}"));
                    let name = list.map_or_else(|| stated.finish(), |known| known.name.to_owned());
                    let rules = RuleList::parse(game, text).ok();
                    rules.map(|rules| ("rules", name, caught(|| of_policy(game, &rules))))
                }
            };
            if let Some((kind, name, number)) = found {
                all.insert(format!("{kind} {game_name}/{name}"), number);
            }
        });
    }
    all
}

/// Calls `show` for every policy, evaluation or list that the options name, and for the board of n-tuples, with its kind and
/// name.
fn uses(options: &Options, show: &mut impl FnMut(&'static str, &str)) {
    for (decl, value) in options.iter() {
        match (&decl.kind, value) {
            (OptionKind::Part { parts, names }, OptionValue::Part(part)) => {
                if let Some(names) = names.filter(|_| parts.iter().all(|known| known.name != part.name)) {
                    show(names, &part.name);
                } else {
                    if part.name == "tuples" {
                        show(BOARD, "");
                    }
                    uses(&part.options, show);
                }
            }
            (OptionKind::Tables(_), OptionValue::Tables(tables)) => {
                for table in tables {
                    uses(table, show);
                }
            }
            (OptionKind::NameOf(names), OptionValue::Word(name)) => show(names, name),
            (OptionKind::Rules, OptionValue::Word(text)) => show("rules", text),
            _ => {}
        }
    }
}
