//! How often calls allocate memory, which a program that is built with `count-allocations` tells. Times scatter, these counts hardly do.

use octavo_testkit::{Desk, Reply};

/// The lowest number of allocations of a few calls. The first call fills caches.
async fn fewest_allocations(mut call: impl AsyncFnMut() -> Reply) -> u64 {
    let mut fewest = u64::MAX;
    for _ in 0..4 {
        fewest = fewest.min(call().await.allocations());
    }
    fewest
}

#[tokio::test]
async fn the_desk_keeps_to_its_budget_of_allocations() {
    let desk = Desk::open().await;
    let items = desk.items(4).await;
    let patron = desk.patron().await;
    let path = format!("/item-storage/items/{}", items[0]["id"].as_str().unwrap());
    let read = fewest_allocations(async || desk.get(&path).await.expect(200)).await;
    let mut next = items.iter();
    let lent =
        fewest_allocations(async || desk.check_out(next.next().unwrap(), &patron).await.expect(201)).await;
    let mut next = items.iter();
    let renewed =
        fewest_allocations(async || desk.renew(next.next().unwrap(), &patron).await.expect(200)).await;
    let mut next = items.iter();
    let returned = fewest_allocations(async || desk.check_in(next.next().unwrap()).await.expect(200)).await;
    let counted = [
        ("GET item by id", read, 22),
        ("check-out", lent, 380),
        ("renewal", renewed, 400),
        ("check-in", returned, 530),
    ];
    for (call, count, most) in counted {
        // A call that needs less than half of its budget fails too: then the budget is to be lowered.
        assert!((most / 2..=most).contains(&count), "{call} allocates {count} times; its budget is {most}");
    }
}
