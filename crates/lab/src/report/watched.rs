//! Writes the report's section on processor time and memory of processes and modules, and on the modules' own figures.

use crate::collect::ModuleUse;
use crate::data::TableHash;
use crate::result::Run;
use crate::series::Series;
use crate::table::{Table, group_thousands};

use super::chart::{ChartLine, time_chart};
use super::database;
use super::table::{format_count, format_millis, format_percent, format_whole};

/// The most lines of a chart.
const MOST_LINES: usize = 6;
const CHART_STEPS: f64 = 120.0;

pub(super) fn tables(run: &Run, cores: usize) -> Vec<Table> {
    let mut tables = vec![process_table(run, cores), module_table(&run.collected.modules)];
    for database in &run.collected.databases {
        tables.extend(database::tables(database));
    }
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// The tables of the data that the run found before it began.
pub(super) fn data_tables(run: &Run) -> Vec<Table> {
    let mut tables = vec![record_table(run), hash_table(run)];
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// Charts with their titles; all begin and end with the run, as those of the latencies do.
pub(super) fn charts(run: &Run) -> Vec<(String, String)> {
    let named = |title: &str, measures: &[&str]| (title.to_owned(), series_chart(run, measures));
    let mut charts = vec![
        named("Processors over time, cores", &["cpu"]),
        named("Memory over time, MB", &["memory"]),
        named("Load of the machine over time: processes that work or wait for a processor", &["load"]),
        named("Modules at work over time, cores", &["busy"]),
        named("Connections to the database over time", &["active connections", "waiting for a lock"]),
        named("Transactions of the database over time, 1/s", &["transactions"]),
    ];
    charts.retain(|(_, chart)| !chart.is_empty());
    charts
}

/// The sentences for the report's summary.
pub(super) fn sentences(run: &Run) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for database in &run.collected.databases {
        told.extend(
            database
                .missing
                .iter()
                .map(|missing| format!("{}: {}", run.test, database::missing_index_sentence(missing))),
        );
    }
    told.extend(run.collected.failed.iter().map(|failed| format!("{}: {failed}.", run.test)));
    told
}

fn record_table(run: &Run) -> Table {
    Table::from_items(
        "Data that the run found, as the server counts it",
        &run.data.records,
        &[("", &|(name, _)| name.clone()), ("records", &|(_, count)| group_thousands(*count))],
    )
}

fn hash_table(run: &Run) -> Table {
    let part = |table: &TableHash| if table.in_part { "the first 10,000 rows by id" } else { "" };
    Table::from_items(
        "Fingerprint of the largest tables",
        &run.data.tables,
        &[
            ("", &|table| table.name.clone()),
            ("rows", &|table| group_thousands(table.rows)),
            ("hash", &|table| format!("#{}", table.hash)),
            ("hashed", &|table| part(table).to_owned()),
        ],
    )
}

/// A row for each process or module of which processors or memory are known.
fn process_table(run: &Run, cores: usize) -> Table {
    let mut subjects: Vec<(&str, &str)> = Vec::new();
    for series in
        run.series.iter().filter(|series| ["cpu", "memory", "Java heap"].contains(&series.measure.as_str()))
    {
        let subject = (series.source.as_str(), series.subject.as_str());
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    type Process<'a> = (&'a str, &'a str);
    let of = |(source, subject): &Process<'_>, measure: &str| {
        let mut all = run.series.iter();
        all.find(|one| one.source == *source && one.subject == *subject && one.measure == measure)
    };
    let told = |process: &Process<'_>, measure: &str, value: &dyn Fn(&Series) -> String| {
        of(process, measure).map_or(String::new(), value)
    };
    let memory = |process: &Process<'_>, value: fn(&Series) -> f64| {
        let measure = if of(process, "memory").is_some() { "memory" } else { "Java heap" };
        told(process, measure, &|series| format_millis(value(series)))
    };
    let share =
        |cpu: &Series| if cores > 0 { format_percent(cpu.mean(), cores as f64) } else { String::new() };
    Table::from_items(
        "CPU and memory",
        subjects,
        &[
            ("", &|(_, subject)| (*subject).to_owned()),
            ("told by", &|(source, _)| (*source).to_owned()),
            ("CPU, cores, average", &|one| told(one, "cpu", &|cpu| format_millis(cpu.mean()))),
            ("share of all processors", &|one| told(one, "cpu", &share)),
            ("most", &|one| told(one, "cpu", &|cpu| format_millis(cpu.max()))),
            ("memory, MB, at first", &|one| memory(one, Series::first)),
            ("at last", &|one| memory(one, Series::last)),
            ("most", &|one| memory(one, Series::max)),
            ("threads", &|one| told(one, "threads", &|series| format_count(series.last()))),
            ("files", &|one| told(one, "files", &|series| format_count(series.last()))),
        ],
    )
}

fn module_table(modules: &[ModuleUse]) -> Table {
    let busy: f64 = modules.iter().map(|module| module.busy_seconds).sum();
    let each = |module: &ModuleUse, value: f64| value / module.requests.max(1.0);
    Table::from_items(
        "Modules; what a request took on average",
        modules,
        &[
            ("", &|module| module.name.clone()),
            ("requests", &|module| format_whole(module.requests)),
            ("failed", &|module| format_whole(module.failed)),
            ("share of the work", &|module| format_percent(module.busy_seconds, busy)),
            ("at work, ms", &|module| format_millis(each(module, 1000.0 * module.busy_seconds))),
            ("whole, ms", &|module| format_millis(each(module, 1000.0 * module.seconds))),
            ("database, ms", &|module| format_millis(each(module, 1000.0 * module.database_seconds))),
            ("round trips", &|module| format_count(each(module, module.round_trips))),
            ("statements", &|module| format_count(each(module, module.statements))),
            ("rows", &|module| format_count(each(module, module.rows))),
            ("unindexed", &|module| format_whole(module.unindexed)),
            ("made anew", &|module| format_whole(module.retries)),
        ],
    )
}

fn series_chart(run: &Run, measures: &[&str]) -> String {
    let step = (run.seconds / CHART_STEPS).max(1.0);
    let mut series: Vec<&Series> = run
        .series
        .iter()
        .filter(|one| {
            measures.contains(&one.measure.as_str()) && one.points.iter().any(|(_, value)| *value > 0.0)
        })
        .collect();
    series.sort_by(|one, other| other.mean().total_cmp(&one.mean()));
    series.truncate(MOST_LINES);
    // The same processes have the same colours in every chart.
    series.sort_by(|one, other| one.subject.cmp(&other.subject));
    let several = measures.len() > 1;
    let named = |one: &Series| match several {
        true => format!("{}: {}", one.subject, one.measure),
        false => one.subject.clone(),
    };
    let names: Vec<String> = series.iter().map(|one| named(one)).collect();
    let lines = series.iter().map(|one| {
        let mut name = named(one);
        // Two of one name are told by two sources.
        if names.iter().filter(|other| **other == name).count() > 1 {
            name = format!("{name} ({})", one.source);
        }
        ChartLine { name, values: step_means(one, step, run.seconds) }
    });
    time_chart(&lines.collect::<Vec<_>>(), step)
}

/// The mean of each step of time. A step without a value takes that of the step before it, up to the last known value.
fn step_means(series: &Series, step: f64, seconds: f64) -> Vec<Option<f64>> {
    let count = (seconds / step).ceil() as usize + 1;
    let mut sums = vec![(0.0, 0u32); count];
    for (at, value) in &series.points {
        let place = ((at / step).round().max(0.0) as usize).min(count - 1);
        sums[place] = (sums[place].0 + value, sums[place].1 + 1);
    }
    let last = sums.iter().rposition(|(_, count)| *count > 0).unwrap_or(0);
    let mut before = None;
    let filled = sums.into_iter().enumerate().map(|(place, (sum, count))| {
        if count > 0 {
            before = Some(sum / f64::from(count));
        }
        before.filter(|_| place <= last)
    });
    filled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::{Collected, DatabaseUse, MissingIndex, Proof};

    fn run() -> Run {
        let series = |measure: &str, points: &[(f64, f64)]| Series {
            source: "process".to_owned(),
            subject: "octavo".to_owned(),
            measure: measure.to_owned(),
            unit: String::new(),
            points: points.to_vec(),
        };
        let missing = MissingIndex {
            table: "t.loan".to_owned(),
            scans: 12.0,
            rows_per_scan: 50_000.0,
            statement: "select doc from loan where item_id = $1".to_owned(),
            calls: 12.0,
            mean_ms: 9.0,
            rows_per_call: 1.0,
            filter: "(loan.item_id = $1)".to_owned(),
            proposal: Some("create index on t.loan (item_id)".to_owned()),
            proof: Some(Proof { cost_without: 2000.0, cost_with: 8.5 }),
        };
        let database =
            DatabaseUse { name: "database".to_owned(), missing: vec![missing], ..DatabaseUse::default() };
        let failed = vec!["metrics of h could not be collected: can't reach http://h".to_owned()];
        Run {
            test: "8 users".to_owned(),
            seconds: 4.0,
            series: vec![
                series("cpu", &[(1.0, 0.5), (2.0, 1.5), (4.0, 1.0)]),
                series("memory", &[(1.0, 100.0), (4.0, 130.0)]),
            ],
            collected: Collected { databases: vec![database], failed, ..Collected::default() },
            ..Run::default()
        }
    }

    #[test]
    fn processors_and_memory_have_a_row_for_each_process() {
        let table = process_table(&run(), 2);
        assert_eq!(
            table.rows,
            [["octavo", "process", "1.00", "50.0 %", "1.50", "100", "130", "130", "", ""].map(str::to_owned)]
        );
        assert!(
            charts(&run()).iter().any(|(title, svg)| title.starts_with("Processors") && svg.contains("<svg"))
        );
    }

    #[test]
    fn a_missing_index_and_a_collector_that_failed_stand_in_the_summary() {
        let told = sentences(&run());
        assert_eq!(
            told[0],
            "8 users: t.loan was read from end to end 12 times, 50,000 rows each time, for 1 rows of (loan.item_id = $1): \
             an index is missing, create index on t.loan (item_id); the planner's cost falls from 2,000 to 8.50."
        );
        assert_eq!(told[1], "8 users: metrics of h could not be collected: can't reach http://h.");
    }

    #[test]
    fn a_series_is_drawn_at_even_steps_and_ends_where_it_ends() {
        let cpu = &run().series[0];
        let expected = [None, Some(0.5), Some(1.5), Some(1.5), Some(1.0)];
        assert_eq!(step_means(cpu, 1.0, 4.0), expected);
        assert_eq!(step_means(cpu, 1.0, 6.0)[5..], [None, None]);
    }
}
