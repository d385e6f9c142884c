//! Requests as clients see them, with the records that they refer to. One round trip reads these for all requests.

use std::collections::HashMap;

use octavo_circulation::facts::Item;
use octavo_circulation::view::{
    Person, RequestView, instance_json, item_json, loan_json, pickup_json, request_view,
};
use octavo_engine::Response;
use octavo_kernel::{Fault, Members, Outcome, RawJson, raw_json};
use octavo_pg::{AnswerHandle, Answers, Batch, Row, Session, Statement};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::uuid;
use crate::circulation::Desk;
use crate::circulation::gather::{ITEMS, ItemRow};

/// A page of requests as FOLIO's collections show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    pub(super) requests: Vec<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_records: Option<i64>,
}

impl Page {
    pub(super) fn response(&self) -> Outcome<Response> {
        Ok(Response::json_text(200, serde_json::to_string(self).map_err(Fault::internal)?))
    }
}

/// The stored request of a row that begins with its document and its place in the queue, if it has one.
pub(super) fn request_with_position(row: &Row) -> Option<Members<'_>> {
    let (document, place): (Option<&str>, Option<i64>) = row.read();
    let mut request = Members::read(document?)?;
    if let Some(place) = place {
        request.set("position", raw_json(&place));
    }
    Some(request)
}

pub(super) async fn views(
    desk: &Desk,
    session: &mut Session,
    requests: Vec<Members<'_>>,
) -> Outcome<Vec<RawJson>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let related = Related::read(session, desk, &requests).await?;
    Ok(requests.into_iter().map(|request| related.view(request)).collect())
}

/// The records that requests refer to, by id, in the form in which requests show them.
struct Related {
    items: HashMap<Uuid, RawJson>,
    /// Of borrowed items, by the item: each has a title of its own.
    titles: HashMap<Uuid, RawJson>,
    users: HashMap<Uuid, Person>,
    instances: HashMap<Uuid, RawJson>,
    loans: HashMap<Uuid, RawJson>,
    pickups: HashMap<Uuid, RawJson>,
}

impl Related {
    async fn read(session: &mut Session, desk: &Desk, requests: &[Members<'_>]) -> Outcome<Related> {
        let ids = |fields: &[&str]| -> Vec<Uuid> {
            let all =
                requests.iter().flat_map(|request| fields.iter().map(|field| uuid_member(request, field)));
            let mut ids: Vec<Uuid> = all.flatten().collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let items = ids(&["itemId"]);
        let mut batch = Batch::default();
        let read_items = batch.ask::<(ItemRow, Uuid)>(
            Statement::new(desk.choose_for_stock(&ITEMS).as_str()).uuids(items.clone()),
        );
        let mut documents = |sql: &'static str, ids: Vec<Uuid>| batch.ask(Statement::new(sql).uuids(ids));
        let users = documents(USERS, ids(&["requesterId", "proxyUserId"]));
        let instances = documents(INSTANCES, ids(&["instanceId"]));
        let loans = documents(OPEN_LOANS, items);
        let answers = batch.send(session).await?;
        let read_items: Vec<(Uuid, Item)> =
            answers.each(read_items).filter_map(|(row, id)| Some((id, row.item(desk)?))).collect();
        let title = |(id, item): &(Uuid, Item)| {
            let title = json!({"title": item.title, "identifiers": []});
            item.is_borrowed().then(|| (*id, instance_json(&Members::from_value(&title))))
        };
        let item = |(id, item): &(Uuid, Item)| (*id, item_json(item, &desk.service_points));
        let user = |user: Members| {
            Some(Person::from_user(&user, desk.group(user.text("patronGroup").as_deref()).as_ref()))
        };
        let pickup = |id: Uuid| Some((id, pickup_json(desk.service_points.get(&id.to_string())?)));
        Ok(Related {
            titles: read_items.iter().filter_map(title).collect(),
            items: read_items.iter().map(item).collect(),
            users: by_id(&answers, users, user),
            instances: by_id(&answers, instances, |instance| Some(instance_json(&instance))),
            loans: by_id(&answers, loans, |loan| loan_json(&loan)),
            pickups: ids(&["pickupServicePointId"]).into_iter().filter_map(pickup).collect(),
        })
    }

    fn view<'a>(&'a self, request: Members<'a>) -> RawJson {
        let words_of =
            |all: &'a HashMap<Uuid, RawJson>, id: Option<Uuid>| all.get(&id?).map(|words| &**words);
        let item = uuid_member(&request, "itemId");
        raw_json(&request_view(RequestView {
            item: words_of(&self.items, item),
            instance: words_of(&self.titles, item)
                .or_else(|| words_of(&self.instances, uuid_member(&request, "instanceId"))),
            loan: words_of(&self.loans, item),
            requester: uuid_member(&request, "requesterId").and_then(|id| self.users.get(&id)),
            proxy: uuid_member(&request, "proxyUserId").and_then(|id| self.users.get(&id)),
            pickup: words_of(&self.pickups, uuid_member(&request, "pickupServicePointId")),
            request,
        }))
    }
}

fn uuid_member(request: &Members<'_>, field: &str) -> Option<Uuid> {
    uuid(request.text(field).as_deref())
}

/// Rows of an id and a document as a map by id.
fn by_id<'a, T>(
    answers: &'a Answers,
    asked: AnswerHandle<(Uuid, &'a str)>,
    shown: impl Fn(Members<'a>) -> Option<T>,
) -> HashMap<Uuid, T> {
    let one = |(id, text): (Uuid, &'a str)| Some((id, shown(Members::read(text)?)?));
    answers.each(asked).filter_map(one).collect()
}

const OPEN_LOANS: &str = "\
select l.\"itemId\", l.doc::text
from loan l
where l.\"itemId\" = any($1)
  and l.\"status.name\" = 'open'";

const USERS: &str = "select id, doc::text from users where id = any($1)";

const INSTANCES: &str = "select id, doc::text from instance where id = any($1)";

octavo_pg::statements!(hot = [OPEN_LOANS, USERS, INSTANCES]);
