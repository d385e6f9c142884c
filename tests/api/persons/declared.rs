//! No record type, and no table beside them, may hold a person without a word about it.

use octavo_engine::migrations::tenant_schema_sql;
use octavo_modules::MODULES;
use octavo_record::{ErasureRule, MergeRule, PersonRole, PersonalData, Persons, RecordType};

/// Parts of member names that suggest that a member holds a person.
const PERSONAL_NAME_PARTS: [&str; 19] = [
    "user",
    "patron",
    "person",
    "requester",
    "borrower",
    "proxy",
    "sponsor",
    "recipient",
    "sender",
    "staffmember",
    "firstname",
    "lastname",
    "middlename",
    "email",
    "phone",
    "address",
    "barcode",
    "comment",
    "actioncomment",
];

/// Tables of no record type, and what they hold.
const OTHER_TABLES: [(&str, &str); 44] = [
    ("snapshot_count", "numbers"),
    ("mapping_count", "numbers"),
    ("import_change", "records of the collection"),
    ("import_undo", "ids of staff"),
    ("import_kept", "places of records in files"),
    ("import_restored", "ids of records of the collection"),
    ("import_unlinked", "ids of instances and authorities"),
    ("mapping_rules", "rules by which MARC records are mapped"),
    ("migration", "what was done to the schema"),
    ("outbox", "ids of notices, e-mails and loans"),
    (
        "event",
        "ids of patrons and staff, while somebody follows events, and what modules publish, for as many days as keep-events-days says",
    ),
    (
        "circulation_log",
        "patrons, until their loans are anonymised or they are deleted, and ids and names of staff",
    ),
    ("pubsub_event_type", "event types"),
    ("pubsub_module", "ids and addresses of modules"),
    ("webhook_secret", "secrets of webhooks"),
    ("deleted_record", "inventory"),
    ("queue_place", "the requester of an open request; a row goes when the request is closed"),
    ("print_content", "goes with its print entry"),
    ("note_link", "goes with its note"),
    ("circulation_rules", "rules"),
    ("browse_config", "ids of types of classification numbers"),
    ("search_feature", "what a library has switched on"),
    ("authority_source_file_code", "goes with its source file"),
    ("linking_rule", "which rules are for automatic linking"),
    ("instance_authority_link", "ids of instances and authorities"),
    ("heading_change", "headings of authorities, and the id of who changed one"),
    ("authority_hrid", "numbers"),
    ("quick_marc_status", "ids of records, and why one was not created"),
    ("search_job", "queries for titles, and ids of titles and holdings"),
    ("search_language", "codes of languages"),
    ("oai_record", "ids of instances"),
    ("oai_harvest", "figures of harvests"),
    ("oai_failure", "ids of instances"),
    ("job_execution", "ids and names of staff who import records, until the job is deleted"),
    ("import_source", "names of files"),
    ("import_chunk", "MARC records"),
    ("incoming_record", "MARC records"),
    ("journal_record", "ids of inventory"),
    ("import_count", "numbers"),
    ("circulation_count", "numbers"),
    ("circulation_counted", "a month"),
    ("active_borrowers", "numbers"),
    ("borrower_digest", "digests of borrowers, until their month is counted"),
    ("borrower_key", "keys of these digests, as long as there are some"),
];

fn record_types() -> impl Iterator<Item = &'static RecordType> {
    MODULES.iter().flat_map(|module| module.tables())
}

fn paths(record: &RecordType) -> Vec<&'static str> {
    let lines = record.schema.lines().skip(1).filter(|line| !line.is_empty());
    lines.filter_map(|line| line.split('\t').next()).collect()
}

/// What `metadata` says of staff is known of every type. A group of patrons is no person.
fn may_be_a_person(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    !path.split('.').any(|step| step == "metadata")
        && !last.contains("patrongroup")
        && PERSONAL_NAME_PARTS.iter().any(|part| last.contains(part))
}

fn is_within(path: &str, declared: &str) -> bool {
    path.strip_prefix(declared).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

#[test]
fn every_member_for_a_person_is_declared() {
    let mut unsaid = Vec::new();
    for record in record_types() {
        let said: Vec<&str> = record.persons.map_or_else(Vec::new, |persons| {
            persons
                .members
                .iter()
                .map(|member| member.path)
                .chain(persons.not_persons.iter().copied())
                .collect()
        });
        let is_said = |path: &str| said.iter().any(|known| is_within(path, known) || is_within(known, path));
        let open = |path: &&str| may_be_a_person(path) && !is_said(path);
        unsaid.extend(paths(record).into_iter().filter(open).map(|path| format!("{}: {path}", record.table)));
    }
    assert_eq!(unsaid, [""; 0], "say in `persons` whose they are, or that they are nobody's");
}

#[test]
fn what_is_declared_is_there() {
    for record in record_types() {
        let Some(persons) = record.persons else { continue };
        let known = paths(record);
        let declared =
            persons.members.iter().map(|member| member.path).chain(persons.not_persons.iter().copied());
        for path in declared.filter(|_| !known.is_empty()) {
            let there = known.iter().any(|known| is_within(known, path));
            // Kept with the record, though no client is shown it.
            let own = ["decision", "print_entry"].contains(&record.table);
            assert!(there || own, "{} has no {path}", record.table);
        }
    }
}

#[test]
fn types_of_any_shape_say_whom_they_speak_of() {
    let shapeless = record_types().filter(|record| record.schema.is_empty() && record.persons.is_none());
    let names: Vec<&str> = shapeless.map(|record| record.table).collect();
    assert_eq!(names, [""; 0]);
}

#[test]
fn records_that_name_a_patron_say_what_becomes_of_a_duplicates() {
    let about_nobody = Persons::NOBODY.on_user_merged;
    let unsaid: Vec<&str> = record_types()
        .filter(|record| {
            record.persons.is_some_and(|persons| {
                let named = persons.members.iter().any(|one| one.role == PersonRole::Patron && one.data == PersonalData::Id);
                named && matches!((persons.on_user_merged, about_nobody), (MergeRule::Keep(one), MergeRule::Keep(none)) if one == none)
            })
        })
        .map(|record| record.table)
        .collect();
    assert_eq!(unsaid, [""; 0], "say in `of_duplicate` whether they go over to the user who is kept");
}

#[test]
fn every_table_beside_the_records_is_known() {
    let schema = tenant_schema_sql(MODULES);
    let tables = schema.split("create table ").skip(1);
    let names =
        tables.filter_map(|rest| rest.split([' ', '(', '\n']).next()).map(|name| name.trim_matches('"'));
    let known = |name: &&str| {
        record_types().any(|record| record.table == *name)
            || OTHER_TABLES.iter().any(|(table, _)| table == name)
    };
    let unknown: Vec<&str> = names.filter(|name| !known(name)).collect();
    assert_eq!(unknown, [""; 0], "say in OTHER_TABLES what they hold of persons");
}

/// Lists in documents are not walked: what is to be forgotten in them has statements of its own.
#[test]
fn members_that_are_forgotten_are_reached_by_names_alone() {
    for record in record_types() {
        let Some(persons) = record.persons else { continue };
        let patrons = persons.members.iter().filter(|member| member.role == PersonRole::Patron);
        let in_lists: Vec<&str> =
            patrons.map(|member| member.path).filter(|path| path.contains("[]")).collect();
        let own = matches!(persons.on_user_deleted, ErasureRule::Run(_));
        assert!(in_lists.is_empty() || own, "{}: {in_lists:?}", record.table);
    }
}
