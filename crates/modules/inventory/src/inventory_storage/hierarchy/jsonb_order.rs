//! The order of PostgreSQL's type `jsonb`, in which FOLIO's database lists what it takes once (`jsonb_agg(distinct ...)`).

use std::cmp::Ordering;

use serde_json::Value;

/// The distinct values, in the order of `jsonb`.
pub(super) fn distinct(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by(compare);
    values.dedup();
    values
}

/// Texts are compared by their bytes, as in a database with the collation `C`.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => one.len().cmp(&other.len()).then_with(|| {
            let [one, other] = [one, other].map(|members| {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by_key(|(name, _)| (name.len(), *name));
                members
            });
            let pairs = one.into_iter().zip(other);
            first_difference(pairs.map(|((name, value), (other_name, other))| {
                name.cmp(other_name).then_with(|| compare(value, other))
            }))
        }),
        (Value::Array(one), Value::Array(other)) => one
            .len()
            .cmp(&other.len())
            .then_with(|| first_difference(one.iter().zip(other).map(|(one, other)| compare(one, other)))),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal)
        }
        (Value::String(one), Value::String(other)) => one.cmp(other),
        (one, other) => rank(one).cmp(&rank(other)),
    }
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::String(_) => 1,
        Value::Number(_) => 2,
        Value::Bool(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// As PostgreSQL 15 sorts them with the collation `C`.
    #[test]
    fn values_stand_in_the_order_of_jsonb() {
        let sorted = [
            json!(null),
            json!("10"),
            json!("9"),
            json!("é"),
            json!(9),
            json!(10),
            json!(false),
            json!(true),
            json!([2]),
            json!([1, 1]),
            json!([1, 2]),
            json!({"a": 1}),
            json!({"a": 1, "b": null}),
            json!({"a": 1, "b": "x"}),
            json!({"a": 2, "b": null}),
            json!({"aa": 1, "ab": 1}),
            json!({"b": 1, "aa": 1}),
        ];
        for (at, one) in sorted.iter().enumerate() {
            for (other_at, other) in sorted.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&other_at), "{one} {other}");
            }
        }
    }

    #[test]
    fn each_value_is_there_once() {
        let links = vec![
            json!({"uri": "b", "name": null}),
            json!({"uri": "a", "name": "Resource", "linkText": "c"}),
            json!({"name": null, "uri": "b"}),
            json!({"uri": "a", "name": "Resource"}),
        ];
        let expected = [&links[3], &links[0], &links[1]].map(Value::clone);
        assert_eq!(distinct(links), expected);
    }
}
