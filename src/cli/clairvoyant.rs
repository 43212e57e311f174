//! `shikou clairvoyant`: how many deals of Calculation could be won by one who knew the stock.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;

use super::arguments::ClairvoyantArguments;
use super::failure::Failure;
use super::output::{print, print_json};
use crate::game::{Game, NamedGame};
use crate::games::calculation::{Calculation, Clairvoyant, Solution, Verdict};
use crate::players::Registry;
use crate::report::{Table, with_thousands};
use crate::rng::Stream;
use crate::stats::{Confidence, wilson};

const SCHEMA: u32 = 1;

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
    /// The share that can be won if no undecided deal can, and if all can.
    share: [f64; 2],
    /// Wilson's lower end of the one, and the upper end of the other.
    interval: [f64; 2],
    nodes: u64,
}

pub(super) fn clairvoyant(registry: &Registry, arguments: &ClairvoyantArguments) -> Result<(), Failure> {
    let game = registry.game(&arguments.game.game, &arguments.game.options)?;
    if game.spec().name != Calculation::NAME {
        let message =
            format!("the clairvoyant bound is known for {} only, not for {}", Calculation::NAME, game.spec());
        return Err(Failure::Usage(message));
    }
    let calculation = Calculation::with_options(&game.spec().options)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.into()).build();
    let pool = pool.map_err(|error| Failure::System(format!("cannot start the threads: {error}")))?;
    let stream = Stream::new(arguments.seed) / "deal" / &*game.spec().to_string();
    let solve = |instance: u64| {
        let order = calculation.deal(&mut (stream / instance).rng());
        Clairvoyant::new(&calculation, arguments.nodes).solve(&calculation.start(), &order)
    };
    let instances = arguments.first..arguments.first + arguments.deals;
    let solutions: Vec<Solution> = pool.install(|| instances.into_par_iter().map(solve).collect());
    let count =
        |is: fn(&Verdict) -> bool| solutions.iter().filter(|solution| is(&solution.verdict)).count() as u64;
    let won = count(|verdict| matches!(verdict, Verdict::Won(_)));
    let lost = count(|verdict| *verdict == Verdict::Lost);
    let deals = arguments.deals;
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
        undecided: deals - won - lost,
        share: [low.value, high.value],
        interval: [low.low, high.high],
        nodes: solutions.iter().map(|solution| solution.nodes).sum(),
    };
    if arguments.json {
        return print_json("clairvoyant", SCHEMA, content);
    }
    print(text(&content))
}

fn text(content: &Content) -> String {
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
    format!(
        "{}, deals {} to {} of seed {}, the order of the stock known: a bound, not a player\n\n{table}\n\n\
         {share} of all deals can be won [{from:.4}, {to:.4}] (95 %, Wilson; undecided deals lost and won)\n\
         {} positions, at most about {} a deal",
        content.game,
        content.first,
        content.first + content.deals - 1,
        content.seed,
        with_thousands(content.nodes),
        with_thousands(content.nodes_a_deal),
    )
}
