//! The columns beside a document: one for each field that is searched.
//!
//! They agree with the document whoever writes it: a trigger fills them, unless the writer has done so. The column `filled` tells:
//! it is null in a new row and as it was in a changed one if the writer knows nothing of columns, 0 where the trigger has filled
//! them, counted up by statements that do, and counted down below 0 by those that change nothing that is searched. The engine's
//! statements do, because a trigger has to parse the document again and costs more than the row. (Generated columns would be shorter
//! to declare, but PostgreSQL reads, plans and prepares their expressions anew for each statement. It also reads a trigger's condition
//! anew for each statement: the shorter, the better.)

use std::borrow::Cow;

use octavo_kernel::json_text;
use serde_json::Value;

use crate::Param;
use crate::declaration::{Field, Folding, Kind, RecordType, table_name};

/// Text orders byte by byte everywhere, whatever the database's own collation: one index then serves equality,
/// order and right truncation.
const COLLATED: &str = "text collate \"C\"";

/// What a statement sets of a row, as SQL.
#[derive(Debug)]
pub struct Assignment {
    pub column: String,
    pub value: String,
}

/// Which rows a statement writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    New,
    Changed,
}

/// Whether a statement sets the columns too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filled {
    Here,
    /// The columns stay: no searched field changes.
    Before,
    ByTrigger,
}

/// The columns as they stand in a table's declaration.
pub(crate) fn declared(record: &RecordType) -> impl Iterator<Item = String> {
    let kinds = columns(record).map(|field| format!("{:?} {}", field.path, kind(field)));
    kinds.chain(columns(record).next().map(|_| "filled bigint".to_owned()))
}

/// The trigger that fills the columns from the document.
pub(crate) fn kept(record: &RecordType) -> Vec<String> {
    let fill: Vec<String> = columns(record)
        .map(|field| {
            let text = field.expression.map_or_else(|| text_at(field.path), str::to_owned);
            format!("  new.{:?} := {};\n", field.path, folded(field, &text))
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

/// A document to be stored, parsed or as text.
pub trait Storable {
    /// What the column `doc` is to hold.
    fn text(&self) -> String;

    /// What stands at a path of names with dots between them, as `->>` would answer; `None` where only PostgreSQL knows.
    fn plain(&self, path: &str) -> Option<Option<String>>;

    /// The document, where it is parsed.
    fn parsed(&self) -> Option<&Value> {
        None
    }
}

impl Storable for Value {
    fn text(&self) -> String {
        json_text(self)
    }

    fn plain(&self, path: &str) -> Option<Option<String>> {
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
    fn text(&self) -> String {
        (*self).text()
    }

    fn plain(&self, path: &str) -> Option<Option<String>> {
        (*self).plain(path)
    }

    fn parsed(&self) -> Option<&Value> {
        (*self).parsed()
    }
}

/// The document and, where each is a plain value of it, what the columns are filled with: behind the `params` that are there.
pub fn values(record: &RecordType, document: &impl Storable, params: &mut Vec<Param>) -> Filled {
    let text = text(record, document);
    let plain = plain_values(record, document, &text);
    params.push(Param::Text(text));
    match plain {
        Some(values) => {
            params.extend(values.into_iter().map(|value| value.map_or(Param::Null, Param::Text)));
            Filled::Here
        }
        None => Filled::ByTrigger,
    }
}

/// The document alone, where nothing of it that is searched changes.
pub fn unsearched(record: &RecordType, document: &impl Storable, params: &mut Vec<Param>) -> Filled {
    params.push(Param::Text(text(record, document)));
    Filled::Before
}

/// What is stored of a document: it with the arrays that it lacks.
fn text(record: &RecordType, document: &impl Storable) -> String {
    let text = document.text();
    match record.schema().with_arrays(&text) {
        Cow::Owned(completed) => completed,
        Cow::Borrowed(_) => text,
    }
}

/// Like [`values`], for many documents: a list of their texts, and a list of values for each column. If one document has a value
/// that only the trigger can fill in, it fills in all.
pub fn lists<'d, D: Storable + 'd>(
    record: &RecordType,
    documents: impl ExactSizeIterator<Item = &'d D>,
    params: &mut Vec<Param>,
) -> Filled {
    let mut texts = Vec::with_capacity(documents.len());
    let mut lists = Some(vec![Vec::with_capacity(documents.len()); columns(record).count()]);
    for document in documents {
        let text = text(record, document);
        match (lists.is_some().then(|| plain_values(record, document, &text))).flatten() {
            Some(values) => lists.iter_mut().flatten().zip(values).for_each(|(list, value)| list.push(value)),
            None => lists = None,
        }
        texts.push(text);
    }
    params.push(Param::Texts(texts));
    match lists.filter(|lists| !lists.is_empty()) {
        Some(lists) => {
            params.extend(lists.into_iter().map(Param::MaybeTexts));
            Filled::Here
        }
        None => Filled::ByTrigger,
    }
}

/// Sets the document and the columns to such [`values`]; `value` is how a statement names the first of them, the second...
/// The row that is written goes by the name `t`.
pub fn assignments(
    record: &RecordType,
    filled: Filled,
    writing: Writing,
    value: impl Fn(usize) -> String,
) -> Vec<Assignment> {
    let document = format!("{}::text::json", value(0));
    let mut all = vec![Assignment { column: "doc".to_owned(), value: document }];
    if filled == Filled::Here {
        all.extend(columns(record).zip(1..).map(|(field, number)| Assignment {
            column: format!("{:?}", field.path),
            value: folded(field, &format!("{}::text", value(number))),
        }));
    }
    let count = match (filled, writing) {
        (Filled::ByTrigger, _) => None,
        (_, Writing::New) => Some("1"),
        (Filled::Here, Writing::Changed) => Some("greatest(t.filled, 0) + 1"),
        (Filled::Before, Writing::Changed) => Some("least(t.filled, 0) - 1"),
    };
    all.extend(count.map(|count| Assignment { column: "filled".to_owned(), value: count.to_owned() }));
    all
}

/// The values of all columns. `None` if the trigger has to fill one of them, and if there is no column.
fn plain_values(record: &RecordType, document: &impl Storable, text: &str) -> Option<Vec<Option<String>>> {
    // Text that the columns' own parser refuses is for the trigger to refuse.
    if text.contains("\\u0000") {
        return None;
    }
    let plain = |field: &Field| match (field.expression, field.reckoned) {
        (None, _) => document.plain(field.path),
        (Some(_), Some(reckoned)) => document.parsed().map(reckoned),
        (Some(_), None) => None,
    };
    let values: Option<Vec<Option<String>>> = columns(record).map(plain).collect();
    values.filter(|values| !values.is_empty())
}

fn columns(record: &RecordType) -> impl Iterator<Item = &Field> {
    record.fields.iter().filter(|field| field.array.is_none() && field.lookup.is_none())
}

fn kind(field: &Field) -> &'static str {
    match field.kind {
        Kind::Uuid => "uuid",
        Kind::Number => "numeric",
        Kind::Instant => "timestamptz",
        Kind::Numbers => "integer[]",
        Kind::Time | Kind::Text => COLLATED,
    }
}

/// A text as comparisons use it: folded by case or accents if the field is.
fn folded(field: &Field, text: &str) -> String {
    let text = match field.longest {
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

fn text_at(path: &str) -> String {
    match path.split_once('.') {
        None => format!("doc ->> '{path}'"),
        Some(_) => format!("doc #>> '{{{}}}'", path.replace('.', ",")),
    }
}
