//! How many of the found titles have each value of a field.

use octavo_testkit::{Desk, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

/// Five titles in three languages; one has an item, which is at the desk's location.
async fn library_with_titles() -> Desk {
    let desk = Desk::open().await;
    let title = |title: &str, languages: &[&str]| json!({"title": title, "languages": languages});
    for (name, languages) in
        [("Sea one", &["eng"][..]), ("Sea two", &["eng", "fre"]), ("Sea three", &["eng"]), ("Land", &["ger"])]
    {
        instance(&desk, title(name, languages)).await;
    }
    let last = instance(&desk, title("Sea four", &["ger", "fre"])).await;
    let copy = holdings(&desk, &last, json!({})).await;
    item(&desk, &copy, json!({})).await;
    desk
}

async fn facets(desk: &Desk, query: &str, more: &str) -> Value {
    desk.get(&format!("/search/instances/facets?query={}{more}", encode(query))).await.expect(200).json()
}

/// `eng 3, fre 2`.
fn facet_text(found: &Value, facet: &str) -> String {
    let facet = &found["facets"][facet];
    let values = facet["values"].as_array().cloned().unwrap_or_default();
    assert_eq!(facet["totalRecords"], values.len(), "{found}");
    let shown =
        values.iter().map(|one| format!("{} {}", one["id"].as_str().unwrap_or("?"), one["totalRecords"]));
    shown.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn values_are_counted_without_the_filter_on_their_own_field() {
    let desk = library_with_titles().await;
    let mut wrong = Vec::new();
    for (query, facet, expected) in [
        ("cql.allRecords=1", "languages", "eng 3, fre 2, ger 2"),
        ("title=sea", "languages", "eng 3, fre 2, ger 1"),
        ("title=sea", "languages:2", "eng 3, fre 2"),
        // What is selected comes first, and the filter on the field itself does not narrow it.
        ("title=sea and languages==ger", "languages", "ger 1, eng 3, fre 2"),
        ("title=sea and languages==(ger or fre)", "languages", "fre 2, ger 1, eng 3"),
        ("title=sea and languages==ger", "languages:1", "ger 1"),
        ("title=sea and languages==(ger or ger)", "languages:2", "ger 1, eng 3"),
        ("title=sea and languages==(\"ger\" or \"fre\")", "languages:3", "fre 2, ger 1, eng 3"),
        // `=` is no filter, nor is one within a larger `or` or behind `not`.
        ("title=sea and languages=ger", "languages", "fre 1, ger 1"),
        ("languages==ger or title=sea", "languages", "eng 3, fre 2, ger 2"),
        ("title=sea not languages==ger", "languages", "eng 3, fre 1"),
        // The filters of other fields hold.
        ("title=sea and source==FOLIO", "languages", "eng 3, fre 2, ger 1"),
        ("title=sea and source==MARC", "languages", ""),
        ("title=sea and languages==ger", "source", "FOLIO 1"),
        ("title=sea", "staffSuppress", "false 4"),
    ] {
        let found = facets(&desk, query, &format!("&facet={facet}")).await;
        let name = facet.split(':').next().unwrap_or_default();
        let values = facet_text(&found, name);
        if values != expected {
            wrong.push(format!("{query} {facet}\n  counts   {values}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = facets(&desk, "title=sea", "&facet=languages:1,%20source&facet=item.status.name").await;
    assert_eq!(found["totalRecords"], 3);
    assert_eq!(facet_text(&found, "items.status.name"), "Available 1");
    let elsewhere = "title=sea and items.effectiveLocationId==00000000-0000-4000-8000-000000000000";
    let found = facets(&desk, elsewhere, "&facet=items.effectiveLocationId").await;
    assert_eq!(
        facet_text(&found, "items.effectiveLocationId"),
        "",
        "a single location narrows its own facet, too"
    );
}

#[tokio::test]
async fn what_is_no_facet_is_refused() {
    let desk = Desk::open().await;
    let format = "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'";
    for (path, message, parameter) in [
        ("facet=colour", "Invalid facet value", Some("colour")),
        ("facet=title", "Invalid facet value", Some("title")),
        ("facet=item.colour:5", "Invalid facet value", Some("items.colour")),
        ("facet=source:x", format, Some("source:x")),
        ("facet=source:9999999999", "For input string: \"9999999999\"", None),
        ("facet=source:0", "[size] must be greater than 0. Found [0] in [source]", None),
        ("limit=1", "Required request parameter 'facet' for method parameter type List is not present", None),
    ] {
        let reply = desk.get(&format!("/search/instances/facets?query=title%3Da&{path}")).await.expect(400);
        let error = &reply.json()["errors"][0];
        assert_eq!(error["message"], message, "{path}");
        assert_eq!(error["parameters"][0]["value"].as_str(), parameter, "{path}");
    }
    desk.get("/search/planets/facets?query=title%3Da&facet=source").await.expect(400);
    desk.get("/search/subjects/facets?query=value%3Da&facet=name").await.expect(400);
    desk.get("/search/contributors/facets?query=title%3Da&facet=contributorNameTypeId").await.expect(400);
}

#[tokio::test]
async fn lines_of_the_lists_of_contributors_and_subjects_are_counted() {
    const PERSON: &str = "2b94c631-fca9-4892-a730-03ee529ffe2a";
    const CORPORATE: &str = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
    let desk = Desk::open().await;
    let names = |names: &[(&str, &str)]| -> Vec<Value> {
        names.iter().map(|(name, kind)| json!({"name": name, "contributorNameTypeId": kind})).collect()
    };
    let subjects = json!([{"value": "Sea"}, {"value": "sea"}, {"value": "Land"}]);
    let first = names(&[("Mill, A.", PERSON), ("mill, a.", PERSON), ("Mill, A.", CORPORATE)]);
    instance(&desk, json!({"contributors": first, "subjects": subjects})).await;
    instance(&desk, json!({"contributors": names(&[("Mill, A.", PERSON), ("Nave, B.", PERSON)])})).await;
    let mut wrong = Vec::new();
    for (list, query, facet, expected) in [
        ("contributors", "cql.allRecords=1", "contributorNameTypeId", format!("{PERSON} 2, {CORPORATE} 1")),
        // The filter on the facet's own field does not narrow it, and what it selects comes first.
        (
            "contributors",
            &format!("contributorNameTypeId=={CORPORATE}"),
            "contributorNameTypeId",
            format!("{CORPORATE} 1, {PERSON} 2"),
        ),
        ("contributors", "name==\"MILL, A.\"", "contributorNameTypeId:1", format!("{PERSON} 1")),
        ("contributors", "name=\"n*\"", "contributorNameTypeId", format!("{PERSON} 1")),
        (
            "contributors",
            &format!("contributorNameTypeId=={PERSON}"),
            "instances.shared",
            "false 2".to_owned(),
        ),
        ("contributors", "instances.shared==true", "contributorNameTypeId", String::new()),
        ("subjects", "value==sea", "instances.shared", "false 1".to_owned()),
        ("subjects", "cql.allRecords=1 not value==sea", "instances.shared", "false 1".to_owned()),
    ] {
        let path = format!("/search/{list}/facets?query={}&facet={facet}", encode(query));
        let found = desk.get(&path).await.expect(200).json();
        let values = facet_text(&found, facet.split(':').next().unwrap_or_default());
        if values != expected {
            wrong.push(format!("{list} {query} {facet}\n  counts   {values}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path =
        format!("/search/subjects/facets?query={}&facet=instances.tenantId", encode("cql.allRecords=1"));
    let found = desk.get(&path).await.expect(200).json();
    assert_eq!(found["facets"]["instances.tenantId"]["values"][0]["totalRecords"], 2, "{found}");
}
