//! The cross table and the ratings of more than two players.

use serde::{Deserialize, Serialize};

use super::meeting::Meeting;
use crate::stats::{Confidence, Estimate, bradley_terry};

/// Bradley–Terry ratings: where everybody stands, all meetings taken together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RatingsSummary {
    /// Whether a weak prior was needed, because some players took no point from others, not even by way of third
    /// ones: one drawn game more between every two players. Then the ratings are not those of maximum likelihood.
    pub prior: bool,
    /// The players, the strongest first.
    pub ranking: Vec<RankedPlayer>,
    /// In the order of the manifest, the likelihood that the row's player is stronger than the column's; none if
    /// they never met, not even by way of others.
    pub superiority: Vec<Vec<Option<f64>>>,
}

/// A player with its rating.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RankedPlayer {
    /// Its name.
    pub name: String,
    /// Its index.
    #[serde(skip)]
    pub player: usize,
    /// Its rating; the mean of all that met, directly or by way of others, is 0.
    pub elo: f64,
    /// The standard error of the rating against that mean.
    pub standard_error: f64,
    /// How much stronger it is than the next one, in Elo; none of the last, and of one that it
    /// never met, not even by way of others.
    pub to_next: Option<Estimate>,
}

impl RatingsSummary {
    /// The ratings of these players from their meetings.
    pub(super) fn new(names: &[String], meetings: &[Meeting], confidence: Confidence) -> Self {
        let players = names.len();
        let mut points = vec![vec![0.0; players]; players];
        for meeting in meetings {
            let [wins, draws, losses] = meeting.wins_draws_losses.map(|games| games as f64);
            let [first, second] = meeting.players;
            points[first][second] += wins + draws / 2.0;
            points[second][first] += losses + draws / 2.0;
        }
        let ratings = bradley_terry(&points);
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&a, &b| {
            ratings.group(a).cmp(&ratings.group(b)).then(ratings.elo()[b].total_cmp(&ratings.elo()[a]))
        });
        let ranked = |(place, &player): (usize, &usize)| RankedPlayer {
            name: names[player].clone(),
            player,
            elo: ratings.elo()[player],
            standard_error: ratings.standard_error(player),
            to_next: order.get(place + 1).and_then(|&next| ratings.difference(player, next, confidence)),
        };
        let row = |i: usize| (0..players).map(|j| ratings.superiority(i, j)).collect();
        Self {
            prior: ratings.prior(),
            ranking: order.iter().enumerate().map(ranked).collect(),
            superiority: (0..players).map(row).collect(),
        }
    }
}

/// In the order of the manifest, the row's player's share of the points against the column's; none if they did not
/// meet.
pub(super) fn cross_table(players: usize, meetings: &[Meeting]) -> Vec<Vec<Option<f64>>> {
    let mut table = vec![vec![None; players]; players];
    for meeting in meetings.iter().filter(|meeting| meeting.pairs > 0) {
        let [first, second] = meeting.players;
        table[first][second] = Some(meeting.points.value);
        table[second][first] = Some(1.0 - meeting.points.value);
    }
    table
}
