//! The kinds of consumers of events: the name of each begins with its kind.

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::Session;

use crate::kafka::{self, kafka};

use crate::pubsub::Subscriber;
use crate::receiver::Receiver;
use crate::webhooks::Webhook;

/// The consumer with this name as it is now; `None` if there is none any more, or another release knows its kind.
pub(crate) async fn named(
    platform: &Platform,
    session: &mut Session,
    name: &str,
) -> Outcome<Option<Box<dyn Receiver>>> {
    if name == kafka::NAME {
        return Ok(kafka(platform).map(|kafka| Box::new(kafka) as _));
    }
    match name.split_once(':') {
        Some(("webhook", id)) => Ok(Webhook::find(session, id).await?.map(|webhook| Box::new(webhook) as _)),
        Some(("module", id)) => Ok(Subscriber::find(session, id).await?.map(|module| Box::new(module) as _)),
        _ => Ok(None),
    }
}
