//! The places that requests take when a queue changes.

use crate::facts::QueuedRequest;

/// The place of the first waiting request, to which a request moves when its fulfilment begins.
pub(crate) fn place_before_unfilled(queue: &[QueuedRequest], request: &QueuedRequest) -> Option<i64> {
    let mut others = queue.iter().filter(|other| other.id() != request.id());
    let first = others.find(|other| other.is_not_yet_filled())?.position()?;
    request.position().filter(|own| first < *own).map(|_| first)
}

/// The new places of requests in this order, for those that had another place.
pub(crate) fn renumbered(order: &[&QueuedRequest]) -> Vec<(String, i64)> {
    let numbered = order.iter().zip(1i64..);
    let changed = numbered.filter(|(request, place)| request.position() != Some(*place));
    changed.map(|(request, place)| (request.id().to_owned(), place)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_being_fulfilled_passes_those_that_wait() {
        let waiting = "Open - Not yet filled";
        let statuses = ["Open - Awaiting pickup", waiting, waiting, waiting];
        let requests = statuses.iter().zip(1..).map(|(status, position)| QueuedRequest {
            record: json!({"id": format!("r{position}"), "status": status, "position": position}).into(),
            ..QueuedRequest::default()
        });
        let queue: Vec<QueuedRequest> = requests.collect();
        let places: Vec<Option<i64>> =
            queue.iter().map(|request| place_before_unfilled(&queue, request)).collect();
        assert_eq!(places, [None, None, Some(2), Some(2)]);
    }
}
