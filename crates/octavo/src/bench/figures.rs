//! Pure: what many measured times and several rounds come to.

/// Times of operations, in microseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Latencies(Vec<u32>);

/// In milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Percentiles {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
}

impl Latencies {
    pub(crate) fn with_room(count: usize) -> Latencies {
        Latencies(Vec::with_capacity(count))
    }

    pub(crate) fn push(&mut self, micros: u128) {
        self.0.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    pub(crate) fn append(&mut self, mut other: Latencies) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many, and their percentiles, as a row of a table has them.
    pub(crate) fn told(self) -> [String; 4] {
        let count = told(self.len() as f64, 0);
        let Percentiles { p50, p95, p99 } = self.percentiles();
        [count, told(p50, 2), told(p95, 2), told(p99, 2)]
    }

    pub(crate) fn percentiles(mut self) -> Percentiles {
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
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) most: f64,
}

impl Spread {
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_unstable_by(f64::total_cmp);
        let (Some(least), Some(most)) = (figures.first(), figures.last()) else { return Spread::default() };
        let middle = figures.len() / 2;
        let median = if figures.len() % 2 == 1 {
            figures[middle]
        } else {
            f64::midpoint(figures[middle - 1], figures[middle])
        };
        Spread { least: *least, median, most: *most }
    }

    /// `1,234 (1,100 – 1,300)`
    pub(crate) fn told(self, decimals: usize) -> String {
        let [median, least, most] = [self.median, self.least, self.most].map(|figure| told(figure, decimals));
        format!("{median} ({least} – {most})")
    }
}

/// With commas between thousands.
pub(crate) fn told(figure: f64, decimals: usize) -> String {
    let text = format!("{figure:.decimals$}");
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && grouped != "-" {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    fraction.map_or(grouped.clone(), |fraction| format!("{grouped}.{fraction}"))
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
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { least: 1.0, median: 2.0, most: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0]), Spread { least: 1.0, median: 2.5, most: 4.0 });
        assert_eq!(Spread::of([]), Spread::default());
    }

    #[test]
    fn thousands_are_set_apart() {
        let cases =
            [(0.0, 0, "0"), (999.4, 0, "999"), (1234.56, 1, "1,234.6"), (1_000_000.0, 0, "1,000,000")];
        for (figure, decimals, expected) in cases {
            assert_eq!(told(figure, decimals), expected);
        }
    }
}
