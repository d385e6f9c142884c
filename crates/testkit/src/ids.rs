//! Ids for what a test makes. Random: tests run side by side.

use uuid::Uuid;

#[expect(clippy::disallowed_methods, reason = "a test's records need ids that no other test has")]
pub fn fresh_id() -> Uuid {
    Uuid::new_v4()
}

pub(crate) fn fresh_secret() -> [u8; 32] {
    let mut secret = [0; 32];
    for half in secret.chunks_mut(16) {
        half.copy_from_slice(fresh_id().as_bytes());
    }
    secret
}
