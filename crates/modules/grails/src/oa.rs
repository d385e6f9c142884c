//! mod-oa 2.0.0: open access publications: publication requests, their charges and correspondence, parties, works and titles.

mod citation;
mod kinds;
mod price;
mod reports;
mod requests;
mod tables;

use octavo_engine::migrations::Migration;
use octavo_engine::{Context, Module, Notation, Request, Response, calls};
use octavo_kernel::Outcome;
use serde_json::json;

use crate::refusal::not_found;
use crate::vocabularies::Vocabularies;
use crate::{records, settings, vocabularies};
use kinds::{CHARGES, CHECKLIST, CORRESPONDENCE, PARTIES, REQUESTS, SETTINGS, TITLES, WORKS};

pub static MODULE: Module = Module {
    name: "mod-oa",
    notation: Notation::COMPACT,
    hidden_records: tables::ALL,
    calls: calls! {
        Get "/oa/settings*" => |request| settings::get(request, &SETTINGS);
        Post "/oa/settings*" => |request| settings::create(request, &SETTINGS);
        Put "/oa/settings*" => |request| settings::replace(request, &SETTINGS);
        Delete "/oa/settings*" => |request| settings::delete(request, &SETTINGS);
        Get "/oa/refdata" => |request| vocabularies::get(request, &VOCABULARIES);
        Get "/oa/refdata/{domain}/{property}" => |request| vocabularies::get(request, &VOCABULARIES);
        Get "/oa/refdata/{id}" => |request| vocabularies::get(request, &VOCABULARIES);
        Post "/oa/refdata" => |request| vocabularies::create(request, &VOCABULARIES);
        Put "/oa/refdata/{id}" => |request| vocabularies::replace(request, &VOCABULARIES);
        Delete "/oa/refdata/{id}" => |request| vocabularies::delete(request, &VOCABULARIES);
        Get "/oa/scholarlyWork" => always_not_found;
        Post "/oa/scholarlyWork" => always_not_found;
        Get "/oa/scholarlyWork/{id}" => always_not_found;
        Put "/oa/scholarlyWork/{id}" => always_not_found;
        Delete "/oa/scholarlyWork/{id}" => always_not_found;
        Get "/oa/publicationRequest" => |request| records::list(request, &REQUESTS), may_be_late;
        Post "/oa/publicationRequest" => requests::create;
        Get "/oa/publicationRequest/{id}" => requests::get;
        Put "/oa/publicationRequest/{id}" => requests::replace;
        Delete "/oa/publicationRequest/{id}" => requests::delete;
        Get "/oa/titleInstances" => |request| records::list(request, &TITLES), may_be_late;
        Get "/oa/titleInstances/{id}" => |request| records::get(request, &TITLES);
        Get "/oa/works" => |request| records::list(request, &WORKS), may_be_late;
        Get "/oa/works/{id}" => |request| records::get(request, &WORKS);
        Put "/oa/works/{id}" => |request| records::replace(request, &WORKS);
        Post "/oa/works/citation" => citation::create;
        Get "/oa/party" => |request| records::list(request, &PARTIES), may_be_late;
        Post "/oa/party" => |request| records::create(request, &PARTIES);
        Get "/oa/party/{id}" => |request| records::get(request, &PARTIES);
        Put "/oa/party/{id}" => |request| records::replace(request, &PARTIES);
        Delete "/oa/party/{id}" => |request| records::delete(request, &PARTIES);
        Get "/oa/correspondence" => |request| records::list(request, &CORRESPONDENCE), may_be_late;
        Post "/oa/correspondence" => |request| records::create(request, &CORRESPONDENCE);
        Get "/oa/correspondence/{id}" => |request| records::get(request, &CORRESPONDENCE);
        Put "/oa/correspondence/{id}" => |request| records::replace(request, &CORRESPONDENCE);
        Delete "/oa/correspondence/{id}" => |request| records::delete(request, &CORRESPONDENCE);
        Get "/oa/charges" => |request| records::list(request, &CHARGES), may_be_late;
        Post "/oa/charges" => |request| records::create(request, &CHARGES);
        Get "/oa/charges/{id}" => |request| records::get(request, &CHARGES);
        Put "/oa/charges/{id}" => |request| records::replace(request, &CHARGES);
        Delete "/oa/charges/{id}" => |request| records::delete(request, &CHARGES);
        Get "/oa/checklistItems" => |request| records::list(request, &CHECKLIST);
        Post "/oa/checklistItems" => |request| records::create(request, &CHECKLIST);
        Get "/oa/checklistItems/{id}" => |request| records::get(request, &CHECKLIST);
        Put "/oa/checklistItems/{id}" => |request| records::replace(request, &CHECKLIST);
        Delete "/oa/checklistItems/{id}" => |request| records::delete(request, &CHECKLIST);
        Get "/oa/externalApi/*" => switchboard;
        Post "/oa/externalApi/*" => switchboard;
        Put "/oa/externalApi/*" => switchboard;
        Delete "/oa/externalApi/*" => switchboard;
        Get "/oa/reports/{reportname}" => reports::report, may_be_late;
    },
    script: "create sequence oa_request_number",
    migrations: &[Migration {
        number: 21,
        name: "open access",
        sql: concat!(include_str!("../../migrations/21_open_access.sql"), include_str!("oa/defaults.sql")),
    }],
    on_enable: Some(|context| Box::pin(install_defaults(context))),
    ..Module::BASE
};

static VOCABULARIES: Vocabularies = Vocabularies {
    categories: &kinds::CATEGORIES,
    values: &kinds::VALUES,
    kinds: kinds::KINDS_WITH_VALUES,
    keeps_internal: true,
};

/// Inserts those of FOLIO's vocabularies and settings that the tenant does not have.
async fn install_defaults(context: Context) -> Outcome<()> {
    Ok(context.session().await?.script(DEFAULTS).await?)
}

const DEFAULTS: &str = include_str!("oa/defaults.sql");

/// FOLIO's module descriptor has paths for scholarly works, but FOLIO answers 404 there.
async fn always_not_found(_: Request) -> Outcome<Response> {
    Err(not_found())
}

/// FOLIO's placeholder for the OA Switchboard: it answers that it exists, and does nothing.
async fn switchboard(request: Request) -> Outcome<Response> {
    match request.path.trim_end_matches('/') {
        "/oa/externalApi/oaSwitchboard" => Ok(Response::json(200, &json!({"status": "ok"}))),
        _ => Err(not_found()),
    }
}

octavo_pg::statements!(within = [citation, reports, requests]);
