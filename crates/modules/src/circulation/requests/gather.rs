//! The first round trip of a decision about requests. Locks are taken as at the desk: patron, title, items, then what is read.

use std::sync::Arc;

use octavo_circulation::blocks::automated_blocks;
use octavo_circulation::facts::{Facts, Item, Loan, ManualBlock, Proxy, QueuedRequest};
use octavo_circulation::request::{Instance, RequestFacts};
use octavo_engine::Context;
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Row, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::sql;
use crate::circulation::Desk;
use crate::circulation::gather::{
    COUNTED_BY_ID, ITEM_WIDTH, item_at, library_facts, list, patron_of, standing,
};

/// What a decision is about: a request that is there, or what a new one names.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub(super) request: Option<Uuid>,
    pub(super) requester: Option<Uuid>,
    pub(super) proxy: Option<Uuid>,
    pub(super) instance: Option<Uuid>,
    pub(super) items: Vec<Uuid>,
    /// All items of the instance, not only those that are named.
    pub(super) whole_title: bool,
    /// Whether automated blocks of the requester stand in the way.
    pub(super) heeds_blocks: bool,
    /// The request goes away with the decision.
    pub(super) deletes: bool,
    /// Everybody in the queue is of interest.
    pub(super) whole_queue: bool,
}

pub(super) enum Gathered {
    Facts {
        facts: Box<RequestFacts>,
        stored: Option<Value>,
    },
    /// The library's settings or the request have changed while we read.
    Stale(Arc<Desk>),
}

/// One round trip; the transaction stays open.
pub(super) async fn gather(
    context: &Context,
    session: &mut Session,
    wanted: &Wanted,
    desk: &Arc<Desk>,
) -> Outcome<Gathered> {
    let heeds_blocks = wanted.heeds_blocks && desk.block_limits.any();
    let mut statements = statements(wanted, desk);
    let blocked = wanted.requester.filter(|_| heeds_blocks);
    let now = || folio_time(context.now);
    statements
        .extend(blocked.map(|id| Statement::new(COUNTED_BY_ID.as_str()).text(id.to_string()).text(now())));
    let limited = wanted.requester.filter(|_| wanted.heeds_blocks && !desk.request_options.limits.is_empty());
    statements.extend(limited.map(|id| Statement::new(sql::OPEN_REQUESTS).uuid(id)));
    let mut answers = session.begin(statements).await?.into_iter();
    let mut next = || answers.next().unwrap_or_default();
    let locked: [Vec<Uuid>; 3] = [next(), next(), next()].map(|rows| ids(&rows, 0));
    let requester = next().into_iter().next();
    let instance = next().into_iter().next();
    let item_rows = next();
    let items: Vec<Item> = item_rows.iter().filter_map(|row| item_at(row, 0, desk)).collect();
    let loans = next();
    let mut queue: Vec<QueuedRequest> = next().iter().map(standing_in_queue).collect();
    let stored: Option<Value> = next().into_iter().next().and_then(|row| row.json(0));
    // What is changed is compared with all that it was.
    if let Some(stored) = &stored
        && let Some(standing) = queue.iter_mut().find(|standing| standing.record["id"] == stored["id"])
    {
        standing.record = stored.clone().into();
    }
    let proxy = next().into_iter().next();
    let standing = blocked.map(|_| standing(&next())).transpose()?;
    let open_requests = limited.and_then(|_| next().first().map(|row| row.long(0)));

    let version = requester.as_ref().map_or(0, |row| row.long(0));
    if version != desk.version {
        let snapshot = context.platform.snapshots.read(&context.tenant.id, session).await?;
        return Ok(Gathered::Stale(Desk::of(&snapshot)));
    }
    let read = [ids(requester.as_slice(), 3), ids(instance.as_slice(), 0), ids(&item_rows, ITEM_WIDTH)];
    if locked != read {
        return Ok(Gathered::Stale(Arc::clone(desk)));
    }
    // The request was moved to an item that we have not locked.
    let item_of_request = stored.as_ref().and_then(|request| request["itemId"].as_str());
    if item_of_request.is_some_and(|id| !items.iter().any(|item| item.id() == id)) && !items.is_empty() {
        return Ok(Gathered::Stale(Arc::clone(desk)));
    }

    let patron = requester.as_ref().and_then(|row| row.json(1));
    let automated_blocks = match (&standing, &patron) {
        (Some(standing), Some(patron)) => {
            let group = patron["patronGroup"].as_str();
            automated_blocks(&desk.block_limits, group, standing, &desk.policies, context.now)
        }
        _ => Vec::new(),
    };
    let named = |id: &Uuid| items.iter().find(|item| item.id() == id.to_string()).cloned();
    let facts = Facts {
        patron: patron.map(|user| patron_of(user, desk)),
        proxy: proxy
            .as_ref()
            .and_then(|row| row.json(0))
            .map(|user| Proxy { patron: patron_of(user, desk), relationships: list(proxy.as_ref(), 1) }),
        item: wanted.items.first().and_then(named),
        manual_blocks: list(requester.as_ref(), 2).into_iter().map(|record| ManualBlock { record }).collect(),
        automated_blocks,
        queue,
        ..library_facts(context, desk)
    };
    let instance = instance.map(|row| Instance {
        id: row.uuid(0).to_string(),
        record: row.json(1).unwrap_or_default(),
        has_holdings: row.truth(2),
    });
    Ok(Gathered::Facts {
        facts: Box::new(RequestFacts {
            desk: facts,
            title_level: desk.title_level,
            options: Arc::clone(&desk.request_options),
            open_requests: open_requests.unwrap_or_default(),
            instance,
            items,
            borrowers: loans.iter().filter_map(|row| Some(patron_of(row.json(1)?, desk))).collect(),
            open_loans: records(&loans).into_iter().map(Loan::from).collect(),
            locations: Arc::clone(&desk.locations),
            fresh_id: context.fresh_id().to_string(),
        }),
        stored,
    })
}

fn statements(wanted: &Wanted, desk: &Desk) -> Vec<Statement> {
    let of_request = |text: &'static str| Statement::new(text).maybe_uuid(wanted.request);
    let whole = usize::from(wanted.whole_title);
    let of_items = |texts: &'static [String; 2]| match whole {
        0 => of_request(texts[0].as_str()).uuids(wanted.items.clone()),
        _ => of_request(texts[1].as_str()).maybe_uuid(wanted.instance).uuids(wanted.items.clone()),
    };
    let of_title =
        |text: &'static str| of_request(text).maybe_uuid(wanted.instance).uuids(wanted.items.clone());
    let of_requester = |text: &'static str| of_request(text).maybe_uuid(wanted.requester);
    vec![
        of_requester(sql::LOCK_REQUESTER.as_str()),
        of_title(sql::LOCK_INSTANCE.as_str()),
        of_items(&sql::LOCK_ITEMS),
        of_requester(sql::REQUESTER.as_str()),
        of_title(sql::INSTANCE.as_str()),
        of_items(&sql::ITEMS),
        of_items(&sql::LOANS),
        if desk.title_level.enabled {
            of_title(sql::QUEUE_OF_TITLE.as_str())
        } else {
            of_items(&sql::QUEUE_OF_ITEMS)
        }
        .maybe_uuid(wanted.requester)
        .long(i64::from(wanted.whole_queue)),
        of_request(sql::STORED),
        of_request(sql::PROXY).maybe_uuid(wanted.proxy).maybe_uuid(wanted.requester),
    ]
}

/// Those that are there.
fn ids(rows: &[Row], at: usize) -> Vec<Uuid> {
    rows.iter().filter_map(|row| row.maybe_uuid(at)).collect()
}

fn records(rows: &[Row]) -> Vec<Value> {
    rows.iter().filter_map(|row| row.json(0)).collect()
}

/// The members that decisions about requests look at.
fn standing_in_queue(row: &Row) -> QueuedRequest {
    let id = |at: usize| row.maybe_uuid(at).map(|id| id.to_string());
    let mut record = json!({"id": row.uuid(0).to_string(), "position": row.long(4)});
    for (key, value) in [("itemId", id(1)), ("instanceId", id(2)), ("requesterId", id(3))] {
        if let Some(value) = value {
            record[key] = json!(value);
        }
    }
    for (key, at) in [("status", 5), ("requestType", 6), ("requestLevel", 7)] {
        if let Some(value) = row.maybe_text(at) {
            record[key] = json!(value);
        }
    }
    QueuedRequest { record: record.into(), ..QueuedRequest::default() }
}
