//! Writes results as HTML, Markdown and CSV from the same tables and sentences.

mod advice;
mod baseline;
mod beside;
mod chart;
mod course;
mod csv;
mod database;
mod facts;
mod history;
mod html;
mod knee;
mod loops;
mod markdown;
mod parts;
mod table;
mod trends;
mod watched;
mod words;

use anyhow::Result;

pub(crate) use history::page as history;

use crate::published;
use crate::result::Results;

/// The forms that a report is written in, by the ending of its file.
pub(crate) fn pages(results: &Results) -> Result<[(&'static str, String); 4]> {
    let published = published::load_published()?;
    Ok([
        ("html", html::page(results, &published)),
        ("md", markdown::page(results, &published)),
        ("csv", csv::page(results)),
        ("series.csv", csv::series(results)),
    ])
}

/// The summary alone, for a terminal.
pub(crate) fn summary_text(results: &Results) -> Result<String> {
    Ok(words::summary(results, &published::load_published()?).join("\n"))
}
