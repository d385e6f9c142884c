//! Uploaded files go some time after they came, whether they were imported or not, and what was broken off goes sooner.

use std::time::{Duration, SystemTime};

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::store::Store;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The timer's job, for one tenant.
pub(super) async fn clean(request: Request) -> Outcome<Response> {
    let store = Store::of(&request.context);
    let now = SystemTime::from(request.context.now);
    store.forget(&["incoming", "parts"], now - DAY).await?;
    let days = request.context.platform.settings.uploads.days;
    if let Some(days) = u32::try_from(days).ok().filter(|days| *days > 0) {
        store.forget(&["files"], now - DAY * days).await?;
    }
    Ok(Response::no_content())
}
