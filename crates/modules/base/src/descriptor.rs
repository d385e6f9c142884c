//! Module descriptors as Okapi 5.3.0 reads and writes them: of the modules that are built in, made from the facts, and of those that an
//! operator posts. A descriptor may say how a module is started; Octavo keeps that and starts nothing.

mod built_in;
mod id;
mod interface;
mod routing;

use std::collections::HashSet;

use octavo_kernel::{Fault, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use built_in::{built_in, find_built_in};
pub use id::{ModuleId, compare_ids, latest};
pub use interface::InterfaceDescriptor;
pub use routing::{CronEntry, RoutingEntry};

use crate::facts::{FACTS, ModuleFacts, Permission};

/// The prefix of the names of user interfaces.
pub const USER_INTERFACE: &str = "folio_";
/// The most bytes of a descriptor as text. The largest of FOLIO's has 250 KB.
const MOST_BYTES: usize = 512 << 10;
/// The most members of each list in a descriptor.
const MOST_ENTRIES: usize = 2000;
/// The most characters of a name.
const MOST_SIGNS: usize = 255;

/// A module descriptor; its members stand in the order in which Okapi writes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Descriptor {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Vec<InterfaceDescriptor>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provides: Option<Vec<InterfaceDescriptor>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<Vec<InterfaceDescriptor>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<RoutingEntry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_sets: Option<Vec<PermissionSet>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    env: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ui_descriptor: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_descriptor: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionSet {
    pub permission_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_permissions: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
}

/// What kind of module a descriptor is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    BuiltIn,
    /// It runs in browsers: there is nowhere to send a request.
    UserInterface,
    /// A server beside Octavo.
    Outside,
}

impl Descriptor {
    /// Reads a descriptor that somebody posts; 400 with a message about its defects.
    pub fn read(body: Value) -> Outcome<Descriptor> {
        if body.get("id").is_none_or(Value::is_null) {
            return Err(Fault::bad_request("id is missing for module"));
        }
        let descriptor: Descriptor =
            serde_json::from_value(body).map_err(|error| Fault::bad_request(error.to_string()))?;
        match descriptor.defect() {
            Some(defect) => Err(Fault::bad_request(defect)),
            None => Ok(descriptor),
        }
    }

    /// Parses a descriptor from the database, which was checked before it was stored.
    pub fn parse_stored(text: &str) -> Outcome<Descriptor> {
        serde_json::from_str(text).map_err(Fault::internal)
    }

    pub fn kind(&self) -> Kind {
        match find_built_in(self.product()) {
            Some(built_in) if built_in.id == self.id => Kind::BuiltIn,
            _ if self.id.starts_with(USER_INTERFACE) => Kind::UserInterface,
            _ => Kind::Outside,
        }
    }

    pub fn product(&self) -> &str {
        ModuleId::split(&self.id).map_or(&self.id, |(product, _)| product)
    }

    /// The descriptor as JSON for clients.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub fn provides(&self) -> &[InterfaceDescriptor] {
        self.provides.as_deref().unwrap_or_default()
    }

    pub fn requires(&self) -> &[InterfaceDescriptor] {
        self.requires.as_deref().unwrap_or_default()
    }

    pub fn optional(&self) -> &[InterfaceDescriptor] {
        self.optional.as_deref().unwrap_or_default()
    }

    pub fn filters(&self) -> &[RoutingEntry] {
        self.filters.as_deref().unwrap_or_default()
    }

    pub fn permission_sets(&self) -> &[PermissionSet] {
        self.permission_sets.as_deref().unwrap_or_default()
    }

    /// Whether it says that it takes the place of another product.
    pub fn takes_the_place_of(&self, product: &str) -> bool {
        self.product() == product || self.replaces.iter().flatten().any(|replaced| replaced == product)
    }

    /// An interface that is called by Okapi alone, such as `_tenant`.
    pub fn system_interface(&self, id: &str) -> Option<&InterfaceDescriptor> {
        self.provides().iter().find(|interface| interface.id == id)
    }

    /// The facts that the registration of permissions needs.
    pub fn facts(&self) -> ModuleFacts<'_> {
        if let Some(built_in) = FACTS.modules.get(self.product()).filter(|module| module.id() == self.id) {
            return ModuleFacts { permissions: built_in.permissions.clone(), ..base_facts(self) };
        }
        ModuleFacts {
            permissions: self.permission_sets().iter().map(PermissionSet::facts).collect(),
            ..base_facts(self)
        }
    }

    /// Why a descriptor that could be parsed is refused; `None` if it is accepted.
    fn defect(&self) -> Option<String> {
        let id = &self.id;
        let Some((product, _)) = ModuleId::split(id) else {
            return Some(format!("Missing semantic version for: {id}"));
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        if ModuleId::read(id).is_none() || id.len() > MOST_SIGNS || !product.bytes().all(plain) {
            return Some(format!("invalid semver: {id}"));
        }
        if serde_json::to_string(self).map_or(usize::MAX, |text| text.len()) > MOST_BYTES {
            return Some(format!("{id}: a descriptor has {MOST_BYTES} bytes at most"));
        }
        let mut ids = HashSet::new();
        if let Some(twice) = self.provides().iter().find(|interface| !ids.insert(&interface.id)) {
            return Some(format!("Interface {} provided multiple times", twice.id));
        }
        let provided = self.provides().iter().find_map(|interface| interface.defect(id, false));
        let needed = || {
            let mut needed = self.requires().iter().chain(self.optional());
            needed.find_map(|interface| interface.defect(id, true))
        };
        let filter = || self.filters().iter().find_map(RoutingEntry::defect);
        let replaced = || {
            let mut replaced = self.replaces.iter().flatten();
            let versioned = replaced.find(|product| ModuleId::split(product).is_some())?;
            Some(format!("No semantic version for: {versioned}"))
        };
        provided
            .or_else(needed)
            .or_else(filter)
            .or_else(replaced)
            .or_else(|| self.list_defect())
            .or_else(|| self.user_interface_defect())
    }

    fn list_defect(&self) -> Option<String> {
        let id = &self.id;
        let handlers = self.provides().iter().map(InterfaceDescriptor::routes).chain([self.filters()]);
        let of_routes = handlers.flatten().flat_map(|route| {
            [&route.permissions_required, &route.permissions_desired, &route.module_permissions]
        });
        let of_sets = self.permission_sets().iter().flat_map(|set| [&set.sub_permissions, &set.replaces]);
        let lists: Vec<&Vec<String>> = of_routes.chain(of_sets).flatten().collect();
        let longest = lists.iter().map(|list| list.len());
        let counts = [
            self.provides().len(),
            self.requires().len(),
            self.optional().len(),
            self.permission_sets().len(),
        ];
        let routes = self.provides().iter().map(|interface| interface.routes().len());
        if longest.chain(counts).chain(routes).chain([self.filters().len()]).max() > Some(MOST_ENTRIES) {
            return Some(format!("{id}: a list has {MOST_ENTRIES} entries at most"));
        }
        let names = || self.permission_sets().iter().map(|set| &set.permission_name);
        if let Some(name) = names().chain(lists.into_iter().flatten()).find(|name| !is_name(name)) {
            let start: String = name.chars().take(40).collect();
            return Some(format!("{id}: {start:?} is not the name of a permission"));
        }
        let mut seen = HashSet::new();
        let twice = names().find(|name| !seen.insert(name.as_str()))?;
        Some(format!("{id}: permission {twice} is there twice"))
    }

    fn user_interface_defect(&self) -> Option<String> {
        if !self.id.starts_with(USER_INTERFACE) {
            return None;
        }
        if !self.provides().is_empty() || !self.filters().is_empty() {
            return Some(format!("{}: a user interface provides nothing to other modules", self.id));
        }
        // The release before this one, which may work on the same database, cannot read these.
        let more = [&self.env, &self.ui_descriptor, &self.launch_descriptor].into_iter().any(Option::is_some);
        more.then(|| {
            format!(
                "{}: a user interface runs in browsers: nothing is started for it, and nothing called",
                self.id
            )
        })
    }
}

fn base_facts(descriptor: &Descriptor) -> ModuleFacts<'_> {
    let (name, version) = ModuleId::split(&descriptor.id).unwrap_or((&descriptor.id, ""));
    let replaces = descriptor.replaces.iter().flatten().map(String::as_str).collect();
    let title = descriptor.name.as_deref().unwrap_or_default();
    ModuleFacts { name, version, title, replaces, ..ModuleFacts::default() }
}

impl PermissionSet {
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

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= MOST_SIGNS && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_posted_is_what_is_shown() {
        let body = json!({
            "id": "mod-x-7.1.2", "name": "X", "tags": ["y"],
            "requires": [{"id": "users", "version": "15.0 16.0"}],
            "provides": [{"id": "x", "version": "1.0", "handlers": [{
                "methods": ["GET"], "pathPattern": "/x/{id}", "permissionsRequired": [],
                "modulePermissions": ["users.item.get"],
            }]}],
            "filters": [{"methods": ["*"], "pathPattern": "/*", "phase": "pre", "type": "headers"}],
            "permissionSets": [{"permissionName": "x.all", "displayName": "X", "visible": true}],
            "launchDescriptor": {"dockerImage": "x"},
            "replaces": ["mod-y"],
        });
        let descriptor = Descriptor::read(body.clone()).unwrap();
        assert_eq!(descriptor.to_json(), body);
        assert_eq!((descriptor.product(), descriptor.kind()), ("mod-x", Kind::Outside));
        assert!(descriptor.takes_the_place_of("mod-y") && !descriptor.takes_the_place_of("mod-z"));
        assert_eq!(descriptor.facts().permissions[0].display_name, "X");
    }

    #[test]
    fn what_is_no_descriptor_is_refused() {
        let handler = |entry: Value| json!({"id": "mod-x-1.0.0", "provides": [{"id": "x", "version": "1.0", "handlers": [entry]}]});
        let set = |set: Value| json!({"id": "mod-x-1.0.0", "permissionSets": [set]});
        for (body, said) in [
            (json!({}), "id is missing for module"),
            (json!({"id": "mod-x"}), "Missing semantic version for: mod-x"),
            (json!({"id": "mod-x-1..0"}), "invalid semver"),
            (json!({"id": "mod/x-1.0.0"}), "invalid semver"),
            (json!({"id": "mod-x-1.0.0", "other": 1}), "unknown field `other`"),
            (
                json!({"id": "mod-x-1.0.0", "requires": [{"id": "x", "version": "1"}]}),
                "Bad version number '1'",
            ),
            (
                handler(json!({"methods": ["GET"], "permissionsRequired": []})),
                "needs a pathPattern or at least a path",
            ),
            (handler(json!({"methods": ["GET"], "pathPattern": "/x"})), "Missing field permissionsRequired"),
            (
                handler(json!({"methods": ["GET"], "pathPattern": "/x y", "permissionsRequired": []})),
                "Invalid character   for pathPattern",
            ),
            (
                json!({"id": "folio_x-1.0.0", "provides": [{"id": "x", "version": "1.0", "handlers": [{
                    "methods": ["GET"], "pathPattern": "/x", "permissionsRequired": []}]}]}),
                "a user interface provides nothing to other modules",
            ),
            (json!({"id": "folio_x-1.0.0", "launchDescriptor": {"exec": "rm"}}), "nothing is started for it"),
            (set(json!({"displayName": "X"})), "missing field `permissionName`"),
            (set(json!({"permissionName": " "})), "is not the name of a permission"),
            (set(json!({"permissionName": "x".repeat(256)})), "is not the name of a permission"),
            (set(json!({"permissionName": "x", "subPermissions": vec!["y"; 2001]})), "2000 entries at most"),
            (set(json!({"permissionName": "x", "description": "y".repeat(MOST_BYTES)})), "bytes at most"),
        ] {
            let fault = Descriptor::read(body).unwrap_err();
            let text = fault.body.render();
            assert!(fault.status == 400 && text.contains(said), "{text} instead of {said}");
        }
    }
}
