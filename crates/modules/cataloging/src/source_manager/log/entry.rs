//! Makes one entry of the log from the journal lines of its record.

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::journal::{Line, Step, source_step, steps, steps_of_entity};

/// An entry in the list of log entries.
pub(super) fn entry_json(job: Uuid, record: Uuid, place: i64, lines: &[Line]) -> Value {
    let mut told = record_json(job, record, place, lines);
    let steps = steps(lines);
    let Some(source) = source_step(&steps) else { return told };
    told["sourceRecordType"] = json!(source.line.entity);
    let holdings = steps_of_entity(&steps, "HOLDINGS");
    let made = holdings.iter().find(|step| matches!(step.status, "CREATED" | "UPDATED"));
    if let (Some(made), "MARC_HOLDINGS") = (made, source.line.entity.as_str()) {
        told["sourceRecordTitle"] =
            json!(format!("Holdings {}", made.line.hrid.as_deref().unwrap_or_default()));
    }
    told
}

/// The log entry of a single record.
pub(super) fn record_json(job: Uuid, record: Uuid, place: i64, lines: &[Line]) -> Value {
    let steps = steps(lines);
    let (holdings, items) = (steps_of_entity(&steps, "HOLDINGS"), steps_of_entity(&steps, "ITEM"));
    let parents = holdings.iter().chain(&items);
    let of_parent = parents.filter_map(|step| step.line.instance).next();
    let instance = steps_of_entity(&steps, "INSTANCE").first().copied();
    let (source, authority) = (source_step(&steps), steps_of_entity(&steps, "AUTHORITY").first().copied());
    let marc_authority = steps_of_entity(&steps, "MARC_AUTHORITY").first().copied();
    let order = steps_of_entity(&steps, "PO_LINE").first().copied();
    let mut told = json!({
        "jobExecutionId": job,
        "incomingRecordId": record,
        "sourceRecordOrder": place.to_string(),
        "relatedInstanceInfo": entity_json(instance, instance.and_then(|step| step.line.entity_id).or(of_parent)),
        "relatedHoldingsInfo": holdings_json(&holdings, &items),
        "relatedItemInfo": items.iter().map(item_json).collect::<Vec<Value>>(),
        "relatedAuthorityInfo": authority_json(authority, marc_authority),
        "relatedPoLineInfo": entity_json(order, order.and_then(|step| step.line.entity_id)),
        "relatedInvoiceInfo": entity_json(None, None),
        "relatedInvoiceLineInfo": {},
    });
    if let Some(step) = source {
        let about = [
            ("sourceRecordId", step.line.entity_id.map(|id| json!(id))),
            ("error", Some(json!(step.line.error))),
        ];
        set_members(&mut told, about);
        set_status(&mut told, "sourceRecordActionStatus", step);
    }
    set_members(
        &mut told,
        [("sourceRecordTitle", lines.iter().find_map(|line| line.title.as_ref()).map(|title| json!(title)))],
    );
    if let Some(id) = order.and_then(|step| step.line.order) {
        told["relatedPoLineInfo"]["orderId"] = json!(id);
    }
    told
}

fn set_members<const N: usize>(told: &mut Value, members: [(&str, Option<Value>); N]) {
    for (name, value) in members {
        if let Some(value) = value {
            told[name] = value;
        }
    }
}

fn set_status(told: &mut Value, name: &str, step: Step<'_>) {
    if !step.status.is_empty() {
        told[name] = json!(step.status);
    }
}

fn hrid_of(line: &Line) -> Option<&str> {
    line.hrid.as_deref().filter(|hrid| !hrid.is_empty())
}

/// The details of an entity of which a record has at most one.
fn entity_json(step: Option<Step<'_>>, id: Option<Uuid>) -> Value {
    let hrid = step.and_then(|step| hrid_of(step.line));
    let mut told = json!({"idList": id.as_slice(), "hridList": hrid.as_slice()});
    if let Some(step) = step {
        set_status(&mut told, "actionStatus", step);
        told["error"] = json!(step.line.error);
    }
    told
}

/// The details of the authority, which has no hrid. If the journal has no step for it, those of its MARC record.
fn authority_json(step: Option<Step<'_>>, marc: Option<Step<'_>>) -> Value {
    let either = step.or(marc);
    let id = step.and_then(|step| step.line.entity_id).or(marc.and_then(|step| step.line.entity_id));
    let mut told = json!({"idList": id.as_slice(), "hridList": []});
    if let Some(step) = step {
        set_status(&mut told, "actionStatus", step);
    }
    set_members(&mut told, [("error", either.map(|step| json!(step.line.error)))]);
    told
}

/// The details of the holdings; if there are none, the ids of the holdings of changed items.
fn holdings_json(holdings: &[Step<'_>], items: &[Step<'_>]) -> Vec<Value> {
    let mut told: Vec<Value> = Vec::new();
    let mut add = |one: Value| {
        if !told.contains(&one) {
            told.push(one);
        }
    };
    for step in holdings {
        let mut one = json!({"error": step.line.error});
        set_status(&mut one, "actionStatus", *step);
        let about = [
            ("id", step.line.entity_id.map(|id| json!(id))),
            ("hrid", hrid_of(step.line).map(|hrid| json!(hrid))),
            ("permanentLocationId", step.line.location.map(|id| json!(id))),
        ];
        set_members(&mut one, about);
        add(one);
    }
    if holdings.is_empty() {
        let changed = items.iter().filter(|step| step.status == "UPDATED");
        changed.filter_map(|step| step.line.holdings).for_each(|id| add(json!({"id": id})));
    }
    told
}

fn item_json(step: &Step<'_>) -> Value {
    let mut one = json!({"error": step.line.error});
    set_status(&mut one, "actionStatus", *step);
    let about = [
        ("id", step.line.entity_id.map(|id| json!(id))),
        ("hrid", hrid_of(step.line).map(|hrid| json!(hrid))),
        ("holdingsId", step.line.holdings.map(|id| json!(id))),
    ];
    set_members(&mut one, about);
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
        let told = entry_json(Uuid::nil(), Uuid::from_u128(9), 7, &lines);
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
        let told = entry_json(Uuid::nil(), Uuid::nil(), 0, &[line("ITEM", "UPDATE", 4)]);
        assert_eq!(told["relatedHoldingsInfo"], json!([{"id": Uuid::from_u128(3)}]));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_discarded_with_the_reason() {
        let failed = Line {
            error: "no leader".to_owned(),
            entity_id: None,
            ..line("MARC_BIBLIOGRAPHIC", "CREATE", 1)
        };
        let told = entry_json(Uuid::nil(), Uuid::nil(), 0, &[Line::parsed(Some("no leader")), failed]);
        assert_eq!(
            (&told["sourceRecordActionStatus"], &told["error"]),
            (&json!("DISCARDED"), &json!("no leader"))
        );
        assert_eq!(told["relatedInstanceInfo"], json!({"idList": [], "hridList": []}));
    }

    #[test]
    fn marc_holdings_are_called_by_their_holdings() {
        let lines = [line("MARC_HOLDINGS", "CREATE", 1), line("HOLDINGS", "CREATE", 3)];
        assert_eq!(entry_json(Uuid::nil(), Uuid::nil(), 0, &lines)["sourceRecordTitle"], "Holdings h3");
    }
}
