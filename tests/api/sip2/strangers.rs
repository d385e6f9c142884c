//! Machines that are none: too slow, too long, too many, or silent. And TLS.

use std::time::Duration;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{MachineLimits, octavo};
use serde_json::json;

use super::{Branch, PERMISSIONS, log_in_message, tenant};

const SHORT_TIME: Duration = Duration::from_millis(200);

async fn branch_with_limits(change: impl FnOnce(&mut MachineLimits)) -> Branch {
    let mut limits = MachineLimits::default();
    change(&mut limits);
    Branch::open_with_limits(PERMISSIONS, limits).await
}

#[tokio::test]
async fn a_machine_that_sends_nothing_is_left() {
    let branch = branch_with_limits(|limits| limits.login_time = SHORT_TIME).await;
    assert_eq!(branch.machines.connect().await.answer().await, None);
}

#[tokio::test]
async fn a_machine_that_does_not_log_in_is_left_whatever_else_it_sends() {
    let branch = branch_with_limits(|limits| limits.login_time = SHORT_TIME).await;
    let mut machine = branch.machines.connect().await;
    loop {
        machine.write(b"9900402.00\r").await;
        match machine.answer().await {
            Some(status) => assert!(status.starts_with("98YNN"), "{status}"),
            None => break,
        }
    }
}

#[tokio::test]
async fn a_message_has_to_end_soon() {
    let branch = branch_with_limits(|limits| limits.message_time = SHORT_TIME).await;
    let mut machine = branch.logged_in_machine().await;
    machine.write(b"99004").await;
    assert_eq!(machine.answer().await, None);
}

#[tokio::test]
async fn a_machine_that_has_logged_in_may_rest_for_as_long_as_it_is_told() {
    let branch = branch_with_limits(|limits| limits.idle_time = SHORT_TIME).await;
    let mut machine = branch.logged_in_machine().await;
    assert_eq!(machine.answer().await, None);
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_connection() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    machine.write(&[b'9'; 10_000]).await;
    // The connection may be cut before the machine reads what it was told.
    assert!(matches!(machine.answer().await.as_deref(), Some("96") | None));
    assert_eq!(machine.answer().await, None);
}

#[tokio::test]
async fn noise_ends_the_connection() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    machine.write(&b"GET / HTTP/1.1\r\n".repeat(20)).await;
    let mut answers = 0;
    while let Some(answer) = machine.answer().await {
        assert_eq!(answer, "96");
        answers += 1;
    }
    assert!(answers <= 10, "{answers}");
}

#[tokio::test]
async fn of_too_many_machines_the_one_goes_that_has_done_nothing_for_longest() {
    let branch = branch_with_limits(|limits| limits.connections = 2).await;
    let mut first = branch.logged_in_machine().await;
    let mut second = branch.logged_in_machine().await;
    assert!(first.send("9900402.00").await.starts_with("98YYY"));
    let mut third = branch.logged_in_machine().await;
    assert_eq!(second.answer().await, None);
    assert!(first.send("9900402.00").await.starts_with("98YYY"));
    assert!(third.send("9900402.00").await.starts_with("98YYY"));
}

#[tokio::test]
async fn five_hundred_machines_work_at_once() {
    let branch = Branch::open().await;
    let mut machines = Vec::new();
    for _ in 0..500 {
        machines.push(branch.machines.connect().await);
    }
    // A password takes tens of milliseconds of a processor: five log in, all talk.
    for machine in machines.iter_mut().step_by(100) {
        assert_eq!(machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await, "941");
    }
    for machine in &mut machines {
        machine.write(b"9900402.00\r").await;
    }
    let mut logged_in = 0;
    for machine in &mut machines {
        let status = machine.answer().await.expect("an answer");
        assert!(status.starts_with("98Y"), "{status}");
        logged_in += usize::from(status.starts_with("98YYY"));
    }
    assert_eq!(logged_in, 5);
}

#[tokio::test]
async fn machines_may_speak_tls() {
    let branch = Branch::open().await;
    let terminals = json!({"tenant": tenant(&branch.desk), "charset": "UTF-8"}).to_string();
    let machines = octavo().await.machines_with_tls(&terminals).await;
    let mut machine = machines.connect_with_tls().await;
    assert_eq!(machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await, "941");
    assert!(machine.send("9900402.00").await.starts_with("98YYY"));
    // In the clear nothing is said.
    let mut plain = machines.connect().await;
    plain.write(b"9900402.00\r").await;
    assert!(plain.bytes().await.is_none_or(|bytes| !bytes.starts_with(b"98")));
}
