//! mod-sender 1.12.0: a message to a user, by the channels that it names.

use octavo_engine::{Call, Context, Module, Request, Response, calls, find};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::user_records::USER;
use octavo_pg::{Session, Statement};
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
    let mut session = context.session().await?;
    let delivery = Delivery {
        recipient: body["recipientUserId"].as_str().unwrap_or_default(),
        notification: body["notificationId"].as_str().unwrap_or_default(),
        asked_by: "POST /message-delivery",
        messages,
    };
    let statements = delivery.statements(context, &mut session).await?;
    if !statements.is_empty() {
        session.transaction(statements).await?;
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(Response::no_content())
}

/// Messages to a user.
#[derive(Debug)]
pub(crate) struct Delivery<'a> {
    /// The id of the user.
    pub(crate) recipient: &'a str,
    /// The id that e-mails name.
    pub(crate) notification: &'a str,
    /// The call that asks for the messages.
    pub(crate) asked_by: &'a str,
    pub(crate) messages: &'a [Value],
}

impl Delivery<'_> {
    /// The statements that send each message by its channel. The caller has to wake the relay after the commit.
    pub(crate) async fn statements(
        &self,
        context: &Context,
        session: &mut Session,
    ) -> Outcome<Vec<Statement>> {
        let text = |message: &Value, name: &str| message[name].as_str().unwrap_or_default().to_owned();
        self.messages.iter().try_for_each(|message| check_channel(&text(message, "deliveryChannel")))?;
        let user = recipient(session, self.recipient).await?;
        let address = user["personal"]["email"].as_str().unwrap_or_default();
        let (mut emails, mut printed) = (Vec::new(), Vec::new());
        for message in self.messages {
            if message["deliveryChannel"] == "mail" {
                printed.push(notices::Message {
                    header: text(message, "header"),
                    body: text(message, "body"),
                    output_format: text(message, "outputFormat"),
                });
            } else {
                let draft = Draft::from_message(message, self.notification, address);
                emails.push(draft.to_record(context.fresh_id()));
            }
        }
        let mut statements = notices::print_messages(context, &user, self.asked_by, printed).await?;
        if !emails.is_empty() {
            statements.extend(email::insert_emails(context, emails));
        }
        Ok(statements)
    }
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
