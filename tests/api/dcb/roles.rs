//! Each role from the first request to the end, by the calls of the desk and of the hub.

use serde_json::json;

use super::Partner;

#[tokio::test]
async fn a_lender_sends_its_item_away_and_gets_it_back() {
    let library = Partner::open().await;
    let made = library.create_transaction("LENDER").await;
    let desk = &library.desk;
    assert_eq!(desk.status(&made.item).await, "Paged");
    let request = library.requests(&made).await.remove(0);
    assert_eq!((&request["requestType"], &request["requesterId"]), (&json!("Page"), &made.patron["id"]));
    let point = format!("/service-points/{}", request["pickupServicePointId"].as_str().unwrap());
    let point = desk.get(&point).await.expect(200).json();
    assert_eq!(
        (&point["name"], &point["code"]),
        (&json!("DCB_NORTH_Main desk"), &json!("DCB_NORTH_MAINDESK"))
    );
    let visitor =
        desk.get(&format!("/users/{}", made.patron["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!((&visitor["type"], &visitor["active"]), (&json!("dcb"), &json!(true)));

    let sent = desk.check_in(&made.item).await.expect(200);
    assert_eq!(sent.round_trips(), 2, "{sent}");
    assert_eq!(
        (library.status(&made).await, desk.status(&made.item).await),
        ("OPEN".into(), "In transit".into())
    );
    library.put_statuses(&made, &["AWAITING_PICKUP"]).await;
    assert_eq!(desk.status(&made.item).await, "Awaiting pickup");
    assert_eq!(library.request_status(&made).await, "Open - Awaiting pickup");
    library.put_statuses(&made, &["ITEM_CHECKED_OUT"]).await;
    assert_eq!(desk.status(&made.item).await, "Checked out");
    assert_eq!(library.request_status(&made).await, "Closed - Filled");
    library.put_statuses(&made, &["ITEM_CHECKED_IN"]).await;
    assert_eq!(desk.status(&made.item).await, "Checked out");
    desk.check_in(&made.item).await.expect(200);
    assert_eq!(
        (library.status(&made).await, desk.status(&made.item).await),
        ("CLOSED".into(), "Available".into())
    );
    desk.check_out(&made.item, &desk.patron().await).await.expect(201);
    desk.check_in(&made.item).await.expect(200);
    assert_eq!(library.status(&made).await, "CLOSED");
}

#[tokio::test]
async fn a_library_hands_out_anothers_item_to_either_kind_of_patron() {
    for role in ["PICKUP", "BORROWING-PICKUP"] {
        let library = Partner::open().await;
        let made = library.create_transaction(role).await;
        let desk = &library.desk;
        let item = library.borrowed_item(&made).await;
        assert_eq!(
            (&item["status"]["name"], &item["instanceTitle"]),
            (&json!("In transit"), &json!("The Waves"))
        );
        let user =
            desk.get(&format!("/users/{}", made.patron["id"].as_str().unwrap())).await.expect(200).json();
        assert_eq!(user["type"], if role == "PICKUP" { "dcb" } else { "patron" });
        assert_eq!(library.requests(&made).await[0]["requestType"], "Hold");

        library.put_statuses(&made, &["OPEN"]).await;
        assert_eq!(library.request_status(&made).await, "Open - In transit");
        let arrived = desk.check_in(&made.item).await.expect(200);
        assert_eq!(arrived.json()["item"]["title"], "The Waves", "{arrived}");
        assert_eq!(library.status(&made).await, "AWAITING_PICKUP", "{role}");
        assert_eq!(library.borrowed_item(&made).await["status"]["name"], "Awaiting pickup");
        let lent = desk.check_out(&made.item, &made.patron).await.expect(201);
        assert_eq!(lent.round_trips(), 2, "{lent}");
        assert_eq!(lent.json()["item"]["title"], "The Waves");
        assert_eq!(library.status(&made).await, "ITEM_CHECKED_OUT");
        assert_eq!(library.request_status(&made).await, "Closed - Filled");
        desk.check_in(&made.item).await.expect(200);
        assert_eq!(library.status(&made).await, "ITEM_CHECKED_IN");
        assert_eq!(library.borrowed_item(&made).await["status"]["name"], "In transit");
        library.put_statuses(&made, &["CLOSED"]).await;
    }
}

#[tokio::test]
async fn a_borrower_notes_what_the_pickup_library_does() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWER").await;
    let loans = format!("userId=={}", made.patron["id"].as_str().unwrap());
    let account = format!(
        "/patron/account/{}?includeLoans=true&includeHolds=true",
        made.patron["id"].as_str().unwrap()
    );
    let account = async || library.desk.get(&account).await.expect(200).json();
    library.put_statuses(&made, &["OPEN", "AWAITING_PICKUP"]).await;
    assert_eq!(library.request_status(&made).await, "Open - Awaiting pickup");
    assert_eq!(account().await["holds"][0]["item"]["title"], "The Waves");
    library.put_statuses(&made, &["ITEM_CHECKED_OUT"]).await;
    assert_eq!(library.desk.open_loans(&loans).await.len(), 1);
    let item = account().await["loans"][0]["item"].take();
    assert_eq!((&item["title"], item["instanceId"].is_string()), (&json!("The Waves"), true), "{item}");
    let asked = library.desk.get(&format!("/transactions/{}/status", made.id)).await.expect(200).json();
    let renewals = json!({"renewalCount": 0, "renewalMaxCount": 2, "renewable": true});
    assert_eq!(asked["item"]["renewalInfo"], renewals);
    library.put_statuses(&made, &["ITEM_CHECKED_IN"]).await;
    assert_eq!(library.desk.open_loans(&loans).await.len(), 0);
    library.put_statuses(&made, &["CLOSED"]).await;
}

#[tokio::test]
async fn the_hub_may_skip_steps_of_lender_and_borrower() {
    let library = Partner::open().await;
    let borrower = library.create_transaction("BORROWER").await;
    library.put_statuses(&borrower, &["CLOSED"]).await;
    let lender = library.create_transaction("LENDER").await;
    library.desk.check_in(&lender.item).await.expect(200);
    library.put_statuses(&lender, &["ITEM_CHECKED_IN"]).await;
    assert_eq!(library.desk.status(&lender.item).await, "Checked out");
}

#[tokio::test]
async fn a_step_that_the_desk_refuses_is_not_taken() {
    let library = Partner::open().await;
    let made = library.create_transaction("LENDER").await;
    library.desk.check_in(&made.item).await.expect(200);
    library.put_statuses(&made, &["AWAITING_PICKUP"]).await;
    let block = json!({
        "type": "Manual", "desc": "Owes us a book", "borrowing": true, "userId": made.patron["id"],
    });
    library.desk.post("/manualblocks", &block).await.expect(201);
    let refused = library.put_status(&made, "ITEM_CHECKED_OUT").await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "VALIDATION_ERROR");
    assert_eq!(library.status(&made).await, "AWAITING_PICKUP");
    assert_eq!(library.desk.status(&made.item).await, "Awaiting pickup");
}

#[tokio::test]
async fn the_lender_renews_when_the_borrower_has() {
    let library = Partner::open().await;
    let made = library.create_transaction("LENDER").await;
    let renew = format!("/transactions/{}/renew", made.id);
    let early = library.desk.put(&renew, &json!({})).await.expect(400).json();
    let message = "Loan couldn't be renewed with transaction status CREATED, it could be renewed only with ITEM_CHECKED_OUT status";
    assert_eq!(early["errors"][0]["message"], message);
    library.desk.check_in(&made.item).await.expect(200);
    library.put_statuses(&made, &["ITEM_CHECKED_OUT"]).await;
    for count in [1, 2] {
        let renewed = library.desk.put(&renew, &json!({})).await.expect(200).json();
        let renewals = json!({"renewalCount": count, "renewalMaxCount": 2, "renewable": true});
        let shown =
            json!({"status": "ITEM_CHECKED_OUT", "role": "LENDER", "item": {"renewalInfo": renewals}});
        assert_eq!(renewed, shown);
    }
    library.desk.put(&renew, &json!({})).await.expect(422);
    let borrower = library.create_transaction("BORROWER").await;
    library.put_statuses(&borrower, &["ITEM_CHECKED_OUT"]).await;
    let not_here = library.desk.put(&format!("/transactions/{}/renew", borrower.id), &json!({})).await;
    let message = "Loan couldn't be renewed with role BORROWER, it could be renewed only with role LENDER";
    assert_eq!(not_here.expect(400).json()["errors"][0]["message"], message);
}
