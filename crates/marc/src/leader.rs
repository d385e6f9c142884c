//! The first 24 characters of a record: what kind of record it is and how it is written.

use std::fmt;

/// 24 printable ASCII characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Leader([u8; 24]);

impl Default for Leader {
    fn default() -> Self {
        Leader(*b"00000nam a2200000   4500")
    }
}

impl fmt::Debug for Leader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_text())
    }
}

impl Leader {
    /// Reads the leader. A character that is missing or not ASCII becomes a blank.
    pub fn read(bytes: &[u8]) -> Leader {
        let mut leader = [b' '; 24];
        for (place, byte) in leader.iter_mut().zip(bytes) {
            if (b' '..=b'~').contains(byte) {
                *place = *byte;
            }
        }
        Leader(leader)
    }

    /// The character at a position, counted from 0 as the standard does.
    pub fn char_at(&self, position: usize) -> char {
        self.0.get(position).map_or(' ', |byte| char::from(*byte))
    }

    pub fn as_text(&self) -> String {
        self.0.iter().map(|byte| char::from(*byte)).collect()
    }

    /// Whether position 9 of the leader says that the record is in Unicode.
    pub fn says_unicode(&self) -> bool {
        self.char_at(9) == 'a'
    }

    /// The name of the type of record at position 6, if the record is not bibliographic.
    pub fn not_bibliographic(&self) -> Option<&'static str> {
        match self.char_at(6) {
            'z' => Some("an authority record"),
            'u' | 'v' | 'x' | 'y' => Some("a holdings record"),
            'w' => Some("a classification record"),
            'q' => Some("a community information record"),
            _ => None,
        }
    }

    /// The leader as [`crate::encode`] writes it: with the lengths in bytes, and UTF-8 as the encoding.
    pub(crate) fn to_bytes(&self, length: usize, base: usize) -> [u8; 24] {
        let mut leader = self.0;
        leader[0..5].copy_from_slice(format!("{length:05}").as_bytes());
        leader[9] = b'a';
        leader[10..12].copy_from_slice(b"22");
        leader[12..17].copy_from_slice(format!("{base:05}").as_bytes());
        leader[20..24].copy_from_slice(b"4500");
        leader
    }
}
