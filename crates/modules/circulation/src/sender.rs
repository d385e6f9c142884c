//! mod-sender 1.12.0: a message to a user, by the channels that it names.

use octavo_engine::{Call, Module, Request, Response, calls, find};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::user_records::USER;
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::notices;
use crate::email::{self, Draft};

pub static MODULE: Module = Module { name: "mod-sender", calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/message-delivery" => deliver;
};

const NOTIFICATION: &str = include_str!("../../folio/records/mod-sender/notification.tsv");

async fn deliver(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.checked_json(NOTIFICATION)?;
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let channel = |message: &Value| message["deliveryChannel"].as_str().unwrap_or_default().to_owned();
    messages.iter().try_for_each(|message| check_channel(&channel(message)))?;
    let mut session = context.session().await?;
    let user = recipient(&mut session, body["recipientUserId"].as_str().unwrap_or_default()).await?;
    let address = user["personal"]["email"].as_str().unwrap_or_default();
    let notification = body["notificationId"].as_str().unwrap_or_default();
    let text = |message: &Value, name: &str| message[name].as_str().unwrap_or_default().to_owned();
    let (mut emails, mut printed) = (Vec::new(), Vec::new());
    for message in messages {
        let (header, body, format) =
            (text(message, "header"), text(message, "body"), text(message, "outputFormat"));
        if channel(message) == "mail" {
            printed.push(notices::Message { header, body, output_format: format });
            continue;
        }
        let draft = Draft {
            notification_id: notification,
            to: address,
            from: message["from"].as_str(),
            header: &header,
            body: &body,
            output_format: &format,
            attachments: message["attachments"].clone(),
        };
        emails.push(draft.to_record(context.fresh_id()));
    }
    let mut statements = notices::print_messages(context, &user, printed).await?;
    if !emails.is_empty() {
        statements.extend(email::insert_emails(context, emails));
    }
    if !statements.is_empty() {
        session.transaction(statements).await?;
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(Response::no_content())
}

/// Refuses a channel by which no message is delivered.
pub(crate) fn check_channel(channel: &str) -> Outcome<()> {
    if ["email", "mail"].contains(&channel) {
        return Ok(());
    }
    let message = format!("validateDeliveryChannels:: Delivery channel '{channel}' is not supported");
    Err(Fault::bad_request(message))
}

/// The user who is to get a message.
pub(crate) async fn recipient(session: &mut Session, id: &str) -> Outcome<Value> {
    let user = match Uuid::parse_str(id) {
        Ok(id) => find(session, &USER, id).await?,
        Err(_) => None,
    };
    user.ok_or_else(|| Fault::bad_request("User not found"))
}
