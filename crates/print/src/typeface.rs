//! Helvetica, one of the fourteen types that every program has that shows PDF (ISO 32000-1, 9.6.2.2), in WinAnsiEncoding
//! (annex D.2). How wide its letters are, is in Adobe's font metrics.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::blocks::Face;

/// Names of the four faces, in the order of [`face_index`].
pub(crate) const FACES: [&str; 4] =
    ["Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"];

pub(crate) fn face_index(face: Face) -> usize {
    usize::from(face.bold) + 2 * usize::from(face.italic)
}

/// The bytes that write a text. A letter that is not there stands without its accents, or as a question mark.
pub(crate) fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.nfc() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None if is_silent(letter) => {}
            None => bytes.extend(without_accents(letter)),
        }
    }
    bytes
}

/// The characters of a text that Helvetica cannot write.
pub(crate) fn missing_characters(text: impl Iterator<Item = char>) -> BTreeSet<char> {
    text.nfc().filter(|letter| !helvetica_has(*letter) && !is_silent(*letter)).collect()
}

pub(crate) fn text_width(bytes: &[u8], face: Face, size: f32) -> f32 {
    let thousandths: u32 = bytes.iter().map(|byte| u32::from(width_of(*byte, face))).sum();
    thousandths as f32 * size / 1000.0
}

/// The width of a character in thousandths of the font size.
pub(crate) fn width_of(byte: u8, face: Face) -> u16 {
    let table = if face.bold { &BOLD } else { &REGULAR };
    match byte {
        0x20..0x7f => table[usize::from(byte - 0x20)],
        _ => width_of_high_byte(byte, face.bold, table),
    }
}

pub(crate) fn helvetica_has(letter: char) -> bool {
    byte_of(letter).is_some()
}

fn byte_of(letter: char) -> Option<u8> {
    match u32::from(letter) {
        code @ (0x20..=0x7e | 0xa1..=0xac | 0xae..=0xff) => u8::try_from(code).ok(),
        0x09 | 0x0a | 0xa0 => Some(b' '),
        _ => HIGH_BYTES.iter().find(|(known, _)| *known == letter).map(|(_, byte)| *byte),
    }
}

/// Hyphens that are only there where a line breaks, and marks of direction.
pub(crate) fn is_silent(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn without_accents(letter: char) -> Vec<u8> {
    let bare: Vec<u8> = letter.nfkd().filter(|part| !is_combining_mark(*part)).filter_map(byte_of).collect();
    let other = match letter {
        'Ł' => b'L',
        'ł' => b'l',
        'Đ' => b'D',
        'đ' => b'd',
        'ı' => b'i',
        _ => b'?',
    };
    if bare.is_empty() { vec![other] } else { bare }
}

/// The characters of WinAnsiEncoding between ASCII and Latin-1.
#[rustfmt::skip]
static HIGH_BYTES: [(char, u8); 27] = [
    ('€', 0x80), ('‚', 0x82), ('ƒ', 0x83), ('„', 0x84), ('…', 0x85), ('†', 0x86), ('‡', 0x87), ('ˆ', 0x88), ('‰', 0x89),
    ('Š', 0x8a), ('‹', 0x8b), ('Œ', 0x8c), ('Ž', 0x8e), ('‘', 0x91), ('’', 0x92), ('“', 0x93), ('”', 0x94), ('•', 0x95),
    ('–', 0x96), ('—', 0x97), ('˜', 0x98), ('™', 0x99), ('š', 0x9a), ('›', 0x9b), ('œ', 0x9c), ('ž', 0x9e), ('Ÿ', 0x9f),
];

/// Letters with accents are as wide as without.
fn width_of_high_byte(byte: u8, bold: bool, table: &[u16; 95]) -> u16 {
    let like = |letter: u8| table[usize::from(letter - 0x20)];
    match byte {
        0xc0..=0xc5 => like(b'A'),
        0xc7 => like(b'C'),
        0xc8..=0xcb => like(b'E'),
        0xcc..=0xcf => like(b'I'),
        0xd1 => like(b'N'),
        0xd2..=0xd6 | 0xd8 => like(b'O'),
        0xd9..=0xdc => like(b'U'),
        0xdd | 0x9f => like(b'Y'),
        0xe0..=0xe5 => like(b'a'),
        0xe7 => like(b'c'),
        0xe8..=0xeb => like(b'e'),
        0xec..=0xef => like(b'i'),
        0xf1 => like(b'n'),
        0xf2..=0xf6 => like(b'o'),
        0xf8 | 0xdf => 611,
        0xf9..=0xfc => like(b'u'),
        0xfd | 0xff => like(b'y'),
        0x8a => like(b'S'),
        0x9a => like(b's'),
        0x8e => like(b'Z'),
        0x9e => like(b'z'),
        0x85 | 0x89 | 0x8c | 0x97 | 0x99 | 0xc6 => 1000,
        0x9c => 944,
        0xe6 => 889,
        0xa9 | 0xae => 737,
        0x82 | 0x91 | 0x92 if !bold => 222,
        0x82 | 0x91 | 0x92 => 278,
        0x84 | 0x93 | 0x94 if !bold => 333,
        0x84 | 0x93 | 0x94 => 500,
        0x8b | 0x9b | 0xa1 | 0xaa | 0xb2 | 0xb3 | 0xb9 | 0x88 | 0x98 | 0xa8 | 0xad | 0xaf | 0xb4 | 0xb8 => {
            333
        }
        0x95 => 350,
        0xb0 => 400,
        0xb7 => 278,
        0xd7 | 0xf7 | 0xb1 | 0xac => 584,
        0xbc..=0xbe => 834,
        _ => 556,
    }
}

#[rustfmt::skip]
static REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

#[rustfmt::skip]
static BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
    975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
    333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
    611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_type_has_is_written_and_what_it_lacks_is_told() {
        for (text, bytes, lacking) in [
            ("Ann", b"Ann".as_slice(), ""),
            ("Müller – 5 €", b"M\xfcller \x96 5 \x80", ""),
            ("e\u{301}", b"\xe9", ""),
            ("Dvořák", b"Dvor\xe1k", "ř"),
            ("Łódź", b"L\xf3dz", "Łź"),
            ("Толстой", b"???????", "Тйлост"),
            ("ﬁne", b"fine", "ﬁ"),
            ("soft\u{ad}ly\u{a0}so", b"softly so", ""),
        ] {
            assert_eq!(encode(text), bytes, "{text}");
            assert_eq!(missing_characters(text.chars()).into_iter().collect::<String>(), lacking, "{text}");
        }
    }

    #[test]
    fn widths_are_those_of_the_metrics() {
        let regular = Face::default();
        let bold = Face { bold: true, italic: false };
        assert!((text_width(b"Wi\xfc", regular, 10.0) - (9.44 + 2.22 + 5.56)).abs() < 0.001);
        assert!((text_width(b"Wi\xfc", bold, 10.0) - (9.44 + 2.78 + 6.11)).abs() < 0.001);
    }
}
