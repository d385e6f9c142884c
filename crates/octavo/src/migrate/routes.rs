//! How FOLIO shows a type of records over HTTP, where it is no list with queries at the type's own path.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::forms::rules_of;
use super::plan::Kind;

#[derive(Debug)]
pub(super) enum Way {
    /// Lists one after the other, each with the records under a key.
    Lists {
        paths: Vec<String>,
        key: &'static str,
    },
    /// Records that others name, found in lists of those.
    Named {
        paths: Vec<String>,
        key: &'static str,
        of: fn(&Value) -> Vec<Value>,
    },
    /// A short list that is read at once; records are made of its entries.
    Whole {
        path: &'static str,
        key: &'static str,
        of: fn(&[Value]) -> Vec<Value>,
    },
    /// Answers one by one, each of them a record: a path, the id, and how it becomes a record.
    Paths(&'static [&'static str], fn(usize, &Value) -> Value),
    /// Of each of those that a statement here names, after an id: a record at a path with its id.
    Each {
        ids: &'static str,
        path: &'static str,
        of: fn(Uuid, &Value) -> Option<Value>,
    },
    /// The answer is the one record of a tenant.
    One(String),
    /// Streams one after the other, a record a line.
    Streams(Vec<String>),
    None(&'static str),
}

const SECRET: &str =
    "FOLIO does not tell hashes of passwords and pins over HTTP; they are read from its database";
const NO_LIST: &str = "FOLIO has no list of them over HTTP; they are read from its database";

pub(super) fn way(kind: &Kind) -> Way {
    let record = kind.record;
    let listed = |paths: &[&str]| Way::Lists {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        key: record.collection,
    };
    match record.table {
        "auth_credentials" | "auth_credentials_history" | "patronpin" => Way::None(SECRET),
        "event_logs"
        | "profile_picture"
        | "instance_source_marc"
        | "authority_archive"
        | "dcb_transaction"
        | "audit_config_data"
        | "email_statistics"
        | "print_entry" => Way::None(NO_LIST),
        "circulation_rules" | "hrid_settings" => Way::One(record.path.to_owned()),
        "users_configuration" => Way::One("/users/configurations/entry".to_owned()),
        "user_tenant" => Way::Lists { paths: vec!["/user-tenants".to_owned()], key: "userTenants" },
        "job_profiles" | "match_profiles" | "action_profiles" | "mapping_profiles" => Way::Lists {
            paths: vec![format!("{}?showHidden=true&showDeleted=true", record.path)],
            key: record.collection,
        },
        "profile_associations" => Way::Lists { paths: associations(), key: "profileAssociations" },
        "profile_wrappers" => Way::Named { paths: associations(), key: "profileAssociations", of: wrappers },
        "records_lb" => Way::Streams(source_records()),
        "location_mappings" => {
            Way::Whole { path: "/remote-storage/extended-mappings", key: "mappings", of: storage_locations }
        }
        "mapping_rules" => Way::Paths(
            &["/mapping-rules/marc-bib", "/mapping-rules/marc-holdings", "/mapping-rules/marc-authority"],
            rules_of,
        ),
        "instance_authority_link" => Way::Each { ids: WITH_LINKS, path: "/links/instances/", of: links_of },
        _ if record.path.is_empty() || record.path.starts_with("/octavo/") => Way::None(NO_LIST),
        _ => listed(&[record.path]),
    }
}

/// Instances whose MARC record names an authority in a subfield 9, in the order of their ids.
const WITH_LINKS: &str = "\
select distinct r.\"externalIdsHolder.instanceId\"
from records_lb r
where r.\"recordType\" = 'MARC_BIB' and r.state = 'ACTUAL' and r.\"externalIdsHolder.instanceId\" > $1
and (r.doc -> 'parsedRecord')::text ~ '\\\\?\"9\\\\?\"\\s*:'
order by 1
limit 500";

/// A title without links has no record.
fn links_of(instance: Uuid, answer: &Value) -> Option<Value> {
    let links = answer["links"].as_array().filter(|links| !links.is_empty())?;
    let mut links: Vec<Value> = links
        .iter()
        .map(|link| {
            let [authority, rule, status, error] =
                ["authorityId", "linkingRuleId", "status", "errorCause"].map(|name| link[name].clone());
            json!({"authorityId": authority, "linkingRuleId": rule, "status": status, "errorCause": error})
        })
        .collect();
    links.sort_by_key(|link| (link["authorityId"].to_string(), link["linkingRuleId"].as_i64()));
    Some(json!({"id": instance, "links": links}))
}

/// A location that stands for a storage, with those whose items go there: a line for each of these.
fn storage_locations(entries: &[Value]) -> Vec<Value> {
    let mut found: BTreeMap<String, Value> = BTreeMap::new();
    for entry in entries {
        let Some(location) = entry["finalLocationId"].as_str() else { continue };
        let record = found.entry(location.to_owned()).or_insert_with(|| {
            json!({
                "id": location,
                "folioLocationId": location,
                "configurationId": entry["remoteConfigurationId"],
                "originalLocationIds": [],
            })
        });
        let original = entry["originalLocationId"].as_str();
        if let (Some(original), Some(all)) = (original, record["originalLocationIds"].as_array_mut()) {
            all.push(json!(original));
        }
    }
    found.into_values().collect()
}

/// Pairs of types of profiles that FOLIO links.
const PAIRS: [(&str, &str); 7] = [
    ("JOB_PROFILE", "MATCH_PROFILE"),
    ("JOB_PROFILE", "ACTION_PROFILE"),
    ("MATCH_PROFILE", "MATCH_PROFILE"),
    ("MATCH_PROFILE", "ACTION_PROFILE"),
    ("ACTION_PROFILE", "ACTION_PROFILE"),
    ("ACTION_PROFILE", "MATCH_PROFILE"),
    ("ACTION_PROFILE", "MAPPING_PROFILE"),
];

fn associations() -> Vec<String> {
    let path = "/data-import-profiles/profileAssociations";
    PAIRS.iter().map(|(master, detail)| format!("{path}?master={master}&detail={detail}")).collect()
}

/// The wrappers at both ends of an association: a place of a profile in the tree of a job profile.
fn wrappers(association: &Value) -> Vec<Value> {
    let wrapper = |end: &str| {
        let id = &association[format!("{end}WrapperId")];
        id.is_string().then(|| {
            json!({
                "id": id,
                "profileType": association[format!("{end}ProfileType")],
                "profileId": association[format!("{end}ProfileId")],
            })
        })
    };
    ["master", "detail"].into_iter().filter_map(wrapper).collect()
}

fn source_records() -> Vec<String> {
    let mut paths = Vec::new();
    for kind in ["MARC_BIB", "MARC_HOLDING", "MARC_AUTHORITY", "EDIFACT"] {
        for state in ["ACTUAL", "OLD", "DRAFT", "DELETED"] {
            paths.push(format!(
                "/source-storage/stream/records?recordType={kind}&state={state}&orderBy=id,ASC&limit=2147483647"
            ));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use octavo_modules::MODULES;

    use super::super::plan::plan;
    use super::*;

    #[test]
    fn an_association_names_two_wrappers() {
        let association = json!({"masterWrapperId": "a", "masterProfileType": "JOB_PROFILE", "masterProfileId": "b", "detailWrapperId": "c"});
        let found = wrappers(&association);
        assert_eq!(found[0], json!({"id": "a", "profileType": "JOB_PROFILE", "profileId": "b"}));
        assert_eq!(found[1]["id"], "c");
    }

    #[test]
    fn types_with_a_path_are_lists_and_others_say_why_not() {
        for kind in plan(MODULES) {
            match way(&kind) {
                Way::Lists { paths, key } => {
                    assert!(!key.is_empty() && paths.iter().all(|path| path.starts_with('/')), "{kind:?}");
                }
                Way::Named { paths, .. } => assert_eq!(paths.len(), PAIRS.len()),
                Way::None(why) => assert!(!why.is_empty()),
                Way::One(path) => assert!(path.starts_with('/')),
                Way::Whole { path, .. } | Way::Each { path, .. } => assert!(path.starts_with('/')),
                Way::Paths(paths, _) => assert_eq!(paths.len(), 3),
                Way::Streams(paths) => assert_eq!(paths.len(), 16),
            }
        }
    }
}
