//! Why a profile is not carried out to its end.

pub(super) enum Stop {
    /// Something is asked first; then the profile begins anew with the answers.
    Asked,
    /// The record ends here. The text is told in the log.
    Failed(String),
}

pub(super) type Done<T> = Result<T, Stop>;

pub(super) fn fail<T>(why: impl Into<String>) -> Done<T> {
    Err(Stop::Failed(why.into()))
}
