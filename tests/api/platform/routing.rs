//! Which module answers, and what is said when none does (Okapi 5.3.0).

use octavo_testkit::Library;

#[tokio::test]
async fn an_unknown_path_is_answered_as_okapi_words_it() {
    let library = Library::open().await;
    let tenant = &library.tenant;
    let said = format!("No suitable module found for path /no/such/path for tenant {tenant}");
    library.get("/no/such/path").await.says(404, &said);
}
