//! Where the records come from: FOLIO's HTTP interface, or its database.

use std::collections::HashMap;

use anyhow::Result;
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use super::database::Database;
use super::http::Http;
use super::page::Read;
use super::plan::Kind;

pub(super) enum Source {
    Http(Box<Http>),
    Database(Box<Database>),
}

impl Source {
    /// The records after a place; an empty one is the beginning.
    /// What is here already says of some types which of them to ask for.
    pub(super) async fn page(&mut self, kind: &Kind, place: &str, here: &mut Session) -> Result<Read> {
        match self {
            Source::Http(http) => http.page(kind, place, here).await,
            Source::Database(database) => database.page(kind, place).await,
        }
    }

    /// How many records the source has, as far as it tells.
    pub(super) async fn count(&mut self, kind: &Kind) -> Result<Option<u64>> {
        match self {
            Source::Http(http) => http.count(kind).await,
            Source::Database(database) => database.count(kind).await,
        }
    }

    /// Records by their ids; those that are not there are left out. `None` if the source does not give them by id.
    pub(super) async fn by_ids(&mut self, kind: &Kind, ids: &[Uuid]) -> Result<Option<HashMap<Uuid, Value>>> {
        match self {
            Source::Http(http) => http.by_ids(kind, ids).await,
            Source::Database(database) => database.by_ids(kind, ids).await,
        }
    }

    /// The last number that was given as an hrid, by `hrid_settings` part: `instances`, `holdings`, `items`.
    pub(super) async fn counter(&mut self, part: &str) -> Result<Option<i64>> {
        match self {
            Source::Http(http) => http.counter(part).await,
            Source::Database(database) => database.counter(part).await,
        }
    }
}
