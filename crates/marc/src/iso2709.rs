//! ISO 2709: leader, directory, fields. Damaged records are read as far as possible; records are written exactly as the standard says.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::parsed::{Encoding, Parsed, Remark, latin1};
use crate::text::clean;
use crate::{Field, Leader, Record, Subfield, marc8};

const END_OF_FIELD: u8 = 0x1E;
const END_OF_RECORD: u8 = 0x1D;
const SUBFIELD: u8 = 0x1F;
const LEADER_LENGTH: usize = 24;
/// Tag, length and start of a field.
const ENTRY_LENGTH: usize = 12;

pub(crate) fn decode(raw: &[u8], encoding: Encoding) -> Result<Parsed, String> {
    let raw = raw.strip_suffix(&[END_OF_RECORD]).unwrap_or(raw);
    if raw.len() < LEADER_LENGTH + 1 {
        return Err(format!("it has {} bytes, fewer than a leader", raw.len()));
    }
    let leader = Leader::read(&raw[..LEADER_LENGTH]);
    let Some(end) =
        raw[LEADER_LENGTH..].iter().position(|byte| *byte == END_OF_FIELD).map(|at| LEADER_LENGTH + at)
    else {
        return Err("its directory does not end".to_owned());
    };
    let (directory, data) = (&raw[LEADER_LENGTH..end], &raw[end + 1..]);
    if directory.len() % ENTRY_LENGTH != 0 {
        return Err(format!("its directory has {} bytes, no multiple of {ENTRY_LENGTH}", directory.len()));
    }
    let mut remarks = Vec::new();
    let fields = match by_directory(directory, data) {
        Some((fields, 0)) => fields,
        Some((fields, left_out)) => {
            remarks.push(Remark::Unlisted { fields: left_out });
            fields
        }
        None => {
            remarks.push(Remark::WrongDirectory);
            by_end_marks(directory, data)?
        }
    };
    let reader = Reader::new(&leader, raw, encoding, &mut remarks);
    let fields = fields.into_iter().map(|(tag, bytes)| reader.field(tag, bytes, &mut remarks));
    let fields = fields.collect::<Result<Vec<Field>, String>>()?;
    let mut told = HashSet::new();
    remarks.retain(|remark| told.insert(remark.clone()));
    Ok(Parsed { record: Record { leader, fields }, remarks })
}

type RawField<'a> = (&'a [u8], &'a [u8]);

/// The fields at the places that the directory gives, and how many fields it does not list. `None` if any of its entries is wrong, or if
/// entries overlap: thousands of entries for one field would make a small record fill the memory.
fn by_directory<'a>(directory: &'a [u8], data: &'a [u8]) -> Option<(Vec<RawField<'a>>, usize)> {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<usize>().ok();
    let mut free = data.len();
    let (mut fields, mut listed) = (Vec::new(), Vec::new());
    for entry in directory.chunks_exact(ENTRY_LENGTH) {
        let (length, start) = (number(&entry[3..7])?, number(&entry[7..12])?);
        free = free.checked_sub(length)?;
        let field = data.get(start..start + length)?;
        let field = field.strip_suffix(&[END_OF_FIELD])?;
        if field.contains(&END_OF_FIELD) {
            return None;
        }
        fields.push((&entry[..3], field));
        listed.push(start..start + length);
    }
    Some((fields, count_unlisted_texts(data, listed)))
}

/// Counts the texts that are at none of the places that the directory lists.
fn count_unlisted_texts(data: &[u8], mut listed: Vec<Range<usize>>) -> usize {
    listed.sort_unstable_by_key(|place| place.start);
    listed.push(data.len()..data.len());
    let (mut count, mut end) = (0, 0);
    for place in listed {
        let between = data.get(end..place.start).unwrap_or_default();
        let texts = between.split(|byte| *byte == END_OF_FIELD);
        count += texts.filter(|text| text.iter().any(|byte| *byte > b' ')).count();
        end = end.max(place.end);
    }
    count
}

/// The fields, split at their end marks, in the order of the directory. An error if the directory has another number of entries.
fn by_end_marks<'a>(directory: &'a [u8], data: &'a [u8]) -> Result<Vec<RawField<'a>>, String> {
    let data = data.strip_suffix(&[END_OF_FIELD]).unwrap_or(data);
    let fields: Vec<&[u8]> = data.split(|byte| *byte == END_OF_FIELD).collect();
    let tags = directory.chunks_exact(ENTRY_LENGTH).map(|entry| &entry[..3]);
    if tags.len() != fields.len() {
        return Err(format!(
            "its directory is wrong: it lists {} fields, {} are there",
            tags.len(),
            fields.len()
        ));
    }
    Ok(tags.zip(fields).collect())
}

/// Reads the texts of one record.
struct Reader {
    encoding: ResolvedEncoding,
}

#[derive(Debug, Clone, Copy)]
enum ResolvedEncoding {
    Utf8 { declared: bool },
    Marc8,
    Latin1,
}

impl Reader {
    fn new(leader: &Leader, raw: &[u8], encoding: Encoding, remarks: &mut Vec<Remark>) -> Reader {
        let encoding = match encoding {
            Encoding::Utf8 => ResolvedEncoding::Utf8 { declared: false },
            Encoding::Marc8 => ResolvedEncoding::Marc8,
            Encoding::Latin1 => ResolvedEncoding::Latin1,
            Encoding::Declared if leader.says_unicode() => ResolvedEncoding::Utf8 { declared: true },
            // Bytes that MARC-8 would write are next to never UTF-8: its diacritics come before an ASCII letter.
            Encoding::Declared if !raw.is_ascii() && std::str::from_utf8(raw).is_ok() => {
                remarks.push(Remark::MisdeclaredEncoding);
                ResolvedEncoding::Utf8 { declared: false }
            }
            Encoding::Declared => ResolvedEncoding::Marc8,
        };
        Reader { encoding }
    }

    fn field(&self, tag: &[u8], bytes: &[u8], remarks: &mut Vec<Remark>) -> Result<Field, String> {
        // As in the leader: what is not ASCII becomes a blank.
        let tag: String =
            tag.iter().map(|byte| char::from(if is_printable_ascii(*byte) { *byte } else { b' ' })).collect();
        let mut text = |bytes: &[u8]| self.text(&tag, bytes, remarks);
        if Field::is_control(&tag) {
            let value = text(&without_delimiters(bytes).collect::<Vec<u8>>())?;
            return Ok(Field::Control { tag, value });
        }
        let mut parts = bytes.split(|byte| *byte == SUBFIELD);
        let head = parts.next().unwrap_or_default();
        let indicator =
            |at: usize| head.get(at).filter(|b| b.is_ascii_graphic()).map_or(' ', |b| char::from(*b));
        let indicators = [indicator(0), indicator(1)];
        let outside = head.get(2..).is_some_and(|text| !text.trim_ascii().is_empty());
        let mut subfields = Vec::new();
        for part in parts {
            let Some((code, value)) = part.split_first() else { continue };
            let code = if code.is_ascii_graphic() { char::from(*code) } else { ' ' };
            subfields.push(Subfield { code, value: text(value)? });
        }
        if outside {
            remarks.push(Remark::OutsideSubfields { tag: tag.clone() });
        }
        Ok(Field::Data { tag, indicators, subfields })
    }

    fn text(&self, tag: &str, bytes: &[u8], remarks: &mut Vec<Remark>) -> Result<String, String> {
        let text = match self.encoding {
            ResolvedEncoding::Latin1 => latin1(bytes),
            ResolvedEncoding::Utf8 { declared } => match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(error) => {
                    let byte = bytes.get(error.valid_up_to()).unwrap_or(&0);
                    let who = if declared { "its leader says UTF-8, but " } else { "" };
                    return Err(format!("{who}field {tag} is not UTF-8: byte {byte:02X}"));
                }
            },
            ResolvedEncoding::Marc8 => {
                let text = marc8::decode(bytes);
                if text.contains(char::REPLACEMENT_CHARACTER) {
                    remarks.push(Remark::Unreadable { tag: tag.to_owned() });
                }
                text
            }
        };
        Ok(clean(text))
    }
}

/// A record that ISO 2709 has no room for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLong {
    /// The tag of the field that is longer than 9,999 bytes; none where the record is longer than 99,999.
    pub field: Option<String>,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(tag) => write!(f, "field {tag} is longer than 9,999 bytes"),
            None => f.write_str("the record is longer than 99,999 bytes"),
        }
    }
}

pub fn encode(record: &Record) -> Result<Vec<u8>, TooLong> {
    let (mut directory, mut data) = (Vec::new(), Vec::new());
    for field in &record.fields {
        let start = data.len();
        match field {
            Field::Control { value, .. } => data.extend(without_delimiters(value.as_bytes())),
            Field::Data { indicators, subfields, .. } => {
                data.extend(indicators.map(ascii));
                for subfield in subfields {
                    data.extend([SUBFIELD, ascii(subfield.code)]);
                    data.extend(without_delimiters(subfield.value.as_bytes()));
                }
            }
        }
        data.push(END_OF_FIELD);
        let tag: String =
            field.tag().chars().map(|c| char::from(ascii(c))).chain("   ".chars()).take(3).collect();
        let length = data.len() - start;
        if length > 9_999 {
            return Err(TooLong { field: Some(tag) });
        }
        directory.extend(format!("{tag}{length:04}{start:05}").into_bytes());
    }
    directory.push(END_OF_FIELD);
    let base = LEADER_LENGTH + directory.len();
    let length = base + data.len() + 1;
    if length > 99_999 {
        return Err(TooLong { field: None });
    }
    let mut record = record.leader.to_bytes(length, base).to_vec();
    record.extend(directory);
    record.extend(data);
    record.push(END_OF_RECORD);
    Ok(record)
}

fn ascii(character: char) -> u8 {
    u8::try_from(character).ok().filter(|byte| is_printable_ascii(*byte)).unwrap_or(b' ')
}

fn is_printable_ascii(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

/// The text without the bytes that mark the end of a field, a record or a subfield.
fn without_delimiters(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().copied().filter(|byte| !matches!(*byte, END_OF_FIELD | END_OF_RECORD | SUBFIELD))
}
