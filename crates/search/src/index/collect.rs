//! Works on the segments of an index, or on parts of a list, in parallel.

use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};

use tantivy::collector::Collector;
use tantivy::query::{EnableScoring, Query};
use tantivy::{Result, Searcher, SegmentReader};

/// With fewer entries than this in the index, starting a thread takes longer than the thread saves.
const MIN_ENTRIES_FOR_THREADS: u64 = 100_000;

static PROCESSORS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

/// Collects from what the query finds.
pub(super) fn collect<C: Collector>(
    searcher: &Searcher,
    query: &dyn Query,
    collector: &C,
) -> Result<C::Fruit> {
    let scoring = if collector.requires_scoring() {
        EnableScoring::enabled_from_searcher(searcher)
    } else {
        EnableScoring::disabled_from_searcher(searcher)
    };
    let weight = query.weight(scoring)?;
    let segments = (0..).zip(searcher.segment_readers()).collect::<Vec<(u32, &SegmentReader)>>();
    let found = in_parallel_if_large(searcher, &segments, |(ordinal, segment)| {
        collector.collect_segment(weight.as_ref(), *ordinal, segment)
    })?;
    collector.merge_fruits(found)
}

/// Works on each segment.
pub(super) fn map_segments<R: Send>(
    searcher: &Searcher,
    work: impl Fn(&SegmentReader) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    in_parallel_if_large(searcher, searcher.segment_readers(), work)
}

fn in_parallel_if_large<T: Sync, R: Send>(
    searcher: &Searcher,
    parts: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    if searcher.num_docs() < MIN_ENTRIES_FOR_THREADS {
        parts.iter().map(work).collect()
    } else {
        in_parallel(parts, work)
    }
}

/// Works on several things, each processor on one at a time. Every call has threads of its own, so that the system shares the processors
/// out among searches: none waits for the end of a slower one.
pub(super) fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { return done };
            done.push((at, work(thing)));
        }
    };
    let mut done = scope(|scope| {
        let threads = things.len().min(*PROCESSORS);
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take_turns)).collect();
        let mut done = take_turns();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use tantivy::TantivyError;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_things() {
        let things: Vec<usize> = (0..100).collect();
        assert_eq!(
            in_parallel(&things, |thing| Ok(thing * 2)).unwrap(),
            (0..100).map(|thing| thing * 2).collect::<Vec<_>>()
        );
        assert!(in_parallel(&[] as &[usize], |thing| Ok(*thing)).unwrap().is_empty());
    }

    #[test]
    fn the_first_error_in_their_order_is_told() {
        let wrong = |thing: &usize| match thing {
            3 | 7 => Err(TantivyError::InvalidArgument(thing.to_string())),
            _ => Ok(()),
        };
        let error = in_parallel(&(0..10).collect::<Vec<usize>>(), wrong).unwrap_err();
        assert!(matches!(error, TantivyError::InvalidArgument(thing) if thing == "3"));
    }
}
