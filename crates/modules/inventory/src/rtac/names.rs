//! The names that belong to ids, from the tenant's snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_engine::{Context, Snapshot};
use octavo_kernel::Outcome;
use octavo_modules_base::inventory_records::{
    LIBRARY, LOAN_TYPE, LOCATION, MATERIAL_TYPE, MODE_OF_ISSUANCE, NATURE_OF_CONTENT_TERM,
};
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) loan_types: HashMap<Uuid, String>,
    pub(super) material_types: HashMap<Uuid, String>,
    pub(super) modes_of_issuance: HashMap<Uuid, String>,
    pub(super) natures_of_content: HashMap<Uuid, String>,
    /// The active locations. As in FOLIO, inactive locations have no names.
    pub(super) locations: HashMap<Uuid, LocationNames>,
}

#[derive(Debug, Default)]
pub(super) struct LocationNames {
    pub(super) name: Option<String>,
    pub(super) code: Option<String>,
    pub(super) library_name: Option<String>,
    pub(super) library_code: Option<String>,
}

pub(super) async fn load_names(context: &Context) -> Outcome<Arc<Names>> {
    Ok(context.snapshot().await?.derive_once(Names::new))
}

impl Names {
    fn new(snapshot: &Snapshot) -> Names {
        let names = |record: &RecordType| {
            snapshot.all(record).filter_map(|(id, found)| Some((*id, text(&found["name"])?))).collect()
        };
        let active = snapshot.all(&LOCATION).filter(|(_, location)| location["isActive"] == true);
        Names {
            loan_types: names(&LOAN_TYPE),
            material_types: names(&MATERIAL_TYPE),
            modes_of_issuance: names(&MODE_OF_ISSUANCE),
            natures_of_content: names(&NATURE_OF_CONTENT_TERM),
            locations: active.map(|(id, location)| (*id, location_names(snapshot, location))).collect(),
        }
    }
}

fn location_names(snapshot: &Snapshot, location: &Value) -> LocationNames {
    let id = location["libraryId"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let library = id.and_then(|id| snapshot.get(&LIBRARY, id));
    let of_library = |member: &str| library.and_then(|library| text(&library[member]));
    LocationNames {
        name: text(&location["discoveryDisplayName"]).or_else(|| text(&location["name"])),
        code: text(&location["code"]),
        library_name: of_library("name"),
        library_code: of_library("code"),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
