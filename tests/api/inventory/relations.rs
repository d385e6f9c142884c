//! Relations between instances, as they are sent with an instance: those that cannot be are refused, and nothing is stored.

use octavo_testkit::{Desk, fresh_id, reference};
use serde_json::{Value, json};

use super::shelf::{instance, put_record, with_members};

const MULTIPART: &str = "30773a27-b485-4dab-aeb6-b8c04fa3cb17";

async fn get_instance(desk: &Desk, record: &Value) -> Value {
    desk.get(&path(record)).await.expect(200).json()
}

fn path(record: &Value) -> String {
    format!("/inventory/instances/{}", record["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_relation_to_an_unknown_instance_is_refused() {
    let desk = Desk::open().await;
    let stored = instance(&desk, json!({"title": "Stored"})).await;
    let nowhere = fresh_id();
    let before = json!({"precedingTitles": [{"precedingInstanceId": nowhere}]});
    let above =
        json!({"parentInstances": [{"superInstanceId": nowhere, "instanceRelationshipTypeId": MULTIPART}]});
    let untyped = json!({"parentInstances": [{"superInstanceId": stored["id"], "instanceRelationshipTypeId": nowhere}]});
    let said = |field: &str, table: &str| {
        format!("Cannot set {field} = {nowhere} because it does not exist in {table}.id.")
    };
    for (relation, status, said) in [
        (before, 422, said("preceding_succeeding_title.precedinginstanceid", "instance")),
        (above, 400, said("instance_relationship.superinstanceid", "instance")),
        (
            untyped,
            400,
            said("instance_relationship.instancerelationshiptypeid", "instance_relationship_type"),
        ),
    ] {
        let body = json!({"source": "FOLIO", "title": "Related", "instanceTypeId": reference::TEXT});
        let created =
            desk.post("/inventory/instances", &with_members(body, relation.clone())).await.expect(status);
        let changed = with_members(
            get_instance(&desk, &stored).await,
            with_members(relation, json!({"title": "Changed"})),
        );
        let replaced = desk.put(&path(&stored), &changed).await.expect(status);
        for reply in [created, replaced] {
            let told = if status == 422 { reply.refusals().join("") } else { reply.text() };
            assert_eq!(told, said, "{reply}");
        }
    }
    let all = desk.get("/instance-storage/instances").await.expect(200);
    assert_eq!(all.field_values("instances", "title"), ["Stored"]);
}

#[tokio::test]
async fn a_relationship_that_cannot_be_changed_is_told_as_the_database_says_it() {
    let desk = Desk::open().await;
    let [above, below] = [instance(&desk, json!({})).await, instance(&desk, json!({})).await];
    let relationships = "/instance-storage/instance-relationships";
    let body = json!({
        "superInstanceId": above["id"], "subInstanceId": below["id"], "instanceRelationshipTypeId": MULTIPART,
    });
    let stored = desk.post(relationships, &body).await.expect(201).json();
    let nowhere = fresh_id();
    let said = format!(
        "insert or update on table \"instance_relationship\" violates foreign key constraint \"subinstanceid_instance_fkey\": \
         Key (subinstanceid)=({nowhere}) is not present in table \"instance\"."
    );
    let changed = with_members(stored, json!({"subInstanceId": nowhere}));
    put_record(&desk, relationships, &changed).await.says(400, &said);
    let unknown = with_members(body, json!({"id": nowhere}));
    put_record(&desk, relationships, &unknown)
        .await
        .says(404, "No records match the query, no records updated");
}

#[tokio::test]
async fn a_relation_says_to_what_and_how() {
    let desk = Desk::open().await;
    let body = json!({"source": "FOLIO", "title": "Related", "instanceTypeId": reference::TEXT});
    let related = with_members(body, json!({"childInstances": [{"instanceRelationshipTypeId": MULTIPART}]}));
    let reply = desk.post("/inventory/instances", &related).await.expect(422);
    assert_eq!(reply.refused_keys(), ["subInstanceId"]);
}

#[tokio::test]
async fn the_relation_of_other_instances_is_not_overwritten() {
    let desk = Desk::open().await;
    let mut instances = Vec::new();
    for title in ["First", "Second", "Third"] {
        instances.push(instance(&desk, json!({"title": title})).await);
    }
    let [first, second, third] = instances.try_into().unwrap();
    let before = |more: Value| json!({"precedingTitles": [with_members(json!({"precedingInstanceId": first["id"]}), more)]});
    desk.put(&path(&second), &with_members(get_instance(&desk, &second).await, before(json!({}))))
        .await
        .expect(204);
    let related = get_instance(&desk, &second).await;
    let id = related["precedingTitles"][0]["id"].as_str().unwrap();
    let taken = with_members(get_instance(&desk, &third).await, before(json!({"id": id})));
    let reply = desk.put(&path(&third), &taken).await;
    reply.refused(&format!("id value already exists in table preceding_succeeding_title: {id}"));
    assert_eq!(get_instance(&desk, &second).await["precedingTitles"], related["precedingTitles"]);
    // The title's own one changes.
    let unconnected = json!({"precedingTitles": [{"id": id, "title": "Elsewhere"}]});
    desk.put(&path(&second), &with_members(related, unconnected.clone())).await.expect(204);
    assert_eq!(get_instance(&desk, &second).await["precedingTitles"], unconnected["precedingTitles"]);
}

#[tokio::test]
async fn all_instances_are_deleted_with_the_relationships_between_them() {
    let desk = Desk::open().await;
    let above = instance(&desk, json!({})).await;
    let below = json!({"source": "FOLIO", "title": "Below", "instanceTypeId": reference::TEXT,
        "parentInstances": [{"superInstanceId": above["id"], "instanceRelationshipTypeId": MULTIPART}]});
    for path in ["/instance-storage/instances", "/inventory/instances"] {
        let below = with_members(below.clone(), json!({"id": fresh_id()}));
        if desk.get(path).await.expect(200).total() == 0 {
            desk.post("/instance-storage/instances", &with_members(above.clone(), json!({"_version": null})))
                .await
                .expect(201);
        }
        desk.post("/inventory/instances", &below).await.expect(201);
        desk.delete(&format!("{path}?query=cql.allRecords=1")).await.says(204, "");
        assert_eq!(desk.get(path).await.expect(200).total(), 0);
    }
}
