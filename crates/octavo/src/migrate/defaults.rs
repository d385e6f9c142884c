//! The records that a new tenant has by default. They are deleted before the records of the source come. A record to which another record
//! refers stays; the file `TABLE.kept.jsonl` in the folder of the report names it, with the reason.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use octavo_pg::{DbError, Session, Statement};
use octavo_record::table_name;
use serde_json::json;
use uuid::Uuid;

use super::plan::Kind;

/// A default record that could not be deleted.
struct KeptRecord {
    id: Uuid,
    reason: String,
}

/// Deletes the default records of a type, and rows that triggers wrote for records of types that were brought over before.
pub(super) async fn delete_default_records(session: &mut Session, kind: &Kind, folder: &Path) -> Result<()> {
    let kept = delete_unreferenced(session, kind).await?;
    let line = |record: &KeptRecord| format!("{}\n", json!({"id": record.id, "reason": record.reason}));
    let (path, text) = (kept_path(folder, kind.table()), kept.iter().map(line).collect::<String>());
    let written = match text.is_empty() {
        false => fs::write(&path, text),
        // The file of a run that was interrupted.
        true if path.exists() => fs::remove_file(&path),
        true => Ok(()),
    };
    written.with_context(|| format!("can't write {}", path.display()))
}

/// The number of default records of a type that were kept.
pub(super) fn count_kept(folder: &Path, table: &str) -> usize {
    fs::read_to_string(kept_path(folder, table)).map_or(0, |text| text.lines().count())
}

fn kept_path(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.kept.jsonl"))
}

/// Deletes all default records, or one by one those to which no other record refers. Returns the others.
async fn delete_unreferenced(session: &mut Session, kind: &Kind) -> Result<Vec<KeptRecord>> {
    let (table, condition) = (table_name(kind.record), kind.replaced_rows_condition());
    let all = Statement::new(format!("delete from {table} where {condition}"));
    match session.transaction(vec![all]).await {
        Ok(_) => return Ok(Vec::new()),
        Err(error) if error.has_code(DbError::FOREIGN_KEY) => {}
        Err(error) => return Err(error.into()),
    }
    let ids = Statement::new(format!("select id from {table} where {condition} order by id"));
    let mut ids: Vec<Uuid> = session.read(ids).await?;
    loop {
        let mut kept = Vec::new();
        for id in &ids {
            let one = Statement::new(format!("delete from {table} where id = $1")).uuid(*id);
            match session.transaction(vec![one]).await {
                Ok(_) => {}
                Err(error) if error.has_code(DbError::FOREIGN_KEY) => {
                    kept.push(KeptRecord { id: *id, reason: error.to_string() });
                }
                Err(error) => return Err(error.into()),
            }
        }
        // A record to which another one of the same type refers can be deleted after that one.
        if kept.len() == ids.len() {
            return Ok(kept);
        }
        ids = kept.iter().map(|record| record.id).collect();
    }
}
