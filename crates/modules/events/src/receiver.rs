//! What a consumer of events is to those who hand them over, and an event as it is handed over.

use std::pin::Pin;
use std::time::Duration;

use octavo_engine::Context;
use octavo_remote::Answered;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::records;

/// An event with its place among the tenant's.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Event {
    pub(crate) position: i64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// When the transaction began that wrote it, in UTC.
    pub(crate) at: String,
    pub(crate) tenant: String,
    pub(crate) by_user_id: Option<Uuid>,
    pub(crate) payload: Box<RawValue>,
    /// Of the change of a record: the key by which FOLIO keeps such messages in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
}

/// How much of what it was offered a consumer has taken.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) count: usize,
    /// `None` if it takes the rest when it is offered again.
    pub(crate) why_not_more: Option<Refusal>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The consumer could not be reached, or has trouble of its own: it may take the event later.
    NotNow(String),
    /// The consumer was reached and does not want this event.
    Event(String),
}

pub(crate) type Taking<'a> = Pin<Box<dyn Future<Output = Taken> + Send + 'a>>;

pub(crate) trait Receiver: Send + Sync {
    fn wants(&self, kind: &str) -> bool;

    /// Whether it gets changes of records of some type.
    fn wants_changes(&self) -> bool {
        records::kinds().any(|kind| self.wants(kind))
    }

    /// Hands events over, the oldest first: all, or those that are begun before [`ENOUGH`] is over. No connection to the database is held.
    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> Taking<'a>;
}

/// After this time no other event of a batch is begun: the claim on the consumer is renewed between batches.
pub(crate) const ENOUGH: Duration = Duration::from_secs(10);

/// What an answer means. By some statuses, those of `patience` among them, a server asks for patience and refuses no event.
pub(crate) fn judged(who: &str, answered: &Answered, patience: &[u16]) -> Result<(), Refusal> {
    match answered.status {
        200..=299 => Ok(()),
        status @ 400..=499 if ![408, 425, 429].contains(&status) && !patience.contains(&status) => {
            Err(Refusal::Event(told(who, answered)))
        }
        _ => Err(Refusal::NotNow(told(who, answered))),
    }
}

/// The most characters of an answer that are told.
const MOST_TOLD: usize = 200;

/// What a receiver has answered, for staff. Control characters are left out: no document holds U+0000.
fn told(who: &str, answered: &Answered) -> String {
    let text = String::from_utf8_lossy(&answered.body);
    let text: String = text.chars().filter(|sign| !sign.is_control()).take(MOST_TOLD).collect();
    format!("The {who} answered {}: {text}", answered.status)
}
