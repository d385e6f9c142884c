//! Fields that come from the MARC record if there is one, and can then be changed only there. Facts: mod-inventory 20.2.6.

use octavo_engine::Response;
use octavo_kernel::{Fault, Outcome, Refusal};
use serde_json::{Value, json};

/// The source of holdings records that are made from MARC.
const MARC_HOLDINGS: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

pub(super) const OF_INSTANCES: &[&str] = &[
    "hrid",
    "source",
    "alternativeTitles",
    "series",
    "identifiers",
    "contributors",
    "editions",
    "physicalDescriptions",
    "instanceFormatIds",
    "languages",
    "publication",
    "publicationFrequency",
    "publicationRange",
    "notes",
    "electronicAccess",
    "subjects",
    "classifications",
    "title",
    "indexTitle",
    "instanceTypeId",
    "modeOfIssuanceId",
    "precedingTitles",
    "succeedingTitles",
];

pub(super) const OF_HOLDINGS: &[&str] = &[
    "formerIds",
    "holdingsTypeId",
    "permanentLocationId",
    "shelvingTitle",
    "copyNumber",
    "callNumberTypeId",
    "callNumberPrefix",
    "callNumber",
    "callNumberSuffix",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "notes",
    "electronicAccess",
];

pub(super) async fn list(fields: &'static [&'static str]) -> Outcome<Response> {
    Ok(Response::json(200, &json!({"blockedFields": fields})))
}

/// Refuses a change of fields that come from the MARC record. The caller compares related titles.
pub(super) fn refuse_instance_change(stored: &Value, new: &Value) -> Outcome<()> {
    if stored["source"] != "MARC" || !changed(OF_INSTANCES, stored, new) {
        return Ok(());
    }
    Err(refused("Instance", OF_INSTANCES))
}

pub(super) fn refuse_holdings_change(stored: &Value, new: &Value) -> Outcome<()> {
    if stored["sourceId"] != MARC_HOLDINGS || !changed(OF_HOLDINGS, stored, new) {
        return Ok(());
    }
    Err(refused("Holdings", OF_HOLDINGS))
}

/// An empty list is the same as none.
fn changed(fields: &[&str], stored: &Value, new: &Value) -> bool {
    let empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    let same =
        |field: &&str| stored[*field] == new[*field] || (empty(&stored[*field]) && empty(&new[*field]));
    !fields.iter().all(same)
}

fn refused(what: &str, fields: &[&str]) -> Fault {
    let message = format!(
        "{what} is controlled by MARC record, these fields are blocked and can not be updated: {}",
        fields.join(",")
    );
    Refusal::new(message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_marc_is_changed_only_there() {
        let stored = json!({"source": "MARC", "title": "A", "notes": []});
        let accepted = json!({"source": "MARC", "title": "A", "staffSuppress": true});
        assert!(refuse_instance_change(&stored, &accepted).is_ok());
        assert!(refuse_instance_change(&stored, &json!({"source": "MARC", "title": "B"})).is_err());
        let folio = json!({"source": "FOLIO", "title": "A"});
        assert!(refuse_instance_change(&folio, &json!({"source": "FOLIO", "title": "B"})).is_ok());
        let holdings = json!({"sourceId": MARC_HOLDINGS, "callNumber": "A"});
        assert!(refuse_holdings_change(&holdings, &json!({"callNumber": "B"})).is_err());
    }
}
