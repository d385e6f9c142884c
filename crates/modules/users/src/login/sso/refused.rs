//! Why a log-in by single sign-on was refused. The answer reveals nothing about accounts to strangers: only a person for whom the issuer
//! vouches learns whether there is a user.

/// A reason. It has a code, by which the desk finds its message, and the status and text for FOLIO's user interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The library has no single sign-on.
    Off,
    /// The log-in was not begun in this browser, took too long, or came back before.
    Expired,
    /// The issuer does not answer as it should.
    Unreachable,
    /// The issuer answers that the log-in failed.
    Declined,
    /// The issuer's token could not be verified.
    Untrusted,
    /// The issuer's claims lack the one by which users are found.
    NoClaim,
    EmailNotVerified,
    UnknownUser,
    SeveralUsers,
    InactiveUser,
}

impl Refused {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Refused::Off => "off",
            Refused::Expired => "expired",
            Refused::Unreachable => "unreachable",
            Refused::Declined => "declined",
            Refused::Untrusted => "untrusted",
            Refused::NoClaim => "no-claim",
            Refused::EmailNotVerified => "email-not-verified",
            Refused::UnknownUser => "unknown-user",
            Refused::SeveralUsers => "several-users",
            Refused::InactiveUser => "inactive-user",
        }
    }

    /// The status and the text of the answer, as mod-login-saml answers where it has the case.
    pub(super) const fn status_and_text(self) -> (u16, &'static str) {
        match self {
            Refused::Off => (500, "Internal Server Error"),
            Refused::Expired => (403, "CSRF attempt detected"),
            Refused::Unreachable => (500, "The log-in service does not answer"),
            Refused::Declined => (401, "The log-in service did not log anybody in"),
            Refused::Untrusted => (401, "The answer of the log-in service is not trusted"),
            Refused::NoClaim => (400, "The log-in service does not tell who you are"),
            Refused::EmailNotVerified => (403, "The e-mail address is not verified"),
            Refused::UnknownUser => (400, "No user found"),
            Refused::SeveralUsers => (400, "More than one user found"),
            Refused::InactiveUser => (403, "Inactive user account!"),
        }
    }
}
