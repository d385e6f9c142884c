//! Records that a decision writes, with their metadata and the sentence about each.

use serde_json::{Value, json};

use super::{Plan, RecordKind};
use crate::document::{Document, set_some, text};
use crate::facts::{Facts, Item};
use crate::trace::Step;

impl Facts {
    /// Writes an item that has changed. `before` was its status.
    pub(crate) fn write_item(&self, before: String, item: &mut Item, plan: &mut Plan) {
        self.set_metadata(&mut item.record);
        plan.update(RecordKind::Item, item.id(), item.record.clone());
        plan.add_step(Step::ItemStatusChanged { from: before, to: item.status().to_owned() });
    }

    /// Writes a request that has changed since it was `stored`.
    pub(crate) fn write_request(&self, stored: &Value, request: &mut Document, plan: &mut Plan) {
        self.set_metadata(request);
        let word = |record: &Value, key: &str| text(record, &[key]).unwrap_or_default().to_owned();
        let request_id = word(request, "id");
        plan.update(RecordKind::Request, &request_id, request.clone());
        plan.add_step(Step::RequestChanged {
            request_id,
            from: word(stored, "status"),
            to: word(request, "status"),
        });
    }
}

impl Plan {
    /// Stores that a loan was checked out or in during a patron's visit, about which one notice is written.
    pub(crate) fn insert_session(
        &mut self,
        facts: &Facts,
        patron_id: &str,
        loan_id: &str,
        action: &str,
        session_id: Option<&str>,
    ) {
        let id = facts.fresh_ids.session.as_str();
        let mut session = json!({"id": id, "patronId": patron_id, "loanId": loan_id, "actionType": action});
        set_some(&mut session, "sessionId", session_id);
        facts.set_metadata(&mut session);
        self.insert(RecordKind::PatronActionSession, id, session);
    }
}
