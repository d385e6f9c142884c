//! mod-circulation 24.2.5: check-out, check-in, renewal, loans and rules. What is allowed and what follows is decided in
//! `octavo-circulation`; here the facts are gathered and the plan is committed, two round trips in all.

mod commit;
mod desk;
mod gather;
mod loans;
mod ops;
mod rules;

use octavo_engine::{Call, Method, Module, answering};

pub(crate) use commit::commit;
pub use desk::Desk;
pub(crate) use gather::{STANDING_BY_ID, standing};
pub use octavo_circulation::command::CheckOut;
pub use ops::check_out::check_out;

pub static MODULE: Module = Module { name: "mod-circulation", calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/circulation/check-out-by-barcode", |request| {
        answering(ops::check_out::answer(request))
    }),
    Call::new(Method::Post, "/circulation/check-in-by-barcode", |request| {
        answering(ops::check_in::answer(request))
    }),
    Call::new(Method::Post, "/circulation/renew-by-barcode", |request| {
        answering(ops::renew::by_barcode(request))
    }),
    Call::new(Method::Post, "/circulation/renew-by-id", |request| answering(ops::renew::by_id(request))),
    Call::new(Method::Get, "/circulation/loans", |request| answering(loans::list(request))),
    Call::new(Method::Get, "/circulation/loans/{id}", |request| answering(loans::get(request))),
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
