//! Waiting for what somebody else does: another task, another server, the system.

use std::time::Duration;

/// Far longer than anything takes, also on a machine that has other things to do: who fails by this has waited in vain.
const AT_LAST: Duration = Duration::from_secs(180);
const LOOK: Duration = Duration::from_millis(20);

/// Returns as soon as it is so. Fails where it never is.
pub async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(LOOK).await;
        }
    };
    if tokio::time::timeout(AT_LAST, waiting).await.is_err() {
        panic!("waited in vain until {what}");
    }
}
