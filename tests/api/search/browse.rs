//! Lists of subjects and of contributors, from any place in the alphabet.

use octavo_testkit::{Client, Desk, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const PERSON: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
const CORPORATE: &str = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
const AUTHOR: &str = "6e09d47d-95e2-4d8a-831b-f777b8ef6d81";
const EDITOR: &str = "9deb29d1-3e71-4951-9413-a80adac703d0";

async fn get_browse_page(desk: &Desk, list: &str, query: &str, more: &str) -> Value {
    desk.get(&format!("/browse/{list}/instances?query={}{more}", encode(query))).await.expect(200).json()
}

/// `Ants 1, [Bees 2]`, and where the pages before and after begin. The anchor stands in brackets.
fn page_lines(found: &Value, heading: &str) -> String {
    let line = |item: &Value| {
        let line = format!("{} {}", item[heading].as_str().unwrap_or("?"), item["totalRecords"]);
        if item["isAnchor"] == true { format!("[{line}]") } else { line }
    };
    let lines: Vec<String> = found["items"].as_array().into_iter().flatten().map(line).collect();
    let end = |name: &str| found[name].as_str().unwrap_or("-").to_owned();
    format!("{} < {} > {}", end("prev"), lines.join(", "), end("next"))
}

/// A page of a list in one line, `5: Ants 1 | [Bees 2], prev Ants, next Bees`: how many there are in all, the lines as `line` shows them,
/// the anchor in brackets, and where the pages before and after begin. Of a refusal the status and the message.
pub(super) async fn page_text(
    client: &Client,
    list: &str,
    query: &str,
    more: &str,
    line: impl Fn(&Value) -> String,
) -> String {
    let reply = client.get(&format!("/browse/{list}?query={}{more}", encode(query))).await;
    let page = reply.json();
    if reply.status != 200 {
        return format!("{} {}", reply.status, page["errors"][0]["message"].as_str().unwrap_or_default());
    }
    let line = |item: &Value| if item["isAnchor"] == true { format!("[{}]", line(item)) } else { line(item) };
    let lines: Vec<String> = page["items"].as_array().unwrap().iter().map(line).collect();
    let sides = ["prev", "next"].iter().filter_map(|side| Some(format!(", {side} {}", page[side].as_str()?)));
    format!("{}: {}{}", page["totalRecords"], lines.join(" | "), sides.collect::<String>())
}

/// Seven subjects on three titles; `Bees` is written in two ways.
async fn library_with_subjects() -> Desk {
    let desk = Desk::open().await;
    let title = |subjects: &[&str]| {
        let subjects: Vec<Value> = subjects.iter().map(|value| json!({"value": value})).collect();
        json!({"subjects": subjects})
    };
    for subjects in
        [&["Ants", "Bees", "bees", "Dogs"][..], &["bees", "Cats", "Eels"], &["Frogs", "Gulls", " "]]
    {
        instance(&desk, title(subjects)).await;
    }
    desk
}

#[tokio::test]
async fn subjects_are_browsed_around_forward_and_back() {
    let desk = library_with_subjects().await;
    let mut wrong = Vec::new();
    for (query, more, expected) in [
        ("value >= c or value < c", "&limit=4", "- < Ants 1, Bees 2, [c 0], Cats 1 > Cats"),
        ("value >= cats or value < cats", "&limit=4", "- < Ants 1, Bees 2, [Cats 1], Dogs 1 > Dogs"),
        (
            "value < CATS or value >= CATS",
            "&limit=3&precedingRecordsCount=2",
            "- < Ants 1, Bees 2, [Cats 1] > Cats",
        ),
        ("value > cats or value < cats", "&limit=4", "- < Ants 1, Bees 2, [cats 0], Dogs 1 > Dogs"),
        ("value >= cats or value < cats", "&limit=2&highlightMatch=false", "Bees < Bees 2, Cats 1 > Cats"),
        ("value >= c or value < c", "&limit=2&highlightMatch=false", "Bees < Bees 2, Cats 1 > Cats"),
        ("value >= zebras or value < zebras", "&limit=4", "Frogs < Frogs 1, Gulls 1, [zebras 0] > -"),
        ("value >= dogs", "&limit=2", "Dogs < Dogs 1, Eels 1 > Eels"),
        ("value > dogs", "", "Eels < Eels 1, Frogs 1, Gulls 1 > -"),
        ("value < dogs", "&limit=2", "Bees < Bees 2, Cats 1 > Cats"),
        ("value <= bees", "", "- < Ants 1, Bees 2 > Bees"),
        ("value >= \"\"", "", "- <  > -"),
        ("value >= dogs and instances.shared==true", "", "- <  > -"),
        ("value >= frogs and instances.shared==false", "", "Frogs < Frogs 1, Gulls 1 > -"),
    ] {
        let found = page_lines(&get_browse_page(&desk, "subjects", query, more).await, "value");
        if found != expected {
            wrong.push(format!("{query}{more}\n  shows    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(get_browse_page(&desk, "subjects", "value >= dogs", "&limit=1").await["totalRecords"], 7);
}

#[tokio::test]
async fn what_changes_in_a_title_changes_the_lists() {
    let desk = library_with_subjects().await;
    let mut title = instance(&desk, json!({"subjects": [{"value": "Hens"}]})).await;
    let hens = || async { page_lines(&get_browse_page(&desk, "subjects", "value >= h", "").await, "value") };
    assert_eq!(hens().await, "Hens < Hens 1 > -");
    title["subjects"] = json!([{"value": "Ibis"}]);
    let path = format!("/instance-storage/instances/{}", title["id"].as_str().unwrap());
    desk.put(&path, &title).await.expect(204);
    assert_eq!(hens().await, "Ibis < Ibis 1 > -");
    desk.delete(&path).await.expect(204);
    assert_eq!(hens().await, "- <  > -");
}

#[tokio::test]
async fn contributors_are_browsed_with_what_they_are_to_the_titles() {
    let desk = Desk::open().await;
    let contributor = |name: &str, kind: &str, role: &str| json!({"name": name, "contributorNameTypeId": kind, "contributorTypeId": role});
    let eliot = |role| contributor("Eliot, George", PERSON, role);
    instance(&desk, json!({"contributors": [eliot(EDITOR), eliot(AUTHOR), contributor("Eliot Press", CORPORATE, EDITOR)]}))
        .await;
    instance(&desk, json!({"contributors": [eliot(AUTHOR), contributor("Woolf, Virginia", PERSON, AUTHOR)]}))
        .await;
    let found =
        get_browse_page(&desk, "contributors", "name >= \"eliot, george\" or name < \"eliot, george\"", "")
            .await;
    let line = |name: &str, kind: &str, roles: &[&str], count: u64, anchor: bool| {
        json!({
            "name": name, "contributorNameTypeId": kind, "contributorTypeId": roles, "totalRecords": count, "isAnchor": anchor,
        })
    };
    let expected = json!({"totalRecords": 3, "items": [
        line("Eliot Press", CORPORATE, &[EDITOR], 1, false),
        line("Eliot, George", PERSON, &[AUTHOR, EDITOR], 2, true),
        line("Woolf, Virginia", PERSON, &[AUTHOR], 1, false),
    ]});
    assert_eq!(found, expected);
    for (types, expected) in [
        (vec![CORPORATE], "1: Eliot Press < Eliot Press 1 > -"),
        (vec![PERSON], "2: Eliot, George < Eliot, George 2, Woolf, Virginia 1 > -"),
        (vec![PERSON, CORPORATE], "3: Eliot Press < Eliot Press 1, Eliot, George 2, Woolf, Virginia 1 > -"),
        (vec![EDITOR], "0: - <  > -"),
    ] {
        let types: Vec<String> = types.iter().map(|kind| format!("contributorNameTypeId=={kind}")).collect();
        let query = format!("name >= a and ({})", types.join(" or "));
        let found = get_browse_page(&desk, "contributors", &query, "").await;
        assert_eq!(format!("{}: {}", found["totalRecords"], page_lines(&found, "name")), expected);
    }
    let found = get_browse_page(&desk, "contributors", "name >= f or name < f", "&limit=1").await;
    assert_eq!(found["items"], json!([{"name": "f", "totalRecords": 0, "isAnchor": true}]));
}

#[tokio::test]
async fn equal_names_are_in_the_same_order_in_both_directions_from_the_anchor_on() {
    let desk = Desk::open().await;
    let authorities = [1, 2, 3].map(|number| format!("{number}2345678-a1b2-4c3d-8e9f-0123456789ab"));
    let quiter = |authority: &str| json!({"name": "Quiter", "contributorNameTypeId": PERSON, "authorityId": authority});
    let mut contributors: Vec<Value> = authorities.iter().map(|authority| quiter(authority)).collect();
    contributors
        .extend(["Adams", "Young"].map(|name| json!({"name": name, "contributorNameTypeId": PERSON})));
    instance(&desk, json!({"contributors": contributors})).await;
    let mut wrong = Vec::new();
    for (query, more, expected) in [
        ("name > a", "&limit=4", "Adams Quiter1 Quiter2 Quiter3"),
        ("name < z", "&limit=5", "Adams Quiter3 Quiter2 Quiter1 Young"),
        ("name < z", "&limit=3", "Quiter2 Quiter1 Young"),
        ("name < y", "&limit=1", "Quiter1"),
        ("name >= quiter or name < quiter", "&limit=5", "Adams Quiter1 Quiter2 Quiter3"),
        ("name >= young or name < young", "&limit=4&precedingRecordsCount=2", "Quiter2 Quiter1 Young"),
    ] {
        let found = get_browse_page(&desk, "contributors", query, more).await;
        let line = |line: &Value| {
            let authority = line["authorityId"].as_str().unwrap_or_default();
            format!("{}{}", line["name"].as_str().unwrap_or_default(), &authority[..authority.len().min(1)])
        };
        let shown: Vec<String> = found["items"].as_array().into_iter().flatten().map(line).collect();
        if shown.join(" ") != expected {
            wrong.push(format!("{query} {more}: {} instead of {expected}", shown.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_request_that_browses_nothing_is_refused() {
    let desk = Desk::open().await;
    let invalid = "Invalid CQL query for browsing.";
    for (query, more, message) in [
        ("value==a", "", invalid),
        ("title >= a", "", invalid),
        ("value >= a and value < a", "", invalid),
        ("value >= a or value > a", "", invalid),
        ("value >= a and title=b", "", invalid),
        (
            "value >= a or value < b",
            "",
            "Invalid CQL query for browsing. Anchors must be the same in range conditions.",
        ),
        ("value >= a sortby value", "", "Invalid CQL query for browsing, 'sortBy' is not supported"),
        (
            "value >= a",
            "&limit=5&precedingRecordsCount=5",
            "Preceding records count must be less than request limit",
        ),
        ("value >= a", "&limit=501", "browseInstancesBySubject.limit must be less than or equal to 500"),
        (
            "value >= a",
            "&precedingRecordsCount=0",
            "browseInstancesBySubject.precedingRecordsCount must be greater than or equal to 1",
        ),
        ("value >=", "", "Failed to parse cql query [cql: 'value >=', resource: instance_subject]"),
    ] {
        let path = format!("/browse/subjects/instances?query={}{more}", encode(query));
        let reply = desk.get(&path).await.expect(400);
        assert_eq!(reply.json()["errors"][0]["message"], message, "{query}{more}");
    }
}
