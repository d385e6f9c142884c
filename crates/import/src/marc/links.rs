//! Links of bibliographic fields to authorities, and which of them remain after an overlay.

use std::cell::RefCell;
use std::collections::BTreeSet;

use octavo_marc::{Field, Subfield};

use super::edit::subfields;
use super::single::is_single;

/// If the two records together have more fields, fields are matched without regard to the authorities that they name.
const MAX_COMPARED_FIELDS: usize = 2_000;

/// A link of a stored field to an authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The linking rule by which the field is linked.
    pub rule: i64,
    /// The tag of the field.
    pub tag: String,
    pub authority: String,
    /// The number of the authority, which $0 of the field ends with. Empty if the authority has none.
    pub natural_id: String,
    /// Codes of the subfields that the authority rules.
    pub controlled: Vec<char>,
}

pub(super) struct Linking<'a> {
    links: &'a [Link],
    linkable: &'a [String],
    kept: RefCell<BTreeSet<usize>>,
}

impl<'a> Linking<'a> {
    pub(super) fn new(links: &'a [Link], linkable: &'a [String]) -> Linking<'a> {
        Linking { links, linkable, kept: RefCell::default() }
    }

    pub(super) fn kept_positions(&self) -> Vec<usize> {
        self.kept.borrow().iter().copied().collect()
    }

    fn link_position(&self, field: &Field) -> Option<usize> {
        let value =
            |code| subfields(field).iter().find(|subfield| subfield.code == code).map(|found| &found.value);
        self.links.iter().position(|link| {
            link.tag == field.tag()
                && (value('9').is_some_and(|id| id.eq_ignore_ascii_case(&link.authority))
                    || value('0').is_some_and(|number| ends_with(number, &link.natural_id)))
        })
    }

    /// Notes that the link of this field remains.
    pub(super) fn keep_link_of(&self, field: &Field) {
        self.kept.borrow_mut().extend(self.link_position(field));
    }

    /// Whether $0 names the authority of a link that stays; none names an authority without a number.
    pub(super) fn has_kept_link(&self, field: &Field) -> bool {
        let kept = self.kept.borrow();
        let number = authority_number(field);
        kept.iter().filter_map(|place| self.links.get(*place)).any(|link| {
            link.tag == field.tag() && number.is_some_and(|number| ends_with(number, &link.natural_id))
        })
    }

    /// Whether an incoming field is the counterpart of a stored one: both name the same authority, or no other field names the authority of
    /// either.
    pub(super) fn is_counterpart(
        &self,
        incoming: &[Field],
        stored: &[Field],
        field: &Field,
        there: &Field,
    ) -> bool {
        let many = incoming.len() + stored.len() > MAX_COMPARED_FIELDS;
        if self.links.is_empty() || many || is_single(field) {
            return true;
        }
        let numbers: Vec<&str> = authority_numbers(field).collect();
        let known = authority_number(there);
        if known.map_or(numbers.is_empty(), |known| numbers.contains(&known)) {
            return true;
        }
        let elsewhere = stored.iter().filter(|other| other.tag() == field.tag());
        let incoming_elsewhere =
            elsewhere.filter_map(authority_number).any(|number| numbers.contains(&number));
        let Some(known) = known else {
            return !incoming_elsewhere;
        };
        let others = incoming.iter().filter(|other| other.tag() == there.tag());
        let stored_elsewhere = others.filter_map(authority_number).any(|number| number == known);
        !(incoming_elsewhere || stored_elsewhere)
    }

    /// The link of the stored field, if the incoming field names the same authority.
    fn shared_link(&self, there: &Field, field: &Field) -> Option<&'a Link> {
        let place = self.link_position(there)?;
        let link = self.links.get(place)?;
        let known = authority_number(there)?;
        let same =
            authority_numbers(field).any(|number| number == known && number.ends_with(&link.natural_id));
        if same {
            self.kept.borrow_mut().insert(place);
        }
        same.then_some(link)
    }

    /// Call this before an incoming field replaces a stored one. If both name the same authority, the incoming field gets the subfields
    /// that the authority controls from the stored one.
    pub(super) fn merge(&self, there: &Field, field: &mut Field) {
        let Some(link) = self.shared_link(there, field) else {
            self.clear_ninths(field);
            return;
        };
        let ruled = |code: char| matches!(code, '0' | '9') || link.controlled.contains(&code);
        let stored = subfields(there).iter().filter(|subfield| ruled(subfield.code)).cloned();
        let own: Vec<Subfield> =
            subfields(field).iter().filter(|subfield| !ruled(subfield.code)).cloned().collect();
        let mut merged: Vec<Subfield> = stored.chain(own).collect();
        sort_subfields(&mut merged);
        if let Field::Data { subfields, .. } = field {
            *subfields = merged;
        }
    }

    /// Replaces the subfields with a code in a stored field by those of an incoming field. Returns false if an authority controls it.
    pub(super) fn overlay_subfields(&self, there: &mut Field, field: &mut Field, code: char) -> bool {
        // Only $0 can change the link of the field.
        let link = if code == '0' { self.shared_link(there, field) } else { self.own_link(there) };
        if let Some(link) = link {
            if matches!(code, '0' | '9') || link.controlled.contains(&code) {
                return false;
            }
        } else if self.linkable.iter().any(|tag| tag == field.tag()) {
            self.clear_ninths(there);
            self.clear_ninths(field);
            if code == '9' {
                return true;
            }
        }
        let new: Vec<Subfield> =
            subfields(field).iter().filter(|subfield| subfield.code == code).cloned().collect();
        if let Field::Data { subfields, .. } = there {
            let place =
                subfields.iter().position(|subfield| subfield.code == code).unwrap_or(subfields.len());
            subfields.retain(|subfield| subfield.code != code);
            let place = place.min(subfields.len());
            subfields.splice(place..place, new);
            sort_subfields(subfields);
        }
        true
    }

    fn own_link(&self, there: &Field) -> Option<&'a Link> {
        let place = self.link_position(there)?;
        let link = self.links.get(place)?;
        authority_number(there).filter(|number| number.ends_with(&link.natural_id))?;
        self.kept.borrow_mut().insert(place);
        Some(link)
    }

    /// Removes $9 of a field that can be linked, unless the tenant has the link: otherwise the id is that of another system.
    pub(super) fn clear_unlinked_ninths(&self, field: &mut Field) {
        if self.link_position(field).is_none() {
            self.clear_ninths(field);
        }
    }

    pub(super) fn clear_ninths(&self, field: &mut Field) {
        if let Field::Data { tag, subfields, .. } = field
            && self.linkable.iter().any(|linkable| linkable == tag)
        {
            subfields.retain(|subfield| subfield.code != '9');
        }
    }
}

/// Letters before digits.
fn sort_subfields(subfields: &mut [Subfield]) {
    subfields.sort_by_key(|subfield| (subfield.code.is_ascii_digit(), subfield.code));
}

fn authority_numbers(field: &Field) -> impl Iterator<Item = &str> {
    subfields(field).iter().filter(|subfield| subfield.code == '0').map(|subfield| subfield.value.as_str())
}

fn authority_number(field: &Field) -> Option<&str> {
    authority_numbers(field).next()
}

fn ends_with(text: &str, end: &str) -> bool {
    let from = text.len().checked_sub(end.len());
    !end.is_empty()
        && from.and_then(|from| text.get(from..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}
