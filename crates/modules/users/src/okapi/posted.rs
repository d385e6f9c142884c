//! The descriptor of a user interface as `POST /_/proxy/modules` takes it: `folio_checkout-10.1.0`, its permission sets and the
//! interfaces that it needs. It runs in a browser: there is nothing to start and nowhere to send a request.

use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::{ModuleFacts, Permission, Requirement};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::permissions::is_of_built_in_module;

/// The prefix of the names of user interfaces.
const PREFIX: &str = "folio_";
/// The most bytes of a descriptor as text. The largest of FOLIO's has 30 KB.
const MOST_BYTES: usize = 128 << 10;
/// The most permission sets of a descriptor, and the most members of each list in it.
const MOST_ENTRIES: usize = 1000;
/// The most characters of a name.
const MOST_SIGNS: usize = 255;

/// A posted descriptor; its members stand in the order in which Okapi writes them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Form {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requires: Option<Vec<Needed>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provides: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<Vec<Needed>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_sets: Option<Vec<Set>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<Vec<String>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Needed {
    id: String,
    version: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Set {
    permission_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_permissions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visible: Option<bool>,
}

/// A descriptor that was read and is within bounds.
#[derive(Debug)]
pub(crate) struct Posted {
    form: Form,
    /// The descriptor as it is shown and stored.
    pub(super) document: Value,
}

impl Posted {
    /// Reads a posted descriptor; 400 with a message about its defects.
    pub(super) fn read(body: Value) -> Outcome<Posted> {
        let id = body["id"].as_str().unwrap_or_default();
        if body.get("id").is_none() {
            return Err(Fault::bad_request("id is missing for module"));
        }
        let Some((product, version)) = split(id) else {
            return Err(Fault::bad_request(format!("Missing semantic version for: {id}")));
        };
        if !product.starts_with(PREFIX) || !is_plain(product) || rank(version).is_none() {
            return Err(Fault::bad_request(format!(
                "{id} is not the id of a user interface, such as folio_checkout-10.1.0: other modules are built into Octavo"
            )));
        }
        let posted = Posted::stored(body)?;
        match posted.defect() {
            Some(defect) => Err(Fault::bad_request(format!("{}: {defect}", posted.form.id))),
            None => Ok(posted),
        }
    }

    /// Reads a descriptor that was stored, and so was checked before.
    pub(super) fn stored(body: Value) -> Outcome<Posted> {
        let form: Form =
            serde_json::from_value(body).map_err(|error| Fault::bad_request(error.to_string()))?;
        let document = serde_json::to_value(&form).map_err(Fault::internal)?;
        Ok(Posted { form, document })
    }

    pub(super) fn id(&self) -> &str {
        &self.form.id
    }

    pub(super) fn facts(&self) -> ModuleFacts<'_> {
        let (name, version) = split(&self.form.id).unwrap_or_default();
        let mut requires = needed(&self.form.requires, false);
        requires.extend(needed(&self.form.optional, true));
        ModuleFacts {
            name,
            version,
            title: self.form.name.as_deref().unwrap_or_default(),
            provides: Vec::new(),
            requires,
            permissions: self.sets().iter().map(Set::facts).collect(),
            posted: Some(&self.document),
        }
    }

    fn sets(&self) -> &[Set] {
        self.form.permission_sets.as_deref().unwrap_or_default()
    }

    /// Why a readable descriptor is refused.
    fn defect(&self) -> Option<String> {
        if self.document.to_string().len() > MOST_BYTES {
            return Some(format!("a descriptor has {MOST_BYTES} bytes at most"));
        }
        if self.form.provides.as_ref().is_some_and(|provides| !provides.is_empty()) {
            return Some("a user interface provides nothing to other modules".to_owned());
        }
        let lists = self.sets().iter().flat_map(|set| [&set.sub_permissions, &set.replaces]).flatten();
        let of_needs = [&self.form.requires, &self.form.optional].into_iter().flatten().map(Vec::len);
        let longest = lists.clone().map(Vec::len).chain(of_needs).chain([self.sets().len()]).max();
        if longest > Some(MOST_ENTRIES) {
            return Some(format!("a list has {MOST_ENTRIES} entries at most"));
        }
        let names = self.sets().iter().map(|set| &set.permission_name);
        let wrong = names.clone().chain(lists.flatten()).find(|name| !is_name(name));
        if let Some(name) = wrong {
            let start: String = name.chars().take(40).collect();
            return Some(format!("{start:?} is not the name of a permission"));
        }
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = names.clone().find(|name| !seen.insert(name.as_str())) {
            return Some(format!("permission {twice} is there twice"));
        }
        let replaced = self.sets().iter().filter_map(|set| set.replaces.as_ref()).flatten();
        let taken = names.chain(replaced).find(|name| is_of_built_in_module(name))?;
        Some(format!("permission {taken} belongs to a module that is built in"))
    }
}

fn needed(list: &Option<Vec<Needed>>, optional: bool) -> Vec<Requirement<'_>> {
    let mut requirements = Vec::new();
    for Needed { id, version } in list.iter().flatten() {
        requirements.push(Requirement { interface: id, versions: version, optional });
    }
    requirements
}

impl Set {
    fn facts(&self) -> Permission<'_> {
        fn texts(list: &Option<Vec<String>>) -> Vec<&str> {
            list.iter().flatten().map(String::as_str).collect()
        }
        Permission {
            name: &self.permission_name,
            display_name: self.display_name.as_deref().unwrap_or(&self.permission_name),
            visible: self.visible.unwrap_or(false),
            sub_permissions: texts(&self.sub_permissions),
            replaces: texts(&self.replaces),
        }
    }
}

/// Product and version: `folio_plugin-find-user` and `7.1.2`. A version begins at the first hyphen before a digit.
pub(super) fn split(id: &str) -> Option<(&str, &str)> {
    let at = id.as_bytes().windows(2).position(|pair| pair[0] == b'-' && pair[1].is_ascii_digit())?;
    Some((&id[..at], &id[at + 1..]))
}

/// Versions in the order in which they appear; none for what is no semantic version.
pub(super) fn rank(version: &str) -> Option<(Vec<u64>, bool, &str)> {
    let (release, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
    let numbers: Vec<u64> = release.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    (numbers.len() == 3 && rest.len() <= MOST_SIGNS && rest.chars().all(|c| c.is_ascii_graphic()))
        .then_some((numbers, !rest.starts_with('-'), rest))
}

fn is_plain(product: &str) -> bool {
    product.len() <= MOST_SIGNS
        && product.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MOST_SIGNS && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(body: Value) -> String {
        let fault = Posted::read(body).unwrap_err();
        assert_eq!(fault.status, 400);
        fault.body.render()
    }

    fn with_set(set: &Value) -> Value {
        json!({"id": "folio_x-1.0.0", "name": "X", "permissionSets": [set]})
    }

    #[test]
    fn what_is_posted_is_what_is_shown() {
        let body = json!({
            "id": "folio_plugin-find-user-7.1.2", "name": "User-finder", "requires": [{"id": "users", "version": "15.0 16.0"}],
            "permissionSets": [{"permissionName": "module.x.enabled", "displayName": "X", "visible": true}],
        });
        let posted = Posted::read(body.clone()).unwrap();
        assert_eq!(posted.document, body);
        let facts = posted.facts();
        assert_eq!((facts.name, facts.version), ("folio_plugin-find-user", "7.1.2"));
        assert_eq!(facts.permissions[0].display_name, "X");
    }

    #[test]
    fn what_is_no_descriptor_of_a_user_interface_is_refused() {
        for (body, said) in [
            (json!({}), "id is missing for module"),
            (json!({"id": "folio_x"}), "Missing semantic version for: folio_x"),
            (json!({"id": "mod-users-19.3.1"}), "mod-users-19.3.1 is not the id of a user interface"),
            (json!({"id": "folio_X-1.0.0"}), "is not the id of a user interface"),
            (json!({"id": "folio_x-1"}), "is not the id of a user interface"),
            (
                json!({"id": "folio_x-1.0.0", "launchDescriptor": {"exec": "rm"}}),
                "unknown field `launchDescriptor`",
            ),
            (
                json!({"id": "folio_x-1.0.0", "uiDescriptor": {"url": "http://x"}}),
                "unknown field `uiDescriptor`",
            ),
            (
                json!({"id": "folio_x-1.0.0", "provides": [{"id": "users"}]}),
                "provides nothing to other modules",
            ),
            (with_set(&json!({"displayName": "X"})), "missing field `permissionName`"),
            (with_set(&json!({"permissionName": " "})), "is not the name of a permission"),
            (with_set(&json!({"permissionName": "x".repeat(256)})), "is not the name of a permission"),
            (with_set(&json!({"permissionName": "users.item.get"})), "belongs to a module that is built in"),
            (with_set(&json!({"permissionName": "okapi.mine"})), "belongs to a module that is built in"),
            (
                with_set(&json!({"permissionName": "x", "replaces": ["users.all"]})),
                "belongs to a module that is built in",
            ),
            (
                with_set(&json!({"permissionName": "x", "subPermissions": vec!["y"; 1001]})),
                "1000 entries at most",
            ),
            (
                with_set(&json!({"permissionName": "x", "description": "y".repeat(MOST_BYTES)})),
                "bytes at most",
            ),
        ] {
            let text = refused(body);
            assert!(text.contains(said), "{text} instead of {said}");
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let versions = ["9.9.9", "10.1.0-rc.1", "10.1.0", "10.1.1000123", "11.0.0"];
        assert!(versions.windows(2).all(|pair| rank(pair[0]).unwrap() < rank(pair[1]).unwrap()));
        assert_eq!(rank("10.1"), None);
    }
}
