//! A comparison of two players, in sentences.

use super::numbers::{brackets, counted, decimals, p_value};
use crate::experiment::{ExperimentSummary, Tested};
use crate::stats::{
    Confidence, Estimate, MatchCounts, PairedCounts, instances_for_paired_rates, least_instances,
    least_pairs, units_to_show,
};

/// The family-wise error rate of the verdicts.
pub(super) const ALPHA: f64 = 0.05;

/// The probability with which the trials that are named as enough show a difference.
const POWER: f64 = 0.8;

#[derive(Clone, Copy)]
pub(super) struct Contrast<'e> {
    pub(super) names: [&'e str; 2],
    pub(super) players: [usize; 2],
    paired: bool,
    pub(super) alike: bool,
    /// How many comparisons are corrected together; 1 if this one needs no correction.
    family: u64,
    pub(super) tested: Tested,
    /// The difference of success rates, or the points of the first.
    pub(super) estimate: Estimate,
    counts: Counts,
}

#[derive(Clone, Copy)]
enum Counts {
    Deals(PairedCounts),
    Pairs(MatchCounts),
}

/// The comparisons of an experiment that were tested.
pub(super) fn contrasts(experiment: &ExperimentSummary) -> Vec<Contrast<'_>> {
    let differences = experiment.differences.iter().filter_map(|of| {
        let (names, counts) = ([&*of.first, &of.second], Counts::Deals(of.counts));
        Some((names, of.players, of.alike, of.tested?, of.success, counts))
    });
    let meetings = experiment.meetings.iter().filter_map(|of| {
        let (names, counts) = ([&*of.first, &of.second], Counts::Pairs(MatchCounts::pairs(of.pentanomial)));
        Some((names, of.players, of.alike, of.tested?, of.points, counts))
    });
    let contrast = |(names, players, alike, tested, estimate, counts): (_, _, _, Tested, _, Counts)| {
        let family = if tested.primary { 1 } else { experiment.family };
        let paired = matches!(counts, Counts::Pairs(_));
        Contrast { names, players, paired, alike, family, tested, estimate, counts }
    };
    differences.chain(meetings).map(contrast).collect()
}

impl Contrast<'_> {
    /// The estimate of two equal players.
    pub(super) const fn even(&self) -> f64 {
        if self.paired { 0.5 } else { 0.0 }
    }

    /// The same comparison from the view of the other player.
    pub(super) fn turned(&self) -> Self {
        let whole = 2.0 * self.even();
        let Estimate { value, low, high, method } = self.estimate;
        let estimate = Estimate { value: whole - value, low: whole - high, high: whole - low, method };
        let ([a, b], [i, j]) = (self.names, self.players);
        Self { names: [b, a], players: [j, i], estimate, ..*self }
    }

    pub(super) fn is_significant(&self) -> bool {
        self.tested.is_significant(ALPHA)
    }

    pub(super) fn evidence(&self) -> String {
        let Estimate { value, low, high, .. } = self.estimate;
        let figure = format!("{} {}", decimals(value, 3), brackets(low, high, 3));
        let figure = if self.paired {
            format!("with {figure} points a game")
        } else {
            format!("by {figure} in success rate")
        };
        format!("{figure} ({})", self.p())
    }

    fn p(&self) -> String {
        let p = p_value(self.tested.corrected_p);
        let p = if p.starts_with('<') { format!("p {p}") } else { format!("p = {p}") };
        match (self.tested.primary, self.family) {
            (true, _) => format!("{p}, primary and not corrected"),
            (false, 1) => p,
            (false, _) => format!("Holm-corrected {p}"),
        }
    }

    pub(super) fn sentence(&self) -> String {
        let [first, second] = self.names;
        if self.alike {
            let found = if self.is_significant() { "but one was found" } else { "and none was found" };
            return format!(
                "{first} and {second} are the same player on two random streams: no difference was expected, {found} \
                 ({}).",
                self.p()
            );
        }
        if !self.is_significant() {
            let Estimate { value, low, high, .. } = self.estimate;
            let what = if self.paired { "points a game of the first" } else { "difference in success rate" };
            let figure = format!("{} {}", decimals(value, 3), brackets(low, high, 3));
            return format!(
                "No significant difference between {first} and {second}: {what} {figure} ({}). {}",
                self.p(),
                self.enough()
            );
        }
        let turned = self.turned();
        let view = if self.estimate.value < self.even() { &turned } else { self };
        format!("{} is ahead of {} {}.", view.names[0], view.names[1], view.evidence())
    }

    /// How many pairs or deals would be enough for a significant difference.
    pub(super) fn enough(&self) -> String {
        let confidence = Confidence::new(1.0 - ALPHA / self.family.max(1) as f64);
        let (unit, units, least) = match &self.counts {
            Counts::Deals(counts) => ("deal", counts.instances(), least_instances(confidence)),
            Counts::Pairs(counts) => ("pair", counts.total(), least_pairs(confidence)),
        };
        if units < least {
            let how = if self.paired { "winning them all" } else { "solving them all alone" };
            return format!(
                "No outcome of {} could be significant, not even one side {how}; at least {} are needed.",
                counted(units, unit),
                counted(least, unit)
            );
        }
        let needed = match &self.counts {
            Counts::Deals(counts) => {
                let share = |deals: u64| deals as f64 / units as f64;
                let first = share(counts.only_first);
                let second = share(counts.only_second).min(1.0 - first);
                (counts.only_first != counts.only_second)
                    .then(|| instances_for_paired_rates(first, second, POWER, confidence))
            }
            Counts::Pairs(counts) => units_to_show(counts, POWER, confidence),
        };
        match needed {
            None => {
                let how = match &self.counts {
                    Counts::Deals(_) => "Both solved equally many deals, however far each came",
                    Counts::Pairs(_) => "Both did equally well",
                };
                format!("{how}, so no number of trials can be named that would decide.")
            }
            Some(needed) => format!(
                "If the true difference is the measured one, about {} more would show it (power {POWER}).",
                counted(needed.saturating_sub(units).max(1), unit)
            ),
        }
    }
}
