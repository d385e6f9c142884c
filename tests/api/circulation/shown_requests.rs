//! How requests and slips look: the same wherever they are shown, with all that they refer to, in their order.

use octavo_testkit::Desk;
use octavo_testkit::reference::{CIRC_DESK, FACULTY};
use serde_json::{Value, json};

use super::requests::{instance_of, queue_of_item, request_body};

/// Of the reference records of mod-users.
const HOME: &str = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";
const HOME_NAME: &str = "Home";

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}

/// A user with an address at home.
async fn create_user_with_address(desk: &Desk, personal: Value) -> Value {
    let mut user = desk.patron().await;
    user["personal"] = personal;
    user["personal"]["addresses"] = json!([
        {"addressTypeId": "1c4b225f-f669-4e9b-afcd-ebc0e273a34e", "addressLine1": "At work"},
        {"addressTypeId": HOME, "addressLine1": "1 \"Quay\" Street", "city": "Tromsø", "primaryAddress": true},
    ]);
    desk.put(&format!("/users/{}", id(&user)), &user).await.expect(204);
    desk.get(&format!("/users/{}", id(&user))).await.expect(200).json()
}

#[tokio::test]
async fn a_request_looks_the_same_wherever_it_is_shown() {
    let desk = Desk::open().await;
    let (item, borrower) = (desk.item().await, desk.patron().await);
    let lent = desk.check_out(&item, &borrower).await.expect(201).json();
    let patron =
        create_user_with_address(&desk, json!({"lastName": "O\"Hara\n", "firstName": "", "middleName": "Ø"}))
            .await;
    let proxy =
        create_user_with_address(&desk, json!({"lastName": "Proxy", "preferredFirstName": "P."})).await;
    let acts = json!({"userId": patron["id"], "proxyUserId": proxy["id"], "status": "Active",
        "requestForSponsor": "Yes", "notificationsTo": "Sponsor", "accrueTo": "Sponsor"});
    desk.post("/proxiesfor", &acts).await.expect(201);
    let instance = instance_of(&desk, &item).await;
    let path = format!("/instance-storage/instances/{}", instance.as_str().unwrap_or_default());
    let mut title = desk.get(&path).await.expect(200).json();
    title["contributors"] =
        json!([{"name": "Ibsen, Henrik", "contributorNameTypeId": NAME_TYPE, "primary": true}]);
    title["identifiers"] = json!([{"value": "9788205", "identifierTypeId": ISBN}]);
    title["editions"] = json!(["2. ed."]);
    title["publication"] = json!([{"publisher": "Gyldendal", "place": "Oslo"}]);
    desk.put(&path, &title).await.expect(204);
    let mut body = request_body(&item, &instance, &patron, "Hold");
    body["fulfillmentPreference"] = json!("Delivery");
    body["deliveryAddressTypeId"] = json!(HOME);
    body["proxyUserId"] = proxy["id"].clone();
    body["patronComments"] = json!("\u{1f4da} soon, \\ please\t");
    let created = desk.post("/circulation/requests", &body).await.expect(201).json();

    let path = format!("/circulation/requests/{}", id(&created));
    let shown = desk.get(&path).await.expect(200).json();
    let found = desk.find("/circulation/requests", &format!("id=={}", id(&created))).await.expect(200).json();
    assert_eq!(found, json!({"requests": [shown], "totalRecords": 1}));
    assert_eq!(queue_of_item(&desk, &item).await, std::slice::from_ref(&shown));
    let stored = desk.get(&format!("/request-storage/requests/{}", id(&created))).await.expect(200).json();
    assert_eq!(stored["searchIndex"]["pickupServicePointName"], "Circ Desk 1");
    for answer in [&created, &shown] {
        assert_eq!(answer.get("searchIndex"), None, "only storage shows it");
    }

    let group = &shown["requester"]["patronGroup"];
    assert_eq!((&group["id"], &group["group"]), (&json!(FACULTY), &json!("faculty")));
    let requester = json!({"lastName": "O\"Hara\n", "middleName": "Ø", "barcode": patron["barcode"],
        "patronGroupId": FACULTY, "patronGroup": group});
    assert_eq!(shown["requester"], requester);
    assert_eq!(
        (&shown["proxy"]["lastName"], shown["proxy"].get("preferredFirstName")),
        (&json!("Proxy"), None)
    );
    let address = json!({"addressTypeId": HOME, "addressLine1": "1 \"Quay\" Street", "city": "Tromsø"});
    assert_eq!(shown["deliveryAddress"], address);
    assert_eq!(shown["loan"], json!({"dueDate": lent["dueDate"]}));
    assert_eq!(shown["patronComments"], body["patronComments"]);
    let instance = json!({"title": title["title"], "contributorNames": [{"name": "Ibsen, Henrik"}],
        "identifiers": [{"value": "9788205", "identifierTypeId": ISBN}], "editions": ["2. ed."],
        "publication": [{"publisher": "Gyldendal", "place": "Oslo"}]});
    assert_eq!(shown["instance"], instance);
    assert_eq!(shown["item"]["barcode"], item["barcode"]);
    assert_eq!(shown["pickupServicePoint"]["name"], "Circ Desk 1");
    assert_eq!(shown["position"], 1);
    for part in ["requester", "proxy", "deliveryAddress", "instance", "item", "pickupServicePoint", "loan"] {
        assert_eq!(created[part], shown[part], "{part}");
    }
}

const NAME_TYPE: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";

#[tokio::test]
async fn slips_come_in_the_order_in_which_patrons_asked_and_say_where_to_deliver() {
    let desk = Desk::open().await;
    let mut expected = Vec::new();
    for (item, day) in desk.items(4).await.into_iter().zip([3, 1, 4, 2]) {
        let patron = create_user_with_address(&desk, json!({"lastName": format!("Day {day}")})).await;
        let mut page = request_body(&item, &instance_of(&desk, &item).await, &patron, "Page");
        page["requestDate"] = json!(format!("2026-11-0{day}T10:00:00Z"));
        if day == 2 {
            page["fulfillmentPreference"] = json!("Delivery");
            page["deliveryAddressTypeId"] = json!(HOME);
        }
        let page = desk.post("/circulation/requests", &page).await.expect(201).json();
        expected.push((day, page["id"].clone()));
    }
    expected.sort_by_key(|(day, _)| *day);
    let slips = desk.get(&format!("/circulation/pick-slips/{CIRC_DESK}")).await.expect(200).json();
    let shown = slips["pickSlips"].as_array().cloned().unwrap_or_default();
    let ids: Vec<(i32, Value)> =
        (1..).zip(shown.iter().map(|slip| slip["request"]["requestID"].clone())).collect();
    assert_eq!(ids, expected);
    assert_eq!(shown[1]["request"]["deliveryAddressType"], HOME_NAME);
    assert_eq!(shown[1]["requester"]["city"], "Tromsø");
    assert!(shown[0]["request"].get("deliveryAddressType").is_none(), "{}", shown[0]);
    assert_eq!(slips["totalRecords"], 4);
}
