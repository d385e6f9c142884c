use serde_json::Value;
use uuid::Uuid;

use super::progress::Progress;
use super::title::logged_title;
use crate::journal::{Action, Entity, JournalEntry};
use crate::plan::{Act, Kind};

impl Progress {
    pub(super) fn new_entry(&self, entity: Entity, action: Action) -> JournalEntry {
        let mut entry = JournalEntry::new(self.id, self.order, entity, action);
        entry.title = self.title();
        entry
    }

    pub(super) fn log(&mut self, entity: Entity, action: Action) {
        let entry = self.new_entry(entity, action);
        self.journal.push(entry);
    }

    /// Logs an action on an inventory record.
    pub(super) fn log_document(&mut self, entity: Entity, action: Action, document: &Value) {
        let id = |name: &str| document[name].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let mut entry = self.new_entry(entity, action);
        entry.entity_id = id("id");
        entry.entity_hrid = document["hrid"].as_str().map(str::to_owned);
        match entity {
            Entity::Holdings => {
                entry.instance = id("instanceId");
                entry.permanent_location = id("permanentLocationId");
            }
            Entity::Item => {
                entry.holdings = id("holdingsRecordId");
                entry.instance = self.instance_of_item(entry.holdings);
            }
            _ => {}
        }
        self.journal.push(entry);
    }

    fn instance_of_item(&self, holdings: Option<Uuid>) -> Option<Uuid> {
        let read = |value: &Value| value.as_str().and_then(|id| Uuid::parse_str(id).ok());
        if let Some(instance) = &self.instance {
            return read(&instance["id"]);
        }
        let mut all = self.holdings.iter().flatten();
        all.find(|one| read(&one["id"]) == holdings).and_then(|one| read(&one["instanceId"]))
    }

    /// Logs an action on the MARC record.
    pub(super) fn log_marc(&mut self, entity: Entity, action: Action, matched: Uuid) {
        let mut entry = self.new_entry(entity, action);
        entry.entity_id = Some(matched);
        self.journal.push(entry);
    }

    pub(super) fn log_error(&mut self, entity: Entity, action: Action, error: &str) -> &mut JournalEntry {
        let mut entry = self.new_entry(entity, action);
        entry.error = Some(error.to_owned());
        self.journal.push(entry);
        let last = self.journal.len() - 1;
        &mut self.journal[last]
    }

    pub(super) fn log_failure(&mut self, kind: &Kind, why: &str) {
        let (entity, action) = match kind {
            Kind::Match { matching, .. } => (matching.shape.entity, Action::NonMatch),
            Kind::Act(act) => act.entity_and_action(),
        };
        self.log_error(entity, action, why);
        let from_marc = matches!(kind, Kind::Act(act) if matches!(**act, Act::CreateFromMarc(_)));
        let with_related = matches!(kind, Kind::Match { .. }) || entity == Entity::Instance;
        if from_marc {
            self.log_error(self.format.marc_entity(), action, why);
        } else if let Some(related) = related_entity(entity).filter(|_| with_related) {
            self.log_error(related, action, why);
        }
    }

    pub(super) fn log_match(&mut self, entity: Entity, action: Action) {
        self.log(entity, action);
        if let Some(related) = related_entity(entity) {
            self.log(related, action);
        }
    }

    /// Logs a match of bibliographic or authority records, which is only logged if no action follows it.
    pub(super) fn log_last_match(&mut self, kind: &Kind) {
        let Kind::Match { matching, .. } = kind else {
            return;
        };
        let entity = matching.shape.entity;
        let told_last =
            matches!(entity, Entity::MarcBibliographic | Entity::MarcAuthority | Entity::Authority);
        let told = self
            .journal
            .iter()
            .any(|entry| entry.entity == entity && matches!(entry.action, Action::NonMatch | Action::Match));
        if told_last && !told {
            self.log_match(entity, Action::Match);
        }
    }

    fn title(&self) -> Option<String> {
        let title = self.instance.as_ref().and_then(|instance| instance["title"].as_str());
        title.map(str::to_owned).or_else(|| logged_title(self.format, Some(&self.record)))
    }
}

/// The entity of the described record for a MARC record, and that of the MARC record for a described record.
fn related_entity(entity: Entity) -> Option<Entity> {
    match entity {
        Entity::Instance => Some(Entity::MarcBibliographic),
        Entity::MarcBibliographic => Some(Entity::Instance),
        Entity::Authority => Some(Entity::MarcAuthority),
        Entity::MarcAuthority => Some(Entity::Authority),
        _ => None,
    }
}
