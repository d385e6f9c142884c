//! General notes about patrons for staff, records of mod-notes.

use octavo_kernel::Refusal;
use serde_json::{Value, json};

use crate::document::text;
use crate::facts::Facts;
use crate::plan::{Plan, RecordKind};
use crate::refusals::missing_parameter;
use crate::trace::Step;

/// Creates a note about the borrower of a loan; refused if the library has no type for such notes.
pub(crate) fn note_on_borrower(
    facts: &Facts,
    loan: &Value,
    message: &str,
    plan: &mut Plan,
) -> Result<(), Refusal> {
    let kind = facts.general_note_type.as_deref();
    let kind = kind.ok_or_else(|| missing_parameter("No General note type found", "noteTypes"))?;
    let Some(borrower) = text(loan, &["userId"]) else { return Ok(()) };
    let id = facts.fresh_ids.note.as_str();
    let mut note = json!({
        "id": id,
        "typeId": kind,
        "title": message,
        "content": message,
        "domain": "users",
        "links": [{"id": borrower, "type": "user"}],
        "popUpOnCheckOut": false,
        "popUpOnUser": false,
    });
    facts.set_metadata(&mut note);
    plan.insert(RecordKind::Note, id, note);
    plan.add_step(Step::NoteWritten { text: message.to_owned() });
    Ok(())
}
