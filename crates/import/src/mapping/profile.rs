//! From the JSON of a mapping profile.

use serde_json::Value;

use super::accepted::AcceptedValues;
use super::{Group, Kind, Mapping, Member, MemberValue, Path, RepeatAction, Rule, SingleValue};
use crate::expression::Expression;
use crate::journal::Entity;

const MOST_FIELDS: usize = 500;

impl Mapping {
    /// The error names the field.
    pub(crate) fn compile(entity: Entity, profile: &Value) -> Result<Mapping, String> {
        let fields = list(&profile["mappingDetails"]["mappingFields"]);
        if fields.len() > MOST_FIELDS {
            return Err(format!("it has more than {MOST_FIELDS} fields"));
        }
        let root = path_root(entity);
        let mut mapping = Mapping::default();
        for field in fields {
            let name = field["name"].as_str().unwrap_or_default();
            let said = |error: String| format!("field {name}: {error}");
            if !is_true(&field["enabled"]) {
                continue;
            }
            if entity == Entity::Holdings && name == "permanentLocationId" {
                let expression = Expression::parse(text(&field["value"])).map_err(said)?;
                mapping.split = expression.as_ref().and_then(Expression::first_tag).map(str::to_owned);
            }
            if let Some(kind) = parse_kind(field).map_err(said)? {
                let path = Path::read(root, text(&field["path"])).map_err(said)?;
                mapping.fields.push(Rule { path, kind });
            }
        }
        Ok(mapping)
    }
}

fn path_root(entity: Entity) -> &'static str {
    match entity {
        Entity::Holdings => "holdings",
        Entity::Item => "item",
        Entity::Authority => "authority",
        _ => "instance",
    }
}

fn parse_kind(field: &Value) -> Result<Option<Kind>, String> {
    if let Some(action) = field["booleanFieldAction"].as_str() {
        return Ok(parse_flag(action)?.map(Kind::Flag));
    }
    let action = field["repeatableFieldAction"].as_str().map(parse_repeat_action).transpose()?;
    let subfields = list(&field["subfields"]);
    if subfields.is_empty() {
        if let Some(single) = parse_single(field)? {
            return Ok(Some(Kind::Single(single)));
        }
        let emptied = action == Some(RepeatAction::DeleteExisting);
        return Ok(
            emptied.then(|| Kind::Repeatable { action: RepeatAction::DeleteExisting, groups: Vec::new() })
        );
    }
    let Some(action) = action else {
        return Ok(None);
    };
    let mut subfields: Vec<&Value> = subfields.iter().collect();
    subfields.sort_by_key(|subfield| subfield["order"].as_i64().unwrap_or(0));
    let groups = subfields.into_iter().map(parse_group).collect::<Result<Vec<Vec<Group>>, String>>()?;
    Ok(Some(Kind::Repeatable { action, groups: groups.into_iter().flatten().collect() }))
}

/// Fields with the path of their group are texts of the list; the others are members of one object.
fn parse_group(subfield: &Value) -> Result<Vec<Group>, String> {
    let path = text(&subfield["path"]);
    let (mut groups, mut members) = (Vec::new(), Vec::new());
    for field in list(&subfield["fields"]) {
        let name = field["name"].as_str().unwrap_or_default();
        let said = |error: String| format!("{name}: {error}");
        if text(&field["path"]) == path {
            groups.extend(parse_single(field).map_err(said)?.map(Group::Text));
        } else {
            members.push(parse_member(field).map_err(said)?);
        }
    }
    if !members.is_empty() {
        groups.push(Group::Object(members));
    }
    Ok(groups)
}

fn parse_member(field: &Value) -> Result<Member, String> {
    let path = text(&field["path"]);
    let last = path.rsplit('.').next().unwrap_or_default();
    let value = match field["booleanFieldAction"].as_str() {
        Some(action) => parse_flag(action)?.map_or(MemberValue::Nothing, MemberValue::Flag),
        None => parse_single(field)?.map_or(MemberValue::Nothing, MemberValue::Single),
    };
    let name = last.trim_end_matches("[]").to_owned();
    if name.is_empty() {
        return Err("it has no path".to_owned());
    }
    Ok(Member { name, list: last.ends_with("[]"), required: is_true(&field["required"]), value })
}

fn parse_single(field: &Value) -> Result<Option<SingleValue>, String> {
    let (name, path) = (text(&field["name"]), text(&field["path"]));
    let expression = Expression::parse(text(&field["value"]))?;
    let accepted = || AcceptedValues::read(name, path, &field["acceptedValues"]);
    Ok(expression.map(|expression| SingleValue { expression, accepted: accepted() }))
}

fn parse_flag(action: &str) -> Result<Option<bool>, String> {
    match action {
        "ALL_TRUE" => Ok(Some(true)),
        "ALL_FALSE" => Ok(Some(false)),
        "AS_IS" | "IGNORE" => Ok(None),
        other => Err(format!("booleanFieldAction {other} is not known")),
    }
}

fn parse_repeat_action(action: &str) -> Result<RepeatAction, String> {
    match action {
        "EXTEND_EXISTING" => Ok(RepeatAction::Extend),
        "EXCHANGE_EXISTING" => Ok(RepeatAction::Exchange),
        "DELETE_EXISTING" => Ok(RepeatAction::DeleteExisting),
        "DELETE_INCOMING" => Ok(RepeatAction::DeleteIncoming),
        other => Err(format!("repeatableFieldAction {other} is not known")),
    }
}

impl Path {
    fn read(root: &str, text: &str) -> Result<Path, String> {
        let mut names = text.split('.');
        if names.next() != Some(root) {
            return Err(format!("its path {text} does not begin with {root}."));
        }
        let names: Vec<&str> = names.collect();
        let list = names.last().is_some_and(|last| last.ends_with("[]"));
        let names: Vec<String> =
            names.into_iter().map(|name| name.trim_end_matches("[]").to_owned()).collect();
        if names.is_empty() || names.len() > 5 || names.iter().any(String::is_empty) {
            return Err(format!("its path {text} names no member"));
        }
        Ok(Path { names, list })
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// `true`, or the word in quotation marks.
fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| text(value).eq_ignore_ascii_case("true"))
}
