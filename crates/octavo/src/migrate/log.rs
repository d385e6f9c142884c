//! Records of the circulation log, which Octavo keeps as rows of codes and ids instead of documents.

use octavo_circulation::log::{LogAction, LogObject};
use octavo_engine::load::PreparedRecord;
use octavo_kernel::{Fault, Outcome, parse_time};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A row, of a record as FOLIO shows it.
pub(super) fn log_row(record: &Value) -> Outcome<PreparedRecord> {
    let id = uuid(&record["id"]).ok_or_else(|| Fault::bad_request("it has no id"))?;
    let text = |member: &str| record[member].as_str().unwrap_or_default();
    let object = LogObject::ALL.iter().find(|object| object.name() == text("object"));
    let object = object.ok_or_else(|| unknown("object", text("object")))?;
    let action = LogAction::ALL.iter().find(|action| action.name() == text("action"));
    let action = action.ok_or_else(|| unknown("action", text("action")))?;
    let at = parse_time(text("date")).ok_or_else(|| unknown("date", text("date")))?;
    let (item, links) = (&record["items"][0], &record["linkToIds"]);
    let about = match object {
        LogObject::Request => &links["requestId"],
        LogObject::FeeFine => &links["feeFineId"],
        _ => &Value::Null,
    };
    let row = json!({
        "at": at.to_string(),
        "id": id,
        "object": object.code(),
        "action": action.code(),
        "user_id": uuid(&links["userId"]),
        "user_barcode": record["userBarcode"],
        "source": record["source"],
        "item_id": uuid(&item["itemId"]),
        "item_barcode": item["itemBarcode"],
        "loan_id": uuid(&item["loanId"]),
        "about_id": uuid(about),
        "service_point_id": uuid(&record["servicePointId"]),
        "description": text("description"),
        "more": details_without_column(record, about),
    });
    Ok(PreparedRecord { id, document: row })
}

/// The details that have no column of their own: links to records other than the record in question, and further items.
fn details_without_column(record: &Value, about: &Value) -> Option<Value> {
    let mut more = Map::new();
    for name in ["requestId", "feeFineId", "templateId", "noticePolicyId"] {
        let link = &record["linkToIds"][name];
        if link.is_string() && link != about {
            more.insert(name.to_owned(), link.clone());
        }
    }
    if let Some(items) = record["items"].as_array().filter(|items| items.len() > 1) {
        more.insert("items".to_owned(), json!(items));
    }
    (!more.is_empty()).then_some(Value::Object(more))
}

fn uuid(value: &Value) -> Option<Uuid> {
    value.as_str().and_then(|id| Uuid::parse_str(id).ok())
}

fn unknown(member: &str, value: &str) -> Fault {
    Fault::bad_request(format!("its {member} is {value:?}, which the log does not know"))
}

pub(super) const APPEND: &str = "\
insert into circulation_log (
  at, object, action, id, user_id, item_id, loan_id, about_id, service_point_id, user_barcode, item_barcode, source, description, more
)
select
  at, object, action, id, user_id, item_id, loan_id, about_id, service_point_id, user_barcode, item_barcode, source, description, more
from json_to_recordset($1::text::json) r (
  at timestamptz, object smallint, action smallint, id uuid, user_id uuid, item_id uuid, loan_id uuid, about_id uuid,
  service_point_id uuid, user_barcode text, item_barcode text, source text, description text, more json
)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_becomes_codes_and_ids() {
        let [id, request, item] = [1, 2, 3].map(Uuid::from_u128);
        let record = json!({
            "id": id, "object": "Request", "action": "Created", "date": "2024-03-01T10:00:00.000+00:00", "description": "Type: Hold.",
            "userBarcode": "123", "items": [{"itemBarcode": "9", "itemId": item}],
            "linkToIds": {"requestId": request, "noticePolicyId": item},
        });
        let row = log_row(&record).unwrap().document;
        assert_eq!(row["about_id"], json!(request));
        assert_eq!(row["item_id"], json!(item));
        assert_eq!(row["object"], LogObject::Request.code());
        assert_eq!(row["more"], json!({"noticePolicyId": item}));
        let refused = log_row(&json!({"id": id, "object": "Nothing"})).unwrap_err();
        assert!(refused.to_string().contains("object"), "{refused}");
    }
}
