//! Queries whose rows PostgreSQL returns as one JSON text, because the views have other columns in other versions of PostgreSQL.

use std::sync::Arc;

use anyhow::{Context, Result};
use octavo_pg::{Database, Session, Statement, Usage};
use serde::de::DeserializeOwned;

pub(super) fn connect(url: &str) -> Result<Database> {
    Ok(Database::for_visitor(url, "octavo lab", None)?)
}

/// Opens a session with timeouts for statements and locks, so that no query of the laboratory blocks it for long.
pub(super) async fn open_session(database: &Database) -> Result<Session> {
    let mut session = database.system_session(Arc::<Usage>::default()).await?;
    session.script("set statement_timeout = '20s'; set lock_timeout = '2s'").await?;
    Ok(session)
}

pub(super) async fn query_json<T: DeserializeOwned>(session: &mut Session, sql: &str) -> Result<Vec<T>> {
    read_json_rows(session, Statement::new(json_rows_sql(sql))).await
}

/// Runs a query with one text parameter (`$1`) and parses its rows.
pub(super) async fn query_json_with_text<T: DeserializeOwned>(
    session: &mut Session,
    sql: &str,
    of: &str,
) -> Result<Vec<T>> {
    read_json_rows(session, Statement::new(json_rows_sql(sql)).text(of)).await
}

pub(super) async fn query_one_json<T: DeserializeOwned>(session: &mut Session, sql: &str) -> Result<T> {
    query_json(session, sql).await?.pop().context("PostgreSQL answered with no row")
}

async fn read_json_rows<T: DeserializeOwned>(session: &mut Session, statement: Statement) -> Result<Vec<T>> {
    let rows: Option<String> = session.read(statement).await?;
    serde_json::from_str(rows.as_deref().unwrap_or("[]"))
        .context("PostgreSQL's answer is of another form than is known")
}

fn json_rows_sql(sql: &str) -> String {
    format!("select coalesce(json_agg(r), '[]')::text from ({sql}) r")
}
