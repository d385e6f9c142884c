//! Holds (15/16).

use serde_json::{Value, json};

use super::{Branch, NOW, barcode, field_values, mask_times};

fn hold_message(mode: char, patron: &Value, item: &Value, more: &str) -> String {
    format!("15{mode}{NOW}{more}AOo|AA{}|AB{}|", barcode(patron), barcode(item))
}

async fn requests_of_patron(branch: &Branch, patron: &Value) -> Vec<Value> {
    let query = format!("requesterId=={}", patron["id"].as_str().unwrap());
    let found = branch.desk.find("/circulation/requests", &query).await.expect(200).json();
    found["requests"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_hold_is_placed_changed_and_cancelled() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &branch.desk.patron().await).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    let placed = machine.send(&hold_message('+', &patron, &item, "BW29990101    000000|")).await;
    assert!(placed.starts_with("161N"), "{placed}");
    assert_eq!(
        (field_values(&placed, "BR", 20), field_values(&placed, "BS", 20)),
        (vec!["1"], vec!["Circ Desk 1"]),
        "{placed}"
    );
    assert_eq!(
        (field_values(&placed, "AJ", 20), field_values(&placed, "BW", 20)),
        (vec!["Beloved"], vec!["29990101    235959"])
    );
    let again = machine.send(&hold_message('+', &patron, &item, "")).await;
    assert!(again.starts_with("160N") && again.contains("AF"), "{again}");
    let changed = machine.send(&hold_message('*', &patron, &item, "BScd2|")).await;
    assert!(changed.starts_with("161N"), "{changed}");
    assert_eq!(field_values(&changed, "BS", 20), ["Circ Desk 2"]);
    let cancelled = machine.send(&hold_message('-', &patron, &item, "")).await;
    assert!(cancelled.starts_with("161N"), "{cancelled}");
    let requests = requests_of_patron(&branch, &patron).await;
    assert_eq!((requests.len(), requests[0]["status"].as_str()), (1, Some("Closed - Cancelled")));
    let twice = machine.send(&hold_message('-', &patron, &item, "")).await;
    assert!(twice.starts_with("160N") && twice.contains("no hold on this"), "{twice}");
}

#[tokio::test]
async fn what_is_on_its_shelf_is_paged() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    assert!(machine.send(&hold_message('+', &patron, &item, "")).await.starts_with("161Y"));
    let requests = requests_of_patron(&branch, &patron).await;
    assert_eq!(requests[0]["requestType"], "Page");
    assert_eq!(requests[0]["pickupServicePointId"], octavo_testkit::reference::CIRC_DESK);
}

#[tokio::test]
async fn what_cannot_be_held_is_refused_with_the_reason() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let none = json!({"barcode": "none"});
    let mut machine = branch.logged_in_machine().await;
    for (message, why) in [
        (hold_message('+', &patron, &none, ""), "Item does not exist"),
        (hold_message('+', &patron, &json!({"barcode": ""}), ""), "title does not exist"),
        (hold_message('+', &none, &item, ""), "does not know this card"),
        (hold_message('+', &patron, &item, "BSnowhere|"), "no pickup point nowhere"),
        (hold_message('?', &patron, &item, ""), "A hold is placed"),
        (hold_message('+', &patron, &item, "BY2|"), ""),
    ] {
        let refused = machine.send(&message).await;
        assert!(refused.starts_with("160N"), "{refused}");
        let words = field_values(&refused, "AF", 20).concat();
        assert!(!words.is_empty() && words.contains(why), "{refused}");
    }
    assert!(requests_of_patron(&branch, &patron).await.is_empty());
}

async fn allow_requests_of_titles(branch: &Branch) {
    let tlr = json!({"module": "SETTINGS", "configName": "TLR", "enabled": true,
        "value": json!({"titleLevelRequestsFeatureEnabled": true}).to_string()});
    branch.desk.post("/configurations/entries", &tlr).await.expect(201);
}

#[tokio::test]
async fn a_hold_that_is_sent_again_is_placed_once() {
    let branch = Branch::open().await;
    allow_requests_of_titles(&branch).await;
    let patron = branch.desk.patron().await;
    let [title, of_itself] = [branch.desk.item().await, branch.desk.item().await];
    for (item, more) in [(&title, "BY2|"), (&of_itself, "")] {
        branch.desk.check_out(item, &branch.desk.patron().await).await.expect(201);
        let message = hold_message('+', &patron, item, more);
        let mut answers = Vec::new();
        for _ in 0..2 {
            // A machine that got no answer connects anew.
            let mut machine = branch.logged_in_machine().await;
            answers.push(machine.send(&message).await);
        }
        assert!(answers[0].starts_with("161N"), "{}", answers[0]);
        assert_eq!(mask_times(&answers[0]), mask_times(&answers[1]));
        assert_eq!(requests_of_patron(&branch, &patron).await.len(), 1);
        // Once the hold is cancelled, the same words place another one.
        let mut machine = branch.logged_in_machine().await;
        let cancelled = machine.send(&hold_message('-', &patron, item, more)).await;
        assert!(cancelled.starts_with("161N"), "{cancelled}");
        let anew = machine.send(&message).await;
        assert!(anew.starts_with("161N"), "{anew}");
        let requests = requests_of_patron(&branch, &patron).await;
        let open = requests.iter().filter(|request| request["status"] == "Open - Not yet filled");
        assert_eq!((requests.len(), open.count()), (2, 1));
        machine.send(&hold_message('-', &patron, item, more)).await;
        for request in requests {
            let path = format!("/request-storage/requests/{}", request["id"].as_str().unwrap());
            branch.desk.delete(&path).await.expect(204);
        }
    }
}

#[tokio::test]
async fn where_titles_have_requests_any_copy_is_waited_for() {
    let branch = Branch::open().await;
    allow_requests_of_titles(&branch).await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &branch.desk.patron().await).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    let placed = machine.send(&hold_message('+', &patron, &item, "BY2|")).await;
    assert!(placed.starts_with("161N"), "{placed}");
    let requests = requests_of_patron(&branch, &patron).await;
    assert_eq!(
        (&requests[0]["requestLevel"], &requests[0]["requestType"]),
        (&json!("Title"), &json!("Hold"))
    );
}
