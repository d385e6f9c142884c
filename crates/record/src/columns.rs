//! The columns beside a document: one for each field that is searched.
//!
//! They agree with the document whoever writes it: a trigger fills them, unless the writer has done so for this
//! very document, which the column `filled_for` tells by its hash. The engine's statements for one document do, because a
//! trigger has to parse the document again and costs more than the row; those for many leave it to the trigger. (Generated columns would be shorter to
//! declare, but PostgreSQL reads, plans and prepares their expressions anew for each statement.)

use octavo_kernel::json_text;
use serde_json::Value;

use crate::Param;
use crate::ddl::table_name;
use crate::declaration::{Field, Folding, Kind, RecordType};

/// Text orders byte by byte everywhere, whatever the database's own collation: one index then serves equality,
/// order and right truncation.
const COLLATED: &str = "text collate \"C\"";

/// What a statement sets of a row, as SQL.
#[derive(Debug)]
pub struct Assignment {
    pub column: String,
    pub value: String,
}

/// Whether a statement sets the columns too, or leaves them to the trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filled {
    Here,
    ByTrigger,
}

/// The columns as they stand in a table's declaration.
pub(crate) fn declared(record: &RecordType) -> impl Iterator<Item = String> {
    let kinds = columns(record).map(|field| format!("{:?} {}", field.path, kind(field)));
    kinds.chain(columns(record).next().map(|_| "filled_for bigint".to_owned()))
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
    let (table, hash) = (table_name(record), hash_of("new.doc::text"));
    let function = format!("{:?}", format!("{}_columns", record.table));
    vec![
        format!(
            "create function {function}() returns trigger language plpgsql as $$\n\
             declare doc jsonb := new.doc::jsonb;\nbegin\n{}  new.filled_for := {hash};\n  return new;\nend $$",
            fill.concat()
        ),
        format!(
            "create trigger {function} before insert or update on {table}\n  \
             for each row when (new.filled_for is distinct from {hash}) execute function {function}()"
        ),
    ]
}

/// The document and, where each is a plain value of it, what the columns are filled with: behind the `params` that are there.
pub fn values(record: &RecordType, document: &Value, params: &mut Vec<Param>) -> Filled {
    let text = json_text(document);
    // Text that the columns' own parser refuses is for the trigger to refuse.
    let plain = if text.contains("\\u0000") { None } else { plain_values(record, document) };
    params.push(Param::Text(text));
    match plain.filter(|values| !values.is_empty()) {
        Some(values) => {
            params.extend(values.into_iter().map(|value| value.map_or(Param::Null, Param::Text)));
            Filled::Here
        }
        None => Filled::ByTrigger,
    }
}

/// Sets the document and the columns to such [`values`], of which the first is the parameter `at`.
pub fn assignments(record: &RecordType, filled: Filled, at: usize) -> Vec<Assignment> {
    let mut all = vec![Assignment { column: "doc".to_owned(), value: format!("${at}::text::json") }];
    if filled == Filled::Here {
        all.extend(columns(record).zip(at + 1..).map(|(field, at)| Assignment {
            column: format!("{:?}", field.path),
            value: folded(field, &format!("${at}::text")),
        }));
        all.push(Assignment { column: "filled_for".to_owned(), value: hash_of(&format!("${at}::text")) });
    }
    all
}

/// As `->>` would answer; `None` where only PostgreSQL knows.
fn plain_values(record: &RecordType, document: &Value) -> Option<Vec<Option<String>>> {
    columns(record)
        .map(|field| match field.path.split('.').try_fold(document, |value, name| value.get(name)) {
            _ if field.expression.is_some() => None,
            None | Some(Value::Null) => Some(None),
            Some(Value::String(text)) => Some(Some(text.clone())),
            Some(value @ (Value::Bool(_) | Value::Number(_))) => Some(Some(value.to_string())),
            Some(Value::Array(_) | Value::Object(_)) => None,
        })
        .collect()
}

fn columns(record: &RecordType) -> impl Iterator<Item = &Field> {
    record.fields.iter().filter(|field| field.array.is_none() && field.lookup.is_none())
}

fn kind(field: &Field) -> &'static str {
    match field.kind {
        Kind::Uuid => "uuid",
        Kind::Number => "numeric",
        Kind::Time | Kind::Text => COLLATED,
    }
}

/// A text in the form in which it is compared.
fn folded(field: &Field, text: &str) -> String {
    let text = match field.longest {
        Some(longest) => format!("left({text}, {longest})"),
        None => text.to_owned(),
    };
    match (field.kind, field.folding) {
        (Kind::Uuid, _) => format!("({text})::uuid"),
        (Kind::Number, _) => format!("octavo.number({text})"),
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

fn hash_of(text: &str) -> String {
    format!("hashtextextended({text}, 0)")
}
