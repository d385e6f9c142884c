//! `/isbn/validator`, `/isbn/convertTo10`, `/isbn/convertTo13`.

use octavo_testkit::Library;
use serde_json::json;

#[tokio::test]
async fn isbns_are_validated_and_converted() {
    let library = Library::open().await;
    let get = async |path: &str| library.get(&format!("/isbn/{path}")).await;
    for (query, valid) in
        [("isbn=1-930110-99-5", true), ("isbn10=9781930110991", false), ("isbn13=9781930110991", true)]
    {
        assert_eq!(get(&format!("validator?{query}")).await.expect(200).json(), json!({"isValid": valid}));
    }
    let message = "Only one of following query params must be specified: isbn, isbn10, isbn13";
    get("validator?isbn10=1&isbn13=2").await.says(400, message);
    assert_eq!(
        get("convertTo10?isbn=978-1-930110-99-1").await.expect(200).json(),
        json!({"isbn": "1930110995"})
    );
    assert_eq!(get("convertTo13?isbn=1930110995").await.expect(200).json(), json!({"isbn": "9781930110991"}));
    get("convertTo13?isbn=1930211099").await.says(400, "ISBN value 1930211099 is invalid");
    get("convertTo10").await.says(400, "Isbn must be specified");
    get("convertTo10?isbn=9781930110991&hyphens=1").await.says(400, "Hyphens must be true or false");
    get("convertTo10?isbn=9781930110991&hyphens=true").await.expect(501);
}
