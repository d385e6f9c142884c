//! mod-settings 1.0.3: entries by scope and key, common to a tenant or of one user. Which scopes a caller may read and
//! write is said by permissions that carry the scope's name: `mod-settings.global.read.{scope}`.

mod access;
mod entries;
mod upload;

use octavo_engine::{Module, Notation, calls};
use octavo_kernel::Kind;
use octavo_record::{Field, Member, Message, Persons, RecordMessages, RecordType, Unique};

pub static MODULE: Module = Module {
    name: "mod-settings",
    never_late: true,
    notation: Notation::COMPACT,
    hidden_records: &[&ENTRY],
    calls: calls! {
        Get "/settings/entries" => entries::list;
        Post "/settings/entries" => entries::create;
        Get "/settings/entries/{id}" => entries::get;
        Put "/settings/entries/{id}" => entries::replace;
        Delete "/settings/entries/{id}" => entries::delete;
        Put "/settings/upload" => upload::upload;
    },
    ..Module::BASE
};

/// FOLIO's message for an entry that exists already. It is the same as for an entry that the caller may not write.
const DUPLICATE_ENTRY: Message = Message::new(Kind::Forbidden, "Forbidden", "key");

pub static ENTRY: RecordType = RecordType {
    name: "setting",
    table: "settings",
    path: "/settings/entries",
    collection: "items",
    schema: include_str!("../../folio/records/mod-settings/entry.tsv"),
    fields: &[
        Field::exact("scope"),
        Field::exact("key"),
        Field::exact("userId"),
        Field::exact("owner").computed("coalesce(doc ->> 'userId', '')"),
    ],
    unique: &[Unique::new(&["scope", "key", "owner"]).message(DUPLICATE_ENTRY)],
    messages: RecordMessages { duplicate_id_as_unique_key: true, ..RecordMessages::not_found("Not Found") },
    persons: Some(&Persons::deleted_with_user(
        &[Member::patron_id("userId")],
        "t.\"userId\" = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};

octavo_pg::statements!(within = [upload]);
