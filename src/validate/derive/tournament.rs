//! The mean points of each player of a tournament, compared with published ones.

use std::path::Path;

use toml::de::DeValue;

use super::play::{Unplayable, play_all};
use super::{Context, Derivation, Derive, Yields};
use crate::experiment::document::{PlacedError, Section};
use crate::experiment::{Plan, player_named, read_single_experiment};
use crate::players::Registry;
use crate::validate::{Found, Value};

/// A tournament, and the published mean points of some of its players.
struct Tournament {
    plan: Plan,
    published: Vec<(usize, f64)>,
}

pub(super) fn read(section: &mut Section<'_>, path: &Path, registry: &Registry) -> Derivation {
    let experiment_value = section.require("experiment", "experiment.game = \"othello\"")?;
    let points = section.require("points", "points = { random = 0.2 }")?;
    section.finish()?;
    let manifest = match read_single_experiment(experiment_value, path, registry)? {
        Ok(manifest) => manifest,
        Err(reason) => return Ok(Box::new(Unplayable { reason, yields: Yields::Exact })),
    };
    let plan = Plan::resolve(&manifest)?;
    let DeValue::Table(table) = points.get_ref() else {
        return Err(PlacedError::new(points.span(), "`points` must be a table of players and mean points"));
    };
    let mut published = Vec::new();
    for (name, value) in table {
        let player = player_named(name.get_ref(), name.span(), &plan.experiment(0).players)?;
        let DeValue::Float(number) = value.get_ref() else {
            return Err(PlacedError::new(value.span(), "mean points are a number such as 0.816"));
        };
        let number = number.as_str().parse();
        published.push((player, number.map_err(|_| PlacedError::new(value.span(), "this is no number"))?));
    }
    Ok(Box::new(Tournament { plan, published }))
}

impl Derive for Tournament {
    /// For each published player the mean points less the published ones, in thousandths. A player does not meet itself
    /// in another form, which has its name and more.
    fn derive(&self, context: &Context<'_>) -> Result<Found, String> {
        let records = play_all(&self.plan, context)?;
        let players = &self.plan.experiment(0).players;
        let difference = |&(player, published): &(usize, f64)| {
            let name = &players[player].name;
            let (mut sum, mut count) = (0.0, 0_u32);
            for record in &records {
                let seats = record.games.iter().flat_map(|game| &game.seats).map(|seat| seat.player);
                let other = seats.clone().find(|&other| other != player);
                let is_other = |other: usize| !players[other].name.starts_with(&format!("{name} "));
                if seats.clone().any(|seat| seat == player)
                    && other.is_some_and(is_other)
                    && let Some((points, _)) = record.result_of(player)
                {
                    sum += points;
                    count += 1;
                }
            }
            Value::Real((1e6 * (sum / f64::from(count) - published)).round() / 1e3)
        };
        Ok(Found::Exact(self.published.iter().map(difference).collect()))
    }
}
