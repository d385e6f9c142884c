//! mod-source-record-manager 3.8.5: import jobs with their profiles and records, the log of what they did, and the rules by which MARC
//! records are mapped.
//!
//! The calls store jobs and chunks of records; [`runner`] works on them. [`crate::import`] decides what is done with a record.

mod cancel;
pub(crate) mod change;
mod children;
mod chunks;
pub(crate) mod create;
mod incoming;
mod job;
mod journal;
mod list;
mod log;
mod metadata;
mod parsed;
pub(crate) mod profile;
mod repeat;
mod retention;
mod rules;
pub mod runner;
pub(crate) mod single;
mod snapshots;
mod status;
mod summary;
mod trial;
mod undo;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, OutboxTask, calls};

pub use cancel::cancel;
pub use runner::{FileToImport, start_file_statements};

pub static MODULE: Module = Module {
    name: "mod-source-record-manager",
    calls: CALLS,
    script: concat!(
        include_str!("mapping/tenant.sql"),
        ";\n",
        include_str!("source_manager/tables.sql"),
        ";\n",
        include_str!("source_manager/changes.sql"),
        ";\n",
        include_str!("../../migrations/39_import_unlinked.sql"),
        ";\n",
        include_str!("../../migrations/40_import_remarks.sql")
    ),
    migrations: &[
        Migration {
            number: 29,
            name: "mapping rules of MARC records",
            sql: include_str!("../../migrations/29_mapping_rules.sql"),
        },
        Migration {
            number: 33,
            name: "import jobs",
            sql: include_str!("../../migrations/33_import_jobs.sql"),
        },
        Migration {
            number: 36,
            name: "what import jobs have changed",
            sql: include_str!("../../migrations/36_import_changes.sql"),
        },
        Migration {
            number: 39,
            name: "links that import jobs have ended",
            sql: include_str!("../../migrations/39_import_unlinked.sql"),
        },
        Migration {
            number: 40,
            name: "what is left out of imported records",
            sql: include_str!("../../migrations/40_import_remarks.sql"),
        },
    ],
    tasks: &[OutboxTask { kind: undo::TASK, work: |context| Box::pin(undo::work(context)) }],
    on_server_start: Some(|platform| Box::pin(runner::run(platform))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/change-manager/jobExecutions" => create::create;
    Delete "/change-manager/jobExecutions" => change::delete;
    Get "/change-manager/jobExecutions/{id}" => change::get;
    Put "/change-manager/jobExecutions/{id}" => change::replace;
    Get "/change-manager/jobExecutions/{id}/children" => children::list;
    Put "/change-manager/jobExecutions/{id}/status" => change::status;
    Put "/change-manager/jobExecutions/{id}/jobProfile" => profile::set;
    Post "/change-manager/jobExecutions/{id}/records" => chunks::post, for_many_records;
    Delete "/change-manager/jobExecutions/{id}/records" => cancel::delete_records, for_many_records;
    Get "/change-manager/parsedRecords" => parsed::get;
    Put "/change-manager/parsedRecords/{id}" => parsed::put;
    Get "/mapping-metadata/{jobExecutionId}" => metadata::of_job;
    Get "/mapping-metadata/type/{recordType}" => metadata::of_type;
    Get "/mapping-rules/{recordType}" => rules::get;
    Put "/mapping-rules/{recordType}" => rules::replace;
    Put "/mapping-rules/{recordType}/restore" => rules::restore;
    Get "/metadata-provider/jobExecutions" => list::list;
    Get "/metadata-provider/jobExecutions/jobProfiles" => list::profiles, may_be_late;
    Get "/metadata-provider/jobExecutions/users" => list::users, may_be_late;
    Get "/metadata-provider/journalRecords/{jobExecutionId}" => journal::list, may_be_late;
    Get "/metadata-provider/jobLogEntries/{jobExecutionId}" => log::list, may_be_late;
    Get "/metadata-provider/jobLogEntries/{jobExecutionId}/records/{recordId}" => log::of_record, may_be_late;
    Get "/metadata-provider/jobSummary/{jobExecutionId}" => summary::get, may_be_late;
    Get "/metadata-provider/incomingRecords/{recordId}" => incoming::get;
    Post "/octavo/import-jobs/{id}/trial" => trial::begin;
    Get "/octavo/import-jobs/{id}/changes" => trial::list;
    Post "/octavo/import-jobs/{id}/import" => repeat::begin;
    Post "/octavo/import-jobs/{id}/undo" => undo::begin;
    Get "/octavo/import-jobs/{id}/undo" => undo::get;
    Get "/octavo/import-jobs/{id}/undo-preview" => undo::get_preview;
    Post "/octavo/import-jobs/retention/timer" => retention::timer, with_rest_rule(&retention::REST);
};

octavo_pg::statements!(
    within = [
        cancel, change, children, chunks, create, incoming, job, journal, list, log, metadata, parsed,
        profile, repeat, retention, rules, runner, single, snapshots, summary, trial, undo
    ]
);
