//! Letters that are due are written: the template is filled in, and the letter goes into the mail or to the printer's tray.

use std::collections::HashMap;

use octavo_circulation::facts::Patron;
use octavo_engine::outbox::{self, Task};
use octavo_engine::{Context, Snapshot, statements, take_turns};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Session, Statement};
use octavo_template::Locale;
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Gathered, Wanted, e_mail_address, gather};
use super::{NOTICE, TASK, status};
use crate::batch_print::{self, Printed, Sheet, addressee};
use crate::circulation::Desk;
use crate::email::{self, Attempt, Draft};
use crate::template_engine::{Order, locale, order};

const BATCH: i64 = 200;

/// Does what is due in a tenant: writes letters, and sends what is in the mail. How many e-mails were taken.
pub async fn relay(context: &Context) -> Outcome<usize> {
    write_all(context).await?;
    email::deliver(context).await
}

/// Each batch is one transaction: a process that dies has written none of it.
async fn write_all(context: &Context) -> Outcome<()> {
    let mut session = context.session().await?;
    loop {
        let rows = session.begin(vec![outbox::lock(TASK, BATCH)]).await?.pop().unwrap_or_default();
        let tasks: Vec<Uuid> = rows.iter().map(|row| Task::read(row).subject).collect();
        if tasks.is_empty() {
            session.rollback().await?;
            return Ok(());
        }
        // Not before: where nothing is to be written, nothing is read.
        let snapshot = context.platform.snapshots.with(&context.tenant.id, &mut session).await?;
        let desk = Desk::of(&snapshot);
        let letters = read(&mut session, tasks.clone()).await?;
        let mut wanted = Wanted::default();
        letters.iter().for_each(|(_, letter)| wanted.add(letter));
        let found = gather(&mut session, &desk, wanted).await?;
        let writer =
            Writer { context, desk: &desk, snapshot: &snapshot, locale: locale(&snapshot), found: &found };
        let mut written = Vec::with_capacity(letters.len());
        let (mut emails, mut sheets, mut on_paper) = (Vec::new(), Vec::new(), Vec::new());
        for (id, mut letter) in letters {
            match writer.write(&mut letter) {
                Some(Outgoing::Email(email)) => emails.push(email),
                Some(Outgoing::Sheet(sheet)) => {
                    sheets.push(Sheet { notice: Some(id), ..sheet });
                    on_paper.push(written.len());
                }
                None => {}
            }
            written.push((id, letter));
            take_turns(written.len()).await;
        }
        let (printed, entries) = batch_print::print(context, sheets).await?;
        for (at, printed) in on_paper.into_iter().zip(&printed) {
            on_the_way_to_the_printer(&mut written[at].1, printed);
        }
        let mut statements = vec![statements::overwrite_all(&NOTICE, written), outbox::done(TASK, tasks)];
        statements.extend(entries);
        if !emails.is_empty() {
            statements.extend(email::post(context, emails));
        }
        session.commit(statements).await?;
    }
}

async fn read(session: &mut Session, ids: Vec<Uuid>) -> Outcome<Vec<(Uuid, Value)>> {
    let rows = session.rows(Statement::new(READ).uuids(ids)).await?;
    Ok(rows.iter().filter_map(|row| Some((row.uuid(0), row.json(1)?))).collect())
}

struct Writer<'a> {
    context: &'a Context,
    desk: &'a Desk,
    snapshot: &'a Snapshot,
    locale: Locale,
    found: &'a Gathered,
}

/// What leaves the house, one way or the other.
enum Outgoing {
    Email(Value),
    Sheet(Sheet),
}

impl Writer<'_> {
    /// Notes in the letter's row what became of it; the letter itself, if there is one.
    fn write(&self, letter: &mut Value) -> Option<Outgoing> {
        let words = self.found.words(letter, self.context, self.desk);
        let text = |name: &str| letter[name].as_str().unwrap_or_default();
        let rendered = order(
            self.snapshot,
            &self.locale,
            Order {
                template_id: text("templateId"),
                language: text("language"),
                output_format: text("outputFormat"),
                context: &words,
            },
        );
        let rendered = match rendered {
            Ok(rendered) => rendered,
            Err(fault) => {
                not_sent(letter, &fault.body.render());
                return None;
            }
        };
        letter["writtenDate"] = json!(folio_time(self.context.now));
        letter["header"] = json!(rendered.header);
        letter["body"] = json!(rendered.body);
        if !rendered.remarks.is_empty() {
            letter["remarks"] = json!(rendered.remarks);
        }
        let Some(user) = self.found.user_of(letter) else {
            not_sent(letter, "the patron is not known any more");
            return None;
        };
        if letter["channel"] == "mail" {
            return Some(Outgoing::Sheet(sheet(letter, &user.record)));
        }
        self.mail(letter, user, Value::Array(rendered.attachments)).map(Outgoing::Email)
    }

    fn mail(&self, letter: &mut Value, user: &Patron, attachments: Value) -> Option<Value> {
        let Some(address) = e_mail_address(user) else {
            not_sent(letter, "the patron has no e-mail address");
            return None;
        };
        let email = self.context.fresh_id();
        let record = e_mail(letter, address, attachments).record(email);
        letter["to"] = json!(address);
        letter["emailId"] = json!(email);
        letter["status"] = json!(status::SENDING);
        Some(record)
    }
}

pub(super) fn not_sent(letter: &mut Value, reason: &str) {
    letter["status"] = json!(status::NOT_SENT);
    letter["reason"] = json!(reason);
}

/// What the mail server said, in the rows of the letters that e-mails are of.
pub(crate) async fn delivery(
    context: &Context,
    session: &mut Session,
    attempts: &[Attempt],
) -> Outcome<Vec<Statement>> {
    let of: HashMap<Uuid, &Attempt> = attempts
        .iter()
        .filter_map(|attempt| {
            Some((Uuid::parse_str(attempt.record["notificationId"].as_str()?).ok()?, attempt))
        })
        .collect();
    let letters = read(session, of.keys().copied().collect()).await?;
    let mut rows = Vec::with_capacity(letters.len());
    for (id, mut letter) in letters {
        let Some(attempt) = of.get(&id) else { continue };
        letter["attempts"] = json!(attempt.attempts);
        letter["lastAttemptDate"] = json!(folio_time(context.now));
        let (now, message) = match &attempt.result {
            Ok(()) => (status::SENT, None),
            Err(refused) if refused.for_good => (status::FAILED, Some(&refused.why)),
            Err(refused) => (status::SENDING, Some(&refused.why)),
        };
        letter["status"] = json!(now);
        match (message, letter.as_object_mut()) {
            (Some(message), _) => letter["message"] = json!(message),
            (None, Some(letter)) => {
                letter.remove("message");
                letter.insert("sentDate".to_owned(), json!(folio_time(context.now)));
            }
            (None, None) => {}
        }
        rows.push((id, letter));
    }
    Ok(if rows.is_empty() { Vec::new() } else { vec![statements::overwrite_all(&NOTICE, rows)] })
}

/// A letter on paper.
pub(super) fn sheet(letter: &Value, user: &Value) -> Sheet {
    let text = |name: &str| letter[name].as_str().unwrap_or_default().to_owned();
    Sheet {
        notice: None,
        to: addressee(user),
        header: text("header"),
        body: text("body"),
        output_format: text("outputFormat"),
    }
}

/// Notes in a letter's row that it is on paper, and what staff should know of it.
pub(super) fn on_the_way_to_the_printer(letter: &mut Value, printed: &Printed) {
    letter["status"] = json!(status::TO_PRINT);
    letter["printEntryId"] = json!(printed.entry);
    if let Some(remark) = &printed.remark {
        match letter["remarks"].as_array_mut() {
            Some(remarks) if remarks.iter().any(|known| known == remark) => {}
            Some(remarks) => remarks.push(json!(remark)),
            None => letter["remarks"] = json!([remark]),
        }
    }
}

/// A letter as an e-mail.
pub(super) fn e_mail<'a>(letter: &'a Value, to: &'a str, attachments: Value) -> Draft<'a> {
    let text = |name: &str| letter[name].as_str().unwrap_or_default();
    Draft {
        notification_id: text("id"),
        to,
        from: None,
        header: text("header"),
        body: text("body"),
        output_format: text("outputFormat"),
        attachments,
    }
}

const READ: &str = "select id, doc::text from notice where id = any($1)";
