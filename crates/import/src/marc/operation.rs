//! Operations on MARC fields, as a mapping profile lists them.

use serde_json::Value;

use super::pattern::{ANY, Pattern, first_char};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    AddControl { tag: String, text: String },
    Add { tag: String, indicators: [char; 2], subfields: Vec<(char, String)> },
    Delete(Pattern),
    Insert { what: Pattern, text: String, place: Place },
    Replace { what: EditTarget, find: String, with: String },
    Move { from: Pattern, moves: Vec<Move> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Before,
    After,
    NewSubfield,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditTarget {
    /// Characters of the leader or of a control field, from 0, the last included; all where no position is given.
    Positions {
        tag: String,
        range: Option<(usize, usize)>,
    },
    Fields(Pattern),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Move {
    pub(super) code: char,
    pub(super) to: Target,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    New { tag: String, indicators: [Option<char>; 2], code: Option<char> },
    Existing(Pattern),
}

impl Operation {
    /// Parses an operation. The error says what is wrong with it.
    pub(crate) fn read(detail: &Value) -> Result<Operation, String> {
        let field = &detail["field"];
        let tag = text(&field["field"]);
        if tag.is_empty() {
            return Err("it names no field".to_owned());
        }
        match text(&detail["action"]).as_str() {
            "ADD" => add(field, tag),
            "DELETE" => Ok(Operation::Delete(Pattern::read(field, tag))),
            "EDIT" => edit(field, tag),
            "MOVE" => relocate(field, tag),
            other => Err(format!("action {other} is not known")),
        }
    }

    /// The fields that an overlay is restricted to.
    pub(crate) fn selection(detail: &Value) -> Result<Pattern, String> {
        let tag = text(&detail["field"]["field"]);
        if tag.is_empty() {
            Err("it names no field".to_owned())
        } else {
            Ok(Pattern::read(&detail["field"], tag))
        }
    }
}

fn add(field: &Value, tag: String) -> Result<Operation, String> {
    let subfields = list(&field["subfields"]);
    if is_control(&tag) {
        let subfield = subfields.first().ok_or("it adds nothing")?;
        return Ok(Operation::AddControl { tag, text: text(&subfield["data"]["text"]) });
    }
    let indicators = ["indicator1", "indicator2"].map(|name| first_char(&field[name]).unwrap_or(' '));
    let subfields = subfields.iter().map(|subfield| {
        let code = first_char(&subfield["subfield"]).ok_or("a subfield has no code")?;
        Ok((code, text(&subfield["data"]["text"])))
    });
    let subfields = subfields.collect::<Result<Vec<_>, String>>()?;
    if subfields.is_empty() {
        Err("it adds nothing".to_owned())
    } else {
        Ok(Operation::Add { tag, indicators, subfields })
    }
}

fn edit(field: &Value, tag: String) -> Result<Operation, String> {
    let subfield = &field["subfields"][0];
    let data = &subfield["data"];
    match text(&subfield["subaction"]).as_str() {
        "INSERT" => {
            let place = match text(&subfield["position"]).as_str() {
                "BEFORE_STRING" => Place::Before,
                "AFTER_STRING" => Place::After,
                "NEW_SUBFIELD" => Place::NewSubfield,
                other => return Err(format!("position {other} is not known")),
            };
            Ok(Operation::Insert { what: Pattern::read(field, tag), text: text(&data["text"]), place })
        }
        "REPLACE" => {
            let (find, with) = (text(&data["find"]), text(&data["replaceWith"]));
            replace(field, &tag, find, with)
        }
        "REMOVE" => replace(field, &tag, text(&data["text"]), String::new()),
        other => Err(format!("subaction {other} of EDIT is not known")),
    }
}

fn replace(field: &Value, tag: &str, find: String, with: String) -> Result<Operation, String> {
    if find.is_empty() {
        return Err("it finds nothing".to_owned());
    }
    let what = if is_control(tag) || tag.starts_with("LDR") { positions(tag)? } else { fields(field, tag) };
    Ok(Operation::Replace { what, find, with })
}

fn fields(field: &Value, tag: &str) -> EditTarget {
    EditTarget::Fields(Pattern::read(field, tag.chars().take(3).collect()))
}

/// `008/35-37`, `LDR/5`, `001`.
fn positions(path: &str) -> Result<EditTarget, String> {
    let (tag, range) = path.split_once('/').map_or((path, None), |(tag, range)| (tag, Some(range)));
    let range = range.map(|range| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number < 100_000);
        number(from)
            .zip(number(to))
            .filter(|(from, to)| from <= to)
            .ok_or(format!("{path} names no positions"))
    });
    let range = range.transpose()?;
    if tag == "LDR" && range.is_none_or(|(from, to)| from <= 4 || (from <= 16 && to >= 12) || to > 23) {
        return Err(format!("{path} are positions of the leader that are not edited"));
    }
    Ok(EditTarget::Positions { tag: tag.to_owned(), range })
}

fn relocate(field: &Value, tag: String) -> Result<Operation, String> {
    let moves = list(&field["subfields"]).iter().map(|subfield| {
        let code = first_char(&subfield["subfield"]).unwrap_or(ANY);
        let target = &subfield["data"]["marcField"];
        let tag = text(&target["field"]);
        if tag.is_empty() || is_control(&tag) {
            return Err("it moves to no field with subfields".to_owned());
        }
        let code_there = first_char(&target["subfields"][0]["subfield"]);
        let to = match text(&subfield["subaction"]).as_str() {
            "CREATE_NEW_FIELD" => {
                let indicators = ["indicator1", "indicator2"].map(|name| first_char(&target[name]));
                Target::New { tag, indicators, code: code_there }
            }
            "ADD_TO_EXISTING_FIELD" => Target::Existing(Pattern::read(target, tag)),
            other => return Err(format!("subaction {other} of MOVE is not known")),
        };
        Ok(Move { code, to })
    });
    let moves = moves.collect::<Result<Vec<Move>, String>>()?;
    Ok(Operation::Move { from: Pattern::read(field, tag), moves })
}

fn is_control(tag: &str) -> bool {
    tag.starts_with("00")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
