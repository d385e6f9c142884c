use std::collections::BTreeMap;

use serde_json::Value;

use super::types;
use crate::records::{Instance, ValueKind, instance_fields, values};

/// A title of FOLIO's sample data with what mod-inventory-storage adds to it, one of its notes shortened.
pub(super) fn primer() -> Value {
    serde_json::from_str(include_str!("primer.json")).unwrap()
}

#[test]
fn a_title_of_the_sample_data_gives_these_values_and_no_others() {
    let primer = primer();
    let part = |name: &str| primer[name].as_array().unwrap();
    let record = Instance {
        instance: &primer["instance"],
        holdings: part("holdings"),
        items: part("items"),
        tenant: Some("diku"),
        shared: false,
        bound_with: true,
    };
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    values(&record, &types(), &mut |field, kind, value| {
        let name = instance_fields().list()[field].name;
        let mark = if kind == ValueKind::Whole { " (whole)" } else { "" };
        found.entry(format!("{name}{mark}")).or_default().push(value.to_owned());
    });
    let mut lines = String::new();
    for (name, mut values) in found {
        values.sort();
        values.dedup();
        lines += &format!("{name}\t{}\n", values.join(" | "));
    }
    assert_eq!(lines, include_str!("primer.tsv"));
}
