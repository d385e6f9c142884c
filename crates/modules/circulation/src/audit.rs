//! mod-audit 2.9.0: the circulation log, which decisions write (`octavo_circulation::log`), entries of other programs, and the history of
//! acquisitions, of which there is none. The log of security is Octavo's own.

mod acquisition;
mod logs;
mod query;
mod security;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Request, Response, calls};
use octavo_kernel::Outcome;
use octavo_modules_base::{circulation_log, security_events};
use octavo_record::{DisclosureRule, Field, Member, PersonalData, Persons, RecordType};

pub static MODULE: Module = Module {
    name: "mod-audit",
    records: &[&AUDIT, &security_events::SECURITY_EVENT],
    calls: CALLS,
    script: security_events::LOG_TABLES_SQL,
    migrations: &[
        Migration {
            number: 28,
            name: "circulation log",
            sql: include_str!("../../migrations/28_circulation_log.sql"),
        },
        Migration {
            number: 30,
            name: "log of security",
            sql: include_str!("../../migrations/30_log_of_security.sql"),
        },
    ],
    on_server_start: Some(|platform| Box::pin(security::run(platform))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/audit-data/circulation/logs" => logs::list, may_be_late;
    Get "/audit-data/acquisition/order/{id}" => |request| acquisition::empty_history(request, "orderAuditEvents");
    Get "/audit-data/acquisition/order-line/{id}" => |request| acquisition::empty_history(request, "orderLineAuditEvents");
    Get "/audit-data/acquisition/piece/{id}" => |request| acquisition::empty_history(request, "pieceAuditEvents");
    Get "/audit-data/acquisition/piece/{id}/status-change-history" => |request| acquisition::empty_history(request, "pieceAuditEvents");
    Post "/audit/handlers/log-record" => receive_log_event;
    Get "/octavo/security-events" => security::list, may_be_late;
};

/// What other programs note about requests that they saw. Octavo writes none.
pub static AUDIT: RecordType = RecordType {
    name: "audit record",
    table: "audit_data",
    path: "/audit-data",
    collection: "audit",
    schema: include_str!("../../folio/records/mod-audit/audit.tsv"),
    fields: &[Field::text("target_id")],
    persons: Some(&Persons {
        disclosure: DisclosureRule::Where("t.doc ->> 'user' = any($1::uuid[]::text[])"),
        ..Persons::naming_staff(&[
            Member::staff("user", PersonalData::Id),
            Member::staff("login", PersonalData::Name),
            Member::staff("ip", PersonalData::Address),
        ])
    }),
    ..RecordType::BASE
};

/// FOLIO answers 204 to any body.
async fn receive_log_event(request: Request) -> Outcome<Response> {
    let event = String::from_utf8_lossy(&request.body).into_owned();
    let mut session = request.context.session().await?;
    let statements = circulation_log::log_event_statements(&request.context, &mut session, &event).await?;
    session.transaction(statements).await?;
    Ok(Response::no_content())
}
