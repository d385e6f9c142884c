//! Moves the counters of hrids on, so that new records get numbers after the highest that the source has given.

use anyhow::Result;
use octavo_engine::Context;
use octavo_pg::{Session, Statement};
use octavo_record::table_name;

use super::plan::Kind;
use super::source::Source;
use crate::load::fault_to_error;

/// Moves the counters of hrids on: after the last number of the source, and after the highest hrid with the prefix of the settings.
pub(super) async fn advance_hrid_counters(
    context: &Context,
    source: &mut Source,
    plan: &[Kind],
) -> Result<Vec<String>> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let mut told = Vec::new();
    for kind in plan {
        let Some(part) = kind.record.hooks.hrid_setting else { continue };
        let there = source.last_hrid_number(part).await?.unwrap_or(0);
        let here = highest_hrid(&mut session, kind, part).await?;
        let next = there.max(here) + 1;
        session.rows(Statement::new(RESTART).text(part).long(next)).await?;
        told.push(format!("the next number of {part} is {next}"));
    }
    Ok(told)
}

async fn highest_hrid(session: &mut Session, kind: &Kind, part: &str) -> Result<i64> {
    let sql = format!(
        "select coalesce(max(substr(t.doc ->> 'hrid', length(p.prefix) + 1)::int8), 0) \
         from {} t, (select coalesce((select doc -> $1 ->> 'prefix' from hrid_settings), '') as prefix) p \
         where starts_with(t.doc ->> 'hrid', p.prefix) and substr(t.doc ->> 'hrid', length(p.prefix) + 1) ~ '^[0-9]{{1,17}}$'",
        table_name(kind.record)
    );
    Ok(session.read::<Option<i64>>(Statement::new(sql).text(part)).await?.unwrap_or(0))
}

const RESTART: &str = "select restart_hrids($1, $2)";
