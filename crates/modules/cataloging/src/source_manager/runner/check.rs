//! Checks whether a job's profile is for a record.

use octavo_marc::{Kind, Record};
use serde_json::{Value, json};
use uuid::Uuid;

/// The name and the tree of a job's profile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile<'a> {
    pub name: &'a str,
    pub snapshot: &'a Value,
}

/// The reason, in FOLIO's words, why the profile is not for a record that could be parsed. `keeps_ids`: the client may send records that
/// already have FOLIO's ids.
pub(super) fn find_refusal(
    profile: Profile<'_>,
    id: Uuid,
    kind: Option<Kind>,
    record: &Record,
    keeps_ids: bool,
) -> Option<Refusal> {
    let Some(kind) = kind else {
        let message =
            format!("Error during analyze leader line for determining record type for record with id {id}");
        return Some(Refusal { message: json!({"message": message}).to_string(), is_unreadable: true });
    };
    if !keeps_ids
        && (record.own_id('s').is_some() || record.own_id('i').is_some())
        && let Some(what) = created_record_label(profile.snapshot)
    {
        let message = format!(
            "A new {what} was not created because the incoming record already contained a 999ff$s or 999ff$i field"
        );
        return Some(Refusal { message: json!({"error": message}).to_string(), is_unreadable: true });
    }
    let needed = match kind {
        Kind::Bibliographic => None,
        Kind::Holdings => {
            Some(("004", "The 004 tag of the Holdings doesn't has a link to the Bibliographic record"))
        }
        Kind::Authority => Some(("001", "The 001 tag of the Authority has no control number")),
    };
    if let Some((tag, message)) = needed
        && record.control_field(tag).is_none_or(|value| value.trim().is_empty())
    {
        return Some(Refusal { message: json!({"message": message}).to_string(), is_unreadable: true });
    }
    let name = profile.name;
    let message = match children(profile.snapshot) {
        [] => format!("The '{name}' job profile does not have any linked action or matching profiles"),
        _ if !supports_kind(profile.snapshot, kind) => {
            format!("Chosen job profile '{name}' does not support '{}' record type", type_name(kind))
        }
        _ => return None,
    };
    Some(Refusal { message, is_unreadable: false })
}

/// The reason why an EDIFACT message is not imported: Octavo has no invoices, and other profiles are not for messages.
pub(super) fn edifact_refusal(profile: Profile<'_>) -> String {
    let name = profile.name;
    let takes = |child: &Value| {
        let content = &child["content"];
        content["folioRecord"] == "INVOICE" || content["incomingRecordType"] == "EDIFACT_INVOICE"
    };
    match children(profile.snapshot) {
        [] => format!("The '{name}' job profile does not have any linked action or matching profiles"),
        _ if any_descendant(profile.snapshot, &takes) => {
            "Invoices are not created: Octavo has no orders and invoices yet. The message is kept".to_owned()
        }
        _ => format!("Chosen job profile '{name}' does not support 'EDIFACT' record type"),
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub message: String,
    /// Whether the record is logged like one that cannot be parsed.
    pub is_unreadable: bool,
}

pub(super) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "MARC_BIB",
        Kind::Holdings => "MARC_HOLDING",
        Kind::Authority => "MARC_AUTHORITY",
    }
}

/// The action and the record type of the first action of a profile: the journal uses them for failed records.
pub(super) fn first_action(snapshot: &Value) -> Option<(&str, &str)> {
    let found = children(snapshot).iter().find_map(|child| match child["contentType"].as_str() {
        Some("ACTION_PROFILE") => {
            let content = &child["content"];
            Some((content["action"].as_str()?, content["folioRecord"].as_str().unwrap_or_default()))
        }
        _ => first_action(child),
    });
    found.filter(|(action, _)| matches!(*action, "CREATE" | "UPDATE" | "MODIFY" | "DELETE"))
}

fn children(snapshot: &Value) -> &[Value] {
    snapshot["childSnapshotWrappers"].as_array().map_or(&[], Vec::as_slice)
}

/// Whether all actions of the profile are for records of this kind, and all mappings read it.
fn supports_kind(snapshot: &Value, kind: Kind) -> bool {
    let (records, incoming): (&[&str], &str) = match kind {
        Kind::Bibliographic => {
            (&["MARC_BIBLIOGRAPHIC", "INSTANCE", "HOLDINGS", "ITEM", "ORDER"], "MARC_BIBLIOGRAPHIC")
        }
        Kind::Holdings => (&["MARC_HOLDINGS", "HOLDINGS"], "MARC_HOLDINGS"),
        Kind::Authority => (&["MARC_AUTHORITY", "AUTHORITY"], "MARC_AUTHORITY"),
    };
    children(snapshot).iter().all(|child| {
        let content = &child["content"];
        let fits = match child["contentType"].as_str() {
            Some("ACTION_PROFILE") => {
                content["folioRecord"].as_str().is_none_or(|record| records.contains(&record))
            }
            Some("MAPPING_PROFILE") => {
                content["incomingRecordType"].as_str().is_none_or(|record| record == incoming)
            }
            _ => true,
        };
        fits && supports_kind(child, kind)
    })
}

/// The label of the record that the profile would create of an incoming record that matches nothing.
fn created_record_label(snapshot: &Value) -> Option<&'static str> {
    let mapped = |action: &Value, member: &str, record: &str| {
        children(action).iter().any(|mapping| mapping["content"][member] == record)
    };
    let wanted: [(&str, &dyn Fn(&Value) -> bool); 3] = [
        ("Instance", &|child| {
            child["content"]["folioRecord"] == "INSTANCE"
                && child["reactTo"] != "NON_MATCH"
                && !mapped(child, "incomingRecordType", "MARC_BIBLIOGRAPHIC")
        }),
        ("MARC-Holding", &|child| {
            child["content"]["folioRecord"] == "HOLDINGS"
                && mapped(child, "incomingRecordType", "MARC_HOLDINGS")
        }),
        ("MARC-Authority", &|child| child["content"]["folioRecord"] == "AUTHORITY"),
    ];
    let creates =
        |child: &Value| child["contentType"] == "ACTION_PROFILE" && child["content"]["action"] == "CREATE";
    wanted
        .into_iter()
        .find(|(_, is_it)| any_descendant(snapshot, &|child| creates(child) && is_it(child)))
        .map(|(name, _)| name)
}

fn any_descendant(snapshot: &Value, wanted: &dyn Fn(&Value) -> bool) -> bool {
    children(snapshot).iter().any(|child| wanted(child) || any_descendant(child, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_marc::from_json;

    fn profile(record: &str, incoming: &str) -> Value {
        json!({"contentType": "JOB_PROFILE", "content": {}, "childSnapshotWrappers": [{
            "contentType": "ACTION_PROFILE",
            "content": {"action": "CREATE", "folioRecord": record},
            "childSnapshotWrappers": [{
                "contentType": "MAPPING_PROFILE", "content": {"incomingRecordType": incoming},
            }],
        }]})
    }

    fn record(leader: &str, fields: &Value) -> Record {
        from_json(&json!({"leader": leader, "fields": fields})).unwrap()
    }

    #[test]
    fn what_profiles_take() {
        let (bib, holdings, authority) = (
            record("00000nam a2200000   4500", &json!([{"001": "1"}])),
            record("00000nx  a2200000   4500", &json!([{"004": "in1"}])),
            record("00000nz  a2200000   4500", &json!([{"001": "n1"}])),
        );
        let own = json!([{"001": "n1"}, {"999": {"ind1": "f", "ind2": "f", "subfields": [{"i": "22fafcc3-f582-493d-88b0-3c538480cd83"}]}}]);
        let cases: [(Value, &Record, bool, Option<&str>); 10] = [
            (profile("INSTANCE", "MARC_BIBLIOGRAPHIC"), &bib, false, None),
            (profile("HOLDINGS", "MARC_HOLDINGS"), &holdings, false, None),
            (profile("AUTHORITY", "MARC_AUTHORITY"), &authority, false, None),
            (
                profile("AUTHORITY", "MARC_AUTHORITY"),
                &bib,
                false,
                Some("does not support 'MARC_BIB' record type"),
            ),
            (
                profile("INSTANCE", "MARC_BIBLIOGRAPHIC"),
                &holdings,
                false,
                Some("does not support 'MARC_HOLDING'"),
            ),
            (
                profile("HOLDINGS", "MARC_HOLDINGS"),
                &record("00000nx  a2200000   4500", &json!([])),
                false,
                Some("004 tag"),
            ),
            (
                profile("AUTHORITY", "MARC_AUTHORITY"),
                &record("00000nz  a2200000   4500", &json!([{"001": " "}])),
                false,
                Some("001 tag"),
            ),
            (json!({}), &bib, false, Some("does not have any linked action")),
            (
                profile("AUTHORITY", "MARC_AUTHORITY"),
                &record("00000nz  a2200000   4500", &own),
                false,
                Some("A new MARC-Authority"),
            ),
            (profile("AUTHORITY", "MARC_AUTHORITY"), &record("00000nz  a2200000   4500", &own), true, None),
        ];
        for (snapshot, record, keeps_ids, expected) in cases {
            let profile = Profile { name: "Mine", snapshot: &snapshot };
            let kind = super::super::raw::kind_of_record(record);
            let refusal =
                find_refusal(profile, Uuid::nil(), kind, record, keeps_ids).map(|refusal| refusal.message);
            let fits = match (&refusal, expected) {
                (Some(message), Some(expected)) => message.contains(expected),
                (None, None) => true,
                _ => false,
            };
            assert!(fits, "{refusal:?} is not {expected:?}");
        }
    }

    #[test]
    fn messages_are_refused_in_words() {
        for (snapshot, expected) in [
            (profile("INVOICE", "EDIFACT_INVOICE"), "Invoices are not created"),
            (profile("INSTANCE", "MARC_BIBLIOGRAPHIC"), "does not support 'EDIFACT' record type"),
            (json!({}), "does not have any linked action"),
        ] {
            let told = edifact_refusal(Profile { name: "Mine", snapshot: &snapshot });
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn the_first_action_names_what_fails() {
        assert_eq!(first_action(&profile("INSTANCE", "")), Some(("CREATE", "INSTANCE")));
        assert_eq!(first_action(&json!({})), None);
    }
}
