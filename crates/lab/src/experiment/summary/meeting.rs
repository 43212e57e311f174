//! Two players of a two-player game, over their pairs of games; the cross table and the ratings of more than two.

use serde::{Deserialize, Serialize};

use super::{Beginning, DistinctGames, FirstPairs, Sides, SidesFold, Tested};
use crate::experiment::plan::Cell;
use crate::experiment::trial::GameRecord;
use crate::manifest::{Design, Experiment};
use crate::stats::{
    Confidence, EloInterval, Estimate, MatchCounts, Moments, Unit, bradley_terry, mean_interval, named_pairs,
};

/// The results of two players against each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The player whose results are given.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The indices of both.
    #[serde(skip)]
    pub players: [usize; 2],
    /// Pairs of games without a failure.
    pub pairs: u64,
    /// The number of pairs with each result for the first: lost both, lost and drawn, even, won and drawn, won both.
    #[serde(with = "named_pairs")]
    pub pentanomial: [u64; 5],
    /// Games that the first won, drew and lost, of these pairs.
    pub wins_draws_losses: [u64; 3],
    /// The first's points per game, in `[0, 1]`.
    pub points: Estimate,
    /// The same as a difference in Elo.
    pub elo: EloInterval,
    /// The difference in Elo over the standard deviation of a pair's points; none if it does not vary.
    pub normalized_elo: Option<f64>,
    /// The same with its interval; none before all trials are done, with a stopping rule, with few pairs, or if one game is
    /// repeated.
    #[serde(default)]
    pub normalized_elo_interval: Option<Estimate>,
    /// The likelihood that the first is the better one; none if the points of pairs do not vary.
    pub superiority: Option<f64>,
    /// The first's mean margin, in the margin's unit.
    pub margin: Estimate,
    /// Whether both differ in nothing but their random streams, so that no difference is expected.
    pub alike: bool,
    /// If both players are deterministic and pairs repeat positions at which they begin, the number of distinct ones. All figures
    /// count each once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct_openings: Option<u64>,
    /// Whether that is one position: the same game was played again and again from either seat. Then figures count all pairs, and
    /// there is neither an interval nor a test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
    /// The test that both are equally good; none before all trials are done, with a stopping rule, or if one game is repeated.
    pub tested: Option<Tested>,
    /// The results of the first from each seat, if the design is a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
}

/// The fold of a meeting: a cell of a two-player game.
#[derive(Clone, Debug)]
pub(super) struct MeetingFold {
    /// The players as the cell has them.
    players: [usize; 2],
    /// Whether the results are those of the second player of the cell.
    turned: bool,
    primary: bool,
    all: Pairs,
    /// The pairs that are the first from their position.
    firsts: Pairs,
    first_pairs: FirstPairs,
    sides: Option<SidesFold>,
    /// The games of each seating.
    pub(super) distinct: [DistinctGames; 2],
}

/// The results of pairs for the first player of the cell.
#[derive(Clone, Debug)]
struct Pairs {
    counts: MatchCounts,
    wins_draws_losses: [u64; 3],
    margins: Moments,
}

impl Pairs {
    fn none() -> Self {
        Self {
            counts: MatchCounts::empty(Unit::Pairs),
            wins_draws_losses: [0; 3],
            margins: Moments::default(),
        }
    }

    fn push(&mut self, half_points: u32, wins_draws_losses: [u64; 3], margin: f64) {
        self.counts.push(half_points as usize);
        let games = self.wins_draws_losses.iter_mut().zip(wins_draws_losses);
        games.for_each(|(all, of_pair)| *all += of_pair);
        self.margins.push(margin);
    }
}

impl MeetingFold {
    /// No pair yet. The first player is that of a primary comparison; else the challenger of a baseline; else the
    /// player that comes first in the manifest.
    pub(super) fn new(experiment: &Experiment, cell: &Cell) -> Self {
        let [a, b] = cell.players[..] else { panic!("a cell of a game for two has two players") };
        let declared = experiment.primary.iter().find(|pair| **pair == [a, b] || **pair == [b, a]);
        let first = match (declared, &experiment.design) {
            (Some(pair), _) => pair[0],
            (None, Design::Gauntlet { baselines }) if baselines.contains(&a) => b,
            (None, Design::Gauntlet { .. }) => a,
            (None, _) => a.min(b),
        };
        Self {
            players: [a, b],
            turned: first == b,
            primary: declared.is_some(),
            all: Pairs::none(),
            firsts: Pairs::none(),
            first_pairs: FirstPairs::default(),
            sides: (experiment.design == Design::Match)
                .then(|| SidesFold::new(experiment.game.lists().seats)),
            distinct: Default::default(),
        }
    }

    /// A pair: where it begins, its games, the half points of the cell's first player, its games won, drawn and lost, and its
    /// mean margin.
    pub(super) fn push(
        &mut self,
        beginning: Beginning,
        pair: &[GameRecord],
        half_points: u32,
        wins_draws_losses: [u64; 3],
        margin: f64,
    ) {
        self.all.push(half_points, wins_draws_losses, margin);
        if self.first_pairs.note(beginning, pair) {
            self.firsts.push(half_points, wins_draws_losses, margin);
        }
        if let Some(sides) = &mut self.sides {
            sides.push(pair);
        }
    }

    pub(super) fn has(&self, player: usize) -> bool {
        self.players.contains(&player)
    }

    /// Whether pairs repeat the positions at which they begin, and all that do were played in the same way.
    pub(super) fn repeats_itself(&self) -> bool {
        self.firsts.counts.total() < self.all.counts.total() && !self.first_pairs.varies
    }

    /// Whether the same game was played again and again from either seat.
    pub(super) fn is_repeated(&self) -> bool {
        self.repeats_itself() && self.firsts.counts.total() == 1
    }

    /// The pairs that are evidence; all of one game that was repeated, which is none.
    fn evidence(&self) -> &Pairs {
        if self.repeats_itself() && !self.is_repeated() { &self.firsts } else { &self.all }
    }

    pub(super) fn finish(
        self,
        experiment: &Experiment,
        has_intervals: bool,
        confidence: Confidence,
    ) -> (Meeting, [DistinctGames; 2]) {
        let (counts, repeated) = (self.evidence().counts, self.is_repeated());
        let counts = if self.turned { counts.turned() } else { counts };
        let has_intervals = has_intervals && !repeated;
        let pentanomial = counts.counts().try_into().expect("pairs have five results");
        let repeats = self.repeats_itself();
        let evidence = self.evidence();
        let mut wins_draws_losses = evidence.wins_draws_losses;
        let mut margin = mean_interval(&evidence.margins, confidence).within(experiment.facts().margins());
        let mut players = self.players;
        if self.turned {
            players.reverse();
            wins_draws_losses.reverse();
            margin = Estimate { value: 0.0 - margin.value, low: -margin.high, high: -margin.low, ..margin };
        }
        let mut points = counts.score_interval(confidence);
        if !has_intervals || counts.total() == 0 {
            (points, margin) = (points.without_interval(), margin.without_interval());
        }
        let varies = if has_intervals { counts.superiority() } else { None };
        let meeting = Meeting {
            first: experiment.players[players[0]].name.clone(),
            second: experiment.players[players[1]].name.clone(),
            players,
            pairs: counts.total(),
            pentanomial,
            wins_draws_losses,
            points,
            elo: EloInterval::of_score(points),
            normalized_elo: counts.normalized_elo().filter(|_| !repeated),
            normalized_elo_interval: counts.normalized_elo_interval(confidence).filter(|_| has_intervals),
            superiority: varies,
            margin,
            alike: experiment.are_alike(players),
            distinct_openings: repeats.then(|| self.firsts.counts.total()),
            repeated,
            tested: (has_intervals && counts.total() > 0).then(|| Tested::of_pairs(&counts, self.primary)),
            sides: self.sides.map(|sides| sides.finish(self.turned, has_intervals && !repeats, confidence)),
        };
        (meeting, self.distinct)
    }
}

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
    /// The name.
    pub name: String,
    /// The index.
    #[serde(skip)]
    pub player: usize,
    /// The rating; the mean of all that met, directly or by way of others, is 0.
    pub elo: f64,
    /// The standard error of the rating against that mean.
    pub standard_error: f64,
    /// How much stronger it is than the next one, in Elo; none of the last, and of one that it
    /// never met, not even by way of others.
    pub to_next: Option<Estimate>,
}

impl RatingsSummary {
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
