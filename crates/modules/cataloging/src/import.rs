//! A chunk of records of an import job: what becomes of them by the job's profile, written in the caller's transaction.
//!
//! What a profile says is `octavo_import`'s to know. Here its questions are answered, those of all records of a chunk together, and what it
//! makes of them is written.

mod answers;
mod lookups;
mod marc;
mod world;
mod write;

use std::collections::HashMap;
use std::sync::Arc;

use octavo_engine::Context;
use octavo_import::{Entity, JournalEntry, Need, Plan, Progress, Step, planned_too_early};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Record;
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

pub(crate) use lookups::record_type;
use world::Gathered;
pub(crate) use world::PROTECTIONS;
use write::Made;

/// A running job execution, as far as its records need it. Its id is that of the snapshot of source records too.
pub struct Job {
    pub id: Uuid,
    /// The job profile with all that hangs below it: `profileSnapshotWrapper` of mod-di-converter-storage.
    pub profile: Arc<Value>,
    /// The user who started it.
    pub user: Option<Uuid>,
    /// What it would do is wanted: the caller undoes its transaction.
    pub is_trial: bool,
}

pub struct Incoming {
    /// The id that its source record gets.
    pub id: Uuid,
    /// Its place in the file, from 0.
    pub order: i32,
    /// The record as it came: what is kept as `rawRecord`.
    pub raw: String,
    /// The record as read, or why it cannot be.
    pub parsed: Result<Record, String>,
}

/// What is left for the caller to write, in the same transaction, and the journal.
#[derive(Default)]
pub struct Written {
    pub statements: Vec<Statement>,
    pub journal: Vec<JournalEntry>,
    pub changes: Vec<Change>,
}

/// A stored record that was made, changed or deleted: what it takes to undo that, or in a trial to show it. Of what is made nothing is told
/// but in a trial: the journal names it.
#[derive(Debug)]
pub struct Change {
    /// The place of the incoming record in its file, from 0.
    pub order: i32,
    pub entity: Entity,
    pub id: Uuid,
    pub before: Option<Value>,
    /// In a trial.
    pub after: Option<Value>,
    /// The `_version` that the record has afterwards.
    pub version: Option<i64>,
}

/// So often may records of a chunk ask before the chunk is given up. A plan asks a few times for each of its profiles.
const MOST_ROUNDS: usize = 1000;

/// Decides what becomes of the records and writes it. The caller has begun a transaction, and commits it with the journal. When the database
/// refuses a chunk, the caller tries each record alone, and enters the refusal for the one that is at fault.
pub async fn chunk(
    context: &Context,
    session: &mut Session,
    job: &Job,
    records: &[Incoming],
) -> Outcome<Written> {
    let plan = Plan::compile(&job.profile).map_err(Fault::bad_request)?;
    let gathered = Gathered::read(context, session).await?;
    let world = gathered.world(context);
    let mut all: Vec<Progress> =
        records.iter().filter_map(|one| gathered.begin(&plan, job, one, &world)).collect();
    let mut rounds = 0;
    loop {
        let waiting: Vec<usize> =
            (0..all.len()).filter(|at| plan.step(&mut all[*at], &world) == Step::Needs).collect();
        if waiting.is_empty() {
            break;
        }
        rounds += 1;
        if rounds > MOST_ROUNDS {
            return Err(Fault::bad_request("The job profile asks for records without end"));
        }
        let needs: Vec<Need> = waiting.iter().flat_map(|at| all[*at].needs().to_vec()).collect();
        let mut answers = answers::answers(session, &needs.iter().collect::<Vec<_>>()).await?.into_iter();
        for at in waiting {
            let count = all[at].needs().len();
            all[at].answer(answers.by_ref().take(count).collect());
        }
    }
    let orders: HashMap<Uuid, i32> = records.iter().map(|one| (one.id, one.order)).collect();
    let orders: Vec<i32> =
        all.iter().map(|progress| orders.get(&progress.id()).copied().unwrap_or_default()).collect();
    let outcomes: Vec<octavo_import::Outcome> = all.into_iter().map(Progress::outcome).collect();
    if !planned_too_early(&outcomes).is_empty() {
        return Err(Fault::bad_request("Several records of the file change the same record"));
    }
    let made = orders.into_iter().zip(outcomes).map(|(order, outcome)| Made { order, outcome });
    let (journal, changes) = write::write(context, session, job, records, made.collect()).await?;
    Ok(Written { statements: Vec::new(), journal, changes })
}

octavo_pg::statements!(within = [answers, world, write]);
