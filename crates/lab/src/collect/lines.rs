//! The time series that one collector records, each identified by its subject and its measure.

use std::collections::BTreeMap;

use crate::series::{Series, SeriesBuilder};

/// The most series of one collector. A page of metrics may name any number of subjects; a readable report has fewer.
const MOST_SERIES: usize = 400;

pub(super) struct CollectorSeries {
    source: &'static str,
    series: BTreeMap<(String, String), SeriesBuilder>,
    has_omissions: bool,
}

impl CollectorSeries {
    pub(super) fn new(source: &'static str) -> CollectorSeries {
        CollectorSeries { source, series: BTreeMap::new(), has_omissions: false }
    }

    pub(super) fn set_source(&mut self, source: &'static str) {
        self.source = source;
    }

    pub(super) fn add(&mut self, subject: &str, (measure, unit): (&str, &str), seconds: f64, value: f64) {
        let key = (subject.to_owned(), measure.to_owned());
        if !self.series.contains_key(&key) && self.series.len() == MOST_SERIES {
            self.has_omissions = true;
            return;
        }
        let line =
            self.series.entry(key).or_insert_with(|| SeriesBuilder::new(self.source, subject, measure, unit));
        line.add(seconds, value);
    }

    pub(super) fn finish(self) -> (Vec<Series>, Option<String>) {
        let told = self.has_omissions.then(|| format!("only the first {MOST_SERIES} series were kept"));
        (self.series.into_values().map(SeriesBuilder::finish).collect(), told)
    }
}

/// Converts counters that only grow to rates: the difference from the last reading, divided by the seconds between both readings.
#[derive(Debug, Default)]
pub(super) struct Rates {
    before: BTreeMap<String, f64>,
    last_reading_seconds: Option<f64>,
    elapsed_seconds: f64,
}

impl Rates {
    /// A new reading begins.
    pub(super) fn start_reading(&mut self, seconds: f64) {
        self.elapsed_seconds = self.last_reading_seconds.map_or(0.0, |before| seconds - before);
        self.last_reading_seconds = Some(seconds);
    }

    /// None at the first reading, and if the counter is smaller than before because the program that counts was restarted.
    pub(super) fn per_second(&mut self, name: &str, value: f64) -> Option<f64> {
        let before = self.before.insert(name.to_owned(), value)?;
        (value >= before && self.elapsed_seconds > 0.0).then(|| (value - before) / self.elapsed_seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_began_anew_has_no_rate() {
        let mut rates = Rates::default();
        let mut read = |seconds: f64, value: f64| {
            rates.start_reading(seconds);
            rates.per_second("x", value)
        };
        assert_eq!(
            [read(0.0, 5.0), read(2.0, 9.0), read(3.0, 1.0), read(5.0, 2.0)],
            [None, Some(2.0), None, Some(0.5)]
        );
    }
}
