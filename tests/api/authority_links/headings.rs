//! A changed heading goes through the linked instances.

use octavo_testkit::Library;
use serde_json::{Value, json};

use super::{count_links, links};
use crate::quick_marc::{authority, bib, data, edited, field, new_id, place, snapshot, view};

const STATS: &str = "/links/stats/authority";

/// Instances that are linked to an authority in 700, and one of them in 240 too.
async fn create_linked_instances(
    library: &Library,
    snapshot: &str,
    authority: &str,
    hrids: &[&str],
) -> Vec<String> {
    let mut ids = Vec::new();
    for hrid in hrids {
        let subfields = json!([{"e": "ed."}, {"a": "Johnson"}, {"0": "n00001263"}, {"9": authority}]);
        let id = bib(library, snapshot, hrid, vec![data("700", "1 ", &subfields)]).await;
        let link = json!({"authorityId": authority, "authorityNaturalId": "n00001263", "instanceId": id, "linkingRuleId": 15});
        library.put(&format!("/links/instances/{id}"), &json!({"links": [link]})).await.expect(204);
        ids.push(id);
    }
    ids
}

/// The newest change of headings, when its instances have been gone through.
async fn wait_for_heading_change(library: &Library, action: &str) -> Value {
    library.relay().await;
    let newest =
        library.get(&format!("{STATS}?action={action}")).await.expect(200).json()["stats"][0].clone();
    assert!(newest["metadata"]["completedAt"].is_string(), "{newest}");
    newest
}

async fn rename_heading(library: &Library, authority: &str, version: i64, tag: &str, content: &str) {
    let body = edited(view(library, authority).await, version, |fields| {
        fields.iter_mut().find(|field| field["tag"] == tag).unwrap()["content"] = json!(content);
    });
    library.put(&place(&body), &body).await.expect(202);
}

#[tokio::test]
async fn linked_instances_follow_a_heading_that_is_changed_in_the_editor() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let ids =
        create_linked_instances(&library, &snapshot, &johnson, &["in00000000300", "in00000000301"]).await;
    rename_heading(&library, &johnson, 1, "100", "$a Updated, $d 1950-").await;
    let change = wait_for_heading_change(&library, "UPDATE_HEADING").await;
    for (member, expected) in [
        ("headingOld", json!("Johnson")),
        ("headingNew", json!("Updated, 1950-")),
        ("headingTypeOld", json!("100")),
        ("headingTypeNew", json!("100")),
        ("naturalIdOld", json!("n00001263")),
        ("naturalIdNew", json!("n00001263")),
        ("sourceFileNew", json!("LC Name Authority file (LCNAF)")),
        ("lbTotal", json!(2)),
        ("lbUpdated", json!(2)),
        ("lbFailed", json!(0)),
        ("authorityId", json!(johnson)),
    ] {
        assert_eq!(change[member], expected, "{member}: {change}");
    }
    for id in &ids {
        let shown = view(&library, id).await;
        let content = format!("$e ed. $a Updated, $d 1950- $0 n00001263 $9 {johnson}");
        assert_eq!(field(&shown, "700")[0]["content"], content);
        let instance = library.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
        assert_eq!(instance["_version"], 2, "once, and no more");
        let names: Vec<&Value> =
            instance["contributors"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
        assert!(names.contains(&&json!("Updated, 1950-")), "{names:?}");
        let hrid = instance["hrid"].as_str().unwrap();
        assert!(!instance["identifiers"].to_string().contains(hrid), "the hrid is no identifier: {instance}");
        let marc = shown["parsedRecordId"].as_str().unwrap();
        let record = library.get(&format!("/source-storage/records/{marc}")).await.expect(200).json();
        assert_eq!(record["generation"], 1);
    }
    let by_link = library.get("/links/stats/instance?status=ACTUAL&limit=1").await.expect(200).json();
    let row = &by_link["stats"][0];
    assert_eq!((&row["bibRecordTag"], &row["authorityNaturalId"]), (&json!("700"), &json!("n00001263")));
    assert_eq!(row["instanceTitle"], "Summerland / Michael Chabon.");
    assert!(by_link["next"].is_string(), "there is another page: {by_link}");
}

#[tokio::test]
async fn a_number_that_changes_and_a_deleted_authority_go_through_too() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let ids = create_linked_instances(&library, &snapshot, &johnson, &["in00000000310"]).await;
    rename_heading(&library, &johnson, 1, "010", "$a n00009999").await;
    let change = wait_for_heading_change(&library, "UPDATE_NATURAL_ID").await;
    assert_eq!((&change["naturalIdNew"], &change["lbUpdated"]), (&json!("n00009999"), &json!(1)), "{change}");
    let content = |number: &str| format!("$e ed. $a Johnson $0 {number} $9 {johnson}");
    let number = "http://id.loc.gov/authorities/names/n00009999";
    assert_eq!(field(&view(&library, &ids[0]).await, "700")[0]["content"], content(number));
    library.delete(&format!("/records-editor/records/{johnson}")).await.expect(204);
    assert_eq!(count_links(&library, &[&johnson]).await, [json!(0)]);
    assert_eq!(links(&library, &ids[0]).await["totalRecords"], 0);
    let change = wait_for_heading_change(&library, "DELETE").await;
    assert_eq!((&change["lbUpdated"], &change["headingOld"]), (&json!(1), &json!("Johnson")), "{change}");
    let shown = view(&library, &ids[0]).await;
    let expected = json!({"tag": "700", "indicators": ["1", "\\"], "content": format!("$e ed. $a Johnson $0 {number}"), "isProtected": false});
    assert_eq!(field(&shown, "700"), [&expected]);
}

#[tokio::test]
async fn a_heading_that_is_changed_by_json_goes_through_and_what_cannot_follow_is_told() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let ids = create_linked_instances(&library, &snapshot, &johnson, &["in00000000320"]).await;
    let lost = new_id();
    let link = json!({"authorityId": johnson, "authorityNaturalId": "n00001263", "instanceId": lost, "linkingRuleId": 15});
    library.put(&format!("/links/instances/{lost}"), &json!({"links": [link]})).await.expect(204);
    let path = format!("/authority-storage/authorities/{johnson}");
    let mut body = library.get(&path).await.expect(200).json();
    body["personalName"] = json!("Johnson, Samuel");
    library.put(&path, &body).await.expect(204);
    let change = wait_for_heading_change(&library, "UPDATE_HEADING").await;
    let figures = [&change["lbTotal"], &change["lbUpdated"], &change["lbFailed"]];
    assert_eq!(figures, [&json!(2), &json!(1), &json!(1)], "{change}");
    let content = format!("$e ed. $a Johnson, Samuel $0 n00001263 $9 {johnson}");
    assert_eq!(field(&view(&library, &ids[0]).await, "700")[0]["content"], content);
    let failed = links(&library, &lost).await["links"][0].clone();
    assert_eq!(
        (&failed["status"], &failed["errorCause"]),
        (&json!("ERROR"), &json!("The instance is not there"))
    );
    let told = library.get("/links/stats/instance?status=ERROR").await.expect(200).json();
    assert_eq!(told["stats"].as_array().map(Vec::len), Some(1), "{told}");
    // A period that ends before it begins is refused for links alone.
    let reversed = "fromDate=2099-02-01T00:00:00Z&toDate=1999-01-01T00:00:00Z";
    let links_refused = library.get(&format!("/links/stats/instance?{reversed}")).await;
    links_refused.refused("'to' date should be not less than 'from' date.");
    let none = library.get(&format!("{STATS}?{reversed}")).await.expect(200).json();
    assert_eq!(none, json!({"stats": []}));
    let past = library.get(&format!("{STATS}?toDate=2001-01-01T00:00:00Z")).await.expect(200).json();
    assert_eq!(past["stats"], json!([]));
    library.get(&format!("{STATS}?fromDate=nonsense")).await.expect(400);
}

#[tokio::test]
async fn each_of_many_instances_follows_once() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let hrids: Vec<String> = (0..230).map(|number| format!("in{:011}", 5_000 + number)).collect();
    let hrids: Vec<&str> = hrids.iter().map(String::as_str).collect();
    let ids = create_linked_instances(&library, &snapshot, &johnson, &hrids).await;
    rename_heading(&library, &johnson, 1, "100", "$a Once").await;
    rename_heading(&library, &johnson, 2, "100", "$a Twice").await;
    let change = wait_for_heading_change(&library, "UPDATE_HEADING").await;
    assert_eq!((&change["headingNew"], &change["lbUpdated"]), (&json!("Twice"), &json!(230)), "{change}");
    let both = library.get(STATS).await.expect(200).json();
    assert_eq!(both["stats"][1]["lbUpdated"], 230, "{both}");
    for id in &ids {
        let instance = library.get(&format!("/instance-storage/instances/{id}")).await.expect(200).json();
        assert_eq!(instance["_version"], 3, "once for each heading");
    }
}

#[tokio::test]
async fn a_server_that_stops_leaves_the_rest_of_a_heading_to_the_next() {
    let library = Library::furnished().await;
    let snapshot = snapshot(&library).await;
    let johnson = authority(&library, &snapshot, "n00001263", "Johnson").await;
    let ids = create_linked_instances(&library, &snapshot, &johnson, &["in00000000330"]).await;
    rename_heading(&library, &johnson, 1, "100", "$a Updated").await;
    let plant = "create function planted() returns trigger language plpgsql as $$ begin \
                   perform pg_sleep(1); return new; end $$; \
                 create trigger planted before update on instance for each row execute function planted()";
    library.script(plant).await;
    let left = library.relay_and_stop().await;
    assert_eq!(left, [("authority-heading".to_owned(), 0, false)]);
    library.script("drop trigger planted on instance; drop function planted").await;
    let change = wait_for_heading_change(&library, "UPDATE_HEADING").await;
    assert_eq!((&change["lbTotal"], &change["lbUpdated"]), (&json!(1), &json!(1)), "{change}");
    let instance = library.get(&format!("/instance-storage/instances/{}", ids[0])).await.expect(200).json();
    assert_eq!(instance["_version"], 2, "once, and no more");
}
