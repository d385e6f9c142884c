//! Waiting for what somebody else does: another task, another server, the system.

use std::time::Duration;

/// Far longer than anything takes, also on a machine that has other things to do: who fails by this has waited in vain.
const MAX_WAIT: Duration = Duration::from_secs(180);
const LOOK: Duration = Duration::from_millis(20);

/// Waits until `is_so` returns true. Fails if it never does.
pub async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(LOOK).await;
        }
    };
    if tokio::time::timeout(MAX_WAIT, waiting).await.is_err() {
        panic!("waited in vain until {what}");
    }
}
