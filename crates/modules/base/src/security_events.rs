//! The log of security: its table, and how log-ins and refusals come into it. Changes of rights are written by triggers, in the transaction that
//! changes them.

use octavo_engine::{Context, Platform, SecurityEvent, statements};
use octavo_kernel::{Outcome, folio_time};
use octavo_record::{Field, Index, Member, Persons, RecordType, Told, What};
use serde_json::json;

pub static SECURITY_EVENT: RecordType = RecordType {
    name: "security event",
    table: "security_event",
    path: "/octavo/security-events",
    collection: "securityEvents",
    schema: include_str!("../../octavo/records/mod-audit/security-event.tsv"),
    newest_first: Some("date"),
    shown: Some(
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
        told: Told::Where("t.\"userId\" = any($1) or t.\"byUserId\" = any($1)"),
        ..Persons::of_staff(&[
            Member::staff("userId", What::Id),
            Member::staff("byUserId", What::Id),
            Member::staff("username", What::Name),
            Member::staff("byUsername", What::Name),
            Member::staff("address", What::Address),
        ])
    }),
    ..RecordType::BASE
};

/// What the logs of circulation and of security have beside the tables of records.
pub const OF_BOTH_LOGS: &str =
    concat!(include_str!("circulation_log/table.sql"), ";\n", include_str!("security_events/table.sql"));

/// Writes down what this process has noted since the last time, for each tenant at once.
pub async fn write_down(platform: &Platform) -> Outcome<()> {
    for (tenant, count) in platform.security.take_left_out() {
        tracing::warn!(%tenant, count, "events of security were left out in a minute: there were too many");
    }
    let mut noted = platform.security.take();
    noted.sort_by(|(one, _), (other, _)| one.cmp(other));
    for of_tenant in noted.chunk_by(|(one, _), (other, _)| one == other) {
        let (tenant, first) = &of_tenant[0];
        if let Err(fault) =
            of(platform, tenant.as_str(), first, of_tenant.iter().map(|(_, event)| event)).await
        {
            // Where the database is busy or away, the next turn tries again: rather an event is written twice than lost.
            if fault.status == 503 {
                platform.security.give_back(of_tenant.to_vec());
                tracing::debug!(%tenant, %fault, count = of_tenant.len(), "events of security wait");
                continue;
            }
            // A tenant may have been deleted meanwhile.
            tracing::warn!(%tenant, %fault, count = of_tenant.len(), "events of security were not written down");
        }
    }
    Ok(())
}

async fn of(
    platform: &Platform,
    tenant: &str,
    first: &SecurityEvent,
    events: impl Iterator<Item = &SecurityEvent>,
) -> Outcome<()> {
    let context = Context::of_the_server(platform, tenant, first.at).await?;
    let rows: Vec<_> = events
        .map(|event| {
            let id = context.fresh_id();
            let mut document = json!({
                "id": id,
                "date": folio_time(event.at),
                "event": event.event.name(),
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
