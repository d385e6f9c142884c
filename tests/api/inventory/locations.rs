//! Locations, the units above them, and service points: what a change of one may not do.

use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::shelf::{location, put_record, read_record, with_members};

async fn without_id(desk: &Desk, path: &str, record: &Value) -> octavo_testkit::Reply {
    let mut body = record.clone();
    body.as_object_mut().unwrap().remove("id");
    desk.put(&format!("{path}/{}", record["id"].as_str().unwrap()), &body).await
}

#[tokio::test]
async fn a_location_keeps_its_id_and_is_served_by_each_service_point_once() {
    let desk = Desk::open().await;
    let mut twice = location(&desk, "Reading room").await;
    let point = twice["primaryServicePoint"].clone();
    twice["servicePointIds"] = json!([point, point]);
    let message = "A Service Point can only appear once on a Location.";
    assert_eq!(
        put_record(&desk, "/locations", &twice).await.refused(message).refused_keys(),
        ["servicePointIds"]
    );
    let created = with_members(twice.clone(), json!({"id": fresh_id(), "name": "New", "code": "N"}));
    desk.post("/locations", &created).await.expect(201);
    // The id is looked at first.
    let unserved = with_members(twice, json!({"servicePointIds": []}));
    let reply = without_id(&desk, "/locations", &unserved).await;
    assert_eq!(reply.refused("Illegal operation: id cannot be changed").refused_keys(), ["id"]);
}

#[tokio::test]
async fn a_unit_is_changed_with_its_id_in_the_body() {
    let desk = Desk::open().await;
    let place = read_record(&desk, "/locations", &json!({"id": desk.location})).await;
    for (path, member, message) in [
        (
            "/location-units/institutions",
            "institutionId",
            "Illegal operation: Institution id cannot be changed",
        ),
        ("/location-units/campuses", "campusId", "Illegal operation:Campus  id cannot be changed"),
        ("/location-units/libraries", "libraryId", "Illegal operation: Library id cannot be changed"),
    ] {
        let unit = read_record(&desk, path, &json!({"id": place[member]})).await;
        without_id(&desk, path, &unit).await.says(400, message);
        put_record(&desk, path, &unit).await.expect(204);
    }
}

#[tokio::test]
async fn a_name_that_is_taken_is_told_otherwise_when_a_record_is_changed() {
    let desk = Desk::open().await;
    location(&desk, "Annex").await;
    let other = location(&desk, "Stacks").await;
    let key = "lower(f_unaccent(jsonb ->> 'name'::text))";
    let reply = put_record(&desk, "/locations", &with_members(other, json!({"name": "ANNEX"}))).await;
    let reply = reply.refused(&format!("{key} value already exists in table location: annex"));
    assert_eq!(reply.refused_keys(), [key]);
    let point =
        |name: &str| json!({"id": fresh_id(), "name": name, "code": name, "discoveryDisplayName": name});
    desk.post("/service-points", &point("North")).await.expect(201);
    let south = desk.post("/service-points", &point("South")).await.expect(201).json();
    for (member, index) in [("name", "name"), ("code", "code")] {
        let said = format!(
            "duplicate key value violates unique constraint \"service_point_{index}_idx_unique\": \
             Key (lower(f_unaccent(jsonb ->> '{member}'::text)))=(north) already exists."
        );
        put_record(&desk, "/service-points", &with_members(south.clone(), json!({member: "North"})))
            .await
            .says(400, &said);
    }
}
