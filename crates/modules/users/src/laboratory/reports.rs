//! The reports of `octavo lab run` in the folder, which the desk shows. They are only read, and only the head of a report is parsed.

use std::path::Path;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::laboratory;

/// How many reports are listed, the newest first; older ones remain as files.
const MAX_REPORTS: usize = 200;
/// The most bytes of a report; that of a whole day has some megabytes.
const MAX_REPORT_BYTES: u64 = 64 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    experiment: String,
    about: String,
    started: String,
    server: String,
    tenant: String,
    version: String,
    #[serde(default)]
    interrupted: bool,
    runs: Vec<Test>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Test {
    test: String,
    users: u32,
    rate: Option<f64>,
    seconds: f64,
}

/// The files of a folder that are reports, by name; the newest first, by when they began.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let folder = &laboratory(&request)?.reports;
    // The first run creates the folder.
    let Ok(mut entries) = tokio::fs::read_dir(folder).await else {
        return Ok(Response::json(200, &json!({"runs": []})));
    };
    let mut runs = Vec::new();
    while let Some(entry) = entries.next_entry().await.map_err(Fault::internal)? {
        let file = entry.file_name();
        let Some(name) = file.to_str().and_then(|file| file.strip_suffix(".json")) else { continue };
        // Files that are no report, or cannot be read as one any more, are skipped.
        let Ok(text) = read(&entry.path()).await else { continue };
        let Ok(head) = serde_json::from_str::<Head>(&text) else { continue };
        runs.push((name.to_owned(), head));
    }
    runs.sort_by(|(_, one), (_, other)| other.started.cmp(&one.started));
    runs.truncate(MAX_REPORTS);
    let runs: Vec<_> = runs.iter().map(|(name, head)| json!({"name": name, "report": head})).collect();
    Ok(Response::json(200, &json!({"runs": runs})))
}

/// The whole report, as `octavo lab run` has written it.
pub(super) async fn get(request: Request) -> Outcome<Response> {
    let folder = &laboratory(&request)?.reports;
    let name = request.path_parameter(0);
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ' | '+');
    if name.starts_with('.') || !name.chars().all(plain) {
        return Err(not_found(name));
    }
    let text = read(&folder.join(format!("{name}.json"))).await?;
    serde_json::from_str::<Head>(&text).map_err(|_| not_found(name))?;
    Ok(Response::json_text(200, text))
}

async fn read(path: &Path) -> Outcome<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let about = tokio::fs::metadata(path).await.map_err(|_| not_found(&name))?;
    if !about.is_file() || about.len() > MAX_REPORT_BYTES {
        return Err(not_found(&name));
    }
    tokio::fs::read_to_string(path).await.map_err(|_| not_found(&name))
}

fn not_found(what: &str) -> Fault {
    Fault::not_found_with(format!("{what} cannot be found"))
}
