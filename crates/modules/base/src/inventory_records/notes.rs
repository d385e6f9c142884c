//! The limit of 32,000 characters for notes of instances, holdings and items.

use octavo_kernel::Refusal;
use serde_json::Value;

const MAX_NOTE_CHARACTERS: usize = 32_000;

/// The first note that is too long; FOLIO looks at the administrative notes first.
pub(super) fn refuse_long_notes(record: &Value) -> Vec<Refusal> {
    let list = |name: &str| record[name].as_array().map_or(&[][..], Vec::as_slice);
    let administrative = list("administrativeNotes").iter().map(|note| ("administrativeNotes", note));
    let notes = list("notes").iter().map(|note| ("notes", &note["note"]));
    let too_long = administrative.chain(notes).find_map(|(field, note)| {
        let note = note.as_str()?;
        (note.chars().count() > MAX_NOTE_CHARACTERS)
            .then(|| Refusal::rmb("A note has exceeded the 32,000 character limit.").about(field, note))
    });
    too_long.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_note_may_have_32_000_characters() {
        let note =
            |length: usize| json!({"administrativeNotes": [], "notes": [{"note": "ö".repeat(length)}]});
        assert_eq!(refuse_long_notes(&note(32_000)), []);
        let refusals = refuse_long_notes(&note(32_001));
        assert_eq!(refusals[0].message, "A note has exceeded the 32,000 character limit.");
        assert_eq!(refusals[0].parameters[0].0, "notes");
    }
}
