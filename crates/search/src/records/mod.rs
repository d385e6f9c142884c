//! What a record gives to each of its search fields, and what of it is shown in an answer.
//!
//! A title is an instance with its holdings and items, as mod-inventory-storage stores them; an authority gives a document for each
//! of its headings. Facts: the model files of mod-search 3.2.6 and the processors in its `service/setter`.

mod authority;
mod copies;
mod paths;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod title;
mod types;

use std::sync::LazyLock;

use serde_json::Value;

pub use authority::{Heading, heading_values, headings};
pub use copies::{ShelfPosition, shelf_position};
use paths::{AllText, PathNode, walk};
pub use shown::{View, heading_json, instance_json};
pub use table::{
    authority_fields, classification_fields, contributor_fields, instance_fields, subject_fields,
};
pub use types::ReferenceTypes;

/// A title with what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    pub instance: &'a Value,
    pub holdings: &'a [Value],
    pub items: &'a [Value],
    /// The tenant whose records these are. mod-search keeps it within a consortium only.
    pub tenant: Option<&'a str>,
    /// Whether all tenants of the consortium have the title.
    pub shared: bool,
    /// Whether an item of the title is bound with another title.
    pub bound_with: bool,
}

/// How a value is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// As its field says.
    Value,
    /// As a whole, though its field is searched by words, too. Only `allInstances`, `allHoldings` and `allItems` have such values:
    /// they take text of members that have no words of their own, such as ids, barcodes and dates.
    Whole,
}

/// Receives a value of the field with this number.
pub(crate) type TakeValue<'a> = &'a mut dyn FnMut(usize, ValueKind, &str);

/// Passes each value of each field of [`instance_fields`] to `take`, with the field's number, in one walk over the record.
///
/// A value can come several times, as often as it stands in the record: whoever counts records by value has to keep it once.
/// Values are as they are written; what the index does to words, letters and instants comes later. `callNumber` and
/// `typedCallNumber` get no values: mod-search turns the first ten letters of a shelving order into a number there, to browse
/// by, and the order itself is better. Fields of index `source` get none, either.
pub fn values(record: &Instance<'_>, types: &ReferenceTypes, take: TakeValue<'_>) {
    let plan = &*PLAN;
    plan.take_given_values(record, take);
    walk(record.instance, Some(&plan.instance), Some(plan.all_instances), take);
    title::values(record.instance, types, take);
    for holding in record.holdings {
        walk(holding, Some(&plan.holding), Some(plan.all_holdings), take);
        copies::holding_values(holding, take);
    }
    for item in record.items {
        walk(item, Some(&plan.item), Some(plan.all_items), take);
        copies::item_values(item, types, take);
    }
}

/// Where the fields of a title stand, made once.
struct Plan {
    instance: PathNode,
    holding: PathNode,
    item: PathNode,
    all_instances: AllText,
    all_holdings: AllText,
    all_items: AllText,
    tenant: [Option<usize>; 3],
    shared: Option<usize>,
    bound_with: Option<usize>,
}

static PLAN: LazyLock<Plan> = LazyLock::new(Plan::new);

impl Plan {
    fn new() -> Plan {
        let fields = instance_fields();
        let all = |processor, takes| AllText { field: computed_field(processor), takes };
        Plan {
            instance: PathNode::tree(fields, |field| {
                Some(field.name).filter(|name| stands_in_instance(name))
            }),
            holding: PathNode::tree(fields, |field| {
                field.name.strip_prefix("holdings.").filter(|name| !is_given(name))
            }),
            item: PathNode::tree(fields, |field| {
                field.name.strip_prefix("items.").filter(|name| !is_given(name))
            }),
            all_instances: all("instanceAllFieldValuesProcessor", |key| {
                is_searched_text(key) && !key.starts_with("item") && !key.starts_with("holding")
            }),
            all_holdings: all("holdingAllFieldValuesProcessor", is_searched_text),
            all_items: all("itemAllFieldValuesProcessor", |key| is_searched_text(key) || key == "formerIds"),
            tenant: ["tenantId", "holdings.tenantId", "items.tenantId"].map(|name| fields.field_number(name)),
            shared: fields.field_number("shared"),
            bound_with: fields.field_number("isBoundWith"),
        }
    }

    /// Passes the values that are not in the record's JSON to `take`: the tenant, and whether the record is shared or bound with others.
    fn take_given_values(&self, record: &Instance<'_>, take: TakeValue<'_>) {
        let truth = |truth| if truth { "true" } else { "false" };
        let held = [true, !record.holdings.is_empty(), !record.items.is_empty()];
        if let Some(tenant) = record.tenant {
            for field in self.tenant.into_iter().zip(held).filter_map(|(field, held)| field.filter(|_| held))
            {
                take(field, ValueKind::Value, tenant);
            }
        }
        for (field, value) in [(self.shared, record.shared), (self.bound_with, record.bound_with)] {
            if let Some(field) = field {
                take(field, ValueKind::Value, truth(value));
            }
        }
    }
}

/// The number of the field that this processor computes. A test checks that the table has each of them.
fn computed_field(processor: &str) -> usize {
    field_of_processor(table::instance_fields(), processor)
}

fn field_of_processor(fields: &crate::fields::Fields, processor: &str) -> usize {
    fields.list().iter().position(|field| field.processor == Some(processor)).unwrap_or(usize::MAX)
}

/// Members that a caller gives beside the JSON.
fn is_given(name: &str) -> bool {
    matches!(name, "tenantId" | "shared" | "isBoundWith")
}

fn stands_in_instance(name: &str) -> bool {
    !name.starts_with("holdings.") && !name.starts_with("items.") && !is_given(name)
}

/// Whether a member's text goes to `cql.all`: links to other records do not. The record's own `id` does.
fn is_searched_text(key: &str) -> bool {
    !key.ends_with("Id") && !key.ends_with("Ids")
}

/// The text of a member; none if there is none or it is no text.
fn text<'a>(record: &'a Value, member: &str) -> Option<&'a str> {
    record.get(member).and_then(Value::as_str)
}

/// The members of a list; nothing if there is no list.
fn list<'a>(record: &'a Value, member: &str) -> impl Iterator<Item = &'a Value> {
    record.get(member).and_then(Value::as_array).into_iter().flatten()
}
