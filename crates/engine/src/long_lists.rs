//! Limits how many long lists are sent at once: each holds a connection to the database for as long as its client reads.

use std::sync::Arc;
use std::time::Duration;

use octavo_kernel::{Fault, Outcome};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The long lists that are under way in this process.
#[derive(Debug)]
pub struct LongLists {
    permits: Arc<Semaphore>,
    waiting: Semaphore,
}

impl LongLists {
    /// A quarter of the connections to the database is for lists that are sent, a quarter for lists that wait.
    pub(crate) fn new(connections: usize) -> LongLists {
        let quarter = (connections / 4).max(1);
        LongLists { permits: Arc::new(Semaphore::new(quarter)), waiting: Semaphore::new(quarter) }
    }

    /// Waits, up to a limit, for a permit to send a long list. The permit is returned when it is dropped.
    pub async fn wait_for_permit(&self) -> Outcome<OwnedSemaphorePermit> {
        if let Ok(place) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(place);
        }
        let busy = || {
            let message =
                "Other long lists come first. Please try again in a moment, or ask for fewer records at once";
            Fault::text(503, message)
        };
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let place = timeout(LONGEST_WAIT, Arc::clone(&self.permits).acquire_owned()).await;
        place.map_err(|_| busy())?.map_err(Fault::internal)
    }
}
