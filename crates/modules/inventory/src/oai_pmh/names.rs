//! Names for the ids in instances, holdings and items, from the tenant's snapshot.

use std::collections::HashMap;

use octavo_engine::Snapshot;
use octavo_record::RecordType;
use serde_json::Value;
use uuid::Uuid;

use crate::inventory_storage::{
    ALTERNATIVE_TITLE_TYPE, CALL_NUMBER_TYPE, CAMPUS, CONTRIBUTOR_NAME_TYPE, ELECTRONIC_ACCESS_RELATIONSHIP,
    IDENTIFIER_TYPE, ILL_POLICY, INSTANCE_FORMAT, INSTANCE_TYPE, INSTITUTION, LIBRARY, LOAN_TYPE, LOCATION,
    MATERIAL_TYPE, NATURE_OF_CONTENT_TERM,
};

#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names of all types, policies and terms by id. No two of them have the same id.
    names: HashMap<String, String>,
    /// Active locations by id.
    locations: HashMap<String, LocationNames>,
}

#[derive(Debug, Default)]
pub(super) struct LocationNames {
    pub(super) institution: Option<String>,
    pub(super) campus: Option<String>,
    pub(super) library: Option<String>,
    pub(super) name: Option<String>,
}

impl Names {
    pub(super) fn new(snapshot: &Snapshot) -> Names {
        let named = [
            &ALTERNATIVE_TITLE_TYPE,
            &CALL_NUMBER_TYPE,
            &CONTRIBUTOR_NAME_TYPE,
            &ELECTRONIC_ACCESS_RELATIONSHIP,
            &IDENTIFIER_TYPE,
            &ILL_POLICY,
            &INSTANCE_FORMAT,
            &INSTANCE_TYPE,
            &LOAN_TYPE,
            &MATERIAL_TYPE,
            &NATURE_OF_CONTENT_TERM,
        ];
        let all = named.into_iter().flat_map(|record| snapshot.all(record));
        let names = all.filter_map(|(id, found)| Some((id.to_string(), text(&found["name"])?))).collect();
        let active = snapshot.all(&LOCATION).filter(|(_, location)| location["isActive"] == true);
        let places =
            active.map(|(id, location)| (id.to_string(), location_names(snapshot, location))).collect();
        Names { names, locations: places }
    }

    pub(super) fn name(&self, id: Option<&str>) -> Option<&str> {
        self.names.get(id?).map(String::as_str)
    }

    pub(super) fn location_names(&self, id: Option<&str>) -> Option<&LocationNames> {
        self.locations.get(id?)
    }

    #[cfg(test)]
    pub(super) fn for_tests(names: &[(&str, &str)], place: (&str, LocationNames)) -> Names {
        let names = names.iter().map(|(id, name)| ((*id).to_owned(), (*name).to_owned())).collect();
        Names { names, locations: HashMap::from([(place.0.to_owned(), place.1)]) }
    }
}

fn location_names(snapshot: &Snapshot, location: &Value) -> LocationNames {
    let unit = |record: &RecordType, member: &str| {
        let id = Uuid::parse_str(location[member].as_str()?).ok()?;
        text(&snapshot.get(record, id)?["name"])
    };
    LocationNames {
        institution: unit(&INSTITUTION, "institutionId"),
        campus: unit(&CAMPUS, "campusId"),
        library: unit(&LIBRARY, "libraryId"),
        name: text(&location["discoveryDisplayName"]).or_else(|| text(&location["name"])),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
