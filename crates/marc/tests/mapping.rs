//! What FOLIO's own rules make of records, with FOLIO's reference records.

use octavo_marc::{Encoding, Format, Kind, Lookups, Mapped, Mapper, Record, decode, derived_id, from_json};
use serde_json::{Value, json};

const RULES: &str = include_str!("../../../data/reference/mod-source-record-manager/marc-bib-rules.json");

fn mapper() -> Mapper {
    Mapper::new(Kind::Bibliographic, RULES, lookups()).unwrap()
}

/// Ids of types are their names, which reads better than FOLIO's ids.
fn lookups() -> Lookups {
    let types: [(&str, &[(&str, &str)]); 14] = [
        (
            "identifierTypes",
            &[
                ("LCCN", ""),
                ("ISBN", ""),
                ("Invalid ISBN", ""),
                ("ISSN", ""),
                ("System control number", ""),
                ("OCLC", ""),
                ("Cancelled system control number", ""),
                ("Control number", ""),
            ],
        ),
        ("classificationTypes", &[("LC", ""), ("Dewey", "")]),
        ("contributorTypes", &[("Author", "aut"), ("Editor", "edt"), ("Etc.", "xxx")]),
        ("contributorNameTypes", &[("Personal name", ""), ("Corporate name", ""), ("Meeting name", "")]),
        ("instanceTypes", &[("text", "txt"), ("unspecified", "zzz")]),
        ("instanceFormats", &[("unmediated -- volume", "nc")]),
        ("electronicAccessRelationships", &[("Resource", ""), ("No information provided", "")]),
        ("instanceNoteTypes", &[("General note", ""), ("Bibliography note", ""), ("Action note", "")]),
        ("alternativeTitleTypes", &[("Uniform title", ""), ("Variant title", "")]),
        ("holdingsTypes", &[("Monograph", ""), ("Unknown", "")]),
        ("callNumberTypes", &[("Dewey Decimal classification", "")]),
        ("locations", &[("Main stacks", "main")]),
        ("holdingsNoteTypes", &[("Provenance", "")]),
        ("authorityNoteTypes", &[("Nonpublic general note", "")]),
    ];
    let mut lookups = Lookups::default();
    for (collection, entries) in types {
        for (name, code) in entries {
            lookups.add(collection, &json!({"id": name, "name": name, "code": code}));
        }
    }
    for name in ["single unit", "serial", "integrating resource", "unspecified"] {
        lookups.add("issuanceModes", &json!({"id": name, "name": name}));
    }
    for (name, codes) in [("Names", vec!["n", "nr"]), ("Subjects", vec!["sh"])] {
        lookups.add("authoritySourceFiles", &json!({"id": name, "name": name, "codes": codes}));
    }
    lookups
}

/// A field as cataloguers write it: `245 14 $a The title /`.
fn field(line: &str) -> Value {
    let (tag, rest) = line.split_at(3);
    if tag < "010" {
        return json!({tag: &rest[1..]});
    }
    let subfields: Vec<Value> = rest[4..]
        .split('$')
        .skip(1)
        .map(|subfield| json!({subfield[..1]: subfield[2..].trim_end_matches('~').strip_suffix(' ').unwrap_or(&subfield[2..])}))
        .collect();
    json!({tag: {"ind1": rest[1..2].replace('#', " "), "ind2": rest[2..3].replace('#', " "), "subfields": subfields}})
}

fn map(lines: &[&str]) -> Mapped {
    mapper().map(&record("00000cam a2200000 i 4500", lines)).unwrap()
}

fn record(leader: &str, lines: &[&str]) -> Record {
    let fields: Vec<Value> = lines.iter().map(|line| field(line)).collect();
    from_json(&json!({"leader": leader, "fields": fields})).unwrap()
}

#[test]
fn holdings() {
    let rules = include_str!("../../../data/reference/mod-source-record-manager/marc-holdings-rules.json");
    let mapper = Mapper::new(Kind::Holdings, rules, lookups()).unwrap();
    let lines = [
        "001 ho1",
        "004 in1",
        "035 ## $a (ABC)1 $a (ABC)2",
        "852 1# $b main $h 005.133 $i R97 $k Ref $m folio $l Rust $t 2",
        "561 ## $a Bought $3 Part one",
        "856 40 $y no address",
        "866 ## $a v.1- $z public $x staff",
    ];
    let mapped = mapper.map(&record("00000nx  a2200000un 4500", &lines)).unwrap();
    let expected = json!({
        "holdingsTypeId": "Monograph", "formerIds": ["(ABC)1", "(ABC)2"], "callNumberTypeId": "Dewey Decimal classification",
        "permanentLocationId": "Main stacks", "callNumber": "005.133 R97", "callNumberPrefix": "Ref", "callNumberSuffix": "folio",
        "shelvingTitle": "Rust", "copyNumber": "2", "electronicAccess": [], "sourceId": "036ee84a-6afd-4c3c-9ad3-4a12ab875f59",
        "notes": [{"holdingsNoteTypeId": "Provenance", "note": "Bought ; Part one", "staffOnly": false}],
        "holdingsStatements": [{"statement": "v.1-", "note": "public", "staffNote": "staff"}],
    });
    assert_eq!(mapped.record, expected);
    let nowhere = mapper.map(&record("00000nq  a2200000un 4500", &["001 ho2", "852 9# $b attic"])).unwrap();
    assert_eq!(nowhere.record["permanentLocationId"], "fe19bae4-da28-472b-be90-d442e2428ead");
    assert_eq!(nowhere.record["holdingsTypeId"], "Unknown");
    assert!(nowhere.record["callNumberTypeId"].is_null());
}

#[test]
fn authorities() {
    let rules = include_str!("../../../data/reference/mod-source-record-manager/marc-authority-rules.json");
    let mapper = Mapper::new(Kind::Authority, rules, lookups()).unwrap();
    let map = |lines: &[&str]| mapper.map(&record("00000nz  a2200000n  4500", lines)).unwrap().record;
    let person = map(&[
        "001 n12345",
        "008 850101n| azannaabn          |n aaa      ",
        "010 ## $a nr 85001234 $z n99",
        "100 1# $a Melville, Herman, $d 1819-1891",
        "400 1# $a Melvill, H.",
        "400 1# $a Tarnmoor, Salvator R.",
        "500 1# $a Melville, Herman. $t Moby Dick",
        "667 ## $a Not for show",
    ]);
    let expected = json!({
        "source": "MARC", "naturalId": "nr85001234", "sourceFileId": "Names", "subjectHeadings": "a",
        "personalName": "Melville, Herman, 1819-1891", "sftPersonalName": ["Melvill, H.", "Tarnmoor, Salvator R."],
        "saftPersonalNameTitle": ["Melville, Herman. Moby Dick"],
        "identifiers": [
            {"identifierTypeId": "Control number", "value": "n12345"},
            {"identifierTypeId": "LCCN", "value": "nr 85001234"},
            {"identifierTypeId": "LCCN", "value": "n99"},
        ],
        "notes": [{"noteTypeId": "Nonpublic general note", "note": "Not for show"}],
    });
    assert_eq!(person, expected);
    for (number, lccn, natural, file) in [
        ("sh 1", "x2", "sh1", Some("Subjects")),
        ("x1", "sh2", "sh2", Some("Subjects")),
        ("x-1", "y2", "x1", None),
        ("n-r 2", "nb3", "nr2", Some("Names")),
        ("nb 1", "", "nb1", None),
    ] {
        let topic = map(&[&format!("001 {number}"), &format!("010 ## $a {lccn}"), "150 ## $a Whales"]);
        assert_eq!(
            (topic["naturalId"].as_str(), topic["sourceFileId"].as_str()),
            (Some(natural), file),
            "{number}"
        );
    }
}

#[test]
fn a_record_is_written_as_it_was_read() {
    let book =
        record("00000cam a2200000 i 4500", &["001 12345", "245 14 $a The title / $c by me", "500 ## $a x"]);
    assert_eq!(from_json(&book.to_json()), Ok(book));
}

#[test]
fn a_book() {
    let mapped = map(&[
        "001 12345",
        "003 ABC",
        "008 120101s2012    xx            000 0 eng d",
        "010 ## $a   2011012345 ",
        "020 ## $a 9780000000002 $q paperback : $c 12.50 $z 9780000000003",
        "020 ## $a 9780000000019 $a 9780000000026",
        "035 ## $a (OCoLC)00099999 $z (OCoLC)11111",
        "041 0# $a engfre $a ger",
        "050 00 $a QA76.9 $b .D3 2012",
        "082 04 $a 005.7/4 $2 23",
        "100 1# $a Smith, Jane Q., $d 1950- $e author. $9 not-an-id",
        "240 10 $a Opus. $l English.",
        "245 14 $a The long road : $b a history / $c Jane Q. Smith.",
        "246 1# $a Long way",
        "250 ## $a Second edition /",
        "264 #1 $a Paris ; $a London : $b Verlag, $c 2012.",
        "300 ## $a xii, 300 pages : $b illustrations ; $c 24 cm",
        "336 ## $a text $b txt $2 rdacontent",
        "338 ## $a volume $b nc $2 rdacarrier",
        "490 1# $a Series in a field without a rule",
        "500 ## $a A note.",
        "583 0# $a Not for the public.",
        "650 #0 $a Roads $x History $z France.",
        "700 1# $a Miller, A. $4 edt $e writer",
        "710 2# $a Society of Roads. $e sponsor.",
        "830 #0 $a Roads of the world ; $v 7.",
        "856 40 $u https://example.org/1 $z Full text",
        "856 42 $z No address",
    ]);
    let expected = json!({
        "source": "MARC",
        "modeOfIssuanceId": "single unit",
        "instanceTypeId": "text",
        "languages": ["eng", "fre", "ger"],
        "identifiers": [
            {"identifierTypeId": "LCCN", "value": "2011012345"},
            {"identifierTypeId": "ISBN", "value": "9780000000002 12.50 paperback"},
            {"identifierTypeId": "Invalid ISBN", "value": "9780000000003"},
            {"identifierTypeId": "ISBN", "value": "9780000000019"},
            {"identifierTypeId": "ISBN", "value": "9780000000026"},
            {"identifierTypeId": "OCLC", "value": "(OCoLC)00099999"},
            {"identifierTypeId": "Cancelled system control number", "value": "(OCoLC)11111"},
            {"identifierTypeId": "System control number", "value": "(ABC)12345"},
        ],
        "classifications": [
            {"classificationTypeId": "LC", "classificationNumber": "QA76.9 .D3 2012"},
            {"classificationTypeId": "Dewey", "classificationNumber": "005.74"},
        ],
        "contributors": [
            {"name": "Smith, Jane Q., 1950-", "contributorNameTypeId": "Personal name", "contributorTypeId": "Author", "primary": true},
            {"name": "Miller, A.", "contributorNameTypeId": "Personal name", "contributorTypeId": "Editor", "primary": false},
            {"name": "Society of Roads", "contributorNameTypeId": "Corporate name", "contributorTypeText": "sponsor.", "primary": false},
        ],
        "alternativeTitles": [
            {"alternativeTitle": "Opus. English.", "alternativeTitleTypeId": "Uniform title"},
            {"alternativeTitle": "Long way", "alternativeTitleTypeId": "Variant title"},
        ],
        "title": "The long road : a history / Jane Q. Smith.",
        "indexTitle": "Long road : a history /",
        "editions": ["Second edition"],
        "publication": [{"place": "Paris ; London", "publisher": "Verlag", "dateOfPublication": "2012", "role": "Publication"}],
        "physicalDescriptions": ["xii, 300 pages : illustrations ; 24 cm"],
        "instanceFormatIds": ["unmediated -- volume"],
        "notes": [
            {"instanceNoteTypeId": "General note", "note": "A note", "staffOnly": false},
            {"instanceNoteTypeId": "Action note", "note": "Not for the public", "staffOnly": true},
        ],
        "subjects": [{"value": "Roads--History--France"}],
        "series": [{"value": "Roads of the world ; 7."}],
        "electronicAccess": [{"relationshipId": "Resource", "uri": "https://example.org/1", "publicNote": "Full text"}],
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&mapped.record[name], value, "{name}");
    }
    assert_eq!(mapped.record.as_object().unwrap().len(), expected.as_object().unwrap().len(), "{mapped:?}");
    assert_eq!((mapped.preceding, mapped.succeeding), (vec![], vec![]));
}

#[test]
fn linked_fields_stand_for_others_and_titles_before_and_after_stand_apart() {
    let mapped = map(&[
        "245 00 $6 880-01 $a Beijing",
        "780 00 $t Old journal $x 0000-0001",
        "785 00 $x 0000-0002",
        "880 00 $6 245-01 $a 北京",
        "880 1# $6 700-02 $a 王",
        "880 1# $6 7",
    ]);
    assert_eq!(mapped.record["title"], "Beijing");
    assert_eq!(mapped.record["alternativeTitles"][0]["alternativeTitle"], "北京");
    assert_eq!(mapped.record["contributors"][0]["name"], "王");
    assert_eq!(mapped.record["instanceTypeId"], "unspecified");
    let before =
        json!({"title": "Old journal", "identifiers": [{"identifierTypeId": "ISSN", "value": "0000-0001"}]});
    assert_eq!((mapped.preceding, mapped.succeeding), (vec![before], vec![]));
}

#[test]
fn rules_that_cannot_be_read_are_an_error_of_records_with_their_tag() {
    let rules = r#"{"245": [{"target": "title", "subfield": ["a"], "subFieldSplit": {"type": "sing", "value": "3"}}],
        "300": "none", "250": [{"target": "editions", "subfield": ["a"], "rules": []}]}"#;
    let mapper = Mapper::new(Kind::Bibliographic, rules, Lookups::default()).unwrap();
    let unread: Vec<&str> = mapper.rule_errors().collect();
    let title = "the mapping rules for 245 cannot be read: sing is not known";
    assert_eq!((unread.len(), unread[0]), (2, title));
    let map = |lines: &[&str]| mapper.map(&record("00000cam a2200000 i 4500", lines));
    assert_eq!(map(&["001 1", "245 10 $a Title"]).unwrap_err(), title);
    assert!(map(&["300 __ $a 1 p."]).unwrap_err().starts_with("the mapping rules for 300 cannot be read"));
    assert_eq!(map(&["250 __ $a 1st"]).unwrap().record["editions"][0], "1st");
    let told = |rules: &str| Mapper::new(Kind::Bibliographic, rules, Lookups::default()).err().unwrap();
    assert!(told("[").starts_with("the mapping rules: EOF"));
    assert_eq!(told("[1, 2]"), "the mapping rules are no object");
}

/// Rules that a library has kept from earlier releases of FOLIO.
#[test]
fn rules_of_earlier_releases_are_read_as_folio_reads_them() {
    let rules = r#"{"650": [{"target": "subjects", "subfield": ["a"]}], "100": [
        {"target": "contributors.name", "subfield": ["a"], "rules": [{"conditions": [{"type": "sing, trim_period"}]}]},
        {"target": "contributors.contributorTypeId", "subfield": ["4"], "rules": [{"conditions": [{"type": "SET_CONTRIBUTOR_TYPE_ID"}]}]},
        {"target": "contributors.contributorTypeText", "subfield": ["e"], "rules": [{"conditions": [{"type": "set_contributor_type_text"}]}]}]}"#;
    let mapper = Mapper::new(Kind::Bibliographic, rules, lookups()).unwrap();
    assert_eq!(mapper.rule_errors().count(), 0);
    for (line, expected) in [
        (
            "100 1_ $a Lem. $4 AUT $e edt",
            json!({"name": "Lem", "contributorTypeId": "Author", "contributorTypeText": "Editor"}),
        ),
        ("100 1_ $a Lem $4 zzz $e zzz", json!({"name": "Lem", "contributorTypeText": "zzz"})),
    ] {
        let mapped = mapper.map(&record("00000cam a2200000 i 4500", &[line, "650 _0 $a Whales"])).unwrap();
        assert!(mapped.record["subjects"].is_null());
        let mut contributor = mapped.record["contributors"][0].clone();
        contributor.as_object_mut().unwrap().remove("primary");
        assert_eq!(contributor, expected, "{line}");
    }
}

#[test]
fn ids_stay_the_same() {
    let id = derived_id("diku", "(ABC)12345");
    assert_eq!(id, derived_id("diku", "(ABC)12345"));
    assert_eq!(id.get_version_num(), 5);
    assert_ne!(id, derived_id("other", "(ABC)12345"));
}

/// Fields of 100 kB of subfields that are alike, or follow each other so that each could be joined with all the others.
#[test]
fn hostile_fields_are_mapped_in_time() {
    let mapper = mapper();
    let repeated = |code: char, value: fn(usize) -> String| {
        (0..16_000).map(|at| json!({code.to_string(): value(at)})).collect::<Vec<Value>>()
    };
    let mut joined = vec![json!({"a": "1"})];
    joined.extend((0..8_000).map(|_| json!({"q": "pbk"})));
    joined.extend((0..8_000).map(|_| json!({"a": "1"})));
    let cases = [
        ("020", joined),
        ("020", repeated('a', |at| at.to_string())),
        ("041", repeated('a', |at| format!("{at:03x}"))),
        ("700", repeated('4', |at| at.to_string())),
        ("700", repeated('e', |at| format!("é{at}"))),
        ("650", repeated('x', |at| at.to_string())),
    ];
    for (tag, subfields) in cases {
        let field = json!({tag: {"ind1": "1", "ind2": "0", "subfields": subfields}});
        let text = json!({"leader": "00000cam a2200000 i 4500", "fields": [field]}).to_string();
        let record = decode(Format::JsonLines, Encoding::Declared, text.as_bytes()).unwrap().record;
        let mapped = octavo_fuzz::assert_in_time(text.len(), || mapper.map(&record)).unwrap();
        let size = mapped.record.to_string().len();
        assert!(size < 20 * text.len(), "{tag}: {size} bytes from {}", text.len());
    }
}

#[test]
fn of_subfields_that_are_alike_each_is_joined_with_what_follows_it() {
    let mapped = map(&["020 ## $a 1 $q pbk $a 1 $q hbk"]);
    let values: Vec<&Value> =
        mapped.record["identifiers"].as_array().unwrap().iter().map(|found| &found["value"]).collect();
    assert_eq!(values, ["1 pbk", "1 hbk"]);
}
