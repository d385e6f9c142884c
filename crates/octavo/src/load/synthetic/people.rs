//! Patrons, and what they have lent and wait for.

use jiff::{SignedDuration, Timestamp};
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::books::{RecordGenerator, patron_name};
use super::chance::{Chance, Purpose, id};

/// An item that is lent, as loans and requests need it.
pub(super) struct LentItem {
    pub(super) instance: Value,
    pub(super) barcode: String,
    pub(super) location: String,
}

impl RecordGenerator {
    pub(super) fn patron(&self, at: u64) -> Value {
        let mut chance = Chance::new(self.shape.seed, Purpose::Patron, at);
        let (given, family) = patron_name(&mut chance);
        json!({
            "id": id(self.shape.seed, Purpose::Patron, at),
            "username": format!("patron{:06}", at + 1),
            "barcode": format!("2{:013}", at + 1),
            "externalSystemId": format!("synthetic-{:06}", at + 1),
            "active": true,
            "type": "patron",
            "patronGroup": chance.pick(&self.types.groups),
            "enrollmentDate": "2020-01-01T00:00:00.000+00:00",
            "expirationDate": "2099-12-31T23:59:59.000+00:00",
            "personal": {
                "lastName": family,
                "firstName": given,
                "email": format!("patron{:06}@example.org", at + 1),
                "preferredContactTypeId": "002",
                "addresses": [{
                    "countryId": "US",
                    "addressLine1": format!("{} Chandlers Row", chance.between(1, 400)),
                    "city": "Westhaven",
                    "region": "ME",
                    "postalCode": "04000",
                    "addressTypeId": self.types.home_address,
                    "primaryAddress": true,
                }],
            },
        })
    }

    /// Three weeks from a day within the last three.
    pub(super) fn loan(&self, at: u64, lent: &LentItem, today: Timestamp) -> Value {
        let mut chance = Chance::new(self.shape.seed, Purpose::Loan, at);
        let patron = self.borrower(at);
        let minutes = i64::try_from(chance.between(60, 20 * 24 * 60)).unwrap_or(60);
        let lent_at = today - SignedDuration::from_mins(minutes);
        let due = lent_at + SignedDuration::from_hours(21 * 24);
        json!({
            "id": id(self.shape.seed, Purpose::Loan, at),
            "userId": id(self.shape.seed, Purpose::Patron, patron),
            "itemId": self.item_id(self.shape.lent_instance(at), 0, 0),
            "itemEffectiveLocationIdAtCheckOut": lent.location,
            "status": {"name": "Open"},
            "loanDate": folio_time(lent_at),
            "dueDate": folio_time(due),
            "action": "checkedout",
            "itemStatus": "Checked out",
            "loanPolicyId": self.types.loan_policy,
            "overdueFinePolicyId": self.types.overdue_policy,
            "lostItemPolicyId": self.types.lost_policy,
            "checkoutServicePointId": chance.pick(&self.types.service_points),
            "patronGroupIdAtCheckout": self.patron(patron)["patronGroup"],
        })
    }

    /// A request of another patron for the item of a loan.
    pub(super) fn request(&self, at: u64, lent: &LentItem, today: Timestamp) -> Value {
        let mut chance = Chance::new(self.shape.seed, Purpose::Request, at);
        let waiting = (self.borrower(at) + 1 + chance.below(self.shape.patrons() - 1)) % self.shape.patrons();
        let minutes = i64::try_from(chance.between(1, 59)).unwrap_or(1);
        let patron = self.patron(waiting);
        let instance = self.shape.lent_instance(at);
        json!({
            "id": id(self.shape.seed, Purpose::Request, at),
            "requestLevel": "Item",
            "requestType": "Hold",
            "requestDate": folio_time(today - SignedDuration::from_mins(minutes)),
            "requesterId": patron["id"],
            "instanceId": self.instance_id(instance),
            "holdingsRecordId": self.holdings_id(instance, 0),
            "itemId": self.item_id(instance, 0, 0),
            "status": "Open - Not yet filled",
            "position": 1,
            "instance": {"title": lent.instance["title"], "identifiers": lent.instance["identifiers"]},
            "item": {"barcode": lent.barcode},
            "requester": {
                "firstName": patron["personal"]["firstName"],
                "lastName": patron["personal"]["lastName"],
                "barcode": patron["barcode"],
            },
            "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": chance.pick(&self.types.service_points),
        })
    }

    /// The number of the patron who has a loan. The patrons borrow in turn.
    fn borrower(&self, loan: u64) -> u64 {
        loan % self.shape.patrons()
    }
}
