//! Kafka as a consumer of the changes of records: under FOLIO's topics, keys and headers, so that FOLIO's modules can follow them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::{Context, Platform};
use octavo_kafka::{Failure, Message, Publisher};

use crate::receiver::{BATCH_TIME_LIMIT, Event, Receiver, Refusal, TakeFuture, TakeResult};
use crate::records;

/// The consumer's name, in every tenant.
pub(crate) const NAME: &str = "kafka";

/// How often the database is searched for new tenants.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

pub(crate) struct Kafka {
    publisher: Arc<Publisher>,
    environment: String,
}

/// The consumer that publishes to the brokers of this process's settings. `None` if the settings name no brokers.
pub(crate) fn kafka_consumer(platform: &Platform) -> Option<Kafka> {
    let settings = platform.settings.kafka.as_ref()?;
    let publisher = platform.module_state.get_or_create(|| Publisher::new(settings.brokers.clone()));
    Some(Kafka { publisher, environment: settings.environment.clone() })
}

impl Kafka {
    fn message(&self, context: &Context, event: &Event) -> Message {
        let headers = [
            ("x-okapi-tenant", event.tenant.as_str()),
            ("x-okapi-url", context.platform.settings.url.as_str()),
            ("octavo-position", &event.position.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));
        Message {
            topic: format!("{}.{}.{}", self.environment, event.tenant, event.kind),
            key: event.key.clone().unwrap_or_default(),
            value: event.payload.get().as_bytes().to_vec(),
            headers: BTreeMap::from(headers),
            timestamp_millis: event.at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
        }
    }
}

impl Receiver for Kafka {
    fn wants(&self, kind: &str) -> bool {
        records::is_record_change(kind)
    }

    fn take<'a>(&'a self, context: &'a Context, events: &'a [Event]) -> TakeFuture<'a> {
        Box::pin(async move {
            let messages: Vec<Message> = events.iter().map(|event| self.message(context, event)).collect();
            let published = self.publisher.publish(&messages, BATCH_TIME_LIMIT).await;
            let why_not_more = published.failure.map(|failure| match failure {
                Failure::TooLarge => Refusal::Unwanted("The broker takes no message of this size".to_owned()),
                Failure::Unavailable(why) => Refusal::NotNow(why),
            });
            TakeResult { count: published.count, refusal: why_not_more }
        })
    }
}

/// Has the changes of records of every tenant published to Kafka, including tenants that are created later. Returns at once if the settings
/// name no brokers.
pub(crate) async fn run(platform: Platform) {
    if platform.settings.kafka.is_none() {
        return;
    }
    // The first round covers all tenants: triggers that an earlier release of Octavo created may lack tables that this release publishes.
    let mut without = "";
    let mut round = tokio::time::interval(POLL_INTERVAL);
    loop {
        round.tick().await;
        match records::follow_new_tenants(&platform, NAME, without).await {
            Ok(()) => without = NAME,
            Err(fault) => tracing::warn!(%fault, "changes of records cannot be followed for Kafka yet"),
        }
    }
}
