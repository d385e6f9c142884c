//! A queue that holds each entry at most once. An entry that is added again after it was taken comes after those that wait.

use std::collections::{BTreeSet, VecDeque};

#[derive(Debug)]
pub struct FairQueue<T> {
    queue: VecDeque<T>,
    waiting: BTreeSet<T>,
}

impl<T: Ord + Clone> FairQueue<T> {
    pub fn push(&mut self, one: T) {
        if self.waiting.insert(one.clone()) {
            self.queue.push_back(one);
        }
    }

    /// Removes and returns the first entry that satisfies `may`.
    pub fn pop_first(&mut self, may: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.queue.iter().position(may)?;
        let one = self.queue.remove(at)?;
        self.waiting.remove(&one);
        Some(one)
    }
}

impl<T> Default for FairQueue<T> {
    fn default() -> FairQueue<T> {
        FairQueue { queue: VecDeque::new(), waiting: BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_again_waits_for_the_others() {
        let mut turns = FairQueue::default();
        for one in ["b", "a", "b", "c"] {
            turns.push(one);
        }
        assert_eq!(turns.pop_first(|_| true), Some("b"));
        turns.push("b");
        assert_eq!(turns.pop_first(|one| *one != "a"), Some("c"));
        assert_eq!(turns.pop_first(|_| true), Some("a"));
        assert_eq!((turns.pop_first(|_| true), turns.pop_first(|_| true)), (Some("b"), None));
    }
}
