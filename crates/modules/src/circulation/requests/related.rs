//! Requests as clients see them: stored requests with what they refer to, read in one round trip however many there are.

use std::collections::HashMap;

use octavo_circulation::facts::{Item, Patron};
use octavo_circulation::request::Instance;
use octavo_circulation::view::{RequestView, request_view};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::sql::INSTANCE_DOCUMENT;
use super::uuid;
use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, item_at, patron_of};

pub(super) async fn views(desk: &Desk, session: &mut Session, requests: &[Value]) -> Outcome<Vec<Value>> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let related = Related::read(session, desk, requests).await?;
    Ok(requests.iter().map(|request| related.view(request, desk)).collect())
}

/// What requests refer to, by id.
struct Related {
    items: HashMap<String, Item>,
    users: HashMap<String, Patron>,
    instances: HashMap<String, Instance>,
    /// Open loans by item.
    loans: HashMap<String, Value>,
}

impl Related {
    async fn read(session: &mut Session, desk: &Desk, requests: &[Value]) -> Outcome<Related> {
        let ids = |fields: &[&str]| -> Vec<Uuid> {
            let all = requests.iter().flat_map(|request| fields.iter().map(|field| request[*field].as_str()));
            let mut ids: Vec<Uuid> = all.filter_map(uuid).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let items = ids(&["itemId"]);
        let answers = session
            .batch(vec![
                Statement::new(format!("select {ITEM_COLUMNS}\n{ITEM_SOURCE}\nwhere i.id = any($1)"))
                    .uuids(items.clone()),
                Statement::new("select doc::text from users where id = any($1)")
                    .uuids(ids(&["requesterId", "proxyUserId"])),
                Statement::new(format!(
                    "select n.id, {INSTANCE_DOCUMENT}\nfrom instance n\nwhere n.id = any($1)"
                ))
                .uuids(ids(&["instanceId"])),
                Statement::new(OPEN_LOANS).uuids(items),
            ])
            .await?;
        let user = |row: &Row| Some(patron_of(row.json(0)?, desk));
        let instance =
            |row: &Row| Instance { id: row.uuid(0).to_string(), record: row.json(1).unwrap_or_default() };
        Ok(Related {
            items: by_id(answers[0].iter().filter_map(|row| item_at(row, 0, desk)), |item| item.id()),
            users: by_id(answers[1].iter().filter_map(user), |user| user.id()),
            instances: by_id(answers[2].iter().map(instance), |instance| instance.id.as_str()),
            loans: by_id(answers[3].iter().filter_map(|row| row.json(0)), |loan| {
                loan["itemId"].as_str().unwrap_or_default()
            }),
        })
    }

    fn view(&self, request: &Value, desk: &Desk) -> Value {
        let id = |field: &str| request[field].as_str().unwrap_or_default();
        request_view(&RequestView {
            request,
            item: self.items.get(id("itemId")),
            instance: self.instances.get(id("instanceId")),
            loan: self.loans.get(id("itemId")),
            requester: self.users.get(id("requesterId")),
            proxy: self.users.get(id("proxyUserId")),
            service_points: &desk.service_points,
        })
    }
}

fn by_id<T>(all: impl Iterator<Item = T>, id: impl Fn(&T) -> &str) -> HashMap<String, T> {
    all.map(|one| (id(&one).to_owned(), one)).collect()
}

const OPEN_LOANS: &str = "\
select l.doc::text
from loan l
where l.\"itemId\" = any($1)
  and l.\"status.name\" = 'open'";
