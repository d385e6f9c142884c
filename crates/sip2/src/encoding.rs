//! The encodings in which terminals write letters as bytes.

use unicode_normalization::UnicodeNormalization;

use crate::cp850::UPPER;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    Utf8,
    Latin1,
    Cp850,
}

/// Names by which settings know an encoding: Java's, as in edge-sip2's settings, and the usual ones.
const NAMES: [(&str, Encoding); 12] = [
    ("ascii", Encoding::Ascii),
    ("us-ascii", Encoding::Ascii),
    ("utf-8", Encoding::Utf8),
    ("utf8", Encoding::Utf8),
    ("iso-8859-1", Encoding::Latin1),
    ("iso8859-1", Encoding::Latin1),
    ("iso8859_1", Encoding::Latin1),
    ("latin1", Encoding::Latin1),
    ("ibm850", Encoding::Cp850),
    ("ibm-850", Encoding::Cp850),
    ("cp850", Encoding::Cp850),
    ("850", Encoding::Cp850),
];

impl Encoding {
    pub fn from_name(name: &str) -> Option<Encoding> {
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, encoding)| *encoding)
    }

    /// `None` for bytes that the encoding has no character for.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Encoding::Utf8 => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Encoding::Ascii => bytes.is_ascii().then(|| bytes.iter().copied().map(char::from).collect()),
            Encoding::Latin1 => Some(bytes.iter().copied().map(char::from).collect()),
            Encoding::Cp850 => Some(bytes.iter().map(|byte| decode_cp850(*byte)).collect()),
        }
    }

    /// The bytes of a text. A letter that the encoding lacks is written without its marks, or as a question mark.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        if self == Encoding::Utf8 || text.is_ascii() {
            return text.as_bytes().to_vec();
        }
        text.nfc()
            .map(|letter| self.encode_letter(letter).unwrap_or_else(|| ascii_fallback(letter)))
            .collect()
    }

    fn encode_letter(self, letter: char) -> Option<u8> {
        if letter.is_ascii() {
            return u8::try_from(letter).ok();
        }
        match self {
            Encoding::Latin1 => u8::try_from(letter).ok(),
            Encoding::Cp850 => UPPER.iter().position(|known| *known == letter).map(|at| at as u8 + 128),
            Encoding::Ascii | Encoding::Utf8 => None,
        }
    }
}

fn decode_cp850(byte: u8) -> char {
    byte.checked_sub(128).map_or(char::from(byte), |at| UPPER[usize::from(at)])
}

fn ascii_fallback(letter: char) -> u8 {
    let base = std::iter::once(letter).nfkd().next().filter(char::is_ascii);
    base.and_then(|base| u8::try_from(base).ok()).unwrap_or(b'?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_written_and_read_in_each_encoding() {
        for (encoding, bytes) in [
            (Encoding::Ascii, b"Brontes ?".to_vec()),
            (Encoding::Utf8, "Brontës 本".as_bytes().to_vec()),
            (Encoding::Latin1, b"Bront\xEBs ?".to_vec()),
            (Encoding::Cp850, b"Bront\x89s ?".to_vec()),
        ] {
            assert_eq!(encoding.encode("Brontës 本"), bytes, "{encoding:?}");
            // Letters that came decomposed are written as one.
            assert_eq!(
                encoding.encode("Bronte\u{308}s 本").len(),
                bytes.len() + usize::from(encoding == Encoding::Utf8)
            );
        }
        assert_eq!(Encoding::Cp850.decode(b"\x81\xE1").as_deref(), Some("üß"));
        assert_eq!(Encoding::Latin1.decode(b"\xFC\xDF").as_deref(), Some("üß"));
        assert_eq!((Encoding::Ascii.decode(b"\xFC"), Encoding::Utf8.decode(b"\xFC")), (None, None));
    }

    #[test]
    fn every_byte_of_a_code_page_is_written_as_it_was_read() {
        let all: Vec<u8> = (0..=255).collect();
        for encoding in [Encoding::Latin1, Encoding::Cp850] {
            let text = encoding.decode(&all).unwrap();
            let bytes: Vec<u8> = text.chars().map(|letter| encoding.encode_letter(letter).unwrap()).collect();
            assert_eq!(bytes, all, "{encoding:?}");
        }
    }

    #[test]
    fn javas_names_are_known() {
        assert_eq!(Encoding::from_name("IBM850"), Some(Encoding::Cp850));
        assert_eq!(Encoding::from_name("ISO-8859-1"), Some(Encoding::Latin1));
        assert_eq!(Encoding::from_name("UTF-16"), None);
    }
}
