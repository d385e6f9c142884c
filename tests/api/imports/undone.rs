//! What undoing a job brings back.

use serde_json::{Value, json};

use super::profiles::{action, book, copies, copy_field, library_with_location, match_member};

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
