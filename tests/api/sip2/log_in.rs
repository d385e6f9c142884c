//! Logging in (93/94), the status (99/98), and what a machine is told before.

use octavo_testkit::MachineLimits;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::json;

use super::{Branch, NOW, PERMISSIONS, check_out_message, field_values, log_in_message, mask_times};

#[tokio::test]
async fn a_machine_logs_in_as_a_user_at_a_service_point() {
    let branch = Branch::open().await;
    for (message, answer) in [
        (log_in_message("kiosk", "secret", CIRC_DESK), "941"),
        (log_in_message("kiosk", "secret", "cd1"), "941"),
        (log_in_message("kiosk", "secret", ""), "941"),
        (log_in_message("kiosk", "wrong", CIRC_DESK), "940"),
        (log_in_message("nobody", "secret", CIRC_DESK), "940"),
        (log_in_message("", "", ""), "940"),
        (log_in_message("kiosk", "secret", "nowhere"), "940"),
        (log_in_message("kiosk", "secret", "").replace("9300", "9310"), "940"),
        (log_in_message("kiosk", "secret", "").replace("9300", "9301"), "940"),
    ] {
        let mut machine = branch.machines.connect().await;
        assert_eq!(machine.send(&message).await, answer, "{message}");
    }
}

#[tokio::test]
async fn before_it_has_logged_in_a_machine_is_told_nothing() {
    let branch = Branch::open().await;
    branch.set_for_circulation_desk(&json!({"libraryName": "Harbour"})).await;
    let mut machine = branch.machines.connect().await;
    let status = mask_times(&machine.send("9900402.00").await);
    assert_eq!(status, "98YNNNNN100003<time>2.00AO|BXNNNNYYYNNNNNNNNN|");
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let lent = mask_times(&machine.send(&check_out_message(&patron, &item)).await);
    assert!(lent.starts_with("120NUN<time>AOo|"), "{lent}");
    assert!(lent.ends_with("AJ|AH|AFThe terminal has not logged in|"), "{lent}");
    assert_eq!(branch.desk.status(&item).await, "Available");
    let known = machine.send(&format!("63001{NOW}{:10}AOo|AA{}|", "", super::barcode(&patron))).await;
    assert_eq!((field_values(&known, "AE", 59), field_values(&known, "BL", 59)), (vec![""], vec!["N"]));
}

#[tokio::test]
async fn a_log_in_that_fails_ends_the_one_before() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    assert_eq!(machine.send(&log_in_message("kiosk", "wrong", CIRC_DESK)).await, "940");
    let status = machine.send("9900402.00").await;
    assert!(status.starts_with("98YNN"), "{status}");
}

#[tokio::test]
async fn passwords_are_not_guessed_at_a_machine() {
    let branch = Branch::open().await;
    let mut machine = branch.machines.connect().await;
    for _ in 0..10 {
        assert_eq!(machine.send(&log_in_message("kiosk", "wrong", CIRC_DESK)).await, "940");
    }
    assert_eq!(machine.answer().await, None, "after ten refused log-ins the connection ends");
    let mut machine = branch.machines.connect().await;
    let right = machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await;
    assert_eq!(
        right, "940",
        "the right password has to wait after so many wrong ones, or the user was made inactive"
    );
}

#[tokio::test]
async fn a_user_who_is_made_inactive_has_to_log_in_again_and_cannot() {
    let branch = Branch::open_with_limits(&[], MachineLimits::default()).await;
    let mut machine = branch.logged_in_machine().await;
    assert!(machine.send("9900402.00").await.starts_with("98YYY"));
    let mut user = branch.desk.find("/users", "username==kiosk").await.expect(200).json()["users"][0].clone();
    user["active"] = json!(false);
    branch.desk.put(&format!("/users/{}", user["id"].as_str().unwrap()), &user).await.expect(204);
    assert!(machine.send("9900402.00").await.starts_with("98YNN"));
    assert_eq!(machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await, "940");
}

#[tokio::test]
async fn a_machine_may_do_no_more_than_its_user() {
    for lacking in ["circulation.check-out-by-barcode.post", "users.collection.get"] {
        let others: Vec<&str> = PERMISSIONS.iter().copied().filter(|one| *one != lacking).collect();
        let branch = Branch::open_with_limits(&others, MachineLimits::default()).await;
        let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
        let mut machine = branch.logged_in_machine().await;
        let lent = machine.send(&check_out_message(&patron, &item)).await;
        assert!(lent.starts_with("120NUN") && lent.ends_with("AFThis terminal may not do that|"), "{lent}");
        assert_eq!(branch.desk.status(&item).await, "Available");
    }
}

#[tokio::test]
async fn without_a_service_point_nothing_is_lent() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.machines.connect().await;
    assert_eq!(machine.send(&log_in_message("kiosk", "secret", "")).await, "941");
    let lent = machine.send(&check_out_message(&patron, &item)).await;
    assert!(lent.starts_with("120") && lent.contains("service point"), "{lent}");
    assert_eq!(branch.desk.status(&item).await, "Available");
}
