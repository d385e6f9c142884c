//! MARC-8 to Unicode: ASCII and ANSEL, and the sets that escapes call in: Greek, Cyrillic, Hebrew, Arabic, sub- and
//! superscripts, East Asian characters (EACC).
//!
//! Combining marks stand before their letter in MARC-8 and after it in Unicode. A code that its character set does not have becomes U+FFFD.
//! Facts: the code tables of the Library of Congress, in `marc8/*.tsv`; EACC characters that have no place in Unicode
//! but a private one are left out.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::char::is_combining_mark;

const ESCAPE: u8 = 0x1B;
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

/// A set by the final character of the escape that calls it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    /// EACC: three bytes a character.
    EastAsian,
    Single(u8),
}

const ANSEL: Set = Set::Single(b'E');

/// Reads one text: a control field or a subfield. The sets are ASCII and ANSEL at its beginning.
pub fn decode(bytes: &[u8]) -> String {
    if bytes.is_ascii() && !bytes.contains(&ESCAPE) {
        return bytes.iter().map(|byte| char::from(*byte)).collect();
    }
    let mut text = Text::default();
    let mut sets = [Set::Ascii, ANSEL];
    let mut rest = bytes;
    while let Some((&byte, after)) = rest.split_first() {
        if byte == ESCAPE {
            rest = apply_escape(after, &mut sets);
            continue;
        }
        let set = sets[usize::from(byte >= 0x80)];
        match byte & 0x7F {
            // Spaces and controls are in every set.
            low @ 0..=0x20 => {
                text.control(byte, low);
                rest = after;
            }
            _ if set == Set::EastAsian => {
                let (code, after) = rest.split_at(rest.len().min(3));
                text.push(decode_east_asian(code));
                rest = after;
            }
            low => {
                text.push(decode_single_byte(set, low));
                rest = after;
            }
        }
    }
    text.finish()
}

fn apply_escape<'a>(after: &'a [u8], sets: &mut [Set; 2]) -> &'a [u8] {
    // Greek symbols, subscripts, superscripts, and back to ASCII, in one character.
    match after.first() {
        Some(b's') => {
            sets[0] = Set::Ascii;
            return &after[1..];
        }
        Some(final_byte @ (b'g' | b'b' | b'p')) => {
            sets[0] = Set::Single(*final_byte);
            return &after[1..];
        }
        _ => {}
    }
    let wide = after.first() == Some(&b'$');
    let mut rest = if wide { &after[1..] } else { after };
    let side = match rest.first() {
        Some(b'(' | b',') => Some(0),
        Some(b')' | b'-') => Some(1),
        _ => None,
    };
    if side.is_some() {
        rest = &rest[1..];
    }
    // ANSEL has a final of two characters.
    let rest = rest.strip_prefix(b"!").unwrap_or(rest);
    if let (Some((&final_byte, after)), true) = (rest.split_first(), wide || side.is_some()) {
        sets[side.unwrap_or(0)] = match final_byte {
            b'1' => Set::EastAsian,
            b'B' => Set::Ascii,
            other => Set::Single(other),
        };
        return after;
    }
    rest
}

fn decode_single_byte(set: Set, low: u8) -> char {
    match set {
        Set::Ascii if low < 0x7F => char::from(low),
        Set::Single(name) => {
            SETS.get(&name).and_then(|set| set.get(usize::from(low - 0x21)).copied()).unwrap_or(UNKNOWN)
        }
        _ => UNKNOWN,
    }
}

fn decode_east_asian(code: &[u8]) -> char {
    let [plane, row, cell] = code else { return UNKNOWN };
    let row = u16::from_be_bytes([plane & 0x7F, row & 0x7F]);
    let cell = usize::from(cell & 0x7F).checked_sub(0x21);
    cell.and_then(|cell| EACC.get(&row)?.get(cell).copied()).unwrap_or(UNKNOWN)
}

/// The text that is decoded so far. Combining marks are kept until their letter, which follows them, is read.
#[derive(Default)]
struct Text {
    done: String,
    marks: String,
}

impl Text {
    fn push(&mut self, character: char) {
        if is_combining_mark(character) {
            self.marks.push(character);
        } else {
            self.done.push(character);
            self.done.push_str(&self.marks);
            self.marks.clear();
        }
    }

    fn control(&mut self, byte: u8, low: u8) {
        match byte {
            // Marks of what is passed over in sorting; indicators say the same.
            0x88 | 0x89 => {}
            0x8D => self.done.push('\u{200D}'),
            0x8E => self.done.push('\u{200C}'),
            0x80..=0xA0 => self.push(UNKNOWN),
            _ => self.push(char::from(low)),
        }
    }

    fn finish(mut self) -> String {
        self.done.push_str(&self.marks);
        self.done
    }
}

/// Characters of 21..7E by set.
static SETS: LazyLock<HashMap<u8, Vec<char>>> = LazyLock::new(|| {
    let lines = include_str!("marc8/charsets.tsv").lines().filter(|line| !line.starts_with('#'));
    let sets = lines.filter_map(|line| {
        let mut columns = line.split('\t');
        let name = u8::from_str_radix(columns.next()?, 16).ok()?;
        let characters = columns
            .nth(1)?
            .split(' ')
            .map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap_or(UNKNOWN));
        Some((name, characters.collect()))
    });
    sets.collect()
});

/// Characters of 21..7E by the first two bytes; a space where nothing is.
static EACC: LazyLock<HashMap<u16, Vec<char>>> = LazyLock::new(|| {
    let rows = include_str!("marc8/eacc.tsv").lines().filter_map(|line| {
        let (row, characters) = line.split_once('\t')?;
        let characters = characters.chars().map(|c| if c == ' ' { UNKNOWN } else { c });
        Some((u16::from_str_radix(row, 16).ok()?, characters.collect()))
    });
    rows.collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_there() {
        assert_eq!(SETS.len(), 10);
        assert!(SETS.values().all(|set| set.len() == 94));
        assert_eq!(EACC.values().flatten().filter(|c| **c != UNKNOWN).count(), 15_675);
    }

    #[test]
    fn texts_in_marc_8_become_unicode() {
        let cases: [(&[u8], &str); 14] = [
            (b"plain", "plain"),
            (b"caf\xE2e", "cafe\u{301}"),
            (b"\xE8\xE5u", "u\u{308}\u{304}"),
            (b"\xA1\xF0c\xB9 \xC7\xC8", "\u{141}c\u{327}\u{A3} \u{DF}\u{20AC}"),
            (b"H\x1Bb2\x1BsO", "H\u{2082}O"),
            (b"m\x1Bp2\x1Bs", "m\u{B2}"),
            (b"\x1Bga\x1Bs-rays", "\u{3B1}-rays"),
            (b"\x1B(NmOSKWA\x1B(B.", "\u{41C}\u{43E}\u{441}\u{43A}\u{432}\u{430}."),
            (b"\x1B(2ylem\x1B(B", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}"),
            (b"\x1B(3HjJ\x1B(B", "\u{628}\u{64A}\u{62A}"),
            (b"\x1B$1!4I!0a\x1B(B!", "\u{5317}\u{4EAC}!"),
            (b"\x1B)!Ecaf\xE2e", "cafe\u{301}"),
            (b"\x881 The\x89 end \xFF", "1 The end \u{FFFD}"),
            (b"last \xE2", "last \u{301}"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(decode(bytes), expected, "{bytes:?}");
        }
    }
}
