//! What is done to every text, whatever it was read from.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Composed characters (NFC), and none that a database cannot hold.
pub(crate) fn clean(text: String) -> String {
    let text = if text.contains('\0') { text.replace('\0', "") } else { text };
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    text.nfc().collect()
}
