//! Actual cost records, in which staff set the cost of a lost item. The loan stays open until they do so or the record expires.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::document::{object, remove, set, set_time, text, value_at};
use crate::facts::{Facts, Item, Loan, Location, NamedRecord};
use crate::plan::{Plan, RecordKind};
use crate::policy::LostItemPolicy;
use crate::status::{ActualCostStatus, ItemStatus};
use crate::trace::Step;

pub(crate) const ACTUAL_COST_FEE: &str = "Lost item fee (actual cost)";

pub(super) struct Loss<'a> {
    pub(super) loan: &'a Loan,
    pub(super) item: &'a Item,
    pub(super) policy: &'a LostItemPolicy,
    pub(super) owner: &'a NamedRecord,
    pub(super) kind: &'a NamedRecord,
    /// Declared or aged to lost.
    pub(super) item_status: ItemStatus,
    pub(super) lost_at: Timestamp,
}

pub(super) fn ask_for_cost(facts: &Facts, loss: &Loss<'_>, plan: &mut Plan) {
    let id = facts.fresh_ids.actual_cost.as_str();
    let expires = loss.policy.actual_cost_expires(loss.lost_at);
    let mut record = json!({
        "id": id,
        "status": ActualCostStatus::Open,
        "lossType": loss.item_status,
        "user": user_json(facts, loss.loan),
        "loan": {"id": loss.loan.id()},
        "item": item_json(loss.item),
        "instance": instance_json(loss.item),
        "feeFine": {
            "ownerId": loss.owner.id, "owner": loss.owner.name, "typeId": loss.kind.id, "type": loss.kind.name,
        },
    });
    set_time(&mut record, "lossDate", loss.lost_at);
    if let Some(expires) = expires {
        set_time(&mut record, "expirationDate", expires);
    }
    facts.set_metadata(&mut record);
    plan.insert(RecordKind::ActualCostRecord, id, record);
    plan.add_step(Step::ActualCostAsked { record_id: id.to_owned(), expires });
}

fn user_json(facts: &Facts, loan: &Loan) -> Value {
    let patron = facts.patron.as_ref();
    let read = |path: &[&str]| patron.and_then(|patron| value_at(&patron.record, path)).cloned();
    let group = patron.and_then(|patron| patron.group.as_ref());
    object([
        ("id", loan.user_id().map(Value::from)),
        ("barcode", read(&["barcode"])),
        ("firstName", read(&["personal", "firstName"])),
        ("lastName", Some(read(&["personal", "lastName"]).unwrap_or_else(|| json!("")))),
        ("middleName", read(&["personal", "middleName"])),
        ("patronGroupId", read(&["patronGroup"])),
        ("patronGroup", group.and_then(|group| group.name.clone()).map(Value::from)),
    ])
}

fn item_json(item: &Item) -> Value {
    let read = |name: &str| value_at(&item.record, &[name]).cloned();
    let (home, now) = (item.permanent_location.as_deref(), item.location.as_deref());
    let place_id = |place: Option<&Location>| {
        place.map(|place| place.id.as_str()).filter(|id| !id.is_empty()).map(Value::from)
    };
    let place_name =
        |place: Option<&Location>| place.and_then(|place| place.name.as_deref()).map(Value::from);
    let components = value_at(&item.record, &["effectiveCallNumberComponents"]);
    let call_number = components.map(|components| {
        object(["callNumber", "prefix", "suffix"].map(|part| (part, value_at(components, &[part]).cloned())))
    });
    object([
        ("id", Some(item.id().into())),
        ("barcode", read("barcode")),
        ("materialTypeId", read("materialTypeId")),
        ("materialType", Some(item.material_type_name.clone().unwrap_or_default().into())),
        ("permanentLocationId", place_id(home)),
        ("permanentLocation", place_name(home)),
        ("effectiveLocationId", place_id(now)),
        ("effectiveLocation", place_name(now)),
        ("loanTypeId", item.loan_type_id().map(Value::from)),
        ("loanType", Some(item.loan_type_name.clone().unwrap_or_default().into())),
        ("holdingsRecordId", read("holdingsRecordId")),
        ("effectiveCallNumberComponents", call_number),
        ("volume", read("volume")),
        ("enumeration", read("enumeration")),
        ("chronology", read("chronology")),
        ("displaySummary", read("displaySummary")),
        ("copyNumber", read("copyNumber").or_else(|| item.holdings_copy_number.clone().map(Value::from))),
    ])
}

fn instance_json(item: &Item) -> Value {
    let contributors: Vec<Value> = item.contributors.iter().map(|one| json!({"name": one.name})).collect();
    object([
        ("id", item.instance_id.clone().map(Value::from)),
        ("title", Some(item.title.clone().unwrap_or_default().into())),
        ("identifiers", Some(item.identifiers.clone().into())),
        ("contributors", Some(contributors.into())),
    ])
}

/// Cancels the record, because the item has turned up.
pub(super) fn cancel_open_record(facts: &Facts, remark: &str, plan: &mut Plan) {
    let open = facts.lost.actual_costs.iter().find(|record| has_status(record, ActualCostStatus::Open));
    if let Some(record) = open {
        let mut record = record.clone();
        set(&mut record, "additionalInfoForStaff", remark);
        remove(&mut record, "additionalInfoForPatron");
        write_with_status(facts, record, ActualCostStatus::Cancelled, plan);
    }
}

pub(crate) fn has_status(record: &Value, status: ActualCostStatus) -> bool {
    text(record, &["status"]) == Some(status.name())
}

/// Writes the changed record.
pub(crate) fn write_with_status(
    facts: &Facts,
    mut record: Value,
    status: ActualCostStatus,
    plan: &mut Plan,
) -> Value {
    set(&mut record, "status", status);
    facts.set_metadata(&mut record);
    let id = text(&record, &["id"]).unwrap_or_default().to_owned();
    plan.update(RecordKind::ActualCostRecord, &id, record.clone());
    plan.add_step(Step::ActualCostChanged { record_id: id, status: status.name().into() });
    record
}
