//! Where the records come from: FOLIO's HTTP interface, or its database.

use std::collections::HashMap;

use anyhow::Result;
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use super::database::Database;
use super::http::Http;
use super::page::ReadOutcome;
use super::plan::Kind;

pub(super) enum Source {
    Http(Box<Http>),
    Database(Box<Database>),
}

impl Source {
    /// Reads the records after a position; an empty position is the beginning. For some types, records that are already in the new tenant
    /// say which records to ask for.
    pub(super) async fn read_page(
        &mut self,
        kind: &Kind,
        place: &str,
        here: &mut Session,
    ) -> Result<ReadOutcome> {
        match self {
            Source::Http(http) => http.read_page(kind, place, here).await,
            Source::Database(database) => database.read_page(kind, place).await,
        }
    }

    /// How many records the source has, as far as it tells.
    pub(super) async fn count_records(&mut self, kind: &Kind) -> Result<Option<u64>> {
        match self {
            Source::Http(http) => http.count_records(kind).await,
            Source::Database(database) => database.count_records(kind).await,
        }
    }

    /// Records by their ids; those that are not there are left out. `None` if the source does not give them by id.
    pub(super) async fn records_by_ids(
        &mut self,
        kind: &Kind,
        ids: &[Uuid],
    ) -> Result<Option<HashMap<Uuid, Value>>> {
        match self {
            Source::Http(http) => http.records_by_ids(kind, ids).await,
            Source::Database(database) => database.records_by_ids(kind, ids).await,
        }
    }

    /// The last number that was given as an hrid, by `hrid_settings` part: `instances`, `holdings`, `items`.
    pub(super) async fn last_hrid_number(&mut self, part: &str) -> Result<Option<i64>> {
        match self {
            Source::Http(http) => http.last_hrid_number(part).await,
            Source::Database(database) => database.last_hrid_number(part).await,
        }
    }
}
