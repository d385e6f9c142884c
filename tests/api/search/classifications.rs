//! Lists of classification numbers, and how a library wants them.

use octavo_testkit::{Desk, eventually};
use serde_json::{Value, json};

use super::browse::page_text;
use crate::inventory::shelf::instance;

const CONFIG: &str = "/browse/config/instance-classification";
const LC: &str = "ce176ace-a53e-4b4d-aa89-725ed7b2edac";
const DEWEY: &str = "42471af9-7d25-4f3a-bf78-60d29dcf463b";
const UNKNOWN: &str = "69640328-788e-43fc-9c3c-af39e243f3b7";

async fn browse_classifications(desk: &Desk, option: &str, query: &str, more: &str) -> String {
    let line = |line: &Value| {
        let kind = match line["classificationTypeId"].as_str() {
            Some(LC) => " LC",
            Some(DEWEY) => " Dewey",
            Some(_) => " other",
            None => "",
        };
        format!("{}{kind} {}", line["classificationNumber"].as_str().unwrap(), line["totalRecords"])
    };
    page_text(desk, &format!("classification-numbers/{option}/instances"), query, more, line).await
}

/// Titles with classification numbers, whose lists are switched on.
async fn library_with_classifications() -> Desk {
    let desk = Desk::open().await;
    let number =
        |number: &str, kind: &str| json!({"classificationNumber": number, "classificationTypeId": kind});
    for (title, numbers) in [
        ("One", vec![number("PN2 .A6", LC), number("641.5", DEWEY)]),
        ("Two", vec![number("PN2.A6", LC)]),
        ("Three", vec![number("PN10", LC), number("PN10", LC)]),
        ("Four", vec![number("pn10", DEWEY)]),
    ] {
        instance(&desk, json!({"title": title, "classifications": numbers})).await;
    }
    assert_eq!(
        browse_classifications(&desk, "all", "number >= \"0\"", "").await,
        "0: ",
        "not while the feature is off"
    );
    let on = json!({"feature": "browse.classifications", "enabled": true});
    desk.post("/search/config/features", &on).await.expect(200);
    let all =
        async || browse_classifications(&desk, "all", "number >= \"0\"", "&limit=1").await.starts_with("5:");
    eventually("the index has classification numbers", all).await;
    desk
}

#[tokio::test]
async fn classification_numbers_are_browsed_in_the_order_of_their_list() {
    let desk = library_with_classifications().await;
    let mut wrong = Vec::new();
    for (option, query, more, expected) in [
        (
            "all",
            "number >= \"0\"",
            "",
            "5: 641.5 Dewey 1 | PN10 LC 1 | pn10 Dewey 1 | PN2 .A6 LC 1 | PN2.A6 LC 1, prev 641.5",
        ),
        (
            "lc",
            "number >= \"PN2\" or number < \"PN2\"",
            "&limit=4",
            "4: 641.5 Dewey 1 | [PN2 0] | PN2 .A6 LC 2, next PN2 .A6",
        ),
        (
            "ALL",
            "number >= \"pn10\" or number < \"pn10\"",
            "&limit=3",
            "5: 641.5 Dewey 1 | [PN10 LC 1] | [pn10 Dewey 1], next pn10",
        ),
        ("all", "number < \"PN2\"", "&limit=1", "5: PN10 LC 1, prev PN10, next PN10"),
        ("all", "number >= \"\"", "", "0: "),
        ("all", "number >= \"a\" and instances.shared==true", "", "0: "),
        ("all", "number >= \"a\" and contributorNameTypeId==b", "", "400 Invalid CQL query for browsing."),
        ("all", "value >= \"a\"", "", "400 Invalid CQL query for browsing."),
        (
            "all",
            "number >= \"a\"",
            "&limit=101",
            "400 browseInstancesByClassificationNumber.limit must be less than or equal to 100",
        ),
        (
            "shelf",
            "number >= \"a\"",
            "",
            "400 Failed to convert value of type 'java.lang.String' to required type \
             'org.folio.search.domain.dto.BrowseOptionType'; Unexpected value 'shelf'",
        ),
    ] {
        let found = browse_classifications(&desk, option, query, more).await;
        if found != expected {
            wrong.push(format!("{option} {query} {more}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let dewey = json!({"id": "dewey", "shelvingAlgorithm": "dewey", "typeIds": [DEWEY]});
    desk.put(&format!("{CONFIG}/dewey"), &dewey).await.expect(200);
    let found = browse_classifications(&desk, "dewey", "number >= \"0\"", "").await;
    assert!(found.starts_with("2: ") && !found.contains("LC"), "{found}");
}

#[tokio::test]
async fn a_library_sets_its_lists_up() {
    let desk = Desk::open().await;
    let config = |id: &str, algorithm: &str, types: &[&str]| json!({"id": id, "shelvingAlgorithm": algorithm, "typeIds": types});
    let mut all = [config("all", "default", &[]), config("lc", "lc", &[]), config("dewey", "dewey", &[])];
    let listed = async || desk.get(CONFIG).await.expect(200).json();
    assert_eq!(listed().await, json!({"configs": all, "totalRecords": 3}));
    all[1] = config("lc", "default", &[DEWEY, LC]);
    let reply = desk.put(&format!("{CONFIG}/lc"), &all[1]).await.expect(200);
    assert_eq!(reply.text(), "");
    assert_eq!(listed().await["configs"], json!(all));
    for (option, body, message, key, value) in [
        ("lc", config("all", "lc", &[]), "Body doesn't match path parameter: lc", "id", "all"),
        (
            "lc",
            config("lc", "lc", &[LC, UNKNOWN]),
            "Classification type IDs don't exist",
            "typeIds",
            &format!("[{UNKNOWN}]"),
        ),
        ("lc", json!({"shelvingAlgorithm": "lc"}), "must not be null", "id", "null"),
    ] {
        let refused = desk.put(&format!("{CONFIG}/{option}"), &body).await.expect(400).json();
        let error = &refused["errors"][0];
        assert_eq!(
            (&error["message"], &error["parameters"]),
            (&json!(message), &json!([{"key": key, "value": value}])),
            "{body}"
        );
    }
    desk.put(&format!("{CONFIG}/lc"), &config("lc", "shelf", &[])).await.expect(400);
    desk.put(&format!("{CONFIG}/shelf"), &config("lc", "lc", &[])).await.expect(400);
    desk.get("/browse/config/shelf").await.expect(400);
    assert_eq!(listed().await["configs"], json!(all), "nothing of it was kept");
}
