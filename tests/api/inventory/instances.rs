//! `/inventory/instances`: instances with their relations.

use octavo_testkit::{Desk, Reply, fresh_id, reference};
use serde_json::{Value, json};

use super::shelf::{holdings, instance, with_members};

const MULTIPART: &str = "30773a27-b485-4dab-aeb6-b8c04fa3cb17";

async fn create_instance(desk: &Desk, more: Value) -> String {
    let body = json!({"source": "FOLIO", "title": "Jazz", "instanceTypeId": reference::TEXT});
    let reply = desk.post("/inventory/instances", &with_members(body, more)).await.expect(201);
    reply.header("location").and_then(|location| location.rsplit('/').next()).unwrap().to_owned()
}

async fn get_instance(desk: &Desk, id: &str) -> Reply {
    desk.get(&format!("/inventory/instances/{id}")).await.expect(200)
}

#[tokio::test]
async fn relations_are_seen_from_both_sides() {
    let desk = Desk::open().await;
    let first = create_instance(&desk, json!({"title": "First"})).await;
    let second = create_instance(&desk, json!({"precedingTitles": [{"precedingInstanceId": first}]})).await;
    let series = json!([{"subInstanceId": first, "instanceRelationshipTypeId": MULTIPART}]);
    let series = create_instance(&desk, json!({"childInstances": series})).await;
    let seen = get_instance(&desk, &first).await;
    assert_eq!(seen.round_trips(), 1, "{seen}");
    let seen = seen.json();
    assert_eq!(seen["succeedingTitles"][0]["succeedingInstanceId"], second.as_str());
    assert_eq!(seen["succeedingTitles"][0]["title"], "Jazz", "as it is now called");
    assert_eq!(seen["parentInstances"][0]["superInstanceId"], series.as_str());
    let seen = get_instance(&desk, &second).await.json();
    assert_eq!(seen["precedingTitles"][0]["title"], "First");
    assert_eq!(
        get_instance(&desk, &series).await.json()["childInstances"][0]["subInstanceId"],
        first.as_str()
    );
}

#[tokio::test]
async fn an_instance_is_replaced_with_all_its_relations() {
    let desk = Desk::open().await;
    let first = create_instance(&desk, json!({})).await;
    let titles = json!([{"title": "Elsewhere"}, {"precedingInstanceId": first}]);
    let second = create_instance(&desk, json!({"precedingTitles": titles})).await;
    let mut before = get_instance(&desk, &second).await.json();
    let titles = before["precedingTitles"].as_array_mut().unwrap();
    titles.retain(|title| title["title"] == "Elsewhere");
    let kept = titles[0]["id"].clone();
    desk.put(&format!("/inventory/instances/{second}"), &before).await.expect(204);
    let after = get_instance(&desk, &second).await.json();
    assert_eq!(
        (after["precedingTitles"].as_array().unwrap().len(), &after["precedingTitles"][0]["id"]),
        (1, &kept)
    );
    assert_eq!(get_instance(&desk, &first).await.json()["succeedingTitles"], json!([]));
}

#[tokio::test]
async fn an_instance_needs_a_title_and_so_do_titles_of_no_instance() {
    let desk = Desk::open().await;
    let body = json!({"source": "FOLIO", "instanceTypeId": reference::TEXT});
    desk.post("/inventory/instances", &body).await.says(400, "Title must be provided for an instance");
    let untitled = with_members(body, json!({"title": "T", "precedingTitles": [{}]}));
    let reply = desk.post("/inventory/instances", &untitled).await;
    let reply = reply.refused("Title is required for unconnected preceding title");
    let about = json!([{"key": "precedingTitles.title", "value": null}]);
    assert_eq!(reply.json()["errors"][0]["parameters"], about);
}

#[tokio::test]
async fn what_comes_from_marc_is_not_changed_here() {
    let desk = Desk::open().await;
    let id = create_instance(&desk, json!({"source": "MARC"})).await;
    let before = get_instance(&desk, &id).await.json();
    let path = format!("/inventory/instances/{id}");
    let refused = "Instance is controlled by MARC record, these fields are blocked and can not be updated: \
        physicalDescriptions,notes,languages,precedingTitles,identifiers,instanceTypeId,modeOfIssuanceId,subjects,source,\
        title,indexTitle,publicationFrequency,electronicAccess,publicationRange,classifications,succeedingTitles,editions,\
        hrid,series,instanceFormatIds,publication,contributors,alternativeTitles";
    desk.put(&path, &with_members(before.clone(), json!({"title": "Other"}))).await.refused(refused);
    desk.put(&path, &with_members(before, json!({"staffSuppress": true}))).await.expect(204);
}

#[tokio::test]
async fn a_deleted_instance_is_only_out_of_sight() {
    let desk = Desk::open().await;
    let id = create_instance(&desk, json!({})).await;
    desk.delete(&format!("/inventory/instances/{id}/mark-deleted")).await.expect(204);
    let after = get_instance(&desk, &id).await.json();
    assert_eq!((&after["staffSuppress"], &after["discoverySuppress"]), (&json!(true), &json!(true)));
    desk.delete(&format!("/inventory/instances/{}/mark-deleted", fresh_id())).await.says(404, "Not Found");
}

#[tokio::test]
async fn the_years_of_publication_are_read_from_the_dates() {
    let desk = Desk::open().await;
    let stored = instance(&desk, json!({"publication": [{"dateOfPublication": "c1998-2005"}]})).await;
    assert_eq!(stored["publicationPeriod"], json!({"start": 1998, "end": 2005}));
}

#[tokio::test]
async fn what_is_hidden_here_is_hidden_in_its_marc_record() {
    let desk = Desk::open().await;
    let id = create_instance(&desk, json!({"source": "MARC", "discoverySuppress": true})).await;
    let snapshot = json!({"jobExecutionId": fresh_id(), "status": "NEW", "processingStartedDate": "2020-04-29T05:25:03+0000"});
    desk.post("/source-storage/snapshots", &snapshot).await.expect(201);
    let record = json!({
        "id": id, "snapshotId": snapshot["jobExecutionId"], "matchedId": id, "recordType": "MARC_BIB",
        "rawRecord": {"content": "00049nam"}, "externalIdsHolder": {"instanceId": id},
        "parsedRecord": {"content": {"leader": "01542ccm a2200361   4500", "fields": [{"001": "in1"}]}},
        "additionalInfo": {"suppressDiscovery": true}, "state": "ACTUAL", "deleted": false,
    });
    desk.post("/source-storage/records", &record).await.expect(201);
    let path = format!("/inventory/instances/{id}");
    for (hidden, shown_as) in [(json!(null), false), (json!(true), true), (json!(false), false)] {
        let instance =
            with_members(get_instance(&desk, &id).await.json(), json!({"discoverySuppress": hidden}));
        desk.put(&path, &instance).await.expect(204);
        let record = desk.get(&format!("/source-storage/records/{id}")).await.expect(200).json();
        assert_eq!(record["additionalInfo"]["suppressDiscovery"], json!(shown_as), "{hidden}");
    }
}

#[tokio::test]
async fn an_instance_with_holdings_is_not_deleted() {
    let desk = Desk::open().await;
    let held = instance(&desk, json!({})).await;
    holdings(&desk, &held, json!({})).await;
    let id = held["id"].as_str().unwrap();
    let said = format!(
        "update or delete on table \"instance\" violates foreign key constraint \"instanceid_instance_fkey\" on table \
         \"holdings_record\": Key (id)=({id}) is still referenced from table \"holdings_record\"."
    );
    for path in ["/instance-storage/instances", "/inventory/instances"] {
        for one in [format!("/{id}"), "?query=title=beloved".to_owned(), "?query=cql.allRecords=1".to_owned()]
        {
            desk.delete(&format!("{path}{one}")).await.says(400, &said);
        }
    }
    desk.delete("/inventory/instances").await.says(400, "query parameter is required");
    desk.get(&format!("/instance-storage/instances/{}", fresh_id())).await.says(404, "");
}

#[tokio::test]
async fn no_instance_of_a_batch_is_created_if_one_breaks_the_schema() {
    let desk = Desk::open().await;
    let good = json!({"source": "FOLIO", "title": "Good", "instanceTypeId": reference::TEXT});
    let typeless = json!({"source": "FOLIO", "title": "Typeless"});
    let batch = json!({"instances": [good, typeless], "totalRecords": 2});
    let reply = desk.post("/inventory/instances/batch", &batch).await.expect(500);
    let told = json!({"instances": [], "errorMessages": ["must not be null"], "totalRecords": 0});
    assert_eq!(reply.json(), told, "{reply}");
    assert_eq!(desk.get("/instance-storage/instances").await.expect(200).total(), 0);
}
