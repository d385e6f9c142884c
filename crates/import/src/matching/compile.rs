use std::sync::Arc;

use serde_json::Value;

use super::lookup::{Comparison, Existing, Number, Part, Qualifier, QualifierKind, Shape};
use super::{Incoming, Indicator, Matching, paths};
use crate::journal::Entity;

impl Matching {
    /// The error says what is wrong with the profile.
    pub(crate) fn compile(profile: &Value) -> Result<Matching, String> {
        let detail = &profile["matchDetails"][0];
        let entity = existing_entity(profile)?;
        let incoming = parse_incoming(&detail["incomingMatchExpression"])?;
        let comparison = text(&detail["matchCriterion"]);
        let comparison = Comparison::read(comparison)
            .ok_or_else(|| format!("matchCriterion {comparison} is not known"))?;
        let expression = &detail["existingMatchExpression"];
        if expression["dataValueType"].as_str() != Some("VALUE_FROM_RECORD") {
            return Err("its existing value is not one of a record".to_owned());
        }
        let (existing, relation) = parse_existing(entity, expression)?;
        let (qualifier, part) = parse_qualifier(&expression["qualifier"])?;
        // FOLIO compares members of objects in lists, mostly identifiers, word by word.
        let in_objects = matches!(&existing, Existing::Member { path, .. } if path.contains("[]."));
        let by_words = in_objects && comparison == Comparison::Exactly;
        let comparison = if by_words { Comparison::Words } else { comparison };
        let shape = Arc::new(Shape { entity, existing, comparison, part, qualifier });
        Ok(Matching { incoming, shape, type_list: relation })
    }
}

fn existing_entity(profile: &Value) -> Result<Entity, String> {
    let name = text(&profile["existingRecordType"]);
    let entity = Entity::from_name(name).filter(|entity| {
        !matches!(entity, Entity::Order | Entity::Invoice | Entity::Edifact | Entity::PoLine)
    });
    entity.ok_or_else(|| format!("records of the type {name} are not matched"))
}

fn parse_incoming(expression: &Value) -> Result<Incoming, String> {
    match text(&expression["dataValueType"]) {
        "VALUE_FROM_RECORD" => {
            let (qualifier, part) = parse_qualifier(&expression["qualifier"])?;
            let (tag, indicators, code) = parse_marc_field(&expression["fields"])?;
            Ok(Incoming::Marc { tag, indicators, code, qualifier, part })
        }
        "STATIC_VALUE" => {
            let details = &expression["staticValueDetails"];
            let given = |name: &str| {
                details[name]
                    .as_str()
                    .map(str::to_owned)
                    .or_else(|| details[name].as_number().map(ToString::to_string))
            };
            let day = |name: &str| given(name).map(|text| text.chars().take(10).collect::<String>());
            let dates = |from: Option<String>, to: Option<String>| {
                from.zip(to).map_or(Incoming::Nothing, |(from, to)| Incoming::Dates { from, to })
            };
            Ok(match text(&details["staticValueType"]) {
                "TEXT" => given("text").map_or(Incoming::Nothing, Incoming::Text),
                "NUMBER" => given("number").map_or(Incoming::Nothing, Incoming::Text),
                "EXACT_DATE" => dates(day("exactDate"), day("exactDate")),
                "DATE_RANGE" => dates(day("fromDate"), day("toDate")),
                _ => Incoming::Nothing,
            })
        }
        other => Err(format!("dataValueType {other} of the incoming value is not known")),
    }
}

/// The four labels of a MARC field: field, indicator1, indicator2, recordSubfield.
fn parse_marc_field(fields: &Value) -> Result<(String, [Indicator; 2], Option<char>), String> {
    let fields = fields.as_array().map_or(&[][..], Vec::as_slice);
    let labelled = |label: &str| {
        fields
            .iter()
            .find(|field| field["label"].as_str() == Some(label))
            .map_or("", |field| text(&field["value"]))
    };
    let tag = labelled("field").trim().to_owned();
    if tag.is_empty() {
        return Err("it names no MARC field".to_owned());
    }
    let indicators = [Indicator::read(labelled("indicator1")), Indicator::read(labelled("indicator2"))];
    Ok((tag, indicators, labelled("recordSubfield").trim().chars().next()))
}

fn parse_existing(entity: Entity, expression: &Value) -> Result<(Existing, Option<&'static str>), String> {
    if matches!(entity, Entity::MarcBibliographic | Entity::MarcHoldings | Entity::MarcAuthority) {
        if expression["fields"].as_array().map_or(0, Vec::len) != 4 {
            return Err("Match detail is invalid".to_owned());
        }
        let (tag, indicators, code) = parse_marc_field(&expression["fields"])?;
        return Ok((Existing::field(&tag, indicators, code), None));
    }
    let path = text(&expression["fields"][0]["value"]);
    let member = path.split_once('.').map(|(_, member)| member).filter(|member| !member.is_empty());
    let member = member.ok_or_else(|| format!("its existing field {path} names no member of a record"))?;
    if path.matches("[]").count() > 1 {
        return Err("Searching in nested arrays is not supported".to_owned());
    }
    match member {
        "purchaseOrderLineNumber" => return Ok((Existing::OrderLine(Number::OrderLine), None)),
        "vendorReferenceNumber" => return Ok((Existing::OrderLine(Number::VendorReference), None)),
        _ => {}
    }
    let only = &expression["fields"][1];
    let only = only["label"].as_str().zip(only["value"].as_str().filter(|value| !value.is_empty()));
    let only = only.map(|(label, value)| (label.to_owned(), value.to_owned()));
    Ok((Existing::Member { path: paths::stored_name(member), only }, paths::type_list(path)))
}

fn parse_qualifier(value: &Value) -> Result<(Option<Qualifier>, Option<Part>), String> {
    let kind = match value["qualifierType"].as_str() {
        None => None,
        Some("BEGINS_WITH") => Some(QualifierKind::BeginsWith),
        Some("ENDS_WITH") => Some(QualifierKind::EndsWith),
        Some("CONTAINS") => Some(QualifierKind::Contains),
        Some(other) => return Err(format!("qualifierType {other} is not known")),
    };
    let part = match value["comparisonPart"].as_str() {
        None => None,
        Some("NUMERICS_ONLY") => Some(Part::Numerics),
        Some("ALPHANUMERICS_ONLY") => Some(Part::Alphanumerics),
        Some(other) => return Err(format!("comparisonPart {other} is not known")),
    };
    let text = value["qualifierValue"].as_str().unwrap_or_default().to_owned();
    Ok((kind.map(|kind| Qualifier { kind, text }), part))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
