//! Self-check machines, gates and sorters: what they send, and what comes back.
//!
//! A machine works as a user of the library. Each test has a library of its own, a door for its machines, and reads the answers as they
//! come: times are written as `<now>` or `<time>`.

mod check_in;
mod check_out;
mod conversation;
mod fees;
mod holds;
mod items;
mod log_in;
mod patrons;
mod renewals;
mod settings;
mod strangers;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Machine, MachineLimits, Machines, fresh_id, octavo};
use serde_json::{Value, json};

/// What the user of a machine may do: edge-sip2's list, and what holds, blocks and ends of sessions need beside it.
pub(crate) const PERMISSIONS: &[&str] = &[
    "circulation.check-in-by-barcode.post",
    "circulation.check-out-by-barcode.post",
    "circulation.renew-by-barcode.post",
    "circulation.loans.collection.get",
    "circulation.requests.collection.get",
    "circulation.requests.item.get",
    "circulation.requests.item.post",
    "circulation.requests.item.put",
    "circulation.end-patron-action-session.post",
    "circulation-storage.cancellation-reasons.collection.get",
    "inventory.items.collection.get",
    "inventory-storage.holdings.item.get",
    "inventory-storage.service-points.collection.get",
    "users.collection.get",
    "usergroups.item.get",
    "accounts.collection.get",
    "accounts.pay.post",
    "manualblocks.collection.get",
    "manualblocks.item.post",
    "automated-patron-blocks.collection.get",
    "patron-pin.validate",
];

/// A library with a door for machines.
pub(crate) struct Branch {
    pub(crate) desk: Desk,
    pub(crate) machines: Machines,
}

impl Branch {
    /// Its machines write UTF-8 and work as the user `kiosk` with the password `secret`.
    pub(crate) async fn open() -> Branch {
        Branch::open_with_limits(PERMISSIONS, MachineLimits::default()).await
    }

    async fn open_with_limits(permissions: &[&str], limits: MachineLimits) -> Branch {
        let desk = Box::pin(Desk::open()).await;
        user(&desk, "kiosk", "secret", permissions).await;
        let tenant = tenant(&desk);
        let terminals = json!({"tenant": tenant, "charset": "UTF-8"}).to_string();
        let machines = Box::pin(octavo().await.machines(&terminals, limits)).await;
        Branch { desk, machines }
    }

    /// A machine at the circulation desk that has logged in.
    async fn logged_in_machine(&self) -> Machine {
        let mut machine = self.machines.connect().await;
        assert_eq!(machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await, "941");
        machine
    }

    /// Settings of all machines, as edge-sip2 keeps them in mod-configuration.
    pub(crate) async fn set_for_all(&self, value: &Value) {
        self.put_configuration("acsTenantConfig", value).await;
    }

    /// Settings of the machines at the circulation desk.
    async fn set_for_circulation_desk(&self, value: &Value) {
        self.put_configuration(&format!("selfCheckoutConfig.{CIRC_DESK}"), value).await;
    }

    async fn put_configuration(&self, name: &str, value: &Value) {
        let entry =
            json!({"module": "edge-sip2", "configName": name, "enabled": true, "value": value.to_string()});
        self.desk.post("/configurations/entries", &entry).await.expect(201);
    }
}

fn tenant(desk: &Desk) -> String {
    desk.header("x-okapi-tenant").expect("a tenant").to_owned()
}

/// A user with a password and these permissions.
async fn user(desk: &Desk, name: &str, password: &str, permissions: &[&str]) -> Value {
    let user = json!({"id": fresh_id(), "username": name, "active": true, "personal": {"lastName": name}});
    desk.post("/users", &user).await.expect(201);
    give_password(desk, &user, password).await;
    let permissions = json!({"userId": user["id"], "permissions": permissions});
    desk.post("/perms/users", &permissions).await.expect(201);
    user
}

async fn give_password(desk: &Desk, user: &Value, password: &str) {
    let credentials = json!({"userId": user["id"], "username": user["username"], "password": password});
    desk.post("/authn/credentials", &credentials).await.expect(201);
}

pub(crate) fn log_in_message(name: &str, password: &str, location: &str) -> String {
    format!("9300CN{name}|CO{password}|CP{location}|")
}

/// The barcode of a record.
pub(crate) fn barcode(record: &Value) -> &str {
    record["barcode"].as_str().expect("a barcode")
}

pub(crate) const NOW: &str = "20260101    120000";

/// A check-out, without a password.
fn check_out_message(patron: &Value, item: &Value) -> String {
    format!("11NN{NOW}{:18}AOo|AA{}|AB{}|AC|", "", barcode(patron), barcode(item))
}

fn check_in_message(item: &Value) -> String {
    format!("09N{NOW}{:18}AP|AOo|AB{}|AC|", "", barcode(item))
}

/// An answer in which every time is replaced by `<time>`.
fn mask_times(answer: &str) -> String {
    let is_time = |at: usize| {
        let text = answer.get(at..at + 18);
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        text.is_some_and(|text| digits(&text[..8]) && &text[8..12] == "    " && digits(&text[12..]))
    };
    let (mut masked, mut at) = (String::new(), 0);
    while let Some(letter) = answer[at..].chars().next() {
        if is_time(at) {
            masked += "<time>";
            at += 18;
        } else {
            masked.push(letter);
            at += letter.len_utf8();
        }
    }
    masked
}

/// The values of a variable field of an answer.
pub(crate) fn field_values<'a>(answer: &'a str, code: &str, fixed: usize) -> Vec<&'a str> {
    answer[2 + fixed..].split('|').filter_map(|field| field.strip_prefix(code)).collect()
}
