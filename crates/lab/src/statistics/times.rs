//! Exact percentiles of measured times, and medians over rounds; runs of hours keep histograms instead.

use crate::table::format_number;

/// Times of operations, in microseconds.
#[derive(Debug, Clone, Default)]
pub struct Latencies(Vec<u32>);

/// Percentiles in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Percentiles {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
}

impl Latencies {
    pub fn with_capacity(count: usize) -> Latencies {
        Latencies(Vec::with_capacity(count))
    }

    pub fn push(&mut self, micros: u128) {
        self.0.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    pub fn append(&mut self, mut other: Latencies) {
        self.0.append(&mut other.0);
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// How many, and their percentiles in milliseconds, as a row of a table has them.
    pub fn to_cells(self) -> [String; 4] {
        let count = format_number(self.count() as f64, 0);
        let Percentiles { p50, p95, p99 } = self.percentiles();
        [count, format_number(p50, 2), format_number(p95, 2), format_number(p99, 2)]
    }

    pub fn percentiles(mut self) -> Percentiles {
        self.0.sort_unstable();
        let at = |percent: usize| {
            // The nearest rank: of 100 times the 95th is p95.
            let rank = (self.0.len() * percent).div_ceil(100).max(1);
            self.0.get(rank - 1).map_or(0.0, |micros| f64::from(*micros) / 1000.0)
        };
        Percentiles { p50: at(50), p95: at(95), p99: at(99) }
    }
}

/// A figure over the rounds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    pub least: f64,
    pub median: f64,
    pub most: f64,
}

impl Spread {
    pub fn from_rounds(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_unstable_by(f64::total_cmp);
        let (Some(least), Some(most)) = (figures.first(), figures.last()) else { return Spread::default() };
        Spread { least: *least, median: median_of_sorted(&figures), most: *most }
    }

    /// `1,234 (1,100 – 1,300)`
    pub fn with_range(self, decimals: usize) -> String {
        let [median, least, most] =
            [self.median, self.least, self.most].map(|value| format_number(value, decimals));
        format!("{median} ({least} – {most})")
    }
}

/// The median; not a number where there is none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    median_of_sorted(&values)
}

/// The median of sorted values.
fn median_of_sorted(values: &[f64]) -> f64 {
    match values.len() {
        0 => f64::NAN,
        count => f64::midpoint(values[(count - 1) / 2], values[count / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut latencies = Latencies::default();
        for micros in (1..=100).rev() {
            latencies.push(micros * 1000);
        }
        assert_eq!(latencies.percentiles(), Percentiles { p50: 50.0, p95: 95.0, p99: 99.0 });
        assert_eq!(Latencies::default().percentiles(), Percentiles::default());
    }

    #[test]
    fn a_spread_holds_the_middle() {
        assert_eq!(Spread::from_rounds([3.0, 1.0, 2.0]), Spread { least: 1.0, median: 2.0, most: 3.0 });
        assert_eq!(Spread::from_rounds([4.0, 1.0]), Spread { least: 1.0, median: 2.5, most: 4.0 });
        assert_eq!(Spread::from_rounds([]), Spread::default());
    }
}
