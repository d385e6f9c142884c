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
    replace_with,
};
pub use faults::{Doing, fault_of};
pub use list::{Listing, Total, items, list, list_columns};
pub use lock::{lock_patrons, patron_lock};
pub use long::{Shape, collection, page};
pub use many::{Present, create_many};
pub use write::{announce, follow_ups};

/// The document as clients see it, as text. It is read over a shared connection where it is shown as it is stored.
pub async fn show(context: &Context, record: &RecordType, id: Uuid) -> Outcome<String> {
    if !record.is_shown_as_stored() {
        return get(&mut context.session().await?, record, id).await;
    }
    let statement = statements::get_stored(record, context.tenant.id.schema());
    let rows = context.platform.database.keyed(statement.uuid(id), &context.usage).await?;
    document(&rows, record, id)
}

/// The document as clients see it, as text.
pub async fn get(session: &mut Session, record: &RecordType, id: Uuid) -> Outcome<String> {
    let rows = session.rows(Statement::new(statements::get(record)).uuid(id)).await?;
    document(&rows, record, id)
}

fn document(rows: &[Row], record: &RecordType, id: Uuid) -> Outcome<String> {
    let shown = |row: &Row| record.schema().with_arrays(row.read()).into_owned();
    rows.first().map(shown).ok_or_else(|| not_found(record.words.read, id))
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
    let rows = session.rows(Statement::new(statements::get(record)).uuid(id)).await?;
    Ok(rows.first().and_then(|row| record.read(row.read())))
}

octavo_pg::statements!(within = [change, load]);
