//! Writes a report as one HTML file that loads nothing from elsewhere: no script, font or picture, so that it is readable in ten years. A
//! script within the file sorts and filters tables; without it the file still shows everything.

use std::fmt::Write;

use crate::published::Published;
use crate::result::{Results, Run, Summary};
use crate::table::Table;

use super::advice::advice;
use super::baseline;
use super::beside::{comparison_table, overview};
use super::chart::{ChartLine, distribution_chart, escape_html, time_chart};
use super::course;
use super::facts;
use super::knee;
use super::loops;
use super::parts;
use super::table::{PREFLIGHTS, figure_columns, is_preflight, is_repeated, run_tables, runs_table};
use super::trends;
use super::watched;
use super::words::{summary, warnings};

pub(super) const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("report.js");
/// The least number of rows of a table that can be sorted.
const LEAST_SORTABLE_ROWS: usize = 4;
const MOST_LINES: usize = 6;

pub(super) fn page(results: &Results, published: &[Published]) -> String {
    let title = escape_html(&results.about);
    let mut html = format!(
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\
         <meta name='viewport' content='width=device-width, initial-scale=1'>\
         <meta name='color-scheme' content='light dark'><title>{title}</title><style>{STYLE}</style></head><body><main>"
    );
    let facts =
        [&results.started, &results.version, &results.server, &results.tenant].map(|text| escape_html(text));
    let [started, version, server, tenant] = facts;
    let _ = write!(html, "<header><p class='over'>{}</p><h1>{title}</h1>", escape_html(&results.experiment));
    let _ = write!(html, "<p class='facts'>{started} · {version} at {server} · tenant {tenant}<br>");
    let _ = write!(html, "The laboratory ran on {}</p></header>", escape_html(&results.machine));
    html.push_str("<section class='summary'><h2>Summary</h2><ul>");
    let first: Vec<String> = results.runs.iter().flat_map(warnings).collect();
    for sentence in summary(results, published) {
        let warning = first.contains(&sentence)
            || sentence.contains("failed")
            || sentence.contains("could not")
            || sentence.contains("was spoilt")
            || sentence.contains("it leaks")
            || sentence.contains("it gets slower");
        let class = if warning { " class='warning'" } else { "" };
        let _ = write!(html, "<li{class}>{}</li>", escape_html(&sentence));
    }
    html.push_str("</ul></section>");
    if let Some(overview) = overview(results, published) {
        html.push_str("<section>");
        write_table(&mut html, &overview, "h2");
        if let Some(loops) = loops::table(results, published) {
            write_table(&mut html, &loops, "h3");
        }
        html.push_str("</section>");
    }
    html.push_str("<section>");
    write_table(&mut html, &runs_table(results), "h2");
    write_contents(&mut html, results);
    html.push_str("</section>");
    if results.stepped {
        html.push_str("<section>");
        write_table(&mut html, &knee::table(results), "h2");
        let _ = write!(
            html,
            "<h3>Transactions a second, by users</h3><figure>{}</figure></section>",
            knee::chart(results)
        );
    }
    for at in 0..results.runs.len() {
        write_section(&mut html, results, at, published);
    }
    html + "<footer>Written by octavo lab. Times are in milliseconds, of answers with an expected status; a transaction is the sum of \
            its calls, without pauses. 50th, 75th, 95th and 99th are percentiles: so many of a hundred took no longer. \
            <i>Intended</i>: from the moment at which a call was to begin, also where it had to wait for that. <i>Refused</i>: \
            refusals that belong to the workflow, such as an item that is lent already; they are no errors. Processors are counted \
            in cores: 1 is one core at work all the time.</footer></main><script>"
        + SCRIPT
        + "</script></body></html>\n"
}

/// Parts of a test that the contents lead to: their places and titles.
const PARTS: [(&str, &str); 4] =
    [("times", "times"), ("course", "over time"), ("watched", "machines and database"), ("data", "data")];

/// Links to the tests and their parts.
fn write_contents(html: &mut String, results: &Results) {
    html.push_str("<nav aria-label='Contents'><ul>");
    for (at, run) in results.runs.iter().enumerate() {
        let _ = write!(html, "<li><a href='#test-{at}'>{}</a>", escape_html(&run.test));
        if run.count_requests() > 0 {
            for (place, title) in PARTS {
                let _ = write!(html, " · <a href='#test-{at}-{place}'>{title}</a>");
            }
        }
        html.push_str("</li>");
    }
    html.push_str("</ul></nav>");
}

/// Writes the section of the test at this place.
fn write_section(html: &mut String, results: &Results, at: usize, published: &[Published]) {
    let run = &results.runs[at];
    let _ = write!(html, "<section class='run' id='test-{at}'><h2>{}</h2>", escape_html(&run.test));
    if run.count_requests() == 0 {
        html.push_str("<p>Nothing was measured.</p></section>");
        return;
    }
    for part in comparison_table(results, run, published).into_iter().chain(baseline::table(results, run)) {
        write_table(html, &part, "h3");
    }
    let part = |html: &mut String, place: &str| {
        let _ = write!(html, "<div id='test-{at}-{place}'>");
    };
    part(html, "times");
    write_times(html, run);
    html.push_str("</div>");
    part(html, "course");
    write_time_charts(html, run);
    html.push_str("</div>");
    part(html, "watched");
    for (title, chart) in watched::charts(run) {
        write_figure(html, &title, &chart);
    }
    for part in facts::table(results, run, published).into_iter().chain(watched::tables(run, results.cores)) {
        write_table(html, &part, "h3");
    }
    html.push_str("</div>");
    part(html, "data");
    let found = watched::data_tables(run);
    let same = at > 0 && results.runs[at - 1].data == run.data && !found.is_empty();
    for part in found.iter().filter(|_| !same) {
        write_table(html, part, "h3");
    }
    let generator = &run.generator;
    let _ = write!(
        html,
        "<p class='facts'>{}{} The generator took {:.0} % of a core and {:.0} MB; it woke up {:.1} ms late at the \
         99th percentile.</p></div></section>",
        if same { "It found the same data as the test before it. " } else { "" },
        escape_html(&feeders_sentence(run)),
        generator.cpu * 100.0,
        generator.memory_mb,
        generator.lateness_p99_ms
    );
}

/// Writes the tables of transactions and calls, the distribution of their times, the traced loops and the advice.
fn write_times(html: &mut String, run: &Run) {
    for part in run_tables(run) {
        if part.title == PREFLIGHTS {
            write_folded_table(html, &format!("{PREFLIGHTS}: {} kinds", part.rows.len()), &part);
        } else {
            write_table(html, &part, "h3");
        }
    }
    for traced in &run.traced {
        write_table(html, &parts::table(traced), "h3");
        let _ = write!(html, "<figure>{}</figure>", parts::chart(traced));
    }
    let advice = advice(run);
    if !advice.is_empty() {
        html.push_str("<h3>What to do next</h3><ul>");
        for one in advice {
            let _ = write!(html, "<li>{}</li>", escape_html(&one));
        }
        html.push_str("</ul>");
    }
    let measured: Vec<(String, [f64; 6])> = run
        .calls
        .iter()
        .filter(|one| one.count > 0 && !is_preflight(one))
        .map(|one| (one.name.clone(), [one.min, one.p50, one.p75, one.p95, one.p99, one.max]))
        .collect();
    let chart = distribution_chart(&measured);
    if !chart.is_empty() {
        html.push_str(
            "<h3>Where the calls lie</h3><p class='legend'>From the least to the most; the bar goes from the \
                       50th to the 95th percentile, the dot is the 99th.</p>",
        );
        let _ = write!(html, "<figure>{chart}</figure>");
    }
    for (name, chart) in course::distribution_charts(run) {
        write_figure(html, &format!("{name}: how many took how long, ms"), &chart);
    }
}

fn write_time_charts(html: &mut String, run: &Run) {
    for (title, chart) in course::charts(run) {
        write_figure(html, &title, &chart);
    }
    write_figure(
        html,
        "95th percentile of the transactions over time, ms",
        &time_chart(&transaction_lines(run), run.step),
    );
    let calls = course::call_charts(run);
    if !calls.is_empty() {
        let _ = write!(html, "<details><summary>Each of {} calls over time, ms</summary>", calls.len());
        for (name, chart) in calls {
            write_figure(html, &name, &chart);
        }
        html.push_str("</details>");
    }
    write_table(html, &trends::table(&trends::judge_series(run)), "h3");
}

fn write_figure(html: &mut String, title: &str, chart: &str) {
    if !chart.is_empty() {
        let _ = write!(html, "<h3>{}</h3><figure>{chart}</figure>", escape_html(title));
    }
}

fn write_folded_table(html: &mut String, title: &str, part: &Table) {
    if !part.rows.is_empty() {
        let _ = write!(html, "<details><summary>{}</summary>", escape_html(title));
        write_rows(html, part);
        html.push_str("</details>");
    }
}

/// The feeders of the workflow, with how many rows each had.
pub(super) fn feeders_sentence(run: &Run) -> String {
    match run.feeders.as_slice() {
        [] => "The workflow draws nothing from the data that is there.".to_owned(),
        feeders => format!("Drawn from {}.", feeders.join("; ")),
    }
}

/// The time lines of the first transactions, up to the end of the run also where nothing was answered.
fn transaction_lines(run: &Run) -> Vec<ChartLine> {
    let steps = (run.seconds / run.step.max(0.001)).ceil() as usize;
    let lines = run.transactions.iter().take(MOST_LINES).map(|one: &Summary| {
        let mut values: Vec<Option<f64>> = one.line.iter().map(|moment| moment.p95).collect();
        values.resize(steps.max(values.len()), None);
        ChartLine { name: one.name.clone(), values }
    });
    lines.collect()
}

fn write_table(html: &mut String, table: &Table, heading: &str) {
    if table.rows.is_empty() {
        return;
    }
    let _ = write!(html, "<{heading}>{}</{heading}>", escape_html(&table.title));
    write_rows(html, table);
}

fn write_rows(html: &mut String, table: &Table) {
    let long = if table.rows.len() >= LEAST_SORTABLE_ROWS { " class='long'" } else { "" };
    let _ = write!(html, "<div class='wide'><table{long}><thead><tr>");
    let figures = figure_columns(table);
    let class = |at: usize| if figures.get(at) == Some(&true) { " class='number'" } else { "" };
    for (at, cell) in table.head.iter().enumerate() {
        let _ = write!(html, "<th{}>{}</th>", class(at), escape_html(cell));
    }
    html.push_str("</tr></thead><tbody>");
    for (row, cells) in table.rows.iter().enumerate() {
        html.push_str("<tr>");
        for (at, cell) in cells.iter().enumerate() {
            let repeated = is_repeated(table, &figures, row, at);
            let class = if repeated { " class='repeated'" } else { class(at) };
            let _ = write!(html, "<td{class}>{}</td>", escape_html(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
}
