//! The tree of a job's profiles.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::*;

const SNAPSHOTS: &str = "/data-import-profiles/jobProfileSnapshots";
const TREES: &str = "/data-import-profiles/profileSnapshots";

#[tokio::test]
async fn a_tree_is_shown_and_kept_as_it_was() {
    let library = Library::open().await;
    let item = action_with_mapping(&library, "item", "ITEM").await;
    let holdings = action_with_mapping(&library, "holdings", "HOLDINGS").await;
    let one = create_profile(&library, MATCHES, matching("m"), &[]).await;
    let mut below = association(("MATCH", &one), ("ACTION", &item), 0);
    below["reactTo"] = json!("NON_MATCH");
    let added = [
        association(("JOB", ""), ("MATCH", &one), 1),
        below,
        association(("JOB", ""), ("ACTION", &holdings), 0),
    ];
    let id = create_profile(&library, JOBS, job("job"), &added).await;
    let kept = library.post(&format!("{SNAPSHOTS}/{id}"), &json!({})).await.expect(201).json();
    assert_eq!(tree_text(&kept), "job(holdings(holdings) m(item(item)))");
    assert_eq!(kept["contentType"], "JOB_PROFILE");
    assert_eq!(kept["profileId"], id.as_str());
    let action = &kept["childSnapshotWrappers"][1]["childSnapshotWrappers"][0];
    assert_eq!((&action["reactTo"], &action["order"]), (&json!("NON_MATCH"), &json!(0)));

    let mut changed = job("renamed");
    changed["id"] = json!(id);
    library.put(&format!("{JOBS}/{id}"), &profile_update(&changed, &[])).await.expect(200);
    let place = format!("{SNAPSHOTS}/{}", kept["id"].as_str().unwrap());
    assert_eq!(library.get(&place).await.expect(200).json(), kept, "as it was");
    let shown = format!("{TREES}/{id}?profileType=JOB_PROFILE");
    let tree = library.get(&format!("{shown}&jobProfileId={id}")).await.expect(200).json();
    assert_eq!(tree_text(&tree), "renamed(holdings(holdings) m(item(item)))");
    let tree = library.get(&shown).await.expect(200).json();
    assert_eq!(tree_text(&tree), "renamed(holdings(holdings) m)", "what is below a match is of one job");
}

#[tokio::test]
async fn folios_own_jobs_have_their_trees() {
    let library = Library::furnished().await;
    let cases = [
        (CREATES_INSTANCES, 3),
        (DELETES_AUTHORITIES, 3),
        // OCLC's update: a match, two actions with mappings, and a match below the match.
        ("91f9b8d6-d80e-4727-9783-73fb53e3c786", 7),
    ];
    for (job, profiles) in cases {
        let shown = format!("{TREES}/{job}?profileType=JOB_PROFILE&jobProfileId={job}");
        let tree = library.get(&shown).await.expect(200);
        assert_eq!(
            tree.text().matches("\"profileWrapperId\"").count(),
            profiles,
            "{}",
            tree_text(&tree.json())
        );
    }
}

#[tokio::test]
async fn a_tree_needs_a_profile_and_its_kind() {
    let library = Library::open().await;
    let unknown = fresh_id();
    let words = format!("Profile snapshot with id '{unknown}' was not found");
    library.get(&format!("{SNAPSHOTS}/{unknown}")).await.says(404, &words);
    library.post(&format!("{SNAPSHOTS}/{unknown}"), &json!({})).await.says(404, &words);
    library.get(&format!("{TREES}/{unknown}?profileType=JOB_PROFILE")).await.says(404, &words);
    library.get(&format!("{TREES}/{unknown}")).await.expect(400);
    library.get(&format!("{TREES}/{unknown}?profileType=NONE")).await.expect(400);
}
