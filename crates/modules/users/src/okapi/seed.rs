//! FOLIO's reference and sample records, with FOLIO's ids. `data/reference/manifest.tsv` and `data/sample/manifest.tsv` name the
//! module of each file.

use octavo_engine::{Context, bulk_insert_with, create, find};
use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;
use rust_embed::Embed;
use serde_json::Value;
use uuid::Uuid;

#[derive(Embed)]
#[folder = "../../../data/"]
struct Data;

/// A file of records and the collection that it belongs to.
#[derive(Debug, PartialEq)]
pub struct Seed {
    pub module: String,
    pub path: String,
    pub file: String,
    pub when: When,
}

/// When the records of a file are loaded, and how FOLIO creates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Loaded if the client asks for reference records.
    Reference,
    Always,
    /// Always loaded; FOLIO creates them by SQL, so they have no `metadata`.
    Script,
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
                when: match column(3).as_str() {
                    "script" => When::Script,
                    "always" => When::Always,
                    _ => When::Reference,
                },
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

/// Loads the records of a module. Existing records stay as they are. Records that are always loaded have no author.
pub(super) async fn reference_records(context: &Context, module: &str, all: bool) -> Outcome<()> {
    let wanted = |seed: &&Seed| seed.module == module && (all || seed.when != When::Reference);
    for seed in manifest("reference").iter().filter(wanted) {
        // Collections that are not built yet have no table to load into.
        if let Some(record) = record_at(context, &seed.path) {
            let mut context = context.clone();
            if seed.when != When::Reference {
                context.caller.user_id = None;
            }
            let (mut session, bodies) = (context.session().await?, records(&seed.file)?);
            let with_metadata = seed.when != When::Script && record.schema().metadata;
            bulk_insert_with(&context, &mut session, record, bodies, with_metadata).await?;
        }
    }
    Ok(())
}

/// Creates the sample records of a module, as its clients would. Existing records stay as they are.
pub(super) async fn sample_records(context: &Context, module: &str) -> Outcome<()> {
    for seed in manifest("sample").iter().filter(|seed| seed.module == module) {
        let Some(record) = record_at(context, &seed.path) else { continue };
        let mut session = context.session().await?;
        for body in records(&seed.file)? {
            let id = body["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
            if find(&mut session, record, id).await?.is_none() {
                create(context, &mut session, record, body).await?;
            }
        }
    }
    Ok(())
}

/// The record type that is served, or stored, at a path.
pub fn record_at(context: &Context, path: &str) -> Option<&'static RecordType> {
    context.platform.record_types().find(|record| record.path == path)
}
