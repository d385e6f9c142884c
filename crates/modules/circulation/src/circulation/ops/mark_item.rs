//! Staff mark an item as missing, withdrawn and so on: `POST /inventory/items/{id}/mark-...`, routes of mod-inventory. The locks
//! are those of any decision about the item, because requests for it go back into the queue.

use octavo_circulation::plan::Plan;
use octavo_circulation::{Mark, MarkFacts, Undecided};
use octavo_engine::{Context, SNAPSHOT_VERSION};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Batch, Statement};
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM, ItemRow, LOCK_ITEM, LOCK_TITLE, RecordKey, statement_by_item};
use crate::circulation::locks::check_locked;
use crate::decide::{Attempt, Decision, Setback, decide};

/// Marks an item; `unknown` is the message about an item that does not exist.
pub async fn mark_item(context: &Context, item: Uuid, mark: &Mark, unknown: fn() -> Fault) -> Outcome<Plan> {
    decide(context, &Marking { item: item.to_string(), id: item, mark, unknown }).await
}

struct Marking<'a> {
    item: String,
    id: Uuid,
    mark: &'a Mark,
    unknown: fn() -> Fault,
}

impl Decision for Marking<'_> {
    type Facts = MarkFacts;
    type Plan = Plan;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<MarkFacts, Setback> {
        let named = RecordKey::Id(&self.item);
        let title_level = |desk: &Desk| desk.title_level.enabled;
        let mut batch = Batch::default();
        let locked_title = title_level(&Desk::from_snapshot(&attempt.snapshot))
            .then(|| batch.ask::<Option<Uuid>>(statement_by_item(&LOCK_TITLE[0], named)));
        batch.ask::<Uuid>(statement_by_item(&LOCK_ITEM[0], named));
        let version = batch.ask::<i64>(Statement::new(SNAPSHOT_VERSION));
        let item = batch.ask::<ItemRow>(statement_by_item(&ITEM[0], named));
        let requests = batch.ask::<Option<Value>>(Statement::new(OPEN_REQUESTS).uuid(self.id));
        let answers = attempt.ask(batch).await?;
        let version = answers.first(version).unwrap_or_default();
        attempt
            .use_newest_settings(version, |before, now| {
                title_level(&Desk::from_snapshot(before)) != title_level(&Desk::from_snapshot(now))
            })
            .await?;
        let item = answers.first(item).ok_or_else(self.unknown)?;
        if let Some(locked) = locked_title {
            check_locked("the title of the item", &answers.first(locked).flatten(), &item.title_id)?;
        }
        let context = attempt.context;
        Ok(MarkFacts {
            now: context.now,
            acting_user_id: context.caller.user_id.map(|id| id.to_string()),
            item: item.record().ok_or_else(self.unknown)?.into(),
            requests: answers.all(requests).into_iter().flatten().collect(),
        })
    }

    fn decide(&self, facts: &MarkFacts) -> Result<Plan, Undecided> {
        Ok(octavo_circulation::mark_item(facts, self.mark)?)
    }
}

const OPEN_REQUESTS: &str = "\
select r.doc::text
from request r
where r.\"itemId\" = $1
  and r.status like 'open%'
for no key update";

octavo_pg::statements!(hot = [OPEN_REQUESTS]);
