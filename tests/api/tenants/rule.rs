//! What migrations may do to tables that are there already (`octavo_engine::migrations::rule`), held against those that there are.

use octavo_engine::migrations::rule::offences;
use octavo_engine::migrations::{Migration, SYSTEM_MIGRATIONS, tenant_migrations};
use octavo_modules::MODULES;

/// Statements that break the rule, by the schema, the number of the migration and the table, and why they may.
const EXCEPTIONS: &[(&str, i64, &str, &str)] = &[
    (
        "tenant",
        8,
        "snapshot_version",
        "a table of one row, in whose place a view comes in the same transaction, which the release before reads and changes as it did",
    ),
    ("tenant", 31, "outbox", "one row, for work in the background"),
];

/// A new migration that breaks the rule is written otherwise, as docs/add-a-record-type.md says; an exception is for tables that
/// are small in every library.
#[test]
fn no_migration_blocks_a_large_table() {
    let of_tenants = tenant_migrations(MODULES);
    let both = [("octavo", SYSTEM_MIGRATIONS), ("tenant", of_tenants.as_slice())];
    let all =
        both.into_iter().flat_map(|(schema, migrations)| migrations.iter().map(move |one| (schema, one)));
    let (mut wrong, mut met) = (Vec::new(), Vec::new());
    for (schema, Migration { number, name, sql }) in all {
        for offence in offences(sql) {
            let is_it = |exception: &&(&str, i64, &str, &str)| {
                (exception.0, exception.1, exception.2) == (schema, *number, offence.table.as_str())
            };
            match EXCEPTIONS.iter().find(is_it) {
                Some(exception) => met.push(exception),
                None => wrong
                    .push(format!("{schema} {number} {name}: {}\n    {}", offence.why, offence.statement)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let idle: Vec<_> = EXCEPTIONS.iter().filter(|exception| !met.contains(exception)).collect();
    assert!(idle.is_empty(), "no such statement any more: {idle:?}");
}
