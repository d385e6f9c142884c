//! mod-feesfines 19.1.0: fees and fines. Owners, types, policies, manual blocks and accounts are records; `octavo-circulation` decides
//! about paying, waiving and the other actions; each report is one query.

mod accounts;
mod actions;
mod charges;
mod invariants;
mod reports;
mod types;

use octavo_engine::{Call, Module, calls};
use octavo_modules_base::fee_records::ALL;

use crate::circulation::actual_cost;
pub use octavo_modules_base::fee_records::{
    ACCOUNT, ACTION, FEE_FINE, LOST_ITEM_FEE_POLICY, MANUAL_BLOCK, OVERDUE_FINE_POLICY, OWNER,
};

pub static MODULE: Module =
    Module { name: "mod-feesfines", records: ALL, calls: CALLS, invariants: invariants::ALL, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/accounts" => accounts::create;
    Put "/accounts/{id}" => accounts::replace;
    Delete "/accounts/{id}" => accounts::delete;
    Post "/feefineactions" => charges::create;
    Post "/feefines" => types::create;
    Delete "/feefines/{id}" => types::delete;
    Post "/accounts/{id}/check-pay" => actions::check_payment;
    Post "/accounts/{id}/check-waive" => actions::check_payment;
    Post "/accounts/{id}/check-transfer" => actions::check_payment;
    Post "/accounts/{id}/check-refund" => actions::check_refund;
    Post "/accounts/{id}/pay" => actions::pay, tried;
    Post "/accounts/{id}/waive" => actions::waive, tried;
    Post "/accounts/{id}/transfer" => actions::transfer, tried;
    Post "/accounts/{id}/refund" => actions::refund, tried;
    Post "/accounts/{id}/cancel" => actions::cancel, tried;
    Post "/actual-cost-fee-fine/bill" => actual_cost::bill, tried;
    Post "/actual-cost-fee-fine/cancel" => actual_cost::cancel, tried;
    Post "/accounts-bulk/check-pay" => actions::check_payment;
    Post "/accounts-bulk/check-waive" => actions::check_payment;
    Post "/accounts-bulk/check-transfer" => actions::check_payment;
    Post "/accounts-bulk/check-refund" => actions::check_refund;
    Post "/accounts-bulk/pay" => actions::pay, tried;
    Post "/accounts-bulk/waive" => actions::waive, tried;
    Post "/accounts-bulk/transfer" => actions::transfer, tried;
    Post "/accounts-bulk/refund" => actions::refund, tried;
    Post "/accounts-bulk/cancel" => actions::cancel, tried;
    Post "/feefine-reports/refund" => reports::refunds, many, reading, late;
    Post "/feefine-reports/cash-drawer-reconciliation" => reports::drawer, many, reading, late;
    Post "/feefine-reports/cash-drawer-reconciliation/sources" => reports::drawer_sources, many, reading, late;
    Post "/feefine-reports/financial-transactions-detail" => reports::transactions, many, reading, late;
};

octavo_pg::statements!(within = [actions, reports]);
