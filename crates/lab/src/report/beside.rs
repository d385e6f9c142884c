//! One's own figures beside published ones.

use crate::published::{Published, PublishedRun, Times, find};
use crate::result::{Results, Run, Summary};

use super::table::{Table, millis};

pub(crate) struct Beside {
    pub(crate) table: Table,
    /// For the summary: the largest difference of averages, in words.
    pub(crate) told: Vec<String>,
}

pub(crate) fn beside(results: &Results, run: &Run, published: &[Published]) -> Option<Beside> {
    let theirs = find(published, results.report.as_deref()?, run.published.as_deref()?)?;
    let (mut rows, mut told) = (Vec::new(), Vec::new());
    for times in &theirs.times {
        let ours = run.transactions.iter().chain(&run.calls).find(|one| one.name == times.name);
        let Some(ours) = ours.filter(|one| one.count > 0) else { continue };
        rows.extend(pairs(times, ours).map(|(what, theirs, ours)| row(&times.name, what, theirs, ours)));
        if let Some(average) = times.average {
            told.push(sentence(run, theirs, &times.name, average, ours.average));
        }
    }
    let title = format!("Beside report {}: {}", results.report.as_deref().unwrap_or_default(), theirs.name);
    let head = vec!["", "", "published, ms", "here, ms", "difference, ms", "difference, %"];
    Some(Beside { table: Table { title, head, rows }, told })
}

fn pairs<'a>(times: &'a Times, ours: &'a Summary) -> impl Iterator<Item = (&'static str, f64, f64)> + use<> {
    let all = [
        ("average", times.average, ours.average),
        ("min", times.min, ours.min),
        ("50th", times.p50, ours.p50),
        ("75th", times.p75, ours.p75),
        ("95th", times.p95, ours.p95),
        ("99th", times.p99, ours.p99),
        ("max", times.max, ours.max),
    ];
    all.into_iter().filter_map(|(what, theirs, ours)| Some((what, theirs?, ours)))
}

fn row(name: &str, what: &str, theirs: f64, ours: f64) -> Vec<String> {
    let difference = ours - theirs;
    let sign = if difference < 0.0 { "−" } else { "+" };
    let percent = 100.0 * difference / theirs;
    vec![
        name.to_owned(),
        what.to_owned(),
        millis(theirs),
        millis(ours),
        format!("{sign}{}", millis(difference.abs())),
        format!("{sign}{:.1} %", percent.abs()),
    ]
}

fn sentence(run: &Run, theirs: &PublishedRun, name: &str, published: f64, ours: f64) -> String {
    let times = if ours <= published { published / ours.max(1e-6) } else { ours / published };
    let word = if ours <= published { "faster" } else { "slower" };
    format!(
        "{}: {name} takes {} ms on average; published for {}: {} ms, {times:.1} times {word} here, on another machine \
         with other data",
        run.test,
        millis(ours),
        theirs.name,
        millis(published)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_in_milliseconds_and_percent() {
        let told = row("T", "average", 800.0, 600.0);
        assert_eq!(told[2..], ["800", "600", "−200", "−25.0 %"].map(str::to_owned));
        assert_eq!(row("T", "average", 8.0, 12.0)[4..], ["+4.00", "+50.0 %"].map(str::to_owned));
    }
}
