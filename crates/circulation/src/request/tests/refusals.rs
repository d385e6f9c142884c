//! What stands against a new request.

use octavo_kernel::Permissions;

use super::*;

#[test]
fn what_stands_against_a_request_for_an_item() {
    let not_allowed =
        |kind: &str| format!("{kind} requests are not allowed for this patron and item combination");
    let cases: Vec<(Change, Value, String)> = vec![
        (
            |_| {},
            with(page_request(), "status", json!("Lost")),
            "400 Request status must be one of the following: \"Open - Not yet filled\", \"Open - Awaiting pickup\", \
             \"Open - In transit\", \"Open - Awaiting delivery\", \"Closed - Filled\", \"Closed - Cancelled\", \
             \"Closed - Unfilled\", \"Closed - Pickup expired\""
                .into(),
        ),
        (|_| {}, title_request("Page"), "Request level must be one of the following: \"Item\"".into()),
        (
            |_| {},
            with(page_request(), "fulfillmentPreference", json!("Pigeon")),
            "Fulfillment preference must be one of the following: Hold Shelf, Delivery".into(),
        ),
        (|_| {}, without(page_request(), &["instanceId"]), "Cannot create a request with no instance ID".into()),
        (|_| {}, without(page_request(), &["itemId"]), "Cannot create an item level request with no item ID".into()),
        (
            |_| {},
            without(page_request(), &["holdingsRecordId"]),
            "Cannot create a request with item ID but no holdings record ID".into(),
        ),
        (|_| {}, without(page_request(), &["requestDate"]), "Cannot create a request with no requestDate".into()),
        (|facts| facts.instance = None, page_request(), "Instance does not exist".into()),
        (|_| {}, with(page_request(), "proxyUserId", json!("eve")), "proxyUserId is not valid".into()),
        (|_| {}, with(page_request(), "proxyUserId", json!("ada")), "User cannot be proxy for themselves".into()),
        (
            |_| {},
            without(page_request(), &["pickupServicePointId"]),
            "Hold shelf fulfillment requests require a Pickup service point".into(),
        ),
        (
            |_| {},
            with(page_request(), "pickupServicePointId", json!("nowhere")),
            "Pickup service point does not exist".into(),
        ),
        (
            |_| {},
            with(page_request(), "pickupServicePointId", json!("office")),
            "Service point is not a pickup location".into(),
        ),
        (
            |facts| facts.desk.patron = None,
            page_request(),
            "A valid user and patron group are required. User is null".into(),
        ),
        (
            |facts| remove(&mut facts.desk.patron.as_mut().unwrap().record, "patronGroup"),
            page_request(),
            "A valid patron group is required. PatronGroup ID is null".into(),
        ),
        (
            |facts| set(&mut facts.desk.patron.as_mut().unwrap().record, "active", false),
            page_request(),
            "Inactive users cannot make requests".into(),
        ),
        (
            |facts| facts.desk.queue = vec![queued_hold("r1", "ada", 1)],
            page_request(),
            "This requester already has an open request for this item".into(),
        ),
        (
            |facts| {
                let record = json!({"requests": true, "desc": "Rude"});
                facts.desk.manual_blocks = vec![ManualBlock { record }];
            },
            page_request(),
            "Patron blocked from requesting".into(),
        ),
        (
            |facts| {
                let block = AutomatedBlock { message: "Too many".into(), requests: true, ..Default::default() };
                facts.desk.automated_blocks = vec![block];
            },
            page_request(),
            "Too many".into(),
        ),
        (|facts| facts.items.clear(), page_request(), "Item does not exist".into()),
        (|_| {}, of_type("Hold"), not_allowed("Hold")),
        (|_| {}, of_type("Recall"), not_allowed("Recall")),
        (|facts| item_status(facts, "Declared lost"), of_type("Hold"), not_allowed("Hold")),
        (
            |facts| *facts = request_facts(on_loan()),
            of_type("Hold"),
            "This requester already has this item on loan".into(),
        ),
    ];
    for (change, body, message) in cases {
        let mut facts = facts();
        change(&mut facts);
        assert_eq!(refusal_messages(create_request(&facts, &body)), [message], "{body}");
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let mut facts = facts();
    facts.desk.patron = None;
    let body = with(of_type("Hold"), "pickupServicePointId", json!("office"));
    let body = with(body, "proxyUserId", json!("eve"));
    assert_eq!(
        refusal_messages(create_request(&facts, &body)),
        [
            "proxyUserId is not valid",
            "Service point is not a pickup location",
            "A valid user and patron group are required. User is null",
            "Hold requests are not allowed for this patron and item combination",
        ]
    );
}

#[test]
fn of_what_is_not_there_nothing_more_is_said() {
    let nowhere: Change = |facts| {
        facts.instance = None;
        facts.items.clear();
    };
    let cases: Vec<(Change, Value, &[&str])> = vec![
        (nowhere, page_request(), &["Instance does not exist"]),
        (
            nowhere,
            without(page_request(), &["itemId"]),
            &["Cannot create an item level request with no item ID", "Instance does not exist"],
        ),
        (
            |_| {},
            without(of_type("Hold"), &["requestDate"]),
            &["Cannot create a request with no requestDate"],
        ),
        (
            |facts| facts.instance = None,
            without(of_type("Hold"), &["instanceId"]),
            &["Cannot create a request with no instance ID"],
        ),
        (
            nowhere,
            json!({"fulfillmentPreference": "Hold Shelf", "requestLevel": "Item", "requestType": "Hold"}),
            &[
                "Cannot create a request with no instance ID",
                "Cannot create an item level request with no item ID",
                "Cannot create a request with no requestDate",
                "Hold shelf fulfillment requests require a Pickup service point",
            ],
        ),
        (|facts| facts.items.clear(), title_request("Recall"), &["Request has no loan or recallable item"]),
        (
            |_| {},
            with(
                with(title_request("Page"), "itemId", json!("book-1")),
                "holdingsRecordId",
                json!("holdings-1"),
            ),
            &["Cannot create a title level page request for this instance ID with no item ID"],
        ),
    ];
    for (change, body, messages) in cases {
        let mut facts = with_title_requests(facts());
        change(&mut facts);
        assert_eq!(refusal_messages(create_request(&facts, &body)), messages, "{body}");
    }
}

#[test]
fn a_parameter_that_was_not_given_is_null() {
    let parameters = |change: Change, body: &Value| -> Value {
        let mut facts = facts();
        change(&mut facts);
        let fault = create_request(&facts, body).unwrap_err();
        let body: Value = serde_json::from_str(&fault.body.render()).unwrap();
        body["errors"][0]["parameters"].clone()
    };
    for (change, body, expected) in [
        (
            (|_| {}) as Change,
            without(page_request(), &["instanceId"]),
            json!([{"key": "instanceId", "value": null}]),
        ),
        (|_| {}, with(page_request(), "instanceId", json!("")), json!([{"key": "instanceId", "value": ""}])),
        (|_| {}, without(page_request(), &["requestDate"]), json!([{"key": "requestDate", "value": null}])),
        (|_| {}, without(page_request(), &["pickupServicePointId"]), json!([{"key": "id", "value": null}])),
        (
            |_| {},
            without(page_request(), &["fulfillmentPreference"]),
            json!([{"key": "fulfillmentPreference", "value": null}]),
        ),
        (|facts| facts.desk.patron = None, page_request(), json!([{"key": "userId", "value": "ada"}])),
        (
            |facts| facts.desk.queue = vec![queued_hold("r1", "ada", 1)],
            page_request(),
            json!([
                {"key": "itemId", "value": "book-1"},
                {"key": "requesterId", "value": "ada"},
                {"key": "requestId", "value": null},
            ]),
        ),
    ] {
        assert_eq!(parameters(change, &body), expected, "{body}");
    }
}

#[test]
fn a_status_is_one_of_eight_however_it_is_written() {
    for (status, stored) in [
        (json!("open - NOT yet filled"), Some("Open - Not yet filled")),
        (json!("Closed - Filled"), Some("Closed - Filled")),
        (json!(""), None),
        (json!(null), None),
        (json!("Open"), None),
    ] {
        let outcome = create_request(&facts(), &with(page_request(), "status", status.clone()));
        match (outcome, stored) {
            (Ok(plan), Some(stored)) => assert_eq!(plan.answer()["status"], stored),
            (Err(fault), None) => assert_eq!(fault.status, 400, "{status}"),
            (outcome, _) => panic!("{status}: {outcome:?}"),
        }
    }
}

#[test]
fn a_block_is_overridden_by_who_may() {
    let mut facts = facts();
    facts.desk.manual_blocks = vec![ManualBlock { record: json!({"requests": true, "desc": "Rude"}) }];
    let overriding = json!({"overrideBlocks": {"patronBlock": {}, "comment": "Let it go"}});
    let body = with(page_request(), "requestProcessingParameters", overriding);
    assert_eq!(refusal_messages(create_request(&facts, &body)), ["Insufficient override permissions"]);
    facts.desk.permissions = Permissions::new(["circulation.override-patron-block".to_owned()].into());
    assert_eq!(refusal_messages(create_request(&facts, &body)), [""; 0]);
}

/// As in FOLIO, what is on its way to be delivered is as good as filled.
#[test]
fn a_request_that_is_being_delivered_stands_against_no_other() {
    for (status, messages) in [("Open - In transit", 1), ("Open - Awaiting delivery", 0)] {
        let mut facts = facts_on_loan();
        let mut request = queued_hold("r1", "ada", 1);
        set(&mut request.record, "status", status);
        facts.desk.queue = vec![request];
        assert_eq!(refusal_messages(create_request(&facts, &of_type("Hold"))).len(), messages, "{status}");
        assert_eq!(
            refusal_messages(create_request(&with_title_requests(facts.clone()), &title_request("Hold")))
                .len(),
            messages,
            "{status}"
        );
        let asked = json!({"requesterId": "ada", "instanceId": "instance-1", "pickupServicePointId": "desk-1",
            "requestDate": "2026-03-01T10:00:00Z"});
        let asked: RequestAtInstance = serde_json::from_value(asked).unwrap();
        assert_eq!(refusal_messages(request_at_instance(&facts, &asked)).len(), messages, "{status}");
    }
}

#[test]
fn what_stands_against_a_request_for_a_title() {
    let cases: Vec<(Change, Value, &str)> = vec![
        (
            |_| {},
            with(title_request("Page"), "itemId", json!("book-1")),
            "Cannot create a request with item ID but no holdings record ID",
        ),
        (
            |facts| item_status(facts, "Checked out"),
            title_request("Page"),
            "Cannot create page TLR for this instance ID - no pageable available items found",
        ),
        (|facts| facts.items.clear(), title_request("Recall"), "Request has no loan or recallable item"),
        (
            |facts| facts.desk.queue = vec![queued_hold("r1", "ada", 1)],
            title_request("Page"),
            "This requester already has an open request for one of the instance's items",
        ),
        (
            |facts| {
                let mut request = queued_hold("r1", "ada", 1);
                set(&mut request.record, "requestLevel", "Title");
                facts.desk.queue = vec![request];
            },
            title_request("Page"),
            "This requester already has an open request for this instance",
        ),
        (
            |facts| *facts = with_title_requests(request_facts(on_loan())),
            title_request("Hold"),
            "This requester already has a loan for one of the instance's items",
        ),
        (
            |_| {},
            title_request("Hold"),
            "Hold/Recall title level request not allowed: pageable available item found for instance",
        ),
        (
            |facts| {
                facts.items.clear();
                facts.title_level.holds_follow_rules = true;
            },
            title_request("Hold"),
            "Hold requests are not allowed for this patron and title combination",
        ),
    ];
    for (change, body, message) in cases {
        let mut facts = with_title_requests(facts());
        change(&mut facts);
        assert_eq!(
            refusal_messages(create_request(&facts, &body)).first().map(String::as_str),
            Some(message),
            "{body}"
        );
    }
}

/// As in FOLIO, which looks for the copy before it looks at the requester.
#[test]
fn that_no_copy_of_a_title_can_be_paged_is_told_alone() {
    let mut facts = with_title_requests(facts());
    item_status(&mut facts, "Checked out");
    set(&mut facts.desk.patron.as_mut().unwrap().record, "active", false);
    let body = with(title_request("Page"), "pickupServicePointId", json!("office"));
    assert_eq!(
        refusal_messages(create_request(&facts, &body)),
        ["Cannot create page TLR for this instance ID - no pageable available items found"]
    );
}

#[test]
fn a_limit_counts_the_open_requests_of_the_patron_group() {
    for (limits, open, overridden, refusals) in [
        (json!({}), 100, false, 0),
        (json!({"staff": 3}), 2, false, 0),
        (json!({"staff": 3}), 3, false, 1),
        (json!({"students": 3}), 3, false, 0),
        (json!({"staff": 0}), 0, false, 1),
        (json!({"staff": 3}), 3, true, 0),
    ] {
        let mut facts = facts();
        facts.options = std::sync::Arc::new(serde_json::from_value(json!({"limits": limits})).unwrap());
        facts.open_requests = open;
        facts.desk.permissions = octavo_kernel::Permissions::all();
        let mut body = page_request();
        if overridden {
            let blocks = json!({"patronBlock": {}, "comment": "Thesis"});
            set(&mut body, "requestProcessingParameters", json!({"overrideBlocks": blocks}));
        }
        assert_eq!(refusal_messages(create_request(&facts, &body)).len(), refusals, "{limits} {open}");
    }
}
