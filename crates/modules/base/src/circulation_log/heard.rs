//! `LOG_RECORD` events of modules outside of the program become records, as mod-audit makes them.

use octavo_circulation::log::{LogAction, Logged, records_of_event};
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{FORGET_LOANS_OF_ANYBODY, append};

/// The statements that insert the log records of a `LOG_RECORD` event. As in FOLIO, a text that is no such event changes nothing, and its
/// sender gets no error.
pub async fn log_event_statements(
    context: &Context,
    session: &mut Session,
    event: &str,
) -> Outcome<Vec<Statement>> {
    let Ok(mut event) = serde_json::from_str::<Value>(event) else { return Ok(Vec::new()) };
    name_template(session, &mut event).await?;
    let records = match records_of_event(&event) {
        Ok(records) => records,
        Err(why) => {
            tracing::warn!(tenant = %context.tenant.id, %why, "an event makes no record of the circulation log");
            return Ok(Vec::new());
        }
    };
    let anonymized = |record: &&Logged| record.action == LogAction::Anonymize;
    let loans = records.iter().filter(anonymized).filter_map(|record| record.loan_id.as_deref());
    let loans: Vec<Uuid> = loans.filter_map(|id| Uuid::parse_str(id).ok()).collect();
    let forget = (!loans.is_empty()).then(|| Statement::new(FORGET_LOANS_OF_ANYBODY.as_str()).uuids(loans));
    Ok(forget.into_iter().chain(append(context, records.iter())).collect())
}

/// Notices say the id of their template; their description says its name.
async fn name_template(session: &mut Session, event: &mut Value) -> Outcome<()> {
    let Some(item) = event.pointer_mut("/payload/items/0") else { return Ok(()) };
    let Some(id) = item["templateId"].as_str().and_then(|id| Uuid::parse_str(id).ok()) else { return Ok(()) };
    let name: Option<Option<String>> = session.read(Statement::new(TEMPLATE).uuid(id)).await?;
    item["templateName"] = json!(name.flatten().unwrap_or_default());
    Ok(())
}

const TEMPLATE: &str = "select doc ->> 'name' from template where id = $1";

octavo_pg::statements!(other = [TEMPLATE]);
