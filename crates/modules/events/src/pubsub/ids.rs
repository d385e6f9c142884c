//! Ids of objects that have no id in the database.

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// The id of an event of Octavo's own holds the event's position: `00000000-0000-4000-8000-` and the position as twelve hexadecimal digits.
const OWN_EVENT_ID_BITS: u128 = 0x4000_8000_u128 << 48;

pub(crate) fn id_from_position(position: i64) -> Uuid {
    Uuid::from_u128(OWN_EVENT_ID_BITS | u128::from(position.unsigned_abs()))
}

/// The position that the id of an event holds. 0 if the id holds none; no event has the position 0.
pub(super) fn position_from_id(id: Uuid) -> i64 {
    let position = id.as_u128() ^ OWN_EVENT_ID_BITS;
    i64::try_from(position).ok().filter(|position| *position < 1 << 48).unwrap_or(0)
}

/// An id that is computed from the parts by a hash: the same parts give the same id.
pub(super) fn id_from_parts(parts: &[&str]) -> Uuid {
    let hash = Sha256::digest(parts.join("\n"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_random_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_an_own_event_holds_its_position() {
        for position in [1, 4711, (1 << 48) - 1] {
            assert_eq!(position_from_id(id_from_position(position)), position);
        }
        assert_eq!(id_from_position(4711).to_string(), "00000000-0000-4000-8000-000000001267");
        assert_eq!(position_from_id(Uuid::nil()), 0);
        assert_eq!(position_from_id(id_from_parts(&["x"])), 0);
    }
}
