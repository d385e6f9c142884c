//! Imports a chunk of records of a job by the job's profile, in the caller's transaction.
//!
//! `octavo_import` decides what the profile does with each record. This module answers its questions, for all records of a chunk together,
//! and writes the results.

mod answers;
mod lookups;
mod marc;
pub(crate) mod titles;
mod world;
mod write;

use std::collections::HashMap;
use std::sync::Arc;

use octavo_engine::Context;
use octavo_import::{Entity, JournalEntry, Need, Plan, Progress, Step, conflicting_outcomes};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Record;
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

pub(crate) use lookups::record_type;
use world::ImportSettings;
pub(crate) use world::PROTECTIONS;
use write::PlannedRecord;

/// The data of a running job execution that its records need. Its id is also that of the snapshot of its source records.
pub struct Job {
    pub id: Uuid,
    /// The job profile with all that hangs below it: `profileSnapshotWrapper` of mod-di-converter-storage.
    pub profile: Arc<Value>,
    /// The user who started it.
    pub user: Option<Uuid>,
    /// Whether the job is a trial: then the caller rolls its transaction back.
    pub is_trial: bool,
}

pub struct Incoming {
    /// The id that its source record gets.
    pub id: Uuid,
    /// Its place in the file, from 0.
    pub order: i32,
    /// The record as it was received; it is stored as `rawRecord`.
    pub raw: String,
    /// The parsed record, or the reason why it cannot be parsed.
    pub parsed: Result<Record, String>,
    /// Whether a new instance may take its id from 999 ff $i.
    pub accepts_instance_id: bool,
}

/// The statements that the caller still has to run in the same transaction, the journal, and the changes.
#[derive(Default)]
pub struct ChunkResult {
    pub statements: Vec<Statement>,
    pub journal: Vec<JournalEntry>,
    pub changes: Vec<Change>,
}

/// A stored record that was changed or deleted, with the data to undo that. In a trial also the records that would be created, to show
/// them; otherwise the journal lists the created records.
#[derive(Debug)]
pub struct Change {
    /// The place of the incoming record in its file, from 0.
    pub order: i32,
    pub entity: Entity,
    pub id: Uuid,
    pub before: Option<Value>,
    /// The record after the change; only in a trial.
    pub after: Option<Value>,
    /// The `_version` that the record has afterwards.
    pub version: Option<i64>,
}

/// The most rounds of questions of a chunk before it is given up. A plan needs a few rounds for each of its profiles.
const MOST_ROUNDS: usize = 1000;

/// Decides what is done with the records and writes it. The caller has opened a transaction, and commits it with the journal. If the
/// database refuses a chunk, the caller tries each record alone, and logs the refusal for the record that causes it.
pub async fn chunk(
    context: &Context,
    session: &mut Session,
    job: &Job,
    records: &[Incoming],
) -> Outcome<ChunkResult> {
    let plan = Plan::compile(&job.profile).map_err(Fault::bad_request)?;
    let gathered = ImportSettings::load(context, session).await?;
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
        let mut answers =
            answers::answer_needs(session, &needs.iter().collect::<Vec<_>>()).await?.into_iter();
        for at in waiting {
            let count = all[at].needs().len();
            all[at].answer(answers.by_ref().take(count).collect());
        }
    }
    let orders: HashMap<Uuid, i32> = records.iter().map(|one| (one.id, one.order)).collect();
    let orders: Vec<i32> =
        all.iter().map(|progress| orders.get(&progress.id()).copied().unwrap_or_default()).collect();
    let outcomes: Vec<octavo_import::Outcome> = all.into_iter().map(Progress::outcome).collect();
    if !conflicting_outcomes(&outcomes).is_empty() {
        return Err(Fault::bad_request("Several records of the file change the same record"));
    }
    let made = orders.into_iter().zip(outcomes).map(|(order, outcome)| PlannedRecord { order, outcome });
    let (journal, changes) = write::write(context, session, job, records, made.collect()).await?;
    Ok(ChunkResult { statements: Vec::new(), journal, changes })
}

octavo_pg::statements!(within = [answers, titles, world, write]);
