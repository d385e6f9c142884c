//! Records served by their declaration alone: get, list, create, replace, delete.

mod bulk;
mod change;
mod faults;
mod fetch;
mod list;
mod listed;
pub mod load;
mod lock;
mod long;
mod many;
pub mod statements;
mod write;

use octavo_kernel::{Fault, Outcome, ParameterValue, Refusal};
use octavo_pg::{Row, Session, Statement};
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

use crate::Context;

pub use bulk::{bulk_insert, bulk_insert_with};
pub use change::{
    check as check_record, create, create_with, delete, delete_where, ids_where, metadata, replace,
    replace_or_create, replace_with,
};
pub use faults::{RecordOperation, fault_from_db_error};
pub use list::{CountMode, ListRequest, items_response, list, list_columns};
pub use lock::{lock_patrons, patron_lock};
pub use long::{PageFormat, list_response, page_response};
pub use many::{IfStored, create_many};
pub use write::{invalidate_caches, notify_statements};

/// The text of a document as it is sent to a client. It is read over a shared connection if it is sent as it is stored.
pub async fn read_document(context: &Context, record: &RecordType, id: Uuid) -> Outcome<String> {
    if !record.is_shown_as_stored() {
        return read_document_over(&mut context.session().await?, record, id).await;
    }
    let statement = statements::select_stored_statement(record, context.tenant.id.schema());
    let rows = context.platform.database.rows_by_key(statement.uuid(id), &context.usage).await?;
    document_or_not_found(&rows, record, id)
}

/// The document as clients see it, as text.
pub async fn read_document_over(session: &mut Session, record: &RecordType, id: Uuid) -> Outcome<String> {
    let rows = session.rows(Statement::new(statements::select_sql(record)).uuid(id)).await?;
    document_or_not_found(&rows, record, id)
}

fn document_or_not_found(rows: &[Row], record: &RecordType, id: Uuid) -> Outcome<String> {
    let shown = |row: &Row| record.schema().with_arrays(row.read()).into_owned();
    rows.first().map(shown).ok_or_else(|| not_found(record.messages.not_found_on_read, id))
}

/// 404 in the words of the record type.
fn not_found(words: &str, id: Uuid) -> Fault {
    Fault::text(404, words.replace("{}", &id.to_string()))
}

/// 422 about a record's id.
pub fn refused_id(message: &str, id: impl ParameterValue) -> Fault {
    Refusal::new(message).kind("1").code("-1").about("id", id).into()
}

/// The stored record with this id, if there is one.
pub async fn find(session: &mut Session, record: &RecordType, id: Uuid) -> Outcome<Option<Value>> {
    let rows = session.rows(Statement::new(statements::select_sql(record)).uuid(id)).await?;
    Ok(rows.first().and_then(|row| record.parse_stored(row.read())))
}

octavo_pg::statements!(within = [change, load]);
