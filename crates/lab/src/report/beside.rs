//! Shows the run's figures beside those of a published FOLIO report.

use crate::published::{Published, PublishedRun, PublishedTimes, find_run};
use crate::result::{Results, Run, Summary};
use crate::table::Table;

use super::table::{format_duration, format_millis};

pub(super) fn comparison_table(results: &Results, run: &Run, published: &[Published]) -> Option<Table> {
    let theirs = find_run(published, results.report.as_deref()?, run.published.as_deref()?)?;
    if !run.is_trusted() {
        return None;
    }
    let rows = paired_times(theirs, run).flat_map(|(times, ours)| {
        compared_figures(times, ours)
            .map(|(what, theirs, ours)| comparison_row(&times.name, what, theirs, ours))
    });
    let title = format!("Beside report {}: {}", results.report.as_deref().unwrap_or_default(), theirs.name);
    Some(Table { title, head: [&["", ""][..], &COMPARISON_HEAD].concat(), rows: rows.collect() })
}

/// The overview of all tests: the main published figure of each, and the same figure here.
pub(super) fn overview(results: &Results, published: &[Published]) -> Option<Table> {
    let report = results.report.as_deref()?;
    let title = &published.iter().find(|one| one.report == report)?.title;
    let mut rows = Vec::new();
    for (run, theirs) in runs_with_published(results, published) {
        for (times, ours) in paired_times(theirs, run) {
            let first = compared_figures(times, ours).find(|(what, ..)| MAIN_FIGURES.contains(what));
            let high = compared_figures(times, ours).find(|(what, ..)| *what == "95th");
            for (what, theirs, ours) in first.into_iter().chain(high) {
                rows.push([vec![run.test.clone()], comparison_row(&times.name, what, theirs, ours)].concat());
            }
        }
    }
    let title = format!("Beside report {report}: {title}");
    (!rows.is_empty()).then(|| Table {
        title,
        head: [&["test", "", ""][..], &COMPARISON_HEAD].concat(),
        rows,
    })
}

/// The overview in two sentences.
pub(super) fn sentences(results: &Results, published: &[Published]) -> Vec<String> {
    let (mut ratios, mut kinds): (Vec<(f64, String)>, Vec<&str>) = (Vec::new(), Vec::new());
    let (mut lasted, mut published_lasted) = (Vec::new(), Vec::new());
    for (run, theirs) in runs_with_published(results, published) {
        lasted.push(run.seconds);
        published_lasted.extend(theirs.minutes.map(|minutes| f64::from(minutes) * 60.0));
        for (times, ours) in paired_times(theirs, run) {
            let main = compared_figures(times, ours).find(|(what, ..)| MAIN_FIGURES.contains(what));
            let Some((what, theirs, ours)) = main else { continue };
            kinds.push(if what == "average" { "averages" } else { "50th percentiles" });
            ratios.push((theirs / ours.max(1e-6), format!("{} in \"{}\"", times.name, run.test)));
        }
    }
    ratios.sort_by(|one, other| one.0.total_cmp(&other.0));
    kinds.sort_unstable();
    kinds.dedup();
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else { return Vec::new() };
    let (count, report) = (ratios.len(), results.report.as_deref().unwrap_or_default());
    let what = kinds.join(" and ");
    let shorter = match ratios.iter().filter(|(ratio, _)| *ratio >= 1.0).count() {
        2 if count == 2 => format!("both published {what} are shorter here"),
        all if all == count => format!("all {count} published {what} are shorter here"),
        some => format!("{some} of {count} published {what} are shorter here"),
    };
    let mut told = vec![format!(
        "Beside report {report}: {shorter}, from {} ({}) to {} ({}). It is another machine with other data: what differs is not \
         the program alone.",
        speed_text(least.0),
        least.1,
        speed_text(most.0),
        most.1
    )];
    let (here, there) = (duration_range(&lasted), duration_range(&published_lasted));
    if lasted.iter().sum::<f64>() < 0.9 * published_lasted.iter().sum::<f64>() {
        told.push(format!("The tests lasted {here}; those of the report lasted {there}."));
    }
    told
}

pub(super) const COMPARISON_HEAD: [&str; 4] =
    ["published, ms", "here, ms", "difference, ms", "difference, %"];
/// The names of the main figures; each report has one of them.
const MAIN_FIGURES: [&str; 2] = ["average", "50th"];

pub(super) fn runs_with_published<'a>(
    results: &'a Results,
    published: &'a [Published],
) -> impl Iterator<Item = (&'a Run, &'a PublishedRun)> {
    let of = |run: &'a Run| find_run(published, results.report.as_deref()?, run.published.as_deref()?);
    results.runs.iter().filter(|run| run.is_trusted()).filter_map(move |run| Some((run, of(run)?)))
}

/// The calls and transactions for which both the report and this run have figures.
fn paired_times<'a>(
    theirs: &'a PublishedRun,
    run: &'a Run,
) -> impl Iterator<Item = (&'a PublishedTimes, &'a Summary)> {
    let ours = |times: &PublishedTimes| {
        run.transactions.iter().chain(&run.calls).find(|one| one.name == times.name && one.count > 0)
    };
    theirs.times.iter().filter_map(move |times| Some((times, ours(times)?)))
}

fn speed_text(ratio: f64) -> String {
    if ratio >= 1.0 {
        format!("{ratio:.1} times as fast")
    } else {
        format!("{:.1} times as slow", 1.0 / ratio)
    }
}

fn duration_range(seconds: &[f64]) -> String {
    let least = format_duration(seconds.iter().copied().fold(f64::MAX, f64::min));
    let most = format_duration(seconds.iter().copied().fold(0.0, f64::max));
    if least == most { most } else { format!("{least} to {most}") }
}

fn compared_figures<'a>(
    times: &'a PublishedTimes,
    ours: &'a Summary,
) -> impl Iterator<Item = (&'static str, f64, f64)> + use<> {
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

pub(super) fn comparison_row(name: &str, what: &str, theirs: f64, ours: f64) -> Vec<String> {
    let difference = ours - theirs;
    let sign = if difference < 0.0 { "−" } else { "+" };
    let percent = 100.0 * difference / theirs;
    vec![
        name.to_owned(),
        what.to_owned(),
        format_millis(theirs),
        format_millis(ours),
        format!("{sign}{}", format_millis(difference.abs())),
        format!("{sign}{:.1} %", percent.abs()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(average: f64, seconds: f64) -> Results {
        let call = |name: &str| Summary {
            name: name.to_owned(),
            count: 9,
            average,
            p50: average,
            p95: 2.0 * average,
            ..Summary::default()
        };
        let run = |test: &str, published: &str, name: &str| Run {
            test: test.to_owned(),
            published: Some(published.to_owned()),
            seconds,
            calls: vec![call(name)],
            ..Run::default()
        };
        let name = "POST /inventory-hierarchy/items-and-holdings";
        let runs = vec![
            run("one", "Test 1", name),
            run("five", "Test 5", name),
            run("none", "Test 6", "GET /other"),
        ];
        Results { report: Some("002".to_owned()), runs, ..Results::default() }
    }

    #[test]
    fn the_overview_has_averages_or_medians_and_the_95th_of_all_tests() {
        let published = crate::published::load_published().unwrap();
        let table = overview(&results(10.0, 10.0), &published).unwrap();
        let told: Vec<String> = table.rows.iter().map(|row| row[..6].join("|")).collect();
        let name = "POST /inventory-hierarchy/items-and-holdings";
        assert_eq!(
            told,
            [
                format!("one|{name}|50th|40.0|10.0|−30.0"),
                format!("one|{name}|95th|57.0|20.0|−37.0"),
                format!("five|{name}|average|75.0|10.0|−65.0"),
                format!("five|{name}|95th|184|20.0|−164"),
            ]
        );
        let none = Results { report: None, ..results(10.0, 10.0) };
        assert!(overview(&none, &published).is_none() && sentences(&none, &published).is_empty());
    }

    #[test]
    fn the_words_name_the_least_and_the_most_and_how_long_it_lasted() {
        let published = crate::published::load_published().unwrap();
        let told = sentences(&results(50.0, 10.0), &published);
        assert!(
            told[0].starts_with(
                "Beside report 002: 1 of 2 published 50th percentiles and averages are shorter here"
            ),
            "{told:?}"
        );
        let name = "POST /inventory-hierarchy/items-and-holdings";
        let range =
            format!("from 1.2 times as slow ({name} in \"one\") to 1.5 times as fast ({name} in \"five\")");
        assert!(told[0].contains(&range), "{told:?}");
        let faster = sentences(&results(10.0, 10.0), &published);
        assert!(faster[0].starts_with("Beside report 002: both published"), "{faster:?}");
        assert_eq!(told[1], "The tests lasted 10 s; those of the report lasted 30 min.");
        assert_eq!(sentences(&results(50.0, 1800.0), &published).len(), 1);
    }

    #[test]
    fn differences_are_told_in_milliseconds_and_percent() {
        let told = comparison_row("T", "average", 800.0, 600.0);
        assert_eq!(told[2..], ["800", "600", "−200", "−25.0 %"].map(str::to_owned));
        assert_eq!(comparison_row("T", "average", 8.0, 12.0)[4..], ["+4.00", "+50.0 %"].map(str::to_owned));
    }
}
