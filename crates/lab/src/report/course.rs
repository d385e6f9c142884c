//! Draws the course of a run: throughput, errors and users over time, each call over time, and the distribution of the transactions' times.

use std::fmt::Write;

use crate::result::{Moment, Run, Summary};
use crate::table::group_thousands;

use super::chart::{
    BOTTOM, ChartLine, HEIGHT, LEFT, RIGHT, TOP, WIDTH, escape_html, open_svg, round_axis_up, time_chart,
    trim_zeros, write_label_below,
};
use super::table::{format_millis, is_preflight};

/// The most steps of a call's line; there are many calls.
const CALL_LINE_STEPS: usize = 120;

/// Charts with their titles.
pub(super) fn charts(run: &Run) -> Vec<(String, String)> {
    let mut charts = vec![
        ("Throughput over time, a second".to_owned(), throughput_chart(run)),
        ("Errors over time, a second".to_owned(), errors_chart(run)),
        ("Users over time".to_owned(), users_chart(run)),
    ];
    charts.retain(|(_, chart)| !chart.is_empty());
    charts
}

fn throughput_chart(run: &Run) -> String {
    let lines = [("calls", &run.calls), ("transactions", &run.transactions)];
    let lines = lines.map(|(name, all)| per_second_line(run, name, all, |moment| moment.count));
    time_chart(&lines, run.step)
}

fn errors_chart(run: &Run) -> String {
    time_chart(&[per_second_line(run, "errors", &run.calls, |moment| moment.errors)], run.step)
}

/// The sum of all calls in each step of the time line.
fn per_second_line(run: &Run, name: &str, all: &[Summary], of: fn(&Moment) -> u64) -> ChartLine {
    let steps = all.iter().map(|one| one.line.len()).max().unwrap_or(0);
    // The last step is not a whole one.
    let length = |at: usize| (run.seconds - at as f64 * run.step).clamp(0.001, run.step.max(0.001));
    let values = (0..steps).filter(|at| length(*at) > run.step / 2.0).map(|at| {
        let sum: u64 = all.iter().filter_map(|one| one.line.get(at)).map(of).sum();
        Some(sum as f64 / length(at))
    });
    ChartLine { name: name.to_owned(), values: values.collect() }
}

fn users_chart(run: &Run) -> String {
    let found = run.series.iter().find(|series| series.measure == "users");
    let Some(series) = found.filter(|series| series.points.len() > 1) else { return String::new() };
    let step = run.seconds / series.points.len() as f64;
    let values = series.points.iter().map(|(_, value)| Some(*value)).collect();
    time_chart(&[ChartLine { name: "users under way".to_owned(), values }], step)
}

/// A time line for each call, by name.
pub(super) fn call_charts(run: &Run) -> Vec<(String, String)> {
    let calls = run.calls.iter().filter(|one| one.count > 0 && !is_preflight(one));
    let charts = calls.map(|one| {
        let (average, step) = thin_out(one, run.step, |moment| moment.average);
        let (high, _) = thin_out(one, run.step, |moment| moment.p95);
        let lines = [
            ChartLine { name: "average".to_owned(), values: average },
            ChartLine { name: "95th percentile".to_owned(), values: high },
        ];
        (one.name.clone(), time_chart(&lines, step))
    });
    charts.filter(|(_, chart)| !chart.is_empty()).collect()
}

fn thin_out(one: &Summary, step: f64, of: fn(&Moment) -> Option<f64>) -> (Vec<Option<f64>>, f64) {
    let each = one.line.len().div_ceil(CALL_LINE_STEPS).max(1);
    let mean = |moments: &[Moment]| {
        let values: Vec<f64> = moments.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    (one.line.chunks(each).map(mean).collect(), step * each as f64)
}

/// A chart of the distribution of times for each transaction.
pub(super) fn distribution_charts(run: &Run) -> Vec<(String, String)> {
    let all = run.transactions.iter().filter(|one| one.spread.len() > 1);
    all.map(|one| (one.name.clone(), bar_chart(&one.name, &one.spread))).collect()
}

fn bar_chart(name: &str, spread: &[(f64, u64)]) -> String {
    let most = spread.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let top = round_axis_up(most as f64);
    let mut svg = open_svg(&format!("Distribution of {name}"), top, 2, format_millis);
    let wide = (WIDTH - LEFT - RIGHT) / spread.len() as f64;
    // The axis shows as many bounds as have room.
    let every = spread.len().div_ceil(12);
    for (at, (bound, count)) in spread.iter().enumerate() {
        let x = LEFT + at as f64 * wide;
        let high = *count as f64 / top * (HEIGHT - TOP - BOTTOM);
        let told = format!("{} up to {} ms", group_thousands(*count), format_millis(*bound));
        let _ = write!(
            svg,
            "<rect class='box' x='{:.1}' y='{:.1}' width='{:.1}' height='{high:.1}'><title>{}</title></rect>",
            x + 1.0,
            HEIGHT - BOTTOM - high,
            (wide - 2.0).max(0.5),
            escape_html(&told)
        );
        if at % every == every - 1 {
            write_label_below(
                &mut svg,
                (x + wide).min(WIDTH - RIGHT),
                "end",
                &trim_zeros(&format_millis(*bound)),
            );
        }
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Series;

    fn run() -> Run {
        let moment = |count: u64, errors: u64| Moment { count, errors, average: Some(2.0), p95: Some(3.0) };
        let one = |name: &str, errors: u64| Summary {
            name: name.to_owned(),
            count: 30,
            line: vec![moment(10, 0), moment(20, errors)],
            spread: vec![(1.0, 5), (2.0, 25)],
            ..Summary::default()
        };
        let users =
            Series { measure: "users".to_owned(), points: vec![(1.0, 1.0), (2.0, 8.0)], ..Series::default() };
        Run {
            seconds: 2.0,
            step: 1.0,
            calls: vec![one("GET /a", 0), one("OPTIONS (preflights)", 0)],
            transactions: vec![one("T", 0)],
            series: vec![users],
            ..Run::default()
        }
    }

    #[test]
    fn throughput_and_users_are_drawn_and_errors_where_there_are_any() {
        let titles = |run: &Run| charts(run).into_iter().map(|(title, _)| title).collect::<Vec<_>>();
        assert_eq!(titles(&run()), ["Throughput over time, a second", "Users over time"]);
        let mut failing = run();
        failing.calls[0].line[1].errors = 3;
        assert_eq!(titles(&failing)[1], "Errors over time, a second");
        let line = per_second_line(&run(), "calls", &run().calls, |moment| moment.count);
        assert_eq!(line.values, [Some(20.0), Some(40.0)]);
    }

    #[test]
    fn each_call_has_a_time_line_and_each_transaction_a_distribution() {
        let calls: Vec<String> = call_charts(&run()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(calls, ["GET /a"]);
        let spreads = distribution_charts(&run());
        assert!(spreads[0].0 == "T" && spreads[0].1.matches("<rect").count() == 2);
        assert!(spreads[0].1.contains("25 up to 2.00 ms"), "{}", spreads[0].1);
    }
}
