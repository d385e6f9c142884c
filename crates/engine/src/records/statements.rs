//! The statements that a record type is read and written by. Their texts are few and constant: they stay prepared.

use octavo_kernel::json_text;
use octavo_pg::{Param, Statement};
use octavo_record::{Assignment, Filled, RecordType, assignments, table_name, values};
use serde_json::Value;
use uuid::Uuid;

pub fn get(record: &RecordType) -> String {
    format!("select ({})::text from {} t where t.id = $1", record.document("t"), table_name(record))
}

/// The document as stored, of a row in a tenant's schema.
pub fn get_stored(record: &RecordType, schema: &str) -> Statement {
    Statement::new(format!("select doc::text from {schema:?}.{} where id = $1", table_name(record)))
}

/// The document and its row version.
pub fn get_for_change(record: &RecordType) -> String {
    format!("select doc::text, xmin::text from {} where id = $1", table_name(record))
}

pub fn insert(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    Statement { sql: insert_text(record, filled, 1).into(), params }
}

/// An insert, alone or as part of a larger statement: its id is the parameter `at`, and its [`values`] follow.
pub fn insert_text(record: &RecordType, filled: Filled, at: usize) -> String {
    let (mut columns, mut values) = (String::new(), String::new());
    for Assignment { column, value } in assignments(record, filled, at + 1) {
        columns += &format!(", {column}");
        values += &format!(", {value}");
    }
    format!("insert into {} (id{columns}) values (${at}{values})", table_name(record))
}

/// Writes the document over the row that was read as `version`; a conflict if the row has changed since.
pub fn update(record: &RecordType, id: Uuid, document: &Value, version: &str) -> Statement {
    let what = format!("{} {id}", record.name);
    let mut params = vec![Param::Text(version.to_owned()), Param::Text(what), Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    let sql = format!(
        "with changed as ({} and xmin = $1::text::xid returning 1) \
         select octavo.expect(exists (select from changed), $2)",
        overwrite_text(record, filled, 3)
    );
    Statement { sql: sql.into(), params }
}

/// Writes the document whatever the row is now; for rows that are locked.
pub fn overwrite(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    Statement { sql: overwrite_text(record, filled, 1).into(), params }
}

/// As [`insert_text`].
pub fn overwrite_text(record: &RecordType, filled: Filled, at: usize) -> String {
    let set: Vec<String> = assignments(record, filled, at + 1)
        .into_iter()
        .map(|Assignment { column, value }| format!("{column} = {value}"))
        .collect();
    format!("update {} set {} where id = ${at}", table_name(record), set.join(", "))
}

/// The records whose `field` names one record, locked.
pub fn dependents(record: &RecordType, field: &str, id: Uuid) -> Statement {
    let sql = format!(
        "select id, doc::text from {} where {field:?} = $1 order by id for update",
        table_name(record)
    );
    Statement::new(sql).uuid(id)
}

/// Many records by their ids (`$1`), locked in one order.
pub fn lock_all(record: &RecordType) -> Statement {
    Statement::new(format!(
        "select id, doc::text from {} where id = any($1) order by id for update",
        table_name(record)
    ))
}

/// Inserts many documents.
pub fn insert_all(record: &RecordType, documents: Vec<(Uuid, Value)>) -> Statement {
    let sql = format!(
        "insert into {} (id, doc) select d.id, d.doc::json from unnest($1::uuid[], $2::text[]) d (id, doc)",
        table_name(record)
    );
    let (ids, texts) = documents.into_iter().map(|(id, document)| (id, json_text(&document))).unzip();
    Statement::new(sql).uuids(ids).texts(texts)
}

/// Writes many documents whatever their rows are now; for rows that are locked.
pub fn overwrite_all(record: &RecordType, documents: Vec<(Uuid, Value)>) -> Statement {
    let sql = format!(
        "update {} t set doc = d.doc::json from unnest($1::uuid[], $2::text[]) d (id, doc) where t.id = d.id",
        table_name(record)
    );
    let (ids, texts) = documents.into_iter().map(|(id, document)| (id, json_text(&document))).unzip();
    Statement::new(sql).uuids(ids).texts(texts)
}

pub fn delete(record: &RecordType, id: Uuid) -> Statement {
    Statement {
        sql: format!("delete from {} where id = $1 returning doc::text", table_name(record)).into(),
        params: vec![Param::Uuid(id)],
    }
}
