use super::*;

#[test]
fn a_tenant_may_be_named_in_the_path() {
    assert_eq!(invoked_tenant("/_/invoke/tenant/diku/users/1"), ("/users/1", Some("diku")));
    assert_eq!(invoked_tenant("/users"), ("/users", None));
}

#[test]
fn query_strings_are_decoded_once() {
    let query = parse_query("query=a%3D%3D%22b+c%22&limit=5&x");
    let expected = [("query", "a==\"b c\""), ("limit", "5"), ("x", "")];
    assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}
