//! One field by its mappings: which subfields go where, joined by what, changed by which rules.

use std::collections::HashSet;

use super::build::{Building, Object};
use super::function::{DataField, Surroundings};
use super::lookups::Lookups;
use super::rules::{Indicators, Mapping, Rule, Target};
use crate::{Record, Subfield};

pub(super) fn map_control(
    mappings: &[Mapping],
    record: &Record,
    value: &str,
    lookups: &Lookups,
    building: &mut Building,
) {
    let around = Surroundings { leader: &record.leader, field: None, subfield: 0, lookups };
    let mut open = OpenObject::default();
    for target in mappings.iter().flat_map(|mapping| &mapping.targets) {
        let text = apply(target, value.to_owned(), &around);
        open.insert_text(building, target, &text);
    }
}

pub(super) fn map_data(
    mappings: &[Mapping],
    record: &Record,
    field: &DataField<'_>,
    lookups: &Lookups,
    building: &mut Building,
) {
    let around = Surroundings { leader: &record.leader, field: Some(field), subfield: 0, lookups };
    let mut open = OpenObject::default();
    for mapping in mappings {
        let concerned = match &mapping.indicators {
            Some(indicators) => indicators.both_match(field.indicators),
            None => !others_claim(mappings, field.indicators),
        };
        let again = mapping.first_field_only && !building.first_time(field.tag);
        if !concerned || again {
            continue;
        }
        map_targets(mapping, &around, field, &mut open, building);
        if mapping.entity {
            open.fresh = true;
        }
    }
}

impl Indicators {
    fn matches(wanted: &str, found: char) -> bool {
        wanted == "*" || wanted.starts_with(found)
    }

    fn both_match(&self, found: [char; 2]) -> bool {
        Indicators::matches(&self.ind1, found[0]) && Indicators::matches(&self.ind2, found[1])
    }
}

/// Whether a mapping that has conditions on indicators applies to these indicators; mappings without conditions are then skipped. A match
/// of the first indicator, if the mapping names it, is enough.
fn others_claim(mappings: &[Mapping], found: [char; 2]) -> bool {
    mappings.iter().filter_map(|mapping| mapping.indicators.as_ref()).any(|indicators| {
        (indicators.ind1 != "*" && indicators.ind1.starts_with(found[0])) || indicators.both_match(found)
    })
}

/// The object of the FOLIO record that texts are being written to.
#[derive(Default)]
struct OpenObject {
    object: Option<Object>,
    /// Whether the field has begun an object. Until it has, the next text begins one.
    begun: bool,
    fresh: bool,
}

impl OpenObject {
    fn insert_text(&mut self, building: &mut Building, target: &Target, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let current = if self.begun && !self.fresh { self.object.as_ref() } else { None };
        self.object = building.insert_text(&target.path, text, current).or(self.object.take());
        self.begun = true;
        self.fresh = false;
    }
}

fn map_targets(
    mapping: &Mapping,
    around: &Surroundings<'_>,
    field: &DataField<'_>,
    open: &mut OpenObject,
    building: &mut Building,
) {
    let has = |code: &char| field.subfields.iter().any(|subfield| subfield.code == *code);
    // One object for each subfield by its place.
    let mut by_place: Vec<OpenObject> = Vec::new();
    for target in &mapping.targets {
        if !target.required.iter().all(has) || target.exclusive.iter().any(has) {
            return;
        }
        if mapping.per_subfield {
            let pieces = pieces(target, field);
            by_place.resize_with(by_place.len().max(pieces.len()), OpenObject::default);
            for (piece, open) in select_pieces(target, &pieces).zip_places(&mut by_place) {
                let text = apply(target, piece.text.to_owned(), &piece.surroundings(around));
                open.insert_text(building, target, &text);
            }
        } else {
            map_joined_subfields(target, around, field, open, building);
        }
    }
}

/// All subfields of a target as one text.
fn map_joined_subfields(
    target: &Target,
    around: &Surroundings<'_>,
    field: &DataField<'_>,
    open: &mut OpenObject,
    building: &mut Building,
) {
    let pieces = pieces(target, field);
    let mentioned = |code: &char| target.subfields.is_empty() || target.subfields.contains(code);
    if !pieces.iter().any(|piece| mentioned(&piece.code)) {
        return;
    }
    let texts = select_pieces(target, &pieces).0.into_iter().map(|(_, piece)| {
        let text = piece.text.to_owned();
        let text =
            if target.on_joined_text { text } else { apply(target, text, &piece.surroundings(around)) };
        (piece.code, text)
    });
    let mut whole = join(target, texts);
    if target.on_joined_text {
        whole = apply(target, whole, around);
    }
    match &target.alternative {
        Some(alternative) if whole.is_empty() => {
            map_joined_subfields(alternative, around, field, open, building);
        }
        _ => open.insert_text(building, target, &whole),
    }
}

/// A subfield of the MARC field, or a part of one.
#[derive(Clone, Copy)]
struct Piece<'a> {
    subfield: usize,
    code: char,
    text: &'a str,
}

impl Piece<'_> {
    fn surroundings<'s>(&self, around: &Surroundings<'s>) -> Surroundings<'s> {
        Surroundings { subfield: self.subfield, ..*around }
    }
}

/// The subfields, cut up where the target asks for it.
fn pieces<'a>(target: &Target, field: &DataField<'a>) -> Vec<Piece<'a>> {
    let mut pieces = Vec::with_capacity(field.subfields.len());
    for (subfield, Subfield { code, value }) in field.subfields.iter().enumerate() {
        let mut text = value.as_str();
        let Some(every) = target.split else {
            pieces.push(Piece { subfield, code: *code, text });
            continue;
        };
        while !text.is_empty() {
            let at = text.char_indices().nth(every).map_or(text.len(), |(at, _)| at);
            pieces.push(Piece { subfield, code: *code, text: &text[..at] });
            text = &text[at..];
        }
    }
    pieces
}

/// The pieces that a target takes, with their places.
struct SelectedPieces<'a>(Vec<(usize, Piece<'a>)>);

fn select_pieces<'a>(target: &Target, pieces: &[Piece<'a>]) -> SelectedPieces<'a> {
    let mut seen = HashSet::new();
    let taken = pieces.iter().copied().enumerate().filter(|(_, piece)| {
        let first = seen.insert(piece.code);
        target.subfields.contains(&piece.code) && (first || !target.first_subfield_only)
    });
    SelectedPieces(taken.collect())
}

impl<'a> SelectedPieces<'a> {
    fn zip_places<'o>(
        self,
        places: &'o mut [OpenObject],
    ) -> impl Iterator<Item = (Piece<'a>, &'o mut OpenObject)> {
        let mut chosen = self.0.into_iter().peekable();
        places.iter_mut().enumerate().filter_map(move |(place, open)| {
            let (_, piece) = chosen.next_if(|(at, _)| *at == place)?;
            Some((piece, open))
        })
    }
}

/// Joins the texts with a space, or with the delimiters that the target sets for groups of subfields.
fn join(target: &Target, texts: impl Iterator<Item = (char, String)>) -> String {
    let Some(delimiters) = &target.delimiters else {
        return texts.map(|(_, text)| text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    };
    let mut groups = vec![String::new(); delimiters.len()];
    let between = delimiters.iter().find(|delimiter| delimiter.subfields.is_empty());
    for (code, text) in texts {
        let belongs = |subfields: &[String]| subfields.iter().any(|subfield| subfield.starts_with(code));
        let at = delimiters.iter().rposition(|delimiter| belongs(&delimiter.subfields));
        // A subfield that no delimiter names follows the first group with a blank.
        let (at, between) = at.map_or((0, " "), |at| (at, delimiters[at].value.as_str()));
        if !groups[at].is_empty() {
            groups[at].push_str(between);
        }
        groups[at].push_str(&text);
    }
    groups.retain(|group| !group.is_empty());
    groups.join(between.map_or("", |delimiter| delimiter.value.as_str()))
}

/// The text after all rules of the target have been applied to it.
fn apply(target: &Target, text: String, around: &Surroundings<'_>) -> String {
    let original = text.clone();
    let mut text = text;
    for rule in target.rules.iter().flatten() {
        let (after, last) = rule.apply(text, &original, around);
        text = after;
        if last {
            break;
        }
    }
    if !target.keep_backslash && text.ends_with('\\') {
        text.pop();
    }
    text.replace('|', " ")
}

impl Rule {
    /// The text, and whether no further rule is looked at.
    fn apply(&self, text: String, original: &str, around: &Surroundings<'_>) -> (String, bool) {
        let (mut text, mut met) = (text, true);
        for condition in &self.conditions {
            if condition.reads_leader {
                text = around.leader.as_text();
            }
            met = true;
            for function in &condition.functions {
                let made = function.apply(text.clone(), around);
                if condition.value.as_ref().is_some_and(|wanted| *wanted != made) {
                    original.clone_into(&mut text);
                    met = false;
                    break;
                }
                if self.value.is_none() {
                    text = made;
                }
            }
        }
        match &self.value {
            Some(value) if met => (value.clone(), true),
            _ => (text, false),
        }
    }
}
