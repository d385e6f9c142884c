//! Clean-up that every text gets, whichever format it was read from.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Normalises the text to composed characters (NFC) and removes the character NUL, which PostgreSQL cannot store.
pub(crate) fn clean(text: String) -> String {
    let text = if text.contains('\0') { text.replace('\0', "") } else { text };
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    text.nfc().collect()
}
