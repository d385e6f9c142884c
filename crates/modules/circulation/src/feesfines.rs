//! mod-feesfines 19.1.0: what patrons owe, and what staff do about it. Owners, types, policies, manual blocks and accounts
//! are records; paying, waiving and their kin are decided in `octavo-circulation`; reports are one query each.

mod actions;
mod charges;
mod reports;
mod types;

use octavo_engine::{Call, Method, Module, answering};
use octavo_modules_base::fee_records::ALL;

use crate::circulation::actual_cost;
pub use octavo_modules_base::fee_records::{
    ACCOUNT, ACTION, FEE_FINE, LOST_ITEM_FEE_POLICY, MANUAL_BLOCK, OVERDUE_FINE_POLICY, OWNER,
};

pub static MODULE: Module = Module { name: "mod-feesfines", records: ALL, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/feefineactions", |request| answering(charges::create(request))),
    Call::new(Method::Post, "/feefines", |request| answering(types::create(request))),
    Call::new(Method::Delete, "/feefines/{id}", |request| answering(types::delete(request))),
    Call::new(Method::Post, "/accounts/{id}/check-pay", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts/{id}/check-waive", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts/{id}/check-transfer", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts/{id}/check-refund", |r| answering(actions::check_refund(r))),
    Call::new(Method::Post, "/accounts/{id}/pay", |r| answering(actions::pay(r))).tried(),
    Call::new(Method::Post, "/accounts/{id}/waive", |r| answering(actions::waive(r))).tried(),
    Call::new(Method::Post, "/accounts/{id}/transfer", |r| answering(actions::transfer(r))).tried(),
    Call::new(Method::Post, "/accounts/{id}/refund", |r| answering(actions::refund(r))).tried(),
    Call::new(Method::Post, "/accounts/{id}/cancel", |r| answering(actions::cancel(r))).tried(),
    Call::new(Method::Post, "/actual-cost-fee-fine/bill", |r| answering(actual_cost::bill(r))).tried(),
    Call::new(Method::Post, "/actual-cost-fee-fine/cancel", |r| answering(actual_cost::cancel(r))).tried(),
    Call::new(Method::Post, "/accounts-bulk/check-pay", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts-bulk/check-waive", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts-bulk/check-transfer", |r| answering(actions::check_payment(r))),
    Call::new(Method::Post, "/accounts-bulk/check-refund", |r| answering(actions::check_refund(r))),
    Call::new(Method::Post, "/accounts-bulk/pay", |r| answering(actions::pay(r))).tried(),
    Call::new(Method::Post, "/accounts-bulk/waive", |r| answering(actions::waive(r))).tried(),
    Call::new(Method::Post, "/accounts-bulk/transfer", |r| answering(actions::transfer(r))).tried(),
    Call::new(Method::Post, "/accounts-bulk/refund", |r| answering(actions::refund(r))).tried(),
    Call::new(Method::Post, "/accounts-bulk/cancel", |r| answering(actions::cancel(r))).tried(),
    Call::new(Method::Post, "/feefine-reports/refund", |r| answering(reports::refunds(r))).many().reading(),
    Call::new(Method::Post, "/feefine-reports/cash-drawer-reconciliation", |r| answering(reports::drawer(r)))
        .many()
        .reading(),
    Call::new(Method::Post, "/feefine-reports/cash-drawer-reconciliation/sources", |r| {
        answering(reports::drawer_sources(r))
    })
    .many()
    .reading(),
    Call::new(Method::Post, "/feefine-reports/financial-transactions-detail", |r| {
        answering(reports::transactions(r))
    })
    .many()
    .reading(),
];

octavo_pg::statements!(within = [actions, reports]);
