//! Ids in the millions: how many come in a second, and whether the server's memory stays as it is.

use anyhow::{Context, Result, ensure};
use octavo_lab::load::Session;
use octavo_lab::process::memory_kb;
use octavo_lab::table::format_number;
use octavo_lab::{clock, encode_value};

use super::Run;
use super::titles::Titles;
use crate::bench::print_progress;

/// The ids that have to come in a second, and the megabytes by which the server's memory may rise meanwhile.
const IDS_PER_SECOND: f64 = 500_000.0;
const MOST_MEMORY_MB: f64 = 64.0;
/// An id with the end of its line.
const LINE_BYTES: usize = 37;

pub(super) async fn measure(run: &Run<'_>, titles: &Titles) -> Result<String> {
    let word = &titles.common_words[0];
    print_progress(&format!("ids of all titles with {word}"));
    let path = format!("/search/instances/ids?query={}", encode_value(&format!("keyword all \"{word}\"")));
    let mut user = run.session();
    // The first time the pages of the index come into memory.
    count_ids(&mut user, &path).await?;
    let memory = || memory_kb(run.server.pid, "RssAnon").context("the server tells no memory");
    let before = memory()?;
    let began = clock::now();
    let count = count_ids(&mut user, &path).await?;
    let seconds = began.elapsed().as_secs_f64();
    let rise = memory()?.saturating_sub(before) as f64 * 1024.0 / 1e6;
    let speed = count as f64 / seconds;
    let verdict = if speed >= IDS_PER_SECOND { "of" } else { "LESS than" };
    let flat = if rise <= MOST_MEMORY_MB { "" } else { ", MORE than it may" };
    Ok(format!(
        "Ids of {} titles came at {} a second ({verdict} {}); the server's own memory was {} MB more afterwards{flat}.",
        format_number(count as f64, 0),
        format_number(speed, 0),
        format_number(IDS_PER_SECOND, 0),
        format_number(rise, 0),
    ))
}

/// Reads all ids, a line each, and counts them.
async fn count_ids(user: &mut Session, path: &str) -> Result<usize> {
    let answer = user.send("GET", path, "Content-Type: text/plain\r\n", None).await?;
    ensure!(answer.status == 200, "GET {path}: {}", answer.summary());
    ensure!(answer.body.len() % LINE_BYTES == 0, "GET {path}: the ids are cut off");
    Ok(answer.body.len() / LINE_BYTES)
}
