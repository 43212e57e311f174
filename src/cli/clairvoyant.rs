//! `shikou clairvoyant`: the deals of a solitaire that could be won with the hidden order known.

use clap::Args;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;

use super::error::CommandError;
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use crate::game::{DealSolution, DealVerdict};
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, with_thousands};
use crate::rng::Stream;
use crate::stats::{Confidence, wilson};

const SCHEMA: u32 = 1;

#[derive(Args)]
#[command(after_help = "Example:
  shikou clairvoyant calculation --option piles=3 --deals 100

The deals are those of an experiment with the same game and seed. A deal that the search cannot
decide within its limit counts as lost at the lower end of the interval and as won at the upper end.")]
pub(super) struct ClairvoyantArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The number of deals
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    deals: u64,
    /// The number of the first deal
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1 << 40))]
    first: u64,
    /// The seed of the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The approximate limit of positions to search for a deal
    #[arg(long, default_value_t = 10_000_000)]
    nodes: u64,
    #[command(flatten)]
    threads: ThreadsArguments,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Content {
    game: String,
    seed: u64,
    first: u64,
    deals: u64,
    nodes_a_deal: u64,
    won: u64,
    lost: u64,
    undecided: u64,
    lost_deals: Vec<u64>,
    undecided_deals: Vec<u64>,
    /// The share that can be won if no undecided deal can, and if all can.
    share: [f64; 2],
    /// Wilson's lower end of the one, and the upper end of the other.
    interval: [f64; 2],
    nodes: u64,
}

pub(super) fn clairvoyant(registry: &Registry, arguments: &ClairvoyantArguments) -> Result<(), CommandError> {
    let game = arguments.game.read(registry)?;
    let stream = Stream::new(arguments.seed) / "deal" / &*game.spec().to_string();
    let solve = |instance: u64| game.rules().solve_deal(stream / instance, arguments.nodes);
    let instances = arguments.first..arguments.first + arguments.deals;
    let solutions: Option<Vec<DealSolution>> =
        arguments.threads.pool()?.install(|| instances.into_par_iter().map(solve).collect());
    let solutions = solutions
        .ok_or_else(|| CommandError::Usage(format!("{} has no solver of known deals", game.spec())))?;
    let those = |verdict| -> Vec<u64> {
        let numbered = (arguments.first..).zip(&solutions);
        numbered.filter(|(_, solution)| solution.verdict == verdict).map(|(deal, _)| deal).collect()
    };
    let (lost_deals, undecided_deals) = (those(DealVerdict::Lost), those(DealVerdict::Undecided));
    let deals = arguments.deals;
    let (lost, undecided) = (lost_deals.len() as u64, undecided_deals.len() as u64);
    let won = deals - lost - undecided;
    let low = wilson(won, deals, Confidence::default_level());
    let high = wilson(deals - lost, deals, Confidence::default_level());
    let content = Content {
        game: game.spec().to_string(),
        seed: arguments.seed,
        first: arguments.first,
        deals,
        nodes_a_deal: arguments.nodes,
        won,
        lost,
        undecided,
        lost_deals,
        undecided_deals,
        share: [low.value, high.value],
        interval: [low.low, high.high],
        nodes: solutions.iter().map(|solution| solution.nodes).sum(),
    };
    let document = document(&content);
    arguments.output.show("clairvoyant", SCHEMA, content, document)
}

fn document(content: &Content) -> Document {
    let mut table = Table::new(&["<deal", ">deals", ">share"]);
    let rows = [("can be won", content.won), ("cannot", content.lost), ("undecided", content.undecided)];
    for (name, count) in rows {
        table.row([
            name.to_owned(),
            with_thousands(count),
            format!("{:.4}", count as f64 / content.deals as f64),
        ]);
    }
    let [low, high] = content.share;
    let share = if content.undecided == 0 { format!("{low:.4}") } else { format!("{low:.4} to {high:.4}") };
    let [from, to] = content.interval;
    let head = format!(
        "{}, deals {} to {} of seed {}, the hidden order known: a bound, not a player",
        content.game,
        content.first,
        content.first + content.deals - 1,
        content.seed,
    );
    let mut notes = vec![
        format!(
            "{share} of all deals can be won [{from:.4}, {to:.4}] (95 %, Wilson; undecided deals count as lost and as won)"
        ),
        format!(
            "{}, at most about {} per deal",
            counted(content.nodes, "position"),
            with_thousands(content.nodes_a_deal),
        ),
    ];
    for (verdict, deals) in [("cannot be won", &content.lost_deals), ("undecided", &content.undecided_deals)]
    {
        if !deals.is_empty() {
            let deals: Vec<String> = deals.iter().map(u64::to_string).collect();
            notes.push(format!("{verdict}: {}", deals.join(", ")));
        }
    }
    Document(vec![head.into(), table.into(), Block::Text(notes)])
}
