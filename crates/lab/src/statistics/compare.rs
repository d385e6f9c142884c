//! Compares two servers or releases that were measured in turns, and tells whether one is slower.
//!
//! The comparison uses whole rounds, never single calls: all calls of a round share the state of the machine, so a thousand of them are not
//! a thousand independent measurements. Rounds that ran side by side are a pair; what slows both cancels out.

use crate::chance::SeededRandom;

use super::student::{critical_value, normal_tail, two_sided_p_value};

/// The least number of pairs for a verdict.
const LEAST_PAIRS: usize = 4;
/// The chance of a false verdict in a whole comparison, however many calls it has: in twenty comparisons of a build with itself
/// hardly ever one.
const FALSE_VERDICT_CHANCE: f64 = 0.002;
/// The least relative difference that gets a verdict, however certain the difference is.
const LEAST_DIFFERENCE: f64 = 0.03;
const RESAMPLES: usize = 4000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Slower,
    Faster,
    NoDifference,
    TooFew,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) pairs: usize,
    /// Means over the rounds, in milliseconds.
    pub(crate) before: f64,
    pub(crate) after: f64,
    /// The time after divided by the time before, and (next field) its bounds at 95 %.
    pub(crate) ratio: f64,
    pub(crate) bounds: (f64, f64),
    /// The mean difference in units of its own scatter (Cohen's d of the pairs, corrected for few pairs).
    pub(crate) effect: f64,
    /// The probability (p-value) of such a difference by chance alone.
    pub(crate) p_value: f64,
    pub(crate) verdict: Verdict,
}

/// Average times of the rounds: the n-th of one ran beside the n-th of the other.
pub(crate) fn compare(before: &[f64], after: &[f64]) -> Comparison {
    let pairs = before.len().min(after.len());
    let (before, after) = (&before[..pairs], &after[..pairs]);
    let logs: Vec<f64> = before.iter().zip(after).map(|(before, after)| (after / before).ln()).collect();
    let mean = mean(&logs);
    let scatter = standard_deviation(&logs, mean);
    let freedom = pairs.saturating_sub(1) as f64;
    let enough = pairs >= LEAST_PAIRS;
    // Rounds that scatter less than a clock can tell are not surer than this.
    let scatter = scatter.max(1e-4);
    let t = mean / (scatter / (pairs.max(1) as f64).sqrt());
    Comparison {
        pairs,
        before: self::mean(before),
        after: self::mean(after),
        ratio: mean.exp(),
        bounds: if enough { confidence_bounds(&logs, mean, scatter) } else { (f64::NAN, f64::NAN) },
        effect: mean / scatter * (1.0 - 3.0 / (4.0 * freedom - 1.0).max(3.0)),
        p_value: if enough { two_sided_p_value(t, freedom) } else { 1.0 },
        verdict: if enough { Verdict::NoDifference } else { Verdict::TooFew },
    }
}

/// Sets the verdicts of comparisons that are read together. The more comparisons there are, the more certain each must be (Holm's method),
/// so that the probability of any false verdict among them stays the same.
pub(crate) fn set_verdicts(comparisons: &mut [&mut Comparison]) {
    let mut judged: Vec<&mut &mut Comparison> =
        comparisons.iter_mut().filter(|one| one.verdict != Verdict::TooFew).collect();
    judged.sort_by(|one, other| one.p_value.total_cmp(&other.p_value));
    let count = judged.len();
    for (at, one) in judged.into_iter().enumerate() {
        if one.p_value * (count - at) as f64 > FALSE_VERDICT_CHANCE {
            break;
        }
        one.verdict = match one.ratio {
            ratio if ratio >= 1.0 + LEAST_DIFFERENCE => Verdict::Slower,
            ratio if ratio <= 1.0 / (1.0 + LEAST_DIFFERENCE) => Verdict::Faster,
            _ => Verdict::NoDifference,
        };
    }
}

/// The percentile interval, widened for few pairs (Hesterberg), and never narrower than Student's: of six pairs there are too few
/// resamples for it to hold the truth as often as it says.
fn confidence_bounds(logs: &[f64], mean: f64, scatter: f64) -> (f64, f64) {
    let count = logs.len();
    let mut chance = SeededRandom::new(count as u64);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..count).map(|_| logs[(chance.fraction() * count as f64) as usize]);
            drawn.sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let freedom = count as f64 - 1.0;
    let widened = (count as f64 / freedom).sqrt() * critical_value(0.05, freedom);
    let share = normal_tail(widened);
    let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize].exp();
    let half = scatter / (count as f64).sqrt() * critical_value(0.05, freedom);
    (at(share).min((mean - half).exp()), at(1.0 - share).max((mean + half).exp()))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len().max(1)) as f64
}

fn standard_deviation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of a machine that has moods: both of a pair share one, and each has some of its own.
    fn rounds(chance: &mut SeededRandom, pairs: usize, factor: f64) -> (Vec<f64>, Vec<f64>) {
        let normal = |chance: &mut SeededRandom| (0..12).map(|_| chance.fraction()).sum::<f64>() - 6.0;
        let mut both = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            let mood = (normal(chance) * 0.2).exp();
            both.0.push(10.0 * mood * (normal(chance) * 0.05).exp());
            both.1.push(10.0 * factor * mood * (normal(chance) * 0.05).exp());
        }
        both
    }

    fn judged(before: &[f64], after: &[f64]) -> Comparison {
        let mut one = compare(before, after);
        set_verdicts(&mut [&mut one]);
        one
    }

    #[test]
    fn verdicts_follow_from_the_rounds() {
        let steady = [10.0, 10.2, 9.9, 10.1, 10.0];
        let times = |factor: f64| -> Vec<f64> { steady.iter().map(|time| time * factor).collect() };
        for (before, after, verdict) in [
            (&steady[..], times(1.2), Verdict::Slower),
            (&steady[..], times(0.8), Verdict::Faster),
            (&steady[..], times(1.0), Verdict::NoDifference),
            // Sure, and not worth a word.
            (&steady[..], times(1.01), Verdict::NoDifference),
            (&steady[..3], times(2.0), Verdict::TooFew),
            (&[][..], vec![], Verdict::TooFew),
            // One bad round is no slower server.
            (&steady[..], vec![10.0, 10.2, 9.9, 10.1, 30.0], Verdict::NoDifference),
        ] {
            let told = judged(before, &after);
            assert_eq!(told.verdict, verdict, "{before:?} {after:?}: {told:?}");
        }
    }

    #[test]
    fn twenty_comparisons_of_a_build_with_itself_have_no_false_verdict() {
        let mut chance = SeededRandom::new(7);
        for attempt in 0..20 {
            let mut all: Vec<Comparison> = (0..15)
                .map(|_| rounds(&mut chance, 6, 1.0))
                .map(|(before, after)| compare(&before, &after))
                .collect();
            set_verdicts(&mut all.iter_mut().collect::<Vec<_>>());
            let wrong: Vec<&Comparison> =
                all.iter().filter(|one| one.verdict != Verdict::NoDifference).collect();
            assert!(wrong.is_empty(), "attempt {attempt}: {wrong:?}");
        }
    }

    #[test]
    fn a_call_that_became_a_third_slower_is_found_among_fifteen() {
        let mut chance = SeededRandom::new(3);
        let found = (0..20).filter(|_| {
            let mut all: Vec<Comparison> = (0..15)
                .map(|at| rounds(&mut chance, 8, if at == 4 { 1.33 } else { 1.0 }))
                .map(|(before, after)| compare(&before, &after))
                .collect();
            set_verdicts(&mut all.iter_mut().collect::<Vec<_>>());
            all[4].verdict == Verdict::Slower
        });
        assert!(found.count() >= 19);
    }

    #[test]
    fn the_bounds_hold_the_truth_about_as_often_as_they_say() {
        let mut chance = SeededRandom::new(11);
        let held = (0..200).filter(|_| {
            let (before, after) = rounds(&mut chance, 6, 1.2);
            let (low, high) = compare(&before, &after).bounds;
            (low..=high).contains(&1.2)
        });
        let held = held.count();
        assert!((180..=200).contains(&held), "{held} of 200");
    }
}
