//! How fast notices about due dates leave the house, and what the desk notices of it. Prints a table:
//! `cargo test --package octavo-tests --test api -- --ignored --nocapture speed_of_notices`; `OCTAVO_NOTICES` says how many.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "time that passes is measured here, and told"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use octavo_modules::circulation_storage::{LOAN, SCHEDULED_NOTICE};
use octavo_modules::users::USER;
use octavo_testkit::{Desk, Octavo, fresh_id};
use serde_json::{Value, json};

use super::Branch;
use crate::measured::{CallTimes, print_table, store_items};

const JOB: &str = "/circulation/loan-scheduled-notices-processing";

fn copies(of: &Value, count: usize, change: impl Fn(usize, &mut Value)) -> Vec<Value> {
    let copy = |at: usize| {
        let mut copy = of.clone();
        copy["id"] = json!(fresh_id());
        change(at, &mut copy);
        copy
    };
    (0..count).map(copy).collect()
}

/// So many notices that are due: about loans of many patrons, ten about each.
async fn store_due_notices(branch: &Branch, notices: usize) {
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let scheduled = branch.scheduled_notices().await.remove(0);
    let stored = async |path: &str, record: &Value| -> Value {
        branch.get(&format!("{path}/{}", record["id"].as_str().unwrap_or_default())).await.expect(200).json()
    };
    let (loan, item) =
        (stored("/loan-storage/loans", &loan).await, stored("/item-storage/items", &item).await);
    let count = notices / 10;
    let items = copies(&item, count, |at, item| {
        item["hrid"] = json!(format!("notice{at}"));
        item["barcode"] = json!(fresh_id());
    });
    let users = copies(&patron, count / 5, |_, user| {
        user["username"] = json!(fresh_id());
        user["barcode"] = json!(fresh_id());
        user["personal"]["email"] = json!(format!("{}@example.com", fresh_id()));
    });
    let loans = copies(&loan, count, |at, loan| {
        loan["itemId"] = items[at]["id"].clone();
        loan["userId"] = users[at % users.len()]["id"].clone();
    });
    let scheduled = copies(&scheduled, notices, |at, scheduled| {
        scheduled["loanId"] = loans[at % count]["id"].clone();
        scheduled["recipientUserId"] = loans[at % count]["userId"].clone();
    });
    store_items(branch, &items).await;
    branch.library.store_all(&USER, users).await;
    branch.library.store_all(&LOAN, loans).await;
    for some in scheduled.chunks(10_000) {
        branch.library.store_all(&SCHEDULED_NOTICE, some.to_vec()).await;
    }
}

/// Lends and takes back until it is told to stop, or so often.
async fn circulate(
    desk: Desk,
    items: Vec<Value>,
    patron: Value,
    stop: Arc<AtomicBool>,
    turns: usize,
) -> CallTimes {
    let mut times = CallTimes::default();
    for turn in 0..turns {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let item = &items[turn % items.len()];
        times.measure(desk.check_out(item, &patron)).await.expect(201);
        desk.check_in(item).await.expect(200);
    }
    times
}

#[tokio::test]
#[ignore = "measures"]
async fn speed_of_notices() {
    let notices =
        std::env::var("OCTAVO_NOTICES").ok().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let branch =
        Branch::open(&[("loanNotices", "Due date", json!({"sendHow": "Upon At"}))]).await.with_mail().await;
    store_due_notices(&branch, notices).await;
    let (items, patron) = (branch.items(8).await, branch.patron().await);
    let stop = Arc::new(AtomicBool::new(false));
    let desk =
        |turns| circulate(branch.desk.clone(), items.clone(), patron.clone(), Arc::clone(&stop), turns);
    let alone = desk(300).await;
    let busy = tokio::spawn(desk(usize::MAX));
    let late =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_hours(23 * 24))
            .await;
    let begun = Instant::now();
    branch.library.through(&late).run_job(JOB).await;
    let decided = begun.elapsed().as_secs_f64();
    branch.library.relay().await;
    let sent = begun.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    let busy = busy.await.expect("the desk works on");
    let taken = branch.sink.count_mails();
    assert!(taken >= notices, "{taken} were taken");
    print_table(
        "The desk",
        &[alone.row("check-out, nothing else to do"), busy.row("check-out while notices go out")],
    );
    println!(
        "\n{taken} notices: decided in {decided:.1} s, written and handed over after {sent:.1} s, {:.0} a second; \
         the desk's p95 is {:.1} times as long",
        taken as f64 / sent,
        busy.percentile(95) / alone.percentile(95)
    );
}
