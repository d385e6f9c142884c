//! Converts a MARC record to the editor's form and back. Pure.

use octavo_marc::{Field, Kind, Leader, Record, Subfield};
use serde_json::{Value, json};
use uuid::Uuid;

use super::fixed;
use super::refused::{EditorRefusal, malformed};

/// The editor's text for a dollar sign that does not begin a subfield.
const DOLLAR: &str = "{dollar}";

pub(super) fn show_leader(leader: &Leader) -> String {
    leader.as_text().replace(' ', "\\")
}

/// The fields in the editor's form, in the record's order, without `isProtected`.
pub(super) fn show_fields(record: &Record, kind: Kind) -> Vec<Value> {
    record.fields.iter().map(|field| show_field(record, field, kind)).collect()
}

fn show_field(record: &Record, field: &Field, kind: Kind) -> Value {
    match field {
        Field::Control { tag, value } => {
            let content = match tag.as_str() {
                "006" => fixed::show_006(value),
                "007" => fixed::show_007(value),
                "008" => fixed::show_008(kind, value, |at| record.leader.char_at(at)),
                _ => json!(value),
            };
            json!({"tag": tag, "content": content, "indicators": []})
        }
        Field::Data { tag, indicators, subfields } => {
            let indicators = indicators.map(|indicator| match indicator {
                ' ' => "\\".to_owned(),
                other => other.to_string(),
            });
            let mut shown =
                json!({"tag": tag, "content": show_subfields(subfields), "indicators": indicators});
            let authority = subfields.iter().filter(|subfield| subfield.code == '9');
            let authority = authority.filter_map(|subfield| Uuid::parse_str(&subfield.value).ok()).next();
            if let (Kind::Bibliographic, Some(authority)) = (kind, authority) {
                shown["linkDetails"] = json!({"authorityId": authority});
            }
            shown
        }
    }
}

pub(super) fn show_subfields(subfields: &[Subfield]) -> String {
    let shown: Vec<String> = subfields
        .iter()
        .map(|subfield| format!("${} {}", subfield.code, subfield.value.replace('$', DOLLAR)))
        .collect();
    shown.join(" ")
}

/// A field as the editor sends it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SentField {
    pub tag: String,
    pub content: Value,
    pub indicators: Vec<String>,
    pub link: Value,
}

impl SentField {
    pub(super) fn read(at: usize, field: &Value) -> Result<SentField, EditorRefusal> {
        let tag = field["tag"].as_str().unwrap_or_default();
        if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(malformed(format!("Parameter 'fields[{at}].tag' must match \"^[0-9]{{3}}$\"")));
        }
        if field["content"].is_null() {
            return Err(malformed(format!("Parameter 'fields[{at}].content' must not be null")));
        }
        let indicators = field["indicators"].as_array().map_or(&[][..], Vec::as_slice);
        Ok(SentField {
            tag: tag.to_owned(),
            content: field["content"].clone(),
            indicators: indicators.iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect(),
            link: field["linkDetails"].clone(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.content.as_str().is_some_and(str::is_empty)
    }

    pub(super) fn text(&self) -> String {
        self.content.as_str().map_or_else(|| self.content.to_string(), str::to_owned)
    }
}

/// The record that the fields of the editor give. `today` is the date as `yymmdd`.
pub(super) fn restore(
    leader: &str,
    fields: &[SentField],
    kind: Kind,
    today: &str,
) -> Result<Record, EditorRefusal> {
    let fields = fields.iter().map(|field| restore_field(field, kind, today));
    let leader = Leader::read(leader.replace('\\', " ").as_bytes());
    Ok(Record { leader, fields: fields.collect::<Result<Vec<Field>, EditorRefusal>>()? })
}

fn restore_field(sent: &SentField, kind: Kind, today: &str) -> Result<Field, EditorRefusal> {
    let tag = sent.tag.clone();
    if ("001"..="009").contains(&tag.as_str()) {
        let value = match (tag.as_str(), sent.content.is_object()) {
            ("006", true) => fixed::restore_006(&sent.content)?,
            ("007", true) => fixed::restore_007(&sent.content)?,
            ("008", true) => fixed::restore_008(kind, &sent.content, today)?,
            ("006" | "007" | "008", false) => sent.text().replace('\\', " "),
            _ => sent.text(),
        };
        return Ok(Field::Control { tag, value });
    }
    let indicator = |at: usize| {
        let char = sent.indicators.get(at).and_then(|text| text.chars().next());
        char.filter(|char| *char != '\\').unwrap_or(' ')
    };
    let mut subfields = restore_subfields(&sent.text())?;
    if tag == "010" {
        subfields.iter_mut().for_each(pad_number);
    }
    Ok(Field::Data { tag, indicators: [indicator(0), indicator(1)], subfields })
}

/// Reads `$a text $b text`. A dollar sign begins a subfield unless a blank follows it.
pub(super) fn restore_subfields(content: &str) -> Result<Vec<Subfield>, EditorRefusal> {
    let chars: Vec<char> = content.chars().collect();
    let begins = |at: usize| chars[at] == '$' && chars.get(at + 1).is_some_and(|next| !next.is_whitespace());
    let mut starts: Vec<usize> = (0..chars.len()).filter(|at| *at == 0 || begins(*at)).collect();
    starts.dedup();
    if starts.is_empty() {
        return Err(malformed("Subfield length"));
    }
    let ends = starts.iter().skip(1).copied().chain([chars.len()]);
    let parts = starts.iter().copied().zip(ends).map(|(start, end)| &chars[start..end]);
    parts
        .map(|part| match part {
            [_, code, value @ ..] if !value.is_empty() => {
                let value: String = value.iter().collect();
                Ok(Subfield { code: *code, value: value.trim().replace(DOLLAR, "$") })
            }
            _ => Err(malformed("Subfield length")),
        })
        .collect()
}

/// Adds the blanks that belong to a control number of the Library of Congress (field 010).
fn pad_number(subfield: &mut Subfield) {
    if !"abz".contains(subfield.code) {
        return;
    }
    let value = &subfield.value;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = match value.len() {
        10 if digits(value) => format!("  {value}"),
        8 if digits(value) => format!("   {value} "),
        9.. if value.is_char_boundary(8) && digits(&value[..8]) && is_suffix(&value[8..]) => {
            format!("   {value}")
        }
        11 if value.is_char_boundary(3)
            && digits(&value[3..])
            && value[..3].chars().all(|char| char.is_ascii_lowercase() || char.is_whitespace()) =>
        {
            format!("{value} ")
        }
        _ => return,
    };
    subfield.value = padded;
}

fn is_suffix(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_whitespace) && chars.next() == Some('/')
}

#[cfg(test)]
mod tests {
    use octavo_marc::from_json;

    use super::*;

    fn round_trip(record: &Record, kind: Kind) -> Record {
        let shown = show_fields(record, kind);
        let sent: Vec<SentField> =
            shown.iter().enumerate().map(|(at, field)| SentField::read(at, field).unwrap()).collect();
        restore(&show_leader(&record.leader), &sent, kind, "260101").unwrap()
    }

    /// Numbers that look random and are the same each time.
    fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % below
        }
    }

    fn random(seed: u64) -> (Record, Kind) {
        let mut next = numbers(seed);
        let kinds = [
            (Kind::Bibliographic, "00000cam a2200000 a 4500"),
            (Kind::Holdings, "00000nu  a2200000n  4500"),
            (Kind::Authority, "00000cz  a2200000n  4500"),
        ];
        let (kind, leader) = kinds[next(3)];
        let words = ["Cats & dogs", "costs $5", "$", "\u{e9}t\u{e9}", "a {b} c", "$a", "x\\y", "12345", ""];
        let eight = match kind {
            Kind::Bibliographic => "020805s2002    nyu    j      000 1 eng d",
            Kind::Holdings => "1203170p    8   4001aaeng0000000",
            Kind::Authority => "000107n| azannaabn          |n aaa     c",
        };
        let mut fields = vec![
            Field::Control { tag: "001".to_owned(), value: "in00000000001".to_owned() },
            Field::Control { tag: "008".to_owned(), value: eight.to_owned() },
        ];
        for _ in 0..next(12) {
            let subfields: Vec<Subfield> = (0..=next(4))
                .map(|_| {
                    let code = "abz019".chars().nth(next(6)).unwrap_or('a');
                    Subfield { code, value: words[next(words.len())].to_owned() }
                })
                .collect();
            let indicators = [" 01f".chars().nth(next(4)).unwrap_or(' '), ' '];
            fields.push(Field::Data { tag: format!("{:03}", 100 + next(899)), indicators, subfields });
        }
        (Record { leader: Leader::read(leader.as_bytes()), fields }, kind)
    }

    #[test]
    fn a_record_that_is_sent_back_as_shown_stays_as_it_is() {
        for seed in 0..2_000 {
            let (record, kind) = random(seed);
            assert_eq!(round_trip(&record, kind), record, "seed {seed}");
        }
    }

    #[test]
    fn a_field_is_shown_with_marks_for_blanks_and_dollars() {
        let record = from_json(&json!({"leader": "00000cam a2200000   4500", "fields": [
            {"001": "in1"},
            {"245": {"ind1": "1", "ind2": " ", "subfields": [{"a": "It is $5"}, {"c": "me"}]}},
        ]}))
        .unwrap();
        assert_eq!(show_leader(&record.leader), "00000cam\\a2200000\\\\\\4500");
        let fields = show_fields(&record, Kind::Bibliographic);
        assert_eq!(fields[0], json!({"tag": "001", "content": "in1", "indicators": []}));
        let content = "$a It is {dollar}5 $c me";
        assert_eq!(fields[1], json!({"tag": "245", "content": content, "indicators": ["1", "\\"]}));
    }

    #[test]
    fn numbers_of_the_library_of_congress_have_their_blanks() {
        let cases = [
            ("$a 2001000234", "  2001000234"),
            ("$a 85000002", "   85000002 "),
            ("$a 85000002 /M", "   85000002 /M"),
            ("$a n  00001263", "n  00001263 "),
            ("$a other", "other"),
            ("$z 85000002", "   85000002 "),
            ("$c 85000002", "85000002"),
        ];
        for (content, expected) in cases {
            let sent = SentField {
                tag: "010".to_owned(),
                content: json!(content),
                indicators: Vec::new(),
                link: Value::Null,
            };
            let field = restore_field(&sent, Kind::Authority, "260101").unwrap();
            let Field::Data { subfields, .. } = field else { panic!("{field:?}") };
            assert_eq!(subfields[0].value, expected, "{content}");
        }
    }

    #[test]
    fn content_that_is_no_subfield_is_refused() {
        for content in ["", "$a", "x"] {
            assert_eq!(restore_subfields(content).unwrap_err().message, "Subfield length", "{content}");
        }
    }
}
