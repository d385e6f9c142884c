//! The first round trip of a decision about requests. Its locks have the order of the desk: patron, title, items.

use std::sync::Arc;

use octavo_circulation::facts::{Facts, Item, Loan, ManualBlock, QueuedRequest};
use octavo_circulation::request::{Instance, RequestFacts};
use octavo_engine::{Context, Snapshot};
use octavo_kernel::folio_time;
use octavo_pg::{AnswerHandle, Answers, Batch, Columns, DbError, Json, Read, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::sql;
use crate::circulation::Desk;
use crate::circulation::gather::{
    COUNTED_BY_ID, ItemRow, PatronRow, ProxyRow, StandingRow, blocks_of, library_facts, patron_of, proxy_of,
};
use crate::circulation::locks::check_locked;
use crate::decide::{Attempt, Setback};

/// The stored request of a decision, or the ids that a new one names.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestKeys {
    pub(super) request: Option<Uuid>,
    pub(super) requester: Option<Uuid>,
    pub(super) proxy: Option<Uuid>,
    pub(super) instance: Option<Uuid>,
    pub(super) items: Vec<Uuid>,
    /// Whether all items of the instance are read, not only the named ones.
    pub(super) whole_title: bool,
    /// Whether automated blocks of the requester can prevent the operation.
    pub(super) checks_blocks: bool,
    pub(super) whole_queue: bool,
}

pub(super) struct Gathered {
    pub(super) facts: RequestFacts,
    pub(super) stored: Option<Value>,
}

/// Handles to the answers of the statements, in the order in which these are sent.
struct Questions {
    locked_requester: AnswerHandle<Option<Uuid>>,
    locked_instance: AnswerHandle<Option<Uuid>>,
    locked_items: AnswerHandle<Option<Uuid>>,
    requester: AnswerHandle<PatronRow>,
    instance: AnswerHandle<InstanceRow>,
    items: AnswerHandle<(ItemRow, Option<Uuid>)>,
    loans: AnswerHandle<(Option<Value>, Option<Value>)>,
    queue: AnswerHandle<PlaceRow>,
    stored: AnswerHandle<Option<Value>>,
    proxy: AnswerHandle<ProxyRow>,
    /// If the library has limits.
    standing: Option<AnswerHandle<StandingRow>>,
    open_requests: Option<AnswerHandle<i64>>,
}

/// The id, the members that requests show, and whether there are holdings.
type InstanceRow = (Option<Uuid>, Option<Value>, bool);

/// The members of a queued request that decisions about other requests use.
struct PlaceRow(Value);

impl Read<'_> for PlaceRow {
    fn read(columns: &mut Columns<'_>) -> PlaceRow {
        let mut record = json!({"id": columns.take::<Uuid>().to_string()});
        for key in ["itemId", "instanceId", "requesterId"] {
            if let Some(id) = columns.take::<Option<Uuid>>() {
                record[key] = json!(id.to_string());
            }
        }
        record["position"] = json!(columns.take::<i64>());
        for key in ["status", "requestType", "requestLevel"] {
            if let Some(word) = columns.take::<Option<&str>>() {
                record[key] = json!(word);
            }
        }
        PlaceRow(record)
    }
}

impl RequestKeys {
    /// Whether newer settings require other statements.
    fn needs_other_statements(&self, before: &Desk, now: &Desk) -> bool {
        before.title_level.enabled != now.title_level.enabled
            || before.has_partners != now.has_partners
            || self.patron_with_blocks(before) != self.patron_with_blocks(now)
            || self.patron_with_limit(before) != self.patron_with_limit(now)
    }

    /// The requester, if automated blocks are computed.
    fn patron_with_blocks(&self, desk: &Desk) -> Option<Uuid> {
        self.requester.filter(|_| self.checks_blocks && desk.block_limits.has_limits())
    }

    /// The requester, if the library limits the number of requests.
    fn patron_with_limit(&self, desk: &Desk) -> Option<Uuid> {
        self.requester.filter(|_| self.checks_blocks && !desk.request_options.limits.is_empty())
    }
}

/// One round trip; the transaction stays open.
pub(super) async fn gather(attempt: &mut Attempt<'_>, wanted: &RequestKeys) -> Result<Gathered, Setback> {
    let mut batch = Batch::default();
    let questions =
        Questions::ask(&mut batch, attempt.context, wanted, &Desk::from_snapshot(&attempt.snapshot));
    let answers = attempt.ask(batch).await?;
    let requester = answers.first(questions.requester);
    let version = requester.as_ref().map_or(0, |(version, ..)| *version);
    let otherwise = |before: &Snapshot, now: &Snapshot| {
        wanted.needs_other_statements(&Desk::from_snapshot(before), &Desk::from_snapshot(now))
    };
    attempt.use_newest_settings(version, otherwise).await?;
    questions.read(attempt.context, &answers, wanted, &Desk::from_snapshot(&attempt.snapshot), requester)
}

impl Questions {
    fn ask(batch: &mut Batch, context: &Context, wanted: &RequestKeys, desk: &Desk) -> Questions {
        let of_request = |text: &'static str| Statement::new(text).maybe_uuid(wanted.request);
        let of_title =
            |text: &'static str| of_request(text).maybe_uuid(wanted.instance).uuids(wanted.items.clone());
        let of_items = |[named, of_whole_title]: &'static [String; 2]| match wanted.whole_title {
            false => of_request(named.as_str()).uuids(wanted.items.clone()),
            true => of_title(of_whole_title.as_str()),
        };
        let of_requester = |text: &'static str| of_request(text).maybe_uuid(wanted.requester);
        let queue = match desk.title_level.enabled {
            true => of_title(sql::QUEUE_OF_TITLE.as_str()),
            false => of_items(&sql::QUEUE_OF_ITEMS),
        };
        let counted = |id: Uuid| {
            Statement::new(COUNTED_BY_ID.as_str()).text(id.to_string()).text(folio_time(context.now))
        };
        Questions {
            locked_requester: batch.ask(of_requester(sql::LOCK_REQUESTER.as_str())),
            locked_instance: batch.ask(of_title(sql::LOCK_INSTANCE.as_str())),
            locked_items: batch.ask(of_items(desk.choose_for_stock(&sql::LOCK_ITEMS))),
            requester: batch.ask(of_requester(sql::REQUESTER.as_str())),
            instance: batch.ask(of_title(sql::INSTANCE.as_str())),
            items: batch.ask(of_items(desk.choose_for_stock(&sql::ITEMS))),
            loans: batch.ask(of_items(&sql::LOANS)),
            queue: batch.ask(queue.maybe_uuid(wanted.requester).long(i64::from(wanted.whole_queue))),
            stored: batch.ask(of_request(sql::STORED)),
            proxy: batch.ask(of_request(sql::PROXY).maybe_uuid(wanted.proxy).maybe_uuid(wanted.requester)),
            standing: wanted.patron_with_blocks(desk).map(|id| batch.ask(counted(id))),
            open_requests: wanted
                .patron_with_limit(desk)
                .map(|id| batch.ask(Statement::new(sql::OPEN_REQUESTS).uuid(id))),
        }
    }

    fn read(
        &self,
        context: &Context,
        answers: &Answers,
        wanted: &RequestKeys,
        desk: &Arc<Desk>,
        requester: Option<PatronRow>,
    ) -> Result<Gathered, Setback> {
        let item_rows = answers.all(self.items);
        let instance = answers.first(self.instance);
        let read_items: Vec<Uuid> = item_rows.iter().filter_map(|(_, id)| *id).collect();
        let read_requester = requester.as_ref().and_then(|(.., id)| *id);
        let read_instance = instance.as_ref().and_then(|(id, ..)| *id);
        let locked_items: Vec<Uuid> = answers.all(self.locked_items).into_iter().flatten().collect();
        check_locked("the requester", &answers.first(self.locked_requester).flatten(), &read_requester)?;
        check_locked("the title", &answers.first(self.locked_instance).flatten(), &read_instance)?;
        check_locked("the items", &locked_items, &read_items)?;
        let items: Vec<Item> = item_rows.into_iter().filter_map(|(row, _)| row.item(desk)).collect();
        let stored = answers.first(self.stored).flatten();
        // Another client has moved the request to an item that is not locked here.
        let item_of_request = stored.as_ref().and_then(|request| request["itemId"].as_str());
        if item_of_request.is_some_and(|id| !items.iter().any(|item| item.id() == id)) && !items.is_empty() {
            return Err(DbError::conflict("the item of the request").into());
        }
        let (loans, borrowers): (Vec<_>, Vec<_>) = answers.all(self.loans).into_iter().unzip();
        let instance = instance.and_then(|(id, record, has_holdings)| {
            let id = id?.to_string();
            let mut record = record.unwrap_or_default();
            // All borrowed items are of one instance; each has a title of its own.
            if let [item] = items.as_slice()
                && item.is_borrowed()
            {
                record["title"] = json!(item.title);
            }
            Some(Instance { id, record, has_holdings })
        });
        let named = |id: &Uuid| items.iter().find(|item| item.id() == id.to_string()).cloned();
        let facts = Facts {
            item: wanted.items.first().and_then(named),
            queue: self.queue(answers, stored.as_ref()),
            ..self.facts_about_requester(context, answers, desk, requester)
        };
        let facts = RequestFacts {
            desk: facts,
            title_level: desk.title_level,
            options: Arc::clone(&desk.request_options),
            open_requests: answers.first(self.open_requests).unwrap_or_default(),
            instance,
            items,
            borrowers: borrowers.into_iter().flatten().map(|user| patron_of(user, desk)).collect(),
            open_loans: loans.into_iter().flatten().map(Loan::from).collect(),
            locations: Arc::clone(&desk.locations),
            fresh_id: context.fresh_id().to_string(),
        };
        Ok(Gathered { facts, stored })
    }

    fn facts_about_requester(
        &self,
        context: &Context,
        answers: &Answers,
        desk: &Arc<Desk>,
        requester: Option<PatronRow>,
    ) -> Facts {
        let (patron, blocks) = requester.map(|(_, patron, blocks, _)| (patron, blocks)).unwrap_or_default();
        let standing = self.standing.map(|asked| answers.first(asked).unwrap_or_default().standing());
        let automated_blocks = blocks_of(patron.as_ref(), standing.as_ref(), context, desk);
        let blocks = blocks.map(|Json(blocks)| blocks).unwrap_or_default();
        Facts {
            patron: patron.map(|user| patron_of(user, desk)),
            proxy: answers.first(self.proxy).and_then(|row| proxy_of(row, desk)),
            manual_blocks: blocks.into_iter().map(|record| ManualBlock { record }).collect(),
            automated_blocks,
            ..library_facts(context, desk)
        }
    }

    /// The queue before the change, including the stored request that is changed.
    fn queue(&self, answers: &Answers, stored: Option<&Value>) -> Vec<QueuedRequest> {
        let place = |PlaceRow(record)| {
            let own = stored.filter(|stored| stored["id"] == record["id"]);
            QueuedRequest { record: own.cloned().unwrap_or(record).into(), ..QueuedRequest::default() }
        };
        answers.all(self.queue).into_iter().map(place).collect()
    }
}
