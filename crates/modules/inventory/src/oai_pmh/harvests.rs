//! Statistics of harvests: `/oai/request-metadata`. A resumption token continues only a harvest that has such statistics. They are kept for a day
//! at least, and no token is valid for longer.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::settings::Settings;

/// What a page adds to the statistics of its harvest.
pub(super) struct Figures {
    pub(super) harvest: Uuid,
    /// Whether the harvest began with an earlier page.
    pub(super) is_resumed: bool,
    pub(super) returned: usize,
    pub(super) failed: Vec<Uuid>,
    pub(super) ended: bool,
}

impl Figures {
    /// Returns `false`, and stores nothing, if the harvest that the page continues never began.
    pub(super) async fn store(self, context: &Context) -> Outcome<bool> {
        let returned = i64::try_from(self.returned).unwrap_or(i64::MAX);
        let sql = if self.is_resumed { CONTINUE } else { BEGIN };
        let keep =
            Statement::new(sql).uuid(self.harvest).text(context.now_text()).text(self.ended.to_string());
        let mut statements = vec![keep.long(returned)];
        if !self.failed.is_empty() {
            statements.push(Statement::new(FAILED).uuid(self.harvest).uuids(self.failed));
        }
        let answers = context.session_of_primary().await?.transaction(statements).await?;
        Ok(answers.first().is_some_and(|rows| !rows.is_empty()))
    }
}

struct Page {
    offset: i64,
    limit: i64,
}

impl Page {
    fn from_request(request: &Request) -> Outcome<Page> {
        let bound = i64::from(i32::MAX);
        let (offset, limit) =
            (request.query_number("offset", 0, 0..=bound)?, request.query_number("limit", 10, 0..=bound)?);
        Ok(Page { offset, limit: limit.min(MAX_PAGE) })
    }

    fn bind_to(&self, statement: Statement) -> Statement {
        statement.long(self.limit).long(self.offset)
    }
}

/// The most harvests or ids that an answer has.
const MAX_PAGE: i64 = 10_000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let page = Page::from_request(&request)?;
    let mut session = request.context.session().await?;
    let statements = vec![page.bind_to(Statement::new(LIST)), Statement::new(COUNT)];
    let answers = session.batch(statements).await?;
    let shown =
        |(id, [started, updated], (ended, returned, failed)): (Uuid, [String; 2], (bool, i64, i64))| {
            let time = |text: &str| parse_time(text).map(folio_time);
            json!({
                "requestId": id,
                "startedDate": time(&started),
                "lastUpdatedDate": time(&updated),
                "streamEnded": ended,
                "downloadedAndSavedInstancesCounter": returned,
                "failedToSaveInstancesCounter": 0,
                "returnedInstancesCounter": returned,
                "skippedInstancesCounter": 0,
                "failedInstancesCounter": failed,
                "suppressedInstancesCounter": 0,
            })
        };
    let all: Vec<Value> = answers[0].iter().map(|row| shown(row.read())).collect();
    let total: i64 = answers[1].first().map_or(0, octavo_pg::Row::read);
    Ok(Response::json(200, &json!({"requestMetadataCollection": all, "totalRecords": total})))
}

fn harvest_id(request: &Request) -> Outcome<Uuid> {
    let id = request.path_parameter(0);
    Uuid::parse_str(id).map_err(|_| Fault::bad_request(format!("Invalid UUID string: {id}")))
}

/// The instances of a harvest that could not be converted to a record.
pub(super) async fn failed_instances(request: Request) -> Outcome<Response> {
    let (id, page) = (harvest_id(&request)?, Page::from_request(&request)?);
    let mut session = request.context.session().await?;
    let of = |sql| Statement::new(sql).uuid(id);
    let answers = session.batch(vec![page.bind_to(of(FAILURES)), of(COUNT_FAILURES)]).await?;
    let ids: Vec<Uuid> = answers[0].iter().map(octavo_pg::Row::read).collect();
    let total: i64 = answers[1].first().map_or(0, octavo_pg::Row::read);
    Ok(Response::json(200, &json!({"uuidCollection": ids, "totalRecords": total})))
}

/// FOLIO's lists of instances that it could not save for a later page, and of instances that it read and skipped. They are always empty in
/// Octavo, which saves no instances for later pages and skips none.
pub(super) async fn empty_list(request: Request) -> Outcome<Response> {
    harvest_id(&request)?;
    Page::from_request(&request)?;
    Ok(Response::json(200, &json!({"uuidCollection": [], "totalRecords": 0})))
}

/// FOLIO deletes here the instances that it has saved for later pages. Octavo saves none, so the call does nothing.
pub(super) async fn clean_instances(_: Request) -> Outcome<Response> {
    Ok(Response::no_content())
}

/// Deletes the statistics of harvests whose last page was read more than `keep_harvest_days` days ago.
pub(super) async fn clean(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let days = Settings::from_snapshot(&*context.snapshot().await?).keep_harvest_days;
    let before = context.now.checked_sub(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MIN);
    context.session().await?.rows(Statement::new(FORGET).text(folio_time(before))).await?;
    Ok(Response::no_content())
}

const BEGIN: &str = "\
insert into oai_harvest (id, started, updated, ended, returned)
values ($1, $2::text::timestamptz, $2::text::timestamptz, $3::text::boolean, $4)
returning id";

const CONTINUE: &str = "\
update oai_harvest h
set updated = $2::text::timestamptz, ended = $3::text::boolean, returned = h.returned + $4
where h.id = $1
returning h.id";

const FAILED: &str = "\
insert into oai_failure (harvest, instance)
select h.id, unnest($2::uuid[])
from oai_harvest h
where h.id = $1
on conflict do nothing";

const LIST: &str = "\
select h.id, h.started::text, h.updated::text, h.ended, h.returned, (
  select count(*)
  from oai_failure f
  where f.harvest = h.id)
from oai_harvest h
order by h.updated desc, h.id
limit $1
offset $2";

const COUNT: &str = "select count(*) from oai_harvest";

const FAILURES: &str = "\
select f.instance
from oai_failure f
where f.harvest = $1
order by f.instance
limit $2
offset $3";

const COUNT_FAILURES: &str = "select count(*) from oai_failure where harvest = $1";

const FORGET: &str = "delete from oai_harvest where updated < $1::text::timestamptz";

octavo_pg::statements!(other = [BEGIN, CONTINUE, FAILED, LIST, COUNT, FAILURES, COUNT_FAILURES, FORGET]);
