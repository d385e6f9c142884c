//! Changes stored MARC records by incoming ones, and the records that they describe.

use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::document::object;
use super::merge;
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::{Format, MappedRecord, World};
use crate::journal::{Action, Entity};
use crate::marc::{add_035, drop_former_number, former_number, set_change_time, set_number};
use crate::need::{Need, StoredMarc};
use crate::plan::MarcUpdate;

const NO_004: &str = "The 004 tag of the Holdings doesn't has a link to the Bibliographic record";

const NO_RECORD: &str =
    "Cannot initialize MarcRecordModifier - event payload context does not contain required data";

impl Progress {
    pub(super) fn update_marc(
        &mut self,
        entity: Entity,
        update: &MarcUpdate,
        world: &World<'_>,
    ) -> StepResult<()> {
        let marc = match &self.marc {
            Some(marc) if entity == self.format.marc_entity() => Arc::clone(marc),
            _ => return fail(NO_RECORD),
        };
        let described = self.described_record(entity, &marc)?;
        let links = match &described {
            Some((id, _)) if entity == Entity::MarcBibliographic => {
                self.links_of(&marc.record, *id, world)?
            }
            _ => Arc::default(),
        };
        let instance = self.instance_of_holdings(entity, described.as_ref())?;
        // All questions are answered; from here on the record is changed.
        let former =
            self.record.control_field("001").map(str::to_owned).filter(|number| !number.trim().is_empty());
        let (record, kept) =
            self.overlay_incoming(&marc, &links, &update.selected, &update.overridden, world);
        self.record = record;
        self.renumber(&marc, former.as_deref());
        set_change_time(&mut self.record, world.now, world.protections);
        // The MARC record and what it describes are written both or neither.
        let mapped = described.as_ref().map(|_| self.map_record(world)).transpose()?;
        let (id, number) = (marc.describes, marc.number.clone());
        let before = Some(marc.record.clone());
        self.store_marc(
            entity,
            marc.matched,
            marc.generation + 1,
            id,
            number.as_deref(),
            marc.suppressed,
            before,
        );
        self.log_marc(entity, Action::Update, marc.matched);
        if let Some(((id, stored), mapped)) = described.zip(mapped) {
            self.keep_links(id, &links, &kept);
            self.update_described(id, &stored, instance, mapped, world);
        }
        Ok(())
    }

    /// Keeps the number of the stored record in 001, and copies the number of the incoming record to 035.
    fn renumber(&mut self, marc: &StoredMarc, former: Option<&str>) {
        let Some(number) =
            marc.record.control_field("001").map(str::to_owned).filter(|number| !number.is_empty())
        else {
            return;
        };
        set_number(&mut self.record, &number);
        if let Some(former) = former.filter(|former| *former != number) {
            let former = former_number(former, self.record.control_field("003"));
            add_035(&mut self.record, &former);
        }
        drop_former_number(&mut self.record, &number);
        self.record.fields.retain(|field| field.tag() != "003");
    }

    /// The instance, holdings or authority that the MARC record describes, as it is stored.
    pub(super) fn described_record(
        &mut self,
        entity: Entity,
        marc: &StoredMarc,
    ) -> StepResult<Option<(Uuid, Arc<Value>)>> {
        let Some(id) = marc.describes else {
            return Ok(None);
        };
        if entity == Entity::MarcBibliographic {
            return Ok(Some((id, self.described_instance(id)?)));
        }
        let of = self.format.described_entity();
        let Some(stored) = self.ask_documents(Need::Records { entity: of, ids: vec![id] })?.pop() else {
            return fail(if of == Entity::Authority {
                format!("Authority record was not found by id: {id}")
            } else {
                format!("Holdings record was not found by id: {id}")
            });
        };
        if stored["source"].as_str().is_some_and(|source| source.starts_with("CONSORTIUM")) {
            return fail("Shared MARC authority record cannot be updated from this tenant");
        }
        Ok(Some((id, stored)))
    }

    /// The id of the instance that changed holdings belong to, found by the number in 004.
    fn instance_of_holdings(
        &mut self,
        entity: Entity,
        described: Option<&(Uuid, Arc<Value>)>,
    ) -> StepResult<Option<String>> {
        if entity != Entity::MarcHoldings || described.is_none() {
            return Ok(None);
        }
        self.instance_by_004().map(Some)
    }

    /// The id of the instance whose hrid is in 004.
    pub(super) fn instance_by_004(&mut self) -> StepResult<String> {
        let number = self.record.control_field("004").map(str::trim).unwrap_or_default().to_owned();
        if number.is_empty() {
            return fail(NO_004);
        }
        let found = self.ask_documents(Need::InstanceNumbered(number))?;
        match found.first().and_then(|instance| instance["id"].as_str()) {
            Some(id) => Ok(id.to_owned()),
            None => fail(NO_004),
        }
    }

    /// Maps the MARC record, with all changes so far, by the tenant's mapping rules.
    pub(super) fn map_record(&self, world: &World<'_>) -> StepResult<MappedRecord> {
        world.map_record(self.format, &self.record)
    }

    /// Changes the record that the MARC record describes to what the tenant's mapping rules give.
    fn update_described(
        &mut self,
        id: Uuid,
        stored: &Arc<Value>,
        instance: Option<String>,
        mapped: MappedRecord,
        world: &World<'_>,
    ) {
        let of = self.format.described_entity();
        if of == Entity::Instance {
            self.update_described_instance(stored, id, mapped);
        } else {
            let mut changed = if self.format == Format::Authority {
                merge::authority(stored, &mapped.record)
            } else {
                merge::holdings(stored, &mapped.record)
            };
            if self.format == Format::Authority {
                changed.insert("source".to_owned(), Value::from("MARC"));
            } else if let Some(instance) = instance {
                changed.insert("instanceId".to_owned(), Value::String(instance));
                changed.insert("sourceId".to_owned(), Value::String(world.holdings_sources[1].clone()));
            }
            self.writes.update(of, id, stored, Value::Object(changed.clone()));
            let changed = Arc::new(Value::Object(changed));
            if of == Entity::Authority {
                self.authority = Some(changed);
            } else {
                self.holdings = Some(vec![changed]);
            }
        }
        let changed = match of {
            Entity::Instance => self.instance.clone(),
            Entity::Authority => self.authority.clone(),
            _ => self.holdings.as_ref().and_then(|holdings| holdings.first().cloned()),
        };
        let shown = changed.map_or_else(|| Value::Object(object(stored)), |changed| Value::clone(&changed));
        self.log_document(of, Action::Update, &shown);
    }

    pub(super) fn delete_marc(&mut self, entity: Entity) -> StepResult<()> {
        let marc = match &self.marc {
            Some(marc) if entity == self.format.marc_entity() => Arc::clone(marc),
            _ => {
                return fail(
                    "Failed to handle event payload, cause event payload context does not contain required data to delete MARC record",
                );
            }
        };
        self.writes.delete(entity, marc.matched);
        self.log_marc(entity, Action::Delete, marc.matched);
        if let Some(id) = marc.describes {
            let of = self.format.described_entity();
            self.writes.delete(of, id);
            let mut entry = self.new_entry(of, Action::Delete);
            entry.entity_id = Some(id);
            self.journal.push(entry);
        }
        Ok(())
    }
}
