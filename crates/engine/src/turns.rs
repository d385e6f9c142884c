//! Who waits for work to be done, each once, in the order in which they came: who comes again while others wait comes after them.

use std::collections::{BTreeSet, VecDeque};

#[derive(Debug)]
pub struct Turns<T> {
    queue: VecDeque<T>,
    waiting: BTreeSet<T>,
}

impl<T: Ord + Clone> Turns<T> {
    pub fn wait(&mut self, one: T) {
        if self.waiting.insert(one.clone()) {
            self.queue.push_back(one);
        }
    }

    /// The first that may be worked for now.
    pub fn next(&mut self, may: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.queue.iter().position(may)?;
        let one = self.queue.remove(at)?;
        self.waiting.remove(&one);
        Some(one)
    }
}

impl<T> Default for Turns<T> {
    fn default() -> Turns<T> {
        Turns { queue: VecDeque::new(), waiting: BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_again_waits_for_the_others() {
        let mut turns = Turns::default();
        for one in ["b", "a", "b", "c"] {
            turns.wait(one);
        }
        assert_eq!(turns.next(|_| true), Some("b"));
        turns.wait("b");
        assert_eq!(turns.next(|one| *one != "a"), Some("c"));
        assert_eq!(turns.next(|_| true), Some("a"));
        assert_eq!((turns.next(|_| true), turns.next(|_| true)), (Some("b"), None));
    }
}
