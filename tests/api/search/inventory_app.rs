//! What FOLIO's Inventory app asks at Quesnelia (ui-inventory v11.0.5, stripes-smart-components v9.1.3, stripes-components v12.1.2,
//! stripes-acq-components v5.1.2), asked of FOLIO's sample records (`data/sample`). What each question should find was worked out from
//! the records' files.

mod advanced;
mod browsing;
mod everything;
mod filters;
mod options;

use octavo_testkit::{Client, Library, encode, reference};
use serde_json::{Value, json};

/// A location of the sample records.
const ANNEX_LOCATION: &str = "53cf956f-c1df-410b-8bea-27f712cca7c0";

const CORPORATE: &str = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
const CHARTS: &str = "5f0b6a0e-2b7c-4f41-9a6e-0a6a5f3a8b01";
const CHARTS_HOLDINGS: &str = "5f0b6a0e-2b7c-4f41-9a6e-0a6a5f3a8b02";
const OFFICE: &str = "5f0b6a0e-2b7c-4f41-9a6e-0a6a5f3a8b03";
const CALL_NUMBERS: [(&str, &str); 3] = [
    ("95467209-6d7b-468b-94df-0f5d7ad2747d", "G1801 .C5"),
    ("03dd64d0-5626-4ecd-8ece-4531e0069f35", "526.9 CHA"),
    ("054d460d-d6b9-4469-9e37-7a78a2266655", "WA 900 C5"),
];

/// A library with FOLIO's sample records, and one title with what none of them has: tags, administrative notes and suppression of holdings
/// and items, circulation notes, call numbers of a type, a heading of an authority.
async fn library_with_samples() -> Library {
    let library = Library::with_samples().await;
    let office =
        json!({"id": OFFICE, "source": "MARC", "naturalId": "n1", "corporateName": "Hydrographic Office"});
    let charts = json!({
        "id": CHARTS, "hrid": "chart1", "source": "MARC", "title": "Charts of the North Sea", "instanceTypeId": reference::TEXT,
        "contributors": [{"name": "Hydrographic Office", "contributorNameTypeId": CORPORATE, "authorityId": OFFICE}],
        "subjects": [{"value": "Nautical charts"}], "languages": ["eng"],
        "administrativeNotes": ["Scanned by the map room"], "tags": {"tagList": ["maps"]},
    });
    let copy = json!({
        "id": CHARTS_HOLDINGS, "hrid": "charth1", "instanceId": CHARTS, "permanentLocationId": ANNEX_LOCATION,
        "sourceId": reference::SOURCE_FOLIO, "callNumberPrefix": "Folio", "callNumber": "G1801 .C5", "callNumberSuffix": "vol. 2",
        "administrativeNotes": ["Rebound in cloth"], "discoverySuppress": true, "tags": {"tagList": ["atlas"]},
    });
    create_record(&library, "/authority-storage/authorities", office).await;
    create_record(&library, "/instance-storage/instances", charts).await;
    create_record(&library, "/holdings-storage/holdings", copy).await;
    for (at, (kind, number)) in CALL_NUMBERS.iter().enumerate() {
        let sheet = json!({
            "id": format!("5f0b6a0e-2b7c-4f41-9a6e-0a6a5f3a8b1{at}"), "hrid": format!("charti{at}"), "barcode": format!("SHEET-{at}"),
            "holdingsRecordId": CHARTS_HOLDINGS, "status": {"name": "Available"}, "materialTypeId": reference::BOOK,
            "permanentLoanTypeId": reference::CAN_CIRCULATE, "itemLevelCallNumber": number, "itemLevelCallNumberTypeId": kind,
            "itemLevelCallNumberPrefix": "Folio", "discoverySuppress": at == 0, "tags": {"tagList": ["fragile"]},
            "circulationNotes": [{"note": "Count the sheets", "noteType": "Check in", "staffOnly": true}],
        });
        create_record(&library, "/item-storage/items", sheet).await;
    }
    library
}

async fn create_record(library: &Library, path: &str, record: Value) {
    library.post(path, &record).await.expect(201);
}

/// The query of a search option with the text that somebody typed; quotation marks and backslashes are escaped.
fn fill_query(template: &str, typed: &str) -> String {
    template.replace("{}", &typed.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The app's search: its filter that leaves out what is suppressed for staff, and its order by title.
fn app_query(query: &str) -> String {
    format!("(({query}) and staffSuppress==\"false\") sortby title")
}

/// The titles that a query finds, in the order of the answer, each by its first three words. Of a refusal status and body.
async fn titles(client: &Client, query: &str) -> String {
    let reply =
        client.get(&format!("/search/instances?expandAll=true&limit=100&query={}", encode(query))).await;
    if reply.status != 200 {
        return reply.to_string();
    }
    let found = reply.field_values("instances", "title");
    assert_eq!(reply.total(), found.len() as i64, "{query}");
    let short = |title: &String| title.split(' ').take(3).collect::<Vec<_>>().join(" ");
    found.iter().map(short).collect::<Vec<_>>().join(" | ")
}

/// Differences between what queries find and what they should, to be told all at once.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn note(&mut self, what: &str, found: &str, expected: &str) {
        if found != expected {
            self.0.push(format!("{what}\n  finds    {found}\n  expected {expected}"));
        }
    }

    #[track_caller]
    fn assert_none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}
