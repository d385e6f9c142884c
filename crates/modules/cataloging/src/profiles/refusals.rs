//! What is refused of associations of profiles.

use octavo_kernel::Refusal;

use super::kinds::ASSOCIATION;

/// What is said of two kinds that do not stand above each other.
pub(super) const KINDS: &str = "\
Correct ProfileAssociation types: ACTION_PROFILE_TO_ACTION_PROFILE, ACTION_PROFILE_TO_MAPPING_PROFILE, \
ACTION_PROFILE_TO_MATCH_PROFILE, JOB_PROFILE_TO_ACTION_PROFILE, JOB_PROFILE_TO_MATCH_PROFILE, \
MATCH_PROFILE_TO_ACTION_PROFILE, MATCH_PROFILE_TO_MATCH_PROFILE";

/// 422 for an id that leads nowhere, in RAML Module Builder's words.
pub(super) fn nowhere(member: &str, id: &str, table: &str) -> Refusal {
    let field = member.to_lowercase();
    let message =
        format!("Cannot set {}.{field} = {id} because it does not exist in {table}.id.", ASSOCIATION.table);
    Refusal::rmb(message).about(format!("{}.{field}", ASSOCIATION.table), id)
}
