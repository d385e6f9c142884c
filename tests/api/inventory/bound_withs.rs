//! Volumes with several titles.

use octavo_testkit::{Desk, encode, fresh_id};
use serde_json::{Value, json};

use super::shelf::{holdings, instance, item};

const BOUND_WITHS: &str = "/inventory-storage/bound-withs";

struct Volume {
    desk: Desk,
    main: Value,
    other: Value,
    item: Value,
}

async fn volume() -> Volume {
    let desk = Desk::open().await;
    let (first, second) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    let (main, other) = (holdings(&desk, &first, json!({})).await, holdings(&desk, &second, json!({})).await);
    let item = item(&desk, &main, json!({"barcode": "b"})).await;
    Volume { desk, main, other, item }
}

impl Volume {
    async fn bind_to(&self, holdings: &[&Value]) {
        let contents: Vec<Value> =
            holdings.iter().map(|found| json!({"holdingsRecordId": found["id"]})).collect();
        let body = json!({"itemId": self.item["id"], "boundWithContents": contents});
        self.desk.put(BOUND_WITHS, &body).await.expect(204);
    }

    async fn parts(&self) -> i64 {
        let query = format!("itemId=={}", self.item["id"].as_str().unwrap());
        self.desk.find("/inventory-storage/bound-with-parts", &query).await.expect(200).total()
    }

    async fn items_of(&self, holdings: &Value, relations: &str) -> i64 {
        let query = format!("holdingsRecordId=={}", holdings["id"].as_str().unwrap());
        let path = format!("/inventory/items-by-holdings-id?query={query}{relations}");
        self.desk.get(&path).await.expect(200).total()
    }
}

#[tokio::test]
async fn the_title_that_a_volume_belongs_to_is_always_among_its_titles() {
    let volume = volume().await;
    volume.bind_to(&[&volume.other]).await;
    assert_eq!(volume.parts().await, 2);
    volume.bind_to(&[&volume.main, &volume.other]).await;
    assert_eq!(volume.parts().await, 2, "nothing new");
    volume.bind_to(&[&volume.main]).await;
    assert_eq!(volume.parts().await, 0, "one title alone is bound with no other");
}

#[tokio::test]
async fn a_volume_is_found_by_each_of_its_titles() {
    let volume = volume().await;
    assert_eq!(volume.items_of(&volume.main, "").await, 1);
    assert_eq!(volume.items_of(&volume.other, "").await, 0);
    volume.bind_to(&[&volume.other]).await;
    assert_eq!(volume.items_of(&volume.other, "").await, 1);
    assert_eq!(volume.items_of(&volume.main, "&relations=onlyBoundWiths").await, 1);
    let skip = "&relations=onlyBoundWithsSkipDirectlyLinkedItem";
    assert_eq!(
        (volume.items_of(&volume.main, skip).await, volume.items_of(&volume.other, skip).await),
        (0, 1)
    );
    let wrong = volume.desk.get("/inventory/items-by-holdings-id?query=barcode==1").await;
    wrong.says(400, "Items must be retrieved by 'holdingsRecordId' from this API. Query was: barcode==1");
}

#[tokio::test]
async fn all_that_is_missing_is_named() {
    let volume = volume().await;
    let body = json!({"itemId": fresh_id(), "boundWithContents": [{"holdingsRecordId": fresh_id()}]});
    let reply = volume.desk.put(BOUND_WITHS, &body).await.expect(422);
    assert_eq!(reply.refusals(), ["Item not found.", "Holdings record not found."]);
}

#[tokio::test]
async fn items_of_a_title_come_in_the_order_that_is_asked_for_and_are_counted_without_being_shown() {
    let volume = volume().await;
    let id = volume.main["id"].as_str().unwrap();
    for (barcode, number) in [("b2", "1"), ("b1", "2"), ("b3", "3")] {
        item(&volume.desk, &volume.main, json!({"barcode": barcode, "copyNumber": number})).await;
    }
    let ask = async |sort: &str, page: &str| {
        let query = encode(&format!("holdingsRecordId==\"{id}\" {sort}"));
        volume.desk.get(&format!("/inventory/items-by-holdings-id?query={query}{page}")).await.expect(200)
    };
    assert_eq!(ask("", "").await.field_values("items", "barcode"), ["b", "b1", "b2", "b3"]);
    let descending = ask("sortby copyNumber/sort.descending", "").await.field_values("items", "barcode");
    assert!(descending.join(" ").contains("b3 b1 b2"), "{descending:?}");
    let second = ask("sortby barcode/sort.descending", "&limit=1&offset=1").await;
    assert_eq!((second.field_values("items", "barcode"), second.total()), (vec!["b2".to_owned()], 4));
    let none = ask("", "&limit=0").await;
    assert_eq!((none.field_values("items", "barcode").len(), none.total()), (0, 4));
    assert_eq!(ask("", "&offset=9").await.total(), 4);
}
