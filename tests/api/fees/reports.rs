//! What was paid, refunded and done, as staff ask for it. The library is in New York.

use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE, OVERDUE_FINE};
use octavo_testkit::{Desk, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

struct ReportingLibrary {
    desk: Desk,
    owner: Uuid,
    kind: Uuid,
    patron: Value,
}

impl ReportingLibrary {
    async fn open() -> ReportingLibrary {
        let desk = Desk::open().await;
        let value = json!({"locale": "en-US", "timezone": "America/New_York", "currency": "USD"});
        let entry = json!({"module": "ORG", "configName": "localeSettings", "enabled": true, "value": value.to_string()});
        desk.post("/configurations/entries", &entry).await.expect(201);
        let (owner, kind) = (fresh_id(), fresh_id());
        desk.post("/owners", &json!({"id": owner, "owner": "Main Circ"})).await.expect(201);
        let fee = json!({"id": kind, "feeFineType": "Coffee stains", "ownerId": owner});
        desk.post("/feefines", &fee).await.expect(201);
        let patron = desk.patron().await;
        ReportingLibrary { desk, owner, kind, patron }
    }

    /// An account of ten dollars, with what a test adds; its id.
    async fn account(&self, more: Value) -> Uuid {
        let id = fresh_id();
        let mut account = json!({
            "id": id, "userId": self.patron["id"], "feeFineId": self.kind, "ownerId": self.owner,
            "feeFineOwner": "Main Circ", "feeFineType": "Coffee stains", "amount": 10.0, "remaining": 10.0,
            "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
        });
        add_members(&mut account, more);
        self.desk.post("/accounts", &account).await.expect(201);
        id
    }

    /// Something that was done about an account at the desk, by Carla; paid in cash unless a test says how.
    async fn action(&self, account: Uuid, at: &str, kind: &str, amount: f64, more: Value) {
        let mut action = json!({
            "accountId": account, "userId": self.patron["id"], "dateAction": at, "typeAction": kind,
            "amountAction": amount, "createdAt": CIRC_DESK, "source": "Clerk, Carla", "paymentMethod": "Cash",
        });
        add_members(&mut action, more);
        self.desk.post("/feefineactions", &action).await.expect(201);
    }

    async fn report(&self, name: &str, wanted: Value) -> Reply {
        self.desk.post(&format!("/feefine-reports/{name}"), &wanted).await
    }
}

fn add_members(record: &mut Value, more: Value) {
    let Value::Object(more) = more else { return };
    record.as_object_mut().unwrap().extend(more);
}

/// Rows of a report, as the values of some columns.
fn rows(report: &Value, columns: &[&str]) -> Vec<String> {
    let shown = |line: &Value, column: &str| line[column].as_str().unwrap_or("(none)").to_owned();
    let lines = report["reportData"].as_array().unwrap().iter();
    lines
        .map(|line| columns.iter().map(|column| shown(line, column)).collect::<Vec<_>>().join(" | "))
        .collect()
}

fn sums(report: &Value, by: &str) -> Vec<String> {
    let text = |sum: &Value, member: &str| sum[member].as_str().unwrap().to_owned();
    let sums = report["reportStats"][by].as_array().unwrap().iter();
    sums.map(|sum| format!("{} {} {}", text(sum, "name"), text(sum, "totalAmount"), text(sum, "totalCount")))
        .collect()
}

#[tokio::test]
async fn a_drawer_is_reconciled_by_days_of_the_library() {
    let house = ReportingLibrary::open().await;
    let account = house.account(json!({})).await;
    let card = || json!({"paymentMethod": "Card", "source": "Clerk, Cato"});
    for (at, kind, amount, more) in [
        // New Year's Eve where the library is, and the first minute after the last day.
        ("2026-01-01T04:59:59Z", "Paid partially", 1.0, json!({})),
        ("2026-01-16T05:00:00Z", "Paid partially", 1.0, json!({})),
        ("2026-01-03T17:00:00Z", "Paid partially", 2.0, card()),
        (
            "2026-01-16T04:59:59Z",
            "Paid fully",
            0.75,
            json!({"comments": "STAFF : torn note \n PATRON : thanks"}),
        ),
        ("2026-01-01T05:00:00Z", "Paid partially", 3.1, json!({"transactionInformation": "receipt 7"})),
        ("2026-01-04T17:00:00Z", "Waived partially", 2.0, json!({})),
        ("2026-01-04T17:00:00Z", "Paid partially", 2.0, json!({"createdAt": fresh_id()})),
    ] {
        house.action(account, at, kind, amount, more).await;
    }
    let wanted = json!({"startDate": "2026-01-01", "endDate": "2026-01-15", "createdAt": CIRC_DESK});
    let reply = house.report("cash-drawer-reconciliation", wanted.clone()).await.expect(200);
    let report = reply.json();
    assert_eq!(
        rows(
            &report,
            &["source", "paymentMethod", "paidAmount", "paymentDate", "paymentStatus", "transactionInfo"]
        ),
        [
            "Clerk, Carla | Cash | 3.10 | 1/1/26, 12:00 AM | Paid partially | receipt 7",
            "Clerk, Carla | Cash | 0.75 | 1/15/26, 11:59 PM | Paid fully | (none)",
            "Clerk, Cato | Card | 2.00 | 1/3/26, 12:00 PM | Paid partially | (none)",
        ]
    );
    assert_eq!(
        report["reportData"][1],
        json!({
            "source": "Clerk, Carla", "paymentMethod": "Cash", "paidAmount": "0.75", "feeFineOwner": "Main Circ",
            "feeFineType": "Coffee stains", "paymentDate": "1/15/26, 11:59 PM", "paymentStatus": "Paid fully",
            "additionalStaffInfo": "torn note", "additionalPatronInfo": "thanks", "patronId": house.patron["id"],
            "feeFineId": account,
        })
    );
    assert_eq!(
        sums(&report, "bySource"),
        ["Clerk, Carla 3.85 2", "Clerk, Cato 2.00 1", "Source totals 5.85 3"]
    );
    assert_eq!(
        sums(&report, "byPaymentMethod"),
        ["Cash 3.85 2", "Card 2.00 1", "Payment method totals 5.85 3"]
    );
    assert_eq!(sums(&report, "byFeeFineType"), ["Coffee stains 5.85 3", "Fee/fine type totals 5.85 3"]);
    assert_eq!(sums(&report, "byFeeFineOwner"), ["Main Circ 5.85 3", "Fee/fine owner totals 5.85 3"]);

    let mut narrower = wanted.clone();
    add_members(&mut narrower, json!({"sources": ["Clerk, Cato", "Nobody"]}));
    let reply = house.report("cash-drawer-reconciliation", narrower).await.expect(200);
    assert_eq!(rows(&reply.json(), &["paidAmount"]), ["2.00"]);
    assert_eq!(reply.round_trips(), 1, "{reply}");
    let open_ended = json!({"startDate": "2026-01-15", "createdAt": CIRC_DESK});
    let reply = house.report("cash-drawer-reconciliation", open_ended).await.expect(200);
    assert_eq!(rows(&reply.json(), &["paidAmount"]), ["0.75", "1.00"]);
    let sources = json!({"createdAt": CIRC_DESK});
    let reply = house.report("cash-drawer-reconciliation/sources", sources).await.expect(200);
    assert_eq!(reply.json(), json!({"sources": ["Clerk, Carla", "Clerk, Cato"]}));

    house.desk.delete(&format!("/accounts/{account}")).await.expect(204);
    let report = house.report("cash-drawer-reconciliation", wanted).await.expect(200).json();
    assert_eq!(rows(&report, &["feeFineOwner", "paidAmount"]), [" | 3.10", " | 0.75", " | 2.00"]);
    assert_eq!(sums(&report, "byFeeFineOwner"), ["- 5.85 3", "Fee/fine owner totals 5.85 3"]);
}

#[tokio::test]
async fn refunds_say_what_had_been_paid_by_then() {
    let house = ReportingLibrary::open().await;
    let item = house.desk.item().await;
    let account = house.account(json!({"itemId": item["id"]})).await;
    let to = |whom: &str| json!({"transactionInformation": whom, "paymentMethod": "Overpaid"});
    let bursar = || json!({"paymentMethod": "Bursar"});
    for (at, kind, amount, more) in [
        ("2026-01-01T12:00:00Z", "Paid partially", 3.1, json!({"transactionInformation": "receipt 7"})),
        ("2026-01-02T12:00:00Z", "Refunded partially", 1.0, to("Refunded to patron")),
        ("2026-01-03T12:00:00Z", "Paid partially", 2.0, json!({"paymentMethod": "Card"})),
        ("2026-01-03T12:00:01Z", "Transferred fully", 4.9, bursar()),
        ("2026-01-04T12:00:00Z", "Refunded partially", 2.5, to("Refunded to Bursar")),
        ("2026-01-05T12:00:00Z", "Refunded fully", 6.5, to("elsewhere")),
    ] {
        house.action(account, at, kind, amount, more).await;
    }
    let days = json!({"startDate": "2026-01-02", "endDate": "2026-01-05"});
    let reply = house.report("refund", days.clone()).await.expect(200);
    let report = reply.json();
    let columns = ["refundDate", "refundAmount", "paidAmount", "paymentMethod", "transactionInfo"];
    assert_eq!(
        rows(&report, &columns),
        [
            "1/2/26, 7:00 AM | 1.00 | 3.10 | Cash | receipt 7",
            "1/4/26, 7:00 AM | 2.50 |  |  | ",
            "1/5/26, 7:00 AM | 6.50 | 5.10 | Multiple | See Fee/fine details page",
        ]
    );
    let columns = ["refundAction", "refundReason", "transferredAmount", "transferAccount"];
    assert_eq!(
        rows(&report, &columns),
        [
            "Refunded partially | Overpaid |  | ",
            "Refunded partially | Overpaid | 4.90 | Bursar",
            "Refunded fully | Overpaid | 4.90 | Bursar",
        ]
    );
    let line = &report["reportData"][0];
    for (column, expected) in [
        ("patronName", json!("Nielsen, Freya")),
        ("patronBarcode", house.patron["barcode"].clone()),
        ("patronId", house.patron["id"].clone()),
        ("patronGroup", json!("faculty")),
        ("feeFineType", json!("Coffee stains")),
        ("billedAmount", json!("10.00")),
        ("itemBarcode", item["barcode"].clone()),
        ("instance", json!("Beloved")),
        ("feeFineOwner", json!("Main Circ")),
        ("feeFineId", json!(account)),
        ("staffMemberName", json!("")),
    ] {
        assert_eq!(line[column], expected, "{column}: {line}");
    }
    let of = |owner: Uuid| json!({"startDate": "2026-01-02", "feeFineOwners": [owner]});
    let none = house.report("refund", of(fresh_id())).await.expect(200);
    assert_eq!(none.json(), json!({"reportData": []}));
    let reply = house.report("refund", of(house.owner)).await.expect(200);
    assert_eq!(rows(&reply.json(), &["refundAmount"]), ["1.00", "2.50", "6.50"]);
    assert_eq!(reply.round_trips(), 1, "{reply}");
    assert_eq!(house.report("refund", json!({})).await.expect(200).json(), report);

    house.desk.delete(&format!("/accounts/{account}")).await.expect(204);
    let report = house.report("refund", days).await.expect(200).json();
    assert_eq!(rows(&report, &["patronName", "feeFineId", "refundAmount"])[0], format!(" | {account} | "));
}

#[tokio::test]
async fn every_transaction_is_told_with_its_patron_item_and_loan() {
    let house = ReportingLibrary::open().await;
    let (desk, item) = (&house.desk, house.desk.item().await);
    let loan = desk.check_out(&item, &house.patron).await.expect(201).json();
    let lent = json!({"itemId": item["id"], "loanId": loan["id"], "dueDate": "2026-01-01T17:00:00Z"});
    let account = house.account(lent).await;
    let charge = json!({"paymentMethod": null, "source": "System"});
    let why = |why: &str| json!({"paymentMethod": why});
    for (at, kind, amount, more) in [
        ("2025-12-24T17:00:00Z", "Coffee stains", 10.0, charge),
        ("2026-01-02T17:00:00Z", "Paid partially", 3.0, json!({"comments": "STAFF : torn note"})),
        ("2026-01-03T17:00:00Z", "Waived partially", 2.0, why("Kindness")),
        ("2026-01-04T17:00:00Z", "Transferred fully", 5.0, why("Bursar")),
        ("2026-01-05T17:00:00Z", "Refunded partially", 1.0, why("Overpaid")),
        ("2026-01-06T17:00:00Z", "Staff info only", 0.0, why("")),
        ("2026-01-07T17:00:00Z", "Cancelled as error", 1.0, why("")),
    ] {
        house.action(account, at, kind, amount, more).await;
    }
    let other = house.account(json!({"ownerId": fresh_id()})).await;
    house.action(other, "2026-01-02T17:00:00Z", "Paid fully", 10.0, json!({})).await;

    let wanted = json!({"feeFineOwner": house.owner, "startDate": "2026-01-01", "endDate": "2026-01-31"});
    house.report("financial-transactions-detail", wanted.clone()).await.expect(200);
    let reply = house.report("financial-transactions-detail", wanted.clone()).await.expect(200);
    assert_eq!(reply.round_trips(), 1, "{reply}");
    let report = reply.json();
    assert_eq!(
        rows(
            &report,
            &["action", "actionAmount", "paymentMethod", "waiveReason", "transferAccount", "refundReason"]
        ),
        [
            "Payment | 3.00 | Cash |  |  | ",
            "Waive | 2.00 |  | Kindness |  | ",
            "Transfer | 5.00 |  |  | Bursar | ",
            "Refund | 1.00 |  |  |  | Overpaid",
            "Staff info only | 0.00 |  |  |  | ",
            "Cancelled | 1.00 |  |  |  | ",
        ]
    );
    let line = &report["reportData"][0];
    let instance = desk.get("/instance-storage/instances").await.expect(200).json()["instances"][0].clone();
    for (column, expected) in [
        ("actionDate", json!("1/2/26, 12:00 PM")),
        ("actionCreatedAt", json!("Circ Desk 1")),
        ("actionStatus", json!("Paid partially")),
        ("actionAdditionalStaffInfo", json!("torn note")),
        ("dateBilled", json!("12/24/25, 12:00 PM")),
        ("feeFineCreatedAt", json!("Circ Desk 1")),
        ("feeFineSource", json!("System")),
        ("billedAmount", json!("10.00")),
        ("dueDate", json!("1/1/26, 12:00 PM")),
        ("returnDate", json!("")),
        ("patronName", json!("Nielsen, Freya")),
        ("patronGroup", json!("faculty")),
        ("itemId", item["id"].clone()),
        ("itemBarcode", item["barcode"].clone()),
        ("instanceId", instance["id"].clone()),
        ("instance", json!("Beloved")),
        ("holdingsRecordId", item["holdingsRecordId"].clone()),
        ("loanId", loan["id"].clone()),
        ("loanPolicyId", json!(desk.loan_policy)),
        ("loanPolicyName", json!("Three weeks")),
        ("overdueFinePolicyId", json!(OVERDUE_FINE)),
        ("lostItemPolicyId", json!(LOST_ITEM_FEE)),
    ] {
        assert_eq!(line[column], expected, "{column}: {line}");
    }
    for filled in ["effectiveLocation", "loanDate", "overdueFinePolicyName", "lostItemPolicyName"] {
        assert_ne!(line[filled].as_str().unwrap_or_default(), "", "{filled}: {line}");
    }
    assert_eq!(sums(&report, "byFeeFineOwner"), ["Main Circ 12.00 6", "Fee/fine owner totals 12.00 6"]);
    assert_eq!(sums(&report, "byAction")[..2], ["Payment 3.00 1", "Waive 2.00 1"]);
    assert_eq!(sums(&report, "byWaiveReason"), ["Kindness 2.00 1", "Waive reason totals 2.00 1"]);
    assert_eq!(sums(&report, "byRefundReason"), ["Overpaid 1.00 1", "Refund reason totals 1.00 1"]);
    let mut elsewhere = wanted;
    add_members(&mut elsewhere, json!({"createdAt": [fresh_id()]}));
    let report = house.report("financial-transactions-detail", elsewhere).await.expect(200).json();
    assert_eq!(report["reportData"], json!([]));
    assert_eq!(sums(&report, "byTransferAccount"), ["Transfer account totals 0.00 0"]);
}

#[tokio::test]
async fn a_report_needs_days_that_are_days() {
    let house = ReportingLibrary::open().await;
    let unreadable = "Invalid startDate or endDate parameter";
    let ended = json!({"endDate": "2026-01-01"});
    let told = "Start date should not be empty when end date is specified";
    house.report("refund", ended).await.says(422, told);
    for wrong in ["not-a-date", "1 Jan 2021", ""] {
        let days = json!({"startDate": "2026-01-01", "endDate": wrong});
        house.report("refund", days).await.says(422, unreadable);
        let days = json!({"startDate": wrong, "createdAt": CIRC_DESK});
        house.report("cash-drawer-reconciliation", days).await.says(422, unreadable);
        let days = json!({"startDate": wrong, "feeFineOwner": house.owner});
        house.report("financial-transactions-detail", days).await.says(422, unreadable);
    }
    for (report, wanted, key) in [
        ("refund", json!({"startDay": "2026-01-01"}), "startDay"),
        ("cash-drawer-reconciliation", json!({"createdAt": CIRC_DESK}), "startDate"),
        ("cash-drawer-reconciliation", json!({"startDate": "2026-01-01"}), "createdAt"),
        ("cash-drawer-reconciliation", json!({"startDate": "2026-01-01", "createdAt": "desk"}), "createdAt"),
        ("cash-drawer-reconciliation/sources", json!({}), "createdAt"),
        ("financial-transactions-detail", json!({"startDate": "2026-01-01"}), "feeFineOwner"),
        ("financial-transactions-detail", json!({"feeFineOwner": house.owner}), "startDate"),
    ] {
        let told = house.report(report, wanted.clone()).await.expect(422).text();
        assert!(told.contains(key), "{report} {wanted}: {told}");
    }
}
