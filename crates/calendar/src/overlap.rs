//! Which of several spans overlap. Ends belong to a span: one that begins when another ends overlaps with it.

/// The indexes of the spans that overlap with another, in order. What ends before it begins overlaps with nothing.
pub(crate) fn overlapping<T: Ord + Copy>(spans: impl IntoIterator<Item = (T, T)>) -> Vec<usize> {
    let mut spans: Vec<(T, T, usize)> =
        spans.into_iter().enumerate().map(|(at, (start, end))| (start, end, at)).collect();
    spans.retain(|(start, end, _)| start <= end);
    spans.sort_unstable();
    let mut found = Vec::new();
    // The span that ends last so far. Whatever overlaps an earlier span overlapped this one, or was found before.
    let mut last: Option<(T, usize)> = None;
    for (start, end, at) in spans {
        match last {
            Some((latest, holder)) if start <= latest => {
                found.extend([holder, at]);
                if end > latest {
                    last = Some((end, at));
                }
            }
            _ => last = Some((end, at)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_belong_to_a_span() {
        assert_eq!(overlapping([(1, 3), (3, 5), (6, 7)]), [0, 1]);
        assert_eq!(overlapping([(1, 10), (2, 3), (5, 6), (11, 12)]), [0, 1, 2]);
        assert!(overlapping([(5, 1), (2, 3)]).is_empty());
        assert_eq!(overlapping([(2, 2), (2, 2)]), [0, 1]);
    }

    proptest! {
        #[test]
        fn exactly_those_are_found_that_share_a_point_with_another(
            spans in prop::collection::vec((0..30_i32, 0..8_i32), 0..12)
        ) {
            let spans: Vec<(i32, i32)> = spans.into_iter().map(|(start, length)| (start, start + length)).collect();
            let meets = |a: &(i32, i32), b: &(i32, i32)| a.0 <= b.1 && b.0 <= a.1;
            let expected: Vec<usize> = (0..spans.len())
                .filter(|at| (0..spans.len()).any(|other| other != *at && meets(&spans[*at], &spans[other])))
                .collect();
            prop_assert_eq!(overlapping(spans), expected);
        }
    }
}
