//! mod-circulation-storage 17.2.1: loans, policies, rules, requests and check-ins as records. The decisions about them are in
//! `circulation`.

mod anonymize;
mod batch;
mod locks;
mod notice_policies;
mod rules;
mod sessions;

use octavo_engine::migrations::Migration;
use octavo_engine::{Module, calls};

use crate::circulation::jobs;
use crate::rests;
pub use octavo_modules_base::circulation_records::*;

pub static MODULE: Module = Module {
    name: "mod-circulation-storage",
    records: &[
        &FIXED_DUE_DATE_SCHEDULE,
        &LOAN_POLICY,
        &REQUEST_POLICY,
        &PATRON_NOTICE_POLICY,
        &STAFF_SLIP,
        &CANCELLATION_REASON,
        &LOAN,
        &LOAN_HISTORY,
        &REQUEST,
        &REQUEST_PREFERENCE,
        &CHECK_IN,
        &PATRON_ACTION_SESSION,
        &TLR_FEATURE_TOGGLE_JOB,
        &ACTUAL_COST_RECORD,
        &SCHEDULED_NOTICE,
    ],
    hidden_records: &[&CIRCULATION_RULES, &locks::LOCK],
    calls: calls! {
        Get "/circulation-rules-storage" => rules::get;
        Put "/circulation-rules-storage" => rules::replace;
        Post "/check-out-lock-storage" => locks::take;
        Get "/check-out-lock-storage" => locks::list;
        Get "/check-out-lock-storage/{lockId}" => locks::get;
        Delete "/check-out-lock-storage/{lockId}" => locks::give_back;
        Delete "/patron-notice-policy-storage/patron-notice-policies/{id}" => notice_policies::remove;
        Get "/patron-action-session-storage/expired-session-patron-ids" => sessions::expired;
        Post "/anonymize-storage-loans" => anonymize::by_ids, for_many_records;
        Post "/loan-storage/loans/anonymize/{userId}" => anonymize::by_user, for_many_records;
        Post "/request-storage-batch/requests" => batch::replace_all, for_many_records;
        Post "/scheduled-request-expiration" => jobs::expire_requests::expire, with_rest_rule(&rests::REQUESTS);
        Post "/tlr-feature-toggle-job/start" => jobs::renumber_queues::start, with_rest_rule(&rests::QUEUES);
    },
    script: include_str!("circulation_storage/tenant.sql"),
    migrations: &[Migration {
        number: 44,
        name: "call numbers of requests, and deleted loans",
        sql: include_str!("../../migrations/44_requests_and_deleted_loans.sql"),
    }],
    ..Module::BASE
};

octavo_pg::statements!(within = [anonymize, locks, sessions]);
