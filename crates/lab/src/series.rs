//! Series of values over the time of a run, such as the memory of a process or the connections of a database. All collectors use this form.

use serde::{Deserialize, Serialize};

/// The most points of a series. When there are more, each two points become one.
const MOST_POINTS: usize = 600;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Series {
    /// The collector that read it: `process`, `PostgreSQL`, `octavo`.
    pub(crate) source: String,
    /// The process, module or database that it is about.
    pub(crate) subject: String,
    /// `cpu`, `memory`, `connections`.
    pub(crate) measure: String,
    /// `cores`, `MB`, empty for a bare number.
    pub(crate) unit: String,
    /// Seconds since the run's start, and the value; in the order of time.
    pub(crate) points: Vec<(f64, f64)>,
}

impl Series {
    pub(crate) fn mean(&self) -> f64 {
        self.points.iter().map(|(_, value)| value).sum::<f64>() / self.points.len().max(1) as f64
    }

    pub(crate) fn max(&self) -> f64 {
        self.points.iter().fold(0.0, |most, (_, value)| most.max(*value))
    }

    pub(crate) fn first(&self) -> f64 {
        self.points.first().map_or(0.0, |(_, value)| *value)
    }

    pub(crate) fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, value)| *value)
    }
}

/// Builds a series while values arrive. A point that stands for several values has their mean and the mean of their times.
#[derive(Debug)]
pub(crate) struct SeriesBuilder {
    series: Series,
    /// The number of values that one point stands for.
    values_per_point: u32,
    open_point: PointSum,
}

#[derive(Debug, Default)]
struct PointSum {
    count: u32,
    seconds: f64,
    value: f64,
}

impl SeriesBuilder {
    pub(crate) fn new(source: &str, subject: &str, measure: &str, unit: &str) -> SeriesBuilder {
        let [source, subject, measure, unit] = [source, subject, measure, unit].map(str::to_owned);
        let series = Series { source, subject, measure, unit, points: Vec::new() };
        SeriesBuilder { series, values_per_point: 1, open_point: PointSum::default() }
    }

    pub(crate) fn add(&mut self, seconds: f64, value: f64) {
        self.open_point.count += 1;
        self.open_point.seconds += seconds;
        self.open_point.value += value;
        if self.open_point.count < self.values_per_point {
            return;
        }
        self.close_point();
        let points = &mut self.series.points;
        if points.len() == MOST_POINTS {
            let halved = points.chunks(2).map(|pair| match pair {
                [one, other] => (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1)),
                rest => rest[0],
            });
            *points = halved.collect();
            self.values_per_point *= 2;
        }
    }

    pub(crate) fn finish(mut self) -> Series {
        self.close_point();
        self.series
    }

    fn close_point(&mut self) {
        let PointSum { count, seconds, value } = std::mem::take(&mut self.open_point);
        if count > 0 {
            let count = f64::from(count);
            self.series.points.push((seconds / count, value / count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_takes_no_more_points_than_ten_minutes_and_keeps_its_slope() {
        let mut growing = SeriesBuilder::new("process", "octavo", "memory", "MB");
        for second in 0..86_400 {
            growing.add(f64::from(second), 100.0 + f64::from(second) / 1000.0);
        }
        let points = growing.finish().points;
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&points.len()), "{}", points.len());
        assert!(points.is_sorted_by(|one, other| one.0 < other.0));
        for (seconds, value) in points {
            assert!((value - 100.0 - seconds / 1000.0).abs() < 1e-6, "{seconds}: {value}");
        }
    }

    #[test]
    fn a_short_run_keeps_every_value() {
        let mut growing = SeriesBuilder::new("process", "octavo", "cpu", "cores");
        growing.add(0.0, 1.0);
        growing.add(1.0, 0.5);
        assert_eq!(growing.finish().points, [(0.0, 1.0), (1.0, 0.5)]);
    }
}
