//! Interfaces that modules provide and require, and which versions fit each other (Okapi 5.3.0).

use serde::{Deserialize, Serialize};

use super::RoutingEntry;

/// An interface in a descriptor's `provides`, `requires` or `optional`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterfaceDescriptor {
    pub id: String,
    /// Where it is required: one or several versions, separated by spaces.
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handlers: Option<Vec<RoutingEntry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
}

impl InterfaceDescriptor {
    /// `proxy`, `system`, `multiple` or `internal`.
    pub fn kind(&self) -> &str {
        match &self.interface_type {
            _ if self.id.starts_with('_') => "system",
            Some(kind) => kind,
            None => "proxy",
        }
    }

    /// Whether other modules can require it.
    pub fn is_regular(&self) -> bool {
        self.kind() == "proxy"
    }

    pub fn routes(&self) -> &[RoutingEntry] {
        self.handlers.as_deref().unwrap_or_default()
    }

    /// Whether this interface, which a module provides, satisfies the requirement of another: the same id and a compatible version.
    pub fn satisfies(&self, required: &InterfaceDescriptor) -> bool {
        self.id == required.id && self.has_compatible_version(&required.version)
    }

    /// Whether one of the required versions (separated by spaces) has the same major number, and minor number and patch are not higher.
    fn has_compatible_version(&self, required: &str) -> bool {
        let Some([major, minor, patch]) = parse_version(&self.version) else { return false };
        let wanted = required.split(' ').filter_map(parse_version).find(|wanted| wanted[0] == major);
        wanted.is_some_and(|wanted| (minor, patch) >= (wanted[1], wanted[2]))
    }

    /// Whether it has exactly this version.
    pub fn has_version(&self, version: &str) -> bool {
        parse_version(&self.version).is_some_and(|own| parse_version(version) == Some(own))
    }

    /// Why the interface is refused in the descriptor of `module`; `is_required` if it stands in `requires` or `optional`.
    pub(super) fn defect(&self, module: &str, is_required: bool) -> Option<String> {
        if self.version.split(' ').next().and_then(parse_version).is_none() {
            return Some(format!("Bad version number '{}'", self.version));
        }
        if let Some(other) = self.interface_type.as_deref().filter(|kind| !KINDS.contains(kind)) {
            return Some(format!("Bad interface type '{other}' for module {module}"));
        }
        if is_required && !self.routes().is_empty() {
            return Some(format!("No handlers allowed in 'requires' section for module {module}"));
        }
        self.routes().iter().find_map(|route| {
            let lacks = self.kind() != "system" && route.permissions_required.is_none();
            route.defect().or_else(|| {
                lacks.then(|| {
                    format!(
                        "Module '{module}' handler {}: Missing field permissionsRequired",
                        route.static_path()
                    )
                })
            })
        })
    }
}

const KINDS: [&str; 3] = ["proxy", "system", "multiple"];

/// Major and minor number, and the patch, or -1 where none is given.
fn parse_version(version: &str) -> Option<[i64; 3]> {
    let numbers: Vec<i64> = version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match numbers.as_slice() {
        [major, minor] => Some([*major, *minor, -1]),
        [major, minor, patch] => Some([*major, *minor, *patch]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(version: &str) -> InterfaceDescriptor {
        InterfaceDescriptor { id: "x".to_owned(), version: version.to_owned(), ..Default::default() }
    }

    #[test]
    fn a_version_fits_with_the_same_major_number_and_no_lesser_minor_number() {
        for (provided, required, fits) in [
            ("1.2", "1.2", true),
            ("1.2", "1.1", true),
            ("1.2", "1.3", false),
            ("2.0", "1.2", false),
            ("2.0", "1.2 2.0", true),
            ("2.0", "3.0 4.0", false),
            ("1.2.1", "1.2", true),
            ("1.2", "1.2.1", false),
        ] {
            assert_eq!(interface(provided).satisfies(&interface(required)), fits, "{provided} {required}");
        }
    }
}
