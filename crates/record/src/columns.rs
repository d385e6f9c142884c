//! The columns beside a document: one for each field that is searched.
//!
//! They agree with the document whoever writes it: a trigger fills them, unless the statement that writes the row has done so. The
//! column `filled` tells the trigger: in a new row it is null, and in a changed row it is unchanged, if the statement does not know the
//! columns; it is 0 if the trigger has filled them; statements that fill them add 1, and statements that change no searched field count
//! down below 0. The engine's statements fill the columns, because the trigger has to parse the document again, which costs more than
//! writing the row. (Generated columns would be shorter to declare, but PostgreSQL reads, plans and prepares their expressions again for
//! each statement. It also reads a trigger's condition again for each statement: so the condition is short.)

use std::borrow::Cow;

use octavo_kernel::json_text;
use serde_json::Value;

use crate::Param;
use crate::declaration::{Field, Folding, Kind, RecordType, table_name};

/// Texts are sorted byte by byte, independent of the collation of the database: one index then serves equality, order and right
/// truncation.
const COLLATED_TEXT: &str = "text collate \"C\"";

/// A column that a statement sets, and the SQL of its value.
#[derive(Debug)]
pub struct Assignment {
    pub column: String,
    pub value: String,
}

/// Whether a statement inserts rows or updates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteKind {
    Insert,
    Update,
}

/// Who fills the columns of the searched fields when a statement writes the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnFill {
    ByStatement,
    /// Nobody: no searched field changes, so the columns keep their values.
    Unchanged,
    ByTrigger,
}

/// The definitions of the columns in `create table`.
pub(crate) fn column_definitions(record: &RecordType) -> impl Iterator<Item = String> {
    let kinds = columns(record).map(|field| format!("{:?} {}", field.path, column_type(field)));
    kinds.chain(columns(record).next().map(|_| "filled bigint".to_owned()))
}

/// The statements that create the trigger which fills the columns from the document.
pub(crate) fn create_column_trigger(record: &RecordType) -> Vec<String> {
    let fill: Vec<String> = columns(record)
        .map(|field| {
            let text = field.expression.map_or_else(|| path_text_sql(field.path), str::to_owned);
            format!("  new.{:?} := {};\n", field.path, column_value_sql(field, &text))
        })
        .collect();
    if fill.is_empty() {
        return Vec::new();
    }
    let table = table_name(record);
    let function = format!("{:?}", format!("{}_columns", record.table));
    let trigger = |name: &str, event: &str, unknown: &str| {
        format!(
            "create trigger {:?} before {event} on {table}\n  \
             for each row when ({unknown}) execute function {function}()",
            format!("{}_columns_{name}", record.table)
        )
    };
    vec![
        format!(
            "create function {function}() returns trigger language plpgsql as $$\n\
             declare doc jsonb := new.doc::jsonb;\nbegin\n{}  new.filled := 0;\n  return new;\nend $$",
            fill.concat()
        ),
        trigger("new", "insert", "new.filled is null"),
        trigger("changed", "update", "new.filled is not distinct from old.filled"),
    ]
}

/// A document that can be stored, either parsed or as text.
pub trait Storable {
    /// The text of the column `doc`.
    fn document_text(&self) -> String;

    /// The value at a path (names with dots between them) as text, as PostgreSQL's `->>` gives it; the outer `None` if only PostgreSQL
    /// can tell.
    fn text_at_path(&self, path: &str) -> Option<Option<String>>;

    /// The parsed document, if there is one.
    fn parsed(&self) -> Option<&Value> {
        None
    }
}

impl Storable for Value {
    fn document_text(&self) -> String {
        json_text(self)
    }

    fn text_at_path(&self, path: &str) -> Option<Option<String>> {
        match path.split('.').try_fold(self, |value, name| value.get(name)) {
            None | Some(Value::Null) => Some(None),
            Some(Value::String(text)) => Some(Some(text.clone())),
            Some(value @ (Value::Bool(_) | Value::Number(_))) => Some(Some(value.to_string())),
            Some(Value::Array(_) | Value::Object(_)) => None,
        }
    }

    fn parsed(&self) -> Option<&Value> {
        Some(self)
    }
}

impl<T: Storable> Storable for &T {
    fn document_text(&self) -> String {
        (*self).document_text()
    }

    fn text_at_path(&self, path: &str) -> Option<Option<String>> {
        (*self).text_at_path(path)
    }

    fn parsed(&self) -> Option<&Value> {
        (*self).parsed()
    }
}

/// Appends the document and, if all are plain values of the document, the values of the columns to `params`.
pub fn push_values(record: &RecordType, document: &impl Storable, params: &mut Vec<Param>) -> ColumnFill {
    let text = completed_text(record, document);
    let plain = column_values(record, document, &text);
    params.push(Param::Text(text));
    match plain {
        Some(values) => {
            params.extend(values.into_iter().map(|value| value.map_or(Param::Null, Param::Text)));
            ColumnFill::ByStatement
        }
        None => ColumnFill::ByTrigger,
    }
}

/// Appends only the document to `params`, for a change in which no searched field changes.
pub fn push_document_only(
    record: &RecordType,
    document: &impl Storable,
    params: &mut Vec<Param>,
) -> ColumnFill {
    params.push(Param::Text(completed_text(record, document)));
    ColumnFill::Unchanged
}

/// The text that is stored for a document: the document with the empty arrays that it lacks.
fn completed_text(record: &RecordType, document: &impl Storable) -> String {
    let text = document.document_text();
    match record.schema().with_arrays(&text) {
        Cow::Owned(completed) => completed,
        Cow::Borrowed(_) => text,
    }
}

/// Like [`push_values`], for many documents: appends a list of their texts, and a list of values for each column. If one document has a
/// value that only the trigger can compute, the trigger fills the columns of all documents.
pub fn push_value_lists<'d, D: Storable + 'd>(
    record: &RecordType,
    documents: impl ExactSizeIterator<Item = &'d D>,
    params: &mut Vec<Param>,
) -> ColumnFill {
    let mut texts = Vec::with_capacity(documents.len());
    let mut lists = Some(vec![Vec::with_capacity(documents.len()); columns(record).count()]);
    for document in documents {
        let text = completed_text(record, document);
        match (lists.is_some().then(|| column_values(record, document, &text))).flatten() {
            Some(values) => lists.iter_mut().flatten().zip(values).for_each(|(list, value)| list.push(value)),
            None => lists = None,
        }
        texts.push(text);
    }
    params.push(Param::Texts(texts));
    match lists.filter(|lists| !lists.is_empty()) {
        Some(lists) => {
            params.extend(lists.into_iter().map(Param::NullableTexts));
            ColumnFill::ByStatement
        }
        None => ColumnFill::ByTrigger,
    }
}

/// The assignments of a statement that sets the document and the columns to the parameters of [`push_values`]. `value(0)` is the SQL of
/// the document's parameter, `value(1)` that of the first column. The written row has the alias `t`.
pub fn assignments(
    record: &RecordType,
    filled: ColumnFill,
    writing: WriteKind,
    value: impl Fn(usize) -> String,
) -> Vec<Assignment> {
    let document = format!("{}::text::json", value(0));
    let mut all = vec![Assignment { column: "doc".to_owned(), value: document }];
    if filled == ColumnFill::ByStatement {
        all.extend(columns(record).zip(1..).map(|(field, number)| Assignment {
            column: format!("{:?}", field.path),
            value: column_value_sql(field, &format!("{}::text", value(number))),
        }));
    }
    let count = match (filled, writing) {
        (ColumnFill::ByTrigger, _) => None,
        (_, WriteKind::Insert) => Some("1"),
        (ColumnFill::ByStatement, WriteKind::Update) => Some("greatest(t.filled, 0) + 1"),
        (ColumnFill::Unchanged, WriteKind::Update) => Some("least(t.filled, 0) - 1"),
    };
    all.extend(count.map(|count| Assignment { column: "filled".to_owned(), value: count.to_owned() }));
    all
}

/// The values of all columns. `None` if the trigger has to compute one of them, and if the table has no columns.
fn column_values(record: &RecordType, document: &impl Storable, text: &str) -> Option<Vec<Option<String>>> {
    // PostgreSQL's `jsonb` refuses U+0000. The trigger parses the document and refuses it.
    if text.contains("\\u0000") {
        return None;
    }
    let plain = |field: &Field| match (field.expression, field.compute) {
        (None, _) => document.text_at_path(field.path),
        (Some(_), Some(compute)) => document.parsed().map(compute),
        (Some(_), None) => None,
    };
    let values: Option<Vec<Option<String>>> = columns(record).map(plain).collect();
    values.filter(|values| !values.is_empty())
}

fn columns(record: &RecordType) -> impl Iterator<Item = &Field> {
    record.fields.iter().filter(|field| field.array.is_none() && field.lookup.is_none())
}

fn column_type(field: &Field) -> &'static str {
    match field.kind {
        Kind::Uuid => "uuid",
        Kind::Number => "numeric",
        Kind::Instant => "timestamptz",
        Kind::Numbers => "integer[]",
        Kind::Time | Kind::Text => COLLATED_TEXT,
    }
}

/// The SQL of a column's value: cut to its length, converted to its type, and folded by case or accents as the field declares.
fn column_value_sql(field: &Field, text: &str) -> String {
    let text = match field.max_characters {
        Some(longest) => format!("left({text}, {longest})"),
        None => text.to_owned(),
    };
    match (field.kind, field.folding) {
        (Kind::Uuid, _) => format!("({text})::uuid"),
        (Kind::Number, _) => format!("octavo.number({text})"),
        (Kind::Instant, _) => format!("({text})::timestamptz"),
        (Kind::Numbers, _) => format!("({text})::integer[]"),
        (Kind::Time, _) | (Kind::Text, Folding::Exact) => text,
        (Kind::Text, Folding::Lower) => format!("lower({text})"),
        (Kind::Text, Folding::Loose) => format!("octavo.fold({text})"),
    }
}

fn path_text_sql(path: &str) -> String {
    match path.split_once('.') {
        None => format!("doc ->> '{path}'"),
        Some(_) => format!("doc #>> '{{{}}}'", path.replace('.', ",")),
    }
}
