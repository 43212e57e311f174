//! An evaluation that works only on batches, like a network: every search that evaluates decides the same with it as
//! with single calls, and requests many positions at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use shikou::game::{
    Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Game, GameExt, NamedEvaluation,
    NamedGame, Player, Turn, Uniform,
};
use shikou::games::calculation::Calculation;
use shikou::games::othello::{Othello, Weights};
use shikou::players::{Table, Tables};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AlphaBeta, AlphaBetaSettings, Budget, Decision, Expectimax, FullWidth, Limits, Memory, MoveStream,
    OrderingHeuristic, Playouts, Prior, Recycling, RootValues, Searcher, Selection, Sight, Spent, Star, Ties,
    Uct, UctSettings,
};

/// The requests to a [`BatchOnly`].
#[derive(Default)]
struct Asked {
    batches: AtomicU64,
    positions: AtomicU64,
}

impl Asked {
    fn reset(&self) {
        self.batches.store(0, Relaxed);
        self.positions.store(0, Relaxed);
    }

    /// The mean number of positions in a batch.
    fn mean(&self) -> f64 {
        self.positions.load(Relaxed) as f64 / self.batches.load(Relaxed) as f64
    }
}

/// An evaluation with a prior: a better position after a move makes the move more likely.
#[derive(Clone)]
struct Single<E>(E);

impl<E> Single<E> {
    fn prior<G: Game>(&self, game: &G, position: &G::Position) -> Vec<f32>
    where
        E: Evaluation<G>,
    {
        let Turn::Player(mover) = game.turn(position) else { panic!("a prior of no player's turn") };
        let weight = |(_, child)| match game.turn(&child) {
            Turn::Over => 1.0,
            _ => 1.0 + (self.0.evaluate(game, &child, mover).clamp(-50, 50) + 50) as f32,
        };
        let weights: Vec<f32> = game.children(position).map(weight).collect();
        let sum: f32 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}

impl<G: Game, E: Evaluation<G>> Evaluation<G> for Single<E> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.0.evaluate(game, position, player)
    }

    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        for EvaluationRequest { position, player, prior } in requests {
            assert_ne!(game.turn(position), Turn::Over, "a finished game needs no evaluation");
            let prior = if *prior { self.prior(game, position) } else { Vec::new() };
            answers.push_with_prior(self.0.evaluate(game, position, *player), prior);
        }
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { has_prior: true, ..EvaluationFacts::default() }
    }

    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.0.finished(game, position, player)
    }

    fn range(&self, game: &G) -> (i64, i64) {
        self.0.range(game)
    }
}

/// The same evaluation, in batches only.
#[derive(Clone)]
struct BatchOnly<E>(Single<E>, Arc<Asked>);

impl<G: Game, E: Evaluation<G>> Evaluation<G> for BatchOnly<E> {
    fn evaluate(&self, _game: &G, _position: &G::Position, _player: Player) -> i64 {
        panic!("a single call")
    }

    fn evaluate_many(
        &self,
        game: &G,
        requests: &[EvaluationRequest<G::Position>],
        answers: &mut EvaluationBuffer,
    ) {
        assert!(!requests.is_empty(), "an empty batch");
        self.1.batches.fetch_add(1, Relaxed);
        self.1.positions.fetch_add(requests.len() as u64, Relaxed);
        self.0.evaluate_many(game, requests, answers);
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { prefers_batches: true, has_prior: true, ..EvaluationFacts::default() }
    }

    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.0.finished(game, position, player)
    }

    fn range(&self, game: &G) -> (i64, i64) {
        Evaluation::<G>::range(&self.0, game)
    }
}

/// An evaluation by single calls, the same in batches only, and the requests to the latter.
fn twins<G: Game, E: Evaluation<G> + Clone + 'static>(evaluation: E) -> PairedGames<G> {
    let (single, asked) = (Single(evaluation), Arc::<Asked>::default());
    PairedGames {
        single: Arc::new(single.clone()),
        batch: Arc::new(BatchOnly(single, Arc::clone(&asked))),
        asked,
    }
}

struct PairedGames<G> {
    single: Arc<dyn Evaluation<G>>,
    batch: Arc<dyn Evaluation<G>>,
    asked: Arc<Asked>,
}

fn decide<G: Game>(
    searcher: &mut dyn Searcher<G>,
    game: &G,
    at: &G::Position,
) -> (Decision<G::Move>, Spent, Vec<G::Move>) {
    let (decision, spent) = crate::support::ask_within(searcher, game, at, Budget::playouts(60), 7);
    let line = searcher.principal_variation(game, at, &decision);
    (decision, spent, line)
}

/// Positions of a random game at a player's turn, every third.
fn positions<G: Game>(game: &G) -> Vec<G::Position> {
    let (mut position, mut draws, mut found) = (game.start(), PlayoutKey::new(3).playout(0), Vec::new());
    for ply in 0.. {
        let mv = match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => game.random_outcome(&position, &mut draws),
            Turn::Player(_) => {
                if ply % 3 == 0 {
                    found.push(position);
                }
                game.random_move(&position, &mut draws)
            }
        };
        game.apply(&mut position, mv);
    }
    found
}

/// Asserts that a searcher decides the same with both evaluations, and that its batches have at least `mean` positions
/// on average.
fn assert_alike<G: Game, S: Searcher<G>>(
    name: &str,
    game: &G,
    twins: &PairedGames<G>,
    mean: f64,
    searcher: impl Fn(Arc<dyn Evaluation<G>>) -> S,
) {
    let PairedGames { single, batch, asked } = twins;
    asked.reset();
    let (mut by_single, mut by_batch) = (searcher(Arc::clone(single)), searcher(Arc::clone(batch)));
    for at in positions(game) {
        assert_eq!(decide(&mut by_batch, game, &at), decide(&mut by_single, game, &at), "{name}");
    }
    assert!(asked.mean() >= mean, "{name}: batches of {} positions", asked.mean());
}

#[test]
fn alpha_beta_decides_alike_in_batches() {
    let game = Othello::new(6);
    let twins = twins(Weights);
    let evaluated = vec![OrderingHeuristic::Table, OrderingHeuristic::Evaluation, OrderingHeuristic::History];
    let variants = [
        AlphaBetaSettings::plain(),
        AlphaBetaSettings::default(),
        AlphaBetaSettings { aspiration: Some(10), ..AlphaBetaSettings::default() },
        AlphaBetaSettings { order: evaluated, ..AlphaBetaSettings::default() },
        AlphaBetaSettings { root: RootValues::Best, ..AlphaBetaSettings::default() },
    ];
    for (number, settings) in variants.into_iter().enumerate() {
        for depth in 1..=4 {
            let name = format!("variant {number} to depth {depth}");
            assert_alike(&name, &game, &twins, 2.0, |evaluation| {
                AlphaBeta::to_depth(depth, evaluation, settings.clone(), Ties::Random)
            });
        }
    }
}

#[test]
fn searches_to_a_depth_decide_alike_in_batches() {
    fn all<G: Game>(game: &G, twins: &PairedGames<G>, mean: f64) {
        for depth in 1..=3 {
            let mean = mean.powi(depth as i32);
            let ties = Ties::Random;
            assert_alike("greedy", game, twins, mean, |by| FullWidth::greedy(depth, by, 0.1, ties));
            assert_alike("simple tree", game, twins, mean, |by| FullWidth::evaluated_tree(depth, by, ties));
            assert_alike("minimax", game, twins, mean, |by| FullWidth::minimax(Some((depth, by)), ties));
            for star in [Star::Off, Star::One, Star::Two] {
                assert_alike("expectimax", game, twins, 1.5, |by| {
                    Expectimax::to_depth(depth, by, star, ties)
                });
            }
        }
    }
    all(&Othello::new(6), &twins(Weights), 3.0);
    let game = Calculation::default();
    let evaluation = game.entries().evaluations[0].evaluation.clone();
    all(&game, &twins(Shared(evaluation)), 1.5);
}

/// An evaluation behind a trait object.
#[derive(Clone)]
struct Shared<G>(Arc<dyn Evaluation<G>>);

impl<G: Game> Evaluation<G> for Shared<G> {
    fn evaluate(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.0.evaluate(game, position, player)
    }

    fn finished(&self, game: &G, position: &G::Position, player: Player) -> i64 {
        self.0.finished(game, position, player)
    }

    fn range(&self, game: &G) -> (i64, i64) {
        self.0.range(game)
    }
}

/// Games of random openings, played to their ends one after the other.
fn play_alone(tables: &dyn Tables, games: u64) -> Vec<(String, Spent)> {
    let play = |game| {
        let (mut table, mut spent) = (tables.table(&[0, 1]), Spent::default());
        open_randomly(&mut *table, game);
        while table.turn() != Turn::Over {
            spent += table.decide(stream(game, table.plies()), Limits::default()).unwrap();
        }
        (table.transcript(), spent)
    };
    (0..games).map(play).collect()
}

/// The same games in lock-step.
fn play_together(tables: &dyn Tables, games: u64) -> Vec<(String, Spent)> {
    let mut rows = tables.lock_step(&[0, 1], games as usize);
    let mut spent = vec![Spent::default(); games as usize];
    (0..games).for_each(|game| open_randomly(rows.table(game as usize), game));
    let mut idle: Vec<usize> = (0..games as usize).collect();
    loop {
        while let Some(game) = idle.pop() {
            let table = rows.table(game);
            if table.turn() != Turn::Over {
                let stream = stream(game as u64, table.plies());
                if let Some(done) = rows.begin(game, stream, Limits::default()) {
                    spent[game] += done.unwrap();
                    idle.push(game);
                }
            }
        }
        let going_on = rows.round(&mut |game, result| {
            spent[game] += result.unwrap();
            idle.push(game);
        });
        if going_on == 0 && idle.is_empty() {
            return (0..games as usize).map(|game| (rows.table(game).transcript(), spent[game])).collect();
        }
    }
}

fn stream(game: u64, ply: u32) -> MoveStream {
    MoveStream::new(PlayoutKey::new(game).child(ply.into()))
}

fn open_randomly(table: &mut dyn Table, game: u64) {
    let mut rng = (Stream::new(game) / "opening").rng();
    (0..4).for_each(|_| table.make_random_move(&mut rng));
}

/// Asserts that games between searchers are the same with single calls and in batches, alone and in lock-step; `EVAL`
/// in the texts is the evaluation. Returns the mean batch alone and in lock-step.
fn assert_games_alike(searchers: [&str; 2]) -> [f64; 2] {
    let PairedGames { single, batch, asked } = twins::<Othello, _>(Weights);
    let named = |name, evaluation: &Arc<dyn Evaluation<Othello>>| NamedEvaluation {
        name,
        about: "square weights",
        evaluation: Arc::clone(evaluation),
    };
    let registry =
        shikou::registry().with_evaluation(named("single", &single)).with_evaluation(named("batch", &batch));
    let game = registry.game("othello", &["size=4".into()]).unwrap();
    let seats = |evaluation: &str| {
        searchers.map(|text| registry.read_searcher(&text.replace("EVAL", evaluation)).unwrap())
    };
    let by_single = game.prepare(&seats("single")).unwrap();
    let expected = play_alone(&*by_single, 12);
    assert_eq!(play_together(&*by_single, 12), expected, "{searchers:?} by single calls");
    let by_batch = game.prepare(&seats("batch")).unwrap();
    let mean = |play: &dyn Fn() -> Vec<(String, Spent)>| {
        asked.reset();
        assert_eq!(play(), expected, "{searchers:?} in batches");
        asked.mean()
    };
    [mean(&|| play_alone(&*by_batch, 12)), mean(&|| play_together(&*by_batch, 12))]
}

#[test]
fn trees_decide_alike_in_batches() {
    let game = Othello::new(6);
    let twins = twins(Weights);
    let plain = || UctSettings::new(Arc::new(Uniform));
    let cut = |plies, evaluation, batch| Playouts::Cut {
        minimax: 0,
        plies,
        evaluation,
        scale: 20.0,
        batch,
        decisive: Sight::Never,
    };
    for plies in [0, 3] {
        assert_alike("cut playouts", &game, &twins, 3.0, |by| {
            Uct::new(UctSettings { playouts: cut(plies, by, 5), ..plain() })
        });
    }
    let selection = Selection::Puct { exploration: 1.0 };
    assert_alike("puct", &game, &twins, 1.0, |by| {
        Uct::new(UctSettings { selection, prior: Prior::Head { evaluation: by }, ..plain() })
    });
    for ties in [Ties::First, Ties::Random] {
        assert_alike("puct with cut playouts", &game, &twins, 1.0, |by| {
            let playouts = cut(0, Arc::clone(&by), 1);
            let prior = Prior::Head { evaluation: by };
            let memory = match ties {
                Ties::First => Memory::Graph { keep: false },
                Ties::Random => Memory::Tree { keep: false, nodes: 0, recycle: Recycling::LeastVisited },
            };
            Uct::new(UctSettings { selection, prior, playouts, ties, memory, ..plain() })
        });
    }
    assert_alike("puct with evaluated moves", &game, &twins, 1.0, |evaluation| {
        let prior = Prior::Evaluation { evaluation, scale: 20.0, minimax: 0 };
        Uct::new(UctSettings { selection, prior, ..plain() })
    });
}

#[test]
fn games_go_alike_in_batches_alone_and_in_lock_step() {
    for searchers in [
        ["greedy(evaluation=EVAL)", "greedy(depth=2,evaluation=EVAL,epsilon=0.2)"],
        ["minimax(depth=2,evaluation=EVAL)", "simple-tree(level=2,leaves=evaluation(evaluation=EVAL))"],
        [
            "uct(playouts=cut(plies=2,batch=2,evaluation=EVAL))@playouts=40",
            "unbounded-minimax(evaluation=EVAL)@nodes=200",
        ],
        [
            "uct(selection=puct,prior=head(evaluation=EVAL))@playouts=30",
            "uct(selection=puct,prior=head(evaluation=EVAL),playouts=cut(evaluation=EVAL))@playouts=40",
        ],
    ] {
        let [alone, together] = assert_games_alike(searchers);
        assert!(together > 3.0 * alone, "{searchers:?}: {alone} alone, {together} in lock-step");
    }
    // Both evaluate during the descent, without batches.
    let [alone, together] = assert_games_alike([
        "uct(backup=implicit(evaluation=EVAL))@playouts=40",
        "uct(selection=puct,prior=evaluation(evaluation=EVAL))@playouts=40",
    ]);
    assert_eq!(alone, together);
    // Its batches are the children of a node, whatever other searches ask for.
    let [alone, together] = assert_games_alike([
        "alpha-beta(depth=3,evaluation=EVAL)",
        "alpha-beta(depth=2,evaluation=EVAL,root=best)",
    ]);
    assert!(alone > 1.5 && together == alone, "{alone} alone, {together} in lock-step");
}
