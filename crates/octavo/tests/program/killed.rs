//! Killed in the middle of the busiest hour, Octavo or its PostgreSQL: what was acknowledged is there, and items agree with
//! loans.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use octavo_testkit::{Desk, encode, eventually};
use rustix::process::{Signal, kill_process};
use serde_json::Value;
use tokio::sync::watch;

use crate::octavo::{Folder, Octavo};

const MODULES: &[&str] = &["mod-circulation-24.2.5", "mod-feesfines-19.1.0"];
const ITEMS: usize = 120;
/// The number of check-outs that are acknowledged before a process is killed.
const CHECK_OUTS_BEFORE_KILL: usize = 30;

#[tokio::test]
async fn what_octavo_acknowledged_outlives_its_death() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let acknowledged = check_out_until_kill(&desk, || octavo.kill()).await;

    let octavo = Octavo::start(&folder.data_dir());
    assert_loans_agree(&desk.at_address(octavo.address), &acknowledged).await;
    octavo.stop();
}

#[tokio::test]
async fn what_octavo_acknowledged_outlives_the_death_of_its_postgresql() {
    let folder = Folder::new();
    let octavo = Octavo::start(&folder.data_dir());
    let desk = Desk::furnish(&octavo.tenant(MODULES).await, |_| {}).await;
    let postgres = folder.postgres_pid().unwrap();
    let acknowledged = check_out_until_kill(&desk, || kill_process(postgres, Signal::KILL).unwrap()).await;

    // Octavo starts another.
    let recovered = async || {
        let another = folder.postgres_pid().is_some_and(|pid| pid != postgres);
        another && desk.get("/item-storage/items?limit=0").await.status == 200
    };
    eventually("it has recovered", recovered).await;
    assert_loans_agree(&desk, &acknowledged).await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    octavo.stop();
}

/// Eight clients check items out until `blow` kills a process in the middle of it; returns the ids of the items whose check-out was
/// acknowledged. With half of the items left, clients wait until the blow is about to fall, so that there is something left to do.
pub(crate) async fn check_out_until_kill(desk: &Desk, blow: impl FnOnce()) -> BTreeSet<String> {
    let items = Arc::new(Mutex::new(desk.items(ITEMS).await));
    let acknowledged = Arc::new(Mutex::new(BTreeSet::new()));
    let (falls, falling) = watch::channel(false);
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (desk, patron) = (desk.clone(), desk.patron().await);
        let (items, acknowledged, mut falling) =
            (Arc::clone(&items), Arc::clone(&acknowledged), falling.clone());
        clients.spawn(async move {
            while let Some((item, left)) = next_item(&items) {
                if left < ITEMS / 2 {
                    falling.wait_for(|falls| *falls).await.expect("it falls");
                }
                let body = Desk::check_out_body(&item, &patron).to_string();
                let reply = desk.attempt("POST", "/circulation/check-out-by-barcode", body).await;
                match reply {
                    Ok(reply) if reply.status == 201 => {
                        acknowledged.lock().unwrap().insert(text(&item["id"]));
                    }
                    Ok(reply) => assert_eq!(reply.status, 503, "{reply}"),
                    Err(_) => return,
                }
            }
        });
    }
    while acknowledged.lock().unwrap().len() < CHECK_OUTS_BEFORE_KILL {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    falls.send_replace(true);
    blow();
    clients.join_all().await;
    Arc::try_unwrap(acknowledged).unwrap().into_inner().unwrap()
}

/// An item that is still there, and the number of those left after it.
fn next_item(items: &Mutex<Vec<Value>>) -> Option<(Value, usize)> {
    let mut items = items.lock().unwrap();
    Some((items.pop()?, items.len()))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Everything that was acknowledged is lent; exactly the items with an open loan are checked out.
pub(crate) async fn assert_loans_agree(desk: &Desk, acknowledged: &BTreeSet<String>) {
    let loans = encode("status.name==Open");
    let loans = desk.get(&format!("/loan-storage/loans?limit=1000&query={loans}")).await.expect(200);
    let lent = loans.field_values("loans", "itemId");
    let distinct: BTreeSet<String> = lent.iter().cloned().collect();
    assert_eq!(distinct.len(), lent.len(), "an item has two open loans");
    let lost: Vec<&String> = acknowledged.difference(&distinct).collect();
    assert!(lost.is_empty(), "acknowledged and gone: {lost:?}");
    let items = encode("status.name==\"Checked out\"");
    let items = desk.get(&format!("/item-storage/items?limit=1000&query={items}")).await.expect(200);
    let checked_out: BTreeSet<String> = items.field_values("items", "id").into_iter().collect();
    assert_eq!(checked_out, distinct, "items and loans disagree");
}
