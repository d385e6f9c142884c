//! Many clients at once: what must hold of items, loans and limits holds however they meet.

use octavo_testkit::{Desk, Octavo, Reply};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// Sends requests at the same time; returns their replies.
async fn at_once<F: Future<Output = Reply> + Send + 'static>(
    requests: impl IntoIterator<Item = F>,
) -> Vec<Reply> {
    let tasks: JoinSet<Reply> = requests.into_iter().collect();
    tasks.join_all().await
}

fn check_out(desk: &Desk, item: &Value, patron: &Value) -> impl Future<Output = Reply> + Send + 'static {
    let (desk, item, patron) = (desk.clone(), item.clone(), patron.clone());
    async move { desk.check_out(&item, &patron).await }
}

#[tokio::test]
async fn an_item_is_lent_to_one_of_fifty() {
    let desk = Desk::open().await;
    let other = desk.through(&Octavo::start_another().await);
    let item = desk.item().await;
    let mut requests = Vec::new();
    for at in 0..50 {
        let patron = desk.patron().await;
        requests.push(check_out(if at % 2 == 0 { &desk } else { &other }, &item, &patron));
    }
    let mut lent = 0;
    for reply in at_once(requests).await {
        match reply.status {
            201 => lent += 1,
            _ => assert_eq!(reply.refusals()[0], "Item is already checked out", "{reply}"),
        }
    }
    assert_eq!(lent, 1);
    assert_eq!(desk.status(&item).await, "Checked out");
    let id = item["id"].as_str().unwrap();
    assert_eq!(desk.open_loans(&format!("itemId=={id}")).await.len(), 1);
}

#[tokio::test]
async fn an_item_limit_holds_for_a_patron_with_twenty_items_at_once() {
    let desk = Desk::with_policy(|policy| policy["loansPolicy"]["itemLimit"] = json!(3)).await;
    let m = octavo_testkit::reference::BOOK;
    limit_by_material_type(&desk, m).await;
    let other = desk.through(&Octavo::start_another().await);
    let patron = desk.patron().await;
    let items = desk.items(20).await;
    let requests = items.iter().enumerate();
    let requests =
        requests.map(|(at, item)| check_out(if at % 2 == 0 { &desk } else { &other }, item, &patron));
    let mut lent = 0;
    for reply in at_once(requests.collect::<Vec<_>>()).await {
        match reply.status {
            201 => lent += 1,
            _ => drop(reply.refused("Patron has reached maximum limit of 3 items for material type")),
        }
    }
    assert_eq!(lent, 3);
    let user = patron["id"].as_str().unwrap();
    assert_eq!(desk.open_loans(&format!("userId=={user}")).await.len(), 3);
}

/// Item limits count what the rule that governs the loan speaks of.
async fn limit_by_material_type(desk: &Desk, material_type: &str) {
    use octavo_testkit::reference::{ALLOW_ALL, LOST_ITEM_FEE, OVERDUE_FINE, SEND_NO_NOTICES};
    let policies = format!(
        "l {} r {ALLOW_ALL} n {SEND_NO_NOTICES} o {OVERDUE_FINE} i {LOST_ITEM_FEE}",
        desk.loan_policy
    );
    desk.set_rules(&format!(
        "priority: t, s, c, b, a, m, g\nfallback-policy: {policies}\nm {material_type}: {policies}"
    ))
    .await;
}

#[tokio::test]
async fn renewals_at_once_are_counted_one_by_one() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &patron).await.expect(201);
    let requests = (0..10).map(|_| {
        let (desk, item, patron) = (desk.clone(), item.clone(), patron.clone());
        async move { desk.renew(&item, &patron).await }
    });
    let replies = at_once(requests).await;
    let renewed = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(renewed, 2, "the policy allows two: {replies:#?}");
    assert!(replies.iter().all(|reply| [200, 422].contains(&reply.status)), "{replies:#?}");
    let loan = desk.open_loans(&format!("itemId=={}", item["id"].as_str().unwrap())).await.remove(0);
    let loan = desk.get(&format!("/loan-storage/loans/{loan}")).await.expect(200).json();
    assert_eq!(loan["renewalCount"], 2);
}

/// Lent, renewed and brought back by everybody at once: in the end items and loans agree.
#[tokio::test]
async fn a_busy_desk_leaves_items_and_loans_in_agreement() {
    let desk = Desk::open().await;
    let other = desk.through(&Octavo::start_another().await);
    let (items, mut patrons) = (desk.items(4).await, Vec::new());
    for _ in 0..4 {
        patrons.push(desk.patron().await);
    }
    let clients = (0..12).map(|client: usize| {
        let desk = if client.is_multiple_of(2) { desk.clone() } else { other.clone() };
        let (items, patrons) = (items.clone(), patrons.clone());
        async move {
            let mut reply = None;
            for turn in 0..12 {
                let (item, patron) = (&items[(client * 7 + turn * 5) % 4], &patrons[(client + turn) % 4]);
                let done = match (client + turn) % 3 {
                    0 => desk.check_out(item, patron).await,
                    1 => desk.check_in(item).await,
                    _ => desk.renew(item, patron).await,
                };
                assert!([200, 201, 422].contains(&done.status), "{done}");
                reply = Some(done);
            }
            reply.expect("twelve turns")
        }
    });
    at_once(clients.collect::<Vec<_>>()).await;
    for item in &items {
        let open = desk.open_loans(&format!("itemId=={}", item["id"].as_str().unwrap())).await.len();
        match desk.status(item).await.as_str() {
            "Checked out" => assert_eq!(open, 1, "{item}"),
            _ => assert_eq!(open, 0, "{item}"),
        }
    }
}
