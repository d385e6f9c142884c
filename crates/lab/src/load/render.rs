//! Fills the templates of a workflow with the values of a virtual user.

use std::borrow::Cow;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::clock;
use crate::workflow::{
    Amount, Body, Condition, ConditionTest, LOOP, NEW_ID, NOW, Part, Slot, Template, Workflow, encode_value,
};

use super::rows::Rows;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum SlotValue {
    #[default]
    Nothing,
    One(String),
    Many(Vec<String>),
}

/// The values of a virtual user, by slot.
#[derive(Debug, Clone)]
pub(crate) struct Values(pub(super) Vec<SlotValue>);

impl Values {
    /// The values at the start of a run: the workflow's parameters, with the texts that the experiment sets.
    pub(crate) fn new(workflow: &Workflow, given: &[(String, String)]) -> Values {
        let mut values = Values(vec![SlotValue::Nothing; workflow.names.len()]);
        for parameter in &workflow.parameters {
            let set = given.iter().rev().find(|(name, _)| *name == parameter.name);
            values.set(parameter.slot, set.map_or(&parameter.value, |(_, value)| value).clone());
        }
        values
    }

    pub(super) fn set(&mut self, slot: Slot, value: String) {
        self.0[slot] = SlotValue::One(value);
    }

    pub(super) fn text(&self, slot: Slot) -> Cow<'_, str> {
        match (slot, &self.0[slot]) {
            (NOW, _) => clock::timestamp_now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string().into(),
            (NEW_ID, _) => clock::new_uuid().into(),
            (_, SlotValue::One(text)) => text.into(),
            (_, SlotValue::Nothing | SlotValue::Many(_)) => "".into(),
        }
    }

    pub(super) fn meets(&self, asked: &Condition) -> bool {
        let is = |text: &Template<Slot>| self.text(asked.slot) == render_text(text, self);
        match &asked.test {
            ConditionTest::Found => self.0[asked.slot] != SlotValue::Nothing,
            ConditionTest::Is(text) => is(text),
            ConditionTest::IsNot(text) => !is(text),
        }
    }
}

/// The path of a call; values are encoded as a URL has them.
pub(super) fn render_target(template: &Template<Slot>, values: &Values) -> String {
    render_parts(template, |slot| encode_value(&values.text(slot)).into())
}

pub(super) fn render_text(template: &Template<Slot>, values: &Values) -> String {
    render_parts(template, |slot| values.text(slot))
}

fn render_parts<'v>(template: &Template<Slot>, value: impl Fn(Slot) -> Cow<'v, str>) -> String {
    let mut text = String::new();
    for part in &template.0 {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Value(slot) => text.push_str(&value(*slot)),
        }
    }
    text
}

pub(super) fn resolve_amount(of: Amount, values: &Values) -> Result<u64> {
    match of {
        Amount::Fixed(number) => Ok(number),
        Amount::Parameter(slot) => match &values.0[slot] {
            SlotValue::One(text) => text.parse().with_context(|| format!("\"{text}\" is no whole number")),
            _ => bail!("a parameter without a value"),
        },
    }
}

/// The body as bytes to send; a feeder that has no more rows is an error.
pub(super) fn render_body(body: &Body, values: &Values, feeders: &[Rows]) -> Result<String> {
    match body {
        Body::Raw(template) => Ok(render_text(template, values)),
        other => Ok(body_to_json(other, values, feeders)?.to_string()),
    }
}

fn body_to_json(body: &Body, values: &Values, feeders: &[Rows]) -> Result<Value> {
    Ok(match body {
        Body::Plain(value) => value.clone(),
        Body::Text(template) | Body::Raw(template) => Value::String(render_text(template, values)),
        Body::List(list) => {
            Value::Array(list.iter().map(|one| body_to_json(one, values, feeders)).collect::<Result<_>>()?)
        }
        Body::Object(fields) => {
            let field =
                |(name, one): &(String, Body)| Ok((name.clone(), body_to_json(one, values, feeders)?));
            Value::Object(fields.iter().map(field).collect::<Result<_>>()?)
        }
        Body::Feed { feeder, field, count, grow, most } => {
            let done = resolve_amount(Amount::Parameter(LOOP), values)?;
            let count = resolve_amount(*count, values)? + resolve_amount(*grow, values)? * done;
            let rows = &feeders[*feeder];
            let mut list = Vec::new();
            // At most one round of a ring is taken: a list does not name one thing twice.
            for _ in 0..count.min(resolve_amount(*most, values)?).min(rows.len() as u64) {
                let row =
                    rows.next_row().with_context(|| format!("the feeder {} has no more rows", rows.name))?;
                list.push(Value::String(row[*field].clone()));
            }
            Value::Array(list)
        }
    })
}
