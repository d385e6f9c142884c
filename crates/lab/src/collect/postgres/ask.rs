//! Questions whose answers come as JSON, so that a view may have other columns in another version of PostgreSQL.

use std::sync::Arc;

use anyhow::{Context, Result};
use octavo_pg::{Database, Session, Statement, Usage};
use serde::de::DeserializeOwned;

pub(super) fn connect(url: &str) -> Result<Database> {
    Ok(Database::visited(url, "octavo lab", None)?)
}

/// A session that no question of ours can hold up for long.
pub(super) async fn session(database: &Database) -> Result<Session> {
    let mut session = database.system(Arc::<Usage>::default()).await?;
    session.script("set statement_timeout = '20s'; set lock_timeout = '2s'").await?;
    Ok(session)
}

pub(super) async fn ask<T: DeserializeOwned>(session: &mut Session, sql: &str) -> Result<Vec<T>> {
    put(session, Statement::new(wrapped(sql))).await
}

/// Asks a question with one text as `$1`.
pub(super) async fn ask_of<T: DeserializeOwned>(
    session: &mut Session,
    sql: &str,
    of: &str,
) -> Result<Vec<T>> {
    put(session, Statement::new(wrapped(sql)).text(of)).await
}

pub(super) async fn one<T: DeserializeOwned>(session: &mut Session, sql: &str) -> Result<T> {
    ask(session, sql).await?.pop().context("PostgreSQL answered with no row")
}

async fn put<T: DeserializeOwned>(session: &mut Session, statement: Statement) -> Result<Vec<T>> {
    let rows: Option<String> = session.read(statement).await?;
    serde_json::from_str(rows.as_deref().unwrap_or("[]"))
        .context("PostgreSQL's answer is of another form than is known")
}

fn wrapped(sql: &str) -> String {
    format!("select coalesce(json_agg(r), '[]')::text from ({sql}) r")
}
