//! How many of the found titles have each value of a field.

use octavo_testkit::{Desk, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

/// Five titles in three languages; one has an item, which is at the desk's location.
async fn shelves() -> Desk {
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
fn values(found: &Value, facet: &str) -> String {
    let facet = &found["facets"][facet];
    let values = facet["values"].as_array().cloned().unwrap_or_default();
    assert_eq!(facet["totalRecords"], values.len(), "{found}");
    let shown =
        values.iter().map(|one| format!("{} {}", one["id"].as_str().unwrap_or("?"), one["totalRecords"]));
    shown.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn values_are_counted_without_the_filter_on_their_own_field() {
    let desk = shelves().await;
    let mut wrong = Vec::new();
    for (query, facet, expected) in [
        ("cql.allRecords=1", "languages", "eng 3, fre 2, ger 2"),
        ("title=sea", "languages", "eng 3, fre 2, ger 1"),
        ("title=sea", "languages:2", "eng 3, fre 2"),
        // What is selected comes first, and the filter on the field itself does not narrow it.
        ("title=sea and languages==ger", "languages", "ger 1, eng 3, fre 2"),
        ("title=sea and languages==(ger or fre)", "languages", "fre 2, ger 1, eng 3"),
        ("title=sea and languages==ger", "languages:1", "ger 1"),
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
        let values = values(&found, name);
        if values != expected {
            wrong.push(format!("{query} {facet}\n  counts   {values}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = facets(&desk, "title=sea", "&facet=languages:1,source&facet=item.status.name").await;
    assert_eq!(found["totalRecords"], 3);
    assert_eq!(values(&found, "items.status.name"), "Available 1");
    let elsewhere = "title=sea and items.effectiveLocationId==00000000-0000-4000-8000-000000000000";
    let found = facets(&desk, elsewhere, "&facet=items.effectiveLocationId").await;
    assert_eq!(
        values(&found, "items.effectiveLocationId"),
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
    desk.get("/search/subjects/facets?query=value%3Da&facet=instances.shared").await.expect(501);
}
