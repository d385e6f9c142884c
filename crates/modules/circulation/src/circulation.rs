//! mod-circulation 24.2.5: check-out, check-in, renewal, loans and rules. The crate `octavo-circulation` decides; here the facts are
//! gathered and the plan is committed, in two round trips.

mod commit;
mod decisions;
mod desk;
mod gather;
mod invariants;
pub(crate) mod jobs;
mod loans;
mod locks;
pub mod notices;
mod offline;
mod ops;
mod places;
mod requests;
mod rules;
mod statistics;

use octavo_circulation::rules::PolicyKind;
use octavo_circulation::{add_info, change_due_date, claim_returned, declare_lost, mark_missing};
use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Dialect, Module, Notation, calls};

use crate::rests;
use notices::Job;

pub use desk::{Desk, ItemLimits};
pub(crate) use gather::{EACH_BY_ID, StandingRow, gather_loans};
pub use octavo_circulation::command::CheckOut;
pub(crate) use ops::actual_cost;
pub use ops::check_in::check_in;
pub(crate) use ops::check_in::check_in_with;
pub use ops::check_out::check_out;
pub(crate) use ops::check_out::check_out_with;
pub(crate) use ops::close_paid::lock_lost_loans;
pub use ops::mark_item::mark_item;
pub(crate) use ops::renew::decide_renewal;
pub(crate) use places::FREE_PLACES;
pub(crate) use requests::{by_partner, by_patron};

pub static MODULE: Module = Module {
    name: "mod-circulation",
    dialect: Dialect::Circulation,
    notation: Notation::VERTX,
    hidden_records: &[&decisions::DECISION],
    calls: CALLS,
    script: SCRIPT,
    migrations: &[
        Migration {
            number: 6,
            name: "age of decisions",
            sql: include_str!("../../migrations/6_age_of_decisions.sql"),
        },
        Migration {
            number: 38,
            name: "statistics of circulation",
            sql: include_str!("../../migrations/38_statistics_of_circulation.sql"),
        },
    ],
    invariants: invariants::ALL,
    ..Module::BASE
};

const SCRIPT: &str = concat!(
    "-- Decisions are stored as they are made, so a few bytes for each stretch of the table are enough to find old ones.\n",
    "create index decision_at on decision using brin (((doc ->> 'at') collate \"C\")) with (autosummarize = on);\n",
    include_str!("../../migrations/38_statistics_of_circulation.sql")
);

static CALLS: &[Call] = calls! {
    Post "/circulation/check-out-by-barcode" => ops::check_out::answer, with_dry_run;
    Post "/circulation/check-in-by-barcode" => ops::check_in::answer, with_dry_run;
    Post "/circulation/renew-by-barcode" => ops::renew::by_barcode, with_dry_run;
    Post "/circulation/renew-by-id" => ops::renew::by_id, with_dry_run;
    Post "/circulation/loans/{id}/change-due-date" => |request| ops::decide_about_loan(request, "change of the due date", change_due_date), with_dry_run;
    Post "/circulation/loans/{id}/declare-item-lost" => |request| ops::decide_about_loan(request, "declaration of loss", declare_lost), with_dry_run;
    Post "/circulation/loans/{id}/claim-item-returned" => |request| ops::decide_about_loan(request, "claim", claim_returned), with_dry_run;
    Post "/circulation/loans/{id}/declare-claimed-returned-item-as-missing" => |request| ops::decide_about_loan(request, "declaration as missing", mark_missing), with_dry_run;
    Post "/circulation/loans/{id}/add-info" => |request| ops::decide_about_loan(request, "remark", add_info), with_dry_run;
    Post "/circulation/handlers/loan-related-fee-fine-closed" => ops::close_paid::answer;
    Post "/circulation/handlers/fee-fine-balance-changed" => ops::actual_cost::accept_notice_event;
    Post "/circulation/end-patron-action-session" => ops::end_session::answer;
    Post "/circulation/loans" => ops::loan_record::create, with_dry_run;
    Put "/circulation/loans/{id}" => ops::loan_record::replace, with_dry_run;
    Delete "/circulation/loans" => ops::loan_record::delete_where, for_many_records;
    Delete "/circulation/loans/{id}" => ops::loan_record::delete;
    Post "/circulation/notice-session-expiration-by-timeout" => notices::end_idle, with_rest_rule(&rests::VISITS);
    Post "/circulation/loan-scheduled-notices-processing" => |request| notices::process(request, Job::LOANS), with_rest_rule(&rests::NOTICES);
    Post "/circulation/due-date-not-real-time-scheduled-notices-processing" => |request| notices::process(request, Job::DUE_DATES_OF_THE_DAY), with_rest_rule(&rests::NOTICES);
    Post "/circulation/request-scheduled-notices-processing" => |request| notices::process(request, Job::REQUESTS), with_rest_rule(&rests::NOTICES);
    Post "/circulation/fee-fine-scheduled-notices-processing" => |request| notices::process(request, Job::FEES), with_rest_rule(&rests::NOTICES);
    Post "/circulation/fee-fine-not-real-time-scheduled-notices-processing" => |request| notices::process(request, Job::FEES_OF_THE_DAY), with_rest_rule(&rests::NOTICES);
    Post "/circulation/overdue-fine-scheduled-notices-processing" => |request| notices::process(request, Job::OVERDUE_FINES), with_rest_rule(&rests::NOTICES);
    Post "/circulation/scheduled-digital-reminders-processing" => jobs::reminders::process, with_rest_rule(&rests::LOANS);
    Post "/circulation/scheduled-age-to-lost" => jobs::age_to_lost::age, with_rest_rule(&rests::LOANS);
    Post "/circulation/scheduled-age-to-lost-fee-charging" => jobs::age_to_lost::bill, with_rest_rule(&rests::LOANS);
    Post "/circulation/actual-cost-expiration-by-timeout" => jobs::actual_cost::expire, with_rest_rule(&rests::ACTUAL_COST);
    Post "/circulation/scheduled-anonymize-processing" => jobs::anonymize::scheduled, for_many_records, with_rest_rule(&rests::LOANS);
    Post "/loan-anonymization/by-user/{userId}" => jobs::anonymize::by_user, for_many_records;
    Get "/circulation/loans/{id}/explain" => decisions::explain::answer;
    Post "/octavo/loans/{id}/undo" => decisions::undo::answer, with_dry_run;
    Get "/circulation/loans" => loans::list, may_be_late;
    Get "/circulation/loans/{id}" => loans::get;
    Get "/circulation/requests" => requests::list::list, may_be_late;
    Post "/circulation/requests" => requests::create::answer, with_dry_run;
    Delete "/circulation/requests" => requests::change::delete_where, for_many_records;
    Get "/circulation/requests/{id}" => requests::list::get;
    Put "/circulation/requests/{id}" => requests::change::replace, with_dry_run;
    Delete "/circulation/requests/{id}" => requests::change::delete, with_dry_run;
    Post "/circulation/requests/{id}/move" => requests::change::relocate, with_dry_run;
    Get "/circulation/requests/queue/item/{id}" => requests::queue::of_item;
    Get "/circulation/requests/queue/instance/{id}" => requests::queue::of_instance;
    Post "/circulation/requests/queue/item/{id}/reorder" => requests::queue::reorder_item, with_dry_run;
    Post "/circulation/requests/queue/instance/{id}/reorder" => requests::queue::reorder_instance, with_dry_run;
    Get "/circulation/requests/allowed-service-points" => requests::points::allowed;
    Post "/circulation/requests/instances" => requests::at_instance::answer, with_dry_run;
    Get "/circulation/pick-slips/{servicePointId}" => requests::slips::pick, may_be_late;
    Get "/circulation/search-slips/{servicePointId}" => requests::slips::search, may_be_late;
    Get "/circulation/requests-reports/hold-shelf-clearance/{id}" => requests::clearance::report, for_many_records, may_be_late;
    Get "/inventory-reports/items-in-transit" => requests::in_transit::report, for_many_records, may_be_late;
    Get "/octavo/circulation-statistics" => statistics::list, for_many_records, may_be_late;
    Post "/octavo/rules/simulate" => rules::simulate::answer, with_dry_run;
    Get "/octavo/offline/due-dates" => offline::due_dates, may_be_late;
    Get "/octavo/offline/items" => offline::items, may_be_late;
    Get "/circulation/rules" => rules::text::get;
    Put "/circulation/rules" => rules::text::replace;
    Get "/circulation/rules/loan-policy" => |request| rules::engine::policy_of_best_rule(request, PolicyKind::Loan);
    Get "/circulation/rules/loan-policy-all" => |request| rules::engine::policies_of_all_rules(request, PolicyKind::Loan);
    Get "/circulation/rules/request-policy" => |request| rules::engine::policy_of_best_rule(request, PolicyKind::Request);
    Get "/circulation/rules/request-policy-all" => |request| rules::engine::policies_of_all_rules(request, PolicyKind::Request);
    Get "/circulation/rules/notice-policy" => |request| rules::engine::policy_of_best_rule(request, PolicyKind::Notice);
    Get "/circulation/rules/notice-policy-all" => |request| rules::engine::policies_of_all_rules(request, PolicyKind::Notice);
    Get "/circulation/rules/overdue-fine-policy" => |request| rules::engine::policy_of_best_rule(request, PolicyKind::OverdueFine);
    Get "/circulation/rules/overdue-fine-policy-all" => |request| rules::engine::policies_of_all_rules(request, PolicyKind::OverdueFine);
    Get "/circulation/rules/lost-item-policy" => |request| rules::engine::policy_of_best_rule(request, PolicyKind::LostItemFee);
    Get "/circulation/rules/lost-item-policy-all" => |request| rules::engine::policies_of_all_rules(request, PolicyKind::LostItemFee);
};

octavo_pg::statements!(
    within = [
        decisions, gather, invariants, jobs, loans, notices, offline, ops, places, requests, rules,
        statistics
    ]
);
