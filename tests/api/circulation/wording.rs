//! Answers in FOLIO's words, where clients read them: statuses, messages, parameters.

use octavo_testkit::reference::{BOOK, CAN_CIRCULATE, CIRC_DESK, FACULTY, SOURCE_FOLIO, TEXT};
use octavo_testkit::{Desk, Reply, fresh_id};
use serde_json::{Value, json};

use super::requests::{enable_title_requests, instance_of, queue_of_item, request_body, request_item};

const KINDS: [&str; 5] = ["loan", "request", "notice", "overdue-fine", "lost-item"];

/// Message and parameters of the only refusal.
fn message_and_parameters(reply: &Reply) -> (Value, Value) {
    let errors = reply.json()["errors"].take();
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{reply}");
    (errors[0]["message"].clone(), errors[0]["parameters"].clone())
}

#[tokio::test]
async fn rules_are_asked_about_locations_that_nobody_knows() {
    let desk = Desk::open().await;
    let asked = |location: &str, material: &str| {
        format!(
            "item_type_id={material}&loan_type_id={CAN_CIRCULATE}&patron_type_id={FACULTY}&location_id={location}"
        )
    };
    let nowhere = fresh_id().to_string();
    for kind in KINDS {
        for all in ["", "-all"] {
            let path = format!("/circulation/rules/{kind}-policy{all}");
            desk.get(&format!("{path}?{}", asked(&nowhere, BOOK))).await.expect(200);
            let regex =
                "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[1-5][a-fA-F0-9]{3}-[89abAB][a-fA-F0-9]{3}-[a-fA-F0-9]{12}$";
            for material in ["", "book", "1a54b431-2e4f-952d-9cae-9cee66c9a892"] {
                let message =
                    format!("invalid uuid format of item_type_id, expecting {regex} but it is {material}");
                desk.get(&format!("{path}?{}", asked(&nowhere, material))).await.says(400, &message);
            }
            let message = "required query parameter missing: item_type_id";
            desk.get(&format!("{path}?location_id={nowhere}")).await.says(400, message);
        }
    }
}

#[tokio::test]
async fn rules_are_kept_with_who_changed_them_and_name_policies_as_their_ids_are_written() {
    let desk = Desk::open().await;
    let kept = desk.get("/circulation/rules").await.expect(200).json();
    assert!(kept["id"].is_string() && kept["metadata"]["updatedDate"].is_string(), "{kept}");
    let text = kept["rulesAsText"].as_str().unwrap();
    let id = text.split_whitespace().find(|word| word.len() == 36).expect("a policy's id");
    let shouted = json!({"rulesAsText": text.replacen(id, &id.to_uppercase(), 1)});
    let refused = desk.put("/circulation/rules", &shouted).await.expect(422).json();
    assert!(
        refused["message"].as_str().is_some_and(|message| message.ends_with("does not exist")),
        "{refused}"
    );
    let asked = format!(
        "item_type_id={BOOK}&loan_type_id={CAN_CIRCULATE}&patron_type_id={FACULTY}&location_id={}&limit=0",
        desk.location
    );
    let all =
        desk.get(&format!("/circulation/rules/overdue-fine-policy-all?{asked}")).await.expect(200).json();
    assert!(all["circulationRuleMatches"][0]["overdueFinePolicyId"].is_string(), "whatever the limit: {all}");
}

#[tokio::test]
async fn a_tabulator_is_reported_where_folio_s_lexer_stands() {
    let desk = Desk::open().await;
    for (text, line, column) in [("\t", 1, 2), ("  \t m book", 1, 4), ("# one\n\t", 2, 2)] {
        let reply = desk.put("/circulation/rules", &json!({"rulesAsText": text})).await.expect(422);
        let message = "Tabulator character is not allowed, use spaces instead.";
        assert_eq!(reply.json(), json!({"message": message, "line": line, "column": column}), "{text:?}");
    }
}

#[tokio::test]
async fn ids_that_are_none_are_named_as_folio_names_them() {
    let desk = Desk::open().await;
    let id = fresh_id();
    for (query, message) in [
        (format!("operation=create&requesterId=x&instanceId={id}"), "Requester ID is not a valid UUID: x."),
        (format!("operation=create&requesterId={id}&instanceId=x"), "Instance ID is not a valid UUID: x."),
        (format!("operation=create&requesterId={id}&itemId=x"), "Item ID is not a valid UUID: x."),
        ("operation=replace&requestId=x".to_owned(), "Request ID is not a valid UUID: x."),
        (
            "operation=create&requesterId=x&itemId=y".to_owned(),
            "Requester ID is not a valid UUID: x. Item ID is not a valid UUID: y.",
        ),
        (
            "operation=move&requestId=x".to_owned(),
            "Request ID is not a valid UUID: x. Invalid combination of query parameters",
        ),
        (format!("operation=replace&itemId={id}"), "Invalid combination of query parameters"),
    ] {
        let path = format!("/circulation/requests/allowed-service-points?{query}");
        desk.get(&path).await.says(400, message);
    }
    let path =
        format!("/circulation/requests/allowed-service-points?operation=create&requesterId={id}&itemId={id}");
    let error = json!({"message": format!("Item with id={id} cannot be found"), "parameters": []});
    assert_eq!(desk.get(&path).await.expect(422).json()["errors"], json!([error]));
}

#[tokio::test]
async fn a_request_for_a_title_says_what_the_title_lacks() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let instance = instance_of(&desk, &item).await;
    let bare = fresh_id();
    let title = json!({"id": bare, "source": "FOLIO", "title": "Jazz", "instanceTypeId": TEXT});
    desk.post("/instance-storage/instances", &title).await.expect(201);
    let place = async |key: &str, value: Value| {
        let mut body = json!({"requestDate": "2026-11-01T10:00:00Z", "requesterId": patron["id"],
            "instanceId": instance, "pickupServicePointId": CIRC_DESK});
        body[key] = value;
        desk.post("/circulation/requests/instances", &body).await.expect(422)
    };
    let told = |key: &str, value: Value| json!([{"key": key, "value": value}]);
    for (key, message) in [
        ("requestDate", "Request must have a request date"),
        ("requesterId", "Request must have a requester id"),
        ("instanceId", "Request must have an instance id"),
    ] {
        let reply = place(key, Value::Null).await;
        assert_eq!(message_and_parameters(&reply), (json!(message), told(key, Value::Null)), "{reply}");
    }
    let reply = place("instanceId", json!(bare)).await;
    let expected = (json!("There are no holdings for this instance"), told("holdingsRecords", json!("null")));
    assert_eq!(message_and_parameters(&reply), expected);
    let holdings = json!({"id": fresh_id(), "instanceId": bare, "permanentLocationId": desk.location,
        "sourceId": SOURCE_FOLIO});
    desk.post("/holdings-storage/holdings", &holdings).await.expect(201);
    let reply = place("instanceId", json!(bare)).await;
    assert_eq!(
        message_and_parameters(&reply),
        (json!("There are no items for this instance"), told("items", json!("empty")))
    );

    request_item(&desk, &item, &patron, "Page").await.expect(201);
    let reply = place("patronComments", json!("again")).await;
    let (message, parameters) = message_and_parameters(&reply);
    assert_eq!(message, "This requester already has an open request for an item of this instance");
    let expected = json!([{"key": "itemId", "value": item["id"]}, {"key": "requesterId", "value": patron["id"]},
        {"key": "instanceId", "value": instance}]);
    assert_eq!(parameters, expected);
}

#[tokio::test]
async fn a_queue_of_nothing_is_not_found() {
    let desk = Desk::open().await;
    let id = fresh_id();
    let order = json!({"reorderedQueue": [{"id": fresh_id(), "newPosition": 1}]});
    let path = |kind: &str, id: &str| format!("/circulation/requests/queue/{kind}/{id}/reorder");
    let says = |kind: &str, id: &str| format!("{kind} record with ID \"{id}\" cannot be found");
    for id in [id.to_string(), "none".to_owned()] {
        desk.post(&path("item", &id), &order).await.says(404, &says("Item", &id));
    }
    let reply = desk.post(&path("instance", &id.to_string()), &order).await.expect(422);
    let (message, parameters) = message_and_parameters(&reply);
    assert_eq!(message, "Refuse to reorder request queue, TLR feature status is DISABLED.");
    assert_eq!(parameters, json!([{"key": "instanceId", "value": id}]));
    enable_title_requests(&desk).await;
    desk.post(&path("instance", &id.to_string()), &order).await.says(404, &says("Instance", &id.to_string()));

    let desk = Desk::open().await;
    let item = desk.item().await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let request = request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201).json();
    let order = json!({"reorderedQueue": [{"id": request["id"], "newPosition": 2}]});
    let reply = desk.post(&path("item", item["id"].as_str().unwrap()), &order).await.expect(422);
    let expected = json!([{"key": "newPosition", "value": null}]);
    assert_eq!(message_and_parameters(&reply), (json!("Positions must have sequential order."), expected));
    assert_eq!(queue_of_item(&desk, &item).await.len(), 1);
}

#[tokio::test]
async fn of_nothing_nothing_is_said_twice() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let instance = instance_of(&desk, &item).await;
    let mut body = request_body(&item, &json!(fresh_id()), &patron, "Page");
    body["itemId"] = json!(fresh_id());
    desk.post("/circulation/requests", &body).await.refused("Instance does not exist");
    body["instanceId"] = instance.clone();
    desk.post("/circulation/requests", &body).await.refused("Item does not exist");
    for status in [json!(""), json!("Open"), Value::Null] {
        let mut body = request_body(&item, &instance, &patron, "Page");
        body["status"] = status;
        desk.post("/circulation/requests", &body).await.expect(400);
    }
}

#[tokio::test]
async fn a_parameter_without_a_value_is_null() {
    let desk = Desk::open().await;
    let null = |key: &str| json!([{"key": key, "value": null}]);
    let point = json!({"itemBarcode": "1", "servicePointId": CIRC_DESK});
    for (path, body, key) in [
        ("/circulation/check-in-by-barcode", json!({}), "itemBarcode"),
        ("/circulation/check-in-by-barcode", json!({"itemBarcode": "1"}), "servicePointId"),
        ("/circulation/check-in-by-barcode", point, "checkInDate"),
        ("/circulation/renew-by-barcode", json!({}), "itemBarcode"),
        ("/circulation/renew-by-id", json!({}), "itemId"),
        ("/circulation/end-patron-action-session", json!({"endSessions": [{}]}), "patronId"),
    ] {
        let reply = desk.post(path, &body).await.expect(422);
        assert_eq!(message_and_parameters(&reply).1, null(key), "{reply}");
    }
    let (item, patron) = (desk.item().await, desk.patron().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    for (does, key) in [
        ("change-due-date", "dueDate"),
        ("declare-item-lost", "servicePointId"),
        ("claim-item-returned", "itemClaimedReturnedDateTime"),
        ("declare-claimed-returned-item-as-missing", "comment"),
        ("add-info", "action"),
    ] {
        let path = format!("/circulation/loans/{}/{does}", loan["id"].as_str().unwrap());
        let reply = desk.post(&path, &json!({})).await.expect(422);
        assert_eq!(message_and_parameters(&reply).1, null(key), "{reply}");
    }
}

#[tokio::test]
async fn an_event_without_a_loan_is_answered_as_every_event() {
    let desk = Desk::open().await;
    for body in [json!({}), json!({"loanId": null}), json!({"loanId": "none"}), json!({"loanId": fresh_id()})]
    {
        desk.post("/circulation/handlers/loan-related-fee-fine-closed", &body).await.expect(204);
    }
}
