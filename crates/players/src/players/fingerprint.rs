//! Fingerprints: checksums of the behaviour of a game, a policy, an evaluation, a list of rules or a searcher.
//!
//! A fingerprint is the beginning of a SHA-256 hash over fixed small cases. Builds with equal fingerprints behave the
//! same in these cases. Games, policies, evaluations and rules are sampled at the positions of fixed random games. A
//! searcher is sampled by [its cases](NamedSearcher::CASES) on games that are part of the crate, whatever the registry
//! holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::catalogue::{Additions, Catalogue, SearcherOf};
use super::choices::{DEFAULT, End};
use super::decl::SearcherDecl;
use super::named_searcher::NamedSearcher;
use super::searchers::Random;
use super::spec::SearcherSpec;
use crate::game::options::{OptionKind, OptionValue, Options};
use crate::game::{Entries, GameObject, NamedGame, Player, PolicyObject, Turn, Value, View, object};
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

/// The beginning of the hash of a text.
fn of_text(text: &str) -> String {
    let digest = Sha256::digest(text);
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    format!("{:016x}", u64::from_be_bytes(*first))
}

/// A fingerprint, or the word `panics` if a case panics. The trials of that player then fail, and the others go on.
fn caught(find: &dyn Fn() -> String) -> String {
    catch_unwind(AssertUnwindSafe(find)).unwrap_or_else(|_| "panics".into())
}

/// The positions of some random games, in order.
fn positions(game: &dyn GameObject, games: u64) -> Vec<Value> {
    let mut positions = Vec::new();
    for number in 0..games {
        let mut rng = (Stream::new(number) / "fingerprint").rng();
        let mut position = game.start();
        for _ in 0..PLIES {
            positions.push(position.clone());
            if game.turn(&position) == Turn::Over {
                break;
            }
            let legal = game.legal(&position);
            let (mv, _) = &legal[rng.below(legal.len() as u64) as usize];
            position = game.after(&position, mv);
        }
    }
    positions
}

/// The positions of the sample, each for every player.
fn seen(game: &dyn GameObject) -> impl Iterator<Item = (Value, Player)> {
    let players = game.facts().players;
    let of_each =
        move |position: Value| (0..players).map(move |player| (position.clone(), Player::new(player)));
    positions(game, GAMES).into_iter().flat_map(of_each)
}

fn of_game(game: &dyn GameObject) -> String {
    let mut sample = String::new();
    for position in positions(game, GAMES) {
        let _ = write!(sample, "{:?}", game.turn(&position));
        if game.turn(&position) == Turn::Over {
            for player in (0..game.facts().players).map(Player::new) {
                let (outcome, score) = (game.outcome(&position, player), game.score(&position, player));
                let _ = write!(sample, " {} {outcome:?} {score}", game.payoff(&position, player));
            }
        }
        game.notations(&position).iter().for_each(|mv| sample.extend([" ", mv]));
        for (_, weight) in game.outcomes(&position) {
            let _ = write!(sample, " {weight}");
        }
    }
    // Nothing for a game that draws none.
    for position in
        (0..GAMES).filter_map(|number| game.random_position(&mut (Stream::new(number) / "position").rng()))
    {
        game.notations(&position).iter().for_each(|mv| sample.extend([" ", mv]));
    }
    of_text(&sample)
}

fn of_policy(game: &dyn GameObject, policy: &dyn PolicyObject) -> String {
    let mut sample = String::new();
    for (number, position) in (0..).zip(positions(game, GAMES)) {
        if let Turn::Player(_) = game.turn(&position) {
            let mv = policy.choose(&position, &mut PlayoutKey::new(1).playout(number));
            let _ = write!(sample, "{} ", game.notation(&position, &mv));
        }
    }
    of_text(&sample)
}

fn of_evaluation(game: &dyn GameObject, place: usize) -> String {
    let mut sample = String::new();
    // The usual view adds nothing, so that a log knows its evaluations again.
    if game.evaluation(place).0.view == View::Mover {
        sample += "mover ";
    }
    for (position, player) in seen(game) {
        let is_over = game.turn(&position) == Turn::Over;
        let _ = write!(sample, "{} ", game.value(place, &position, player, is_over));
    }
    of_text(&sample)
}

fn of_features(game: &dyn GameObject, place: usize) -> String {
    let mut sample = String::new();
    let mut values = vec![0; game.feature_names(place).len()];
    for (position, player) in seen(game) {
        game.feature_values(place, &position, player, &mut values);
        let _ = write!(sample, "{values:?}");
    }
    of_text(&sample)
}

fn of_board(game: &dyn GameObject, (rows, columns): (usize, usize)) -> String {
    let mut sample = String::new();
    let _ = write!(sample, "{rows} {columns} {:?}", game.symmetries());
    let mut owners = vec![0; rows * columns];
    for (position, player) in seen(game) {
        game.owners(&position, player, &mut owners);
        let _ = write!(sample, "{owners:?}");
    }
    of_text(&sample)
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
    on_games(&SearcherOf::new::<S>(), &SearcherOf::new::<S>(), &SearcherOf::new::<S>())
}

/// The fingerprint of a searcher, which is given for each type of the fixed games.
fn on_games(
    tic_tac_toe: &SearcherOf<TicTacToe>,
    random_tree: &SearcherOf<RandomTree>,
    othello: &SearcherOf<Othello>,
) -> String {
    let cases = tic_tac_toe.decl.cases;
    let tree = |settings| RandomTree::new(settings).expect("the settings go together");
    let settings = Tree { branching: 3, depth: 6, ..Tree::default() };
    let six = Options::parse(&Othello::options(), "size=6").expect("the option is declared");
    let mut sample = String::new();
    decide(tic_tac_toe, &TicTacToe, cases, &mut sample);
    decide(random_tree, &tree(settings), cases, &mut sample);
    decide(random_tree, &tree(Tree { chance_every: 3, ..settings }), cases, &mut sample);
    decide(random_tree, &tree(Tree { players: 1, reward: Reward::Score, ..settings }), cases, &mut sample);
    decide(othello, &Othello::with_options(&six).expect("it is a size"), cases, &mut sample);
    of_text(&sample)
}

/// The fingerprint of an exact end, on small solitaires of chance.
fn of_exact_end() -> String {
    const CASES: &[&str] = &["end=exact(turns=1)", "end=exact(turns=9)", "end=exact(turns=9,positions=30)"];
    let mut sample = String::new();
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
        decide(&SearcherOf::new::<Random>(), &game, CASES, &mut sample);
    }
    of_text(&sample)
}

/// A searcher with the options of a case, and a small budget of each kind that it keeps.
fn spec(searcher: &'static SearcherDecl, case: &str) -> SearcherSpec {
    let budget = Budget {
        playouts: searcher.keeps.contains(&Limit::Playouts).then_some(30),
        nodes: searcher.keeps.contains(&Limit::Nodes).then_some(2000),
        ..Budget::UNLIMITED
    };
    let options = Options::parse(&searcher.options_within(&budget), case);
    let options = options.unwrap_or_else(|error| panic!("a case of {}: {error}", searcher.name));
    SearcherSpec { searcher, options, budget, open_budget: None }
}

/// The decisions of each case of a searcher along a random game, with their work.
fn decide<G: NamedGame>(searcher: &SearcherOf<G>, game: &G, cases: &[&str], sample: &mut String) {
    let additions = Additions::of(vec![searcher.clone()]);
    let catalogue = Catalogue::new(game, &additions);
    let walk = positions(&*object(game, |_| Entries::default(), None), 1);
    let walk: Vec<&G::Position> = walk.iter().map(Value::of).collect();
    for case in cases {
        let spec = spec(searcher.decl, case);
        // A searcher that is not repeatable has no behaviour to be compared.
        let Some(recipe) = catalogue.build(&spec).ok().filter(|_| spec.is_repeatable()) else { continue };
        let mut machine = recipe.machine();
        let decisions = (0..).zip(&walk).filter(|(_, at)| matches!(game.turn(at), Turn::Player(_)));
        for (ply, position) in decisions.step_by(2).take(6) {
            let mut meter = Meter::new(Limits::default()).with_budget(spec.budget);
            let stream = MoveStream::new(PlayoutKey::new(ply));
            match machine.choose(game, position, stream, &mut meter) {
                Ok(decision) => {
                    let _ = write!(sample, "{} ", game.notation(position, decision.chosen));
                    for estimate in &decision.moves {
                        let _ = write!(sample, "{} {:x} ", estimate.visits, estimate.value.to_bits());
                    }
                }
                Err(error) => sample.extend([error.to_string(), " ".into()]),
            }
            let _ = write!(sample, "{:?}", meter.spent());
        }
    }
}

/// The names and fingerprints of a game, and of everything in it that these searchers use.
pub(super) fn of_all(
    game: &dyn GameObject,
    game_name: &str,
    searchers: &[&SearcherSpec],
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([(format!("game {game_name}"), caught(&|| of_game(game)))]);
    of_searchers(searchers, &mut all);
    for spec in searchers {
        uses(&spec.options, &mut |kind, name| {
            if let Some((kind, name, number)) = of_part(game, kind, name) {
                all.insert(format!("{kind} {game_name}/{name}"), number);
            }
        });
    }
    all
}

/// Adds the names and fingerprints of searchers and of their exact ends.
fn of_searchers(searchers: &[&SearcherSpec], all: &mut BTreeMap<String, String>) {
    for spec in searchers {
        let number = || caught(&|| spec.searcher.fingerprint());
        all.entry(format!("searcher {}", spec.searcher.name)).or_insert_with(number);
        if End::of(&spec.options).is_exact() {
            all.entry("end exact".into()).or_insert_with(|| caught(&of_exact_end));
        }
    }
}

/// The kind, the name and the fingerprint of something of a game that an option names.
fn of_part(game: &dyn GameObject, kind: &str, name: &str) -> Option<(&'static str, String, String)> {
    let place = |names: &[&str]| {
        if name == DEFAULT { Some(0) } else { names.iter().position(|known| *known == name) }
    };
    let (kind, name, number) = match kind {
        "policies" => {
            let (name, policy) = game.policies().into_iter().find(|(known, _)| *known == name)?;
            ("policy", name, caught(&|| of_policy(game, &*policy)))
        }
        "evaluations" => {
            let names = game.evaluations();
            let place = place(&names)?;
            ("evaluation", *names.get(place)?, caught(&|| of_evaluation(game, place)))
        }
        BOARD => {
            let size = game.board_size()?;
            (BOARD, "squares", caught(&|| of_board(game, size)))
        }
        "features" => {
            let names = game.features();
            let place = place(&names)?;
            ("features", *names.get(place)?, caught(&|| of_features(game, place)))
        }
        _ => {
            let known = game.rule_lists().iter().find(|known| known.name == name);
            let text = known.map_or(name, |known| known.text);
            let rules = game.rules(text).ok()?;
            let name = known.map_or_else(|| of_text(text), |known| known.name.to_owned());
            return Some(("rules", name, caught(&|| of_policy(game, &*rules))));
        }
    };
    Some((kind, name.to_owned(), number))
}

/// Calls `show` for every policy, evaluation or list that the options name, and for the board of n-tuples, with its kind and
/// name.
fn uses(options: &Options, show: &mut dyn FnMut(&'static str, &str)) {
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
