//! Publications that are to be open access (mod-oa 2.0.0).

mod charges;
mod requests;
mod works;

use octavo_testkit::Library;
use serde_json::Value;

async fn get(library: &Library, path: &str) -> Value {
    library.get(path).await.expect(200).json()
}

/// Creates a record and returns it as the answer shows it.
async fn create_record(library: &Library, path: &str, body: &Value) -> Value {
    library.post(path, body).await.expect(201).json()
}

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap_or_else(|| panic!("no id: {record}")).to_owned()
}

/// The text of a member of every record in a list.
fn texts(list: &Value, member: &str) -> Vec<String> {
    let records = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    records.iter().map(|record| record[member].as_str().unwrap_or_default().to_owned()).collect()
}
