//! Writes a message as its bytes.

use crate::checksum::checksum;
use crate::{Message, Wire};

impl Message {
    /// The whole message with its end. `checked`: whether it ends in a sequence number, if it has one, and a checksum.
    pub fn write(&self, wire: &Wire, checked: bool) -> Vec<u8> {
        let mut text = self.kind.code.to_owned();
        for (value, (_, width)) in self.fixed.iter().zip(self.kind.fixed) {
            text.extend(cleaned(value, wire).take(*width));
        }
        for (code, value) in &self.fields {
            text.push_str(code);
            text.extend(cleaned(value, wire));
            text.push(wire.delimiter);
        }
        let mut bytes = wire.encoding.encode(&text);
        if checked {
            if let Some(sequence) = self.sequence {
                bytes.extend_from_slice(format!("AY{}", sequence % 10).as_bytes());
            }
            bytes.extend_from_slice(b"AZ");
            let sum = checksum(&bytes);
            bytes.extend_from_slice(format!("{sum:04X}").as_bytes());
        }
        bytes.extend_from_slice(wire.terminator.bytes());
        bytes
    }
}

/// The characters of a value. Characters that would end a field or a message are replaced by spaces.
fn cleaned<'a>(value: &'a str, wire: &'a Wire) -> impl Iterator<Item = char> + 'a {
    let ends = |letter: char| letter == wire.delimiter || letter.is_control() || wire.terminator.has(letter);
    value.chars().map(move |letter| if ends(letter) { ' ' } else { letter })
}
