//! The settings of connections, as edge-sip2 has them in its file of tenants (`sip2-tenants.conf`): which tenant a machine belongs to, by
//! its network or by the location code that it logs in with, and how it writes.

use std::net::IpAddr;

use octavo_gateway::Network;
use octavo_sip2::{Encoding, ErrorDetection, Terminator, Wire};
use serde::Deserialize;

/// The settings of machines that apply before they log in.
#[derive(Debug, Clone, Default)]
pub struct Terminals {
    default_group: Group,
    groups: Vec<Group>,
}

/// Machines that write in the same way, or belong to the same tenant.
#[derive(Debug, Clone, Default)]
struct Group {
    network: Option<Network>,
    tenant: Option<String>,
    location_codes: Vec<String>,
    wire: Wire,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TerminalsFile {
    #[serde(flatten)]
    otherwise: FileGroup,
    #[serde(default)]
    sc_tenants: Vec<FileGroup>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FileGroup {
    sc_subnet: Option<String>,
    tenant: Option<String>,
    location_codes: Vec<String>,
    error_detection_enabled: Option<bool>,
    message_delimiter: Option<String>,
    field_delimiter: Option<String>,
    charset: Option<String>,
}

impl Terminals {
    /// Settings by which all machines belong to this tenant and write as the protocol says.
    pub fn from_tenant(tenant: &str) -> Terminals {
        Terminals::default().with_default_tenant(tenant)
    }

    /// Reads the file's text; otherwise the reason why it cannot be read.
    pub fn read(text: &str) -> Result<Terminals, String> {
        let written: TerminalsFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let otherwise = written.otherwise.read(&Wire::default())?;
        let groups = written.sc_tenants.iter().map(|group| group.read(&otherwise.wire));
        Ok(Terminals { groups: groups.collect::<Result<_, _>>()?, default_group: otherwise })
    }

    /// The same, with this tenant for machines of which the file says none.
    pub fn with_default_tenant(mut self, tenant: &str) -> Terminals {
        self.default_group.tenant.get_or_insert_with(|| tenant.to_owned());
        self
    }

    /// Whether any group of machines has a tenant, so that a machine can log in.
    pub fn has_any_tenant(&self) -> bool {
        self.groups.iter().chain([&self.default_group]).any(|group| group.tenant.is_some())
    }

    pub(crate) fn wire(&self, address: IpAddr) -> &Wire {
        &self.by_network(address).wire
    }

    /// The tenant of a machine that logs in with a location code.
    pub(crate) fn tenant(&self, address: IpAddr, location: &str) -> Option<&str> {
        let by_location =
            self.groups.iter().find(|group| group.location_codes.iter().any(|code| code == location));
        let found = by_location.and_then(|group| group.tenant.as_deref());
        found.or(self.by_network(address).tenant.as_deref()).or(self.default_group.tenant.as_deref())
    }

    fn by_network(&self, address: IpAddr) -> &Group {
        let address = address.to_canonical();
        let holds = |group: &&Group| group.network.is_some_and(|network| network.contains(address));
        self.groups.iter().find(holds).unwrap_or(&self.default_group)
    }
}

impl FileGroup {
    fn read(&self, otherwise: &Wire) -> Result<Group, String> {
        let network = match &self.sc_subnet {
            Some(text) => {
                let read =
                    text.parse().map_err(|()| format!("scSubnet {text:?} is no network, such as 10.0.0.0/8"));
                Some(read?)
            }
            None => None,
        };
        let mut wire = otherwise.clone();
        if let Some(name) = &self.charset {
            wire.encoding = Encoding::from_name(name).ok_or_else(|| {
                format!("charset {name:?} is none of US-ASCII, UTF-8, ISO-8859-1 and IBM850")
            })?;
        }
        if let Some(text) = &self.field_delimiter {
            let mut letters = text.chars();
            wire.delimiter = match (letters.next(), letters.next()) {
                (Some(letter), None) => letter,
                _ => return Err(format!("fieldDelimiter {text:?} is not one character")),
            };
        }
        if let Some(text) = &self.message_delimiter {
            // Some write the file with the backslashes doubled.
            let plain = text.replace("\\r", "\r").replace("\\n", "\n");
            wire.terminator = Terminator::new(&plain)
                .ok_or_else(|| format!("messageDelimiter {text:?} is not one to eight marks, such as \\r"))?;
        }
        if let Some(required) = self.error_detection_enabled {
            wire.error_detection =
                if required { ErrorDetection::Required } else { ErrorDetection::AsItComes };
        }
        if !wire.is_sound() {
            return Err(format!("fieldDelimiter {:?} cannot divide fields", wire.delimiter));
        }
        Ok(Group { network, tenant: self.tenant.clone(), location_codes: self.location_codes.clone(), wire })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{
        "tenant": "diku", "charset": "ISO-8859-1",
        "scTenants": [
            {"scSubnet": "10.1.0.0/16", "tenant": "north", "errorDetectionEnabled": true, "messageDelimiter": "\r\n",
             "fieldDelimiter": "~", "charset": "UTF-8"},
            {"scSubnet": "2001:db8::/32", "charset": "US-ASCII"},
            {"tenant": "south", "locationCodes": ["desk-1"]}
        ]
    }"#;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn machines_are_told_apart_by_network_and_then_by_location_code() {
        let terminals = Terminals::read(FILE).unwrap();
        for (from, location, tenant, encoding) in [
            ("10.1.2.3", "", "north", Encoding::Utf8),
            ("::ffff:10.1.2.3", "", "north", Encoding::Utf8),
            ("10.1.2.3", "desk-1", "south", Encoding::Utf8),
            ("10.2.2.3", "desk-2", "diku", Encoding::Latin1),
            ("2001:db8::7", "", "diku", Encoding::Ascii),
        ] {
            let from = address(from);
            assert_eq!(terminals.tenant(from, location), Some(tenant), "{from} {location}");
            assert_eq!(terminals.wire(from).encoding, encoding, "{from}");
        }
        let wire = terminals.wire(address("10.1.2.3"));
        assert_eq!((wire.delimiter, wire.error_detection), ('~', ErrorDetection::Required));
        assert_eq!(Some(wire.terminator.clone()), Terminator::new("\r\n"));
    }

    #[test]
    fn a_file_that_cannot_work_is_refused_with_the_member_at_fault() {
        for (file, named) in [
            ("{", "EOF"),
            (r#"{"charset": "EBCDIC"}"#, "charset"),
            (r#"{"fieldDelimiter": "||"}"#, "fieldDelimiter"),
            (r#"{"fieldDelimiter": "A"}"#, "fieldDelimiter"),
            (r#"{"messageDelimiter": "end"}"#, "messageDelimiter"),
            (r#"{"scTenants": [{"scSubnet": "10.0.0.0/99"}]}"#, "scSubnet"),
        ] {
            let why = Terminals::read(file).unwrap_err();
            assert!(why.contains(named), "{file}: {why}");
        }
    }

    #[test]
    fn a_tenant_is_named_by_the_file_or_beside_it() {
        let nobodys = Terminals::read("{}").unwrap();
        assert!(!nobodys.has_any_tenant());
        assert_eq!(nobodys.with_default_tenant("diku").tenant(address("10.0.0.1"), ""), Some("diku"));
        assert_eq!(
            Terminals::read(FILE).unwrap().with_default_tenant("x").tenant(address("10.9.0.1"), ""),
            Some("diku")
        );
    }
}
