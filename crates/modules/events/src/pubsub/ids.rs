//! Ids of what has none in the database.

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// Events of Octavo's own have no id but their position: `00000000-0000-4000-8000-` and the position as twelve figures of base 16.
const OWN: u128 = 0x4000_8000_u128 << 48;

pub(crate) fn id_of(position: i64) -> Uuid {
    Uuid::from_u128(OWN | u128::from(position.unsigned_abs()))
}

/// 0, which is no event's position, if the id does not hold one.
pub(super) fn position_of(id: Uuid) -> i64 {
    let position = id.as_u128() ^ OWN;
    i64::try_from(position).ok().filter(|position| *position < 1 << 48).unwrap_or(0)
}

/// An id that is always the same for the same parts.
pub(super) fn made_id(parts: &[&str]) -> Uuid {
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
            assert_eq!(position_of(id_of(position)), position);
        }
        assert_eq!(id_of(4711).to_string(), "00000000-0000-4000-8000-000000001267");
        assert_eq!(position_of(Uuid::nil()), 0);
        assert_eq!(position_of(made_id(&["x"])), 0);
    }
}
