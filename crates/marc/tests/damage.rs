//! Files as they should not be: what is told, and that the next record is read.

use octavo_marc::{Encoding, Format, Parsed, Remark, Splitter, decode};

const GOOD: &[u8] = b"00060nam a2200037   4500245001100000\x1E10\x1FaTitle\x1F \x1E\x1D";

fn read(bytes: &[u8], encoding: Encoding) -> Vec<Result<Parsed, String>> {
    let frames = Splitter::new(Format::Iso2709, bytes, 0).map(Result::unwrap);
    frames
        .map(|frame| frame.fault.map_or_else(|| decode(Format::Iso2709, encoding, &frame.raw), Err))
        .collect()
}

/// A record with these fields, its leader's position 9 given.
fn record(unicode: char, fields: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut directory, mut data) = (String::new(), Vec::new());
    for (tag, field) in fields {
        directory += &format!("{tag}{:04}{:05}", field.len() + 1, data.len());
        data.extend_from_slice(field);
        data.push(0x1E);
    }
    let base = 25 + directory.len();
    let mut raw =
        format!("{:05}nam {unicode}22{base:05}   4500{directory}\x1E", base + data.len() + 1).into_bytes();
    raw.extend(data);
    raw.push(0x1D);
    raw
}

fn title(parsed: &Result<Parsed, String>) -> &str {
    title_of(parsed.as_ref().unwrap())
}

fn title_of(parsed: &Parsed) -> &str {
    parsed.record.values("245", 'a').next().unwrap()
}

#[test]
fn a_file_that_ends_in_the_middle_loses_its_last_record_only() {
    let good = record('a', &[("245", b"10\x1FaTitle")]);
    let bytes = [good.as_slice(), &good[..40]].concat();
    let read = read(&bytes, Encoding::Declared);
    assert_eq!(title(&read[0]), "Title");
    assert_eq!(
        read[1],
        Err(format!("the file ends in the middle of it: it says {} bytes, 40 are there", good.len()))
    );
}

#[test]
fn garbage_between_records_is_told_and_passed_over() {
    let good = record('a', &[("245", b"10\x1FaTitle")]);
    let bytes =
        [b"garbage\x1D\n".as_slice(), &good, b"\r\n", b"garbage that is longer than a leader\x1D", &good]
            .concat();
    let read = read(&bytes, Encoding::Declared);
    assert_eq!(read[0], Err("it has 7 bytes, fewer than a leader".to_owned()));
    assert_eq!(title(&read[1]), "Title");
    assert_eq!(read[2], Err("its directory does not end".to_owned()));
    assert_eq!(title(&read[3]), "Title");
}

#[test]
fn wrong_lengths_do_not_hide_the_fields() {
    let read = read(GOOD, Encoding::Declared);
    assert_eq!(title(&read[0]), "Title");
    assert_eq!(read[0].as_ref().unwrap().remarks, [Remark::WrongDirectory]);
    let more = [&GOOD[..36], b"\x1E10\x1FaTitle\x1E10\x1FaAnother\x1E\x1D"].concat();
    let refused = self::read(&more, Encoding::Declared);
    assert_eq!(refused[0], Err("its directory is wrong: it lists 1 fields, 2 are there".to_owned()));
}

#[test]
fn the_encoding_is_what_the_record_says_or_the_caller() {
    let latin = record('a', &[("245", b"10\x1FaCaf\xE9")]);
    let refused = "its leader says UTF-8, but field 245 is not UTF-8: byte E9";
    assert_eq!(read(&latin, Encoding::Declared)[0], Err(refused.to_owned()));
    assert_eq!(title(&read(&latin, Encoding::Latin1)[0]), "Café");
    let marc8 = record(' ', &[("245", b"10\x1FaCaf\xE2e")]);
    assert_eq!(title(&read(&marc8, Encoding::Declared)[0]), "Café");
    let misdeclared = record(' ', &[("245", "10\u{1F}aCafé".as_bytes())]);
    let read = read(&misdeclared, Encoding::Declared);
    assert_eq!(title(&read[0]), "Café");
    assert_eq!(read[0].as_ref().unwrap().remarks, [Remark::MisdeclaredEncoding]);
}

#[test]
fn characters_that_are_in_no_set_are_told() {
    let bytes = record(' ', &[("245", b"10\x1FaTitle \xFF"), ("500", b"  \x1Fa\x1B$1!!!\x1B(B.")]);
    let read = read(&bytes, Encoding::Declared);
    let parsed = read[0].as_ref().unwrap();
    assert_eq!(title(&read[0]), "Title \u{FFFD}");
    let tags = ["245", "500"].map(|tag| Remark::Unreadable { tag: tag.to_owned() });
    assert_eq!(parsed.remarks, tags);
    assert!(parsed.remarks.iter().all(Remark::is_loss));
}

#[test]
fn text_that_no_subfield_mark_precedes_is_told() {
    let bytes = record('a', &[("245", b"10aTitle\x1FbMore"), ("500", b"   \x1FaA note.")]);
    let read = read(&bytes, Encoding::Declared);
    let parsed = read[0].as_ref().unwrap();
    assert_eq!(parsed.remarks, [Remark::OutsideSubfields { tag: "245".to_owned() }]);
    assert!(parsed.remarks[0].is_loss());
    assert_eq!(parsed.record.values("245", 'b').collect::<Vec<_>>(), ["More"]);
}

#[test]
fn fields_that_the_directory_does_not_list_are_told() {
    let whole =
        record('a', &[("245", b"10\x1FaTitle"), ("500", b"  \x1FaA note."), ("504", b"  \x1FaMore.")]);
    // Without the entry of 500, in a directory that is right otherwise; with 504 pointing to the title it is two.
    let cut = |entry: std::ops::Range<usize>| [&whole[..entry.start], &whole[entry.end..]].concat();
    let one = cut(36..48);
    let mut two = one.clone();
    let title = two[27..36].to_vec();
    two.splice(39..48, title);
    for (bytes, fields) in [(one, 1), (two, 2)] {
        let read = read(&bytes, Encoding::Utf8);
        let parsed = read[0].as_ref().unwrap();
        assert_eq!(parsed.remarks, [Remark::Unlisted { fields }]);
        assert!(parsed.remarks[0].is_loss());
        assert_eq!((parsed.record.fields.len(), title_of(parsed)), (2, "Title"));
    }
}

#[test]
fn entries_that_share_a_field_do_not_multiply_it() {
    let field = [b"  \x1Fa".as_slice(), &b"x".repeat(900), b"\x1E"].concat();
    let directory = format!("500{:04}00000", field.len()).repeat(500);
    let base = 25 + directory.len();
    let leader = format!("{:05}nam a22{base:05}   4500", base + field.len() + 1);
    let bytes = [leader.as_bytes(), directory.as_bytes(), b"\x1E", &field, b"\x1D"].concat();
    let refused = "its directory is wrong: it lists 500 fields, 1 are there";
    assert_eq!(read(&bytes, Encoding::Declared), [Err(refused.to_owned())]);
}

#[test]
fn a_megabyte_of_angle_brackets_in_quotes_is_passed_over_in_time() {
    let text = format!("<record a=\"{}\"><leader>x</leader></record>", ">".repeat(1 << 20));
    let frame = Splitter::new(Format::Xml, text.as_bytes(), 0).next().unwrap().unwrap();
    assert_eq!(frame.raw.len(), text.len());
    assert!(decode(Format::Xml, Encoding::Utf8, &frame.raw).is_ok());
}

#[test]
fn xml_and_json_say_what_is_wrong() {
    let cases: [(Format, &str, &str); 9] = [
        (Format::Xml, "<record></record>", "it has neither a leader nor fields"),
        (Format::Xml, "<record/>", "it has neither a leader nor fields"),
        (Format::Xml, "<record><controlfield>x</controlfield></record>", "a controlfield has no tag"),
        (Format::Xml, "<record>000</controlfield></record>", "a controlfield has no tag"),
        (Format::Xml, "<record><leader>&nbsp;</leader></record>", "&nbsp; is no reference that XML knows"),
        (
            Format::Xml,
            "<record><leader>x</leader>",
            "the file ends in the middle of it: </record> is missing",
        ),
        (Format::JsonLines, "{\"fields\": []}", "it has no leader"),
        (
            Format::JsonLines,
            "{\"leader\": \"x\", \"fields\": [1]}",
            "a field is not an object with its tag as the one member",
        ),
        (Format::JsonLines, "{\"leader\": \"x", "the file ends in the middle of it"),
    ];
    for (format, text, expected) in cases {
        let frame = Splitter::new(format, text.as_bytes(), 0).next().unwrap().unwrap();
        let told = frame.fault.map_or_else(|| decode(format, Encoding::Utf8, &frame.raw), Err);
        assert_eq!(told, Err(expected.to_owned()), "{text}");
    }
    let parted = Splitter::new(Format::JsonArray, b"[{\"a\": \"x\n\"}, 7, {\"b\": 1}]".as_slice(), 0);
    let faults: Vec<Option<String>> = parted.map(|frame| frame.unwrap().fault).collect();
    assert_eq!(faults.len(), 4);
    assert_eq!(faults[0].as_deref(), Some("it has a text that does not end"));
    assert_eq!(faults.last(), Some(&None));
}
