//! Records served by their declaration alone: get, list, create, replace, delete.

mod bulk;
mod change;
mod faults;
mod list;
pub mod load;
mod many;
pub mod statements;
mod write;

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

pub use bulk::bulk_insert;
pub use change::{create, delete, delete_where, metadata, replace};
pub use faults::{Doing, fault_of};
pub use list::{Listing, Total, collection, list, list_columns};
pub use many::{Present, create_many};
pub use write::{announce, follow_ups};

/// The document as stored, as text.
pub async fn get(session: &mut Session, record: &RecordType, id: Uuid) -> Outcome<String> {
    let rows = session.rows(Statement::new(statements::get(record)).uuid(id)).await?;
    match rows.first() {
        Some(row) => Ok(row.text(0).to_owned()),
        None => Err(not_found(record, id)),
    }
}

/// 404 in the words of the record type.
fn not_found(record: &RecordType, id: Uuid) -> Fault {
    match record.not_found {
        Some(message) => Fault::text(404, message.replace("{}", &id.to_string())),
        None => Fault::not_found(),
    }
}

/// The document, if there is one.
pub async fn find(session: &mut Session, record: &RecordType, id: Uuid) -> Outcome<Option<Value>> {
    let rows = session.rows(Statement::new(statements::get(record)).uuid(id)).await?;
    Ok(rows.first().and_then(|row| row.json(0)))
}
