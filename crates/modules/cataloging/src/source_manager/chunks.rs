//! Chunks of records that clients send. They are stored and worked on later; a chunk that is sent again is ignored.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::runner::{self, RawFormat};
use super::{change, job, snapshots, status};

const CHUNK: &str = include_str!("../../../folio/records/mod-source-record-manager/rawRecordsDto.tsv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    id: Uuid,
    initial_records: Vec<InitialRecord>,
    records_metadata: ChunkMetadata,
}

#[derive(Debug, Deserialize)]
struct InitialRecord {
    record: String,
    order: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChunkMetadata {
    last: bool,
    counter: i64,
    total: Option<i64>,
    content_type: String,
}

pub(super) async fn post(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (text, chunk): (&str, Chunk) = (request.path_parameter(0), request.checked_body(CHUNK)?);
    let missing = || Fault::not_found_with(format!("Couldn't find JobExecution with id {text}"));
    let id = Uuid::parse_str(text).map_err(|_| missing())?;
    let format = RawFormat::from_name(&chunk.records_metadata.content_type);
    let format = format.ok_or_else(|| Fault::bad_request("Raw Record Parser was not found"))?;
    let mut session = context.session().await?;
    let stored = job::lock(&mut session, id).await?;
    let decided = stored.ok_or_else(missing).and_then(|stored| match stored.status.as_str() {
        stopped if status::is_stopped(stopped) => {
            let message =
                format!("Couldn't update JobExecution status, JobExecution already marked as {stopped}");
            Err(Fault::bad_request(message))
        }
        "PARENT" => {
            Err(Fault::bad_request(format!("JobExecution {id} is the parent of others and has no records")))
        }
        _ if !stored.has_snapshot => Err(Fault::bad_request(format!("JobExecution {id} has no job profile"))),
        _ => Ok(stored),
    });
    let stored = change::rollback_if_refused(&mut session, decided).await?;
    let is_first = !matches!(stored.status.as_str(), "PARSING_IN_PROGRESS" | "COMMITTED");
    let about = &chunk.records_metadata;
    let total = about.total.unwrap_or(about.counter).max(0);
    let body = json!({
        "format": format.name(),
        "acceptInstanceId": request.query_flag("acceptInstanceId"),
        "records": records_json(&chunk),
    });
    let keep = Statement::new(KEEP).uuid(chunk.id).uuid(id).text(body.to_string());
    let kept = session.batch(vec![keep]).await?;
    if kept.first().is_none_or(Vec::is_empty) {
        session.rollback().await?;
        return Ok(Response::no_content());
    }
    let mut statements = vec![
        Statement::new(SOURCE).uuid(id).text(about.last.to_string()),
        Statement::new(TOTAL).uuid(id).long(total).text(is_first.to_string()),
        runner::enqueue_statement(context.tenant.id.as_str(), id),
    ];
    if is_first {
        statements.push(change::set_status_statement(id, "PARSING_IN_PROGRESS", None));
        statements.extend(change::follow_up_statements(context, id, &stored, "PARSING_IN_PROGRESS"));
    }
    session.commit(statements).await?;
    runner::notify_runner(&context.platform, &context.tenant.id);
    Ok(Response::no_content())
}

/// Statements that give a job, which already has its profile, all its records in one chunk.
pub(super) fn single_chunk_statements(
    context: &Context,
    job: Uuid,
    format: RawFormat,
    records: &[String],
) -> Vec<Statement> {
    let placed = records.iter().enumerate().map(|(at, record)| json!({"record": record, "order": at}));
    let placed: Vec<Value> = placed.collect();
    let body = json!({"format": format.name(), "acceptInstanceId": false, "records": placed});
    vec![
        Statement::new(KEEP).uuid(context.fresh_id()).uuid(job).text(body.to_string()),
        Statement::new(SOURCE).uuid(job).text("true"),
        Statement::new(TOTAL).uuid(job).long(records.len() as i64).text("true"),
        change::set_status_statement(job, "PARSING_IN_PROGRESS", None),
        snapshots::set_status_statement(job, "PARSING_IN_PROGRESS", &context.now_text()),
        runner::enqueue_statement(context.tenant.id.as_str(), job),
    ]
}

/// The records with their positions. If one has none, the positions are counted back from the counter of the chunk.
fn records_json(chunk: &Chunk) -> Vec<Value> {
    let records = &chunk.initial_records;
    let first = (chunk.records_metadata.counter - records.len() as i64).max(0);
    let all_placed = records.iter().all(|record| record.order.is_some());
    let place = |at: usize, record: &InitialRecord| match record.order {
        Some(order) if all_placed => order,
        _ => first + at as i64,
    };
    records
        .iter()
        .enumerate()
        .map(|(at, record)| json!({"record": record.record, "order": place(at, record).min(i64::from(i32::MAX))}))
        .collect()
}

/// Inserts a chunk. One that is already stored is left as it is.
const KEEP: &str = "\
insert into import_chunk (id, job, body)
values ($1, $2, $3::text::json)
on conflict (id) do nothing
returning id";

const SOURCE: &str = "\
insert into import_source as s (job, ended)
values ($1, $2::text::boolean)
on conflict (job) do update
set ended = s.ended or excluded.ended";

/// Sets the total number of records, which the first chunk gives; a later chunk can only increase it.
const TOTAL: &str = "\
update job_execution
set progress_total = case when $3::text::boolean then $2::int8 else greatest(progress_total, $2::int8) end
where id = $1";

octavo_pg::statements!(other = [KEEP, SOURCE, TOTAL]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_without_places_are_counted_from_the_end_of_the_chunk() {
        let cases: [(&[Option<i64>], i64, &[i64]); 4] = [
            (&[None, None], 12, &[10, 11]),
            (&[Some(4), None], 12, &[10, 11]),
            (&[Some(4), Some(5)], 12, &[4, 5]),
            (&[None, None, None], 1, &[0, 1, 2]),
        ];
        for (orders, counter, expected) in cases {
            let initial = |order: &Option<i64>| InitialRecord { record: String::new(), order: *order };
            let chunk = Chunk {
                id: Uuid::nil(),
                initial_records: orders.iter().map(initial).collect(),
                records_metadata: ChunkMetadata {
                    last: false,
                    counter,
                    total: None,
                    content_type: String::new(),
                },
            };
            let places: Vec<i64> =
                records_json(&chunk).iter().filter_map(|record| record["order"].as_i64()).collect();
            assert_eq!(places, expected);
        }
    }
}
