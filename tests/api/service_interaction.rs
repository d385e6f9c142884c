//! Dashboards, widgets and number generators (mod-service-interaction 4.0.2).

mod dashboards;
mod lists;
mod numbers;
mod vocabularies;

use octavo_testkit::Library;
use serde_json::Value;

/// The text of a member of every record in a list.
fn texts(list: &Value, member: &str) -> Vec<String> {
    let records = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    records.iter().map(|record| record[member].as_str().unwrap_or_default().to_owned()).collect()
}

/// The same, sorted: what belongs to a record comes in any order.
fn sorted_texts(list: &Value, member: &str) -> Vec<String> {
    let mut texts = texts(list, member);
    texts.sort_unstable();
    texts
}

async fn get(library: &Library, path: &str) -> Value {
    library.get(path).await.expect(200).json()
}
