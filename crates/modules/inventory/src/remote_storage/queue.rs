//! The two queues of a storage: what is to come into it, and what is wanted of it. An entry is done when the storage has taken it.

use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, folio_time, parse_time};
use octavo_modules_base::remote_storage_records::{ACCESSION, RETRIEVAL};
use octavo_pg::{Statement, read_each};
use octavo_record::RecordType;
use serde_json::{Value, json};

use super::faults::{error_fault, id_parameter, not_found, page_parameters};

pub(super) struct Queue {
    record: &'static RecordType,
    /// The query parameter that selects entries that are done, or entries that are not done.
    done_parameter: &'static str,
    /// The name of an entry in error messages.
    entry_name: &'static str,
    list_sql: &'static LazyLock<[String; 6]>,
    mark_sql: &'static LazyLock<[String; 3]>,
}

pub(super) static ACCESSIONS: Queue = Queue {
    record: &ACCESSION,
    done_parameter: "accessioned",
    entry_name: "Accession queue",
    list_sql: &ACCESSION_LISTS,
    mark_sql: &ACCESSION_MARKS,
};

pub(super) static RETRIEVALS: Queue = Queue {
    record: &RETRIEVAL,
    done_parameter: "retrieved",
    entry_name: "Retrieval queue record",
    list_sql: &RETRIEVAL_LISTS,
    mark_sql: &RETRIEVAL_MARKS,
};

pub(super) async fn list(request: Request, queue: &'static Queue) -> Outcome<Response> {
    let (offset, limit) = page_parameters(&request)?;
    let storage = id_parameter(&request, "storageId")?;
    let created = request.query("createdDate").map(parse_time_parameter).transpose()?;
    let (found, count) = match request.query(queue.done_parameter) {
        Some("true") => (FOUND_DONE, COUNT_DONE),
        Some("false") => (FOUND_WAITING, COUNT_WAITING),
        _ => (FOUND_ANY, COUNT_ANY),
    };
    let of = |at: usize| {
        Statement::new(queue.list_sql[at].as_str()).maybe_uuid(storage).maybe_text(created.as_deref())
    };
    let mut session = request.context.session().await?;
    let answers = session.batch(vec![of(found).long(offset).long(limit), of(count)]).await?;
    let (found, total): (Vec<Value>, Option<i64>) = read_each(&answers);
    let shown = json!({queue.record.collection: found, "totalRecords": total.unwrap_or(0)});
    Ok(Response::json(200, &shown))
}

/// A time in the notation of queue entries. FOLIO's clients leave out the time zone, which is UTC.
fn parse_time_parameter(text: &str) -> Outcome<String> {
    let message = || format!("Text '{text}' could not be parsed at index 0");
    parse_time(text).map(folio_time).ok_or_else(|| error_fault(400, message(), "Date format error"))
}

pub(super) async fn done_by_id(request: Request, queue: &'static Queue) -> Outcome<Response> {
    let done = Statement::new(queue.mark_sql[BY_ID].as_str()).uuid(request.path_id(0)?);
    let what = format!("{} with id {} not found", queue.entry_name, request.path_parameter(0));
    mark_done(&request, done, what).await
}

/// Marks all entries with this barcode as done that are not done yet; 404 if there are none.
pub(super) async fn done_by_barcode(request: Request, queue: &'static Queue) -> Outcome<Response> {
    let done = Statement::new(queue.mark_sql[BY_BARCODE].as_str()).text(request.path_parameter(0));
    let what = format!("{} with item barcode {} not found", queue.entry_name, request.path_parameter(0));
    mark_done(&request, done, what).await
}

async fn mark_done(request: &Request, done: Statement, unknown: String) -> Outcome<Response> {
    let marked = request.context.session().await?.rows(done).await?;
    if marked.is_empty() {
        return Err(not_found(unknown));
    }
    Ok(Response::no_content())
}

/// Hands over the entries that wait in the queue of a storage. The entries in the answer are marked as done.
pub(super) async fn hand_over(request: Request, queue: &'static Queue) -> Outcome<Response> {
    let take = Statement::new(queue.mark_sql[TAKE].as_str()).uuid(request.path_id(0)?);
    let taken: Vec<Value> = request.context.session().await?.read(take).await?;
    let total = taken.len();
    Ok(Response::json(200, &json!({queue.record.collection: taken, "totalRecords": total})))
}

const FOUND_ANY: usize = 0;
const FOUND_DONE: usize = 1;
const FOUND_WAITING: usize = 2;
const COUNT_ANY: usize = 3;
const COUNT_DONE: usize = 4;
const COUNT_WAITING: usize = 5;

const BY_ID: usize = 0;
const BY_BARCODE: usize = 1;
const TAKE: usize = 2;

/// The most entries that are handed over at once. The others follow with the next request.
const MAX_HANDED_OVER: usize = 1000;

/// The member of an entry that has the time when it was done.
const ACCESSIONED: &str = "accessionedDateTime";
const RETRIEVED: &str = "retrievedDateTime";

static ACCESSION_LISTS: LazyLock<[String; 6]> = LazyLock::new(|| list_statements(&ACCESSION, ACCESSIONED));
static RETRIEVAL_LISTS: LazyLock<[String; 6]> = LazyLock::new(|| list_statements(&RETRIEVAL, RETRIEVED));
static ACCESSION_MARKS: LazyLock<[String; 3]> =
    LazyLock::new(|| mark_statements(&ACCESSION, ACCESSIONED, ""));
/// FOLIO sets the request type of every retrieved entry to `PYR`.
static RETRIEVAL_MARKS: LazyLock<[String; 3]> =
    LazyLock::new(|| mark_statements(&RETRIEVAL, RETRIEVED, ", 'requestType', 'PYR'"));

/// The SQL statements of lists, in the order of the constants from `FOUND_ANY` to `COUNT_WAITING`. `done` is the member with the time when
/// an entry was done.
fn list_statements(record: &RecordType, done: &str) -> [String; 6] {
    let table = record.table;
    let wanted = |which: &str| {
        format!(
            "from {table} t\nwhere {which}($1::uuid is null or \"remoteStorageId\" = $1)\n\
             and ($2::text is null or \"createdDateTime\" = $2)"
        )
    };
    let which = ["".to_owned(), format!("\"{done}\" is not null and "), format!("\"{done}\" is null and ")];
    let [any, finished, waiting] = which.map(|which| wanted(&which));
    let page = |wanted: &str| {
        let document = "(t.doc::jsonb - 'requesterId')::text";
        format!("select {document}\n{wanted}\norder by \"createdDateTime\", id\noffset $3\nlimit $4")
    };
    let count = |wanted: &str| format!("select count(*)\n{wanted}");
    [page(&any), page(&finished), page(&waiting), count(&any), count(&finished), count(&waiting)]
}

/// The SQL statements that mark entries as done, in the order of `BY_ID`, `BY_BARCODE`, `TAKE`. `also` is the SQL of further changes of the
/// entry.
fn mark_statements(record: &RecordType, done: &str, also: &str) -> [String; 3] {
    let table = record.table;
    let set = format!(
        "update {table} t\nset doc = (t.doc::jsonb || jsonb_build_object('{done}', time_of_entry(){also}))::json"
    );
    [
        format!("{set}\nwhere t.id = $1\nand t.\"{done}\" is null\nreturning t.id"),
        format!("{set}\nwhere t.\"itemBarcode\" = $1\nand t.\"{done}\" is null\nreturning t.id"),
        format!(
            "with waiting as (\n  select w.id\n  from {table} w\n  where w.\"remoteStorageId\" = $1\n  \
             and w.\"{done}\" is null\n  and w.\"itemBarcode\" is not null\n  \
             order by w.\"createdDateTime\", w.id\n  limit {MAX_HANDED_OVER}\n  for update skip locked\n), taken as (\n{set}\n\
             from waiting\nwhere t.id = waiting.id\nreturning t.id, t.doc, t.\"createdDateTime\"\n)\n\
             select (doc::jsonb - 'requesterId')::text\nfrom taken\norder by \"createdDateTime\", id"
        ),
    ]
}

octavo_pg::statements!(hot = [ACCESSION_MARKS, RETRIEVAL_MARKS], other = [ACCESSION_LISTS, RETRIEVAL_LISTS]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_with_and_without_an_offset() {
        for (text, read) in [
            ("2026-03-01T18:00:00.123", Some("2026-03-01T18:00:00.123+00:00")),
            ("2026-03-01T18:00", Some("2026-03-01T18:00:00.000+00:00")),
            ("2026-03-01T18:00:00.123+00:00", Some("2026-03-01T18:00:00.123+00:00")),
            ("yesterday", None),
        ] {
            assert_eq!(parse_time_parameter(text).ok().as_deref(), read, "{text}");
        }
    }
}
