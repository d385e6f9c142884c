//! A module outside of Octavo that subscribes to events. Each event is posted to the path that the module has declared for the event's
//! type. The body is what the publisher has sent as `eventPayload`, as in mod-pubsub.

use std::collections::HashMap;
use std::time::Duration;

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_modules_base::outside::{SystemCall, modules};
use octavo_pg::{Session, Statement};
use tokio::time::{Instant, timeout};

use super::built_in::product_name;
use super::publish::Published;
use crate::receiver::{BATCH_TIME_LIMIT, Event, Receiver, Refusal, TakeFuture, TakeResult, check_answer};

/// How long a module may take until its answer begins.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a module may take until its answer has ended. The claim on the consumer is renewed meanwhile.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);

pub(crate) struct Subscriber {
    module: String,
    /// The path at which the module receives events, by event type.
    callbacks: HashMap<String, String>,
}

impl Subscriber {
    pub(crate) async fn find(session: &mut Session, module: &str) -> Outcome<Option<Subscriber>> {
        let rows: Vec<(String, Option<String>)> =
            session.read(Statement::new(CALLBACKS).text(module)).await?;
        let callbacks: HashMap<String, String> =
            rows.into_iter().map(|(kind, callback)| (kind, callback.unwrap_or_default())).collect();
        let module = module.to_owned();
        Ok((!callbacks.is_empty()).then_some(Subscriber { module, callbacks }))
    }

    async fn post(&self, context: &Context, event: &Event) -> Result<(), Refusal> {
        let Some(path) = self.callbacks.get(&event.kind) else {
            return Err(Refusal::Unwanted(format!(
                "{} does not subscribe to {} any more",
                self.module, event.kind
            )));
        };
        let outside = modules(&context.tenant);
        let Some(module) =
            outside.iter().find(|module| product_name(&module.id) == product_name(&self.module))
        else {
            return Err(Refusal::NotNow(format!("The tenant does not have the module {}", self.module)));
        };
        let plain = path.split('?').next().unwrap_or_default();
        let mut handlers = module.provides().iter().flat_map(|interface| interface.routes());
        let Some(entry) = handlers.find(|entry| entry.matches_request("POST", plain)) else {
            return Err(Refusal::NotNow(format!(
                "The descriptor of {} has no handler for POST {path}",
                module.id
            )));
        };
        let call = SystemCall {
            tenant: &context.tenant.id,
            module,
            entry,
            method: "POST",
            path,
            body: request_body(event),
            now: context.now.as_second(),
            time_limit: ANSWER_TIMEOUT,
            instance_url: None,
        };
        match timeout(CALL_TIMEOUT, call.send_unchecked(&context.platform)).await {
            // 401 and 403 mean that the module does not accept Octavo's calls at all: they are no refusal of this event.
            Ok(Ok((answered, _))) => check_answer("module", &answered, &[401, 403]),
            Ok(Err(fault)) => Err(Refusal::NotNow(fault.body.render())),
            Err(_) => Err(Refusal::NotNow(format!("{} has not answered in time", module.id))),
        }
    }
}

/// The text that a module outside of Octavo has published as the payload, or the payload of an event of Octavo's own.
fn request_body(event: &Event) -> String {
    match serde_json::from_str::<Published>(event.payload.get()) {
        Ok(published) => published.event_payload.unwrap_or_default(),
        Err(_) => event.payload.get().to_owned(),
    }
}

impl Receiver for Subscriber {
    fn wants(&self, kind: &str) -> bool {
        self.callbacks.contains_key(kind)
    }

    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> TakeFuture<'a> {
        Box::pin(async move {
            let began = Instant::now();
            let mut count = 0;
            for event in events {
                if count > 0 && began.elapsed() > BATCH_TIME_LIMIT {
                    break;
                }
                if let Err(refusal) = self.post(context, event).await {
                    return TakeResult { count, refusal: Some(refusal) };
                }
                count += 1;
            }
            TakeResult { count, refusal: None }
        })
    }
}

const CALLBACKS: &str =
    "select event_type, callback from pubsub_module where module = $1 and role = 'SUBSCRIBER'";

octavo_pg::statements!(other = [CALLBACKS]);
