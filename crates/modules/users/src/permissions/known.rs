//! Permissions by name, and the users who hold them.

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

/// The members of a permission that granting it needs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KnownPermission {
    pub(super) name: String,
    /// Created by a user, not by a module.
    pub(super) mutable: bool,
    /// The permission is not defined; it is only contained in other permissions.
    pub(super) dummy: bool,
}

pub(super) async fn find_known(session: &mut Session, names: &[String]) -> Outcome<Vec<KnownPermission>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(String, Option<String>, Option<String>)> =
        session.read(Statement::new(KNOWN).texts(names.to_vec())).await?;
    let is_true = |text: Option<String>| text.as_deref() == Some("true");
    let known =
        |(name, mutable, dummy)| KnownPermission { name, mutable: is_true(mutable), dummy: is_true(dummy) };
    Ok(rows.into_iter().map(known).collect())
}

/// The names that are neither held before nor defined. A name that was held before is kept although it is no longer defined.
pub(super) fn unknown_added_names(
    names: &[String],
    known: &[KnownPermission],
    before: &[String],
) -> Vec<String> {
    unknown_names(names, known).into_iter().filter(|name| !before.contains(name)).collect()
}

pub(super) fn unknown_names(names: &[String], known: &[KnownPermission]) -> Vec<String> {
    names.iter().filter(|name| !known.iter().any(|known| known.name == **name)).cloned().collect()
}

/// Names in a document's array, each once, in their order.
pub(super) fn unique_names(document: &Value, field: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in document[field].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// An id in the path of a record that is changed or deleted.
pub(super) fn parse_record_id(text: &str) -> Outcome<Uuid> {
    Uuid::parse_str(text).map_err(|_| Fault::bad_request(format!("Invalid UUID string: {text}")))
}

/// How a request names a permissions user: by the record's own id, or by the user's.
#[derive(Debug)]
pub(super) struct Holder<'a> {
    field: &'a str,
    value: &'a str,
}

impl<'a> Holder<'a> {
    pub(super) fn from_request(request: &'a Request, value: &'a str) -> Outcome<Holder<'a>> {
        match request.query("indexField") {
            None | Some("") => Ok(Holder { field: "id", value }),
            Some(field @ ("id" | "userId")) => Ok(Holder { field, value }),
            Some(other) => Err(Fault::bad_request(format!("Invalid value '{other}' for indexField"))),
        }
    }

    /// `id 123`, as messages have it.
    pub(super) fn description(&self) -> String {
        format!("{} {}", self.field, self.value)
    }

    /// The record, if there is one.
    pub(super) async fn find(&self, session: &mut Session) -> Outcome<Option<(Uuid, Value)>> {
        let id = match Uuid::parse_str(self.value) {
            Ok(id) => id,
            // mod-permissions compares a user's id as text, and its own ids as PostgreSQL's type.
            Err(_) if self.field == "userId" => return Ok(None),
            Err(_) => {
                let text = self.value;
                let message = format!("ERROR: invalid input syntax for type uuid: \"{text}\" (22P02)");
                return Err(Fault::bad_request(message));
            }
        };
        let by = if self.field == "id" { BY_ID } else { BY_USER };
        let found: Option<(Uuid, Option<Value>)> = session.read(Statement::new(by).uuid(id)).await?;
        Ok(found.and_then(|(id, document)| Some((id, document?))))
    }
}

const KNOWN: &str = "\
select \"permissionName\", mutable, dummy
from permissions
where \"permissionName\" = any($1)";
const BY_ID: &str = "select id, doc::text from permissions_users where id = $1";
const BY_USER: &str = "select id, doc::text from permissions_users where \"userId\" = $1";

octavo_pg::statements!(other = [KNOWN, BY_ID, BY_USER]);
