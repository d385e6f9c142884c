//! The tables of single sign-on. No path shows these records as they are.

use octavo_record::{Field, Index, Persons, RecordType};

/// How a library lets people log in: a record for the issuer, with the client's secret, and one for the LDAP directory, with the password of
/// the account that searches there.
pub(crate) static SETTINGS: RecordType = RecordType {
    name: "settings of single sign-on",
    table: "sso_settings",
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

/// A log-in that came back from the issuer, so that it does not come back again: `expires`. Its id is that of the attempt.
pub(crate) static USED: RecordType = RecordType {
    name: "used sign-on",
    table: "sso_used",
    persons: Some(&Persons::NOBODY),
    fields: &[Field::time("expires").indexed(&[Index::Order])],
    ..RecordType::BASE
};
