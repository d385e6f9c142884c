//! mod-entities-links 3.0.1: links between instances and authorities, linking rules, suggestions, and what changed headings do.

mod headings;
mod rules;

use octavo_testkit::Library;
use serde_json::{Value, json};

use crate::quick_marc::{authority, new_id, snapshot};

fn link(instance: &str, authority: &str, rule: i64) -> Value {
    json!({"authorityId": authority, "authorityNaturalId": "n1", "instanceId": instance, "linkingRuleId": rule, "status": "ERROR", "errorCause": "x"})
}

async fn put_links(library: &Library, instance: &str, links: &[Value]) -> octavo_testkit::Reply {
    library.put(&format!("/links/instances/{instance}"), &json!({"links": links})).await
}

async fn links(library: &Library, instance: &str) -> Value {
    library.get(&format!("/links/instances/{instance}")).await.expect(200).json()
}

async fn count_links(library: &Library, ids: &[&String]) -> Vec<Value> {
    let body = json!({"ids": ids});
    let counted = library.post("/links/authorities/bulk/count", &body).await.expect(200).json();
    let of = |id: &str| {
        counted["links"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap()["totalLinks"].clone()
    };
    ids.iter().map(|id| of(id)).collect()
}

#[tokio::test]
async fn the_links_of_an_instance_are_replaced_and_counted() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let first = authority(&library, &snapshot, "n1", "One").await;
    let second = authority(&library, &snapshot, "n2", "Two").await;
    let [instance, other] = [new_id(), new_id()];
    put_links(&library, &instance, &[link(&instance, &first, 1)]).await.expect(204);
    let one = links(&library, &instance).await;
    let number = &one["links"][0]["id"];
    let expected = json!({
        "id": number, "authorityId": first, "authorityNaturalId": "n1", "instanceId": instance, "linkingRuleId": 1, "status": "ACTUAL",
    });
    assert_eq!(one, json!({"links": [expected], "totalRecords": 1}));
    put_links(&library, &instance, &[link(&instance, &second, 2), link(&instance, &first, 1)])
        .await
        .expect(204);
    put_links(&library, &other, &[link(&other, &first, 1)]).await.expect(204);
    let two = links(&library, &instance).await;
    assert_eq!(
        (&two["totalRecords"], &two["links"][0]["id"]),
        (&json!(2), number),
        "a link that stays keeps its number"
    );
    assert_eq!(count_links(&library, &[&first, &second]).await, [json!(2), json!(1)]);
    put_links(&library, &instance, &[]).await.expect(204);
    assert_eq!(links(&library, &instance).await, json!({"links": [], "totalRecords": 0}));
    assert_eq!(count_links(&library, &[&first, &second]).await, [json!(1), json!(0)]);
    assert_eq!(count_links(&library, &[]).await, Vec::<Value>::new());
}

#[tokio::test]
async fn links_that_cannot_be_are_refused() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let known = authority(&library, &snapshot, "n1", "One").await;
    let [instance, other] = [new_id(), new_id()];
    let of_another = put_links(&library, &instance, &[link(&other, &known, 1)]).await;
    assert_eq!(of_another.refusals(), [format!("Link should have instanceId = {instance}")]);
    assert_eq!(of_another.json()["errors"][0]["parameters"][0]["value"], json!(other));
    for wrong in [link(&instance, &new_id(), 1), link(&instance, &known, 99)] {
        put_links(&library, &instance, &[wrong]).await.refused("Unknown constraint.");
    }
    put_links(&library, "nonsense", &[]).await.expect(400);
    for member in ["instanceId", "authorityId", "authorityNaturalId", "linkingRuleId"] {
        let mut partial = link(&instance, &known, 1);
        partial[member] = Value::Null;
        let refused = put_links(&library, &instance, &[partial]).await;
        assert_eq!(refused.refusals(), ["must not be null"], "{member}");
        assert_eq!(refused.json()["errors"][0]["parameters"][0]["key"], format!("links[0].{member}"));
    }
    let unreadable = library.post("/links/authorities/bulk/count", &json!(["x"])).await.expect(400).json();
    assert_eq!(unreadable["errors"][0]["type"], "HttpMessageNotReadableException");
}
