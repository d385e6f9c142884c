//! The tables of mod-login, and mod-authtoken's refresh tokens. No path shows these records.

use octavo_record::{Field, Index, Member, PersonalData, Persons, RecordType, StalePermissions, Unique};

use super::sso::{SETTINGS, USED};

pub(super) static HIDDEN: &[&RecordType] = &[
    &CREDENTIALS,
    &HISTORY,
    &ATTEMPTS,
    &RESET,
    &REFRESH_TOKEN,
    &ENDED_SESSIONS,
    &PLACE,
    &EVENT,
    &SETTINGS,
    &USED,
];

/// These records are deleted with their user.
const OF_USER: Persons = Persons::deleted_with_user(&[Member::patron_id("userId")], "t.\"userId\" = any($1)");
const WITH_HASH: Persons = Persons { secret: &["hash", "salt"], ..OF_USER };

/// The hashed password of a user. FOLIO's hashes have their salt in a member of its own; Octavo's contain it.
pub(super) static CREDENTIALS: RecordType = RecordType {
    name: "credentials",
    table: "auth_credentials",
    schema: include_str!("../../../folio/records/mod-login/credentials.tsv"),
    fields: &[Field::uuid("userId")],
    unique: &[Unique::new(&["userId"])],
    persons: Some(&WITH_HASH),
    ..RecordType::BASE
};

/// Passwords that were replaced, so that they are not used again.
pub(super) static HISTORY: RecordType = RecordType {
    name: "credentials history",
    table: "auth_credentials_history",
    schema: include_str!("../../../folio/records/mod-login/credentialsHistory.tsv"),
    fields: &[Field::uuid("userId").indexed(&[Index::Order]), Field::time("date")],
    persons: Some(&WITH_HASH),
    ..RecordType::BASE
};

/// Failed attempts to log in since the last success.
pub(super) static ATTEMPTS: RecordType = RecordType {
    name: "login attempts",
    table: "auth_attempts",
    schema: include_str!("../../../folio/records/mod-login/loginAttempts.tsv"),
    fields: &[Field::uuid("userId"), Field::time("lastAttempt"), Field::number("attemptCount")],
    unique: &[Unique::new(&["userId"])],
    persons: Some(&OF_USER),
    ..RecordType::BASE
};

/// A permission to set a new password once.
pub(super) static RESET: RecordType = RecordType {
    name: "password reset action",
    table: "auth_password_action",
    schema: include_str!("../../../folio/records/mod-login/passwordCreateAction.tsv"),
    fields: &[Field::uuid("userId"), Field::time("expirationTime")],
    unique: &[Unique::new(&["userId"])],
    // Whoever knows the id can set the password.
    persons: Some(&Persons { secret: &["id"], ..OF_USER }),
    ..RecordType::BASE
};

/// A refresh token that was given out: `userId`, `session`, `expires`, and in `used` when it was exchanged.
pub(super) static REFRESH_TOKEN: RecordType = RecordType {
    name: "refresh token",
    table: "refresh_tokens",
    fields: &[Field::uuid("userId").indexed(&[Index::Order]), Field::time("expires"), Field::exact("used")],
    persons: Some(&OF_USER),
    ..RecordType::BASE
};

/// Which sessions of a user have ended: `id` is the user's. See `ended_sessions`.
pub(super) static ENDED_SESSIONS: RecordType = RecordType {
    name: "ended sessions",
    table: "auth_ended_sessions",
    persons: Some(&Persons::deleted_with_user(&[Member::patron_id("id")], "t.id = any($1)")),
    stale_permissions: StalePermissions::OneUser,
    ..RecordType::BASE
};

/// Attempts to log in by user and address: `failures`, `lastAttempt`, `lastSuccess`. See `guessing`.
pub(super) static PLACE: RecordType = RecordType {
    name: "place of log-ins",
    table: "auth_places",
    fields: &[
        Field::uuid("userId").indexed(&[Index::Order]),
        Field::time("lastAttempt").indexed(&[Index::Order]),
    ],
    persons: Some(&OF_USER),
    ..RecordType::BASE
};

/// An event of the log: who logged in, or tried to, and whose password was changed.
pub(super) static EVENT: RecordType = RecordType {
    name: "event of a log-in",
    table: "event_logs",
    collection: "loggingEvent",
    schema: include_str!("../../../folio/records/mod-login/logEvent.tsv"),
    fields: &[
        Field::exact("userId").indexed(&[Index::Order]),
        Field::exact("eventType"),
        Field::time("timestamp").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons::deleted_with_user(
        &[
            Member::patron_id("userId"),
            Member::patron("ip", PersonalData::Address),
            Member::patron("browserInformation", PersonalData::Text),
        ],
        "t.\"userId\" = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};
