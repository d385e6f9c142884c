//! The series of one collector, by what they are of.

use std::collections::BTreeMap;

use crate::series::{Growing, Series};

/// A page may name as many things as it likes; a report that can be read has fewer.
const MOST_LINES: usize = 400;

pub(super) struct Lines {
    source: &'static str,
    lines: BTreeMap<(String, String), Growing>,
    left_out: bool,
}

impl Lines {
    pub(super) fn new(source: &'static str) -> Lines {
        Lines { source, lines: BTreeMap::new(), left_out: false }
    }

    pub(super) fn is_from(&mut self, source: &'static str) {
        self.source = source;
    }

    pub(super) fn add(&mut self, subject: &str, (measure, unit): (&str, &str), seconds: f64, value: f64) {
        let key = (subject.to_owned(), measure.to_owned());
        if !self.lines.contains_key(&key) && self.lines.len() == MOST_LINES {
            self.left_out = true;
            return;
        }
        let line = self.lines.entry(key).or_insert_with(|| Growing::new(self.source, subject, measure, unit));
        line.add(seconds, value);
    }

    pub(super) fn finish(self) -> (Vec<Series>, Option<String>) {
        let told = self.left_out.then(|| format!("only the first {MOST_LINES} series were kept"));
        (self.lines.into_values().map(Growing::finish).collect(), told)
    }
}

/// A counter that only grows, as a rate: what it grew by since the last reading, by the seconds that passed.
#[derive(Debug, Default)]
pub(super) struct Rates {
    before: BTreeMap<String, f64>,
    at: Option<f64>,
    passed: f64,
}

impl Rates {
    /// A new reading begins.
    pub(super) fn read_at(&mut self, seconds: f64) {
        self.passed = self.at.map_or(0.0, |before| seconds - before);
        self.at = Some(seconds);
    }

    /// None at the first reading, and where the counter began anew because what counts was started again.
    pub(super) fn per_second(&mut self, name: &str, value: f64) -> Option<f64> {
        let before = self.before.insert(name.to_owned(), value)?;
        (value >= before && self.passed > 0.0).then(|| (value - before) / self.passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_began_anew_has_no_rate() {
        let mut rates = Rates::default();
        let mut read = |seconds: f64, value: f64| {
            rates.read_at(seconds);
            rates.per_second("x", value)
        };
        assert_eq!(
            [read(0.0, 5.0), read(2.0, 9.0), read(3.0, 1.0), read(5.0, 2.0)],
            [None, Some(2.0), None, Some(0.5)]
        );
    }
}
