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
    /// The library has disabled the service. This code is FOLIO's, not the protocol's.
    ServiceUnavailable,
    /// The requested record cannot be converted. This code is FOLIO's, not the protocol's.
    InvalidRecordContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProtocolError {
    pub(super) code: Code,
    pub(super) message: String,
}

impl Code {
    pub(super) fn with_message(self, message: impl Into<String>) -> ProtocolError {
        ProtocolError { code: self, message: message.into() }
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

    /// If there are several errors, the first row with one of their codes determines the HTTP status.
    const BY_STATUS: &'static [(u16, &'static [Code])] = &[
        (400, &[Code::BadArgument, Code::BadResumptionToken, Code::BadVerb]),
        (404, &[Code::IdDoesNotExist, Code::NoRecordsMatch]),
        (422, &[Code::CannotDisseminateFormat]),
    ];
}

/// The HTTP status of an answer with errors.
pub(super) fn http_status(errors: &[ProtocolError], settings: &Settings) -> u16 {
    let of = |codes: &[Code]| errors.iter().any(|error| codes.contains(&error.code));
    match Code::BY_STATUS.iter().find(|(_, codes)| of(codes)) {
        Some(_) if settings.errors_are_200 => 200,
        Some((status, _)) => *status,
        None if of(&[Code::ServiceUnavailable]) => 503,
        None => 404,
    }
}

pub(super) fn nothing_found() -> ProtocolError {
    Code::NoRecordsMatch.with_message("There were no records found matching the search criteria")
}

pub(super) fn unknown_record() -> ProtocolError {
    Code::IdDoesNotExist.with_message("No matching identifier in repository.")
}

pub(super) fn unknown_format() -> ProtocolError {
    Code::CannotDisseminateFormat
        .with_message("The value of the MetadataPrefix argument is not supported by the repository")
}
