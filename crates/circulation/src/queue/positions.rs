//! Positions count from 1 without gaps; whoever leaves or moves makes others move.

use serde_json::Value;

use crate::document::set;
use crate::facts::QueuedRequest;

/// The other requests whose position changes when one leaves the queue, with their new positions.
pub(crate) fn after_removing(queue: &[QueuedRequest], id: &str) -> Vec<(String, Value)> {
    let rest: Vec<&QueuedRequest> = queue.iter().filter(|request| request.id() != id).collect();
    resequenced(&rest)
}

/// A request that is being fulfilled passes those that wait before it. Its own new position is among the
/// changes if it moves.
pub(crate) fn moved_before_unfilled(queue: &[QueuedRequest], id: &str) -> Vec<(String, Value)> {
    let mut order: Vec<&QueuedRequest> = queue.iter().collect();
    let own = order.iter().position(|request| request.id() == id);
    let target = order.iter().position(|request| request.id() != id && request.is_not_yet_filled());
    match (own, target) {
        (Some(own), Some(target)) if target < own => {
            let request = order.remove(own);
            order.insert(target, request);
            resequenced(&order)
        }
        _ => Vec::new(),
    }
}

fn resequenced(order: &[&QueuedRequest]) -> Vec<(String, Value)> {
    let numbered = order.iter().zip(1i64..);
    let changed = numbered.filter(|(request, position)| request.position() != Some(*position));
    changed
        .map(|(request, position)| {
            let mut document = request.record.clone();
            set(&mut document, "position", position);
            (request.id().to_owned(), document)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn queue(statuses: &[&str]) -> Vec<QueuedRequest> {
        let requests = statuses.iter().zip(1..).map(|(status, position)| QueuedRequest {
            record: json!({"id": format!("r{position}"), "status": status, "position": position}),
            ..QueuedRequest::default()
        });
        requests.collect()
    }

    fn positions(changes: Vec<(String, Value)>) -> Vec<(String, i64)> {
        changes.into_iter().map(|(id, document)| (id, document["position"].as_i64().unwrap())).collect()
    }

    #[test]
    fn who_stands_behind_moves_up() {
        let queue = queue(&["Open - Not yet filled"; 3]);
        assert_eq!(positions(after_removing(&queue, "r1")), [("r2".into(), 1), ("r3".into(), 2)]);
        assert_eq!(positions(after_removing(&queue, "r3")), []);
    }

    #[test]
    fn a_request_being_fulfilled_passes_those_that_wait() {
        let waiting = "Open - Not yet filled";
        let queue = queue(&["Open - Awaiting pickup", waiting, waiting, waiting]);
        assert_eq!(
            positions(moved_before_unfilled(&queue, "r4")),
            [("r4".into(), 2), ("r2".into(), 3), ("r3".into(), 4)]
        );
        assert_eq!(positions(moved_before_unfilled(&queue, "r2")), []);
        assert_eq!(positions(moved_before_unfilled(&queue, "r1")), []);
    }
}
