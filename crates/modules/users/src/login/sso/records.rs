//! The tables of single sign-on. No path shows these records as they are.

use octavo_pg::Statement;
use octavo_record::{Field, Index, Persons, RecordType};
use uuid::Uuid;

/// The settings for logging in with other servers: a record for the issuer, with the client's secret, and a record for the LDAP directory,
/// with the password of the account that searches there.
pub(crate) static SETTINGS: RecordType = RecordType {
    name: "settings of single sign-on",
    table: "sso_settings",
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

/// A log-in whose answer from the issuer was used, so that the answer is not accepted again: `expires`. The record has the id of the
/// attempt.
pub(crate) static USED: RecordType = RecordType {
    name: "used sign-on",
    table: "sso_used",
    persons: Some(&Persons::NOBODY),
    fields: &[Field::time("expires").indexed(&[Index::Order])],
    ..RecordType::BASE
};

/// The ids of the two records in [`SETTINGS`].
pub(super) const ISSUER: Uuid = Uuid::from_u128(1);
pub(in crate::login) const DIRECTORY: Uuid = Uuid::from_u128(2);

/// Reads one of the two records.
pub(in crate::login) fn read_settings(id: Uuid) -> Statement {
    Statement::new(READ).uuid(id)
}

/// Writes one of the two records, in place of what was there.
pub(in crate::login) fn write_settings(id: Uuid, document: String) -> Statement {
    Statement::new(WRITE).uuid(id).text(document)
}

const READ: &str = "select doc::text from sso_settings where id = $1";
const WRITE: &str = "\
insert into sso_settings (id, doc) values ($1, $2::text::json)
on conflict (id) do update set doc = excluded.doc";

octavo_pg::statements!(hot = [READ, WRITE]);
