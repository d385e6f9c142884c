//! The types of events, each with its descriptor. Those of modules that are built in are there from the start, and can be changed.

use std::collections::BTreeMap;

use octavo_engine::{Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_pg::{Json, Session, Statement};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{built_in, end, lock, refuse_long, registered};

const EVENT_TYPE: &str = include_str!("../../../folio/records/mod-pubsub/eventDescriptor.tsv");

/// The most types that are stored for a tenant.
const MOST: usize = 1_000;

/// FOLIO's event descriptor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventType {
    pub(super) event_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(rename = "eventTTL")]
    pub(super) ttl: i64,
    #[serde(default)]
    pub(super) signed: bool,
    /// A subscriber has named the type before anybody has described it.
    #[serde(default)]
    pub(super) tmp: bool,
}

/// An event type of a tenant.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) descriptor: EventType,
    /// Stored, not only declared by modules that are built in: those say nothing of the description.
    stored: bool,
}

impl EventType {
    pub(super) fn plain(name: &str, tmp: bool) -> EventType {
        EventType { event_type: name.to_owned(), description: None, ttl: 1, signed: false, tmp }
    }

    /// As Jackson prints an object for people.
    pub(super) fn pretty(&self) -> String {
        let members = serde_json::to_value(self).unwrap_or_default();
        let members = ["eventType", "description", "eventTTL", "signed", "tmp"]
            .into_iter()
            .filter_map(|name| Some(format!("  \"{name}\" : {}", members.get(name)?)));
        format!("{{\n{}\n}}", members.collect::<Vec<String>>().join(",\n"))
    }
}

impl Known {
    pub(super) fn is(&self, other: &EventType) -> bool {
        match self.stored {
            true => self.descriptor == *other,
            false => self.descriptor == EventType { description: None, ..other.clone() },
        }
    }
}

/// All event types of a tenant by name.
pub(super) async fn all(session: &mut Session, tenant: &Tenant) -> Outcome<BTreeMap<String, Known>> {
    let stored: Vec<Json<EventType>> = session.read(Statement::new(ALL)).await?;
    let mut types: BTreeMap<String, Known> = built_in::of(tenant)
        .map(|declared| {
            let descriptor = EventType::plain(declared.event_type, false);
            (declared.event_type.to_owned(), Known { descriptor, stored: false })
        })
        .collect();
    for Json(descriptor) in stored {
        types.insert(descriptor.event_type.clone(), Known { descriptor, stored: true });
    }
    Ok(types)
}

/// Stores types, in place of those of the same names.
pub(super) fn store(types: &BTreeMap<String, Known>, new: &[EventType]) -> Outcome<Statement> {
    let stored = types.values().filter(|known| known.stored).count();
    if stored + new.len() > MOST && new.iter().any(|one| !types.contains_key(&one.event_type)) {
        return Err(Fault::bad_request(format!("There are {MOST} event types at most")));
    }
    for one in new {
        refuse_long([one.event_type.as_str(), one.description.as_deref().unwrap_or_default()])?;
    }
    let (names, descriptors) = new
        .iter()
        .map(|one| (one.event_type.clone(), json_text(&json!(one))))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    Ok(Statement::new(STORE).texts(names).texts(descriptors))
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let types = all(&mut session, &request.context.tenant).await?;
    let types: Vec<&EventType> = types.values().map(|known| &known.descriptor).collect();
    Ok(Response::json(200, &json!({"eventDescriptors": types, "totalRecords": types.len()})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let name = request.parameter(0);
    let mut session = request.context.session().await?;
    let types = all(&mut session, &request.context.tenant).await?;
    let missing = || Fault::missing(format!("Event Descriptor with event type '{name}' was not found"));
    Ok(Response::json(200, &shown(&types.get(name).ok_or_else(missing)?.descriptor)))
}

fn shown(descriptor: &EventType) -> Value {
    json!(descriptor)
}

/// Makes a type, or describes one that a subscriber has named before. The same again changes nothing.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let new: EventType = request.checked_body(EVENT_TYPE)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock()]).await?;
    let types = all(&mut session, &request.context.tenant).await?;
    let decided = match types.get(&new.event_type) {
        Some(known) if !known.descriptor.tmp && !known.is(&new) => Err(Fault::bad_request(format!(
            "Event descriptor for event type '{}' already exists, but the content is different. Existing event descriptor: {}",
            new.event_type,
            known.descriptor.pretty()
        ))),
        _ => store(&types, std::slice::from_ref(&new)).map(|store| vec![store]),
    };
    end(&mut session, decided).await?;
    Ok(Response::json(201, &shown(&new)))
}

/// Changes the type that the body names, as FOLIO does: what stands in the path does not matter.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let new: EventType = request.checked_body(EVENT_TYPE)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock()]).await?;
    let types = all(&mut session, &request.context.tenant).await?;
    let decided = match types.contains_key(&new.event_type) {
        true => store(&types, std::slice::from_ref(&new)).map(|store| vec![store]),
        false => {
            let message = format!("EventDescriptor with event type '{}' was not updated", new.event_type);
            Err(Fault::missing(message))
        }
    };
    end(&mut session, decided).await?;
    Ok(Response::json(200, &shown(&new)))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let name = request.parameter(0);
    let tenant = &request.context.tenant;
    let mut session = request.context.session().await?;
    session.begin(vec![lock()]).await?;
    let is_known = all(&mut session, tenant).await?.contains_key(name);
    let registered = registered::of_type(&mut session, tenant, name, None).await?;
    let decided = match (is_known, registered.is_empty()) {
        (false, _) => {
            let message = format!("EventDescriptor with event type name '{name}' was not found");
            Err(Fault::missing(message))
        }
        (true, false) => {
            let names: Vec<&str> = registered.iter().map(|module| module.module.as_str()).collect();
            Err(Fault::bad_request(format!(
                "Event type {name} cannot be deleted. Modules [{}] are registered as publishers or subscribers for this event type.",
                names.join(",")
            )))
        }
        (true, true) => Ok(vec![Statement::new(DELETE).text(name)]),
    };
    end(&mut session, decided).await?;
    Ok(Response::no_content())
}

const ALL: &str = "select descriptor::text from pubsub_event_type";

const STORE: &str = "\
insert into pubsub_event_type (name, descriptor)
select n.name, n.descriptor::json
from unnest($1::text[], $2::text[]) n (name, descriptor)
on conflict (name) do update
set descriptor = excluded.descriptor";

const DELETE: &str = "delete from pubsub_event_type where name = $1";

octavo_pg::statements!(other = [ALL, STORE, DELETE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_is_told_as_jackson_prints_it() {
        let descriptor = EventType { description: Some("A \"b\"".to_owned()), ..EventType::plain("X", true) };
        let expected = "{\n  \"eventType\" : \"X\",\n  \"description\" : \"A \\\"b\\\"\",\n  \"eventTTL\" : 1,\n  \"signed\" : false,\n  \"tmp\" : true\n}";
        assert_eq!(descriptor.pretty(), expected);
    }

    #[test]
    fn the_description_does_not_matter_of_a_type_that_is_declared_and_not_stored() {
        let described =
            EventType { description: Some("Check-out".to_owned()), ..EventType::plain("X", false) };
        for (stored, other, is) in [
            (false, described.clone(), true),
            (true, described.clone(), false),
            (false, EventType { ttl: 2, ..described }, false),
            (true, EventType::plain("X", false), true),
        ] {
            let known = Known { descriptor: EventType::plain("X", false), stored };
            assert_eq!(known.is(&other), is, "{stored} {other:?}");
        }
    }
}
