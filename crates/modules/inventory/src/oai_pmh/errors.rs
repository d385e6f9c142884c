//! The errors of the protocol, with FOLIO's words and statuses. Pure.

use super::settings::Settings;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    BadVerb,
    BadArgument,
    BadResumptionToken,
    CannotDisseminateFormat,
    IdDoesNotExist,
    NoRecordsMatch,
    /// The library has switched the service off; not of the protocol.
    ServiceUnavailable,
    /// The one record that is asked for cannot be shown; not of the protocol.
    InvalidRecordContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) code: Code,
    pub(super) message: String,
}

impl Code {
    pub(super) fn says(self, message: impl Into<String>) -> Wrong {
        Wrong { code: self, message: message.into() }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Code::BadVerb => "badVerb",
            Code::BadArgument => "badArgument",
            Code::BadResumptionToken => "badResumptionToken",
            Code::CannotDisseminateFormat => "cannotDisseminateFormat",
            Code::IdDoesNotExist => "idDoesNotExist",
            Code::NoRecordsMatch => "noRecordsMatch",
            Code::ServiceUnavailable => "serviceUnavailable",
            Code::InvalidRecordContent => "invalidRecordContent",
        }
    }

    /// Of several errors, the one whose status is answered is the first of these.
    const BY_STATUS: &'static [(u16, &'static [Code])] = &[
        (400, &[Code::BadArgument, Code::BadResumptionToken, Code::BadVerb]),
        (404, &[Code::IdDoesNotExist, Code::NoRecordsMatch]),
        (422, &[Code::CannotDisseminateFormat]),
    ];
}

/// The HTTP status of an answer with errors.
pub(super) fn status(errors: &[Wrong], settings: &Settings) -> u16 {
    let of = |codes: &[Code]| errors.iter().any(|error| codes.contains(&error.code));
    match Code::BY_STATUS.iter().find(|(_, codes)| of(codes)) {
        Some(_) if settings.errors_are_200 => 200,
        Some((status, _)) => *status,
        None if of(&[Code::ServiceUnavailable]) => 503,
        None => 404,
    }
}

pub(super) fn nothing_found() -> Wrong {
    Code::NoRecordsMatch.says("There were no records found matching the search criteria")
}

pub(super) fn unknown_record() -> Wrong {
    Code::IdDoesNotExist.says("No matching identifier in repository.")
}

pub(super) fn unknown_format() -> Wrong {
    Code::CannotDisseminateFormat
        .says("The value of the MetadataPrefix argument is not supported by the repository")
}
