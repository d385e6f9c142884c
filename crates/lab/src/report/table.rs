//! The tables of a report, whatever it is written in.

use crate::experiment::Load;
use crate::result::{Results, Run, Summary};
use crate::table::{Table, group_thousands};

/// A time in milliseconds, with more digits the shorter it is.
pub(crate) fn format_millis(value: f64) -> String {
    match value {
        value if value >= 100.0 => group_thousands(value.round() as u64),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// Formats a value that may be a count: a whole number without decimals, any other as a time in milliseconds.
pub(crate) fn format_count(value: f64) -> String {
    if value >= 0.0 && value.fract() == 0.0 { group_thousands(value as u64) } else { format_millis(value) }
}

pub(crate) fn format_percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1} %", 100.0 * part / whole) } else { String::new() }
}

/// A count that is kept as a float.
pub(crate) fn format_whole(value: f64) -> String {
    group_thousands(value as u64)
}

pub(crate) fn runs_table(results: &Results) -> Table {
    Table::from_items(
        "Test runs",
        results.runs.iter().zip(1..),
        &[
            ("#", &|(_, number)| number.to_string()),
            ("test", &|(run, _)| run.test.clone()),
            ("load", &|(run, _)| load_text(run)),
            ("duration", &|(run, _)| format_duration(run.seconds)),
            ("requests", &|(run, _)| group_thousands(run.count_requests())),
            ("errors", &|(run, _)| group_thousands(run.count_errors())),
        ],
    )
}

pub(crate) fn load_text(run: &Run) -> String {
    let users = Load::Users(run.users);
    run.rate.map_or(users, |per_second| Load::Rate { per_second, users: run.users }).to_string()
}

pub(crate) fn format_duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// Tells for each column whether it holds figures alone; these are aligned to the right.
pub(crate) fn figure_columns(table: &Table) -> Vec<bool> {
    let column = |at: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty());
        cells.clone().next().is_some() && cells.all(|cell| is_figure(cell))
    };
    (0..table.head.len()).map(column).collect()
}

/// Whether the cell and all names before it are the same as in the row above, so that it need not be shown again.
pub(crate) fn is_repeated(table: &Table, figures: &[bool], row: usize, cell: usize) -> bool {
    let until = |row: usize| table.rows.get(row)?.get(..=cell);
    let above = row.checked_sub(1).and_then(until);
    let are_names = figures.get(..=cell).is_some_and(|figures| !figures.contains(&true));
    are_names && above.is_some() && above == until(row)
}

/// `−12.5 %`, `1.25 to 2.50`, `10 s`, `480 MB`
fn is_figure(cell: &str) -> bool {
    const UNITS: [&str; 10] = ["%", "ms", "s", "min", "h", "MB", "kB", "cores", "1/s", "to"];
    let number = |word: &str| {
        let digits = word.trim_start_matches(['+', '−']);
        digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.chars().all(|one| one.is_ascii_digit() || ",.".contains(one))
    };
    let mut words = cell.split(' ');
    words.next().is_some_and(number) && words.all(|word| number(word) || UNITS.contains(&word))
}

pub(crate) const PREFLIGHTS: &str = "Preflights, ms";

/// Transactions, calls, and the preflights that browsers send before calls.
pub(crate) fn run_tables(run: &Run) -> [Table; 3] {
    let (preflights, calls): (Vec<&Summary>, Vec<&Summary>) =
        run.calls.iter().partition(|one| is_preflight(one));
    [
        times_table("Transactions, ms", &run.transactions.iter().collect::<Vec<_>>()),
        times_table("Calls, ms", &calls),
        times_table(PREFLIGHTS, &preflights),
    ]
}

/// Whether a call is a preflight, by the names of the laboratory and of JMeter's plans.
pub(crate) fn is_preflight(one: &Summary) -> bool {
    one.name.starts_with("OPTION")
}

fn times_table(title: &str, summaries: &[&Summary]) -> Table {
    // Without samples there are no times.
    let told = |one: &Summary, text: String| if one.count > 0 { text } else { String::new() };
    let time = |one: &Summary, value: f64| told(one, format_millis(value));
    Table::from_items(
        title,
        summaries.iter().copied(),
        &[
            ("", &|one| one.name.clone()),
            ("samples", &|one| group_thousands(one.count)),
            ("average", &|one| time(one, one.average)),
            ("min", &|one| time(one, one.min)),
            ("50th", &|one| time(one, one.p50)),
            ("75th", &|one| time(one, one.p75)),
            ("95th", &|one| time(one, one.p95)),
            ("99th", &|one| time(one, one.p99)),
            ("max", &|one| time(one, one.max)),
            ("99th, intended", &|one| time(one, one.intended_p99)),
            ("per\u{a0}s", &|one| told(one, format!("{:.2}", one.per_second))),
            ("refused", &|one| group_thousands(one.count_refusals())),
            ("errors", &|one| group_thousands(one.count_errors())),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_figures_are_told_from_columns_of_words() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let rows =
            vec![row(["5 users", "12,345", "−3.5 %", ""]), row(["8 users", "", "0.01 to 2.50", "1st"])];
        let table =
            Table { title: String::new(), head: vec!["", "samples", "difference", "percentile"], rows };
        assert_eq!(figure_columns(&table), [false, true, true, false]);
    }

    #[test]
    fn a_name_is_shown_once_however_many_figures_it_has() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = vec![row(["a", "GET /x", "1"]), row(["a", "GET /x", "1"]), row(["b", "GET /x", "1"])];
        let table = Table::new(&["test", "", "ms"], rows);
        let figures = figure_columns(&table);
        let shown = |row: usize| [0, 1, 2].map(|cell| !is_repeated(&table, &figures, row, cell));
        assert_eq!([shown(0), shown(1), shown(2)], [[true; 3], [false, false, true], [true; 3]]);
    }

    #[test]
    fn what_was_never_answered_has_no_times() {
        let one = Summary { name: "T".to_owned(), refused: [(422, 1)].into(), ..Summary::default() };
        let run = Run { transactions: vec![one], ..Run::default() };
        let [transactions, ..] = run_tables(&run);
        assert_eq!(transactions.rows[0].join("|"), "T|0||||||||||1|0");
    }

    #[test]
    fn numbers_have_as_many_digits_as_say_something() {
        assert_eq!([0.1234, 12.34, 123.4, 12345.6].map(format_millis), ["0.12", "12.3", "123", "12,346"]);
        assert_eq!([6.0, 1.33, 33.0, 2500.0].map(format_count), ["6", "1.33", "33", "2,500"]);
        assert_eq!([59.9, 2700.0, 86_400.0].map(format_duration), ["60 s", "45 min", "24.0 h"]);
    }

    #[test]
    fn preflights_stand_apart_from_calls() {
        let one = |name: &str| Summary { name: name.to_owned(), count: 1, ..Summary::default() };
        let calls = vec![one("OPTIONS (preflights)"), one("GET /users"), one("OPTIONS_users")];
        let [_, calls, preflights] = run_tables(&Run { calls, ..Run::default() });
        let names = |table: &Table| table.rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
        assert_eq!(names(&calls), ["GET /users"]);
        assert_eq!(names(&preflights), ["OPTIONS (preflights)", "OPTIONS_users"]);
    }
}
