//! Writes the members of a client's body into a record. Members that were not sent stay as they are; members that the record does not have
//! are ignored.

use std::pin::Pin;

use octavo_engine::{Request, find, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Session, Statement};
use octavo_record::Unique;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::kind::{Form, Kind, Member};
use crate::refdata;
use crate::refusal::{
    invalid, not_a_date_message, not_a_number_message, not_found, not_unique_message, null_message,
    pattern_mismatch_message, still_referenced_message, too_long_message, type_mismatch_message,
};
use crate::resource::Resource;
use crate::uses::is_referenced;

/// The most records that one body may put into a list.
const MOST_LISTED: usize = 1000;
/// The most levels of records within records.
const MOST_LEVELS: usize = 4;

/// The statements that write a record and the records that belong to it, and messages about what is wrong in the body.
#[derive(Default)]
pub(crate) struct PendingWrites {
    pub(crate) writes: Vec<(&'static Kind, Uuid, Value, Statement)>,
    pub(crate) removals: Vec<Statement>,
    pub(crate) faults: Vec<String>,
}

pub(crate) struct Binding<'a> {
    pub(crate) request: &'a Request,
    pub(crate) session: &'a mut Session,
    pub(crate) resource: &'static Resource,
}

impl Binding<'_> {
    /// Binds a body to the stored record with this id, or to a new record, and writes it with the statements `more` in the transaction that
    /// has locked the changed records. Returns the record's id.
    pub(crate) async fn write(
        &mut self,
        body: &Value,
        id: Option<Uuid>,
        more: &mut (dyn FnMut(Uuid) -> Vec<Statement> + Send),
    ) -> Outcome<Uuid> {
        self.session.begin(Vec::new()).await?;
        let written = self.write_locked(body, id, more).await;
        if written.is_err() {
            self.session.rollback().await?;
        }
        written
    }

    async fn write_locked(
        &mut self,
        body: &Value,
        id: Option<Uuid>,
        more: &mut (dyn FnMut(Uuid) -> Vec<Statement> + Send),
    ) -> Outcome<Uuid> {
        let mut bound = PendingWrites::default();
        let stored = match id {
            Some(id) => {
                Some((id, lock_record(self.session, self.resource.kind, id).await?.ok_or_else(not_found)?))
            }
            None => None,
        };
        let id = self.bind(self.resource.kind, body, stored, None, &mut bound, 0).await?;
        if !bound.faults.is_empty() {
            return Err(invalid(self.request, bound.faults));
        }
        let mut all = std::mem::take(&mut bound.removals);
        all.extend(bound.writes.iter().map(|(.., statement)| statement.clone()));
        all.extend(more(id));
        match self.session.commit(all).await {
            Ok(_) => Ok(id),
            Err(error) => Err(self.constraint_fault(error, &bound)),
        }
    }

    /// Translates the violation of a database constraint into the message of Grails.
    fn constraint_fault(&self, error: DbError, bound: &PendingWrites) -> Fault {
        if error.has_code(DbError::FOREIGN_KEY) {
            return invalid(self.request, vec![still_referenced_message(self.resource.kind.class)]);
        }
        if !error.has_code(DbError::UNIQUE) {
            return error.into();
        }
        let constraint = error.constraint().unwrap_or_default().to_owned();
        let of_table = |kind: &Kind| constraint.starts_with(kind.record.table);
        let longest = bound.writes.iter().filter(|(kind, ..)| of_table(kind));
        let written = longest.max_by_key(|(kind, ..)| kind.record.table.len());
        let Some((kind, _, document, _)) = written else { return error.into() };
        let named = |unique: &&Unique| {
            constraint == format!("{}_{}_unique", kind.record.table, unique.fields.join("_"))
        };
        let member = kind.record.unique.iter().find(named).and_then(|unique| unique.fields.last());
        let member = member.copied().unwrap_or("id");
        let value = document[member].as_str().unwrap_or_default();
        invalid(self.request, vec![not_unique_message(member, kind.class, value)])
    }

    fn bind<'b>(
        &'b mut self,
        kind: &'static Kind,
        body: &'b Value,
        stored: Option<(Uuid, Value)>,
        owned: Option<(&'static str, Uuid)>,
        bound: &'b mut PendingWrites,
        level: usize,
    ) -> Pin<Box<dyn Future<Output = Outcome<Uuid>> + Send + 'b>> {
        Box::pin(async move {
            let Some(sent) = body.as_object() else {
                bound.faults.push(type_mismatch_message("object"));
                return Ok(Uuid::nil());
            };
            let is_new = stored.is_none();
            let (id, mut document) = match stored {
                Some((id, Value::Object(document))) => (id, document),
                _ => (self.request.context.fresh_id(), Map::new()),
            };
            document.insert("id".to_owned(), json!(id));
            // The member that names the owner is set before the required members are checked, and set again after that: a body cannot move
            // a record to another owner.
            let own = |document: &mut Map<String, Value>| {
                owned.map(|(owner, of)| document.insert(owner.to_owned(), json!(of)))
            };
            own(&mut document);
            self.bind_members(kind, sent, &mut document, is_new, &mut bound.faults, level).await?;
            own(&mut document);
            let lists: Vec<_> = kind
                .members
                .iter()
                .filter_map(|member| match (member.form, sent.get(member.name)) {
                    (Form::Owned(of, owner), Some(value)) if !member.read_only => {
                        Some((member, of, owner, value))
                    }
                    _ => None,
                })
                .collect();
            let document = Value::Object(document);
            let statement = match is_new {
                true => statements::insert(kind.record, id, &document),
                false => statements::overwrite(kind.record, id, &document),
            };
            bound.writes.push((kind, id, document, statement));
            for (member, of, owner, value) in lists {
                self.bind_list(member, (of, owner, id), value, bound, level + 1).await?;
            }
            Ok(id)
        })
    }

    /// Binds the records of a list: an element with an id changes that record, or deletes it if `_delete` is true; an element without an id
    /// creates one. Records that the body does not name stay as they are.
    async fn bind_list(
        &mut self,
        member: &'static Member,
        (kind, owner, owners_id): (&'static Kind, &'static str, Uuid),
        value: &Value,
        bound: &mut PendingWrites,
        level: usize,
    ) -> Outcome<()> {
        let Some(elements) = value.as_array().filter(|_| level <= MOST_LEVELS) else {
            if !value.is_null() {
                bound.faults.push(type_mismatch_message(member.name));
            }
            return Ok(());
        };
        if bound.writes.len() + elements.len() > MOST_LISTED {
            bound.faults.push(format!("Property [{}] has more than {MOST_LISTED} elements", member.name));
            return Ok(());
        }
        for element in elements {
            let id = uuid(&element["id"]);
            let stored = match id {
                Some(id) => lock_record(self.session, kind, id).await?.map(|stored| (id, stored)),
                None => None,
            };
            let stored = stored.filter(|(_, stored)| stored[owner].as_str() == Some(&owners_id.to_string()));
            match (id, stored) {
                (Some(_), None) => bound.faults.push(type_mismatch_message(member.name)),
                (_, Some((id, _))) if element["_delete"] == true => {
                    if is_referenced(self.session, self.resource.referenced_by, kind, id).await? {
                        bound.faults.push(still_referenced_message(kind.class));
                    }
                    bound.removals.push(statements::delete(kind.record, id));
                }
                (_, stored) => {
                    self.bind(kind, element, stored, Some((owner, owners_id)), bound, level).await?;
                }
            }
        }
        Ok(())
    }

    /// Binds the sent members of a record, computes the computed members, and reports invalid members.
    fn bind_members<'b>(
        &'b mut self,
        kind: &'static Kind,
        sent: &'b Map<String, Value>,
        document: &'b mut Map<String, Value>,
        is_new: bool,
        faults: &'b mut Vec<String>,
        level: usize,
    ) -> Pin<Box<dyn Future<Output = Outcome<()>> + Send + 'b>> {
        Box::pin(async move {
            for member in kind.members {
                let name = member.name.to_owned();
                match (member.form, member.default) {
                    (Form::LastUpdated, _) => {
                        drop(document.insert(name, json!(self.request.context.now_text())));
                    }
                    (Form::DateCreated, _) if is_new => {
                        document.insert(name, json!(self.request.context.now_text()));
                    }
                    (_, Some(default)) if is_new => {
                        document.insert(name, serde_json::from_str(default).unwrap_or_default());
                    }
                    _ => {}
                }
                let Some(value) = sent.get(member.name).filter(|_| !member.read_only) else { continue };
                let before = document.get(member.name).cloned();
                let read = match member.form {
                    Form::Owned(..) | Form::DateCreated | Form::LastUpdated => continue,
                    Form::Part(of) => self.bind_part(of, value, before, faults, level + 1).await?,
                    Form::Parts(of) => self.bind_parts(member, of, value, before, faults, level + 1).await?,
                    _ => self.bind_value(member, value).await?,
                };
                match read {
                    BoundValue::Value(Value::Null) => drop(document.remove(member.name)),
                    BoundValue::Value(value) => drop(document.insert(member.name.to_owned(), value)),
                    BoundValue::Unchanged => {}
                    BoundValue::Invalid(fault) => faults.push(fault),
                }
            }
            (self.resource.compute_members)(kind, document);
            faults.extend(
                kind.members.iter().filter_map(|member| invalid_member_message(kind, member, document)),
            );
            Ok(())
        })
    }

    /// Binds a record that is stored within another: the sent members replace the stored ones.
    async fn bind_part(
        &mut self,
        kind: &'static Kind,
        value: &Value,
        before: Option<Value>,
        faults: &mut Vec<String>,
        level: usize,
    ) -> Outcome<BoundValue> {
        let sent = match value {
            Value::Null => return Ok(BoundValue::Value(Value::Null)),
            Value::Object(sent) if level <= MOST_LEVELS => sent,
            _ => return Ok(BoundValue::Invalid(type_mismatch_message("object"))),
        };
        let (mut part, is_new) = match before {
            Some(Value::Object(before)) => (before, false),
            _ => (Map::from_iter([("id".to_owned(), json!(self.request.context.fresh_id()))]), true),
        };
        self.bind_members(kind, sent, &mut part, is_new, faults, level).await?;
        Ok(BoundValue::Value(Value::Object(part)))
    }

    /// Binds a list of records that are stored within another record, by the same rules as `bind_list`.
    async fn bind_parts(
        &mut self,
        member: &'static Member,
        kind: &'static Kind,
        value: &Value,
        before: Option<Value>,
        faults: &mut Vec<String>,
        level: usize,
    ) -> Outcome<BoundValue> {
        let Some(elements) = value.as_array().filter(|elements| elements.len() <= MOST_LISTED) else {
            return Ok(if value.is_null() {
                BoundValue::Unchanged
            } else {
                BoundValue::Invalid(type_mismatch_message(member.name))
            });
        };
        let mut all = match before {
            Some(Value::Array(before)) => before,
            _ => Vec::new(),
        };
        for element in elements {
            let id = element["id"].as_str();
            let at = id.and_then(|id| all.iter().position(|stored| stored["id"] == id));
            match (id, at) {
                (Some(_), None) => faults.push(type_mismatch_message(member.name)),
                (_, Some(at)) if element["_delete"] == true => drop(all.remove(at)),
                (_, at) => {
                    let before = at.map(|at| all[at].clone());
                    match self.bind_part(kind, element, before, faults, level).await? {
                        BoundValue::Value(part) if at.is_some() => all[at.unwrap_or_default()] = part,
                        BoundValue::Value(part) => all.push(part),
                        BoundValue::Invalid(fault) => faults.push(fault),
                        BoundValue::Unchanged => {}
                    }
                }
            }
        }
        if all.len() > MOST_LISTED {
            faults.push(format!("Property [{}] has more than {MOST_LISTED} elements", member.name));
        }
        Ok(BoundValue::Value(Value::Array(all)))
    }

    async fn bind_value(&mut self, member: &Member, value: &Value) -> Outcome<BoundValue> {
        Ok(match (member.form, value) {
            (_, Value::Null) => BoundValue::Value(Value::Null),
            (Form::Text, Value::String(text)) => BoundValue::Value(trimmed(text)),
            (Form::Text, Value::Number(number)) => BoundValue::Value(json!(number.to_string())),
            (Form::Text, Value::Bool(is)) => BoundValue::Value(json!(is.to_string())),
            (Form::Integer, value) => parse_integer(value)
                .map_or_else(|| BoundValue::Invalid(not_a_number_message(member.name)), BoundValue::Value),
            (Form::Number, value) => parse_decimal(value)
                .map_or_else(|| BoundValue::Invalid(not_a_number_message(member.name)), BoundValue::Value),
            (Form::Day, Value::String(text)) => match parse_day(text) {
                Some(day) => BoundValue::Value(day),
                None => BoundValue::Invalid(not_a_date_message(member.name)),
            },
            (Form::Boolean, Value::Bool(is)) => BoundValue::Value(json!(is)),
            (Form::Boolean, Value::String(text)) => {
                BoundValue::Value(json!(["true", "on", "yes", "1"].contains(&text.to_lowercase().as_str())))
            }
            (Form::Refdata(values, vocabulary), value) => {
                match refdata::find(self.session, values, vocabulary, value).await? {
                    Some(id) => BoundValue::Value(json!(id)),
                    // An unknown value changes nothing, as in FOLIO.
                    None => BoundValue::Unchanged,
                }
            }
            (Form::OutsideReference, value) => referenced_id(value).map_or_else(
                || BoundValue::Invalid(type_mismatch_message(member.name)),
                |id| BoundValue::Value(json!(id)),
            ),
            (Form::Reference(kind), value) => match referenced_id(value) {
                Some(id) if find(self.session, kind.record, id).await?.is_some() => {
                    BoundValue::Value(json!(id))
                }
                _ => BoundValue::Value(Value::Null),
            },
            _ => BoundValue::Invalid(type_mismatch_message(member.name)),
        })
    }
}

/// Locks and reads a record until the end of the transaction, so that writing it does not undo what other transactions write.
async fn lock_record(session: &mut Session, kind: &'static Kind, id: Uuid) -> Outcome<Option<Value>> {
    let found: Option<(Uuid, Value)> =
        session.read(statements::lock_all(kind.record).uuids(vec![id])).await?;
    Ok(found.map(|(_, document)| document))
}

/// The value as a UUID, if it is one.
pub(crate) fn uuid(value: &Value) -> Option<Uuid> {
    value.as_str().and_then(|text| Uuid::parse_str(text).ok())
}

/// The id of the record that a value refers to: the value itself, or its member `id`.
pub(crate) fn referenced_id(value: &Value) -> Option<Uuid> {
    uuid(&value["id"]).or_else(|| uuid(value))
}

enum BoundValue {
    Value(Value),
    Unchanged,
    Invalid(String),
}

/// A text without the blanks around it, as Grails binds it. An empty text means no value.
fn trimmed(text: &str) -> Value {
    match text.trim_matches(|sign: char| sign <= ' ') {
        "" => Value::Null,
        text => json!(text),
    }
}

/// A whole number, which a client may also send as a text. An empty text means no value.
fn parse_integer(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => number.as_i64().map(|number| json!(number)),
        Value::String(text) if text.trim().is_empty() => Some(Value::Null),
        Value::String(text) => text.trim().parse::<i64>().ok().map(|number| json!(number)),
        _ => None,
    }
}

/// A number, which a client may also send as a text. An empty text means no value.
fn parse_decimal(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => Some(json!(number)),
        Value::String(text) if text.trim().is_empty() => Some(Value::Null),
        Value::String(text) => {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
            Some(json!(number))
        }
        _ => None,
    }
}

/// The date at the beginning of a text. An empty text means no value.
fn parse_day(text: &str) -> Option<Value> {
    let text = text.trim();
    match text.get(..10) {
        _ if text.is_empty() => Some(Value::Null),
        Some(day) => day.parse::<jiff::civil::Date>().ok().map(|day| json!(day.to_string())),
        None => None,
    }
}

/// The message about an invalid member of a record; `None` if the member is valid.
fn invalid_member_message(kind: &Kind, member: &Member, document: &Map<String, Value>) -> Option<String> {
    match document.get(member.name) {
        None if member.required => Some(null_message(member.name, kind.class)),
        Some(Value::String(text)) if text.chars().count() > member.max_characters => {
            let begin: String = text.chars().take(100).collect();
            Some(too_long_message(member.name, kind.class, &begin, member.max_characters))
        }
        Some(Value::String(text)) => {
            let (pattern, _) = member.pattern.filter(|(_, is_so)| !is_so(text))?;
            Some(pattern_mismatch_message(member.name, kind.class, text, pattern))
        }
        _ => None,
    }
}
