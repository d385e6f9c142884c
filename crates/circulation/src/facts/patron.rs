//! A user as borrower or proxy, and their blocks.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;

use crate::document::{flag, text, texts, time, value_at};

#[derive(Debug, Clone, Default)]
pub struct Patron {
    pub record: Value,
    pub group: Option<PatronGroup>,
}

/// Names that staff slips and patron notices show, by id.
#[derive(Debug, Default)]
pub struct PersonNames {
    pub departments: HashMap<String, String>,
    pub address_types: HashMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatronGroup {
    pub id: String,
    /// The field `group`.
    pub name: Option<String>,
    /// The field `desc`.
    pub description: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Proxy {
    pub patron: Patron,
    /// Records of `/proxiesfor` whose `proxyUserId` is this user and whose `userId` is the patron.
    pub relationships: Vec<Value>,
}

/// A record of `/manualblocks`.
#[derive(Debug, Clone, Default)]
pub struct ManualBlock {
    pub record: Value,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AutomatedBlock {
    pub condition_id: String,
    pub message: String,
    pub borrowing: bool,
    pub renewals: bool,
    pub requests: bool,
}

impl Patron {
    texts! {
        barcode = "barcode";
        patron_group_id = "patronGroup";
    }

    pub fn expiration_date(&self) -> Option<Timestamp> {
        time(&self.record, &["expirationDate"])
    }

    pub(crate) fn activity_is_known(&self) -> bool {
        self.record.get("active").is_some()
    }

    pub(crate) fn is_active(&self, now: Timestamp) -> bool {
        flag(&self.record, &["active"]) && self.expiration_date().is_none_or(|expires| expires >= now)
    }

    pub(crate) fn personal(&self, field: &str) -> Option<&str> {
        text(&self.record, &["personal", field])
    }

    /// `Last, First`, or the user name where one of them is missing.
    pub(crate) fn personal_name(&self) -> String {
        let named = |field| self.personal(field).filter(|name| !name.trim().is_empty());
        match (named("lastName"), named("firstName")) {
            (Some(last), Some(first)) => format!("{last}, {first}"),
            _ => text(&self.record, &["username"]).unwrap_or("null").to_owned(),
        }
    }

    pub(crate) fn address_of_type(&self, address_type_id: &str) -> Option<&Value> {
        self.addresses().find(|address| text(address, &["addressTypeId"]) == Some(address_type_id))
    }

    pub(crate) fn primary_address(&self) -> Option<&Value> {
        self.addresses().find(|address| flag(address, &["primaryAddress"]))
    }

    fn addresses(&self) -> impl Iterator<Item = &Value> {
        value_at(&self.record, &["personal", "addresses"]).and_then(Value::as_array).into_iter().flatten()
    }
}

impl Proxy {
    /// The status stands at the top of a relationship or, in older records, under `meta`.
    pub(crate) fn may_act(&self, now: Timestamp) -> bool {
        self.relationships.iter().any(|record| {
            let status = match record.get("status") {
                Some(status) => status.as_str(),
                None => text(record, &["meta", "status"]),
            };
            let expires = match record.get("expirationDate") {
                Some(_) => time(record, &["expirationDate"]),
                None => time(record, &["meta", "expirationDate"]),
            };
            status.is_some_and(|status| status.eq_ignore_ascii_case("Active"))
                && expires.is_none_or(|expires| expires >= now)
        })
    }
}

impl ManualBlock {
    pub(crate) fn description(&self) -> &str {
        text(&self.record, &["desc"]).unwrap_or("null")
    }

    /// `action` is `borrowing`, `renewals` or `requests`.
    pub(crate) fn blocks(&self, action: &str, now: Timestamp) -> bool {
        flag(&self.record, &[action])
            && time(&self.record, &["expirationDate"]).is_none_or(|expires| expires > now)
    }
}
