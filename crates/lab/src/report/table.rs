//! The tables of a report, whatever it is written in.

use crate::result::{Results, Run, Summary};

pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// In milliseconds; with as many digits as say something.
pub(crate) fn millis(value: f64) -> String {
    match value {
        value if value >= 100.0 => grouped(value.round() as u64),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// `12,345`
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn runs(results: &Results) -> Table {
    let row = |(at, run): (usize, &Run)| {
        vec![
            (at + 1).to_string(),
            run.test.clone(),
            load(run),
            time(run.seconds),
            grouped(run.asked()),
            grouped(run.errors()),
        ]
    };
    Table {
        title: "Test runs".to_owned(),
        head: vec!["#", "test", "load", "duration", "requests", "errors"],
        rows: results.runs.iter().enumerate().map(row).collect(),
    }
}

pub(crate) fn load(run: &Run) -> String {
    match (run.rate, run.users) {
        (Some(rate), _) => format!("{rate} transactions/s"),
        (None, 1) => "1 user".to_owned(),
        (None, users) => format!("{users} users"),
    }
}

pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

pub(crate) fn of_run(run: &Run) -> [Table; 2] {
    [times("Transactions, ms", &run.transactions), times("Calls, ms", &run.calls)]
}

fn times(title: &str, summaries: &[Summary]) -> Table {
    let row = |one: &Summary| {
        let mut cells = vec![one.name.clone(), grouped(one.count)];
        cells.extend([one.average, one.min, one.p50, one.p75, one.p95, one.p99, one.max].map(millis));
        cells.extend([millis(one.intended_p99), format!("{:.2}", one.per_second)]);
        cells.extend([grouped(one.refusals()), grouped(one.failed())]);
        cells
    };
    Table {
        title: title.to_owned(),
        head: vec![
            "",
            "samples",
            "average",
            "min",
            "50th",
            "75th",
            "95th",
            "99th",
            "max",
            "99th, intended",
            "per s",
            "refused",
            "errors",
        ],
        rows: summaries.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_say_something() {
        assert_eq!([0.1234, 12.34, 123.4, 12345.6].map(millis), ["0.12", "12.3", "123", "12,346"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([59.9, 2700.0, 86_400.0].map(time), ["60 s", "45 min", "24.0 h"]);
    }
}
