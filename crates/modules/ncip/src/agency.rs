//! A library's settings for an agency that sends messages: configuration entries of the module `NCIP`, under the agency's name.

use std::collections::HashMap;

use octavo_cql::quote_term;
use serde_json::Value;

use crate::library::Library;

/// The settings' default values.
const DEFAULTS: &[(&str, &str)] = &[
    ("holdings.source.name", "FOLIO"),
    ("response.includes.physical.address", "false"),
    ("user.priv.ok.status", "ACTIVE"),
    ("user.priv.blocked.status", "BLOCKED"),
    ("user.email.type", "electronic mail address"),
    ("cancel.request.reason.name", "other"),
    ("request.fulfillment_preference", "Hold Shelf"),
    ("request.accept.fulfillment_preference", "Hold Shelf"),
];

/// Settings that name a record: the setting, the path of the kind of record, the name of the list in the answer, and the field that has the
/// name.
const NAMES: &[(&str, &str, &str, &str)] = &[
    ("instance.type.name", "/instance-types", "instanceTypes", "name"),
    ("instance.custom.identifier.name", "/identifier-types", "identifierTypes", "name"),
    ("item.material.type.name", "/material-types", "mtypes", "name"),
    ("item.perm.loan.type.name", "/loan-types", "loantypes", "name"),
    ("item.perm.location.code", "/locations", "locations", "code"),
    ("holdings.perm.location.code", "/locations", "locations", "code"),
    ("checkin.service.point.code", "/service-points", "servicepoints", "code"),
    ("checkout.service.point.code", "/service-points", "servicepoints", "code"),
    ("holdings.source.name", "/holdings-sources", "holdingsRecordsSources", "name"),
    (
        "cancel.request.reason.name",
        "/cancellation-reason-storage/cancellation-reasons",
        "cancellationReasons",
        "name",
    ),
];

const ENTRIES: &str = "/configurations/entries";

pub(crate) struct Settings {
    agency: String,
    values: HashMap<String, String>,
}

impl Settings {
    /// Names of agencies and of settings are compared without regard to case.
    pub(crate) async fn load(library: &Library<'_>, agency: &str) -> Result<Settings, String> {
        let cql = format!("module==NCIP and configName=={}", quote_term(agency));
        let entries = library.find(ENTRIES, "configs", &cql).await?;
        let values =
            entries.iter().filter_map(|entry| Some((code(entry)?, value(entry)?.to_owned()))).collect();
        Ok(Settings { agency: agency.to_lowercase(), values })
    }

    pub(crate) fn get(&self, code: &str) -> Option<&str> {
        let default = || DEFAULTS.iter().find(|(name, _)| *name == code).map(|(_, value)| *value);
        self.values.get(code).map(String::as_str).or_else(default)
    }

    pub(crate) fn require(&self, code: &str) -> Result<&str, String> {
        self.get(code).ok_or_else(|| format!("configuration value missing for {}.{code}", self.agency))
    }

    /// The id of the record that a setting names.
    pub(crate) async fn id(&self, library: &Library<'_>, code: &str) -> Result<String, String> {
        let name = self.require(code)?;
        look_up(library, code, name).await?.ok_or_else(|| not_found(name, &format!("{}.{code}", self.agency)))
    }
}

/// Checks that the records exist that the settings of any agency name.
pub(crate) async fn check(library: &Library<'_>) -> Result<(), String> {
    let cql = r#"module==NCIP and configName<>"rules" and configName<>"toolkit""#;
    let entries = library.find(ENTRIES, "configs", cql).await?;
    if entries.is_empty() {
        return Err("No NCP configurations found in mod-configuration".to_owned());
    }
    for entry in &entries {
        let (Some(code), Some(name)) = (code(entry), value(entry)) else { continue };
        if NAMES.iter().any(|(known, ..)| *known == code) && look_up(library, &code, name).await?.is_none() {
            return Err(not_found(name, &code));
        }
    }
    Ok(())
}

/// The service point of a code, at which items are picked up.
pub(crate) async fn service_point(library: &Library<'_>, code: &str) -> Result<String, String> {
    let cql = format!("code=={} and pickupLocation==true", quote_term(code));
    let found = library.first("/service-points", "servicepoints", &cql).await?;
    let point = found.and_then(|point| point["id"].as_str().map(str::to_owned));
    point.ok_or_else(|| format!("pickup location code note found: {code}"))
}

async fn look_up(library: &Library<'_>, code: &str, name: &str) -> Result<Option<String>, String> {
    let Some((_, path, list, field)) = NAMES.iter().find(|(known, ..)| *known == code) else {
        return Err(format!("{code} names no record"));
    };
    let found = library.first(path, list, &format!("{field}=={}", quote_term(name))).await?;
    Ok(found.and_then(|record| record["id"].as_str().map(str::to_owned)))
}

fn not_found(name: &str, code: &str) -> String {
    format!("The lookup of {name} could not be found for {code}")
}

fn code(entry: &Value) -> Option<String> {
    entry["code"].as_str().map(str::to_lowercase)
}

fn value(entry: &Value) -> Option<&str> {
    entry["value"].as_str().map(str::trim)
}
