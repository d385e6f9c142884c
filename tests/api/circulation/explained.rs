//! What no library system has: trying before doing, asking why afterwards, and undoing.

use octavo_testkit::reference::{CIRC_DESK, OVERDUE_FINE};
use octavo_testkit::{Desk, Library, Octavo, fresh_id};
use serde_json::{Value, json};

/// A desk with an overdue fine of fifty cents a day; closed days are not counted, and the loan policy has one day of grace.
async fn charging_desk() -> Desk {
    let desk = Desk::with_policy(|policy| {
        policy["loansPolicy"]["gracePeriod"] = json!({"duration": 1, "intervalId": "Days"});
    })
    .await;
    desk.charge_overdue_fines(0.5, "day", false).await;
    desk
}

async fn lend(desk: &Desk) -> (Value, Value, String) {
    let (patron, item) = (desk.patron().await, desk.item().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    (patron, item, loan["id"].as_str().unwrap().to_owned())
}

fn check_in_body(item: &Value, at: &Value) -> Value {
    json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": at})
}

async fn read_loan(desk: &Desk, loan: &str) -> Value {
    desk.get(&format!("/loan-storage/loans/{loan}")).await.expect(200).json()
}

async fn set_due_date(desk: &Desk, loan: &str, due: &str) {
    let mut record = read_loan(desk, loan).await;
    record["dueDate"] = json!(due);
    desk.put(&format!("/loan-storage/loans/{loan}"), &record).await.expect(204);
}

#[tokio::test]
async fn a_fine_is_explained_with_its_policy_its_grace_and_its_days() {
    let desk = charging_desk().await;
    let (_, item, loan) = lend(&desk).await;
    set_due_date(&desk, &loan, "2026-03-02T10:00:00.000+00:00").await;
    desk.post("/circulation/check-in-by-barcode", &check_in_body(&item, &json!("2026-03-05T09:00:00.000Z")))
        .await
        .expect(200);
    let explained = desk.get(&format!("/circulation/loans/{loan}/explain")).await.expect(200).json();
    let [lent, returned] = &explained["decisions"].as_array().unwrap()[..] else { panic!("{explained:#}") };
    assert_eq!((&lent["decision"], &returned["decision"]), (&json!("check-out"), &json!("check-in")));
    let why: Vec<&str> = lent["why"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(why[0].starts_with("The circulation rule on line 2 applies"), "{why:?}");
    assert!(why.iter().any(|step| step.contains("plus the period of 3 weeks")), "{why:?}");
    let why: Vec<&str> = returned["why"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for told in [
        "The loan's overdue fine policy is \"Overdue fines\"",
        "The item was due at 2026-03-02T10:00:00.000+00:00; until 2026-03-05T09:00:00.000+00:00 these are 2 days, 23 hours.",
        "That is more than the grace period of 1 day, so all of it counts.",
        "Each 1 day that has begun costs 0.5; 3 of them are 1.50, at most 50.00.",
        "An overdue fine of 1.50 is charged",
    ] {
        assert!(why.iter().any(|step| step.starts_with(told)), "{told}: {why:#?}");
    }
    let reckoned =
        returned["steps"].as_array().unwrap().iter().find(|step| step["step"] == "fineReckoned").unwrap();
    assert_eq!((&reckoned["intervals"], &reckoned["amount"]), (&json!(3), &json!("1.50")));
    let nobody = fresh_id();
    let message = format!("loan record with ID \"{nobody}\" cannot be found");
    desk.get(&format!("/circulation/loans/{nobody}/explain")).await.says(404, &message);
}

/// The case of `docs/circulation.md`.
#[tokio::test]
async fn a_dispute_over_a_fine_is_settled() {
    let desk = charging_desk().await;
    let path = format!("/overdue-fines-policies/{OVERDUE_FINE}");
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["name"] = json!("Twenty cents an hour");
    policy["overdueFine"] = json!({"quantity": 0.2, "intervalId": "hour"});
    policy["countClosed"] = json!(false);
    desk.put(&path, &policy).await.expect(204);
    let path = format!("/loan-policy-storage/loan-policies/{}", desk.loan_policy);
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["loansPolicy"]["gracePeriod"] = json!({"duration": 4, "intervalId": "Hours"});
    policy["loansPolicy"]["closedLibraryDueDateManagementId"] = json!("CURRENT_DUE_DATE_TIME");
    desk.put(&path, &policy).await.expect(204);
    let hours =
        |day: &str| json!({"startDay": day, "startTime": "09:00:00", "endDay": day, "endTime": "17:00:00"});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let staff_day =
        json!({"name": "Staff day", "startDate": "2026-03-02", "endDate": "2026-03-02", "openings": []});
    let calendar = json!({"name": "Weekdays", "startDate": "2026-01-01", "endDate": "2026-12-31",
        "assignments": [CIRC_DESK], "normalHours": days.map(hours), "exceptions": [staff_day]});
    desk.post("/calendar/calendars", &calendar).await.expect(201);

    let lending = desk.through(&Octavo::with_clock(|| "2026-02-06T10:00:00Z".parse().unwrap()).await);
    let (_, item, loan) = lend(&lending).await;
    let returning = desk.through(&Octavo::with_clock(|| "2026-03-04T11:00:00Z".parse().unwrap()).await);
    returning.check_in(&item).await.expect(200);
    let explained = desk.get(&format!("/circulation/loans/{loan}/explain")).await.expect(200).json();
    let returned = &explained["decisions"][1];
    assert_eq!(
        (&returned["decision"], &returned["at"]),
        (&json!("check-in"), &json!("2026-03-04T11:00:00.000+00:00"))
    );
    let why: Vec<String> =
        returned["why"].as_array().unwrap().iter().map(|told| without_ids(told.as_str().unwrap())).collect();
    assert_eq!(why, sentences_of_the_page(), "the page shows what the program says");
}

/// The answer that `docs/circulation.md` shows.
fn sentences_of_the_page() -> Vec<String> {
    let page = include_str!("../../../docs/circulation.md");
    let (_, dispute) = page.split_once("### A dispute over a fine").unwrap();
    let (_, why) = dispute.split_once("\"why\": [").unwrap();
    let (why, _) = why.split_once("\n    ]").unwrap();
    let sentences: Vec<String> = serde_json::from_str(&format!("[{why}]")).unwrap();
    sentences.iter().map(|sentence| without_ids(sentence)).collect()
}

/// Ids differ from run to run.
fn without_ids(sentence: &str) -> String {
    let words = sentence.split_inclusive([' ', '(', ')', '.']);
    let word = |word: &str| match word.len() >= 36 && uuid::Uuid::parse_str(&word[..36]).is_ok() {
        true => format!("ID{}", &word[36..]),
        false => word.to_owned(),
    };
    words.map(word).collect()
}

#[tokio::test]
async fn a_delay_within_the_grace_period_is_explained_too() {
    let desk = charging_desk().await;
    let (_, item, loan) = lend(&desk).await;
    set_due_date(&desk, &loan, "2026-03-02T10:00:00.000+00:00").await;
    desk.post("/circulation/check-in-by-barcode", &check_in_body(&item, &json!("2026-03-03T10:00:00.000Z")))
        .await
        .expect(200);
    let explained = desk.get(&format!("/circulation/loans/{loan}/explain")).await.expect(200);
    assert!(
        explained.text().contains("That is within the grace period of 1 day, so nothing is charged."),
        "{explained}"
    );
}

#[tokio::test]
async fn what_is_tried_is_answered_and_leaves_nothing() {
    let desk = charging_desk().await;
    let trying = desk.with("x-octavo-dry-run", "true");
    let (patron, item) = (desk.patron().await, desk.item().await);
    let tried = trying
        .post("/circulation/check-out-by-barcode", &Desk::check_out_body(&item, &patron))
        .await
        .expect(201);
    assert_eq!(tried.header("x-octavo-dry-run"), Some("true"));
    assert!(tried.header("x-octavo-why").unwrap().contains("plus the period of 3 weeks"));
    let id = tried.json()["id"].as_str().unwrap().to_owned();
    desk.get(&format!("/circulation/loans/{id}")).await.expect(404);
    assert_eq!(desk.status(&item).await, "Available");

    let (patron, item, loan) = lend(&desk).await;
    let before = read_loan(&desk, &loan).await;
    let renewal = json!({"itemBarcode": item["barcode"], "userBarcode": patron["barcode"]});
    let tried = trying.post("/circulation/renew-by-barcode", &renewal).await.expect(200).json();
    assert_eq!(tried["renewalCount"], 1);
    let now = json!(octavo_testkit::system_clock().to_string());
    let tried =
        trying.post("/circulation/check-in-by-barcode", &check_in_body(&item, &now)).await.expect(200).json();
    assert_eq!(tried["loan"]["status"]["name"], "Closed");
    let lost = json!({"servicePointId": CIRC_DESK});
    trying.post(&format!("/circulation/loans/{loan}/declare-item-lost"), &lost).await.expect(204);
    assert_eq!(read_loan(&desk, &loan).await, before);
    assert_eq!(desk.find("/accounts", &format!("loanId=={loan}")).await.expect(200).total(), 0);
    trying.post("/circulation/check-out-by-barcode", &Desk::check_out_body(&item, &patron)).await.expect(422);

    let owner = json!({"owner": "Nobody"});
    let refused = trying.post("/owners", &owner).await.expect(400);
    assert!(refused.text().contains("cannot be tried without doing it"), "{refused}");
    desk.with("x-octavo-dry-run", "perhaps")
        .post("/owners", &owner)
        .await
        .says(400, "x-octavo-dry-run is true or false");
    trying.get("/owners").await.expect(200);
}

#[tokio::test]
async fn the_last_action_is_undone_with_its_fine_and_then_the_one_before() {
    let desk = charging_desk().await;
    let (patron, item, loan) = lend(&desk).await;
    set_due_date(&desk, &loan, "2026-03-02T10:00:00.000+00:00").await;
    let undo = format!("/octavo/loans/{loan}/undo");
    let on_loan = read_loan(&desk, &loan).await;
    desk.post("/circulation/check-in-by-barcode", &check_in_body(&item, &json!("2026-03-05T09:00:00.000Z")))
        .await
        .expect(200);
    let of_loan = format!("loanId=={loan}");
    let fines = || desk.find("/accounts", &of_loan);
    assert_eq!(fines().await.expect(200).total(), 1);

    let undone = desk.post(&undo, &json!({})).await.expect(200).json();
    assert_eq!(undone["undone"]["decision"], "check-in");
    assert_eq!(fines().await.expect(200).total(), 0);
    assert_eq!(desk.status(&item).await, "Checked out");
    let mut again = read_loan(&desk, &loan).await;
    again["metadata"] = on_loan["metadata"].clone();
    assert_eq!(again, on_loan);

    // The due date was changed by a record, not by a decision: the check-out is not what it was.
    let refused = desk.post(&undo, &json!({})).await;
    refused.refused(&format!("The loan {loan} has changed since: dueDate"));
    let (_, item, loan) = lend(&desk).await;
    desk.post(&format!("/octavo/loans/{loan}/undo"), &json!({})).await.expect(200);
    assert_eq!(desk.status(&item).await, "Available");
    desk.get(&format!("/loan-storage/loans/{loan}")).await.expect(404);
    desk.check_out(&item, &patron).await.expect(201);
}

#[tokio::test]
async fn what_was_done_in_a_visit_is_undone_after_its_end_too() {
    let desk = charging_desk().await;
    let end = async |patron: &Value, action: &str| {
        let ended = json!({"endSessions": [{"patronId": patron["id"], "actionType": action}]});
        desk.post("/circulation/end-patron-action-session", &ended).await.expect(204);
    };
    let (patron, item, loan) = lend(&desk).await;
    end(&patron, "Check-out").await;
    desk.post(&format!("/octavo/loans/{loan}/undo"), &json!({})).await.expect(200);
    assert_eq!(desk.status(&item).await, "Available");

    let (patron, item, loan) = lend(&desk).await;
    set_due_date(&desk, &loan, "2026-03-02T10:00:00.000+00:00").await;
    desk.post("/circulation/check-in-by-barcode", &check_in_body(&item, &json!("2026-03-05T09:00:00.000Z")))
        .await
        .expect(200);
    end(&patron, "Check-in").await;
    let of_patron = format!("userId=={}", patron["id"].as_str().unwrap());
    let fines = || desk.find("/accounts", &of_patron);
    assert_eq!(fines().await.expect(200).total(), 1);
    desk.post(&format!("/octavo/loans/{loan}/undo"), &json!({})).await.expect(200);
    assert_eq!(desk.status(&item).await, "Checked out");
    assert_eq!(fines().await.expect(200).total(), 0);
    assert_eq!(desk.find("/feefineactions", &of_patron).await.expect(200).total(), 0);
}

#[tokio::test]
async fn what_was_built_upon_is_not_undone() {
    let desk = charging_desk().await;
    let (_, item, loan) = lend(&desk).await;
    set_due_date(&desk, &loan, "2026-03-02T10:00:00.000+00:00").await;
    desk.post("/circulation/check-in-by-barcode", &check_in_body(&item, &json!("2026-03-05T09:00:00.000Z")))
        .await
        .expect(200);
    let fine = desk
        .find("/accounts", &format!("loanId=={loan}"))
        .await
        .expect(200)
        .field_values("accounts", "id")
        .remove(0);
    let payment = json!({"amount": "0.50", "notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk", "paymentMethod": "Cash"});
    desk.post(&format!("/accounts/{fine}/pay"), &payment).await.expect(201);
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let refused = desk.post(&format!("/octavo/loans/{loan}/undo"), &json!({})).await.expect(422);
    assert!(refused.text().contains(&format!("The fee/fine {fine} has changed since")), "{refused}");
    assert!(refused.text().contains("The item"), "{refused}");
    assert_eq!(desk.status(&item).await, "Checked out");
}

#[tokio::test]
async fn asking_why_and_undoing_need_permissions_of_their_own() {
    let library = Library::guarded().await;
    let clerk = library.as_user(&["circulation.all"]).await;
    let id = fresh_id();
    let lacking = |permission: &str| format!("requires permission: {permission}");
    let reply = clerk.get(&format!("/circulation/loans/{id}/explain")).await.expect(403);
    assert!(reply.text().ends_with(&lacking("octavo.circulation.loans.explain.get")), "{reply}");
    let reply = clerk.post(&format!("/octavo/loans/{id}/undo"), &json!({})).await.expect(403);
    assert!(reply.text().ends_with(&lacking("octavo.circulation.loans.undo.post")), "{reply}");
    let keeper = library
        .as_user(&["octavo.circulation.loans.explain.get", "octavo.circulation.loans.undo.post"])
        .await;
    keeper.get(&format!("/circulation/loans/{id}/explain")).await.expect(404);
    let message = "Nothing that was done to this loan can be undone";
    keeper.post(&format!("/octavo/loans/{id}/undo"), &json!({})).await.refused(message);
}

#[tokio::test]
async fn other_rules_are_tried_on_the_loans_of_the_last_days() {
    let desk = charging_desk().await;
    let (_, item, loan) = lend(&desk).await;
    lend(&desk).await;
    let path = format!("/loan-policy-storage/loan-policies/{}", desk.loan_policy);
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["loansPolicy"]["period"] = json!({"duration": 1, "intervalId": "Weeks"});
    let proposal = json!({"loanPolicies": [policy], "days": 2, "examples": 1});
    let found = desk.post("/octavo/rules/simulate", &proposal).await.expect(200).json();
    assert_eq!((&found["loans"], &found["changed"]), (&json!(2), &json!(2)));
    assert_eq!(found["changes"], json!({"dueEarlier": 2}));
    let [example] = &found["examples"].as_array().unwrap()[..] else { panic!("{found:#}") };
    assert!(example["after"]["dueDate"].as_str() < example["before"]["dueDate"].as_str(), "{example:#}");
    let same = desk.post("/octavo/rules/simulate", &json!({})).await.expect(200).json();
    assert_eq!((&same["loans"], &same["changed"]), (&json!(2), &json!(0)));
    desk.post("/octavo/rules/simulate", &json!({"rulesAsText": "nonsense"})).await.expect(422);
    desk.post("/octavo/rules/simulate", &json!({"days": 0})).await.expect(422);
    // Nothing came of it.
    assert_eq!(read_loan(&desk, &loan).await["status"]["name"], "Open");
    assert_eq!(desk.status(&item).await, "Checked out");
}
