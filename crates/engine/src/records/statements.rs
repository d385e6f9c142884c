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
    Statement { sql: together(vec![insert_part(record, filled, 1)]).into(), params }
}

/// Unless there is one with that id, or with what else must be unique; a row is answered if there was none.
pub fn insert_if_new(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    let part = insert_part(record, filled, 1);
    Statement { sql: part.then(" on conflict do nothing", "select 1 from written").into(), params }
}

/// A row's part in a statement that may write several.
#[derive(Debug)]
pub struct Part {
    row: String,
    /// What keeps the record's history, if it has one and the statement does not leave it to a trigger.
    history: Option<String>,
}

/// Rows that are written by one statement.
pub fn together(parts: Vec<Part>) -> String {
    let mut steps: Vec<String> = Vec::new();
    for Part { row, history } in parts {
        let written = format!("w{}", steps.len());
        match history {
            None => steps.push(row),
            Some(history) => {
                steps.push(row + " returning id, doc");
                steps.push(history.replace("{written}", &written));
            }
        }
    }
    let last = steps.pop().unwrap_or_default();
    let first: Vec<String> =
        steps.into_iter().enumerate().map(|(at, step)| format!("w{at} as ({step})")).collect();
    if first.is_empty() { last } else { format!("with {}\n{last}", first.join(",\n")) }
}

impl Part {
    fn new(record: &RecordType, filled: Filled, operation: &str, row: String) -> Part {
        let history = record.history.filter(|_| filled != Filled::ByTrigger);
        Part { row, history: history.map(|history| history.replace("{operation}", operation)) }
    }

    /// Written under a further condition; the answer is drawn from `written`.
    fn then(self, condition: &str, answer: &str) -> String {
        let Part { row, history } = self;
        let (returning, kept) = match history {
            None => ("1", String::new()),
            Some(history) => ("id, doc", format!(",\nkept as ({})", history.replace("{written}", "written"))),
        };
        format!("with written as ({row}{condition} returning {returning}){kept}\n{answer}")
    }
}

/// An insert: its id is the parameter `at`, and its [`values`] follow.
pub fn insert_part(record: &RecordType, filled: Filled, at: usize) -> Part {
    let (mut columns, mut values) = (String::new(), String::new());
    for Assignment { column, value } in assignments(record, filled, true, at + 1) {
        columns += &format!(", {column}");
        values += &format!(", {value}");
    }
    let row = format!("insert into {} (id{columns}) values (${at}{values})", table_name(record));
    Part::new(record, filled, "I", row)
}

/// Writes the document over the row that was read as `version`; a conflict if the row has changed since.
pub fn update(record: &RecordType, id: Uuid, document: &Value, version: &str) -> Statement {
    let what = format!("{} {id}", record.name);
    let mut params = vec![Param::Text(version.to_owned()), Param::Text(what), Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    let answer = "select octavo.expect(exists (select from written), $2)";
    let sql = overwrite_part(record, filled, 3).then(" and xmin = $1::text::xid", answer);
    Statement { sql: sql.into(), params }
}

/// Writes the document whatever the row is now; for rows that are locked.
pub fn overwrite(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    Statement { sql: together(vec![overwrite_part(record, filled, 1)]).into(), params }
}

/// As [`insert_part`].
pub fn overwrite_part(record: &RecordType, filled: Filled, at: usize) -> Part {
    let set: Vec<String> = assignments(record, filled, false, at + 1)
        .into_iter()
        .map(|Assignment { column, value }| format!("{column} = {value}"))
        .collect();
    let row = format!("update {} set {} where id = ${at}", table_name(record), set.join(", "));
    Part::new(record, filled, "U", row)
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

pub fn delete_part(record: &RecordType, at: usize) -> Part {
    Part { row: format!("delete from {} where id = ${at}", table_name(record)), history: None }
}

pub fn delete(record: &RecordType, id: Uuid) -> Statement {
    Statement {
        sql: (delete_part(record, 1).row + " returning doc::text").into(),
        params: vec![Param::Uuid(id)],
    }
}
