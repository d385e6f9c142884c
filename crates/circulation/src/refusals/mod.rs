//! Reasons to refuse, each a function of the facts, with FOLIO's messages.

pub(crate) mod blocked_patron;
pub(crate) mod inactive_patron;
pub(crate) mod item_limit;
pub(crate) mod item_status;
pub(crate) mod overrides;
pub(crate) mod proxy;
pub(crate) mod requested_by_another;

use octavo_kernel::{Fault, Permissions, Refusal};
use overrides::Block;

/// Refusals in the order in which they were found. As in FOLIO, equal ones are reported once.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Vec<Refusal>);

impl Refusals {
    pub(crate) fn extend(&mut self, found: impl IntoIterator<Item = Refusal>) {
        for refusal in found {
            if !self.0.contains(&refusal) {
                self.0.push(refusal);
            }
        }
    }

    /// Adds refusals that a caller with the block's permission may override.
    pub(crate) fn overridable(
        &mut self,
        block: Block,
        found: impl IntoIterator<Item = Refusal>,
        permissions: &Permissions,
    ) {
        self.extend(found.into_iter().map(|refusal| block.mark(refusal, permissions)));
    }

    /// Only the first refusal, for operations in which FOLIO stops at the first check that fails.
    pub(crate) fn into_first(self) -> Result<(), Fault> {
        self.0.into_iter().next().map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    pub(crate) fn into_outcome(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(Fault::refused(self.0)) }
    }
}

/// A refusal about a missing parameter.
pub(crate) fn missing_parameter(message: &str, key: &str) -> Refusal {
    Refusal::new(message).about(key, None::<&str>)
}
