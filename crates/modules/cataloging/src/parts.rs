//! Splits records that are written together. If they are refused, each half is tried by itself, until the faulty record is alone.

use std::ops::Range;

/// The parts that are still to be written, the next one last.
#[derive(Debug)]
pub(crate) struct Parts(Vec<Range<usize>>);

impl Parts {
    pub(crate) fn from_count(count: usize) -> Parts {
        // A part without records is also written: it may end a chunk.
        let whole = 0..count;
        Parts(vec![whole])
    }

    pub(crate) fn next(&mut self) -> Option<Range<usize>> {
        self.0.pop()
    }

    /// Splits a part that was refused, to try both halves. Returns false if it has only one record.
    pub(crate) fn split_refused(&mut self, part: Range<usize>) -> bool {
        if part.len() < 2 {
            return false;
        }
        let middle = part.start + part.len() / 2;
        self.0.extend([middle..part.end, part.start..middle]);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes all records but the bad ones. Returns those that were written, those that were at fault, and the number of tries.
    fn write_good_records(count: usize, bad: &[usize]) -> (Vec<usize>, Vec<usize>, usize) {
        let (mut good, mut at_fault, mut tries) = (Vec::new(), Vec::new(), 0);
        let mut parts = Parts::from_count(count);
        while let Some(part) = parts.next() {
            tries += 1;
            if !part.clone().any(|at| bad.contains(&at)) {
                good.extend(part);
            } else if !parts.split_refused(part.clone()) {
                at_fault.extend(part);
            }
        }
        (good, at_fault, tries)
    }

    #[test]
    fn the_record_at_fault_is_found_and_all_others_are_written_once() {
        for (count, bad) in [
            (8, vec![]),
            (8, vec![5]),
            (7, vec![0, 6]),
            (1, vec![0]),
            (100, vec![17, 18, 99]),
            (3, vec![0, 1, 2]),
        ] {
            let (good, at_fault, _) = write_good_records(count, &bad);
            assert_eq!(at_fault, bad);
            assert_eq!(good, (0..count).filter(|at| !bad.contains(at)).collect::<Vec<_>>());
        }
        assert!(write_good_records(256, &[77]).2 <= 2 * 8 + 1);
    }
}
