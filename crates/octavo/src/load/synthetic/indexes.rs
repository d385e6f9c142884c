//! Drops the indexes and constraints of the large tables, and disables triggers on new rows, before the tables are filled; creates and
//! enables them again afterwards, exactly as they were.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use octavo_engine::Context;
use octavo_pg::{Session, Statement};

use super::super::fault_to_error;
use super::super::progress::Progress;

/// Statements that create the dropped indexes and constraints and enable the disabled triggers again, in groups. Each group needs those
/// before it.
#[derive(Debug, Default)]
pub(super) struct DroppedObjects {
    statement_groups: Vec<Vec<String>>,
}

/// How much memory each statement may use. Statements that read one table at the same time read it together:
/// most tables do not fit into memory, and each index needs all of its table.
const BUILD_SETTINGS: &str = "\
set maintenance_work_mem = '512MB';
set max_parallel_maintenance_workers = 0;
set synchronize_seqscans = on;
set synchronous_commit = off";

const USUAL_SETTINGS: &str = "\
reset maintenance_work_mem;
reset max_parallel_maintenance_workers;
reset synchronize_seqscans;
reset synchronous_commit";

pub(super) async fn drop_objects(session: &mut Session, tables: &[&str]) -> Result<DroppedObjects> {
    let tables: Vec<String> = tables.iter().map(|&table| table.to_owned()).collect();
    let read = async |session: &mut Session, sql: &'static str| -> Result<Vec<(String, String)>> {
        Ok(session.read(Statement::new(sql).texts(tables.clone())).await?)
    };
    let triggers = read(session, TRIGGERS).await?;
    let references = read(session, REFERENCES).await?;
    let indexes = read(session, INDEXES).await?;
    let keys = read(session, KEYS).await?;
    let drops =
        triggers.iter().chain(&references).chain(&indexes).chain(&keys).map(|(drop, _)| drop.as_str());
    session.script(&drops.collect::<Vec<&str>>().join(";\n")).await?;
    let makes = |all: Vec<(String, String)>| all.into_iter().map(|(_, make)| make).collect();
    Ok(DroppedObjects {
        statement_groups: vec![makes(keys), makes(indexes), makes(references), makes(triggers)],
    })
}

impl DroppedObjects {
    /// Executes all statements, on `hands` connections at the same time; then vacuums and analyzes the tables.
    pub(super) async fn restore(self, context: &Context, tables: &[&str], hands: usize) -> Result<()> {
        let statistics = tables.iter().map(|table| format!("vacuum (analyze) {table:?}")).collect();
        let groups: Vec<Vec<String>> = self.statement_groups.into_iter().chain([statistics]).collect();
        let total = groups.iter().map(Vec::len).sum::<usize>() as u64;
        let progress = Arc::new(Mutex::new(Progress::new("indexes", 0, total)));
        let done = Arc::new(AtomicU64::new(0));
        for group in groups {
            let queue = Arc::new(Mutex::new(group.into_iter()));
            let mut workers = Vec::new();
            for _ in 0..hands {
                let (context, queue) = (context.clone(), Arc::clone(&queue));
                let (progress, done) = (Arc::clone(&progress), Arc::clone(&done));
                workers.push(tokio::spawn(async move {
                    let mut session = context.session().await.map_err(fault_to_error)?;
                    session.script(BUILD_SETTINGS).await?;
                    loop {
                        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(statement) = next else { break };
                        session.script(&statement).await?;
                        let so_far = done.fetch_add(1, Ordering::Relaxed) + 1;
                        progress.lock().unwrap_or_else(PoisonError::into_inner).show(so_far, so_far);
                    }
                    session.script(USUAL_SETTINGS).await?;
                    anyhow::Ok(())
                }));
            }
            for worker in workers {
                worker.await??;
            }
        }
        progress.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }
}

/// The triggers that note changes for the search, whose index is rebuilt afterwards; and those that look up the titles of new holdings
/// and items. Without indexes these would read whole tables for each batch, and what harvesters need is written with the new titles.
const TRIGGERS: &str = "\
select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
  format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
from pg_trigger
where tgrelid = any($1::text[]::regclass[])
  and (tgname = 'search_changed'
    or tgnewtable is not null and tgtype & 4 <> 0 and tgrelid <> 'instance'::regclass)
order by tgrelid::regclass::text, tgname";
/// Foreign keys of the tables and into them.
const REFERENCES: &str = "\
select format('alter table %s drop constraint %I', conrelid::regclass, conname),
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
from pg_constraint
where contype = 'f'
  and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))
order by conname";
/// The slowest first: words and trigrams.
const INDEXES: &str = "\
select format('drop index %I', indexname), indexdef
from pg_indexes
where schemaname = current_schema()
  and tablename = any($1::text[])
  and indexname not in (select conname from pg_constraint where contype = 'p')
order by indexdef !~ 'using gin', tablename !~ 'instance', indexname";
const KEYS: &str = "\
select format('alter table %s drop constraint %I', conrelid::regclass, conname),
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
from pg_constraint
where contype = 'p'
  and conrelid = any($1::text[]::regclass[])
order by conname";
