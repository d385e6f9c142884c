//! `POST /notice-ledger/preview`: fills a template in with an existing loan, request or fee. Nothing is sent.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::template_engine::{TEMPLATE, locale, template_attachments};
use octavo_template::{Escape, Notice, Picture, Template, Wording, missing_attachments, unknown_tokens};
use serde_json::{Value, json};

use super::words::{NoticeSubjectIds, e_mail_address, gather};
use crate::circulation::Desk;

const WANTED: &str = include_str!("../../../../octavo/records/octavo-notices/wanted-preview.tsv");

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(WANTED)?;
    let text = |name: &str| wanted[name].as_str();
    let desk = Desk::current(context).await?;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let mut about = NoticeSubjectIds::default();
    about.add(&wanted);
    let found = gather(&mut session, &desk, about).await?;
    // The recipient is the patron of the loan or request.
    let subject = found.subject(&wanted);
    let reader = subject
        .loan
        .map(|loan| &loan["userId"])
        .or_else(|| subject.request.map(|request| &request["requesterId"]));
    let reader = reader.or_else(|| subject.account.map(|account| &account["userId"]));
    let reader = reader
        .ok_or_else(|| Fault::bad_request("Name a loan, a request or a fee/fine action that is there"))?;
    let mut notice = wanted.clone();
    notice["recipientId"] = reader.clone();
    let mut about = NoticeSubjectIds::default();
    about.add(&notice);
    let found = gather(&mut session, &desk, about).await?;
    drop(session);

    let stored = text("templateId").and_then(|id| uuid::Uuid::parse_str(id).ok());
    let stored = stored.and_then(|id| snapshot.get(&TEMPLATE, id));
    let stored = stored.map(|template| &template["localizedTemplates"][text("language").unwrap_or("en")]);
    let part = |name: &str| text(name).or_else(|| stored.and_then(|stored| stored[name].as_str()));
    let wording = match (part("header"), part("body")) {
        (Some(header), Some(body)) => Wording { header, body },
        _ => return Err(Fault::bad_request("Name a template that is there, or send header and body")),
    };
    let escape = if text("outputFormat") == Some("text/plain") { Escape::Nothing } else { Escape::Html };
    let mut words = found.template_context(&notice, context, &desk);
    // A template with a loop is for several loans; the preview fills it in with one.
    let one = json!({"item": words["item"], "loan": words["loan"], "feeCharge": words["feeCharge"]});
    for list in ["loans", "feeCharges"] {
        words[list] = json!([one]);
    }
    let notice = Notice::write(wording, &words, &locale(&snapshot), escape);
    let notice = notice.map_err(|unwritten| Fault::bad_request(unwritten.to_string()))?;
    let strange =
        |text: &str| Template::parse(text).map(|template| unknown_tokens(&template)).unwrap_or_default();
    let mut unknown = strange(wording.header);
    unknown.extend(strange(wording.body));
    let mut pictures: Vec<Value> = notice.pictures.iter().map(Picture::attachment).collect();
    pictures.extend(stored.into_iter().flat_map(template_attachments));
    let to = found.user_of(&json!({"recipientId": reader})).and_then(e_mail_address);
    Ok(Response::json(
        200,
        &json!({
            "header": notice.header,
            "body": notice.body,
            "attachments": pictures,
            "to": to,
            "unknownTokens": unknown,
            "emptyTokens": notice.unfilled_names,
            "undrawnBarcodes": notice.undrawable_barcodes,
            "missingPictures": missing_attachments(&notice.body, &pictures),
        }),
    ))
}
