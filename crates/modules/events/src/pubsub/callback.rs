//! A module outside of the process that subscribes to events: each is posted to the address that it has named for the type, and the body is
//! what the publisher has sent as `eventPayload`, as mod-pubsub does it.

use std::collections::HashMap;
use std::time::Duration;

use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_modules_base::outside::{SystemCall, modules};
use octavo_pg::{Session, Statement};
use tokio::time::{Instant, timeout};

use super::built_in::product;
use super::publish::Published;
use crate::receiver::{ENOUGH, Event, Receiver, Refusal, Taken, Taking, judged};

/// How long a module may take until its answer begins.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a module may take until its answer has ended: with what was begun before, less than the claim holds.
const LONGEST: Duration = Duration::from_secs(15);

pub(crate) struct Subscriber {
    module: String,
    /// Addresses by event type.
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
            return Err(Refusal::Event(format!(
                "{} does not subscribe to {} any more",
                self.module, event.kind
            )));
        };
        let outside = modules(&context.tenant);
        let Some(module) = outside.iter().find(|module| product(&module.id) == product(&self.module)) else {
            return Err(Refusal::NotNow(format!("The tenant does not have the module {}", self.module)));
        };
        let plain = path.split('?').next().unwrap_or_default();
        let mut handlers = module.provides().iter().flat_map(|interface| interface.routes());
        let Some(entry) = handlers.find(|entry| entry.takes("POST", plain)) else {
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
            body: body(event),
            now: context.now.as_second(),
            time: PATIENCE,
            at: None,
        };
        match timeout(LONGEST, call.ask(&context.platform)).await {
            // A module that lets the caller in no longer cannot be asked at all: the event is not to blame.
            Ok(Ok((answered, _))) => judged("module", &answered, &[401, 403]),
            Ok(Err(fault)) => Err(Refusal::NotNow(fault.body.render())),
            Err(_) => Err(Refusal::NotNow(format!("{} has not answered in time", module.id))),
        }
    }
}

/// What a publisher outside of the process has sent as a text, or the payload of an event of Octavo's own.
fn body(event: &Event) -> String {
    match serde_json::from_str::<Published>(event.payload.get()) {
        Ok(published) => published.event_payload.unwrap_or_default(),
        Err(_) => event.payload.get().to_owned(),
    }
}

impl Receiver for Subscriber {
    fn wants(&self, kind: &str) -> bool {
        self.callbacks.contains_key(kind)
    }

    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> Taking<'a> {
        Box::pin(async move {
            let began = Instant::now();
            let mut count = 0;
            for event in events {
                if count > 0 && began.elapsed() > ENOUGH {
                    break;
                }
                if let Err(refusal) = self.post(context, event).await {
                    return Taken { count, why_not_more: Some(refusal) };
                }
                count += 1;
            }
            Taken { count, why_not_more: None }
        })
    }
}

const CALLBACKS: &str =
    "select event_type, callback from pubsub_module where module = $1 and role = 'SUBSCRIBER'";

octavo_pg::statements!(other = [CALLBACKS]);
