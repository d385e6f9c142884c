//! `POST /notice-ledger/notices/{id}/resend`: sends a notice again, to the patron's present address.

use octavo_engine::outbox;
use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::template_engine::{TEMPLATE, template_attachments};
use octavo_pg::Session;
use octavo_template::{Picture, redraw_barcodes};
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{NoticeSubjectIds, e_mail_address, gather};
use super::writing::e_mail;
use super::{TASK, identify_notice};
use crate::circulation::Desk;
use crate::email;
use crate::notice_ledger::{NOTICE, status};

/// The members of a notice that one which is sent again does not take over.
const NOT_TAKEN_OVER: &str = "\
    id attempts lastAttemptDate nextAttemptDate sentDate message reason emailId printEntryId to decidedByUserId";

/// Sends a notice with the text that it has; if it has none, it is written now.
pub(super) async fn resend(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let id = request.path_id(0)?;
    let desk = Desk::current(context).await?;
    let mut session = context.session().await?;
    let original = octavo_engine::find(&mut session, &NOTICE, id).await?.ok_or_else(Fault::not_found)?;
    if original["status"] == status::PENDING || original["status"] == status::SENDING {
        return Err(Fault::bad_request("The notice is still on its way"));
    }
    let mut notice = original.clone();
    if let Some(notice) = notice.as_object_mut() {
        for old in NOT_TAKEN_OVER.split(' ') {
            notice.remove(old);
        }
    }
    notice["resendOf"] = json!(id);
    let fresh = identify_notice(context, &mut notice);
    let mut changes = Vec::new();
    if notice["body"].is_string() {
        let mut wanted = NoticeSubjectIds::default();
        wanted.add(&notice);
        let found = gather(&mut session, &desk, wanted).await?;
        if notice["channel"] == "mail" {
            let user = found
                .user_of(&notice)
                .ok_or_else(|| Fault::bad_request("The patron is not known any more"))?;
            return print_again(&request, &mut session, &user.record, notice).await;
        }
        let address = found.user_of(&notice).and_then(e_mail_address);
        let address = address.ok_or_else(|| Fault::bad_request("The patron has no e-mail address"))?;
        let email = context.fresh_id();
        notice["to"] = json!(address);
        notice["emailId"] = json!(email);
        notice["status"] = json!(status::SENDING);
        let drawn = redraw_barcodes(notice["body"].as_str().unwrap_or_default());
        let mut pictures: Vec<Value> = drawn.iter().map(Picture::attachment).collect();
        pictures.extend(attachments_of_notice(context, &mut session, &notice).await?);
        let record = e_mail(&notice, address, Value::Array(pictures)).to_record(email);
        changes.extend(email::insert_emails(context, vec![record]));
    } else {
        notice["status"] = json!(status::PENDING);
        changes.push(outbox::add_tasks(TASK, vec![fresh]));
    }
    changes.insert(0, statements::insert(&NOTICE, fresh, &notice));
    session.transaction(changes).await?;
    context.platform.outbox_notifier.notify(&context.tenant.id);
    let location = format!("{}/{fresh}", NOTICE.path);
    Ok(Response::json(201, &notice).with_header("location", location))
}

async fn print_again(
    request: &Request,
    session: &mut Session,
    user: &Value,
    notice: Value,
) -> Outcome<Response> {
    let id = notice["id"].clone();
    let statements = super::print_notices(&request.context, user, vec![notice]).await?;
    session.transaction(statements).await?;
    let id = id.as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let notice = octavo_engine::read_document_over(session, &NOTICE, id).await?;
    Ok(Response::json_text(201, notice).with_header("location", format!("{}/{id}", NOTICE.path)))
}

/// The attachments of a notice's template, as they are now.
async fn attachments_of_notice(
    context: &Context,
    session: &mut Session,
    notice: &Value,
) -> Outcome<Vec<Value>> {
    let snapshot = context.snapshot_over(session).await?;
    let id = notice["templateId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let template = id.and_then(|id| snapshot.get(&TEMPLATE, id));
    let language = notice["language"].as_str().unwrap_or("en");
    Ok(template
        .into_iter()
        .flat_map(|template| template_attachments(&template["localizedTemplates"][language]))
        .collect())
}
