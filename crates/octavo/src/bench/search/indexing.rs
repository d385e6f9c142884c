//! How long the index takes to be made, and what of memory and disk it takes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::process::{Stat, memory_kb};
use octavo_lab::table::format_number;
use serde_json::Value;
use tokio::time::sleep;

use super::{Run, compare_with_goal};
use crate::bench::print_progress;

/// The titles for which the times and sizes are wanted, the minutes that they may take, and the megabytes of memory.
const GOAL_TITLES: f64 = 7_183_552.0;
const GOAL_MINUTES: f64 = 20.0;
const GOAL_MEMORY_MB: f64 = 1000.0;
const LONGEST_INDEXING: Duration = Duration::from_secs(3 * 3600);
const POLL: Duration = Duration::from_millis(500);

/// Waits until the server answers searches by its index, and says what that took.
pub(super) async fn wait_for_indexes(run: &Run<'_>) -> Result<String> {
    let began = clock::now();
    let mut staff = run.session();
    let mut told = 0;
    let mut was_made = false;
    let mut memory = 0;
    let titles = loop {
        let indexes = indexes(&mut staff).await?;
        if let Some(making) = indexes.iter().find_map(|index| index.get("making")) {
            was_made = true;
            let (made, all) = (&making["madeRecords"], &making["allRecords"]);
            let percent = made.as_u64().unwrap_or(0) * 100 / all.as_u64().unwrap_or(1).max(1);
            if percent > told {
                told = percent;
                print_progress(&format!("index: {made} of {all} records"));
            }
        }
        // Pages of files that are mapped, as those of the index are, can be given back at any time.
        memory = memory.max(memory_kb(run.server.pid, "RssAnon").context("the server is gone")?);
        if are_all_ready(&indexes) {
            let titles = indexes.iter().find(|index| index["resourceName"] == "instance");
            break titles.and_then(|index| index["entries"].as_u64()).context("no index of titles")? as f64;
        }
        if began.elapsed() > LONGEST_INDEXING {
            bail!("there is no index after {} hours", LONGEST_INDEXING.as_secs() / 3600);
        }
        sleep(POLL).await;
    };
    let disk = folder_bytes(&run.folder.join("server").join("derived"))? as f64 / 1e6;
    let size = format!("{} MB of disk", format_number(disk, 0));
    if !was_made {
        return Ok(format!("The index was there already; it takes {size}."));
    }
    let pid = run.server.pid;
    let processor = Stat::read(pid).context("the server is gone")?.own_cpu_seconds;
    let memory = memory as f64 * 1024.0 / 1e6;
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    Ok(format!(
        "The index of titles was made in {}, with {} s of processor time of the server, {}, and {size}.",
        compare_with_goal(minutes, GOAL_MINUTES * titles / GOAL_TITLES, 1, "minutes"),
        format_number(processor, 0),
        compare_with_goal(memory, GOAL_MEMORY_MB, 0, "MB of memory at most"),
    ))
}

const INDEXES: &str = "/octavo/search/indexes";

/// The states of the tenant's search indexes, as the server reports them.
async fn indexes(staff: &mut Session) -> Result<Vec<Value>> {
    let mut states = staff.ask("GET", INDEXES, "", 200).await?.answer.json()?;
    match states["indexes"].take() {
        Value::Array(indexes) => Ok(indexes),
        _ => bail!("the server tells of no indexes"),
    }
}

fn are_all_ready(indexes: &[Value]) -> bool {
    indexes.iter().all(|index| index["isServing"] == true)
}

/// Waits until all searches are answered by indexes, which a server makes when it starts. Meanwhile its desk would be slower than usual.
/// A tenant without mod-search has no indexes.
pub(crate) async fn wait_until_indexed(staff: &mut Session) -> Result<()> {
    if staff.send("GET", INDEXES, "", None).await?.status == 404 {
        return Ok(());
    }
    while !are_all_ready(&indexes(staff).await?) {
        sleep(POLL).await;
    }
    Ok(())
}

/// The bytes of all files in a folder.
fn folder_bytes(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes +=
            if entry.file_type()?.is_dir() { folder_bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// Starts to rebuild the index of titles. Searches use the present one meanwhile.
pub(super) async fn rebuild_title_index(run: &Run<'_>) -> Result<()> {
    let order = r#"{"resourceName": "instance"}"#;
    run.session().ask("POST", "/search/index/inventory/reindex", order, 200).await?;
    Ok(())
}

/// Whether the index of titles is being made.
pub(super) async fn is_title_index_building(run: &Run<'_>) -> Result<bool> {
    let indexes = indexes(&mut run.session()).await?;
    Ok(indexes.iter().any(|index| index["resourceName"] == "instance" && index.get("making").is_some()))
}
