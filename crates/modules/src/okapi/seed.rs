//! FOLIO's reference records, with FOLIO's ids: `data/reference/manifest.tsv` says which module brings which.

use octavo_engine::{Context, bulk_insert};
use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;
use rust_embed::Embed;
use serde_json::Value;

#[derive(Embed)]
#[folder = "../../data/"]
struct Data;

/// A file of records and the collection that it belongs to.
#[derive(Debug, PartialEq)]
pub struct Seed {
    pub module: String,
    pub path: String,
    pub file: String,
    /// Present even where reference records are not asked for.
    pub always: bool,
}

/// The lines of `data/{folder}/manifest.tsv`, in an order that references allow.
pub fn manifest(folder: &str) -> Vec<Seed> {
    let text = read(&format!("{folder}/manifest.tsv")).unwrap_or_default();
    text.lines()
        .skip(1)
        .map(|line| {
            let column = |at: usize| line.split('\t').nth(at).unwrap_or_default().to_owned();
            Seed {
                module: column(0),
                path: column(1),
                file: format!("{folder}/{}", column(2)),
                always: column(3) == "always",
            }
        })
        .collect()
}

/// A file of `data/` as text.
pub fn read(file: &str) -> Option<String> {
    Data::get(file).and_then(|file| String::from_utf8(file.data.into_owned()).ok())
}

/// The records of a file: an array, or one record.
pub fn records(file: &str) -> Outcome<Vec<Value>> {
    let text = read(file).ok_or_else(|| Fault::internal(format!("{file} is not part of the program")))?;
    match serde_json::from_str(&text).map_err(|error| Fault::internal(format!("{file}: {error}")))? {
        Value::Array(records) => Ok(records),
        record => Ok(vec![record]),
    }
}

/// Loads what a module brings. Records that are there already stay as they are. What is always present nobody has made.
pub(super) async fn reference_records(context: &Context, module: &str, all: bool) -> Outcome<()> {
    for seed in manifest("reference").iter().filter(|seed| seed.module == module && (all || seed.always)) {
        // Collections that are not built yet have no table to load into.
        if let Some(record) = record_at(context, &seed.path) {
            let mut context = context.clone();
            if seed.always {
                context.caller.user_id = None;
            }
            let mut session = context.session().await?;
            bulk_insert(&context, &mut session, record, records(&seed.file)?).await?;
        }
    }
    Ok(())
}

/// The record type that is served, or stored, at a path.
pub fn record_at(context: &Context, path: &str) -> Option<&'static RecordType> {
    context.platform.record_types().find(|record| record.path == path)
}
