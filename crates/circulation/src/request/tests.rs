//! What stands against a request, and what a request does to queue, item and loan.

use octavo_kernel::{Fault, Outcome, Permissions};
use serde_json::{Value, json};

use super::*;
use crate::desk::{facts as desk_facts, hold, messages, on_loan, patron, set_item_status, with_loan_policy};
use crate::document::{remove, set};
use crate::facts::{AutomatedBlock, ManualBlock};
use crate::plan::{Plan, RecordKind, Write};

const RULES: &str = "priority: last-line
fallback-policy: l three-weeks r any n none o fine i lost";

/// Ada asks for a book that is on the shelf at the first desk.
fn facts() -> RequestFacts {
    of(desk_facts())
}

fn of(mut desk: crate::facts::Facts) -> RequestFacts {
    let mut points = (*desk.service_points).clone();
    points.values_mut().for_each(|point| point["pickupLocation"] = json!(true));
    points.insert("office".into(), json!({"id": "office", "name": "Office"}));
    desk.service_points = std::sync::Arc::new(points);
    let open_loans = std::mem::take(&mut desk.open_loans_of_item);
    RequestFacts {
        title_level: TitleLevel::default(),
        instance: Some(Instance { id: "instance-1".into(), record: json!({"title": "Notes"}) }),
        items: desk.item.clone().into_iter().collect(),
        open_loans,
        fresh_id: "new-request".into(),
        desk,
    }
}

/// Bob has the book.
fn lent() -> RequestFacts {
    let mut facts = of(on_loan());
    set(&mut facts.open_loans[0].record, "userId", "bob");
    facts
}

fn titles(mut facts: RequestFacts) -> RequestFacts {
    facts.title_level.enabled = true;
    facts
}

fn item_status(facts: &mut RequestFacts, status: &str) {
    set_item_status(&mut facts.desk, status);
    facts.items = facts.desk.item.clone().into_iter().collect();
}

fn page() -> Value {
    json!({
        "requestType": "Page", "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf", "itemId": "book-1",
        "holdingsRecordId": "holdings-1", "instanceId": "instance-1", "requesterId": "ada",
        "pickupServicePointId": "desk-1", "requestDate": "2026-03-01T10:00:00Z",
    })
}

fn with(mut body: Value, key: &str, value: Value) -> Value {
    set(&mut body, key, value);
    body
}

fn without(mut body: Value, keys: &[&str]) -> Value {
    keys.iter().for_each(|key| remove(&mut body, key));
    body
}

fn title(kind: &str) -> Value {
    let body = without(page(), &["itemId", "holdingsRecordId"]);
    with(with(body, "requestLevel", json!("Title")), "requestType", json!(kind))
}

fn of_type(kind: &str) -> Value {
    with(page(), "requestType", json!(kind))
}

fn refused(outcome: Outcome<Plan>) -> Vec<String> {
    outcome.map_or_else(|fault: Fault| messages(&fault), |_| Vec::new())
}

fn documents(plan: &Plan, wanted: RecordKind) -> Vec<(String, Value)> {
    let of_kind = |write: &Write| match write {
        Write::Insert { record, id, document } | Write::Update { record, id, document } => {
            (*record == wanted).then(|| (id.clone(), document.clone()))
        }
    };
    plan.writes.iter().filter_map(of_kind).collect()
}

fn positions(plan: &Plan) -> Vec<(String, Option<i64>)> {
    let requests = documents(plan, RecordKind::Request);
    requests.into_iter().map(|(id, document)| (id, document["position"].as_i64())).collect()
}

type Change = fn(&mut RequestFacts);

#[test]
fn what_stands_against_a_request_for_an_item() {
    let not_allowed =
        |kind: &str| format!("{kind} requests are not allowed for this patron and item combination");
    let cases: Vec<(Change, Value, String)> = vec![
        (
            |_| {},
            with(page(), "status", json!("Lost")),
            "400 Request status must be one of the following: \"Open - Not yet filled\", \"Open - Awaiting pickup\", \
             \"Open - In transit\", \"Open - Awaiting delivery\", \"Closed - Filled\", \"Closed - Cancelled\", \
             \"Closed - Unfilled\", \"Closed - Pickup expired\""
                .into(),
        ),
        (|_| {}, title("Page"), "Request level must be one of the following: \"Item\"".into()),
        (
            |_| {},
            with(page(), "fulfillmentPreference", json!("Pigeon")),
            "Fulfillment preference must be one of the following: Hold Shelf, Delivery".into(),
        ),
        (|_| {}, without(page(), &["instanceId"]), "Cannot create a request with no instance ID".into()),
        (|_| {}, without(page(), &["itemId"]), "Cannot create an item level request with no item ID".into()),
        (
            |_| {},
            without(page(), &["holdingsRecordId"]),
            "Cannot create a request with item ID but no holdings record ID".into(),
        ),
        (|_| {}, without(page(), &["requestDate"]), "Cannot create a request with no requestDate".into()),
        (|facts| facts.instance = None, page(), "Instance does not exist".into()),
        (|_| {}, with(page(), "proxyUserId", json!("eve")), "proxyUserId is not valid".into()),
        (|_| {}, with(page(), "proxyUserId", json!("ada")), "User cannot be proxy for themselves".into()),
        (
            |_| {},
            without(page(), &["pickupServicePointId"]),
            "Hold shelf fulfillment requests require a Pickup service point".into(),
        ),
        (
            |_| {},
            with(page(), "pickupServicePointId", json!("nowhere")),
            "Pickup service point does not exist".into(),
        ),
        (
            |_| {},
            with(page(), "pickupServicePointId", json!("office")),
            "Service point is not a pickup location".into(),
        ),
        (
            |facts| facts.desk.patron = None,
            page(),
            "A valid user and patron group are required. User is null".into(),
        ),
        (
            |facts| remove(&mut facts.desk.patron.as_mut().unwrap().record, "patronGroup"),
            page(),
            "A valid patron group is required. PatronGroup ID is null".into(),
        ),
        (
            |facts| set(&mut facts.desk.patron.as_mut().unwrap().record, "active", false),
            page(),
            "Inactive users cannot make requests".into(),
        ),
        (
            |facts| facts.desk.queue = vec![hold("r1", "ada", 1)],
            page(),
            "This requester already has an open request for this item".into(),
        ),
        (
            |facts| {
                let record = json!({"requests": true, "desc": "Rude"});
                facts.desk.manual_blocks = vec![ManualBlock { record }];
            },
            page(),
            "Patron blocked from requesting".into(),
        ),
        (
            |facts| {
                let block = AutomatedBlock { message: "Too many".into(), requests: true, ..Default::default() };
                facts.desk.automated_blocks = vec![block];
            },
            page(),
            "Too many".into(),
        ),
        (|facts| facts.items.clear(), page(), "Item does not exist".into()),
        (|_| {}, of_type("Hold"), not_allowed("Hold")),
        (|_| {}, of_type("Recall"), not_allowed("Recall")),
        (|facts| item_status(facts, "Declared lost"), of_type("Hold"), not_allowed("Hold")),
        (
            |facts| *facts = of(on_loan()),
            of_type("Hold"),
            "This requester already has this item on loan".into(),
        ),
    ];
    for (change, body, message) in cases {
        let mut facts = facts();
        change(&mut facts);
        assert_eq!(refused(create_request(&facts, &body)), [message], "{body}");
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let mut facts = facts();
    facts.desk.patron = None;
    let body = with(without(of_type("Hold"), &["requestDate"]), "pickupServicePointId", json!("office"));
    assert_eq!(
        refused(create_request(&facts, &body)),
        [
            "Cannot create a request with no requestDate",
            "Service point is not a pickup location",
            "A valid user and patron group are required. User is null",
            "Hold requests are not allowed for this patron and item combination",
        ]
    );
}

#[test]
fn a_block_is_overridden_by_who_may() {
    let mut facts = facts();
    facts.desk.manual_blocks = vec![ManualBlock { record: json!({"requests": true, "desc": "Rude"}) }];
    let overriding = json!({"overrideBlocks": {"patronBlock": {}, "comment": "Let it go"}});
    let body = with(page(), "requestProcessingParameters", overriding);
    assert_eq!(refused(create_request(&facts, &body)), ["Insufficient override permissions"]);
    facts.desk.permissions = Permissions::all();
    assert_eq!(refused(create_request(&facts, &body)), [""; 0]);
}

#[test]
fn what_stands_against_a_request_for_a_title() {
    let cases: Vec<(Change, Value, &str)> = vec![
        (
            |_| {},
            with(title("Page"), "itemId", json!("book-1")),
            "Cannot create a request with item ID but no holdings record ID",
        ),
        (
            |facts| item_status(facts, "Checked out"),
            title("Page"),
            "Cannot create page TLR for this instance ID - no pageable available items found",
        ),
        (|facts| facts.items.clear(), title("Recall"), "Request has no loan or recallable item"),
        (
            |facts| facts.desk.queue = vec![hold("r1", "ada", 1)],
            title("Page"),
            "This requester already has an open request for one of the instance's items",
        ),
        (
            |facts| {
                let mut request = hold("r1", "ada", 1);
                set(&mut request.record, "requestLevel", "Title");
                facts.desk.queue = vec![request];
            },
            title("Page"),
            "This requester already has an open request for this instance",
        ),
        (
            |facts| *facts = titles(of(on_loan())),
            title("Hold"),
            "This requester already has a loan for one of the instance's items",
        ),
        (
            |_| {},
            title("Hold"),
            "Hold/Recall title level request not allowed: pageable available item found for instance",
        ),
        (
            |facts| {
                facts.items.clear();
                facts.title_level.holds_follow_rules = true;
            },
            title("Hold"),
            "Hold requests are not allowed for this patron and title combination",
        ),
    ];
    for (change, body, message) in cases {
        let mut facts = titles(facts());
        change(&mut facts);
        assert_eq!(
            refused(create_request(&facts, &body)).first().map(String::as_str),
            Some(message),
            "{body}"
        );
    }
}

#[test]
fn a_page_takes_the_item_off_the_shelf() {
    let plan = create_request(&facts(), &page()).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(1))]);
    assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Paged");
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["status"], "Open - Not yet filled");
    assert_eq!(stored["searchIndex"]["callNumberComponents"]["callNumber"], "QA 76");
    assert_eq!(stored["requester"]["barcode"], "100");
    assert_eq!(plan.response["item"]["status"], "Paged");
    assert_eq!(plan.response["pickupServicePoint"]["name"], "Name of desk-1");
}

#[test]
fn old_clients_name_an_item_only() {
    let body = without(page(), &["requestLevel", "holdingsRecordId", "instanceId"]);
    let plan = create_request(&facts(), &body).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert_eq!(stored["requestLevel"], "Item");
    assert_eq!(stored["holdingsRecordId"], "holdings-1");
    assert_eq!(stored["instanceId"], "instance-1");
}

#[test]
fn a_request_expires_at_the_end_of_its_day() {
    let body = with(page(), "requestExpirationDate", json!("2026-03-10T12:00:00Z"));
    let plan = create_request(&facts(), &body).unwrap();
    assert_eq!(plan.response["requestExpirationDate"], "2026-03-10T22:59:59.000+00:00");
}

#[test]
fn new_requests_join_the_end() {
    let mut facts = lent();
    facts.desk.queue = vec![hold("r1", "cy", 1), hold("r2", "di", 2)];
    let plan = create_request(&facts, &of_type("Hold")).unwrap();
    assert_eq!(positions(&plan), [("new-request".into(), Some(3))]);
    assert_eq!(documents(&plan, RecordKind::Loan), [], "a hold leaves the loan alone");
}

#[test]
fn a_title_level_hold_names_no_item() {
    let plan = create_request(&titles(lent()), &title("Hold")).unwrap();
    let (_, stored) = documents(&plan, RecordKind::Request).remove(0);
    assert!(stored.get("itemId").is_none(), "{stored}");
}

#[test]
fn a_title_is_recalled_from_who_must_return_it_first() {
    let mut facts = titles(lent());
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    facts.items.push(other);
    let mut loan = facts.open_loans[0].clone();
    for (key, value) in [("id", "loan-2"), ("itemId", "book-2"), ("dueDate", "2026-03-12T22:59:59.000+00:00")]
    {
        set(&mut loan.record, key, value);
    }
    facts.open_loans.push(loan);
    let recalled =
        |facts: &RequestFacts| create_request(facts, &title("Recall")).unwrap().response["itemId"].clone();
    assert_eq!(recalled(&facts), "book-2");
    let mut recall = hold("r1", "cy", 1);
    set(&mut recall.record, "requestType", "Recall");
    set(&mut recall.record, "itemId", "book-2");
    facts.desk.queue = vec![recall];
    assert_eq!(recalled(&facts), "book-1", "one that nobody has recalled yet");
}

/// The book went out on 20 February and is due on 13 March; today is 2 March.
#[test]
fn a_recall_shortens_the_loan_once() {
    let days = |days: i64| json!({"duration": days, "intervalId": "Days"});
    let cases = [
        (json!({}), "2026-03-02T22:59:59.000+00:00", "at once where the policy says nothing"),
        (json!({"recallReturnInterval": days(3)}), "2026-03-05T22:59:59.000+00:00", "the return interval"),
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
            "2026-03-06T22:59:59.000+00:00",
            "the guaranteed period",
        ),
        (json!({"recallReturnInterval": days(30)}), "2026-03-13T22:59:59.000+00:00", "never later"),
        (
            json!({"recallReturnInterval": days(30), "allowRecallsToExtendOverdueLoans": true}),
            "2026-04-01T21:59:59.000+00:00",
            "unless the policy extends",
        ),
    ];
    for (recalls, due, why) in cases {
        let mut facts = lent();
        with_loan_policy(&mut facts.desk, |policy| policy["requestManagement"] = json!({"recalls": recalls}));
        let plan = create_request(&facts, &of_type("Recall")).unwrap();
        let (_, loan) = documents(&plan, RecordKind::Loan).remove(0);
        assert_eq!((&loan["dueDate"], &loan["action"]), (&json!(due), &json!("recallrequested")), "{why}");
        assert_eq!(loan["dueDateChangedByRecall"], true);
        assert_eq!(plan.response["loan"]["dueDate"], due);
        assert_eq!(plan.events[0].name, "LOAN_DUE_DATE_CHANGED");
    }
    let mut facts = lent();
    set(&mut facts.open_loans[0].record, "dueDateChangedByRecall", true);
    let plan = create_request(&facts, &of_type("Recall")).unwrap();
    assert_eq!(documents(&plan, RecordKind::Loan), []);
}

fn paged_twice() -> RequestFacts {
    let mut facts = facts();
    item_status(&mut facts, "Paged");
    let mut first = hold("r1", "ada", 1);
    set(&mut first.record, "requestType", "Page");
    facts.desk.queue = vec![first, hold("r2", "bob", 2), hold("r3", "cy", 3)];
    facts
}

fn cancelled() -> Value {
    with(page(), "status", json!("Closed - Cancelled"))
}

#[test]
fn who_cancels_leaves_the_queue() {
    let facts = paged_twice();
    let stored = facts.desk.queue[0].record.clone();
    let plan = replace_request(&facts, &stored, &cancelled()).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), None), ("r2".into(), Some(1)), ("r3".into(), Some(2))]);
    assert_eq!(documents(&plan, RecordKind::Item), [], "others want the item");
}

#[test]
fn an_item_that_nobody_wants_any_more_is_available() {
    let mut facts = paged_twice();
    facts.desk.queue.truncate(1);
    let stored = facts.desk.queue[0].record.clone();
    for plan in [replace_request(&facts, &stored, &cancelled()).unwrap(), delete_request(&facts, &stored)] {
        assert_eq!(documents(&plan, RecordKind::Item)[0].1["status"]["name"], "Available");
    }
}

#[test]
fn what_stands_against_a_change() {
    let facts = paged_twice();
    let stored = facts.desk.queue[0].record.clone();
    let closed = with(stored.clone(), "status", json!("Closed - Filled"));
    assert_eq!(refused(replace_request(&facts, &closed, &page())), ["The Request has already been closed"]);
    let commented = with(page(), "patronComments", json!("Hurry"));
    assert_eq!(
        refused(replace_request(&facts, &stored, &commented)),
        ["Patron comments are not allowed to change"]
    );
}

#[test]
fn what_stands_against_a_new_order() {
    let begun: Change = |facts| {
        set(&mut facts.desk.queue[0].record, "requestType", "Hold");
        set(&mut facts.desk.queue[0].record, "status", "Open - Awaiting pickup");
    };
    let cases: Vec<(Change, Scope, &[(&str, i64)], &str)> = vec![
        (
            |_| {},
            Scope::Instance,
            &[("r1", 1), ("r2", 2), ("r3", 3)],
            "Refuse to reorder request queue, TLR feature status is DISABLED.",
        ),
        (
            |facts| facts.title_level.enabled = true,
            Scope::Item,
            &[("r1", 1), ("r2", 2), ("r3", 3)],
            "Refuse to reorder request queue, TLR feature status is ENABLED.",
        ),
        (|facts| facts.desk.queue.clear(), Scope::Item, &[("r1", 1)], "404 Request queue cannot be found"),
        (|_| {}, Scope::Item, &[("r1", 1), ("r2", 2), ("r3", 4)], "Positions must have sequential order."),
        (
            |_| {},
            Scope::Item,
            &[("r1", 1), ("r2", 2)],
            "There is inconsistency between provided reordered queue and existing queue.",
        ),
        (
            |_| {},
            Scope::Item,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Page requests can not be displaced from position 1.",
        ),
        (
            begun,
            Scope::Item,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Requests can not be displaced from position 1 when fulfillment begun.",
        ),
        (
            |facts| {
                set(&mut facts.desk.queue[0].record, "status", "Open - Awaiting pickup");
                facts.title_level.enabled = true;
            },
            Scope::Instance,
            &[("r2", 1), ("r1", 2), ("r3", 3)],
            "Requests can not be displaced from top positions when fulfillment begun.",
        ),
    ];
    for (change, scope, places, message) in cases {
        let mut facts = paged_twice();
        change(&mut facts);
        assert_eq!(refused(reorder_queue(&facts, scope, &order(places))), [message]);
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
        reorder_queue(&paged_twice(), Scope::Item, &order(&[("r1", 1), ("r3", 2), ("r2", 3)])).unwrap();
    assert_eq!(positions(&plan), [("r2".into(), Some(3)), ("r3".into(), Some(2))]);
}

fn two_books() -> RequestFacts {
    let mut facts = paged_twice();
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    set(&mut other.record, "status", json!({"name": "Available"}));
    facts.items.push(other);
    facts
}

fn to(item: &str, kind: &str) -> MoveRequest {
    MoveRequest { destination_item_id: item.into(), request_type: Some(kind.into()) }
}

#[test]
fn a_request_moves_to_the_end_of_another_queue() {
    let facts = two_books();
    let stored = facts.desk.queue[0].record.clone();
    let plan = move_request(&facts, &stored, &to("book-2", "Hold")).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), Some(1)), ("r2".into(), Some(1)), ("r3".into(), Some(2))]);
    assert_eq!(plan.response["requestType"], "Page", "what is there need not be waited for");
    let items = documents(&plan, RecordKind::Item);
    assert_eq!((items.len(), items[0].0.as_str()), (1, "book-2"));
    assert_eq!(items[0].1["status"]["name"], "Paged");
}

#[test]
fn in_a_title_s_queue_who_moves_goes_to_the_end() {
    let facts = titles(two_books());
    let stored = facts.desk.queue[0].record.clone();
    let plan = move_request(&facts, &stored, &to("book-2", "Page")).unwrap();
    assert_eq!(positions(&plan), [("r1".into(), Some(3)), ("r2".into(), Some(1)), ("r3".into(), Some(2))]);
}

#[test]
fn what_stands_against_a_move() {
    let facts = two_books();
    let stored = facts.desk.queue[0].record.clone();
    let of_title = with(stored.clone(), "requestLevel", json!("Title"));
    let cases = [
        (stored.clone(), to("book-9", "Page"), "Item does not exist"),
        (of_title, to("book-2", "Page"), "Can not process TLR - TLR feature is disabled"),
        (
            with(stored.clone(), "instanceId", json!("instance-2")),
            to("book-2", "Page"),
            "Request can only be moved to an item with the same instance ID",
        ),
        (
            with(stored, "requestType", json!("Hold")),
            to("book-1", "Hold"),
            "This requester already has an open request for this item",
        ),
    ];
    for (stored, command, message) in cases {
        assert_eq!(refused(move_request(&facts, &stored, &command)), [message]);
    }
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
        refused(create_request(&facts, &page())),
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
    let mut facts = lent();
    let mut other = facts.items[0].clone();
    set(&mut other.record, "id", "book-2");
    set(&mut other.record, "status", json!({"name": "Available"}));
    facts.items.push(other);
    let plan = request_at_instance(&facts, &asked).unwrap();
    assert_eq!((&plan.response["itemId"], &plan.response["requestType"]), (&json!("book-2"), &json!("Page")));
    facts.items.pop();
    let plan = request_at_instance(&facts, &asked).unwrap();
    assert_eq!(plan.response["requestType"], "Recall");
    facts.items.clear();
    assert_eq!(refused(request_at_instance(&facts, &asked)), ["There are no items for this instance"]);
}
