//! Holdings made and changed by a bibliographic record.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::document::{id_of, invalid_id_errors, object, required_id, text};
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::World;
use crate::journal::{Action, Entity};
use crate::mapping::{Mapping, apply, apply_each};

const ID_MEMBERS: [&str; 7] = [
    "permanentLocationId",
    "temporaryLocationId",
    "holdingsTypeId",
    "illPolicyId",
    "callNumberTypeId",
    "statisticalCodeIds",
    "instanceId",
];

impl Progress {
    /// Creates one holdings record for each location that the fields name.
    pub(super) fn create_holdings(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        let tag = mapping.split_tag();
        let made = apply_each(mapping, &self.record, tag, world.mapping_input(&self.record));
        let locations = made.iter().map(|one| text(one, "permanentLocationId").map(str::to_owned)).collect();
        let mut holdings: Vec<Map<String, Value>> = Vec::new();
        for one in made {
            let location = text(&one, "permanentLocationId");
            if !holdings.iter().any(|there| text(there, "permanentLocationId") == location) {
                holdings.push(one);
            }
        }
        let instance =
            self.instance.as_ref().and_then(|instance| id_of(instance)).or_else(|| self.described_id());
        let mut valid: Vec<(usize, Map<String, Value>)> = Vec::new();
        let mut errors: Vec<String> = Vec::new();
        for (place, mut one) in holdings.into_iter().enumerate() {
            if text(&one, "instanceId").is_none() {
                let Some(instance) = instance else {
                    return fail("Failed to extract instanceId from instance entity or parsed record");
                };
                one.insert("instanceId".to_owned(), Value::String(instance.to_string()));
            }
            match holdings_error(&one) {
                None => valid.push((place, one)),
                Some(error) => errors.push(error),
            }
        }
        if valid.is_empty() {
            return fail(errors.join("; "));
        }
        let hrids = self.ask_hrids(Entity::Holdings, valid.len())?;
        let before = self.writes.count_created(Entity::Holdings);
        let mut created = Vec::new();
        for ((place, mut one), hrid) in valid.into_iter().zip(hrids) {
            let id = self.new_record_id(Entity::Holdings, before, place);
            one.insert("id".to_owned(), Value::String(id.to_string()));
            one.insert("hrid".to_owned(), Value::String(hrid));
            one.insert("sourceId".to_owned(), Value::String(world.holdings_sources[0].clone()));
            let one = Value::Object(one);
            self.writes.create(Entity::Holdings, id, one.clone());
            self.log_document(Entity::Holdings, Action::Create, &one);
            created.push(Arc::new(one));
        }
        for error in errors {
            self.log_error(Entity::Holdings, Action::Create, &error);
        }
        self.split_tag = tag.map(str::to_owned);
        self.split_locations = locations;
        self.holdings = Some(created);
        Ok(())
    }

    pub(super) fn update_holdings(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        let matched = self.holdings.clone().unwrap_or_default();
        if matched.is_empty() {
            return fail(
                "Can`t update Holding entity: context or Holding-entity are empty or doesn`t exist!",
            );
        }
        let mut errors: Vec<(Option<uuid::Uuid>, String)> = Vec::new();
        let mut updated = Vec::new();
        for stored in &matched {
            let id = required_id(stored)?;
            let mut changed = object(stored);
            apply(mapping, world.mapping_input(&self.record), &mut changed);
            match holdings_error(&changed) {
                None => updated.push((id, Arc::clone(stored), Value::Object(changed))),
                Some(error) => errors.push((Some(id), error)),
            }
        }
        if updated.is_empty() {
            return fail(errors.into_iter().map(|(_, error)| error).collect::<Vec<_>>().join("; "));
        }
        let mut changed = Vec::new();
        for (id, stored, document) in updated {
            self.writes.update(Entity::Holdings, id, &stored, document.clone());
            self.log_document(Entity::Holdings, Action::Update, &document);
            changed.push(Arc::new(document));
        }
        for (id, error) in errors {
            self.log_error(Entity::Holdings, Action::Update, &error).entity_id = id;
        }
        let location = |one: &Arc<Value>| one["permanentLocationId"].as_str().map(str::to_owned);
        self.split_locations = changed.iter().map(location).collect();
        self.holdings = Some(changed);
        Ok(())
    }
}

fn holdings_error(holdings: &Map<String, Value>) -> Option<String> {
    if text(holdings, "permanentLocationId").is_none() {
        return Some("Can`t create Holding entity: 'permanentLocationId' is empty".to_owned());
    }
    let errors = invalid_id_errors(holdings, &ID_MEMBERS);
    (!errors.is_empty()).then(|| errors.join(", "))
}
