//! The statuses of jobs.

use octavo_kernel::Fault;

/// The statuses, each with the status that staff see (`uiStatus`).
const STATUSES: [(&str, &str); 12] = [
    ("PARENT", "PARENT"),
    ("NEW", "INITIALIZATION"),
    ("FILE_UPLOADED", "INITIALIZATION"),
    ("PARSING_IN_PROGRESS", "RUNNING"),
    ("PARSING_FINISHED", "RUNNING_COMPLETE"),
    ("PROCESSING_IN_PROGRESS", "PREPARING_FOR_PREVIEW"),
    ("PROCESSING_FINISHED", "READY_FOR_PREVIEW"),
    ("COMMIT_IN_PROGRESS", "RUNNING"),
    ("COMMITTED", "RUNNING_COMPLETE"),
    ("ERROR", "ERROR"),
    ("DISCARDED", "DISCARDED"),
    ("CANCELLED", "CANCELLED"),
];

/// The status that staff see (`uiStatus`).
pub(super) fn ui_status(status: &str) -> &'static str {
    STATUSES.iter().find(|(name, _)| *name == status).map_or("ERROR", |(_, shown)| shown)
}

pub(super) fn is_status(text: &str) -> bool {
    STATUSES.iter().any(|(name, _)| *name == text)
}

pub(super) fn is_ui_status(text: &str) -> bool {
    STATUSES.iter().any(|(_, shown)| *shown == text)
}

/// Whether a job with this status takes no more records.
pub(super) fn is_stopped(status: &str) -> bool {
    matches!(status, "ERROR" | "CANCELLED" | "DISCARDED")
}

/// Whether a job with this status has ended.
pub(super) fn is_ended(status: &str) -> bool {
    status == "COMMITTED" || is_stopped(status)
}

/// Whether a job with this status can be cancelled.
pub(super) fn can_be_cancelled(status: &str) -> bool {
    !matches!(status, "ERROR" | "COMMITTED" | "CANCELLED")
}

/// The final status of a job, from the number of its failed records.
pub(super) fn final_status(failed: i64) -> &'static str {
    if failed == 0 { "COMMITTED" } else { "ERROR" }
}

/// Checks whether a client may change the status of a job from `now` to `wanted`.
pub(super) fn check_change(job: &str, now: &str, wanted: &str) -> Result<(), Fault> {
    match (now, wanted) {
        (_, "PARENT") => Err(Fault::bad_request("Cannot update JobExecution status to PARENT")),
        ("PARENT", _) => Err(Fault::bad_request(format!(
            "JobExecution {job} current status is PARENT and cannot be updated"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staff_see_what_folio_shows() {
        let cases = [
            ("NEW", "INITIALIZATION"),
            ("PARSING_IN_PROGRESS", "RUNNING"),
            ("COMMITTED", "RUNNING_COMPLETE"),
        ];
        for (status, seen) in cases {
            assert_eq!(ui_status(status), seen);
        }
        assert!(is_status("DISCARDED") && !is_status("RUNNING") && is_ui_status("RUNNING"));
    }

    #[test]
    fn parents_keep_their_status() {
        for (now, wanted, is_allowed) in [
            ("NEW", "ERROR", true),
            ("NEW", "PARENT", false),
            ("PARENT", "ERROR", false),
            ("PARENT", "PARENT", false),
        ] {
            assert_eq!(check_change("1", now, wanted).is_ok(), is_allowed, "{now} {wanted}");
        }
    }

    #[test]
    fn a_job_with_a_failed_record_ends_as_an_error() {
        assert_eq!([0, 1].map(final_status), ["COMMITTED", "ERROR"]);
        assert!(is_stopped("CANCELLED") && !is_stopped("COMMITTED"));
    }
}
