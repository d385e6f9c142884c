//! What is no tenant's stands in the first database, and each further database has a copy: the keys that sign tokens, the operator,
//! modules outside of the process, the directory of tenants. So a further database needs the first for no request.

use std::sync::Arc;

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement, Usage, Work};

use super::{FIRST, Place, Places};
use crate::tenants::{Change, notify_of_all};

/// A table of the schema `octavo` that is copied, by its key and its other columns.
struct Mirrored {
    table: &'static str,
    key: &'static str,
    others: &'static [&'static str],
    /// Which of its rows are copied.
    of: &'static str,
    /// Which of its rows stay although the first database has none such.
    kept: &'static str,
}

const ALL: &str = "true";
const NONE: &str = "false";

/// In an order in which rows refer to those before.
const MIRRORED: &[Mirrored] = &[
    Mirrored {
        table: "properties",
        key: "name",
        others: &["value"],
        of: "name in ('token', 'operator')",
        kept: NONE,
    },
    Mirrored {
        table: "token_keys",
        key: "number",
        others: &["secret", "made", "signs"],
        of: ALL,
        kept: NONE,
    },
    Mirrored {
        table: "user_interfaces",
        key: "id",
        others: &["descriptor"],
        of: ALL,
        kept: "exists (select from octavo.enabled_user_interfaces e where e.id = there.id)",
    },
    Mirrored {
        table: "outside_modules",
        key: "id",
        others: &["descriptor"],
        of: ALL,
        kept: "exists (select from octavo.enabled_outside_modules e where e.id = there.id)",
    },
    Mirrored { table: "instances", key: "id", others: &["module", "descriptor"], of: ALL, kept: NONE },
    Mirrored { table: "environment", key: "name", others: &["entry"], of: ALL, kept: NONE },
    Mirrored {
        table: "placement",
        key: "tenant",
        others: &["database", "name", "description"],
        of: ALL,
        kept: NONE,
    },
];

impl Mirrored {
    /// A digest of the table's rows.
    fn digest(&self) -> Statement {
        let Mirrored { table, key, of, .. } = self;
        Statement::new(format!(
            "select coalesce(md5(string_agg({row}, ',' order by there.{key})), '') from octavo.{table} there where {of}",
            row = self.row(),
        ))
    }

    /// A row as text that does not depend on the time zone of the session.
    fn row(&self) -> String {
        let column = |column: &&str| match *column {
            "made" | "signs" => format!("extract(epoch from there.{column})"),
            column => format!("there.{column}"),
        };
        let columns: Vec<String> = std::iter::once(&self.key).chain(self.others).map(column).collect();
        format!("row({})::text", columns.join(", "))
    }

    fn read(&self) -> Statement {
        let Mirrored { table, key, of, .. } = self;
        Statement::new(format!(
            "select coalesce(json_agg(there order by there.{key}), '[]')::text from octavo.{table} there where {of}"
        ))
    }

    /// Makes the table as these rows are.
    fn write(&self, rows: &str) -> [Statement; 2] {
        let Mirrored { table, key, others, of, kept } = self;
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

impl Places {
    /// Brings the copy in a further database up to date, and makes sure that it is the database that its name means.
    pub async fn mirror(&self, place: &Place) -> Outcome<()> {
        let usage = || Arc::new(Usage::of(Work::Maintenance));
        let mut to = place.database.system(usage()).await?;
        claim(&mut to, &place.name).await?;
        let mut from = self.first.database.system(usage()).await?;
        claim(&mut from, FIRST).await?;
        for table in MIRRORED {
            let digests: [Option<String>; 2] =
                [from.read(table.digest()).await?, to.read(table.digest()).await?];
            if digests[0] == digests[1] {
                continue;
            }
            let rows: Option<String> = from.read(table.read()).await?;
            let mut change = Vec::from(table.write(rows.as_deref().unwrap_or("[]")));
            change.push(notify_of_all(Change::KEYS)?);
            change.push(notify_of_all(Change::INSTANCES)?);
            change.push(notify_of_all(Change::PLACE)?);
            to.transaction(change).await?;
        }
        Ok(())
    }

    /// Whether a further database has a copy, of whatever age.
    pub async fn has_copy(&self, place: &Place) -> Outcome<bool> {
        let mut session = place.database.system(Arc::default()).await?;
        Ok(session.read::<Option<i64>>(Statement::new(HAS_KEYS)).await?.is_some())
    }
}

/// A database keeps the name by which it was used first. Under another name it would be confused with another one.
async fn claim(session: &mut Session, name: &str) -> Outcome<()> {
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
