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
use octavo_record::{Field, Member, Persons, RecordType, Told, What};

pub static MODULE: Module = Module {
    name: "mod-audit",
    records: &[&AUDIT, &security_events::SECURITY_EVENT],
    calls: CALLS,
    script: security_events::OF_BOTH_LOGS,
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
    started: Some(|platform| Box::pin(security::run(platform))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/audit-data/circulation/logs" => logs::list, late;
    Get "/audit-data/acquisition/order/{id}" => |request| acquisition::none(request, "orderAuditEvents");
    Get "/audit-data/acquisition/order-line/{id}" => |request| acquisition::none(request, "orderLineAuditEvents");
    Get "/audit-data/acquisition/piece/{id}" => |request| acquisition::none(request, "pieceAuditEvents");
    Get "/audit-data/acquisition/piece/{id}/status-change-history" => |request| acquisition::none(request, "pieceAuditEvents");
    Post "/audit/handlers/log-record" => heard;
    Get "/octavo/security-events" => security::list, late;
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
        told: Told::Where("t.doc ->> 'user' = any($1::uuid[]::text[])"),
        ..Persons::of_staff(&[
            Member::staff("user", What::Id),
            Member::staff("login", What::Name),
            Member::staff("ip", What::Address),
        ])
    }),
    ..RecordType::BASE
};

/// FOLIO answers 204 to any body.
async fn heard(request: Request) -> Outcome<Response> {
    let event = String::from_utf8_lossy(&request.body).into_owned();
    let mut session = request.context.session().await?;
    let statements = circulation_log::heard(&request.context, &mut session, &event).await?;
    session.transaction(statements).await?;
    Ok(Response::no_content())
}
