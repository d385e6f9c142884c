//! Restricts a match to the records that earlier matches have found.

use serde_json::Value;
use uuid::Uuid;

use super::progress::Progress;
use crate::journal::Entity;
use crate::matching::Within;

impl Progress {
    pub(super) fn match_scope(&self, entity: Entity) -> Within {
        if let Some((of, ids)) = &self.candidates {
            match (entity, of) {
                (entity, of) if entity == *of => return Within::Ids(ids.clone()),
                (Entity::MarcBibliographic, Entity::Instance) => return Within::Ids(ids.clone()),
                (Entity::Holdings, Entity::Instance) => return Within::Instances(ids.clone()),
                (Entity::Item, Entity::Holdings) => return Within::Holdings(ids.clone()),
                _ => {}
            }
        }
        match entity {
            Entity::Instance => scope_or_any(self.instance.iter(), Within::Ids),
            Entity::Authority => scope_or_any(self.authority.iter(), Within::Ids),
            Entity::Holdings => match ids(self.holdings.iter().flatten()) {
                holdings if holdings.is_empty() => scope_or_any(self.instance.iter(), Within::Instances),
                holdings => Within::Ids(holdings),
            },
            Entity::Item => match ids(self.items.iter().flatten()) {
                items if items.is_empty() => scope_or_any(self.holdings.iter().flatten(), Within::Holdings),
                items => Within::Ids(items),
            },
            entity if entity.is_marc() => {
                let described = self.marc.as_ref().and_then(|marc| marc.describes);
                described.map_or(Within::Any, |id| Within::Ids(vec![id]))
            }
            _ => Within::Any,
        }
    }
}

fn ids<'a, T: AsRef<Value> + 'a>(records: impl Iterator<Item = &'a T>) -> Vec<Uuid> {
    let ids = records.filter_map(|record| record.as_ref()["id"].as_str());
    ids.filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

fn scope_or_any<'a, T: AsRef<Value> + 'a>(
    records: impl Iterator<Item = &'a T>,
    within: fn(Vec<Uuid>) -> Within,
) -> Within {
    match ids(records) {
        ids if ids.is_empty() => Within::Any,
        ids => within(ids),
    }
}
