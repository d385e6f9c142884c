//! The option *All fields*, which searches nothing until the library's setting says so.

use octavo_testkit::eventually;
use serde_json::json;

use super::{Differences, app_query, library_with_samples, titles};

#[tokio::test]
async fn all_fields_are_searched_where_the_library_has_switched_that_on() {
    let library = library_with_samples().await;
    let found = async |query: &str| titles(&library, &app_query(query)).await;
    assert_eq!(found(r#"cql.all="palgrave""#).await, "");
    let on = json!({"feature": "search.all.fields", "enabled": true});
    library.post("/search/config/features", &on).await.expect(200);
    eventually("a publisher is found", async || {
        found(r#"cql.all="palgrave""#).await == "Futures, biometrics and"
    })
    .await;
    let mut wrong = Differences::default();
    for (query, expected) in [
        // A note of holdings, a note of an item, words of two fields of a title.
        (r#"cql.all="evans periodicals""#, "ABA Journal"),
        (r#"cql.all="count the sheets""#, "Charts of the"),
        (r#"cql.all="pratchett times""#, "Interesting Times"),
        (r#"cql.all=="macmillan palgrave""#, ""),
        (r#"cql.all=="palgrave macmillan""#, "Futures, biometrics and"),
        (r#"cql.all="palgrave macm*""#, "Futures, biometrics and"),
        (r#"cql.all any "palgrave evans""#, "ABA Journal | Futures, biometrics and"),
    ] {
        wrong.note(query, &found(query).await, expected);
    }
    wrong.assert_none();
}
