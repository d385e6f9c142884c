//! Overlays a stored record with an incoming one: the incoming fields replace the stored fields that are not protected.

use octavo_marc::{Field, Record};

use super::edit::{add_control, add_data, is_control_tag};
use super::links::{Link, Linking};
use super::pattern::{ANY, Pattern};
use super::protection::{Protection, is_protected};
use super::single::is_single;

/// What restricts an overlay.
pub(crate) struct Overlay<'a> {
    pub(crate) protections: Vec<&'a Protection>,
    /// Links of the stored record to authorities.
    pub(crate) links: &'a [Link],
    /// Tags of fields that can be linked.
    pub(crate) linkable: &'a [String],
}

/// Overlays the whole record. Returns the new record and the positions, in `links`, of the links that remain.
pub(crate) fn overlay(incoming: &Record, stored: &Record, by: &Overlay<'_>) -> (Record, Vec<usize>) {
    let mut laying = Overlaying::new(incoming, stored, by);
    laying.record.leader = incoming.leader.clone();
    for field in &incoming.fields {
        if is_control_tag(field.tag()) {
            laying.overlay_control(field);
        } else if let Field::Data { tag, indicators, .. } = field {
            laying.overlay_data(field, &Pattern { tag: tag.clone(), indicators: *indicators, code: ANY });
        }
    }
    laying.remove_leftovers();
    laying.finish()
}

/// Overlays only the selected fields; stored fields that the incoming record does not have remain.
pub(crate) fn overlay_selected(
    incoming: &Record,
    stored: &Record,
    selected: &[Pattern],
    by: &Overlay<'_>,
) -> (Record, Vec<usize>) {
    let mut laying = Overlaying::new(incoming, stored, by);
    let mut taken: Vec<bool> = vec![false; incoming.fields.len()];
    for pattern in selected {
        if is_control_tag(&pattern.tag) {
            if let Some(field) = incoming.fields.iter().find(|field| field.tag() == pattern.tag) {
                laying.overlay_control(field);
            }
            continue;
        }
        for (place, field) in incoming.fields.iter().enumerate().filter(|(_, field)| pattern.matches(field)) {
            if let Field::Data { tag, indicators, .. } = field {
                laying.overlay_data(
                    field,
                    &Pattern { tag: tag.clone(), indicators: *indicators, code: pattern.code },
                );
                taken[place] = true;
                if is_single(field) {
                    break;
                }
            }
        }
    }
    for (field, _) in incoming.fields.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        laying.linking.keep_link_of(field);
    }
    laying.finish()
}

struct Overlaying<'a> {
    incoming: &'a Record,
    by: &'a Overlay<'a>,
    linking: Linking<'a>,
    record: Record,
    /// The data fields that come from the incoming record, or that have taken subfields from it.
    updated: Vec<Field>,
    /// The last incoming data field that replaced stored fields. Its counterparts that follow with the same pattern are only added.
    previous: Option<Field>,
}

impl<'a> Overlaying<'a> {
    fn new(incoming: &'a Record, stored: &Record, by: &'a Overlay<'a>) -> Overlaying<'a> {
        let linking = Linking::new(by.links, by.linkable);
        Overlaying { incoming, by, linking, record: stored.clone(), updated: Vec::new(), previous: None }
    }

    fn finish(self) -> (Record, Vec<usize>) {
        (self.record, self.linking.kept_positions())
    }

    fn is_protected(&self, field: &Field) -> bool {
        is_protected(&self.by.protections, field)
    }

    fn overlay_control(&mut self, field: &Field) {
        let Field::Control { tag, value } = field else {
            return;
        };
        for place in 0..self.record.fields.len() {
            let there = &self.record.fields[place];
            if there.tag() != tag {
                continue;
            }
            if is_single(there) {
                if !self.is_protected(there) {
                    self.record.fields[place] = field.clone();
                }
                return;
            }
            if there == field {
                return;
            }
        }
        add_control(&mut self.record, tag, value);
    }

    fn overlay_data(&mut self, field: &Field, pattern: &Pattern) {
        let mut field = field.clone();
        let follows = self.previous.as_ref().is_some_and(|before| {
            pattern.matches(before)
                && self.linking.is_counterpart(&self.incoming.fields, &self.record.fields, &field, before)
        });
        let mut added = true;
        if follows {
            self.linking.clear_ninths(&mut field);
        } else {
            self.previous = Some(field.clone());
            added = self.replace(&mut field, pattern);
        }
        if added && !self.record.fields.contains(&field) {
            self.linking.clear_unlinked_ninths(&mut field);
            self.updated.push(field.clone());
            add_data(&mut self.record, field);
        }
    }

    /// Removes the stored fields that the field replaces, or replaces their subfields. Returns whether the field itself is to be added.
    fn replace(&mut self, field: &mut Field, pattern: &Pattern) -> bool {
        let mut added = true;
        let mut away = Vec::new();
        // A field that cannot be repeated is not added if the stored one is protected, whatever its indicators are.
        let single = is_single(field);
        for place in 0..self.record.fields.len() {
            let there = &self.record.fields[place];
            let concerned = pattern.matches(there)
                && self.linking.is_counterpart(&self.incoming.fields, &self.record.fields, field, there);
            let blocks = single && pattern.code == ANY && there.tag() == field.tag() && is_single(there);
            if !concerned && !blocks {
                continue;
            }
            if self.is_protected(there) {
                added = added && !is_single(there);
                self.linking.keep_link_of(there);
                continue;
            }
            if !concerned {
                continue;
            }
            if pattern.code == ANY {
                self.linking.merge(there, field);
                if !self.updated.contains(there) {
                    away.push(place);
                }
            } else {
                let mut there = there.clone();
                if self.linking.overlay_subfields(&mut there, field, pattern.code) {
                    self.updated.push(there.clone());
                    self.record.fields[place] = there;
                }
                added = false;
            }
        }
        for place in away.into_iter().rev() {
            self.record.fields.remove(place);
        }
        added
    }

    /// Removes the fields that are neither in the incoming record nor protected nor linked.
    fn remove_leftovers(&mut self) {
        let fields = std::mem::take(&mut self.record.fields);
        let kept = fields.into_iter().filter(|field| {
            let came = if is_control_tag(field.tag()) {
                self.incoming.fields.contains(field)
            } else {
                self.updated.contains(field) || self.linking.has_kept_link(field)
            };
            came || is_protected(&self.by.protections, field)
        });
        self.record.fields = kept.collect();
        let remaining: Vec<Field> = self.record.fields.clone();
        for field in &remaining {
            self.linking.keep_link_of(field);
        }
    }
}
