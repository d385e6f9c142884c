//! Chunks of records that clients send. They are kept, and worked on later; a chunk that comes again is the same chunk.

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
    initial_records: Vec<Initial>,
    records_metadata: About,
}

#[derive(Debug, Deserialize)]
struct Initial {
    record: String,
    order: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    last: bool,
    counter: i64,
    total: Option<i64>,
    content_type: String,
}

pub(super) async fn post(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (text, chunk): (&str, Chunk) = (request.parameter(0), request.checked_body(CHUNK)?);
    let missing = || Fault::missing(format!("Couldn't find JobExecution with id {text}"));
    let id = Uuid::parse_str(text).map_err(|_| missing())?;
    let format = RawFormat::named(&chunk.records_metadata.content_type);
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
    let stored = change::undone(&mut session, decided).await?;
    let is_first = !matches!(stored.status.as_str(), "PARSING_IN_PROGRESS" | "COMMITTED");
    let about = &chunk.records_metadata;
    let total = about.total.unwrap_or(about.counter).max(0);
    let body = json!({
        "format": format.name(),
        "acceptInstanceId": request.truth("acceptInstanceId"),
        "records": records(&chunk),
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
        runner::enqueue(context.tenant.id.as_str(), id),
    ];
    if is_first {
        statements.push(change::set(id, "PARSING_IN_PROGRESS", None));
        statements.extend(change::followed(context, id, &stored, "PARSING_IN_PROGRESS"));
    }
    session.commit(statements).await?;
    runner::ring(&context.platform, &context.tenant.id);
    Ok(Response::no_content())
}

/// Statements that begin a job, which has its profile, with all of its records at once.
pub(super) fn whole(context: &Context, job: Uuid, format: RawFormat, records: &[String]) -> Vec<Statement> {
    let placed = records.iter().enumerate().map(|(at, record)| json!({"record": record, "order": at}));
    let placed: Vec<Value> = placed.collect();
    let body = json!({"format": format.name(), "acceptInstanceId": false, "records": placed});
    vec![
        Statement::new(KEEP).uuid(context.fresh_id()).uuid(job).text(body.to_string()),
        Statement::new(SOURCE).uuid(job).text("true"),
        Statement::new(TOTAL).uuid(job).long(records.len() as i64).text("true"),
        change::set(job, "PARSING_IN_PROGRESS", None),
        snapshots::follow(job, "PARSING_IN_PROGRESS", &context.now_text()),
        runner::enqueue(context.tenant.id.as_str(), job),
    ]
}

/// The records with their places. Where one has none, they are counted from the end of the chunk.
fn records(chunk: &Chunk) -> Vec<Value> {
    let records = &chunk.initial_records;
    let first = (chunk.records_metadata.counter - records.len() as i64).max(0);
    let all_placed = records.iter().all(|record| record.order.is_some());
    let place = |at: usize, record: &Initial| match record.order {
        Some(order) if all_placed => order,
        _ => first + at as i64,
    };
    records
        .iter()
        .enumerate()
        .map(|(at, record)| json!({"record": record.record, "order": place(at, record).min(i64::from(i32::MAX))}))
        .collect()
}

/// Known chunks are passed over.
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

/// The first chunk says how many records there will be; a later one may know of more.
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
            let initial = |order: &Option<i64>| Initial { record: String::new(), order: *order };
            let chunk = Chunk {
                id: Uuid::nil(),
                initial_records: orders.iter().map(initial).collect(),
                records_metadata: About { last: false, counter, total: None, content_type: String::new() },
            };
            let places: Vec<i64> =
                records(&chunk).iter().filter_map(|record| record["order"].as_i64()).collect();
            assert_eq!(places, expected);
        }
    }
}
