//! Errors of a replica after which the primary is asked instead. Pure.

use crate::DbError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The statement saw rows that the primary has removed meanwhile.
    Conflict,
    /// It cannot be reached, has stopped, or does not answer.
    Gone,
    /// A table or a column is not there yet.
    Behind,
    /// The statement is none for a replica: it would change something.
    Changing,
}

impl Failure {
    pub(super) const ALL: [(Failure, &'static str); 4] = [
        (Failure::Conflict, "conflict"),
        (Failure::Gone, "gone"),
        (Failure::Behind, "behind"),
        (Failure::Changing, "changing"),
    ];

    pub(crate) fn from_error(error: &DbError) -> Option<Failure> {
        let code = match error {
            DbError::Away(_) | DbError::Lost(_) | DbError::Undone(_) | DbError::Silent => {
                return Some(Failure::Gone);
            }
            DbError::Busy(_) | DbError::Unsendable(_) => return None,
            DbError::Refused { code, .. } => code.as_str(),
        };
        match code {
            "40001" | "40P01" => Some(Failure::Conflict),
            "57P01" | "57P02" | "57P03" | "57P04" | "57P05" | DbError::FULL => Some(Failure::Gone),
            "25006" | "55000" => Some(Failure::Changing),
            "3F000" | "42P01" | "42703" | "42883" | "42704" => Some(Failure::Behind),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_primary_would_refuse_too_is_not_asked_again() {
        let refused = |code: &str| DbError::Refused {
            code: code.to_owned(),
            constraint: None,
            message: String::new(),
            detail: None,
        };
        for (code, failure) in [
            ("40001", Some(Failure::Conflict)),
            ("40P01", Some(Failure::Conflict)),
            ("57P01", Some(Failure::Gone)),
            ("57P03", Some(Failure::Gone)),
            ("53300", Some(Failure::Gone)),
            ("25006", Some(Failure::Changing)),
            ("42P01", Some(Failure::Behind)),
            ("3F000", Some(Failure::Behind)),
            (DbError::CANCELLED, None),
            ("22P02", None),
            ("42601", None),
        ] {
            assert_eq!(Failure::from_error(&refused(code)), failure, "{code}");
        }
        assert_eq!(Failure::from_error(&DbError::Silent), Some(Failure::Gone));
        assert_eq!(Failure::from_error(&DbError::Away(String::new())), Some(Failure::Gone));
        assert_eq!(Failure::from_error(&DbError::Busy(String::new())), None);
    }
}
