//! The reference records that synthetic ones point to: FOLIO's, and the branches and shelves of the demo library.

use anyhow::{Context, Result};
use octavo_modules::okapi::seed;
use serde_json::Value;
use uuid::Uuid;

/// Makes the type of all of them and the function that looks them up, from a list of what each is called here and where it is found.
macro_rules! types {
    ($($name:ident: $type:ty = $found:expr;)+) => {
        #[derive(Debug, Clone)]
        pub(super) struct Types {
            $(pub(super) $name: $type,)+
        }

        impl Types {
            pub(super) fn reference() -> Result<Types> {
                Ok(Types { $($name: $found?,)+ })
            }
        }
    };
}

types! {
    personal_name: Uuid = inventory("contributor-name-types", "name", "Personal name");
    author: Uuid = inventory("contributor-types", "code", "aut");
    isbn: Uuid = inventory("identifier-types", "name", "ISBN");
    oclc: Uuid = inventory("identifier-types", "name", "OCLC");
    lc_class: Uuid = inventory("classification-types", "name", "LC");
    lc_call_number: Uuid = inventory("call-number-types", "name", "Library of Congress classification");
    text: Uuid = inventory("instance-types", "code", "txt");
    volume: Uuid = inventory("instance-formats", "code", "nc");
    single_unit: Uuid = inventory("modes-of-issuance", "name", "single unit");
    bibliography_note: Uuid = inventory("instance-note-types", "name", "Bibliography note");
    folio_source: Uuid = inventory("holdings-sources", "name", "FOLIO");
    physical: Uuid = inventory("holdings-types", "name", "Physical");
    book: Uuid = inventory("material-types", "name", "book");
    can_circulate: Uuid = inventory("loan-types", "name", "Can circulate");
    home_address: Uuid = find_id("reference/mod-users/addresstypes.json", "addressType", "Home");
    groups: Vec<Uuid> = all("reference/mod-users/groups.json");
    locations: Vec<Uuid> = all("demo/locations.json");
    service_points: Vec<Uuid> = all("demo/service-points.json");
    loan_policy: Uuid = first("demo/loan-policies.json");
    overdue_policy: Uuid = first("demo/overdue-fines-policies.json");
    lost_policy: Uuid = first("demo/lost-item-fees-policies.json");
}

fn inventory(file: &str, name: &str, value: &str) -> Result<Uuid> {
    find_id(&format!("reference/mod-inventory-storage/{file}.json"), name, value)
}

fn records(file: &str) -> Result<Vec<Value>> {
    seed::records(file).map_err(|fault| anyhow::anyhow!(fault))
}

fn id(record: &Value) -> Option<Uuid> {
    record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}

fn find_id(file: &str, name: &str, value: &str) -> Result<Uuid> {
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
