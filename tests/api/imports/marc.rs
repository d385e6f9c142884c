//! MARC 21 as these tests read and write it. Octavo's own reader is not used here: it is what is tried.

use unicode_normalization::UnicodeNormalization;

const END_OF_RECORD: u8 = 0x1D;
const END_OF_FIELD: u8 = 0x1E;
const SUBFIELD: u8 = 0x1F;
const ESCAPE: u8 = 0x1B;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub tag: String,
    pub indicators: [char; 2],
    /// Of a control field: one without code.
    pub subfields: Vec<(char, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub leader: String,
    pub fields: Vec<Field>,
}

impl Field {
    pub(super) fn is_control(&self) -> bool {
        self.tag.starts_with("00")
    }

    /// The values of these subfields, in the order of the field.
    pub(super) fn values<'a>(&'a self, codes: &'a str) -> impl Iterator<Item = &'a str> {
        self.subfields.iter().filter(|(code, _)| codes.contains(*code)).map(|(_, value)| value.as_str())
    }

    pub(super) fn has_subfield(&self, codes: &str) -> bool {
        self.values(codes).next().is_some()
    }
}

impl Record {
    pub(super) fn control_field(&self, tag: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| field.tag == tag && field.is_control())?;
        field.subfields.first().map(|(_, value)| value.as_str())
    }
}

/// Files of MARC records as they are exchanged; what these tests cannot read is left out: other scripts in MARC-8, damaged directories.
pub(super) fn read_file(bytes: &[u8]) -> Vec<Option<Record>> {
    let records = bytes.split(|byte| *byte == END_OF_RECORD).map(<[u8]>::trim_ascii);
    records.filter(|raw| !raw.is_empty()).map(parse_iso2709).collect()
}

fn parse_iso2709(raw: &[u8]) -> Option<Record> {
    let leader = std::str::from_utf8(raw.get(..24)?).ok()?;
    let base: usize = leader[12..17].parse().ok()?;
    let is_utf8 = leader.as_bytes()[9] == b'a' || (!raw.is_ascii() && std::str::from_utf8(raw).is_ok());
    if !is_utf8 && raw.contains(&ESCAPE) {
        return None;
    }
    let text = |bytes: &[u8]| {
        if is_utf8 { String::from_utf8_lossy(bytes).nfc().collect() } else { decode_marc8(bytes) }
    };
    let mut fields = Vec::new();
    for entry in raw.get(24..base - 1)?.chunks(12) {
        let entry = std::str::from_utf8(entry).ok()?;
        let (length, start): (usize, usize) = (entry[3..7].parse().ok()?, entry[7..12].parse().ok()?);
        let data = raw.get(base + start..base + start + length)?;
        let data = data.strip_suffix(&[END_OF_FIELD]).filter(|data| !data.contains(&END_OF_FIELD))?;
        let tag = entry[..3].to_owned();
        if tag.starts_with("00") {
            fields.push(Field { tag, indicators: [' '; 2], subfields: vec![(' ', text(data))] });
            continue;
        }
        let mut parts = data.split(|byte| *byte == SUBFIELD);
        let head = parts.next()?;
        let indicator = |at: usize| head.get(at).map_or(' ', |byte| char::from(*byte));
        let subfields = parts.filter(|part| !part.is_empty());
        let subfields = subfields.map(|part| (char::from(part[0]), text(&part[1..]))).collect();
        fields.push(Field { tag, indicators: [indicator(0), indicator(1)], subfields });
    }
    Some(Record { leader: leader.to_owned(), fields })
}

/// Latin letters of MARC-8: special characters, and marks that stand before their letter.
fn decode_marc8(bytes: &[u8]) -> String {
    const SPECIAL: &str = "ŁØĐÞÆŒʹ·♭®±ƠƯʼ ʻłøđþæœʺı£ð ơư  °ℓ℗©♯¿¡ß€";
    const MARKS: [u32; 31] = [
        0x309, 0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x30C, 0x30A, 0xFE20, 0xFE21, 0x315,
        0x30B, 0x310, 0x327, 0x328, 0x323, 0x324, 0x325, 0x333, 0x332, 0x326, 0x31C, 0x32E, 0xFE22, 0xFE23,
        0, 0, 0x313,
    ];
    let (mut text, mut marks) = (String::new(), Vec::new());
    for byte in bytes {
        let letter = match byte {
            0xE0..=0xFE => {
                marks.extend(char::from_u32(MARKS[usize::from(byte - 0xE0)]));
                continue;
            }
            0xA1.. => SPECIAL.chars().nth(usize::from(byte - 0xA1)).unwrap_or(' '),
            byte => char::from(*byte),
        };
        text.push(letter);
        text.extend(marks.drain(..));
    }
    text.nfc().collect()
}

/// Parses records in mnemonic form: `=245  10$aA title /$cby somebody`. `\` is a blank indicator, and an empty line ends a record.
pub(super) fn parse_text(text: &str) -> Vec<Record> {
    text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).map(parse_record).collect()
}

fn parse_record(text: &str) -> Record {
    let lines = text.lines().filter_map(|line| line.strip_prefix('='));
    let mut record = Record { leader: String::new(), fields: Vec::new() };
    for line in lines {
        let (tag, rest) = (&line[..3], &line[5..]);
        if tag == "LDR" {
            rest.clone_into(&mut record.leader);
        } else if tag.starts_with("00") {
            let subfields = vec![(' ', rest.to_owned())];
            record.fields.push(Field { tag: tag.to_owned(), indicators: [' '; 2], subfields });
        } else {
            let mut head = rest.chars().map(|c| if c == '\\' { ' ' } else { c });
            let indicators = [head.next().unwrap_or(' '), head.next().unwrap_or(' ')];
            let subfields = rest[2..].split('$').skip(1);
            let subfields = subfields.map(|part| (part.chars().next().unwrap_or(' '), part[1..].to_owned()));
            record.fields.push(Field { tag: tag.to_owned(), indicators, subfields: subfields.collect() });
        }
    }
    record
}

/// The record in the exchange format ISO 2709, in UTF-8.
pub(super) fn to_iso2709(record: &Record) -> Vec<u8> {
    let (mut directory, mut data) = (String::new(), Vec::new());
    for field in &record.fields {
        let start = data.len();
        if !field.is_control() {
            data.extend(field.indicators.iter().map(|c| u8::try_from(*c).unwrap_or(b' ')));
        }
        for (code, value) in &field.subfields {
            if !field.is_control() {
                data.extend([SUBFIELD, u8::try_from(*code).unwrap_or(b'a')]);
            }
            data.extend(value.as_bytes());
        }
        data.push(END_OF_FIELD);
        directory.push_str(&format!("{}{:04}{start:05}", field.tag, data.len() - start));
    }
    let base = 24 + directory.len() + 1;
    let total = base + data.len() + 1;
    let kind = &record.leader[5..9];
    let mut raw = format!("{total:05}{kind}a22{base:05}{}{directory}", &record.leader[17..24]).into_bytes();
    raw.push(END_OF_FIELD);
    raw.extend(data);
    raw.push(END_OF_RECORD);
    raw
}
