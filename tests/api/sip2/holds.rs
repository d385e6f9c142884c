//! Holds (15/16).

use serde_json::{Value, json};

use super::{Branch, NOW, barcode, values};

fn hold(mode: char, patron: &Value, item: &Value, more: &str) -> String {
    format!("15{mode}{NOW}{more}AOo|AA{}|AB{}|", barcode(patron), barcode(item))
}

async fn requests(branch: &Branch, patron: &Value) -> Vec<Value> {
    let query = format!("requesterId=={}", patron["id"].as_str().unwrap());
    let found = branch.desk.find("/circulation/requests", &query).await.expect(200).json();
    found["requests"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_hold_is_placed_changed_and_cancelled() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &branch.desk.patron().await).await.expect(201);
    let mut machine = branch.machine().await;
    let placed = machine.send(&hold('+', &patron, &item, "BW29990101    000000|")).await;
    assert!(placed.starts_with("161N"), "{placed}");
    assert_eq!(
        (values(&placed, "BR", 20), values(&placed, "BS", 20)),
        (vec!["1"], vec!["Circ Desk 1"]),
        "{placed}"
    );
    assert_eq!(
        (values(&placed, "AJ", 20), values(&placed, "BW", 20)),
        (vec!["Beloved"], vec!["29990101    235959"])
    );
    let again = machine.send(&hold('+', &patron, &item, "")).await;
    assert!(again.starts_with("160N") && again.contains("AF"), "{again}");
    let changed = machine.send(&hold('*', &patron, &item, "BScd2|")).await;
    assert!(changed.starts_with("161N"), "{changed}");
    assert_eq!(values(&changed, "BS", 20), ["Circ Desk 2"]);
    let cancelled = machine.send(&hold('-', &patron, &item, "")).await;
    assert!(cancelled.starts_with("161N"), "{cancelled}");
    let requests = requests(&branch, &patron).await;
    assert_eq!((requests.len(), requests[0]["status"].as_str()), (1, Some("Closed - Cancelled")));
    let twice = machine.send(&hold('-', &patron, &item, "")).await;
    assert!(twice.starts_with("160N") && twice.contains("no hold on this"), "{twice}");
}

#[tokio::test]
async fn what_is_on_its_shelf_is_paged() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.machine().await;
    assert!(machine.send(&hold('+', &patron, &item, "")).await.starts_with("161Y"));
    let requests = requests(&branch, &patron).await;
    assert_eq!(requests[0]["requestType"], "Page");
    assert_eq!(requests[0]["pickupServicePointId"], octavo_testkit::reference::CIRC_DESK);
}

#[tokio::test]
async fn what_cannot_be_held_is_refused_with_the_reason() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let none = json!({"barcode": "none"});
    let mut machine = branch.machine().await;
    for (message, why) in [
        (hold('+', &patron, &none, ""), "Item does not exist"),
        (hold('+', &patron, &json!({"barcode": ""}), ""), "title does not exist"),
        (hold('+', &none, &item, ""), "does not know this card"),
        (hold('+', &patron, &item, "BSnowhere|"), "no pickup point nowhere"),
        (hold('?', &patron, &item, ""), "A hold is placed"),
        (hold('+', &patron, &item, "BY2|"), ""),
    ] {
        let refused = machine.send(&message).await;
        assert!(refused.starts_with("160N"), "{refused}");
        let words = values(&refused, "AF", 20).concat();
        assert!(!words.is_empty() && words.contains(why), "{refused}");
    }
    assert!(requests(&branch, &patron).await.is_empty());
}

#[tokio::test]
async fn where_titles_have_requests_any_copy_is_waited_for() {
    let branch = Branch::open().await;
    let tlr = json!({"module": "SETTINGS", "configName": "TLR", "enabled": true,
        "value": json!({"titleLevelRequestsFeatureEnabled": true}).to_string()});
    branch.desk.post("/configurations/entries", &tlr).await.expect(201);
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &branch.desk.patron().await).await.expect(201);
    let mut machine = branch.machine().await;
    let placed = machine.send(&hold('+', &patron, &item, "BY2|")).await;
    assert!(placed.starts_with("161N"), "{placed}");
    let requests = requests(&branch, &patron).await;
    assert_eq!(
        (&requests[0]["requestLevel"], &requests[0]["requestType"]),
        (&json!("Title"), &json!("Hold"))
    );
}
