//! Holdings and authorities made of MARC records of their own.

use std::sync::Arc;

use serde_json::Value;

use super::document::{invalid_id_errors, object, text};
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::{Format, World};
use crate::journal::{Action, Entity};

impl Progress {
    pub(super) fn create_from_marc(&mut self, entity: Entity, world: &World<'_>) -> StepResult<()> {
        match (entity, self.format) {
            (Entity::Holdings, Format::Holdings) => self.create_marc_holdings(world),
            (Entity::Authority, Format::Authority) => self.create_authority(world),
            (Entity::Holdings, _) => fail("Can`t create Holding entity: context is empty or doesn`t exists"),
            _ => fail("Unexpected payload"),
        }
    }

    fn create_marc_holdings(&mut self, world: &World<'_>) -> StepResult<()> {
        let instance = self.instance_by_004()?;
        let Some(hrid) = self.ask_hrids(Entity::Holdings, 1)?.pop() else {
            return fail("Fewer hrids than asked for were given");
        };
        let mapped = world.map_record(Format::Holdings, &self.record)?;
        let mut holdings = object(&mapped.record);
        holdings.insert("instanceId".to_owned(), Value::String(instance));
        if text(&holdings, "permanentLocationId").is_none() {
            return fail("Can`t create Holding entity: 'permanentLocationId' is empty");
        }
        let errors = invalid_id_errors(&holdings, &["permanentLocationId"]);
        if !errors.is_empty() {
            return fail(errors.join(", "));
        }
        let id = self.new_record_id(Entity::Holdings, self.writes.count_created(Entity::Holdings), 0);
        holdings.insert("id".to_owned(), Value::String(id.to_string()));
        holdings.insert("hrid".to_owned(), Value::String(hrid.clone()));
        holdings.insert("sourceId".to_owned(), Value::String(world.holdings_sources[1].clone()));
        let holdings = Value::Object(holdings);
        let tags = self.tags();
        crate::marc::set_change_time(&mut self.record, world.now, world.protections);
        self.writes.create(Entity::Holdings, id, holdings.clone());
        let suppressed = holdings["discoverySuppress"].as_bool() == Some(true);
        let matched = self.store_new_marc(Entity::MarcHoldings, id, &hrid, suppressed, &tags);
        self.log_document(Entity::Holdings, Action::Create, &holdings);
        self.log_marc(Entity::MarcHoldings, Action::Create, matched);
        self.holdings = Some(vec![Arc::new(holdings)]);
        Ok(())
    }

    fn create_authority(&mut self, world: &World<'_>) -> StepResult<()> {
        let mapped = world.map_record(Format::Authority, &self.record)?;
        let mut authority = object(&mapped.record);
        let id = self.described_id().unwrap_or_else(|| self.new_record_id(Entity::Authority, 0, 0));
        authority.insert("id".to_owned(), Value::String(id.to_string()));
        authority.insert("source".to_owned(), Value::from("MARC"));
        let authority = Value::Object(authority);
        // The number of an authority is its own.
        let number = self.record.control_field("001").map(str::trim).unwrap_or_default().to_owned();
        let tags = self.tags();
        crate::marc::set_change_time(&mut self.record, world.now, world.protections);
        self.writes.create(Entity::Authority, id, authority.clone());
        let matched = self.matched_id();
        crate::marc::set_folio_id(&mut self.record, 's', &matched.to_string());
        crate::marc::set_folio_id(&mut self.record, 'i', &id.to_string());
        crate::marc::order_by_tags(&mut self.record, &tags);
        self.store_marc(Entity::MarcAuthority, matched, 0, Some(id), Some(&number), false, None);
        self.log_document(Entity::Authority, Action::Create, &authority);
        self.log_marc(Entity::MarcAuthority, Action::Create, matched);
        self.authority = Some(Arc::new(authority));
        Ok(())
    }
}
