//! The e-mails of mod-email 1.17.0, which notices, notifications and account events leave for the relay to send.

use octavo_engine::{Context, metadata, outbox, statements};
use octavo_pg::Statement;
use octavo_record::{ErasureRule, Field, Index, Member, MergeRule, PersonalData, Persons, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

pub static EMAIL: RecordType = RecordType {
    name: "e-mail",
    table: "email_statistics",
    path: "/email",
    collection: "emailEntity",
    schema: include_str!("../../folio/records/mod-email/email_entity.tsv"),
    fields: &[
        Field::exact("notificationId").indexed(&[Index::Order]),
        Field::exact("status"),
        Field::exact("shouldRetry"),
        Field::time("metadata.createdDate").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron("to", PersonalData::Address),
            Member::patron("header", PersonalData::Text),
            Member::patron("body", PersonalData::Text),
            Member::patron("attachments", PersonalData::All),
            Member::patron("message", PersonalData::Text),
        ],
        not_persons: &["from"],
        on_loan_anonymised: ErasureRule::Keep("an e-mail goes when the ledger forgets its notice"),
        on_user_deleted: ErasureRule::DeleteWhere(
            "lower(t.doc ->> 'to') in (select lower(u.doc #>> '{personal,email}') from users u where u.id = any($1))",
        ),
        on_user_merged: MergeRule::Keep("an e-mail names an address, and no user"),
        needed_while: Some("exists (select from outbox o where o.kind = 'email' and o.subject = t.id)"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// The kind of outbox entries for e-mails that are to be sent.
pub const EMAIL_TASK: &str = "email";

/// An e-mail to send, with the members of FOLIO's record.
#[derive(Debug)]
pub struct Draft<'a> {
    pub notification_id: &'a str,
    pub to: &'a str,
    pub from: Option<&'a str>,
    pub header: &'a str,
    pub body: &'a str,
    pub output_format: &'a str,
    pub attachments: Value,
}

impl<'a> Draft<'a> {
    /// An e-mail with a message in the form of mod-sender's requests.
    pub fn from_message(message: &'a Value, notification_id: &'a str, to: &'a str) -> Draft<'a> {
        let text = |name: &str| message[name].as_str().unwrap_or_default();
        Draft {
            notification_id,
            to,
            from: message["from"].as_str(),
            header: text("header"),
            body: text("body"),
            output_format: text("outputFormat"),
            attachments: message["attachments"].clone(),
        }
    }

    pub fn to_record(&self, id: Uuid) -> Value {
        let mut record = json!({
            "id": id,
            "notificationId": self.notification_id,
            "to": self.to,
            "header": self.header,
            "body": self.body,
            "outputFormat": self.output_format,
            "attachments": self.attachments,
        });
        if let Some(from) = self.from {
            record["from"] = json!(from);
        }
        record
    }
}

/// The statements that store e-mails and their outbox entries. The caller has to wake the relay after the commit.
pub fn insert_emails(context: &Context, records: Vec<Value>) -> Vec<Statement> {
    let now = context.now_text();
    let mut rows = Vec::with_capacity(records.len());
    for mut record in records {
        let Some(id) = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()) else { continue };
        record["status"] = json!("PROCESSING");
        record["shouldRetry"] = json!(true);
        record["attemptCount"] = json!(0);
        record["metadata"] = metadata(context, None, &now);
        rows.push((id, record));
    }
    let ids = rows.iter().map(|(id, _)| *id).collect();
    vec![statements::insert_all(&EMAIL, &rows), outbox::add_tasks(EMAIL_TASK, ids)]
}
