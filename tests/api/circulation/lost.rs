//! Lost items that turn up again, and lost items of which staff name the cost.

use std::ops::Deref;

use octavo_testkit::reference::{CIRC_DESK, LOST_ITEM_FEE};
use octavo_testkit::{Reply, fresh_id};
use serde_json::{Value, json};

use super::timers::{Branch, run_timer};

const BILL_AGED: &str = "/circulation/scheduled-age-to-lost-fee-charging";
const RECORDS: &str = "/actual-cost-record-storage/actual-cost-records";

/// A desk at which lost items cost something, and an item on loan.
struct LostItemDesk {
    branch: Branch,
    item: Value,
    patron: Value,
    loan: String,
}

impl Deref for LostItemDesk {
    type Target = Branch;

    fn deref(&self) -> &Branch {
        &self.branch
    }
}

impl LostItemDesk {
    /// A desk that charges five for the processing of a lost item, and the given amount for the item.
    async fn with_charge(charge_amount_item: Value) -> LostItemDesk {
        let branch = Branch::open().await;
        let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
        let mut policy = branch.get(&path).await.expect(200).json();
        policy["chargeAmountItem"] = charge_amount_item;
        for charge in ["chargeAmountItemPatron", "chargeAmountItemSystem", "returnedLostItemProcessingFee"] {
            policy[charge] = json!(true);
        }
        policy["lostItemProcessingFee"] = json!(5.0);
        policy["itemAgedLostOverdue"] = json!({"duration": 1, "intervalId": "Minutes"});
        policy["lostItemChargeFeeFine"] = json!({"duration": 1, "intervalId": "Minutes"});
        branch.put(&path, &policy).await.expect(204);
        let point = json!({"value": CIRC_DESK, "label": "Circ Desk 1"});
        let owner = json!({"id": fresh_id(), "owner": "Main Circ", "servicePointOwner": [point]});
        branch.post("/owners", &owner).await.expect(201);
        let (patron, item) = (branch.patron().await, branch.item().await);
        let loan = branch.check_out(&item, &patron).await.expect(201).json();
        let loan = loan["id"].as_str().unwrap().to_owned();
        LostItemDesk { branch, item, patron, loan }
    }

    async fn declare_lost(&self) -> Reply {
        let body = json!({"servicePointId": CIRC_DESK});
        self.post(&format!("/circulation/loans/{}/declare-item-lost", self.loan), &body).await
    }

    async fn accounts(&self) -> Vec<Value> {
        let found = self.find("/accounts", &format!("loanId=={} sortby feeFineType", self.loan)).await;
        found.expect(200).json()["accounts"].as_array().unwrap().clone()
    }

    async fn pay(&self, account: &Value, amount: &str) {
        let payment = json!({"amount": amount, "notifyPatron": false, "servicePointId": CIRC_DESK,
            "userName": "Clerk", "paymentMethod": "Cash"});
        let path = format!("/accounts/{}/pay", account["id"].as_str().unwrap());
        self.post(&path, &payment).await.expect(201);
    }

    async fn actions(&self, account: &Value) -> Vec<String> {
        let query = format!("accountId=={} sortby dateAction", account["id"].as_str().unwrap());
        let mut kinds = self
            .find("/feefineactions", &query)
            .await
            .expect(200)
            .field_values("feefineactions", "typeAction");
        kinds.sort();
        kinds
    }

    async fn read_loan(&self) -> Value {
        self.get(&format!("/circulation/loans/{}", self.loan)).await.expect(200).json()
    }

    async fn actual_cost_record(&self) -> Value {
        let found = self.find(RECORDS, &format!("loan.id=={}", self.loan)).await.expect(200).json();
        assert_eq!(found["totalRecords"], 1);
        found["actualCostRecords"][0].clone()
    }

    /// Sets the due date to yesterday and lets the item age to lost.
    async fn age_to_lost(&self) {
        let path = format!("/loan-storage/loans/{}", self.loan);
        let mut loan = self.get(&path).await.expect(200).json();
        loan["dueDate"] = json!("2020-01-01T00:00:00.000+00:00");
        self.put(&path, &loan).await.expect(204);
        run_timer(self, "/circulation/scheduled-age-to-lost").await;
        run_timer(self, BILL_AGED).await;
    }
}

fn charge_ten() -> Value {
    json!({"chargeType": "anotherCost", "amount": 10.0})
}

fn charge_actual_cost() -> Value {
    json!({"chargeType": "actualCost", "amount": 0.0})
}

#[tokio::test]
async fn a_declared_loss_that_turns_up_is_given_back_in_two_round_trips() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.declare_lost().await.expect(204);
    let [item, work] = &lost.accounts().await[..] else { panic!("two fees") };
    lost.pay(item, "4").await;
    let reply = lost.check_in(&lost.item).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let after = lost.accounts().await;
    assert!(after.iter().all(|account| account["remaining"] == 0.0 && account["status"]["name"] == "Closed"));
    assert!(after.iter().all(|account| account["paymentStatus"]["name"] == "Cancelled item returned"));
    let all =
        ["Cancelled item returned", "Credited fully", "Lost item fee", "Paid partially", "Refunded fully"];
    assert_eq!(lost.actions(item).await, all);
    assert_eq!(lost.actions(work).await, ["Cancelled item returned", "Lost item processing fee"]);
    assert_eq!(lost.status(&lost.item).await, "Available");
    assert_eq!(lost.read_loan().await["feesAndFines"]["amountRemainingToPay"], 0.0);
}

#[tokio::test]
async fn an_item_that_was_paid_for_turns_up_and_the_money_goes_back() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.age_to_lost().await;
    let fees = lost.accounts().await;
    assert_eq!(fees.len(), 2);
    for account in &fees {
        lost.pay(account, &account["amount"].to_string()).await;
    }
    assert_eq!(lost.status(&lost.item).await, "Lost and paid");
    let reply = lost.check_in(&lost.item).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    assert!(reply.json().get("loan").is_none(), "the loan was over: {reply}");
    for account in &fees {
        assert!(lost.actions(account).await.contains(&"Refunded fully".to_owned()));
    }
    assert_eq!(lost.status(&lost.item).await, "Available");
    // The item can be lent again, and returning it gives nothing back a second time.
    lost.check_out(&lost.item, &lost.patron).await.expect(201);
    lost.check_in(&lost.item).await.expect(200);
    assert_eq!(lost.actions(&fees[0]).await.len(), 5);
}

#[tokio::test]
async fn an_item_that_nobody_ever_lost_is_not_lost() {
    let branch = Branch::open().await;
    let mut item = branch.item().await;
    item["status"] = json!({"name": "Lost and paid"});
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap());
    branch.put(&path, &item).await.expect(204);
    let message = "Item is lost however there is no aged to lost nor declared lost loan found";
    branch.check_in(&item).await.refused(message);
}

#[tokio::test]
async fn a_renewal_by_override_and_a_declaration_give_back_what_ageing_cost() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.age_to_lost().await;
    lost.declare_lost().await.expect(204);
    let statuses = |accounts: Vec<Value>| {
        let status = |account: &Value| account["paymentStatus"]["name"].as_str().unwrap().to_owned();
        let mut statuses: Vec<String> = accounts.iter().map(status).collect();
        statuses.sort();
        statuses
    };
    let declared = "Cancelled item declared lost";
    assert_eq!(statuses(lost.accounts().await), [declared, declared, "Outstanding", "Outstanding"]);
    let body = json!({"itemBarcode": lost.item["barcode"], "userBarcode": lost.patron["barcode"],
        "servicePointId": CIRC_DESK, "overrideBlocks": {
            "renewalDueDateRequiredBlock": {"dueDate": "2040-01-01T00:00:00.000Z"}, "comment": "found"}});
    let reply = lost.post("/circulation/renew-by-barcode", &body).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    let renewed = "Cancelled item renewed";
    assert_eq!(statuses(lost.accounts().await), [declared, declared, renewed, renewed]);
    assert_eq!(lost.status(&lost.item).await, "Checked out");
}

#[tokio::test]
async fn ageing_and_its_bill_are_explained_and_not_undone() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.age_to_lost().await;
    let explained = lost.get(&format!("/circulation/loans/{}/explain", lost.loan)).await.expect(200);
    let billing = "billing of an item that has aged to lost";
    assert_eq!(explained.field_values("decisions", "decision"), ["check-out", "ageing to lost", billing]);
    for sentence in ["and counts as lost from", "Lost item fee: 10.00 are charged"] {
        assert!(explained.text().contains(sentence), "{sentence}: {explained}");
    }
    let undo = lost.post(&format!("/octavo/loans/{}/undo", lost.loan), &json!({})).await.expect(422);
    let by_clock = format!("The {billing} was done by the clock and cannot be undone");
    assert!(undo.text().contains(&by_clock), "{undo}");
}

#[tokio::test]
async fn staff_bill_the_actual_cost_once_and_the_loan_ends_when_all_is_paid() {
    let lost = LostItemDesk::with_charge(charge_actual_cost()).await;
    lost.declare_lost().await.expect(204);
    let record = lost.actual_cost_record().await;
    assert_eq!((&record["status"], &record["lossType"]), (&json!("Open"), &json!("Declared lost")));
    assert_eq!(record["user"]["lastName"], "Nielsen");
    assert_eq!(record["feeFine"]["type"], "Lost item fee (actual cost)");
    lost.pay(&lost.accounts().await[0], "5").await;
    assert_eq!(lost.read_loan().await["status"]["name"], "Open", "the cost is not known");
    let bill = json!({"actualCostRecordId": record["id"], "amount": 70.5, "servicePointId": CIRC_DESK});
    let billed = lost.post("/actual-cost-fee-fine/bill", &bill).await.expect(201).json();
    assert_eq!((&billed["status"], &billed["feeFine"]["billedAmount"]), (&json!("Billed"), &json!(70.5)));
    let already = format!("Actual cost record {} is already Billed", record["id"].as_str().unwrap());
    lost.post("/actual-cost-fee-fine/bill", &bill).await.says(422, &already);
    let cancel = json!({"actualCostRecordId": record["id"]});
    lost.post("/actual-cost-fee-fine/cancel", &cancel).await.says(422, &already);
    let fees = lost.accounts().await;
    assert_eq!(fees[0]["amount"], 70.5);
    lost.pay(&fees[0], "70.5").await;
    assert_eq!(lost.status(&lost.item).await, "Lost and paid");
    assert_eq!(lost.read_loan().await["status"]["name"], "Closed");
    lost.check_in(&lost.item).await.expect(200);
    assert!(lost.actions(&fees[0]).await.contains(&"Refunded fully".to_owned()));
}

#[tokio::test]
async fn a_cost_that_staff_cancel_or_that_nobody_names_ends_the_loan() {
    let lost = LostItemDesk::with_charge(charge_actual_cost()).await;
    lost.age_to_lost().await;
    let record = lost.actual_cost_record().await;
    assert_eq!(record["lossType"], "Aged to lost");
    assert_eq!(record["user"]["barcode"], lost.patron["barcode"]);
    let cancel = json!({"actualCostRecordId": record["id"], "additionalInfoForStaff": "worn"});
    let cancelled = lost.post("/actual-cost-fee-fine/cancel", &cancel).await.expect(201).json();
    assert_eq!(cancelled["additionalInfoForStaff"], "worn");
    assert_eq!(lost.read_loan().await["status"]["name"], "Open", "the work is owed");
    lost.pay(&lost.accounts().await[0], "5").await;
    assert_eq!(lost.read_loan().await["status"]["name"], "Closed");

    let lost = LostItemDesk::with_charge(charge_actual_cost()).await;
    lost.declare_lost().await.expect(204);
    lost.pay(&lost.accounts().await[0], "5").await;
    let mut record = lost.actual_cost_record().await;
    record["expirationDate"] = json!("2026-01-01T00:00:00.000+00:00");
    lost.put(&format!("{RECORDS}/{}", record["id"].as_str().unwrap()), &record).await.expect(204);
    run_timer(&lost, "/circulation/actual-cost-expiration-by-timeout").await;
    assert_eq!(lost.actual_cost_record().await["status"], "Expired");
    assert_eq!(lost.read_loan().await["status"]["name"], "Closed");
    let undo = lost.post(&format!("/octavo/loans/{}/undo", lost.loan), &json!({})).await.expect(422);
    let by_clock = "The expiry of an actual cost was done by the clock and cannot be undone";
    assert!(undo.text().contains(by_clock), "{undo}");
    let nobody = json!({"actualCostRecordId": fresh_id()});
    let nobody = lost.post("/actual-cost-fee-fine/cancel", &nobody).await.expect(422);
    assert!(nobody.text().ends_with("was not found"), "{nobody}");
}

/// Makes the database execute `does`, such as an exception or a pause, whenever a loan is closed.
async fn break_closing_of_loans(lost: &LostItemDesk, does: &str) {
    let plant = format!(
        "create function planted() returns trigger language plpgsql as $$ begin \
           if new.doc #>> '{{status,name}}' = 'Closed' then {does}; end if; return new; end $$; \
         create trigger planted before update on loan for each row execute function planted()"
    );
    lost.library.script(plant).await;
}

async fn mend_closing_of_loans(lost: &LostItemDesk) {
    lost.library.script("drop trigger planted on loan; drop function planted").await;
}

fn payment(amount: &str) -> Value {
    json!({"amount": amount, "notifyPatron": false, "servicePointId": CIRC_DESK, "userName": "Clerk",
        "paymentMethod": "Cash", "comments": "STAFF : x"})
}

#[tokio::test]
async fn what_closes_the_last_fee_and_the_end_of_the_loan_stand_or_fall_together() {
    for action in ["pay", "waive", "transfer", "cancel"] {
        for bulk in [false, true] {
            let lost = LostItemDesk::with_charge(charge_ten()).await;
            lost.declare_lost().await.expect(204);
            let [item, work] = &lost.accounts().await[..] else { panic!("two fees") };
            lost.pay(item, "10").await;
            break_closing_of_loans(&lost, "raise exception 'planted'").await;
            let (path, mut body) = if bulk {
                let mut body = payment("5");
                body["accountIds"] = json!([work["id"]]);
                (format!("/accounts-bulk/{action}"), body)
            } else {
                (format!("/accounts/{}/{action}", work["id"].as_str().unwrap()), payment("5"))
            };
            if action == "cancel" {
                for of_payments in ["amount", "paymentMethod"] {
                    body.as_object_mut().unwrap().remove(of_payments);
                }
            }
            lost.post(&path, &body).await.expect(500);
            let unchanged = lost.accounts().await.remove(1);
            assert_eq!(
                (&unchanged["remaining"], &unchanged["status"]),
                (&json!(5.0), &work["status"]),
                "{path}"
            );
            assert_eq!(lost.actions(work).await, ["Lost item processing fee"], "{path}");
            assert_eq!(lost.read_loan().await["status"]["name"], "Open", "{path}");
            mend_closing_of_loans(&lost).await;
            let answer = lost.post(&path, &body).await.expect(201).json();
            assert_eq!(answer["feefineactions"].as_array().map(Vec::len), Some(1), "{answer}");
            let loan = lost.read_loan().await;
            let told = (&loan["status"]["name"], &loan["action"]);
            assert_eq!(told, (&json!("Closed"), &json!("closedLoan")), "{path}");
            assert_eq!(lost.status(&lost.item).await, "Lost and paid", "{path}");
        }
    }
}

#[tokio::test]
async fn an_account_that_is_closed_as_a_record_ends_the_loan_too() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.declare_lost().await.expect(204);
    let accounts = lost.accounts().await;
    for (account, status) in accounts.iter().zip(["Open", "Closed"]) {
        let mut closed = account.clone();
        closed["remaining"] = json!(0.0);
        closed["status"]["name"] = json!("Closed");
        lost.put(&format!("/accounts/{}", account["id"].as_str().unwrap()), &closed).await.expect(204);
        assert_eq!(lost.read_loan().await["status"]["name"], status);
        let stored = lost.accounts().await.into_iter().find(|stored| stored["id"] == account["id"]).unwrap();
        assert_eq!(stored["metadata"]["createdDate"], account["metadata"]["createdDate"]);
    }
    assert_eq!(lost.status(&lost.item).await, "Lost and paid");
}

/// mod-circulation would end the loan, because no fee for the loss is open, and the loss would never be billed.
#[tokio::test]
async fn a_fine_that_is_paid_does_not_end_the_loan_of_a_lost_item_that_is_still_to_be_billed() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    let path = format!("/loan-storage/loans/{}", lost.loan);
    let mut loan = lost.get(&path).await.expect(200).json();
    loan["dueDate"] = json!("2020-01-01T00:00:00.000+00:00");
    lost.put(&path, &loan).await.expect(204);
    run_timer(&lost, "/circulation/scheduled-age-to-lost").await;
    assert_eq!(lost.status(&lost.item).await, "Aged to lost");
    let account = json!({
        "id": fresh_id(), "userId": lost.patron["id"], "loanId": lost.loan, "itemId": lost.item["id"],
        "feeFineId": fresh_id(), "ownerId": fresh_id(), "feeFineType": "Overdue fine", "amount": 3.0,
        "remaining": 3.0, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
    });
    lost.post("/accounts", &account).await.expect(201);
    lost.pay(&account, "3").await;
    assert_eq!(lost.read_loan().await["status"]["name"], "Open");
    assert_eq!(lost.status(&lost.item).await, "Aged to lost");
}

#[tokio::test]
async fn an_item_that_is_declared_lost_before_its_ageing_is_billed_is_paid_for_and_its_loan_ends() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    let path = format!("/loan-storage/loans/{}", lost.loan);
    let mut loan = lost.get(&path).await.expect(200).json();
    loan["dueDate"] = json!("2020-01-01T00:00:00.000+00:00");
    lost.put(&path, &loan).await.expect(204);
    run_timer(&lost, "/circulation/scheduled-age-to-lost").await;
    lost.declare_lost().await.expect(204);
    run_timer(&lost, BILL_AGED).await;
    let fees = lost.accounts().await;
    assert_eq!(fees.len(), 2, "the declaration alone is billed");
    for account in &fees {
        lost.pay(account, &account["amount"].to_string()).await;
    }
    assert_eq!(lost.status(&lost.item).await, "Lost and paid");
    assert_eq!(lost.read_loan().await["status"]["name"], "Closed");
}

#[tokio::test]
async fn a_payment_whose_connection_dies_before_the_loan_is_closed_never_was() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    lost.declare_lost().await.expect(204);
    let [item, work] = &lost.accounts().await[..] else { panic!("two fees") };
    lost.pay(item, "10").await;
    break_closing_of_loans(&lost, "perform pg_sleep(120)").await;
    let path = format!("/accounts/{}/pay", work["id"].as_str().unwrap());
    let client = lost.library.clone();
    let paying = tokio::spawn(async move { client.post(&path, &payment("5")).await });
    // Of this test's own library: others sleep in theirs.
    let kill = format!(
        "do $$ begin loop \
           perform pg_terminate_backend(a.pid) from pg_stat_activity a join pg_locks l on l.pid = a.pid \
             where a.wait_event = 'PgSleep' and l.relation = '{}.loan'::regclass; \
           exit when found; perform pg_sleep(0.05); perform pg_stat_clear_snapshot(); end loop; end $$",
        lost.library.tenant.schema()
    );
    lost.library.script(kill).await;
    paying.await.unwrap().expect(503);
    assert_eq!(lost.accounts().await[1]["remaining"], 5.0);
    assert_eq!(lost.read_loan().await["status"]["name"], "Open");
    mend_closing_of_loans(&lost).await;
    lost.pay(work, "5").await;
    assert_eq!(lost.read_loan().await["status"]["name"], "Closed");
}

#[tokio::test]
async fn one_payment_ends_the_loans_of_several_lost_items() {
    let lost = LostItemDesk::with_charge(charge_ten()).await;
    let second = lost.item().await;
    let second_loan = lost.check_out(&second, &lost.patron).await.expect(201).json();
    lost.declare_lost().await.expect(204);
    let path = format!("/circulation/loans/{}/declare-item-lost", second_loan["id"].as_str().unwrap());
    lost.post(&path, &json!({"servicePointId": CIRC_DESK})).await.expect(204);
    let query = format!("userId=={}", lost.patron["id"].as_str().unwrap());
    let all = lost.find("/accounts", &query).await.expect(200).field_values("accounts", "id");
    assert_eq!(all.len(), 4);
    let mut body = payment("30");
    body["accountIds"] = json!(all);
    lost.post("/accounts-bulk/pay", &body).await.expect(201);
    assert_eq!(lost.status(&lost.item).await, "Lost and paid");
    assert_eq!(lost.status(&second).await, "Lost and paid");
}

const CLAIMED: &str = "2026-11-01T10:00:00Z";

/// The notes on the patron, by their titles.
async fn notes(lost: &LostItemDesk) -> Vec<String> {
    let patron = lost.patron["id"].as_str().unwrap();
    let path = format!("/note-links/domain/users/type/user/id/{patron}?status=assigned");
    lost.get(&path).await.expect(200).field_values("notes", "title")
}

#[tokio::test]
async fn a_claim_that_was_wrong_leaves_a_note_on_the_patron() {
    for (does, body, note) in [
        (
            "declare-item-lost",
            json!({"servicePointId": CIRC_DESK}),
            "Claimed returned item marked declared lost",
        ),
        (
            "declare-claimed-returned-item-as-missing",
            json!({"comment": "searched twice"}),
            "Claimed returned item marked missing",
        ),
    ] {
        let lost = LostItemDesk::with_charge(json!({"chargeType": "anotherCost", "amount": 10.0})).await;
        let path = |does: &str| format!("/circulation/loans/{}/{does}", lost.loan);
        let claim = json!({"itemClaimedReturnedDateTime": CLAIMED});
        lost.post(&path("claim-item-returned"), &claim).await.expect(204);
        let types = lost.find("/note-types", "name==\"General note\"").await.expect(200).json();
        let general = types["noteTypes"][0].clone();
        let of_type = format!("/note-types/{}", general["id"].as_str().unwrap());
        lost.delete(&of_type).await.expect(204);
        lost.post(&path(does), &body).await.refused("No General note type found");
        assert_eq!(lost.status(&lost.item).await, "Claimed returned", "nothing is done by halves");

        lost.post("/note-types", &json!({"id": general["id"], "name": "General note"})).await.expect(201);
        lost.post(&path(does), &body).await.expect(204);
        assert_eq!(notes(&lost).await, [note]);
    }
}
