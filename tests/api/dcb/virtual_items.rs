//! Items of other libraries: the desk lends them, and inventory does not know them.

use octavo_testkit::reference::CIRC_DESK;
use serde_json::json;

use super::Partner;

#[tokio::test]
async fn inventory_does_not_show_borrowed_items() {
    let library = Partner::open().await;
    let made = library.made("PICKUP").await;
    let id = made.item["id"].as_str().unwrap();
    library.desk.get(&format!("/item-storage/items/{id}")).await.expect(404);
    library.desk.get(&format!("/inventory/items/{id}")).await.expect(404);
    let query = format!("barcode=={}", made.item["barcode"].as_str().unwrap());
    for path in ["/item-storage/items", "/inventory/items"] {
        assert_eq!(library.desk.find(path, &query).await.expect(200).total(), 0, "{path}");
    }
}

#[tokio::test]
async fn lists_of_the_desk_show_borrowed_items_and_renewals_count() {
    let library = Partner::open().await;
    let made = library.made("BORROWING-PICKUP").await;
    let id = made.item["id"].as_str().unwrap();
    let requests =
        library.desk.find("/circulation/requests", &format!("itemId=={id}")).await.expect(200).json();
    assert_eq!(requests["requests"][0]["item"]["barcode"], made.item["barcode"]);
    assert_eq!(requests["requests"][0]["pickupServicePointId"], CIRC_DESK);
    library.told(&made, &["OPEN"]).await;
    // The barcode counts in any case, as that of an own item does.
    let shouted = json!({"barcode": made.item["barcode"].as_str().unwrap().to_uppercase()});
    library.desk.check_in(&shouted).await.expect(200);
    assert_eq!(library.status(&made).await, "AWAITING_PICKUP");
    library.desk.check_out(&made.item, &made.patron).await.expect(201);
    library.desk.renew(&made.item, &made.patron).await.expect(200);
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
    let made = library.made("PICKUP").await;
    library.told(&made, &["OPEN"]).await;
    library.desk.check_in(&made.item).await.expect(200);
    let loan = library.desk.check_out(&made.item, &made.patron).await.expect(201).json();
    assert_eq!(library.status(&made).await, "ITEM_CHECKED_OUT");
    library
        .desk
        .post(&format!("/octavo/loans/{}/undo", loan["id"].as_str().unwrap()), &json!({}))
        .await
        .expect(200);
    assert_eq!(library.status(&made).await, "AWAITING_PICKUP");
    assert_eq!(library.borrowed(&made).await["status"]["name"], "Awaiting pickup");
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
    let (one, other) = (library.made("PICKUP").await, library.made("BORROWING-PICKUP").await);
    for made in [&one, &other] {
        library.told(made, &["OPEN"]).await;
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
