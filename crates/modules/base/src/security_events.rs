//! The log of security: its table, and how log-ins and refusals come into it. Changes of rights are written by triggers, in the transaction that
//! changes them.

use octavo_engine::{Context, Platform, SecurityEvent, statements};
use octavo_kernel::{Outcome, folio_time};
use octavo_record::{DisclosureRule, Field, Index, Member, PersonalData, Persons, RecordType};
use serde_json::json;

pub static SECURITY_EVENT: RecordType = RecordType {
    name: "security event",
    table: "security_event",
    path: "/octavo/security-events",
    collection: "securityEvents",
    schema: include_str!("../../octavo/records/mod-audit/security-event.tsv"),
    newest_first: Some("date"),
    response_expression: Some(
        "jsonb_strip_nulls({t}.doc::jsonb || jsonb_build_object(\
           'username', (select u.doc ->> 'username' from users u where u.id = {t}.\"userId\"), \
           'byUsername', (select u.doc ->> 'username' from users u where u.id = {t}.\"byUserId\")))",
    ),
    fields: &[
        Field::time("date").indexed(&[Index::Order]),
        Field::uuid("userId").indexed(&[Index::Order]),
        Field::uuid("byUserId").indexed(&[Index::Order]),
        Field::exact("event"),
        Field::exact("address"),
        Field::text("description"),
        Field::exact("username").looked_up("(select u.username from users u where u.id = {t}.\"userId\")"),
    ],
    persons: Some(&Persons {
        disclosure: DisclosureRule::Where("t.\"userId\" = any($1) or t.\"byUserId\" = any($1)"),
        ..Persons::naming_staff(&[
            Member::staff("userId", PersonalData::Id),
            Member::staff("byUserId", PersonalData::Id),
            Member::staff("username", PersonalData::Name),
            Member::staff("byUsername", PersonalData::Name),
            Member::staff("address", PersonalData::Address),
        ])
    }),
    ..RecordType::BASE
};

/// The SQL script that creates what the circulation log and the security log need beside the tables of record types.
pub const LOG_TABLES_SQL: &str =
    concat!(include_str!("circulation_log/table.sql"), ";\n", include_str!("security_events/table.sql"));

/// Stores the security events that this process has noted since the last call, with one statement for each tenant.
pub async fn store_noted_events(platform: &Platform) -> Outcome<()> {
    for (tenant, count) in platform.security_events.take_left_out() {
        tracing::warn!(%tenant, count, "events of security were left out in a minute: there were too many");
    }
    let mut noted = platform.security_events.take();
    noted.sort_by(|(one, _), (other, _)| one.cmp(other));
    for of_tenant in noted.chunk_by(|(one, _), (other, _)| one == other) {
        let (tenant, first) = &of_tenant[0];
        if let Err(fault) =
            insert_events(platform, tenant.as_str(), first, of_tenant.iter().map(|(_, event)| event)).await
        {
            // Where the database is busy or away, the next turn tries again: rather an event is written twice than lost.
            if fault.status == 503 {
                platform.security_events.give_back(of_tenant.to_vec());
                tracing::debug!(%tenant, %fault, count = of_tenant.len(), "events of security wait");
                continue;
            }
            // A tenant may have been deleted meanwhile.
            tracing::warn!(%tenant, %fault, count = of_tenant.len(), "events of security were not written down");
        }
    }
    Ok(())
}

async fn insert_events(
    platform: &Platform,
    tenant: &str,
    first: &SecurityEvent,
    events: impl Iterator<Item = &SecurityEvent>,
) -> Outcome<()> {
    let context = Context::for_server_task(platform, tenant, first.at).await?;
    let rows: Vec<_> = events
        .map(|event| {
            let id = context.fresh_id();
            let mut document = json!({
                "id": id,
                "date": folio_time(event.at),
                "event": event.kind.name(),
                "address": event.address,
                "description": event.description,
            });
            if let Some(user) = event.user {
                document["userId"] = json!(user);
            }
            if let Some(request) = &event.request_id {
                document["requestId"] = json!(request);
            }
            if event.is_last_of_minute {
                document["furtherOmitted"] = json!(true);
            }
            (id, document)
        })
        .collect();
    context.session().await?.rows(statements::insert_all(&SECURITY_EVENT, &rows)).await?;
    Ok(())
}

/// Deletes events from before a time, a thousand at once.
pub(crate) const OLD: &str = "\
delete from security_event e
using (select o.id from security_event o where o.date < $1 order by o.date limit 1000) o
where e.id = o.id
returning 1";

octavo_pg::statements!(other = [OLD]);
