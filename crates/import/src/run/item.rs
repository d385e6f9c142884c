//! Items made and changed.

use std::sync::Arc;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::barcodes::barcode_taken_message;
use super::document::{invalid_id_errors, missing_field_errors, object, required_id, text};
use super::item_shape::{
    ID_MEMBERS, REQUIRED, STATUSES, keep_protected_status, to_mapping_form, to_stored_form,
};
use super::progress::Progress;
use super::stop::{StepResult, fail};
use super::world::World;
use crate::journal::{Action, Entity};
use crate::mapping::{Mapping, apply, apply_each};
use crate::need::Need;

impl Progress {
    /// Creates one item for each of the fields that the holdings were made of, under the holdings record with its location.
    pub(super) fn create_items(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        let made =
            apply_each(mapping, &self.record, self.split_tag.as_deref(), world.mapping_input(&self.record));
        let Some(holdings) = self.holdings.clone().filter(|holdings| !holdings.is_empty()) else {
            return fail("Failed to extract holdingsRecord from payload");
        };
        let before = self.writes.count_created(Entity::Item);
        let mut valid = Vec::new();
        let mut errors: Vec<(Option<Uuid>, String)> = Vec::new();
        for (place, mut item) in made.into_iter().enumerate() {
            if text(&item, "holdingsRecordId").is_none() {
                let location = self.split_locations.get(place).cloned().flatten();
                let Some(holdings) = holdings_at(&holdings, location.as_deref()) else {
                    continue;
                };
                item.insert("holdingsRecordId".to_owned(), Value::String(holdings.to_owned()));
            }
            let holdings = text(&item, "holdingsRecordId").and_then(|id| Uuid::parse_str(id).ok());
            match self.finish_item(&mut item, &format!("{before}/{place}"), None, world) {
                Ok(()) => valid.push((place, holdings, item)),
                Err(error) => errors.push((holdings, error)),
            }
        }
        if valid.is_empty() && errors.is_empty() {
            return fail("None of the items belongs to holdings of this import");
        }
        let listed: Vec<_> = valid.iter().map(|(_, _, item)| (None, item)).collect();
        let doubled = self.barcodes_taken(&listed)?;
        let mut free = Vec::new();
        for ((place, holdings, item), doubled) in valid.into_iter().zip(doubled) {
            if doubled {
                errors.push((holdings, barcode_taken_message(&item)));
            } else {
                free.push((place, item));
            }
        }
        if free.is_empty() {
            return fail(join_errors(&errors));
        }
        let hrids = self.ask_hrids(Entity::Item, free.len())?;
        let mut created = Vec::new();
        for ((place, mut item), hrid) in free.into_iter().zip(hrids) {
            let id = self.new_record_id(Entity::Item, before, place);
            item.insert("id".to_owned(), Value::String(id.to_string()));
            item.insert("hrid".to_owned(), Value::String(hrid));
            let item = Value::Object(item);
            self.writes.create(Entity::Item, id, item.clone());
            self.log_document(Entity::Item, Action::Create, &item);
            created.push(Arc::new(item));
        }
        for (holdings, error) in errors {
            self.log_error(Entity::Item, Action::Create, &error).holdings = holdings;
        }
        self.items = Some(created);
        self.split_tag = None;
        self.split_locations.clear();
        Ok(())
    }

    pub(super) fn update_items(&mut self, mapping: &Mapping, world: &World<'_>) -> StepResult<()> {
        let matched = self.items.clone().unwrap_or_default();
        if matched.is_empty() {
            return fail(
                "Failed to handle event payload, cause event payload context does not contain MARC_BIBLIOGRAPHIC data or ITEM to update",
            );
        }
        let mut valid = Vec::new();
        let mut errors: Vec<(Option<Uuid>, String)> = Vec::new();
        for stored in &matched {
            let id = required_id(stored)?;
            let mut item = to_mapping_form(object(stored));
            apply(mapping, world.mapping_input(&self.record), &mut item);
            match self.finish_item(&mut item, &id.to_string(), Some(stored), world) {
                Ok(()) => valid.push((id, Arc::clone(stored), item)),
                Err(error) => errors.push((Some(id), error)),
            }
        }
        let listed: Vec<_> = valid.iter().map(|(id, _, item)| (Some(*id), item)).collect();
        let doubled = self.barcodes_taken(&listed)?;
        let mut free = Vec::new();
        for ((id, stored, item), doubled) in valid.into_iter().zip(doubled) {
            if doubled {
                errors.push((Some(id), barcode_taken_message(&item)));
            } else {
                free.push((id, stored, item));
            }
        }
        if free.is_empty() {
            return fail(join_errors(&errors));
        }
        let holdings = self.holdings_of(free.iter().map(|(_, _, item)| item))?;
        self.holdings = Some(holdings).filter(|holdings| !holdings.is_empty());
        let mut updated = Vec::new();
        for (id, stored, mut item) in free {
            if let Some(error) = keep_protected_status(&mut item, &stored) {
                errors.push((Some(id), error));
            }
            let item = Value::Object(item);
            self.writes.update(Entity::Item, id, &stored, item.clone());
            self.log_document(Entity::Item, Action::Update, &item);
            updated.push(Arc::new(item));
        }
        for (id, error) in errors {
            self.log_error(Entity::Item, Action::Update, &error).entity_id = id;
        }
        self.items = Some(updated);
        Ok(())
    }

    /// The holdings that were matched or made so far, and those of the items if a later profile may change them.
    fn holdings_of<'a>(
        &mut self,
        items: impl Iterator<Item = &'a Map<String, Value>>,
    ) -> StepResult<Vec<Arc<Value>>> {
        let mut holdings = self.holdings.clone().unwrap_or_default();
        let mut missing: Vec<Uuid> = Vec::new();
        for id in items.filter_map(|item| text(item, "holdingsRecordId")) {
            let there = holdings.iter().any(|one| one["id"].as_str() == Some(id));
            if let Ok(id) = Uuid::parse_str(id)
                && !there
                && !missing.contains(&id)
            {
                missing.push(id);
            }
        }
        if self.loads_item_holdings && !missing.is_empty() {
            holdings.extend(self.ask_documents(Need::Records { entity: Entity::Holdings, ids: missing })?);
        }
        Ok(holdings)
    }

    /// Turns the mapped members into an item as it is stored. The error has FOLIO's words.
    fn finish_item(
        &self,
        item: &mut Map<String, Value>,
        which: &str,
        stored: Option<&Value>,
        world: &World<'_>,
    ) -> Result<(), String> {
        let mut errors = missing_field_errors(item, &REQUIRED);
        let status =
            item.get("status").and_then(|status| status["name"].as_str()).unwrap_or_default().to_owned();
        if !status.trim().is_empty() && !STATUSES.contains(&status.as_str()) {
            errors.push(format!("Invalid status specified '{status}'"));
        }
        to_stored_form(item);
        errors.extend(invalid_id_errors(item, &ID_MEMBERS));
        if !errors.is_empty() {
            return Err(self.invalid_message("Item", &errors));
        }
        let now = octavo_kernel::folio_time(world.now);
        let before = stored.and_then(|stored| stored["status"]["name"].as_str());
        if before != Some(status.as_str())
            && let Some(Value::Object(there)) = item.get_mut("status")
        {
            there.insert("date".to_owned(), Value::String(now.clone()));
        }
        let notes = item.get_mut("circulationNotes").and_then(Value::as_array_mut);
        for (place, note) in notes.into_iter().flatten().enumerate() {
            if note.is_object() && note["id"].is_null() {
                self.finish_note(note, &format!("{which}/{place}"), &now);
            }
        }
        Ok(())
    }

    fn finish_note(&self, note: &mut Value, which: &str, now: &str) {
        let id = octavo_marc::derived_id(&self.id.to_string(), &format!("note/{which}"));
        note["id"] = Value::String(id.to_string());
        note["date"] = Value::from(now);
        let kind = match note["noteType"].as_str() {
            Some("Check in note") => "Check in",
            Some("Check out note") => "Check out",
            _ => return,
        };
        note["noteType"] = Value::from(kind);
    }
}

/// The id of the holdings record at a location; if there is only one, of that one, whatever its location.
fn holdings_at<'a>(holdings: &'a [Arc<Value>], location: Option<&str>) -> Option<&'a str> {
    let one = match holdings {
        [one] => one,
        several => several
            .iter()
            .find(|one| location.is_some() && one["permanentLocationId"].as_str() == location)?,
    };
    one["id"].as_str()
}

fn join_errors(errors: &[(Option<Uuid>, String)]) -> String {
    errors.iter().map(|(_, error)| error.as_str()).collect::<Vec<_>>().join("; ")
}
