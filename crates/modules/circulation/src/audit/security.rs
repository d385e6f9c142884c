//! `GET /octavo/security-events`, and the task that writes down what was noted of log-ins and refusals.

use std::time::Duration;

use octavo_engine::{ListRequest, Platform, Request, Response, list_response};
use octavo_kernel::Outcome;
use octavo_modules_base::security_events::{SECURITY_EVENT, store_noted_events};

/// How long an event waits at most until it is written down; what waits is lost when the process dies.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

pub(super) async fn run(platform: Platform) {
    let mut round = tokio::time::interval(WRITE_INTERVAL);
    loop {
        round.tick().await;
        if let Err(fault) = store_noted_events(&platform).await {
            tracing::warn!(%fault, "events of security were not written down");
        }
    }
}

/// Shows what this process has noted until now, too.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    store_noted_events(&request.context.platform).await?;
    let listing = ListRequest::for_record_type(&request, &SECURITY_EVENT)?;
    list_response(&request.context, &SECURITY_EVENT, &listing).await
}
