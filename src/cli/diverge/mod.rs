//! `shikou diverge`: where two players part, and which of them is wrong.
//!
//! | file | holds |
//! |---|---|
//! | `arguments` | what can be typed |
//! | `enumerated` | the judge of a small game: exact values |
//! | `judged` | the judge of any other: a searcher |
//! | `layout` | the two games side by side |

mod arguments;
mod enumerated;
mod judged;
mod layout;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

pub(super) use self::arguments::DivergeArguments;
use self::enumerated::Enumerated;
use self::judged::Searching;
use self::layout::{Scene, ending};
use super::failure::Failure;
use super::field::Field;
use super::output::{print, print_json};
use crate::game::{Outcome, Player};
use crate::players::{NamedPlayer, Played, Registry, SameLuck, Twins};
use crate::report::{Table, with_thousands};

const SCHEMA: u32 = 3;

/// How games end.
const OUTCOMES: [(Outcome, &str); 3] =
    [(Outcome::Win, "wins"), (Outcome::Draw, "draws"), (Outcome::Loss, "loses")];

/// Who tells which of the moves were mistakes.
trait Judge {
    /// What is found about two games.
    type Verdict: Serialize;

    /// What the cells beside the moves are.
    const NOTE: &'static str;

    /// The first line of the text.
    fn headline(&self) -> String;

    /// Judges two games that ended differently.
    fn judge(&self, luck: &SameLuck<'_>, twins: &Twins) -> Result<Self::Verdict, Failure>;

    /// A cell beside each move of each game.
    fn notes(&self, verdict: &Self::Verdict) -> [Vec<String>; 2];

    /// What is said about single positions.
    fn texts(&self, names: [&str; 2], verdict: &Self::Verdict) -> Vec<String>;
}

#[derive(Serialize)]
struct Content<V> {
    game: String,
    players: [String; 2],
    against: Option<String>,
    /// The searcher that judges; `null` where the values are exact.
    judge: Option<String>,
    /// How many pairs of games were played.
    pairs: u64,
    /// Outcome of the first, of the second, and how often.
    counts: Vec<(&'static str, &'static str, u64)>,
    divergence: Option<DivergenceView<V>>,
}

#[derive(Serialize)]
struct DivergenceView<V> {
    seed: u64,
    /// The seat of the two, from 1.
    seat: u8,
    games: [GameView; 2],
    #[serde(flatten)]
    verdict: V,
}

#[derive(Serialize)]
struct GameView {
    moves: Vec<String>,
    outcome: &'static str,
    score: i32,
}

/// A turn of the two that is shown.
#[derive(Serialize)]
struct PositionView<J> {
    /// From 1.
    ply: usize,
    /// In whose game it came up: the first's, the second's.
    in_game: [bool; 2],
    position: Option<String>,
    #[serde(skip)]
    drawing: String,
    #[serde(flatten)]
    judged: J,
}

/// Who plays, and who judges where that is a searcher.
struct Cast {
    two: [NamedPlayer; 2],
    /// None at a solitaire.
    against: Option<NamedPlayer>,
    judge: Option<NamedPlayer>,
}

/// What the seeds came to.
#[derive(Default)]
struct Search {
    pairs: u64,
    /// By the outcome of the first player and that of the second.
    counts: BTreeMap<[Outcome; 2], u64>,
    /// The first pair that ended differently.
    found: Option<Twins>,
}

pub(super) fn diverge(registry: &Registry, arguments: &DivergeArguments) -> Result<(), Failure> {
    last_seed(arguments)?;
    let field = Field::new(registry, &arguments.game.game)?;
    let cast = cast(&field, arguments)?;
    if let Some(judge) = &cast.judge {
        return search_and_show(&field, &cast, &Searching::new(&*field.game, judge, &cast.two)?, arguments);
    }
    let all = arguments.game.explore(&field).map_err(or_judge)?;
    search_and_show(&field, &cast, &Enumerated::new(&field, &*all, &cast.two)?, arguments)
}

/// The last seed that is tried.
fn last_seed(arguments: &DivergeArguments) -> Result<u64, Failure> {
    let DivergeArguments { from, seeds, .. } = arguments;
    from.checked_add(seeds - 1).ok_or_else(|| {
        let most = u64::MAX;
        Failure::Usage(format!(
            "from seed {from} on there are fewer than {seeds} seeds, for the last one is {most}; write a smaller --from or \
             --seeds"
        ))
    })
}

fn cast(field: &Field, arguments: &DivergeArguments) -> Result<Cast, Failure> {
    let [first, second] = [&arguments.first, &arguments.second].map(|text| field.player(text));
    let against = match (field.game.facts().players, &arguments.against) {
        (1, None) => None,
        (1, Some(_)) => {
            let message = format!("{} is a solitaire; leave --against out", field.game.spec());
            return Err(Failure::Usage(message));
        }
        (_, against) => Some(field.player(against.as_deref().unwrap_or("random"))?),
    };
    let judge = arguments.judge.as_deref().map(|text| field.player(text)).transpose()?;
    Ok(Cast { two: [first?, second?], against, judge })
}

/// What else can be done where exact values cannot be had.
fn or_judge(failure: Failure) -> Failure {
    match failure {
        Failure::Usage(message) => Failure::Usage(format!(
            "{message}\nwith --judge, the values of a searcher stand in for exact ones, as in --judge 'flat(playouts=1000)'"
        )),
        other => other,
    }
}

fn search_and_show<J: Judge>(
    field: &Field,
    cast: &Cast,
    judge: &J,
    arguments: &DivergeArguments,
) -> Result<(), Failure> {
    let two = cast.two.each_ref().map(|player| &player.searcher);
    let against = cast.against.as_ref().map(|player| &player.searcher);
    let seats = if against.is_some() { arguments.seat.players() } else { vec![Player::FIRST] };
    let lucks = seats.into_iter().map(|seat| SameLuck::new(&*field.game, two, against, seat));
    let lucks: Vec<SameLuck<'_>> =
        lucks.collect::<Result<_, _>>().map_err(|misfit| Failure::Usage(misfit.to_string()))?;
    let search = search(&lucks, arguments)?;
    let scene = Scene {
        names: cast.two.each_ref().map(|player| player.name.as_str()),
        against: cast.against.as_ref().map(|player| player.name.as_str()),
    };
    let verdict = match &search.found {
        Some(twins) => {
            let luck = lucks.iter().find(|luck| luck.seat() == twins.seat).expect("it was played there");
            Some((twins, judge.judge(luck, twins)?))
        }
        None => None,
    };
    if arguments.json {
        let content = Content {
            game: field.game.spec().to_string(),
            players: scene.names.map(Into::into),
            against: scene.against.map(Into::into),
            judge: cast.judge.as_ref().map(|judge| judge.name.clone()),
            pairs: search.pairs,
            counts: cells().map(|(a, b)| (a.1, b.1, search.count([a.0, b.0]))).collect(),
            divergence: verdict.map(|(twins, verdict)| DivergenceView::new(twins, verdict)),
        };
        return print_json("diverge", SCHEMA, content);
    }
    print(judge.headline())?;
    if arguments.all {
        print(format!("\n{}", counted(&scene, &search)))?;
    }
    let Some((twins, verdict)) = verdict else {
        return print(format!(
            "\n{} and {} end alike in all {} pairs of games{}.",
            scene.names[0],
            scene.names[1],
            with_thousands(search.pairs),
            scene.opposed(" against "),
        ));
    };
    print(format!("\n{}", scene.games(twins, J::NOTE, &judge.notes(&verdict))))?;
    judge.texts(scene.names, &verdict).iter().try_for_each(|text| print(format!("\n{text}")))
}

/// Plays the seeds until two games end differently, or all.
fn search(lucks: &[SameLuck<'_>], arguments: &DivergeArguments) -> Result<Search, Failure> {
    let mut search = Search::default();
    let bar = bar(arguments.seeds);
    for seed in arguments.from..=last_seed(arguments)? {
        for luck in lucks {
            let played = luck.play(seed);
            let twins = played.map_err(|failure| Failure::System(format!("seed {seed}: {failure}")))?;
            search.add(twins);
            if search.found.is_some() && !arguments.all {
                bar.finish_and_clear();
                return Ok(search);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(search)
}

/// How far the search is, on a terminal.
fn bar(seeds: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(seeds), ProgressDrawTarget::stderr_with_hz(5));
    let style = "{bar:40} {pos} of {len} seeds, about {eta} left at most";
    bar.with_style(ProgressStyle::with_template(style).expect("the template is well formed"))
}

impl Search {
    fn add(&mut self, twins: Twins) {
        *self.counts.entry(twins.games.each_ref().map(|game| game.outcome)).or_default() += 1;
        self.pairs += 1;
        if twins.differ() && self.found.is_none() {
            self.found = Some(twins);
        }
    }

    /// How many pairs ended so.
    fn count(&self, outcomes: [Outcome; 2]) -> u64 {
        self.counts.get(&outcomes).copied().unwrap_or(0)
    }
}

type Ending = (Outcome, &'static str);

/// Every two outcomes.
fn cells() -> impl Iterator<Item = (Ending, Ending)> {
    OUTCOMES.into_iter().flat_map(|a| OUTCOMES.into_iter().map(move |b| (a, b)))
}

fn counted(scene: &Scene<'_>, search: &Search) -> String {
    let mut table =
        Table::new(&[format!("<{}", scene.names[0]), format!("<{}", scene.names[1]), ">pairs".into()]);
    for (first, second) in cells() {
        let count = search.count([first.0, second.0]);
        if count > 0 {
            table.row([first.1.into(), second.1.into(), with_thousands(count)]);
        }
    }
    format!("{table}\n{} pairs of games{}", with_thousands(search.pairs), scene.opposed(" against "))
}

impl<V> DivergenceView<V> {
    fn new(twins: &Twins, verdict: V) -> Self {
        let game = |played: &Played| GameView {
            moves: played.moves().map(Into::into).collect(),
            outcome: ending(played.outcome),
            score: played.score,
        };
        Self {
            seed: twins.seed,
            seat: twins.seat.index() as u8 + 1,
            games: twins.games.each_ref().map(game),
            verdict,
        }
    }
}

/// The plies of the two in both games, in their order, each once: as its game, its number from 0, and in whose games it
/// came up.
fn turns(twins: &Twins) -> Vec<(usize, usize, [bool; 2])> {
    let parting = twins.parting().unwrap_or(usize::MAX);
    let mut turns = Vec::new();
    for (game, played) in twins.games.iter().enumerate() {
        for (number, ply) in played.plies.iter().enumerate() {
            let shared = number <= parting;
            if ply.by == Some(twins.seat) && (game == 0 || !shared) {
                turns.push((game, number, [shared || game == 0, shared || game == 1]));
            }
        }
    }
    turns.sort_by_key(|&(game, number, _)| (number, game));
    turns
}

impl<J> PositionView<J> {
    /// When and in whose games it came up, in words.
    fn heading(&self, names: [&str; 2]) -> String {
        let games = match self.in_game {
            [true, true] => "both games".into(),
            [first, _] => format!("the game of {}", names[usize::from(!first)]),
        };
        format!("Ply {}, in {games}", self.ply)
    }
}
