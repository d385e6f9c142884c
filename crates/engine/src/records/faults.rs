//! What a violated constraint means to a client, in RAML Module Builder's words or the module's own.

use octavo_kernel::{Fault, Kind, Refusal};
use octavo_pg::DbError;
use octavo_record::{Folding, Message, Plain, RecordType, Reference, Unique, Violated};
use serde_json::Value;

use crate::Context;

/// The change during which a constraint was violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    Creating,
    Replacing,
    Deleting,
    /// Deleting all records that a query finds.
    DeletingMany,
}

impl Doing {
    fn words(self, record: &RecordType) -> Violated {
        match self {
            Doing::Creating => record.words.creating,
            Doing::Replacing => record.words.replacing,
            Doing::Deleting => record.words.deleting,
            Doing::DeletingMany => Violated::Database,
        }
    }

    pub(super) fn plain(self, record: &RecordType) -> bool {
        record.plain_errors
            >= match self {
                Doing::Deleting | Doing::DeletingMany => Plain::Deletes,
                Doing::Replacing => Plain::Changes,
                Doing::Creating => Plain::Everything,
            }
    }
}

/// `document` is what was being written, or the deleted record's id under `id`.
pub fn fault_of(
    context: &Context,
    error: DbError,
    doing: Doing,
    record: &RecordType,
    document: &Value,
) -> Fault {
    let told = |message: String, key: &str, value: &str| told(doing.plain(record), message, key, value);
    if error.is(TOO_LONG) {
        return told("A value is too long to be searched by".into(), record.table, "");
    }
    let Some(name) = error.constraint() else { return error.into() };
    let words = doing.words(record);
    let of_id = name == primary_key(record);
    let unique = match of_id {
        true => record.unique.first().filter(|_| record.words.id_as_value),
        false => record.unique.iter().find(|unique| unique.constraint(record.table) == name),
    };
    let own = unique.and_then(|unique| Some((unique, unique.message?)));
    let own = own.filter(|(_, own)| own.kind != Kind::Refused || !doing.plain(record));
    if let Some((unique, own)) = own.filter(|_| doing == Doing::Creating || words == Violated::Named) {
        return own_words(own, unique, document);
    }
    if let Violated::Said(text) = words {
        return Fault::bad_request(text).because(error);
    }
    let database = words == Violated::Database;
    if of_id {
        let id = at(document, "id");
        if database {
            return Fault::bad_request(duplicate(name, "id", &id));
        }
        return told(format!("id value already exists in table {}: {id}", record.table), "id", &id);
    }
    if let Some(unique) = unique {
        let (message, key, value) = taken(record, unique, document);
        if database {
            let fields = unique.fields.join("_").to_lowercase();
            let index = format!("{}_{fields}_idx_unique", record.table);
            return Fault::bad_request(duplicate(&index, &key, &value));
        }
        return told(message, &key, &value);
    }
    if error.is(DbError::FOREIGN_KEY) {
        if let Some(reference) = record.references.iter().find(|r| r.constraint(record.table) == name) {
            return match words {
                Violated::Database => Fault::bad_request(not_present(record, reference, document)),
                _ => missing(record, reference, document, doing.plain(record)),
            };
        }
        let named = |other: &'static RecordType| {
            let reference = other.references.iter().find(|r| r.constraint(other.table) == name)?;
            Some((other, reference))
        };
        if let Some((other, reference)) = context.platform.record_types().find_map(named) {
            // A record that was to be written beside this one leads nowhere.
            if let Some(found) = key(&error, ABSENT) {
                return nowhere(other, found, doing.plain(other));
            }
            let id = key(&error, REFERENCED).map_or_else(|| at(document, "id"), |(_, id, _)| id.to_owned());
            if database {
                return Fault::bad_request(referenced(record, other, reference, &id));
            }
            let message = format!(
                "Cannot delete {}.id = {id} because id is still referenced from table {}.",
                record.table, other.table
            );
            return told(message, &format!("{}.id", record.table), &id);
        }
        // A reference that no declaration tells of, because its constraint is written by hand.
        if let Some(found) = key(&error, ABSENT) {
            return nowhere(record, found, doing.plain(record));
        }
    }
    // The id of a record that was to be written beside this one.
    if let Some((_, id, _)) = key(&error, PRESENT)
        && let Some(other) = context.platform.record_types().find(|other| name == primary_key(other))
    {
        let message = format!("id value already exists in table {}: {id}", other.table);
        return self::told(doing.plain(other), message, "id", id);
    }
    error.into()
}

fn primary_key(record: &RecordType) -> String {
    format!("{}_pkey", record.table)
}

fn told(plain: bool, message: String, key: &str, value: &str) -> Fault {
    match plain {
        true => Fault::bad_request(message),
        false => Refusal::new(message).kind("1").code("-1").about(key, value).into(),
    }
}

/// How PostgreSQL says that a key leads to no row of a table, that there is one already, and that rows of a table lead to it.
const ABSENT: &str = ") is not present in table \"";
const PRESENT: &str = ") already exists.";
const REFERENCED: &str = ") is still referenced from table \"";

/// The column of a violated constraint, its value, and the table that is named after `relation`, if one is.
fn key<'e>(error: &'e DbError, relation: &str) -> Option<(&'e str, &'e str, &'e str)> {
    let DbError::Refused { detail: Some(detail), .. } = error else { return None };
    let (field, rest) = detail.strip_prefix("Key (")?.split_once(")=(")?;
    let (value, rest) = rest.split_once(relation)?;
    Some((field.trim_matches('"'), value, rest.split('"').next()?))
}

/// The one of many documents written at once that has the values which the database names in the fields named.
/// If none has, it is the first that has the value somewhere.
pub(super) fn culprit<'d>(error: &DbError, documents: &'d [Value]) -> Option<&'d Value> {
    let (fields, values, _) = key(error, PRESENT).or_else(|| key(error, ABSENT))?;
    let fields: Vec<&str> = fields.split(", ").map(|field| field.trim_matches('"')).collect();
    let values = values.to_lowercase();
    let values: Vec<&str> = values.splitn(fields.len(), ", ").collect();
    let has = |document: &&Value| {
        let mut named = fields.iter().zip(&values);
        named.all(|(field, value)| at(document, field).to_lowercase() == **value)
    };
    let first = *values.first()?;
    let mentions = |document: &&Value| document.to_string().to_lowercase().contains(first);
    documents.iter().find(has).or_else(|| documents.iter().find(mentions))
}

/// A value that does not fit into an index.
const TOO_LONG: &str = "54000";

/// PostgreSQL's message for a duplicate key, with the name of FOLIO's index.
fn duplicate(index: &str, key: &str, value: &str) -> String {
    format!(
        "duplicate key value violates unique constraint \"{index}\": Key ({key})=({value}) already exists."
    )
}

/// PostgreSQL's message for a record that is referred to, with the name of FOLIO's foreign key.
fn referenced(record: &RecordType, other: &RecordType, reference: &Reference, id: &str) -> String {
    let (table, referring, constraint) = (record.table, other.table, foreign_key(reference).1);
    format!(
        "update or delete on table \"{table}\" violates foreign key constraint \"{constraint}\" on table \"{referring}\": \
         Key (id)=({id}) is still referenced from table \"{referring}\"."
    )
}

/// PostgreSQL's message for a reference that leads nowhere, with the name of FOLIO's foreign key.
fn not_present(record: &RecordType, reference: &Reference, document: &Value) -> String {
    let (table, target) = (record.table, reference.table);
    let (field, constraint) = foreign_key(reference);
    format!(
        "insert or update on table \"{table}\" violates foreign key constraint \"{constraint}\": \
         Key ({field})=({}) is not present in table \"{target}\".",
        at(document, reference.field)
    )
}

/// FOLIO's column for a reference, and its name for the constraint.
fn foreign_key(reference: &Reference) -> (String, String) {
    let field = reference.field.rsplit('.').next().unwrap_or(reference.field).to_lowercase();
    let constraint = format!("{field}_{}_fkey", reference.table);
    (field, constraint)
}

fn own_words(message: Message, unique: &Unique, document: &Value) -> Fault {
    let value = values(unique, document);
    let text = message.text.replace("{}", &value);
    if message.kind != Kind::Refused {
        return Fault::new(message.kind, text);
    }
    if message.key.is_empty() {
        return Refusal::new(text).code(message.code.unwrap_or("-1")).into();
    }
    let refusal = Refusal::new(text).kind("1").about(message.key, value);
    refusal.code(message.code.unwrap_or("-1")).into()
}

fn values(unique: &Unique, document: &Value) -> String {
    let values: Vec<String> = unique.fields.iter().map(|field| at(document, field)).collect();
    values.join(", ")
}

/// Message, key and value as RAML Module Builder tells them.
fn taken(record: &RecordType, unique: &Unique, document: &Value) -> (String, String, String) {
    let keys: Vec<String> = unique.fields.iter().map(|field| expression(record, field)).collect();
    let key = keys.join(", ");
    let folded = values(unique, document).to_lowercase();
    let called = unique.called.unwrap_or(&key);
    (format!("{called} value already exists in table {}: {folded}", record.table), key, folded)
}

/// The expression that FOLIO's message shows as the key.
fn expression(record: &RecordType, field: &str) -> String {
    let text = match field.split_once('.') {
        None => format!("jsonb ->> '{field}'::text"),
        Some((outer, inner)) => format!("(jsonb -> '{outer}'::text) ->> '{inner}'::text"),
    };
    match record.field(field).map(|field| field.folding) {
        Some(Folding::Loose) => format!("lower(f_unaccent({text}))"),
        Some(Folding::Lower) => format!("lower({text})"),
        _ => text,
    }
}

fn missing(record: &RecordType, reference: &Reference, document: &Value, plain: bool) -> Fault {
    let value = at(document, reference.field);
    let refused = |message, key, value| Refusal::new(message).kind("1").code("-1").about(key, value).into();
    if let Some(message) = reference.message {
        return match (plain, message.code) {
            (true, _) => Fault::bad_request(message.plain.replace("{}", &value)),
            (false, Some(code)) => Refusal::new(message.refusal).code(code).into(),
            (false, None) => refused(message.refusal.to_owned(), reference.field.to_owned(), value),
        };
    }
    let field = reference.field.rsplit('.').next().unwrap_or(reference.field);
    nowhere(record, (field, &value, reference.table), plain)
}

/// A value of a field leads to no record of a table.
fn nowhere(record: &RecordType, (field, value, table): (&str, &str, &str), plain: bool) -> Fault {
    let field = field.to_lowercase();
    let key = format!("{}.{field}", record.table);
    let message = |key: &str| format!("Cannot set {key} = {value} because it does not exist in {table}.id.");
    match plain {
        true => Fault::bad_request(message(&key.replace('.', record.words.dot))),
        false => told(false, message(&key), &key, value),
    }
}

fn at(document: &Value, path: &str) -> String {
    let value = path.split('.').try_fold(document, |value, name| value.get(name));
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(detail: &str) -> DbError {
        DbError::Refused {
            code: DbError::FOREIGN_KEY.to_owned(),
            constraint: None,
            message: String::new(),
            detail: Some(detail.to_owned()),
        }
    }

    #[test]
    fn a_refused_record_is_told_by_the_fields_that_postgresql_names() {
        let documents = [
            json!({"id": "a", "barcode": "1", "notes": ["7 (old)", "B2"]}),
            json!({"id": "b", "barcode": "7 (Old)", "holdingsRecordId": "h"}),
            json!({"id": "c", "barcode": "c, d", "holdingsRecordId": "H", "shelf": {"name": "x"}}),
        ];
        for (detail, expected) in [
            ("Key (barcode)=(7 (old)) already exists.", Some("b")),
            ("Key (\"holdingsRecordId\", \"shelf.name\")=(h, x) already exists.", Some("c")),
            ("Key (\"holdingsRecordId\")=(h) is not present in table \"holdings_record\".", Some("b")),
            ("Key (barcode)=(c, d) already exists.", Some("c")),
            ("Key (elsewhere)=(b2) already exists.", Some("a")),
            ("Key (barcode)=(9) already exists.", None),
        ] {
            let found = culprit(&refused(detail), &documents).and_then(|document| document["id"].as_str());
            assert_eq!(found, expected, "{detail}");
        }
    }

    #[test]
    fn a_reference_that_is_declared_nowhere_is_read_from_what_postgresql_says() {
        for (detail, expected) in [
            (
                "Key (masterWrapperId)=(7) is not present in table \"profile_wrappers\".",
                Some(("masterWrapperId", "7", "profile_wrappers")),
            ),
            ("Key (id)=(7) is still referenced from table \"profile_associations\".", None),
        ] {
            assert_eq!(key(&refused(detail), ABSENT), expected, "{detail}");
        }
    }
}
