//! Two records of one person are merged, and taken apart again.

use std::collections::BTreeSet;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Reply, fresh_id};
use serde_json::{Value, json};

use super::life::PatronLife;
use super::marks::find_marks;
use crate::notices::Branch;

async fn merge(branch: &Branch, kept: &Value, duplicate: &str, take_barcode: bool) -> Reply {
    let path = format!("/octavo/users/{}/merges", kept["id"].as_str().unwrap());
    branch.post(&path, &json!({"duplicateUserId": duplicate, "takeBarcode": take_barcode})).await
}

async fn undo_merge(branch: &Branch, merge: &Value) -> Reply {
    branch.post(&format!("/octavo/user-merges/{}/undo", merge["id"].as_str().unwrap()), &json!({})).await
}

async fn user(branch: &Branch, id: &str) -> Value {
    branch.get(&format!("/users/{id}")).await.expect(200).json()
}

/// The tables with a row that names the duplicate by id.
async fn tables_naming_duplicate(life: &PatronLife) -> BTreeSet<String> {
    let left = find_marks(life.library(), &life.marks).await;
    left.iter().filter_map(|told| told.strip_suffix(": id")).map(str::to_owned).collect()
}

#[tokio::test]
async fn what_a_duplicate_has_goes_over_and_comes_back() {
    let life = PatronLife::create().await;
    let (branch, duplicate) = (&life.branch, life.marks.id.as_str());
    let kept = branch.patron().await;
    let lived = find_marks(life.library(), &life.marks).await;
    let owned = user(branch, duplicate).await;
    let kept_id = kept["id"].as_str().unwrap();
    let preview = format!("/octavo/users/{kept_id}/merge-preview?duplicateUserId={duplicate}");
    let preview = branch.get(&preview).await.expect(200).json();
    assert_eq!(preview["obstacles"], json!([]));
    assert_eq!(find_marks(life.library(), &life.marks).await, lived, "a preview changes nothing");

    let merged = merge(branch, &kept, duplicate, false).await.expect(201).json();
    assert_eq!(merged["moved"], preview["moved"]);
    let moved: BTreeSet<&str> =
        merged["moved"].as_array().unwrap().iter().filter_map(|one| one["records"].as_str()).collect();
    let expected = [
        "fee/fine account",
        "fee/fine action",
        "loan",
        "loan history item",
        "manual block",
        "note",
        "notice",
        "notification",
        "proxy relation",
        "request",
        "scheduled notice",
    ];
    assert_eq!(moved, BTreeSet::from(expected), "{merged}");
    // What is left names the duplicate as somebody who could log in, in the record of the merge, and in the log of what was done with
    // their card.
    let of_the_account = BTreeSet::from(
        [
            "auth_attempts",
            "auth_credentials",
            "auth_ended_sessions",
            "auth_places",
            "check_out_lock",
            "circulation_log",
            "config_data",
            "event_logs",
            "patronpin",
            "permissions_users",
            "security_event",
            "service_point_user",
            "settings",
            "user_merge",
            "user_request_preference",
            "users",
        ]
        .map(str::to_owned),
    );
    let beyond: Vec<String> =
        tables_naming_duplicate(&life).await.difference(&of_the_account).cloned().collect();
    assert_eq!(beyond, [""; 0]);
    let emptied = user(branch, duplicate).await;
    assert_eq!((emptied["active"].clone(), emptied.get("barcode")), (json!(false), None));
    let loans = branch.find("/circulation/loans", &format!("userId=={kept_id}")).await.expect(200).json();
    assert_eq!(loans["totalRecords"], 2, "{loans}");
    let requests = branch.find("/request-storage/requests", &format!("requesterId=={kept_id}")).await;
    let request = requests.expect(200).json()["requests"][0].clone();
    assert_eq!(request["requester"]["barcode"], kept["barcode"]);
    let listed = branch.get(&format!("/octavo/users/{kept_id}/merges")).await.expect(200).json();
    assert_eq!(listed["merges"], json!([merged]));

    let undone = undo_merge(branch, &merged).await.expect(200).json();
    assert!(undone["undoneDate"].is_string(), "{undone}");
    // But for the sessions, which a merge ends, all is as it was.
    let still = |told: &&String| {
        !["user_merge", "auth_ended_sessions", "refresh_tokens"].iter().any(|table| told.starts_with(table))
    };
    let again = find_marks(life.library(), &life.marks).await;
    assert_eq!(Vec::from_iter(again.iter().filter(still)), Vec::from_iter(lived.iter().filter(still)));
    let back = user(branch, duplicate).await;
    assert_eq!((&back["active"], &back["barcode"]), (&owned["active"], &owned["barcode"]));
    drop(undo_merge(branch, &merged).await.refused("The merge was undone before"));
}

#[tokio::test]
async fn who_is_kept_may_take_the_barcode_of_the_duplicate() {
    let branch = Branch::open(&[]).await;
    let (kept, duplicate) = (branch.patron().await, branch.patron().await);
    let [kept_id, duplicate_id] = [&kept, &duplicate].map(|user| user["id"].as_str().unwrap());
    let merged = merge(&branch, &kept, duplicate_id, true).await.expect(201).json();
    assert_eq!(merged["moved"], json!([]));
    assert_eq!(user(&branch, kept_id).await["barcode"], duplicate["barcode"]);
    undo_merge(&branch, &merged).await.expect(200);
    assert_eq!(user(&branch, kept_id).await["barcode"], kept["barcode"]);
    assert_eq!(user(&branch, duplicate_id).await["barcode"], duplicate["barcode"]);

    // Somebody else has got the card meanwhile.
    let merged = merge(&branch, &kept, duplicate_id, false).await.expect(201).json();
    let body = json!({"barcode": duplicate["barcode"], "personal": {"lastName": "Third"}});
    branch.post("/users", &body).await.expect(201);
    drop(undo_merge(&branch, &merged).await.refused("This barcode has already been taken"));
    assert_eq!(user(&branch, duplicate_id).await["active"], false, "nothing of the undo stays");
}

#[tokio::test]
async fn a_barcode_that_differs_in_accents_alone_is_taken() {
    let branch = Branch::open(&[]).await;
    let (kept, name) = (branch.patron().await, fresh_id());
    let user_with =
        |barcode: String| json!({"barcode": barcode, "active": true, "personal": {"lastName": "Roy"}});
    let duplicate = branch.post("/users", &user_with(format!("Élève {name}"))).await.expect(201).json();
    let duplicate = duplicate["id"].as_str().unwrap();
    let merged = merge(&branch, &kept, duplicate, false).await.expect(201).json();
    branch.post("/users", &user_with(format!("eleve {name}"))).await.expect(201);
    drop(undo_merge(&branch, &merged).await.refused("This barcode has already been taken"));
    assert_eq!(user(&branch, duplicate).await["active"], false);
}

#[tokio::test]
async fn a_loan_that_went_over_counts_and_can_be_checked_in() {
    let branch = Branch::open(&[]).await;
    let (kept, duplicate) = (branch.patron().await, branch.patron().await);
    let items = branch.items(2).await;
    branch.check_out(&items[0], &duplicate).await.expect(201);
    let duplicate_id = duplicate["id"].as_str().unwrap();
    let merged = merge(&branch, &kept, duplicate_id, false).await.expect(201).json();
    let count = json!([
        {"records": "loan", "member": "userId", "count": 1},
        {"records": "loan history item", "member": "loan.userId", "count": 1},
    ]);
    let loans: Vec<&Value> = merged["moved"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["records"].as_str().is_some_and(|name| name.starts_with("loan")))
        .collect();
    assert_eq!(json!(loans), count);
    branch.renew(&items[0], &kept).await.expect(200);
    branch.check_out(&items[1], &duplicate).await.expect(422);
    branch.check_in(&items[0]).await.expect(200);
    // What has ended meanwhile goes back, too.
    undo_merge(&branch, &merged).await.expect(200);
    let of = |id: &str| format!("userId=={id} and status.name==Closed");
    assert_eq!(branch.find("/loan-storage/loans", &of(duplicate_id)).await.expect(200).total(), 1);
}

#[tokio::test]
async fn a_merge_is_refused_with_all_that_stands_against_it() {
    let branch = Branch::open(&[]).await;
    let (kept, duplicate) = (branch.patron().await, branch.patron().await);
    let [kept_id, duplicate_id] = [&kept, &duplicate].map(|user| user["id"].as_str().unwrap());
    drop(merge(&branch, &kept, kept_id, false).await.refused("A user cannot be merged with themselves"));
    let nobody = fresh_id().to_string();
    merge(&branch, &kept, &nobody, false).await.says(404, &format!("User with id '{nobody}' not found"));
    let preview = |query: &str| format!("/octavo/users/{kept_id}/merge-preview{query}");
    branch.get(&preview("")).await.says(400, "duplicateUserId must be a UUID");
    let unknown = branch.post(&format!("/octavo/user-merges/{nobody}/undo"), &json!({})).await;
    unknown.says(404, &format!("Merge with id '{nobody}' not found"));

    // Both wait for one item, and one has on loan what the other waits for.
    let (waited, lent) = (branch.item().await, branch.item().await);
    let third = branch.patron().await;
    branch.check_out(&waited, &third).await.expect(201);
    branch.check_out(&lent, &kept).await.expect(201);
    for (item, patron) in [(&waited, kept_id), (&waited, duplicate_id), (&lent, duplicate_id)] {
        place_hold(&branch, item, patron).await;
    }
    let refused = merge(&branch, &kept, duplicate_id, false).await.expect(422).json();
    let messages: Vec<&str> =
        refused["errors"].as_array().unwrap().iter().filter_map(|error| error["message"].as_str()).collect();
    let expected =
        ["Both have an open request for the same title", "One has on loan what the other has requested"];
    assert_eq!(messages, expected);
    let told = branch.get(&preview(&format!("?duplicateUserId={duplicate_id}"))).await.expect(200).json();
    assert_eq!(told["obstacles"], refused["errors"]);
    assert_eq!(user(&branch, duplicate_id).await["active"], true);

    let own = branch.patron().await["id"].clone();
    let clerk = branch.with("x-okapi-user-id", own.as_str().unwrap());
    let path = format!("/octavo/users/{kept_id}/merges");
    let own = clerk.post(&path, &json!({"duplicateUserId": own})).await;
    drop(own.refused("Your own record cannot be the duplicate"));
}

async fn place_hold(branch: &Branch, item: &Value, patron: &str) {
    let holdings = item["holdingsRecordId"].as_str().unwrap();
    let holdings = branch.get(&format!("/holdings-storage/holdings/{holdings}")).await.expect(200).json();
    let body = json!({
        "requestType": "Hold", "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf",
        "itemId": item["id"], "holdingsRecordId": holdings["id"], "instanceId": holdings["instanceId"],
        "requesterId": patron, "pickupServicePointId": CIRC_DESK, "requestDate": "2026-11-01T10:00:00Z",
    });
    branch.post("/circulation/requests", &body).await.expect(201);
}

/// Whom a loan had been of is not to be found by way of the merge that moved it.
#[tokio::test]
async fn a_merge_forgets_loans_that_are_anonymised() {
    let branch = Branch::open(&[]).await;
    let (kept, duplicate) = (branch.patron().await, branch.patron().await);
    let item = branch.item().await;
    branch.check_out(&item, &duplicate).await.expect(201);
    branch.check_in(&item).await.expect(200);
    let merged = merge(&branch, &kept, duplicate["id"].as_str().unwrap(), false).await.expect(201).json();
    let count = |merged: &Value| {
        let moved = merged["moved"].as_array().unwrap().clone();
        moved.iter().find(|one| one["records"] == "loan").map(|one| one["count"].clone())
    };
    assert_eq!(count(&merged), Some(json!(1)));
    let kept_id = kept["id"].as_str().unwrap();
    branch.post(&format!("/loan-anonymization/by-user/{kept_id}"), &json!({})).await.expect(200);
    let listed = branch.get(&format!("/octavo/users/{kept_id}/merges")).await.expect(200).json();
    assert_eq!(count(&listed["merges"][0]), None);
}
