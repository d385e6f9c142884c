//! Carrying out operations, one after the other.

use octavo_marc::{Field, Leader, Record, Subfield};

use super::edit::{add_control, add_data, is_control_tag, remove_tag, subfields};
use super::operation::{EditTarget, Move, Operation, Place, Target};
use super::pattern::{ANY, Pattern};

/// The most subfields that a record may get; a move copies each subfield into each field that it matches.
const MOST_SUBFIELDS: usize = 100_000;
/// The most bytes that one subfield may get.
const MAX_TEXT_BYTES: usize = 1_000_000;

/// The error says that a modification would make the record too large.
pub(crate) fn modify(record: &mut Record, operations: &[Operation]) -> Result<(), String> {
    for operation in operations {
        match operation {
            Operation::AddControl { tag, text } => add_control(record, tag, text),
            Operation::Add { tag, indicators, subfields } => {
                let subfields = subfields
                    .iter()
                    .map(|(code, text)| Subfield { code: *code, value: text.clone() })
                    .collect();
                add_data(record, Field::Data { tag: tag.clone(), indicators: *indicators, subfields });
            }
            Operation::Delete(pattern) => delete(record, pattern),
            Operation::Insert { what, text, place } => insert(record, what, text, *place),
            Operation::Replace { what: EditTarget::Positions { tag, range }, find, with } => {
                replace_positions(record, tag, *range, find, with);
            }
            Operation::Replace { what: EditTarget::Fields(pattern), find, with } => {
                replace_in_fields(record, pattern, find, with);
            }
            Operation::Move { from, moves } => move_subfields(record, from, moves)?,
        }
        let large =
            record.fields.iter().flat_map(subfields).any(|subfield| subfield.value.len() > MAX_TEXT_BYTES);
        if large || record.fields.iter().map(|field| subfields(field).len()).sum::<usize>() > MOST_SUBFIELDS {
            return Err("The modifications make the record too large".to_owned());
        }
    }
    Ok(())
}

fn delete(record: &mut Record, pattern: &Pattern) {
    if is_control_tag(&pattern.tag) {
        return remove_tag(record, &pattern.tag);
    }
    if pattern.code == ANY {
        return record.fields.retain(|field| !pattern.matches_tag_and_indicators(field));
    }
    record.fields.retain_mut(|field| {
        if !pattern.matches_tag_and_indicators(field) {
            return true;
        }
        let Field::Data { subfields, .. } = field else {
            return true;
        };
        if let Some(place) = subfields.iter().position(|subfield| subfield.code == pattern.code) {
            subfields.remove(place);
        }
        !subfields.is_empty()
    });
}

/// The subfields that a pattern matches, in all fields of the record.
fn matching_subfields<'a>(
    record: &'a mut Record,
    pattern: &'a Pattern,
) -> impl Iterator<Item = &'a mut Subfield> {
    let named = record.fields.iter_mut().filter(|field| pattern.matches_tag_and_indicators(field));
    let subfields = named.flat_map(|field| match field {
        Field::Data { subfields, .. } => subfields.as_mut_slice(),
        Field::Control { .. } => &mut [],
    });
    subfields.filter(|subfield| pattern.code == ANY || subfield.code == pattern.code)
}

fn insert(record: &mut Record, what: &Pattern, text: &str, place: Place) {
    if place == Place::NewSubfield {
        for field in record.fields.iter_mut().filter(|field| what.matches_tag_and_indicators(field)) {
            if let Field::Data { subfields, .. } = field
                && what.code != ANY
            {
                subfields.push(Subfield { code: what.code, value: text.to_owned() });
            }
        }
        return;
    }
    for subfield in matching_subfields(record, what) {
        if place == Place::Before {
            subfield.value.insert_str(0, text);
        } else {
            subfield.value.push_str(text);
        }
    }
}

fn replace_positions(record: &mut Record, tag: &str, range: Option<(usize, usize)>, find: &str, with: &str) {
    if tag == "LDR" {
        if let Some(changed) = replace_range(&record.leader.as_text(), range, find, with) {
            record.leader = Leader::read(changed.as_bytes());
        }
        return;
    }
    for field in &mut record.fields {
        if let Field::Control { tag: found, value } = field
            && found == tag
            && let Some(changed) = replace_range(value, range, find, with)
        {
            *value = changed;
        }
    }
}

fn replace_range(text: &str, range: Option<(usize, usize)>, find: &str, with: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let last = characters.len().checked_sub(1)?;
    let (from, to) = range.unwrap_or((0, last));
    if from > last {
        return None;
    }
    let to = to.min(last);
    let there: String = characters[from..=to].iter().collect();
    if find != "*" && there != find {
        return None;
    }
    let before = characters[..from].iter();
    Some(before.copied().chain(with.chars()).chain(characters[to + 1..].iter().copied()).collect())
}

fn replace_in_fields(record: &mut Record, pattern: &Pattern, find: &str, with: &str) {
    for subfield in matching_subfields(record, pattern) {
        if find == "*" {
            with.clone_into(&mut subfield.value);
        } else if subfield.value.contains(find) {
            subfield.value = subfield.value.replace(find, with);
        }
    }
}

fn move_subfields(record: &mut Record, from: &Pattern, moves: &[Move]) -> Result<(), String> {
    for one in moves {
        let (wanted_tag, wanted, code) = match &one.to {
            Target::New { tag, indicators, code } => (tag, indicators, code),
            Target::Existing(pattern) => {
                move_to_existing(record, from, one.code, pattern)?;
                continue;
            }
        };
        let sources: Vec<Field> =
            record.fields.iter().filter(|field| from.matches_tag_and_indicators(field)).cloned().collect();
        for source in sources {
            let Field::Data { indicators, subfields, .. } = &source else {
                continue;
            };
            let moved: Vec<Subfield> = moved_subfields(subfields, one.code);
            if moved.is_empty() {
                continue;
            }
            let indicators = [0, 1].map(|place| wanted[place].unwrap_or(indicators[place]));
            let named = |mut subfield: Subfield| {
                if one.code != ANY {
                    subfield.code = code.unwrap_or(subfield.code);
                }
                subfield
            };
            remove_moved_subfields(record, &source, one.code);
            let subfields = moved.into_iter().map(named).collect();
            add_data(record, Field::Data { tag: wanted_tag.clone(), indicators, subfields });
        }
    }
    Ok(())
}

fn moved_subfields(of: &[Subfield], code: char) -> Vec<Subfield> {
    of.iter().filter(|subfield| code == ANY || subfield.code == code).cloned().collect()
}

/// Each field that matches `to` gets the moved subfields of every field that matches `from`. A field that matches both keeps what it gets.
fn move_to_existing(record: &mut Record, from: &Pattern, code: char, to: &Pattern) -> Result<(), String> {
    let places = |pattern: &Pattern| -> Vec<usize> {
        let fields = record.fields.iter().enumerate();
        let matching = fields.filter(|(_, field)| pattern.matches_tag_and_indicators(field));
        matching.map(|(place, _)| place).collect()
    };
    let (sources, receivers) = (places(from), places(to));
    let (mut added, mut emptied) = (0, Vec::new());
    for source in sources {
        let before = subfields(&record.fields[source]).len();
        let moved = moved_subfields(subfields(&record.fields[source]), code);
        // No field gets all of itself.
        let takes = |place: &usize| code != ANY || *place != source;
        let takers = receivers.iter().filter(|place| takes(place)).count();
        if moved.is_empty() || takers == 0 {
            continue;
        }
        added += takers * moved.len();
        if added > MOST_SUBFIELDS {
            return Err("The modifications make the record too large".to_owned());
        }
        for place in receivers.iter().filter(|place| takes(place)) {
            if let Field::Data { subfields, .. } = &mut record.fields[*place] {
                subfields.extend(moved.iter().map(|subfield| Subfield {
                    code: if to.code == ANY { subfield.code } else { to.code },
                    value: subfield.value.clone(),
                }));
            }
        }
        if let Field::Data { subfields, .. } = &mut record.fields[source] {
            let mut place = 0;
            subfields.retain(|subfield| {
                place += 1;
                place > before || (code != ANY && subfield.code != code)
            });
            emptied.push(source);
        }
    }
    for place in emptied.into_iter().rev() {
        if subfields(&record.fields[place]).is_empty() {
            record.fields.remove(place);
        }
    }
    Ok(())
}

/// Removes the subfields that were moved from their field; the whole field if no other subfield remains.
fn remove_moved_subfields(record: &mut Record, source: &Field, code: char) {
    let Some(place) = record.fields.iter().position(|field| field == source) else {
        return;
    };
    if let Field::Data { subfields, .. } = &mut record.fields[place] {
        subfields.retain(|subfield| code != ANY && subfield.code != code);
        if subfields.is_empty() {
            record.fields.remove(place);
        }
    }
}
