//! Numbers and ids of MARC records: 001 and 003, 005, 035, and 999 ff.

use std::collections::{HashMap, VecDeque};

use octavo_marc::{Field, Record, Subfield};

use super::edit::{add_control, add_data, is_control_tag, is_folio_id_field, remove_tag};
use super::protection::{Protection, is_protected};

/// The number with the code of the organization that gave it, as 035 has it: `(003)001`.
pub fn former_number(number: &str, whose: Option<&str>) -> String {
    match whose.filter(|whose| !whose.trim().is_empty()) {
        Some(whose) => format!("({whose}){number}"),
        None => number.to_owned(),
    }
}

/// Copies the number in 001, with the code of the organization in 003, to 035 $a, and removes 003. 001 stays.
pub fn keep_former_number(record: &mut Record) {
    if let Some(number) = record.control_field("001").filter(|number| !number.is_empty()) {
        let former = former_number(number, record.control_field("003"));
        add_035(record, &former);
    }
    remove_tag(record, "003");
}

/// Puts the hrid into 001, keeps the number that was there in 035 $a, and removes 003.
pub fn give_number(record: &mut Record, number: &str) {
    let had = record.control_field("001").unwrap_or_default().to_owned();
    if had == number {
        drop_former_number(record, number);
    } else {
        if !had.is_empty() {
            let former = former_number(&had, record.control_field("003"));
            add_035(record, &former);
        }
        remove_tag(record, "001");
        if !number.is_empty() {
            add_control(record, "001", number);
        }
    }
    remove_tag(record, "003");
}

/// Puts the number into 001, without a copy of the former number in 035.
pub(crate) fn set_number(record: &mut Record, number: &str) {
    if record.control_field("001") != Some(number) {
        remove_tag(record, "001");
        if !number.is_empty() {
            add_control(record, "001", number);
        }
    }
}

pub(crate) fn add_035(record: &mut Record, number: &str) {
    let wanted = number.trim();
    if record.values("035", 'a').any(|value| !value.is_empty() && value.trim() == wanted) {
        return;
    }
    let subfields = vec![Subfield { code: 'a', value: number.to_owned() }];
    let field = Field::Data { tag: "035".to_owned(), indicators: [' ', ' '], subfields };
    let after = |field: &Field| !is_control_tag(field.tag()) && field.tag() > "035";
    let place = record.fields.iter().position(after).unwrap_or(record.fields.len());
    record.fields.insert(place, field);
}

/// Removes the first 035 whose $a has the number of the record itself.
pub fn drop_former_number(record: &mut Record, number: &str) {
    let number = number.trim();
    if number.is_empty() {
        return;
    }
    let has = |field: &Field| match field {
        Field::Data { tag, subfields, .. } => {
            tag == "035"
                && subfields.iter().any(|subfield| subfield.code == 'a' && subfield.value.contains(number))
        }
        Field::Control { .. } => false,
    };
    if let Some(place) = record.fields.iter().position(has) {
        record.fields.remove(place);
    }
}

/// Writes an id into 999 ff: `i` for the record that the MARC record describes, `s` for the MARC record itself.
pub fn set_folio_id(record: &mut Record, code: char, id: &str) {
    let subfield = Subfield { code, value: id.to_owned() };
    let place = record.fields.iter().position(is_folio_id_field);
    match place.map(|place| record.fields.remove(place)) {
        Some(Field::Data { tag, indicators, mut subfields }) => {
            if let Some(place) = subfields.iter().position(|subfield| subfield.code == code) {
                subfields.remove(place);
            }
            subfields.push(subfield);
            record.fields.push(Field::Data { tag, indicators, subfields });
        }
        _ => add_data(
            record,
            Field::Data { tag: "999".to_owned(), indicators: ['f', 'f'], subfields: vec![subfield] },
        ),
    }
}

/// Writes the time of the change into 005, in UTC, unless the field is protected.
pub fn set_change_time(record: &mut Record, now: jiff::Timestamp, protections: &[Protection]) {
    let settings: Vec<&Protection> = protections.iter().collect();
    let place = record.fields.iter().position(|field| field.tag() == "005");
    if place.is_some_and(|place| is_protected(&settings, &record.fields[place])) {
        return;
    }
    let utc = now.to_zoned(jiff::tz::TimeZone::UTC);
    let tenth = utc.subsec_nanosecond() / 100_000_000;
    let time = format!("{}.{tenth}", utc.strftime("%Y%m%d%H%M%S"));
    match place {
        Some(place) => record.fields[place] = Field::Control { tag: "005".to_owned(), value: time },
        None => add_control(record, "005", &time),
    }
}

/// Takes $9 out of fields that can be linked to authorities: an incoming id of an authority is not one of this tenant.
pub fn clear_linked_ninths(record: &mut Record, linkable: &[String]) {
    for field in &mut record.fields {
        if let Field::Data { tag, subfields, .. } = field
            && linkable.iter().any(|linkable| linkable == tag)
        {
            subfields.retain(|subfield| subfield.code != '9');
        }
    }
}

/// Sorts the fields into the order of these tags. 001 and 005 come first, tags that are not among them last.
pub fn order_by_tags(record: &mut Record, tags: &[String]) {
    let mut left: Vec<Option<Field>> = std::mem::take(&mut record.fields).into_iter().map(Some).collect();
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (place, field) in left.iter().flatten().enumerate() {
        places.entry(field.tag().to_owned()).or_default().push_back(place);
    }
    let mut take = |tag: &str| left[places.get_mut(tag)?.pop_front()?].take();
    let first = ["001", "005"].into_iter().chain(tags.iter().map(String::as_str));
    record.fields = first.filter_map(&mut take).collect();
    record.fields.extend(left.into_iter().flatten());
}
