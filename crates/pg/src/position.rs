//! A place in PostgreSQL's log of changes, as PostgreSQL writes it (an LSN): `0/16B3748`.

use std::fmt;
use std::str::FromStr;

/// How many bytes of the log stand before a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

impl Position {
    /// Before all changes: what every replica has.
    pub const START: Position = Position(0);

    pub(crate) fn from_bytes(bytes: i64) -> Position {
        Position(bytes.max(0).cast_unsigned())
    }

    pub(crate) fn bytes(self) -> u64 {
        self.0
    }

    /// How many bytes of the log stand between this place and one behind it.
    pub(crate) fn bytes_until(self, other: Position) -> u64 {
        other.0.saturating_sub(self.0)
    }
}

impl From<u64> for Position {
    fn from(bytes: u64) -> Position {
        Position(bytes)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Position, ()> {
        let (high, low) = text.split_once('/').ok_or(())?;
        let part = |digits: &str| match digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            true => u32::from_str_radix(digits, 16).map_err(|_| ()),
            false => Err(()),
        };
        Ok(Position(u64::from(part(high)?) << 32 | u64::from(part(low)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn a_position_is_written_as_postgresql_does() {
        for (text, bytes) in [("0/0", 0), ("0/16B3748", 0x16B_3748), ("16/B374D848", 0x16_B374_D848)] {
            assert_eq!(text.parse(), Ok(Position(bytes)));
            assert_eq!(Position(bytes).to_string(), text);
        }
        for wrong in ["", "/", "0", "0/", "x/1", "0/+1", "0/1/2", "0/100000000", "-1/0"] {
            assert!(wrong.parse::<Position>().is_err(), "{wrong}");
        }
    }
}
