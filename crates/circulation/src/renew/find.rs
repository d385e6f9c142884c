//! The open loan to renew.

use octavo_kernel::{Outcome, Refusal};

use crate::command::Renew;
use crate::facts::{Facts, Item, Loan, Patron};
use crate::loan_in_question::loan_of_item;
use crate::refusals::{Refusals, missing_parameter};

/// Finds the loan to renew. If it is named by barcode, a loan of someone else ends the search; by id, FOLIO goes on and reports what else is wrong.
pub(super) fn find<'a>(
    facts: &'a Facts,
    command: &Renew,
    refusals: &mut Refusals,
) -> Outcome<Option<(&'a Loan, &'a Item, &'a Patron)>> {
    refuse_incomplete(command)?;
    let Some(item) = &facts.item else {
        refusals.extend([item_not_found(command)]);
        return Ok(None);
    };
    let Some(loan) = loan_of_item(facts, item)? else {
        // FOLIO answers 500 with a message about several loans. Here this is 422, because it is an error of the client.
        let barcode = item.barcode().unwrap_or("null");
        let message = format!("No open loan could be found for item {barcode}");
        refusals.extend([Refusal::new(message).about("itemBarcode", barcode)]);
        return Ok(None);
    };
    let Some(patron) = &facts.patron else {
        refusals.extend([Refusal::new("user is not found").about("userId", loan.user_id())]);
        return Ok(None);
    };
    let different = Refusal::new("Cannot renew item checked out to different user");
    match command {
        Renew::ByBarcode(command) if patron.barcode() != command.user_barcode.as_deref() => {
            refusals.extend([different.about("userBarcode", command.user_barcode.as_deref())]);
            Ok(None)
        }
        Renew::ById(command) if Some(patron.id()) != command.user_id.as_deref() => {
            refusals.extend([different.about("userId", command.user_id.as_deref())]);
            Ok(Some((loan, item, patron)))
        }
        _ => Ok(Some((loan, item, patron))),
    }
}

fn refuse_incomplete(command: &Renew) -> Result<(), Refusal> {
    let absent = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    let refusal = match command {
        Renew::ByBarcode(command) if absent(&command.item_barcode) => {
            missing_parameter("Renewal request must have an item barcode", "itemBarcode")
        }
        Renew::ByBarcode(command) if absent(&command.user_barcode) => {
            missing_parameter("Renewal request must have a user barcode", "userBarcode")
        }
        Renew::ById(command) if absent(&command.item_id) => {
            missing_parameter("Renewal request must have an item ID", "itemId")
        }
        Renew::ById(command) if absent(&command.user_id) => {
            missing_parameter("Renewal request must have a user ID", "userId")
        }
        _ => return Ok(()),
    };
    Err(refusal)
}

fn item_not_found(command: &Renew) -> Refusal {
    match command {
        Renew::ByBarcode(command) => {
            let barcode = command.item_barcode.as_deref().unwrap_or_default();
            Refusal::new(format!("No item with barcode {barcode} exists")).about("itemBarcode", barcode)
        }
        Renew::ById(command) => {
            let id = command.item_id.as_deref().unwrap_or_default();
            Refusal::new(format!("No item with ID {id} exists")).about("itemId", id)
        }
    }
}
