//! Events for other programs. Octavo writes them into the table `event` ([`octavo_engine::events`]); this crate delivers them to consumers,
//! to each in order and at least once, or streams them to clients.
//!
//! Each kind of consumer implements [`receiver::Receiver`]; `delivery` decides when a consumer is offered events, from which position on, and
//! how often they are offered again. Knows no rule of circulation.

mod consumers;
pub mod delivery;
mod kafka;
pub mod pubsub;
mod reading;
mod receiver;
pub mod records;
mod refused;
mod retention;
mod stream;
mod stream_name;
mod webhooks;

use octavo_engine::migrations::Migration;
use octavo_engine::{Module, calls};

/// Octavo's own module for events: webhooks, streams of events, and the events that a consumer has refused.
pub static MODULE: Module = Module {
    name: "octavo-events",
    records: &[&webhooks::WEBHOOK, &refused::REFUSED_EVENT],
    calls: calls! {
        Post "/octavo/webhooks/{id}/secret" => webhooks::new_secret;
        Post "/octavo/refused-events/{id}/retry" => refused::retry;
        Get "/octavo/event-consumers" => delivery::list;
        Post "/octavo/event-consumers/{name}/retry" => delivery::retry;
        Get "/octavo/events" => stream::watch;
        Post "/octavo/event-retention/timer" => retention::timer, with_rest_rule(&retention::REST);
    },
    script: webhooks::SCRIPT,
    migrations: &[
        Migration { number: 23, name: "events", sql: include_str!("../../migrations/23_events.sql") },
        Migration {
            number: 41,
            name: "webhooks that change",
            sql: include_str!("../../migrations/41_webhooks_that_change.sql"),
        },
    ],
    on_server_start: Some(|platform| {
        Box::pin(async move {
            tokio::join!(delivery::run(platform.clone()), kafka::run(platform));
        })
    }),
    ..Module::BASE
};

octavo_pg::statements!(within = [delivery, pubsub, reading, records, retention, stream, webhooks]);

/// All SQL statements of this crate that are written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
