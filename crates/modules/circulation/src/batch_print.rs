//! mod-batch-print 1.1.0: notices on paper. Each is an entry of its own until, once a day, all of them become one file, which
//! staff print and delete.
//!
//! FOLIO's files of the day hold what the last day brought, a thousand notices at most, and the rest is never printed. Here each
//! notice that waits gets into a file.

mod batch;
mod entries;
mod sheets;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Notation, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{Fate, Field, Member, Persons, Reading, RecordType, Schema, What};
use serde_json::Value;

pub(crate) use sheets::{Printed, Sheet, addressee, print, unprintable};

pub static MODULE: Module = Module {
    name: "mod-batch-print",
    notation: Notation::COMPACT,
    hidden: &[&PRINT_ENTRY],
    calls: CALLS,
    script: include_str!("batch_print/tenant.sql"),
    migrations: MIGRATIONS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/print/entries" => entries::list;
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

const PAPER: Fate =
    Fate::Stay("letters wait here to be printed; staff delete the file when they have them on paper");

/// Without what is printed, which stands in a table of its own.
pub static PRINT_ENTRY: RecordType = RecordType {
    name: "print entry",
    table: "print_entry",
    path: "/print/entries",
    collection: "items",
    schema: include_str!("../../folio/records/mod-batch-print/entry.tsv"),
    fields: &[Field::exact("type"), Field::time("created"), Field::exact("sortingField")],
    persons: Some(&Persons {
        members: &[Member::patron("content", What::All), Member::patron("sortingField", What::Name)],
        of_loan: PAPER,
        of_user: PAPER,
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// What an entry is: a notice, or the file of many.
const SINGLE: &str = "SINGLE";
const BATCH: &str = "BATCH";

/// A body, or what is wrong with it, in the words of FOLIO's module.
fn checked(schema: &'static str, body: Value) -> Outcome<Value> {
    let checked = Schema::of(schema).check(body, Reading::FromClient).map_err(|refusals| {
        let told = refusals.iter().map(|refusal| {
            let about = refusal.parameters.first().map_or("", |(key, _)| key.as_str());
            match refusal.message.as_str() {
                "must not be null" => format!("provided object should contain property {about}"),
                message => format!("{about}: {message}"),
            }
        });
        Fault::bad_request(told.collect::<Vec<String>>().join("; "))
    })?;
    Ok(checked.0)
}

octavo_pg::statements!(within = [batch, entries]);
