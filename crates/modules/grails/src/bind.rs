//! A client's body put into a record. Members that were not sent stay as they are; those that a record does not have are overlooked.

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
    blank, invalid, mismatched, no_date, no_number, not_found, not_unique, null, too_long, unlike, used,
};
use crate::resource::Resource;
use crate::uses::is_used;

/// The most records that one body may put into a list.
const MOST_LISTED: usize = 1000;
/// The most levels of records within records.
const MOST_LEVELS: usize = 4;

/// Statements that write a record and those that go with it, and what is wrong with them.
#[derive(Default)]
pub(crate) struct Bound {
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
    /// Puts a body into the stored record with this id, or into a new one, and writes it with `more` in the transaction that has
    /// locked what is changed. Returns the record's id.
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
        let mut bound = Bound::default();
        let stored = match id {
            Some(id) => Some((id, lock(self.session, self.resource.kind, id).await?.ok_or_else(not_found)?)),
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
            Err(error) => Err(self.told(error, &bound)),
        }
    }

    /// A constraint of the database in the words of Grails.
    fn told(&self, error: DbError, bound: &Bound) -> Fault {
        if error.is(DbError::FOREIGN_KEY) {
            return invalid(self.request, vec![used(self.resource.kind.class)]);
        }
        if !error.is(DbError::UNIQUE) {
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
        invalid(self.request, vec![not_unique(member, kind.class, value)])
    }

    fn bind<'b>(
        &'b mut self,
        kind: &'static Kind,
        body: &'b Value,
        stored: Option<(Uuid, Value)>,
        owned: Option<(&'static str, Uuid)>,
        bound: &'b mut Bound,
        level: usize,
    ) -> Pin<Box<dyn Future<Output = Outcome<Uuid>> + Send + 'b>> {
        Box::pin(async move {
            let Some(sent) = body.as_object() else {
                bound.faults.push(mismatched("object"));
                return Ok(Uuid::nil());
            };
            let is_new = stored.is_none();
            let (id, mut document) = match stored {
                Some((id, Value::Object(document))) => (id, document),
                _ => (self.request.context.fresh_id(), Map::new()),
            };
            document.insert("id".to_owned(), json!(id));
            // Required members are looked at with the owner put in; whatever was sent, a list's records stay with it.
            let own = |document: &mut Map<String, Value>| {
                owned.map(|(owner, of)| document.insert(owner.to_owned(), json!(of)))
            };
            own(&mut document);
            self.members(kind, sent, &mut document, is_new, &mut bound.faults, level).await?;
            own(&mut document);
            let lists: Vec<_> = kind
                .members
                .iter()
                .filter_map(|member| match (member.form, sent.get(member.name)) {
                    (Form::Many(of, owner), Some(value)) if !member.read_only => {
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
                self.list(member, (of, owner, id), value, bound, level + 1).await?;
            }
            Ok(id)
        })
    }

    /// The records of a list: those with an id are changed, or removed where `_delete` says so, those without are new. Records that
    /// are not named stay.
    async fn list(
        &mut self,
        member: &'static Member,
        (kind, owner, owners_id): (&'static Kind, &'static str, Uuid),
        value: &Value,
        bound: &mut Bound,
        level: usize,
    ) -> Outcome<()> {
        let Some(elements) = value.as_array().filter(|_| level <= MOST_LEVELS) else {
            if !value.is_null() {
                bound.faults.push(mismatched(member.name));
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
                Some(id) => lock(self.session, kind, id).await?.map(|stored| (id, stored)),
                None => None,
            };
            let stored = stored.filter(|(_, stored)| stored[owner].as_str() == Some(&owners_id.to_string()));
            match (id, stored) {
                (Some(_), None) => bound.faults.push(mismatched(member.name)),
                (_, Some((id, _))) if element["_delete"] == true => {
                    if is_used(self.session, self.resource.named_by, kind, id).await? {
                        bound.faults.push(used(kind.class));
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

    /// Puts what was sent into the members of a record, computes what is computed, and says what is wrong.
    fn members<'b>(
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
                    (Form::Changed, _) => drop(document.insert(name, json!(self.request.context.now_text()))),
                    (Form::Made, _) if is_new => {
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
                    Form::Many(..) | Form::Made | Form::Changed => continue,
                    Form::Part(of) => self.part(of, value, before, faults, level + 1).await?,
                    Form::Parts(of) => self.parts(member, of, value, before, faults, level + 1).await?,
                    _ => self.value(member, value).await?,
                };
                match read {
                    Read::Value(Value::Null) => drop(document.remove(member.name)),
                    Read::Value(value) => drop(document.insert(member.name.to_owned(), value)),
                    Read::AsBefore => {}
                    Read::Wrong(fault) => faults.push(fault),
                }
            }
            (self.resource.finish)(kind, document);
            faults.extend(kind.members.iter().filter_map(|member| wrong(kind, member, document)));
            Ok(())
        })
    }

    /// A record within another: what was sent is put into what is there.
    async fn part(
        &mut self,
        kind: &'static Kind,
        value: &Value,
        before: Option<Value>,
        faults: &mut Vec<String>,
        level: usize,
    ) -> Outcome<Read> {
        let sent = match value {
            Value::Null => return Ok(Read::Value(Value::Null)),
            Value::Object(sent) if level <= MOST_LEVELS => sent,
            _ => return Ok(Read::Wrong(mismatched("object"))),
        };
        let (mut part, is_new) = match before {
            Some(Value::Object(before)) => (before, false),
            _ => (Map::from_iter([("id".to_owned(), json!(self.request.context.fresh_id()))]), true),
        };
        self.members(kind, sent, &mut part, is_new, faults, level).await?;
        Ok(Read::Value(Value::Object(part)))
    }

    /// A list of records within another, by the rules of `list`.
    async fn parts(
        &mut self,
        member: &'static Member,
        kind: &'static Kind,
        value: &Value,
        before: Option<Value>,
        faults: &mut Vec<String>,
        level: usize,
    ) -> Outcome<Read> {
        let Some(elements) = value.as_array().filter(|elements| elements.len() <= MOST_LISTED) else {
            return Ok(if value.is_null() { Read::AsBefore } else { Read::Wrong(mismatched(member.name)) });
        };
        let mut all = match before {
            Some(Value::Array(before)) => before,
            _ => Vec::new(),
        };
        for element in elements {
            let id = element["id"].as_str();
            let at = id.and_then(|id| all.iter().position(|stored| stored["id"] == id));
            match (id, at) {
                (Some(_), None) => faults.push(mismatched(member.name)),
                (_, Some(at)) if element["_delete"] == true => drop(all.remove(at)),
                (_, at) => {
                    let before = at.map(|at| all[at].clone());
                    match self.part(kind, element, before, faults, level).await? {
                        Read::Value(part) if at.is_some() => all[at.unwrap_or_default()] = part,
                        Read::Value(part) => all.push(part),
                        Read::Wrong(fault) => faults.push(fault),
                        Read::AsBefore => {}
                    }
                }
            }
        }
        if all.len() > MOST_LISTED {
            faults.push(format!("Property [{}] has more than {MOST_LISTED} elements", member.name));
        }
        Ok(Read::Value(Value::Array(all)))
    }

    async fn value(&mut self, member: &Member, value: &Value) -> Outcome<Read> {
        Ok(match (member.form, value) {
            (_, Value::Null) => Read::Value(Value::Null),
            (Form::Text, Value::String(text)) => Read::Value(json!(text)),
            (Form::Text, Value::Number(number)) => Read::Value(json!(number.to_string())),
            (Form::Text, Value::Bool(is)) => Read::Value(json!(is.to_string())),
            (Form::Integer, value) => {
                whole(value).map_or_else(|| Read::Wrong(no_number(member.name)), Read::Value)
            }
            (Form::Number, value) => {
                decimal(value).map_or_else(|| Read::Wrong(no_number(member.name)), Read::Value)
            }
            (Form::Day, Value::String(text)) => match day(text) {
                Some(day) => Read::Value(day),
                None => Read::Wrong(no_date(member.name)),
            },
            (Form::Boolean, Value::Bool(is)) => Read::Value(json!(is)),
            (Form::Boolean, Value::String(text)) => {
                Read::Value(json!(["true", "on", "yes", "1"].contains(&text.to_lowercase().as_str())))
            }
            (Form::Refdata(values, vocabulary), value) => {
                match refdata::find(self.session, values, vocabulary, value).await? {
                    Some(id) => Read::Value(json!(id)),
                    // An unknown value changes nothing, as in FOLIO.
                    None => Read::AsBefore,
                }
            }
            (Form::Outside, value) => {
                named(value).map_or_else(|| Read::Wrong(mismatched(member.name)), |id| Read::Value(json!(id)))
            }
            (Form::One(kind), value) => match named(value) {
                Some(id) if find(self.session, kind.record, id).await?.is_some() => Read::Value(json!(id)),
                _ => Read::Value(Value::Null),
            },
            _ => Read::Wrong(mismatched(member.name)),
        })
    }
}

/// A record as it is now, locked until the end of the transaction: what is written into it takes nothing back that others wrote.
async fn lock(session: &mut Session, kind: &'static Kind, id: Uuid) -> Outcome<Option<Value>> {
    let found: Option<(Uuid, Value)> =
        session.read(statements::lock_all(kind.record).uuids(vec![id])).await?;
    Ok(found.map(|(_, document)| document))
}

/// The UUID that a value is.
pub(crate) fn uuid(value: &Value) -> Option<Uuid> {
    value.as_str().and_then(|text| Uuid::parse_str(text).ok())
}

/// The record that a value names: by its id, or as an object with its id.
pub(crate) fn named(value: &Value) -> Option<Uuid> {
    uuid(&value["id"]).or_else(|| uuid(value))
}

enum Read {
    Value(Value),
    AsBefore,
    Wrong(String),
}

/// A whole number, also sent as a text; an empty text is none.
fn whole(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => number.as_i64().map(|number| json!(number)),
        Value::String(text) if text.trim().is_empty() => Some(Value::Null),
        Value::String(text) => text.trim().parse::<i64>().ok().map(|number| json!(number)),
        _ => None,
    }
}

/// A number, also sent as a text; an empty text is none.
fn decimal(value: &Value) -> Option<Value> {
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

/// The day of a text that begins with one; an empty text is none.
fn day(text: &str) -> Option<Value> {
    let text = text.trim();
    match text.get(..10) {
        _ if text.is_empty() => Some(Value::Null),
        Some(day) => day.parse::<jiff::civil::Date>().ok().map(|day| json!(day.to_string())),
        None => None,
    }
}

/// What is wrong with one member of a record.
fn wrong(kind: &Kind, member: &Member, document: &Map<String, Value>) -> Option<String> {
    match document.get(member.name) {
        None if member.required => Some(null(member.name, kind.class)),
        Some(Value::String(text)) if member.not_blank && text.trim().is_empty() => {
            Some(blank(member.name, kind.class))
        }
        Some(Value::String(text)) if text.chars().count() > member.most => {
            let begin: String = text.chars().take(100).collect();
            Some(too_long(member.name, kind.class, &begin, member.most))
        }
        Some(Value::String(text)) => {
            let (pattern, _) = member.like.filter(|(_, is_so)| !is_so(text))?;
            Some(unlike(member.name, kind.class, text, pattern))
        }
        _ => None,
    }
}
