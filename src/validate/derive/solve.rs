//! The values of positions under best play: by the solver, or by searchers, each of which must prove them.

use std::sync::Arc;

use super::{Context, Derive, Derived, derivation, game};
use crate::experiment::document::{PlacedError, Section};
use crate::game::options::texts;
use crate::game::{GameObject, Player, Turn, Value as Position};
use crate::players::{AnyGame, AnyMachine, NamedPlayer, Registry, SearcherSpec, SolveMethod};
use crate::rng::PlayoutKey;
use crate::search::{BestMoves, Limits, Meter, MoveStream, Stop};
use crate::validate::{Found, Value};

const TABLE_BYTES: u64 = 256 << 20;

/// More outcomes than a turn of chance has.
const OUTCOMES: usize = 1 << 16;

/// Values that are this near are equal.
const NEAR: f64 = 1e-9;

derivation! {
/// The values of positions under best play.
read(section, _path, registry) -> Solve {
    games: Vec<Arc<dyn AnyGame>> = games(section, registry)?,
    /// The empty text is the start.
    positions: Vec<String> = {
        let given = section.get("positions", &texts(0..=usize::MAX).optional())?;
        given.unwrap_or_else(|| vec![String::new()])
    },
    /// The searchers that prove the values; without any, the solver finds them.
    by: Vec<SearcherSpec> = provers(section, &games)?,
} }

/// The game, or one for each text of `each`: more options, such as `rows=2,columns=3`.
fn games(section: &mut Section<'_>, registry: &Registry) -> Result<Vec<Arc<dyn AnyGame>>, PlacedError> {
    let game = game(section, registry)?;
    let Some(each) = section.get("each", &texts(1..=usize::MAX).optional())? else { return Ok(vec![game]) };
    let spec = game.spec();
    let given = spec.options.changed().replace('"', "");
    let with = |(index, more): (usize, &String)| {
        let pairs = given.split(',').chain(more.split(',')).filter(|pair| !pair.is_empty());
        let made = registry.game(spec.name, &pairs.map(str::to_owned).collect::<Vec<_>>());
        made.map_err(|error| PlacedError::new(section.at_item("each", index), error.to_string()))
    };
    each.iter().enumerate().map(with).collect()
}

fn provers(section: &mut Section<'_>, games: &[Arc<dyn AnyGame>]) -> Result<Vec<SearcherSpec>, PlacedError> {
    let mut provers = Vec::new();
    for (index, text) in section.get("by", &texts(1..=usize::MAX))?.iter().enumerate() {
        let misfit = |error| PlacedError::new(section.at_item("by", index), format!("`by`: {error}"));
        let read = |game: &Arc<dyn AnyGame>| NamedPlayer::read(&**game, &[], text);
        provers.push(
            games.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(misfit)?.swap_remove(0).searcher,
        );
    }
    Ok(provers)
}

impl Derive for Solve {
    fn derive(&self, context: &Context<'_>) -> Derived {
        let (threads, best) = (context.threads, BestMoves::One);
        let method = SolveMethod { threads, best, ..SolveMethod::new(TABLE_BYTES) };
        let value = |(game, position): (&Arc<dyn AnyGame>, &String)| {
            let value = if self.by.is_empty() {
                game.solve(position, &method)?.value.0
            } else {
                self.proved(&**game, position)?
            };
            Ok(if value.fract() == 0.0 { Value::Whole(value as i64) } else { Value::Real(value) })
        };
        let all =
            self.games.iter().flat_map(|game| self.positions.iter().map(move |position| (game, position)));
        all.map(value).collect::<Derived<_>>().map(Found::Exact)
    }
}

impl Solve {
    /// The value that all searchers prove: for the player to move, or the first at a turn of chance.
    fn proved(&self, game: &dyn AnyGame, position: &str) -> Derived<f64> {
        let rules = game.object();
        let at = if position.is_empty() { rules.start() } else { rules.parse_position(position)? };
        let mut known: Option<f64> = None;
        for searcher in &self.by {
            let mut prover = Prover { rules, searcher, machine: game.machine(searcher)? };
            let failed = |why| format!("{} {position}: {searcher} {why}", game.spec());
            let value = prover.value(&at).map_err(failed)?;
            if let Some(known) = known.filter(|known| (known - value).abs() > NEAR) {
                return Err(failed(format!("proves {value}, the searcher before it {known}")).into());
            }
            known = known.or(Some(value));
        }
        let value = known.expect("there is a searcher");
        let nearest = value.round();
        let value = if (value - nearest).abs() < NEAR { nearest } else { value };
        Ok(if rules.turn(&at) == Turn::Player(Player::SECOND) { -value } else { value })
    }
}

struct Prover<'g> {
    rules: &'g dyn GameObject,
    searcher: &'g SearcherSpec,
    machine: Box<dyn AnyMachine + 'g>,
}

impl Prover<'_> {
    /// The proved value for the first player: the mean over the outcomes of chance, and after a move that is the only one. Else why there
    /// is none.
    fn value(&mut self, at: &Position) -> Result<f64, String> {
        let rules = self.rules;
        let player = match rules.turn(at) {
            Turn::Over => return Ok(rules.payoff(at, Player::FIRST).into()),
            Turn::Chance => {
                let (mut sum, mut whole) = (0.0, 0.0);
                for (outcome, weight) in rules.outcomes_within(at, OUTCOMES) {
                    sum += f64::from(weight) * self.value(&rules.after(at, &outcome))?;
                    whole += f64::from(weight);
                }
                return Ok(sum / whole);
            }
            Turn::Player(_) if rules.move_count(at) == 1 => {
                return self.value(&rules.after(at, &rules.move_at(at, 0).expect("it has a move")));
            }
            Turn::Player(player) => player,
        };
        let mut meter = Meter::new(Limits::default()).with_budget(self.searcher.budget);
        let decided = self.machine.choose(at, MoveStream::new(PlayoutKey::new(1)), &mut meter);
        let decision = decided.map_err(|error| error.to_string())?;
        let is_proof = match decision.stop {
            Stop::Proved => true,
            Stop::Complete => self.searcher.claims().is_exact,
            _ => false,
        };
        let found =
            decision.moves.iter().find(|estimate| estimate.mv == decision.chosen).filter(|_| is_proof);
        let value = found.ok_or_else(|| format!("proves nothing: {}", decision.stop))?.value;
        Ok(if player == Player::FIRST { value } else { -value })
    }
}
