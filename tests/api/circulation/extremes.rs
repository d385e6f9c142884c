//! Dates and policies at the edge of what can be written: refused or carried out, never an accident.

use octavo_testkit::{Desk, Reply, reference::CIRC_DESK};
use serde_json::{Value, json};

#[track_caller]
fn assert_no_server_error(reply: &Reply) {
    assert!(reply.status < 500, "{reply}");
}

const DATES: &[&str] = &[
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "-009999-01-02T00:00:00Z",
    "1970-01-01",
    "2026-02-29T00:00:00Z",
    "2026-11-21T25:00:00Z",
    "",
    "now",
    "\u{0}",
];

#[tokio::test]
async fn loan_dates_from_the_beginning_to_the_end_of_time() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    for date in DATES {
        let item = desk.item().await;
        let mut body = Desk::check_out_body(&item, &patron);
        body["loanDate"] = json!(date);
        assert_no_server_error(&desk.post("/circulation/check-out-by-barcode", &body).await);
        assert_no_server_error(&desk.renew(&item, &patron).await);
        let body = json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": date});
        assert_no_server_error(&desk.post("/circulation/check-in-by-barcode", &body).await);
    }
}

#[tokio::test]
async fn policies_without_measure() {
    let period = |duration: Value, unit: &str| json!({"duration": duration, "intervalId": unit});
    for (duration, unit) in [
        (json!(2_147_483_647), "Months"),
        (json!(2_147_483_647), "Minutes"),
        (json!(2_147_483_647), "Weeks"),
        (json!(0), "Days"),
        (json!(-1), "Days"),
        (json!(100_000), "Days"),
    ] {
        let desk = Desk::open().await;
        let path = format!("/loan-policy-storage/loan-policies/{}", desk.loan_policy);
        let mut policy = desk.get(&path).await.expect(200).json();
        policy["loansPolicy"]["period"] = period(duration.clone(), unit);
        policy["loansPolicy"]["gracePeriod"] = period(duration.clone(), unit);
        policy["renewalsPolicy"]["unlimited"] = json!(true);
        let changed = desk.put(&path, &policy).await;
        assert_no_server_error(&changed);
        let (item, patron) = (desk.item().await, desk.patron().await);
        assert_no_server_error(&desk.check_out(&item, &patron).await);
        assert_no_server_error(&desk.renew(&item, &patron).await);
        assert_no_server_error(&desk.check_in(&item).await);
    }
}

#[tokio::test]
async fn rules_that_are_none() {
    let desk = Desk::open().await;
    let long = format!("priority: t, s, c, b, a, m, g\n{}", "m book: l x\n".repeat(20_000));
    let deep = (0..2_000).map(|at| format!("{}g x\n", " ".repeat(at))).collect::<String>();
    for text in [
        "",
        " ",
        "\n\n",
        "priority:",
        "fallback-policy:",
        "fallback-policy: l",
        "#",
        "\u{0}",
        "m: l",
        "é",
        &long,
        &deep,
    ] {
        assert_no_server_error(&desk.put("/circulation/rules", &json!({"rulesAsText": text})).await);
    }
    for body in [json!({}), json!([]), json!({"rulesAsText": 1}), json!({"rulesAsText": null}), json!(null)] {
        assert_no_server_error(&desk.put("/circulation/rules", &body).await);
    }
}

/// A loan policy that says everything a policy can say.
fn full_policy(desk: &Desk) -> Value {
    let period = json!({"duration": 2, "intervalId": "Weeks"});
    json!({
        "id": desk.loan_policy, "name": "Everything", "loanable": true, "renewable": true,
        "loansPolicy": {
            "profileId": "Rolling", "period": period, "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE",
            "gracePeriod": period, "openingTimeOffset": {"duration": 3, "intervalId": "Hours"}, "itemLimit": 5,
        },
        "renewalsPolicy": {
            "unlimited": false, "numberAllowed": 3, "renewFromId": "SYSTEM_DATE", "differentPeriod": true, "period": period,
        },
        "requestManagement": {
            "recalls": {
                "alternateGracePeriod": period, "minimumGuaranteedLoanPeriod": period, "recallReturnInterval": period,
                "allowRecallsToExtendOverdueLoans": true, "alternateRecallReturnInterval": period,
            },
            "holds": {"alternateCheckoutLoanPeriod": period, "renewItemsWithRequest": true, "alternateRenewalLoanPeriod": period},
        },
    })
}

/// Whatever a policy is let to say, the desk can work with.
#[tokio::test]
async fn policies_with_one_odd_word() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let path = format!("/loan-policy-storage/loan-policies/{}", desk.loan_policy);
    let whole = full_policy(&desk);
    desk.put(&path, &whole).await.expect(204);
    desk.check_out(&item, &patron).await.expect(201);
    desk.check_in(&item).await.expect(200);
    let odd = [
        json!(null),
        json!(""),
        json!("Fixed"),
        json!("Months"),
        json!("END_OF_THE_NEXT_OPEN_DAY"),
        json!(-1),
        json!(0),
        json!(999_999_999),
        json!(i64::MAX),
        json!(0.5),
        json!(false),
        json!({}),
    ];
    let mut taken = 0;
    for place in json_pointers(&whole) {
        for value in &odd {
            let mut policy = whole.clone();
            policy.pointer_mut(&place).map(|place| *place = value.clone()).expect("a place in the policy");
            let reply = desk.put(&path, &policy).await;
            assert_no_server_error(&reply);
            if reply.status != 204 {
                continue;
            }
            taken += 1;
            assert_no_server_error(&desk.check_out(&item, &patron).await);
            assert_no_server_error(&desk.renew(&item, &patron).await);
            assert_no_server_error(&desk.check_in(&item).await);
        }
    }
    assert!(taken > 50, "only {taken} of the policies were taken");
}

/// JSON pointers to everything inside.
fn json_pointers(value: &Value) -> Vec<String> {
    let members = value.as_object().into_iter().flatten();
    let below = |(name, inner): (&String, &Value)| {
        let deeper =
            json_pointers(inner).into_iter().map(move |path| format!("/{name}{path}")).collect::<Vec<_>>();
        [vec![format!("/{name}")], deeper].concat()
    };
    members.flat_map(below).collect()
}
