//! `shikou prove`: whether a player ever gives value away.

use serde::Serialize;

use super::{ProveArguments, headline, known, written};
use crate::cli::failure::Failure;
use crate::cli::output::{print, print_json};
use crate::exact::{Counterexample, Proof, Values, prove as proof_of};
use crate::game::{Node, Player};
use crate::players::{Explored, Registry};
use crate::report::{Table, with_thousands};

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Content {
    game: String,
    player: String,
    every_position: bool,
    proved: bool,
    seats: Vec<Seat>,
}

#[derive(Serialize)]
struct Seat {
    /// The player of the game, from 1.
    #[serde(rename = "seat")]
    number: u8,
    value: String,
    positions: usize,
    decisions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Refuted>,
}

#[derive(Serialize)]
struct Refuted {
    line: Vec<String>,
    position: Option<String>,
    mistake: String,
    before: String,
    after: String,
    best_play: Vec<String>,
}

pub(in crate::cli) fn prove(registry: &Registry, arguments: &ProveArguments) -> Result<(), Failure> {
    let field = arguments.game.field(registry)?;
    let player = field.player(&arguments.player)?;
    let facts = field.game.facts();
    if facts.chance {
        let reason =
            "a proof is of every play and every reply; where chance plays too, a bad end proves no mistake";
        return Err(Failure::Usage(format!("{}: {reason}", field.game.spec())));
    }
    let all = arguments.game.explore(&field)?;
    let all = &*all;
    let values = Values::new(all.graph()).map_err(|error| Failure::Usage(error.to_string()))?;
    let known = known(all, &player)?;
    let seats = (0..facts.players).map(Player::new);
    let proofs =
        seats.map(|seat| Ok((seat, proof_of(all, &known, seat, arguments.every_position, &values)?)));
    let proofs = proofs.collect::<Result<Vec<_>, Failure>>()?;
    let proved = proofs.iter().all(|(_, proof)| proof.counterexample.is_none());
    if arguments.json {
        let content = Content {
            game: field.game.spec().to_string(),
            player: player.name,
            every_position: arguments.every_position,
            proved,
            seats: proofs.iter().map(|(seat, proof)| view(all, *seat, proof)).collect(),
        };
        print_json("prove", SCHEMA, content)?;
    } else {
        print(format!(
            "{}\n\n{}",
            headline(&field, all),
            text(all, &player.name, arguments.every_position, &proofs)
        ))?;
    }
    if proved { Ok(()) } else { Err(Failure::Check) }
}

fn view(all: &dyn Explored, seat: Player, proof: &Proof) -> Seat {
    let refuted = |found: &Counterexample| Refuted {
        line: written(all, all.graph().start(), &found.line),
        position: all.text(found.number),
        mistake: written(all, found.number, &[found.mistake]).remove(0),
        before: found.before.to_string(),
        after: found.after.to_string(),
        best_play: written(all, behind(all, found), &found.refutation),
    };
    Seat {
        number: seat.index() as u8 + 1,
        value: proof.value.to_string(),
        positions: proof.positions,
        decisions: proof.decisions,
        counterexample: proof.counterexample.as_ref().map(refuted),
    }
}

/// The position behind a mistake.
fn behind(all: &dyn Explored, found: &Counterexample) -> u32 {
    all.graph().edges(found.number)[found.mistake].to
}

fn text(all: &dyn Explored, name: &str, every_position: bool, proofs: &[(Player, Proof)]) -> String {
    let mut table =
        Table::new(&["<seat", ">value of the start", ">positions", ">its decisions", "<gives value away"]);
    for (seat, proof) in proofs {
        table.row([
            (seat.index() + 1).to_string(),
            proof.value.to_string(),
            with_thousands(proof.positions as u64),
            with_thousands(proof.decisions as u64),
            if proof.counterexample.is_some() { "yes, as shown below" } else { "never" }.into(),
        ]);
    }
    let examples = proofs.iter().filter_map(|(seat, proof)| Some((seat, proof.counterexample.as_ref()?)));
    let examples: Vec<String> = examples.map(|(seat, found)| example(all, name, *seat, found)).collect();
    let verdict = match (examples.is_empty(), every_position) {
        (true, true) => {
            format!("Proved: no move that {name} may make gives away what its position is worth.")
        }
        (true, false) => {
            format!("Proved: whatever the opponent does, {name} never gets less than the start is worth.")
        }
        (false, true) => format!("Refuted: {name} may give away what its position is worth."),
        (false, false) => format!("Refuted: {name} may get less than the start is worth."),
    };
    let parts = std::iter::once(table.to_string()).chain(examples).chain([verdict]);
    parts.collect::<Vec<_>>().join("\n\n")
}

/// A line to a mistake, and how it would be used.
fn example(all: &dyn Explored, name: &str, seat: Player, found: &Counterexample) -> String {
    let line = written(all, all.graph().start(), &found.line);
    let mistake = written(all, found.number, &[found.mistake]).remove(0);
    let best = written(all, behind(all, found), &found.refutation);
    let mut end = behind(all, found);
    for &edge in &found.refutation {
        end = all.graph().edges(end)[edge].to;
    }
    let ending = match all.graph().node(end) {
        Node::Over(over) => format!("; the payoff is {}", over.payoffs[seat.index()]),
        _ => String::new(),
    };
    let opening = if line.is_empty() { "At the start".into() } else { format!("After {}", line.join(" ")) };
    let then =
        if best.is_empty() { String::new() } else { format!("; best play goes on {}", best.join(" ")) };
    format!(
        "{opening}:\n{}\n{name} (seat {}) may play {mistake}: the position was worth {} to it, and is worth {} then{then}{ending}.",
        all.drawing(found.number),
        seat.index() + 1,
        found.before,
        found.after,
    )
}
