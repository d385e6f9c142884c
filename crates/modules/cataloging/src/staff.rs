//! The names of the staff member who changed a record of cataloging.

use serde_json::{Map, Value};

/// The names in a user record, in the form of the member `userInfo`.
pub(crate) fn user_info(user: &Value) -> Option<Value> {
    let names = [
        ("firstName", &user["personal"]["firstName"]),
        ("lastName", &user["personal"]["lastName"]),
        ("userName", &user["username"]),
    ];
    let names = names.into_iter().filter(|(_, value)| value.is_string());
    let shown: Map<String, Value> = names.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    (!shown.is_empty()).then_some(Value::Object(shown))
}

pub(crate) const STAFF: &str = "select u.doc::text from users u where u.id = $1";

octavo_pg::statements!(other = [STAFF]);
