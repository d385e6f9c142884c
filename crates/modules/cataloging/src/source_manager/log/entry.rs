//! One entry of the log, made of the lines about its record.

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::journal::{Line, Step, of, source, steps};

/// An entry of the list.
pub(super) fn entry(job: Uuid, record: Uuid, place: i64, lines: &[Line]) -> Value {
    let mut told = of_single(job, record, place, lines);
    let steps = steps(lines);
    let Some(source) = source(&steps) else { return told };
    told["sourceRecordType"] = json!(source.line.entity);
    let holdings = of(&steps, "HOLDINGS");
    let made = holdings.iter().find(|step| matches!(step.status, "CREATED" | "UPDATED"));
    if let (Some(made), "MARC_HOLDINGS") = (made, source.line.entity.as_str()) {
        told["sourceRecordTitle"] =
            json!(format!("Holdings {}", made.line.hrid.as_deref().unwrap_or_default()));
    }
    told
}

/// What is told of a record by itself.
pub(super) fn of_single(job: Uuid, record: Uuid, place: i64, lines: &[Line]) -> Value {
    let steps = steps(lines);
    let (holdings, items) = (of(&steps, "HOLDINGS"), of(&steps, "ITEM"));
    let parents = holdings.iter().chain(&items);
    let of_parent = parents.filter_map(|step| step.line.instance).next();
    let instance = of(&steps, "INSTANCE").first().copied();
    let (source, authority) = (source(&steps), of(&steps, "AUTHORITY").first().copied());
    let marc_authority = of(&steps, "MARC_AUTHORITY").first().copied();
    let order = of(&steps, "PO_LINE").first().copied();
    let mut told = json!({
        "jobExecutionId": job,
        "incomingRecordId": record,
        "sourceRecordOrder": place.to_string(),
        "relatedInstanceInfo": entity(instance, instance.and_then(|step| step.line.entity_id).or(of_parent)),
        "relatedHoldingsInfo": holdings_told(&holdings, &items),
        "relatedItemInfo": items.iter().map(item).collect::<Vec<Value>>(),
        "relatedAuthorityInfo": authority_told(authority, marc_authority),
        "relatedPoLineInfo": entity(order, order.and_then(|step| step.line.entity_id)),
        "relatedInvoiceInfo": entity(None, None),
        "relatedInvoiceLineInfo": {},
    });
    if let Some(step) = source {
        let about = [
            ("sourceRecordId", step.line.entity_id.map(|id| json!(id))),
            ("error", Some(json!(step.line.error))),
        ];
        put(&mut told, about);
        put_status(&mut told, "sourceRecordActionStatus", step);
    }
    put(
        &mut told,
        [("sourceRecordTitle", lines.iter().find_map(|line| line.title.as_ref()).map(|title| json!(title)))],
    );
    if let Some(id) = order.and_then(|step| step.line.order) {
        told["relatedPoLineInfo"]["orderId"] = json!(id);
    }
    told
}

fn put<const N: usize>(told: &mut Value, members: [(&str, Option<Value>); N]) {
    for (name, value) in members {
        if let Some(value) = value {
            told[name] = value;
        }
    }
}

fn put_status(told: &mut Value, name: &str, step: Step<'_>) {
    if !step.status.is_empty() {
        told[name] = json!(step.status);
    }
}

fn number(line: &Line) -> Option<&str> {
    line.hrid.as_deref().filter(|hrid| !hrid.is_empty())
}

/// An entity of which a record has one at most.
fn entity(step: Option<Step<'_>>, id: Option<Uuid>) -> Value {
    let hrid = step.and_then(|step| number(step.line));
    let mut told = json!({"idList": id.as_slice(), "hridList": hrid.as_slice()});
    if let Some(step) = step {
        put_status(&mut told, "actionStatus", step);
        told["error"] = json!(step.line.error);
    }
    told
}

/// An authority has no hrid of its own. Its MARC record tells of it where it does not itself.
fn authority_told(step: Option<Step<'_>>, marc: Option<Step<'_>>) -> Value {
    let either = step.or(marc);
    let id = step.and_then(|step| step.line.entity_id).or(marc.and_then(|step| step.line.entity_id));
    let mut told = json!({"idList": id.as_slice(), "hridList": []});
    if let Some(step) = step {
        put_status(&mut told, "actionStatus", step);
    }
    put(&mut told, [("error", either.map(|step| json!(step.line.error)))]);
    told
}

/// The holdings, and those of items that were changed.
fn holdings_told(holdings: &[Step<'_>], items: &[Step<'_>]) -> Vec<Value> {
    let mut told: Vec<Value> = Vec::new();
    let mut add = |one: Value| {
        if !told.contains(&one) {
            told.push(one);
        }
    };
    for step in holdings {
        let mut one = json!({"error": step.line.error});
        put_status(&mut one, "actionStatus", *step);
        let about = [
            ("id", step.line.entity_id.map(|id| json!(id))),
            ("hrid", number(step.line).map(|hrid| json!(hrid))),
            ("permanentLocationId", step.line.location.map(|id| json!(id))),
        ];
        put(&mut one, about);
        add(one);
    }
    if holdings.is_empty() {
        let changed = items.iter().filter(|step| step.status == "UPDATED");
        changed.filter_map(|step| step.line.holdings).for_each(|id| add(json!({"id": id})));
    }
    told
}

fn item(step: &Step<'_>) -> Value {
    let mut one = json!({"error": step.line.error});
    put_status(&mut one, "actionStatus", *step);
    let about = [
        ("id", step.line.entity_id.map(|id| json!(id))),
        ("hrid", number(step.line).map(|hrid| json!(hrid))),
        ("holdingsId", step.line.holdings.map(|id| json!(id))),
    ];
    put(&mut one, about);
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entity: &str, action: &str, id: u128) -> Line {
        Line {
            entity: entity.to_owned(),
            action: action.to_owned(),
            entity_id: Some(Uuid::from_u128(id)),
            hrid: Some(format!("h{id}")),
            instance: (entity == "HOLDINGS").then(|| Uuid::from_u128(2)),
            holdings: (entity == "ITEM").then(|| Uuid::from_u128(3)),
            ..Line::default()
        }
    }

    #[test]
    fn an_entry_tells_of_all_that_was_made() {
        let lines = [
            Line::parsed(None),
            line("MARC_BIBLIOGRAPHIC", "CREATE", 1),
            Line { title: Some("Emma".to_owned()), ..line("INSTANCE", "CREATE", 2) },
            line("HOLDINGS", "CREATE", 3),
            line("ITEM", "CREATE", 4),
            line("ITEM", "CREATE", 5),
        ];
        let told = entry(Uuid::nil(), Uuid::from_u128(9), 7, &lines);
        assert_eq!(told["sourceRecordOrder"], "7");
        assert_eq!(
            (&told["sourceRecordTitle"], &told["sourceRecordType"]),
            (&json!("Emma"), &json!("MARC_BIBLIOGRAPHIC"))
        );
        assert_eq!(told["sourceRecordActionStatus"], "CREATED");
        assert_eq!(told["relatedInstanceInfo"]["hridList"], json!(["h2"]));
        assert_eq!(told["relatedHoldingsInfo"][0]["hrid"], "h3");
        assert_eq!(told["relatedItemInfo"].as_array().map(Vec::len), Some(2));
        assert_eq!(told["relatedItemInfo"][1]["holdingsId"], json!(Uuid::from_u128(3)));
    }

    #[test]
    fn an_item_that_was_changed_names_its_holdings() {
        let told = entry(Uuid::nil(), Uuid::nil(), 0, &[line("ITEM", "UPDATE", 4)]);
        assert_eq!(told["relatedHoldingsInfo"], json!([{"id": Uuid::from_u128(3)}]));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_discarded_with_the_reason() {
        let failed = Line {
            error: "no leader".to_owned(),
            entity_id: None,
            ..line("MARC_BIBLIOGRAPHIC", "CREATE", 1)
        };
        let told = entry(Uuid::nil(), Uuid::nil(), 0, &[Line::parsed(Some("no leader")), failed]);
        assert_eq!(
            (&told["sourceRecordActionStatus"], &told["error"]),
            (&json!("DISCARDED"), &json!("no leader"))
        );
        assert_eq!(told["relatedInstanceInfo"], json!({"idList": [], "hridList": []}));
    }

    #[test]
    fn marc_holdings_are_called_by_their_holdings() {
        let lines = [line("MARC_HOLDINGS", "CREATE", 1), line("HOLDINGS", "CREATE", 3)];
        assert_eq!(entry(Uuid::nil(), Uuid::nil(), 0, &lines)["sourceRecordTitle"], "Holdings h3");
    }
}
