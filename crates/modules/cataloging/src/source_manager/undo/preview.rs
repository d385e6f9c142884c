//! Previews what undoing a job would do at present, page by page: it changes nothing.

use std::collections::{BTreeMap, HashMap};

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::done::{ENTITIES, Facts, Purpose, RecordChanges, changes_statements, read_changes};

/// The most records of the file of one page.
const MAX_RECORDS: i64 = 1_000;

/// Shows a page of the preview, from the last record before a position backwards. The caller has checked that the job can be undone.
pub(super) async fn show_preview(request: &Request, job: Uuid) -> Outcome<Response> {
    let limit = request.query_number("limit", 200, 1..=MAX_RECORDS)?;
    let before = request.query_number("before", i64::MAX, 0..=i64::MAX)?;
    let mut session = request.context.session().await?;
    let places: Vec<i64> = session.read(Statement::new(PLACES).uuid(job).long(before).long(limit)).await?;
    let (Some(last), Some(first)) = (places.first().copied(), places.last().copied()) else {
        return Ok(Response::json(200, &preview_json(&places, &BTreeMap::new(), &[])));
    };
    let answers = session.batch(changes_statements(job, first, last + 1).into()).await?;
    let [made, changed] = answers.as_slice() else { return Err(Fault::internal("an answer is missing")) };
    let all = read_changes(made, changed);
    let done: Vec<&RecordChanges> = all.values().collect();
    let ids = done.iter().flat_map(|done| &done.changed).map(|(_, id, ..)| *id);
    let ids = ids.chain(done.iter().flat_map(|done| done.made.values().flatten().copied()));
    let ids: Vec<Uuid> = ids.collect();
    let mut questions = Facts::statements(&done, Purpose::Preview(job));
    let read_last = [LAST_VERSIONS, INHERITED_VERSIONS];
    questions.extend(read_last.map(|sql| Statement::new(sql).uuid(job).uuids(ids.clone())));
    let mut answers = session.batch(questions).await?;
    // Later changes of the job itself would be undone first.
    let last = answers.split_off(answers.len().saturating_sub(read_last.len()));
    let left: HashMap<Uuid, i64> = last.iter().flatten().map(Row::read::<(Uuid, i64)>).collect();
    let facts = Facts::from_rows(&answers);
    let kept: Vec<(i64, String)> =
        all.iter().filter_map(|(place, done)| Some((*place, facts.obstacle(done, &left)?))).collect();
    Ok(Response::json(200, &preview_json(&places, &all, &kept)))
}

fn preview_json(places: &[i64], all: &BTreeMap<i64, RecordChanges>, kept: &[(i64, String)]) -> Value {
    let stays = |place: &i64| kept.iter().any(|(at, _)| at == place);
    let goes: Vec<&RecordChanges> =
        all.iter().filter(|(place, _)| !stays(place)).map(|(_, done)| done).collect();
    let entities = ENTITIES.iter().rev().filter_map(|entity| {
        let removed: usize = goes.iter().map(|done| done.made_ids(*entity).len()).sum();
        let changed = goes.iter().flat_map(|done| &done.changed);
        let restored = changed.filter(|(of, ..)| of == entity).count();
        (removed + restored > 0)
            .then(|| json!({"entityType": entity.name(), "removed": removed, "restored": restored}))
    });
    let not_undone = kept.iter().map(|(place, reason)| json!({"recordOrder": place, "reason": reason}));
    let mut shown = json!({
        "records": places.len(),
        "notUndone": not_undone.collect::<Vec<_>>(),
        "entities": entities.collect::<Vec<_>>(),
    });
    if let Some(next) = places.last().filter(|place| **place > 0) {
        shown["next"] = json!(next);
    }
    shown
}

const PLACES: &str = "\
select place
from incoming_record
where job = $1
and place < $2::int8
order by place desc
limit $3::int8";

const LAST_VERSIONS: &str = "\
select distinct on (id) id, version
from import_change
where job = $1
and id = any($2)
and version is not null
order by id, place desc, number desc";

/// Reads the versions of items that have inherited from holdings which the job has changed, where nobody has changed either since.
const INHERITED_VERSIONS: &str = "\
select i.id, coalesce((i.doc ->> '_version')::int8, 0)
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
join (
  select distinct on (c.id) c.id, c.version
  from import_change c
  where c.job = $1
  and c.entity = 'HOLDINGS'
  order by c.id, c.place desc, c.number desc
) l on l.id = h.id and l.version = (h.doc ->> '_version')::int8
where i.id = any($2)
and i.doc #>> '{metadata,updatedDate}' = h.doc #>> '{metadata,updatedDate}'";

octavo_pg::statements!(other = [PLACES, LAST_VERSIONS, INHERITED_VERSIONS]);
