//! The settings of a connection: how the terminal writes its messages.

use crate::Encoding;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    pub encoding: Encoding,
    /// Stands behind every variable field.
    pub delimiter: char,
    pub terminator: Terminator,
    pub error_detection: ErrorDetection,
}

/// Whether messages end in a sequence number and a checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorDetection {
    /// Each message is answered as it came, with or without.
    AsItComes,
    /// The terminal is asked to send a message without a checksum again.
    Required,
}

/// The defaults of edge-sip2.
impl Default for Wire {
    fn default() -> Wire {
        Wire {
            encoding: Encoding::Cp850,
            delimiter: '|',
            terminator: Terminator::default(),
            error_detection: ErrorDetection::AsItComes,
        }
    }
}

/// The bytes that end a message: CR by the standard, or those of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terminator(Vec<u8>);

impl Default for Terminator {
    fn default() -> Terminator {
        Terminator(vec![b'\r'])
    }
}

/// The end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    /// How many bytes the message has.
    pub(crate) at: usize,
    /// How many bytes the message has with its end.
    pub(crate) after: usize,
}

impl Terminator {
    /// One to eight ASCII characters that are neither letters nor digits nor spaces.
    pub fn new(text: &str) -> Option<Terminator> {
        let fits = (1..=8).contains(&text.len()) && text.bytes().all(is_mark);
        fits.then(|| Terminator(text.as_bytes().to_vec()))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether a letter is part of it.
    pub(crate) fn has(&self, letter: char) -> bool {
        u8::try_from(letter).is_ok_and(|byte| self.0.contains(&byte))
    }

    /// CR and LF in any combination end a message if the terminator is made of these.
    fn is_line_end(&self) -> bool {
        self.0.iter().all(|byte| is_line_end(*byte))
    }

    /// Whether a byte before a message means nothing.
    pub(crate) fn is_padding(&self, byte: u8) -> bool {
        is_line_end(byte)
    }

    pub(crate) fn find(&self, bytes: &[u8], from: usize) -> Option<End> {
        let rest = bytes.get(from..)?;
        let width = self.0.len();
        let (at, width) = match self.is_line_end() {
            true => (rest.iter().position(|byte| is_line_end(*byte))?, 1),
            false => (rest.windows(width).position(|window| window == self.0)?, width),
        };
        Some(End { at: from + at, after: from + at + width })
    }
}

impl Wire {
    /// Whether the delimiter is a mark that is not part of the terminator, so that the ends of fields and of messages can be distinguished.
    pub fn is_sound(&self) -> bool {
        u8::try_from(self.delimiter).is_ok_and(is_mark) && !self.terminator.has(self.delimiter)
    }
}

fn is_mark(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && byte != b' '
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}
