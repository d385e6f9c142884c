//! The alerts and the dashboard in `ops/` name metrics and labels that `/metrics` has.

use std::collections::{BTreeMap, BTreeSet};

use octavo_testkit::{Client, Library, Octavo, eventually};
use serde_json::Value;

const RULES: &str = include_str!("../../../ops/prometheus/octavo.rules.yml");
const DASHBOARD: &str = include_str!("../../../ops/grafana/octavo.json");

/// The labels that Prometheus itself adds to every value.
const PROMETHEUS_LABELS: [&str; 2] = ["job", "instance"];

/// The labels of each metric of a page; those of a histogram by its parts.
fn labels_by_metric(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut metrics: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in page.lines() {
        if let Some(family) = line.strip_prefix("# TYPE ") {
            let (name, kind) = family.split_once(' ').unwrap();
            if kind != "histogram" {
                metrics.entry(name.to_owned()).or_default();
            }
        } else if !line.starts_with('#') {
            let sample = line.rsplit_once(' ').unwrap().0;
            let (name, labels) = sample.split_once('{').unwrap_or((sample, ""));
            metrics.entry(name.to_owned()).or_default().extend(label_names(labels.trim_end_matches('}')));
        }
    }
    metrics
}

/// `module="a",le="b"`, also as a query has it, `module=~"a"`: the names.
fn label_names(labels: &str) -> Vec<String> {
    let without_values = labels.split('"').step_by(2).collect::<String>();
    let names =
        without_values.split(',').map(|name| name.trim().trim_end_matches(['=', '~', '!']).to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// The queries of the rules: behind `expr:`, there or on the indented lines below it.
fn alert_queries() -> Vec<String> {
    let mut queries: Vec<String> = Vec::new();
    let mut below = false;
    for line in RULES.lines() {
        if let Some(query) = line.trim_start().strip_prefix("expr:") {
            below = query.trim() == ">-";
            queries.push(if below { String::new() } else { query.trim().to_owned() });
        } else if below && line.starts_with("          ") {
            let query = queries.last_mut().unwrap();
            query.push_str(line.trim());
            query.push(' ');
        } else {
            below = false;
        }
    }
    queries
}

fn dashboard_queries() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().cloned().unwrap_or_default());
    let variables = dashboard["templating"]["list"].as_array().unwrap().iter();
    let variables = variables.filter_map(|variable| variable["query"].as_str());
    let variables =
        variables.filter_map(|query| query.strip_prefix("label_values(")?.split([',', '{']).next());
    targets
        .map(|target| target["expr"].as_str().unwrap().to_owned())
        .chain(variables.map(str::to_owned))
        .collect()
}

/// Each metric that a query names, with the labels by which it is chosen.
fn metrics_in_query(query: &str) -> Vec<(String, Vec<String>)> {
    let is_of_a_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let mut named = Vec::new();
    for (at, _) in query.match_indices(is_of_a_name) {
        let starts = at == 0 || !query[..at].ends_with(is_of_a_name);
        let rest = &query[at..];
        if starts && ["octavo_", "process_", "up{"].iter().any(|ours| rest.starts_with(ours)) {
            let end = rest.find(|sign| !is_of_a_name(sign)).unwrap_or(rest.len());
            let labels = rest[end..].strip_prefix('{').and_then(|labels| labels.split('}').next());
            named.push((rest[..end].to_owned(), labels.map(label_names).unwrap_or_default()));
        }
    }
    named
}

/// The labels by which a query groups values.
fn grouping_labels(query: &str) -> Vec<String> {
    let groups = query.split(" by (").skip(1).filter_map(|group| group.split(')').next());
    groups.flat_map(|group| group.split(',').map(|label| label.trim().to_owned())).collect()
}

/// The metrics and labels of a query that `/metrics` does not have.
fn unknown_in_query(query: &str, metrics: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let ours = metrics_in_query(query);
    let known = |label: &String, of: &BTreeSet<String>| {
        of.contains(label) || PROMETHEUS_LABELS.contains(&label.as_str())
    };
    let mut missing = Vec::new();
    let mut all = BTreeSet::new();
    for (metric, labels) in &ours {
        match metrics.get(metric) {
            Some(of) => {
                missing.extend(
                    labels
                        .iter()
                        .filter(|label| !known(label, of))
                        .map(|label| format!("{metric}{{{label}}}")),
                );
                all.extend(of.iter().cloned());
            }
            None if metric == "up" => {}
            None => missing.push(metric.clone()),
        }
    }
    missing.extend(grouping_labels(query).into_iter().filter(|label| !known(label, &all)));
    if ours.is_empty() {
        missing.push("any metric of ours".to_owned());
    }
    missing
}

#[tokio::test]
async fn what_alerts_and_dashboard_name_is_on_the_page() {
    let octavo = Octavo::watching_folder(std::env::temp_dir()).await;
    let library = Library::furnished().await.through(&octavo);
    library.get("/users").await.expect(200);
    let client = Client::new(octavo.address);
    let mut page = String::new();
    eventually("the page tells of timers and the outbox", async || {
        page = client.get("/metrics").await.expect(200).text();
        ["octavo_timer_failed{", "octavo_outbox_waiting{", "octavo_disk_free_bytes "]
            .iter()
            .all(|name| page.contains(&format!("\n{name}")))
    })
    .await;
    let metrics = labels_by_metric(&page);
    let (rules, dashboard) = (alert_queries(), dashboard_queries());
    assert_eq!(rules.len(), RULES.matches("- alert:").count());
    for query in rules.iter().chain(&dashboard) {
        assert_eq!(unknown_in_query(query, &metrics), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn a_name_that_is_not_there_is_found() {
    let page = "# TYPE octavo_a_total counter\noctavo_a_total{module=\"m\"} 1\n# TYPE octavo_d histogram\n\
                octavo_d_bucket{module=\"m\",le=\"1\"} 2\n";
    let metrics = labels_by_metric(page);
    for (query, expected) in [
        ("sum by (module) (rate(octavo_a_total{module=~\"a,b}\", job=\"x\"}[5m]))", vec![]),
        ("histogram_quantile(0.5, sum by (le) (rate(octavo_d_bucket[5m])))", vec![]),
        ("octavo_b_total", vec!["octavo_b_total"]),
        ("octavo_d", vec!["octavo_d"]),
        ("octavo_a_total{kind!=\"x\"}", vec!["octavo_a_total{kind}"]),
        ("sum by (work) (octavo_a_total)", vec!["work"]),
        ("1 + 1", vec!["any metric of ours"]),
    ] {
        assert_eq!(unknown_in_query(query, &metrics), expected, "{query}");
    }
}
