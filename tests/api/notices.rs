//! Notices to patrons: templates, mail, what is sent when, and the ledger of it all.

mod desk;
mod fees;
mod ledger;
mod mail;
mod notify;
mod paper;
mod reminders;
mod requests;
mod scheduled;
mod secure_mail;
mod speed_of_notices;
mod templates;
mod tokens;
mod undone;
mod visits;
mod waiting;

use std::ops::Deref;

use octavo_testkit::reference::{ALLOW_ALL, LOST_ITEM_FEE, OVERDUE_FINE};
use octavo_testkit::{Desk, Library, MailSink, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

/// A desk in a library that writes notices, a mail server, and one template that shows what notices are about.
pub(crate) struct Branch {
    pub(crate) library: Library,
    desk: Desk,
    sink: MailSink,
    template: Uuid,
}

impl Deref for Branch {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

const BODY: &str = "{{user.firstName}}: {{item.title}} {{loan.dueDate}}{{#loans}}[{{item.title}} {{item.barcode}}]{{/loans}}\
    {{request.servicePointPickup}} {{request.reasonForCancellation}}{{#feeCharges}}({{feeCharge.type}} {{feeCharge.amount}}){{/feeCharges}}";

impl Branch {
    /// The policy wants these notices: section, event, and more of the notice's configuration.
    pub(crate) async fn open(notices: &[(&str, &str, Value)]) -> Branch {
        let library = Library::furnished().await.acting_as(fresh_id());
        let desk = Desk::furnish(&library, |_| {}).await;
        let sink = MailSink::open().await;
        let template = fresh_id();
        let record = json!({
            "id": template, "description": "Everything", "outputFormats": ["text/html"], "templateResolver": "mustache",
            "localizedTemplates": {"en": {"header": "From your library", "body": BODY}},
        });
        desk.post("/templates", &record).await.expect(201);
        let policy = fresh_id();
        let mut record = json!({"id": policy, "name": "Notices", "active": true,
            "loanNotices": [], "requestNotices": [], "feeFineNotices": []});
        for (section, when, more) in notices {
            let mut notice = json!({
                "name": when, "templateId": template, "format": "Email", "realTime": true,
                "sendOptions": {"sendWhen": when},
            });
            for (name, value) in more.as_object().into_iter().flatten() {
                match name.as_str() {
                    "sendHow" | "sendBy" | "sendEvery" => notice["sendOptions"][name] = value.clone(),
                    _ => notice[name] = value.clone(),
                }
            }
            record[section].as_array_mut().unwrap().push(notice);
        }
        desk.post("/patron-notice-policy-storage/patron-notice-policies", &record).await.expect(201);
        let policies =
            format!("l {} r {ALLOW_ALL} n {policy} o {OVERDUE_FINE} i {LOST_ITEM_FEE}", desk.loan_policy);
        desk.set_rules(&format!("priority: t, s, c, b, a, m, g\nfallback-policy: {policies}")).await;
        Branch { library, desk, sink, template }
    }

    pub(crate) async fn with_mail(self) -> Branch {
        self.desk.post("/smtp-configuration", &self.sink.configuration()).await.expect(201);
        self
    }

    /// A patron with an e-mail address.
    pub(crate) async fn reader(&self) -> Value {
        let mut patron = self.patron().await;
        let id = patron["id"].as_str().unwrap().to_owned();
        patron["personal"]["email"] = json!(format!("{id}@example.com"));
        self.put(&format!("/users/{id}"), &patron).await.expect(204);
        patron
    }

    /// The ledger's rows, the oldest first.
    pub(crate) async fn ledger_rows(&self) -> Vec<Value> {
        let reply =
            self.find("/notice-ledger/notices", "cql.allRecords=1 sortBy decidedDate").await.expect(200);
        reply.json()["notices"].as_array().unwrap().clone()
    }

    async fn scheduled_notices(&self) -> Vec<Value> {
        let path = "/scheduled-notice-storage/scheduled-notices?limit=100";
        self.get(path).await.expect(200).json()["scheduledNotices"].as_array().unwrap().clone()
    }

    /// What was mailed: addresses and texts.
    pub(crate) fn mailed_texts(&self) -> Vec<(String, String)> {
        let text =
            |data: &str| data.split_once("\n\n").map_or("", |(_, text)| text).trim().replace("=\n", "");
        self.sink.mails().iter().map(|mail| (mail.to.join(","), text(&mail.data))).collect()
    }
}

/// The address of a patron.
fn email_address(patron: &Value) -> String {
    patron["personal"]["email"].as_str().unwrap().to_owned()
}
