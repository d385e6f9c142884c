//! Turns a violated constraint of the database into a response, with RAML Module Builder's message or the module's own.

use octavo_kernel::{Fault, Kind, Refusal};
use octavo_pg::DbError;
use octavo_record::{ConstraintMessage, Folding, Message, PlainErrors, RecordType, Reference, Unique};
use serde_json::Value;

use crate::Context;

/// The change during which a constraint was violated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOperation {
    Creating,
    /// Creating or replacing many records by one request. FOLIO's interface declares 422 for it in every module.
    CreatingMany,
    Replacing,
    Deleting,
    /// Deleting all records that a query finds.
    DeletingMany,
}

impl RecordOperation {
    fn constraint_message(self, record: &RecordType) -> ConstraintMessage {
        match self {
            RecordOperation::Creating | RecordOperation::CreatingMany => record.messages.on_create,
            RecordOperation::Replacing => record.messages.on_replace,
            RecordOperation::Deleting => record.messages.on_delete,
            RecordOperation::DeletingMany => ConstraintMessage::Database,
        }
    }

    pub(super) fn answers_plain_text(self, record: &RecordType) -> bool {
        let least = match self {
            RecordOperation::Deleting | RecordOperation::DeletingMany => PlainErrors::Deletes,
            RecordOperation::Replacing => PlainErrors::Changes,
            RecordOperation::Creating => PlainErrors::Everything,
            RecordOperation::CreatingMany => return false,
        };
        record.plain_errors >= least
    }
}

/// Turns an error of the database into a response. `document` is the document that was to be written; for a deletion it has the id only.
pub fn fault_from_db_error(
    context: &Context,
    error: DbError,
    doing: RecordOperation,
    record: &RecordType,
    document: &Value,
) -> Fault {
    let told = |message: String, key: &str, value: &str| {
        refusal_fault(doing.answers_plain_text(record), message, key, value)
    };
    if error.has_code(TOO_LONG) {
        return told("A value is too long to be searched by".into(), record.table, "");
    }
    let Some(name) = error.constraint() else { return error.into() };
    let words = doing.constraint_message(record);
    let of_id = name == primary_key(record);
    let unique = match of_id {
        true => record.unique.first().filter(|_| record.messages.duplicate_id_as_unique_key),
        false => record.unique.iter().find(|unique| unique.constraint(record.table) == name),
    };
    let own = unique.and_then(|unique| Some((unique, unique.message?)));
    let own = own.filter(|(_, own)| own.kind != Kind::Refused || !doing.answers_plain_text(record));
    let creating = matches!(doing, RecordOperation::Creating | RecordOperation::CreatingMany);
    if let Some((unique, own)) = own.filter(|_| creating || words == ConstraintMessage::Declared) {
        return own_message_fault(own, unique, document);
    }
    if let ConstraintMessage::Fixed(text) = words {
        return Fault::bad_request(text).because(error);
    }
    let database = words == ConstraintMessage::Database;
    if of_id {
        let id = text_at(document, "id");
        if database {
            return Fault::bad_request(duplicate_key_message(name, "id", &id));
        }
        return told(format!("id value already exists in table {}: {id}", record.table), "id", &id);
    }
    if let Some(unique) = unique {
        let (message, key, value) = duplicate_value_message(record, unique, document);
        if database {
            let fields = unique.fields.join("_").to_lowercase();
            let index = format!("{}_{fields}_idx_unique", record.table);
            return Fault::bad_request(duplicate_key_message(&index, &key, &value));
        }
        return told(message, &key, &value);
    }
    if error.has_code(DbError::FOREIGN_KEY) {
        if let Some(reference) = record.references.iter().find(|r| r.constraint(record.table) == name) {
            return match words {
                ConstraintMessage::Database => {
                    Fault::bad_request(not_present_message(record, reference, document))
                }
                _ => missing_reference_fault(record, reference, document, doing.answers_plain_text(record)),
            };
        }
        let named = |other: &'static RecordType| {
            let reference = other.references.iter().find(|r| r.constraint(other.table) == name)?;
            Some((other, reference))
        };
        if let Some((other, reference)) = context.platform.record_types().find_map(named) {
            // Another record that was to be written in the same transaction refers to a record that does not exist.
            if let Some(found) = key_in_detail(&error, ABSENT) {
                return dangling_reference_fault(other, found, doing.answers_plain_text(other));
            }
            let id = key_in_detail(&error, REFERENCED)
                .map_or_else(|| text_at(document, "id"), |(_, id, _)| id.to_owned());
            if database {
                return Fault::bad_request(still_referenced_message(record, other, reference, &id));
            }
            let message = format!(
                "Cannot delete {}.id = {id} because id is still referenced from table {}.",
                record.table, other.table
            );
            return told(message, &format!("{}.id", record.table), &id);
        }
        // A reference that no record type declares, because a module's SQL script creates its constraint.
        if let Some(found) = key_in_detail(&error, ABSENT) {
            return dangling_reference_fault(record, found, doing.answers_plain_text(record));
        }
    }
    // The id of another record that was to be written in the same transaction exists already.
    if let Some((_, id, _)) = key_in_detail(&error, PRESENT)
        && let Some(other) = context.platform.record_types().find(|other| name == primary_key(other))
    {
        let message = format!("id value already exists in table {}: {id}", other.table);
        return self::refusal_fault(doing.answers_plain_text(other), message, "id", id);
    }
    error.into()
}

fn primary_key(record: &RecordType) -> String {
    format!("{}_pkey", record.table)
}

fn refusal_fault(plain: bool, message: String, key: &str, value: &str) -> Fault {
    match plain {
        true => Fault::bad_request(message),
        false => Refusal::new(message).kind("1").code("-1").about(key, value).into(),
    }
}

/// Parts of PostgreSQL's messages: a key that is referred to does not exist, a key exists already, rows of a table refer to a key.
const ABSENT: &str = ") is not present in table \"";
const PRESENT: &str = ") already exists.";
const REFERENCED: &str = ") is still referenced from table \"";

/// The column of a violated constraint, its value, and the table that is named after `relation`, if one is.
fn key_in_detail<'e>(error: &'e DbError, relation: &str) -> Option<(&'e str, &'e str, &'e str)> {
    let DbError::Refused { detail: Some(detail), .. } = error else { return None };
    let (field, rest) = detail.strip_prefix("Key (")?.split_once(")=(")?;
    let (value, rest) = rest.split_once(relation)?;
    Some((field.trim_matches('"'), value, rest.split('"').next()?))
}

/// The one of many documents written at once that has the values which the database names in the fields named.
/// If none has, it is the first that has the value somewhere.
pub(super) fn culprit<'d>(error: &DbError, documents: &'d [Value]) -> Option<&'d Value> {
    let (fields, values, _) = key_in_detail(error, PRESENT).or_else(|| key_in_detail(error, ABSENT))?;
    let fields: Vec<&str> = fields.split(", ").map(|field| field.trim_matches('"')).collect();
    let values = values.to_lowercase();
    let values: Vec<&str> = values.splitn(fields.len(), ", ").collect();
    let has = |document: &&Value| {
        let mut named = fields.iter().zip(&values);
        named.all(|(field, value)| text_at(document, field).to_lowercase() == **value)
    };
    let first = *values.first()?;
    let mentions = |document: &&Value| document.to_string().to_lowercase().contains(first);
    documents.iter().find(has).or_else(|| documents.iter().find(mentions))
}

/// PostgreSQL's error code for a value that is too long for an index.
const TOO_LONG: &str = "54000";

/// PostgreSQL's message for a duplicate key, with the name of FOLIO's index.
fn duplicate_key_message(index: &str, key: &str, value: &str) -> String {
    format!(
        "duplicate key value violates unique constraint \"{index}\": Key ({key})=({value}) already exists."
    )
}

/// PostgreSQL's message for a record that is referred to, with the name of FOLIO's foreign key.
fn still_referenced_message(
    record: &RecordType,
    other: &RecordType,
    reference: &Reference,
    id: &str,
) -> String {
    let (table, referring, constraint) = (record.table, other.table, foreign_key(reference).1);
    format!(
        "update or delete on table \"{table}\" violates foreign key constraint \"{constraint}\" on table \"{referring}\": \
         Key (id)=({id}) is still referenced from table \"{referring}\"."
    )
}

/// PostgreSQL's message for a reference that leads nowhere, with the name of FOLIO's foreign key.
fn not_present_message(record: &RecordType, reference: &Reference, document: &Value) -> String {
    let (table, target) = (record.table, reference.table);
    let (field, constraint) = foreign_key(reference);
    format!(
        "insert or update on table \"{table}\" violates foreign key constraint \"{constraint}\": \
         Key ({field})=({}) is not present in table \"{target}\".",
        text_at(document, reference.field)
    )
}

/// FOLIO's column for a reference, and its name for the constraint.
fn foreign_key(reference: &Reference) -> (String, String) {
    let field = reference.field.replace('.', "_").to_lowercase();
    let constraint = format!("{field}_{}_fkey", reference.table);
    (field, constraint)
}

fn own_message_fault(message: Message, unique: &Unique, document: &Value) -> Fault {
    let value = unique_values(unique, document);
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

fn unique_values(unique: &Unique, document: &Value) -> String {
    let values: Vec<String> = unique.fields.iter().map(|field| text_at(document, field)).collect();
    values.join(", ")
}

/// Message, key and value for a duplicate value, as RAML Module Builder writes them.
fn duplicate_value_message(
    record: &RecordType,
    unique: &Unique,
    document: &Value,
) -> (String, String, String) {
    let keys: Vec<String> = unique.fields.iter().map(|field| key_expression(record, field)).collect();
    let key = keys.join(", ");
    let folded = unique_values(unique, document).to_lowercase();
    let called = unique.fields_label.unwrap_or(&key);
    (format!("{called} value already exists in table {}: {folded}", record.table), key, folded)
}

/// The expression of FOLIO's index, which FOLIO's message shows as the key.
fn key_expression(record: &RecordType, field: &str) -> String {
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

fn missing_reference_fault(
    record: &RecordType,
    reference: &Reference,
    document: &Value,
    plain: bool,
) -> Fault {
    let value = text_at(document, reference.field);
    let refused = |message, key, value| Refusal::new(message).kind("1").code("-1").about(key, value).into();
    if let Some(message) = reference.message {
        return match (plain, message.code) {
            (true, _) => Fault::bad_request(message.plain.replace("{}", &value)),
            (false, Some(code)) => Refusal::new(message.refusal).code(code).into(),
            (false, None) => refused(message.refusal.to_owned(), reference.field.to_owned(), value),
        };
    }
    let field = reference.field.replace('.', "_");
    dangling_reference_fault(record, (&field, &value, reference.table), plain)
}

/// The response for a value of a field that refers to no record of a table.
fn dangling_reference_fault(
    record: &RecordType,
    (field, value, table): (&str, &str, &str),
    plain: bool,
) -> Fault {
    let field = field.to_lowercase();
    let key = format!("{}.{field}", record.table);
    let message = |key: &str| format!("Cannot set {key} = {value} because it does not exist in {table}.id.");
    match plain {
        true => Fault::bad_request(message(&key.replace('.', record.messages.reference_separator))),
        false => refusal_fault(false, message(&key), &key, value),
    }
}

fn text_at(document: &Value, path: &str) -> String {
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
            assert_eq!(key_in_detail(&refused(detail), ABSENT), expected, "{detail}");
        }
    }
}
