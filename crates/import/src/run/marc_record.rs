//! The MARC record of an import: how it is overlaid, and how it is stored.

use std::sync::Arc;

use octavo_marc::{Field, Record};
use uuid::Uuid;

use super::progress::Progress;
use super::stop::StepResult;
use super::world::World;
use crate::journal::Entity;
use crate::marc::{
    Link, Overlay, Pattern, drop_former_number, give_number, order_by_tags, overlay, overlay_selected,
    set_folio_id, set_number,
};
use crate::need::{Need, StoredMarc};
use crate::outcome::MarcWrite;

impl Progress {
    /// The stored MARC record that describes a record: the one that was matched or made, or else it is asked for.
    pub(super) fn marc_of(&mut self, entity: Entity, id: Uuid) -> StepResult<Option<Arc<StoredMarc>>> {
        match &self.marc {
            Some(marc) if marc.describes == Some(id) => Ok(Some(Arc::clone(marc))),
            _ => Ok(self.ask_marc(Need::MarcOf { entity, id })?.pop()),
        }
    }

    /// The links of an instance to authorities; they are asked for only if a field of the stored record can have one.
    pub(super) fn links_of(
        &mut self,
        stored: &Record,
        instance: Uuid,
        world: &World<'_>,
    ) -> StepResult<Arc<Vec<Link>>> {
        let linked = |field: &Field| {
            let subfields =
                if let Field::Data { subfields, .. } = field { subfields.as_slice() } else { &[] };
            subfields.iter().any(|subfield| subfield.code == '9')
                && world.linkable.iter().any(|tag| tag == field.tag())
        };
        if stored.fields.iter().any(linked) { self.ask_links(instance) } else { Ok(Arc::default()) }
    }

    /// The stored record overlaid with the incoming one, and the positions in `links` of the links that remain.
    pub(super) fn overlay_incoming(
        &self,
        stored: &StoredMarc,
        links: &[Link],
        selected: &[Pattern],
        overridden: &[String],
        world: &World<'_>,
    ) -> (Record, Vec<usize>) {
        let protections =
            world.protections.iter().filter(|setting| !overridden.contains(&setting.id)).collect();
        let linkable = if links.is_empty() { &[] } else { world.linkable };
        let by = Overlay { protections, links, linkable };
        if selected.is_empty() {
            overlay(&self.record, &stored.record, &by)
        } else {
            overlay_selected(&self.record, &stored.record, selected, &by)
        }
    }

    pub(super) fn keep_links(&mut self, instance: Uuid, links: &[Link], kept: &[usize]) {
        if kept.len() < links.len() {
            let left = kept.iter().filter_map(|place| links.get(*place)).cloned().collect();
            self.writes.keep_links(instance, left);
        }
    }

    /// Stores the record as the first generation of a MARC record, its fields in the order of these tags. Returns its matched id.
    pub(super) fn store_new_marc(
        &mut self,
        entity: Entity,
        describes: Uuid,
        number: &str,
        suppressed: bool,
        tags: &[String],
    ) -> Uuid {
        let matched = self.matched_id();
        if entity == Entity::MarcHoldings {
            give_number(&mut self.record, number);
        } else {
            set_number(&mut self.record, number);
        }
        set_folio_id(&mut self.record, 'i', &describes.to_string());
        set_folio_id(&mut self.record, 's', &matched.to_string());
        drop_former_number(&mut self.record, number);
        order_by_tags(&mut self.record, tags);
        self.store_marc(entity, matched, 0, Some(describes), Some(number), suppressed, None);
        matched
    }

    /// The tags of the record in their present order.
    pub(super) fn tags(&self) -> Vec<String> {
        self.record.fields.iter().map(|field| field.tag().to_owned()).collect()
    }

    /// Stores the record as the next generation of a stored one. Returns its matched id.
    pub(super) fn store_changed_marc(
        &mut self,
        entity: Entity,
        stored: &StoredMarc,
        describes: Uuid,
        number: &str,
        suppressed: bool,
    ) -> Uuid {
        set_folio_id(&mut self.record, 'i', &describes.to_string());
        set_folio_id(&mut self.record, 's', &stored.matched.to_string());
        give_number(&mut self.record, number);
        drop_former_number(&mut self.record, number);
        let before = Some(stored.record.clone());
        self.store_marc(
            entity,
            stored.matched,
            stored.generation + 1,
            Some(describes),
            Some(number),
            suppressed,
            before,
        );
        stored.matched
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a generation")]
    pub(super) fn store_marc(
        &mut self,
        entity: Entity,
        matched: Uuid,
        generation: i32,
        describes: Option<Uuid>,
        number: Option<&str>,
        suppressed: bool,
        before: Option<Record>,
    ) {
        let number = number.filter(|number| !number.is_empty()).map(str::to_owned);
        let (id, record) = (self.id, self.record.clone());
        let stored = StoredMarc { id, matched, generation, describes, number, suppressed, record };
        self.marc = Some(Arc::new(stored));
        self.writes.set_marc(MarcWrite {
            entity,
            id,
            matched,
            generation,
            describes,
            number: self.marc.as_ref().and_then(|marc| marc.number.clone()),
            suppressed,
            record: self.record.clone(),
            before,
        });
    }
}
