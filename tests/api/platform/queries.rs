//! Query strings that are wrong, or meant to hurt.

use octavo_testkit::{Library, encode};

#[tokio::test]
async fn broken_cql_is_answered_with_the_place() {
    let library = Library::open().await;
    for (query, position) in
        [("group==", 7), ("(group==a", 0), ("group==a)", 8), ("group==\"a", 7), ("group==a and", 12)]
    {
        let reply = library.find("/groups", query).await.expect(400);
        assert!(reply.text().contains(&format!("position {position}")), "{query}: {reply}");
    }
}

#[tokio::test]
async fn a_query_that_names_no_field_is_refused() {
    let library = Library::open().await;
    library.find("/groups", "staff").await.expect(400);
    library.find("/groups", "cql.serverChoice=staff").await.expect(400);
    library.find("/groups", "group within \"a b\"").await.expect(400);
    library.find("/groups", "group=/fuzzy a").await.expect(400);
    library.find("/groups", "group==a prox group==b").await.expect(400);
}

#[tokio::test]
async fn an_empty_query_is_no_query() {
    let library = Library::open().await;
    library.get("/groups?query=").await.expect(200);
    library.get("/groups?query=%20").await.expect(200);
}

#[tokio::test]
async fn an_id_between_apostrophes_is_found_by_words() {
    let library = Library::open().await;
    let patron = octavo_testkit::fresh_id();
    let block = serde_json::json!({"type": "Manual", "desc": "Rude", "userId": patron});
    let block = library.post("/manualblocks", &block).await.expect(201).json();
    let id = block["id"].as_str().unwrap_or_default();
    for (query, found) in [
        (format!("userId='{patron}'"), 1),
        (format!("userId=={patron}"), 1),
        (format!("userId=='{patron}'"), 0),
        (format!("id='{id}'"), 0),
    ] {
        assert_eq!(library.find("/manualblocks", &query).await.expect(200).total(), found, "{query}");
    }
}

/// What would take a server down that walks trees by recursion, or plans whatever it is sent.
#[tokio::test]
async fn queries_without_measure_are_refused_quickly() {
    let library = Library::open().await;
    let deep = format!("{}a=b{}", "(".repeat(20_000), ")".repeat(20_000));
    let many = vec!["a=b"; 6_000].join("+or+");
    let mixed = (0..3_000).map(|at| if at % 2 == 0 { "a=b+and+" } else { "a=b+or+" });
    let mixed = format!("{}a=b", mixed.collect::<String>());
    for query in [deep, many, mixed] {
        let reply = library.get(&format!("/groups?query={query}")).await.expect(400);
        assert!(reply.text().starts_with("CQL"), "{reply}");
    }
    let long = library.get(&format!("/groups?query=group==%22{}%22", "x".repeat(60_000))).await;
    assert_eq!(long.expect(200).total(), 0);
}

#[tokio::test]
async fn long_lists_of_ids_are_answered() {
    let library = Library::open().await;
    let ids: Vec<String> = (0..1_000).map(|_| octavo_testkit::fresh_id().to_string()).collect();
    library.find("/groups", &format!("id==({})", ids.join(" or "))).await.expect(200);
    let names: Vec<String> = (0..500).map(|at| format!("group==name{at}")).collect();
    library.find("/groups", &names.join(" or ")).await.expect(200);
}

#[tokio::test]
async fn limits_and_offsets_have_bounds() {
    let library = Library::open().await;
    for fits in [
        "limit=0",
        "limit=2147483647",
        "offset=2147483647",
        "offset=0&limit=1",
        "limit=2147483647&offset=2147483647",
    ] {
        library.get(&format!("/groups?{fits}")).await.expect(200);
    }
    for bad in [
        "limit=-1",
        "limit=2147483648",
        "limit=99999999999999999999",
        "limit=ten",
        "limit=1.5",
        "limit=",
        "offset=-1",
        "offset=x",
        "offset=9223372036854775808",
        "totalRecords=maybe",
    ] {
        library.get(&format!("/groups?{bad}")).await.expect(400);
    }
}

#[tokio::test]
async fn nothing_in_a_query_becomes_sql() {
    let library = Library::open().await;
    library.post("/groups", &serde_json::json!({"group": "staff"})).await.expect(201);
    for hostile in [
        "group==\"a' or '1'='1\"",
        "group=\"a'; drop table groups; --\"",
        "\"x' or 1=1 --\"==a",
        "\"group\\\"\"==a",
        "a.b'.c==d",
        "\"doc->>'x'\"==d",
        "group==\"\\\\' or true --\"",
        "group=\"a & b | !c\"",
        "group=\"<-> :* ' \\\\\\\\\"",
        "group any \"' ( ) | & !\"",
        "group==a sortBy \"group; drop table groups\"",
        "group==a sortBy \"x' desc\"",
        // Folded, these become a backslash, a quotation mark and a percent sign.
        "group==\"*\u{ff3c}\"",
        "group==\"\u{ff3c}*\"",
        "group=\"\u{ff3c}*\"",
        "group=\"\u{2019}*\"",
        "group==\"\u{ff05}aff\"",
        "group=\"a\\\\b*\"",
        "group=\"\\\\*\"",
        "group=\"'*\"",
        "group=\":*\"",
        "group adj \"a\\\\ b\"",
        "group==/number 1e999",
        "group==/number NaN",
        "group==/number inf",
        "metadata.createdDate<\"' or ''='\"",
    ] {
        let reply = library.find("/groups", hostile).await;
        assert!(reply.status == 400 || (reply.status == 200 && reply.total() == 0), "{hostile}\n{reply}");
    }
    assert_eq!(library.get("/groups").await.total(), 1);
}

#[tokio::test]
async fn escapes_in_the_query_string_are_read_leniently() {
    let library = Library::open().await;
    let odd = [
        "%",
        "%zz",
        "%f",
        "query=%",
        "query=%e4",
        "&&&",
        "=",
        "=x",
        "query",
        "a=b=c",
        "%00=%00",
        "query=group%3d%3d%22%00%22",
    ];
    for odd in odd {
        let reply = library.get(&format!("/groups?{odd}")).await;
        assert!([200, 400].contains(&reply.status), "{odd}\n{reply}");
    }
    library.post("/groups", &serde_json::json!({"group": "a+b c"})).await.expect(201);
    let found =
        library.get(&format!("/groups?query={}", encode("group==\"a+b c\"").replace("%20", "+"))).await;
    assert_eq!(found.expect(200).total(), 1);
}
