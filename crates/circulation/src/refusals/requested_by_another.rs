//! Refuses an item that another patron has requested before this one.

use octavo_kernel::Refusal;

use crate::Undecided;
use crate::facts::{Facts, Item, Patron};
use crate::queue::{SearchPurpose, first_fulfillable};

/// `about` is how the client named the patron.
pub(crate) fn refuse_requested_by_another(
    facts: &Facts,
    item: &Item,
    patron: &Patron,
    about: (&str, &str),
) -> Result<Option<Refusal>, Undecided> {
    let first = first_fulfillable(facts, item, SearchPurpose::CheckOut)?;
    let by_another = first.is_some_and(|request| request.requester_id() != Some(patron.id()));
    Ok(by_another.then(|| {
        let message = format!(
            "{} (Barcode: {}) cannot be checked out to user {} because it has been requested by another patron",
            item.title_or_null(),
            item.barcode().unwrap_or("null"),
            patron.personal_name(),
        );
        Refusal::new(message).about(about.0, about.1)
    }))
}
