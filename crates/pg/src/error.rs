//! The errors of PostgreSQL and of the connection to it, as far as callers tell them apart.

use std::error::Error;
use std::io::ErrorKind;

use fallible_iterator::FallibleIterator;
use octavo_kernel::Fault;
use postgres_protocol::message::backend::{ErrorResponseBody, NoticeResponseBody};
use tokio_postgres::error::SqlState;

#[derive(Debug, thiserror::Error)]
pub enum DbError {
    #[error("{message}{}", detail.as_ref().map(|d| format!(" ({d})")).unwrap_or_default())]
    Refused {
        code: String,
        /// The constraint that was violated.
        constraint: Option<String>,
        message: String,
        detail: Option<String>,
    },
    /// There was no connection, so nothing was sent.
    #[error("the database cannot be reached: {0}")]
    Away(String),
    /// No answer came: whether a commit happened is not known.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// The connection was lost before anything was asked for that could last.
    #[error("the connection to the database was lost, and nothing was changed: {0}")]
    Undone(String),
    /// All connections for this kind of work, or for this client, are in use.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// The server keeps the connection open and has not answered far beyond the limit of time.
    #[error("the database does not answer")]
    Silent,
    /// The statement does not fit into a message of the protocol.
    #[error("a statement could not be sent: {0}")]
    Unsendable(String),
}

/// The messages for clients, in words that a person at a desk can act upon.
const AWAY: &str = "The database cannot be reached at the moment. Please try again later";
const LOST: &str = "The connection to the database was lost. If this was a change, please look whether it was made before you try again";
const UNDONE: &str = "The database was away for a moment, and nothing was changed. Please try again";
const BUSY: &str = "The server is busy with other searches and reports. Please try again in a few seconds";
const SILENT: &str = "The database does not answer at the moment. If this was a change, please look whether it was made before you try again";
const TOGETHER: &str =
    "Others changed the same records at the same moment, so this was undone. Please try again";
const TOO_LONG: &str = "This took longer than it may and was stopped; nothing was changed. Please ask for less at once, or try again later";
/// The message when the disk is full; the gateway sends it before it asks the database.
pub const FULL_DISK: &str = "There is no space left on the server's disk, so nothing can be changed. Records can still be read. Please tell the system administrator";

impl DbError {
    pub const UNIQUE: &'static str = "23505";
    pub const FOREIGN_KEY: &'static str = "23503";
    /// The server has no room for another connection.
    pub const FULL: &'static str = "53300";
    /// A statement took longer than it may.
    pub const CANCELLED: &'static str = "57014";
    /// No space is left on the server's disk.
    pub const DISK_FULL: &'static str = "53100";
    /// The server accepts no changes: it is a standby, or has become one.
    pub const READS_ONLY: &'static str = "25006";
    /// The server starts, or stops, and lets nobody in.
    const NOT_NOW: &'static str = "57P03";
    /// The server announces that it ends the connection: it is told to stop, or another of its processes has crashed.
    const ENDED: [&'static str; 2] = ["57P01", "57P02"];
    /// What was sent is not understood, or not let through by a pooler on the way.
    pub(crate) const PROTOCOL: &'static str = "08P01";
    /// A table, or the whole schema, is not there.
    pub const NO_TABLE: &'static str = "42P01";
    /// Raised by `octavo.expect`: a row was not as it had been read.
    pub const CONFLICT: &'static str = "OC409";

    /// A record on which a decision rests was changed by others.
    pub fn conflict(what: &str) -> DbError {
        let message = format!("{what} changed meanwhile");
        DbError::Refused { code: Self::CONFLICT.to_owned(), constraint: None, message, detail: None }
    }

    pub(crate) fn from_response(answer: &ErrorResponseBody) -> DbError {
        let (mut code, mut message, mut detail, mut constraint) = Default::default();
        let mut fields = answer.fields();
        while let Ok(Some(field)) = fields.next() {
            let text = || String::from_utf8_lossy(field.value_bytes()).into_owned();
            match field.type_() {
                b'C' => code = text(),
                b'M' => message = text(),
                b'D' => detail = Some(text()),
                b'n' => constraint = Some(text()),
                _ => {}
            }
        }
        DbError::Refused { code, constraint, message, detail }
    }

    pub(crate) fn unsendable(why: &dyn Error) -> DbError {
        DbError::Unsendable(why.to_string())
    }

    /// Turns an error before the first statement into `Away`: nothing was sent.
    pub(crate) fn to_away(&self) -> DbError {
        match self {
            DbError::Away(why) | DbError::Lost(why) => DbError::Away(why.clone()),
            other => DbError::Away(other.to_string()),
        }
    }

    /// Turns an error on a connection before the statement was sent over it into a lost connection.
    pub(crate) fn into_lost(self) -> DbError {
        DbError::Lost(self.to_string())
    }

    /// Whether it may be over in a moment: there is no server, or none that lets us in.
    pub(crate) fn is_unreachable(&self) -> bool {
        match self {
            DbError::Away(_) | DbError::Lost(_) => true,
            DbError::Refused { code, .. } => code == Self::NOT_NOW || Self::ENDED.contains(&code.as_str()),
            _ => false,
        }
    }

    /// Whether the connection, or the server's leave to change something, went away while it was used.
    pub fn is_loss(&self) -> bool {
        match self {
            DbError::Lost(_) | DbError::Undone(_) => true,
            DbError::Refused { code, .. } => code == Self::READS_ONLY || Self::ENDED.contains(&code.as_str()),
            _ => false,
        }
    }

    /// Whether the server has answered, and undone the transaction.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, DbError::Refused { code, .. } if !Self::ENDED.contains(&code.as_str()))
    }

    /// A loss before anything was asked for that could last.
    pub(crate) fn into_undone(self) -> DbError {
        if self.is_loss() { DbError::Undone(self.to_string()) } else { self }
    }

    /// Whether a notice warns that the server waits no longer for the synchronous standby, so that a change may be on one server only.
    pub(crate) fn warns_of_single_copy(notice: &NoticeResponseBody) -> bool {
        // The only mark of this warning that is not translated is the place in the server's own source.
        let mut fields = notice.fields();
        while let Ok(Some(field)) = fields.next() {
            if field.type_() == b'R' {
                return field.value_bytes() == b"SyncRepWaitForLSN";
            }
        }
        false
    }

    pub fn has_code(&self, wanted: &str) -> bool {
        matches!(self, DbError::Refused { code, .. } if code == wanted)
    }

    /// Whether another attempt (gather, decide, commit) may succeed.
    pub fn is_conflict(&self) -> bool {
        [Self::CONFLICT, SqlState::T_R_SERIALIZATION_FAILURE.code(), SqlState::T_R_DEADLOCK_DETECTED.code()]
            .iter()
            .any(|code| self.has_code(code))
    }

    pub fn constraint(&self) -> Option<&str> {
        match self {
            DbError::Refused { constraint, .. } => constraint.as_deref(),
            _ => None,
        }
    }
}

impl From<tokio_postgres::Error> for DbError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(refused) => DbError::Refused {
                code: refused.code().code().to_owned(),
                constraint: refused.constraint().map(str::to_owned),
                message: refused.message().to_owned(),
                detail: refused.detail().map(str::to_owned),
            },
            None => {
                let source = error.source().map(|s| format!(": {s}")).unwrap_or_default();
                DbError::Lost(format!("{error}{source}"))
            }
        }
    }
}

impl From<std::io::Error> for DbError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            // An error of the protocol's writer: a text with a zero in it, a message that is too long.
            ErrorKind::InvalidInput => DbError::unsendable(&error),
            _ => DbError::Lost(error.to_string()),
        }
    }
}

impl From<DbError> for Fault {
    fn from(error: DbError) -> Self {
        match &error {
            DbError::Refused { code, message, .. }
                if matches!(code.as_str(), "22021" | "22P02" | "22P05" | "54000" | "54001") =>
            {
                Fault::bad_request(message.clone())
            }
            DbError::Away(_) => Fault::unavailable(AWAY, error),
            DbError::Lost(_) => Fault::unavailable(LOST, error),
            DbError::Undone(_) => Fault::unavailable(UNDONE, error),
            DbError::Busy(_) => Fault::unavailable(BUSY, error),
            DbError::Silent => Fault::unavailable(SILENT, error),
            _ if error.is_conflict() => Fault::unavailable(TOGETHER, error),
            DbError::Refused { code, .. } if code == DbError::CANCELLED => Fault::text(504, TOO_LONG),
            DbError::Refused { code, .. } if code == DbError::DISK_FULL => {
                Fault::text(507, FULL_DISK).because(error)
            }
            // The server has announced that it stops, instead of answering.
            DbError::Refused { code, .. } if DbError::ENDED.contains(&code.as_str()) => {
                Fault::unavailable(LOST, error)
            }
            // The statement was refused, and with it its transaction.
            DbError::Refused { code, .. } if code == DbError::READS_ONLY => Fault::unavailable(UNDONE, error),
            _ => Fault::internal(error),
        }
    }
}

/// Whether a request failed by a deadlock, or because a row changed under it: another attempt may well succeed.
pub fn is_conflict(fault: &Fault) -> bool {
    cause(fault).is_some_and(DbError::is_conflict)
}

/// Whether a request failed because its connection, or the server's leave to change something, went away.
pub fn is_loss(fault: &Fault) -> bool {
    cause(fault).is_some_and(DbError::is_loss)
}

/// Whether nobody knows if what the request asked for was done.
pub fn is_outcome_unknown(fault: &Fault) -> bool {
    cause(fault).is_some_and(|error| match error {
        DbError::Lost(_) | DbError::Silent => true,
        DbError::Refused { code, .. } => DbError::ENDED.contains(&code.as_str()),
        _ => false,
    })
}

fn cause(fault: &Fault) -> Option<&DbError> {
    fault.cause().and_then(|cause| cause.downcast_ref::<DbError>())
}
