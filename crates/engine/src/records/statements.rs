//! The statements that a record type is read and written by. Their texts are few and constant: they stay prepared.

use octavo_pg::{Param, Statement};
use octavo_record::{
    Assignment, Filled, RecordType, Storable, Writing, assignments, lists, table_name, values,
};
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
    insert_part(record, filled, 1).alone(params)
}

/// Unless there is one with that id, or with what else must be unique; a row is answered if there was none.
pub fn insert_if_new(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    let part = insert_part(record, filled, 1);
    Statement::with(part.then(" on conflict do nothing", "select 1 from written"), params)
}

/// A row's part in a statement that may write several.
#[derive(Debug)]
pub struct Part {
    row: String,
    /// What keeps the record's history, if it has one and the statement does not leave it to a trigger.
    history: Option<String>,
}

/// What history is kept of; rows that are written go by the name `t`.
const RETURNING: &str = " returning t.id, t.doc";

/// Rows that are written by one statement.
pub fn together(parts: Vec<Part>) -> String {
    let mut steps: Vec<String> = Vec::new();
    for Part { row, history } in parts {
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

impl Part {
    fn new(record: &RecordType, filled: Filled, writing: Writing, row: String) -> Part {
        let operation = match writing {
            Writing::New => "I",
            Writing::Changed => "U",
        };
        let history = record.history.filter(|_| filled != Filled::ByTrigger);
        Part { row, history: history.map(|history| history.replace("{operation}", operation)) }
    }

    fn alone(self, params: Vec<Param>) -> Statement {
        Statement::with(together(vec![self]), params)
    }

    /// Written under a further condition; the answer is drawn from `written`.
    fn then(self, condition: &str, answer: &str) -> String {
        let Part { row, history } = self;
        let (returning, kept) = match history {
            None => (" returning 1", String::new()),
            Some(history) => (RETURNING, format!(",\nkept as ({})", history.replace("{written}", "written"))),
        };
        format!("with written as ({row}{condition}{returning}){kept}\n{answer}")
    }
}

/// An insert: its id is the parameter `at`, and its [`values`] follow.
pub fn insert_part(record: &RecordType, filled: Filled, at: usize) -> Part {
    let value = |number| format!("${}", at + 1 + number);
    let (columns, values) = unzipped(assignments(record, filled, Writing::New, value));
    let row = format!("insert into {} as t (id, {columns}) values (${at}, {values})", table_name(record));
    Part::new(record, filled, Writing::New, row)
}

fn unzipped(assignments: Vec<Assignment>) -> (String, String) {
    let pairs = assignments.into_iter().map(|Assignment { column, value }| (column, value));
    let (columns, values): (Vec<_>, Vec<_>) = pairs.unzip();
    (columns.join(", "), values.join(", "))
}

fn set(assignments: &[Assignment]) -> String {
    let set = assignments.iter().map(|Assignment { column, value }| format!("{column} = {value}"));
    set.collect::<Vec<_>>().join(", ")
}

/// Writes the document over the row that was read as `version`; a conflict if the row has changed since.
pub fn update(record: &RecordType, id: Uuid, document: &Value, version: &str) -> Statement {
    let what = format!("{} {id}", record.name);
    let mut params = vec![Param::Text(version.to_owned()), Param::Text(what), Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    let answer = "select octavo.expect(exists (select from written), $2)";
    let sql = overwrite_part(record, filled, 3).then(" and xmin = $1::text::xid", answer);
    Statement::with(sql, params)
}

/// Writes the document whatever the row is now; for rows that are locked.
pub fn overwrite(record: &RecordType, id: Uuid, document: &Value) -> Statement {
    let mut params = vec![Param::Uuid(id)];
    let filled = values(record, document, &mut params);
    overwrite_part(record, filled, 1).alone(params)
}

/// The part of a batch that overwrites a record; see [`insert_part`].
pub fn overwrite_part(record: &RecordType, filled: Filled, at: usize) -> Part {
    let set = set(&assignments(record, filled, Writing::Changed, |number| format!("${}", at + 1 + number)));
    Part::new(
        record,
        filled,
        Writing::Changed,
        format!("update {} t set {set} where t.id = ${at}", table_name(record)),
    )
}

/// The records whose `field` names one record, locked.
pub fn dependents(record: &RecordType, field: &str, id: Uuid) -> Statement {
    let sql = format!(
        "select id, doc::text from {} where {field:?} = $1 order by id for update",
        table_name(record)
    );
    Statement::new(sql).uuid(id)
}

/// The records whose `field` names one of many (`$1`), locked.
pub fn dependents_of_many(record: &RecordType, field: &str) -> Statement {
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

pub fn insert_all<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> Statement {
    let Many { params, filled, source } = many(record, documents);
    let (columns, values) = unzipped(assignments(record, filled, Writing::New, in_list));
    let row = format!(
        "insert into {} as t (id, {columns}) select d.id, {values} from {source}",
        table_name(record)
    );
    Part::new(record, filled, Writing::New, row).alone(params)
}

/// Writes many documents whatever their rows are now; for rows that are locked.
pub fn overwrite_all<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> Statement {
    let Many { params, filled, source } = many(record, documents);
    let set = set(&assignments(record, filled, Writing::Changed, in_list));
    let row = format!("update {} t set {set} from {source} where t.id = d.id", table_name(record));
    Part::new(record, filled, Writing::Changed, row).alone(params)
}

/// Documents as lists, and how a statement reads them: as rows of their id and what [`in_list`] names.
struct Many {
    params: Vec<Param>,
    filled: Filled,
    source: String,
}

fn many<D: Storable>(record: &RecordType, documents: &[(Uuid, D)]) -> Many {
    let mut params = vec![Param::Uuids(documents.iter().map(|(id, _)| *id).collect())];
    let filled = lists(record, documents.iter().map(|(_, document)| document), &mut params);
    let (mut lists, mut names) = ("$1::uuid[]".to_owned(), "id".to_owned());
    for number in 0..params.len() - 1 {
        lists += &format!(", ${}::text[]", number + 2);
        names += &format!(", v{number}");
    }
    Many { params, filled, source: format!("unnest({lists}) d ({names})") }
}

fn in_list(number: usize) -> String {
    format!("d.v{number}")
}

pub fn delete_part(record: &RecordType, at: usize) -> Part {
    Part { row: format!("delete from {} where id = ${at}", table_name(record)), history: None }
}

pub fn delete(record: &RecordType, id: Uuid) -> Statement {
    Statement::new(delete_part(record, 1).row + " returning doc::text").uuid(id)
}
