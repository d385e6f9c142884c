//! Why a service was not done, and how an answer says so.

/// `Problem` of the protocol.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) kind: &'static str,
    pub(crate) element: &'static str,
    pub(crate) value: String,
    pub(crate) detail: String,
}

#[derive(Debug)]
pub(crate) enum Failure {
    /// Something that the message has to say is missing or cannot be right.
    Input(&'static str),
    /// The message does not say which agency sent it.
    NoAgency,
    /// No patron has the number that was sent.
    UnknownUser,
    /// Performing the service failed, with this message.
    Doing(String),
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Doing(why)
    }
}

pub(crate) const UNKNOWN_USER: &str = "Did not find a user with that id";
pub(crate) const NO_AGENCY: &str = "Could not determine FromAgency";

pub(crate) fn unsupported(service: &str) -> Problem {
    Problem {
        kind: "Unsupported Service",
        element: "NCIPMessage",
        value: service.to_owned(),
        detail: "This service is not built".to_owned(),
    }
}
