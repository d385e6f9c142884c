//! Writes a report as CSV for spreadsheets: a line for each call and transaction of each run.

use std::fmt::Write;

use crate::result::{Results, Summary};

const HEAD: &str = "test,users,kind,name,samples,average_ms,min_ms,p50_ms,p75_ms,p95_ms,p99_ms,max_ms,\
                    intended_p99_ms,per_second,bytes,refused,errors\n";

pub(super) fn page(results: &Results) -> String {
    let mut text = HEAD.to_owned();
    for run in &results.runs {
        for (kind, summaries) in [("transaction", &run.transactions), ("call", &run.calls)] {
            for one in summaries {
                let _ = write!(text, "{},{},{kind},", csv_cell(&run.test), run.users);
                write_line(&mut text, one);
            }
        }
    }
    text
}

/// The collected series, a line for each value.
pub(super) fn series(results: &Results) -> String {
    let mut text = "test,told_by,subject,measure,unit,seconds,value\n".to_owned();
    for run in &results.runs {
        for series in &run.series {
            let names = [&run.test, &series.source, &series.subject, &series.measure, &series.unit];
            let names = names.map(|name| csv_cell(name)).join(",");
            for (seconds, value) in &series.points {
                let _ = writeln!(text, "{names},{seconds:.3},{value}");
            }
        }
    }
    text
}

fn write_line(text: &mut String, one: &Summary) {
    let _ = write!(text, "{},{}", csv_cell(&one.name), one.count);
    for time in [one.average, one.min, one.p50, one.p75, one.p95, one.p99, one.max, one.intended_p99] {
        let _ = write!(text, ",{time:.3}");
    }
    let _ = writeln!(
        text,
        ",{:.3},{},{},{}",
        one.per_second,
        one.bytes,
        one.count_refusals(),
        one.count_errors()
    );
}

fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_comma_stays_one_cell() {
        assert_eq!(
            [csv_cell("a, b"), csv_cell("a \"b\""), csv_cell("a")],
            ["\"a, b\"", "\"a \"\"b\"\"\"", "a"]
        );
        assert_eq!(HEAD.split(',').count(), 17);
    }
}
