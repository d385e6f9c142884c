//! Why a profile is not run to its end.

pub(super) enum Stop {
    /// The profile has asked a question. It is run again from its beginning with the answers.
    NeedsAnswers,
    /// The record failed. The text goes into the log.
    Failed(String),
}

pub(super) type StepResult<T> = Result<T, Stop>;

pub(super) fn fail<T>(why: impl Into<String>) -> StepResult<T> {
    Err(Stop::Failed(why.into()))
}
