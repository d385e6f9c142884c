//! Loan history remembers every change of a loan, whoever made it, and forgets borrowers with the loan.

use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

async fn loan_history(desk: &Desk, loan: &str) -> Vec<Value> {
    let query = format!("loan.id=={loan} sortby createdDate");
    let found = desk.find("/loan-storage/loan-history", &query).await.expect(200).json();
    found["loansHistory"].as_array().unwrap().clone()
}

fn operations_and_actions(history: &[Value]) -> Vec<(&str, &str)> {
    history
        .iter()
        .map(|h| (h["operation"].as_str().unwrap(), h["loan"]["action"].as_str().unwrap()))
        .collect()
}

#[tokio::test]
async fn the_desk_and_record_writes_are_both_remembered() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    let id = loan["id"].as_str().unwrap();
    desk.renew(&item, &patron).await.expect(200);
    let path = format!("/loan-storage/loans/{id}");
    let mut record = desk.get(&path).await.expect(200).json();
    record["action"] = json!("recallrequested");
    desk.put(&path, &record).await.expect(204);
    desk.delete(&path).await.expect(204);
    let history = loan_history(&desk, id).await;
    assert_eq!(
        operations_and_actions(&history),
        [("I", "checkedout"), ("U", "renewed"), ("U", "recallrequested"), ("D", "deleted")]
    );
    assert_eq!(history[1]["loan"]["renewalCount"], 1);
    let by = |query: &str| format!("{query} and loan.itemId=={}", item["id"].as_str().unwrap());
    for (query, count) in [
        ("loan.action==renewed", 1),
        ("operation==U", 2),
        (&format!("loan.userId=={}", patron["id"].as_str().unwrap()), 4),
        (&format!("loan.userId=={}", fresh_id()), 0),
    ] {
        let found = desk.find("/loan-storage/loan-history", &by(query)).await.expect(200);
        assert_eq!(found.total(), count, "{query}");
    }
}

#[tokio::test]
async fn the_newest_change_comes_first_where_the_query_does_not_sort() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    desk.renew(&item, &patron).await.expect(200);
    let by_loan = format!("loan.id=={}", loan["id"].as_str().unwrap());
    let found = desk.find("/loan-storage/loan-history", &by_loan).await.expect(200).json();
    assert_eq!(
        operations_and_actions(found["loansHistory"].as_array().unwrap()),
        [("U", "renewed"), ("I", "checkedout")]
    );
}

#[tokio::test]
async fn staff_make_closed_loans_of_a_patron_forget_them() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    let items = desk.items(3).await;
    let mut loans = Vec::new();
    for item in &items {
        let loan = desk.check_out(item, &patron).await.expect(201).json();
        loans.push(loan["id"].as_str().unwrap().to_owned());
    }
    desk.check_in(&items[0]).await.expect(200);
    desk.check_in(&items[1]).await.expect(200);
    let fee = json!({"id": fresh_id(), "userId": patron["id"], "loanId": loans[1], "feeFineId": fresh_id(),
        "ownerId": fresh_id(), "amount": 1.0, "remaining": 1.0, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}});
    desk.post("/accounts", &fee).await.expect(201);

    let path = format!("/loan-anonymization/by-user/{}", patron["id"].as_str().unwrap());
    let answer = desk.post(&path, &json!({})).await.expect(200).json();
    assert_eq!(answer["anonymizedLoans"], json!([loans[0]]));
    let kept = json!({"message": "haveAssociatedFeesAndFines",
        "parameters": [{"key": "loanIds", "value": format!("[\"{}\"]", loans[1])}]});
    assert_eq!(answer["errors"], json!([kept]));
    let named = |loan: &Value| loan.get("userId").is_some();
    let borrowers: Vec<bool> =
        loan_history(&desk, &loans[0]).await.iter().map(|h| named(&h["loan"])).collect();
    assert_eq!(borrowers, [false, false, false]);
    let shown = desk.get(&format!("/circulation/loans/{}", loans[0])).await.expect(200).json();
    assert!(shown.get("userId").is_none() && shown.get("borrower").is_none(), "{shown}");
    assert!(loan_history(&desk, &loans[2]).await.iter().all(|h| named(&h["loan"])), "the loan is open");
}
