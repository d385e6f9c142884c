//! Templates filled with a user's values.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::clock;
use crate::workflow::{
    Amount, Body, Condition, LOOP, NEW_ID, NOW, Part, Slot, Template, Wanted, Workflow, encode_value,
};

use super::rows::Rows;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Held {
    #[default]
    Nothing,
    One(String),
    Many(Vec<String>),
}

/// Values by slot.
#[derive(Debug, Clone)]
pub(crate) struct Values(pub(super) Vec<Held>);

impl Values {
    /// Parameters as the workflow has them, or as they are given here.
    pub(crate) fn new(workflow: &Workflow, given: &[(String, String)]) -> Values {
        let mut values = Values(vec![Held::Nothing; workflow.names.len()]);
        for parameter in &workflow.parameters {
            let set = given.iter().rev().find(|(name, _)| *name == parameter.name);
            values.set(parameter.slot, set.map_or(&parameter.value, |(_, value)| value).clone());
        }
        values
    }

    pub(super) fn set(&mut self, slot: Slot, value: String) {
        self.0[slot] = Held::One(value);
    }

    pub(super) fn text(&self, slot: Slot) -> String {
        let mut text = String::new();
        self.put(slot, &mut text, false);
        text
    }

    pub(super) fn meets(&self, asked: &Condition) -> bool {
        let is = |text: &Template<Slot>| {
            let mut wanted = String::new();
            fill(text, self, &mut wanted, false);
            self.text(asked.slot) == wanted
        };
        match &asked.wanted {
            Wanted::Found => self.0[asked.slot] != Held::Nothing,
            Wanted::Is(text) => is(text),
            Wanted::IsNot(text) => !is(text),
        }
    }

    pub(super) fn put(&self, slot: Slot, into: &mut String, encoded: bool) {
        let put = |text: &str, into: &mut String| match encoded {
            true => encode_value(text, into),
            false => into.push_str(text),
        };
        match slot {
            NOW => put(&clock::today().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(), into),
            NEW_ID => put(&clock::fresh_id(), into),
            _ => {
                if let Held::One(text) = &self.0[slot] {
                    put(text, into);
                }
            }
        }
    }
}

pub(super) fn target(template: &Template<Slot>, values: &Values, into: &mut String) {
    fill(template, values, into, true);
}

pub(super) fn fill(template: &Template<Slot>, values: &Values, into: &mut String, encoded: bool) {
    for part in &template.0 {
        match part {
            Part::Text(text) => into.push_str(text),
            Part::Value(slot) => values.put(*slot, into, encoded),
        }
    }
}

pub(super) fn amount(of: Amount, values: &Values) -> Result<u64> {
    match of {
        Amount::Fixed(number) => Ok(number),
        Amount::Parameter(slot) => match &values.0[slot] {
            Held::One(text) => text.parse().with_context(|| format!("\"{text}\" is no whole number")),
            _ => bail!("a parameter without a value"),
        },
    }
}

/// The body as bytes to send; a feeder that has no more rows is an error.
pub(super) fn body(body: &Body, values: &Values, feeders: &[Rows]) -> Result<String> {
    match body {
        Body::Raw(template) => {
            let mut text = String::new();
            fill(template, values, &mut text, false);
            Ok(text)
        }
        other => Ok(json(other, values, feeders)?.to_string()),
    }
}

fn json(body: &Body, values: &Values, feeders: &[Rows]) -> Result<Value> {
    Ok(match body {
        Body::Plain(value) => value.clone(),
        Body::Text(template) | Body::Raw(template) => {
            let mut text = String::new();
            fill(template, values, &mut text, false);
            Value::String(text)
        }
        Body::List(list) => {
            Value::Array(list.iter().map(|one| json(one, values, feeders)).collect::<Result<_>>()?)
        }
        Body::Object(fields) => {
            let field = |(name, one): &(String, Body)| Ok((name.clone(), json(one, values, feeders)?));
            Value::Object(fields.iter().map(field).collect::<Result<_>>()?)
        }
        Body::Feed { feeder, field, count, grow, most } => {
            let done = amount(Amount::Parameter(LOOP), values)?;
            let count = amount(*count, values)? + amount(*grow, values)? * done;
            let rows = &feeders[*feeder];
            let mut list = Vec::new();
            // Of a ring at most one round: a list does not name one thing twice.
            for _ in 0..count.min(amount(*most, values)?).min(rows.len() as u64) {
                let row =
                    rows.take().with_context(|| format!("the feeder {} has no more rows", rows.name))?;
                list.push(Value::String(row[*field].clone()));
            }
            Value::Array(list)
        }
    })
}
