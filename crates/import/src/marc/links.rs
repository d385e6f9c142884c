//! Links of bibliographic fields to authorities, and what an overlay leaves of them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use octavo_marc::{Field, Subfield};

use super::edit::subfields;
use super::single::is_single;

/// Fields of both records beyond which fields are not told apart by the authorities that they name.
const MOST_LINKED: usize = 2_000;

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

    pub(super) fn kept(&self) -> Vec<usize> {
        self.kept.borrow().iter().copied().collect()
    }

    fn of(&self, field: &Field) -> Option<usize> {
        let value =
            |code| subfields(field).iter().find(|subfield| subfield.code == code).map(|found| &found.value);
        self.links.iter().position(|link| {
            link.tag == field.tag()
                && (value('9').is_some_and(|id| id.eq_ignore_ascii_case(&link.authority))
                    || value('0').is_some_and(|number| ends_with(number, &link.natural_id)))
        })
    }

    /// Notes that the link of a field stays.
    pub(super) fn keep(&self, field: &Field) {
        self.kept.borrow_mut().extend(self.of(field));
    }

    /// Whether $0 names the authority of a link that stays; none names an authority without a number.
    pub(super) fn is_kept(&self, field: &Field) -> bool {
        let kept = self.kept.borrow();
        let number = number(field);
        kept.iter().filter_map(|place| self.links.get(*place)).any(|link| {
            link.tag == field.tag() && number.is_some_and(|number| ends_with(number, &link.natural_id))
        })
    }

    /// Whether an incoming field stands for a stored one: they name the same authority, or none of them one that others
    /// name.
    pub(super) fn belongs(&self, incoming: &[Field], stored: &[Field], field: &Field, there: &Field) -> bool {
        let many = incoming.len() + stored.len() > MOST_LINKED;
        if self.links.is_empty() || many || is_single(field) {
            return true;
        }
        let numbers: Vec<&str> = numbers(field).collect();
        let known = number(there);
        if known.map_or(numbers.is_empty(), |known| numbers.contains(&known)) {
            return true;
        }
        let elsewhere = stored.iter().filter(|other| other.tag() == field.tag());
        let incoming_elsewhere = elsewhere.filter_map(number).any(|number| numbers.contains(&number));
        let Some(known) = known else {
            return !incoming_elsewhere;
        };
        let others = incoming.iter().filter(|other| other.tag() == there.tag());
        let stored_elsewhere = others.filter_map(number).any(|number| number == known);
        !(incoming_elsewhere || stored_elsewhere)
    }

    /// The link of the stored field, if the incoming field names the same authority.
    fn shared(&self, there: &Field, field: &Field) -> Option<&'a Link> {
        let place = self.of(there)?;
        let link = self.links.get(place)?;
        let known = number(there)?;
        let same = numbers(field).any(|number| number == known && number.ends_with(&link.natural_id));
        if same {
            self.kept.borrow_mut().insert(place);
        }
        same.then_some(link)
    }

    /// Before a field replaces a stored one that names the same authority: it takes over the subfields that the authority
    /// rules.
    pub(super) fn merge(&self, there: &Field, field: &mut Field) {
        let Some(link) = self.shared(there, field) else {
            self.clear_ninths(field);
            return;
        };
        let ruled = |code: char| matches!(code, '0' | '9') || link.controlled.contains(&code);
        let stored = subfields(there).iter().filter(|subfield| ruled(subfield.code)).cloned();
        let own: Vec<Subfield> =
            subfields(field).iter().filter(|subfield| !ruled(subfield.code)).cloned().collect();
        let mut merged: Vec<Subfield> = stored.chain(own).collect();
        sort(&mut merged);
        if let Field::Data { subfields, .. } = field {
            *subfields = merged;
        }
    }

    /// Lays the subfields with a code over those of a stored field; whether anything was laid.
    pub(super) fn lay(&self, there: &mut Field, field: &mut Field, code: char) -> bool {
        // A subfield that is not $0 leaves the link as it is.
        let link = if code == '0' { self.shared(there, field) } else { self.own(there) };
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
            sort(subfields);
        }
        true
    }

    fn own(&self, there: &Field) -> Option<&'a Link> {
        let place = self.of(there)?;
        let link = self.links.get(place)?;
        number(there).filter(|number| number.ends_with(&link.natural_id))?;
        self.kept.borrow_mut().insert(place);
        Some(link)
    }

    /// $9 of a field that can be linked says nothing unless the tenant has the link.
    pub(super) fn clear_new(&self, field: &mut Field) {
        if self.of(field).is_none() {
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
fn sort(subfields: &mut [Subfield]) {
    subfields.sort_by_key(|subfield| (subfield.code.is_ascii_digit(), subfield.code));
}

fn numbers(field: &Field) -> impl Iterator<Item = &str> {
    subfields(field).iter().filter(|subfield| subfield.code == '0').map(|subfield| subfield.value.as_str())
}

fn number(field: &Field) -> Option<&str> {
    numbers(field).next()
}

fn ends_with(text: &str, end: &str) -> bool {
    let from = text.len().checked_sub(end.len());
    !end.is_empty()
        && from.and_then(|from| text.get(from..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}
