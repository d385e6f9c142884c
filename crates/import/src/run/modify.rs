//! The incoming MARC record modified.

use std::sync::Arc;

use super::progress::Progress;
use super::stop::{Done, Stop, fail};
use super::world::{Format, World};
use crate::journal::{Action, Entity};
use crate::marc::{Operation, modify};

impl Progress {
    /// If something is made of the record already, it changes with it; otherwise what follows sees the modified record.
    pub(super) fn modify_marc(
        &mut self,
        entity: Entity,
        operations: &[Operation],
        world: &World<'_>,
    ) -> Done<()> {
        if entity != self.format.marc() {
            return fail(
                "Failed to handle event payload, cause event payload context does not contain required data to modify MARC record",
            );
        }
        let stored = self.described_id().and_then(|id| {
            let marc = self.marc.as_ref().filter(|marc| marc.describes == Some(id) && marc.id == self.id)?;
            Some((id, Arc::clone(marc)))
        });
        let instance = match &stored {
            Some((id, _)) if self.format == Format::Bibliographic => {
                Some((*id, self.described_instance(*id)?))
            }
            _ => None,
        };
        modify(&mut self.record, operations).map_err(Stop::Failed)?;
        let mapped = instance.map(|(id, instance)| self.mapped(world).map(|mapped| (id, instance, mapped)));
        let mapped = mapped.transpose()?;
        let mut matched = self.matched_id();
        if let Some((id, marc)) = stored {
            matched = marc.matched;
            let number = marc.number.clone();
            self.store(entity, matched, marc.generation, Some(id), number.as_deref(), marc.suppressed, None);
        }
        if let Some((id, instance, mapped)) = mapped {
            self.follow_instance(&instance, id, mapped);
        }
        self.log_marc(entity, Action::Modify, matched);
        Ok(())
    }
}
