//! Removes uploaded files after some days, whether they were imported or not, and interrupted uploads after one day.

use std::time::{Duration, SystemTime};

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::store::Store;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The job of the timer, for one tenant.
pub(super) async fn clean(request: Request) -> Outcome<Response> {
    let store = Store::from_context(&request.context);
    let now = SystemTime::from(request.context.now);
    store.remove_older(&["incoming", "parts"], now - DAY).await?;
    let days = request.context.platform.settings.uploads.keep_days;
    if let Some(days) = u32::try_from(days).ok().filter(|days| *days > 0) {
        store.remove_older(&["files"], now - DAY * days).await?;
    }
    Ok(Response::no_content())
}
