//! Checks a profile that a client sends. Pure.

use octavo_kernel::Refusal;
use serde_json::Value;

use super::kinds::Kind;

/// Whether another profile has the same name or the same id.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Conflicts {
    pub(super) name: bool,
    /// A new profile has the id of a stored one.
    pub(super) id: bool,
}

/// The errors of a profile by itself.
pub(super) fn profile_refusals(kind: Kind, profile: &Value, taken: Conflicts) -> Vec<Refusal> {
    let (what, name) = (kind.properties().conflict_label, profile["name"].as_str().unwrap_or_default());
    let filled = |member: &str| profile[member].as_array().is_some_and(|profiles| !profiles.is_empty());
    let checks = [
        (taken.name, format!("{what} '{name}' already exists")),
        (filled("childProfiles"), format!("{what} read-only 'child' field should be empty")),
        (filled("parentProfiles"), format!("{what} read-only 'parent' field should be empty")),
        (taken.id, format!("{what} with id '{name}' already exists")),
    ];
    let wrong = checks.into_iter().filter(|(is_wrong, _)| *is_wrong);
    let mut refusals: Vec<Refusal> = wrong.map(|(_, message)| Refusal::new(message)).collect();
    match kind {
        Kind::Action if profile["folioRecord"] == "MARC_BIBLIOGRAPHIC" && profile["action"] == "CREATE" => {
            refusals.push(Refusal::new(NO_NEW_MARC));
        }
        Kind::Mapping => refusals.extend(empty_field_refusals(profile)),
        _ => {}
    }
    refusals
}

/// Errors for actions on repeatable fields that have no values.
fn empty_field_refusals(profile: &Value) -> Vec<Refusal> {
    let fields = profile["mappingDetails"]["mappingFields"].as_array().into_iter().flatten();
    let empty = fields.filter(|field| field["subfields"].as_array().is_none_or(Vec::is_empty));
    let actions = empty.filter_map(|field| field["repeatableFieldAction"].as_str());
    actions
        .filter(|action| *action != "DELETE_EXISTING")
        .map(|action| Refusal::new(format!("Invalid repeatableFieldAction for empty subfields: {action}")))
        .collect()
}

/// The error if an action and a mapping do not fit together; `message` is the text for different types of records.
pub(super) fn pair_refusal(action: &Value, mapping: &Value, message: &str) -> Option<Refusal> {
    if action["folioRecord"] != mapping["existingRecordType"] {
        return Some(Refusal::new(message));
    }
    let option = mapping["mappingDetails"]["marcMappingOption"].as_str()?;
    (action["action"] != option).then(|| Refusal::new(UNLIKE))
}

pub(super) fn other_mapping_message(mapping: &Value) -> String {
    let name = mapping["name"].as_str().unwrap_or_default();
    format!(
        "Mapping profile '{name}' can not be linked to this Action profile. ExistingRecordType and FolioRecord types are different"
    )
}

pub(super) fn other_action_message(action: &Value) -> String {
    let name = action["name"].as_str().unwrap_or_default();
    format!(
        "Action profile '{name}' can not be linked to this Mapping profile. FolioRecord and ExistingRecordType types are different"
    )
}

pub(super) const LINKED_MAPPING: &str =
    "Can not update ActionProfile recordType and linked MappingProfile recordType are different";
pub(super) const LINKED_ACTION: &str =
    "Can not update MappingProfile recordType and linked ActionProfile recordType are different";
const UNLIKE: &str = "\
Unable to complete requested change. \
MARC Update Action profiles can only be linked with MARC Update Mapping profiles and \
MARC Modify Action profiles can only be linked with MARC Modify Mapping profiles. \
Please ensure your Action and Mapping profiles are of like types and try again.";
const NO_NEW_MARC: &str = "Can't create ActionProfile for MARC Bib record type with Create action";

/// The error for an updating action that is not below a match; `masters` are the kinds of the profiles above it.
pub(super) fn update_refusal(action: &Value, masters: &[Kind]) -> Option<Refusal> {
    let updates = action["action"] == "UPDATE";
    let id = action["id"].as_str().unwrap_or_default();
    (updates && masters.iter().any(|master| *master != Kind::Match)).then(|| {
        Refusal::new(format!("ActionProfile with id '{id}' and action UPDATE requires linked MatchProfile"))
    })
}

/// The error for an action that modifies the incoming record: it needs another action beside it, and may not come directly after a match.
/// `is_alone`: the job has only such actions.
pub(super) fn modify_refusal(relation: &Value, is_alone: bool) -> Option<Refusal> {
    let message = match relation["masterProfileType"].as_str().and_then(Kind::from_name)? {
        Kind::Job if is_alone => "Modify action cannot be used as a standalone action",
        Kind::Match if relation["order"].as_i64().unwrap_or(0) == 0 => {
            "Modify action cannot be used right after a Match"
        }
        _ => return None,
    };
    Some(Refusal::new(message))
}

/// Whether two versions of one of FOLIO's own profiles differ only in the tags, which everybody may change.
pub(super) fn same_but_tags(one: &Value, other: &Value) -> bool {
    without_tags(one) == without_tags(other)
}

fn without_tags(profile: &Value) -> Value {
    let mut profile = profile.clone();
    if let Some(members) = profile.as_object_mut() {
        members.retain(|name, _| name != "tags" && name != "metadata");
    }
    without_empty(profile)
}

/// Removes empty arrays and members that are null, which count as absent.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter(|(_, value)| {
                    !value.is_null() && value.as_array().is_none_or(|values| !values.is_empty())
                })
                .map(|(name, value)| (name, without_empty(value)))
                .collect(),
        ),
        Value::Array(values) => Value::Array(values.into_iter().map(without_empty).collect()),
        other => other,
    }
}

/// Whether the action removes the subfields 9: it does if it is for instances or their MARC records.
pub(super) fn removes_subfield_9(action: &Value) -> bool {
    matches!(action["folioRecord"].as_str(), Some("INSTANCE" | "MARC_BIBLIOGRAPHIC"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn messages(refusals: Vec<Refusal>) -> Vec<String> {
        refusals.into_iter().map(|refusal| refusal.message).collect()
    }

    #[test]
    fn what_a_profile_is_refused_for() {
        let mapping = |action: &str, subfields: Value| json!({"name": "M", "mappingDetails": {"mappingFields": [{"repeatableFieldAction": action, "subfields": subfields}]}});
        let none = Conflicts::default();
        let cases = [
            (Kind::Job, json!({"name": "J"}), none, vec![]),
            (
                Kind::Job,
                json!({"name": "J"}),
                Conflicts { name: true, id: true },
                vec!["Job profile 'J' already exists", "Job profile with id 'J' already exists"],
            ),
            (
                Kind::Match,
                json!({"name": "A", "childProfiles": [{}], "parentProfiles": [{}]}),
                none,
                vec![
                    "Match profile read-only 'child' field should be empty",
                    "Match profile read-only 'parent' field should be empty",
                ],
            ),
            (
                Kind::Action,
                json!({"folioRecord": "MARC_BIBLIOGRAPHIC", "action": "CREATE"}),
                none,
                vec![NO_NEW_MARC],
            ),
            (Kind::Action, json!({"folioRecord": "MARC_BIBLIOGRAPHIC", "action": "MODIFY"}), none, vec![]),
            (
                Kind::Mapping,
                mapping("EXTEND_EXISTING", json!([])),
                none,
                vec!["Invalid repeatableFieldAction for empty subfields: EXTEND_EXISTING"],
            ),
            (Kind::Mapping, mapping("EXTEND_EXISTING", json!([{"order": 0}])), none, vec![]),
            (Kind::Mapping, mapping("DELETE_EXISTING", json!([])), none, vec![]),
        ];
        for (kind, profile, taken, expected) in cases {
            assert_eq!(messages(profile_refusals(kind, &profile, taken)), expected, "{profile}");
        }
    }

    #[test]
    fn which_mappings_an_action_takes() {
        let action = |record: &str, action: &str| json!({"folioRecord": record, "action": action});
        let mapping = |record: &str, option: Value| json!({"existingRecordType": record, "mappingDetails": {"marcMappingOption": option}});
        let cases = [
            (action("ITEM", "CREATE"), mapping("ITEM", json!(null)), None),
            (action("ITEM", "CREATE"), mapping("INSTANCE", json!(null)), Some("other")),
            (action("MARC_BIBLIOGRAPHIC", "UPDATE"), mapping("MARC_BIBLIOGRAPHIC", json!("UPDATE")), None),
            (
                action("MARC_BIBLIOGRAPHIC", "MODIFY"),
                mapping("MARC_BIBLIOGRAPHIC", json!("UPDATE")),
                Some(UNLIKE),
            ),
        ];
        for (action, mapping, expected) in cases {
            let found = pair_refusal(&action, &mapping, "other").map(|refusal| refusal.message);
            assert_eq!(found.as_deref(), expected, "{action} {mapping}");
        }
    }

    #[test]
    fn an_update_needs_a_match_above_it() {
        let update = json!({"id": "1", "action": "UPDATE"});
        assert!(update_refusal(&update, &[Kind::Match, Kind::Match]).is_none());
        assert!(update_refusal(&update, &[Kind::Match, Kind::Job]).is_some());
        assert!(update_refusal(&json!({"action": "CREATE"}), &[Kind::Job]).is_none());
    }

    #[test]
    fn a_modification_stands_beside_other_actions() {
        let relation = |master: &str, order: u8| json!({"masterProfileType": master, "order": order});
        for (relation, is_alone, told) in [
            (relation("JOB_PROFILE", 0), true, Some("standalone")),
            (relation("JOB_PROFILE", 0), false, None),
            (relation("MATCH_PROFILE", 0), false, Some("right after a Match")),
            (relation("MATCH_PROFILE", 1), false, None),
            (relation("ACTION_PROFILE", 0), true, None),
        ] {
            let refusal = modify_refusal(&relation, is_alone).map(|refusal| refusal.message);
            assert_eq!(refusal.is_some(), told.is_some(), "{relation}");
            assert!(refusal.unwrap_or_default().contains(told.unwrap_or_default()), "{relation}");
        }
    }

    #[test]
    fn of_folios_own_profiles_the_tags_may_change() {
        let stored =
            json!({"name": "a", "deleted": false, "childProfiles": [], "metadata": {"createdDate": "1"}});
        assert!(same_but_tags(&stored, &json!({"name": "a", "deleted": false, "tags": {"tagList": ["b"]}})));
        assert!(!same_but_tags(&stored, &json!({"name": "b", "deleted": false})));
    }
}
