//! Modifies the incoming MARC record.

use std::sync::Arc;

use super::progress::Progress;
use super::stop::{StepResult, Stop, fail};
use super::world::{Format, World};
use crate::journal::{Action, Entity};
use crate::marc::{Operation, modify};

impl Progress {
    /// If a record was already made of the MARC record, it is changed too; otherwise later actions use the modified MARC record.
    pub(super) fn modify_marc(
        &mut self,
        entity: Entity,
        operations: &[Operation],
        world: &World<'_>,
    ) -> StepResult<()> {
        if entity != self.format.marc_entity() {
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
        let mapped =
            instance.map(|(id, instance)| self.map_record(world).map(|mapped| (id, instance, mapped)));
        let mapped = mapped.transpose()?;
        let mut matched = self.matched_id();
        if let Some((id, marc)) = stored {
            matched = marc.matched;
            let number = marc.number.clone();
            self.store_marc(
                entity,
                matched,
                marc.generation,
                Some(id),
                number.as_deref(),
                marc.suppressed,
                None,
            );
        }
        if let Some((id, instance, mapped)) = mapped {
            self.update_described_instance(&instance, id, mapped);
        }
        self.log_marc(entity, Action::Modify, matched);
        Ok(())
    }
}
