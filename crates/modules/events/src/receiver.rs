//! The trait of consumers of events, and an event in the form in which consumers get it.

use std::pin::Pin;
use std::time::Duration;

use octavo_engine::Context;
use octavo_remote::FullAnswer;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::records;

/// An event with its position among the events of the tenant.
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
    /// For changes of records only: the Kafka key by which FOLIO keeps the messages of a record in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
}

/// How many of the offered events a consumer has taken.
#[derive(Debug)]
pub(crate) struct TakeResult {
    pub(crate) count: usize,
    /// Why the consumer did not take the next event. `None` if it takes the other events when they are offered again.
    pub(crate) refusal: Option<Refusal>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The consumer could not be reached, or has trouble of its own: it may take the event later.
    NotNow(String),
    /// The consumer was reached and does not want this event.
    Unwanted(String),
}

pub(crate) type TakeFuture<'a> = Pin<Box<dyn Future<Output = TakeResult> + Send + 'a>>;

pub(crate) trait Receiver: Send + Sync {
    fn wants(&self, kind: &str) -> bool;

    /// Whether the consumer wants changes of at least one type of record.
    fn wants_record_changes(&self) -> bool {
        records::record_change_types().any(|kind| self.wants(kind))
    }

    /// Sends events to the consumer, the oldest first: all of them, or those whose sending begins before [`BATCH_TIME_LIMIT`] is over. The
    /// caller holds no database connection meanwhile.
    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> TakeFuture<'a>;
}

/// After this time the sending of no further event of a batch begins, because the consumer's position is recorded between batches.
pub(crate) const BATCH_TIME_LIMIT: Duration = Duration::from_secs(10);

/// Judges the HTTP status of a consumer's answer. 408, 425, 429 and the statuses in `patience` ask for patience and refuse no event.
pub(crate) fn check_answer(who: &str, answered: &FullAnswer, patience: &[u16]) -> Result<(), Refusal> {
    match answered.status {
        200..=299 => Ok(()),
        status @ 400..=499 if ![408, 425, 429].contains(&status) && !patience.contains(&status) => {
            Err(Refusal::Unwanted(answer_message(who, answered)))
        }
        _ => Err(Refusal::NotNow(answer_message(who, answered))),
    }
}

/// The most characters of a consumer's answer that are shown to staff.
const MAX_ANSWER_CHARACTERS: usize = 200;

/// What a consumer has answered, as a message for staff. Control characters are left out, because a JSON document in PostgreSQL cannot hold
/// U+0000.
fn answer_message(who: &str, answered: &FullAnswer) -> String {
    let text = String::from_utf8_lossy(&answered.body);
    let text: String = text.chars().filter(|sign| !sign.is_control()).take(MAX_ANSWER_CHARACTERS).collect();
    format!("The {who} answered {}: {text}", answered.status)
}
