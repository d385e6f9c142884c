//! FOLIO's database: a schema for each tenant and module, a table for each type of records, with `id` and `jsonb`.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use octavo_pg::{DbError, Row, Session, Statement, Usage};
use serde_json::Value;
use uuid::Uuid;

use super::page::{PAGE_RECORDS, ReadOutcome};
use super::plan::Kind;
use super::tables::{TableSource, folio_schema, table_sources};

pub(super) struct Database {
    session: Session,
    tenant: String,
    /// By table: an SQL `from` clause that gives the records with `id` and `jsonb`, or the reason why there are none.
    sql_by_table: HashMap<&'static str, Result<String, String>>,
}

impl Database {
    pub(super) async fn open(url: &str, tenant: &str) -> Result<Database> {
        let database = octavo_pg::Database::for_visitor(url, "octavo migrate", None)?;
        let session = database.system_session(Arc::new(Usage::default())).await?;
        let mut opened = Database { session, tenant: tenant.to_owned(), sql_by_table: HashMap::new() };
        let schemas = Statement::new(SCHEMAS).text(format!("{}\\_mod\\_%", tenant.replace('_', "\\_")));
        let schemas: Vec<String> = opened.session.read(schemas).await?;
        if schemas.is_empty() {
            return Err(anyhow!(
                "the database has no schemas of a FOLIO tenant {tenant}, such as {tenant}_mod_users"
            ));
        }
        Ok(opened)
    }

    pub(super) async fn read_page(&mut self, kind: &Kind, place: &str) -> Result<ReadOutcome> {
        let from = match self.source_clause(kind).await? {
            Ok(from) => from,
            Err(absent) => return Ok(ReadOutcome::Absent(absent)),
        };
        let after = Uuid::parse_str(place).ok();
        let condition = if after.is_some() { "where r.id > $1" } else { "" };
        let sql = format!(
            "select r.id, r.jsonb::text from {from} r {condition} order by r.id limit {PAGE_RECORDS}"
        );
        let statement = Statement::new(sql);
        let statement = after.into_iter().fold(statement, Statement::uuid);
        let rows = match self.session.rows(statement).await {
            Ok(rows) => rows,
            // The query fails if another release of FOLIO lacks a column, or if this user may not read the table.
            Err(DbError::Refused { message, .. }) if after.is_none() => {
                return Ok(ReadOutcome::Absent(message));
            }
            Err(error) => return Err(error.into()),
        };
        let last = rows.len() < PAGE_RECORDS;
        let mut place = place.to_owned();
        let mut records = Vec::with_capacity(rows.len());
        for (id, document) in rows.iter().map(Row::read::<(Uuid, Value)>) {
            place = id.to_string();
            records.push(with_id(kind, document, id));
        }
        Ok(ReadOutcome::Page { records, place, last })
    }

    pub(super) async fn count_records(&mut self, kind: &Kind) -> Result<Option<u64>> {
        let Ok(from) = self.source_clause(kind).await? else { return Ok(None) };
        let count = Statement::new(format!("select count(*) from {from} r"));
        let count: Option<i64> = self.session.read(count).await?;
        Ok(count.and_then(|count| count.try_into().ok()))
    }

    pub(super) async fn records_by_ids(
        &mut self,
        kind: &Kind,
        ids: &[Uuid],
    ) -> Result<Option<HashMap<Uuid, Value>>> {
        let Ok(from) = self.source_clause(kind).await? else { return Ok(None) };
        let sql = format!("select r.id, r.jsonb::text from {from} r where r.id = any($1)");
        let rows = self.session.rows(Statement::new(sql).uuids(ids.to_vec())).await?;
        let records = rows.iter().map(Row::read::<(Uuid, Value)>);
        Ok(Some(records.map(|(id, document)| (id, with_id(kind, document, id))).collect()))
    }

    /// From the sequence of mod-inventory-storage.
    pub(super) async fn last_hrid_number(&mut self, part: &str) -> Result<Option<i64>> {
        let sequence = format!("{:?}.hrid_{part}_seq", folio_schema(&self.tenant, "mod-inventory-storage"));
        if !self.table_exists(&sequence).await? {
            return Ok(None);
        }
        let sql = format!("select last_value - case when is_called then 0 else 1 end from {sequence}");
        Ok(self.session.read(Statement::new(sql)).await?)
    }

    async fn source_clause(&mut self, kind: &Kind) -> Result<Result<String, String>> {
        if let Some(known) = self.sql_by_table.get(kind.table()) {
            return Ok(known.clone());
        }
        let [plain, in_columns] = table_sources(&self.tenant, kind.module, kind.folios_table());
        // A type that Octavo stores in columns is stored in columns by FOLIO too: a table with documents is not looked for.
        let plain = plain.filter(|_| in_columns.is_none() || kind.form().is_none());
        let mut found = Err(String::new());
        for place in [plain, in_columns].into_iter().flatten() {
            let missing = self.missing_table(&place).await?;
            found = missing.map_or(Ok(place.sql), |table| Err(format!("the database has no table {table}")));
            if found.is_ok() {
                break;
            }
        }
        self.sql_by_table.insert(kind.table(), found.clone());
        Ok(found)
    }

    /// The first table that is needed for a source and does not exist.
    async fn missing_table(&mut self, place: &TableSource) -> Result<Option<String>> {
        for table in &place.tables {
            let there = match place.with_documents {
                true => {
                    let found = Statement::new(WITH_DOCUMENTS).text(table);
                    self.session.read::<Option<i64>>(found).await?.is_some()
                }
                false => self.table_exists(table).await?,
            };
            if !there {
                return Ok(Some(table.replace('"', "")));
            }
        }
        Ok(None)
    }

    async fn table_exists(&mut self, table: &str) -> Result<bool> {
        let found: Option<Option<String>> = self.session.read(Statement::new(THERE).text(table)).await?;
        Ok(found.flatten().is_some())
    }
}

/// The id of a row is that of its document.
fn with_id(kind: &Kind, mut document: Value, id: Uuid) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.insert(kind.id_member().to_owned(), id.to_string().into());
    }
    document
}

const SCHEMAS: &str = "select nspname::text from pg_namespace where nspname like $1";
const THERE: &str = "select to_regclass($1)::text";
const WITH_DOCUMENTS: &str = "\
select 1::int8 from pg_attribute
where attrelid = to_regclass($1) and attname = 'jsonb' and not attisdropped";
