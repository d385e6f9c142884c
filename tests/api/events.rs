//! Events for webhooks, and events as they happen (`octavo-events`).

mod delivery;
mod kafka;
mod records;
mod stream;

use octavo_testkit::Desk;
use octavo_testkit::{Library, fresh_id};

/// A library that lends.
async fn lending_library() -> (Library, Desk) {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    (library, desk)
}
