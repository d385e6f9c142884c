//! How long the desk waits where a thousand wait for a book. Prints a table:
//! `cargo test --package octavo-tests --test api -- --ignored --nocapture speed_of_queues`

use octavo_modules::circulation_storage::REQUEST;
use octavo_modules::users::USER;
use octavo_testkit::fresh_id;
use octavo_testkit::reference::FACULTY;
use serde_json::{Value, json};

use super::requests::{enable_title_requests, instance_of, request_body};
use super::timers::Branch;
use crate::measured::{CallTimes, print_table};

const QUEUE_LENGTH: usize = 1_000;
const TURNS: usize = 25;

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}

/// An item on loan, and patrons who wait for it, or for its title.
async fn lend_to_queue(branch: &Branch, of_title: bool) -> (Value, Value, Vec<Value>) {
    let item = branch.item().await;
    branch.check_out(&item, &branch.patron().await).await.expect(201);
    let instance = instance_of(branch, &item).await;
    let patrons: Vec<Value> = (0..QUEUE_LENGTH + TURNS)
        .map(|at| {
            json!({"id": fresh_id(), "username": format!("p{}", fresh_id()), "barcode": fresh_id().to_string(),
                "active": true, "patronGroup": FACULTY, "personal": {"lastName": format!("Patron {at}")}})
        })
        .collect();
    branch.library.store_all(&USER, patrons.clone()).await;
    let holds = patrons.iter().take(QUEUE_LENGTH).zip(1..).map(|(patron, position)| {
        let mut hold = hold_request(&item, &instance, patron, of_title);
        hold["status"] = json!("Open - Not yet filled");
        hold["position"] = json!(position);
        hold
    });
    branch.library.store_all(&REQUEST, holds.collect()).await;
    (item, instance, patrons)
}

fn hold_request(item: &Value, instance: &Value, patron: &Value, of_title: bool) -> Value {
    let mut hold = request_body(item, instance, patron, "Hold");
    if let (true, Some(hold)) = (of_title, hold.as_object_mut()) {
        hold["requestLevel"] = json!("Title");
        hold.remove("itemId");
        hold.remove("holdingsRecordId");
    }
    hold
}

async fn measure(of_title: bool) -> Vec<String> {
    let branch = Branch::open().await;
    if of_title {
        enable_title_requests(&branch).await;
    }
    let (item, instance, patrons) = lend_to_queue(&branch, of_title).await;
    let path = match of_title {
        true => format!("/circulation/requests/queue/instance/{}", instance.as_str().unwrap_or_default()),
        false => format!("/circulation/requests/queue/item/{}", id(&item)),
    };
    let [mut placing, mut showing, mut ordering, mut filling, mut lending, mut cancelling] =
        std::array::from_fn(|_| CallTimes::default());
    for patron in &patrons[QUEUE_LENGTH..] {
        let body = hold_request(&item, &instance, patron, of_title);
        placing.measure(branch.post("/circulation/requests", &body)).await.expect(201);
    }
    for _ in 0..TURNS / 3 {
        let queue = showing.measure(branch.get(&path)).await.expect(200).json();
        let order: Vec<Value> = queue["requests"]
            .as_array()
            .into_iter()
            .flatten()
            .rev()
            .zip(1..)
            .map(|(request, place)| json!({"id": request["id"], "newPosition": place}))
            .collect();
        assert_eq!(order.len(), QUEUE_LENGTH + TURNS);
        let body = json!({"reorderedQueue": order});
        ordering.measure(branch.post(&format!("{path}/reorder"), &body)).await.expect(200);
    }
    for _ in 0..TURNS {
        let filled = filling.measure(branch.check_in(&item)).await.expect(200).json();
        let patron = json!({"barcode": filled["staffSlipContext"]["requester"]["barcode"]});
        lending.measure(branch.check_out(&item, &patron)).await.expect(201);
    }
    let queue = branch.get(&path).await.expect(200).json();
    let waiting = queue["requests"].as_array().cloned().unwrap_or_default();
    assert_eq!(waiting.len(), QUEUE_LENGTH);
    assert!(waiting.iter().zip(1..).all(|(request, place)| request["position"] == place));
    for first in waiting.iter().take(TURNS) {
        let stored = branch.get(&format!("/request-storage/requests/{}", id(first))).await.expect(200);
        let mut stored = stored.json();
        stored["status"] = json!("Closed - Cancelled");
        let path = format!("/circulation/requests/{}", id(first));
        cancelling.measure(branch.put(&path, &stored)).await.expect(204);
    }
    vec![
        placing.row("placing another request"),
        filling.row("check-in that fills the first"),
        lending.row("check-out to the first, the others move up"),
        cancelling.row("cancelling the first, the others move up"),
        ordering.row("all in another order, shown"),
        showing.row("the queue shown"),
    ]
}

#[tokio::test]
#[ignore = "measures"]
async fn speed_of_queues() {
    for of_title in [false, true] {
        let rows = measure(of_title).await;
        let title = if of_title { "A thousand wait for a title" } else { "A thousand wait for an item" };
        print_table(title, &rows);
    }
}
