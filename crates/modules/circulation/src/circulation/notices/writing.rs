//! Fills in the templates of notices, and mails or prints the texts.

use octavo_engine::{Context, Snapshot, yield_to_others};
use octavo_kernel::{Outcome, folio_time};
use octavo_modules_base::template_engine::{TemplateRequest, fill_template, locale};
use octavo_pg::Statement;
use octavo_template::Locale;
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Gathered, MOST_LISTED, e_mail_address};
use crate::batch_print::{self, Printed, Sheet, addressee};
use crate::circulation::Desk;
use crate::email::{self, Draft};
use crate::notice_ledger::status;

pub(super) struct Writer<'a> {
    context: &'a Context,
    desk: &'a Desk,
    snapshot: &'a Snapshot,
    locale: Locale,
    found: &'a Gathered,
}

/// A written notice, to mail or to print.
enum Outgoing {
    Email(Value),
    Sheet(Sheet),
}

/// After so many bytes of text, the remaining notices wait for another transaction.
const MOST_AT_ONCE: usize = 16 << 20;

/// The rows of notices with their texts, and the statements that mail or print them.
pub(super) struct Written {
    pub(super) notices: Vec<(Uuid, Value)>,
    pub(super) outgoing: Vec<Statement>,
}

impl<'a> Writer<'a> {
    /// `found` are the subjects of the notices.
    pub(super) fn new(
        context: &'a Context,
        desk: &'a Desk,
        snapshot: &'a Snapshot,
        found: &'a Gathered,
    ) -> Writer<'a> {
        Writer { context, desk, snapshot, locale: locale(snapshot), found }
    }

    /// Writes the first of the notices, at least one, up to [`MOST_AT_ONCE`].
    pub(super) async fn write(&self, notices: Vec<(Uuid, Value)>) -> Outcome<Written> {
        let (mut emails, mut sheets, mut on_paper) = (Vec::new(), Vec::new(), Vec::new());
        let (mut written, mut size) = (Vec::with_capacity(notices.len()), 0);
        for (at, (id, mut notice)) in notices.into_iter().enumerate() {
            if size > MOST_AT_ONCE {
                break;
            }
            match self.fill_in(&mut notice) {
                Ok(Outgoing::Email(email)) => emails.push(email),
                Ok(Outgoing::Sheet(sheet)) => {
                    sheets.push(Sheet { notice: Some(id), ..sheet });
                    on_paper.push(at);
                }
                Err(reason) => set_not_sent(&mut notice, &reason),
            }
            size += notice["body"].as_str().map_or(0, str::len);
            written.push((id, notice));
            yield_to_others(at + 1).await;
        }
        let (printed, mut outgoing) = batch_print::print(self.context, sheets).await?;
        for (at, printed) in on_paper.into_iter().zip(printed) {
            let (_, notice) = &mut written[at];
            match printed {
                Ok(printed) => set_to_print(notice, &printed),
                Err(too_much) => set_not_sent(notice, &batch_print::unprintable(too_much)),
            }
        }
        if !emails.is_empty() {
            outgoing.extend(email::insert_emails(self.context, emails));
        }
        Ok(Written { notices: written, outgoing })
    }

    /// Notes the result in the notice's row. The error is the reason why the notice is not sent.
    fn fill_in(&self, notice: &mut Value) -> Result<Outgoing, String> {
        if self.found.has_lost_its_subject(notice) {
            return Err("what it was about is gone".to_owned());
        }
        let words = self.found.template_context(notice, self.context, self.desk);
        let text = |name: &str| notice[name].as_str().unwrap_or_default();
        let rendered = fill_template(
            self.snapshot,
            &self.locale,
            TemplateRequest {
                template_id: text("templateId"),
                language: text("language"),
                output_format: text("outputFormat"),
                context: &words,
            },
        );
        let rendered = rendered.map_err(|fault| fault.body.render())?;
        notice["writtenDate"] = json!(folio_time(self.context.now));
        notice["header"] = json!(rendered.header);
        notice["body"] = json!(rendered.body);
        let mut remarks = rendered.remarks;
        for list in ["loanIds", "feeFineActionIds"] {
            let length = notice[list].as_array().map_or(0, Vec::len);
            if length > MOST_LISTED {
                remarks.push(format!("The notice lists the first {MOST_LISTED} of {length}"));
            }
        }
        if !remarks.is_empty() {
            notice["remarks"] = json!(remarks);
        }
        let user = self.found.user_of(notice).ok_or("the patron is not known any more")?;
        if notice["channel"] == "mail" {
            return Ok(Outgoing::Sheet(sheet(notice, &user.record)));
        }
        let address = e_mail_address(user).ok_or("the patron has no e-mail address")?;
        let email = self.context.fresh_id();
        let record = e_mail(notice, address, Value::Array(rendered.attachments)).to_record(email);
        notice["to"] = json!(address);
        notice["emailId"] = json!(email);
        notice["status"] = json!(status::SENDING);
        Ok(Outgoing::Email(record))
    }
}

pub(super) fn set_not_sent(notice: &mut Value, reason: &str) {
    notice["status"] = json!(status::NOT_SENT);
    notice["reason"] = json!(reason);
}

pub(super) fn sheet(notice: &Value, user: &Value) -> Sheet {
    let text = |name: &str| notice[name].as_str().unwrap_or_default().to_owned();
    Sheet {
        notice: None,
        to: addressee(user),
        header: text("header"),
        body: text("body"),
        output_format: text("outputFormat"),
    }
}

/// Notes in a notice's row that it will be printed, with the remark for staff.
pub(super) fn set_to_print(notice: &mut Value, printed: &Printed) {
    notice["status"] = json!(status::TO_PRINT);
    notice["printEntryId"] = json!(printed.entry);
    if let Some(remark) = &printed.remark {
        match notice["remarks"].as_array_mut() {
            Some(remarks) if remarks.iter().any(|known| known == remark) => {}
            Some(remarks) => remarks.push(json!(remark)),
            None => notice["remarks"] = json!([remark]),
        }
    }
}

pub(super) fn e_mail<'a>(notice: &'a Value, to: &'a str, attachments: Value) -> Draft<'a> {
    let text = |name: &str| notice[name].as_str().unwrap_or_default();
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
