//! Reads a message from its bytes.

use thiserror::Error;

use crate::checksum::Trailer;
use crate::{ErrorDetection, Message, Wire, kind};

/// Why bytes are no message. Whoever sent them is asked to send them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Misread {
    #[error("the checksum is wrong")]
    Checksum,
    #[error("there is no checksum, though the settings ask for one")]
    NoChecksum,
    #[error("a byte stands for no character of the encoding")]
    Encoding,
    #[error("there is no message with this code")]
    UnknownCode,
    #[error("the message ends before its fixed fields do")]
    TooShort,
    #[error("a field has no code")]
    NoFieldCode,
    #[error("the message has too many fields")]
    TooManyFields,
}

/// The most variable fields of a message: more than any message of the standard has from a terminal.
const MOST_FIELDS: usize = 64;

impl Message {
    /// Reads a message without its end.
    pub fn read(bytes: &[u8], wire: &Wire) -> Result<Message, Misread> {
        let bytes = bytes.trim_ascii_start();
        let trailer = Trailer::find(bytes);
        match (trailer, wire.error_detection) {
            (Some(trailer), _) if !trailer.is_right => return Err(Misread::Checksum),
            (None, ErrorDetection::Required) => return Err(Misread::NoChecksum),
            _ => {}
        }
        let content = &bytes[..trailer.map_or(bytes.len(), |trailer| trailer.begins)];
        let text = wire.encoding.decode(content).ok_or(Misread::Encoding)?;
        let code = text.get(..2).ok_or(Misread::UnknownCode)?;
        let kind = kind(code).ok_or(Misread::UnknownCode)?;
        let mut rest = &text[2..];
        if rest.chars().nth(kind.width().saturating_sub(1)).is_none() && kind.width() > 0 {
            return Err(Misread::TooShort);
        }
        let mut fixed = Vec::with_capacity(kind.fixed.len());
        for (_, width) in kind.fixed {
            let (value, others) = split_at_letter(rest, *width);
            fixed.push(value.to_owned());
            rest = others;
        }
        let sequence = trailer.and_then(|trailer| trailer.sequence);
        Ok(Message { kind, fixed, fields: fields(rest, wire.delimiter)?, sequence })
    }
}

fn fields(text: &str, delimiter: char) -> Result<Vec<(String, String)>, Misread> {
    let mut fields = Vec::new();
    // Some machines write no delimiter behind the last field, and some write an empty field.
    for field in text.split(delimiter).filter(|field| !field.trim().is_empty()) {
        let (code, value) = field.split_at_checked(2).ok_or(Misread::NoFieldCode)?;
        if !code.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Misread::NoFieldCode);
        }
        if fields.len() == MOST_FIELDS {
            return Err(Misread::TooManyFields);
        }
        fields.push((code.to_owned(), value.to_owned()));
    }
    Ok(fields)
}

fn split_at_letter(text: &str, count: usize) -> (&str, &str) {
    let at = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}
