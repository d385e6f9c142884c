//! What staff mark an item as: missing, withdrawn, restricted and so on. A request that was being fulfilled goes back into
//! the queue. Facts: mod-inventory 20.2.6; the statuses from which each mark is allowed are its, one by one.

use octavo_engine::{Request, Response, statements};
use octavo_kernel::{Outcome, Refusal};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::items::{no_item, read};
use crate::inventory_storage::{ITEM, change_status};

pub(super) struct Mark {
    status: &'static str,
    from: From,
}

enum From {
    /// Any status but these, and but its own.
    AllBut(&'static [&'static str]),
    Only(&'static [&'static str]),
}

const fn to(status: &'static str, from: From) -> Mark {
    Mark { status, from }
}

pub(super) const IN_PROCESS: Mark = to("In process", From::AllBut(&[]));
pub(super) const IN_PROCESS_NON_REQUESTABLE: Mark =
    to("In process (non-requestable)", From::AllBut(&["In process"]));
pub(super) const INTELLECTUAL_ITEM: Mark = to("Intellectual item", From::AllBut(&["In process"]));
pub(super) const LONG_MISSING: Mark = to("Long missing", From::AllBut(&["In process"]));
pub(super) const RESTRICTED: Mark = to("Restricted", From::AllBut(&["In process"]));
pub(super) const UNAVAILABLE: Mark = to("Unavailable", From::AllBut(&["In process"]));
pub(super) const UNKNOWN: Mark = to("Unknown", From::AllBut(&["In process"]));
pub(super) const MISSING: Mark = to(
    "Missing",
    From::Only(&[
        "Available",
        "Awaiting delivery",
        "Awaiting pickup",
        "Intellectual item",
        "In transit",
        "In process",
        "In process (non-requestable)",
        "Long missing",
        "Paged",
        "Restricted",
        "Unavailable",
        "Unknown",
        "Withdrawn",
    ]),
);
pub(super) const WITHDRAWN: Mark = to(
    "Withdrawn",
    From::Only(&[
        "Available",
        "Awaiting delivery",
        "Awaiting pickup",
        "Lost and paid",
        "In process",
        "Intellectual item",
        "In process (non-requestable)",
        "In transit",
        "Long missing",
        "Missing",
        "Paged",
        "Restricted",
        "Unavailable",
        "Unknown",
    ]),
);

impl Mark {
    fn allowed_from(&self, status: &str) -> bool {
        match self.from {
            From::AllBut(others) => status != self.status && !others.contains(&status),
            From::Only(statuses) => statuses.contains(&status),
        }
    }
}

pub(super) async fn mark(request: Request, mark: &'static Mark) -> Outcome<Response> {
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| no_item())?;
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let rows = session.begin(vec![Statement::new(LOCK).uuid(id)]).await?;
    let Some(mut item) = rows[0].first().and_then(|row| row.json(0)) else {
        session.rollback().await?;
        return Err(no_item());
    };
    let status = item["status"]["name"].as_str().unwrap_or_default().to_owned();
    if !mark.allowed_from(&status) {
        session.rollback().await?;
        let message = format!("Item is not allowed to be marked as {}", mark.status);
        return Err(Refusal::new(message).about("status.name", status).into());
    }
    let now = context.now_text();
    change_status(&mut item, mark.status, &now);
    item["_version"] = json!(item["_version"].as_i64().unwrap_or(0) + 1);
    item["metadata"]["updatedDate"] = json!(now);
    if let Some(user) = context.caller.user_id {
        item["metadata"]["updatedByUserId"] = json!(user);
    }
    session
        .commit(vec![
            statements::overwrite(&ITEM, id, &item),
            Statement::new(BACK_INTO_QUEUE).uuid(id).text(context.now_text()),
        ])
        .await?;
    Ok(Response::json(200, &read(&snapshot, &mut session, id).await?))
}

const LOCK: &str = "select doc::text from item where id = $1 for update";

/// A request whose time on the hold shelf is over stays as it is.
const BACK_INTO_QUEUE: &str = "\
update request set doc = jsonb_set(doc::jsonb, '{status}', '\"Open - Not yet filled\"')
where \"itemId\" = $1
and doc ->> 'status' in ('Open - Awaiting pickup', 'Open - Awaiting delivery', 'Open - In transit')
and coalesce(doc ->> 'holdShelfExpirationDate', $2) >= $2";

octavo_pg::statements!(hot = [LOCK, BACK_INTO_QUEUE]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_allowed_from_some_statuses() {
        let cases = [
            (&IN_PROCESS, "Checked out", true),
            (&IN_PROCESS, "In process", false),
            (&RESTRICTED, "In process", false),
            (&RESTRICTED, "Checked out", true),
            (&MISSING, "Claimed returned", false),
            (&MISSING, "In process", true),
            (&WITHDRAWN, "Lost and paid", true),
            (&WITHDRAWN, "Checked out", false),
        ];
        for (mark, from, allowed) in cases {
            assert_eq!(mark.allowed_from(from), allowed, "{} from {from}", mark.status);
        }
    }
}
