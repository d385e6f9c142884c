//! Members of stored records by FOLIO's paths of match profiles: `instance.identifiers[].value`, `item.barcode`.

use serde_json::Value;

/// The most values that are compared of one record.
const MAX_VALUES: usize = 1_000;

pub(super) fn values(record: &Value, path: &str, only: Option<&(String, String)>) -> Vec<String> {
    let mut found: Vec<&Value> = vec![record];
    for name in path.split('.') {
        let plain = name.trim_end_matches("[]");
        let members = found.into_iter().filter_map(|value| value.get(plain));
        // The elements of a list are compared, whether or not the profile marks the member as a list.
        found = members
            .flat_map(|member| member.as_array().map_or(std::slice::from_ref(member), Vec::as_slice))
            .take(MAX_VALUES)
            .collect();
        if let Some((member, wanted)) = only
            && name.ends_with("[]")
        {
            found.retain(|value| value[member].as_str() == Some(wanted));
        }
    }
    found.into_iter().filter_map(text).collect()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The path of a member in stored records. FOLIO's match profiles have other names for some members.
pub(super) fn stored_name(path: &str) -> String {
    let renamed = match path {
        "holdingsRecords.id" => "holdingsRecordId",
        "materialType.id" => "materialTypeId",
        "permanentLoanType.id" => "permanentLoanTypeId",
        "temporaryLoanType.id" => "temporaryLoanTypeId",
        "permanentLocation.id" => "permanentLocationId",
        "temporaryLocation.id" => "temporaryLocationId",
        "effectiveLocation.id" => "effectiveLocationId",
        "alternativeTitles[].alternativeTitleId" => "alternativeTitles[].alternativeTitle",
        "classifications[].classificationId" => "classifications[].classificationNumber",
        path => path,
    };
    renamed.to_owned()
}

/// The list of types whose ids the member has; match profiles give the names of the types.
pub(super) fn type_list(path: &str) -> Option<&'static str> {
    let (entity, member) = path.split_once('.')?;
    Some(match (entity, member) {
        ("instance", "alternativeTitles[].alternativeTitleTypeId") => "alternativeTitleTypes",
        ("instance", "identifiers[].identifierTypeId") => "identifierTypes",
        ("instance", "classifications[].classificationTypeId") => "classificationTypes",
        ("instance", "contributors[].contributorTypeId") => "contributorTypes",
        ("instance", "contributors[].contributorNameTypeId") => "contributorNameTypes",
        ("instance", "instanceFormatIds" | "instanceFormatIds[]") => "instanceFormats",
        ("instance", "notes[].instanceNoteTypeId") => "instanceNoteTypes",
        ("instance", "statusId") => "instanceStatuses",
        ("instance", "instanceTypeId") => "instanceTypes",
        ("instance" | "item" | "holdingsrecord", "electronicAccess[].relationshipId") => {
            "electronicAccessRelationships"
        }
        ("instance" | "item" | "holdingsrecord", "statisticalCodeIds[]") => "statisticalCodes",
        ("holdingsrecord", "holdingsTypeId") => "holdingsTypes",
        ("holdingsrecord", "notes[].holdingsNoteTypeId") => "holdingsNoteTypes",
        ("holdingsrecord", "illPolicyId") => "illPolicies",
        ("holdingsrecord", "callNumberTypeId") | ("item", "itemLevelCallNumberTypeId") => "callNumberTypes",
        ("holdingsrecord" | "item", "permanentLocationId" | "temporaryLocationId") => "locations",
        ("item", "permanentLocation.id" | "temporaryLocation.id" | "effectiveLocation.id") => "locations",
        ("item", "materialTypeId" | "materialType.id") => "materialTypes",
        ("item", "itemDamagedStatusId") => "itemDamageStatuses",
        (
            "item",
            "permanentLoanTypeId" | "temporaryLoanTypeId" | "permanentLoanType.id" | "temporaryLoanType.id",
        ) => "loantypes",
        ("item", "notes[].itemNoteTypeId") => "itemNoteTypes",
        _ => return None,
    })
}
