//! The instance that the tables ask for, with names instead of ids.

use serde_json::{Map, Value, json};

use super::super::marc::{Field, Record};
use super::names::Names;
use super::rules::{
    CLASSIFICATIONS, CONTRIBUTORS, Clean, IDENTIFIERS, NAMES, NOTES, OTHER_TITLES, PRIVATE, SERIES, SUBJECTS,
    TEXTS, TypedValueRule, ValueRule, is_oclc,
};

/// A record from elsewhere as it is mapped: its number in 001 becomes a system control number (035).
pub(super) fn with_system_control_number(record: &Record) -> Record {
    let mut record = record.clone();
    let whose = record.control_field("003").filter(|whose| !whose.trim().is_empty());
    let number = record.control_field("001").unwrap_or_default();
    let number = whose.map_or_else(|| number.to_owned(), |whose| format!("({whose}){number}"));
    let is_there = record
        .fields
        .iter()
        .any(|field| field.tag == "035" && field.values("a").any(|had| had.trim() == number.trim()));
    if !number.trim().is_empty() && !is_there {
        let subfields = vec![('a', number)];
        record.fields.push(Field { tag: "035".to_owned(), indicators: [' '; 2], subfields });
    }
    record
}

pub(super) fn expected_instance(record: &Record, names: &Names) -> Map<String, Value> {
    let fields: Vec<Field> = record.fields.iter().map(with_linked_tag).collect();
    let mut made = Map::new();
    let mut put = |name: &str, value: Value| drop(made.insert(name.to_owned(), value));
    let each =
        |of: &dyn Fn(&Field) -> Vec<Value>| Value::from(fields.iter().flat_map(of).collect::<Vec<Value>>());
    for field in &fields {
        if field.tag == "245" {
            put("title", json!(clean_text(&join_subfields(field, "anpbcfghks"), &[])));
            put("indexTitle", json!(index_title(field)));
        }
    }
    put("identifiers", each(&|field| typed_values(field, IDENTIFIERS, "identifierTypeId", "value")));
    put(
        "classifications",
        each(&|field| typed_values(field, CLASSIFICATIONS, "classificationTypeId", "classificationNumber")),
    );
    put(
        "alternativeTitles",
        each(&|field| typed_values(field, OTHER_TITLES, "alternativeTitleTypeId", "alternativeTitle")),
    );
    for (list, tags, subfields, clean) in TEXTS {
        put(list, each(&|field| texts(field, tags, subfields, clean)));
    }
    put("series", each(&|field| series(field)));
    put("subjects", each_once(&each(&|field| subjects(field))));
    put("contributors", each(&|field| contributors(field, names)));
    put("notes", each(&|field| notes(field, names)));
    put("publication", each(&|field| publication(field)));
    put("electronicAccess", each(&|field| electronic_access(field)));
    put("instanceFormatIds", each(&|field| formats(field, names)));
    put("languages", languages(record));
    put("instanceTypeId", json!(instance_type(&fields, names)));
    if record.control_field("001").is_some() {
        put("modeOfIssuanceId", json!(mode_of_issuance(&record.leader)));
    }
    made.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    made
}

/// FOLIO's instances have each subject once.
fn each_once(list: &Value) -> Value {
    let mut once: Vec<&Value> = Vec::new();
    for value in list.as_array().into_iter().flatten() {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    json!(once)
}

/// The preceding titles (780) or succeeding titles (785), as records of their own.
pub(super) fn preceding_or_succeeding_titles(record: &Record, tag: &str) -> Vec<Value> {
    let of = record.fields.iter().filter(|field| field.tag == tag && field.has_subfield("t"));
    of.map(|field| {
        let one = |code: &str| clean_text(&join_subfields(field, code), &[Clean::Trim]);
        let numbers = [("z", "isbn"), ("x", "issn")].into_iter().filter(|(code, _)| !one(code).is_empty());
        let numbers: Vec<Value> =
            numbers.map(|(code, kind)| json!({"identifierTypeId": kind, "value": one(code)})).collect();
        json!({"title": one("t"), "identifiers": numbers})
    })
    .collect()
}

/// A field 880 (another script) is mapped as the field that it is linked to in subfield 6.
fn with_linked_tag(field: &Field) -> Field {
    let linked = field.values("6").next().and_then(|link| link.get(..3)).filter(|_| field.tag == "880");
    let tag = match linked {
        Some("100") => "700",
        Some("110") => "710",
        Some("111") => "711",
        Some("245") => "246",
        Some(other) => other,
        None => &field.tag,
    };
    Field { tag: tag.to_owned(), ..field.clone() }
}

fn join_subfields(field: &Field, subfields: &str) -> String {
    field.values(subfields).filter(|value| !value.is_empty()).collect::<Vec<&str>>().join(" ")
}

/// Every text loses a backslash at its end, and has blanks where bars were.
pub(super) fn clean_text(text: &str, steps: &[Clean]) -> String {
    let mut text = text.to_owned();
    for step in steps {
        text = match step {
            Clean::EndMark => {
                text.strip_suffix([';', ':', ',', '/', '+', '=', ' ']).unwrap_or(&text).to_owned()
            }
            Clean::Trim => text.trim_matches(|c| c <= ' ').to_owned(),
            Clean::FullStop => text.strip_suffix('.').unwrap_or(&text).to_owned(),
            Clean::Name => name(text.trim_matches(|c| c <= ' ')),
            Clean::Without(part) => text.replace(part, ""),
        };
    }
    text.strip_suffix('\\').unwrap_or(&text).replace('|', " ")
}

fn name(text: &str) -> String {
    let last: Vec<char> = text.chars().rev().take(4).collect();
    let initial = |stop: usize| last.len() > stop + 1 && last[stop + 1].is_whitespace();
    match last.first() {
        Some('.') if initial(1) => text.to_owned(),
        Some('.') if last.get(1) == Some(&',') && initial(2) => format!("{}.", &text[..text.len() - 2]),
        Some('.' | ',') => text[..text.len() - 1].to_owned(),
        _ => text.to_owned(),
    }
}

fn typed_values(
    field: &Field,
    table: &[TypedValueRule],
    kind_member: &str,
    value_member: &str,
) -> Vec<Value> {
    let rows = table.iter().filter(|row| row.tag == field.tag);
    let rows = rows
        .filter(|row| row.first_indicators.is_empty() || row.first_indicators.contains(field.indicators[0]));
    let values = rows.flat_map(|row| values(field, row).into_iter().map(move |value| (row, value)));
    let values = values.filter(|(_, value)| !value.trim().is_empty());
    values
        .map(|(row, value)| {
            let kind =
                if row.tag == "035" && row.subfields == "a" && is_oclc(&value) { "OCLC" } else { row.kind };
            json!({kind_member: kind.to_lowercase(), value_member: value})
        })
        .collect()
}

fn values(field: &Field, row: &TypedValueRule) -> Vec<String> {
    let (with, until) = match row.value_rule {
        ValueRule::Whole => return vec![clean_text(&join_subfields(field, row.subfields), row.cleaning)],
        ValueRule::Each { with, until } => (with, until),
        ValueRule::SplitAtBlanks { with } => (with, ""),
    };
    let mut values = Vec::new();
    for (at, (code, value)) in field.subfields.iter().enumerate() {
        if !row.subfields.contains(*code) {
            continue;
        }
        let rest = &field.subfields[at + 1..];
        let end = rest.iter().position(|(other, _)| other == code || until.contains(*other));
        let mut whole = value.clone();
        for wanted in with.chars() {
            for (_, more) in rest[..end.unwrap_or(rest.len())].iter().filter(|(other, _)| *other == wanted) {
                whole = format!("{whole} {more}");
            }
        }
        values.push(clean_text(&whole, row.cleaning));
    }
    if matches!(row.value_rule, ValueRule::SplitAtBlanks { .. }) { split_at_blanks(&values) } else { values }
}

fn split_at_blanks(values: &[String]) -> Vec<String> {
    let whole = values.join(" ");
    let mut rest: &str = &whole;
    let mut parts = Vec::new();
    for _ in 1..values.len() {
        let Some((first, more)) = rest.split_once(' ') else { break };
        parts.push(first.to_owned());
        rest = more;
    }
    parts.push(rest.to_owned());
    parts
}

fn texts(field: &Field, tags: &str, subfields: &str, clean: &[Clean]) -> Vec<Value> {
    if !tags.contains(&field.tag) {
        return vec![];
    }
    let text = match tags {
        "300" => {
            field.values(subfields).map(|value| clean_text(value, clean)).collect::<Vec<String>>().join(" ")
        }
        _ => clean_text(&join_subfields(field, subfields), clean),
    };
    if text.trim().is_empty() { vec![] } else { vec![json!(text)] }
}

/// The title without its article, which the second indicator counts, and with a capital letter.
fn index_title(field: &Field) -> String {
    let text = join_subfields(field, "anpb");
    let skipped = field.indicators[1].to_digit(10).map_or(0, |digit| digit as usize);
    let article: String = text.chars().take(skipped).collect();
    // FOLIO takes the article out wherever it stands.
    let is_longer = text.chars().count() > skipped;
    let text = if skipped > 0 && is_longer { text.replace(&article, "") } else { text };
    let mut characters = text.chars();
    let capital = characters.next().map(|first| first.to_uppercase().collect::<String>());
    clean_text(&(capital.unwrap_or_default() + characters.as_str()), &[])
}

fn series(field: &Field) -> Vec<Value> {
    let row = SERIES.iter().find(|(tag, _)| *tag == field.tag);
    let text = row
        .map(|(_, subfields)| clean_text(&join_subfields(field, subfields), &[Clean::EndMark, Clean::Trim]));
    text.filter(|text| !text.is_empty()).map(|text| json!({"value": text})).into_iter().collect()
}

fn subjects(field: &Field) -> Vec<Value> {
    let Some((tag, name, rest)) = SUBJECTS.iter().find(|(tag, ..)| *tag == field.tag) else { return vec![] };
    let whole = if *tag == "655" {
        let mut whole = String::new();
        for (code, value) in &field.subfields {
            let between = if name.contains(*code) { " " } else { "--" };
            if name.contains(*code) || rest.contains(*code) {
                whole = if whole.is_empty() { value.clone() } else { format!("{whole}{between}{value}") };
            }
        }
        whole
    } else {
        let parts = [
            field.values(name).collect::<Vec<&str>>().join(" "),
            field.values(rest).collect::<Vec<&str>>().join("--"),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<String>>().join("--")
    };
    let text = clean_text(&whole, &[Clean::FullStop, Clean::Trim]);
    if text.is_empty() { vec![] } else { vec![json!({"value": text})] }
}

fn contributors(field: &Field, names: &Names) -> Vec<Value> {
    let (subfields, kind, term) = match (field.tag.as_str(), field.indicators[0]) {
        ("720", ' ' | '1') => ("a", "Personal name", "e"),
        ("720", '2') => ("a", "Corporate name", "e"),
        (tag, _) => {
            let Some((_, subfields, kind, term)) = CONTRIBUTORS.iter().find(|(tags, ..)| tags.contains(tag))
            else {
                return vec![];
            };
            (*subfields, *kind, *term)
        }
    };
    let is_primary = field.tag.starts_with('1');
    let name = clean_text(&join_subfields(field, subfields), NAMES);
    if name.is_empty() || (is_primary && !field.has_subfield("a")) {
        return vec![];
    }
    let mut made = json!({"name": name, "contributorNameTypeId": kind.to_lowercase(), "primary": is_primary});
    if let Some(relator) = names.relator_name(field, term) {
        made["contributorTypeId"] = json!(relator);
    } else if let Some(text) = field.values(term).next() {
        made["contributorTypeText"] = json!(clean_text(text, &[]));
    }
    vec![made]
}

fn notes(field: &Field, names: &Names) -> Vec<Value> {
    let Some((_, subfields, kind)) = NOTES.iter().find(|(tag, ..)| *tag == field.tag) else { return vec![] };
    let text = clean_text(&join_subfields(field, subfields), &[Clean::FullStop]);
    let kind = kind.to_lowercase();
    let kind = if names.has_name("instance-note-types", &kind) { kind } else { "general note".to_owned() };
    // FOLIO asks for each $a of a local note, and does not take "true true" for true.
    let is_asked_once = field.tag != "590" || field.values("a").count() == 1;
    let for_staff = PRIVATE.contains(&field.tag) && field.indicators[0] == '0' && is_asked_once;
    if text.trim().is_empty() {
        vec![]
    } else {
        vec![json!({"note": text, "instanceNoteTypeId": kind, "staffOnly": for_staff})]
    }
}

fn publication(field: &Field) -> Vec<Value> {
    if !["260", "264"].contains(&field.tag.as_str()) || !field.has_subfield("abc") {
        return vec![];
    }
    let mut made = Map::new();
    let parts: [(&str, &str, &[Clean]); 3] = [
        ("place", "a", &[Clean::EndMark, Clean::Trim]),
        ("publisher", "b", &[Clean::EndMark, Clean::Trim]),
        ("dateOfPublication", "c", &[Clean::EndMark, Clean::Trim, Clean::FullStop]),
    ];
    for (member, code, clean) in parts {
        let all: Vec<String> = field.values(code).map(|value| clean_text(value, clean)).collect();
        let text = all.join(" ; ");
        if !text.trim().is_empty() {
            made.insert(member.to_owned(), json!(text));
        }
    }
    let role = match field.indicators[1] {
        '0' => Some("Production"),
        '1' => Some("Publication"),
        '2' => Some("Distribution"),
        '3' => Some("Manufacture"),
        _ => None,
    };
    if let Some(role) = role.filter(|_| field.tag == "264") {
        made.insert("role".to_owned(), json!(role));
    }
    if made.is_empty() { vec![] } else { vec![Value::Object(made)] }
}

fn electronic_access(field: &Field) -> Vec<Value> {
    if field.tag != "856" || !field.has_subfield("u") {
        return vec![];
    }
    let relationship = match field.indicators[1] {
        '0' => "resource",
        '1' => "version of resource",
        '2' => "related resource",
        _ => "no information provided",
    };
    let mut made = json!({"relationshipId": relationship});
    for (member, code) in
        [("uri", "u"), ("linkText", "y"), ("materialsSpecification", "3"), ("publicNote", "z")]
    {
        let all: Vec<String> =
            field.values(code).map(|value| clean_text(value, &[Clean::EndMark, Clean::Trim])).collect();
        let text = all.join(" ");
        if !text.trim().is_empty() {
            made[member] = json!(text);
        }
    }
    if made["uri"].is_null() { vec![] } else { vec![made] }
}

fn formats(field: &Field, names: &Names) -> Vec<Value> {
    let code = if field.tag == "338" { field.values("b").next() } else { None };
    code.and_then(|code| names.name_by_code("instance-formats", code))
        .map(|name| json!(name))
        .into_iter()
        .collect()
}

/// Three characters of 008, and every three characters of 041 $a; each once.
fn languages(record: &Record) -> Value {
    let mut found: Vec<String> = Vec::new();
    let mut add = |code: String| {
        if !code.trim().is_empty() && !found.contains(&code) {
            found.push(code);
        }
    };
    if let Some(fixed) = record.control_field("008") {
        add(clean_text(&fixed.chars().skip(35).take(3).collect::<String>(), &[]));
    }
    for field in record.fields.iter().filter(|field| field.tag == "041") {
        for value in field.values("a") {
            let characters: Vec<char> = value.chars().collect();
            characters.chunks(3).for_each(|code| add(clean_text(&code.iter().collect::<String>(), &[])));
        }
    }
    json!(found)
}

/// Of the first 336: its code, else its term, whichever comes last.
fn instance_type(fields: &[Field], names: &Names) -> String {
    let first = fields.iter().find(|field| field.tag == "336");
    let told = first.and_then(|field| {
        let (term, code) = (field.values("a").next(), field.values("b").next());
        let place = |wanted: char| field.subfields.iter().position(|(code, _)| *code == wanted);
        if place('a') > place('b') { term.or(code) } else { code.or(term) }
    });
    let found = told.and_then(|told| names.name_by_code_or_name("instance-types", told));
    found.unwrap_or_else(|| names.name_by_code("instance-types", "zzz").unwrap_or_default())
}

fn mode_of_issuance(leader: &str) -> &'static str {
    match leader.as_bytes()[7] {
        b'a' | b'c' | b'd' | b'm' => "single unit",
        b'b' | b's' => "serial",
        b'i' => "integrating resource",
        _ => "unspecified",
    }
}
