//! The moment in which writing transactions wait and the tenant leaves the one database for the other.

use std::collections::BTreeMap;
use std::time::Duration;

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::value::RawValue;
use tokio::time::sleep;

use super::super::{FIRST_DATABASE, complete_arrival, placement_statements};
use super::{Move, Step, Table, moved_schema, now, session, table_names_sql};
use crate::tenants::{MAX_LOCK_WAIT_MS, is_lock_conflict, notify_tenant_statement, report_schemas_statement};

/// How long writing transactions may wait for the last changes to be replicated to the other database.
const MAX_WRITER_WAIT: Duration = Duration::from_millis(700);
/// How many attempts are made, and how long writing transactions can go on between two attempts.
const ATTEMPTS: usize = 60;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(400);

pub(super) struct Switched {
    pub(super) paused: Duration,
    /// A transaction that sees the other database as it was at the moment of the move.
    pub(super) frozen: Session,
    pub(super) reports: Vec<String>,
}

impl Move<'_> {
    /// Moves the tenant to the other database. Returns also how many attempts failed before.
    pub(super) async fn switch(
        &self,
        tables: &[Table],
        number: &mut i64,
        told: &mut impl FnMut(Step) -> Outcome<()>,
    ) -> Outcome<(Switched, usize)> {
        let mut why = String::new();
        for attempt in 0..ATTEMPTS {
            *number += 1;
            match self.try_to_switch(tables, *number, told).await {
                Ok(switched) => return Ok((switched, attempt)),
                Err(SwitchError::Retry(reason)) => why = reason,
                Err(SwitchError::Fatal(fault)) => return Err(fault),
            }
            sleep(ATTEMPT_INTERVAL).await;
        }
        Err(Fault::unavailable(
            "the tenant stays where it is: no moment was found in which nobody writes",
            why,
        ))
    }

    async fn try_to_switch(
        &self,
        tables: &[Table],
        number: i64,
        told: &mut impl FnMut(Step) -> Outcome<()>,
    ) -> Result<Switched, SwitchError> {
        let mut from = session(&self.from.place.database).await?;
        let of_others = self.common_tables(&mut from).await?;
        let reports: Vec<String> =
            from.read(report_schemas_statement(self.tenant)).await.map_err(Fault::from)?;
        let mut frozen = session(&self.to.place.database).await?;
        frozen.script("begin isolation level repeatable read read only").await.map_err(Fault::from)?;
        from.begin(vec![Statement::new(format!("set local statement_timeout = {MAX_LOCK_WAIT_MS}"))])
            .await
            .map_err(Fault::from)?;
        let begun = now();
        self.hold_writers(&mut from, tables, &of_others).await?;
        from.script("set local statement_timeout = 0").await.map_err(Fault::from)?;
        told(Step::Paused)?;
        self.write_marker(number).await?;
        if !self.wait_for_marker(number, MAX_WRITER_WAIT).await? {
            from.rollback().await.map_err(Fault::from)?;
            return Err(SwitchError::Retry("the other database was behind".to_owned()));
        }
        // Only now it sees the other database.
        frozen.script("select 1").await.map_err(Fault::from)?;
        self.stage_rows(&mut from, &of_others).await?;
        told(Step::Ready)?;
        self.commit_departure(from, &reports).await?;
        told(Step::Left)?;
        complete_arrival(&self.to.place.database, self.tenant).await?;
        let paused = begun.elapsed();
        if let Err(fault) =
            self.directory.correct_placement(self.tenant, &self.from.place.name, &self.to.place.name).await
        {
            tracing::warn!(%fault, "the directory does not say yet where the tenant is; the database that it left does");
        }
        told(Step::Arrived)?;
        Ok(Switched { paused, frozen, reports })
    }

    /// Locks the tenant's tables so that no other transaction can write to them.
    async fn hold_writers(
        &self,
        from: &mut Session,
        tables: &[Table],
        of_others: &[String],
    ) -> Result<(), SwitchError> {
        let tenant = self.tenant.as_str();
        let mut rows = vec![format!("select from octavo.tenants where id = '{tenant}' for update")];
        rows.extend(
            of_others
                .iter()
                .map(|table| format!("select from octavo.{table} where tenant = '{tenant}' for update")),
        );
        rows.push(format!("lock table {} in share mode", table_names_sql(tables)));
        match from.script(&rows.join("; ")).await {
            Ok(()) => Ok(()),
            Err(error) if is_lock_conflict(&error) => {
                from.rollback().await.map_err(Fault::from)?;
                Err(SwitchError::Retry("a transaction of somebody else did not end".to_owned()))
            }
            Err(error) => Err(SwitchError::Fatal(error.into())),
        }
    }

    /// Copies the values of sequences, the triggers that a running tenant gets, and the tenant's rows in the schema `octavo`, which take
    /// effect when the tenant arrives.
    async fn stage_rows(&self, from: &mut Session, of_others: &[String]) -> Outcome<()> {
        let tenant = self.tenant.as_str();
        let names: Vec<String> = from.read(Statement::new(SEQUENCES).text(self.tenant.schema())).await?;
        let triggers: Vec<String> = from.read(Statement::new(TRIGGERS).text(self.tenant.schema())).await?;
        let tables: Vec<(&str, &str)> = std::iter::once(("tenants", "id"))
            .chain(of_others.iter().map(|table| (table.as_str(), "tenant")))
            .collect();
        let counters =
            names.iter().map(|name| Statement::new(format!("select last_value, is_called from {name}")));
        let common = tables.iter().map(|(table, key)| {
            let rows = format!("select json_agg(r)::text from octavo.{table} r where r.{key} = $1");
            Statement::new(rows).text(tenant)
        });
        let answers = from.batch(counters.chain(common).collect()).await?;
        let (counters, common) = answers.split_at(names.len());
        let mut ready = Vec::with_capacity(names.len() + triggers.len() + 1);
        for (name, counter) in names.iter().zip(counters) {
            let counter = counter.first().map(|row| row.read::<(i64, bool)>());
            let (last, called) = counter.unwrap_or((1, false));
            ready.push(Statement::new(format!("select setval('{name}', {last}, {called})::text")));
        }
        ready.extend(triggers.into_iter().map(Statement::new));
        let mut rows: BTreeMap<&str, Box<RawValue>> = BTreeMap::new();
        for ((table, _), found) in tables.iter().zip(common) {
            if let Some(text) = found.first().and_then(|row| row.read::<Option<String>>()) {
                rows.insert(*table, RawValue::from_string(text).map_err(Fault::internal)?);
            }
        }
        let rows = serde_json::to_string(&rows).map_err(Fault::internal)?;
        ready.push(Statement::new(PUT_READY).text(tenant).text(rows));
        session(&self.to.place.database).await?.transaction(ready).await?;
        Ok(())
    }

    /// Commits that the tenant has left this database. Whoever asks for it here later finds to which database it went.
    async fn commit_departure(&self, mut from: Session, reports: &[String]) -> Outcome<()> {
        let (tenant, aside) = (self.tenant.as_str(), moved_schema(self.tenant));
        let mut changes: Vec<Statement> = reports
            .iter()
            .map(|name| Statement::new(format!("drop schema if exists {name:?} cascade")))
            .collect();
        changes.push(Statement::new(format!("alter schema {:?} rename to {aside:?}", self.tenant.schema())));
        changes.push(Statement::new(LEAVE).text(tenant));
        changes.push(Statement::new(DEPART).text(tenant).text(&self.to.place.name).text(aside));
        changes.push(notify_tenant_statement(self.tenant));
        if self.from.place.name == FIRST_DATABASE {
            let described: Option<(Option<String>, Option<String>)> =
                from.read(Statement::new(DESCRIBED).text(tenant)).await?;
            let (name, description) = described.unwrap_or_default();
            let descriptor = crate::TenantDescriptor { id: None, name, description };
            changes.extend(placement_statements(self.tenant, &self.to.place.name, Some(&descriptor)));
        }
        from.commit(changes).await?;
        Ok(())
    }

    /// The tables of the schema `octavo` with rows of tenants that both databases have.
    async fn common_tables(&self, from: &mut Session) -> Outcome<Vec<String>> {
        let here: Vec<String> = from.read(Statement::new(COMMON)).await?;
        let there: Vec<String> = session(&self.to.place.database).await?.read(Statement::new(COMMON)).await?;
        Ok(here.into_iter().filter(|table| there.contains(table)).collect())
    }
}

/// Why the tenant did not change its database.
enum SwitchError {
    Retry(String),
    Fatal(Fault),
}

impl From<Fault> for SwitchError {
    fn from(fault: Fault) -> SwitchError {
        SwitchError::Fatal(fault)
    }
}

const COMMON: &str = "\
select c.relname::text
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where k.confrelid = 'octavo.tenants'::regclass and k.contype = 'f' and c.relname <> 'reporting_schema'
order by 1";
const SEQUENCES: &str = "\
select format('%I.%I', schemaname, sequencename) from pg_sequences where schemaname = $1 order by 1";
/// The triggers that write changes of records as events exist only while a consumer wants such events: no migration makes them.
const TRIGGERS: &str = "\
select replace(pg_get_triggerdef(t.oid), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER')
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where t.tgname = 'record_changed' and c.relnamespace = to_regnamespace(quote_ident($1))";
const DESCRIBED: &str = "select name, description from octavo.tenants where id = $1";
const PUT_READY: &str = "\
insert into octavo.arriving (tenant, rows) values ($1, $2::text::json)
on conflict (tenant) do update set rows = excluded.rows";
const LEAVE: &str = "delete from octavo.tenants where id = $1";
const DEPART: &str = "\
insert into octavo.departed (tenant, database, schema) values ($1, $2, $3)
on conflict (tenant) do update
set database = excluded.database, schema = excluded.schema, at = now()";

octavo_pg::statements! {
    other = [COMMON, SEQUENCES, TRIGGERS, DESCRIBED, PUT_READY, LEAVE, DEPART],
}
