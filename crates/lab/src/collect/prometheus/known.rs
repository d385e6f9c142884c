//! Metrics that many programs report, by their usual names: those of Prometheus' own clients, Micrometer and Vert.x (FOLIO's
//! modules), cAdvisor (containers).

use std::collections::BTreeMap;

use super::text::Sample;
use crate::collect::lines::{CollectorSeries, Rates};

struct KnownMetric {
    name: &'static str,
    is_counter: bool,
    /// The factor from the metric's unit to the measure's.
    scale: f64,
    measure: (&'static str, &'static str),
    /// The label whose value is the subject of the series. None: the metric is about the program itself.
    subject_label: Option<&'static str>,
    /// A label and the value that it must have; other values of the metric are ignored.
    required_label: Option<(&'static str, &'static str)>,
}

const MB: f64 = 1.0 / (1024.0 * 1024.0);
const CPU: (&str, &str) = ("cpu", "cores");
const MEMORY: (&str, &str) = ("memory", "MB");
const HEAP: (&str, &str) = ("Java heap", "MB");
const THREADS: (&str, &str) = ("threads", "");
const FILES: (&str, &str) = ("files", "");
const CONNECTIONS: (&str, &str) = ("database connections", "");

const fn gauge(name: &'static str, scale: f64, measure: (&'static str, &'static str)) -> KnownMetric {
    KnownMetric { name, is_counter: false, scale, measure, subject_label: None, required_label: None }
}

const fn counter(name: &'static str, scale: f64, measure: (&'static str, &'static str)) -> KnownMetric {
    KnownMetric { name, is_counter: true, scale, measure, subject_label: None, required_label: None }
}

/// The known metrics. If a page has several for the same measure, the first counts.
const KNOWN_METRICS: [KnownMetric; 18] = [
    counter("process_cpu_seconds_total", 1.0, CPU),
    counter("process_cpu_time_ns_total", 1e-9, CPU),
    KnownMetric {
        subject_label: Some("container"),
        ..counter("container_cpu_usage_seconds_total", 1.0, CPU)
    },
    gauge("process_resident_memory_bytes", MB, MEMORY),
    KnownMetric {
        subject_label: Some("container"),
        ..gauge("container_memory_working_set_bytes", MB, MEMORY)
    },
    KnownMetric { required_label: Some(("area", "heap")), ..gauge("jvm_memory_used_bytes", MB, HEAP) },
    KnownMetric { required_label: Some(("area", "heap")), ..gauge("jvm_memory_bytes_used", MB, HEAP) },
    gauge("process_threads", 1.0, THREADS),
    gauge("jvm_threads_live_threads", 1.0, THREADS),
    gauge("jvm_threads_current", 1.0, THREADS),
    gauge("process_open_fds", 1.0, FILES),
    gauge("process_files_open_files", 1.0, FILES),
    gauge("hikaricp_connections_active", 1.0, CONNECTIONS),
    KnownMetric {
        required_label: Some(("state", "lent")),
        ..gauge("octavo_database_connections", 1.0, CONNECTIONS)
    },
    counter("octavo_database_waits_total", 1.0, ("waits for a connection", "1/s")),
    KnownMetric { subject_label: Some("kind"), ..gauge("octavo_outbox_waiting", 1.0, ("waiting", "")) },
    KnownMetric {
        subject_label: Some("kind"),
        ..gauge("octavo_outbox_overdue_seconds", 1.0, ("overdue", "s"))
    },
    gauge("process_cpu_usage", 0.0, CPU),
];

pub(super) fn add_known_metrics(
    lines: &mut CollectorSeries,
    rates: &mut Rates,
    name: &str,
    seconds: Option<f64>,
    values: &[Sample<'_>],
) {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for known in &KNOWN_METRICS {
        // Each measure of a program, and of each of its parts, is taken once.
        let (measure, _) = known.measure;
        if told.contains(&(measure, known.subject_label.unwrap_or_default())) {
            continue;
        }
        let sums = sums_by_subject(known, name, values);
        if !sums.is_empty() {
            told.push((measure, known.subject_label.unwrap_or_default()));
        }
        for (subject, value) in sums {
            let value = match known.is_counter {
                true => rates.per_second(&format!("{} {subject}", known.name), value),
                false => Some(value),
            };
            if let (Some(seconds), Some(value)) = (seconds, value) {
                lines.add(&subject, known.measure, seconds, value);
            }
        }
    }
}

/// The values of a metric by subject; those that differ in other labels are added up.
fn sums_by_subject(known: &KnownMetric, name: &str, values: &[Sample<'_>]) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let scale = match known.name {
        // A share of all processors, whose number stands beside it.
        "process_cpu_usage" => {
            values.iter().find(|value| value.name == "system_cpu_count").map_or(0.0, |value| value.value)
        }
        _ => known.scale,
    };
    for value in values.iter().filter(|value| value.name == known.name && scale > 0.0) {
        if known.required_label.is_some_and(|(label, wanted)| value.label(label) != Some(wanted)) {
            continue;
        }
        let subject = match known.subject_label {
            None => name.to_owned(),
            Some(label) => match value.label(label).or_else(|| value.label("name")) {
                // cAdvisor's values of a whole machine or pod have no name.
                None | Some("" | "POD") => continue,
                Some(part) => part.to_owned(),
            },
        };
        *sums.entry(subject).or_default() += value.value * scale;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::*;

    fn collected(pages: [&str; 2]) -> Vec<(String, String, f64)> {
        let (mut lines, mut rates) = (CollectorSeries::new("Prometheus"), Rates::default());
        for (page, seconds) in pages.into_iter().zip([None, Some(10.0)]) {
            rates.start_reading(seconds.unwrap_or(0.0));
            add_known_metrics(&mut lines, &mut rates, "mod-users", seconds, &parse(page));
        }
        let series = lines.finish().0.into_iter();
        series.map(|series| (series.subject, series.measure, series.points[0].1)).collect()
    }

    fn reading(subject: &str, measure: &str, value: f64) -> (String, String, f64) {
        (subject.to_owned(), measure.to_owned(), value)
    }

    #[test]
    fn a_java_modules_page_is_understood() {
        let page = "process_cpu_usage 0.25\nsystem_cpu_count 4\njvm_threads_live_threads 31\n\
                    jvm_memory_used_bytes{area=\"heap\",id=\"eden\"} 1048576\njvm_memory_used_bytes{area=\"heap\",id=\"old\"} 1048576\n\
                    jvm_memory_used_bytes{area=\"nonheap\",id=\"meta\"} 999\nhikaricp_connections_active{pool=\"p\"} 3\n";
        let expected = [
            reading("mod-users", "Java heap", 2.0),
            reading("mod-users", "cpu", 1.0),
            reading("mod-users", "database connections", 3.0),
            reading("mod-users", "threads", 31.0),
        ];
        assert_eq!(collected([page, page]), expected);
    }

    #[test]
    fn containers_are_told_apart_and_counters_become_rates() {
        let before = "container_cpu_usage_seconds_total{container=\"mod-users\",cpu=\"0\"} 100\n\
                      container_cpu_usage_seconds_total{container=\"mod-login\",cpu=\"0\"} 7\n";
        let after = "container_cpu_usage_seconds_total{container=\"mod-users\",cpu=\"0\"} 120\n\
                     container_cpu_usage_seconds_total{container=\"mod-login\",cpu=\"0\"} 8\n\
                     container_cpu_usage_seconds_total{container=\"\",cpu=\"0\"} 900\n\
                     container_memory_working_set_bytes{container=\"mod-users\"} 2097152\n";
        let expected = [
            reading("mod-login", "cpu", 0.1),
            reading("mod-users", "cpu", 2.0),
            reading("mod-users", "memory", 2.0),
        ];
        assert_eq!(collected([before, after]), expected);
    }
}
