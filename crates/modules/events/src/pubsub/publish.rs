//! Events that modules outside of Octavo publish. The payload is the whole event record of FOLIO.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_modules_base::circulation_log;
use octavo_pg::Statement;
use serde::Deserialize;
use uuid::Uuid;

use super::registered;
use crate::records::is_record_change;

const EVENT: &str = include_str!("../../../folio/records/mod-pubsub/event.tsv");

/// The members of FOLIO's event record that are used here. The payloads of Octavo's own events have none of these members.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Published {
    id: Uuid,
    event_type: String,
    event_metadata: Metadata,
    pub(super) event_payload: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    tenant_id: String,
    pub(super) published_by: String,
    pub(super) correlation_id: Option<String>,
    pub(super) created_by: Option<String>,
}

/// Stores the event, and the records that mod-audit makes of it. This happens even if no consumer follows the tenant's events, because the
/// publisher may ask for the event's history.
pub(super) async fn publish(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let body = request.checked_json(EVENT)?;
    let text = json_text(&body);
    let event: Published =
        serde_json::from_value(body).map_err(|error| Fault::bad_request(error.to_string()))?;
    let (publisher, kind) = (&event.event_metadata.published_by, &event.event_type);
    if event.event_metadata.tenant_id != context.tenant.id.as_str() {
        let (named, own) = (&event.event_metadata.tenant_id, &context.tenant.id);
        return Err(Fault::bad_request(format!(
            "The event is of tenant {named}, the request of tenant {own}"
        )));
    }
    if is_record_change(kind) {
        return Err(Fault::bad_request(format!("Only changes of records are events of type {kind}")));
    }
    let mut session = context.session().await?;
    if !registered::publishes(&mut session, &context.tenant, publisher, kind).await? {
        let message = format!("{publisher} is not registered as PUBLISHER for event type {kind}");
        return Err(Fault::bad_request(message));
    }
    let publish =
        Statement::new(PUBLISH).text(kind).maybe_uuid(context.caller.user_id).text(text).uuid(event.id);
    let mut statements = vec![publish];
    if let ("LOG_RECORD", Some(payload)) = (kind.as_str(), &event.event_payload) {
        statements.extend(circulation_log::log_event_statements(context, &mut session, payload).await?);
    }
    session.transaction(statements).await?;
    context.platform.event_notifier.notify(&context.tenant.id);
    Ok(Response::no_content())
}

const PUBLISH: &str = "\
insert into event (type, by_user, payload, published)
values ($1, $2::uuid, $3::json, $4)";

octavo_pg::statements!(other = [PUBLISH]);
