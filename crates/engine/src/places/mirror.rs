//! Data that belong to no tenant are stored in the first database, and each further database has a copy of them: the keys that sign
//! tokens, the operator, modules outside of the process, the directory of tenants. So no request needs the first database, unless its
//! tenant is there.

use std::sync::Arc;

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement, Usage, Work};

use super::{FIRST_DATABASE, NamedDatabase, TenantDirectory};
use crate::tenants::{ChangeKind, notify_everywhere_statement};

/// A table of the schema `octavo` that is copied: its key and its other columns.
struct MirroredTable {
    table: &'static str,
    key: &'static str,
    others: &'static [&'static str],
    /// An SQL condition for the rows that are copied.
    copied_rows: &'static str,
    /// An SQL condition for rows of the copy that are not deleted although the first database does not have them.
    kept_rows: &'static str,
}

const ALL_ROWS: &str = "true";
const NO_ROWS: &str = "false";

/// In an order in which rows refer only to rows of earlier tables.
const MIRRORED_TABLES: &[MirroredTable] = &[
    MirroredTable {
        table: "properties",
        key: "name",
        others: &["value"],
        copied_rows: "name in ('token', 'operator')",
        kept_rows: NO_ROWS,
    },
    MirroredTable {
        table: "token_keys",
        key: "number",
        others: &["secret", "made", "signs"],
        copied_rows: ALL_ROWS,
        kept_rows: NO_ROWS,
    },
    MirroredTable {
        table: "user_interfaces",
        key: "id",
        others: &["descriptor"],
        copied_rows: ALL_ROWS,
        kept_rows: "exists (select from octavo.enabled_user_interfaces e where e.id = there.id)",
    },
    MirroredTable {
        table: "outside_modules",
        key: "id",
        others: &["descriptor"],
        copied_rows: ALL_ROWS,
        kept_rows: "exists (select from octavo.enabled_outside_modules e where e.id = there.id)",
    },
    MirroredTable {
        table: "instances",
        key: "id",
        others: &["module", "descriptor"],
        copied_rows: ALL_ROWS,
        kept_rows: NO_ROWS,
    },
    MirroredTable {
        table: "environment",
        key: "name",
        others: &["entry"],
        copied_rows: ALL_ROWS,
        kept_rows: NO_ROWS,
    },
    MirroredTable {
        table: "placement",
        key: "tenant",
        others: &["database", "name", "description"],
        copied_rows: ALL_ROWS,
        kept_rows: NO_ROWS,
    },
];

impl MirroredTable {
    /// A digest of the table's rows.
    fn digest_statement(&self) -> Statement {
        let MirroredTable { table, key, copied_rows: of, .. } = self;
        Statement::new(format!(
            "select coalesce(md5(string_agg({row}, ',' order by there.{key})), '') from octavo.{table} there where {of}",
            row = self.row_sql(),
        ))
    }

    /// A row as text that does not depend on the time zone of the session.
    fn row_sql(&self) -> String {
        let column = |column: &&str| match *column {
            "made" | "signs" => format!("extract(epoch from there.{column})"),
            column => format!("there.{column}"),
        };
        let columns: Vec<String> = std::iter::once(&self.key).chain(self.others).map(column).collect();
        format!("row({})::text", columns.join(", "))
    }

    fn read_statement(&self) -> Statement {
        let MirroredTable { table, key, copied_rows: of, .. } = self;
        Statement::new(format!(
            "select coalesce(json_agg(there order by there.{key}), '[]')::text from octavo.{table} there where {of}"
        ))
    }

    /// Statements that make the table equal to these rows.
    fn write_statements(&self, rows: &str) -> [Statement; 2] {
        let MirroredTable { table, key, others, copied_rows: of, kept_rows: kept } = self;
        let given = format!("json_populate_recordset(null::octavo.{table}, $1::text::json)");
        let set: Vec<String> = others.iter().map(|column| format!("{column} = excluded.{column}")).collect();
        let columns: Vec<&str> = std::iter::once(*key).chain(others.iter().copied()).collect();
        let columns = columns.join(", ");
        let delete = format!(
            "delete from octavo.{table} there where {of} and not {kept} and {key} not in (select {key} from {given})"
        );
        let insert = format!(
            "insert into octavo.{table} ({columns}) select {columns} from {given} on conflict ({key}) do update set {}",
            set.join(", ")
        );
        [Statement::new(delete).text(rows), Statement::new(insert).text(rows)]
    }
}

impl TenantDirectory {
    /// Updates the copy in a further database, after checking that the database is the one that its name stands for.
    pub async fn mirror(&self, place: &NamedDatabase) -> Outcome<()> {
        let usage = || Arc::new(Usage::for_work(Work::Maintenance));
        let mut to = place.database.system_session(usage()).await?;
        check_database_name(&mut to, &place.name).await?;
        let mut from = self.first.database.system_session(usage()).await?;
        check_database_name(&mut from, FIRST_DATABASE).await?;
        for table in MIRRORED_TABLES {
            let digests: [Option<String>; 2] =
                [from.read(table.digest_statement()).await?, to.read(table.digest_statement()).await?];
            if digests[0] == digests[1] {
                continue;
            }
            let rows: Option<String> = from.read(table.read_statement()).await?;
            let mut change = Vec::from(table.write_statements(rows.as_deref().unwrap_or("[]")));
            change.push(notify_everywhere_statement(ChangeKind::KEYS)?);
            change.push(notify_everywhere_statement(ChangeKind::INSTANCES)?);
            change.push(notify_everywhere_statement(ChangeKind::PLACE)?);
            to.transaction(change).await?;
        }
        Ok(())
    }

    /// Whether a further database has a copy, of whatever age.
    pub async fn has_copy(&self, place: &NamedDatabase) -> Outcome<bool> {
        let mut session = place.database.system_session(Arc::default()).await?;
        Ok(session.read::<Option<i64>>(Statement::new(HAS_KEYS)).await?.is_some())
    }
}

/// Stores the name of a database when it is used first, and refuses another name later: otherwise two databases could be confused.
async fn check_database_name(session: &mut Session, name: &str) -> Outcome<()> {
    session.rows(Statement::new(NAME_IT).text(name)).await?;
    let known: Option<String> = session.read(Statement::new(NAME)).await?;
    match known {
        Some(known) if known != name => Err(Fault::internal(format!(
            "the settings call a database {name} that was called {known} before: each has its name for ever"
        ))),
        _ => Ok(()),
    }
}

const NAME_IT: &str =
    "insert into octavo.properties (name, value) values ('place', $1) on conflict do nothing";
const NAME: &str = "select value from octavo.properties where name = 'place'";
const HAS_KEYS: &str = "select 1::int8 from octavo.token_keys limit 1";

octavo_pg::statements!(other = [NAME_IT, NAME, HAS_KEYS]);
