//! The reference records that synthetic ones point to: FOLIO's, and the branches and shelves of the demo library.

use anyhow::{Context, Result};
use octavo_modules::okapi::seed;
use serde_json::Value;
use uuid::Uuid;

#[derive(Debug, Clone)]
pub(super) struct Types {
    pub(super) personal_name: Uuid,
    pub(super) author: Uuid,
    pub(super) isbn: Uuid,
    pub(super) oclc: Uuid,
    pub(super) lc_class: Uuid,
    pub(super) lc_call_number: Uuid,
    pub(super) text: Uuid,
    pub(super) volume: Uuid,
    pub(super) single_unit: Uuid,
    pub(super) bibliography_note: Uuid,
    pub(super) folio_source: Uuid,
    pub(super) physical: Uuid,
    pub(super) book: Uuid,
    pub(super) can_circulate: Uuid,
    pub(super) home_address: Uuid,
    pub(super) groups: Vec<Uuid>,
    pub(super) locations: Vec<Uuid>,
    pub(super) service_points: Vec<Uuid>,
    pub(super) loan_policy: Uuid,
    pub(super) overdue_policy: Uuid,
    pub(super) lost_policy: Uuid,
}

impl Types {
    pub(super) fn reference() -> Result<Types> {
        let inventory = |file: &str, name: &str, value: &str| {
            one(&format!("reference/mod-inventory-storage/{file}.json"), name, value)
        };
        Ok(Types {
            personal_name: inventory("contributor-name-types", "name", "Personal name")?,
            author: inventory("contributor-types", "code", "aut")?,
            isbn: inventory("identifier-types", "name", "ISBN")?,
            oclc: inventory("identifier-types", "name", "OCLC")?,
            lc_class: inventory("classification-types", "name", "LC")?,
            lc_call_number: inventory("call-number-types", "name", "Library of Congress classification")?,
            text: inventory("instance-types", "code", "txt")?,
            volume: inventory("instance-formats", "code", "nc")?,
            single_unit: inventory("modes-of-issuance", "name", "single unit")?,
            bibliography_note: inventory("instance-note-types", "name", "Bibliography note")?,
            folio_source: inventory("holdings-sources", "name", "FOLIO")?,
            physical: inventory("holdings-types", "name", "Physical")?,
            book: inventory("material-types", "name", "book")?,
            can_circulate: inventory("loan-types", "name", "Can circulate")?,
            home_address: one("reference/mod-users/addresstypes.json", "addressType", "Home")?,
            groups: all("reference/mod-users/groups.json")?,
            locations: all("demo/locations.json")?,
            service_points: all("demo/service-points.json")?,
            loan_policy: first("demo/loan-policies.json")?,
            overdue_policy: first("demo/overdue-fines-policies.json")?,
            lost_policy: first("demo/lost-item-fees-policies.json")?,
        })
    }
}

fn records(file: &str) -> Result<Vec<Value>> {
    seed::records(file).map_err(|fault| anyhow::anyhow!(fault))
}

fn id(record: &Value) -> Option<Uuid> {
    record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}

fn one(file: &str, name: &str, value: &str) -> Result<Uuid> {
    let records = records(file)?;
    let found = records.iter().find(|record| record[name] == value);
    found.and_then(id).with_context(|| format!("{file} has no record with the {name} {value}"))
}

fn all(file: &str) -> Result<Vec<Uuid>> {
    Ok(records(file)?.iter().filter_map(id).collect())
}

fn first(file: &str) -> Result<Uuid> {
    all(file)?.into_iter().next().with_context(|| format!("{file} is empty"))
}
