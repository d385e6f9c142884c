//! Tells work in the background, between two of its steps, that the server is to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A sign for one piece of work. A clone is for the same piece of work.
#[derive(Debug, Clone, Default)]
pub struct StopSign {
    raised: Arc<AtomicBool>,
    left_work: Arc<AtomicBool>,
}

impl StopSign {
    /// Tells all work that has this sign to stop.
    pub fn raise(&self) {
        self.raised.store(true, Relaxed);
    }

    /// The same sign for one more piece of work.
    pub fn for_work(&self) -> StopSign {
        StopSign { raised: Arc::clone(&self.raised), left_work: Arc::default() }
    }

    /// Whether the work has to stop here and leave the rest to the next server. Work that is done does not ask.
    pub fn must_stop(&self) -> bool {
        let raised = self.raised.load(Relaxed);
        if raised {
            self.left_work.store(true, Relaxed);
        }
        raised
    }

    /// Whether the work has stopped before its end.
    pub fn has_left_work(&self) -> bool {
        self.left_work.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::StopSign;

    #[test]
    fn work_that_has_to_stop_leaves_something_and_other_work_does_not() {
        let sign = StopSign::default();
        let [first, second, later] = [sign.for_work(), sign.for_work(), sign.for_work()];
        let same = first.clone();
        assert_eq!((first.must_stop(), first.has_left_work()), (false, false));
        sign.raise();
        assert_eq!((first.must_stop(), first.has_left_work()), (true, true));
        assert!(same.has_left_work(), "a clone is of the same work");
        assert!(!second.has_left_work(), "it had ended before");
        assert!(later.must_stop());
    }
}
