//! A user's game, used like the built-in games: a registry, a manifest, trials.

use std::path::Path;

use shikou::experiment::{Manifest, Plan, Record, RunFacts, Summary, play};
use shikou::game::options::{OptionDecl, OptionError, Options, Settings, flag, settings};
use shikou::game::{Counts, Facts, Game, NamedGame, Player, Turn};
use shikou::report::{Extent, Page, run_report};

use crate::connect_four::game::ConnectFour;

/// The example's manifest with a given number of trials per cell.
fn manifest(trials: u64) -> Manifest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/connect-four/connect-four.toml");
    let registry = shikou::registry().with_game::<ConnectFour>();
    let mut manifest = Manifest::read(&path, &registry).unwrap();
    manifest.experiments_mut().for_each(|experiment| experiment.trials = trials);
    manifest
}

fn played(plan: &Plan) -> Vec<Record> {
    plan.canonical().map(|trial| play(plan, trial)).collect()
}

#[test]
fn a_manifest_plays_a_game_that_the_crate_does_not_know() {
    let manifest = manifest(20);
    let plan = Plan::new(&manifest).unwrap();
    let records = played(&plan);
    // Three players meet in three cells.
    assert_eq!(records.len(), 3 * 20);
    for game in records.iter().flat_map(|record| &record.games) {
        assert!(game.result.is_ok(), "{:?}", game.result);
        assert!((7..=42).contains(&game.plies), "{} plies", game.plies);
    }
    let summary = Summary::new(&plan, &records);
    let players = &summary.experiments[0].players;
    let [random, flat_20, flat_100] = &players[..] else { panic!("three players, not {}", players.len()) };
    // The seed is fixed, so this is deterministic.
    assert!(random.result().high < flat_20.result().low, "{random:?} {flat_20:?}");
    assert!(random.result().high < flat_100.result().low, "{random:?} {flat_100:?}");
}

#[test]
fn its_trials_are_functions_of_the_manifest() {
    let manifest = manifest(2);
    let plan = Plan::new(&manifest).unwrap();
    let hashes = || -> Vec<u64> {
        let records = played(&plan);
        records.iter().flat_map(|record| &record.games).map(|game| game.game_hash).collect()
    };
    assert_eq!(hashes(), hashes());
}

#[test]
fn a_manifest_with_an_unregistered_game_is_an_error() {
    let text = manifest(1).text;
    let error = Manifest::parse("connect-four.toml".as_ref(), &text, &shikou::registry()).err().unwrap();
    let message = error.to_string();
    assert!(message.contains("unknown game `connect-four`"), "{message}");
}

settings! {
    /// A solitaire of one turn that is worth 1, 2 or 3 points.
    #[derive(Clone, Debug)]
    struct Draw {
        /// whether the score counts, of which no range is declared
        scored: bool = flag(false),
        /// whether the facts state chance, which no game of this type has
        drawn: bool = flag(false),
    }
}

impl Game for Draw {
    type Position = i32;
    type Move = i32;
    const ALWAYS: Option<Facts> = Some(Facts::solitaire());

    fn facts(&self) -> Facts {
        let facts = Facts::solitaire().with_payoffs(0, 3).with_score_unit("points").with_max_plies(1);
        let counts = if self.scored { Counts::Score } else { facts.counts };
        Facts { counts, chance: self.drawn, ..facts }
    }

    fn start(&self) -> i32 {
        0
    }

    fn turn(&self, position: &i32) -> Turn {
        if *position == 0 { Turn::Player(Player::FIRST) } else { Turn::Over }
    }

    fn moves(&self, position: &i32) -> impl Iterator<Item = i32> {
        1..if *position == 0 { 4 } else { 1 }
    }

    fn apply(&self, position: &mut i32, mv: i32) {
        *position = mv;
    }

    fn payoff(&self, position: &i32, _: Player) -> i32 {
        *position
    }

    fn notation(&self, _: &i32, mv: i32) -> String {
        mv.to_string()
    }

    fn drawing(&self, position: &i32) -> String {
        position.to_string()
    }
}

impl NamedGame for Draw {
    const NAME: &'static str = "draw";
    const ABOUT: &'static str = "one turn for points";

    fn options() -> Vec<OptionDecl> {
        <Self as Settings>::options()
    }

    fn with_options(options: &Options) -> Result<Self, OptionError> {
        Ok(Settings::read(options))
    }
}

/// Facts against the constant of the type are an error at once, not a panic of a searcher that was not compiled for them.
#[test]
fn facts_against_the_constant_of_the_type_are_an_error() {
    let registry = shikou::registry().with_game::<Draw>();
    let error = registry.game("draw(drawn=true)", &[]).err().unwrap().to_string();
    assert!(
        error.contains("draw has other players or another chance than the constant `Game::ALWAYS`"),
        "{error}"
    );
}

/// A score without a range has its answer, but no interval that holds at any time.
#[test]
fn a_score_without_a_range_counts_and_has_no_stopping_rule() {
    let registry = shikou::registry().with_game::<Draw>();
    let text =
        "schema = 1\n[[experiment]]\ngame.draw = { scored = true }\ntrials = 40\nplayer = [\"random\"]\n";
    let plan = Plan::new(&Manifest::parse("draw.toml".as_ref(), text, &registry).unwrap()).unwrap();
    let summary = Summary::new(&plan, &played(&plan));
    let player = &summary.experiments[0].players[0];
    assert!(player.success.is_none() && player.score.unwrap().low > 1.0, "{player:?}");
    let report = run_report(&summary, None, &RunFacts::default(), Extent::Short).text(Page::PLAIN);
    assert!(report.contains("random has a mean score of") && report.contains("score, points"), "{report}");
    let stopped = text.replace("player", "stopping.half-width = { at-most = 0.5 }\nplayer");
    let refused = Manifest::parse("draw.toml".as_ref(), &stopped, &registry).unwrap_err().to_string();
    assert!(refused.contains("a rule needs the range of the score of draw(scored=true)"), "{refused}");
}

/// The margin is what the game declares, whatever its unit is called.
#[test]
fn a_game_whose_unit_is_points_has_its_margin() {
    let registry = shikou::registry().with_game::<Draw>();
    let text = "schema = 1\n[[experiment]]\ngame = \"draw\"\ntrials = 40\nplayer = [\"random\"]\n";
    let plan = Plan::new(&Manifest::parse("draw.toml".as_ref(), text, &registry).unwrap()).unwrap();
    let summary = Summary::new(&plan, &played(&plan));
    assert!(summary.experiments[0].has_margin);
    let report = run_report(&summary, None, &RunFacts::default(), Extent::Short).text(Page::PLAIN);
    assert!(report.contains("margin, points"), "{report}");
}
