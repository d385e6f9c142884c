//! How FOLIO's HTTP interface gives a type of records, if it is not a list with queries at the type's own path.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::forms::rules_record;
use super::plan::Kind;

#[derive(Debug)]
pub(super) enum HttpAccess {
    /// Several lists, one after the other, each with its records in the member `key`.
    Lists {
        paths: Vec<String>,
        key: &'static str,
    },
    /// Records that are inside other records: the lists of those are read, and `extract` takes the records out of each.
    NestedInLists {
        paths: Vec<String>,
        key: &'static str,
        extract: fn(&Value) -> Vec<Value>,
    },
    /// A short list that is read at once; records are made of its entries.
    WholeList {
        path: &'static str,
        key: &'static str,
        convert: fn(&[Value]) -> Vec<Value>,
    },
    /// Single answers, each of which becomes one record: the paths, and the function that makes a record from the number of the path and
    /// the answer.
    Paths(&'static [&'static str], fn(usize, &Value) -> Value),
    /// One request for each id that a statement on this database selects: a path, to which the id is added, and the function that makes a
    /// record.
    PathForEachId {
        ids: &'static str,
        path: &'static str,
        convert: fn(Uuid, &Value) -> Option<Value>,
    },
    /// The answer at this path is the only record of a tenant.
    SingleRecord(String),
    /// Streams one after the other, a record a line.
    Streams(Vec<String>),
    Unavailable(&'static str),
}

const SECRET: &str =
    "FOLIO does not tell hashes of passwords and pins over HTTP; they are read from its database";
const NO_LIST: &str = "FOLIO has no list of them over HTTP; they are read from its database";

pub(super) fn http_access(kind: &Kind) -> HttpAccess {
    let record = kind.record;
    let listed = |paths: &[&str]| HttpAccess::Lists {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        key: record.collection,
    };
    match record.table {
        "auth_credentials" | "auth_credentials_history" | "patronpin" => HttpAccess::Unavailable(SECRET),
        "event_logs"
        | "profile_picture"
        | "instance_source_marc"
        | "authority_archive"
        | "dcb_transaction"
        | "audit_config_data"
        | "email_statistics"
        | "print_entry" => HttpAccess::Unavailable(NO_LIST),
        "circulation_rules" | "hrid_settings" => HttpAccess::SingleRecord(record.path.to_owned()),
        "users_configuration" => HttpAccess::SingleRecord("/users/configurations/entry".to_owned()),
        "user_tenant" => HttpAccess::Lists { paths: vec!["/user-tenants".to_owned()], key: "userTenants" },
        "job_profiles" | "match_profiles" | "action_profiles" | "mapping_profiles" => HttpAccess::Lists {
            paths: vec![format!("{}?showHidden=true&showDeleted=true", record.path)],
            key: record.collection,
        },
        "profile_associations" => {
            HttpAccess::Lists { paths: association_paths(), key: "profileAssociations" }
        }
        "profile_wrappers" => HttpAccess::NestedInLists {
            paths: association_paths(),
            key: "profileAssociations",
            extract: association_wrappers,
        },
        "records_lb" => HttpAccess::Streams(source_record_paths()),
        "location_mappings" => HttpAccess::WholeList {
            path: "/remote-storage/extended-mappings",
            key: "mappings",
            convert: storage_locations,
        },
        "mapping_rules" => HttpAccess::Paths(
            &["/mapping-rules/marc-bib", "/mapping-rules/marc-holdings", "/mapping-rules/marc-authority"],
            rules_record,
        ),
        "instance_authority_link" => HttpAccess::PathForEachId {
            ids: INSTANCES_WITH_LINKS,
            path: "/links/instances/",
            convert: links_record,
        },
        _ if record.path.is_empty() || record.path.starts_with("/octavo/") => {
            HttpAccess::Unavailable(NO_LIST)
        }
        _ => listed(&[record.path]),
    }
}

/// Instances whose MARC record names an authority in a subfield 9, in the order of their ids.
const INSTANCES_WITH_LINKS: &str = "\
select distinct r.\"externalIdsHolder.instanceId\"
from records_lb r
where r.\"recordType\" = 'MARC_BIB' and r.state = 'ACTUAL' and r.\"externalIdsHolder.instanceId\" > $1
and (r.doc -> 'parsedRecord')::text ~ '\\\\?\"9\\\\?\"\\s*:'
order by 1
limit 500";

/// A title without links has no record.
fn links_record(instance: Uuid, answer: &Value) -> Option<Value> {
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

/// Makes a record for each pair of a location that stands for a remote storage and a location whose items go there.
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
const LINKED_PROFILE_TYPES: [(&str, &str); 7] = [
    ("JOB_PROFILE", "MATCH_PROFILE"),
    ("JOB_PROFILE", "ACTION_PROFILE"),
    ("MATCH_PROFILE", "MATCH_PROFILE"),
    ("MATCH_PROFILE", "ACTION_PROFILE"),
    ("ACTION_PROFILE", "ACTION_PROFILE"),
    ("ACTION_PROFILE", "MATCH_PROFILE"),
    ("ACTION_PROFILE", "MAPPING_PROFILE"),
];

fn association_paths() -> Vec<String> {
    let path = "/data-import-profiles/profileAssociations";
    LINKED_PROFILE_TYPES
        .iter()
        .map(|(master, detail)| format!("{path}?master={master}&detail={detail}"))
        .collect()
}

/// The profile wrappers at both ends of an association: each is the place of a profile in the tree of a job profile.
fn association_wrappers(association: &Value) -> Vec<Value> {
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

fn source_record_paths() -> Vec<String> {
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
        let found = association_wrappers(&association);
        assert_eq!(found[0], json!({"id": "a", "profileType": "JOB_PROFILE", "profileId": "b"}));
        assert_eq!(found[1]["id"], "c");
    }

    #[test]
    fn types_with_a_path_are_lists_and_others_say_why_not() {
        for kind in plan(MODULES) {
            match http_access(&kind) {
                HttpAccess::Lists { paths, key } => {
                    assert!(!key.is_empty() && paths.iter().all(|path| path.starts_with('/')), "{kind:?}");
                }
                HttpAccess::NestedInLists { paths, .. } => {
                    assert_eq!(paths.len(), LINKED_PROFILE_TYPES.len());
                }
                HttpAccess::Unavailable(why) => assert!(!why.is_empty()),
                HttpAccess::SingleRecord(path) => assert!(path.starts_with('/')),
                HttpAccess::WholeList { path, .. } | HttpAccess::PathForEachId { path, .. } => {
                    assert!(path.starts_with('/'));
                }
                HttpAccess::Paths(paths, _) => assert_eq!(paths.len(), 3),
                HttpAccess::Streams(paths) => assert_eq!(paths.len(), 16),
            }
        }
    }
}
