//! Requests that are there: changed, cancelled, moved, put in another order; where they may be picked up.

use super::*;

fn paged_twice() -> RequestFacts {
    let mut facts = facts();
    item_status(&mut facts, "Paged");
    let mut first = queued_hold("r1", "ada", 1);
    set(&mut first.record, "requestType", "Page");
    facts.desk.queue = vec![first, queued_hold("r2", "bob", 2), queued_hold("r3", "cy", 3)];
    facts
}

fn cancelled() -> Value {
    with(page_request(), "status", json!("Closed - Cancelled"))
}

#[test]
fn who_cancels_leaves_the_queue() {
    let facts = paged_twice();
    let stored = Value::clone(&facts.desk.queue[0].record);
    let plan = replace_request(&facts, &stored, &cancelled()).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), None)]);
    assert_eq!(places(&plan), [PlaceChange::CloseGap { queue: book_queue(), after: 1 }]);
    assert_eq!(documents(&plan, RecordKind::Item), [], "others want the item");
}

#[test]
fn what_was_not_fetched_is_known_by_the_end_of_its_request() {
    for (before, after, is_dated) in [
        ("Open - Awaiting pickup", "Closed - Cancelled", true),
        ("Open - Awaiting pickup", "Closed - Pickup expired", true),
        ("Open - Awaiting pickup", "Closed - Filled", false),
        ("Open - Awaiting pickup", "Closed - Unfilled", false),
        ("Open - In transit", "Closed - Cancelled", false),
    ] {
        let facts = paged_twice();
        let stored = with(Value::clone(&facts.desk.queue[0].record), "status", json!(before));
        let body = with(page_request(), "awaitingPickupRequestClosedDate", json!("2026-01-01T00:00:00Z"));
        let plan = replace_request(&facts, &stored, &with(body, "status", json!(after))).unwrap();
        let closed = documents(&plan, RecordKind::Request).remove(0).1;
        let date = is_dated.then_some("2026-03-02T10:00:00.000+00:00");
        let dated = closed.get("awaitingPickupRequestClosedDate").and_then(Value::as_str);
        assert_eq!(dated, date, "{before} {after}");
    }
}

#[test]
fn who_cancels_a_recall_gives_the_borrower_nothing_back() {
    let mut facts = facts_on_loan();
    set(&mut facts.open_loans[0].record, "dueDateChangedByRecall", true);
    let mut recall = queued_hold("r1", "ada", 1);
    set(&mut recall.record, "requestType", "Recall");
    facts.desk.queue = vec![recall];
    let stored = Value::clone(&facts.desk.queue[0].record);
    let body = with(cancelled(), "requestType", json!("Recall"));
    let plan = replace_request(&facts, &stored, &body).unwrap();
    assert_eq!(documents(&plan, RecordKind::Loan), []);
    let another = create_request(&without_queue(facts), &of_type("Recall")).unwrap();
    assert_eq!(documents(&another, RecordKind::Loan), [], "nor does the next recall take anything away");
}

fn without_queue(mut facts: RequestFacts) -> RequestFacts {
    facts.desk.queue.clear();
    facts
}

#[test]
fn whoever_deletes_a_page_leaves_the_item_available_and_other_requests_leave_it_as_it_is() {
    let facts = paged_twice();
    for (place, status) in [(0, Some("Available")), (1, None)] {
        let plan = delete_request(&facts, &facts.desk.queue[place].record);
        let item = documents(&plan, RecordKind::Item).pop();
        assert_eq!(item.as_ref().and_then(|(_, item)| item["status"]["name"].as_str()), status);
    }
}

#[test]
fn an_edit_that_makes_a_request_a_recall_leaves_the_loan_as_it_is() {
    let mut facts = facts_on_loan();
    facts.desk.queue = vec![queued_hold("r1", "ada", 1)];
    let stored = Value::clone(&facts.desk.queue[0].record);
    let plan = replace_request(&facts, &stored, &of_type("Recall")).unwrap();
    assert_eq!(documents(&plan, RecordKind::Request)[0].1["requestType"], "Recall");
    assert_eq!(documents(&plan, RecordKind::Loan), []);
}

#[test]
fn an_item_that_nobody_wants_any_more_is_available() {
    let mut facts = paged_twice();
    facts.desk.queue.truncate(1);
    let stored = Value::clone(&facts.desk.queue[0].record);
    for plan in [replace_request(&facts, &stored, &cancelled()).unwrap(), delete_request(&facts, &stored)] {
        assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Available");
    }
}

#[test]
fn what_stands_against_a_change() {
    let facts = paged_twice();
    let stored = Value::clone(&facts.desk.queue[0].record);
    let closed = with(stored.clone(), "status", json!("Closed - Filled"));
    assert_eq!(
        refusal_messages(replace_request(&facts, &closed, &page_request())),
        ["The Request has already been closed"]
    );
    let commented = with(page_request(), "patronComments", json!("Hurry"));
    assert_eq!(
        refusal_messages(replace_request(&facts, &stored, &commented)),
        ["Patron comments are not allowed to change"]
    );
}

#[test]
fn an_edit_is_checked_as_a_new_request_is() {
    let proxy = |relationship: Value| -> crate::facts::Proxy {
        crate::facts::Proxy { patron: patron("eve", "900"), relationships: vec![relationship] }
    };
    let cases: Vec<(Value, &[&str])> = vec![
        (page_request(), &[]),
        (with(page_request(), "proxyUserId", json!("eve")), &[]),
        (without(page_request(), &["instanceId"]), &["Cannot create a request with no instance ID"]),
        (without(page_request(), &["itemId"]), &["Cannot create an item level request with no item ID"]),
        (
            without(page_request(), &["holdingsRecordId"]),
            &["Cannot create a request with item ID but no holdings record ID"],
        ),
        (without(page_request(), &["requestDate"]), &["Cannot create a request with no requestDate"]),
        (
            without(page_request(), &["pickupServicePointId"]),
            &["Hold shelf fulfillment requests require a Pickup service point"],
        ),
        (
            with(page_request(), "pickupServicePointId", json!("nowhere")),
            &["Pickup service point does not exist"],
        ),
        (
            with(page_request(), "pickupServicePointId", json!("office")),
            &["Service point is not a pickup location"],
        ),
        (with(page_request(), "proxyUserId", json!("ada")), &["User cannot be proxy for themselves"]),
        (
            with(
                without(page_request(), &["requestDate", "itemId"]),
                "pickupServicePointId",
                json!("office"),
            ),
            &["Cannot create an item level request with no item ID"],
        ),
        (
            without(page_request(), &["requestLevel"]),
            &["Request level must be one of the following: \"Item\""],
        ),
    ];
    for (body, messages) in cases {
        let mut facts = paged_twice();
        facts.desk.proxy = Some(proxy(json!({"status": "Active"})));
        let stored = Value::clone(&facts.desk.queue[0].record);
        assert_eq!(refusal_messages(replace_request(&facts, &stored, &body)), messages, "{body}");
    }
    let mut facts = paged_twice();
    facts.desk.proxy = Some(proxy(json!({"status": "Inactive"})));
    let stored = Value::clone(&facts.desk.queue[0].record);
    let body = with(page_request(), "proxyUserId", json!("eve"));
    assert_eq!(refusal_messages(replace_request(&facts, &stored, &body)), ["proxyUserId is not valid"]);
}

#[test]
fn what_is_stored_of_persons_has_no_patron_group() {
    let mut facts = paged_twice();
    let relationships = vec![json!({"status": "Active"})];
    facts.desk.proxy = Some(crate::facts::Proxy { patron: patron("eve", "900"), relationships });
    let stored = Value::clone(&facts.desk.queue[0].record);
    let body = with(page_request(), "proxyUserId", json!("eve"));
    let plan = replace_request(&facts, &stored, &body).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    for person in ["requester", "proxy"] {
        let keys: Vec<&String> = stored[person].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["barcode", "firstName", "lastName"], "{stored}");
    }
}

#[test]
fn what_stands_against_a_new_order() {
    let begun: Change = |facts| {
        set(&mut facts.desk.queue[0].record, "requestType", "Hold");
        set(&mut facts.desk.queue[0].record, "status", "Open - Awaiting pickup");
    };
    let cases: Vec<(Change, QueueScope, &[(&str, i64)], &str)> = vec![
        (
            |_| {},
            QueueScope::Instance,
            &[("r1", 1), ("r2", 2), ("r3", 3)],
            "Refuse to reorder request queue, TLR feature status is DISABLED.",
        ),
        (
            |facts| facts.title_level.enabled = true,
            QueueScope::Item,
            &[("r1", 1), ("r2", 2), ("r3", 3)],
            "Refuse to reorder request queue, TLR feature status is ENABLED.",
        ),
        (
            |facts| facts.desk.queue.clear(),
            QueueScope::Item,
            &[("r1", 1)],
            "404 Item record with ID \"the-id\" cannot be found",
        ),
        (
            |_| {},
            QueueScope::Item,
            &[("r1", 1), ("r2", 2), ("r3", 4)],
            "Positions must have sequential order.",
        ),
        (
            |_| {},
            QueueScope::Item,
            &[("r1", 1), ("r2", 2)],
            "There is inconsistency between provided reordered queue and existing queue.",
        ),
        (
            |_| {},
            QueueScope::Item,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Page requests can not be displaced from position 1.",
        ),
        (
            begun,
            QueueScope::Item,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Requests can not be displaced from position 1 when fulfillment begun.",
        ),
        (
            |facts| {
                set(&mut facts.desk.queue[0].record, "status", "Open - Awaiting pickup");
                facts.title_level.enabled = true;
            },
            QueueScope::Instance,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Requests can not be displaced from top positions when fulfillment begun.",
        ),
    ];
    for (change, scope, places, message) in cases {
        let mut facts = paged_twice();
        change(&mut facts);
        assert_eq!(refusal_messages(reorder_queue(&facts, scope, "the-id", &order(places))), [message]);
    }
}

fn order(places: &[(&str, i64)]) -> Reorder {
    let places: Vec<Value> =
        places.iter().map(|(id, position)| json!({"id": id, "newPosition": position})).collect();
    serde_json::from_value(json!({"reorderedQueue": places})).unwrap()
}

#[test]
fn only_those_who_change_places_are_written() {
    let plan =
        reorder_queue(&paged_twice(), QueueScope::Item, "book-1", &order(&[("r1", 1), ("r3", 2), ("r2", 3)]))
            .unwrap();
    assert_eq!((positions(&plan), places(&plan)), (vec![], order_of(&[("r3", 2), ("r2", 3)])));
}

#[test]
fn requests_for_titles_do_not_count_while_there_are_none() {
    let mut of_title = queued_hold("r2", "ada", 2);
    set(&mut of_title.record, "requestLevel", "Title");
    set(&mut of_title.record, "requestType", "Page");
    let mut facts = facts_on_loan();
    facts.desk.queue = vec![queued_hold("r1", "bob", 1), of_title.clone(), queued_hold("r3", "cy", 3)];

    let made = create_request(&facts, &of_type("Hold")).unwrap();
    assert_eq!(positions(&made), [("new-request".into(), Some(4))], "it is no request for the item");
    let plan = reorder_queue(&facts, QueueScope::Item, "book-1", &order(&[("r3", 1), ("r1", 2)])).unwrap();
    assert_eq!(places(&plan), order_of(&[("r3", 1), ("r1", 2), ("r2", 3)]));

    let mut paged = paged_twice();
    paged.desk.queue = vec![paged.desk.queue.remove(0), of_title];
    let stored = Value::clone(&paged.desk.queue[0].record);
    let plan = delete_request(&paged, &stored);
    assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Available");
}

fn two_books() -> RequestFacts {
    let mut facts = paged_twice();
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    set(&mut other.record, "status", json!({"name": "Available"}));
    facts.items.push(other);
    facts
}

fn move_to(item: &str, kind: &str) -> MoveRequest {
    MoveRequest { destination_item_id: item.into(), request_type: Some(kind.into()) }
}

#[test]
fn a_request_moves_to_the_end_of_another_queue() {
    let facts = two_books();
    let stored = Value::clone(&facts.desk.queue[0].record);
    let plan = move_request(&facts, &stored, &move_to("book-2", "Hold")).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), Some(1))]);
    assert_eq!(places(&plan), [PlaceChange::CloseGap { queue: book_queue(), after: 1 }]);
    assert_eq!(plan.answer()["requestType"], "Page", "what is there need not be waited for");
    let items = documents(&plan, RecordKind::Item);
    assert_eq!((items.len(), items[0].0.as_str()), (1, "book-2"));
    assert_eq!(items[0].1["status"]["name"], "Paged");
}

#[test]
fn in_a_title_s_queue_who_moves_goes_to_the_end() {
    let facts = with_title_requests(two_books());
    let stored = Value::clone(&facts.desk.queue[0].record);
    let plan = move_request(&facts, &stored, &move_to("book-2", "Page")).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), Some(3))]);
    let queue = QueueOf::Title("instance-1".into());
    assert_eq!(places(&plan), [PlaceChange::Move { queue, from: 1, to: 3 }]);
}

fn lent_of_title(facts: &mut RequestFacts) {
    facts.title_level.enabled = true;
    facts.items[0].record["status"]["name"] = json!("Checked out");
}

#[test]
fn what_stands_against_a_move() {
    let facts = two_books();
    let stored = Value::clone(&facts.desk.queue[0].record);
    let of_title = with(stored.clone(), "requestLevel", json!("Title"));
    let hold = with(stored.clone(), "requestType", json!("Hold"));
    let other_title = "Request can only be moved to an item with the same instance ID";
    let not_paged = "Page requests are not allowed for this patron and item combination";
    let own = |facts: &mut RequestFacts| {
        facts.items[0].record["status"]["name"] = json!("Checked out");
        let loan = json!({"id": "loan-1", "userId": "ada", "itemId": "book-1", "status": {"name": "Open"}});
        facts.open_loans = vec![crate::facts::Loan { record: loan.into() }];
    };
    let cases: Vec<(Change, Value, MoveRequest, &str)> = vec![
        (|_| {}, stored.clone(), move_to("book-9", "Page"), other_title),
        (
            |_| {},
            of_title.clone(),
            move_to("book-9", "Page"),
            "Can not process TLR - TLR feature is disabled",
        ),
        // The type that is asked for counts, also where the request would become a page.
        (lent_of_title, of_title.clone(), move_to("book-2", "Hold"), "Not allowed to move from/to Hold TLR"),
        (
            lent_of_title,
            with(of_title.clone(), "requestType", json!("Hold")),
            move_to("book-9", "Page"),
            "Not allowed to move from/to Hold TLR",
        ),
        (
            |_| {},
            with(stored.clone(), "instanceId", json!("instance-2")),
            move_to("book-2", "Page"),
            other_title,
        ),
        (
            |_| {},
            hold.clone(),
            move_to("book-1", "Hold"),
            "This requester already has an open request for this item",
        ),
        // The first reason alone is told.
        (own, stored, move_to("book-1", "Page"), not_paged),
        (
            |facts| {
                lent_of_title(facts);
                facts.desk.queue[0].record["requestLevel"] = json!("Title");
            },
            of_title.clone(),
            move_to("book-1", "Recall"),
            "Not allowed to move title level page request to the same item",
        ),
        (
            lent_of_title,
            of_title,
            move_to("book-1", "Recall"),
            "This requester already has an open request for one of the instance's items",
        ),
    ];
    for (change, stored, command, message) in cases {
        let mut facts = two_books();
        change(&mut facts);
        assert_eq!(
            refusal_messages(move_request(&facts, &stored, &command)),
            [message],
            "{stored} {command:?}"
        );
    }
    let mut delivered = two_books();
    set(&mut delivered.desk.queue[0].record, "status", "Open - Awaiting delivery");
    assert!(move_request(&delivered, &hold, &move_to("book-1", "Hold")).is_ok());
}

/// The loan of the book was shortened by a recall already.
#[test]
fn a_further_recall_is_told_where_no_other_waits_and_after_each_move() {
    let mut facts = facts_on_loan();
    set(&mut facts.open_loans[0].record, "dueDateChangedByRecall", true);
    let told = |plan: &Plan| {
        assert_eq!(documents(plan, RecordKind::Loan), [], "it is due as before");
        plan.recalled_again.len()
    };
    let mut other = queued_hold("r1", "cy", 1);
    set(&mut other.record, "requestType", "Recall");
    assert_eq!(told(&create_request(&facts, &of_type("Recall")).unwrap()), 1);
    facts.desk.queue = vec![queued_hold("r1", "cy", 1)];
    assert_eq!(told(&create_request(&facts, &of_type("Recall")).unwrap()), 1, "a hold is no recall");
    facts.desk.queue = vec![other];
    assert_eq!(told(&create_request(&facts, &of_type("Recall")).unwrap()), 0);

    let moved = with(of_type("Recall"), "itemId", json!("book-2"));
    let moved = with(with(moved, "id", json!("r2")), "position", json!(1));
    assert_eq!(told(&move_request(&facts, &moved, &move_to("book-1", "Recall")).unwrap()), 1);
}

#[test]
fn a_patron_picks_up_where_the_policy_lets_them() {
    let mut facts = facts();
    let ada = patron("ada", "100");
    let names = |allowed: &Value, kind: &str| -> Vec<String> {
        let points = allowed[kind].as_array().cloned().unwrap_or_default();
        points.iter().map(|point| point["id"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let allowed = allowed_service_points(&facts, &ada, Operation::Create).unwrap();
    assert_eq!(names(&allowed, "Page"), ["desk-1", "desk-2"]);
    assert!(allowed.get("Hold").is_none() && allowed.get("Recall").is_none(), "{allowed}");
    let allowed = allowed_service_points(&facts, &ada, Operation::Replace).unwrap();
    assert_eq!(names(&allowed, "Hold"), ["desk-1", "desk-2"]);

    let mut policies = crate::desk::policies(RULES, crate::desk::three_weeks());
    let policy = json!({"id": "any", "requestTypes": ["Page"], "allowedServicePoints": {"Page": ["desk-2", "office"]}});
    policies.request.insert("any".into(), serde_json::from_value(policy).unwrap());
    facts.desk.policies = std::sync::Arc::new(policies);
    let allowed = allowed_service_points(&facts, &ada, Operation::Create).unwrap();
    assert_eq!(names(&allowed, "Page"), ["desk-2"]);
    assert_eq!(
        refusal_messages(create_request(&facts, &page_request())),
        ["One or more Pickup locations are no longer available"]
    );
}

#[test]
fn of_a_title_s_items_the_library_takes_what_it_has() {
    let asked = RequestAtInstance {
        requester_id: Some("ada".into()),
        instance_id: Some("instance-1".into()),
        pickup_service_point_id: Some("desk-1".into()),
        request_date: Some("2026-03-01T10:00:00Z".into()),
        ..RequestAtInstance::default()
    };
    let mut facts = facts_on_loan();
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    set(&mut other.record, "status", json!({"name": "Available"}));
    facts.items.push(other);
    let plan = request_at_instance(&facts, &asked).unwrap();
    assert_eq!((&plan.answer()["itemId"], &plan.answer()["requestType"]), (&json!("book-2"), &json!("Page")));
    facts.items.pop();
    let plan = request_at_instance(&facts, &asked).unwrap();
    assert_eq!(plan.answer()["requestType"], "Recall");
    facts.items.clear();
    assert_eq!(
        refusal_messages(request_at_instance(&facts, &asked)),
        ["There are no items for this instance"]
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a limit of real time")]
fn many_copies_of_a_title_are_tried_in_a_short_time() {
    let asked = RequestAtInstance {
        requester_id: Some("ada".into()),
        instance_id: Some("instance-1".into()),
        pickup_service_point_id: Some("desk-1".into()),
        request_date: Some("2026-03-01T10:00:00Z".into()),
        ..RequestAtInstance::default()
    };
    let mut facts = facts_on_loan();
    facts.desk.patron = None;
    let first = facts.items[0].clone();
    facts.items.extend((2..=5_000).map(|number| {
        let mut other = first.clone();
        set(&mut other.record, "id", format!("book-{number}"));
        other
    }));
    let started = std::time::Instant::now();
    assert!(request_at_instance(&facts, &asked).is_err(), "nobody asks");
    assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn a_request_at_an_instance_keeps_what_the_client_says_if_it_is_for_the_title() {
    let asked: RequestAtInstance = serde_json::from_value(json!({
        "id": "own-id", "tags": {"tagList": ["urgent"]}, "requesterId": "ada", "instanceId": "instance-1",
        "proxyUserId": "eve", "pickupServicePointId": "desk-1", "requestDate": "2026-03-01T10:00:00Z",
    }))
    .unwrap();
    let mut facts = facts();
    let relationships = vec![json!({"status": "Active"})];
    facts.desk.proxy = Some(crate::facts::Proxy { patron: patron("eve", "900"), relationships });
    for (facts, id, tags, proxy) in [
        (with_title_requests(facts.clone()), "own-id", json!({"tagList": ["urgent"]}), json!("eve")),
        (facts, "new-request", Value::Null, Value::Null),
    ] {
        let answer = request_at_instance(&facts, &asked).unwrap().answer();
        assert_eq!((&answer["id"], &answer["tags"], &answer["proxyUserId"]), (&json!(id), &tags, &proxy));
    }
}
