//! The mapping rules as their JSON has them, and in parsed form: names of functions become functions, names of types become ids.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::Value;

use super::function::Function;
use super::lookups::Lookups;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenMapping {
    target: String,
    subfield: Vec<String>,
    entity: Option<Vec<WrittenMapping>>,
    entity_per_repeated_subfield: bool,
    apply_rules_on_concatenated_data: bool,
    ignore_subsequent_fields: bool,
    ignore_subsequent_subfields: bool,
    keep_trailing_backslash: bool,
    required_subfield: Vec<String>,
    exclusive_subfield: Vec<String>,
    indicators: Option<Indicators>,
    sub_field_delimiter: Option<Vec<Delimiter>>,
    sub_field_split: Option<Split>,
    rules: Option<Vec<WrittenRule>>,
    alternative_mapping: Option<Box<WrittenMapping>>,
    #[serde(rename = "fieldReplacementBy3Digits")]
    field_replacement: bool,
    field_replacement_rule: Vec<Replacement>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Indicators {
    pub(super) ind1: String,
    pub(super) ind2: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Delimiter {
    pub(super) value: String,
    pub(super) subfields: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Split {
    #[serde(rename = "type")]
    kind: String,
    value: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WrittenRule {
    conditions: Vec<WrittenCondition>,
    value: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WrittenCondition {
    #[serde(rename = "type")]
    kind: String,
    parameter: Value,
    value: Option<String>,
    #[serde(rename = "LDR")]
    leader: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) source_digits: String,
    pub(super) target_field: String,
}

/// What is done with a field: one target, or an entity of several.
#[derive(Debug)]
pub(super) struct Mapping {
    pub(super) targets: Vec<Target>,
    /// The targets make one object of their own; else they share one with the field's other mappings.
    pub(super) entity: bool,
    /// Each repeated subfield makes an object of its own.
    pub(super) per_subfield: bool,
    pub(super) first_field_only: bool,
    pub(super) indicators: Option<Indicators>,
    /// The field stands for another one, which the first three digits of these subfields name.
    pub(super) replacement: Option<(Vec<char>, Vec<Replacement>)>,
}

/// The member of the FOLIO record that a text is written to, and how the text is made.
#[derive(Debug)]
pub(super) struct Target {
    /// `title`, or `identifiers` and `value`.
    pub(super) path: (String, Option<String>),
    pub(super) subfields: Vec<char>,
    pub(super) on_joined_text: bool,
    pub(super) first_subfield_only: bool,
    pub(super) keep_backslash: bool,
    pub(super) required: Vec<char>,
    pub(super) exclusive: Vec<char>,
    pub(super) delimiters: Option<Vec<Delimiter>>,
    /// Subfields are cut into pieces of so many characters.
    pub(super) split: Option<usize>,
    pub(super) rules: Option<Vec<Rule>>,
    pub(super) alternative: Option<Box<Target>>,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) conditions: Vec<Condition>,
    pub(super) value: Option<String>,
}

#[derive(Debug)]
pub(super) struct Condition {
    pub(super) functions: Vec<Function>,
    /// The result that the functions have to give for the condition to be met.
    pub(super) value: Option<String>,
    pub(super) reads_leader: bool,
}

/// Mapping rules by tag. Of a tag whose rules cannot be parsed the reason is kept: only records that have that tag fail.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) mappings: HashMap<String, Vec<Mapping>>,
    pub(super) errors: BTreeMap<String, String>,
}

pub(super) fn read(text: &str, lookups: &Lookups) -> Result<Rules, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("the mapping rules: {error}"))?;
    // Reference data come as an array, also where they are one object.
    let value = match value {
        Value::Array(mut values) if values.len() == 1 => values.remove(0),
        other => other,
    };
    let Value::Object(written) = value else {
        return Err("the mapping rules are no object".to_owned());
    };
    let mut rules = Rules::default();
    for (tag, written) in written {
        match compile_mappings(written, lookups) {
            Ok(mappings) => drop(rules.mappings.insert(tag, mappings)),
            Err(reason) => {
                let reason = format!("the mapping rules for {tag} cannot be read: {reason}");
                rules.errors.insert(tag, reason);
            }
        }
    }
    Ok(rules)
}

fn compile_mappings(written: Value, lookups: &Lookups) -> Result<Vec<Mapping>, String> {
    let written: Vec<WrittenMapping> = serde_json::from_value(written).map_err(|error| error.to_string())?;
    written.into_iter().map(|mapping| mapping.compile(lookups)).collect()
}

impl WrittenMapping {
    fn compile(mut self, lookups: &Lookups) -> Result<Mapping, String> {
        let entity = self.entity.take();
        let (per_subfield, keep) = (self.entity_per_repeated_subfield, self.keep_trailing_backslash);
        let mapping = Mapping {
            entity: entity.is_some(),
            per_subfield: per_subfield && entity.is_some(),
            first_field_only: self.ignore_subsequent_fields,
            indicators: self.indicators.take(),
            replacement: self
                .field_replacement
                .then(|| (codes(&self.subfield), std::mem::take(&mut self.field_replacement_rule))),
            targets: Vec::new(),
        };
        let targets = entity.unwrap_or_else(|| vec![self]).into_iter();
        let targets = targets
            .filter(|target| !target.target.is_empty())
            .map(|target| target.compile_target(lookups, keep));
        Ok(Mapping { targets: targets.collect::<Result<Vec<Target>, String>>()?, ..mapping })
    }

    fn compile_target(self, lookups: &Lookups, keep_backslash: bool) -> Result<Target, String> {
        let split = match &self.sub_field_split {
            None => None,
            Some(split) if split.kind == "split_every" => {
                let every = split.value.parse().ok().filter(|every| *every > 0);
                Some(every.ok_or_else(|| format!("split_every {} is no number", split.value))?)
            }
            Some(split) => return Err(format!("{} is not known", split.kind)),
        };
        let ready = |rules: Vec<WrittenRule>| {
            rules.into_iter().map(|rule| rule.compile(lookups)).collect::<Result<Vec<Rule>, String>>()
        };
        let alternative =
            self.alternative_mapping.map(|target| target.compile_target(lookups, keep_backslash));
        let path = match self.target.split_once('.') {
            Some((list, member)) => (list.to_owned(), Some(member.to_owned())),
            None => (self.target, None),
        };
        Ok(Target {
            path,
            subfields: codes(&self.subfield),
            on_joined_text: self.apply_rules_on_concatenated_data,
            first_subfield_only: self.ignore_subsequent_subfields,
            keep_backslash,
            required: codes(&self.required_subfield),
            exclusive: codes(&self.exclusive_subfield),
            delimiters: self.sub_field_delimiter,
            split,
            rules: self.rules.map(ready).transpose()?,
            alternative: alternative.transpose()?.map(Box::new),
        })
    }
}

impl WrittenRule {
    fn compile(self, lookups: &Lookups) -> Result<Rule, String> {
        let conditions = self.conditions.into_iter().map(|condition| {
            let names = condition.kind.split(',').map(str::trim);
            let functions = names.map(|name| Function::read(name, &condition.parameter, lookups));
            Ok(Condition {
                functions: functions.collect::<Result<Vec<Function>, String>>()?,
                value: condition.value,
                reads_leader: condition.leader,
            })
        });
        Ok(Rule { conditions: conditions.collect::<Result<Vec<Condition>, String>>()?, value: self.value })
    }
}

fn codes(texts: &[String]) -> Vec<char> {
    texts.iter().filter_map(|text| text.chars().next()).collect()
}
