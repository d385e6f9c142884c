//! The account of a patron.

use octavo_modules::MODULES;
use octavo_testkit::{Library, fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::{Reader, id};

/// Both copies lent, one of them wanted back by the patron, and two charges.
async fn reader_with_loans_and_charges() -> Reader {
    let reader = Reader::open().await;
    let [beloved, emma] = &reader.copies;
    reader.desk.check_out(beloved, &reader.patron).await.expect(201);
    let borrower = reader.desk.patron().await;
    reader.desk.check_out(emma, &borrower).await.expect(201);
    reader.post_hold(&reader.desk, emma).await.expect(201);
    reader.charge_patron(2.5, json!({"itemId": beloved["id"]})).await;
    reader.charge_patron(10.25, json!({})).await;
    reader.charge_patron(7.0, json!({"status": {"name": "Closed"}})).await;
    reader
}

#[tokio::test]
async fn an_account_has_what_is_asked_for_and_always_the_totals() {
    let reader = reader_with_loans_and_charges().await;
    const ALL: &str = "includeLoans=true&includeCharges=true&includeHolds=true";
    for (query, lengths, amount) in [
        ("", [0, 0, 0], 12.75),
        ("?includeLoans=true", [1, 0, 0], 12.75),
        ("?includeHolds=true", [0, 1, 0], 12.75),
        ("?includeCharges=true", [0, 0, 2], 12.75),
        ("?includeCharges=yes", [0, 0, 0], 12.75),
        (&*format!("?{ALL}"), [1, 1, 2], 12.75),
        (&*format!("?{ALL}&limit=0"), [0, 0, 0], 0.0),
        (&*format!("?{ALL}&offset=1"), [0, 0, 1], 10.25),
        (&*format!("?{ALL}&limit=1&sortBy=amount/number/sort.descending"), [1, 1, 1], 10.25),
        (&*format!("?{ALL}&limit=1&sortBy=amount/number"), [1, 1, 1], 2.5),
    ] {
        let account = reader.account(query).await;
        let found = ["loans", "holds", "charges"].map(|list| account[list].as_array().unwrap().len());
        assert_eq!((found, account["totalCharges"]["amount"].as_f64()), (lengths, Some(amount)), "{query}");
        let totals = ["totalLoans", "totalHolds", "totalChargesCount"].map(|total| account[total].clone());
        assert_eq!(totals, [json!(1), json!(1), json!(2)], "{query}");
    }
}

#[tokio::test]
async fn loans_holds_and_charges_are_shown_as_folio_shows_them() {
    let reader = reader_with_loans_and_charges().await;
    let account = reader.account("?includeLoans=true&includeCharges=true&includeHolds=true").await;
    let [beloved, emma] = &reader.copies;
    let first = json!({
        "instanceId": reader.titles[0]["id"], "itemId": beloved["id"], "title": "Beloved",
        "author": "Morrison, Toni; Byatt, A. S.",
    });
    let loan = &account["loans"][0];
    assert_eq!((&loan["item"], &loan["overdue"]), (&first, &json!(false)));
    assert!(loan["dueDate"].as_str().unwrap().ends_with("+00:00"), "{loan}");
    let hold = &account["holds"][0];
    let second = json!({"instanceId": reader.titles[1]["id"], "itemId": emma["id"], "title": "Emma"});
    assert_eq!(hold["item"], second);
    for (key, expected) in [
        ("requestDate", json!("2026-11-01T10:00:00.000+00:00")),
        ("status", json!("Open - Not yet filled")),
        ("pickupLocationId", json!(CIRC_DESK)),
        ("queuePosition", json!(1)),
    ] {
        assert_eq!(hold[key], expected, "{key}");
    }
    let charge = &account["charges"][0];
    for (key, expected) in [
        ("item", first),
        ("chargeAmount", json!({"amount": 2.5, "isoCurrencyCode": "USD"})),
        ("state", json!("Outstanding")),
        ("reason", json!("Coffee stains")),
    ] {
        assert_eq!(charge[key], expected, "{key}");
    }
    assert!(charge["accrualDate"].is_string() && account["charges"][1]["item"].is_null(), "{account}");

    let money = json!({"currency": "EUR", "timezone": "UTC"}).to_string();
    let locale = json!({"module": "ORG", "configName": "localeSettings", "value": money});
    reader.desk.post("/configurations/entries", &locale).await.expect(201);
    assert_eq!(reader.account("").await["totalCharges"], json!({"amount": 12.75, "isoCurrencyCode": "EUR"}));
}

#[tokio::test]
async fn an_account_is_one_round_trip_and_each_sorted_list_one_more() {
    let reader = reader_with_loans_and_charges().await;
    let all = reader.account_path("?includeLoans=true&includeCharges=true&includeHolds=true");
    for (path, round_trips) in [
        (&*reader.account_path(""), 1),
        (&*all, 1),
        (&*format!("{all}&sortBy=metadata.createdDate&limit=100"), 4),
    ] {
        reader.desk.get(path).await.expect(200);
        let reply = reader.desk.get(path).await.expect(200);
        assert_eq!(reply.round_trips(), round_trips, "{path}\n{reply}");
    }
}

#[tokio::test]
async fn who_or_what_is_none_is_told() {
    let reader = Reader::open().await;
    let unknown = format!("/patron/account/{}", fresh_id());
    reader.desk.get(&unknown).await.expect(404);
    reader.desk.get("/patron/account/nobody").await.expect(400);
    for wrong in ["limit=-1", "limit=x", "offset=-1", "offset=9999999999", "sortBy=a/b.c", "sortBy=\"("] {
        reader.desk.get(&reader.account_path(&format!("?{}", wrong.replace('"', "%22")))).await.expect(400);
    }
    let empty = reader.account("?includeLoans=true&includeCharges=true&includeHolds=true").await;
    let nothing = json!({
        "totalCharges": {"amount": 0.0, "isoCurrencyCode": "USD"}, "totalChargesCount": 0, "totalLoans": 0,
        "totalHolds": 0, "charges": [], "holds": [], "loans": [],
    });
    assert_eq!(empty, nothing);
}

#[tokio::test]
async fn what_a_record_was_about_may_be_gone() {
    let reader = Reader::open().await;
    reader.charge_patron(1.0, json!({"itemId": fresh_id()})).await;
    let account = reader.account("?includeCharges=true").await;
    assert_eq!((&account["charges"][0]["item"], &account["totalChargesCount"]), (&Value::Null, &json!(1)));
}

#[tokio::test]
async fn more_than_a_thousand_charges_are_all_there() {
    let reader = Reader::open().await;
    let account = |_| {
        json!({
            "id": fresh_id(), "userId": reader.patron["id"], "feeFineId": fresh_id(), "ownerId": fresh_id(),
            "amount": 0.5, "remaining": 0.5, "status": {"name": "Open"},
            "paymentStatus": {"name": "Outstanding"}, "feeFineType": "Coffee stains",
        })
    };
    let record = MODULES.iter().flat_map(|module| module.records).find(|record| record.table == "accounts");
    reader.library.store_all(record.unwrap(), (0..1002).map(account).collect()).await;
    let all = reader.account("?includeCharges=true").await;
    let seen = all["charges"].as_array().map(Vec::len);
    assert_eq!(
        (seen, &all["totalChargesCount"], &all["totalCharges"]["amount"]),
        (Some(1002), &json!(1002), &json!(501.0))
    );
    let thousand = reader.account("?includeCharges=true&limit=1000").await;
    assert_eq!(thousand["charges"].as_array().map(Vec::len), Some(1000));
}

#[tokio::test]
async fn each_call_has_its_permission_and_no_patron_of_another_tenant() {
    let (library, other) = (Library::guarded().await, Reader::open().await);
    let unknown = fresh_id();
    let calls: [(&str, String, &str, u16); 6] = [
        ("GET", String::new(), "patron.account.item.get", 404),
        ("POST", format!("/item/{unknown}/renew"), "patron.renew.item.post", 422),
        ("POST", format!("/item/{unknown}/hold"), "patron.hold.item.post", 404),
        ("POST", format!("/instance/{unknown}/hold"), "patron.hold.instance.item.post", 422),
        ("POST", format!("/hold/{unknown}/cancel"), "patron.hold.cancel.item.post", 404),
        (
            "GET",
            format!("/instance/{unknown}/allowed-service-points"),
            "patron.hold.allowed-service-points.get",
            422,
        ),
    ];
    for (method, rest, permission, status) in calls {
        let path = format!("/patron/account/{}{rest}", id(&other.patron));
        let body = if method == "POST" { super::hold_body() } else { Value::Null };
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let others: Vec<&str> = ALL.iter().copied().filter(|name| *name != permission).collect();
        library.as_user(&others).await.send(method, &path, body.clone()).await.expect(403);
        library.as_user(&[permission]).await.send(method, &path, body.clone()).await.expect(status);
    }
}

const ALL: [&str; 6] = [
    "patron.account.item.get",
    "patron.renew.item.post",
    "patron.hold.item.post",
    "patron.hold.instance.item.post",
    "patron.hold.cancel.item.post",
    "patron.hold.allowed-service-points.get",
];
