//! A decision asks the database twice: to gather, and to commit.

use octavo_testkit::Desk;

#[tokio::test]
async fn check_out_renewal_and_check_in_take_two_round_trips_each() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    let items = desk.items(2).await;
    // The first of each meets connections that have not prepared its statements, and a snapshot that is not there yet.
    desk.check_out(&items[0], &patron).await.expect(201);
    desk.renew(&items[0], &patron).await.expect(200);
    desk.check_in(&items[0]).await.expect(200);

    let reply = desk.check_out(&items[1], &patron).await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let reply = desk.renew(&items[1], &patron).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let reply = desk.check_in(&items[1]).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let reply =
        desk.get(&format!("/item-storage/items/{}", items[1]["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(reply.round_trips(), 1, "{reply}");
}
