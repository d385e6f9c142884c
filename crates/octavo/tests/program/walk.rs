//! The way of a book that `docs/load.md` walks: from a MARC file to a title that is found, an item, and its check-out.

use std::fs;

use serde_json::{Value, json};

use crate::load::{load, marc_record};
use crate::octavo::{Folder, Octavo};

#[tokio::test]
async fn a_title_from_a_marc_file_is_found_and_lent() {
    let folder = Folder::new();
    Octavo::start_with(&folder.data_dir(), &["--demo"]).stop();
    let file = folder.data_dir().with_file_name("catalogue.mrc");
    fs::write(
        &file,
        [marc_record("1", b'a', "History of lace /"), marc_record("2", b'a', "Lighthouses")].concat(),
    )
    .unwrap();
    let (content, said) = load(&folder.data_dir(), &[file.to_str().unwrap(), "--tenant", "diku"]);
    assert!(content && said.contains("2 of 2 records loaded as instances"), "{said}");

    let octavo = Octavo::start(&folder.data_dir());
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/authn/login", &who).await.expect(201);
    let desk = stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap());

    let found = desk.find("/search/instances", "title=(lace history)").await.expect(200).json();
    assert_eq!(found["totalRecords"], 1, "{found}");
    let instance = &found["instances"][0];
    assert_eq!(instance["title"], "History of lace /");
    let first = async |path: &str, query: &str, list: &str| -> Value {
        desk.find(path, query).await.expect(200).json()[list][0]["id"].clone()
    };
    let holdings = json!({
        "instanceId": instance["id"],
        "sourceId": first("/holdings-sources", "name==FOLIO", "holdingsRecordsSources").await,
        "permanentLocationId": first("/locations", "code==\"WH/HL/FIC\"", "locations").await,
        "callNumber": "NK9406 .P3",
    });
    let holdings = desk.post("/holdings-storage/holdings", &holdings).await.expect(201).json();
    let item = json!({
        "holdingsRecordId": holdings["id"], "barcode": "39000000000001", "status": {"name": "Available"},
        "materialTypeId": first("/material-types", "name==book", "mtypes").await,
        "permanentLoanTypeId": first("/loan-types", "name==\"Can circulate\"", "loantypes").await,
    });
    desk.post("/item-storage/items", &item).await.expect(201);
    let lent = json!({
        "itemBarcode": "39000000000001", "userBarcode": "27001000000445",
        "servicePointId": "33154e2e-7bf2-585b-9b21-e1dafd383e05",
    });
    let loan = desk.post("/circulation/check-out-by-barcode", &lent).await.expect(201).json();
    assert_eq!(loan["item"]["title"], "History of lace /", "{loan}");
    let shown = desk.get(&format!("/rtac/{}", instance["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(shown["holdings"][0]["status"], "Checked out");
    assert_eq!(shown["holdings"][0]["dueDate"], loan["dueDate"]);
    octavo.stop();
}
