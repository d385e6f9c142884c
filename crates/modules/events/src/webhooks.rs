//! Webhooks: events posted to an address, signed as the specification Standard Webhooks 1.0.0 says, so that its libraries can check them.
//! `https://www.standardwebhooks.com` has the specification.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use hyper::header::CONTENT_TYPE;
use octavo_engine::{Context, Request, Response, find};
use octavo_kernel::{Fault, Outcome, Refusal as Wrong, json_text};
use octavo_modules_base::outside::remote_client;
use octavo_pg::{Session, Statement};
use octavo_record::{Hooks, Persons, RecordType};
use octavo_remote::{Address, Failure, Progress, full_body};
use serde_json::{Value, json};
use tokio::time::Instant;
use uuid::Uuid;

use crate::receiver::{BATCH_TIME_LIMIT, Event, Receiver, Refusal, TakeFuture, TakeResult, check_answer};
use crate::records::wants_event_type;

pub(crate) static WEBHOOK: RecordType = RecordType {
    name: "webhook",
    table: "webhook",
    path: "/octavo/webhooks",
    collection: "webhooks",
    schema: include_str!("../../octavo/records/octavo-events/webhook.tsv"),
    persons: Some(&Persons::NOBODY),
    hooks: Hooks { validate: Some(validate), ..Hooks::NONE },
    ..RecordType::BASE
};

/// A webhook is a consumer from the transaction on that creates it. Its secret is stored in a table of its own, because only the answer
/// that creates the secret shows it.
pub(crate) const SCRIPT: &str = "\
create table webhook_secret (
  webhook uuid primary key references webhook (id) on delete cascade,
  secret text not null
);

create function webhook_follows() returns trigger language plpgsql as $$
begin
  perform octavo.follow_events(tg_table_schema, 'webhook:' || new.id);
  -- Whoever works for it begins anew at once: its address, its types or whether it is active may have changed.
  update octavo.event_consumers c
  set claimed_by = null, claimed_until = '-infinity', due = now()
  from octavo.tenants t
  where 'tenant_' || t.id = tg_table_schema and c.tenant = t.id and c.name = 'webhook:' || new.id;
  return null;
end $$;

create function webhook_ends() returns trigger language plpgsql as $$
begin
  perform octavo.forget_event_consumer(tg_table_schema, 'webhook:' || old.id);
  return null;
end $$;

create trigger webhook_follows after insert or update on webhook for each row execute function webhook_follows();
create trigger webhook_ends after delete on webhook for each row execute function webhook_ends()";

/// How long a receiver may take until its answer begins.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of a receiver's answer.
const MAX_ANSWER_BYTES: usize = 64 << 10;

fn validate(webhook: &Value) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let url = webhook["url"].as_str().unwrap_or_default();
    if let Err(why) = parse_url(url) {
        wrong.push(Wrong::rmb(why).about("url", url));
    }
    for kind in webhook["types"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let begin = kind.strip_suffix('*').unwrap_or(kind);
        if kind.is_empty() || begin.contains('*') {
            let why = "A type is a name, or the beginning of names with * behind it";
            wrong.push(Wrong::rmb(why).about("types", kind));
        }
    }
    wrong
}

/// The server that a URL names, and the path with the query on that server.
fn parse_url(url: &str) -> Result<(Address, String), String> {
    let uri: hyper::Uri = url.parse().map_err(|_| "The address cannot be read".to_owned())?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let server = Address::parse(url.strip_suffix(path).unwrap_or(url))?;
    Ok((server, path.to_owned()))
}

pub(crate) struct Webhook {
    id: Uuid,
    url: String,
    types: Vec<String>,
    active: bool,
    secret: Option<String>,
}

impl Webhook {
    pub(crate) async fn find(session: &mut Session, id: &str) -> Outcome<Option<Webhook>> {
        let Ok(id) = Uuid::parse_str(id) else { return Ok(None) };
        let Some(webhook) = find(session, &WEBHOOK, id).await? else { return Ok(None) };
        let secret: Option<String> = session.read(Statement::new(SECRET).uuid(id)).await?;
        let types = webhook["types"].as_array().into_iter().flatten();
        Ok(Some(Webhook {
            id,
            url: webhook["url"].as_str().unwrap_or_default().to_owned(),
            types: types.filter_map(|kind| kind.as_str().map(str::to_owned)).collect(),
            active: webhook["active"] != false,
            secret,
        }))
    }

    async fn post(&self, context: &Context, events: &[Event]) -> Result<(), Refusal> {
        let not_now = |why: String| Refusal::NotNow(why);
        if !self.active {
            return Err(not_now("The webhook is not active".to_owned()));
        }
        let Some(secret) = &self.secret else {
            return Err(not_now("The webhook has no secret to sign with".to_owned()));
        };
        let (address, path) = parse_url(&self.url).map_err(not_now)?;
        let address =
            if context.platform.settings.private_webhooks { address } else { address.only_public() };
        let [first, last] =
            [events.first(), events.last()].map(|event| event.map_or(0, |event| event.position));
        let id = format!("{}-{first}-{last}", self.id);
        let body = json_text(&json!({
            "type": "octavo.events",
            "timestamp": context.now_text(),
            "data": {"events": events},
        }));
        let seconds = context.now.as_second().to_string();
        let request = hyper::Request::post(path)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", &id)
            .header("webhook-timestamp", &seconds)
            .header("webhook-signature", signature(secret, &id, &seconds, &body))
            .body(full_body(body));
        let request = request.map_err(|error| not_now(error.to_string()))?;
        let sent = remote_client(&context.platform)
            .send(&[address], request, ANSWER_TIMEOUT, &Progress::default())
            .await;
        let (answer, _) = sent.map_err(|failure| not_now(failure.to_string()))?;
        match answer.read_to_end(MAX_ANSWER_BYTES).await {
            // Redirects are not followed.
            Ok(answered) => check_answer("receiver", &answered, &[]),
            // The status alone counts.
            Err(Failure::TooLarge) => Ok(()),
            Err(failure) => Err(not_now(failure.to_string())),
        }
    }
}

impl Receiver for Webhook {
    fn wants(&self, kind: &str) -> bool {
        wants_event_type(&self.types, kind, |wanted| matches_type(wanted, kind))
    }

    /// Sends all events in one request. If the receiver refuses that request, sends each event in a request of its own.
    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> TakeFuture<'a> {
        Box::pin(async move {
            let (mut count, began) = (0, Instant::now());
            let refusal = match self.post(context, events).await {
                Ok(()) => return TakeResult { count: events.len(), refusal: None },
                Err(Refusal::Unwanted(_)) if events.len() > 1 => loop {
                    let Some(event) = events.get(count..=count) else { break None };
                    if count > 0 && began.elapsed() > BATCH_TIME_LIMIT {
                        break None;
                    }
                    match self.post(context, event).await {
                        Ok(()) => count += 1,
                        Err(refusal) => break Some(refusal),
                    }
                },
                Err(refusal) => Some(refusal),
            };
            TakeResult { count, refusal }
        })
    }
}

fn matches_type(wanted: &str, kind: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(begin) => kind.starts_with(begin),
        None => kind == wanted,
    }
}

const SECRET_PREFIX: &str = "whsec_";

/// The value of the header `webhook-signature`.
fn signature(secret: &str, id: &str, seconds: &str, body: &str) -> String {
    let key = BASE64_STANDARD.decode(secret.trim_start_matches(SECRET_PREFIX)).unwrap_or_default();
    let Ok(mut mac) = Hmac::<sha2::Sha256>::new_from_slice(&key) else { return String::new() };
    for part in [id, ".", seconds, ".", body] {
        mac.update(part.as_bytes());
    }
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// Gives a webhook a new secret in place of its former one. Only this answer shows the secret.
pub(crate) async fn new_secret(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let missing = || Fault::not_found_with("Not found");
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| missing())?;
    let secret = format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode((context.platform.entropy.secret)()));
    let mut session = context.session().await?;
    find(&mut session, &WEBHOOK, id).await?.ok_or_else(missing)?;
    session.rows(Statement::new(NEW_SECRET).uuid(id).text(secret.as_str())).await?;
    Ok(Response::json(201, &json!({"secret": secret})))
}

const SECRET: &str = "select secret from webhook_secret where webhook = $1";
const NEW_SECRET: &str = "\
insert into webhook_secret (webhook, secret)
values ($1, $2)
on conflict (webhook) do update
set secret = excluded.secret";

octavo_pg::statements!(other = [SECRET, NEW_SECRET]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_or_begin_so() {
        for (wanted, kind, is) in [
            ("ITEM_CHECKED_OUT", "ITEM_CHECKED_OUT", true),
            ("ITEM_CHECKED_OUT", "ITEM_CHECKED_IN", false),
            ("ITEM_*", "ITEM_CHECKED_IN", true),
            ("ITEM_*", "LOAN_CLOSED", false),
            ("*", "LOAN_CLOSED", true),
        ] {
            assert_eq!(matches_type(wanted, kind), is, "{wanted} {kind}");
        }
    }

    /// The example of the specification.
    #[test]
    fn bodies_are_signed_as_standard_webhooks_says() {
        let signed = signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            "{\"test\": 2432232314}",
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_is_no_address_or_no_type_is_refused() {
        for (webhook, wrong) in [
            (json!({"url": "https://example.org/hook", "types": ["ITEM_*", "*", "LOAN_CLOSED"]}), 0),
            (json!({"url": "https://example.org/hook?key=1"}), 0),
            (json!({"url": "ftp://example.org"}), 1),
            (json!({"url": "https://user:secret@example.org"}), 1),
            (json!({"url": "https://example.org", "types": ["*_IN", ""]}), 2),
        ] {
            assert_eq!(validate(&webhook).len(), wrong, "{webhook}");
        }
    }
}
