//! mod-batch-print 1.1.0: notices on paper. Each is an entry; once a day all entries become one file, which staff print and delete.
//!
//! FOLIO's file holds at most a thousand notices of the last day, and the others are never printed. Here all waiting notices get
//! into files.

mod batch;
mod entries;
mod sheets;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Notation, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{
    DisclosureRule, ErasureRule, Field, Member, PersonalData, Persons, Reading, RecordType, Schema,
};
use serde_json::Value;

pub(crate) use sheets::{Printed, Sheet, addressee, print, unprintable};

pub static MODULE: Module = Module {
    name: "mod-batch-print",
    notation: Notation::COMPACT,
    hidden_records: &[&PRINT_ENTRY],
    calls: CALLS,
    script: include_str!("batch_print/tenant.sql"),
    migrations: MIGRATIONS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/print/entries" => entries::list, may_be_late;
    Post "/print/entries" => entries::create;
    Delete "/print/entries" => entries::delete_all;
    Get "/print/entries/{id}" => entries::get;
    Put "/print/entries/{id}" => entries::replace;
    Delete "/print/entries/{id}" => entries::delete;
    Post "/mail" => sheets::answer;
    Post "/print/batch-creation" => batch::answer;
};

static MIGRATIONS: &[Migration] = &[Migration {
    number: 5,
    name: "how often letters were tried to be printed",
    sql: include_str!("../../migrations/5_tries_of_printing.sql"),
}];

const KEEP_UNTIL_PRINTED: ErasureRule =
    ErasureRule::Keep("notices wait here to be printed; staff delete the file when they have them on paper");

/// The entry without its content, which is in the table `print_content`.
pub static PRINT_ENTRY: RecordType = RecordType {
    name: "print entry",
    table: "print_entry",
    path: "/print/entries",
    collection: "items",
    schema: include_str!("../../folio/records/mod-batch-print/entry.tsv"),
    fields: &[Field::exact("type"), Field::time("created"), Field::exact("sortingField")],
    persons: Some(&Persons {
        members: &[
            Member::patron("content", PersonalData::All),
            Member::patron("sortingField", PersonalData::Name),
        ],
        on_loan_anonymised: KEEP_UNTIL_PRINTED,
        on_user_deleted: KEEP_UNTIL_PRINTED,
        disclosure: DisclosureRule::Nothing(
            "the file is PDF, often of many notices; the ledger of notices has the text of each",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// The types of entries: a single notice, or a file of many.
const SINGLE: &str = "SINGLE";
const BATCH: &str = "BATCH";

/// Checks a body. As the framework of mod-batch-print, Vert.x, the message names the first mistake.
fn check_body(schema: &'static str, body: Value) -> Outcome<Value> {
    let checked = Schema::parse_cached(schema).check(body, Reading::FromClient).map_err(|refusals| {
        let mistake = refusals.first().map(|refusal| {
            let about = refusal.parameters.first().map_or("", |(key, _)| key.as_str());
            match refusal.message.as_str() {
                "must not be null" => format!("provided object should contain property {about}"),
                message => format!("{about}: {message}"),
            }
        });
        let mistake = mistake.unwrap_or_default();
        Fault::bad_request(format!("[Bad Request] Validation error for body application/json: {mistake}"))
    })?;
    Ok(checked.0)
}

octavo_pg::statements!(within = [batch, entries]);
