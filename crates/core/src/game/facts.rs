/// The largest size of a payoff, below 2¹⁶: the sums and the sums of squares of 10⁹ playouts, the largest batch, fit into 64 bits.
pub const LARGEST_PAYOFF: u32 = (1 << 16) - 1;

/// The result by which the players of a game are judged: verdicts, tests, rankings and figures follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Counts {
    /// How many games of a solitaire are won.
    #[default]
    Success,
    /// The points of a game for two: 1 for a win, ½ for a draw.
    Points,
    /// The mean score of a solitaire, in its unit.
    Score,
}

/// The capabilities of a game, stated once and checked by the conformance kit.
///
/// # Example: a two-player game without chance
/// ```
/// use shikou::game::Facts;
/// let facts = Facts::two_player().with_payoffs(-1, 1).with_max_plies(9);
/// assert_eq!((facts.players, facts.chance, facts.zero_sum), (2, false, true));
/// ```
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Facts {
    /// The number of players: 1 or 2.
    pub players: u8,
    /// Whether there are chance turns.
    pub chance: bool,
    /// Whether the payoffs of the two players always add up to 0. False for a solitaire.
    pub zero_sum: bool,
    /// The smallest payoff that any player can have.
    pub min_payoff: i32,
    /// The largest payoff that any player can have.
    pub max_payoff: i32,
    /// The result that counts: success or the score in a solitaire, points in a game for two.
    pub counts: Counts,
    /// The unit of the score, in the plural: "discs", "cards".
    pub score_unit: &'static str,
    /// Whether the score says more than who won; then its mean is a result of its own, the margin.
    pub has_margin: bool,
    /// The range of the score for either player, if it is known. Intervals of the margin are cut to it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub score_range: Option<[i32; 2]>,
    /// A bound on the plies of a game, chance turns included. `None` if none is known.
    pub max_plies: Option<u32>,
}

impl Facts {
    /// A zero-sum two-player game without chance, with payoffs −1, 0, 1 for loss, draw, win.
    pub const fn two_player() -> Self {
        Self {
            players: 2,
            chance: false,
            zero_sum: true,
            min_payoff: -1,
            max_payoff: 1,
            counts: Counts::Points,
            score_unit: "points",
            has_margin: false,
            score_range: Some([-1, 1]),
            max_plies: None,
        }
    }

    /// A solitaire without chance, with payoff 0 or 1 for lost or won.
    pub const fn solitaire() -> Self {
        let facts = Self::two_player().with_payoffs(0, 1);
        Self { players: 1, zero_sum: false, counts: Counts::Success, ..facts }
    }

    /// Adds chance turns.
    pub const fn with_chance(self) -> Self {
        Self { chance: true, ..self }
    }

    /// Sets the range of payoffs to `min..=max`, and with it that of a score without a unit of its own.
    pub const fn with_payoffs(self, min: i32, max: i32) -> Self {
        let score_range = if self.score_range.is_some() { Some([min, max]) } else { None };
        Self { min_payoff: min, max_payoff: max, score_range, ..self }
    }

    /// Sets the unit of a score that says more than who won, without a range: [`with_scores`](Self::with_scores) sets it.
    pub const fn with_score_unit(self, unit: &'static str) -> Self {
        Self { score_unit: unit, has_margin: true, score_range: None, ..self }
    }

    /// Sets the range of the score to `min..=max`.
    pub const fn with_scores(self, min: i32, max: i32) -> Self {
        Self { score_range: Some([min, max]), ..self }
    }

    /// Judges a solitaire by its mean score, in this unit and from `min` to `max`, and not by how often it is won. If no range is
    /// known, use [`with_score_unit`](Self::with_score_unit) and set `counts`; there are then no stopping rules.
    ///
    /// # Example
    /// ```
    /// use shikou::game::{Counts, Facts};
    /// let facts = Facts::solitaire().with_payoffs(0, 2000).judged_by_score("stones", 0, 2000);
    /// assert_eq!((facts.counts, facts.score_unit, facts.score_range), (Counts::Score, "stones", Some([0, 2000])));
    /// ```
    pub const fn judged_by_score(self, unit: &'static str, min: i32, max: i32) -> Self {
        Self { counts: Counts::Score, ..self.with_score_unit(unit).with_scores(min, max) }
    }

    /// The result that counts, of a trial with this share of the points in `[0, 1]` and this mean score; 1 or 0 for success.
    pub const fn result(&self, (share, score): (f64, f64)) -> f64 {
        match self.counts {
            Counts::Success => (share > 0.5) as u8 as f64,
            Counts::Points => share,
            Counts::Score => score,
        }
    }

    /// The unit of the result that counts behind a space, such as " cards"; empty for success and points.
    pub fn unit(&self) -> String {
        if self.counts == Counts::Score { format!(" {}", self.score_unit) } else { String::new() }
    }

    /// The range of the result that counts; `None` if that of the score is not known.
    pub fn results(&self) -> Option<[f64; 2]> {
        match self.counts {
            Counts::Success | Counts::Points => Some([0.0, 1.0]),
            Counts::Score => self.score_range.map(|range| range.map(f64::from)),
        }
    }

    /// The range of a player's margin, in the score's unit: the score, or in a game for two the score of either player.
    pub fn margins(&self) -> [f64; 2] {
        let [least, most] =
            self.score_range.map_or([f64::NEG_INFINITY, f64::INFINITY], |range| range.map(f64::from));
        if self.players == 1 { [least, most] } else { [least.min(-most), most.max(-least)] }
    }

    /// The facts that hold for two games of one kind: with as many players and one unit of the score.
    pub fn or(self, other: &Self) -> Self {
        let widest = |[a, b]: [i32; 2], [c, d]: [i32; 2]| [a.min(c), b.max(d)];
        Self {
            chance: self.chance || other.chance,
            zero_sum: self.zero_sum && other.zero_sum,
            min_payoff: self.min_payoff.min(other.min_payoff),
            max_payoff: self.max_payoff.max(other.max_payoff),
            score_range: self.score_range.zip(other.score_range).map(|(of, more)| widest(of, more)),
            max_plies: self.max_plies.zip(other.max_plies).map(|(of, more)| of.max(more)),
            ..self
        }
    }

    /// Sets a bound on the length.
    pub const fn with_max_plies(self, plies: u32) -> Self {
        Self { max_plies: Some(plies), ..self }
    }
}
