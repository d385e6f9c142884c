//! Fills the large tables: several threads make records, as many connections copy them. A connection waits for its
//! thread or the thread for it, so memory stays flat.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use octavo_engine::Context;
use octavo_modules::inventory_storage::{HOLDINGS, INSTANCE, ITEM};
use octavo_pg::{Cell, Session, Statement};
use octavo_record::{RecordType, table_name};
use tokio::sync::mpsc;

use super::super::fault_to_error;
use super::super::progress::Progress;
use super::books::{Books, RecordGenerator, Row};
use super::shape::Totals;

/// Instances that are made and copied at once.
const INSTANCES_PER_CHUNK: u64 = 2_000;

/// A run of instances and what was made before it.
type Piece = (std::ops::Range<u64>, Totals);

pub(super) async fn fill_tables(
    context: &Context,
    generator: &RecordGenerator,
    hands: usize,
) -> Result<Totals> {
    let (pieces, totals) = split_into_pieces(generator);
    let pieces = Arc::new(Mutex::new(pieces.into_iter()));
    let progress = Arc::new(Mutex::new(Progress::new("instances", 0, generator.shape.instances)));
    let done = Arc::new(AtomicU64::new(0));
    let mut workers = Vec::new();
    for _ in 0..hands {
        let (sender, mut receiver) = mpsc::channel::<Books>(1);
        let (generator, pieces) = (generator.clone(), Arc::clone(&pieces));
        std::thread::spawn(move || {
            loop {
                let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((instances, before)) = next else { break };
                if sender.blocking_send(generator.books(instances, before)).is_err() {
                    break;
                }
            }
        });
        let (context, progress, done) = (context.clone(), Arc::clone(&progress), Arc::clone(&done));
        workers.push(tokio::spawn(async move {
            let mut session = context.session().await.map_err(fault_to_error)?;
            session.script("set synchronous_commit = off").await?;
            while let Some(books) = receiver.recv().await {
                copy_rows(&mut session, &INSTANCE, &books.instances).await?;
                copy_rows(&mut session, &HOLDINGS, &books.holdings).await?;
                copy_rows(&mut session, &ITEM, &books.items).await?;
                let count = books.instances.len() as u64;
                let so_far = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.lock().unwrap_or_else(PoisonError::into_inner).show(so_far, so_far);
            }
            session.script("reset synchronous_commit").await?;
            anyhow::Ok(())
        }));
    }
    for worker in workers {
        worker.await??;
    }
    progress.lock().unwrap_or_else(PoisonError::into_inner).clear();
    advance_hrid_counters(context, totals).await?;
    Ok(totals)
}

fn split_into_pieces(generator: &RecordGenerator) -> (Vec<Piece>, Totals) {
    let (mut pieces, mut before) = (Vec::new(), Totals::default());
    let mut from = 0;
    while from < generator.shape.instances {
        let to = (from + INSTANCES_PER_CHUNK).min(generator.shape.instances);
        let own = generator.shape.totals(from..to);
        pieces.push((from..to, before));
        before = Totals {
            instances: before.instances + own.instances,
            holdings: before.holdings + own.holdings,
            items: before.items + own.items,
        };
        from = to;
    }
    (pieces, before)
}

async fn copy_rows(session: &mut Session, record: &RecordType, rows: &[Row]) -> Result<()> {
    let mut copy = session.copy_in(&table_name(record), &["id", "doc"]).await?;
    for row in rows {
        copy.write_row(&[Cell::Uuid(row.id), Cell::Json(&row.document)]).await?;
    }
    copy.finish().await?;
    Ok(())
}

/// Sets the counters of hrids, so that the next record gets the next number.
async fn advance_hrid_counters(context: &Context, totals: Totals) -> Result<()> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let kinds = [("instances", totals.instances), ("holdings", totals.holdings), ("items", totals.items)];
    for (kind, last) in kinds {
        let restart = Statement::new("select restart_hrids($1, $2)");
        session.rows(restart.text(kind).long(i64::try_from(last)? + 1)).await?;
    }
    Ok(())
}
