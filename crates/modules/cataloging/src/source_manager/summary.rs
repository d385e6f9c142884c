//! The numbers of entities that a job has created, updated and discarded, counted as FOLIO counts them (`get_job_execution_summary` of
//! mod-source-record-manager 3.8.5).

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, read_each};
use serde_json::{Value, json};
use uuid::Uuid;

use super::journal::COUNTED;

/// Adds the numbers of a transaction to the totals of its job.
pub(super) fn add_counts_statement(job: Uuid, counts: &[[i64; 4]; COUNTED.len()]) -> Option<Statement> {
    let rows: Vec<Value> = COUNTED
        .iter()
        .zip(counts)
        .filter(|(_, counts)| **counts != [0; 4])
        .map(|((name, ..), [created, updated, discarded, errors])| {
            json!({"entity": name, "created": created, "updated": updated, "discarded": discarded, "errors": errors})
        })
        .collect();
    (!rows.is_empty()).then(|| Statement::new(ADD).uuid(job).text(Value::from(rows).to_string()))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("JobSummary for jobExecutionId: '{id}' was not found"));
    let job = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let answers =
        session.batch(vec![Statement::new(FAILED).uuid(job), Statement::new(SUMS).uuid(job)]).await?;
    let (failed, sums): (Option<i64>, Vec<(String, i64, i64, i64, i64)>) = read_each(&answers);
    let failed = failed.ok_or_else(missing)?;
    // Several records of a file may have updated the same instance.
    let several = sums.iter().any(|(entity, _, updated, ..)| entity == "instance" && *updated > 1);
    let updated_instances: Option<i64> = match several {
        true => session.read(Statement::new(UPDATED_INSTANCES).uuid(job)).await?,
        false => None,
    };
    let mut summary = json!({"jobExecutionId": job, "totalErrors": failed});
    for (entity, created, updated, discarded, errors) in sums {
        if let Some((_, member, _)) = COUNTED.iter().find(|(name, ..)| *name == entity) {
            let updated_instances = updated_instances.filter(|_| entity == "instance");
            summary[*member] = json!({
                "totalCreatedEntities": created,
                "totalUpdatedEntities": updated_instances.unwrap_or(updated),
                "totalDiscardedEntities": discarded,
                "totalErrors": errors,
            });
        }
    }
    Ok(Response::json(200, &summary))
}

const ADD: &str = "\
insert into import_count as c (job, entity, created, updated, discarded, errors)
select $1, entity, created, updated, discarded, errors
from json_to_recordset($2::text::json) r (entity text, created bigint, updated bigint, discarded bigint, errors bigint)
on conflict (job, entity) do update
set
  created = c.created + excluded.created,
  updated = c.updated + excluded.updated,
  discarded = c.discarded + excluded.discarded,
  errors = c.errors + excluded.errors";

/// Reads the number of failed records of a job that has read at least one record.
const FAILED: &str = "\
select failed
from job_execution j
where j.id = $1 and not j.is_deleted and exists (select from incoming_record r where r.job = j.id)";

/// Counts the updated instances, except those that the same record of the file has created.
const UPDATED_INSTANCES: &str = "\
select count(distinct u.entity_id)
from journal_record u
where
  u.job = $1
  and u.entity = 'INSTANCE'
  and u.action = 'UPDATE'
  and u.error is null
  and not exists (
    select
    from journal_record c
    where
      c.job = u.job
      and c.place = u.place
      and c.source = u.source
      and c.entity = 'INSTANCE'
      and c.action = 'CREATE'
      and c.error is null
      and c.entity_id = u.entity_id)";

const SUMS: &str = "select entity, created, updated, discarded, errors from import_count where job = $1";

octavo_pg::statements!(other = [ADD, FAILED, SUMS, UPDATED_INSTANCES]);
