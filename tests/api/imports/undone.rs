//! What undoing a job brings back.

use serde_json::{Value, json};

use super::chunk;
use super::profiles::{
    action, book, copies, copy_field, library_with_location, match_marc, match_member, overlay_action,
    wrapper,
};
use crate::quick_marc;

#[tokio::test]
async fn items_inherit_again_from_holdings_whose_changes_are_undone() {
    let desk = library_with_location().await;
    desk.import_records(copies(), &[book("1", "One copy", &[copy_field("F", "b1")])]).await;
    let holdings = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await.remove(0);
    let before = desk.all_records("/item-storage/items", "items").await.remove(0);
    let of_holdings = action("UPDATE", "HOLDINGS", &[("callNumber", "990$b")]);
    let of_items = action("UPDATE", "ITEM", &[("copyNumber", "\"c. 2\"")]);
    let children = vec![
        match_member("HOLDINGS", "hrid", "990", "a", vec![of_holdings]),
        match_member("ITEM", "barcode", "945", "b", vec![of_items]),
    ];
    let call_number = |number: &str| json!({"990": {"ind1": " ", "ind2": " ", "subfields": [{"a": holdings["hrid"]}, {"b": number}]}});
    let records = [
        book("8", "x", &[call_number("QA 1"), copy_field("F", "b1")]),
        book("9", "x", &[call_number("QA 2")]),
    ];
    let job = desk.import_job(children, &records, false).await;
    let changed = desk.all_records("/item-storage/items", "items").await.remove(0);
    assert_eq!(
        (&changed["copyNumber"], &changed["effectiveCallNumberComponents"]["callNumber"]),
        (&json!("c. 2"), &json!("QA 2"))
    );
    let preview = desk.get(&format!("/octavo/import-jobs/{job}/undo-preview")).await.expect(200).json();
    assert_eq!(preview["notUndone"], json!([]), "{preview}");
    let state = desk.undo_job(&job).await;
    assert_eq!((&state["undoneRecords"], &state["notUndone"]), (&json!(2), &json!([])), "{state}");
    let restored = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await.remove(0);
    assert_eq!(restored["callNumber"], Value::Null);
    let item = desk.all_records("/item-storage/items", "items").await.remove(0);
    for member in
        ["copyNumber", "effectiveLocationId", "effectiveCallNumberComponents", "effectiveShelvingOrder"]
    {
        assert_eq!(item[member], before[member], "{member}: {item}");
    }
    assert!(item["_version"].as_i64() > changed["_version"].as_i64(), "no version comes again: {item}");
}

#[tokio::test]
async fn a_deleted_authority_comes_back_with_its_marc_record_and_its_links() {
    let desk = library_with_location().await;
    let snapshot = quick_marc::snapshot(&desk.library).await;
    let id = quick_marc::authority(&desk.library, &snapshot, "n1", "Ann").await;
    let field =
        json!({"700": {"ind1": "1", "ind2": " ", "subfields": [{"a": "Ann"}, {"0": "n1"}, {"9": id}]}});
    let instance = quick_marc::bib(&desk.library, &snapshot, "in1", vec![field]).await;
    let link =
        json!({"authorityId": id, "authorityNaturalId": "n1", "instanceId": instance, "linkingRuleId": 15});
    let links = format!("/links/instances/{instance}");
    desk.put(&links, &json!({"links": [link]})).await.expect(204);
    let all = desk.get("/source-storage/records?recordType=MARC_AUTHORITY").await.expect(200).json();
    let marc = format!("/source-storage/records/{}", all["records"][0]["id"].as_str().unwrap());
    let before = desk.get(&marc).await.expect(200).json();

    let delete = json!({"name": "delete", "action": "DELETE", "folioRecord": "MARC_AUTHORITY"});
    let delete = wrapper("ACTION_PROFILE", delete, vec![]);
    let profile = match_marc("010", "a", vec![delete], vec![]).to_string();
    let profile = profile.replace("MARC_BIBLIOGRAPHIC", "MARC_AUTHORITY").parse().unwrap();
    let number = json!({"010": {"ind1": " ", "ind2": " ", "subfields": [{"a": "n1"}]}});
    let record = json!({"leader": "00000nz  a2200000   4500", "fields": [{"001": "n1"}, number]});
    let job = desk.import_job(vec![profile], &[record.to_string()], false).await;
    desk.get(&format!("/authority-storage/authorities/{id}")).await.expect(404);
    assert_eq!(desk.get(&marc).await.expect(200).json()["state"], "DELETED");
    desk.relay().await;
    assert_eq!(desk.get(&links).await.expect(200).total(), 0);

    let told = desk.get(&format!("/octavo/import-jobs/{job}/changes")).await.expect(200).json();
    let told = told["changes"].as_array().unwrap();
    let told = told.iter().find(|change| change["entityType"] == "MARC_AUTHORITY").unwrap();
    assert_eq!(told["record"], before["parsedRecord"]["content"], "{told}");
    let state = desk.undo_job(&job).await;
    assert_eq!(state["undoneRecords"], 1, "{state}");
    desk.get(&format!("/authority-storage/authorities/{id}")).await.expect(200);
    let after = desk.get(&marc).await.expect(200).json();
    for member in ["state", "deleted", "additionalInfo", "leaderRecordStatus", "parsedRecord"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    // The instance has followed the deletion: its field no longer names the authority.
    let links = desk.get(&links).await.expect(200).json();
    assert_eq!(
        (&links["links"][0]["authorityId"], &links["links"][0]["status"]),
        (&json!(id), &json!("ERROR"))
    );
}

#[tokio::test]
async fn an_instance_gets_the_preceding_titles_back_that_it_had_before_an_overlay() {
    let desk = library_with_location().await;
    let preceding = |title: &str| json!({"780": {"ind1": "0", "ind2": "0", "subfields": [{"t": title}, {"x": "0000-0019"}]}});
    let first = book("1", "The old title", &[preceding("The former title")]);
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[first]).await;
    let titles = async || desk.all_records("/preceding-succeeding-titles", "precedingSucceedingTitles").await;
    let before = titles().await;
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let changes = ["Another", "A third"].map(|title| book("7", title, &[number.clone(), preceding(title)]));
    let profile = vec![match_marc("035", "a", vec![overlay_action()], vec![])];
    let job = desk.import_job(profile, &changes, false).await;
    let after = titles().await;
    assert_eq!((after.len(), &after[0]["title"]), (1, &json!("A third")), "{after:?}");
    let told = desk.get(&format!("/octavo/import-jobs/{job}/changes")).await.expect(200).json();
    assert_eq!(told["totalRecords"], 2, "one for each change of the instance: {told}");
    assert_eq!(desk.undo_job(&job).await["undoneRecords"], 2);
    assert_eq!(titles().await, before);
}

#[tokio::test]
async fn records_with_the_same_position_are_undone_together() {
    let desk = library_with_location().await;
    let job = desk.create_job(vec![action("CREATE", "INSTANCE", &[])]).await;
    for (number, is_last) in [("1", false), ("2", true)] {
        let mut sent = chunk(&[book(number, "A title", &[])], 1, 2, is_last);
        sent["initialRecords"][0]["order"] = json!(0);
        desk.send_chunk(&job, &sent).await.expect(204);
    }
    desk.run_imports().await;
    let of_job = format!("/source-storage/records?snapshotId={job}");
    assert_eq!((desk.instances().await.len(), desk.get(&of_job).await.expect(200).total()), (2, 2));
    let state = desk.undo_job(&job).await;
    assert_eq!(state["notUndoneRecords"], 0, "{state}");
    assert_eq!((desk.instances().await.len(), desk.get(&of_job).await.expect(200).total()), (0, 0));
}

#[tokio::test]
async fn a_server_that_stops_leaves_the_rest_of_a_file_to_the_next() {
    let desk = library_with_location().await;
    let records = ["1", "2", "3"].map(|number| book(number, "A title", &[]));
    let job = desk.import_job(vec![action("CREATE", "INSTANCE", &[])], &records, false).await;
    let plant = "create function planted() returns trigger language plpgsql as $$ begin \
                   perform pg_sleep(1); return old; end $$; \
                 create trigger planted before delete on instance for each row execute function planted()";
    desk.script(plant).await;
    let path = format!("/octavo/import-jobs/{job}/undo");
    desk.post(&path, &json!({})).await.expect(202);
    let left = desk.relay_and_stop().await;
    assert_eq!(left, [("undo an import".to_owned(), 0, false)]);
    assert_eq!(desk.get(&path).await.expect(200).json()["status"], "IN_PROGRESS");
    desk.script("drop trigger planted on instance; drop function planted").await;
    desk.relay().await;
    let state = desk.get(&path).await.expect(200).json();
    assert_eq!(
        (&state["status"], &state["undoneRecords"], &state["notUndone"]),
        (&json!("COMPLETED"), &json!(3), &json!([])),
        "{state}"
    );
}
