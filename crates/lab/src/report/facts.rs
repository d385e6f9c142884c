//! Shows the published figures of processors, memory, database connections and the message broker beside those of this run.
//!
//! FOLIO reports processor time and memory in per cent of a service's allotment; in this laboratory the allotment is the whole machine.

use crate::published::{Published, PublishedFact};
use crate::result::{Results, Run};
use crate::series::Series;
use crate::table::Table;

use super::table::format_millis;

/// How many modules are shown of a fact that has a value for each module.
const MOST_MODULES: usize = 8;

pub(super) fn table(results: &Results, run: &Run, published: &[Published]) -> Option<Table> {
    let report = results.report.as_deref()?;
    let facts = &published.iter().find(|one| one.report == report)?.fact;
    let mut rows = Vec::new();
    for fact in facts {
        let Some(here) = measured_figure(fact, results.cores, run) else { continue };
        rows.extend(values_for(fact, run.users).into_iter().map(|(what, value)| {
            vec![fact.about.clone(), what, format!("{} {}", format_millis(value), fact.unit), here.clone()]
        }));
    }
    let title = format!("Machines of report {report}, as published, and here");
    let head = vec!["", "", "published", "here"];
    (!rows.is_empty()).then_some(Table { title, head, rows })
}

/// The values of a published fact for this number of users. Of values for each module only the largest are returned.
fn values_for(fact: &PublishedFact, users: u32) -> Vec<(String, f64)> {
    let load = format!("{users} users");
    let told = |text: &str| text.split(", ").any(|part| part == load);
    let all = || fact.values.iter().map(|(name, value)| (name.clone(), *value));
    if fact.about.contains("by module") {
        if !told(&fact.about) {
            return Vec::new();
        }
        let mut modules: Vec<(String, f64)> = all().collect();
        modules.sort_by(|one, other| other.1.total_cmp(&one.1));
        modules.truncate(MOST_MODULES);
        return modules;
    }
    let by_users = fact.values.keys().any(|name| name.ends_with(" users"));
    all().filter(|(name, _)| !by_users || *name == load).collect()
}

/// The figure of the same kind that this run collected; None for kinds that are not compared.
fn measured_figure(fact: &PublishedFact, cores: usize, run: &Run) -> Option<String> {
    let about = fact.about.as_str();
    let of_machine = |told: Option<f64>| match told {
        Some(busy) if cores > 0 => {
            format!("{} % of {cores} processors", format_millis(100.0 * busy / cores as f64))
        }
        Some(busy) => format!("{} processors", format_millis(busy)),
        None => "not watched".to_owned(),
    };
    let is_database =
        |series: &&Series| series.subject.contains("database") || series.subject.contains("postgres");
    let servers = |measure: &'static str| {
        let found = run.series.iter().filter(move |series| series.measure == measure);
        let found = found.filter(|series| !["laboratory", "machine"].contains(&series.source.as_str()));
        sum_of_means(found.filter(|series| !is_database(series)))
    };
    if about.starts_with("CPU of the message broker") {
        return Some("no broker".to_owned());
    }
    if about.starts_with("CPU of the database") {
        let found = run.series.iter().filter(|series| series.measure == "cpu");
        return Some(of_machine(sum_of_means(found.filter(is_database))));
    }
    if about.starts_with("CPU by module") || about.starts_with("Average CPU of all") {
        return Some(of_machine(servers("cpu")));
    }
    let told = if about.starts_with("Memory by module") {
        servers("memory").map(|memory| format!("{} MB", format_millis(memory)))
    } else if about.starts_with("Connections to the database") {
        let found = run.series.iter().filter(|series| series.measure.ends_with(" connections"));
        sum_of_means(found).map(|connections| format!("{connections:.0} on average"))
    } else {
        return None;
    };
    Some(told.unwrap_or_else(|| "not watched".to_owned()))
}

/// The sum of the mean values of all given series.
fn sum_of_means<'a>(series: impl Iterator<Item = &'a Series>) -> Option<f64> {
    let means: Vec<f64> = series.filter(|one| !one.points.is_empty()).map(Series::mean).collect();
    (!means.is_empty()).then(|| means.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_memory_and_connections_that_were_published_stand_beside_ours() {
        let series = |source: &str, subject: &str, measure: &str, value: f64| Series {
            source: source.to_owned(),
            subject: subject.to_owned(),
            measure: measure.to_owned(),
            unit: String::new(),
            points: vec![(1.0, value)],
        };
        let run = Run {
            users: 20,
            series: vec![
                series("process", "octavo", "cpu", 0.5),
                series("process", "database server", "cpu", 0.2),
                series("laboratory", "generator", "cpu", 0.9),
                series("PostgreSQL", "database", "active connections", 3.0),
                series("PostgreSQL", "database", "idle connections", 9.0),
            ],
            ..Run::default()
        };
        let results = Results { report: Some("004".to_owned()), cores: 2, ..Results::default() };
        let rows = table(&results, &run, &crate::published::load_published().unwrap()).unwrap().rows;
        let of = |about: &str| -> Vec<&Vec<String>> {
            rows.iter().filter(|row| row[0].starts_with(about)).collect()
        };
        assert_eq!(
            of("CPU by module")[0][1..],
            ["mod-users-b", "65.1 %", "25.0 % of 2 processors"].map(str::to_owned)
        );
        assert_eq!(of("CPU of the database, average").len(), 1);
        assert_eq!(
            of("CPU of the database, average")[0][2..],
            ["22.0 %", "10.0 % of 2 processors"].map(str::to_owned)
        );
        assert_eq!(of("Connections")[0][3], "12 on average");
        assert_eq!(of("CPU of the message broker")[0][2..], ["15.0 %", "no broker"].map(str::to_owned));
        assert!(of("Memory by module").is_empty(), "of 75 users alone: {rows:?}");
    }
}
