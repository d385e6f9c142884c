//! Requests that patrons make and cancel by themselves.

use super::*;

fn patron_hold() -> PatronHold {
    PatronHold {
        requester_id: "ada".into(),
        item_id: "book-1".into(),
        request_date: Some("2026-03-01T10:00:00Z".into()),
        pickup_service_point_id: Some("desk-1".into()),
        patron_comments: Some("Before Friday".into()),
        ..PatronHold::default()
    }
}

fn policy_of(facts: &mut RequestFacts, types: &[&str]) {
    let policies = std::sync::Arc::make_mut(&mut facts.desk.policies);
    policies.request.values_mut().for_each(|policy| {
        policy.request_types = types.iter().map(|name| (*name).to_owned()).collect();
    });
}

/// The type of the request that a patron gets, or why they get none.
fn result_of_hold(facts: &RequestFacts) -> String {
    match hold_on_item(facts, &patron_hold()) {
        Ok(plan) => documents(&plan, RecordKind::Request)[0].1["requestType"].as_str().unwrap().to_owned(),
        Err(fault) => messages(&fault).join("; "),
    }
}

#[test]
fn the_first_type_of_the_policy_that_the_status_allows_is_taken() {
    const NO_TYPE: &str = "Cannot find a valid request type for this item";
    const NO_HOLD: &str = "Hold requests are not allowed for this patron and item combination";
    const ALL: &[&str] = &["Hold", "Page", "Recall"];
    for (status, types, expected) in [
        ("Available", ALL, "Page"),
        ("Available", &["Hold", "Recall"], NO_TYPE),
        ("Available", &[], NO_TYPE),
        ("Paged", ALL, "Hold"),
        ("Paged", &["Page", "Recall", "Hold"], "Recall"),
        ("In transit", &["Recall", "Hold"], "Recall"),
        ("On order", &["Page"], NO_TYPE),
        ("Missing", &["Recall", "Hold"], "Hold"),
        ("Awaiting delivery", &["Recall", "Hold"], "Hold"),
        ("Restricted", &["Page", "Hold"], "Hold"),
        ("Aged to lost", &["Hold"], NO_HOLD),
        ("Aged to lost", &["Recall"], NO_TYPE),
    ] {
        let mut facts = facts();
        item_status(&mut facts, status);
        policy_of(&mut facts, types);
        assert_eq!(result_of_hold(&facts), expected, "{status} {types:?}");
    }
}

#[test]
fn a_request_has_what_the_patron_said() {
    let plan = hold_on_item(&facts(), &patron_hold()).unwrap();
    let (_, request) = &documents(&plan, RecordKind::Request)[0];
    for (key, expected) in [
        ("requestLevel", "Item"),
        ("fulfillmentPreference", "Hold Shelf"),
        ("instanceId", "instance-1"),
        ("holdingsRecordId", "holdings-1"),
        ("requesterId", "ada"),
        ("pickupServicePointId", "desk-1"),
        ("patronComments", "Before Friday"),
    ] {
        assert_eq!(request[key], expected, "{key}");
    }
}

#[test]
fn who_and_what_is_not_there_is_said() {
    let mut without_item = facts();
    without_item.desk.item = None;
    let mut without_patron = facts();
    without_patron.desk.patron = None;
    for (facts, says) in
        [(without_item, "Item with id=book-1 cannot be found"), (without_patron, "User not found")]
    {
        let fault = hold_on_item(&facts, &patron_hold()).unwrap_err();
        assert_eq!((fault.status, fault.body.render()), (404, says.to_owned()));
    }
}

#[test]
fn patrons_cancel_their_own_requests_and_those_they_made_for_others() {
    let mut facts = facts();
    item_status(&mut facts, "Paged");
    let relationship = json!({"status": "Active", "requestForSponsor": "Yes"});
    facts.desk.proxy =
        Some(crate::facts::Proxy { patron: patron("eve", "900"), relationships: vec![relationship] });
    let mut stored = with(page_request(), "id", json!("r1"));
    set(&mut stored, "proxyUserId", "eve");
    set(&mut stored, "requestExpirationDate", "2026-04-01T21:59:59.000+00:00");
    let said = Cancellation { reason_id: Some("why".into()), ..Cancellation::default() };
    for (who, is_let) in [("ada", true), ("eve", true), ("bob", false)] {
        let outcome = cancel_hold(&facts, &stored, who, &said);
        if !is_let {
            assert_eq!(outcome.unwrap_err().status, 404);
            continue;
        }
        let plan = outcome.unwrap();
        let (_, request) = &documents(&plan, RecordKind::Request)[0];
        for (key, expected) in [
            ("status", "Closed - Cancelled"),
            ("cancelledByUserId", who),
            ("cancellationReasonId", "why"),
            ("requestExpirationDate", "2026-04-01T21:59:59.000+00:00"),
        ] {
            assert_eq!(request[key], expected, "{who} {key}");
        }
        assert!(request["cancelledDate"].is_string(), "{request}");
        let before: Value = serde_json::from_str(&plan.response).unwrap();
        assert_eq!((&before["id"], &before["instance"]["title"]), (&json!("r1"), &json!("Notes")));
    }
    let closed = with(stored, "status", json!("Closed - Filled"));
    let again = cancel_hold(&facts, &closed, "ada", &said);
    assert_eq!(refusal_messages(again), ["The Request has already been closed"]);
}
