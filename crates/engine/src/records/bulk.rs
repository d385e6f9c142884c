//! Many records of one type at once, all or nothing: reference records of a module, the demo library.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::{RecordType, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::change::{check, metadata};
use super::faults::{RecordOperation, fault_from_db_error};
use super::statements;
use super::write::{invalidate_caches, notify_statements};
use crate::Context;

/// Inserts records that are not there yet; those that are, stay as they are. Returns how many were new.
pub async fn bulk_insert(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
) -> Outcome<usize> {
    bulk_insert_with(context, session, record, bodies, record.schema().metadata).await
}

/// Like [`bulk_insert`], with or without `metadata`: FOLIO's SQL scripts insert records past the code that writes it.
pub async fn bulk_insert_with(
    context: &Context,
    session: &mut Session,
    record: &'static RecordType,
    bodies: Vec<Value>,
    with_metadata: bool,
) -> Outcome<usize> {
    let mut inserts = Vec::with_capacity(bodies.len());
    let now = context.now_text();
    if record.single {
        // Others who replace the single record wait for this lock; readers do not.
        let table = table_name(record);
        inserts.push(Statement::new(format!("lock table {table} in share row exclusive mode")));
        inserts.push(Statement::new(format!("delete from {table}")));
    }
    for body in bodies {
        let mut document = check(record, body)
            .map_err(|fault| Fault::internal(format!("a {} of ours is refused: {fault}", record.name)))?;
        let id = document["id"]
            .as_str()
            .and_then(|id| Uuid::parse_str(id).ok())
            .unwrap_or_else(|| context.fresh_id());
        document["id"] = json!(id);
        if record.locking {
            document["_version"] = json!(1);
        }
        if with_metadata {
            document["metadata"] = metadata(context, None, &now);
        }
        inserts.push(statements::insert_if_new(record, id, &document));
    }
    let written = inserts.len();
    inserts.extend(notify_statements(context, record, Uuid::nil()));
    let answers = session.transaction(inserts).await;
    let answers = answers.map_err(|error| {
        fault_from_db_error(context, error, RecordOperation::Creating, record, &Value::Null)
    })?;
    invalidate_caches(context, record, Uuid::nil());
    Ok(answers.iter().take(written).filter(|rows| !rows.is_empty()).count())
}
