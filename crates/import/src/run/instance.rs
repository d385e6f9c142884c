//! Instances made and changed.

use std::sync::Arc;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::document::{bracketed_list, invalid_id_errors, missing_field_errors, object, required_id};
use super::merge;
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::{Format, MappedRecord, World};
use crate::journal::{Action, Entity};
use crate::mapping::{Mapping, apply};
use crate::marc::{drop_former_number, folio_id, keep_former_number, set_change_time};
use crate::need::Need;

const REQUIRED: [&str; 3] = ["source", "title", "instanceTypeId"];

impl Progress {
    pub(super) fn create_instance(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        if !self.accepts_instance_id && folio_id(&self.record, 'i').is_some() {
            return fail(
                "A new Instance was not created because the incoming record already contained a 999ff$s or 999ff$i field",
            );
        }
        // The question comes first, so that the mapping rules are applied only once.
        let Some(hrid) = self.ask_hrids(Entity::Instance, 1)?.pop() else {
            return fail("Fewer hrids than asked for were given");
        };
        let mut record = self.record.clone();
        set_change_time(&mut record, world.now, world.protections);
        keep_former_number(&mut record);
        let mapped = world.map_record(Format::Bibliographic, &record)?;
        let mut instance = object(&mapped.record);
        apply(mapping, world.mapping_input(&record), &mut instance);
        let id = self.described_id().unwrap_or_else(|| self.new_record_id(Entity::Instance, 0, 0));
        self.finish_instance(&mut instance, id)?;
        instance.insert("hrid".to_owned(), Value::String(hrid.clone()));
        let tags = self.tags();
        self.record = record;
        let instance = Value::Object(instance);
        self.writes.create(Entity::Instance, id, instance.clone());
        if !(mapped.preceding.is_empty() && mapped.succeeding.is_empty()) {
            self.writes.set_titles(id, mapped.preceding, mapped.succeeding);
        }
        let suppressed = instance["discoverySuppress"].as_bool() == Some(true);
        let matched = self.store_new_marc(Entity::MarcBibliographic, id, &hrid, suppressed, &tags);
        self.log_document(Entity::Instance, Action::Create, &instance);
        self.log_marc(Entity::MarcBibliographic, Action::Create, matched);
        self.instance = Some(Arc::new(instance));
        Ok(())
    }

    pub(super) fn update_instance(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        let Some(stored) = self.instance.clone() else {
            return fail(
                "Failed to handle event payload, cause event payload context does not contain MARC_BIBLIOGRAPHIC or INSTANCE data",
            );
        };
        let id = required_id(&stored)?;
        let source = stored["source"].as_str().unwrap_or_default();
        if source.starts_with("CONSORTIUM") {
            return fail("Can't retrieve centralTenantId updating Instance");
        }
        let marc = if source == "MARC" { self.marc_of(Entity::MarcBibliographic, id)? } else { None };
        let mut laid = None;
        let mut record = self.record.clone();
        if let Some(marc) = &marc {
            let links = self.links_of(&marc.record, id, world)?;
            let (merged, kept) = self.overlay_incoming(marc, &links, &[], &[], world);
            record = merged;
            laid = Some((links, kept));
        } else {
            keep_former_number(&mut record);
        }
        if let Some(hrid) = stored["hrid"].as_str() {
            drop_former_number(&mut record, hrid);
        }
        set_change_time(&mut record, world.now, world.protections);
        let mapped = world.map_record(Format::Bibliographic, &record)?;
        let mut instance = merge::instance(&stored, &mapped.record);
        apply(mapping, world.mapping_input(&record), &mut instance);
        self.finish_instance(&mut instance, id)?;
        restore_members(&mut instance, &stored, &["hrid", "metadata", "_version"]);
        let instance = Value::Object(instance);
        let hrid = instance["hrid"].as_str().unwrap_or_default().to_owned();
        let suppressed = instance["discoverySuppress"].as_bool() == Some(true);
        let tags = self.tags();
        self.record = record;
        self.writes.update(Entity::Instance, id, &stored, instance.clone());
        self.writes.set_titles(id, mapped.preceding, mapped.succeeding);
        let action = if marc.is_some() { Action::Update } else { Action::Create };
        let matched = match &marc {
            Some(marc) => self.store_changed_marc(Entity::MarcBibliographic, marc, id, &hrid, suppressed),
            None => self.store_new_marc(Entity::MarcBibliographic, id, &hrid, suppressed, &tags),
        };
        if let Some((links, kept)) = laid {
            self.keep_links(id, &links, &kept);
        }
        self.log_document(Entity::Instance, Action::Update, &instance);
        self.log_marc(Entity::MarcBibliographic, action, matched);
        self.instance = Some(Arc::new(instance));
        Ok(())
    }

    /// The instance that a MARC record describes.
    pub(super) fn described_instance(&mut self, id: Uuid) -> StepResult<Arc<Value>> {
        match &self.instance {
            Some(instance) if required_id(instance)? == id => Ok(Arc::clone(instance)),
            _ => match self.ask_documents(Need::Records { entity: Entity::Instance, ids: vec![id] })?.pop() {
                Some(instance) => Ok(instance),
                None => fail(format!("Can't find Instance by id: {id}")),
            },
        }
    }

    /// Changes the instance after its MARC record has changed, by the tenant's mapping rules alone.
    pub(super) fn update_described_instance(&mut self, stored: &Arc<Value>, id: Uuid, mapped: MappedRecord) {
        let mut instance = merge::instance(stored, &mapped.record);
        instance.insert("source".to_owned(), Value::from("MARC"));
        let instance = Value::Object(instance);
        self.writes.update(Entity::Instance, id, stored, instance.clone());
        self.writes.set_titles(id, mapped.preceding, mapped.succeeding);
        self.instance = Some(Arc::new(instance));
    }

    fn finish_instance(&self, instance: &mut Map<String, Value>, id: Uuid) -> StepResult<()> {
        instance.insert("id".to_owned(), Value::String(id.to_string()));
        instance.insert("source".to_owned(), Value::from("MARC"));
        for member in ["hrid", "precedingTitles", "succeedingTitles", "parentInstances", "childInstances"] {
            instance.remove(member);
        }
        let mut errors = missing_field_errors(instance, &REQUIRED);
        if errors.is_empty() {
            errors = invalid_id_errors(
                instance,
                &["natureOfContentTermIds", "statisticalCodeIds", "statusId", "instanceTypeId"],
            );
        }
        if errors.is_empty() { Ok(()) } else { fail(self.invalid_message("Instance", &errors)) }
    }

    pub(super) fn invalid_message(&self, what: &str, errors: &[String]) -> String {
        format!(
            "Mapped {what} is invalid: {}, by jobExecutionId: '{}' and recordId: '{}' and chunkId: '{}' ",
            bracketed_list(errors),
            self.job,
            self.id,
            self.chunk
        )
    }
}

fn restore_members(document: &mut Map<String, Value>, stored: &Value, members: &[&str]) {
    for member in members {
        match stored.get(*member) {
            Some(value) => document.insert((*member).to_owned(), value.clone()),
            None => document.remove(*member),
        };
    }
}
