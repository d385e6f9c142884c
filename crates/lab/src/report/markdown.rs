//! A report in Markdown.

use std::fmt::Write;

use crate::published::Published;
use crate::result::Results;
use crate::table::Table;

use super::advice::advice;
use super::baseline;
use super::beside::{comparison_table, overview};
use super::facts;
use super::html::feeders_sentence;
use super::knee;
use super::loops;
use super::parts;
use super::table::{figure_columns, is_repeated, run_tables, runs_table};
use super::trends;
use super::watched;
use super::words::summary;

pub(super) fn page(results: &Results, published: &[Published]) -> String {
    let mut text = format!("# {}\n\n{}, {}. ", results.about, results.experiment, results.started);
    let _ = write!(text, "{} at {}, tenant {}.\n\n", results.version, results.server, results.tenant);
    let _ = write!(text, "The laboratory ran on {}.\n\n## Summary\n\n", results.machine);
    for sentence in summary(results, published) {
        let _ = writeln!(text, "- {sentence}");
    }
    if let Some(overview) = overview(results, published) {
        let _ = write!(text, "\n## {}\n\n", overview.title);
        write_table(&mut text, &overview);
    }
    if let Some(loops) = loops::table(results, published) {
        let _ = write!(text, "\n## {}\n\n", loops.title);
        write_table(&mut text, &loops);
    }
    text.push_str("\n## Test runs\n\n");
    write_table(&mut text, &runs_table(results));
    if results.stepped {
        text.push_str("\n## The knee\n\n");
        write_table(&mut text, &knee::table(results));
    }
    for run in &results.runs {
        let _ = write!(text, "\n## {}\n", run.test);
        for part in comparison_table(results, run, published)
            .into_iter()
            .chain(baseline::table(results, run))
            .chain(run_tables(run))
            .chain([trends::table(&trends::judge_series(run))])
            .chain(run.traced.iter().map(parts::table))
        {
            if part.rows.is_empty() {
                continue;
            }
            let _ = write!(text, "\n{}\n\n", part.title);
            write_table(&mut text, &part);
        }
        for (at, one) in advice(run).into_iter().enumerate() {
            let _ = writeln!(text, "{}- {one}", if at == 0 { "\nWhat to do next\n\n" } else { "" });
        }
        let facts = facts::table(results, run, published);
        let watched = facts.into_iter().chain(watched::tables(run, results.cores));
        for part in watched::data_tables(run).into_iter().chain(watched) {
            let _ = write!(text, "\n{}\n\n", part.title);
            write_table(&mut text, &part);
        }
        let _ = write!(text, "\n{}\n", feeders_sentence(run));
    }
    text
}

/// Writes a table; names that are the same as in the row above are left out.
fn write_table(text: &mut String, table: &Table) {
    let figures = figure_columns(table);
    let cell = |row: usize, (at, cell): (usize, &String)| {
        if is_repeated(table, &figures, row, at) { String::new() } else { cell.clone() }
    };
    let row =
        |(row, cells): (usize, &Vec<String>)| cells.iter().enumerate().map(|one| cell(row, one)).collect();
    text.push_str(&Table::new(&table.head, table.rows.iter().enumerate().map(row).collect()).to_markdown());
}
