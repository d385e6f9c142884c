//! Converts a MARC record to unqualified Dublin Core, by the mapping of the Library of Congress in the version of mod-oai-pmh. Pure.

use octavo_kernel::Xml;
use octavo_marc::{Field, Record, Subfield};

const ATTRIBUTES: [(&str, &str); 4] = [
    ("xmlns:oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"),
    ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    (
        "xsi:schemaLocation",
        "http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
    ),
];

/// Which MARC fields become a Dublin Core element, and which of their subfields. An empty `codes` means all subfields.
struct Mapping {
    element: &'static str,
    tags: fn(&str) -> bool,
    codes: &'static str,
    several: Several,
    prefix: &'static str,
}

/// How several matching subfields of one field become elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Several {
    OneElement,
    ElementEach,
    TheFirst,
}

const fn mapped(element: &'static str, tags: fn(&str) -> bool, codes: &'static str) -> Mapping {
    Mapping { element, tags, codes, several: Several::OneElement, prefix: "" }
}

const fn first(element: &'static str, tags: fn(&str) -> bool, code: &'static str) -> Mapping {
    Mapping { several: Several::TheFirst, ..mapped(element, tags, code) }
}

const fn each(element: &'static str, tags: fn(&str) -> bool, code: &'static str) -> Mapping {
    Mapping { several: Several::ElementEach, ..mapped(element, tags, code) }
}

fn is_link(tag: &str) -> bool {
    matches!(
        tag,
        "760"
            | "762"
            | "765"
            | "767"
            | "770"
            | "772"
            | "773"
            | "774"
            | "775"
            | "776"
            | "777"
            | "780"
            | "785"
            | "786"
            | "787"
    )
}

/// Notes: all fields 5XX except those with a mapping of their own.
fn is_note(tag: &str) -> bool {
    tag.starts_with('5') && !matches!(tag, "506" | "530" | "540" | "546")
}

const BEFORE_TYPE: [Mapping; 2] = [
    mapped("dc:title", |tag| tag == "245", "abfghk"),
    mapped("dc:creator", |tag| matches!(tag, "100" | "110" | "111" | "700" | "710" | "711" | "720"), ""),
];

const BEFORE_LANGUAGE: [Mapping; 3] = [
    mapped("dc:type", |tag| tag == "655", ""),
    mapped("dc:publisher", |tag| matches!(tag, "260" | "264"), "ab"),
    each("dc:date", |tag| matches!(tag, "260" | "264"), "c"),
];

const AFTER_LANGUAGE: [Mapping; 9] = [
    each("dc:format", |tag| tag == "856", "q"),
    first("dc:description", is_note, "a"),
    mapped("dc:subject", |tag| matches!(tag, "600" | "610" | "611" | "630" | "650" | "653"), "abcdq"),
    mapped("dc:coverage", |tag| tag == "752", "abcd"),
    mapped("dc:relation", |tag| tag == "530", "abcdu"),
    mapped("dc:relation", is_link, "ot"),
    first("dc:identifier", |tag| tag == "856", "u"),
    Mapping { prefix: "URN:ISBN:", ..first("dc:identifier", |tag| tag == "020", "a") },
    first("dc:rights", |tag| matches!(tag, "506" | "540"), "a"),
];

pub(super) fn write(xml: &mut Xml, record: &Record) {
    xml.element("oai_dc:dc", &ATTRIBUTES, |xml| {
        elements(xml, record, &BEFORE_TYPE);
        for kind in kinds(record) {
            xml.leaf("dc:type", kind);
        }
        elements(xml, record, &BEFORE_LANGUAGE);
        let language: Option<String> =
            record.control_field("008").map(|text| text.chars().skip(35).take(3).collect());
        if let Some(language) = language.filter(|language| !language.trim().is_empty()) {
            xml.leaf("dc:language", &language);
        }
        elements(xml, record, &AFTER_LANGUAGE);
        if let Some(suppressed) = suppressed(record) {
            xml.leaf("dc:rights", suppressed);
        }
    });
}

fn elements(xml: &mut Xml, record: &Record, all: &[Mapping]) {
    for mapped in all {
        for field in record.fields.iter().filter(|field| (mapped.tags)(field.tag())) {
            let Field::Data { subfields, .. } = field else { continue };
            let chosen = |subfield: &&Subfield| {
                let wanted = mapped.codes.is_empty() || mapped.codes.contains(subfield.code);
                wanted && !subfield.value.trim().is_empty()
            };
            let parts: Vec<&str> = subfields.iter().filter(chosen).map(|one| one.value.trim()).collect();
            let texts = match mapped.several {
                _ if parts.is_empty() => Vec::new(),
                Several::OneElement => vec![parts.join(" ")],
                Several::ElementEach => parts.into_iter().map(str::to_owned).collect(),
                Several::TheFirst => vec![parts[0].to_owned()],
            };
            for text in texts {
                xml.leaf(mapped.element, &format!("{}{text}", mapped.prefix));
            }
        }
    }
}

/// The kinds of resource that the leader names.
fn kinds(record: &Record) -> impl Iterator<Item = &'static str> {
    let of = record.leader.char_at(6);
    let collection = (record.leader.char_at(7) == 'c').then_some("collection");
    let manuscript = matches!(of, 'd' | 'f' | 'p' | 't').then_some("manuscript");
    let kind = match of {
        'a' | 't' => Some("text"),
        'e' | 'f' => Some("cartographic"),
        'c' | 'd' => Some("notated music"),
        'i' | 'j' => Some("sound recording"),
        'k' => Some("still image"),
        'g' => Some("moving image"),
        'r' => Some("three dimensional object"),
        'm' => Some("software, multimedia"),
        'p' => Some("mixed material"),
        _ => None,
    };
    [collection, manuscript, kind].into_iter().flatten()
}

fn suppressed(record: &Record) -> Option<&'static str> {
    let own = record.fields.iter().find_map(|field| match field {
        Field::Data { tag, indicators: ['f', 'f'], subfields } if tag == "999" => Some(subfields),
        _ => None,
    })?;
    match own.iter().find(|subfield| subfield.code == 't')?.value.as_str() {
        "0" => Some("discovery not suppressed"),
        "1" => Some("discovery suppressed"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oai_pmh::fields::{control_field, data_field};
    use octavo_marc::Leader;

    #[test]
    fn fields_are_elements() {
        let field = |tag: &str, indicators, subfields: &[(char, &'static str)]| {
            data_field(tag, indicators, subfields.iter().map(|(code, text)| (*code, Some(*text)))).unwrap()
        };
        let record = Record {
            leader: Leader::read(b"00000ntc a2200000   4500"),
            fields: vec![
                control_field("008", "830419m19559999gw mua   hiz   n    lat  "),
                field("020", [' ', ' '], &[('a', "1 "), ('z', "2"), ('a', "3")]),
                field("100", ['1', ' '], &[('a', "Mozart,"), ('d', "1756-")]),
                field("245", ['1', '0'], &[('a', "Title"), ('b', "more"), ('c', "by")]),
                field("260", [' ', ' '], &[('a', "Kassel"), ('b', "B"), ('c', "1955"), ('c', "1956")]),
                field("500", [' ', ' '], &[('a', "Note")]),
                field("506", [' ', ' '], &[('a', "Rights")]),
                field("650", [' ', '0'], &[('a', "Music"), ('x', "no")]),
                field("856", ['4', '0'], &[('u', "http://x"), ('u', "http://y"), ('q', "pdf")]),
                field("999", ['f', 'f'], &[('i', "i"), ('t', "1")]),
            ],
        };
        let mut xml = Xml::default();
        write(&mut xml, &record);
        let text = xml.into_text();
        let inside = text.split_once('>').unwrap().1;
        assert_eq!(
            inside,
            "<dc:title>Title more</dc:title><dc:creator>Mozart, 1756-</dc:creator><dc:type>collection</dc:type>\
             <dc:type>manuscript</dc:type><dc:type>text</dc:type><dc:publisher>Kassel B</dc:publisher><dc:date>1955</dc:date>\
             <dc:date>1956</dc:date><dc:language>lat</dc:language><dc:format>pdf</dc:format><dc:description>Note</dc:description>\
             <dc:subject>Music</dc:subject><dc:identifier>http://x</dc:identifier><dc:identifier>URN:ISBN:1</dc:identifier>\
             <dc:rights>Rights</dc:rights><dc:rights>discovery suppressed</dc:rights></oai_dc:dc>"
        );
    }
}
