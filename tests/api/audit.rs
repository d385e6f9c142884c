//! mod-audit: the circulation log and entries of other programs.

mod entries;
mod fees;
mod filters;
mod forgotten;
mod heard;
mod security;
mod written;

use octavo_testkit::{Client, encode};
use serde_json::Value;

/// The records that a query finds, the oldest first.
async fn find_log_records(client: &Client, query: &str) -> Vec<Value> {
    let path = format!("/audit-data/circulation/logs?limit=1000&query={}", encode(query));
    let list = client.get(&path).await.expect(200).json();
    let records = list["logRecords"].as_array().unwrap().clone();
    assert_eq!(list["totalRecords"], records.len(), "{list}");
    records
}

/// Object, action and description of each log record.
fn log_lines(records: &[Value]) -> Vec<[String; 3]> {
    let text = |record: &Value, key: &str| record[key].as_str().unwrap_or_default().to_owned();
    let told = |record: &Value| ["object", "action", "description"].map(|key| text(record, key));
    records.iter().map(told).collect()
}

fn query_by_item(item: &Value) -> String {
    format!("items=\"{}\"", item["barcode"].as_str().unwrap())
}
