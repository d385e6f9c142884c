//! Items in remote storages: what the library asks a storage to fetch. Facts: mod-remote-storage 3.2.0.

use serde_json::Value;

use crate::document::text;
use crate::facts::{Facts, Item, QueuedRequest, RemoteStorage};
use crate::plan::{Plan, RETURNED, RecordKind, Retrieval, TO_BE_RETRIEVED, Write};
use crate::status::RequestType;

/// Whether a change makes a page of a request. `before` is the request as it was, if there was one.
pub fn becomes_page(before: Option<&Value>, after: &Value) -> bool {
    let is_page = |request: &Value| {
        text(request, &["requestType"]).and_then(RequestType::spelled) == Some(RequestType::Page)
    };
    is_page(after) && !before.is_some_and(is_page)
}

/// Asks the storage for the items of requests that have become pages. `stored` is the request that the plan is about, `items` those that
/// requests may be for.
pub fn retrieve_paged(facts: &Facts, items: &[Item], stored: Option<&Value>, plan: &mut Plan) {
    if facts.remote_storages.is_empty() {
        return;
    }
    let retrieval = |write: &Write| {
        let (before, request) = match write {
            Write::Insert { record: RecordKind::Request, document, .. } => (None, document),
            Write::Update { record: RecordKind::Request, id, document } => {
                let own = stored.filter(|stored| text(stored, &["id"]) == Some(id));
                (Some(own?), document)
            }
            _ => return None,
        };
        let wanted = text(request, &["itemId"]).filter(|_| becomes_page(before, request))?;
        let item = items.iter().find(|item| item.id() == wanted)?;
        let storage = storage_of(facts, item)?;
        Some(Retrieval::from_request(request, item.id(), &storage.id, TO_BE_RETRIEVED))
    };
    let retrievals: Vec<Retrieval> = plan.writes.iter().filter_map(retrieval).collect();
    plan.retrievals.extend(retrievals);
}

/// Announces the item of a check-in to its storage, if another patron waits for it.
pub(crate) fn announce_return(facts: &Facts, item: &Item, plan: &mut Plan) {
    let Some(storage) = storage_of(facts, item).filter(|storage| storage.notified_of_returns) else { return };
    let Some(waiting) = first_hold_or_recall(facts, item) else { return };
    let request = plan.last_written(RecordKind::Request, waiting.id()).unwrap_or(&waiting.record);
    let retrieval = Retrieval::from_request(request, item.id(), &storage.id, RETURNED);
    plan.retrievals.push(retrieval);
}

/// The hold or recall at the head of the queue, for this item or for any item of its title.
pub fn first_hold_or_recall<'a>(facts: &'a Facts, item: &Item) -> Option<&'a QueuedRequest> {
    facts.queue.iter().find(|request| {
        request.position() == Some(1)
            && (request.is_hold() || request.is_recall())
            && request.item_id().is_none_or(|id| id == item.id())
    })
}

/// The storage that keeps an item. It knows items by their barcodes alone.
fn storage_of<'a>(facts: &'a Facts, item: &Item) -> Option<&'a RemoteStorage> {
    item.barcode()?;
    facts.remote_storages.get(item.effective_location_id()?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::desk::{facts as at_desk, queued_hold};
    use crate::document::{remove, set};
    use crate::facts::RemoteStorages;

    /// The book of the desk is kept in a storage.
    fn item_in_storage(told_of_returns: bool) -> Facts {
        let mut facts = at_desk();
        set(&mut facts.item.as_mut().unwrap().record, "effectiveLocationId", "cave");
        let storage = RemoteStorage { id: "storage".into(), notified_of_returns: told_of_returns };
        facts.remote_storages = Arc::new(RemoteStorages::from([("cave".into(), storage)]));
        facts
    }

    #[test]
    fn a_request_becomes_a_page_once() {
        let of = |kind: &str| json!({"requestType": kind});
        for (before, after, becomes) in [
            (None, "Page", true),
            (None, "Hold", false),
            (Some("Hold"), "Page", true),
            (Some("Page"), "Page", false),
            (Some("Page"), "Recall", false),
        ] {
            assert_eq!(becomes_page(before.map(of).as_ref(), &of(after)), becomes, "{before:?} {after}");
        }
    }

    #[test]
    fn who_waits_for_a_returned_item() {
        let other = |mut facts: Facts| {
            set(&mut facts.queue[0].record, "itemId", "other");
            facts
        };
        let waiting = |position| {
            let mut facts = item_in_storage(true);
            facts.queue = vec![queued_hold("r1", "bob", position)];
            facts
        };
        let any_copy = |mut facts: Facts| {
            remove(&mut facts.queue[0].record, "itemId");
            facts
        };
        for (facts, expected) in [
            (waiting(1), Some("r1")),
            (waiting(2), None),
            (other(waiting(1)), None),
            (any_copy(waiting(1)), Some("r1")),
            (item_in_storage(true), None),
        ] {
            let item = facts.item.clone().unwrap();
            assert_eq!(first_hold_or_recall(&facts, &item).map(QueuedRequest::id), expected);
        }
    }

    #[test]
    fn a_return_is_announced_to_a_storage_that_is_told() {
        for (told, location, barcode, announced) in [
            (true, "cave", "200", true),
            (false, "cave", "200", false),
            (true, "shelf", "200", false),
            (true, "cave", "", false),
        ] {
            let mut facts = item_in_storage(told);
            facts.queue = vec![queued_hold("r1", "bob", 1)];
            let mut item = facts.item.clone().unwrap();
            set(&mut item.record, "effectiveLocationId", location);
            match barcode {
                "" => remove(&mut item.record, "barcode"),
                barcode => set(&mut item.record, "barcode", barcode),
            }
            let mut plan = Plan::default();
            announce_return(&facts, &item, &mut plan);
            let expected = announced.then_some(("storage", "r1", "bob", RETURNED));
            let made = plan.retrievals.first().map(|made| {
                let requester = made.requester_id.as_deref().unwrap_or_default();
                (&*made.storage_id, &*made.hold_id, requester, made.request_type)
            });
            assert_eq!(made, expected, "{told} {location} {barcode}");
        }
    }
}
