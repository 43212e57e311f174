//! `shikou prove`: a proof that a player never gives value away, or a counterexample.

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::field::{PLAYERS, SmallGameArguments, headline, known, written};
use super::groups::OutputArguments;
use crate::exact::{Counterexample, Proof, Values, prove as proof_of};
use crate::game::{Node, Player};
use crate::players::{Explored, Registry};
use crate::report::{Block, Document, Table, object, optional, with_thousands};

#[derive(Args)]
#[command(after_help = format!("\
Examples:
  shikou prove tic-tac-toe ai12s
  shikou prove tic-tac-toe ai12s-v3 --every-position

Exit code 1 if the player gives value away; the report shows how.

{PLAYERS}"))]
pub(super) struct ProveArguments {
    #[command(flatten)]
    game: SmallGameArguments,
    /// The player
    player: String,
    /// Require that it keeps the value of every position that it reaches, not only that of the start
    #[arg(long)]
    every_position: bool,
    #[command(flatten)]
    output: OutputArguments,
}

pub(super) fn prove(registry: &Registry, arguments: &ProveArguments) -> Result {
    let field = arguments.game.field(registry)?;
    let player = field.player(&arguments.player)?;
    let facts = field.game.facts();
    if facts.chance {
        let reason = "a proof covers every move and every reply; with chance turns a bad outcome does not prove a mistake";
        return Err(usage!("{}: {reason}", field.game.spec()));
    }
    let all = arguments.game.explore(&field)?;
    let all = &all;
    let values = Values::new(all.graph()).map_err(CommandError::usage)?;
    let known = known(all, &player)?;
    let seats = (0..facts.players).map(Player::new);
    let proofs =
        seats.map(|seat| Ok((seat, proof_of(all, &known, seat, arguments.every_position, &values)?)));
    let proofs = proofs.collect::<Result<Vec<_>>>()?;
    let proved = proofs.iter().all(|(_, proof)| proof.counterexample.is_none());
    let mut document = document(all, &player.name, arguments.every_position, &proofs);
    document.0.insert(0, headline(&field, all).into());
    let refuted = |found: &Counterexample| {
        object! {
            line: written(all, all.graph().start(), &found.line),
            position: all.text(found.number),
            mistake: written(all, found.number, &[found.mistake]).remove(0),
            before: found.before.to_string(),
            after: found.after.to_string(),
            best_play: written(all, after(all, found), &found.refutation),
        }
    };
    let seat = |(seat, proof): &(Player, Proof)| {
        let Proof { value, positions, decisions, counterexample, .. } = proof;
        let counterexample = optional("counterexample", counterexample.as_ref().map(refuted));
        object! {
            seat: seat.index() + 1, value: value.to_string(), positions: *positions, decisions: *decisions,
            #[serde(flatten)] counterexample,
        }
    };
    let content = object! {
        game: field.game.spec().to_string(), player: player.name, every_position: arguments.every_position,
        proved,
        seats: proofs.iter().map(seat).collect::<Vec<_>>(),
    };
    arguments.output.show("prove", content, document)?;
    if proved { Ok(()) } else { Err(CommandError::Check) }
}

fn after(all: &Explored<'_>, found: &Counterexample) -> u32 {
    all.graph().edges(found.number)[found.mistake].to
}

fn document(all: &Explored<'_>, name: &str, every_position: bool, proofs: &[(Player, Proof)]) -> Document {
    let mut table =
        Table::new(&["<seat", ">value of the start", ">positions", ">decisions", "<gives value away"]);
    for (seat, Proof { value, positions, decisions, counterexample }) in proofs {
        let [positions, decisions] = [*positions, *decisions].map(|number| with_thousands(number as u64));
        let gives_away = if counterexample.is_some() { "yes, as shown below" } else { "never" };
        let seat = (seat.index() + 1).to_string();
        table.row([seat, value.to_string(), positions, decisions, gives_away.into()]);
    }
    let examples = proofs.iter().filter_map(|(seat, proof)| Some((seat, proof.counterexample.as_ref()?)));
    let examples: Vec<Block> =
        examples.map(|(seat, found)| example(all, name, *seat, found).into()).collect();
    let verdict = match (examples.is_empty(), every_position) {
        (true, true) => {
            format!("Proved: no move of {name} gives value away in any position that it reaches.")
        }
        (true, false) => {
            format!("Proved: against every opponent {name} gets at least the value of the start.")
        }
        (false, true) => format!("Refuted: {name} may give value away."),
        (false, false) => format!("Refuted: {name} may get less than the value of the start."),
    };
    Document([table.into()].into_iter().chain(examples).chain([verdict.into()]).collect())
}

/// A line to a mistake, and how it would be used.
fn example(all: &Explored<'_>, name: &str, seat: Player, found: &Counterexample) -> String {
    let line = written(all, all.graph().start(), &found.line);
    let mistake = written(all, found.number, &[found.mistake]).remove(0);
    let best = written(all, after(all, found), &found.refutation);
    let mut end = after(all, found);
    for &edge in &found.refutation {
        end = all.graph().edges(end)[edge].to;
    }
    let ending = match all.graph().node(end) {
        Node::Over(over) => format!("; the payoff is {}", over.payoffs[seat.index()]),
        _ => String::new(),
    };
    let opening = if line.is_empty() { "At the start".into() } else { format!("After {}", line.join(" ")) };
    let then =
        if best.is_empty() { String::new() } else { format!("; best play continues {}", best.join(" ")) };
    format!(
        "{opening}:\n{}\n{name} (seat {}) may play {mistake}: the value for it falls from {} to {}{then}{ending}.",
        all.drawing(found.number),
        seat.index() + 1,
        found.before,
        found.after,
    )
}
