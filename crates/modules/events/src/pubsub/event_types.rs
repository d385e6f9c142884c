//! The event types, each with its descriptor. Types of built-in modules exist without being stored; staff can change them.

use std::collections::BTreeMap;

use octavo_engine::{Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_pg::{Json, Session, Statement};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{built_in, commit_or_roll_back, lock_statement, refuse_long_texts, registered};

const EVENT_TYPE: &str = include_str!("../../../folio/records/mod-pubsub/eventDescriptor.tsv");

/// The most types that are stored for a tenant.
const MAX_EVENT_TYPES: usize = 1_000;

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
    /// A subscriber has named the type, and no publisher has described it yet.
    #[serde(default)]
    pub(super) tmp: bool,
}

/// An event type of a tenant.
#[derive(Debug)]
pub(super) struct TenantEventType {
    pub(super) descriptor: EventType,
    /// The type is stored. A type that only built-in modules declare has no description to compare.
    is_stored: bool,
}

impl EventType {
    pub(super) fn from_name(name: &str, tmp: bool) -> EventType {
        EventType { event_type: name.to_owned(), description: None, ttl: 1, signed: false, tmp }
    }

    /// The descriptor as JSON, laid out as Java's Jackson library prints an object for people.
    pub(super) fn to_pretty_json(&self) -> String {
        let members = serde_json::to_value(self).unwrap_or_default();
        let members = ["eventType", "description", "eventTTL", "signed", "tmp"]
            .into_iter()
            .filter_map(|name| Some(format!("  \"{name}\" : {}", members.get(name)?)));
        format!("{{\n{}\n}}", members.collect::<Vec<String>>().join(",\n"))
    }
}

impl TenantEventType {
    pub(super) fn matches_descriptor(&self, other: &EventType) -> bool {
        match self.is_stored {
            true => self.descriptor == *other,
            false => self.descriptor == EventType { description: None, ..other.clone() },
        }
    }
}

/// All event types of a tenant by name.
pub(super) async fn load_all(
    session: &mut Session,
    tenant: &Tenant,
) -> Outcome<BTreeMap<String, TenantEventType>> {
    let stored: Vec<Json<EventType>> = session.read(Statement::new(ALL)).await?;
    let mut types: BTreeMap<String, TenantEventType> = built_in::declarations_of_tenant(tenant)
        .map(|declared| {
            let descriptor = EventType::from_name(declared.event_type, false);
            (declared.event_type.to_owned(), TenantEventType { descriptor, is_stored: false })
        })
        .collect();
    for Json(descriptor) in stored {
        types.insert(descriptor.event_type.clone(), TenantEventType { descriptor, is_stored: true });
    }
    Ok(types)
}

/// Stores types, in place of those of the same names.
pub(super) fn store_statement(
    types: &BTreeMap<String, TenantEventType>,
    new: &[EventType],
) -> Outcome<Statement> {
    let stored = types.values().filter(|known| known.is_stored).count();
    if stored + new.len() > MAX_EVENT_TYPES && new.iter().any(|one| !types.contains_key(&one.event_type)) {
        return Err(Fault::bad_request(format!("There are {MAX_EVENT_TYPES} event types at most")));
    }
    for one in new {
        refuse_long_texts([one.event_type.as_str(), one.description.as_deref().unwrap_or_default()])?;
    }
    let (names, descriptors) = new
        .iter()
        .map(|one| (one.event_type.clone(), json_text(&json!(one))))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    Ok(Statement::new(STORE).texts(names).texts(descriptors))
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let types = load_all(&mut session, &request.context.tenant).await?;
    let types: Vec<&EventType> = types.values().map(|known| &known.descriptor).collect();
    Ok(Response::json(200, &json!({"eventDescriptors": types, "totalRecords": types.len()})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    let mut session = request.context.session().await?;
    let types = load_all(&mut session, &request.context.tenant).await?;
    let missing =
        || Fault::not_found_with(format!("Event Descriptor with event type '{name}' was not found"));
    Ok(Response::json(200, &descriptor_to_json(&types.get(name).ok_or_else(missing)?.descriptor)))
}

fn descriptor_to_json(descriptor: &EventType) -> Value {
    json!(descriptor)
}

/// Creates an event type, or gives a descriptor to one that a subscriber has named before. Sending the same descriptor again changes
/// nothing.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let new: EventType = request.checked_body(EVENT_TYPE)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock_statement()]).await?;
    let types = load_all(&mut session, &request.context.tenant).await?;
    let decided = match types.get(&new.event_type) {
        Some(known) if !known.descriptor.tmp && !known.matches_descriptor(&new) => {
            Err(Fault::bad_request(format!(
                "Event descriptor for event type '{}' already exists, but the content is different. Existing event descriptor: {}",
                new.event_type,
                known.descriptor.to_pretty_json()
            )))
        }
        _ => store_statement(&types, std::slice::from_ref(&new)).map(|store| vec![store]),
    };
    commit_or_roll_back(&mut session, decided).await?;
    Ok(Response::json(201, &descriptor_to_json(&new)))
}

/// Changes the type that the body names. As in FOLIO, the name in the path is ignored.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let new: EventType = request.checked_body(EVENT_TYPE)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock_statement()]).await?;
    let types = load_all(&mut session, &request.context.tenant).await?;
    let decided = match types.contains_key(&new.event_type) {
        true => store_statement(&types, std::slice::from_ref(&new)).map(|store| vec![store]),
        false => {
            let message = format!("EventDescriptor with event type '{}' was not updated", new.event_type);
            Err(Fault::not_found_with(message))
        }
    };
    commit_or_roll_back(&mut session, decided).await?;
    Ok(Response::json(200, &descriptor_to_json(&new)))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let name = request.path_parameter(0);
    let tenant = &request.context.tenant;
    let mut session = request.context.session().await?;
    session.begin(vec![lock_statement()]).await?;
    let is_known = load_all(&mut session, tenant).await?.contains_key(name);
    let registered = registered::modules_of_type(&mut session, tenant, name, None).await?;
    let decided = match (is_known, registered.is_empty()) {
        (false, _) => {
            let message = format!("EventDescriptor with event type name '{name}' was not found");
            Err(Fault::not_found_with(message))
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
    commit_or_roll_back(&mut session, decided).await?;
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
        let descriptor =
            EventType { description: Some("A \"b\"".to_owned()), ..EventType::from_name("X", true) };
        let expected = "{\n  \"eventType\" : \"X\",\n  \"description\" : \"A \\\"b\\\"\",\n  \"eventTTL\" : 1,\n  \"signed\" : false,\n  \"tmp\" : true\n}";
        assert_eq!(descriptor.to_pretty_json(), expected);
    }

    #[test]
    fn the_description_does_not_matter_of_a_type_that_is_declared_and_not_stored() {
        let described =
            EventType { description: Some("Check-out".to_owned()), ..EventType::from_name("X", false) };
        for (stored, other, is) in [
            (false, described.clone(), true),
            (true, described.clone(), false),
            (false, EventType { ttl: 2, ..described }, false),
            (true, EventType::from_name("X", false), true),
        ] {
            let known = TenantEventType { descriptor: EventType::from_name("X", false), is_stored: stored };
            assert_eq!(known.matches_descriptor(&other), is, "{stored} {other:?}");
        }
    }
}
