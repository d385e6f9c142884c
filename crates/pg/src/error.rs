//! What PostgreSQL answered instead of rows, reduced to what callers decide by.

use std::error::Error;

use fallible_iterator::FallibleIterator;
use octavo_kernel::Fault;
use postgres_protocol::message::backend::ErrorResponseBody;
use tokio_postgres::error::SqlState;

#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The server refused a statement.
    #[error("{message}{}", detail.as_ref().map(|d| format!(" ({d})")).unwrap_or_default())]
    Refused {
        /// SQLSTATE
        code: String,
        /// The constraint that was violated.
        constraint: Option<String>,
        message: String,
        detail: Option<String>,
    },
    /// No answer came: whether a commit happened is not known.
    #[error("the database cannot be reached: {0}")]
    Lost(String),
}

impl DbError {
    pub const UNIQUE: &'static str = "23505";
    pub const FOREIGN_KEY: &'static str = "23503";
    /// Raised by `octavo.expect`: a row was not as it had been read.
    pub const CONFLICT: &'static str = "OC409";

    /// Something was found changed that a decision rests on.
    pub fn changed(what: &str) -> DbError {
        let message = format!("{what} changed meanwhile");
        DbError::Refused { code: Self::CONFLICT.to_owned(), constraint: None, message, detail: None }
    }

    pub(crate) fn refused(answer: &ErrorResponseBody) -> DbError {
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

    /// Not the server's: a statement that the protocol has no room for.
    pub(crate) fn unsendable(why: &dyn Error) -> DbError {
        DbError::Lost(format!("a statement could not be sent: {why}"))
    }

    pub fn is(&self, wanted: &str) -> bool {
        matches!(self, DbError::Refused { code, .. } if code == wanted)
    }

    /// Whether gathering, deciding and committing once more may succeed.
    pub fn is_conflict(&self) -> bool {
        [Self::CONFLICT, SqlState::T_R_SERIALIZATION_FAILURE.code(), SqlState::T_R_DEADLOCK_DETECTED.code()]
            .iter()
            .any(|code| self.is(code))
    }

    pub fn constraint(&self) -> Option<&str> {
        match self {
            DbError::Refused { constraint, .. } => constraint.as_deref(),
            DbError::Lost(_) => None,
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
        DbError::Lost(error.to_string())
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
            _ => Fault::internal(error),
        }
    }
}
