//! What a reader and the desk do again and again: each call of a kind that libraries live by.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Client, Desk, encode, fresh_id};
use serde_json::{Value, json};

use super::fleet::Fleet;

pub(super) struct Reader {
    desk: Desk,
    patron: Value,
    other: Value,
    item: Value,
    holdings: Value,
    /// The numbers of acknowledged check-outs, new titles and changes.
    acknowledged_loans: u64,
    acknowledged_titles: u64,
    acknowledged_changes: u64,
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

impl Reader {
    pub(super) async fn new(desk: &Desk) -> Reader {
        let item = desk.item().await;
        let holdings = desk
            .get(&format!("/holdings-storage/holdings/{}", item["holdingsRecordId"].as_str().unwrap()))
            .await
            .expect(200)
            .json();
        let (patron, other) = (desk.patron().await, desk.patron().await);
        Reader {
            desk: desk.clone(),
            patron,
            other,
            item,
            holdings,
            acknowledged_loans: 0,
            acknowledged_titles: 0,
            acknowledged_changes: 0,
        }
    }

    /// Each step rests on those before it; one that fails is noted, and ends the round.
    pub(super) async fn do_round(&mut self, fleet: &Fleet) -> Option<()> {
        let client: &Client = &self.desk.clone();
        let nothing = Value::Null;
        let lend = Desk::check_out_body(&self.item, &self.patron);
        fleet.send(client, ("POST", "/circulation/check-out-by-barcode"), &lend, 201).await?;
        self.acknowledged_loans += 1;
        let loans = format!("userId=={} and status.name==Open", id(&self.patron));
        let loans = format!("/circulation/loans?query={}", encode(&loans));
        let found = fleet.send(client, ("GET", &loans), &nothing, 200).await?;
        assert_eq!(found.total(), 1, "{found}");
        let hold = json!({
            "id": fresh_id(), "requestType": "Hold", "requestLevel": "Item", "requesterId": self.other["id"],
            "instanceId": self.holdings["instanceId"], "holdingsRecordId": self.holdings["id"], "itemId": self.item["id"],
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK,
            "requestDate": "2026-11-01T10:00:00.000+00:00",
        });
        fleet.send(client, ("POST", "/circulation/requests"), &hold, 201).await?;
        let hold = format!("/circulation/requests/{}", id(&hold));
        fleet.send(client, ("GET", &hold), &nothing, 200).await?;
        fleet.send(client, ("DELETE", &hold), &nothing, 204).await?;
        let renewal = json!({"itemBarcode": self.item["barcode"], "userBarcode": self.patron["barcode"]});
        fleet.send(client, ("POST", "/circulation/renew-by-barcode"), &renewal, 200).await?;
        let back = self.desk.check_in_body(&self.item);
        fleet.send(client, ("POST", "/circulation/check-in-by-barcode"), &back, 200).await?;
        self.change_item_and_add_title(fleet).await?;
        let user = format!("/users/{}", id(&self.patron));
        let mut changed = fleet.send(client, ("GET", &user), &nothing, 200).await?.json();
        changed["personal"]["firstName"] = json!(format!("Freya {}", self.acknowledged_loans));
        fleet.send(client, ("PUT", &user), &changed, 204).await?;
        let query = format!("username==\"{}\"", self.patron["username"].as_str().unwrap());
        let found =
            fleet.send(client, ("GET", &format!("/users?query={}", encode(&query))), &nothing, 200).await?;
        assert_eq!(found.total(), 1, "{found}");
        Some(())
    }

    async fn change_item_and_add_title(&mut self, fleet: &Fleet) -> Option<()> {
        let client: &Client = &self.desk.clone();
        let nothing = Value::Null;
        let path = format!("/item-storage/items/{}", id(&self.item));
        let mut item = fleet.send(client, ("GET", &path), &nothing, 200).await?.json();
        item["copyNumber"] = json!((self.acknowledged_changes + 1).to_string());
        fleet.send(client, ("PUT", &path), &item, 204).await?;
        self.acknowledged_changes += 1;
        let barcode = format!("barcode=={}", self.item["barcode"].as_str().unwrap());
        let found = format!("/inventory/items?query={}", encode(&barcode));
        fleet.send(client, ("GET", &found), &nothing, 200).await?;
        let title = json!({
            "id": fresh_id(), "source": "FOLIO", "title": format!("Lighthouses {}", id(&self.patron)),
            "instanceTypeId": octavo_testkit::reference::TEXT,
        });
        fleet.send(client, ("POST", "/instance-storage/instances"), &title, 201).await?;
        self.acknowledged_titles += 1;
        let query = encode(&format!("title all \"{}\"", id(&self.patron)));
        let found = format!("/instance-storage/instances?limit=1&query={query}");
        fleet.send(client, ("GET", &found), &nothing, 200).await?;
        Some(())
    }

    /// Everything that was acknowledged is there, once.
    pub(super) async fn assert_as_acknowledged(&self, desk: &Desk) {
        let count = async |path: &str, query: &str| {
            desk.get(&format!("{path}?limit=0&query={}", encode(query))).await.expect(200).total()
        };
        let loans = count("/loan-storage/loans", &format!("userId=={}", id(&self.patron))).await;
        assert_eq!(u64::try_from(loans).unwrap(), self.acknowledged_loans);
        let query = format!("title==\"Lighthouses {}\"", id(&self.patron));
        assert_eq!(
            u64::try_from(count("/instance-storage/instances", &query).await).unwrap(),
            self.acknowledged_titles
        );
        let item = desk.get(&format!("/item-storage/items/{}", id(&self.item))).await.expect(200).json();
        assert_eq!(
            (&item["copyNumber"], &item["status"]["name"]),
            (&json!(self.acknowledged_changes.to_string()), &json!("Available"))
        );
    }
}
