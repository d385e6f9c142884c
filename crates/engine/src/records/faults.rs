//! What a violated constraint means to a client, in RAML Module Builder's words or the module's own.

use octavo_kernel::{Fault, Refusal};
use octavo_pg::DbError;
use octavo_record::{Folding, RecordType, Reference, Unique};
use serde_json::Value;

/// `document` is what was being written, or the deleted record's id under `id`.
pub fn fault_of<'a>(
    error: DbError,
    record: &'a RecordType,
    mut all: impl Iterator<Item = &'a RecordType>,
    document: &Value,
) -> Fault {
    let Some(name) = error.constraint() else { return error.into() };
    if error.is(DbError::UNIQUE) {
        if name == format!("{}_pkey", record.table) {
            return plain(
                record,
                format!("id value already exists in table {}: {}", record.table, at(document, "id")),
                "id",
                &at(document, "id"),
            );
        }
        if let Some(unique) = record.unique.iter().find(|unique| unique.constraint(record.table) == name) {
            return taken(record, unique, document);
        }
    }
    if error.is(DbError::FOREIGN_KEY) {
        if let Some(reference) = record.references.iter().find(|r| r.constraint(record.table) == name) {
            return missing(record, reference, document);
        }
        let referring = all.find(|other| other.references.iter().any(|r| r.constraint(other.table) == name));
        if let Some(other) = referring {
            let id = at(document, "id");
            let message = format!(
                "Cannot delete {}.id = {id} because id is still referenced from table {}.",
                record.table, other.table
            );
            return plain(record, message, &format!("{}.id", record.table), &id);
        }
    }
    error.into()
}

fn taken(record: &RecordType, unique: &Unique, document: &Value) -> Fault {
    let values: Vec<String> = unique.fields.iter().map(|field| at(document, field)).collect();
    let value = values.join(", ");
    if let Some(message) = unique.message {
        let text = message.text.replace("{}", &value);
        if message.status != 422 {
            return Fault::text(message.status, text);
        }
        let refusal = Refusal::new(text).kind("1").about(message.key, value);
        return match message.code {
            Some(code) => refusal.code(code).into(),
            None => refusal.code("-1").into(),
        };
    }
    let keys: Vec<String> = unique.fields.iter().map(|field| key(record, field)).collect();
    let key = keys.join(", ");
    let folded = values.join(", ").to_lowercase();
    plain(record, format!("{key} value already exists in table {}: {folded}", record.table), &key, &folded)
}

/// The expression that FOLIO's message shows as the key.
fn key(record: &RecordType, field: &str) -> String {
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

fn missing(record: &RecordType, reference: &Reference, document: &Value) -> Fault {
    let field = reference.field.rsplit('.').next().unwrap_or(reference.field).to_lowercase();
    let value = at(document, reference.field);
    let message = format!(
        "Cannot set {}.{field} = {value} because it does not exist in {}.id.",
        record.table, reference.table
    );
    plain(record, message, &format!("{}.{field}", record.table), &value)
}

fn plain(record: &RecordType, message: String, key: &str, value: &str) -> Fault {
    if record.plain_errors {
        return Fault::bad_request(message);
    }
    Refusal::new(message).kind("1").code("-1").about(key, value).into()
}

fn at(document: &Value, path: &str) -> String {
    let value = path.split('.').try_fold(document, |value, name| value.get(name));
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
