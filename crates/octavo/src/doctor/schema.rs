//! The schemas: their versions, whether they are what this program makes of them, and their indexes.

use std::collections::BTreeSet;

use anyhow::Result;
use octavo_engine::catalogue::{self, SCHEMA_PLACEHOLDER};
use octavo_engine::migrations::{Migration, SYSTEM_VERSION, TENANT_VERSION};
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Session, Sql, Statement};

use super::finding::{Repair, Report};

const COMMON_SCHEMA: &str = "octavo";
/// The most characters of a catalogue line that are shown.
const LONGEST_LINE: usize = 120;

/// Returns the tenants whose schemas are up to date; none where there is no Octavo.
pub(super) async fn check_schemas(
    session: &mut Session,
    report: &mut Report,
) -> Result<Option<Vec<TenantId>>> {
    if session.read::<Option<Option<String>>>(Statement::new(PRESENT)).await?.flatten().is_none() {
        report.problem("schema", "there is no Octavo in this database").advice(
            "Say with --data-dir or --database-url where it is; `octavo serve` makes one where there is none",
        );
        return Ok(None);
    }
    let versions: Vec<(i64, i64)> = session.read(Statement::new(VERSIONS)).await?;
    let newest = versions.first().copied().unwrap_or_default();
    let (common, of_tenants) = super::known_migrations();
    let mut ready = Vec::new();
    if newest.0 > SYSTEM_VERSION || newest.1 > TENANT_VERSION {
        report
            .problem("schema", "a newer Octavo has changed it so that this one cannot work with it")
            .advice(USE_NEWER_OCTAVO);
    } else if is_up_to_date(session, COMMON_SCHEMA, &common, report).await? {
        let of_a_tenant = catalogue::new_tenant_catalogue(session, MODULES).await?;
        let mut expected = catalogue::new_system_catalogue(session).await?;
        // The table of migrations is made by no migration: each schema has one, and all have the same form.
        expected.extend(of_a_tenant.iter().filter(|line| is_about_migration_table(line)).cloned());
        compare_with_catalogue(session, COMMON_SCHEMA, &expected, report).await?;
        ready = check_tenants(session, &of_tenants, &of_a_tenant, report).await?;
    }
    let count: Option<i64> = session.read(Statement::new(COUNT)).await?;
    report.looked_at("schema", format!("{COMMON_SCHEMA} and {} tenants", count.unwrap_or_default()));
    check_unfinished_indexes(session, report).await?;
    Ok(Some(ready))
}

fn is_about_migration_table(line: &str) -> bool {
    line.starts_with("column migration ")
        || line.starts_with("table migration ")
        || line.contains(" migration_pkey ")
}

async fn check_tenants(
    session: &mut Session,
    known: &[Migration],
    expected: &[String],
    report: &mut Report,
) -> Result<Vec<TenantId>> {
    let ids: Vec<(String, bool)> = session.read(Statement::new(TENANTS)).await?;
    let mut ready = Vec::new();
    for (id, there) in ids {
        let Ok(tenant) = TenantId::parse(&id) else { continue };
        if !there {
            report
                .problem("schema", format!("tenant {id} has no tables"))
                .advice("Restore the tenant from a backup, or delete it");
        } else if is_up_to_date(session, tenant.schema(), known, report).await? {
            compare_with_catalogue(session, tenant.schema(), expected, report).await?;
            ready.push(tenant);
        }
    }
    Ok(ready)
}

/// Whether exactly the migrations of this program were applied to a schema.
async fn is_up_to_date(
    session: &mut Session,
    schema: &str,
    known: &[Migration],
    report: &mut Report,
) -> Result<bool> {
    let table = format!("select number from {}.migration", quoted(schema));
    let applied: Vec<i64> = match session.read_once(&Sql { text: table, params: Vec::new() }).await {
        Ok(applied) => applied,
        Err(error) => {
            report
                .problem("schema", format!("the changes that {schema} has had cannot be read: {error}"))
                .advice("Restore it from a backup");
            return Ok(false);
        }
    };
    let applied: BTreeSet<i64> = applied.into_iter().collect();
    let numbers: BTreeSet<i64> = known.iter().map(|migration| migration.number).collect();
    let pending = known.iter().filter(|migration| !applied.contains(&migration.number));
    let pending: Vec<String> =
        pending.map(|migration| format!("{} {}", migration.number, migration.name)).collect();
    let unknown: Vec<String> = applied.difference(&numbers).map(ToString::to_string).collect();
    let current = pending.is_empty() && unknown.is_empty();
    if !pending.is_empty() {
        report
            .hint("schema", format!("{schema} has not had {} changes of this version", pending.len()))
            .advice("`octavo serve` of this version makes them when it starts")
            .cases(pending);
    }
    if !unknown.is_empty() {
        report
            .hint(
                "schema",
                format!("{schema} has had {} changes that this version does not know", unknown.len()),
            )
            .advice(USE_NEWER_OCTAVO)
            .cases(unknown);
    }
    Ok(current)
}

const USE_NEWER_OCTAVO: &str = "Use the newer Octavo, as its servers do";

async fn compare_with_catalogue(
    session: &mut Session,
    schema: &str,
    expected: &[String],
    report: &mut Report,
) -> Result<()> {
    let found = catalogue::catalogue(session, schema).await?;
    let (mut missing, indexes, more) = differences(expected, &found, schema);
    if !indexes.is_empty() {
        let names = indexes.iter().map(|index| shortened(index)).collect();
        let make = indexes.iter().map(|index| create_concurrently_sql(index, schema)).collect();
        report
            .problem("indexes", format!("{schema} lacks {} indexes", indexes.len()))
            .advice("Have them made")
            .cases(names)
            .repair(Repair::Sql(make));
    }
    if !missing.is_empty() {
        let what = format!("{schema} lacks {} parts, or has others in their place", missing.len());
        missing.truncate(20);
        report.problem("schema", what).advice("Restore it from a backup").cases(missing);
    }
    if !more.is_empty() {
        let what = format!("{schema} has {} parts that are not Octavo's", more.len());
        let cases = more.into_iter().take(20).collect();
        report
            .hint("schema", what)
            .advice("See who made them; they may stand in the way of an upgrade")
            .cases(cases);
    }
    Ok(())
}

/// What is missing in a schema, which missing indexes can be created (as statements; not those of constraints), and what it has in
/// addition.
fn differences(
    expected: &[String],
    found: &[String],
    schema: &str,
) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (wanted, there): (BTreeSet<&String>, BTreeSet<&String>) =
        (expected.iter().collect(), found.iter().collect());
    let absent: Vec<&String> = wanted.difference(&there).copied().collect();
    let is_constraints = |name: &str| {
        absent.iter().any(|line| line.starts_with("constraint ") && line.split(' ').nth(2) == Some(name))
    };
    let (mut missing, mut indexes) = (Vec::new(), Vec::new());
    for line in &absent {
        match line.strip_prefix("index ") {
            Some(make) if !is_constraints(name_of_index(make)) => indexes.push(make.to_owned()),
            _ => missing.push(shortened(&line.replace(SCHEMA_PLACEHOLDER, schema))),
        }
    }
    let more =
        there.difference(&wanted).map(|line| shortened(&line.replace(SCHEMA_PLACEHOLDER, schema))).collect();
    (missing, indexes, more)
}

/// The name in `CREATE UNIQUE INDEX name ON ...`, without quotes.
fn name_of_index(make: &str) -> &str {
    let name = make.split(" INDEX ").nth(1).unwrap_or_default();
    name.split(" ON ").next().unwrap_or_default().trim_matches('"')
}

/// The statement that makes an index while others go on writing.
fn create_concurrently_sql(make: &str, schema: &str) -> String {
    make.replacen(" INDEX ", " INDEX CONCURRENTLY ", 1).replace(SCHEMA_PLACEHOLDER, &quoted(schema))
}

fn shortened(line: &str) -> String {
    let line = line.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

/// Reports indexes that PostgreSQL does not use, because their creation was interrupted.
async fn check_unfinished_indexes(session: &mut Session, report: &mut Report) -> Result<()> {
    let indexes: Vec<(String, String)> = session.read(Statement::new(INVALID)).await?;
    report.looked_at("indexes", "of every table");
    if indexes.is_empty() {
        return Ok(());
    }
    let names = indexes.iter().map(|(schema, name)| format!("{schema}.{name}")).collect();
    let repair = indexes.iter().map(|(schema, name)| rebuild_index_sql(schema, name)).collect();
    report
        .problem("indexes", format!("{} indexes were not finished and are not used", indexes.len()))
        .advice("Have them made anew")
        .cases(names)
        .repair(Repair::Sql(repair));
    Ok(())
}

/// The statement that drops an index left by an interrupted `reindex concurrently`, or builds another unfinished index again.
fn rebuild_index_sql(schema: &str, name: &str) -> String {
    let full = format!("{}.{}", quoted(schema), quoted(name));
    let left = |ending: &str| {
        name.rsplit_once(ending).is_some_and(|(_, rest)| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match left("_ccnew") || left("_ccold") {
        true => format!("drop index concurrently {full}"),
        false => format!("reindex index concurrently {full}"),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

const PRESENT: &str = "select to_regclass('octavo.schema_version')::text";
const VERSIONS: &str = "\
select coalesce((select max(version) from octavo.schema_version), 0)::int8,
  coalesce((select max(schema_version) from octavo.tenants), 0)::int8";
/// The supertenant has no tables of its own.
const TENANTS: &str = "\
select t.id, n.oid is not null
from octavo.tenants t
left join pg_namespace n on n.nspname = 'tenant_' || t.id
where t.id <> 'supertenant'
order by t.id";
const COUNT: &str = "select count(*) from octavo.tenants where id <> 'supertenant'";
const INVALID: &str = "\
select n.nspname::text, c.relname::text
from pg_index i
join pg_class c on c.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace
where not (i.indisvalid and i.indisready)
  and (n.nspname = 'octavo' or n.nspname in (select 'tenant_' || id from octavo.tenants))
order by 1, 2";

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| line.replace("S.", "the_schema.")).collect()
    }

    #[test]
    fn what_a_schema_lacks_is_told_from_what_it_has_beside() {
        let expected = lines(&[
            "column loan doc json",
            "constraint S.loan loan_pkey PRIMARY KEY (id)",
            "index CREATE UNIQUE INDEX loan_pkey ON S.loan USING btree (id)",
            "index CREATE INDEX \"loan_itemId_order\" ON S.loan USING btree (\"itemId\")",
        ]);
        assert_eq!(differences(&expected, &expected, "t"), (vec![], vec![], vec![]));
        let found = lines(&["column loan doc jsonb"]);
        let (missing, indexes, more) = differences(&expected, &found, "t");
        assert_eq!(
            missing,
            [
                "column loan doc json",
                "constraint t.loan loan_pkey PRIMARY KEY (id)",
                "index CREATE UNIQUE INDEX loan_pkey ON t.loan USING btree (id)",
            ]
        );
        assert_eq!(
            indexes.iter().map(|index| create_concurrently_sql(index, "t")).collect::<Vec<_>>(),
            ["CREATE INDEX CONCURRENTLY \"loan_itemId_order\" ON \"t\".loan USING btree (\"itemId\")"]
        );
        assert_eq!(more, ["column loan doc jsonb"]);
    }

    #[test]
    fn what_was_left_of_an_interruption_goes() {
        assert_eq!(rebuild_index_sql("t", "a_order"), "reindex index concurrently \"t\".\"a_order\"");
        assert_eq!(
            rebuild_index_sql("t", "a_order_ccnew"),
            "drop index concurrently \"t\".\"a_order_ccnew\""
        );
        assert_eq!(rebuild_index_sql("t", "a_ccold1"), "drop index concurrently \"t\".\"a_ccold1\"");
        assert_eq!(rebuild_index_sql("t", "a_ccnews"), "reindex index concurrently \"t\".\"a_ccnews\"");
    }
}
