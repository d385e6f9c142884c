//! The ledger of patron notices: a row for each notice, with the reason for it and its result. `circulation::notices` writes the
//! notices, and `email` notes the answers of the mail server.

use jiff::SignedDuration;
use octavo_engine::{Context, outbox};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Session, Statement};
use octavo_record::{
    ErasureRule, Field, Index, Member, MergeRule, PersonalData, Persons, RecordTransfer, RecordType,
};
use serde_json::{Value, json};
use uuid::Uuid;

const ON_ITS_WAY: &str = "t.status in ('Pending', 'Sending')";

pub static NOTICE: RecordType = RecordType {
    name: "notice",
    table: "notice",
    path: "/notice-ledger/notices",
    collection: "notices",
    schema: include_str!("../../octavo/records/octavo-notices/notice.tsv"),
    fields: &[
        Field::exact("status"),
        Field::exact("event"),
        Field::uuid("recipientId").indexed(&[Index::Order]),
        Field::uuid("loanId").indexed(&[Index::Order]),
        Field::uuid("requestId").indexed(&[Index::Order]),
        Field::uuid("templateId"),
        Field::uuid("policyId"),
        Field::time("decidedDate").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("recipientId"),
            Member::patron("to", PersonalData::Address),
            Member::patron("header", PersonalData::Text),
            Member::patron("body", PersonalData::Text),
            Member::patron("context", PersonalData::All),
            Member::patron("remarks", PersonalData::Text),
            Member::patron("message", PersonalData::Text),
            Member::staff("decidedByUserId", PersonalData::Id),
        ],
        not_persons: &["emailId"],
        on_loan_anonymised: ErasureRule::AnonymiseWhere(
            "t.\"loanId\" = l.id \
             or t.\"recipientId\" = l.\"userId\" and (t.doc -> 'loanIds')::jsonb ? l.id::text",
        ),
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"recipientId\" = any($1)"),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new("recipientId", "t.\"recipientId\" = $1")]),
        needed_while: Some(ON_ITS_WAY),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub(crate) mod status {
    /// Decided, not written yet.
    pub(crate) const PENDING: &str = "Pending";
    /// Written; the e-mail is waiting or being sent.
    pub(crate) const SENDING: &str = "Sending";
    pub(crate) const SENT: &str = "Sent";
    /// The mail server refused it, or did not accept it for days.
    pub(crate) const FAILED: &str = "Failed";
    /// Not written, or written without an address.
    pub(crate) const NOT_SENT: &str = "Not sent";
    /// Written, to be printed by staff.
    pub(crate) const TO_PRINT: &str = "To print";
}

/// Notes when a notice is tried again, if at all.
pub(crate) fn set_next_attempt(context: &Context, notice: &mut Value, attempts: i64, again: bool) {
    let pause = SignedDuration::from_secs(outbox::retry_delay_seconds(attempts));
    match (context.now.checked_add(pause), notice.as_object_mut()) {
        (Ok(next), Some(notice)) if again => {
            notice.insert("nextAttemptDate".to_owned(), json!(folio_time(next)));
        }
        (_, Some(notice)) => {
            notice.remove("nextAttemptDate");
        }
        (_, None) => {}
    }
}

pub(crate) async fn read(session: &mut Session, ids: Vec<Uuid>) -> Outcome<Vec<(Uuid, Value)>> {
    let rows: Vec<(Uuid, Option<Value>)> = session.read(Statement::new(READ).uuids(ids)).await?;
    Ok(rows.into_iter().filter_map(|(id, notice)| Some((id, notice?))).collect())
}

const READ: &str = "select id, doc::text from notice where id = any($1)";

octavo_pg::statements!(hot = [READ]);
