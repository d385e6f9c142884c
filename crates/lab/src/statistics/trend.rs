//! Judges whether a series grows while a server runs for hours: its slope, the bounds of the slope, and a verdict.
//!
//! Values that follow each other are alike: memory that is high now is high in a second. So the run is cut into blocks of equal
//! length, the median of each block is one value, and what is still alike between neighbouring blocks widens the bounds, as if there
//! were fewer of them. The slope is Theil and Sen's, the median of the slopes between all pairs, which single peaks don't turn.

use super::student::critical_value;
use super::times::median;

/// The least number of points for a verdict.
const LEAST_POINTS: usize = 40;
const BLOCKS: usize = 24;
/// The share of the run at its beginning that is left out: caches fill, and users start.
const WARM_UP_SHARE: f64 = 0.1;
/// A growth within the run of less than this share of the value is none.
const LEAST_GROWTH: f64 = 0.05;
/// The least share of the slope that the second half of the run must have for a value to count as still growing.
const LEAST_LATE_SLOPE: f64 = 1.0 / 3.0;
/// The chance of any false "grows" in one report, however many series it has.
const FALSE_VERDICT_CHANCE: f64 = 0.002;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrendVerdict {
    Grows,
    Falls,
    /// A growth or fall that matters is excluded: the bounds at 95 % are below it.
    Steady,
    TooShort,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Trend {
    /// The values of the fitted line at the beginning and (next field) at the end of the judged time.
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) per_hour: f64,
    /// The bounds of `per_hour` at 95 %.
    pub(crate) bounds: (f64, f64),
    pub(crate) verdict: TrendVerdict,
}

/// Judges pairs of seconds and values, in the order of time. `worth` is the least growth that matters; `among` is how many series
/// are judged together.
pub(crate) fn trend(points: &[(f64, f64)], worth: f64, among: usize) -> Trend {
    let mut trend = Trend {
        from: points.first().map_or(f64::NAN, |point| point.1),
        to: points.last().map_or(f64::NAN, |point| point.1),
        per_hour: f64::NAN,
        bounds: (f64::NAN, f64::NAN),
        verdict: TrendVerdict::TooShort,
    };
    let blocks = block_medians(points);
    let Some(line) = FittedLine::fit(&blocks) else { return trend };
    let (first, last) = (blocks[0].0, blocks[blocks.len() - 1].0);
    (trend.from, trend.to, trend.per_hour) = (line.value_at(first), line.value_at(last), line.slope * 3600.0);
    let half = line.error * critical_value(0.05, line.freedom);
    trend.bounds = ((line.slope - half) * 3600.0, (line.slope + half) * 3600.0);
    let level = median(blocks.iter().map(|block| block.1.abs()).collect());
    // A growth is judged by what it comes to within the run.
    let matters = worth.max(LEAST_GROWTH * level) / (last - first);
    // A growth that ended before the run did is no leak.
    let late = FittedLine::fit(&blocks[blocks.len() / 2..]);
    let sure = |slope: f64| {
        let goes_on =
            late.as_ref().is_some_and(|late| late.slope * slope.signum() > slope.abs() * LEAST_LATE_SLOPE);
        let share = FALSE_VERDICT_CHANCE / among.max(1) as f64;
        slope.abs() >= matters && slope.abs() > line.error * critical_value(share, line.freedom) && goes_on
    };
    trend.verdict = match line.slope {
        slope if sure(slope) && slope > 0.0 => TrendVerdict::Grows,
        slope if sure(slope) => TrendVerdict::Falls,
        slope if slope.abs() + half < matters => TrendVerdict::Steady,
        _ => TrendVerdict::TooShort,
    };
    trend
}

/// A line through blocks, and how far its slope may be off.
struct FittedLine {
    slope: f64,
    middle: (f64, f64),
    error: f64,
    freedom: f64,
}

impl FittedLine {
    fn fit(blocks: &[(f64, f64)]) -> Option<FittedLine> {
        let count = blocks.len();
        if count < BLOCKS / 2 {
            return None;
        }
        let pairs = (0..count).flat_map(|at| (at + 1..count).map(move |other| (at, other)));
        let slope = median(
            pairs
                .map(|(at, other)| (blocks[other].1 - blocks[at].1) / (blocks[other].0 - blocks[at].0))
                .collect(),
        );
        let x = blocks.iter().map(|block| block.0).sum::<f64>() / count as f64;
        let y = median(blocks.iter().map(|block| block.1 - slope * (block.0 - x)).collect());
        let off: Vec<f64> = blocks.iter().map(|block| block.1 - y - slope * (block.0 - x)).collect();
        let squares: f64 = off.iter().map(|off| off * off).sum();
        let spread: f64 = blocks.iter().map(|block| (block.0 - x).powi(2)).sum();
        // The number of independent blocks that would carry the same information.
        let alike = autocorrelation(&off, squares);
        let independent = count as f64 * (1.0 - alike) / (1.0 + alike);
        let freedom = (independent - 2.0).max(1.0);
        let error = (squares / (count as f64 - 2.0) / spread * (1.0 + alike) / (1.0 - alike)).sqrt();
        Some(FittedLine { slope, middle: (x, y), error, freedom })
    }

    fn value_at(&self, seconds: f64) -> f64 {
        self.middle.1 + self.slope * (seconds - self.middle.0)
    }
}

/// The correlation of neighbouring blocks, at least 0. It is corrected upwards, because it looks smaller around a line that was fitted to
/// few values.
fn autocorrelation(off: &[f64], squares: f64) -> f64 {
    let count = off.len() as f64;
    let neighbours: f64 = off.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let seen = if squares > 0.0 { neighbours / squares } else { 0.0 };
    ((count * seen + 2.0) / (count - 4.0)).clamp(0.0, 0.9)
}

/// Medians of equal stretches of time, without the beginning; empty when there are too few points.
fn block_medians(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let from = first.0 + (last.0 - first.0) * WARM_UP_SHARE;
    let kept: Vec<&(f64, f64)> =
        points.iter().filter(|point| point.0 >= from && point.1.is_finite()).collect();
    if kept.len() < LEAST_POINTS || last.0 <= from {
        return Vec::new();
    }
    let each = (last.0 - from) / BLOCKS as f64;
    let mut blocks = vec![(0.0, Vec::new()); BLOCKS];
    for (seconds, value) in kept {
        let (sum, values) = &mut blocks[(((seconds - from) / each) as usize).min(BLOCKS - 1)];
        *sum += seconds;
        values.push(*value);
    }
    let filled = blocks.into_iter().filter(|(_, values)| !values.is_empty());
    filled.map(|(sum, values)| (sum / values.len() as f64, median(values))).collect()
}

#[cfg(test)]
mod tests;
