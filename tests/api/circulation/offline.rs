//! What a desk takes along for the time without a connection.

use octavo_testkit::reference::{BOOK, CAN_CIRCULATE, CIRC_DESK, FACULTY};
use octavo_testkit::{Desk, Octavo};
use serde_json::{Value, json};

async fn due_dates(desk: &Desk) -> Value {
    desk.get(&format!("/octavo/offline/due-dates?servicePointId={CIRC_DESK}")).await.expect(200).json()
}

/// The span of `at` among those of the only kind of item there is, for faculty.
fn span_of<'a>(known: &'a Value, at: &str) -> &'a Value {
    let group = known["groups"].as_array().unwrap().iter().find(|group| group["id"] == FACULTY).unwrap();
    let policy = group["policies"][0].as_u64().unwrap();
    let spans = known["policies"][usize::try_from(policy).unwrap()]["spans"].as_array().unwrap();
    let covers = |span: &&Value| span["from"].as_str().unwrap() <= at && at < span["until"].as_str().unwrap();
    spans.iter().find(covers).unwrap_or_else(|| panic!("no span of {at} in {spans:#?}"))
}

#[tokio::test]
async fn a_due_date_told_ahead_is_the_one_that_a_check_out_then_gives() {
    let desk = Desk::with_policy(|policy| {
        policy["loansPolicy"]["period"] = json!({"duration": 3, "intervalId": "Hours"});
        policy["loansPolicy"]["closedLibraryDueDateManagementId"] = json!("CURRENT_DUE_DATE_TIME");
    })
    .await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    let known = due_dates(&desk).await;
    let kind = json!({"materialTypeId": BOOK, "loanTypeId": CAN_CIRCULATE, "locationId": desk.location});
    assert_eq!(known["kinds"], json!([kind]));
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    let [lent, due] = ["loanDate", "dueDate"].map(|field| loan[field].as_str().unwrap());
    let span = span_of(&known, lent);
    assert_eq!(span["afterSeconds"], 3 * 3600, "{span}");
    let apart = due.parse::<jiff::Timestamp>().unwrap().duration_since(lent.parse().unwrap());
    assert_eq!(apart.as_secs(), 3 * 3600);
}

#[tokio::test]
async fn loans_of_days_are_due_at_the_end_of_one_and_what_is_not_lent_says_why() {
    let desk = Desk::open().await;
    let desk = desk.through(&Octavo::with_clock(|| "2026-03-02T12:00:00Z".parse().unwrap()).await);
    let (patron, item) = (desk.patron().await, desk.item().await);
    let known = due_dates(&desk).await;
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    assert_eq!(span_of(&known, loan["loanDate"].as_str().unwrap())["due"], loan["dueDate"]);

    let path = format!("/loan-policy-storage/loan-policies/{}", desk.loan_policy);
    let mut policy = desk.get(&path).await.expect(200).json();
    policy["loanable"] = json!(false);
    policy["loansPolicy"] = json!(null);
    desk.put(&path, &policy).await.expect(204);
    let known = due_dates(&desk).await;
    let span = span_of(&known, loan["loanDate"].as_str().unwrap());
    assert_eq!(span["notLent"], "Item is not loanable", "{span}");
}

#[tokio::test]
async fn the_items_of_a_service_point_are_told_by_kind() {
    let desk = Desk::open().await;
    let items = [desk.item().await, desk.item().await];
    let path = format!("/octavo/offline/items?servicePointId={CIRC_DESK}");
    let known = desk.get(&path).await.expect(200).json();
    assert_eq!(known["complete"], true);
    let [kind] = &known["kinds"].as_array().unwrap()[..] else { panic!("{known:#}") };
    assert_eq!(kind["locationId"], json!(desk.location));
    let mut told: Vec<&str> = kind["barcodes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let mut barcodes = items.each_ref().map(|item| item["barcode"].as_str().unwrap().to_lowercase());
    told.sort_unstable();
    barcodes.sort_unstable();
    assert_eq!(told, barcodes);

    let some = desk.get(&format!("{path}&limit=1")).await.expect(200).json();
    assert_eq!(
        (&some["complete"], some["kinds"][0]["barcodes"].as_array().map(Vec::len)),
        (&json!(false), Some(1))
    );
    desk.get("/octavo/offline/items").await.says(400, "servicePointId is not a service point");
}
