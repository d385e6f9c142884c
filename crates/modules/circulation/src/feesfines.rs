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
    Post "/accounts/{id}/pay" => actions::pay, with_dry_run;
    Post "/accounts/{id}/waive" => actions::waive, with_dry_run;
    Post "/accounts/{id}/transfer" => actions::transfer, with_dry_run;
    Post "/accounts/{id}/refund" => actions::refund, with_dry_run;
    Post "/accounts/{id}/cancel" => actions::cancel, with_dry_run;
    Post "/actual-cost-fee-fine/bill" => actual_cost::bill, with_dry_run;
    Post "/actual-cost-fee-fine/cancel" => actual_cost::cancel, with_dry_run;
    Post "/accounts-bulk/check-pay" => actions::check_payment;
    Post "/accounts-bulk/check-waive" => actions::check_payment;
    Post "/accounts-bulk/check-transfer" => actions::check_payment;
    Post "/accounts-bulk/check-refund" => actions::check_refund;
    Post "/accounts-bulk/pay" => actions::pay, with_dry_run;
    Post "/accounts-bulk/waive" => actions::waive, with_dry_run;
    Post "/accounts-bulk/transfer" => actions::transfer, with_dry_run;
    Post "/accounts-bulk/refund" => actions::refund, with_dry_run;
    Post "/accounts-bulk/cancel" => actions::cancel, with_dry_run;
    Post "/feefine-reports/refund" => reports::refunds, for_many_records, reading, may_be_late;
    Post "/feefine-reports/cash-drawer-reconciliation" => reports::drawer, for_many_records, reading, may_be_late;
    Post "/feefine-reports/cash-drawer-reconciliation/sources" => reports::drawer_sources, for_many_records, reading, may_be_late;
    Post "/feefine-reports/financial-transactions-detail" => reports::transactions, for_many_records, reading, may_be_late;
};

octavo_pg::statements!(within = [actions, reports]);
