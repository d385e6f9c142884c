//! Payments (37/38).

use octavo_kernel::TenantId;
use octavo_pg::{Database, Options, Statement};
use octavo_testkit::{database_url, eventually, fresh_id};
use serde_json::{Value, json};

use super::{Branch, NOW, barcode, field_values, tenant};

/// Charges a patron; returns the account.
pub(super) async fn charge_patron(branch: &Branch, patron: &Value, amount: f64, at: &str) -> Value {
    let (owner, fee) = (fresh_id(), fresh_id());
    let desk = &branch.desk;
    desk.post("/owners", &json!({"id": owner, "owner": format!("Desk {owner}")})).await.expect(201);
    let kind =
        json!({"id": fee, "feeFineType": format!("Damage {fee}"), "ownerId": owner, "automatic": false});
    desk.post("/feefines", &kind).await.expect(201);
    let account = json!({
        "id": fresh_id(), "amount": amount, "remaining": amount, "status": {"name": "Open"}, "dateCreated": at,
        "paymentStatus": {"name": "Outstanding"}, "userId": patron["id"], "feeFineId": fee, "ownerId": owner,
        "feeFineType": kind["feeFineType"], "feeFineOwner": "Desk",
    });
    desk.post("/accounts", &account).await.expect(201).json()
}

async fn remaining_amount(branch: &Branch, account: &Value) -> f64 {
    let path = format!("/accounts/{}", account["id"].as_str().unwrap());
    branch.desk.get(&path).await.expect(200).json()["remaining"].as_f64().unwrap()
}

fn payment_message(patron: &Value, amount: &str, more: &str) -> String {
    format!("37{NOW}0102USDBV{amount}|AOo|AA{}|{more}", barcode(patron))
}

#[tokio::test]
async fn the_oldest_fees_are_paid_first() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let first = charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    let second = charge_patron(&branch, &patron, 2.5, "2026-02-01T00:00:00Z").await;
    let third = charge_patron(&branch, &patron, 4.0, "2026-03-01T00:00:00Z").await;
    let mut machine = branch.logged_in_machine().await;
    let answer = machine.send(&payment_message(&patron, "8.00", "BKt1|")).await;
    assert!(answer.starts_with("38Y") && answer.contains("|BKt1|"), "{answer}");
    assert_eq!(remaining_amount(&branch, &first).await, 0.0);
    assert_eq!(remaining_amount(&branch, &second).await, 0.0);
    assert_eq!(remaining_amount(&branch, &third).await, 3.5);
    let mut paid = field_values(&answer, "FG", 19);
    paid.sort_unstable();
    assert_eq!(paid, ["0.50", "2.50", "5.00"]);
}

#[tokio::test]
async fn a_named_fee_is_paid_alone() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let old = charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    let new = charge_patron(&branch, &patron, 2.5, "2026-02-01T00:00:00Z").await;
    let mut machine = branch.logged_in_machine().await;
    let named = format!("CG{}|", new["id"].as_str().unwrap());
    let answer = machine.send(&payment_message(&patron, "1.50", &named)).await;
    assert!(answer.starts_with("38Y"), "{answer}");
    assert_eq!(
        (field_values(&answer, "FA", 19), field_values(&answer, "FG", 19)),
        (vec!["1.00"], vec!["1.50"]),
        "{answer}"
    );
    assert_eq!((remaining_amount(&branch, &old).await, remaining_amount(&branch, &new).await), (5.0, 1.0));
    let by_kind = format!("CG{}|", old["feeFineId"].as_str().unwrap());
    assert!(machine.send(&payment_message(&patron, "5", &by_kind)).await.starts_with("38Y"));
    assert_eq!(remaining_amount(&branch, &old).await, 0.0);
}

#[tokio::test]
async fn what_is_not_booked_is_not_accepted() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let account = charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    let mut machine = branch.logged_in_machine().await;
    let none = json!({"barcode": "none"});
    for (message, why) in [
        (payment_message(&patron, "5.01", ""), "more than the 5.00 that is owed"),
        (payment_message(&patron, "0", ""), "no amount"),
        (payment_message(&patron, "-1", ""), "no amount"),
        (payment_message(&patron, "five", ""), "no amount"),
        (payment_message(&patron, "", ""), "no amount"),
        (payment_message(&patron, "1", &format!("CG{}|", fresh_id())), "owes nothing for the fee"),
        (payment_message(&none, "1", ""), "does not know this card"),
        (payment_message(&patron, "1", "").replacen("USD", "EUR", 1), "takes USD, not EUR"),
    ] {
        let answer = machine.send(&message).await;
        assert!(answer.starts_with("38N"), "{answer}");
        assert!(field_values(&answer, "AF", 19).concat().contains(why), "{answer}");
    }
    assert_eq!(remaining_amount(&branch, &account).await, 5.0);
}

#[tokio::test]
async fn a_payment_that_is_sent_again_is_booked_once() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let account = charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    for _ in 0..2 {
        let mut machine = branch.logged_in_machine().await;
        let answer = machine.send(&payment_message(&patron, "2.00", "BKtill-7-1|")).await;
        assert!(answer.starts_with("38Y"), "{answer}");
    }
    assert_eq!(remaining_amount(&branch, &account).await, 3.0);
    let mut machine = branch.logged_in_machine().await;
    let other = machine.send(&payment_message(&patron, "1.00", "BKtill-7-1|")).await;
    assert!(other.starts_with("38N") && other.contains("was booked before"), "{other}");
    assert_eq!(remaining_amount(&branch, &account).await, 3.0);
}

#[tokio::test]
async fn a_payment_that_is_sent_again_while_it_is_being_booked_is_refused() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let account = charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    let payment = payment_message(&patron, "2.00", "BKtill-7-2|");
    let (mut first, mut second) = (branch.logged_in_machine().await, branch.logged_in_machine().await);
    let library = TenantId::parse(&tenant(&branch.desk)).unwrap();
    let database = Database::from_url(&database_url().await, Options::unlimited(2)).unwrap();
    let mut holder = database.session(&library, Default::default()).await.unwrap();
    let mut watcher = database.session(&library, Default::default()).await.unwrap();
    // Payments can be looked for, and none can be stored.
    holder.begin(vec![Statement::new("lock table feefineactions in exclusive mode")]).await.unwrap();
    let sent = payment.clone();
    let booking = tokio::spawn(async move { first.send(&sent).await });
    let waiting = "select count(*) from pg_locks where not granted and relation = 'feefineactions'::regclass";
    eventually("the payment waits for the table", async || {
        watcher.rows(Statement::new(waiting)).await.unwrap()[0].long(0) == 1
    })
    .await;
    let again = second.send(&payment).await;
    assert!(again.starts_with("38N") && again.contains("till-7-2 is being booked"), "{again}");
    holder.rollback().await.unwrap();
    let booked = booking.await.unwrap();
    assert!(booked.starts_with("38Y"), "{booked}");
    let again = second.send(&payment).await;
    assert!(again.starts_with("38Y"), "{again}");
    assert_eq!(remaining_amount(&branch, &account).await, 3.0);
}

#[tokio::test]
async fn the_library_names_its_payment_methods() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    branch.set_for_all(&json!({"paymentMethods": {"02": "Card at the machine"}})).await;
    charge_patron(&branch, &patron, 5.0, "2026-01-01T00:00:00Z").await;
    let mut machine = branch.logged_in_machine().await;
    machine.send(&payment_message(&patron, "1.00", "")).await;
    machine.send(&payment_message(&patron, "2.00", "").replacen("0102USD", "0100USD", 1)).await;
    let query = format!("userId=={}", patron["id"].as_str().unwrap());
    let actions = branch.desk.find("/feefineactions", &query).await.expect(200).json();
    let mut methods: Vec<&str> = actions["feefineactions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|action| action["paymentMethod"].as_str())
        .collect();
    methods.sort_unstable();
    assert_eq!(methods, ["Card at the machine", "Cash"]);
}
