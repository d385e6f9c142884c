//! Writes the report's section on growth during a run: of the times of calls and transactions, and of every collected series.

use crate::result::{Run, Summary};
use crate::statistics::{Trend, TrendVerdict, trend};
use crate::table::Table;

use super::table::format_duration;

/// The least seconds of a run whose growth is judged; shorter runs say nothing about hours.
const LEAST_SECONDS: f64 = 300.0;

/// A series of a run and the verdict about it.
pub(super) struct JudgedSeries {
    what: String,
    unit: String,
    kind: SeriesKind,
    trend: Trend,
}

/// The kind of a series, which decides how its growth is understood.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SeriesKind {
    Time,
    /// Something that a process holds and should give back, such as memory.
    Held,
    /// Grows with what is stored.
    Stored,
    Other,
}

pub(super) fn judge_series(run: &Run) -> Vec<JudgedSeries> {
    if run.seconds < LEAST_SECONDS || !run.is_trusted() {
        return Vec::new();
    }
    let times = run.transactions.iter().chain(&run.calls).filter(|one| one.count > 0);
    let times =
        times.map(|one| (one.name.clone(), "ms".to_owned(), SeriesKind::Time, average_points(one, run.step)));
    // How many users there are is no finding.
    let watched = run.series.iter().filter(|series| series.measure != "users").map(|series| {
        let what = [series.subject.as_str(), series.measure.as_str()].join(", ");
        (what, series.unit.clone(), series_kind(&series.measure), series.points.clone())
    });
    let all: Vec<_> = times.chain(watched).collect();
    let among = all.len();
    let judged = all.into_iter().map(|(what, unit, kind, points)| {
        let trend = trend(&points, least_growth(&unit, kind), among);
        JudgedSeries { what, unit, kind, trend }
    });
    judged.filter(|one| one.trend.from.is_finite()).collect()
}

/// The average times of those steps in which anything was answered.
fn average_points(one: &Summary, step: f64) -> Vec<(f64, f64)> {
    let moments = one.line.iter().enumerate();
    moments.filter_map(|(at, moment)| Some(((at as f64 + 0.5) * step, moment.average?))).collect()
}

fn series_kind(measure: &str) -> SeriesKind {
    match measure {
        "memory" | "Java heap" | "threads" | "files" => SeriesKind::Held,
        measure if measure.contains("connections") => SeriesKind::Held,
        "size" | "rows" => SeriesKind::Stored,
        _ => SeriesKind::Other,
    }
}

/// The least growth within a run that is worth a word, however small the value is.
fn least_growth(unit: &str, kind: SeriesKind) -> f64 {
    match (unit, kind) {
        ("ms", _) => 0.5,
        ("cores", _) => 0.05,
        ("MB", _) => 4.0,
        (_, SeriesKind::Held) => 2.0,
        _ => 0.0,
    }
}

pub(super) fn table(judged: &[JudgedSeries]) -> Table {
    let with_unit =
        |one: &JudgedSeries, value: f64| format!("{} {}", number_text(value), one.unit).trim().to_owned();
    let known = |value: f64, text: String| if value.is_nan() { String::new() } else { text };
    let bounds = |(least, most): (f64, f64)| format!("{} to {}", signed_text(least), signed_text(most));
    Table::from_items(
        "Does anything grow?",
        judged,
        &[
            ("", &|one| one.what.clone()),
            ("at first", &|one| with_unit(one, one.trend.from)),
            ("at last", &|one| with_unit(one, one.trend.to)),
            ("an hour", &|one| known(one.trend.per_hour, signed_text(one.trend.per_hour))),
            ("95 % bounds", &|one| known(one.trend.bounds.0, bounds(one.trend.bounds))),
            ("verdict", &|one| one.trend.verdict.label().to_owned()),
        ],
    )
}

/// A sentence for each series that grows, with its figures; then how many do not.
pub(super) fn sentences(run: &Run, judged: &[JudgedSeries]) -> Vec<String> {
    let of = |course: TrendVerdict| judged.iter().filter(move |one| one.trend.verdict == course);
    let mut told: Vec<String> = of(TrendVerdict::Grows).map(|one| growth_sentence(run, one)).collect();
    let (steady, short) = (of(TrendVerdict::Steady).count(), of(TrendVerdict::TooShort).count());
    let falling: Vec<&str> = of(TrendVerdict::Falls).map(|one| one.what.as_str()).collect();
    if !falling.is_empty() {
        told.push(format!("{}: these fall while it runs: {}.", run.test, falling.join("; ")));
    }
    if !judged.is_empty() {
        let long = format_duration(run.seconds);
        told.push(format!(
            "{}: of {} series over {long}, {} grow, {steady} are steady, of {short} it is too short to say.",
            run.test,
            judged.len(),
            of(TrendVerdict::Grows).count()
        ));
    }
    told
}

fn growth_sentence(run: &Run, one: &JudgedSeries) -> String {
    let JudgedSeries { what, unit, kind, trend } = one;
    let meaning = match kind {
        SeriesKind::Time => "it gets slower",
        SeriesKind::Held => "it leaks",
        SeriesKind::Stored => "it grows with what is stored",
        SeriesKind::Other => "it grows",
    };
    format!(
        "{}: {what}: {meaning}, by {} {unit} an hour ({} to {}), from {} to {} {unit}.",
        run.test,
        number_text(trend.per_hour),
        number_text(trend.bounds.0),
        number_text(trend.bounds.1),
        number_text(trend.from),
        number_text(trend.to)
    )
    .replace("  ", " ")
    .replace(" .", ".")
}

impl TrendVerdict {
    fn label(self) -> &'static str {
        match self {
            TrendVerdict::Grows => "grows",
            TrendVerdict::Falls => "falls",
            TrendVerdict::Steady => "steady",
            TrendVerdict::TooShort => "too short to say",
        }
    }
}

fn number_text(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 => 2,
        _ => 3,
    };
    // A value that is rounded to zero has no sign.
    let text = format!("{value:.digits$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { "0".to_owned() } else { text.replace('-', "−") }
}

fn signed_text(value: f64) -> String {
    let text = number_text(value);
    if text.starts_with('−') || text == "0" { text } else { format!("+{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::SeededRandom;
    use crate::result::Moment;
    use crate::series::Series;

    /// Two hours of a fake: one call becomes slower by so many milliseconds an hour, a process holds more and more by so many
    /// megabytes, and the rest is as it was, with noise over everything.
    fn run(seed: u64, slower: f64, leak: f64) -> Run {
        let mut chance = SeededRandom::new(seed);
        let mut noise = |scatter: f64| ((0..12).map(|_| chance.fraction()).sum::<f64>() - 6.0) * scatter;
        let line = |of: &mut dyn FnMut(f64) -> f64| -> Vec<Moment> {
            let moments = (0..480).map(|at| {
                let average = Some(of(f64::from(at) / 240.0));
                Moment { count: 10, errors: 0, average, p95: average }
            });
            moments.collect()
        };
        let named = |name: &str, line: Vec<Moment>| Summary {
            name: name.to_owned(),
            count: 4800,
            line,
            ..Summary::default()
        };
        let calls = vec![
            named("GET /same", line(&mut |_| 20.0 + noise(3.0))),
            named("GET /slower", line(&mut |hours| 20.0 + slower * hours + noise(3.0))),
        ];
        let series = |measure: &str, unit: &str, of: &mut dyn FnMut(f64) -> f64| {
            let points = (0..480).map(|at| (f64::from(at) * 15.0, of(f64::from(at) / 240.0))).collect();
            let [source, subject, measure, unit] = ["process", "fake", measure, unit].map(str::to_owned);
            Series { source, subject, measure, unit, points }
        };
        let series = vec![
            series("memory", "MB", &mut |hours| 80.0 + leak * hours + noise(2.0)),
            series("cpu", "cores", &mut |_| 0.4 + noise(0.05)),
            series("threads", "", &mut |_| 5.0),
        ];
        Run { test: "day".to_owned(), seconds: 7200.0, step: 15.0, calls, series, ..Run::default() }
    }

    fn growing(run: &Run) -> Vec<String> {
        let judged = judge_series(run);
        judged
            .into_iter()
            .filter(|one| one.trend.verdict == TrendVerdict::Grows)
            .map(|one| one.what)
            .collect()
    }

    #[test]
    fn a_planted_leak_is_named_and_so_is_what_becomes_slower() {
        let run = run(1, 5.0, 12.0);
        let told = sentences(&run, &judge_series(&run));
        assert_eq!(growing(&run), ["GET /slower", "fake, memory"]);
        assert!(told[0].starts_with("day: GET /slower: it gets slower, by "), "{told:?}");
        assert!(
            told[1].starts_with("day: fake, memory: it leaks, by ") && told[1].contains(" MB an hour ("),
            "{told:?}"
        );
        assert!(told[2].contains("of 5 series over 2.0 h, 2 grow, "), "{told:?}");
    }

    #[test]
    fn in_twenty_runs_without_one_no_leak_is_told() {
        for seed in 0..20 {
            assert_eq!(growing(&run(seed, 0.0, 0.0)), [""; 0], "{seed}");
        }
    }

    #[test]
    fn a_short_run_says_nothing() {
        let short = Run { seconds: 60.0, ..run(1, 5.0, 12.0) };
        assert!(judge_series(&short).is_empty());
    }

    #[test]
    fn what_rounds_to_nothing_has_no_sign() {
        assert_eq!([-0.00001, 0.0, -3.25, 120.4].map(signed_text), ["0", "0", "−3.25", "+120"]);
    }
}
