//! The e-mails for a notification that names a configured event.

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::template_engine::{Order, Rendered, locale, order};
use octavo_modules_base::user_records::USER;
use octavo_pg::Session;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::email::{self, Draft};
use crate::event_config::EVENT;

pub(super) struct Written {
    rendered: Rendered,
    output_format: String,
}

/// One e-mail for each e-mail template of the event; none if the event is inactive.
pub(super) async fn of(context: &Context, note: &Value) -> Outcome<Vec<Written>> {
    let Some(name) = note["eventConfigName"].as_str().filter(|name| !name.is_empty()) else {
        return Ok(Vec::new());
    };
    let snapshot = context.snapshot().await?;
    let mut events = snapshot.all(&EVENT).map(|(_, event)| event);
    let event =
        events.find(|event| event["name"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(name)));
    let event = event.ok_or_else(|| Fault::bad_request("Cannot fetch event entity"))?;
    if event["active"] != true {
        return Ok(Vec::new());
    }
    let words = if note["context"].is_object() { note["context"].clone() } else { json!({}) };
    let locale = locale(&snapshot);
    let templates = event["templates"].as_array().into_iter().flatten();
    let write = |template: &Value| {
        let output_format = template["outputFormat"].as_str().unwrap_or("text/html").to_owned();
        let rendered = order(
            &snapshot,
            &locale,
            Order {
                template_id: template["templateId"].as_str().unwrap_or_default(),
                language: note["lang"].as_str().unwrap_or("en"),
                output_format: &output_format,
                context: &words,
            },
        )?;
        Ok(Written { rendered, output_format })
    };
    templates.filter(|template| template["deliveryChannel"] == "email").map(write).collect()
}

pub(super) async fn post(
    context: &Context,
    session: &mut Session,
    note: &Value,
    notices: Vec<Written>,
) -> Outcome<()> {
    let recipient = note["recipientId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let Some(recipient) = recipient.filter(|_| !notices.is_empty()) else { return Ok(()) };
    let user = octavo_engine::find(session, &USER, recipient).await?.unwrap_or_default();
    let records = notices.into_iter().map(|notice| {
        let draft = Draft {
            notification_id: note["id"].as_str().unwrap_or_default(),
            to: user["personal"]["email"].as_str().unwrap_or_default(),
            from: None,
            header: &notice.rendered.header,
            body: &notice.rendered.body,
            output_format: &notice.output_format,
            attachments: json!(notice.rendered.attachments),
        };
        draft.record(context.fresh_id())
    });
    let records = records.collect();
    session.transaction(email::post(context, records)).await?;
    context.platform.bell.ring(&context.tenant.id);
    Ok(())
}
