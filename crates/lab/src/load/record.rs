//! Collects measured times during a run. Memory stays the same however long the run is: histograms, and a time line whose steps
//! grow with the run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// The most points of a time line. When there are more, each two points become one.
const MOST_POINTS: usize = 600;
const MOST_MICROS: u64 = 3_600_000_000;

/// The measured times of one call or transaction.
pub(crate) struct MeasuredTimes {
    pub(crate) name: String,
    /// Times in microseconds from the real start of a call to the end of its answer, of answers with an expected status.
    pub(crate) real: Histogram<u64>,
    /// Times in microseconds from the intended start of a call to the end of its answer.
    pub(crate) intended: Histogram<u64>,
    pub(crate) sum_micros: u64,
    pub(crate) bytes: u64,
    pub(crate) refused: BTreeMap<u16, u64>,
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) time_line: Vec<Point>,
}

/// A step of a time line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Point {
    pub(crate) count: u64,
    pub(crate) sum_micros: u64,
    pub(crate) errors: u64,
    /// Number of calls by the logarithm of their time, in eight classes per doubling, so that a percentile is exact within a tenth.
    octaves: BTreeMap<u16, u32>,
}

pub(crate) struct Recorder {
    began: Instant,
    pub(crate) step: Duration,
    pub(crate) calls: Vec<MeasuredTimes>,
    pub(crate) transactions: Vec<MeasuredTimes>,
}

pub(crate) enum CallEnd<'a> {
    Done,
    Refused(u16),
    Failed(&'a str),
}

/// The times of a call or transaction: its intended start, its duration, and its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallSpan {
    pub(crate) intended: Instant,
    pub(crate) real: Duration,
    pub(crate) ended: Instant,
}

impl Recorder {
    pub(crate) fn new(began: Instant, calls: &[String], transactions: &[String]) -> Recorder {
        let all = |names: &[String]| names.iter().map(|name| MeasuredTimes::new(name)).collect();
        Recorder { began, step: Duration::from_secs(1), calls: all(calls), transactions: all(transactions) }
    }

    pub(crate) fn record_call(&mut self, at: usize, span: CallSpan, end: &CallEnd<'_>, bytes: usize) {
        let point = self.point_index(span.ended);
        self.calls[at].add(span, end, bytes, point);
    }

    pub(crate) fn record_transaction(&mut self, at: usize, span: CallSpan, end: &CallEnd<'_>) {
        let point = self.point_index(span.ended);
        self.transactions[at].add(span, end, 0, point);
    }

    fn point_index(&mut self, now: Instant) -> usize {
        let since = now.saturating_duration_since(self.began);
        while since.as_nanos() / self.step.as_nanos() >= MOST_POINTS as u128 {
            self.step *= 2;
            for measured in self.calls.iter_mut().chain(&mut self.transactions) {
                measured.halve_time_line();
            }
        }
        (since.as_nanos() / self.step.as_nanos()) as usize
    }
}

impl MeasuredTimes {
    fn new(name: &str) -> MeasuredTimes {
        let histogram =
            || Histogram::new_with_bounds(1, MOST_MICROS, 3).expect("bounds that are none of a client's");
        MeasuredTimes {
            name: name.to_owned(),
            real: histogram(),
            intended: histogram(),
            sum_micros: 0,
            bytes: 0,
            refused: BTreeMap::new(),
            errors: BTreeMap::new(),
            time_line: Vec::new(),
        }
    }

    fn add(&mut self, span: CallSpan, end: &CallEnd<'_>, bytes: usize, point: usize) {
        if self.time_line.len() <= point {
            self.time_line.resize_with(point + 1, Point::default);
        }
        let point = &mut self.time_line[point];
        match end {
            CallEnd::Done => {
                let micros = micros(span.real);
                let intended = micros.max(self::micros(span.ended.saturating_duration_since(span.intended)));
                self.real.saturating_record(micros);
                self.intended.saturating_record(intended);
                self.sum_micros += micros;
                self.bytes += bytes as u64;
                point.count += 1;
                point.sum_micros += micros;
                *point.octaves.entry(octave(micros)).or_default() += 1;
            }
            CallEnd::Refused(status) => *self.refused.entry(*status).or_default() += 1,
            CallEnd::Failed(why) => {
                point.errors += 1;
                // A server may word each error differently: so many kinds are kept, the rest counts as one.
                let known = self.errors.len() < 20 || self.errors.contains_key(*why);
                *self
                    .errors
                    .entry(if known { (*why).to_owned() } else { "others".to_owned() })
                    .or_default() += 1;
            }
        }
    }

    fn halve_time_line(&mut self) {
        self.time_line = self
            .time_line
            .chunks(2)
            .map(|pair| pair[1..].iter().fold(pair[0].clone(), Point::merged_with))
            .collect();
    }
}

impl Point {
    fn merged_with(mut self, other: &Point) -> Point {
        self.count += other.count;
        self.sum_micros += other.sum_micros;
        self.errors += other.errors;
        for (octave, count) in &other.octaves {
            *self.octaves.entry(*octave).or_default() += count;
        }
        self
    }

    /// A percentile in milliseconds, exact within a tenth; `None` if nothing was measured.
    pub(crate) fn percentile(&self, share: f64) -> Option<f64> {
        let wanted = (self.count as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (octave, count) in &self.octaves {
            seen += u64::from(*count);
            if seen >= wanted {
                return Some(((f64::from(*octave) + 0.5) / 8.0).exp2() / 1000.0);
            }
        }
        None
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(MOST_MICROS).max(1)
}

fn octave(micros: u64) -> u16 {
    ((micros as f64).log2() * 8.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    fn add(recorder: &mut Recorder, second: u64, millis: u64, end: &CallEnd<'_>) {
        let (real, ended) = (Duration::from_millis(millis), recorder.began + Duration::from_secs(second));
        recorder.record_call(0, CallSpan { intended: ended - real, real, ended }, end, 10);
    }

    #[test]
    fn a_day_takes_no_more_points_than_ten_minutes_and_loses_no_call() {
        let mut recorder = Recorder::new(clock::now(), &["GET /x".to_owned()], &[]);
        for second in 0..86_400 {
            add(&mut recorder, second, 1 + second % 100, &CallEnd::Done);
        }
        let measured = &recorder.calls[0];
        assert!(measured.time_line.len() <= MOST_POINTS);
        assert_eq!(measured.time_line.iter().map(|point| point.count).sum::<u64>(), 86_400);
        let median = measured.time_line[100].percentile(0.5).unwrap();
        // The step of 256 seconds holds 1 to 56 ms three times and the others twice: its median is 43.
        assert!((39.0..47.0).contains(&median), "{median}");
        let exact = measured.real.value_at_quantile(0.5);
        assert!((49_900..=50_100).contains(&exact), "{exact}");
    }

    #[test]
    fn refusals_and_errors_are_counted_apart_and_have_no_time() {
        let mut recorder = Recorder::new(clock::now(), &["GET /x".to_owned()], &[]);
        add(&mut recorder, 0, 5, &CallEnd::Done);
        add(&mut recorder, 0, 5, &CallEnd::Refused(422));
        add(&mut recorder, 0, 5, &CallEnd::Failed("500"));
        let measured = &recorder.calls[0];
        assert_eq!((measured.real.len(), measured.refused[&422], measured.errors["500"]), (1, 1, 1));
    }
}
