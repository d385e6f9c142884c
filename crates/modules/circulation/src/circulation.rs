//! mod-circulation 24.2.5: check-out, check-in, renewal, loans and rules. What is allowed and what follows is decided in
//! `octavo-circulation`; here the facts are gathered and the plan is committed, two round trips in all.

mod commit;
mod decisions;
mod desk;
mod gather;
pub(crate) mod jobs;
mod loans;
mod locks;
pub mod notices;
mod offline;
mod ops;
mod places;
mod requests;
mod rules;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Dialect, Method, Module, Notation, answering};

use notices::Job;

pub use desk::{Desk, ItemLimits};
pub(crate) use gather::{EACH_BY_ID, StandingRow, gather_loans};
pub use octavo_circulation::command::CheckOut;
pub(crate) use ops::actual_cost;
pub use ops::check_out::check_out;
pub(crate) use ops::close_paid::lock_lost_loans;
pub use ops::mark_item::mark_item;
pub(crate) use places::FREE_PLACES;

pub static MODULE: Module = Module {
    name: "mod-circulation",
    dialect: Dialect::Circulation,
    notation: Notation::VERTX,
    hidden: &[&decisions::DECISION],
    calls: CALLS,
    script: AGE_OF_DECISIONS,
    migrations: &[Migration { number: 6, name: "age of decisions", sql: AGE_OF_DECISIONS }],
    ..Module::BASE
};

const AGE_OF_DECISIONS: &str = include_str!("../../migrations/6_age_of_decisions.sql");

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/circulation/check-out-by-barcode", |request| {
        answering(ops::check_out::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/check-in-by-barcode", |request| {
        answering(ops::check_in::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/renew-by-barcode", |request| {
        answering(ops::renew::by_barcode(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/renew-by-id", |request| answering(ops::renew::by_id(request)))
        .tried(),
    Call::new(Method::Post, "/circulation/loans/{id}/change-due-date", |request| {
        answering(ops::change_due_date::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/loans/{id}/declare-item-lost", |request| {
        answering(ops::declare_lost::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/loans/{id}/claim-item-returned", |request| {
        answering(ops::claim_returned::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/loans/{id}/declare-claimed-returned-item-as-missing", |request| {
        answering(ops::mark_missing::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/loans/{id}/add-info", |request| {
        answering(ops::add_info::answer(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/handlers/loan-related-fee-fine-closed", |request| {
        answering(ops::close_paid::answer(request))
    }),
    Call::new(Method::Post, "/circulation/handlers/fee-fine-balance-changed", |request| {
        answering(ops::actual_cost::heard(request))
    }),
    Call::new(Method::Post, "/circulation/end-patron-action-session", |request| {
        answering(ops::end_session::answer(request))
    }),
    Call::new(Method::Post, "/circulation/loans", |request| answering(ops::loan_record::create(request)))
        .tried(),
    Call::new(Method::Put, "/circulation/loans/{id}", |request| {
        answering(ops::loan_record::replace(request))
    })
    .tried(),
    Call::new(Method::Delete, "/circulation/loans", |request| {
        answering(ops::loan_record::delete_all(request))
    }),
    Call::new(Method::Delete, "/circulation/loans/{id}", |request| {
        answering(ops::loan_record::delete(request))
    }),
    Call::new(Method::Post, "/circulation/notice-session-expiration-by-timeout", |request| {
        answering(notices::end_idle(request))
    }),
    Call::new(Method::Post, "/circulation/loan-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::LOANS))
    }),
    Call::new(Method::Post, "/circulation/due-date-not-real-time-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::DUE_DATES_OF_THE_DAY))
    }),
    Call::new(Method::Post, "/circulation/request-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::REQUESTS))
    }),
    Call::new(Method::Post, "/circulation/fee-fine-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::FEES))
    }),
    Call::new(Method::Post, "/circulation/fee-fine-not-real-time-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::FEES_OF_THE_DAY))
    }),
    Call::new(Method::Post, "/circulation/overdue-fine-scheduled-notices-processing", |request| {
        answering(notices::process(request, Job::OVERDUE_FINES))
    }),
    Call::new(Method::Post, "/circulation/scheduled-digital-reminders-processing", |request| {
        answering(jobs::reminders::process(request))
    }),
    Call::new(Method::Post, "/circulation/scheduled-age-to-lost", |request| {
        answering(jobs::age_to_lost::age(request))
    }),
    Call::new(Method::Post, "/circulation/scheduled-age-to-lost-fee-charging", |request| {
        answering(jobs::age_to_lost::bill(request))
    }),
    Call::new(Method::Post, "/circulation/actual-cost-expiration-by-timeout", |request| {
        answering(jobs::actual_cost::expire(request))
    }),
    Call::new(Method::Post, "/circulation/scheduled-anonymize-processing", |request| {
        answering(jobs::anonymize::scheduled(request))
    })
    .many(),
    Call::new(Method::Post, "/loan-anonymization/by-user/{userId}", |request| {
        answering(jobs::anonymize::by_user(request))
    })
    .many(),
    Call::new(Method::Get, "/circulation/loans/{id}/explain", |request| {
        answering(decisions::explain::answer(request))
    }),
    Call::new(Method::Post, "/octavo/loans/{id}/undo", |request| answering(decisions::undo::answer(request)))
        .tried(),
    Call::new(Method::Get, "/circulation/loans", |request| answering(loans::list(request))),
    Call::new(Method::Get, "/circulation/loans/{id}", |request| answering(loans::get(request))),
    Call::new(Method::Get, "/circulation/requests", |request| answering(requests::list::list(request))),
    Call::new(Method::Post, "/circulation/requests", |request| answering(requests::create::answer(request)))
        .tried(),
    Call::new(Method::Delete, "/circulation/requests", |request| {
        answering(requests::change::delete_all(request))
    }),
    Call::new(Method::Get, "/circulation/requests/{id}", |request| answering(requests::list::get(request))),
    Call::new(Method::Put, "/circulation/requests/{id}", |request| {
        answering(requests::change::replace(request))
    })
    .tried(),
    Call::new(Method::Delete, "/circulation/requests/{id}", |request| {
        answering(requests::change::delete(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/requests/{id}/move", |request| {
        answering(requests::change::relocate(request))
    })
    .tried(),
    Call::new(Method::Get, "/circulation/requests/queue/item/{id}", |request| {
        answering(requests::queue::of_item(request))
    }),
    Call::new(Method::Get, "/circulation/requests/queue/instance/{id}", |request| {
        answering(requests::queue::of_instance(request))
    }),
    Call::new(Method::Post, "/circulation/requests/queue/item/{id}/reorder", |request| {
        answering(requests::queue::reorder_item(request))
    })
    .tried(),
    Call::new(Method::Post, "/circulation/requests/queue/instance/{id}/reorder", |request| {
        answering(requests::queue::reorder_instance(request))
    })
    .tried(),
    Call::new(Method::Get, "/circulation/requests/allowed-service-points", |request| {
        answering(requests::points::allowed(request))
    }),
    Call::new(Method::Post, "/circulation/requests/instances", |request| {
        answering(requests::at_instance::answer(request))
    })
    .tried(),
    Call::new(Method::Get, "/circulation/pick-slips/{servicePointId}", |request| {
        answering(requests::slips::pick(request))
    }),
    Call::new(Method::Get, "/circulation/search-slips/{servicePointId}", |request| {
        answering(requests::slips::search(request))
    }),
    Call::new(Method::Get, "/circulation/requests-reports/hold-shelf-clearance/{id}", |request| {
        answering(requests::clearance::report(request))
    })
    .many(),
    Call::new(Method::Get, "/inventory-reports/items-in-transit", |request| {
        answering(requests::in_transit::report(request))
    })
    .many(),
    Call::new(Method::Post, "/octavo/rules/simulate", |request| answering(rules::simulate::answer(request)))
        .tried(),
    Call::new(Method::Get, "/octavo/offline/due-dates", |request| answering(offline::due_dates(request))),
    Call::new(Method::Get, "/octavo/offline/items", |request| answering(offline::items(request))),
    Call::new(Method::Get, "/circulation/rules", |request| answering(rules::text::get(request))),
    Call::new(Method::Put, "/circulation/rules", |request| answering(rules::text::replace(request))),
    Call::new(Method::Get, "/circulation/rules/loan-policy", |request| {
        answering(rules::engine::loan(request))
    }),
    Call::new(Method::Get, "/circulation/rules/loan-policy-all", |request| {
        answering(rules::engine::all_loan(request))
    }),
    Call::new(Method::Get, "/circulation/rules/request-policy", |request| {
        answering(rules::engine::request(request))
    }),
    Call::new(Method::Get, "/circulation/rules/request-policy-all", |request| {
        answering(rules::engine::all_request(request))
    }),
    Call::new(Method::Get, "/circulation/rules/notice-policy", |request| {
        answering(rules::engine::notice(request))
    }),
    Call::new(Method::Get, "/circulation/rules/notice-policy-all", |request| {
        answering(rules::engine::all_notice(request))
    }),
    Call::new(Method::Get, "/circulation/rules/overdue-fine-policy", |request| {
        answering(rules::engine::overdue(request))
    }),
    Call::new(Method::Get, "/circulation/rules/overdue-fine-policy-all", |request| {
        answering(rules::engine::all_overdue(request))
    }),
    Call::new(Method::Get, "/circulation/rules/lost-item-policy", |request| {
        answering(rules::engine::lost(request))
    }),
    Call::new(Method::Get, "/circulation/rules/lost-item-policy-all", |request| {
        answering(rules::engine::all_lost(request))
    }),
];

octavo_pg::statements!(
    within = [decisions, gather, jobs, loans, notices, offline, ops, places, requests, rules]
);
