//! A MARC record made of an instance that has none, by the default rules of mod-oai-pmh. Pure.

use jiff::tz::TimeZone;
use octavo_kernel::parse_time;
use octavo_marc::{Field, Leader, Record};
use serde_json::Value;

use super::fields::{control_field, data_field, relationship_indicator};
use super::names::Names;

const LEADER: &[u8] = b"00000nam a22000003c 4500";

/// The rule for identifiers of one type, by the type's name: the MARC field that they become.
struct Identifier {
    tag: &'static str,
    first_indicator: char,
    code: char,
    kind: &'static str,
    /// Subfields that are the same in every such field.
    fixed: &'static [(char, &'static str)],
    /// Other types of identifier by name: the first identifier of such a type becomes a subfield of each field.
    related: &'static [(char, &'static str)],
}

const fn simple_identifier(tag: &'static str, kind: &'static str) -> Identifier {
    Identifier { tag, first_indicator: ' ', code: 'a', kind, fixed: &[], related: &[] }
}

const fn standard_identifier(
    first_indicator: char,
    code: char,
    kind: &'static str,
    fixed: &'static [(char, &'static str)],
) -> Identifier {
    Identifier { first_indicator, code, fixed, ..simple_identifier("024", kind) }
}

const IDENTIFIERS: &[Identifier] = &[
    simple_identifier("010", "LCCN"),
    simple_identifier("019", "Cancelled system control number"),
    Identifier { related: &[('z', "Invalid ISBN")], ..simple_identifier("020", "ISBN") },
    Identifier {
        related: &[('l', "Linking ISSN"), ('z', "Invalid ISSN")],
        ..simple_identifier("022", "ISSN")
    },
    standard_identifier('8', 'a', "ASIN", &[('q', "ASIN")]),
    standard_identifier('8', 'a', "BNB", &[('q', "BNB")]),
    standard_identifier('8', 'a', "Local identifier", &[('q', "Local identifier")]),
    standard_identifier('8', 'a', "StEdNL", &[('q', "StEdNL")]),
    standard_identifier('8', 'a', "UkMac", &[('q', "UkMac")]),
    standard_identifier('2', 'a', "ISMN", &[]),
    standard_identifier('2', 'z', "Invalid ISMN", &[]),
    standard_identifier('1', 'a', "UPC", &[]),
    standard_identifier('1', 'z', "Invalid UPC", &[]),
    standard_identifier('8', 'a', "Other standard identifier", &[('q', "Other standard identifier")]),
    standard_identifier('7', 'a', "DOI", &[('2', "doi")]),
    standard_identifier('7', 'a', "Handle", &[('2', "hdl")]),
    standard_identifier('7', 'a', "URN", &[('2', "urn")]),
    Identifier { first_indicator: '5', ..simple_identifier("028", "Publisher or distributor number") },
    simple_identifier("030", "CODEN"),
    simple_identifier("035", "System control number"),
    simple_identifier("035", "OCLC"),
    Identifier {
        related: &[('z', "Cancelled GPO item number")],
        ..simple_identifier("074", "GPO item number")
    },
    simple_identifier("088", "Report number"),
];

/// Rules for contributors: the type of name, the tag for the primary contributor, the tag for other contributors, and the first indicator.
const CONTRIBUTORS: [(&str, &str, &str, char); 3] = [
    ("Personal name", "100", "700", '1'),
    ("Corporate name", "110", "710", '2'),
    ("Meeting name", "111", "711", '2'),
];

const TITLES: [(&str, &str, [char; 2]); 3] = [
    ("Uniform title", "130", ['0', ' ']),
    ("Variant title", "246", ['0', ' ']),
    ("Former title", "247", ['0', '0']),
];

/// Rules for lists of texts, or of objects of which one member is used: the list, the member, the tag, and the indicators.
const LISTS: [(&str, &str, &str, [char; 2]); 8] = [
    ("editions", "", "250", [' ', ' ']),
    ("physicalDescriptions", "", "300", [' ', ' ']),
    ("publicationFrequency", "", "310", [' ', ' ']),
    ("publicationRange", "", "362", ['1', ' ']),
    ("series", "value", "490", ['0', ' ']),
    ("subjects", "value", "653", [' ', ' ']),
    ("precedingTitles", "precedingInstanceId", "780", ['0', '0']),
    ("succeedingTitles", "succeedingInstanceId", "785", ['0', '0']),
];

pub(super) fn record(instance: &Value, names: &Names) -> Record {
    let mut fields = Vec::new();
    fields.extend(instance["hrid"].as_str().map(|hrid| control_field("001", hrid)));
    fields.extend(change_date(instance).map(|at| control_field("005", at)));
    fields.extend(fixed_length(instance).map(|text| control_field("008", text)));
    identifiers(&mut fields, instance, names);
    for language in texts(instance, "languages", "") {
        fields.extend(data_field("041", [' ', ' '], [('a', Some(language))]));
    }
    contributors(&mut fields, instance, names);
    for title in list(instance, "alternativeTitles") {
        let kind = name_of_reference(title, "alternativeTitleTypeId", names);
        for (_, tag, indicators) in TITLES.iter().filter(|(known, ..)| is_kind(kind, known)) {
            fields.extend(data_field(tag, *indicators, [('a', title["alternativeTitle"].as_str())]));
        }
    }
    fields.extend(data_field("245", ['0', '0'], [('a', instance["title"].as_str())]));
    for one in list(instance, "publication") {
        let parts = [('a', "place"), ('b', "publisher"), ('c', "dateOfPublication")];
        fields.extend(data_field(
            "264",
            [' ', '1'],
            parts.map(|(code, member)| (code, one[member].as_str())),
        ));
    }
    for (member, inside, tag, indicators) in LISTS {
        for text in texts(instance, member, inside) {
            fields.extend(data_field(tag, indicators, [('a', Some(text))]));
        }
    }
    let resource = name_of_reference(instance, "instanceTypeId", names);
    fields.extend(data_field("336", [' ', ' '], [('a', resource)]));
    for format in texts(instance, "instanceFormatIds", "").filter_map(|id| names.name(Some(id))) {
        let mut parts = format.split("--").map(str::trim);
        for tag in ["337", "338"] {
            fields.extend(data_field(tag, [' ', ' '], [('a', parts.next())]));
        }
    }
    for note in list(instance, "notes").iter().filter(|note| note["staffOnly"] == false) {
        fields.extend(data_field("500", [' ', ' '], [('a', note["note"].as_str())]));
    }
    for term in texts(instance, "natureOfContentTermIds", "") {
        fields.extend(data_field("655", [' ', '4'], [('a', names.name(Some(term)))]));
    }
    for access in list(instance, "electronicAccess") {
        let second = relationship_indicator(name_of_reference(access, "relationshipId", names));
        let parts = [('u', "uri"), ('y', "linkText"), ('z', "publicNote"), ('3', "materialsSpecification")];
        fields.extend(data_field(
            "856",
            ['4', second],
            parts.map(|(code, member)| (code, access[member].as_str())),
        ));
    }
    fields.extend(data_field("999", ['f', 'f'], [('i', instance["id"].as_str())]));
    fields.sort_by(|one, other| one.tag().cmp(other.tag()));
    Record { leader: Leader::read(LEADER), fields }
}

fn identifiers(fields: &mut Vec<Field>, instance: &Value, names: &Names) {
    let all: Vec<(Option<&str>, Option<&str>)> = list(instance, "identifiers")
        .iter()
        .map(|one| (name_of_reference(one, "identifierTypeId", names), one["value"].as_str()))
        .collect();
    let first =
        |kind: &str| all.iter().find(|(known, _)| is_kind(*known, kind)).and_then(|(_, value)| *value);
    for rule in IDENTIFIERS {
        let second = if rule.tag == "028" { '2' } else { ' ' };
        for (_, value) in all.iter().filter(|(kind, _)| is_kind(*kind, rule.kind)) {
            let related = rule.related.iter().map(|(code, kind)| (*code, first(kind)));
            let fixed = rule.fixed.iter().map(|(code, text)| (*code, Some(*text)));
            let subfields = std::iter::once((rule.code, *value)).chain(related).chain(fixed);
            fields.extend(data_field(rule.tag, [rule.first_indicator, second], subfields));
        }
    }
}

fn contributors(fields: &mut Vec<Field>, instance: &Value, names: &Names) {
    for contributor in list(instance, "contributors") {
        let kind = name_of_reference(contributor, "contributorNameTypeId", names);
        let primary = contributor["primary"] == true;
        for (_, first, other, indicator) in CONTRIBUTORS.iter().filter(|(known, ..)| is_kind(kind, known)) {
            let tag = if primary { first } else { other };
            fields.extend(data_field(tag, [*indicator, ' '], [('a', contributor["name"].as_str())]));
        }
    }
}

fn is_kind(kind: Option<&str>, known: &str) -> bool {
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case(known))
}

fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value[member].as_array().map_or(&[], Vec::as_slice)
}

fn texts<'v>(value: &'v Value, member: &str, inside: &'static str) -> impl Iterator<Item = &'v str> {
    let of = move |one: &'v Value| if inside.is_empty() { one.as_str() } else { one[inside].as_str() };
    list(value, member).iter().filter_map(of)
}

fn name_of_reference<'n>(value: &Value, member: &str, names: &'n Names) -> Option<&'n str> {
    names.name(value[member].as_str())
}

/// Field 005: the time of the instance's last change, to a tenth of a second.
fn change_date(instance: &Value) -> Option<String> {
    let at = parse_time(instance["metadata"]["updatedDate"].as_str()?)?;
    Some(at.strftime("%Y%m%d%H%M%S.%1f").to_string())
}

/// Field 008: when the instance was made, its dates of publication, and its language.
fn fixed_length(instance: &Value) -> Option<String> {
    let made = parse_time(instance["metadata"]["createdDate"].as_str()?)?.to_zoned(TimeZone::UTC);
    let dates: Vec<&str> = texts(instance, "publication", "dateOfPublication").collect();
    let year = |at: usize| dates.get(at).copied().filter(|date| date.chars().count() == 4).unwrap_or("||||");
    let languages: Vec<&str> = texts(instance, "languages", "").collect();
    let language = match languages[..] {
        [] | [""] => "und",
        [one] => one,
        _ => "mul",
    };
    let made = made.strftime("%y%m%d");
    Some(format!("{made}|{}{}||||||||       |||||{language}||", year(0), year(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oai_pmh::names::LocationNames;
    use octavo_kernel::Xml;
    use serde_json::json;

    fn names() -> Names {
        let names = [
            ("isbn", "ISBN"),
            ("bad", "Invalid ISBN"),
            ("doi", "DOI"),
            ("person", "Personal name"),
            ("meeting", "Meeting name"),
            ("variant", "Variant title"),
            ("text", "text"),
            ("disc", "audio -- audio disc"),
            ("version", "Version of resource"),
            ("thesis", "thesis"),
        ];
        Names::for_tests(&names, ("", LocationNames::default()))
    }

    fn record_xml(instance: &Value) -> String {
        let mut xml = Xml::default();
        octavo_marc::write_marcxml(&mut xml, &record(instance, &names()));
        xml.into_text()
    }

    #[test]
    fn members_of_an_instance_are_fields() {
        let text = record_xml(&json!({
            "id": "i", "hrid": "in1", "title": "T", "languages": ["eng", "ger"],
            "metadata": {"createdDate": "2024-02-03T00:00:00.000+00:00", "updatedDate": "2024-02-03T16:05:06.700+00:00"},
            "identifiers": [{"value": "1", "identifierTypeId": "isbn"}, {"value": "2", "identifierTypeId": "bad"},
                {"value": "3", "identifierTypeId": "doi"}, {"value": "4", "identifierTypeId": "unknown"}],
            "contributors": [{"name": "P", "contributorNameTypeId": "person", "primary": true},
                {"name": "M", "contributorNameTypeId": "meeting"}],
            "alternativeTitles": [{"alternativeTitle": "V", "alternativeTitleTypeId": "variant"}],
            "publication": [{"place": "Here", "dateOfPublication": "2001"}, {"publisher": "X"}],
            "instanceTypeId": "text", "instanceFormatIds": ["disc"], "natureOfContentTermIds": ["thesis"],
            "notes": [{"note": "open", "staffOnly": false}, {"note": "closed", "staffOnly": true}],
            "electronicAccess": [{"uri": "u", "relationshipId": "version"}],
        }));
        for part in [
            "<leader>00000nam a22000003c 4500</leader>",
            "<controlfield tag=\"001\">in1<",
            "<controlfield tag=\"005\">20240203160506.7<",
            "<controlfield tag=\"008\">240203|2001||||||||||||       |||||mul||<",
            "<datafield tag=\"020\" ind1=\" \" ind2=\" \"><subfield code=\"a\">1</subfield><subfield code=\"z\">2</subfield><",
            "<datafield tag=\"024\" ind1=\"7\" ind2=\" \"><subfield code=\"a\">3</subfield><subfield code=\"2\">doi</subfield><",
            "<datafield tag=\"100\" ind1=\"1\" ind2=\" \"><subfield code=\"a\">P<",
            "<datafield tag=\"711\" ind1=\"2\" ind2=\" \"><subfield code=\"a\">M<",
            "<datafield tag=\"246\" ind1=\"0\" ind2=\" \"><subfield code=\"a\">V<",
            "<datafield tag=\"264\" ind1=\" \" ind2=\"1\"><subfield code=\"a\">Here</subfield><subfield code=\"c\">2001<",
            "<datafield tag=\"336\" ind1=\" \" ind2=\" \"><subfield code=\"a\">text<",
            "<datafield tag=\"337\" ind1=\" \" ind2=\" \"><subfield code=\"a\">audio<",
            "<datafield tag=\"338\" ind1=\" \" ind2=\" \"><subfield code=\"a\">audio disc<",
            "<datafield tag=\"500\" ind1=\" \" ind2=\" \"><subfield code=\"a\">open<",
            "<datafield tag=\"655\" ind1=\" \" ind2=\"4\"><subfield code=\"a\">thesis<",
            "<datafield tag=\"856\" ind1=\"4\" ind2=\"1\"><subfield code=\"u\">u<",
            "<datafield tag=\"999\" ind1=\"f\" ind2=\"f\"><subfield code=\"i\">i<",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("closed") && !text.contains(">4<"), "{text}");
        let tags: Vec<&str> = text.split("tag=\"").skip(1).map(|rest| &rest[..3]).collect();
        assert!(tags.is_sorted(), "{tags:?}");
    }

    #[test]
    fn an_instance_with_nothing_is_a_record_too() {
        let text = record_xml(&json!({"id": "i", "title": "T"}));
        assert!(text.contains("tag=\"245\"") && !text.contains("tag=\"008\""), "{text}");
    }
}
