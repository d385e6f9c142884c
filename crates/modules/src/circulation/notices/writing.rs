//! Letters are written: the template is filled in, and the letter goes into the mail or to the printer's tray.

use octavo_circulation::facts::Patron;
use octavo_engine::{Context, Snapshot, statements, take_turns};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::Statement;
use octavo_template::Locale;
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Gathered, e_mail_address};
use super::{NOTICE, stamp, status};
use crate::batch_print::{self, Printed, Sheet, addressee};
use crate::circulation::Desk;
use crate::email::{self, Draft};
use crate::template_engine::{Order, locale, order};

pub(super) struct Writer<'a> {
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

/// Letters' rows with their texts, and what takes them out of the house when it is committed with them.
pub(super) struct Written {
    pub(super) letters: Vec<(Uuid, Value)>,
    pub(super) outgoing: Vec<Statement>,
}

impl<'a> Writer<'a> {
    /// With what was `found` of all that the letters are about.
    pub(super) fn new(
        context: &'a Context,
        desk: &'a Desk,
        snapshot: &'a Snapshot,
        found: &'a Gathered,
    ) -> Writer<'a> {
        Writer { context, desk, snapshot, locale: locale(snapshot), found }
    }

    /// Rows of the ledger for letters that have just been decided on, with the texts of those that are to leave the house.
    pub(super) async fn write_and_enter(&self, letters: Vec<Value>) -> Outcome<Vec<Statement>> {
        if letters.is_empty() {
            return Ok(Vec::new());
        }
        let stamped = letters.into_iter().map(|mut letter| (stamp(self.context, &mut letter), letter));
        let (due, mut rows): (Vec<_>, Vec<_>) =
            stamped.partition(|(_, letter)| letter["status"] == status::PENDING);
        let Written { letters, outgoing } = self.write(due).await?;
        rows.extend(letters);
        let mut statements = vec![statements::insert_all(&NOTICE, &rows)];
        statements.extend(outgoing);
        Ok(statements)
    }

    pub(super) async fn write(&self, mut letters: Vec<(Uuid, Value)>) -> Outcome<Written> {
        let (mut emails, mut sheets, mut on_paper) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (id, letter)) in letters.iter_mut().enumerate() {
            match self.fill_in(letter) {
                Some(Outgoing::Email(email)) => emails.push(email),
                Some(Outgoing::Sheet(sheet)) => {
                    sheets.push(Sheet { notice: Some(*id), ..sheet });
                    on_paper.push(at);
                }
                None => {}
            }
            take_turns(at + 1).await;
        }
        let (printed, mut outgoing) = batch_print::print(self.context, sheets).await?;
        for (at, printed) in on_paper.into_iter().zip(&printed) {
            on_the_way_to_the_printer(&mut letters[at].1, printed);
        }
        if !emails.is_empty() {
            outgoing.extend(email::post(self.context, emails));
        }
        Ok(Written { letters, outgoing })
    }

    /// Notes in the letter's row what became of it; the letter itself, if there is one.
    fn fill_in(&self, letter: &mut Value) -> Option<Outgoing> {
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
