//! Reads a page of what is harvested: first the records, from the table that says when each changed, with the documents that they are made
//! of; then, if wanted, the holdings and items of all of them. Each is one round trip, however many records a page has.

use std::collections::HashMap;

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

use super::copies::Copies;
use super::dates::Span;
use super::settings::{Deleted, Settings};
use crate::inventory_storage::hierarchy::{HOLDINGS, ITEMS};

/// A record of the list with the documents that it is made of.
#[derive(Debug)]
pub(super) struct FoundRecord {
    pub(super) id: Uuid,
    /// The time of its last change, in microseconds since 1970.
    pub(super) changed_at: i64,
    pub(super) deleted: bool,
    /// Whether the MARC record, or the instance if the record is made of it, is suppressed from discovery.
    pub(super) hidden: bool,
    pub(super) instance_hidden: bool,
    /// The MARC record, or the instance if there is none. Both are `None` if the record is deleted or if only headers are requested.
    pub(super) marc: Option<String>,
    pub(super) instance: Option<String>,
}

impl FoundRecord {
    fn read(row: &Row) -> FoundRecord {
        let (id, at, [deleted, hidden, instance_hidden], [marc, instance]) = row.read();
        FoundRecord { id, changed_at: at, deleted, hidden, instance_hidden, marc, instance }
    }
}

/// Which records are requested.
pub(super) enum PageRequest {
    /// The records of a period of time, behind the record with this time and id.
    List(Span, Option<(i64, Uuid)>),
    Ids(Vec<Uuid>),
}

/// A page of a harvest, as it was read from the database.
pub(super) struct Page {
    /// The records of the page, and one more if there are further pages.
    pub(super) found: Vec<FoundRecord>,
    /// The number of all records of the harvest, if they were counted.
    pub(super) size: Option<i64>,
    /// The beginning of the oldest open transaction, in microseconds since 1970. Its changes may get earlier datestamps than the records of
    /// this page.
    pub(super) oldest_open_change: Option<i64>,
}

pub(super) async fn read(
    session: &mut Session,
    settings: &Settings,
    wanted: &PageRequest,
    documents: bool,
    counted: bool,
) -> Outcome<Page> {
    let page = match wanted {
        PageRequest::List(span, last) => {
            let (at, id) = last.unwrap_or((i64::MIN, Uuid::nil()));
            let most = i64::try_from(settings.page_size).unwrap_or(0) + 1;
            let statement = bind_settings(Statement::new(LIST), settings).long(span.from).long(span.before);
            statement.text(documents.to_string()).long(at).uuid(id).long(most)
        }
        PageRequest::Ids(ids) => bind_settings(Statement::new(THESE), settings).uuids(ids.clone()),
    };
    let mut statements = vec![Statement::new(UNDER_WAY), page];
    if let (PageRequest::List(span, _), true) = (wanted, counted) {
        statements.push(bind_settings(Statement::new(COUNT), settings).long(span.from).long(span.before));
    }
    let answers = session.batch(statements).await?;
    let first = |at: usize| answers.get(at).and_then(|rows| rows.first());
    Ok(Page {
        found: answers.get(1).into_iter().flatten().map(FoundRecord::read).collect(),
        size: first(2).map(Row::read),
        oldest_open_change: first(0).and_then(Row::read),
    })
}

/// The beginning of the oldest open transaction. Reads after this call, also from a replica, see all changes that were committed before it.
pub(super) async fn load_oldest_open_change(context: &Context) -> Outcome<Option<i64>> {
    let began: Option<Option<i64>> =
        context.session_of_primary().await?.read(Statement::new(UNDER_WAY)).await?;
    context.platform.database.require_current_reads(&context.usage).await?;
    Ok(began.flatten())
}

/// Binds the first three parameters: the sources of instances, whether deleted records are listed, and whether suppressed records are.
fn bind_settings(statement: Statement, settings: &Settings) -> Statement {
    let sources = settings.source.instance_sources().unwrap_or_default();
    let sources = sources.iter().map(|source| (*source).to_owned()).collect();
    let deleted = settings.deleted != Deleted::No;
    statement.texts(sources).text(deleted.to_string()).text(settings.shows_suppressed.to_string())
}

/// Reads the holdings and items of instances.
pub(super) async fn load_copies(context: &Context, instances: Vec<Uuid>) -> Outcome<HashMap<Uuid, Copies>> {
    let mut copies: HashMap<Uuid, Copies> = HashMap::with_capacity(instances.len());
    if instances.is_empty() {
        return Ok(copies);
    }
    let statements = [HOLDINGS, ITEMS].map(|sql| Statement::new(sql).uuids(instances.clone()));
    // Each document is read while PostgreSQL sends the next one.
    let take = |statement, row: Row| {
        if statement == 0 {
            let (instance, id, text): (Uuid, Uuid, &str) = row.read();
            copies.entry(instance).or_default().add_holdings(id, text);
        } else {
            let (instance, holdings, id, text): (Uuid, Uuid, Uuid, &str) = row.read();
            copies.entry(instance).or_default().add_item(id, holdings, text);
        }
    };
    context.session().await?.for_each_row(statements.to_vec(), take).await?;
    Ok(copies)
}

/// The SQL condition on rows of `oai_record r` that harvesters may see by the settings.
macro_rules! visible {
    () => {
        "\
(cardinality($1::text[]) = 0 or r.source = any($1))
    and r.source is not null
    and case when r.gone or r.marc = 'DELETED' then $2::text = 'true' else
      ($3::text = 'true' or not (r.hidden or r.marc_hidden))
      and (r.source <> 'marc' or r.marc = 'ACTUAL') end"
    };
}

/// The columns from which [`FoundRecord`] is read, for a row `r` of `oai_record` with the MARC record `m` and the instance `i`.
macro_rules! columns {
    () => {
        "r.id, r.at, r.gone or r.marc is not distinct from 'DELETED', \
         case when r.marc is not null and r.source like '%marc%' then r.marc_hidden else r.hidden end, r.hidden, m.doc, i.doc"
    };
}

/// SQL that joins the current MARC record `m` of the instance with this id. The caller appends the join condition.
macro_rules! current_marc {
    ($instance:literal) => {
        concat!(
            "\
left join lateral (
  select o.doc
  from records_lb o
  where o.\"externalIdsHolder.instanceId\" = ",
            $instance,
            "
  and o.state = 'ACTUAL'
  and o.doc ->> 'recordType' = 'MARC_BIB'
  order by o.generation desc
  limit 1) m on "
        )
    };
}
pub(super) use current_marc;

/// Joins the documents of rows `r`: a MARC record if there is one, else the instance.
macro_rules! documents {
    ($wanted:literal) => {
        concat!(
            current_marc!("r.id"),
            $wanted,
            " and r.marc = 'ACTUAL' and not r.gone
left join instance i on i.id = r.id and ",
            $wanted,
            " and r.marc is null"
        )
    };
}

const LIST: &str = concat!(
    "select ",
    columns!(),
    "
from (
  select r.*
  from oai_record r
  where (r.at, r.id) > ($7, $8)
    and r.at >= $4
    and r.at < $5
    and ",
    visible!(),
    "
  order by r.at, r.id
  limit $9) r
",
    documents!("$6::text = 'true'"),
    "
order by r.at, r.id"
);

const THESE: &str = concat!(
    "select ",
    columns!(),
    "
from oai_record r
",
    documents!("true"),
    "
where r.id = any($4)
    and ",
    visible!()
);

const UNDER_WAY: &str = "\
select (extract(epoch from min(a.xact_start)) * 1000000)::bigint
from pg_stat_activity a
where a.datname = current_database()
and a.backend_xid is not null";

const COUNT: &str = concat!(
    "select count(*)
from oai_record r
where r.at >= $4
    and r.at < $5
    and ",
    visible!()
);

octavo_pg::statements!(hot = [THESE], other = [UNDER_WAY, LIST, COUNT]);
