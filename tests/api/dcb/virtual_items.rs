//! Items of other libraries: the desk lends them, and inventory does not know them.

use octavo_pg::Statement;
use octavo_testkit::fresh_id;
use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE};
use serde_json::{Value, json};

use super::{Partner, Transaction, transaction_body};
use crate::circulation::waiting::LockHolder;
use crate::notices::Branch;

#[tokio::test]
async fn inventory_does_not_show_borrowed_items() {
    let library = Partner::open().await;
    let made = library.create_transaction("PICKUP").await;
    let id = made.item["id"].as_str().unwrap();
    library.desk.get(&format!("/item-storage/items/{id}")).await.expect(404);
    library.desk.get(&format!("/inventory/items/{id}")).await.expect(404);
    let query = format!("barcode=={}", made.item["barcode"].as_str().unwrap());
    for path in ["/item-storage/items", "/inventory/items"] {
        assert_eq!(library.desk.find(path, &query).await.expect(200).total(), 0, "{path}");
    }
}

#[tokio::test]
async fn a_borrowed_item_has_the_hubs_id_unless_another_item_has_it() {
    let library = Partner::open().await;
    let own = library.desk.item().await;
    let (first, patron) = library.parties("BORROWER").await;
    let other = |id: &Value| json!({"id": id, "barcode": format!("far-{}", fresh_id())});
    for (hubs, keeps) in [(first.clone(), true), (other(&first["id"]), false), (other(&own["id"]), false)] {
        let id = format!("hub-{}", fresh_id());
        let made = library
            .post_transaction(&id, &transaction_body("BORROWER", &hubs, &patron))
            .await
            .expect(201)
            .json();
        assert_eq!(made["item"]["id"] == hubs["id"], keeps, "{hubs}");
        let path = format!("/circulation-item/{}", made["item"]["id"].as_str().unwrap());
        assert_eq!(library.desk.get(&path).await.expect(200).json()["barcode"], hubs["barcode"]);
    }
}

#[tokio::test]
async fn lists_of_the_desk_show_borrowed_items_and_renewals_count() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWING-PICKUP").await;
    let id = made.item["id"].as_str().unwrap();
    let requests =
        library.desk.find("/circulation/requests", &format!("itemId=={id}")).await.expect(200).json();
    assert_eq!(requests["requests"][0]["item"]["barcode"], made.item["barcode"]);
    assert_eq!(requests["requests"][0]["pickupServicePointId"], CIRC_DESK);
    assert_eq!(requests["requests"][0]["instance"]["title"], "The Waves");
    assert_eq!(library.requests(&made).await[0]["instance"]["title"], "The Waves");
    library.put_statuses(&made, &["OPEN"]).await;
    // The barcode counts in any case, as that of an own item does.
    let shouted = json!({"barcode": made.item["barcode"].as_str().unwrap().to_uppercase()});
    library.desk.check_in(&shouted).await.expect(200);
    assert_eq!(library.status(&made).await, "AWAITING_PICKUP");
    library.desk.check_out(&made.item, &made.patron).await.expect(201);
    library.desk.renew(&made.item, &made.patron).await.expect(200);
    let lent = format!("itemId=={id} and action==\"Checked out\"");
    let log = library.desk.find("/audit-data/circulation/logs", &lent).await.expect(200).json();
    let (logged, request) = (&log["logRecords"][0]["items"][0], &requests["requests"][0]);
    assert_eq!(
        [&logged["instanceId"], &logged["holdingId"]],
        [&request["instanceId"], &request["holdingsRecordId"]]
    );
    assert!(logged["holdingId"].is_string(), "{log}");
    let loans = library.desk.find("/circulation/loans", &format!("itemId=={id}")).await.expect(200).json();
    let loan = &loans["loans"][0];
    assert_eq!((&loan["item"]["title"], &loan["renewalCount"]), (&json!("The Waves"), &json!(1)));
    let asked = library.desk.get(&format!("/transactions/{}/status", made.id)).await.expect(200).json();
    let renewals = json!({"renewalCount": 1, "renewalMaxCount": 2, "renewable": true});
    assert_eq!(asked["item"]["renewalInfo"], renewals);
}

#[tokio::test]
async fn what_is_undone_moves_the_transaction_back() {
    let library = Partner::open().await;
    let made = library.create_transaction("PICKUP").await;
    library.put_statuses(&made, &["OPEN"]).await;
    library.desk.check_in(&made.item).await.expect(200);
    let loan = library.desk.check_out(&made.item, &made.patron).await.expect(201).json();
    assert_eq!(library.status(&made).await, "ITEM_CHECKED_OUT");
    library
        .desk
        .post(&format!("/octavo/loans/{}/undo", loan["id"].as_str().unwrap()), &json!({}))
        .await
        .expect(200);
    assert_eq!(library.status(&made).await, "AWAITING_PICKUP");
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Awaiting pickup");
    library.desk.check_out(&made.item, &made.patron).await.expect(201);
    assert_eq!(library.status(&made).await, "ITEM_CHECKED_OUT");
}

#[tokio::test]
async fn a_library_with_title_level_requests_finds_the_holds_of_borrowed_items() {
    let library = Partner::open().await;
    let settings = json!({
        "titleLevelRequestsFeatureEnabled": true, "createTitleLevelRequestsByDefault": false,
        "tlrHoldShouldFollowCirculationRules": false,
    });
    let entry =
        json!({"module": "SETTINGS", "configName": "TLR", "enabled": true, "value": settings.to_string()});
    library.desk.post("/configurations/entries", &entry).await.expect(201);
    let (one, other) =
        (library.create_transaction("PICKUP").await, library.create_transaction("BORROWING-PICKUP").await);
    for made in [&one, &other] {
        library.put_statuses(made, &["OPEN"]).await;
    }
    library.desk.check_in(&other.item).await.expect(200);
    assert_eq!(
        (library.status(&one).await, library.status(&other).await),
        ("OPEN".into(), "AWAITING_PICKUP".into())
    );
    library.desk.check_in(&one.item).await.expect(200);
    library.desk.check_out(&one.item, &one.patron).await.expect(201);
    assert_eq!(library.status(&one).await, "ITEM_CHECKED_OUT");
}

#[tokio::test]
async fn notices_tell_of_borrowed_items() {
    let none = || json!({});
    let wanted = [("requestNotices", "Available", none()), ("loanNotices", "Check out", none())];
    let branch = Branch::open(&wanted).await.with_mail().await;
    let patron = branch.reader().await;
    let item = json!({"id": fresh_id(), "barcode": "far-away"});
    branch.post("/transactions/t", &transaction_body("BORROWING-PICKUP", &item, &patron)).await.expect(201);
    branch.put("/transactions/t/status", &json!({"status": "OPEN"})).await.expect(200);
    branch.check_in(&item).await.expect(200);
    branch.library.relay().await;
    branch.check_out(&item, &patron).await.expect(201);
    let session = json!({"endSessions": [{"patronId": patron["id"], "actionType": "Check-out"}]});
    branch.post("/circulation/end-patron-action-session", &session).await.expect(204);
    branch.library.relay().await;
    let texts: Vec<String> = branch.mailed_texts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.iter().all(|text| text.contains("The Waves")), "{texts:?}");
}

#[tokio::test]
async fn a_patron_who_is_gone_is_forgotten_in_what_has_ended() {
    let library = Partner::open().await;
    let list = "/transactions/status?fromDate=2020-01-01T00:00:00Z&toDate=2199-01-01T00:00:00Z";
    let (over, open) =
        (library.create_transaction("BORROWER").await, library.create_transaction("BORROWER").await);
    library.put_statuses(&over, &["CLOSED"]).await;
    for made in [&over, &open] {
        let path = format!("/users/{}", made.patron["id"].as_str().unwrap());
        library.desk.delete(&path).await.expect(204);
    }
    let told = library.desk.get(list).await.expect(200);
    assert!(!told.text().contains(over.patron["barcode"].as_str().unwrap()), "{told}");
    assert_eq!(told.json()["transactions"][0].get("patron"), None);
    assert_eq!(library.status(&over).await, "CLOSED");
    library.put_statuses(&open, &["CANCELLED"]).await;
}

#[tokio::test]
async fn an_own_item_comes_before_a_borrowed_one_with_its_barcode() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWER").await;
    let mut own = library.desk.item().await;
    own["barcode"] = made.item["barcode"].clone();
    let path = format!("/item-storage/items/{}", own["id"].as_str().unwrap());
    library.desk.put(&path, &own).await.expect(204);
    library.desk.check_out(&own, &library.desk.patron().await).await.expect(201);
    assert_eq!(library.desk.status(&own).await, "Checked out");
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "In transit");
}

/// The service point of the location of borrowed items.
const PARTNERS: &str = "9d1b77e8-f02e-4b7f-b296-3f2042ddac54";

/// A library that charges ten for a lost item, and lets items age to lost a minute after their due date.
async fn partner_with_lost_item_fees() -> Partner {
    let library = Partner::open().await;
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = library.desk.get(&path).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "anotherCost", "amount": 10.0});
    policy["itemAgedLostOverdue"] = json!({"duration": 1, "intervalId": "Minutes"});
    library.desk.put(&path, &policy).await.expect(204);
    let point = json!({"value": PARTNERS, "label": "DCB"});
    let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
    library.desk.post("/owners", &owner).await.expect(201);
    library
}

/// Lends an item of another library; returns the transaction and the id of the loan.
async fn lend_borrowed_item(library: &Partner) -> (Transaction, String) {
    let made = library.create_transaction("BORROWING-PICKUP").await;
    library.put_statuses(&made, &["OPEN"]).await;
    library.desk.check_in(&made.item).await.expect(200);
    let loan = library.desk.check_out(&made.item, &made.patron).await.expect(201).json();
    (made, loan["id"].as_str().unwrap().to_owned())
}

/// Pays the one fee of a loan, which is ten.
async fn pay_fee(library: &Partner, loan: &str) {
    let fees = library.desk.find("/accounts", &format!("loanId=={loan}")).await.expect(200);
    let fees = fees.field_values("accounts", "id");
    let [fee] = &fees[..] else { panic!("one fee: {fees:?}") };
    let payment = json!({"amount": "10", "notifyPatron": false, "servicePointId": CIRC_DESK,
        "userName": "Clerk", "paymentMethod": "Cash"});
    library.desk.post(&format!("/accounts/{fee}/pay"), &payment).await.expect(201);
}

#[tokio::test]
async fn the_payment_for_a_borrowed_item_that_is_lost_ends_its_loan() {
    let library = partner_with_lost_item_fees().await;
    let (made, loan) = lend_borrowed_item(&library).await;
    let declare = format!("/circulation/loans/{loan}/declare-item-lost");
    library.desk.post(&declare, &json!({"servicePointId": CIRC_DESK})).await.expect(204);
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Declared lost");
    pay_fee(&library, &loan).await;
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Lost and paid");
    let ended = library.desk.get(&format!("/loan-storage/loans/{loan}")).await.expect(200).json();
    assert_eq!(ended["status"]["name"], "Closed");
}

#[tokio::test]
async fn a_borrowed_item_ages_to_lost_and_is_billed() {
    let library = partner_with_lost_item_fees().await;
    let (made, loan) = lend_borrowed_item(&library).await;
    let path = format!("/loan-storage/loans/{loan}");
    let mut overdue = library.desk.get(&path).await.expect(200).json();
    overdue["dueDate"] = json!("2020-01-01T00:00:00.000+00:00");
    library.desk.put(&path, &overdue).await.expect(204);
    library.library.run_job("/circulation/scheduled-age-to-lost").await;
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Aged to lost");
    library.library.run_job("/circulation/scheduled-age-to-lost-fee-charging").await;
    pay_fee(&library, &loan).await;
    assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Lost and paid");
}

#[tokio::test]
async fn a_request_for_a_borrowed_item_expires_as_the_desk_leaves_it() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWING-PICKUP").await;
    let mut request = library.requests(&made).await.remove(0);
    let id = request["id"].as_str().unwrap().to_owned();
    request["requestExpirationDate"] = json!("2020-01-01T00:00:00.000+00:00");
    library.desk.put(&format!("/request-storage/requests/{id}"), &request).await.expect(204);
    let lock = "select id from circulation_item where id = $1::text::uuid for update";
    let holder = LockHolder::lock(&library.library, lock, made.item["id"].as_str().unwrap()).await;
    let job = tokio::spawn({
        let library = library.library.clone();
        async move { library.run_job("/scheduled-request-expiration").await }
    });
    let note = "update request set doc = (doc::jsonb || '{\"patronComments\": \"By phone\"}')::json where id = $1::text::uuid";
    holder.change_and_release(&library.library, vec![Statement::new(note).text(id)]).await;
    job.await.unwrap();
    let expired = library.requests(&made).await.remove(0);
    assert_eq!(
        (&expired["status"], &expired["patronComments"]),
        (&json!("Closed - Unfilled"), &json!("By phone")),
        "{expired}"
    );
}

#[tokio::test]
async fn a_library_without_partners_asks_the_database_nothing_more() {
    let library = Partner::open().await;
    let (patron, items) = (library.desk.patron().await, library.desk.items(4).await);
    let lends = async |at: usize| {
        library.desk.check_out(&items[at], &patron).await.expect(201);
        let reply = library.desk.check_out(&items[at + 1], &patron).await.expect(201);
        assert_eq!(reply.round_trips(), 2, "{reply}");
        reply.statements()
    };
    let alone = lends(0).await;
    library.create_transaction("LENDER").await;
    assert_eq!(lends(2).await, alone + 1);
}
