//! Errors of associations of profiles.

use octavo_kernel::Refusal;

use super::kinds::ASSOCIATION;

/// The error for two kinds of profiles of which one cannot be above the other.
pub(super) const KINDS_MESSAGE: &str = "\
Correct ProfileAssociation types: ACTION_PROFILE_TO_ACTION_PROFILE, ACTION_PROFILE_TO_MAPPING_PROFILE, \
ACTION_PROFILE_TO_MATCH_PROFILE, JOB_PROFILE_TO_ACTION_PROFILE, JOB_PROFILE_TO_MATCH_PROFILE, \
MATCH_PROFILE_TO_ACTION_PROFILE, MATCH_PROFILE_TO_MATCH_PROFILE";

/// The error 422 for an id that does not exist, in the words of RAML Module Builder.
pub(super) fn unknown_id_refusal(member: &str, id: &str, table: &str) -> Refusal {
    let field = member.to_lowercase();
    let message =
        format!("Cannot set {}.{field} = {id} because it does not exist in {table}.id.", ASSOCIATION.table);
    Refusal::rmb(message).about(format!("{}.{field}", ASSOCIATION.table), id)
}
