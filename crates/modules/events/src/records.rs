//! Changes of records as events in FOLIO's shapes: mod-inventory-storage 27.1 and mod-circulation-storage 17.2 publish such messages to
//! Kafka. Database triggers write the events in the transaction of the change. The triggers exist only while a consumer wants changes of
//! records.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

/// The tables whose changes become events, each with the type of its events: FOLIO's topic without environment and tenant.
const EVENT_TYPES_BY_TABLE: [(&str, &str); 10] = [
    ("instance", "inventory.instance"),
    ("holdings_record", "inventory.holdings-record"),
    ("item", "inventory.item"),
    ("bound_with_part", "inventory.bound-with"),
    ("service_point", "inventory.service-point"),
    ("classification_type", "inventory.classification-type"),
    ("request", "circulation.request"),
    ("loan", "circulation.loan"),
    ("check_in", "circulation.check-in"),
    ("circulation_rules", "circulation.rules"),
];

/// Whether events of this type are changes of records.
pub(crate) fn is_record_change(kind: &str) -> bool {
    record_change_types().any(|known| known == kind)
}

/// Whether a consumer that asks for these types of events gets events of this type. A consumer without types gets all events except changes
/// of records.
pub(crate) fn wants_event_type(types: &[String], kind: &str, matches: impl Fn(&str) -> bool) -> bool {
    match types.is_empty() {
        true => !is_record_change(kind),
        false => types.iter().any(|wanted| matches(wanted)),
    }
}

/// The types of events that are changes of records.
pub(crate) fn record_change_types() -> impl Iterator<Item = &'static str> {
    EVENT_TYPES_BY_TABLE.iter().map(|(_, kind)| *kind)
}

/// The payload that the database trigger has written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    change: &'a str,
    id: Uuid,
    title_before: Option<Uuid>,
    title_after: Option<Uuid>,
    #[serde(borrow)]
    before: Option<&'a RawValue>,
    #[serde(borrow)]
    after: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct InventoryMessage<'a> {
    r#type: &'a str,
    tenant: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct CirculationMessage<'a> {
    id: Uuid,
    r#type: String,
    tenant: &'a str,
    timestamp: i64,
    data: OldAndNew<'a>,
}

#[derive(Serialize)]
struct OldAndNew<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'a RawValue>,
}

/// The key and the payload of a change, as FOLIO publishes them; `id` is the event's.
pub(crate) fn folio_key_and_payload(
    kind: &str,
    tenant: &str,
    id: Uuid,
    at: &str,
    written: &str,
) -> Outcome<(String, Box<RawValue>)> {
    let change: Change<'_> = serde_json::from_str(written).map_err(Fault::internal)?;
    // The trigger writes `INSERT`, `UPDATE` or `DELETE`; FOLIO writes `CREATE` for `INSERT`, and for circulation `CREATED`, `UPDATED`,
    // `DELETED`.
    let what = if change.change == "INSERT" { "CREATE" } else { change.change };
    let key = change.title_after.or(change.title_before).unwrap_or(change.id).to_string();
    let payload = if kind.starts_with("inventory.") {
        // A holdings record has the member `instanceId` in its own document.
        let named = matches!(kind, "inventory.item" | "inventory.bound-with");
        let of = |doc: Option<&RawValue>, title: Option<Uuid>| match doc {
            Some(doc) => with_instance_id(doc, title.filter(|_| named)).map(Some),
            None => Ok(None),
        };
        to_raw_value(&InventoryMessage {
            r#type: what,
            tenant,
            old: of(change.before, change.title_before)?,
            new: of(change.after, change.title_after)?,
        })
    } else {
        let timestamp = at.parse::<Timestamp>().map_err(Fault::internal)?.as_millisecond();
        let data = OldAndNew { old: change.before, new: change.after };
        to_raw_value(&CirculationMessage { id, r#type: format!("{what}D"), tenant, timestamp, data })
    };
    Ok((key, payload.map_err(Fault::internal)?))
}

/// The document with `instanceId` as its last field.
fn with_instance_id(doc: &RawValue, title: Option<Uuid>) -> Outcome<Box<RawValue>> {
    let text = doc.get().trim_end();
    let text = match (title, text.strip_suffix('}')) {
        (Some(title), Some(fields)) => format!("{fields},\"instanceId\":\"{title}\"}}"),
        _ => text.to_owned(),
    };
    RawValue::from_string(text).map_err(Fault::internal)
}

/// Makes the tenant's changes of records events from now on, and adds this consumer if it does not exist.
pub async fn follow_record_changes(platform: &Platform, tenant: &TenantId, consumer: &str) -> Outcome<()> {
    enable_change_events(platform, tenant).await?;
    session(&platform.database, tenant).await?.rows(Statement::new(FOLLOW).text(consumer)).await?;
    Ok(())
}

/// Follows the changes of records of the tenants that have no consumer with the name `without`; the empty name means all tenants. One whose
/// changes cannot be followed does not keep others waiting.
pub async fn follow_new_tenants(platform: &Platform, consumer: &str, without: &str) -> Outcome<()> {
    let mut session = platform.database.system_session(Arc::default()).await?;
    let tenants: Vec<String> = session.read(Statement::new(TENANTS).text(without)).await?;
    drop(session);
    let mut followed = Ok(());
    for tenant in tenants.iter().filter_map(|id| TenantId::parse(id).ok()) {
        followed = follow_record_changes(platform, &tenant, consumer).await.and(followed);
    }
    followed
}

/// Creates the triggers that write the tenant's changes of records as events.
pub(crate) async fn enable_change_events(platform: &Platform, tenant: &TenantId) -> Outcome<()> {
    let mut session = session(&platform.database, tenant).await?;
    let present: Vec<String> = session.read(Statement::new(PRESENT)).await?;
    for (table, kind) in
        EVENT_TYPES_BY_TABLE.iter().filter(|(table, _)| !present.iter().any(|known| known == table))
    {
        let create = format!(
            "{SET_LOCK_TIMEOUT}; create or replace trigger {TRIGGER_NAME} after insert or update or delete on {table}
            for each row execute function octavo.record_changed('{kind}')"
        );
        session.script(&create).await?;
    }
    Ok(())
}

/// Drops the triggers that write the tenant's changes of records as events.
pub(crate) async fn disable_change_events(session: &mut Session) -> Outcome<()> {
    let present: Vec<String> = session.read(Statement::new(PRESENT)).await?;
    for table in present {
        session
            .script(&format!("{SET_LOCK_TIMEOUT}; drop trigger if exists {TRIGGER_NAME} on {table:?}"))
            .await?;
    }
    Ok(())
}

async fn session(database: &Database, tenant: &TenantId) -> Outcome<Session> {
    Ok(database.session(tenant, Arc::new(Usage::for_work(Work::Maintenance))).await?)
}

const TRIGGER_NAME: &str = "record_changed";

/// Creating a trigger waits for the transactions that use the table, and later transactions wait behind it. So it gives up after two
/// seconds.
const SET_LOCK_TIMEOUT: &str = "set local lock_timeout = '2s'";

const PRESENT: &str = "\
select c.relname::text
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where t.tgname = 'record_changed' and c.relnamespace = to_regnamespace(quote_ident(current_schema()))";

const FOLLOW: &str = "select octavo.follow_events(current_schema()::text, $1)::text";

const TENANTS: &str = "\
select t.id
from octavo.tenants t
where
  to_regnamespace('tenant_' || t.id) is not null
  and not exists (select from octavo.event_consumers c where c.tenant = t.id and c.name = $1)
order by t.id";

octavo_pg::statements!(other = [PRESENT, FOLLOW, TENANTS]);

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn payload(kind: &str, written: &Value) -> (String, Value) {
        let id = Uuid::from_u128(7);
        let (key, payload) =
            folio_key_and_payload(kind, "diku", id, "1970-01-01T00:00:01.500Z", &written.to_string())
                .expect("a change");
        (key, serde_json::from_str(payload.get()).expect("JSON"))
    }

    #[test]
    fn changes_have_the_shapes_and_keys_of_folio() {
        let [record, first, second] = [1, 2, 3].map(|number| Uuid::from_u128(number).to_string());
        let event = Uuid::from_u128(7).to_string();
        let cases = [
            (
                "inventory.instance",
                json!({"change": "INSERT", "id": record, "after": {"title": "A"}}),
                &record,
                json!({"type": "CREATE", "tenant": "diku", "new": {"title": "A"}}),
            ),
            (
                "inventory.item",
                json!({"change": "UPDATE", "id": record, "titleBefore": first, "titleAfter": second, "before": {"a": 1}, "after": {"a": 2}}),
                &second,
                json!({"type": "UPDATE", "tenant": "diku", "old": {"a": 1, "instanceId": first}, "new": {"a": 2, "instanceId": second}}),
            ),
            (
                "inventory.holdings-record",
                json!({"change": "DELETE", "id": record, "titleBefore": first, "before": {"instanceId": first}}),
                &first,
                json!({"type": "DELETE", "tenant": "diku", "old": {"instanceId": first}}),
            ),
            (
                "circulation.loan",
                json!({"change": "UPDATE", "id": record, "before": {"a": 1}, "after": {"a": 2}}),
                &record,
                json!({"id": event, "type": "UPDATED", "tenant": "diku", "timestamp": 1500, "data": {"old": {"a": 1}, "new": {"a": 2}}}),
            ),
            (
                "circulation.request",
                json!({"change": "INSERT", "id": record, "after": {"a": 2}}),
                &record,
                json!({"id": event, "type": "CREATED", "tenant": "diku", "timestamp": 1500, "data": {"new": {"a": 2}}}),
            ),
        ];
        for (kind, written, key, told) in cases {
            assert_eq!(payload(kind, &written), (key.clone(), told), "{kind}");
        }
    }
}
