//! Renewal of one loan (29/30) and of all (65/66).

use serde_json::json;

use super::{Branch, NOW, barcode, field_values, mask_times};

fn renew_message(patron: &str, item: &str) -> String {
    format!("29NN{NOW}{:18}AOo|AA{patron}|AB{item}|", "")
}

#[tokio::test]
async fn a_loan_is_renewed_until_the_policy_ends_it() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &patron).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    let (who, what) = (barcode(&patron), barcode(&item));
    let message = renew_message(who, what);
    for _ in 0..2 {
        let renewed = mask_times(&machine.send(&message).await);
        assert_eq!(renewed, format!("301YUN<time>AOo|AA{who}|AB{what}|AJBeloved|AH<time>|CK001|"));
    }
    let refused = machine.send(&message).await;
    assert!(refused.starts_with("300NUN") && refused.contains("AJBeloved"), "{refused}");
    assert!(field_values(&refused, "AF", 22).concat().contains("maximum renewal number"), "{refused}");
}

#[tokio::test]
async fn what_is_not_renewed_is_refused_with_the_reason() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    for (who, what, why) in [
        (barcode(&patron), barcode(&item), "loan"),
        (barcode(&patron), "none", "No item with barcode none"),
        ("none", barcode(&item), "does not know this card"),
        (barcode(&patron), "", "names the item"),
    ] {
        let refused = machine.send(&renew_message(who, what)).await;
        assert!(refused.starts_with("300NUN"), "{refused}");
        assert!(field_values(&refused, "AF", 22).concat().contains(why), "{refused}");
    }
}

#[tokio::test]
async fn all_loans_are_renewed_but_those_that_cannot_be() {
    let branch = Branch::open().await;
    let (patron, items) = (branch.desk.patron().await, branch.desk.items(3).await);
    for item in &items {
        branch.desk.check_out(item, &patron).await.expect(201);
    }
    for _ in 0..2 {
        branch.desk.renew(&items[1], &patron).await.expect(200);
    }
    let mut machine = branch.logged_in_machine().await;
    let answer = machine.send(&format!("65{NOW}AOo|AA{}|", barcode(&patron))).await;
    assert!(answer.starts_with("66100020001"), "{answer}");
    let mut renewed = field_values(&answer, "BM", 27);
    renewed.sort_unstable();
    assert_eq!(renewed, [barcode(&items[0]), barcode(&items[2])]);
    assert_eq!(field_values(&answer, "BN", 27), [barcode(&items[1])]);
    assert!(field_values(&answer, "AF", 27).concat().contains("maximum renewal number"), "{answer}");
    let none = machine.send(&format!("65{NOW}AOo|AA{}|", barcode(&branch.desk.patron().await))).await;
    assert!(none.starts_with("66100000000"), "{none}");
    let unknown = machine.send(&format!("65{NOW}AOo|AAnone|")).await;
    assert!(unknown.starts_with("66000000000"), "{unknown}");
}

#[tokio::test]
async fn nobody_renews_anothers_loans_without_the_password_that_is_asked_for() {
    let branch = Branch::open().await;
    branch.set_for_all(&json!({"patronPasswordVerificationRequired": true})).await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.check_out(&item, &patron).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    let one = machine.send(&renew_message(barcode(&patron), barcode(&item))).await;
    let all = machine.send(&format!("65{NOW}AOo|AA{}|", barcode(&patron))).await;
    assert!(one.starts_with("300") && all.starts_with("66000000000"), "{one} {all}");
}
