//! The exact result of two known players, and proofs that a player never gives value away.

use std::sync::Arc;

use super::{Context, Derive, Derived, derivation, game};
use crate::exact::{Expected, Fraction, Keep, Known, Values, best_response, meeting, prove};
use crate::experiment::document::{PlacedError, Section, text};
use crate::game::Player;
use crate::game::options::flag;
use crate::players::{AnyGame, Explored, NamedPlayer, SearcherSpec};
use crate::validate::{Found, Value};

/// Larger games are not enumerated.
const MOST_POSITIONS: usize = 5_000_000;

derivation! {
/// A player against another: win, loss and draw probabilities, as first player and then as second.
read(section, _path, registry) -> Exact {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    /// `None`: against the best response that never gives value away.
    player: Option<SearcherSpec> = if section.get("best-response", &flag(false))? {
        None
    } else {
        Some(searcher(section, "player", &*game)?)
    },
    against: SearcherSpec = searcher(section, "against", &*game)?,
    percent: bool = section.get("percent", &flag(false))?,
} }

/// Reads a player in the forms that every command accepts: a name of the game, or a searcher.
fn searcher(
    section: &mut Section<'_>,
    key: &'static str,
    game: &dyn AnyGame,
) -> Result<SearcherSpec, PlacedError> {
    let value = section.require(key, &format!("{key} = \"random\""))?;
    let player = NamedPlayer::read(game, &[], &text(key, value)?);
    player
        .map(|player| player.searcher)
        .map_err(|error| PlacedError::new(value.span(), format!("`{key}`: {error}")))
}

impl Derive for Exact {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let all = explored(&*self.game)?;
        let all = &all;
        let against = known(all, &self.against)?;
        let seats = [Player::FIRST, Player::SECOND];
        let expected = if let Some(player) = &self.player {
            let player = known(all, player)?;
            seats.map(|seat| {
                let players = if seat == Player::FIRST { [&player, &against] } else { [&against, &player] };
                meeting(all, players, seat)
            })
        } else {
            let values = Values::new(all.graph())?;
            seats.map(|seat| best_response(all, &against, seat, Keep::EveryPosition, &values))
        };
        let mut found = Vec::new();
        for expected in expected {
            let Expected { win, loss, draw, .. } = expected?;
            found.extend([win, loss, draw].map(|share| self.value(&share)));
        }
        Ok(Found::Exact(found))
    }
}

impl Exact {
    fn value(&self, share: &Fraction) -> Value {
        let hundred = Fraction::from_integer(100.into());
        let share = if self.percent { share * hundred } else { share.clone() };
        // Both integers are small, so this is the nearest number.
        let number = |text: String| text.parse::<f64>().expect("digits are a number");
        Value::Real(number(share.numer().to_string()) / number(share.denom().to_string()))
    }
}

derivation! {
/// Whether a player keeps the required value: `proved` or `refuted`.
read_prove(section, _path, registry) -> Prove {
    game: Arc<dyn AnyGame> = game(section, registry)?,
    player: SearcherSpec = searcher(section, "player", &*game)?,
    every_position: bool = section.get("every-position", &flag(false))?,
} }

impl Derive for Prove {
    fn derive(&self, _context: &Context<'_>) -> Derived {
        let all = explored(&*self.game)?;
        let player = known(&all, &self.player)?;
        let values = Values::new(all.graph())?;
        let holds = |seat| {
            let proof = prove(&all, &player, seat, self.every_position, &values);
            proof.map(|proof| proof.counterexample.is_none())
        };
        let seats = (0..self.game.facts().players).map(Player::new);
        let held = seats.map(holds).collect::<Result<Vec<bool>, _>>()?;
        let word = if held.into_iter().all(|held| held) { "proved" } else { "refuted" };
        Ok(Found::Exact(vec![Value::Word(word.into())]))
    }
}

fn explored(game: &dyn AnyGame) -> Derived<Explored<'_>> {
    Ok(game.explore("", MOST_POSITIONS)?)
}

fn known<'g>(all: &'g Explored<'_>, searcher: &SearcherSpec) -> Derived<Known<'g>> {
    Ok(Known::new(all, &searcher.to_string(), searcher)?)
}
