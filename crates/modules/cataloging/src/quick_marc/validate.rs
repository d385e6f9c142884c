//! Checks the MARC rules for a record before it is stored. Pure. Facts: the validation rules of mod-quick-marc 5.1.1.

use octavo_marc::Kind;

use super::refused::{EditorRefusal, invalid};
use super::view::SentField;

/// A position of the leader and its allowed characters. If it is `constant`, the first of them replaces an invalid character.
struct LeaderPosition {
    name: &'static str,
    at: usize,
    allowed: &'static str,
    constant: bool,
}

const fn variable_position(name: &'static str, at: usize, allowed: &'static str) -> LeaderPosition {
    LeaderPosition { name, at, allowed, constant: false }
}

const fn constant_position(name: &'static str, at: usize, allowed: &'static str) -> LeaderPosition {
    LeaderPosition { name, at, allowed, constant: true }
}

const COMMON: [LeaderPosition; 7] = [
    variable_position("Character coding scheme", 9, "\\ \u{a0}a"),
    constant_position("Indicator count", 10, "2"),
    constant_position("Subfield code length", 11, "2"),
    constant_position("Entry map", 20, "4"),
    constant_position("Entry map", 21, "5"),
    constant_position("Entry map", 22, "0"),
    constant_position("Entry map", 23, "0"),
];

const UNDEFINED: &str = "Undefined character position";

static BIBLIOGRAPHIC: [LeaderPosition; 6] = [
    variable_position("Bib record status", 5, "acdnp"),
    variable_position("Bib type of record", 6, "acdefgijkmoprt"),
    variable_position("Bibliographic level", 7, "abcdims"),
    variable_position("Type of control", 8, "\\ \u{a0}a"),
    variable_position("Descriptive cataloging form", 18, "\\ \u{a0}acinu"),
    variable_position("Multipart resource record level", 19, "\\ \u{a0}abc"),
];

static HOLDINGS: [LeaderPosition; 7] = [
    variable_position("Holdings record status", 5, "cdn"),
    variable_position("Holdings type of record", 6, "uvxy"),
    variable_position("Holdings encoding level", 17, "12345muz"),
    variable_position("Item information", 18, "in\\ \u{a0}"),
    constant_position(UNDEFINED, 7, "\\"),
    constant_position(UNDEFINED, 8, "\\"),
    constant_position(UNDEFINED, 19, "\\"),
];

static AUTHORITY: [LeaderPosition; 7] = [
    variable_position("Authority record status", 5, "acdnosx"),
    constant_position("Authority type of record", 6, "z"),
    variable_position("Authority encoding level", 17, "no"),
    constant_position("Punctuation policy", 18, "\\ \u{a0}ciu"),
    constant_position(UNDEFINED, 7, "\\"),
    constant_position(UNDEFINED, 8, "\\"),
    constant_position(UNDEFINED, 19, "\\"),
];

fn leader_positions(kind: Kind) -> impl Iterator<Item = &'static LeaderPosition> {
    let own: &'static [LeaderPosition] = match kind {
        Kind::Bibliographic => &BIBLIOGRAPHIC,
        Kind::Holdings => &HOLDINGS,
        Kind::Authority => &AUTHORITY,
    };
    COMMON.iter().chain(own)
}

/// Replaces invalid characters of the leader by the first allowed one: at its constant positions, and at position 9 of an authority.
pub(super) fn complete_leader(leader: &str, kind: Kind) -> String {
    let mut chars: Vec<char> = leader.chars().collect();
    if chars.len() != 24 {
        return leader.to_owned();
    }
    for place in leader_positions(kind) {
        let coding = kind == Kind::Authority && place.at == 9;
        if (place.constant || coding) && !place.allowed.contains(chars[place.at]) {
            chars[place.at] = place.allowed.chars().next().unwrap_or(' ');
        }
    }
    chars.into_iter().collect()
}

/// The rules that a record breaks, one error for each.
pub(super) fn faults(kind: Kind, leader: &str, fields: &[SentField]) -> Vec<EditorRefusal> {
    let one = |tag: &str, required: bool| {
        only_one_fault(tag, fields.iter().filter(|field| field.tag == tag), required)
    };
    let mut rules = Vec::new();
    match kind {
        Kind::Authority => {
            let headings = fields.iter().filter(|field| field.tag.starts_with('1'));
            rules.extend([
                leader_fault(kind, leader),
                one("010", false),
                only_one_fault("1XX", headings, true),
            ]);
        }
        Kind::Bibliographic => rules.extend([leader_fault(kind, leader), one("245", true)]),
        Kind::Holdings => {}
    }
    rules.extend([indicator_fault(fields), one("001", false), one("008", true)]);
    if kind == Kind::Holdings {
        rules.extend([leader_fault(kind, leader), one("004", true), one("852", true)]);
    }
    rules.into_iter().flatten().collect()
}

fn only_one_fault<'a>(
    tag: &str,
    mut fields: impl Iterator<Item = &'a SentField>,
    required: bool,
) -> Option<EditorRefusal> {
    match (fields.next(), fields.next()) {
        (None, _) => required.then(|| invalid(tag, "Is required tag")),
        (Some(_), Some(_)) => Some(invalid(tag, "Is unique tag")),
        (Some(field), None) => field.is_empty().then(|| invalid(tag, "Content couldn't be empty")),
    }
}

fn indicator_fault(fields: &[SentField]) -> Option<EditorRefusal> {
    fields.iter().filter(|field| !field.indicators.is_empty()).find_map(|field| {
        if field.indicators.len() != 2 {
            return Some(invalid(&field.tag, "Should have exactly 2 indicators"));
        }
        let wrong = field.indicators.iter().any(|one| one.chars().count() != 1);
        wrong.then(|| invalid(&field.tag, "Indicator could have only one-character value"))
    })
}

fn leader_fault(kind: Kind, leader: &str) -> Option<EditorRefusal> {
    let chars: Vec<char> = leader.chars().collect();
    if chars.len() != 24 {
        return Some(invalid(leader, "Wrong leader length"));
    }
    for start in [0, 12] {
        if !chars[start..start + 5].iter().all(char::is_ascii_digit) {
            return Some(invalid(leader, format!("{start}-{} positions must be a number", start + 5)));
        }
    }
    let wrong = leader_positions(kind).find(|place| {
        let found = chars[place.at];
        !place.allowed.contains(found) && !place.allowed.contains(found.to_ascii_lowercase())
    })?;
    let allowed: Vec<String> = wrong.allowed.chars().map(String::from).collect();
    let (found, at) = (chars[wrong.at], wrong.at);
    let message = format!("Wrong value '{found}', on position {at}. Allowed only: [{}]", allowed.join(", "));
    Some(invalid(wrong.name, message))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn fields(tags: &[&str]) -> Vec<SentField> {
        let sent = |tag: &&str| SentField {
            tag: (*tag).to_owned(),
            content: json!("$a x"),
            indicators: Vec::new(),
            link: Value::Null,
        };
        tags.iter().map(sent).collect()
    }

    const BIB: &str = "00835cam\\a2200229\\a\\4500";

    #[test]
    fn each_kind_has_its_rules() {
        let cases: [(Kind, &str, &[&str], &[&str]); 12] = [
            (Kind::Bibliographic, BIB, &["008", "245"], &[]),
            (Kind::Bibliographic, BIB, &["008"], &["Is required tag"]),
            (Kind::Bibliographic, BIB, &[], &["Is required tag", "Is required tag"]),
            (Kind::Bibliographic, BIB, &["001", "001", "008", "245"], &["Is unique tag"]),
            (
                Kind::Bibliographic,
                "00835xam\\a2200229\\a\\4500",
                &["008", "245"],
                &["Wrong value 'x', on position 5. Allowed only: [a, c, d, n, p]"],
            ),
            (
                Kind::Bibliographic,
                "0083xcam\\a2200229\\a\\4500",
                &["008", "245"],
                &["0-5 positions must be a number"],
            ),
            (Kind::Authority, "00722cz\\\\a2200157n\\\\4500", &["008", "100"], &[]),
            (Kind::Authority, "00722cz\\\\a2200157n\\\\4500", &["008", "100", "110"], &["Is unique tag"]),
            (
                Kind::Authority,
                "00722cz\\\\a2200157n\\\\4500",
                &["008", "010", "010", "150"],
                &["Is unique tag"],
            ),
            (Kind::Holdings, "00716cx\\\\a22001691\\\\4500", &["004", "008", "852"], &[]),
            (Kind::Holdings, "00716cx\\\\a22001691\\\\4500", &["004", "008"], &["Is required tag"]),
            (
                Kind::Holdings,
                "00716cx\\\\a2200169a\\\\4500",
                &["004", "008", "852"],
                &["Wrong value 'a', on position 17. Allowed only: [1, 2, 3, 4, 5, m, u, z]"],
            ),
        ];
        for (kind, leader, tags, expected) in cases {
            let found = faults(kind, leader, &fields(tags));
            let found: Vec<&str> = found.iter().map(|fault| fault.message.as_str()).collect();
            assert_eq!(found, expected, "{kind:?} {leader} {tags:?}");
        }
    }

    #[test]
    fn indicators_are_two_characters() {
        for (indicators, expected) in [
            (vec!["1", "\\"], None),
            (vec!["1"], Some("Should have exactly 2 indicators")),
            (vec!["12", " "], Some("Indicator could have only one-character value")),
        ] {
            let mut sent = fields(&["008", "245"]);
            sent[1].indicators = indicators.iter().map(|one| (*one).to_owned()).collect();
            let found = faults(Kind::Bibliographic, BIB, &sent);
            assert_eq!(found.first().map(|fault| fault.message.as_str()), expected);
        }
    }

    #[test]
    fn what_has_but_one_value_is_filled_in() {
        assert_eq!(
            complete_leader("00835cam\\axx00229\\a\\xxxx", Kind::Bibliographic),
            "00835cam\\a2200229\\a\\4500"
        );
        assert_eq!(
            complete_leader("00722cxxxa2200157n\\x4500", Kind::Authority),
            "00722cz\\\\a2200157n\\\\4500"
        );
        assert_eq!(complete_leader("short", Kind::Authority), "short");
    }
}
