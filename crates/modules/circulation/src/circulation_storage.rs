//! mod-circulation-storage 17.2.1: loans, policies, rules, requests and check-ins as records. What happens to them is decided
//! in `circulation`.

mod anonymize;
mod batch;
mod locks;
mod notice_policies;
mod rules;
mod sessions;

use octavo_engine::{Call, Method, Module, answering};

use crate::circulation::jobs;
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
    hidden: &[&CIRCULATION_RULES, &locks::LOCK],
    calls: &[
        Call::new(Method::Get, "/circulation-rules-storage", |request| answering(rules::get(request))),
        Call::new(Method::Put, "/circulation-rules-storage", |request| answering(rules::replace(request))),
        Call::new(Method::Post, "/check-out-lock-storage", |request| answering(locks::take(request))),
        Call::new(Method::Get, "/check-out-lock-storage", |request| answering(locks::list(request))),
        Call::new(Method::Get, "/check-out-lock-storage/{lockId}", |request| answering(locks::get(request))),
        Call::new(Method::Delete, "/check-out-lock-storage/{lockId}", |request| {
            answering(locks::give_back(request))
        }),
        Call::new(Method::Delete, "/patron-notice-policy-storage/patron-notice-policies/{id}", |request| {
            answering(notice_policies::remove(request))
        }),
        Call::new(Method::Get, "/patron-action-session-storage/expired-session-patron-ids", |request| {
            answering(sessions::expired(request))
        }),
        Call::new(Method::Post, "/anonymize-storage-loans", |request| answering(anonymize::by_ids(request)))
            .many(),
        Call::new(Method::Post, "/loan-storage/loans/anonymize/{userId}", |request| {
            answering(anonymize::by_user(request))
        })
        .many(),
        Call::new(Method::Post, "/request-storage-batch/requests", |request| {
            answering(batch::replace_all(request))
        })
        .many(),
        Call::new(Method::Post, "/scheduled-request-expiration", |request| {
            answering(jobs::expire_requests::expire(request))
        }),
        Call::new(Method::Post, "/tlr-feature-toggle-job/start", |request| {
            answering(jobs::renumber_queues::start(request))
        }),
    ],
    script: include_str!("circulation_storage/tenant.sql"),
    ..Module::BASE
};

octavo_pg::statements!(within = [anonymize, locks, sessions]);
