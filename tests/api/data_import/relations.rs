//! What is above and below a profile: with the profile's own update, and by associations.

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};

use super::*;
use crate::circulation::waiting::LockHolder;

async fn children(library: &Library, path: &str, id: &str) -> Vec<String> {
    let profile = library.get(&format!("{path}/{id}?withRelations=true")).await.expect(200).json();
    let children = profile["childProfiles"].as_array().unwrap().iter();
    children.map(|child| child["content"]["name"].as_str().unwrap().to_owned()).collect()
}

async fn associations(library: &Library, master: &str, detail: &str) -> Reply {
    library.get(&format!("{ASSOCIATIONS}?master={master}_PROFILE&detail={detail}_PROFILE")).await.expect(200)
}

#[tokio::test]
async fn profiles_go_from_the_top_down() {
    let library = Library::open().await;
    let item = action_with_mapping(&library, "item", "ITEM").await;
    let job =
        create_profile(&library, JOBS, job("job"), &[association(("JOB", ""), ("ACTION", &item), 0)]).await;
    let mapping = library.get(MAPPINGS).await.expect(200).field_values("mappingProfiles", "id").remove(0);
    let used = |id: &str| {
        format!("Can not delete profile by id '{id}' cause profile associated with other profiles")
    };
    library.delete(&format!("{ACTIONS}/{item}")).await.says(409, &used(&item));
    library.delete(&format!("{MAPPINGS}/{mapping}")).await.says(409, &used(&mapping));
    library.delete(&format!("{JOBS}/{job}")).await.expect(204);
    library.delete(&format!("{ACTIONS}/{item}")).await.expect(204);
    library.delete(&format!("{MAPPINGS}/{mapping}")).await.expect(204);
}

#[tokio::test]
async fn an_action_and_its_mapping_are_about_the_same_records() {
    let library = Library::open().await;
    let item = create_profile(&library, MAPPINGS, mapping("item", "ITEM"), &[]).await;
    let relation = association(("ACTION", ""), ("MAPPING", &item), 0);
    let refused = library
        .post(ACTIONS, &profile_update(&action("a", "CREATE", "INSTANCE"), std::slice::from_ref(&relation)))
        .await;
    refused.refused("Mapping profile 'item' can not be linked to this Action profile. ExistingRecordType and FolioRecord types are different");
    let id = create_profile(&library, ACTIONS, action("a", "CREATE", "ITEM"), &[relation]).await;
    let refused = library
        .put(&format!("{ACTIONS}/{id}"), &profile_update(&action("a", "CREATE", "INSTANCE"), &[]))
        .await;
    refused.refused(
        "Can not update ActionProfile recordType and linked MappingProfile recordType are different",
    );
    let refused =
        library.put(&format!("{MAPPINGS}/{item}"), &profile_update(&mapping("item", "HOLDINGS"), &[])).await;
    refused.refused(
        "Can not update MappingProfile recordType and linked ActionProfile recordType are different",
    );
    let added = association(("ACTION", &id), ("MAPPING", ""), 0);
    let refused = library.post(MAPPINGS, &profile_update(&mapping("other", "HOLDINGS"), &[added])).await;
    refused.refused("Action profile 'a' can not be linked to this Mapping profile. FolioRecord and ExistingRecordType types are different");
}

#[tokio::test]
async fn a_job_is_made_of_profiles_that_are_there_and_of_updates_below_matches() {
    let library = Library::open().await;
    let updates = create_profile(&library, ACTIONS, action("u", "UPDATE", "INSTANCE"), &[]).await;
    let refused = library
        .post(JOBS, &profile_update(&job("j"), &[association(("JOB", ""), ("ACTION", &updates), 0)]))
        .await;
    refused.refused(&format!(
        "ActionProfile with id '{updates}' and action UPDATE requires linked MatchProfile"
    ));
    let modifies = create_profile(&library, ACTIONS, action("c", "MODIFY", "MARC_BIBLIOGRAPHIC"), &[]).await;
    let refused = library
        .post(JOBS, &profile_update(&job("j"), &[association(("JOB", ""), ("ACTION", &modifies), 0)]))
        .await;
    refused.refused("Modify action cannot be used as a standalone action");
    let unknown = fresh_id().to_string();
    let refused = library
        .post(JOBS, &profile_update(&job("j"), &[association(("JOB", ""), ("ACTION", &unknown), 0)]))
        .await;
    refused.says(404, &format!("Linked ActionProfiles with ids '{unknown}' were not found"));
    let refused = library
        .post(JOBS, &profile_update(&job("j"), &[association(("JOB", ""), ("MATCH", &unknown), 0)]))
        .await;
    refused.says(404, &format!("Linked MatchProfiles with ids '{unknown}' were not found"));
    let matching = create_profile(&library, MATCHES, matching("m"), &[]).await;
    let added = [
        association(("JOB", ""), ("MATCH", &matching), 0),
        association(("MATCH", &matching), ("ACTION", &updates), 0),
    ];
    library.post(JOBS, &profile_update(&job("j"), &added)).await.expect(201);
}

#[tokio::test]
async fn of_two_equal_actions_of_a_job_one_is_taken_out() {
    let library = Library::open().await;
    let item = action_with_mapping(&library, "item", "ITEM").await;
    let both =
        [association(("JOB", ""), ("ACTION", &item), 0), association(("JOB", ""), ("ACTION", &item), 1)];
    let id = create_profile(&library, JOBS, job("job"), &both).await;
    assert_eq!(children(&library, JOBS, &id).await, ["item", "item"]);
    let first = associations(&library, "JOB", "ACTION").await.json()["profileAssociations"][0].clone();
    let mut body = profile_update(&job("job"), &[]);
    body["deletedRelations"] = json!([first]);
    library.put(&format!("{JOBS}/{id}"), &body).await.expect(200);
    assert_eq!(children(&library, JOBS, &id).await, ["item"]);
    assert_eq!(associations(&library, "ACTION", "MAPPING").await.total(), 1);
}

#[tokio::test]
async fn what_is_below_a_match_goes_with_it() {
    let library = Library::open().await;
    let item = action_with_mapping(&library, "item", "ITEM").await;
    let one = create_profile(&library, MATCHES, matching("m"), &[]).await;
    let added =
        [association(("JOB", ""), ("MATCH", &one), 0), association(("MATCH", &one), ("ACTION", &item), 0)];
    let posted = library.post(JOBS, &profile_update(&job("job"), &added)).await.expect(201).json();
    let id = posted["id"].as_str().unwrap();
    assert_eq!(children(&library, JOBS, id).await, ["m", "item"], "as FOLIO's view has it");
    let mut body = profile_update(&job("job"), &[]);
    body["deletedRelations"] = json!([posted["addedRelations"][0]]);
    library.put(&format!("{JOBS}/{id}"), &body).await.expect(200);
    assert_eq!(associations(&library, "MATCH", "ACTION").await.total(), 0);
    library.delete(&format!("{MATCHES}/{one}")).await.expect(204);
}

#[tokio::test]
async fn associations_are_made_read_changed_and_deleted() {
    let library = Library::open().await;
    let one = create_profile(&library, MATCHES, matching("m"), &[]).await;
    let id = create_profile(&library, JOBS, job("j"), &[]).await;
    let kinds = "master=JOB_PROFILE&detail=MATCH_PROFILE";
    let relation = association(("JOB", &id), ("MATCH", &one), 1);
    let made = library.post(&format!("{ASSOCIATIONS}?{kinds}"), &relation).await.expect(201).json();
    assert!(made["masterWrapperId"].is_string() && made["detailWrapperId"].is_string());
    let place = format!("{ASSOCIATIONS}/{}", made["id"].as_str().unwrap());
    assert_eq!(library.get(&format!("{place}?{kinds}")).await.expect(200).json(), made);
    let mut changed = made.clone();
    changed["order"] = json!(7);
    let answer = library.put(&format!("{place}?{kinds}"), &changed).await.expect(200).json();
    assert_eq!((&answer["order"], &answer["detailWrapperId"]), (&json!(7), &made["detailWrapperId"]));

    for side in ["masterWrapperId", "detailWrapperId"] {
        let mut lost = made.clone();
        let id = octavo_testkit::fresh_id();
        lost[side] = json!(id);
        let field = side.to_lowercase();
        let refused = library.put(&format!("{place}?{kinds}"), &lost).await;
        refused.refused(&format!(
            "Cannot set profile_associations.{field} = {id} because it does not exist in profile_wrappers.id."
        ));
    }

    let around = |path: String| {
        let library = &library;
        async move { library.get(&path).await.expect(200).json() }
    };
    let details = around(format!("{ASSOCIATIONS}/{id}/details?masterType=JOB_PROFILE")).await;
    assert_eq!(tree_text(&details), "j(m)");
    let none = around(format!("{ASSOCIATIONS}/{id}/details?masterType=JOB_PROFILE&query=name==other")).await;
    assert_eq!(tree_text(&none), "j");
    let masters =
        around(format!("{ASSOCIATIONS}/{one}/masters?detailType=MATCH_PROFILE&masterType=JOB_PROFILE")).await;
    assert_eq!(tree_text(&masters), "m(j)");

    library.delete(&format!("{place}?{kinds}")).await.expect(204);
    let words = format!("Profile association with id '{}' was not found", made["id"].as_str().unwrap());
    library.get(&format!("{place}?{kinds}")).await.says(404, &words);
    library.delete(&format!("{place}?{kinds}")).await.says(404, &words);
}

#[tokio::test]
async fn associations_name_kinds_that_stand_above_each_other() {
    let library = Library::open().await;
    let kinds = "It should be [JOB_PROFILE, ACTION_PROFILE, MATCH_PROFILE, MAPPING_PROFILE]";
    let wrong = library.get(&format!("{ASSOCIATIONS}?master=NONE&detail=JOB_PROFILE")).await;
    wrong.says(400, &format!("The specified type: NONE is wrong. {kinds}"));
    let wrong = library.get(&format!("{ASSOCIATIONS}?master=JOB_PROFILE&detail=MAPPING_PROFILE")).await;
    assert!(
        wrong
            .expect(400)
            .text()
            .starts_with("Correct ProfileAssociation types: ACTION_PROFILE_TO_ACTION_PROFILE")
    );
    library.get(ASSOCIATIONS).await.expect(400);
    let unknown = fresh_id();
    let details = library.get(&format!("{ASSOCIATIONS}/{unknown}/details?masterType=JOB_PROFILE")).await;
    details.says(404, &format!("Master profile with id '{unknown}' was not found"));
    let masters = library.get(&format!("{ASSOCIATIONS}/{unknown}/masters?detailType=JOB_PROFILE")).await;
    masters.says(404, &format!("Detail profile with id '{unknown}' was not found"));
    let relation: Value = association(("JOB", &unknown.to_string()), ("MATCH", &unknown.to_string()), 0);
    library
        .post(&format!("{ASSOCIATIONS}?master=JOB_PROFILE&detail=MATCH_PROFILE"), &relation)
        .await
        .expect(422);
}

#[tokio::test]
async fn an_association_that_is_deleted_meanwhile_is_not_replaced() {
    let library = Library::open().await;
    let one = create_profile(&library, MATCHES, matching("m"), &[]).await;
    let id = create_profile(&library, JOBS, job("j"), &[]).await;
    let kinds = "master=JOB_PROFILE&detail=MATCH_PROFILE";
    let relation = association(("JOB", &id), ("MATCH", &one), 1);
    let made = library.post(&format!("{ASSOCIATIONS}?{kinds}"), &relation).await.expect(201).json();
    let id = made["id"].as_str().unwrap();
    let delete = "delete from profile_associations where id = $1::text::uuid";
    let holder = LockHolder::lock(&library, delete, id).await;
    let (client, path, body) = (library.clone(), format!("{ASSOCIATIONS}/{id}?{kinds}"), made.clone());
    let waits = tokio::spawn(async move { client.put(&path, &body).await });
    holder.change_and_release(&library, Vec::new()).await;
    let class = "class org.folio.rest.jaxrs.model.ProfileAssociation";
    waits.await.unwrap().says(404, &format!("update:: {class} with id '{id}' was not found"));
}
