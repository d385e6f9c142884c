//! The other system names patron groups, departments, address types and ways to reach a user; the records here have ids.

use std::collections::BTreeSet;

use octavo_engine::{Context, Snapshot};
use octavo_modules_base::inventory_records::SERVICE_POINT;
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::custom_fields;
use super::departments::{self, Department};
use super::reason::reason;
use crate::users::{ADDRESS_TYPE, GROUP};

/// The ids of the library's records by the names that the other system sends.
pub(super) struct Names {
    groups: Vec<(String, String)>,
    address_types: Vec<(String, String)>,
    service_points: Vec<String>,
    departments: Vec<Department>,
    custom_fields: Vec<Value>,
}

/// mod-users' ids of the ways to reach a user.
const CONTACTS: [(&str, &str); 5] =
    [("mail", "001"), ("email", "002"), ("text", "003"), ("phone", "004"), ("mobile", "005")];

impl Names {
    /// Reads them, after departments that came with the users were stored. The error is for the report.
    pub(super) async fn load(context: &Context, included: &Value) -> Result<Names, String> {
        let snapshot = context.snapshot().await.map_err(|fault| reason(&fault))?;
        let custom_fields = custom_fields::prepare(context, &snapshot, &included["customFields"])
            .await
            .map_err(|why| format!("Failed to prepare custom fields: {why}"))?;
        let departments = departments::store(context, &snapshot, &included["departments"])
            .await
            .map_err(|why| format!("Failed to prepare departments: {why}"))?;
        Ok(Names {
            groups: ids_by(&snapshot, &GROUP, "group"),
            address_types: ids_by(&snapshot, &ADDRESS_TYPE, "addressType"),
            service_points: snapshot.all(&SERVICE_POINT).map(|(id, _)| id.to_string()).collect(),
            departments,
            custom_fields,
        })
    }

    pub(super) fn address_type(&self, name: &str) -> Option<&str> {
        id_of(&self.address_types, name)
    }

    pub(super) fn is_service_point(&self, id: &str) -> bool {
        self.service_points.iter().any(|known| known == id)
    }

    /// Replaces names by ids. An unknown name is an error, except for kinds of addresses and of contacts: these are left out.
    pub(super) fn resolve(&self, user: &mut Value) -> Result<(), String> {
        if let Some(name) = user["patronGroup"].as_str() {
            let id = id_of(&self.groups, name)
                .ok_or_else(|| format!("Patron group does not exist in the system: [{name}]"))?;
            user["patronGroup"] = json!(id);
        }
        self.resolve_personal(user);
        self.resolve_departments(user)?;
        custom_fields::resolve(&self.custom_fields, user)
    }

    fn resolve_personal(&self, user: &mut Value) {
        let Some(personal) = user.get_mut("personal").and_then(Value::as_object_mut) else { return };
        if let Some(Value::Array(addresses)) = personal.get_mut("addresses") {
            addresses.retain_mut(|address| {
                let id = address["addressTypeId"].as_str().and_then(|name| self.address_type(name));
                id.map(|id| address["addressTypeId"] = json!(id)).is_some()
            });
        }
        if let Some(contact) = personal.remove("preferredContactTypeId") {
            let name = contact.as_str().unwrap_or_default();
            let known = CONTACTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            if let Some((_, id)) = known {
                personal.insert("preferredContactTypeId".to_owned(), json!(id));
            }
        }
    }

    fn resolve_departments(&self, user: &mut Value) -> Result<(), String> {
        let Some(names) = user["departments"].as_array() else { return Ok(()) };
        let (mut ids, mut missing) = (Vec::new(), BTreeSet::new());
        for name in names.iter().filter_map(Value::as_str) {
            match self.departments.iter().find(|department| department.name == name) {
                Some(department) => ids.push(json!(department.id)),
                None => _ = missing.insert(name),
            }
        }
        if !missing.is_empty() {
            let missing: Vec<&str> = missing.into_iter().collect();
            return Err(format!("Departments do not exist in the system: [{}]", missing.join(", ")));
        }
        user["departments"] = Value::Array(ids);
        Ok(())
    }
}

fn ids_by(snapshot: &Snapshot, record: &RecordType, name: &str) -> Vec<(String, String)> {
    let named = |(id, document): (&Uuid, &Value)| Some((document[name].as_str()?.to_owned(), id.to_string()));
    snapshot.all(record).filter_map(named).collect()
}

fn id_of<'a>(ids: &'a [(String, String)], name: &str) -> Option<&'a str> {
    ids.iter().find(|(known, _)| known == name).map(|(_, id)| id.as_str())
}
