//! Optimistic locking: a record is replaced only by who has read its newest version.

use octavo_testkit::{Desk, Reply};
use serde_json::{Value, json};
use tokio::task::JoinSet;

async fn title(desk: &Desk) -> (String, Value) {
    let sent =
        json!({"source": "FOLIO", "title": "Beloved", "instanceTypeId": octavo_testkit::reference::TEXT});
    let instance = desk.post("/instance-storage/instances", &sent).await.expect(201).json();
    (format!("/instance-storage/instances/{}", instance["id"].as_str().unwrap()), instance)
}

#[tokio::test]
async fn a_change_of_an_older_version_is_refused() {
    let desk = Desk::open().await;
    let (path, mut instance) = title(&desk).await;
    assert_eq!(instance["_version"], 1);
    instance["title"] = json!("Beloved: a novel");
    desk.put(&path, &instance).await.expect(204);
    assert_eq!(desk.get(&path).await.json()["_version"], 2);

    let id = instance["id"].as_str().unwrap().to_owned();
    let told = |sent: &str| {
        format!(
            "ERROR: Cannot update record {id} because it has been changed (optimistic locking): Stored _version is 2, _version of request is {sent} (23F09)"
        )
    };
    desk.put(&path, &instance).await.says(409, &told("1"));
    instance["_version"] = json!(3);
    desk.put(&path, &instance).await.says(409, &told("3"));
    for none in [json!(null), json!(-1)] {
        instance["_version"] = none;
        desk.put(&path, &instance).await.says(409, &told("<NULL>"));
    }
    assert_eq!(desk.get(&path).await.json()["title"], "Beloved: a novel");
    instance["_version"] = json!(2);
    desk.put(&path, &instance).await.expect(204);
}

#[tokio::test]
async fn of_many_changes_at_once_one_is_taken() {
    let desk = Desk::open().await;
    let (path, instance) = title(&desk).await;
    let changes: JoinSet<Reply> = (0..20)
        .map(|at| {
            let (desk, path, mut instance) = (desk.clone(), path.clone(), instance.clone());
            instance["title"] = json!(format!("Beloved {at}"));
            async move { desk.put(&path, &instance).await }
        })
        .collect();
    let replies = changes.join_all().await;
    let taken = replies.iter().filter(|reply| reply.status == 204).count();
    let refused = replies
        .iter()
        .filter(|reply| reply.status == 409 && reply.text().starts_with("ERROR: Cannot update record"));
    assert_eq!((taken, refused.count()), (1, 19), "{replies:#?}");
    assert_eq!(desk.get(&path).await.json()["_version"], 2);
}

/// An item that somebody edits while it is lent: the older version is refused, the loan stays.
#[tokio::test]
async fn an_edit_does_not_undo_a_check_out() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    desk.put(&path, &item).await.expect(409);
    assert_eq!(desk.status(&item).await, "Checked out");
}

#[tokio::test]
async fn human_readable_ids_are_given_out_once() {
    let desk = Desk::open().await;
    let items: JoinSet<Vec<Value>> = (0..5)
        .map(|_| {
            let desk = desk.clone();
            async move { desk.items(4).await }
        })
        .collect();
    let hrids: Vec<String> = items
        .join_all()
        .await
        .iter()
        .flatten()
        .map(|item| item["hrid"].as_str().unwrap().to_owned())
        .collect();
    let distinct: std::collections::BTreeSet<&String> = hrids.iter().collect();
    assert_eq!((hrids.len(), distinct.len()), (20, 20), "{hrids:?}");
    assert!(hrids.iter().all(|hrid| hrid.starts_with("it")), "{hrids:?}");
}
