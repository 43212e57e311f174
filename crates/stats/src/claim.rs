//! A claim: the result of a player as a source states it, and the verdict on it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::estimate::Estimate;
use super::rate::difference_of;

/// The points of a match that are no gain.
const EVEN: f64 = 0.5;

/// The side of ½ on which the points of a match are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// More than ½.
    Gain,
    /// Less than ½.
    Loss,
}

impl Sign {
    /// The sign that an interval shows; `None` if it holds ½.
    pub fn shown_by(points: &Estimate) -> Option<Self> {
        match points {
            Estimate { low, .. } if *low > EVEN => Some(Self::Gain),
            Estimate { high, .. } if *high < EVEN => Some(Self::Loss),
            _ => None,
        }
    }

    /// Whether a value lies on the other side of ½.
    pub fn is_against(self, points: f64) -> bool {
        match self {
            Self::Gain => points < EVEN,
            Self::Loss => points > EVEN,
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Gain => "gain",
            Self::Loss => "loss",
        })
    }
}

/// The result of a player as a source states it: a figure, a sign, or both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The figure.
    #[serde(flatten)]
    pub figure: Option<Estimate>,
    /// The successes and the trials of the figure, if the source counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<[u64; 2]>,
    /// The sign, if the source states it apart from the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<Sign>,
}

/// Whether a result of ours bears out a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// Our interval has the sign of the claim, and the difference to the figure may be 0.
    Confirmed,
    /// Our interval has the sign, and the difference is not 0.
    OtherSize,
    /// Our interval has the other sign.
    Refuted,
    /// Our interval has no sign, and the difference may be 0.
    Undecided,
    /// Our interval has no sign, and the difference is not 0.
    NotSeen,
    /// The claim has no sign, and the difference may be 0.
    Agrees,
    /// The claim has no sign, and the difference is not 0.
    Differs,
}

impl ClaimVerdict {
    /// All, in the order of a list.
    pub const ALL: [Self; 7] = [
        Self::Confirmed,
        Self::OtherSize,
        Self::Refuted,
        Self::Undecided,
        Self::NotSeen,
        Self::Agrees,
        Self::Differs,
    ];
}

impl fmt::Display for ClaimVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Confirmed => "confirmed",
            Self::OtherSize => "confirmed, other size",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
            Self::NotSeen => "not seen",
            Self::Agrees => "agrees",
            Self::Differs => "differs",
        })
    }
}

impl Claim {
    /// Our result less the figure, with Newcombe's interval if both have one.
    pub fn difference(&self, ours: &Estimate) -> Option<Estimate> {
        Some(difference_of(ours, &self.figure?))
    }

    /// The verdict by our result; `None` if that has no interval.
    ///
    /// A claim on the points of a match (`is_match`) has the sign that is stated, or else the sign that the interval of its figure
    /// shows; a figure without an interval shows none. The difference may be 0 if its interval holds 0, and for a figure without an
    /// interval if ours holds the figure.
    ///
    /// # Example
    /// ```
    /// use shikou::stats::{Claim, ClaimVerdict, Confidence, Estimate, clopper_pearson};
    /// let rate = |successes, trials| clopper_pearson(successes, trials, Confidence::default_level());
    /// let claim = Claim { figure: Some(rate(120, 150)), counts: Some([120, 150]), sign: None };
    /// assert_eq!(claim.verdict(&rate(237, 300), true), Some(ClaimVerdict::Confirmed));
    /// assert_eq!(claim.verdict(&rate(190, 300), true), Some(ClaimVerdict::OtherSize));
    /// assert_eq!(claim.verdict(&rate(100, 300), true), Some(ClaimVerdict::Refuted));
    /// assert_eq!(claim.verdict(&Estimate::of(0.79), true), None);
    /// ```
    pub fn verdict(&self, ours: &Estimate, is_match: bool) -> Option<ClaimVerdict> {
        let is_known = |of: &Estimate| of.low.is_finite() && of.high.is_finite();
        if !is_known(ours) {
            return None;
        }
        let may_be_equal = self.figure.is_none_or(|figure| {
            let difference = difference_of(ours, &figure);
            let (interval, held) =
                if is_known(&difference) { (&difference, 0.0) } else { (ours, figure.value) };
            (interval.low..=interval.high).contains(&held)
        });
        let claimed = self.sign.or_else(|| Sign::shown_by(self.figure.as_ref()?)).filter(|_| is_match);
        Some(match (claimed, Sign::shown_by(ours), may_be_equal) {
            (None, _, true) => ClaimVerdict::Agrees,
            (None, _, false) => ClaimVerdict::Differs,
            (Some(_), None, true) => ClaimVerdict::Undecided,
            (Some(_), None, false) => ClaimVerdict::NotSeen,
            (Some(claimed), Some(shown), _) if claimed != shown => ClaimVerdict::Refuted,
            (Some(_), Some(_), true) => ClaimVerdict::Confirmed,
            (Some(_), Some(_), false) => ClaimVerdict::OtherSize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Method;
    use crate::{Confidence, clopper_pearson};

    fn interval(low: f64, high: f64) -> Estimate {
        Estimate { value: f64::midpoint(low, high), low, high, method: Method::StudentPlusTwo }
    }

    fn words(claim: &Claim, low: f64, high: f64) -> String {
        claim.verdict(&interval(low, high), true).unwrap().to_string()
    }

    #[test]
    fn each_verdict_follows_from_its_intervals() {
        let claim = |successes, trials| Claim {
            figure: Some(clopper_pearson(successes, trials, Confidence::default_level())),
            counts: Some([successes, trials]),
            sign: None,
        };
        let (gain, loss, even) = (claim(321, 500), claim(48, 150), claim(83, 150));
        assert_eq!(words(&gain, 0.60, 0.70), "confirmed");
        assert_eq!(words(&gain, 0.51, 0.57), "confirmed, other size");
        assert_eq!(words(&gain, 0.40, 0.49), "refuted");
        assert_eq!(words(&gain, 0.44, 0.70), "undecided");
        assert_eq!(words(&gain, 0.44, 0.52), "not seen");
        assert_eq!(words(&loss, 0.334, 0.449), "confirmed");
        assert_eq!(words(&loss, 0.55, 0.65), "refuted");
        assert_eq!(words(&even, 0.501, 0.611), "agrees");
        assert_eq!(words(&even, 0.231, 0.342), "differs");
        // Without a match there is no sign.
        let verdict = |low, high| gain.verdict(&interval(low, high), false).unwrap();
        assert_eq!([verdict(0.60, 0.70), verdict(0.40, 0.49)], [ClaimVerdict::Agrees, ClaimVerdict::Differs]);
    }

    #[test]
    fn a_figure_without_an_interval_and_a_sign_alone_are_claims() {
        let value = |value, sign| Claim { figure: Some(Estimate::of(value)), counts: None, sign };
        assert_eq!(words(&value(0.51, None), 0.454, 0.572), "agrees");
        assert_eq!(words(&value(0.7, Some(Sign::Gain)), 0.581, 0.713), "confirmed");
        assert_eq!(words(&value(0.7, Some(Sign::Gain)), 0.404, 0.537), "not seen");
        let sign = Claim { figure: None, counts: None, sign: Some(Sign::Loss) };
        assert_eq!(words(&sign, 0.2, 0.3), "confirmed");
        assert_eq!(words(&sign, 0.4, 0.6), "undecided");
        assert_eq!(words(&sign, 0.6, 0.7), "refuted");
        assert_eq!(sign.difference(&interval(0.2, 0.3)), None);
        assert!(Sign::Gain.is_against(0.4) && !Sign::Gain.is_against(0.5) && Sign::Loss.is_against(0.6));
        // In a file a claim has the keys of its figure, and only what it states.
        let text = serde_json::to_string(&sign).unwrap();
        assert_eq!(text, r#"{"sign":"loss"}"#);
        assert_eq!(serde_json::from_str::<Claim>(&text).unwrap(), sign);
        let old = r#"{"value":0.51,"low":null,"high":null,"method":"none"}"#;
        assert_eq!(serde_json::from_str::<Claim>(old).unwrap(), value(0.51, None));
    }
}
