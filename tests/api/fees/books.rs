//! Whatever staff do with fees, one or several at once and in whatever order: the actions on each add up to what remains of
//! it, to the cent.

use serde_json::{Value, json};

use super::till::{Till, action_body};

/// Cents that look random and are the same in every run.
struct SeededRandom(u64);

impl SeededRandom {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Read from the digits, not from a binary fraction.
fn cents(amount: &Value) -> i64 {
    let text = amount.to_string();
    let text = text.trim_matches('"');
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    assert!(fraction.len() <= 2, "{text} is no amount of money");
    whole.parse::<i64>().unwrap() * 100 + format!("{fraction:0<2}").parse::<i64>().unwrap()
}

async fn balance_by_actions(till: &Till, account: &str, charged: i64) -> i64 {
    let path = format!("/feefineactions?limit=1000&query=accountId%3D%3D{account}");
    let found = till.get(&path).await.expect(200).json();
    found["feefineactions"].as_array().unwrap().iter().fold(charged, |balance, action| {
        let amount = cents(&action["amountAction"]);
        match action["typeAction"].as_str().unwrap().split(' ').next() {
            Some("Paid" | "Waived" | "Transferred") => balance - amount,
            Some("Refunded") => balance + amount,
            _ => balance,
        }
    })
}

#[tokio::test]
async fn the_actions_on_a_fee_add_up_to_its_balance() {
    let till = Till::open().await;
    let charged = [12.34, 0.05, 20.0, 123_456.78];
    let mut accounts = Vec::new();
    for amount in charged {
        accounts.push(till.create_account(amount).await);
    }
    let (mut whim, mut done) = (SeededRandom(7), 0);
    for _ in 0..60 {
        let action = ["pay", "pay", "waive", "transfer", "refund"][whim.below(5)];
        let amount = [whim.below(100), whim.below(3000), whim.below(13_000_000)][whim.below(3)];
        let amount = format!("{}.{:02}", amount / 100, amount % 100);
        let reply = match whim.below(3) {
            0 => {
                let mut body = action_body(&amount);
                body["accountIds"] = json!(accounts[whim.below(3)..]);
                till.post(&format!("/accounts-bulk/{action}"), &body).await
            }
            _ => till.post_action(&accounts[whim.below(4)], action, &amount).await,
        };
        assert!([201, 422].contains(&reply.status), "{reply}");
        done += usize::from(reply.status == 201);
        for (account, charged) in accounts.iter().zip(charged) {
            let stored = till.read_account(account).await;
            let remaining = cents(&stored["remaining"]);
            assert_eq!(
                remaining,
                balance_by_actions(&till, account, cents(&json!(charged))).await,
                "after {reply}"
            );
            assert!(remaining >= 0 && remaining <= cents(&stored["amount"]));
            assert_eq!(stored["status"]["name"] == "Closed", remaining == 0);
        }
    }
    assert!(done > 15, "only {done} actions were carried out");
}
