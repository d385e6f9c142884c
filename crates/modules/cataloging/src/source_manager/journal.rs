//! The journal: a line for each entity that a job created or changed, or failed to, and one for each record that it read.

mod line;
mod outcome;

use octavo_engine::{Pieces, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use octavo_record::{Param, Sql};
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::job::{self, time};

pub(super) use line::{Line, Step, source_step, steps, steps_of_entity};
pub(super) use outcome::{COUNTED, RecordSummary, filter_bits, summarize};

/// The fields that clients can sort journal records by, with the column or expression.
const SORTED: [(&str, &str); 3] =
    [("source_record_order", "place"), ("action_type", "action"), ("error", "coalesce(error, '')")];
/// How many rows are fetched from the database at once.
const PART_ROWS: i32 = 500;

/// A journal line with the id and the position of its record.
pub(super) struct Entry<'a> {
    pub source: Uuid,
    pub place: i64,
    pub line: &'a Line,
}

/// Inserts lines into the journal of a job.
pub(super) fn insert_statement(
    job: Uuid,
    entries: &[Entry<'_>],
    mut fresh: impl FnMut() -> Uuid,
) -> Statement {
    let row = |entry: &Entry<'_>| {
        let line = entry.line;
        let mut row = json!({
            "id": fresh(), "source": entry.source, "place": entry.place, "action": line.action,
        });
        let texts = [
            ("entity", Some(&line.entity)),
            ("error", Some(&line.error)),
            ("entity_hrid", line.hrid.as_ref()),
            ("title", line.title.as_ref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                row[name] = json!(text);
            }
        }
        let ids = [
            ("entity_id", line.entity_id),
            ("instance", line.instance),
            ("holdings", line.holdings),
            ("order_id", line.order),
            ("location", line.location),
        ];
        for (name, id) in ids {
            if let Some(id) = id {
                row[name] = json!(id);
            }
        }
        row
    };
    let rows: Vec<Value> = entries.iter().map(row).collect();
    Statement::new(KEEP).uuid(job).text(Value::from(rows).to_string())
}

/// The journal lines of the records at some positions of a job's file, each with the id of its record.
pub(super) async fn lines(session: &mut Session, job: Uuid, places: &[i64]) -> Outcome<Vec<(Uuid, Line)>> {
    let places = places.iter().map(i64::to_string).collect();
    Ok(session.read(Statement::new(LINES).uuid(job).texts(places)).await?)
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let job = Uuid::parse_str(id).map_err(|_| job::not_found(id))?;
    let order = match request.query("order") {
        None | Some("asc") => "asc",
        Some("desc") => "desc",
        Some(other) => return Err(Fault::bad_request(format!("'order' parameter is incorrect: {other}"))),
    };
    let sort = match request.query("sortBy") {
        None => "number".to_owned(),
        Some(name) => {
            let known = SORTED.iter().find(|(sorted, _)| *sorted == name);
            let (_, column) = known.ok_or_else(|| {
                Fault::bad_request(format!(
                    "The specified field for sorting journal records is invalid: '{name}'"
                ))
            })?;
            format!("{column} {order}, number")
        }
    };
    let mut session = request.context.session().await?;
    let total: Option<i64> = session.read(Statement::new(TOTAL).uuid(job)).await?;
    let total = total.ok_or_else(|| job::not_found(id))?;
    let text = format!("select {SHOWN} from journal_record where job = $1 order by {sort}");
    let mut rows = Vec::new();
    let more =
        session.open_cursor(&Sql { text, params: vec![Param::Uuid(job)] }, PART_ROWS, &mut rows).await?;
    let mut list = List { session, rows, more, is_first: true, total, permit: None };
    let mut head = "{\"journalRecords\":[".to_owned();
    head += &list.rows_text();
    if !list.more {
        list.session.rollback().await?;
        return Ok(Response::json_text(200, head + &list.closing_text()));
    }
    list.permit = Some(request.context.platform.long_lists.wait_for_permit().await?);
    Ok(Response { streamed_rest: Some(list.pieces()), ..Response::json_text(200, head) })
}

/// A list that is being sent to the client.
struct List {
    session: Session,
    rows: Vec<Row>,
    more: bool,
    is_first: bool,
    total: i64,
    /// A permit: a list that is being sent holds a database connection, and their number is limited.
    permit: Option<OwnedSemaphorePermit>,
}

impl List {
    fn rows_text(&mut self) -> String {
        let mut text = String::new();
        for row in std::mem::take(&mut self.rows) {
            if !std::mem::take(&mut self.is_first) {
                text.push(',');
            }
            text += row.text(0);
        }
        text
    }

    fn closing_text(&self) -> String {
        format!("],\"totalRecords\":{}}}", self.total)
    }

    fn pieces(self) -> Pieces {
        Pieces::new(async move {
            match self.more {
                true => self.next().await,
                false => Ok(None),
            }
        })
    }

    async fn next(mut self) -> Outcome<Option<(String, Pieces)>> {
        self.more = self.session.fetch_more(PART_ROWS, &mut self.rows).await?;
        let mut text = self.rows_text();
        if !self.more {
            self.session.rollback().await?;
            text += &self.closing_text();
        }
        Ok(Some((text, self.pieces())))
    }
}

const KEEP: &str = "\
insert into journal_record (
  job, place, id, source, entity, action, error, entity_id, entity_hrid, title, instance, holdings, order_id, location)
select
  $1, place, id, source, entity, action, error, entity_id, entity_hrid, title, instance, holdings, order_id, location
from json_to_recordset($2::text::json) r (
  place bigint, id uuid, source uuid, entity text, action text, error text, entity_id uuid, entity_hrid text, title text,
  instance uuid, holdings uuid, order_id uuid, location uuid)";

const LINES: &str = "\
select
  source, coalesce(entity, ''), action, coalesce(error, ''), entity_id, entity_hrid, title, instance, holdings, order_id, location
from journal_record
where job = $1 and place = any($2::text[]::bigint[])
order by place, number";

const TOTAL: &str = "\
select (select count(*) from journal_record r where r.job = j.id)
from job_execution j
where j.id = $1 and not j.is_deleted";

/// FOLIO stores the location of holdings with the line, and shows it only in the log.
const SHOWN: &str = concat!(
    "json_strip_nulls(json_build_object(
  'id', id,
  'jobExecutionId', job,
  'sourceId', source,
  'sourceRecordOrder', place,
  'entityType', entity,
  'entityId', entity_id,
  'instanceId', instance,
  'holdingsId', holdings,
  'orderId', order_id,
  'entityHrId', coalesce(entity_hrid, ''),
  'actionType', action,
  'actionStatus', case when error is null then 'COMPLETED' else 'ERROR' end,
  'error', coalesce(error, ''),
  'title', title,
  'actionDate', ",
    time!("at"),
    "))::text"
);

octavo_pg::statements!(other = [KEEP, LINES, TOTAL]);
