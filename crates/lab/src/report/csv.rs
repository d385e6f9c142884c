//! A report as lines with commas, for spreadsheets: one line for each call and transaction of each run.

use std::fmt::Write;

use crate::result::{Results, Summary};

const HEAD: &str = "test,users,kind,name,samples,average_ms,min_ms,p50_ms,p75_ms,p95_ms,p99_ms,max_ms,\
                    intended_p99_ms,per_second,bytes,refused,errors\n";

pub(super) fn page(results: &Results) -> String {
    let mut text = HEAD.to_owned();
    for run in &results.runs {
        for (kind, summaries) in [("transaction", &run.transactions), ("call", &run.calls)] {
            for one in summaries {
                let _ = write!(text, "{},{},{kind},", cell(&run.test), run.users);
                line(&mut text, one);
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
            let names = names.map(|name| cell(name)).join(",");
            for (seconds, value) in &series.points {
                let _ = writeln!(text, "{names},{seconds:.3},{value}");
            }
        }
    }
    text
}

fn line(text: &mut String, one: &Summary) {
    let _ = write!(text, "{},{}", cell(&one.name), one.count);
    for time in [one.average, one.min, one.p50, one.p75, one.p95, one.p99, one.max, one.intended_p99] {
        let _ = write!(text, ",{time:.3}");
    }
    let _ = writeln!(text, ",{:.3},{},{},{}", one.per_second, one.bytes, one.refusals(), one.failed());
}

fn cell(text: &str) -> String {
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
        assert_eq!([cell("a, b"), cell("a \"b\""), cell("a")], ["\"a, b\"", "\"a \"\"b\"\"\"", "a"]);
        assert_eq!(HEAD.split(',').count(), 17);
    }
}
