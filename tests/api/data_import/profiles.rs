//! Profiles are made, found, changed and deleted.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::*;

#[tokio::test]
async fn each_kind_of_profile_is_made_read_changed_and_deleted() {
    let library = Library::open().await;
    let cases = [
        (JOBS, job("a"), "Job profile", "Job Profile", "JobProfile"),
        (MATCHES, matching("a"), "Match profile", "Match Profile", "MatchProfile"),
        (ACTIONS, action("a", "CREATE", "ITEM"), "Action profile", "Action Profile", "ActionProfile"),
        (MAPPINGS, mapping("a", "ITEM"), "The field mapping profile", "Mapping Profile", "MappingProfile"),
    ];
    for (path, profile, taken, read, class) in cases {
        let made = library.post(path, &profile_update(&profile, &[])).await.expect(201).json();
        let id = made["id"].as_str().unwrap();
        assert_eq!(made["profile"]["id"], id);
        assert_eq!(made["profile"]["deleted"], false);
        let place = format!("{path}/{id}");
        let mut stored = library.get(&place).await.expect(200).json();
        assert_eq!(stored["name"], "a");
        assert_eq!(stored["childProfiles"], json!([]));

        let other = library.post(path, &profile_update(&profile, &[])).await;
        other.refused(&format!("{taken} 'a' already exists"));
        let mut same = profile.clone();
        same["name"] = json!(" A ");
        library
            .post(path, &profile_update(&same, &[]))
            .await
            .refused(&format!("{taken} ' A ' already exists"));
        same["name"] = json!("b");
        same["id"] = json!(id);
        library
            .post(path, &profile_update(&same, &[]))
            .await
            .refused(&format!("{taken} with id 'b' already exists"));
        let mut related = profile.clone();
        related["name"] = json!("c");
        related["childProfiles"] = json!([{"contentType": "JOB_PROFILE", "content": {}}]);
        let refused = library.post(path, &profile_update(&related, &[])).await;
        refused.refused(&format!("{taken} read-only 'child' field should be empty"));

        stored["name"] = json!("d");
        stored["tags"] = json!({"tagList": ["ipsum"]});
        let changed = library.put(&place, &profile_update(&stored, &[])).await.expect(200).json();
        assert_eq!((&changed["id"], &changed["name"]), (&json!(id), &json!("d")));
        assert_eq!(library.find(path, "tags.tagList==*ipsum*").await.expect(200).total(), 1);

        let unknown = fresh_id();
        let words = format!("{read} with id '{unknown}' was not found");
        library.get(&format!("{path}/{unknown}")).await.says(404, &words);
        let words = format!("{class} with id '{unknown}' was not found");
        library.delete(&format!("{path}/{unknown}")).await.says(404, &words);
        let words = match path {
            ACTIONS => format!("Action profile with id '{unknown}' was not found"),
            MAPPINGS => format!("Mapping profile with id '{unknown}' was not found"),
            _ => format!("updateProfile:: {class} with id '{unknown}' was not found"),
        };
        let mut lost = profile.clone();
        lost["name"] = json!("lost");
        library.put(&format!("{path}/{unknown}"), &profile_update(&lost, &[])).await.says(404, &words);

        library.delete(&place).await.expect(204);
        library.get(&place).await.expect(404);
        assert_eq!(library.get(path).await.expect(200).total(), 0);
        assert_eq!(library.get(&format!("{path}?showDeleted=true")).await.expect(200).total(), 1);
        // The name is free again.
        let mut again = profile.clone();
        again["name"] = json!("d");
        library.post(path, &profile_update(&again, &[])).await.expect(201);
    }
}

#[tokio::test]
async fn what_a_profile_may_not_be() {
    let library = Library::open().await;
    let without_subfields = json!({
        "name": "m", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "ITEM",
        "mappingDetails": {"name": "item", "recordType": "ITEM", "mappingFields": [
            {"name": "f", "repeatableFieldAction": "EXTEND_EXISTING", "subfields": []},
        ]},
    });
    let refused = library.post(MAPPINGS, &profile_update(&without_subfields, &[])).await;
    refused.refused("Invalid repeatableFieldAction for empty subfields: EXTEND_EXISTING");
    let marc = action("a", "CREATE", "MARC_BIBLIOGRAPHIC");
    let refused = library.post(ACTIONS, &profile_update(&marc, &[])).await;
    refused.refused("Can't create ActionProfile for MARC Bib record type with Create action");
    for (path, profile) in [
        (JOBS, json!({"name": "no data type"})),
        (JOBS, json!({"name": "j", "dataType": "MARC", "invalid": 1})),
        (ACTIONS, json!({"name": "a", "action": "CREATE", "folioRecord": "PAGE"})),
        (MATCHES, json!({"dataType": "MARC"})),
    ] {
        library.post(path, &profile_update(&profile, &[])).await.expect(422);
    }
    library.post(JOBS, &json!({"addedRelations": []})).await.expect(422);
}

/// FOLIO's user interface sends an update of MARC fields without `action`, and indicators without `value`.
#[tokio::test]
async fn what_is_inside_a_profile_may_be_incomplete_but_not_wrong() {
    let library = Library::open().await;
    let mapped = |detail: Value| {
        json!({
            "name": "m", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "MARC_BIBLIOGRAPHIC",
            "mappingDetails": {"name": "marc", "recordType": "MARC_BIBLIOGRAPHIC", "marcMappingOption": "UPDATE", "marcMappingDetails": [detail]},
        })
    };
    let matched = |field: Value| {
        let mut profile = matching("m");
        profile["matchDetails"] = json!([{"incomingMatchExpression": {"fields": [field]}}]);
        profile
    };
    let detail = json!({"order": 0, "field": {"field": "260"}});
    for (path, profile, status) in [
        (MAPPINGS, mapped(detail), 201),
        (MATCHES, matched(json!({"label": "indicator1"})), 201),
        (MAPPINGS, mapped(json!({"action": "PAINT"})), 422),
        (MATCHES, matched(json!({"colour": "red"})), 422),
    ] {
        let reply = library.post(path, &profile_update(&profile, &[])).await.expect(status);
        if status == 201 {
            let place = format!("{path}/{}", reply.json()["id"].as_str().unwrap());
            let stored = library.get(&place).await.expect(200).json();
            let details = &stored["mappingDetails"]["marcMappingDetails"][0];
            let fields = &stored["matchDetails"][0]["incomingMatchExpression"]["fields"][0];
            assert_eq!((&details["action"], &fields["value"]), (&Value::Null, &Value::Null));
            assert!(details["order"] == 0 || fields["label"] == "indicator1", "{stored}");
        }
    }
}

#[tokio::test]
async fn folios_own_profiles_are_there_and_stay_as_they_are() {
    let library = Library::furnished().await;
    for (path, shown, all) in [(JOBS, 8, 14), (MATCHES, 2, 6), (ACTIONS, 8, 14), (MAPPINGS, 21, 25)] {
        let path = format!("{path}?limit=100");
        assert_eq!(library.get(&path).await.expect(200).total(), shown, "{path}");
        assert_eq!(library.get(&format!("{path}&showHidden=true")).await.expect(200).total(), all, "{path}");
    }
    let place = format!("{JOBS}/{DELETES_AUTHORITIES}");
    library.delete(&place).await.says(400, "Can`t delete default OCLC Job Profile with");
    let mut own = library.get(&place).await.expect(200).json();
    own["tags"] = json!({"tagList": ["kept"]});
    let changed = library.put(&place, &profile_update(&own, &[])).await.expect(200).json();
    assert_eq!(changed["tags"]["tagList"], json!(["kept"]));
    own["name"] = json!("mine");
    let words = format!("Can`t update default OCLC Job Profile with id {DELETES_AUTHORITIES}");
    library.put(&place, &profile_update(&own, &[])).await.says(400, &words);
}

#[tokio::test]
async fn a_profile_says_who_made_it() {
    let library = Library::guarded().await;
    let user = library.as_user(&["converter-storage.jobprofile.post"]).await;
    let made = user.post(JOBS, &profile_update(&job("mine"), &[])).await.expect(201).json();
    let info = &made["profile"]["userInfo"];
    assert!(info["userName"].as_str().is_some_and(|name| name.starts_with("user-")), "{made}");
    assert!(made["profile"]["metadata"]["createdByUserId"].is_string());
    let nobody = library.as_user(&["converter-storage.jobprofile.get"]).await;
    nobody.get(JOBS).await.expect(200);
    nobody.post(JOBS, &profile_update(&job("other"), &[])).await.expect(403);
}

#[tokio::test]
async fn lists_have_pages_an_order_and_relations() {
    let library = Library::open().await;
    let item = action_with_mapping(&library, "item", "ITEM").await;
    let holdings = action_with_mapping(&library, "holdings", "HOLDINGS").await;
    let relations =
        [association(("JOB", ""), ("ACTION", &item), 0), association(("JOB", ""), ("ACTION", &holdings), 1)];
    create_profile(&library, JOBS, job("both"), &relations).await;
    let page = library
        .get(&format!("{ACTIONS}?query=cql.allRecords=1%20sortBy%20name&limit=1&withRelations=true"))
        .await;
    let page = page.expect(200);
    assert_eq!(page.total(), 2);
    let names = |profiles: &Value| -> Vec<String> {
        let profiles = profiles.as_array().unwrap().iter();
        profiles
            .map(|one| {
                format!(
                    "{} {}",
                    one["contentType"].as_str().unwrap(),
                    one["content"]["name"].as_str().unwrap()
                )
            })
            .collect()
    };
    let first = &page.json()["actionProfiles"][0];
    assert_eq!(first["name"], "holdings");
    assert_eq!(names(&first["childProfiles"]), ["MAPPING_PROFILE holdings"]);
    assert_eq!(names(&first["parentProfiles"]), ["JOB_PROFILE both"]);
    let plain = library.get(ACTIONS).await.expect(200).json();
    assert_eq!(plain["actionProfiles"][0]["childProfiles"], json!([]));
}

#[tokio::test]
async fn of_two_clients_at_once_one_gets_the_name() {
    let library = Library::open().await;
    let body = profile_update(&job("the same"), &[]);
    let post = || library.post(JOBS, &body);
    let (one, two, three, four) = tokio::join!(post(), post(), post(), post());
    let mut statuses = [one.status, two.status, three.status, four.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422]);
}
