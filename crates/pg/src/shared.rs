//! A connection that many requests use at once, for reads by a key.
//!
//! Such a read takes PostgreSQL less time than waking up for it. Over one connection several reads travel
//! together: each is still one round trip, but a server process that is awake answers all that have arrived. Nothing that may
//! take long or opens a transaction belongs here: the others would wait for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use crate::session::{Usage, now};
use crate::statement::Value;
use crate::{DbError, Row, Statement};

/// Statements are prepared for each tenant's tables; more than this many are forgotten and begun anew.
const PREPARED: usize = 1000;

/// The place of a connection that is opened when it is first needed, and again when it was lost.
#[derive(Default)]
pub(crate) struct Shared(Mutex<Option<Arc<Line>>>);

pub(crate) struct Line {
    client: Client,
    prepared: Mutex<HashMap<String, tokio_postgres::Statement>>,
}

impl Shared {
    pub(crate) fn line(&self) -> Option<Arc<Line>> {
        held(&self.0).as_ref().filter(|line| !line.client.is_closed()).cloned()
    }

    pub(crate) fn open(&self, client: Client) -> Arc<Line> {
        let line = Arc::new(Line { client, prepared: Mutex::default() });
        *held(&self.0) = Some(Arc::clone(&line));
        line
    }
}

impl Line {
    pub(crate) async fn rows(&self, statement: &Statement, usage: &Usage) -> Result<Vec<Row>, DbError> {
        let prepared = self.prepared(&statement.sql).await?;
        let started = now();
        let values: Vec<Value<'_>> = statement.params.iter().map(Value).collect();
        let params: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        let rows = self.client.query(&prepared, &params).await;
        usage.count(started, 1, rows.as_ref().map_or(0, Vec::len));
        Ok(rows?.into_iter().map(Row).collect())
    }

    async fn prepared(&self, sql: &str) -> Result<tokio_postgres::Statement, DbError> {
        if let Some(known) = held(&self.prepared).get(sql) {
            return Ok(known.clone());
        }
        let fresh = self.client.prepare(sql).await?;
        let mut prepared = held(&self.prepared);
        if prepared.len() >= PREPARED {
            prepared.clear();
        }
        prepared.insert(sql.to_owned(), fresh.clone());
        Ok(fresh)
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
