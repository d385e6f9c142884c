//! `GET /octavo/security-events`, and the task that writes down what was noted of log-ins and refusals.

use std::time::Duration;

use octavo_engine::{Listing, Platform, Request, Response, collection};
use octavo_kernel::Outcome;
use octavo_modules_base::security_events::{SECURITY_EVENT, write_down};

/// How long an event waits at most until it is written down; what waits is lost when the process dies.
const ROUND: Duration = Duration::from_secs(1);

pub(super) async fn run(platform: Platform) {
    let mut round = tokio::time::interval(ROUND);
    loop {
        round.tick().await;
        if let Err(fault) = write_down(&platform).await {
            tracing::warn!(%fault, "events of security were not written down");
        }
    }
}

/// Shows what this process has noted until now, too.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    write_down(&request.context.platform).await?;
    let listing = Listing::of_records(&request, &SECURITY_EVENT)?;
    collection(&request.context, &SECURITY_EVENT, &listing).await
}
