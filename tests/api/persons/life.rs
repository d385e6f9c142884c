//! A patron's life in the library: everything that the server keeps of one.

use octavo_modules::permissions::PERMISSION_USER;
use octavo_testkit::reference::{CIRC_DESK, FACULTY};
use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::marks::PersonalMarks;
use crate::notices::Branch;

pub(super) struct PatronLife {
    pub(super) branch: Branch,
    pub(super) marks: PersonalMarks,
    pub(super) patron: Value,
    /// Of loans without fees, with fees, and one that is still open, which a proxy has made.
    pub(super) returned_loan: String,
    pub(super) charged_loan: String,
    pub(super) open_loan: String,
    sponsor: Value,
    lent_item: Value,
}

impl PatronLife {
    pub(super) async fn create() -> PatronLife {
        let branch = Branch::open(&[
            ("loanNotices", "Check out", json!({})),
            ("loanNotices", "Check in", json!({})),
            ("loanNotices", "Renewed", json!({})),
            (
                "loanNotices",
                "Due date",
                json!({"sendHow": "Before", "sendBy": {"duration": 1, "intervalId": "Days"}}),
            ),
            ("feeFineNotices", "Overdue fine returned", json!({"sendHow": "Upon At"})),
        ])
        .await
        .with_mail()
        .await;
        let marks = PersonalMarks::new();
        let kind = json!(fresh_id());
        branch
            .post("/addresstypes", &json!({"id": kind, "addressType": "Where they live"}))
            .await
            .expect(201);
        let patron = branch.post("/users", &marks.patron(FACULTY, &kind)).await.expect(201).json();
        let sponsor = branch.patron().await;
        branch.charge_overdue_fines(0.5, "day", false).await;
        let items = branch.items(4).await;
        let returned = check_out(&branch, &items[0], &patron).await;
        let charged = check_out(&branch, &items[1], &patron).await;
        let mut life = PatronLife {
            returned_loan: returned,
            charged_loan: charged,
            open_loan: String::new(),
            lent_item: items[2].clone(),
            branch,
            marks,
            patron,
            sponsor,
        };
        life.visit_desk(&items).await;
        life.borrow_as_proxy(&items[2]).await;
        life.requests(&items[3]).await;
        life.use_account().await;
        life
    }

    async fn visit_desk(&self, items: &[Value]) {
        let branch = &self.branch;
        branch.renew(&items[0], &self.patron).await.expect(200);
        let remark = json!({"action": "patronInfoAdded", "actionComment": self.marks.remark()});
        branch
            .post(&format!("/circulation/loans/{}/add-info", self.returned_loan), &remark)
            .await
            .expect(204);
        let claim =
            json!({"itemClaimedReturnedDateTime": "2026-11-01T10:00:00Z", "comment": self.marks.remark()});
        branch
            .post(&format!("/circulation/loans/{}/claim-item-returned", self.returned_loan), &claim)
            .await
            .expect(204);
        let back = |item: &Value, at: &str| {
            json!({"itemBarcode": item["barcode"], "servicePointId": CIRC_DESK, "checkInDate": at,
            "claimedReturnedResolution": "Returned by patron"})
        };
        let now = octavo_testkit::system_clock().to_string();
        branch.post("/circulation/check-in-by-barcode", &back(&items[0], &now)).await.expect(200);
        let path = format!("/loan-storage/loans/{}", self.charged_loan);
        let mut late = branch.get(&path).await.expect(200).json();
        late["dueDate"] = json!("2026-11-01T10:00:00.000Z");
        branch.put(&path, &late).await.expect(204);
        // Somebody whom the library knows signs the fine.
        let clerk = branch.with("x-okapi-user-id", self.sponsor["id"].as_str().unwrap());
        clerk.post("/circulation/check-in-by-barcode", &back(&items[1], &now)).await.expect(200);
        for action in ["Check-out", "Check-in"] {
            let end = json!({"endSessions": [{"patronId": self.marks.id, "actionType": action}]});
            branch.post("/circulation/end-patron-action-session", &end).await.expect(204);
        }
        branch.library.relay().await;
        self.act_on_fine("pay", "0.50").await;
    }

    /// Acts on the fine, with a comment about the patron.
    async fn act_on_fine(&self, action: &str, amount: &str) {
        let found =
            self.branch.find("/accounts", &format!("loanId=={}", self.charged_loan)).await.expect(200).json();
        let account = found["accounts"][0]["id"].as_str().unwrap().to_owned();
        let body = json!({"amount": amount, "notifyPatron": true, "servicePointId": CIRC_DESK, "userName": "Clerk",
            "paymentMethod": "Cash", "comments": format!("STAFF : {}", self.marks.remark()), "transactionInfo": self.marks.remark()});
        self.branch.post(&format!("/accounts/{account}/{action}"), &body).await.expect(201);
        self.branch.library.relay().await;
    }

    async fn borrow_as_proxy(&mut self, item: &Value) {
        let relation = json!({"id": fresh_id(), "userId": self.sponsor["id"], "proxyUserId": self.marks.id, "status": "Active",
            "requestForSponsor": "Yes", "notificationsTo": "Sponsor", "accrueTo": "Sponsor"});
        self.branch.post("/proxiesfor", &relation).await.expect(201);
        let body = json!({"itemBarcode": item["barcode"], "userBarcode": self.sponsor["barcode"],
            "proxyUserBarcode": self.patron["barcode"], "servicePointId": CIRC_DESK});
        let loan = self.branch.post("/circulation/check-out-by-barcode", &body).await.expect(201).json();
        self.open_loan = loan["id"].as_str().unwrap().to_owned();
        self.branch.library.relay().await;
    }

    async fn requests(&self, item: &Value) {
        let branch = &self.branch;
        let holdings = item["holdingsRecordId"].as_str().unwrap();
        let instance = branch.get(&format!("/holdings-storage/holdings/{holdings}")).await.expect(200).json()
            ["instanceId"]
            .take();
        let mut body = json!({
            "id": fresh_id(), "requestType": "Page", "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf",
            "itemId": item["id"], "holdingsRecordId": holdings, "instanceId": instance, "requesterId": self.marks.id,
            "pickupServicePointId": CIRC_DESK, "requestDate": "2026-11-01T10:00:00Z", "patronComments": self.marks.remark(),
        });
        let path = format!("/circulation/requests/{}", body["id"].as_str().unwrap());
        branch.post("/circulation/requests", &body).await.expect(201);
        body = branch.get(&path).await.expect(200).json();
        body["status"] = json!("Closed - Cancelled");
        body["cancellationAdditionalInformation"] = json!(self.marks.remark());
        body["cancelledByUserId"] = json!(fresh_id());
        body["cancelledDate"] = json!("2026-11-02T10:00:00Z");
        branch.put(&path, &body).await.expect(204);
        let preference = json!({"userId": self.marks.id, "holdShelf": true, "delivery": false});
        branch.post("/request-preference-storage/request-preference", &preference).await.expect(201);
        branch.library.relay().await;
    }

    async fn use_account(&self) {
        let (branch, id) = (&self.branch, &self.marks.id);
        let block = json!({"userId": id, "desc": self.marks.remark(), "staffInformation": self.marks.remark(),
            "patronMessage": self.marks.remark(), "type": "Manual", "renewals": true});
        branch.post("/manualblocks", &block).await.expect(201);
        let kinds = branch.find("/note-types", "name==\"General note\"").await.expect(200).json();
        for others in [vec![], vec![json!({"id": self.sponsor["id"], "type": "user"})]] {
            let mut links = vec![json!({"id": id, "type": "user"})];
            links.extend(others);
            let title = if links.len() == 1 { self.marks.remark() } else { "Shared".to_owned() };
            let note = json!({"typeId": kinds["noteTypes"][0]["id"], "title": title, "domain": "users", "links": links});
            branch.post("/notes", &note).await.expect(201);
        }
        branch.post("/notify", &json!({"recipientId": id, "text": self.marks.remark()})).await.expect(201);
        let entry = json!({"id": fresh_id(), "scope": "octavo.requests", "key": "holiday", "userId": id,
            "value": {"from": "2026-01-01", "until": "2026-01-02"}});
        branch.post("/settings/entries", &entry).await.expect(204);
        let entry =
            json!({"module": "SETTINGS", "configName": "own", "userId": id, "value": self.marks.remark()});
        branch.post("/configurations/entries", &entry).await.expect(201);
        let credentials =
            json!({"userId": id, "username": self.marks.mark("user"), "password": "Right-1234"});
        branch.post("/authn/credentials", &credentials).await.expect(201);
        for password in ["wrong", "Right-1234"] {
            let body = json!({"username": self.marks.mark("user"), "password": password});
            branch.post("/authn/login-with-expiry", &body).await;
        }
        branch.post("/authn/login", &json!({"username": self.marks.mark("user"), "password": "wrong"})).await;
        branch.post("/patron-pin", &json!({"id": id, "pin": "1234"})).await.expect(201);
        branch.library.store(&PERMISSION_USER, json!({"userId": id, "permissions": []})).await;
        let points = json!({"userId": id, "servicePointsIds": [CIRC_DESK]});
        branch.post("/service-points-users", &points).await.expect(201);
        branch.post("/check-out-lock-storage", &json!({"userId": id, "ttlMs": 1000})).await.expect(201);
        let notice = json!({"notificationId": "1", "to": self.marks.email(), "header": self.marks.remark(),
            "body": self.marks.remark(), "outputFormat": "text/plain"});
        branch.post("/email", &notice).await.expect(200);
        branch.library.relay().await;
    }

    /// Everything is brought back and paid.
    pub(super) async fn return_and_pay(&self) {
        self.branch.check_in(&self.lent_item).await.expect(200);
        let end = json!({"endSessions": [{"patronId": self.sponsor["id"], "actionType": "Check-in"}]});
        self.branch.post("/circulation/end-patron-action-session", &end).await.expect(204);
        let found =
            self.branch.find("/accounts", &format!("loanId=={}", self.charged_loan)).await.expect(200).json();
        let rest = found["accounts"][0]["remaining"].to_string();
        self.act_on_fine("pay", &rest).await;
    }

    pub(super) fn library(&self) -> &Library {
        &self.branch.library
    }
}

async fn check_out(branch: &Branch, item: &Value, patron: &Value) -> String {
    let loan = branch.check_out(item, patron).await.expect(201).json();
    loan["id"].as_str().unwrap().to_owned()
}
