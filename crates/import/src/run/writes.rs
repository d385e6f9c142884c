use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use crate::journal::Entity;
use crate::outcome::{MarcWrite, Write};

/// What is to be stored. If two profiles write the same record, the later one replaces what the earlier one has planned.
#[derive(Debug, Clone, Default)]
pub(super) struct Writes(Vec<Write>);

impl Writes {
    pub(super) fn into_list(self) -> Vec<Write> {
        self.0
    }

    /// The documents of all records of a kind that are created or changed.
    pub(super) fn documents(&self, wanted: Entity) -> impl Iterator<Item = (Uuid, &Value)> {
        self.0.iter().filter_map(move |write| match write {
            Write::Create { entity, id, document } | Write::Update { entity, id, document, .. } => {
                (*entity == wanted).then_some((*id, document))
            }
            _ => None,
        })
    }

    /// The number of records of a kind that are created.
    pub(super) fn count_created(&self, wanted: Entity) -> usize {
        self.0
            .iter()
            .filter(|write| matches!(write, Write::Create { entity, .. } if *entity == wanted))
            .count()
    }

    pub(super) fn create(&mut self, entity: Entity, id: Uuid, document: Value) {
        self.0.push(Write::Create { entity, id, document });
    }

    pub(super) fn update(&mut self, entity: Entity, id: Uuid, before: &Arc<Value>, changed: Value) {
        let there = self.0.iter_mut().find_map(|write| match write {
            Write::Create { entity: of, id: there, document }
            | Write::Update { entity: of, id: there, document, .. }
                if *of == entity && *there == id =>
            {
                Some(document)
            }
            _ => None,
        });
        match there {
            Some(document) => *document = changed,
            None => {
                let before = Value::clone(before);
                self.0.push(Write::Update { entity, id, before, document: changed });
            }
        }
    }

    pub(super) fn delete(&mut self, entity: Entity, id: Uuid) {
        self.0.push(Write::Delete { entity, id });
    }

    pub(super) fn set_titles(&mut self, of: Uuid, preceding: Vec<Value>, succeeding: Vec<Value>) {
        self.0.retain(|write| !matches!(write, Write::Titles { instance, .. } if *instance == of));
        self.0.push(Write::Titles { instance: of, preceding, succeeding });
    }

    pub(super) fn set_marc(&mut self, mut marc: MarcWrite) {
        let place = self
            .0
            .iter()
            .position(|write| matches!(write, Write::Marc(there) if there.matched == marc.matched));
        match place.map(|place| &mut self.0[place]) {
            Some(Write::Marc(there)) => {
                marc.generation = there.generation;
                marc.before = there.before.take();
                **there = marc;
            }
            _ => self.0.push(Write::Marc(Box::new(marc))),
        }
    }

    pub(super) fn keep_links(&mut self, of: Uuid, links: Vec<crate::marc::Link>) {
        self.0.retain(|write| !matches!(write, Write::KeepLinks { instance, .. } if *instance == of));
        self.0.push(Write::KeepLinks { instance: of, links });
    }
}
