//! How many long lists are under way at once: each keeps a connection to the database for as long as its client takes.

use std::sync::Arc;
use std::time::Duration;

use octavo_kernel::{Fault, Outcome};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The long lists that are under way in this process.
#[derive(Debug)]
pub struct LongLists {
    places: Arc<Semaphore>,
    waiting: Semaphore,
}

impl LongLists {
    /// With the waiting ones they have half of the connections to the database.
    pub(crate) fn new(connections: usize) -> LongLists {
        let quarter = (connections / 4).max(1);
        LongLists { places: Arc::new(Semaphore::new(quarter)), waiting: Semaphore::new(quarter) }
    }

    /// A place for a list, for as long as the permit is held. Waits for one for a while.
    pub async fn enter(&self) -> Outcome<OwnedSemaphorePermit> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(place);
        }
        let busy = || {
            let message =
                "Other long lists come first. Please try again in a moment, or ask for fewer records at once";
            Fault::text(503, message)
        };
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let place = timeout(LONGEST_WAIT, Arc::clone(&self.places).acquire_owned()).await;
        place.map_err(|_| busy())?.map_err(Fault::internal)
    }
}
