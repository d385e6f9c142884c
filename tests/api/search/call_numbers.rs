//! Call numbers in the order of the shelf.

use octavo_testkit::{Desk, Library, encode};
use serde_json::{Value, json};

use super::browse::page_text;
use crate::inventory::shelf::{holdings, instance, item, location};

const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";

/// A title with an item for each call number and its type.
async fn title(desk: &Desk, name: &str, items: &[(&str, Option<&str>)]) -> Value {
    let title = instance(desk, json!({"title": name})).await;
    let copies = holdings(desk, &title, json!({})).await;
    for (number, kind) in items {
        let mut with = json!({"itemLevelCallNumber": number});
        if let Some(kind) = kind {
            with["itemLevelCallNumberTypeId"] = json!(kind);
        }
        item(desk, &copies, with).await;
    }
    title
}

async fn shelf(desk: &Desk) {
    title(desk, "One", &[("PN2 .A6", Some(LC)), ("PN2 .A6", Some(LC))]).await;
    title(desk, "Two", &[("PN10 .B7", Some(LC)), ("Local 7", None)]).await;
    title(desk, "Three", &[("641.5", Some(DEWEY))]).await;
    title(desk, "Four", &[("Local 7", None)]).await;
    title(desk, "Five", &[("PN12 .C8", Some(LC))]).await;
}

async fn browse_call_numbers(desk: &Desk, query: &str, more: &str) -> String {
    let line = |line: &Value| {
        let title = line["instance"]["title"].as_str().map(|title| format!(" {title}")).unwrap_or_default();
        format!("{} {}{title}", line["fullCallNumber"].as_str().unwrap(), line["totalRecords"])
    };
    page_text(desk, "call-numbers/instances", query, more, line).await
}

#[tokio::test]
async fn call_numbers_stand_in_the_order_of_the_shelf() {
    let desk = Desk::open().await;
    shelf(&desk).await;
    let mut wrong = Vec::new();
    for (query, more, expected) in [
        (
            "callNumber >= \"0\"",
            "",
            "5: 641.5 1 Three | Local 7 2 | PN2 .A6 1 One | PN10 .B7 1 Two | PN12 .C8 1 Five, prev 3641.5",
        ),
        // The key of the anchor is that of the type in which there is such a call number.
        (
            "callNumber >= \"PN10 .B7\" or callNumber < \"PN10 .B7\"",
            "&limit=2",
            "6: PN2 .A6 1 One | [PN10 .B7 1 Two], prev PN 12 A6, next PN 210 B7",
        ),
        (
            "callNumber > \"PN10 .B7\" or callNumber < \"PN10 .B7\"",
            "&limit=3&highlightMatch=false",
            "6: PN2 .A6 1 One | PN12 .C8 1 Five, prev PN 12 A6",
        ),
        (
            "callNumber >= \"M\" or callNumber < \"M\"",
            "&limit=2",
            "6: Local 7 2 | [M 0], prev LOCAL 7, next M",
        ),
        (
            "typedCallNumber >= \"PN10 .B7\"",
            "&callNumberType=lc",
            "2: PN10 .B7 1 Two | PN12 .C8 1 Five, prev PN 210 B7",
        ),
        (
            "itemEffectiveShelvingOrder < \"PN 210 B7\"",
            "&limit=1&callNumberType=LC",
            "2: PN2 .A6 1 One, next PN 12 A6",
        ),
        ("typedCallNumber >= \"0\"", "&callNumberType=dewey", "1: 641.5 1 Three, prev 3641.5"),
        ("callNumber >= \"P\" and staffSuppress==true", "", "0: "),
        ("callNumber >= \"\"", "", "0: "),
        ("callNumber >= \"a\"", "&callNumberType=lc", "400 Invalid CQL query for browsing."),
        ("typedCallNumber >= \"a\"", "", "400 Invalid CQL query for browsing."),
        ("callNumber >= \"a\" and title=b", "", "400 Invalid CQL query for browsing."),
        (
            "callNumber >= \"a\"",
            "&limit=101",
            "400 browseInstancesByCallNumber.limit must be less than or equal to 100",
        ),
        (
            "callNumber >= \"a\"",
            "&callNumberType=shelf",
            "400 Failed to convert value of type 'java.lang.String' to required type \
             'org.folio.search.domain.dto.CallNumberType'; Unexpected value 'shelf'",
        ),
    ] {
        let found = browse_call_numbers(&desk, query, more).await;
        if found != expected {
            wrong.push(format!("{query} {more}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_line_shows_the_items_that_are_asked_for() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    title(&desk, "Two", &[("PN10 .B7", Some(LC)), ("Local 7", None)]).await;
    let shown = async |query: &str, more: &str| {
        let path = format!("/browse/call-numbers/instances?query={}{more}", encode(query));
        desk.get(&path).await.expect(200).json()["items"].clone()
    };
    let all = shown("callNumber >= \"0\"", "").await;
    assert_eq!(all[0]["instance"]["items"].as_array().map(Vec::len), Some(2), "{all}");
    let typed = shown("typedCallNumber >= \"0\"", "&callNumberType=lc").await;
    assert_eq!(typed.as_array().map(Vec::len), Some(1), "{typed}");
    let items = &typed[0]["instance"]["items"];
    assert_eq!(items.as_array().map(Vec::len), Some(1), "{typed}");
    assert_eq!(items[0]["effectiveCallNumberComponents"]["callNumber"], "PN10 .B7");
    let here = format!("callNumber >= \"0\" and items.effectiveLocationId=={}", desk.location);
    assert_eq!(shown(&here, "").await.as_array().map(Vec::len), Some(2));
    let elsewhere = "callNumber >= \"0\" and items.effectiveLocationId==69640328-788e-43fc-9c3c-af39e243f3b7";
    assert_eq!(shown(elsewhere, "").await, json!([]));
}

#[tokio::test]
async fn copies_that_differ_only_in_their_number_have_one_line() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"title": "One"})).await;
    let copies = holdings(&desk, &title, json!({})).await;
    for copy in ["2", "1"] {
        let number =
            json!({"itemLevelCallNumber": "PR4034 .P7", "itemLevelCallNumberTypeId": LC, "copyNumber": copy});
        item(&desk, &copies, number).await;
    }
    for (name, more) in [("callNumber", ""), ("typedCallNumber", "&callNumberType=lc")] {
        let found = browse_call_numbers(&desk, &format!("{name} >= \"P\""), more).await;
        assert_eq!(found, "1: PR4034 .P7 1 One, prev PR 44034 P7 11");
    }
}

#[tokio::test]
async fn a_filter_by_location_keeps_the_call_numbers_that_stand_there() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let annex = location(&desk, "Annex").await;
    let (here, annex) = (desk.location.to_string(), annex["id"].as_str().unwrap().to_owned());
    let placed = async |name: &str, items: &[(&str, &str)]| {
        let title = instance(&desk, json!({"title": name})).await;
        for (number, location) in items {
            let copies = holdings(&desk, &title, json!({"permanentLocationId": location})).await;
            item(&desk, &copies, json!({"itemLevelCallNumber": number, "itemLevelCallNumberTypeId": LC}))
                .await;
        }
    };
    // Two ways to write the same place on the shelf, one in each location.
    placed("One", &[("PN2 .A6", &here), ("PN2.A6", &annex), ("PN3 .A6", &annex)]).await;
    placed("Two", &[("PN10 .B7", &here), ("PN10 .B7", &annex)]).await;
    placed("Three", &[("PN12 .C8", &here)]).await;
    let mut wrong = Vec::new();
    for (location, expected) in [
        (&here, "3: PN2 .A6 1 One | PN10 .B7 1 Two | PN12 .C8 1 Three, prev PN 12 A6"),
        (&annex, "2: PN2.A6 1 One | PN3 .A6 1 One | PN10 .B7 1 Two, prev PN 12 A6"),
    ] {
        let filter = format!("items.effectiveLocationId=={location}");
        for (name, more) in [("callNumber", ""), ("typedCallNumber", "&callNumberType=lc")] {
            let found = browse_call_numbers(&desk, &format!("{name} >= \"P\" and {filter}"), more).await;
            if found != expected {
                wrong.push(format!("{name}{more} at {location}\n  finds    {found}\n  expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let either = format!("callNumber >= \"P\" and items.effectiveLocationId==({here} or {annex})");
    assert_eq!(
        browse_call_numbers(&desk, &either, "").await,
        browse_call_numbers(&desk, "callNumber >= \"P\"", "").await,
        "all locations are those of the library"
    );
    let around = format!(
        "(callNumber >= \"PN3 .A6\" or callNumber < \"PN3 .A6\") and items.effectiveLocationId=={here}"
    );
    let found = browse_call_numbers(&desk, &around, "&limit=4").await;
    assert_eq!(found, "3: PN2 .A6 1 One | [PN3 .A6 0] | PN10 .B7 1 Two, next PN 210 B7", "not there");
}
