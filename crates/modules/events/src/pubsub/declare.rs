//! Modules say which events they publish and which they subscribe to. A module is the same in all its versions, which begin at the first
//! hyphen before a digit: what it declares takes the place of what another version has declared.
//!
//! A subscriber outside of Octavo is a consumer of events from its first declaration on. A new version continues at the position of the
//! former one.

use std::collections::BTreeMap;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::event_types::{self, EventType};
use super::role::Role;
use super::{built_in, commit_or_roll_back, lock_statement, refuse_long_texts};

/// The most declarations of all modules of a tenant together. A module makes one declaration for each event type.
const MAX_DECLARATIONS: i64 = 5_000;

const PUBLISHER: &str = include_str!("../../../folio/records/mod-pubsub/publisherDescriptor.tsv");
const SUBSCRIBER: &str = include_str!("../../../folio/records/mod-pubsub/subscriberDescriptor.tsv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PublisherDescriptor {
    module_id: String,
    event_descriptors: Vec<EventType>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SubscriberDescriptor {
    module_id: String,
    subscription_definitions: Vec<Subscription>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Subscription {
    event_type: String,
    callback_address: String,
}

/// Declares which events a module publishes. Their types have to exist with the same descriptors.
pub(super) async fn declare_publisher(request: Request) -> Outcome<Response> {
    let publisher: PublisherDescriptor = request.checked_body(PUBLISHER)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock_statement()]).await?;
    let types = event_types::load_all(&mut session, &request.context.tenant).await?;
    let errors: Vec<Value> = publisher
        .event_descriptors
        .iter()
        .filter_map(|described| match types.get(&described.event_type) {
            None => Some(format!("Event type '{}' does not exist", described.event_type)),
            Some(known) if known.matches_descriptor(described) => None,
            Some(known) => Some(format!(
                "Publisher descriptor does not match existing descriptor for event type '{}'. To declare a publisher one should use the following descriptor: {}",
                described.event_type,
                known.descriptor.to_pretty_json()
            )),
        })
        .map(|message| json!({"message": message, "parameters": []}))
        .collect();
    let wanted = publisher.event_descriptors.into_iter().map(|kind| (kind.event_type, String::new()));
    let wanted = wanted.collect();
    let decided = match errors.is_empty() {
        true => {
            declaration_statements(&request, &mut session, &publisher.module_id, Role::Publisher, wanted)
                .await
        }
        false => Err(Fault::json(400, json!({"errors": errors, "total_records": errors.len()}))),
    };
    commit_or_roll_back(&mut session, decided).await?;
    Ok(Response::text(201, ""))
}

/// Declares which events a module subscribes to, and at which paths. Event types that do not exist are created as temporary ones (`tmp`).
pub(super) async fn declare_subscriber(request: Request) -> Outcome<Response> {
    let subscriber: SubscriberDescriptor = request.checked_body(SUBSCRIBER)?;
    let mut session = request.context.session().await?;
    session.begin(vec![lock_statement()]).await?;
    let types = event_types::load_all(&mut session, &request.context.tenant).await?;
    let wanted = subscriber.subscription_definitions.into_iter();
    let wanted: BTreeMap<String, String> = wanted.map(|one| (one.event_type, one.callback_address)).collect();
    let missing: Vec<EventType> = wanted
        .keys()
        .filter(|name| !types.contains_key(*name))
        .map(|name| EventType::from_name(name, true))
        .collect();
    let declared =
        declaration_statements(&request, &mut session, &subscriber.module_id, Role::Subscriber, wanted).await;
    let decided = event_types::store_statement(&types, &missing)
        .and_then(|store| Ok([vec![store], declared?].concat()));
    commit_or_roll_back(&mut session, decided).await?;
    Ok(Response::text(201, ""))
}

/// The statements that write a declaration. `wanted` has each event type with the path at which a subscriber receives it. A module that
/// sends no event types keeps its former declaration.
async fn declaration_statements(
    request: &Request,
    session: &mut Session,
    module: &str,
    role: Role,
    wanted: BTreeMap<String, String>,
) -> Outcome<Vec<Statement>> {
    let context = &request.context;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    refuse_long_texts(wanted.iter().flat_map(|(kind, callback)| [kind.as_str(), callback]).chain([module]))?;
    let others: Option<i64> = session.read(Statement::new(COUNT).text(module).text(role.as_str())).await?;
    if others.unwrap_or(0) + wanted.len() as i64 > MAX_DECLARATIONS {
        return Err(Fault::bad_request(format!(
            "Modules declare {MAX_DECLARATIONS} event types at most, in all"
        )));
    }
    let ids: Vec<Uuid> = wanted.iter().map(|_| context.fresh_id()).collect();
    let (types, callbacks) = wanted.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
    let of_module = |sql: &'static str| Statement::new(sql).text(module).text(role.as_str());
    let mut statements = vec![
        of_module(MERGE),
        of_module(TAKE_OVER),
        of_module(KEEP_ONLY).texts(types.clone()),
        of_module(DECLARE).uuids(ids).texts(types).texts(callbacks),
    ];
    if role == Role::Subscriber {
        let of_consumers =
            |sql: &'static str| Statement::new(sql).text(module).text(context.tenant.id.as_str());
        statements.push(of_consumers(MERGE_CONSUMERS));
        statements.push(of_consumers(RENAME));
        statements.push(Statement::new(RENAME_REFUSED).text(module));
    }
    if role == Role::Subscriber && !context.tenant.has_module(built_in::product_name(module)) {
        statements.push(Statement::new(FOLLOW).text(module));
    }
    Ok(statements)
}

/// Ends the declaration of one type.
pub(super) async fn delete(request: Request, role: Role) -> Outcome<Response> {
    let module = request.query("moduleId").filter(|module| !module.is_empty());
    let module = module.ok_or_else(|| Fault::bad_request("ModuleId is a required query parameter"))?;
    delete_declarations(&request, module, role, Some(request.path_parameter(0))).await
}

/// Ends all declarations of a module in one role.
pub(super) async fn delete_all(request: Request) -> Outcome<Response> {
    let (module, role) = (request.query("moduleId"), request.query("moduleRole"));
    let (Some(module), Some(role)) = (module, role) else {
        return Err(Fault::bad_request("ModuleId and moduleRole are required query parameters"));
    };
    let invalid = || {
        Fault::bad_request(format!(
            "Invalid moduleRole was specified: {role}. Acceptable moduleRole values are: PUBLISHER, SUBSCRIBER."
        ))
    };
    delete_declarations(&request, module, Role::read(role).ok_or_else(invalid)?, None).await
}

async fn delete_declarations(
    request: &Request,
    module: &str,
    role: Role,
    event_type: Option<&str>,
) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let remove = Statement::new(REMOVE).text(module).text(role.as_str()).maybe_text(event_type);
    let forget = Statement::new(FORGET).text(request.context.tenant.id.as_str());
    session.transaction(vec![lock_statement(), remove, forget]).await?;
    Ok(Response::no_content())
}

/// SQL for the name that a module has in all its versions. `$module` is SQL for the module with its version.
macro_rules! product {
    ($module:literal) => {
        concat!("regexp_replace(", $module, ", '-[0-9].*', '')")
    };
}

/// SQL for whether two modules differ in their versions at most.
macro_rules! is_same_product {
    ($one:literal, $other:literal) => {
        concat!(product!($one), " = ", product!($other))
    };
}

const COUNT: &str = concat!(
    "\
select count(*)
from pubsub_module
where not (role = $2 and ",
    is_same_product!("module", "$1"),
    ")"
);

/// Merges declarations that earlier releases stored apart: they treated versions of different forms, such as a snapshot and a release, as
/// different modules.
const MERGE: &str = concat!(
    "\
delete from pubsub_module m
using pubsub_module o
where
  m.role = $2
  and o.role = m.role
  and o.event_type = m.event_type
  and ",
    is_same_product!("m.module", "$1"),
    "
  and ",
    is_same_product!("o.module", "$1"),
    "
  and (o.since, o.module) < (m.since, m.module)"
);

const TAKE_OVER: &str = concat!(
    "\
update pubsub_module
set module = $1
where
  role = $2
  and module <> $1
  and ",
    is_same_product!("module", "$1")
);

const KEEP_ONLY: &str = "\
delete from pubsub_module
where module = $1 and role = $2 and event_type <> all ($3::text[])";

const DECLARE: &str = "\
insert into pubsub_module (id, event_type, module, role, callback, since)
select n.id, n.event_type, $1, $2, n.callback, case when s.is_called then s.last_value else 0 end
from unnest($3::uuid[], $4::text[], $5::text[]) n (id, event_type, callback), event_position_seq s
on conflict (module, role, event_type) do update
set callback = excluded.callback";

/// Deletes all consumers of the same module but the one with the lowest position, so that no event is missed.
const MERGE_CONSUMERS: &str = concat!(
    "\
delete from octavo.event_consumers c
using octavo.event_consumers o
where
  c.tenant = $2
  and o.tenant = c.tenant
  and ",
    is_same_product!("c.name", "'module:' || $1"),
    "
  and ",
    is_same_product!("o.name", "'module:' || $1"),
    "
  and (o.position, o.name) < (c.position, c.name)"
);

const RENAME: &str = concat!(
    "\
update octavo.event_consumers
set name = 'module:' || $1
where
  tenant = $2
  and name <> 'module:' || $1
  and ",
    is_same_product!("name", "'module:' || $1")
);

const RENAME_REFUSED: &str = concat!(
    "\
update refused_event
set doc = jsonb_set(doc::jsonb, '{consumer}', to_jsonb('module:' || $1))::json
where
  consumer <> 'module:' || $1
  and ",
    is_same_product!("consumer", "'module:' || $1")
);

const FOLLOW: &str = "select octavo.follow_events(current_schema()::text, 'module:' || $1)::text";

const REMOVE: &str = concat!(
    "\
delete from pubsub_module
where
  ",
    is_same_product!("module", "$1"),
    "
  and role = $2
  and ($3::text is null or event_type = $3)"
);

const FORGET: &str = "\
delete from octavo.event_consumers c
where
  c.tenant = $1
  and c.name like 'module:%'
  and not exists (select from pubsub_module m where m.role = 'SUBSCRIBER' and 'module:' || m.module = c.name)";

octavo_pg::statements!(
    other = [
        COUNT,
        MERGE,
        TAKE_OVER,
        KEEP_ONLY,
        DECLARE,
        MERGE_CONSUMERS,
        RENAME,
        RENAME_REFUSED,
        FOLLOW,
        REMOVE,
        FORGET
    ]
);
