//! The kinds of consumers of events. The name of a consumer begins with its kind: `kafka`, `webhook:{id}`, `module:{id}`.

use octavo_engine::Platform;
use octavo_kernel::Outcome;
use octavo_pg::Session;

use crate::kafka::{self, kafka_consumer};

use crate::pubsub::Subscriber;
use crate::receiver::Receiver;
use crate::webhooks::Webhook;

/// Finds the consumer with this name. `None` if it was removed, or if its kind belongs to another release of Octavo.
pub(crate) async fn find_consumer(
    platform: &Platform,
    session: &mut Session,
    name: &str,
) -> Outcome<Option<Box<dyn Receiver>>> {
    if name == kafka::NAME {
        return Ok(kafka_consumer(platform).map(|kafka| Box::new(kafka) as _));
    }
    match name.split_once(':') {
        Some(("webhook", id)) => Ok(Webhook::find(session, id).await?.map(|webhook| Box::new(webhook) as _)),
        Some(("module", id)) => Ok(Subscriber::find(session, id).await?.map(|module| Box::new(module) as _)),
        _ => Ok(None),
    }
}
