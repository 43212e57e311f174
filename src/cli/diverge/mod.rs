//! `shikou diverge`: where two players diverge, and which of them is wrong.

mod judged;

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use self::judged::{Enumerated, Searching};
use super::error::{CommandError, Result, usage};
use super::field::{Field, SmallGameArguments, headline};
use super::groups::{OutputArguments, words};
use super::progress::bar;
use crate::game::{Outcome, Player};
use crate::players::{NamedPlayer, PairedGames, Registry, SameLuck};
use crate::report::{Block, Document, Table, column, columns, object, with_thousands};
use crate::words::counted;

const OUTCOMES: [(Outcome, &str); 3] =
    [(Outcome::Win, "wins"), (Outcome::Draw, "draws"), (Outcome::Loss, "loses")];

const SEATS: [(&str, &str, &[Player]); 3] = [
    ("first", "Both move first", &[Player::FIRST]),
    ("second", "Both move second", &[Player::SECOND]),
    ("both", "One game of each seed from either seat", &[Player::FIRST, Player::SECOND]),
];

#[derive(Args)]
#[command(after_help = "Examples:
  shikou diverge tic-tac-toe ai12s ai12s-v3 --against random
  shikou diverge tic-tac-toe ai12s ai12s-v3 --against random --seeds 1000 --all
  shikou diverge othello greedy 'minimax(depth=3)' --judge 'minimax(depth=5)'
  shikou diverge calculation king-rules foundation-first --judge 'flat(playouts-per-move=2000)'

For each seed both players meet the same opponent with the same luck; in a solitaire, the same deal.
The report shows the first seed whose two games end differently: the games side by side, and the
moves that lost value.

Without --judge the game must be small and the players must state their move probabilities: the values
are exact. With --judge, a searcher that estimates the value of each move, any player and any game
will do, and the estimates prove nothing. docs/why-did-it-get-worse.md shows both.")]
pub(super) struct DivergeArguments {
    #[command(flatten)]
    game: SmallGameArguments,
    /// The first player
    first: String,
    /// The second player
    second: String,
    /// The opponent of both, except in a solitaire [default: random]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// A searcher that estimates values instead of exact values
    #[arg(long, value_name = "SEARCHER")]
    judge: Option<String>,
    /// The seats of the two players
    #[arg(long, default_value = "both", value_parser = words(SEATS))]
    seat: &'static [Player],
    /// The first seed
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    from: u64,
    /// The largest number of seeds to try
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Try all seeds and count the results
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: OutputArguments,
}

/// A judgement of two games that ended differently.
struct Verdict<J> {
    /// A cell beside each move of each game.
    notes: [Vec<String>; 2],
    /// The report on single positions.
    blocks: Vec<Block>,
    json: J,
}

struct Scene {
    two: [NamedPlayer; 2],
    /// None in a solitaire.
    against: Option<NamedPlayer>,
}

#[derive(Default)]
struct Search {
    pairs: u64,
    /// By the outcome of the first player and that of the second.
    counts: BTreeMap<[Outcome; 2], u64>,
    /// The first pair that ended differently.
    found: Option<PairedGames>,
}

pub(super) fn diverge(registry: &Registry, arguments: &DivergeArguments) -> Result {
    last_seed(arguments)?;
    let field = arguments.game.field(registry)?;
    let [first, second] = [&arguments.first, &arguments.second].map(|text| field.player(text));
    let against = match (field.game.facts().players, &arguments.against) {
        (1, None) => None,
        (1, Some(_)) => {
            return Err(usage!("{} is a solitaire; omit --against", field.game.spec()));
        }
        (_, against) => Some(field.player(against.as_deref().unwrap_or("random"))?),
    };
    let judge = arguments.judge.as_deref().map(|text| field.player(text)).transpose()?;
    let scene = Scene { two: [first?, second?], against };
    if let Some(player) = &judge {
        let judge = Searching::new(&*field.game, player)?;
        let verdict = |luck: &SameLuck, pair: &PairedGames| judge.judge(luck, pair, scene.names());
        let headline = format!("{}, judged by {}", field.game.spec(), player.name);
        return search_and_show(&field, &scene, (headline, Some(&player.name)), verdict, arguments);
    }
    let all = arguments.game.explore(&field).map_err(or_judge)?;
    let judge = Enumerated::new(&all, &scene.two)?;
    let verdict = |_: &SameLuck, pair: &PairedGames| judge.judge(pair, scene.names());
    search_and_show(&field, &scene, (headline(&field, &all), None), verdict, arguments)
}

fn last_seed(arguments: &DivergeArguments) -> Result<u64> {
    let DivergeArguments { from, seeds, .. } = arguments;
    from.checked_add(seeds - 1).ok_or_else(|| {
        let most = u64::MAX;
        usage!("there are fewer seeds than {seeds} from {from} to {most}, the last seed; give a smaller --from or --seeds")
    })
}

fn or_judge(failure: CommandError) -> CommandError {
    match failure {
        CommandError::Usage(message) => usage!(
            "{message}\nwith --judge, a searcher estimates the values instead, as in --judge 'flat(playouts-per-move=1000)'"
        ),
        other => other,
    }
}

/// Plays, and shows the first pair that ended differently as it is judged, under a headline. `searcher` is the name of the judge if
/// it is one.
fn search_and_show<J: Serialize>(
    field: &Field,
    scene: &Scene,
    (headline, searcher): (String, Option<&String>),
    judge: impl Fn(&SameLuck, &PairedGames) -> Result<Verdict<J>>,
    arguments: &DivergeArguments,
) -> Result {
    let two = scene.two.each_ref().map(|player| &player.searcher);
    let against = scene.against.as_ref().map(|player| &player.searcher);
    let seats = if against.is_some() { arguments.seat } else { &[Player::FIRST] };
    let lucks = seats.iter().map(|&seat| SameLuck::new(&*field.game, two, against, seat));
    let lucks = lucks.collect::<Result<Vec<_>, _>>()?;
    let Search { pairs, counts, found } = search(&lucks, arguments)?;
    let verdict = found.map(|pair| {
        let luck = lucks.iter().find(|luck| luck.seat() == pair.seat).expect("it was played there");
        judge(luck, &pair).map(|verdict| (pair, verdict))
    });
    let verdict = verdict.transpose()?;
    let cells = OUTCOMES.into_iter().flat_map(|a| OUTCOMES.map(|b| (a, b)));
    let counts = cells.map(|(a, b)| (a.1, b.1, counts.get(&[a.0, b.0]).copied().unwrap_or(0)));
    let counts: Vec<_> = counts.collect();
    let names = scene.names();
    let mut document = Document(vec![headline.into()]);
    if arguments.all {
        let rows: Vec<_> = counts.iter().filter(|(.., count)| *count > 0).collect();
        let table = Table::of(
            &rows,
            [
                column(&format!("<{}", names[0]), &|(first, ..)| first),
                column(&format!("<{}", names[1]), &|(_, second, _)| second),
                column(">pairs", &|(.., count)| with_thousands(*count)),
            ],
        );
        let total = format!("{} of games{}", counted(pairs, "pair"), scene.opposed(" against "));
        document.0.extend([table.into(), Block::Notes(vec![total])]);
    }
    match &verdict {
        Some((pair, verdict)) => {
            let note = if searcher.is_some() { "loses" } else { "value" };
            document.0.extend(scene.games(pair, note, &verdict.notes));
            document.0.extend(verdict.blocks.clone());
        }
        None => document.0.push(
            format!(
                "{} and {} end with the same result in all {} pairs of games{}.",
                names[0],
                names[1],
                with_thousands(pairs),
                scene.opposed(" against "),
            )
            .into(),
        ),
    }
    let divergence = verdict.as_ref().map(|(pair, verdict)| {
        let games = pair.games.each_ref().map(|game| {
            let moves: Vec<&str> = game.moves().collect();
            object! { moves, outcome: ending(game.outcome), margin: game.score }
        });
        let (seed, seat) = (pair.seed, pair.seat.index() + 1);
        object! { seed, seat, games, #[serde(flatten)] verdict: &verdict.json }
    });
    let content = object! {
        game: field.game.spec().to_string(), players: names, against: scene.against(), judge: searcher, pairs,
        counts, divergence,
    };
    arguments.output.show("diverge", content, document)
}

/// Plays the seeds until two games end differently, or all.
fn search(lucks: &[SameLuck], arguments: &DivergeArguments) -> Result<Search> {
    let mut search = Search::default();
    let bar = bar(arguments.seeds, "{bar:40} {pos} of {len} seeds, about {eta} left at most");
    'seeds: for seed in arguments.from..=last_seed(arguments)? {
        for luck in lucks {
            let played = luck.play(seed);
            let pair = played.map_err(|failure| usage!("seed {seed}: {failure}"))?;
            *search.counts.entry(pair.games.each_ref().map(|game| game.outcome)).or_default() += 1;
            search.pairs += 1;
            if pair.differ() && search.found.is_none() {
                search.found = Some(pair);
            }
            if search.found.is_some() && !arguments.all {
                break 'seeds;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(search)
}

/// The plies of the two in both games in order, each once: its game, its number from 0, and the games in which it came
/// up.
fn turns(pair: &PairedGames) -> Vec<(usize, usize, [bool; 2])> {
    let parting = pair.parting().unwrap_or(usize::MAX);
    let mut turns = Vec::new();
    for (game, played) in pair.games.iter().enumerate() {
        for (number, ply) in played.plies.iter().enumerate() {
            let shared = number <= parting;
            if ply.by == Some(pair.seat) && (game == 0 || !shared) {
                turns.push((game, number, [shared || game == 0, shared || game == 1]));
            }
        }
    }
    turns.sort_by_key(|&(game, number, _)| (number, game));
    turns
}

/// The report on a position: a heading with a value, if it has one; the position; the moves, each with a cell and a mark for either
/// of the two, and two cells of the judge; and the verdict on the two.
fn position(
    (ply, in_game, names): (usize, [bool; 2], [&str; 2]),
    value: &str,
    drawing: String,
    judged: [&str; 2],
    moves: impl IntoIterator<Item = [String; 7]>,
    verdict: String,
) -> [Block; 4] {
    let [first, second] = names.map(|name| format!(">{name}"));
    let mut table = Table::new(&["<move", &first, "<", &second, "<", judged[0], judged[1]]);
    moves.into_iter().for_each(|cells| table.row(cells));
    let games = match in_game {
        [true, true] => "both games".into(),
        [first, _] => format!("the game of {}", names[usize::from(!first)]),
    };
    let heading = format!("Ply {}, in {games}{value}:", ply + 1);
    [heading.into(), Block::Notes(vec![drawing]), table.into(), Block::Notes(vec![verdict])]
}

fn mark(may_play: bool) -> String {
    if may_play { "●" } else { "" }.into()
}

fn ending(outcome: Outcome) -> &'static str {
    OUTCOMES.into_iter().find(|&(known, _)| known == outcome).expect("all are listed").1
}

impl Scene {
    fn names(&self) -> [&str; 2] {
        self.two.each_ref().map(|player| player.name.as_str())
    }

    fn against(&self) -> Option<&str> {
        self.against.as_ref().map(|player| player.name.as_str())
    }

    fn opposed(&self, words: &str) -> String {
        self.against().map_or_else(String::new, |against| format!("{words}{against}"))
    }

    /// The results, the moves with a note beside each, and the final positions.
    fn games(&self, pair: &PairedGames, note: &str, notes: &[Vec<String>; 2]) -> [Block; 3] {
        let ([a, b], [first, second]) = (&pair.games, self.names());
        let seat =
            if self.against.is_some() { format!(", seat {}", pair.seat.index() + 1) } else { String::new() };
        let head = format!(
            "Seed {}{seat}{}: {first} {}, {second} {}.",
            pair.seed,
            self.opposed(", against "),
            ending(a.outcome),
            ending(b.outcome),
        );
        let ends = beside(&format!("{first}\n{}", a.drawing), &format!("{second}\n{}", b.drawing));
        [head.into(), self.side_by_side(pair, note, notes).into(), Block::Picture(vec![ends])]
    }

    fn side_by_side(&self, pair: &PairedGames, note: &str, notes: &[Vec<String>; 2]) -> Table {
        let move_of = |game: usize| {
            move |number: &usize| {
                let ply = pair.games[game].plies.get(*number);
                Some(ply.map_or_else(Default::default, |ply| {
                    [ply.mv.clone().into(), (&notes[game][*number]).into()]
                }))
            }
        };
        let [first, second] = self.names().map(|name| format!("<{name}"));
        let note = format!(">{note}");
        let longest = pair.games.iter().map(|game| game.plies.len()).max().unwrap_or(0);
        Table::of(
            &(0..longest).collect::<Vec<_>>(),
            [
                column(">ply", &|number| number + 1),
                column("<to move", &|number| self.who(pair, *number)),
                columns([&first, &note], &move_of(0)),
                columns([&second, &note], &move_of(1)),
                column("<", &|number| {
                    if pair.parting() == Some(*number) { "← they diverge here" } else { "" }
                }),
            ],
        )
    }

    /// The player to move at a ply; of both games if they differ, as they may with chance turns.
    fn who(&self, pair: &PairedGames, number: usize) -> String {
        let who = |by: Option<Player>| match by {
            Some(player) if player == pair.seat => "the two",
            Some(_) => self.against().expect("a game with another player has an opponent"),
            None => "chance",
        };
        let [left, right] = pair.games.each_ref().map(|game| game.plies.get(number).map(|ply| who(ply.by)));
        match (left, right) {
            (Some(left), Some(right)) if left != right => format!("{left} / {right}"),
            (left, right) => left.or(right).expect("one is as long").into(),
        }
    }
}

/// Two texts, the second to the right of the first.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let rows = left.lines().count().max(right.lines().count());
    let (mut left, mut right) = (left.lines(), right.lines());
    let row = |_| {
        let (left, right) = (left.next().unwrap_or(""), right.next().unwrap_or(""));
        format!("{left:<width$}    {right}").trim_end().to_owned()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}
