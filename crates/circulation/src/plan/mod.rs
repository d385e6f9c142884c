//! The result of a decision, as data.

mod logged;
mod notices;
mod partners;
mod places;
mod records;
mod retrievals;

use octavo_kernel::json_text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::document::Document;
use crate::trace::{Sentences, Step};

pub use logged::{Logged, Source};
pub use notices::{Notice, NoticeReason, NoticeSubject, Scheduled, Unscheduled, event};
pub use partners::{DcbEvent, DcbSubject, DeskEvent};
pub use places::{PlaceChange, QueueOf};
pub use retrievals::{RETURNED, Retrieval, TO_BE_RETRIEVED};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub writes: Vec<Write>,
    pub events: Vec<Event>,
    /// The notices to patrons, those to write at once and those for later.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scheduled: Vec<Scheduled>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unscheduled: Vec<Unscheduled>,
    /// The ids of the actions on fees/fines, which the plan records, of which the patron is to be notified.
    #[serde(skip)]
    pub notified_actions: Vec<String>,
    /// What remote storages are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retrievals: Vec<Retrieval>,
    /// Loans that are recalled and keep the due date that an earlier recall has set.
    #[serde(skip)]
    pub recalled_again: Vec<Document>,
    /// The events that concern transactions with other libraries, if the library has any.
    #[serde(skip)]
    pub dcb_events: Vec<DcbEvent>,
    /// Records of the circulation log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logged: Vec<Logged>,
    /// The body of FOLIO's answer, JSON.
    pub response: String,
    pub trace: Vec<Step>,
}

/// Documents are stored whole, with `metadata` set and `_version` as it was read. `Remember` stores the decision itself, a
/// [`crate::StoredDecision`] as JSON. `Places` changes the places of requests that are not written themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "write", rename_all = "camelCase")]
pub enum Write {
    Insert { record: RecordKind, id: String, document: Document },
    Update { record: RecordKind, id: String, document: Document },
    Delete { record: RecordKind, id: String },
    Remember { id: String, loan_id: String, text: String },
    Places(PlaceChange),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordKind {
    Item,
    Loan,
    Request,
    CheckIn,
    PatronActionSession,
    Account,
    FeeFineAction,
    ActualCostRecord,
    Note,
    Decision,
}

impl RecordKind {
    /// In this order, a record comes after those that it refers to.
    pub const ALL: [RecordKind; 10] = [
        RecordKind::Item,
        RecordKind::Loan,
        RecordKind::Request,
        RecordKind::CheckIn,
        RecordKind::PatronActionSession,
        RecordKind::Account,
        RecordKind::FeeFineAction,
        RecordKind::ActualCostRecord,
        RecordKind::Note,
        RecordKind::Decision,
    ];

    /// Whether the record may be deleted before an operation is undone: sessions end with the visit, and staff delete notes.
    pub(crate) fn may_be_gone(self) -> bool {
        matches!(self, RecordKind::PatronActionSession | RecordKind::Note)
    }

    pub fn name(self) -> &'static str {
        match self {
            RecordKind::Item => "item",
            RecordKind::Loan => "loan",
            RecordKind::Request => "request",
            RecordKind::CheckIn => "check-in",
            RecordKind::PatronActionSession => "patron action session",
            RecordKind::Account => "fee/fine",
            RecordKind::FeeFineAction => "fee/fine action",
            RecordKind::ActualCostRecord => "actual cost record",
            RecordKind::Note => "note",
            RecordKind::Decision => "decision",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub name: &'static str,
    pub payload: Value,
}

impl Write {
    pub fn document(&self) -> Option<(RecordKind, &str, &Document)> {
        match self {
            Write::Insert { record, id, document } | Write::Update { record, id, document } => {
                Some((*record, id, document))
            }
            Write::Remember { .. } | Write::Delete { .. } | Write::Places(_) => None,
        }
    }
}

impl Plan {
    pub fn sentences(&self) -> Vec<String> {
        self.trace.iter().map(Step::to_string).collect()
    }

    /// The sentences of the explanation as a JSON array.
    pub fn explanation(&self) -> String {
        json_text(&Sentences(&self.trace))
    }

    pub(crate) fn insert(&mut self, record: RecordKind, id: &str, document: impl Into<Document>) {
        self.writes.push(Write::Insert { record, id: id.to_owned(), document: document.into() });
    }

    pub(crate) fn update(&mut self, record: RecordKind, id: &str, document: impl Into<Document>) {
        self.writes.push(Write::Update { record, id: id.to_owned(), document: document.into() });
    }

    pub(crate) fn delete(&mut self, record: RecordKind, id: &str) {
        self.writes.push(Write::Delete { record, id: id.to_owned() });
    }

    /// Adds another plan, except its answer.
    pub(crate) fn absorb(&mut self, other: Plan) {
        self.writes.extend(other.writes);
        self.events.extend(other.events);
        self.notified_actions.extend(other.notified_actions);
        self.retrievals.extend(other.retrievals);
        self.trace.extend(other.trace);
    }

    pub(crate) fn place_changes(&self) -> impl Iterator<Item = &PlaceChange> {
        self.writes.iter().filter_map(|write| match write {
            Write::Places(change) => Some(change),
            _ => None,
        })
    }

    /// A record as the plan leaves it, if it writes it.
    pub(crate) fn last_written(&self, wanted: RecordKind, wanted_id: &str) -> Option<&Document> {
        self.documents(wanted).rev().find(|(id, _)| *id == wanted_id).map(|(_, document)| document)
    }

    /// The written records of a kind with their ids; a record that is written twice occurs twice.
    pub fn documents(&self, wanted: RecordKind) -> impl DoubleEndedIterator<Item = (&str, &Document)> {
        let of_kind = move |(record, id, document)| (record == wanted).then_some((id, document));
        self.writes.iter().filter_map(Write::document).filter_map(of_kind)
    }

    /// The id of the first record of a kind that is written.
    pub fn written_id(&self, wanted: RecordKind) -> Option<&str> {
        self.documents(wanted).next().map(|(id, _)| id)
    }

    #[cfg(test)]
    pub(crate) fn answer(&self) -> Value {
        serde_json::from_str(&self.response).unwrap()
    }

    pub(crate) fn publish(&mut self, name: &'static str, payload: Value) {
        self.events.push(Event { name, payload });
    }

    /// Publishes an event that names only a loan and its borrower.
    pub(crate) fn publish_loan(&mut self, name: &'static str, loan: &Value) {
        self.publish(name, json!({"userId": loan["userId"], "loanId": loan["id"]}));
    }

    pub(crate) fn publish_due_date(&mut self, loan: &Value) {
        let payload = json!({
            "userId": loan["userId"],
            "loanId": loan["id"],
            "dueDate": loan["dueDate"],
            "dueDateChangedByRecall": loan["dueDateChangedByRecall"] == true,
        });
        self.publish("LOAN_DUE_DATE_CHANGED", payload);
    }

    pub(crate) fn add_step(&mut self, step: Step) {
        self.trace.push(step);
    }
}
