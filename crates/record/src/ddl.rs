//! The table of a record type: the document, and beside it one column for each field that is searched.
//!
//! Columns instead of expression indexes over the document, because PostgreSQL can then update a row in
//! place (HOT) when a change leaves the searched fields as they are: an index over an expression of `doc` would be
//! written anew with every change of `doc`.
//!
//! A trigger computes the columns, whoever writes the row. Generated columns would say the same in fewer words, but
//! PostgreSQL reads, plans and prepares their expressions anew for each statement; those of a trigger stay prepared.

use crate::declaration::{Field, Folding, Index, Kind, RecordType};

/// Text orders byte by byte everywhere, whatever the database's own collation: one index then serves equality,
/// order and right truncation.
const COLLATED: &str = "text collate \"C\"";

/// The table, its constraints and indexes, for the schema on the search path. One statement each.
pub fn create_table(record: &RecordType) -> Vec<String> {
    let table = table_name(record);
    let mut lines = vec!["  id uuid primary key".to_owned(), "  doc json not null".to_owned()];
    let columns: Vec<Column> = record.fields.iter().filter(|field| has_column(field)).map(column).collect();
    lines.extend(columns.iter().map(|column| format!("  {:?} {}", column.name, column.kind)));
    let mut statements = vec![format!("create table {table} (\n{}\n)", lines.join(",\n"))];
    if !columns.is_empty() {
        statements.extend(keep_columns(record, &columns));
    }
    for unique in record.unique {
        let columns: Vec<String> = unique.fields.iter().map(|field| format!("{field:?}")).collect();
        let only = unique.only.map(|condition| format!(" where {condition}")).unwrap_or_default();
        statements.push(format!(
            "create unique index {:?} on {table} ({}){only}",
            unique.constraint(record.table),
            columns.join(", ")
        ));
    }
    for field in record.fields {
        statements.extend(field.indexes.iter().map(|index| create_index(record, field, *index)));
    }
    for reference in record.references.iter().filter(|reference| !leads_an_index(record, reference.field)) {
        let name = format!("{}_{}_ref", record.table, reference.field.replace('.', "_"));
        statements.push(format!("create index {name:?} on {table} ({:?})", reference.field));
    }
    statements
}

/// The foreign keys, added when all tables are there.
pub fn create_references(record: &RecordType) -> Vec<String> {
    let add = |reference: &crate::Reference| {
        format!(
            "alter table {} add constraint {:?} foreign key ({:?}) references {:?} (id)",
            table_name(record),
            reference.constraint(record.table),
            reference.field,
            reference.table
        )
    };
    record.references.iter().map(add).collect()
}

/// The table's name, quoted.
pub fn table_name(record: &RecordType) -> String {
    format!("{:?}", record.table)
}

fn leads_an_index(record: &RecordType, field: &str) -> bool {
    record.field(field).is_some_and(Field::is_ordered)
        || record.unique.iter().any(|unique| unique.only.is_none() && unique.fields[0] == field)
}

/// What a searched field is kept in.
struct Column {
    name: &'static str,
    kind: &'static str,
    /// Over `doc`.
    value: String,
}

fn has_column(field: &Field) -> bool {
    field.array.is_none() && field.lookup.is_none()
}

fn column(field: &Field) -> Column {
    let text = field.expression.map_or_else(|| text_at(field.path), str::to_owned);
    let (kind, value) = match (field.kind, field.folding) {
        (Kind::Uuid, _) => ("uuid", format!("({text})::uuid")),
        (Kind::Number, _) => ("numeric", format!("octavo.number({text})")),
        (Kind::Time, _) | (Kind::Text, Folding::Exact) => (COLLATED, text),
        (Kind::Text, Folding::Lower) => (COLLATED, format!("lower({text})")),
        (Kind::Text, Folding::Loose) => (COLLATED, format!("octavo.fold({text})")),
    };
    Column { name: field.path, kind, value }
}

/// The trigger that fills the columns from the document.
fn keep_columns(record: &RecordType, columns: &[Column]) -> [String; 2] {
    let table = table_name(record);
    let function = format!("{:?}", format!("{}_columns", record.table));
    let fill: Vec<String> =
        columns.iter().map(|column| format!("  new.{:?} := {};", column.name, column.value)).collect();
    [
        format!(
            "create function {function}() returns trigger language plpgsql as $$\n\
             declare doc jsonb := new.doc::jsonb;\nbegin\n{}\n  return new;\nend $$",
            fill.join("\n")
        ),
        format!(
            "create trigger {function} before insert or update on {table}\n  for each row execute function {function}()"
        ),
    ]
}

fn text_at(path: &str) -> String {
    match path.split_once('.') {
        None => format!("doc ->> '{path}'"),
        Some(_) => format!("doc #>> '{{{}}}'", path.replace('.', ",")),
    }
}

fn create_index(record: &RecordType, field: &Field, index: Index) -> String {
    let (path, table) = (field.path, table_name(record));
    let base = format!("{}_{}", record.table, path.replace('.', "_"));
    match index {
        Index::Order => format!("create index {:?} on {table} ({path:?})", base + "_order"),
        Index::OrderWithin(other) => {
            format!("create index {:?} on {table} ({path:?}, {other:?})", base + "_order")
        }
        Index::Words => {
            format!("create index {:?} on {table} using gin (octavo.words({path:?}))", base + "_words")
        }
        Index::Anywhere => {
            format!(
                "create index {:?} on {table} using gin ({path:?} octavo.gin_trgm_ops)",
                base + "_anywhere"
            )
        }
    }
}
