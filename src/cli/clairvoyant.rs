//! `shikou clairvoyant`: the deals of a solitaire that could be won with the hidden order known.

use clap::Args;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::error::{Result, usage};
use super::groups::{GameArguments, OutputArguments, ThreadsArguments};
use crate::players::Registry;
use crate::report::{Block, Document, Table, counted, object, with_thousands};
use crate::rng::Stream;
use crate::stats::{Confidence, wilson};

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

/// The most deals of a verdict that the text names.
const LISTED: usize = 20;

pub(super) fn clairvoyant(registry: &Registry, arguments: &ClairvoyantArguments) -> Result {
    let game = arguments.game.read(registry)?;
    let stream = Stream::new(arguments.seed) / "deal" / &*game.spec().to_string();
    let solve = |instance: u64| game.solve_deal(stream / instance, arguments.nodes);
    let instances = arguments.first..arguments.first + arguments.deals;
    let solutions: Option<Vec<_>> =
        arguments.threads.pool()?.install(|| instances.into_par_iter().map(solve).collect());
    let solutions = solutions.ok_or_else(|| usage!("{} has no solver of known deals", game.spec()))?;
    let those = |verdict| -> Vec<u64> {
        let numbered = (arguments.first..).zip(&solutions);
        numbered.filter(|(_, solution)| solution.0 == verdict).map(|(deal, _)| deal).collect()
    };
    let (lost_deals, undecided_deals) = (those(Some(false)), those(None));
    let deals = arguments.deals;
    let (lost, undecided) = (lost_deals.len() as u64, undecided_deals.len() as u64);
    let won = deals - lost - undecided;
    let low = wilson(won, deals, Confidence::default_level());
    let high = wilson(deals - lost, deals, Confidence::default_level());
    let nodes = solutions.iter().map(|(_, nodes)| nodes).sum::<u64>();
    let mut table = Table::new(&["<deal", ">deals", ">share"]);
    let rows = [("can be won", won), ("cannot", lost), ("undecided", undecided)];
    for (name, count) in rows {
        table.row([name.to_owned(), with_thousands(count), format!("{:.4}", count as f64 / deals as f64)]);
    }
    let (share, [from, to]) = ([low.value, high.value], [low.low, high.high]);
    let shares = if undecided == 0 { &share[..1] } else { &share[..] };
    let shares = shares.iter().map(|share| format!("{share:.4}")).collect::<Vec<_>>().join(" to ");
    let (game, &ClairvoyantArguments { first, seed, nodes: nodes_a_deal, .. }) =
        (game.spec().to_string(), arguments);
    let head = format!(
        "{game}, deals {first} to {} of seed {seed}, the hidden order known: a bound, not a player",
        first + deals - 1,
    );
    let mut notes = vec![
        format!(
            "{shares} of all deals can be won [{from:.4}, {to:.4}] (95 %, Wilson; undecided deals count as lost and as won)"
        ),
        format!("{}, at most about {} per deal", counted(nodes, "position"), with_thousands(nodes_a_deal),),
    ];
    for (verdict, deals) in [("cannot be won", &lost_deals), ("undecided", &undecided_deals)] {
        if !deals.is_empty() {
            let first: Vec<String> = deals.iter().take(LISTED).map(u64::to_string).collect();
            let more = deals.len().saturating_sub(LISTED) as u64;
            let more = if more == 0 {
                String::new()
            } else {
                format!(" and {} more; --json lists all", with_thousands(more))
            };
            notes.push(format!("{verdict}: {}{more}", first.join(", ")));
        }
    }
    let document = Document(vec![head.into(), table.into(), Block::Text(notes)]);
    let content = object! {
        game, seed, first, deals, nodes_a_deal, won, lost, undecided, lost_deals, undecided_deals, share,
        interval: [from, to], nodes,
    };
    arguments.output.show("clairvoyant", content, document)
}
