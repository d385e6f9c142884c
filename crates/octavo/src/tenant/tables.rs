//! Which tables of a tenant are written to files, and what of each.

use std::collections::HashSet;

use anyhow::Result;
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Json, Session, Sql, Statement};

/// Tables that are not exported: a new tenant has its own. Events have numbers that depend on the transactions of the database in which
/// they happened; consumers go on with the events after the import.
pub(super) const LEFT_OUT: &[&str] = &["event", "mapping_count", "migration", "snapshot_count"];

/// Tables of the schema `octavo` and their columns beside `tenant`.
pub(super) const COMMON: &[(&str, &str)] = &[
    ("enabled_modules", "module"),
    ("enabled_user_interfaces", "product, id"),
    ("enabled_outside_modules", "product, id"),
    ("timers", "module, id, schedule, next_run"),
    ("import_jobs", "job"),
];

/// Tables of descriptors, and those that refer to them.
pub(super) const DESCRIPTORS: &[(&str, &str)] =
    &[("user_interfaces", "enabled_user_interfaces"), ("outside_modules", "enabled_outside_modules")];

/// A table of a tenant. Of a record only the document is written: the columns beside it are made from it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    pub(super) is_record: bool,
}

impl Table {
    /// The columns that are exported as rows.
    pub(super) fn columns_to_write(&self) -> Vec<String> {
        match self.is_record {
            true => vec!["id".to_owned(), "doc".to_owned()],
            false => self.columns.clone(),
        }
    }
}

pub(super) async fn load_tables(session: &mut Session, tenant: &TenantId) -> Result<Vec<Table>> {
    let records: HashSet<&str> =
        MODULES.iter().flat_map(|module| module.tables()).map(|record| record.table).collect();
    let found: Vec<(String, Json<Vec<String>>)> =
        session.read(Statement::new(TABLES).text(tenant.schema())).await?;
    let table = |(name, Json(columns)): (String, Json<Vec<String>>)| {
        let is_record = records.contains(name.as_str());
        Table { name, columns, is_record }
    };
    Ok(found.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str())).map(table).collect())
}

/// Whether the table can be exported as one document a line: the id of each row is in its document, and no document has line ends.
pub(super) async fn fits_in_document_lines(
    session: &mut Session,
    tenant: &TenantId,
    table: &str,
) -> Result<bool> {
    let text = format!(
        "select not exists (select from {} where id::text is distinct from doc ->> 'id' or doc::text ~ E'[\\n\\r]')",
        quoted_table(tenant, table)
    );
    Ok(session.read_once::<Option<bool>>(&Sql { text, params: Vec::new() }).await? == Some(true))
}

pub(super) fn quoted_table(tenant: &TenantId, table: &str) -> String {
    format!("{:?}.{table:?}", tenant.schema())
}

const TABLES: &str = "\
select c.relname::text, json_agg(a.attname::text order by a.attnum)
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where c.relkind = 'r' and c.relnamespace = to_regnamespace(quote_ident($1))
group by c.relname
order by c.relname";
