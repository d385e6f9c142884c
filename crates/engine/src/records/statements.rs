//! The statements that a record type is read and written by. Their texts are few and constant: they stay prepared.

use octavo_pg::{Param, Statement};
use octavo_record::{
    Assignment, ColumnFill, RecordType, Storable, WriteKind, assignments, push_value_lists, push_values,
    table_name,
};
use serde_json::Value;
use uuid::Uuid;

pub fn select_sql(record: &RecordType) -> String {
    format!(
        "select ({})::text from {} t where t.id = $1",
        record.response_document_sql("t"),
        table_name(record)
    )
}

/// The document as stored, of a row in a tenant's schema.
pub fn select_stored_statement(record: &RecordType, schema: &str) -> Statement {
    Statement::new(format!("select doc::text from {schema:?}.{} where id = $1", table_name(record)))
}

/// The document and its row version.
pub fn select_for_change_sql(record: &RecordType) -> String {
    format!("select doc::text, xmin::text from {} where id = $1", table_name(record))
}

pub fn insert(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = push_values(record, document, &mut params);
    insert_part(record, filled, 1).into_statement(params)
}

/// Inserts a record unless one with the same id or another equal key exists; returns a row if it was inserted.
pub fn insert_if_new(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = push_values(record, document, &mut params);
    let part = insert_part(record, filled, 1);
    Statement::with_params(part.with_condition(" on conflict do nothing", "select 1 from written"), params)
}

/// The SQL by which one record is written, as part of a statement that may write several records.
#[derive(Debug)]
pub struct RowPart {
    row: String,
    /// The SQL that stores the record's history; `None` if it has none, or if a trigger stores it.
    history: Option<String>,
}

/// The columns that the SQL of the history reads. The written row has the alias `t`.
const RETURNING: &str = " returning t.id, t.doc";

/// One statement that writes several records.
pub fn combined_sql(parts: Vec<RowPart>) -> String {
    let mut steps: Vec<String> = Vec::new();
    for RowPart { row, history } in parts {
        let written = format!("w{}", steps.len());
        match history {
            None => steps.push(row),
            Some(history) => {
                steps.push(row + RETURNING);
                steps.push(history.replace("{written}", &written));
            }
        }
    }
    let last = steps.pop().unwrap_or_default();
    let first: Vec<String> =
        steps.into_iter().enumerate().map(|(at, step)| format!("w{at} as ({step})")).collect();
    if first.is_empty() { last } else { format!("with {}\n{last}", first.join(",\n")) }
}

impl RowPart {
    fn new(record: &RecordType, filled: ColumnFill, writing: WriteKind, row: String) -> RowPart {
        let operation = match writing {
            WriteKind::Insert => "I",
            WriteKind::Update => "U",
        };
        let history = record.history.filter(|_| filled != ColumnFill::ByTrigger);
        RowPart { row, history: history.map(|history| history.replace("{operation}", operation)) }
    }

    fn into_statement(self, params: Vec<Param>) -> Statement {
        Statement::with_params(combined_sql(vec![self]), params)
    }

    /// The statement with a further condition. `answer` is SQL that selects the result from `written`, the rows that were written.
    fn with_condition(self, condition: &str, answer: &str) -> String {
        let RowPart { row, history } = self;
        let (returning, kept) = match history {
            None => (" returning 1", String::new()),
            Some(history) => (RETURNING, format!(",\nkept as ({})", history.replace("{written}", "written"))),
        };
        format!("with written as ({row}{condition}{returning}){kept}\n{answer}")
    }
}

/// An insert: the parameter with the number `at` is the id, and the parameters that `push_values` has added follow.
pub fn insert_part(record: &RecordType, filled: ColumnFill, at: usize) -> RowPart {
    let value = |number| format!("${}", at + 1 + number);
    let (columns, values) = columns_and_values(assignments(record, filled, WriteKind::Insert, value));
    let row = format!("insert into {} as t (id, {columns}) values (${at}, {values})", table_name(record));
    RowPart::new(record, filled, WriteKind::Insert, row)
}

fn columns_and_values(assignments: Vec<Assignment>) -> (String, String) {
    let pairs = assignments.into_iter().map(|Assignment { column, value }| (column, value));
    let (columns, values): (Vec<_>, Vec<_>) = pairs.unzip();
    (columns.join(", "), values.join(", "))
}

fn set_sql(assignments: &[Assignment]) -> String {
    let set = assignments.iter().map(|Assignment { column, value }| format!("{column} = {value}"));
    set.collect::<Vec<_>>().join(", ")
}

/// Overwrites the row if it still is the `version` that was read; otherwise the statement fails with a conflict.
pub fn update(record: &RecordType, id: Uuid, document: &Value, version: &str) -> Statement {
    let what = format!("{} {id}", record.name);
    let mut params = vec![Param::Text(version.to_owned()), Param::Text(what), Param::Uuid(id)];
    let filled = push_values(record, document, &mut params);
    let answer = "select octavo.expect(exists (select from written), $2)";
    let sql = overwrite_part(record, filled, 3).with_condition(" and xmin = $1::text::xid", answer);
    Statement::with_params(sql, params)
}

/// Overwrites the row whatever its version is; for rows that are locked.
pub fn overwrite(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = push_values(record, document, &mut params);
    overwrite_part(record, filled, 1).into_statement(params)
}

/// The part of a statement that overwrites a record; its parameters are those of [`insert_part`].
pub fn overwrite_part(record: &RecordType, filled: ColumnFill, at: usize) -> RowPart {
    let set =
        set_sql(&assignments(record, filled, WriteKind::Update, |number| format!("${}", at + 1 + number)));
    RowPart::new(
        record,
        filled,
        WriteKind::Update,
        format!("update {} t set {set} where t.id = ${at}", table_name(record)),
    )
}

/// The records whose `field` names one record, locked.
pub fn lock_dependents(record: &RecordType, field: &str, id: Uuid) -> Statement {
    let sql = format!(
        "select id, doc::text from {} where {field:?} = $1 order by id for update",
        table_name(record)
    );
    Statement::new(sql).uuid(id)
}

/// The records whose `field` names one of many (`$1`), locked.
pub fn lock_dependents_of_many(record: &RecordType, field: &str) -> Statement {
    let sql = format!(
        "select id, doc::text from {} where {field:?} = any($1) order by id for update",
        table_name(record)
    );
    Statement::new(sql)
}

/// Many records by their ids (`$1`), locked in one order.
pub fn lock_all(record: &RecordType) -> Statement {
    Statement::new(format!(
        "select id, doc::text from {} where id = any($1) order by id for update",
        table_name(record)
    ))
}

/// Records that members of others are derived from, by their ids (`$1`), locked against changes in one order. A change locks such a record
/// before the records that are derived from it, so this is read before those are locked.
pub fn share_all(table: &str) -> Statement {
    Statement::new(format!("select id, doc::text from {table:?} where id = any($1) order by id for share"))
}

pub fn insert_all<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> Statement {
    let DocumentLists { params, filled, source } = document_lists(record, documents);
    let (columns, values) = columns_and_values(assignments(record, filled, WriteKind::Insert, list_column));
    let row = format!(
        "insert into {} as t (id, {columns}) select d.id, {values} from {source}",
        table_name(record)
    );
    RowPart::new(record, filled, WriteKind::Insert, row).into_statement(params)
}

/// Writes many documents whatever their rows are now; for rows that are locked.
pub fn overwrite_all<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> Statement {
    let DocumentLists { params, filled, source } = document_lists(record, documents);
    let set = set_sql(&assignments(record, filled, WriteKind::Update, list_column));
    let row = format!("update {} t set {set} from {source} where t.id = d.id", table_name(record));
    RowPart::new(record, filled, WriteKind::Update, row).into_statement(params)
}

/// Documents as lists of parameters, and the SQL that reads the lists as rows: `id`, and the columns that [`list_column`] names.
struct DocumentLists {
    params: Vec<Param>,
    filled: ColumnFill,
    source: String,
}

fn document_lists<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> DocumentLists {
    let mut params = vec![Param::Uuids(documents.iter().map(|(id, _)| *id).collect())];
    let filled = push_value_lists(record, documents.iter().map(|(_, document)| document), &mut params);
    let (mut lists, mut names) = ("$1::uuid[]".to_owned(), "id".to_owned());
    for number in 0..params.len() - 1 {
        lists += &format!(", ${}::text[]", number + 2);
        names += &format!(", v{number}");
    }
    DocumentLists { params, filled, source: format!("unnest({lists}) d ({names})") }
}

fn list_column(number: usize) -> String {
    format!("d.v{number}")
}

pub fn delete_part(record: &RecordType, at: usize) -> RowPart {
    RowPart { row: format!("delete from {} where id = ${at}", table_name(record)), history: None }
}

pub fn delete(record: &RecordType, id: Uuid) -> Statement {
    Statement::new(delete_part(record, 1).row + " returning doc::text").uuid(id)
}
